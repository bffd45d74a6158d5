// One task, or one protected object, alone in an environment of which only the possible values are known: those of
// shared variables, of parameters that callers pass, of results. Exploring adds to what is known; all tasks and objects
// are explored until nothing is new.
#pragma once

#include <compare>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/budget.hpp"
#include "model/flow_graph.hpp"

namespace surety::ada {

using flow::Value;
using Values = std::vector<Value>;

// What a protected operation gives back.
struct Outcome {
  Values results;
  std::uint32_t exception = flow::kNone;  // that it raised
  bool opaque = false;                    // it depends on something that is not modelled
  friend auto operator<=>(const Outcome&, const Outcome&) = default;
};

// Who uses a slot while tasks run.
struct SlotUse {
  std::uint32_t task = flow::kNone;  // the only one, if there is one
  bool several = false;              // tasks use it, or one that can begin again; or it is apart
  bool written = false;
  bool shared() const { return several && written; }
};

struct Environment {
  std::vector<SlotUse> use;                                       // by slot
  std::vector<std::set<Value>> values;                            // by slot, of shared ones
  std::vector<std::set<Value>> written;                           // by slot: of these, what tasks write
  std::vector<std::map<Values, std::set<std::uint32_t>>> calls;   // by entry and parameters: the callers
  std::vector<std::set<Values>> ends;                             // by entry: results
  std::vector<std::set<std::uint32_t>> raised;                    // by entry: exceptions that its body raises
  std::vector<std::set<Values>> asked;                            // by operation: parameters
  std::vector<std::map<Values, std::set<Outcome>>> outcomes;      // by operation and parameters
  std::vector<std::map<Values, std::set<std::uint32_t>>> askers;  // by operation and parameters: the callers
  std::vector<std::set<std::uint32_t>> queued;                    // by entry: the callers that wait in its queue
  std::vector<bool> completes;                                    // by task
  std::vector<bool> asked_about;                                  // by task: whether it has terminated
  std::vector<bool> watched;               // by task: a call that need not wait asks if it has completed
  std::vector<bool> abandoned;             // by task: an exception can end its declarations
  std::vector<bool> forgotten;             // by slot: its values are not modelled
  std::uint32_t most_states = UINT32_MAX;  // a task that has more need not be explored to its end
  std::size_t most_values = 4'096;         // of a variable, or of the parameters of an entry
  std::uint64_t changes = 0;

