#include <algorithm>
#include <memory>
#include <optional>
#include <span>

#include "lang/ada/network/explore.hpp"
#include "lang/ada/network/stepwise.hpp"
#include "model/sequence_table.hpp"

namespace surety::ada {
namespace {

using flow::kOpaque;
using flow::kUnset;
using Kind = Transition::Kind;
using Mode = TaskGraph::Mode;
using StateTable = SequenceTableOf<Value, std::span<const Value>>;

constexpr std::uint32_t kMostJointly = 300'000;    // states
constexpr std::uint64_t kMostNumbers = 5'000'000;  // in all of these states

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
    for (std::uint32_t o = 0; o < objects.size(); ++o)
      for (const std::uint32_t s : program.objects[o].outside) kept_with_[s] = o;
    for (std::uint32_t s = 0; s < program.slots.size(); ++s)
      if (environment.use[s].shared() && !kept_with_.contains(s)) {
        place_of_[s] = graphs.size() + objects.size() + shared_.size();
        shared_.push_back(s);
      }
    for (std::uint32_t e = 0; e < program.entries.size(); ++e)
      if (program.entries[e].counted) {
        const std::size_t place = graphs.size() + objects.size() + shared_.size() + queue_of_.size();
        queue_of_[e] = place;
      }
  }

  bool run() {
    for (auto& task : tasks_) task.steps->begin();
    for (auto& object : steps_) object->begin();
    Values first(tasks_.size() + steps_.size(), 0);
    for (const std::uint32_t slot : shared_) first.push_back(program_.slots[slot].initial);
    first.resize(first.size() + queue_of_.size(), queue_number({}));
    met_.intern(first);
    const std::uint64_t most = std::min<std::uint64_t>(kMostJointly, kMostNumbers / first.size());
    for (std::uint32_t i = 0; i < met_.size(); ++i) {
      if (((i & 63) == 0 && !budget_.go_on()) || met_.size() > most) return false;
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
    for (auto& object : steps_) object->finish();
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
          if (steps_[o]->has_queues())
            steps_[o]->steps(object_state(o));
          else
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
      case Kind::call: call(t, x); return true;
      case Kind::call_end: meet(t, x, program_.entries[x.object].task, Kind::accept_end); return true;
      case Kind::call_raised: meet(t, x, program_.entries[x.object].task, Kind::accept_raised); return true;
      case Kind::accept:
      case Kind::accept_end:
      case Kind::accept_raised: return true;  // with the caller
      case Kind::operation:
      case Kind::waits: operate(t, x); return true;
      case Kind::queued: queue(t, x.object); return true;
      case Kind::count:
        if (queue_at(x.object).size() == static_cast<std::size_t>(x.values[0])) add();
        return true;
      case Kind::closed: {
        const std::uint32_t o = program_.operations[x.object].object;
        if (steps_[o]->closed(object_state(o), x.object)) add();
        return true;
      }
      case Kind::gone:
        if (is_gone(x.object).value_or(false)) leave_queues(t, x.object);
        return true;
      case Kind::callable:
        if (!is_gone(x.object).value_or(true)) add();
        return true;
      case Kind::status:
        if (local(x.object).mode != Mode::terminated &&
            has_status(program_, x.object, local(x.object), x.values[0] == 1) == (x.values[1] == 1))
          add();
        return true;
      case Kind::begin:
        if (program_.masters[x.object].task == t) begin(x.object);
        return true;
      case Kind::activated:
        if (std::ranges::all_of(program_.masters[x.object].tasks, [&](std::uint32_t u) { return is_active(u); })) add();
        return true;
      case Kind::abandoned:
        if (std::ranges::all_of(program_.masters[x.object].tasks, [&](std::uint32_t u) {
              return is_abandoned(local(u)) || (u != static_cast<std::uint32_t>(x.values[0]) && is_active(u));
            }))
          add();
        return true;
      case Kind::end:
        if (program_.masters[x.object].task == t) end(x.object);
        return x.object == 0 || !program_.masters[x.object].tasks.empty();
    }
    return false;
  }

  const TaskGraph::State& local(std::uint32_t task) const { return graphs_[task].states[state(task)]; }

  std::optional<bool> is_gone(std::uint32_t task) const { return ada::is_gone(program_, task, local(task)); }
  bool is_active(std::uint32_t task) const { return ada::is_active(program_, task, local(task)); }

  void access(const Transition& x) {
    const auto kept = kept_with_.find(x.object);
    const bool alone = kept == kept_with_.end();
    const Value value = alone ? next_[place_of_.at(x.object)]
                              : steps_[kept->second]->outside_value(object_state(kept->second), x.object);
    const flow::Slot& slot = program_.slots[x.object];
    const bool free = value == kUnset && is_free(slot) && x.values[0] >= slot.low && x.values[0] <= slot.high;
    const bool stays = x.kind == Kind::is && value == kUnset && !is_free(slot) && x.values[0] == kOpaque;
    if (x.kind == Kind::is && value != x.values[0] && !free && !stays) return;
    if (alone && !stays) next_[place_of_.at(x.object)] = x.values[0];
    if (!alone && !stays && value != x.values[0])
      next_[tasks_.size() + kept->second] =
          static_cast<Value>(steps_[kept->second]->with_value(object_state(kept->second), x.object, x.values[0]));
    add();
  }

