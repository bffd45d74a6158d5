#include <algorithm>
#include <memory>
#include <optional>
#include <span>

#include "lang/ada/explore.hpp"
#include "lang/ada/stepwise.hpp"
#include "model/sequence_table.hpp"

namespace surety::ada {
namespace {

using flow::kOpaque;
using flow::kUnset;
using Kind = Transition::Kind;
using Mode = TaskGraph::Mode;
using StateTable = SequenceTableOf<Value, std::span<const Value>>;

constexpr std::uint32_t kMostJointly = 200'000;  // states

// A state of the whole: where each task stands, the values of shared variables, the states of objects.
class JointExplorer {
 public:
  JointExplorer(const flow::Program& program, Environment& environment, Budget& budget, std::vector<TaskGraph>& graphs,
                std::vector<ObjectGraph>& objects)
      : program_(program), environment_(environment), budget_(budget), graphs_(graphs), objects_(objects) {
    for (std::uint32_t t = 0; t < graphs.size(); ++t)
      tasks_.push_back({stepwise_task(program, t, environment, budget, graphs[t]), {}});
    for (std::uint32_t o = 0; o < objects.size(); ++o)
      steps_.push_back(stepwise_object(program, o, environment, budget, objects[o]));
    for (std::uint32_t s = 0; s < program.slots.size(); ++s)
      if (environment.use[s].shared()) {
        place_of_[s] = graphs.size() + objects.size() + shared_.size();
        shared_.push_back(s);
      }
  }

  bool run() {
    for (auto& task : tasks_) task.steps->begin();
    for (auto& object : steps_) object->begin();
    Values first(tasks_.size() + steps_.size(), 0);
    for (const std::uint32_t slot : shared_) first.push_back(program_.slots[slot].initial);
    met_.intern(first);
    for (std::uint32_t i = 0; i < met_.size(); ++i) {
      if (((i & 63) == 0 && !budget_.go_on()) || met_.size() > kMostJointly) return false;
      now_.assign(met_[i].begin(), met_[i].end());
      if (!prepare()) return false;
      for (std::uint32_t t = 0; t < tasks_.size(); ++t)
        for (const auto& edge : edges(t))
          if (!step(t, edge)) return false;
    }
    for (std::uint32_t t = 0; t < tasks_.size(); ++t) {
      graphs_[t].edges.clear();
      for (const auto& local : tasks_[t].states)
        graphs_[t].edges.insert(graphs_[t].edges.end(), local.edges.begin(), local.edges.end());
    }
    return true;
  }

 private:
  using Edge = TaskGraph::Edge;
  struct Local {  // a state of a task, expanded
    std::uint64_t when = UINT64_MAX;
    std::vector<Edge> edges;
    std::vector<TaskGraph::Ask> asks;
  };
  struct Task {
    std::unique_ptr<StepwiseTask> steps;
    std::vector<Local> states;
  };

  std::uint32_t state(std::uint32_t task) const { return static_cast<std::uint32_t>(now_[task]); }
  std::uint32_t object_state(std::uint32_t object) const {
    return static_cast<std::uint32_t>(now_[tasks_.size() + object]);
  }
  const std::vector<Edge>& edges(std::uint32_t task) const { return tasks_[task].states[state(task)].edges; }
  const Transition& transition(std::uint32_t task, const Edge& edge) const {
    return graphs_[task].transitions[edge.transition];
  }

  // All tasks know what the others offer in this state. Offers can lead to further ones.
  bool prepare() {
    std::uint64_t before = UINT64_MAX;
    while (before != environment_.changes) {
      before = environment_.changes;
      for (std::uint32_t t = 0; t < tasks_.size(); ++t) {
        if (!expand(t)) return false;
        for (const auto& ask : tasks_[t].states[state(t)].asks) {
          const std::uint32_t o = program_.operations[ask.operation].object;
          steps_[o]->ways(object_state(o), ask.operation, ask.values);
          if (steps_[o]->refused()) return false;
        }
      }
    }
    return true;
  }

