#include "load/ada.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>

#include "base/file.hpp"
#include "base/hash.hpp"
#include "base/stand_in.hpp"
#include "lang/ada/unit_texts.hpp"
#include "lang/aut/read.hpp"
#include "load/fsp_beside.hpp"
#include "load/qre.hpp"
#include "load/walk.hpp"

namespace surety::api {
namespace {

// ---- properties

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
    const std::string ending = std::filesystem::path(file).extension().string();
    hash_ = named_by_program ? "" : sha256_hex(*text);
    if (named_by_program) model_.read->add(file, *text);
    if (is_qre_file(file)) return add_qre(*text, file, name);
    if (ending == ".aut") {
      if (!name.empty())
        return usage(fmt::format("{} holds one property and no names", file), "leave out ':" + name + "'");
      auto lts = read_aut(*text, file, *model_.actions);
      if (!lts) return bad_input(std::move(lts.error()));
      return put(std::filesystem::path(file).stem().string(), *lts, file);
    }
    if (ending != ".lts" && ending != ".fsp")
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
    std::string unique = name;
    for (int i = 2; std::ranges::any_of(model_.properties, [&](const Property& p) { return p.name == unique; }); ++i)
      unique = fmt::format("{}.{}", name, i);
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

std::string statement_at(const Model& model, std::uint32_t place) {
  const auto& p = model.ada->flow.places[place];
  const std::string& text = model.ada->source->text;
  const auto end = std::min(text.find('\n', p.offset), text.size());
  std::string out = text.substr(p.offset, end - p.offset);
  while (!out.empty() && (out.back() == '\r' || out.back() == ' ')) out.pop_back();
  constexpr std::size_t kLongest = 60;
  if (out.size() > kLongest) out = out.substr(0, kLongest) + " ...";
  return out;
}

std::uint32_t line_at(const Model& model, std::uint32_t place) {
  const auto& p = model.ada->flow.places[place];
  return place == 0 ? 0 : model.ada->source->line_number({p.offset, p.length});
}

// The steps of one task along its share of a trace: breadth first over sets of states, then back.
std::vector<std::uint32_t> places_along(const AdaNetwork::Task& task, const Alphabet& alphabet, const Trace& trace) {
  struct Reached {
    std::uint32_t state, before, place;
    bool silent;
  };
  std::vector<std::vector<Reached>> layers(1);
  const auto edges_of = [&](std::uint32_t s) {
    return std::ranges::equal_range(task.edges, s, {}, &AdaNetwork::Edge::from);
  };
  const auto close = [&](std::vector<Reached>& layer) {
    std::set<std::uint32_t> seen;
    for (const Reached& r : layer) seen.insert(r.state);
    for (std::uint32_t i = 0; i < layer.size(); ++i)
      for (const auto& e : edges_of(layer[i].state))
        if (e.action == kTau && seen.insert(e.to).second) layer.push_back({e.to, i, 0, true});
  };
  layers[0].push_back({0, 0, 0, false});
  close(layers[0]);
  for (const Action a : trace) {
    if (!alphabet.contains(a)) continue;
    std::vector<Reached> next;
    std::set<std::uint32_t> seen;
    const auto& now = layers.back();
    for (std::uint32_t i = 0; i < now.size(); ++i)
      for (const auto& e : edges_of(now[i].state))
        if (e.action == a && seen.insert(e.to).second) next.push_back({e.to, i, e.place, false});
    if (next.empty()) {  // it only offers it, and stays where it is
      for (std::uint32_t i = 0; i < now.size(); ++i) next.push_back({now[i].state, i, 0, false});
    }
    close(next);
    layers.push_back(std::move(next));
  }
  std::vector<std::uint32_t> out(layers.size() - 1, 0);
  std::uint32_t at = 0;
  for (std::size_t l = layers.size(); l-- > 1;) {
    while (layers[l][at].silent) at = layers[l][at].before;
    out[l - 1] = layers[l][at].place;
    at = layers[l][at].before;
  }
  return out;
}

// What each task does in each step, silent ones included: nothing if the way is not known.
std::vector<std::vector<ShownStep>> steps_of_walk(const Model& model, const Trace& trace,
                                                  const std::vector<Standing>& standings) {
  std::vector<std::vector<ShownStep>> out(trace.size());
  for (const AdaNetwork::Task& task : model.ada_network->tasks)
    for (std::size_t i = 0; i < trace.size(); ++i) {
      const std::uint32_t from = standings[i][task.component].value, to = standings[i + 1][task.component].value;
      const auto edges = std::ranges::equal_range(task.edges, from, {}, &AdaNetwork::Edge::from);
      const auto at = std::ranges::find_if(edges, [&](const auto& e) { return e.to == to && e.action == trace[i]; });
      const bool alone = trace[i] == kTau && standings[i] == standings[i + 1];
      if (at == edges.end() || at->place == 0 || (trace[i] == kTau && from == to && !alone)) continue;
      out[i].push_back({task.name, line_at(model, at->place), statement_at(model, at->place), {}});
    }
  return out;
}

}  // namespace

std::vector<std::vector<ShownStep>> ada_steps(const Model& model, const Trace& trace) {
  if (const auto standings = walk(model.network, trace)) return steps_of_walk(model, trace, *standings);
  std::vector<std::vector<ShownStep>> out(trace.size());
  for (const AdaNetwork::Task& task : model.ada_network->tasks) {
    const Alphabet& alphabet = model.network.components[task.component].lts.alphabet();
    const auto places = places_along(task, alphabet, trace);
    std::size_t next = 0;
    for (std::size_t i = 0; i < trace.size(); ++i) {
      if (!alphabet.contains(trace[i])) continue;
      const std::uint32_t place = places[next++];
      if (place != 0) out[i].push_back({task.name, line_at(model, place), statement_at(model, place), {}});
    }
  }
  return out;
}

std::string ada_note(const Model& model, const Trace& trace) {
  const auto standings = walk(model.network, trace);
  if (!standings) return {};
  for (std::size_t i = 0; i < trace.size(); ++i) {
    bool called = false, accepted = false;
    for (const AdaNetwork::Task& task : model.ada_network->tasks) {
      if (!model.network.components[task.component].lts.alphabet().contains(trace[i])) continue;
      const AdaNetwork::State& from = task.states[(*standings)[i][task.component].value];
      called = called || from.calls_at_once;
      accepted = accepted || from.accepts_at_once;
    }
    if (called && accepted)
      return fmt::format("in step {} a conditional call meets an accept with an else part, which GNAT never does",
                         i + 1);
  }
  return {};
}

bool ada_is_failure(const Model& model, Action action) {
  return model.ada_network != nullptr && model.ada_network->failures.lts.alphabet().contains(action);
}

std::optional<FspStateName> ada_state_name(const Model& model, std::size_t component, State state) {
  if (const auto values = model.ada_network->values.find(component); values != model.ada_network->values.end())
    return FspStateName{state.value < values->second.size() ? values->second[state.value] : "", 0};
  for (const AdaNetwork::Task& task : model.ada_network->tasks) {
    if (task.component != component || state.value >= task.states.size()) continue;
    const AdaNetwork::State& s = task.states[state.value];
    using Mode = AdaNetwork::State::Mode;
    if (s.mode == Mode::terminated) return FspStateName{"END", 0};
    if (s.mode == Mode::dormant) return FspStateName{"not active", 0};
    if (s.mode != Mode::runs && s.mode != Mode::fails) return FspStateName{"its end", 0};
    return FspStateName{statement_at(model, s.place), line_at(model, s.place)};
  }
  return std::nullopt;
}

namespace {

// The tasks whose own variables are components.
std::vector<std::string> notes_of_cells(const AdaNetwork& network) {
  std::map<std::size_t, std::size_t> variables;
  for (const AdaNetwork::Part& part : network.parts)
    if (part.kind == AdaNetwork::Part::Kind::variable && part.task) ++variables[*part.task];
  std::vector<std::string> out;
  for (const auto& [task, count] : variables)
    out.push_back(fmt::format("{} and {} of its own", network.tasks[task].name,
                              count == 1 ? "1 variable" : fmt::format("{} variables", count)));
  return out;
}

}  // namespace

std::vector<Action> ada_meaning(const Model& model, const std::string& label) {
  return Labels(alphabet_of(model.network), *model.actions).meaning(label).actions;
}

Outcome<void> load_ada(Model& model, const Source& source, Budget& budget) {
  const auto read = [&](const std::string& file) -> std::optional<std::string> {
    if (const std::string* known = stand_in(source.texts, file)) return *known;
    if (file != "-" && !std::filesystem::exists(file)) return std::nullopt;
    auto text = read_file(file);
    if (!text) return std::nullopt;
    return std::move(*text);
  };
  for (const auto& file : source.files)
    if (auto text = text_of(source, file); !text) return bad_input(std::move(text.error()));
  std::vector<AdaDefine> defines;
  for (const auto& d : source.defines) defines.push_back({d.name, d.value, source.other_defines});
  auto program = read_ada(source.files, read, defines, source.system);
  if (!program) return bad_input(std::move(program.error()));
  model.ada = std::make_shared<AdaProgram>(std::move(*program));
  AdaNetworkOptions options;
  if (source.cells) options = {.own = AdaOwnVariables::apart, .whole_states = source.cells->whole_states};
  auto network = ada_network(*model.ada, *model.actions, budget, options);
  if (!network && budget.why() != Stop::none) return stopped_reading(source.files[0], "the program", budget);
  if (!network) return bad_input({std::move(network.error())});
  model.network = network->network;
  model.warnings = model.ada->warnings;
  model.warnings.insert(model.warnings.end(), network->warnings.begin(), network->warnings.end());
  model.defines = source.defines;
  model.cell_notes = notes_of_cells(*network);
  if (!model.cell_notes.empty()) model.cells = source.cells;
  model.ada_network = std::make_shared<AdaNetwork>(std::move(*network));
  for (const auto& file : model.ada->source->files) {
    if (ada::text_of_unit(file.name)) continue;  // it is a part of the tool
    const bool given = std::ranges::find(source.files, file.name) != source.files.end();
    if (given)
      model.inputs.push_back(
          {file.name, sha256_hex(file.text), source.language, model.network.name, Input::Role::model});
    else
      model.read->add(file.name, file.text);
  }
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
