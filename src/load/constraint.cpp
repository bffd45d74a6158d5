#include "load/constraint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <tuple>

#include "lang/fsp/ltl.hpp"
#include "load/ada.hpp"
#include "load/assumption.hpp"
#include "load/qre.hpp"

namespace surety::api {
namespace {

// With other actions for each of its own.
Lts renamed(const Lts& lts, const std::map<Action, std::vector<Action>>& meanings) {
  LtsBuilder builder;
  builder.set_state_count(lts.state_count());
  for (const auto& [label, actions] : meanings) builder.add_to_alphabet(Alphabet(actions));
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s}))
      for (const Action a : meanings.at(step.action)) builder.add_step(State{s}, a, step.target);
  return builder.build();
}

class Reader {
 public:
  Reader(const std::string& where, const Model& model, const Network& network)
      : where_(where), model_(model), known_(alphabet_of(network)) {
    std::tie(file_, name_) = file_and_name(where);
  }

  Outcome<Lts> run() {
    const std::string ending = std::filesystem::path(file_).extension().string();
    if (is_qre_file(file_)) return from_qre();
    if (ending != ".aut" && ending != ".json" && ending != ".lts" && ending != ".fsp")
      return usage(fmt::format("{}: a constraint cannot be read from a file ending in '{}'", file_, ending),
                   "use .aut, .json, .qre, or .lts with the name of a process or constraint: FILE.lts:NAME");
    if (ending == ".lts" || ending == ".fsp") {
      auto formula = from_formula();
      if (!formula) return tl::unexpected(std::move(formula.error()));
      if (*formula) return meant(**formula);
    }
    auto lts = read_assumption(where_, model_);
    if (!lts) return lts;
    return meant(*lts);
  }

 private:
  // What a label stands for. Something must do it: a constraint about nothing would say nothing.
  Outcome<std::vector<Action>> actions_of(const std::string& label) {
    std::vector<Action> out;
    if (model_.ada_network)
      out = ada_meaning(model_, label);
    else if (const Action a = model_.actions->intern(label); known_.contains(a))
      out = {a};
    if (out.empty())
      return bad_input({file_error(file_, fmt::format("no component has the action '{}' of this constraint", label),
                                   did_you_mean(label, sorted_names(*model_.actions, known_)))});
    for (const Action a : out)
      if (const auto [before, fresh] = meant_.emplace(a, label); !fresh)
        return bad_input({file_error(
            file_, fmt::format("'{}' and '{}' both stand for '{}'", before->second, label, model_.actions->name(a)))});
    return out;
  }

  Outcome<Lts> meant(const Lts& lts) {
    std::map<Action, std::vector<Action>> meanings;
    for (const Action label : lts.alphabet()) {
      auto actions = actions_of(std::string(model_.actions->name(label)));
      if (!actions) return tl::unexpected(std::move(actions.error()));
      meanings[label] = std::move(*actions);
    }
    return renamed(lts, meanings);
  }

  Outcome<Lts> from_qre() {
    auto text = text_of(model_.texts, file_);
    if (!text) return bad_input(std::move(text.error()));
    Budget budget;  // the size of an expression has a limit of its own
    const auto read = read_qre_properties(*text, file_, name_, budget);
    if (!read) return tl::unexpected(read.error());
    if (read->size() > 1)
      return usage(fmt::format("{} holds {} expressions", file_, read->size()),
                   fmt::format("name one: {}:{}", file_, read->front().name));
    std::vector<std::vector<Action>> actions;
    for (const std::string& event : read->front().events) {
      auto of_event = actions_of(event);
      if (!of_event) return tl::unexpected(std::move(of_event.error()));
      actions.push_back(std::move(*of_event));
    }
    std::optional<Action> end;
    if (model_.ada) end = model_.actions->intern(model_.ada->flow.masters[0].label + ".end");
    return qre_monitor(read->front(), actions, end);
  }

  // Nothing: the name is that of no constraint of the FSP text.
  Outcome<std::optional<Lts>> from_formula() {
    auto text = text_of(model_.texts, file_);
    if (!text) return bad_input(std::move(text.error()));
    FspLimits limits;
    limits.other_defines = true;
    const auto fsp = read_fsp(*text, file_, *model_.actions, model_.defines, limits);
    if (!fsp) return bad_input(fsp.error());
    auto names = fsp->processes();
    if (name_.empty() || std::ranges::find(names, name_) != names.end()) return std::nullopt;
    for (const auto& assertion : fsp->elaborator().tree().assertions)
      if (assertion.constraint) names.emplace_back(assertion.name);
    if (std::ranges::find(names, name_) == names.end())
      return bad_input({file_error(file_, fmt::format("there is no process or constraint '{}' in this file", name_),
                                   did_you_mean(name_, names, "there are"))});
    const auto assertion = fsp->assertion(name_);
    if (!assertion) return bad_input(assertion.error());
    const auto lts = fsp::constraint_lts(*assertion, *model_.actions);
    if (!lts)
      return bad_input({file_error(file_, fmt::format("constraint {} is too large or no safety property", name_),
                                   "a constraint may not ask for something to happen eventually")});
    return without_marks(*lts);
  }

  // As a part of a composite it would have the labels * and @NAME, too, which it never does.
  Lts without_marks(const Lts& lts) const {
    const auto mark = [&](Action a) {
      const auto name = model_.actions->name(a);
      return name == "*" || name.starts_with("@");
    };
    std::vector<Action> kept;
    std::ranges::copy_if(lts.alphabet(), std::back_inserter(kept), std::not_fn(mark));
    LtsBuilder builder;
    builder.set_state_count(lts.state_count());
    builder.add_to_alphabet(Alphabet(std::move(kept)));
    for (std::uint32_t s = 0; s < lts.state_count(); ++s)
      for (const Step& step : lts.steps(State{s})) builder.add_step(State{s}, step.action, step.target);
    return builder.build();
  }

  const std::string& where_;
  const Model& model_;
  Alphabet known_;
  std::string file_, name_;
  std::map<Action, std::string> meant_;
};

}  // namespace

Outcome<Lts> read_constraint(const std::string& where, const Model& model, const Network& network) {
  return Reader(where, model, network).run();
}

}  // namespace surety::api
