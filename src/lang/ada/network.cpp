#include "lang/ada/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lang/ada/explore.hpp"
#include "lang/ada/value_count.hpp"

namespace surety {
namespace ada {
namespace {

using flow::kNone;
using flow::kOpaque;
using flow::kUnset;
using Kind = Transition::Kind;
using Mode = TaskGraph::Mode;

constexpr std::size_t kMostActions = 500'000;

class Builder {
 public:
  Builder(const AdaProgram& program, ActionTable& actions, Budget& budget, AdaExploring exploring)
      : program_(program.flow), source_(*program.source), actions_(actions), budget_(budget), exploring_(exploring) {}

  tl::expected<AdaNetwork, Refusal> run() {
    if (const auto refusal = explore()) return tl::unexpected(*refusal);
    steps_.resize(graphs_.size());
    for (std::size_t t = 0; t < graphs_.size(); ++t) steps_[t].resize(graphs_[t].transitions.size());
    find_users();
    for (std::uint32_t t = 0; t < graphs_.size(); ++t) local_actions(t);
    rendezvous();
    operations();
    about_tasks();
    if (names_.size() > kMostActions)
      return tl::unexpected(Refusal{"this program has too many different actions", {}, 0});
    if (budget_.why() != Stop::none) return tl::unexpected(Refusal{"the budget ended", {}, 0});
    AdaNetwork out;
    out.network.name = program_.tasks[0].name;
    for (std::uint32_t t = 0; t < graphs_.size(); ++t) add_task(out, t);
    add_variables(out);
    add_objects(out);
    out.failures = Property{"assert", property(failures_)};
    out.choices = std::move(choices_);
    warn_of_entries(out);
    warn_of_forgotten(out);
    return out;
  }

 private:
  using Stop = surety::Stop;

  // Variables with too many values are not modelled, if it is possible without them.
  std::optional<Refusal> explore() {
    if (exploring_ == AdaExploring::jointly && explore_together()) return std::nullopt;
    std::set<std::uint32_t> forgotten;
    auto first = explore_without(forgotten);
    if (first ? !first->slots.empty() && explore_together() : !has_large_variable() || explore_together() || again())
      return std::nullopt;
    for (auto refusal = first; refusal; refusal = explore_without(forgotten)) {
      const auto before = forgotten.size();
      for (const std::uint32_t slot : refusal->slots) forget(slot, forgotten);
      if (forgotten.size() == before) return first;
    }
    std::set<std::uint32_t> places;
    for (const std::uint32_t slot : forgotten)
      if (places.insert(program_.slots[slot].place).second) forgotten_.push_back(slot);
    return std::nullopt;
  }

  // The shared variables and data of protected objects with most values.
  std::vector<std::uint32_t> largest() const {
    ValueCount count;
    count.add_shared(environment_);
    for (std::uint32_t o = 0; o < objects_.size(); ++o)
      for (const Values& state : objects_[o].states)
        for (std::size_t i = 0; i < state.size(); ++i) count.add(program_.objects[o].slots[i], state[i]);
    return count.largest(program_);
  }

  // Of an array all elements, of several variables that are declared together all of them.
  void forget(std::uint32_t slot, std::set<std::uint32_t>& forgotten) const {
    const flow::Slot& one = program_.slots[slot];
    for (std::uint32_t s = 0; s < program_.slots.size(); ++s) {
      const flow::Slot& other = program_.slots[s];
      if (!other.name.empty() && other.place == one.place && other.temporary == one.temporary) forgotten.insert(s);
    }
  }

  // Its component has as many steps as it has pairs of values.
  bool has_large_variable() const {
    constexpr std::size_t kLarge = 100;
    return std::ranges::any_of(environment_.values, [](const auto& values) { return values.size() > kLarge; });
  }
  bool again() { return !explore_without({}); }

  bool explore_together() {
    environment_ = first_environment(program_);
    return explore_jointly(program_, environment_, budget_, graphs_, objects_);
  }

