#include "load/ada_properties.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/hash.hpp"
#include "lang/ada/flow/program.hpp"
#include "lang/aut/read.hpp"
#include "load/ada.hpp"
#include "load/fsp_beside.hpp"
#include "load/language.hpp"
#include "load/qre.hpp"
#include "load/unique_name.hpp"

namespace surety::api {
namespace {

// A label of a property stands for the action of that name and for those that say who; if there is none, for all
// actions that begin with it.
struct Meaning {
  std::vector<Action> actions;
  bool prefix = false;
};

class Labels {
 public:
  Labels(const Alphabet& alphabet, const ActionTable& actions) {
    for (const Action a : alphabet) names_.emplace(actions.name(a), a);
  }

  Meaning meaning(const std::string& label) const {
    Meaning out;
    const auto from = [&](const std::string& prefix, std::vector<Action>& found) {
      for (auto at = names_.lower_bound(prefix); at != names_.end() && at->first.starts_with(prefix); ++at)
        found.push_back(at->second);
    };
    if (const auto exact = names_.find(label); exact != names_.end()) out.actions.push_back(exact->second);
    from(label + ".from.", out.actions);
    from(label + ".by.", out.actions);
    if (!out.actions.empty()) return out;
    from(label + ".", out.actions);
    out.prefix = !out.actions.empty();
    return out;
  }

 private:
  std::map<std::string, Action> names_;
};

class AdaProperties {
 public:
  AdaProperties(Model& model, const Source& source, Budget& budget)
      : model_(model),
        source_(source),
        budget_(budget),
        labels_(alphabet_of(model.network), *model.actions),
        names_(sorted_names(*model.actions, alphabet_of(model.network))) {}

  // A file that the program names is a part of it, and its properties are those of the program.
  Outcome<void> add(const std::string& where, bool named_by_program) {
    const auto [file, name] = file_and_name(where);
    auto text = text_of(source_, file);
    if (!text) return bad_input(std::move(text.error()));
    hash_ = named_by_program ? "" : sha256_hex(*text);
    if (named_by_program) model_.read->add(file, *text);
    if (is_qre_file(file)) return add_qre(*text, file, name);
    if (ending(file) == ".aut") {
      if (!name.empty())
        return usage(fmt::format("{} holds one property and no names", file), "leave out ':" + name + "'");
      auto lts = read_aut(*text, file, *model_.actions);
      if (!lts) return bad_input(std::move(lts.error()));
      return put(std::filesystem::path(file).stem().string(), *lts, file);
    }
    if (ending(file) != ".lts" && ending(file) != ".fsp")
      return usage(
          fmt::format("{}: properties of an Ada program are FSP, Aldebaran or regular expressions (.qre)", file));
    return add_fsp(*text, file, name);
  }

  // Labels that never happen belong to the main task, which has no step for them.
  void close() {
    if (never_.empty()) return;
    Lts& main = model_.network.components[0].lts;
    LtsBuilder builder;
    builder.set_state_count(main.state_count());
    builder.add_to_alphabet(main.alphabet());
    builder.add_to_alphabet(Alphabet(std::vector<Action>(never_.begin(), never_.end())));
    if (main.end()) builder.set_end(*main.end());
    for (std::uint32_t s = 0; s < main.state_count(); ++s)
      for (const Step& step : main.steps(State{s})) builder.add_step(State{s}, step.action, step.target);
    main = builder.build();
  }

 private:
  Outcome<void> add_fsp(const std::string& text, const std::string& file, const std::string& name) {
    // Constants of the program are constants of its properties, if they have them.
    std::vector<FspDefine> defines;
    auto plain = read_fsp(text, file, *model_.actions, {}, {}, model_.read.get());
    if (!plain) return bad_input(std::move(plain.error()));
    for (const FspConstant& c : plain->constants())
      for (const AdaDefine& d : model_.ada->constants)
        if (c.name == d.name) defines.push_back({d.name, static_cast<int>(d.value)});
    for (const FspDefine& d : source_.defines)
      for (const FspConstant& c : plain->constants())
        if (c.name == d.name && std::ranges::none_of(defines, [&](const FspDefine& o) { return o.name == d.name; }))
          defines.push_back(d);
    auto read = read_fsp_beside(text, file, *model_.actions, defines, source_.texts, {}, model_.read.get());
    if (!read) return bad_input(std::move(read.error()));
    bool any = false;
    for (const std::string& process : read->processes()) {
      if (!is_asked(process, name)) continue;
      auto machine = read->process(process, &budget_);
      if (!machine) return bad_input(std::move(machine.error()));
      if (!machine->property) continue;
      any = true;
      if (auto added = put(process, monitor(machine->lts), file); !added) return added;
    }
    if (!any)
      return usage(name.empty() ? fmt::format("{} has no property processes", file)
                                : fmt::format("{} has no property process '{}'", file, name),
                   did_you_mean(name, read->processes(), "there are"));
    return {};
  }

