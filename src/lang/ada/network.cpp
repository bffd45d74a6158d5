#include "lang/ada/network.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lang/ada/explore.hpp"
#include "lang/ada/label.hpp"
#include "lang/ada/own_apart.hpp"
#include "lang/ada/queue.hpp"
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
constexpr const char* kNothing = "null";  // written: no value. No literal has this name.

class Builder {
 public:
  Builder(const flow::Program& program, const text::Source& source, ActionTable& actions, Budget& budget,
          AdaExploring exploring)
      : program_(program), source_(source), actions_(actions), budget_(budget), exploring_(exploring) {}

  tl::expected<AdaNetwork, Refusal> run() {
    if (const auto refusal = explore()) return tl::unexpected(*refusal);
    steps_.resize(graphs_.size());
    for (std::size_t t = 0; t < graphs_.size(); ++t) steps_[t].resize(graphs_[t].transitions.size());
    find_users();
    for (std::uint32_t t = 0; t < graphs_.size(); ++t) local_actions(t);
    rendezvous();
    operations();
    about_masters();
    about_tasks();
    if (names_.size() > kMostActions)
      return tl::unexpected(Refusal{"this program has too many different actions", {}, 0});
    if (budget_.why() != Stop::none) return tl::unexpected(Refusal{"the budget ended", {}, 0});
    AdaNetwork out;
    out.network.name = program_.tasks[0].name;
    for (std::uint32_t t = 0; t < graphs_.size(); ++t) add_task(out, t);
    add_variables(out);
    add_objects(out);
    if (const auto refusal = add_queues(out)) return tl::unexpected(*refusal);
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

  struct Access {  // of a variable
    Action action;
    bool read;
    Value value;
    friend auto operator<=>(const Access&, const Access&) = default;
  };

  struct Status {  // of a task, as another one finds it
    Action action;
    bool terminated, value;
    friend auto operator<=>(const Status&, const Status&) = default;
  };

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
    return action_label(program_.labels[x.object]) + shown(x.values, program_.label_displays[x.object]);
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
          const Action a = action(fmt::format("{}.{}.{}", variable_name(t, slot), x.kind == Kind::is ? "is" : "to",
                                              x.values[0] == kUnset ? kNothing : shown(x.values[0], slot.display)));
          accesses_[x.object].insert({a, x.kind == Kind::is, x.values[0]});
          join(t, i, a);
          break;
        }
        case Kind::choice: {
          const Action a = action(fmt::format("{}.choice.{}.{}", label(t), line(x.place), chosen(t, x)));
          choices_[a] = fmt::format("line {} ({})", line(x.place), excerpt(x.place));
          join(t, i, a);
          break;
        }
        default: break;
      }
    }
  }

  // As the task sees it. The name of one that is its own begins with the task.
  std::string variable_name(std::uint32_t t, const flow::Slot& slot) const {
    std::string name = action_label(slot.name);
    return slot.apart && name.starts_with(label(t) + ".") ? name : label(t) + "." + name;
  }

  // What was chosen: the answer to a condition, whether a guard is open, an element of an array.
  std::string chosen(std::uint32_t task, const Transition& x) const {
    using Node = flow::Node;
    if (x.values.size() > 1) return x.values[1] != 0 ? "open" : "closed";
    if (program_.tasks[task].graph.nodes[x.object].kind == Node::Kind::branch) return x.values[0] != 0 ? "yes" : "no";
    return action_label(program_.slots[static_cast<std::size_t>(x.values[0])].name);
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
          if (x.kind == Kind::call && program_.entries[x.object].counted)
            queues_[x.object].callers[t].served.push_back(a);
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
          const bool queues = program_.operations[x.object].count != kNone;
          operated_[{x.object, x.values, x.outcome, queues ? t : kNone}].insert(a);
          join(t, i, a);
        } else if (x.kind == Kind::waits) {
          const flow::Operation& o = program_.operations[x.object];
          const Action a =
              action(fmt::format("{}.queued{}.from.{}", o.name, shown(x.values, displays_of(o.in)), label(t)));
          waiting_[{x.object, x.values, t}] = a;
          join(t, i, a);
        } else if (x.kind == Kind::closed) {
          const Action a = action(fmt::format("{}.closed.by.{}", program_.operations[x.object].name, label(t)));
          refused_[x.object].insert(a);
          join(t, i, a);
        }
      }
  }

  // The beginning and the end of masters. All tasks that take part have these actions, whether or not they come to
  // them.
  void about_masters() {
    for (std::uint32_t m = 0; m < program_.masters.size(); ++m) {
      const flow::Master& master = program_.masters[m];
      std::set<std::uint32_t> own(master.tasks.begin(), master.tasks.end()), all;
      own.insert(master.task);
      for (std::uint32_t t = 0; t < graphs_.size(); ++t)
        if (depends(t, m)) all.insert(t);
      all.insert(master.task);
      const auto joint = [&](const std::set<std::uint32_t>& tasks, Kind kind, const std::string& name,
                             const Values& values) {
        const Action a = action(fmt::format("{}.{}", master.label, name));
        for (const std::uint32_t t : tasks) {
          masters_[t].push_back(a);
          for (std::uint32_t i = 0; i < graphs_[t].transitions.size(); ++i) {
            const Transition& x = graphs_[t].transitions[i];
            if (x.kind == kind && x.object == m && x.values == values) join(t, i, a);
          }
        }
        return a;
      };
      if (m != 0) {
        const Action a = joint(own, Kind::begin, "begin", {});
        for (const std::uint32_t o : master.objects) made_[o] = a;
      }
      if (activates(m)) {
        const Action a = joint({master.task}, Kind::activated, "activated", {});
        for (const std::uint32_t t : master.tasks) activated_[t].push_back(a);
        for (const std::uint32_t failed : master.tasks) {
          if (!environment_.abandoned[failed]) continue;
          const Action b = joint({master.task}, Kind::abandoned, "abandoned." + label(failed), {failed});
          for (const std::uint32_t t : master.tasks) {
            abandoned_[t].push_back(b);
            if (t != failed) activated_[t].push_back(b);
          }
        }
      }
      if (m == 0 || !master.tasks.empty()) joint(all, Kind::end, "end", {});
    }
  }
  bool depends(std::uint32_t task, std::uint32_t master) const {
    std::uint32_t m = program_.tasks[task].master;
    while (m != master && m != kNone) m = program_.masters[m].outer;
    return m == master;
  }
  bool activates(std::uint32_t master) const {
    return std::ranges::any_of(program_.tasks[program_.masters[master].task].graph.nodes, [&](const flow::Node& n) {
      return n.kind == flow::Node::Kind::activated && n.first == master;
    });
  }

  // Whether another task has completed.
  void about_tasks() {
    for (std::uint32_t t = 0; t < graphs_.size(); ++t)
      for (std::uint32_t i = 0; i < graphs_[t].transitions.size(); ++i) {
        const Transition& x = graphs_[t].transitions[i];
        if (x.kind == Kind::gone) {
          const Action a = action(fmt::format("{}.gone.from.{}", label(x.object), label(t)));
          gone_[x.object].insert(a);
          join(t, i, a);
          for (std::uint32_t e = 0; e < program_.entries.size(); ++e)
            if (program_.entries[e].counted && program_.entries[e].task == x.object &&
                environment_.queued[e].contains(t))
              queues_[e].callers[t].gone.push_back(a);
        }
        if (x.kind == Kind::queued) {
          const Action a = action(fmt::format("{}.queued.from.{}", program_.entries[x.object].name, label(t)));
          queues_[x.object].callers[t].queued = a;
          join(t, i, a);
          const std::uint32_t callee = program_.entries[x.object].task;
          if (environment_.completes[callee] && callee != t) callable_[callee].insert(a);
        }
        if (x.kind == Kind::count) {
          const Action a = action(fmt::format("{}.count.is.{}", program_.entries[x.object].name, x.values[0]));
          queues_[x.object].count[x.values[0]] = a;
          join(t, i, a);
        }
        if (x.kind == Kind::status) {
          const Action a =
              action(fmt::format("{}.{}.is.{}.from.{}", label(x.object), x.values[0] == 0 ? "callable" : "terminated",
                                 x.values[1] == 0 ? "false" : "true", label(t)));
          status_[x.object].insert({a, x.values[0] == 1, x.values[1] == 1});
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
      if (const auto gone = is_gone(t, state))
        for (const Action a : *gone ? gone_[t] : callable_[t]) builder.add_step(State{s}, a, State{s});
      for (const Status& status : status_[t])
        if (state.mode != Mode::terminated && status.value == has_status(t, state, status.terminated))
          builder.add_step(State{s}, status.action, State{s});
      if (state.mode == Mode::abandoned || state.mode == Mode::given_up)
        for (const Action a : abandoned_[t]) builder.add_step(State{s}, a, State{s});
      else if (state.mode == Mode::completed || state.mode == Mode::ended ||
               (stands && state.node >= program_.tasks[t].graph.body &&
                nodes[state.node].kind != flow::Node::Kind::abandoned))
        for (const Action a : activated_[t]) builder.add_step(State{s}, a, State{s});
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
    std::vector<Action> alphabet = masters_[t];
    for (const Status& status : status_[t]) alphabet.push_back(status.action);
    for (const Action a : activated_[t]) alphabet.push_back(a);
    for (const Action a : abandoned_[t]) alphabet.push_back(a);
    for (const Action a : gone_[t]) alphabet.push_back(a);
    for (const Action a : callable_[t]) alphabet.push_back(a);
    for (const Action a : owners_[t]) alphabet.push_back(a);
    builder.add_to_alphabet(Alphabet(std::move(alphabet)));
    std::ranges::stable_sort(task.edges, {}, &AdaNetwork::Edge::from);
    out.network.components.push_back({task.name, builder.build()});
    out.parts.push_back({AdaNetwork::Part::Kind::task, t});
    out.tasks.push_back(std::move(task));
  }

  bool has_status(std::uint32_t t, const TaskGraph::State& state, bool terminated) const {
    if (terminated) return state.mode == Mode::ended || state.mode == Mode::given_up;
    return !is_gone(t, state).value_or(false);
  }

  // Whether calls of it fail; nothing: there are none.
  std::optional<bool> is_gone(std::uint32_t t, const TaskGraph::State& state) const {
    if (state.mode == Mode::terminated) return std::nullopt;
    if (state.mode == Mode::dormant) return false;  // it is not active yet: a call would wait
    if (state.mode != Mode::runs && state.mode != Mode::fails) return true;
    const flow::Node& n = program_.tasks[t].graph.nodes[state.node];
    // It has completed and waits for its tasks.
    return state.mode == Mode::runs && !state.comes && n.kind == flow::Node::Kind::end &&
           program_.masters[n.first].body;
  }

  void add_variables(AdaNetwork& out) {
    std::set<std::uint32_t> kept;  // with objects
    for (const flow::Object& object : program_.objects) kept.insert(object.outside.begin(), object.outside.end());
    for (const auto& [slot, accesses] : accesses_) {
      if (kept.contains(slot)) continue;
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
          if (const auto next = after(s, values[i], access)) builder.add_step(State{i}, access.action, number(*next));
        }
      builder.set_state_count(static_cast<std::uint32_t>(values.size()));
      builder.add_to_alphabet(Alphabet(std::move(alphabet)));
      auto& names = out.values[out.network.components.size()];
      for (const Value v : values) names.push_back(shown_now(v, s));
      out.network.components.push_back({s.name, builder.build()});
      out.parts.push_back(
          {AdaNetwork::Part::Kind::variable, s.apart ? std::optional<std::size_t>(s.task) : std::nullopt});
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
      for (const auto& [key, action] : waiting_)
        if (program_.operations[std::get<0>(key)].object == o) alphabet.push_back(action);
      for (const auto& [operation, actions] : refused_)
        if (program_.operations[operation].object == o) alphabet.insert(alphabet.end(), actions.begin(), actions.end());
      for (const std::uint32_t slot : program_.objects[o].outside)
        for (const Access& access : accesses_[slot]) alphabet.push_back(access.action);
      if (alphabet.empty()) continue;
      builder.set_state_count(static_cast<std::uint32_t>(graph.states.size()));
      if (const auto made = made_.find(o); made != made_.end()) {
        alphabet.push_back(made->second);
        for (std::uint32_t s = 0; s < graph.states.size(); ++s)
          builder.add_step(State{s}, made->second, made_anew(o, graph.states[s]));
      }
      for (std::uint32_t s = 0; s < graph.states.size(); ++s) add_outside(builder, o, s);
      for (const ObjectGraph::Edge& e : graph.edges) {
        if (e.closed) {
          for (const Action a : refused_[e.operation]) builder.add_step(State{e.from}, a, State{e.to});
          continue;
        }
        if (e.waits) {
          if (const auto found = waiting_.find({e.operation, e.values, e.caller}); found != waiting_.end())
            builder.add_step(State{e.from}, found->second, State{e.to});
          continue;
        }
        const auto found = operated_.find({e.operation, e.values, e.outcome, e.caller});
        if (found == operated_.end()) continue;
        for (const Action a : found->second) builder.add_step(State{e.from}, a, State{e.to});
      }
      builder.add_to_alphabet(Alphabet(std::move(alphabet)));
      auto& names = out.values[out.network.components.size()];
      for (const Values& state : graph.states) names.push_back(shown_object(program_.objects[o], state));
      out.network.components.push_back({program_.objects[o].name, builder.build()});
      out.parts.push_back({AdaNetwork::Part::Kind::object, std::nullopt});
    }
  }

  // What a state is, for people.
  std::string shown_now(Value value, const flow::Slot& slot) const {
    return value == kUnset ? "no value yet" : shown(value, slot.display);
  }
  std::string shown_object(const flow::Object& object, const Values& state) const {
    std::string out;
    const auto slots = slots_of(object);
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const flow::Slot& slot = program_.slots[slots[i]];
      out += fmt::format("{}{} = {}", out.empty() ? "" : ", ", slot.name, shown_now(state[i], slot));
    }
    for (std::size_t i = slots.size(); i < state.size(); i += 3 + static_cast<std::size_t>(state[i + 2]))
      out += fmt::format("; {} waits for {}", program_.tasks[static_cast<std::size_t>(state[i + 1])].name,
                         program_.operations[static_cast<std::size_t>(state[i])].name);
    return out;
  }

  State made_anew(std::uint32_t o, Values values) const {
    const auto& slots = program_.objects[o].slots;
    for (std::size_t i = 0; i < slots.size(); ++i) values[i] = program_.slots[slots[i]].initial;
    return State{objects_[o].numbers.at(values)};
  }

  std::optional<Refusal> add_queues(AdaNetwork& out) {
    for (const auto& [entry, actions] : queues_) {
      const flow::Entry& e = program_.entries[entry];
      const auto lts = queue_component(actions);
      if (!lts) return Refusal{fmt::format("too many tasks call {}, whose 'Count is asked for", e.name), {}, e.place};
      const std::string name = e.name + ".queue";
      out.network.components.push_back({name, *lts});
      out.parts.push_back({AdaNetwork::Part::Kind::queue, e.task});
    }
    return std::nullopt;
  }

  // What tasks do to the variables that are kept with it.
  void add_outside(LtsBuilder& builder, std::uint32_t o, std::uint32_t s) {
    const flow::Object& object = program_.objects[o];
    for (std::size_t i = 0; i < object.outside.size(); ++i)
      for (const Access& access : accesses_[object.outside[i]]) {
        Values values = objects_[o].states[s];
        Value& v = values[object.slots.size() + i];
        const auto next = after(program_.slots[object.outside[i]], v, access);
        if (!next) continue;
        v = *next;
        builder.add_step(State{s}, access.action, State{objects_[o].numbers.at(values)});
      }
  }

  // The value of a variable after an access; nothing: it cannot be. One that was never written is any value.
  static std::optional<Value> after(const flow::Slot& slot, Value value, const Access& access) {
    if (!access.read || value == access.value) return access.value;
    if (value != kUnset) return std::nullopt;
    if (is_free(slot))
      return access.value >= slot.low && access.value <= slot.high ? std::optional(access.value) : std::nullopt;
    return access.value == kOpaque ? std::optional(kUnset) : std::nullopt;
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
  // By operation, parameters, outcome, and, if there are queues, caller.
  std::map<std::tuple<std::uint32_t, Values, Outcome, std::uint32_t>, std::set<Action>> operated_;
  std::map<std::tuple<std::uint32_t, Values, std::uint32_t>, Action> waiting_;
  std::map<std::uint32_t, std::set<Status>> status_;           // by task
  std::map<std::uint32_t, QueueActions> queues_;               // by entry
  std::map<std::uint32_t, std::set<Action>> refused_;          // by operation
  std::map<std::uint32_t, std::set<Action>> gone_, callable_;  // by task
  std::map<std::uint32_t, std::vector<Action>> owners_;        // by task: calls that it never accepts
  std::vector<Action> failures_;
  std::map<Action, std::string> choices_;
  std::map<std::uint32_t, std::vector<Action>> masters_;                // by task: the actions of its masters
  std::map<std::uint32_t, std::vector<Action>> activated_, abandoned_;  // by task: what it offers then
  std::map<std::uint32_t, Action> made_;                                // by object: the action that makes it anew
};

}  // namespace
}  // namespace ada