  std::optional<Refusal> explore_without(const std::set<std::uint32_t>& forgotten) {
    environment_ = first_environment(program_);
    for (const std::uint32_t slot : forgotten) environment_.forgotten[slot] = true;
    graphs_.resize(program_.tasks.size());
    objects_.resize(program_.objects.size());
    constexpr std::uint64_t kMostWork = 1'000'000;  // in all, until something with many values is looked for
    std::uint64_t before = UINT64_MAX, work = 0;
    while (before != environment_.changes) {
      before = environment_.changes;
      for (const TaskGraph& graph : graphs_) work += graph.edges.size();
      for (const ObjectGraph& object : objects_) work += object.edges.size();
      if (work > kMostWork)
        if (auto slots = largest(); !slots.empty())
          return Refusal{fmt::format("{} takes too many values", program_.slots[slots[0]].name),
                         "give it a smaller range", program_.slots[slots[0]].place, slots};
      for (std::uint32_t t = 0; t < graphs_.size(); ++t)
        if (auto refusal = explore_task(program_, t, environment_, budget_, graphs_[t])) return refusal;
      for (std::uint32_t o = 0; o < objects_.size(); ++o)
        if (auto refusal = explore_object(program_, o, graphs_, environment_, budget_, objects_[o])) return refusal;
      if (!budget_.go_on()) return Refusal{"the budget ended", {}, 0};
    }
    return std::nullopt;
  }

  // ---- names

  std::string shown(Value value, std::uint32_t display) const {
    if (value == kOpaque) return "any";
    const auto& d = program_.displays[display];
    const auto at = static_cast<std::size_t>(value - d.low);
    return at < d.literals.size() ? d.literals[at] : std::to_string(value);
  }
  std::string shown(const Values& values, const std::vector<std::uint32_t>& displays) const {
    std::string out;
    for (std::size_t i = 0; i < values.size(); ++i)
      out += "." + shown(values[i], i < displays.size() ? displays[i] : 0);
    return out;
  }
  std::vector<std::uint32_t> displays_of(const std::vector<std::uint32_t>& slots) const {
    std::vector<std::uint32_t> out;
    for (const std::uint32_t slot : slots) out.push_back(program_.slots[slot].display);
    return out;
  }
  const std::string& label(std::uint32_t task) const { return program_.tasks[task].label; }
  std::uint32_t line(std::uint32_t place) const {
    const auto& p = program_.places[place];
    return source_.line_number({p.offset, p.length});
  }
  std::string excerpt(std::uint32_t place) const {
    constexpr std::size_t kLongest = 40;
    const std::size_t begin = program_.places[place].offset;
    const std::size_t end = std::min(source_.text.find_first_of("\r\n", begin), source_.text.size());
    std::string out = source_.text.substr(begin, end - begin);
    return out.size() > kLongest ? out.substr(0, kLongest) + " ..." : out;
  }
  static std::string lower(std::string name) {
    for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return name;
  }

  Action action(const std::string& name) {
    names_.insert(name);
    return actions_.intern(name);
  }
  void join(std::uint32_t task, std::uint32_t transition, Action a) {
    auto& list = steps_[task][transition];
    if (std::ranges::find(list, a) == list.end()) list.push_back(a);
  }

  // ---- actions

  // The tasks that have the same event, call or operation: their names tell who, if there are several.
  void find_users() {
    for (std::uint32_t t = 0; t < graphs_.size(); ++t)
      for (const Transition& x : graphs_[t].transitions) {
        if (x.kind == Kind::event) events_[event_name(x)].insert(t);
        if (x.kind == Kind::call) callers_[{x.object, x.values}].insert(t);
        if (x.kind == Kind::call_end) enders_[{x.object, x.values}].insert(t);
        if (x.kind == Kind::call_raised) enders_[{x.object, x.values}].insert(t);
        if (x.kind == Kind::operation) operators_[operation_name(x)].insert(t);
      }
  }

  std::string event_name(const Transition& x) const {
    return lower(program_.labels[x.object]) + shown(x.values, program_.label_displays[x.object]);
  }
  std::string operation_name(const Transition& x) const {
    const flow::Operation& o = program_.operations[x.object];
    std::string out = o.name + shown(x.values, displays_of(o.in));
    if (x.outcome.exception != kNone) return out + ".raised." + program_.exceptions[x.outcome.exception];
    return out + shown(x.outcome.results, displays_of(o.out));
  }

