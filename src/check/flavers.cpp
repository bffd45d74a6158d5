#include "check/flavers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "check/safety.hpp"
#include "load/ada.hpp"
#include "load/constraint.hpp"
#include "rules/monolithic.hpp"

namespace surety::api {
namespace {

using FlowRole = FlowComponent::Role;
using Mode = ConstraintChoice::Mode;

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::vector<std::string> words_of(const std::string& list) {
  std::vector<std::string> out;
  std::istringstream in(list);
  for (std::string word; std::getline(in, word, ',');) {
    const auto begin = word.find_first_not_of(' ');
    if (begin != std::string::npos) out.push_back(word.substr(begin, word.find_last_not_of(' ') - begin + 1));
  }
  return out;
}

bool is_of_system(const std::string& word) {
  return word.starts_with("ta:") || word.starts_with("va:") || word.starts_with("oa:");
}

bool is_mode(const std::string& word) { return word == "auto" || word == "none" || word == "all"; }

tl::unexpected<Failure> no_constraint(const std::string& word, const FlowSystem& system) {
  std::vector<std::string> names;
  for (const FlowConstraint& constraint : system.constraints) names.push_back(constraint.name);
  const std::string meant = did_you_mean(word, names);
  return usage(fmt::format("there is no constraint '{}'", word),
               meant.empty() ? fmt::format("there are: {}", fmt::join(names, ", ")) : meant);
}

}  // namespace

Outcome<std::optional<FlaversOptions>> flavers_from_words(const std::string& engine, const std::string& constraints,
                                                          const std::string& method) {
  if (engine != "flavers") {
    if (!constraints.empty()) return usage("--constraints needs --engine flavers");
    return std::nullopt;
  }
  if (method != "auto" && method != "monolithic" && method != "asym")
    return usage("--engine flavers has the methods monolithic and asym");
  return FlaversOptions{constraints.empty() ? "auto" : constraints};
}

std::vector<FlowComponent> flow_components(const Model& model, const Network& network) {
  using Kind = AdaNetwork::Part::Kind;
  std::vector<FlowComponent> out;
  for (std::size_t i = 0; i < network.components.size(); ++i) {
    const Kind kind = model.ada_network && !model.grouped ? model.ada_network->parts[i].kind : Kind::task;
    const FlowRole role = kind == Kind::task       ? FlowRole::task
                          : kind == Kind::variable ? FlowRole::variable
                                                   : FlowRole::object;
    out.push_back({network.components[i].name, &network.components[i].lts, role});
  }
  return out;
}

Outcome<std::unique_ptr<ConstrainedSystem>> constrained_system(const Model& model, const Network& network,
                                                               const std::string& words) {
  const auto list = words_of(words);
  if (list.empty()) return usage("--constraints names none", "--constraints none if that is meant");
  auto out = std::make_unique<ConstrainedSystem>(ConstrainedSystem{{}, FlowSystem({}, {}), {}});
  std::vector<FlowConstraint> given;
  for (const std::string& word : list)
    if (!is_of_system(word) && !is_mode(word)) {
      if (word.find('.') == std::string::npos)  // no file
        return no_constraint(word, FlowSystem(flow_components(model, network), {}));
      auto lts = read_constraint(word, model, network);
      if (!lts) return tl::unexpected(std::move(lts.error()));
      out->given.push_back(std::move(*lts));
      given.push_back({word, std::nullopt, nullptr, true});
    }
  for (std::size_t i = 0; i < given.size(); ++i) given[i].lts = &out->given[i];
  out->system = FlowSystem(flow_components(model, network), std::move(given));
  out->choice.mode = Mode::listed;
  for (const std::string& word : list) {
    if (is_mode(word)) {
      const bool from_none = word == "none" && list.size() == 2 && list.front() == "auto";  // to start from
      if (list.size() > 1 && word != "auto" && !from_none)
        return usage(fmt::format("--constraints {} stands alone", word));
      if (!from_none) out->choice.mode = word == "auto" ? Mode::automatic : word == "none" ? Mode::none : Mode::all;
      out->choice.starts = list.size() > 1;
      continue;
    }
    const auto& all = out->system.constraints;
    auto at = std::ranges::find(all, word, &FlowConstraint::name);
    if (at == all.end())
      at = std::ranges::find_if(all, [&](const FlowConstraint& c) { return lower(c.name) == lower(word); });
    if (at == all.end()) return no_constraint(word, out->system);
    out->choice.listed.push_back(static_cast<std::size_t>(at - all.begin()));
  }
  return out;
}

FlaversSafety::FlaversSafety(const Session& session, Subject subject, const Property& property)
    : Checkable(session.model(), std::move(subject)),
      session_(session),
      property_(property),
      split_(session.split_for(*find_rule(session.rule().method == Method::asym ? Method::asym : Method::monolithic),
                               session.model().network, property)) {}

Outcome<std::unique_ptr<FlaversSafety>> FlaversSafety::make(const Session& session, Subject subject,
                                                            const Property& property) {
  std::unique_ptr<FlaversSafety> out(new FlaversSafety(session, std::move(subject), property));
  auto constrained = constrained_system(session.model(), session.safety(), session.options().flavers->constraints);
  if (!constrained) return tl::unexpected(std::move(constrained.error()));
  out->constrained_ = std::move(*constrained);
  return out;
}

Outcome<Checks> FlaversSafety::prove(const Share& share) {
  const bool split = session_.rule().method == Method::asym;
  Check check = describe(split ? Method::asym : Method::monolithic, split_);
  const Context context = session_.context(share.budget, check.cost, false).telling(share.tell);
  if (const Priority* priority = model_.priority()) {
    check.note = "flow analysis does not know priorities; the whole product was searched";
    check.method = Method::monolithic;
    check.split = {all_names(model_.network)};
    check.verdict = check_property(all_components(session_.safety()), property_.lts, priority, context);
    return Checks{std::move(check)};
  }
  const FlowSystem& system = constrained_->system;
  FlowAnswer answer;
  if (split) {
    FlowSplit sides;
    for (std::size_t i = 0; i < system.components.size(); ++i)
      if (system.is_task(i)) {
        const bool first = std::ranges::find(split_[0], system.components[i].name) != split_[0].end();
        (first ? sides.s1 : sides.s2).push_back(i);
      }
    if (sides.s1.empty() || sides.s2.empty())
      return usage("--engine flavers needs a task on each side", "variables and protected objects are no tasks");
    check.verdict = prove_flavers_asym(system, sides, property_.lts, constrained_->choice, context, answer);
  } else {
    Flavers flavers(system, property_.lts, context);
    check.verdict = flavers.prove(constrained_->choice);
    answer = flavers.answer();
  }
  trusts_ = answer.trusts;
  check.flow = std::move(answer);
  tell_why(check);
  return Checks{std::move(check)};
}

void FlaversSafety::tell_why(Check& check) const {
  const FlowAnswer& flow = *check.flow;
  if (constrained_->system.tasks().size() < 2)
    check.note = "there is one task only: nothing to order, the flow graph is its own";
  if (flow.trusts && check.holds()) check.note = "this rests on a constraint that was given, and is taken on trust";
  const auto* unknown = std::get_if<Unknown>(&check.verdict);
  if (unknown == nullptr || unknown->why != Stop::none) return;
  if (flow.too_large)
    check.doubt = fmt::format("the trace flow graph has more than {} nodes", kMostFlowNodes);
  else if (flow.feasible == FlowAnswer::Feasible::no)
    check.doubt = "may fail: the path below is no run of the system, but these constraints do not rule it out";
  else
    check.doubt = "may fail: whether the path below is a run of the system was not found out";
}

std::optional<std::string> FlaversSafety::replay(const Check& check) {
  return certify::replay_violation(session_.safety(), property_, std::get<Violated>(check.verdict).trace);
}

std::optional<Violated> FlaversSafety::certain(Check& check, Budget& budget) {
  return certain_violation(session_, property_, check.cost, budget);
}

std::string FlaversSafety::why_not_rechecked() const {
  return trusts_ ? "it rests on a constraint that was given" : Checkable::why_not_rechecked();
}

}  // namespace surety::api