std::vector<std::string> AdaNetwork::names_of(Part::Kind kind) const {
  std::vector<std::string> out;
  for (std::size_t c = 0; c < parts.size(); ++c)
    if (parts[c].kind == kind) out.push_back(network.components[c].name);
  return out;
}

Alphabet AdaNetwork::own_accesses() const {
  std::vector<Action> out;
  for (std::size_t c = 0; c < parts.size(); ++c)
    if (parts[c].kind == Part::Kind::variable && parts[c].task)
      for (const Action a : network.components[c].lts.alphabet()) out.push_back(a);
  return Alphabet(std::move(out));
}

namespace {

constexpr std::uint32_t kWholeIfRefused = 10'000;  // states of a task

// Nothing: no variable can be apart, or what then is the program is refused.
std::optional<AdaNetwork> network_apart(const AdaProgram& program, ActionTable& actions, Budget& budget,
                                        const AdaNetworkOptions& options) {
  std::vector<bool> tasks(program.flow.tasks.size(), true);
  if (options.whole_states > 0) tasks = ada::large_tasks(program.flow, options.whole_states, budget);
  const flow::Program apart = ada::own_variables_apart(program.flow, tasks);
  if (std::ranges::none_of(apart.slots, &flow::Slot::apart)) return std::nullopt;
  auto out = ada::Builder(apart, *program.source, actions, budget, options.exploring).run();
  return out ? std::optional(std::move(*out)) : std::nullopt;
}

}  // namespace

tl::expected<AdaNetwork, Diagnostic> ada_network(const AdaProgram& program, ActionTable& actions, Budget& budget,
                                                 const AdaNetworkOptions& options) {
  if (options.own == AdaOwnVariables::apart)
    if (auto out = network_apart(program, actions, budget, options)) return std::move(*out);
  auto out = ada::Builder(program.flow, *program.source, actions, budget, options.exploring).run();
  if (out) return std::move(*out);
  if (!out.error().slots.empty() && options.own == AdaOwnVariables::in_tasks)
    if (auto apart =
            network_apart(program, actions, budget, {options.exploring, AdaOwnVariables::apart, kWholeIfRefused}))
      return std::move(*apart);
  const auto& place = program.flow.places[out.error().place];
  return tl::unexpected(
      program.source->error({place.offset, place.length}, std::move(out.error().message), std::move(out.error().hint)));
}

}  // namespace surety