  // What a task does alone, or with a variable.
  void local_actions(std::uint32_t t) {
    for (std::uint32_t i = 0; i < graphs_[t].transitions.size(); ++i) {
      const Transition& x = graphs_[t].transitions[i];
      switch (x.kind) {
        case Kind::event: {
          std::string name = event_name(x);
          if (events_[name].size() > 1) name += ".by." + label(t);
          join(t, i, action(name));
          break;
        }
        case Kind::fails: {
          const Action a =
              action(fmt::format("{}.fails.{}.{}", label(t), line(x.place), program_.exceptions[x.object]));
          failures_.push_back(a);
          join(t, i, a);
          break;
        }
        case Kind::is:
        case Kind::to: {
          const flow::Slot& slot = program_.slots[x.object];
          const Action a = action(fmt::format("{}.{}.{}.{}", label(t), lower(slot.name),
                                              x.kind == Kind::is ? "is" : "to", shown(x.values[0], slot.display)));
          accesses_[x.object].insert({a, x.kind == Kind::is, x.values[0]});
          join(t, i, a);
          break;
        }
        case Kind::choice: {
          const Action a =
              action(fmt::format("{}.choice.{}.{}.{}", label(t), line(x.place), x.object, fmt::join(x.values, ".")));
          choices_[a] = fmt::format("line {} ({})", line(x.place), excerpt(x.place));
          join(t, i, a);
          break;
        }
        default: break;
      }
    }
  }

  struct Side {
    std::uint32_t task, transition;
  };
  using Meeting = std::pair<std::uint32_t, Values>;  // an entry, and values

  void rendezvous() {
    std::map<Meeting, std::vector<Side>> accepts, accept_ends, accept_raised;
    for (std::uint32_t t = 0; t < graphs_.size(); ++t)
      for (std::uint32_t i = 0; i < graphs_[t].transitions.size(); ++i) {
        const Transition& x = graphs_[t].transitions[i];
        if (x.kind == Kind::accept) accepts[{x.object, x.values}].push_back({t, i});
        if (x.kind == Kind::accept_end) accept_ends[{x.object, x.values}].push_back({t, i});
        if (x.kind == Kind::accept_raised) accept_raised[{x.object, x.values}].push_back({t, i});
      }
    for (std::uint32_t t = 0; t < graphs_.size(); ++t)
      for (std::uint32_t i = 0; i < graphs_[t].transitions.size(); ++i) {
        const Transition& x = graphs_[t].transitions[i];
        const Meeting meeting{x.object, x.values};
        const bool calls = x.kind == Kind::call || x.kind == Kind::call_end || x.kind == Kind::call_raised;
        if (calls && program_.entries[x.object].task == t) continue;  // it waits for itself, for ever
        const auto meet = [&](std::map<Meeting, std::vector<Side>>& sides, std::string name, bool several) {
          if (several) name += ".from." + label(t);
          // The caller offers it even if it is never accepted: then it waits for ever.
          const Action a = action(name);
          join(t, i, a);
          bool met = false;
          for (const Side& side : sides[meeting])
            if (side.task != t) {
              join(side.task, side.transition, a);
              met = true;
            }
          if (!met) owners_[program_.entries[x.object].task].push_back(a);
        };
        if (x.kind == Kind::call) {
          const flow::Entry& e = program_.entries[x.object];
          meet(accepts, e.name + shown(x.values, e.in), callers_[meeting].size() > 1);
        } else if (x.kind == Kind::call_end) {
          const flow::Entry& e = program_.entries[x.object];
          meet(accept_ends, e.name + ".end" + shown(x.values, e.out), enders_[meeting].size() > 1);
        } else if (x.kind == Kind::call_raised) {
          const flow::Entry& e = program_.entries[x.object];
          meet(accept_raised,
               fmt::format("{}.raised.{}", e.name, program_.exceptions[static_cast<std::size_t>(x.values[0])]),
               enders_[meeting].size() > 1);
        }
      }
  }

  void operations() {
    for (std::uint32_t t = 0; t < graphs_.size(); ++t)
      for (std::uint32_t i = 0; i < graphs_[t].transitions.size(); ++i) {
        const Transition& x = graphs_[t].transitions[i];
        if (x.kind == Kind::operation) {
          std::string name = operation_name(x);
          if (operators_[name].size() > 1) name += ".by." + label(t);
          const Action a = action(name);
          if (x.outcome.opaque) choices_[a] = program_.operations[x.object].name;
          operated_[{x.object, x.values, x.outcome}].insert(a);
          join(t, i, a);
        } else if (x.kind == Kind::closed) {
          const Action a = action(fmt::format("{}.closed.by.{}", program_.operations[x.object].name, label(t)));
          refused_[x.object].insert(a);
          join(t, i, a);
        }
      }
  }