  // ---- queues that can be seen

  Value queue_number(const std::vector<std::uint32_t>& queue) {
    const auto [at, fresh] = queue_numbers_.try_emplace(queue, static_cast<Value>(queue_contents_.size()));
    if (fresh) queue_contents_.push_back(queue);
    return at->second;
  }
  const std::vector<std::uint32_t>& queue_at(std::uint32_t entry) const {
    return queue_contents_[static_cast<std::size_t>(now_[queue_of_.at(entry)])];
  }
  void queue(std::uint32_t t, std::uint32_t entry) {
    const std::uint32_t callee = program_.entries[entry].task;
    if (callee != t && is_gone(callee).value_or(true)) return;
    auto waiting = queue_at(entry);
    if (std::ranges::find(waiting, t) != waiting.end()) return;
    waiting.push_back(t);
    next_[queue_of_.at(entry)] = queue_number(waiting);
    add();
  }
  void leave(std::uint32_t t, std::uint32_t entry) {
    auto waiting = queue_at(entry);
    std::erase(waiting, t);
    next_[queue_of_.at(entry)] = queue_number(waiting);
  }
  void leave_queues(std::uint32_t t, std::uint32_t callee) {
    for (const auto& [entry, place] : queue_of_)
      if (program_.entries[entry].task == callee) leave(t, entry);
    add();
  }
  // Of a queue that can be seen the first is served.
  void call(std::uint32_t t, const Transition& x) {
    if (queue_of_.contains(x.object)) {
      const auto& waiting = queue_at(x.object);
      if (waiting.empty() || waiting.front() != t) return;
      leave(t, x.object);
    }
    meet(t, x, program_.entries[x.object].task, Kind::accept);
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

  void operate(std::uint32_t t, const Transition& x) {
    const std::uint32_t o = program_.operations[x.object].object;
    const Values half = next_;
    const auto to = [&](std::uint32_t after) {
      next_ = half;
      next_[tasks_.size() + o] = after;
      add();
    };
    if (steps_[o]->has_queues()) {
      for (const ObjectGraph::Edge& e : steps_[o]->steps(object_state(o)))
        if (e.caller == t && e.operation == x.object && e.values == x.values && e.waits == (x.kind == Kind::waits) &&
            (e.waits || e.outcome == x.outcome))
          to(e.to);
      return;
    }
    for (const auto& [outcome, after] : steps_[o]->ways(object_state(o), x.object, x.values))
      if (outcome == x.outcome) to(after);
  }

  // The task that executes a master, and its tasks, at once.
  void begin(std::uint32_t m) {
    const flow::Master& master = program_.masters[m];
    next_ = now_;
    if (!joins(master.task, Kind::begin, m)) return;
    for (const std::uint32_t t : master.tasks)
      if (t != master.task && !joins(t, Kind::begin, m)) return;
    for (const std::uint32_t o : master.objects)
      next_[tasks_.size() + o] = static_cast<Value>(steps_[o]->made_anew(object_state(o)));
    add();
  }

  void end(std::uint32_t m) {
    next_ = now_;
    for (std::uint32_t t = 0; t < tasks_.size(); ++t)
      if ((t == program_.masters[m].task || depends(program_, t, m)) && !joins(t, Kind::end, m)) return;
    add();
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
  std::vector<std::uint32_t> shared_;                         // slots
  std::map<std::uint32_t, std::size_t> place_of_, queue_of_;  // by slot; by entry
  std::map<std::uint32_t, std::uint32_t> kept_with_;          // by slot: an object
  std::map<std::vector<std::uint32_t>, Value> queue_numbers_;
  std::vector<std::vector<std::uint32_t>> queue_contents_;
  StateTable met_;
  Values now_, next_;
};

}  // namespace

bool explore_jointly(const flow::Program& program, Environment& environment, Budget& budget,
                     std::vector<TaskGraph>& graphs, std::vector<ObjectGraph>& objects) {
  // Whether a task completes, and who asks, has to be known from the beginning.
  while (true) {
    const auto completes = environment.completes, watched = environment.watched, asked = environment.asked_about,
               abandoned = environment.abandoned;
    graphs.assign(program.tasks.size(), {});
    objects.assign(program.objects.size(), {});
    if (!JointExplorer(program, environment, budget, graphs, objects).run()) return false;
    if (completes == environment.completes && watched == environment.watched && asked == environment.asked_about &&
        abandoned == environment.abandoned)
      return true;
  }
}

}  // namespace surety::ada