  template <class Set, class Element>
  void add(Set& set, Element&& element) {
    if (set.insert(std::forward<Element>(element)).second) ++changes;
  }
};

struct Transition {
  enum class Kind : std::uint8_t {
    silent,
    choice,       // that depends on something opaque
    event,        // object: label
    fails,        // object: exception
    is,           // object: slot
    to,           // object: slot
    call,         // object: entry; the beginning of a rendezvous
    accept,       // object: entry
    call_end,     // object: entry; what the caller sees of the end of a rendezvous
    accept_end,   // object: entry
    call_raised,  // object: entry, values: exception
    accept_raised,
    operation,  // object: operation, values: parameters, outcome
    closed,     // object: operation; a conditional call that finds its barrier closed
    waits,      // object: operation, values: parameters; its place in the queue
    queued,     // object: entry; its place in the queue
    count,      // object: entry, values: how many wait
    status,     // object: task, values: 0 for callable, 1 for terminated; true or false
    gone,       // object: task that is called and has completed
    callable,   // object: task that is called conditionally and has not completed
    begin,      // object: master
    activated,  // object: master
    abandoned,  // object: master, values: the task whose declarations failed
    end,        // object: master
  };
  Kind kind = Kind::silent;
  std::uint32_t object = 0;
  Values values;
  Outcome outcome;
  std::uint32_t place = 0;  // in Program::places
  friend auto operator<=>(const Transition&, const Transition&) = default;
};

struct TaskGraph {
  struct Edge {
    std::uint32_t from, transition, to;
  };
  // Dormant: it does not exist yet, or any more, and its master can begin (again). Abandoned: completed, because an
  // exception ended its declarations. Terminated: with the whole program.
  // Ended: completed, and those that ask can know that it has terminated; given up: the same of an abandoned one, of
  // which its activator has yet to learn.
  enum class Mode : std::uint8_t { runs, fails, completed, terminated, dormant, abandoned, ended, given_up };
  struct State {
    Mode mode = Mode::runs;
    std::uint32_t node = 0;
    bool comes = false;  // it comes to the end of its body, but has not completed yet
  };
  struct Ask {
    std::uint32_t state, operation;
    Values values;
  };
  std::vector<State> states;
  std::vector<Edge> edges;
  std::vector<Transition> transitions;
  std::vector<Ask> asks;  // protected operations that it can call, whether or not an outcome is known
};

// States are values of the object's slots, and of the variables that are kept with it.
struct ObjectGraph {
  struct Edge {
    std::uint32_t from, operation;
    Values values;
    Outcome outcome;
    bool closed;
    std::uint32_t to;
    std::uint32_t caller = flow::kNone;  // where calls wait in a queue
    bool waits = false;                  // its place in the queue
  };
  std::vector<Values> states;
  std::vector<Edge> edges;
  std::map<Values, std::uint32_t> numbers;  // of the states
};

// Where a task stands, as others can find it.
bool has_status(const flow::Program& program, std::uint32_t task, const TaskGraph::State& state, bool terminated);
// Whether calls of it fail; nothing: there are none.
std::optional<bool> is_gone(const flow::Program& program, std::uint32_t task, const TaskGraph::State& state);
// Its declarations are elaborated; an exception has ended them.
bool is_active(const flow::Program& program, std::uint32_t task, const TaskGraph::State& state);
bool is_abandoned(const TaskGraph::State& state);
// Whether it is a task of this master, or of one inside of it.
bool depends(const flow::Program& program, std::uint32_t task, std::uint32_t master);

// The slots whose values are the states of an object.
std::vector<std::uint32_t> slots_of(const flow::Object& object);

// What cannot be expressed, and where.
struct Refusal {
  std::string message, hint;
  std::uint32_t place = 0;
  std::vector<std::uint32_t> slots{};  // whose values are too many; it may do without them
};

Refusal over_budget();
// It can hold any value of its subtype as long as nothing was written into it: there are few.
bool is_free(const flow::Slot& slot);

Environment first_environment(const flow::Program& program);
std::optional<Refusal> explore_task(const flow::Program& program, std::uint32_t task, Environment& environment,
                                    Budget& budget, TaskGraph& out);
// Alone a task can have many more states than with those that it meets: a table takes what lies there a second time, if
// it is not known that the agent never puts it. So this explores it beside others, of each of which it knows the order
// of its rendezvous with it (`graphs`; they were explored alone). Only what is possible with them is in `out`. False:
// there are too many states, or it is refused; then the environment may have too much.
bool explore_beside(const flow::Program& program, std::uint32_t task, const std::vector<std::uint32_t>& others,
                    const std::vector<TaskGraph>& graphs, Environment& environment, Budget& budget, TaskGraph& out);
// Alone an object can have many more states than with its callers (a semaphore counts for ever if it is only
// signalled). So if it has many, they are explored together: the object, and of each task its calls of it, in their
// order.
std::optional<Refusal> explore_object(const flow::Program& program, std::uint32_t object,
                                      const std::vector<TaskGraph>& tasks, Environment& environment, Budget& budget,
                                      ObjectGraph& out);
// Explores all tasks and objects at once, only as far as the program gets; so the environment has nothing else. False:
// there are too many states, or it has steps that this does not know.
bool explore_jointly(const flow::Program& program, Environment& environment, Budget& budget,
                     std::vector<TaskGraph>& graphs, std::vector<ObjectGraph>& objects);

}  // namespace surety::ada