  // Whether another task has completed, and the end of all.
  void about_tasks() {
    end_ = action(program_.tasks[0].label + ".end");
    for (std::uint32_t t = 0; t < graphs_.size(); ++t)
      for (std::uint32_t i = 0; i < graphs_[t].transitions.size(); ++i) {
        const Transition& x = graphs_[t].transitions[i];
        if (x.kind == Kind::end) join(t, i, end_);
        if (x.kind == Kind::gone) {
          const Action a = action(fmt::format("{}.gone.from.{}", label(x.object), label(t)));
          gone_[x.object].insert(a);
          join(t, i, a);
        }
        if (x.kind == Kind::callable) {
          const Action a = action(fmt::format("{}.callable.from.{}", label(x.object), label(t)));
          callable_[x.object].insert(a);
          join(t, i, a);
        }
      }
  }

  // ---- components

  void add_task(AdaNetwork& out, std::uint32_t t) {
    const TaskGraph& graph = graphs_[t];
    AdaNetwork::Task task;
    task.name = program_.tasks[t].name;
    task.component = out.network.components.size();
    LtsBuilder builder;
    builder.set_state_count(static_cast<std::uint32_t>(graph.states.size()));
    const auto& nodes = program_.tasks[t].graph.nodes;
    for (std::uint32_t s = 0; s < graph.states.size(); ++s) {
      const TaskGraph::State& state = graph.states[s];
      const bool stands = state.mode == Mode::runs || state.mode == Mode::fails;
      task.states.push_back({static_cast<AdaNetwork::State::Mode>(state.mode),
                             stands && state.node < nodes.size() ? nodes[state.node].place : 0});
      if (state.mode == Mode::terminated) builder.set_end(State{s});
      if (state.mode == Mode::completed)
        for (const Action a : gone_[t]) builder.add_step(State{s}, a, State{s});
      if (state.mode == Mode::runs || state.mode == Mode::fails)
        for (const Action a : callable_[t]) builder.add_step(State{s}, a, State{s});
    }
    for (const TaskGraph::Edge& e : graph.edges) {
      const Transition& x = graph.transitions[e.transition];
      if (x.kind == Kind::silent) builder.add_step(State{e.from}, kTau, State{e.to});
      if (x.kind == Kind::silent) task.edges.push_back({e.from, e.to, kTau, x.place});
      for (const Action a : steps_[t][e.transition]) {
        builder.add_step(State{e.from}, a, State{e.to});
        task.edges.push_back({e.from, e.to, a, x.place});
      }
    }
    std::vector<Action> alphabet{end_};
    for (const Action a : gone_[t]) alphabet.push_back(a);
    for (const Action a : callable_[t]) alphabet.push_back(a);
    for (const Action a : owners_[t]) alphabet.push_back(a);
    builder.add_to_alphabet(Alphabet(std::move(alphabet)));
    std::ranges::stable_sort(task.edges, {}, &AdaNetwork::Edge::from);
    out.network.components.push_back({task.name, builder.build()});
    out.tasks.push_back(std::move(task));
  }

  void add_variables(AdaNetwork& out) {
    for (const auto& [slot, accesses] : accesses_) {
      const flow::Slot& s = program_.slots[slot];
      std::map<Value, std::uint32_t> numbers{{s.initial, 0}};
      std::vector<Value> values{s.initial};
      LtsBuilder builder;
      std::vector<Action> alphabet;
      const auto number = [&](Value v) {
        const auto [at, fresh] = numbers.try_emplace(v, static_cast<std::uint32_t>(values.size()));
        if (fresh) values.push_back(v);
        return State{at->second};
      };
      for (std::uint32_t i = 0; i < values.size(); ++i)
        for (const Access& access : accesses) {
          if (i == 0) alphabet.push_back(access.action);
          const bool unset = values[i] == kUnset;
          const bool free = is_free(s);
          const bool found =
              values[i] == access.value ||
              (unset && (free ? access.value >= s.low && access.value <= s.high : access.value == kOpaque));
          if (!access.read)
            builder.add_step(State{i}, access.action, number(access.value));
          else if (found)
            builder.add_step(State{i}, access.action, number(unset && free ? access.value : values[i]));
        }
      builder.set_state_count(static_cast<std::uint32_t>(values.size()));
      builder.add_to_alphabet(Alphabet(std::move(alphabet)));
      out.network.components.push_back({s.name, builder.build()});
      out.variables.push_back(s.name);
    }
  }