  Outcome<void> add_qre(const std::string& text, const std::string& file, const std::string& name) {
    const auto read = read_qre_properties(text, file, name, budget_);
    if (!read) return tl::unexpected(read.error());
    const Action end = model_.actions->intern(model_.ada->flow.masters[0].label + ".end");
    for (const QreProperty& property : *read) {
      const auto actions = actions_of(property.events, property.name, file);
      if (!actions) return tl::unexpected(actions.error());
      keep(property.name, qre_monitor(property, *actions, end), file);
    }
    return {};
  }

  Outcome<void> put(const std::string& name, const Lts& lts, const std::string& file) {
    std::vector<std::string> labels;
    for (const Action a : lts.alphabet()) labels.emplace_back(model_.actions->name(a));
    const auto actions = actions_of(labels, name, file);
    if (!actions) return tl::unexpected(actions.error());
    LtsBuilder builder;
    builder.set_state_count(lts.state_count());
    for (const auto& list : *actions) builder.add_to_alphabet(Alphabet(list));
    for (std::uint32_t s = 0; s < lts.state_count(); ++s)
      for (const Step& step : lts.steps(State{s}))
        for (const Action a : (*actions)[*lts.alphabet().index(step.action)])
          builder.add_step(State{s}, a, step.target);
    keep(name, builder.build(), file);
    return {};
  }

  // What each label of a property stands for. Two that stand for one action would say two things about it.
  Outcome<std::vector<std::vector<Action>>> actions_of(const std::vector<std::string>& labels, const std::string& name,
                                                       const std::string& file) {
    std::vector<std::vector<Action>> out;
    std::map<Action, std::string> meant;
    for (const std::string& label : labels) {
      out.push_back(actions_of(label, name, file));
      for (const Action a : out.back())
        if (const auto [before, fresh] = meant.emplace(a, label); !fresh)
          return bad_input({file_error(file, fmt::format("'{}' and '{}' in {} both stand for '{}'", before->second,
                                                         label, name, model_.actions->name(a)))});
    }
    return out;
  }

  std::vector<Action> actions_of(const std::string& label, const std::string& name, const std::string& file) {
    Meaning meaning = labels_.meaning(label);
    if (meaning.prefix)
      say(file, Severity::note,
          fmt::format("'{}' in {} stands for {} actions that begin with it", label, name, meaning.actions.size()), {});
    if (!meaning.actions.empty()) return std::move(meaning.actions);
    say(file, Severity::warning, fmt::format("'{}' in {} never happens", label, name), did_you_mean(label, names_));
    const Action never = model_.actions->intern(label);
    never_.insert(never);
    return {never};
  }

  void keep(const std::string& name, Lts lts, const std::string& file) {
    const std::string unique = unique_name(model_.properties, name);
    model_.properties.push_back({unique, std::move(lts)});
    if (!hash_.empty()) model_.inputs.push_back({file, hash_, {}, unique, Input::Role::property});
  }

  void say(const std::string& file, Severity severity, std::string message, std::string hint) {
    auto d = file_error(file, std::move(message), std::move(hint));
    d.severity = severity;
    model_.warnings.push_back(std::move(d));
  }

  Model& model_;
  const Source& source_;
  Budget& budget_;
  Labels labels_;
  std::vector<std::string> names_;
  std::set<Action> never_;
  std::string hash_;  // of the file that is read, if it is an input of its own
};

}  // namespace

std::vector<Action> ada_meaning(const Model& model, const std::string& label) {
  return Labels(alphabet_of(model.network), *model.actions).meaning(label).actions;
}

Outcome<void> load_ada_properties(Model& model, const Source& source, Budget& budget) {
  AdaProperties properties(model, source, budget);
  for (const auto& file : source.property_files)
    if (auto added = properties.add(file, false); !added) return added;
  if (source.property_files.empty())
    for (const auto& file : model.ada->properties) {
      const auto beside = std::filesystem::path(source.files[0]).parent_path() / file;
      if (auto added = properties.add(beside.string(), true); !added) return added;
    }
  properties.close();
  return {};
}

}  // namespace surety::api