  bool expand(std::uint32_t t) {
    Task& task = tasks_[t];
    const std::uint32_t s = state(t);
    if (task.states.size() < graphs_[t].states.size()) task.states.resize(graphs_[t].states.size());
    if (task.states[s].when == environment_.changes) return true;
    task.states[s].when = environment_.changes;
    graphs_[t].edges.clear();
    graphs_[t].asks.clear();
    task.steps->expand_state(s);
    task.states.resize(std::max(task.states.size(), graphs_[t].states.size()));
    task.states[s].edges = graphs_[t].edges;
    task.states[s].asks = graphs_[t].asks;
    return !task.steps->refused();
  }

  void go(std::uint32_t task, const Edge& edge) {
    next_ = now_;
    next_[task] = edge.to;
  }
  void add() { met_.intern(next_); }

  // False: a kind of step that is not known here.
  bool step(std::uint32_t t, const Edge& edge) {
    const Transition& x = transition(t, edge);
    go(t, edge);
    switch (x.kind) {
      case Kind::silent:
      case Kind::choice:
      case Kind::event:
      case Kind::fails: add(); return true;
      case Kind::is:
      case Kind::to: access(x); return true;
      case Kind::call: meet(t, x, program_.entries[x.object].task, Kind::accept); return true;
      case Kind::call_end: meet(t, x, program_.entries[x.object].task, Kind::accept_end); return true;
      case Kind::call_raised: meet(t, x, program_.entries[x.object].task, Kind::accept_raised); return true;
      case Kind::accept:
      case Kind::accept_end:
      case Kind::accept_raised: return true;  // with the caller
      case Kind::operation: operate(x); return true;
      case Kind::closed: {
        const std::uint32_t o = program_.operations[x.object].object;
        if (steps_[o]->closed(object_state(o), x.object)) add();
        return true;
      }
      case Kind::gone:
        if (is_gone(x.object).value_or(false)) add();
        return true;
      case Kind::callable:
        if (!is_gone(x.object).value_or(true)) add();
        return true;
      case Kind::begin:
        if (program_.masters[x.object].task == t) begin(x.object);
        return true;
      case Kind::activated:
        if (std::ranges::all_of(program_.masters[x.object].tasks, [&](std::uint32_t u) { return is_active(u); })) add();
        return true;
      case Kind::end:
        if (program_.masters[x.object].task == t) end(x.object);
        return x.object == 0 || !program_.masters[x.object].tasks.empty();
      default: return false;
    }
  }

  const TaskGraph::State& local(std::uint32_t task) const { return graphs_[task].states[state(task)]; }

  // Whether calls of it fail; nothing: there are none.
  std::optional<bool> is_gone(std::uint32_t task) const {
    const TaskGraph::State& at = local(task);
    if (at.mode == Mode::completed || at.mode == Mode::ended) return true;
    if (at.mode == Mode::dormant) return false;
    if (at.mode != Mode::runs && at.mode != Mode::fails) return std::nullopt;
    const flow::Node& n = program_.tasks[task].graph.nodes[at.node];
    return at.mode == Mode::runs && !at.comes && n.kind == flow::Node::Kind::end && program_.masters[n.first].body;
  }
  // Its declarations are elaborated.
  bool is_active(std::uint32_t task) const {
    const TaskGraph::State& at = local(task);
    if (at.mode == Mode::completed || at.mode == Mode::ended) return true;
    if (at.mode != Mode::runs && at.mode != Mode::fails) return false;
    const flow::Graph& graph = program_.tasks[task].graph;
    return at.node >= graph.body && graph.nodes[at.node].kind != flow::Node::Kind::abandoned;
  }