  void add_objects(AdaNetwork& out) {
    for (std::uint32_t o = 0; o < objects_.size(); ++o) {
      const ObjectGraph& graph = objects_[o];
      LtsBuilder builder;
      std::vector<Action> alphabet;
      for (const auto& [key, actions] : operated_)
        if (program_.operations[std::get<0>(key)].object == o)
          alphabet.insert(alphabet.end(), actions.begin(), actions.end());
      for (const auto& [operation, actions] : refused_)
        if (program_.operations[operation].object == o) alphabet.insert(alphabet.end(), actions.begin(), actions.end());
      if (alphabet.empty()) continue;
      builder.set_state_count(static_cast<std::uint32_t>(graph.states.size()));
      for (const ObjectGraph::Edge& e : graph.edges) {
        if (e.closed) {
          for (const Action a : refused_[e.operation]) builder.add_step(State{e.from}, a, State{e.to});
          continue;
        }
        const auto found = operated_.find({e.operation, e.values, e.outcome});
        if (found == operated_.end()) continue;
        for (const Action a : found->second) builder.add_step(State{e.from}, a, State{e.to});
      }
      builder.add_to_alphabet(Alphabet(std::move(alphabet)));
      out.network.components.push_back({program_.objects[o].name, builder.build()});
      out.objects.push_back(program_.objects[o].name);
    }
  }

  // Once for an entry of the text, however many tasks have it.
  void warn_of_entries(AdaNetwork& out) const {
    struct Known {
      bool called = false, accepted = false;
      std::string name;
    };
    std::map<std::uint32_t, Known> entries;  // by place
    for (std::uint32_t e = 0; e < program_.entries.size(); ++e) {
      Known& known = entries[program_.entries[e].place];
      known.called = known.called || !environment_.calls[e].empty();
      known.name = program_.entries[e].name;
    }
    for (const TaskGraph& graph : graphs_)
      for (const Transition& x : graph.transitions)
        if (x.kind == Kind::accept) entries[program_.entries[x.object].place].accepted = true;
    for (const auto& [place, known] : entries) {
      if (known.called && known.accepted) continue;
      const auto& p = program_.places[place];
      auto warning = source_.error(
          {p.offset, p.length}, known.called ? fmt::format("nobody accepts {}: its callers wait for ever", known.name)
                                             : fmt::format("nobody calls {}", known.name));
      warning.severity = Severity::warning;
      out.warnings.push_back(std::move(warning));
    }
  }

  void warn_of_forgotten(AdaNetwork& out) const {
    for (const std::uint32_t slot : forgotten_) {
      const auto& p = program_.places[program_.slots[slot].place];
      std::string name = program_.slots[slot].name;
      auto warning =
          source_.error({p.offset, p.length},
                        fmt::format("{} takes too many values: neither they nor the checks of its range are modelled",
                                    name.substr(0, name.find('.'))),
                        "give it a smaller range");
      warning.severity = Severity::warning;
      out.warnings.push_back(std::move(warning));
    }
  }

  static Lts property(const std::vector<Action>& failing) {
    LtsBuilder builder;
    builder.add_to_alphabet(Alphabet(failing));
    return builder.build();
  }

  struct Access {
    Action action;
    bool read;
    Value value;
    friend auto operator<=>(const Access&, const Access&) = default;
  };

  const flow::Program& program_;
  const text::Source& source_;
  ActionTable& actions_;
  Budget& budget_;
  const AdaExploring exploring_;
  Environment environment_;
  std::vector<std::uint32_t> forgotten_;  // slots, one for each declaration
  std::vector<TaskGraph> graphs_;
  std::vector<ObjectGraph> objects_;
  std::vector<std::vector<std::vector<Action>>> steps_;  // by task and transition: its actions
  std::set<std::string> names_;
  std::map<std::string, std::set<std::uint32_t>> events_, operators_;
  std::map<Meeting, std::set<std::uint32_t>> callers_, enders_;
  std::map<std::uint32_t, std::set<Access>> accesses_;  // by slot
  std::map<std::tuple<std::uint32_t, Values, Outcome>, std::set<Action>> operated_;
  std::map<std::uint32_t, std::set<Action>> refused_;          // by operation
  std::map<std::uint32_t, std::set<Action>> gone_, callable_;  // by task
  std::map<std::uint32_t, std::vector<Action>> owners_;        // by task: calls that it never accepts
  std::vector<Action> failures_;
  std::map<Action, std::string> choices_;
  Action end_{};
};

}  // namespace
}  // namespace ada

tl::expected<AdaNetwork, Diagnostic> ada_network(const AdaProgram& program, ActionTable& actions, Budget& budget,
                                                 AdaExploring exploring) {
  auto out = ada::Builder(program, actions, budget, exploring).run();
  if (out) return std::move(*out);
  const auto& place = program.flow.places[out.error().place];
  return tl::unexpected(
      program.source->error({place.offset, place.length}, std::move(out.error().message), std::move(out.error().hint)));
}

}  // namespace surety