  void access(const Transition& x) {
    Value& value = next_[place_of_.at(x.object)];
    if (x.kind == Kind::to) {
      value = x.values[0];
      return add();
    }
    const flow::Slot& slot = program_.slots[x.object];
    const bool free = is_free(slot);
    if (value == kUnset && free && x.values[0] >= slot.low && x.values[0] <= slot.high) {
      value = x.values[0];
      return add();
    }
    if (value == x.values[0] || (value == kUnset && !free && x.values[0] == kOpaque)) add();
  }

  void meet(std::uint32_t t, const Transition& x, std::uint32_t with, Kind kind) {
    if (with == t) return;
    const Values half = next_;
    for (const Edge& other : edges(with)) {
      const Transition& y = transition(with, other);
      if (y.kind != kind || y.object != x.object || y.values != x.values) continue;
      next_ = half;
      next_[with] = other.to;
      add();
    }
  }

  void operate(const Transition& x) {
    const std::uint32_t o = program_.operations[x.object].object;
    const Values half = next_;
    for (const auto& [outcome, after] : steps_[o]->ways(object_state(o), x.object, x.values)) {
      if (outcome != x.outcome) continue;
      next_ = half;
      next_[tasks_.size() + o] = after;
      add();
    }
  }

  // The task that executes a master, and its tasks, at once.
  void begin(std::uint32_t m) {
    const flow::Master& master = program_.masters[m];
    next_ = now_;
    if (!joins(master.task, Kind::begin, m)) return;
    for (const std::uint32_t t : master.tasks)
      if (t != master.task && !joins(t, Kind::begin, m)) return;
    for (const std::uint32_t o : master.objects) next_[tasks_.size() + o] = 0;
    add();
  }

  void end(std::uint32_t m) {
    next_ = now_;
    for (std::uint32_t t = 0; t < tasks_.size(); ++t)
      if ((t == program_.masters[m].task || depends(t, m)) && !joins(t, Kind::end, m)) return;
    add();
  }
  bool depends(std::uint32_t task, std::uint32_t master) const {
    std::uint32_t m = program_.tasks[task].master;
    while (m != master && m != flow::kNone) m = program_.masters[m].outer;
    return m == master;
  }
  bool joins(std::uint32_t task, Kind kind, std::uint32_t master) {
    for (const Edge& e : edges(task)) {
      const Transition& x = transition(task, e);
      if (x.kind != kind || x.object != master) continue;
      next_[task] = e.to;
      return true;
    }
    return false;
  }

  const flow::Program& program_;
  Environment& environment_;
  Budget& budget_;
  std::vector<TaskGraph>& graphs_;
  std::vector<ObjectGraph>& objects_;
  std::vector<Task> tasks_;
  std::vector<std::unique_ptr<StepwiseObject>> steps_;
  std::vector<std::uint32_t> shared_;  // slots
  std::map<std::uint32_t, std::size_t> place_of_;
  StateTable met_;
  Values now_, next_;
};

// Queues that are asked about and variables that are kept with objects are not known here.
bool is_plain(const flow::Program& program) {
  return std::ranges::none_of(program.entries, &flow::Entry::counted) &&
         std::ranges::all_of(program.objects,
                             [](const flow::Object& o) { return o.counts == flow::kNone && o.outside.empty(); });
}

}  // namespace

bool explore_jointly(const flow::Program& program, Environment& environment, Budget& budget,
                     std::vector<TaskGraph>& graphs, std::vector<ObjectGraph>& objects) {
  if (!is_plain(program)) return false;
  // Whether a task completes, and who asks, has to be known from the beginning.
  while (true) {
    const auto completes = environment.completes, watched = environment.watched, asked = environment.asked_about;
    graphs.assign(program.tasks.size(), {});
    objects.assign(program.objects.size(), {});
    if (!JointExplorer(program, environment, budget, graphs, objects).run()) return false;
    if (completes == environment.completes && watched == environment.watched && asked == environment.asked_about)
      return true;
  }
}

}  // namespace surety::ada
