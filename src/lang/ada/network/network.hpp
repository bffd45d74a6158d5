// A flow program as a network of LTSs, so that everything that proves networks proves Ada programs.
//
// There is one component per task, one per slot of a shared variable (its states are its values) and one per protected
// object (its states are the values of its private data). On demand the variables that only one task uses are
// components as well (own_apart.hpp); so that there are fewer, larger ones, a shared variable can be one with the tasks
// that use it (group_shared.hpp). Names of actions: doc/manual.md#ada.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "base/budget.hpp"
#include "lang/ada/flow/program.hpp"
#include "lang/net/group.hpp"
#include "model/action.hpp"
#include "model/network.hpp"

namespace surety {

// What one task does in an action.
struct AdaStep {
  std::string task;
  std::uint32_t place = 0;  // in flow::Program::places
};

struct AdaNetwork {
  struct State {
    enum class Mode : std::uint8_t { runs, fails, completed, terminated, dormant, abandoned, ended, given_up };
    Mode mode = Mode::runs;
    std::uint32_t place = 0;       // of the statement where it stands
    bool calls_at_once = false;    // it is a conditional call
    bool accepts_at_once = false;  // it is an accept with an else part
  };
  struct Edge {
    std::uint32_t from = 0, to = 0;
    Action action{};
    std::uint32_t place = 0;
  };
  struct Task {
    std::string name;
    std::size_t component = 0;  // in the network
    bool is_busy = false;       // it does more than begin and end with its master, and wait for such
    std::vector<State> states;  // by state of the component
    std::vector<Edge> edges;    // sorted by `from`
  };
  // What a component is.
  struct Part {
    enum class Kind : std::uint8_t { task, variable, object, queue };
    Kind kind = Kind::task;
    std::optional<std::size_t> task;  // in `tasks`: this task; the one whose own variable it is; whose queue it is
  };
  // One or several components of the network as one.
  struct Group {
    std::vector<std::size_t> members;
    std::vector<std::vector<surety::State>> states;  // by state: those of the members. Empty: one member, and its own
  };
  Network network;
  std::vector<Part> parts;  // by component
  // The same network with shared variables in groups, if there is any group; every other component is there, too.
  std::optional<Network> grouped;
  std::vector<Group> groups;                // by component of that; none: nothing is grouped
  std::vector<net::SharedVariable> shared;  // what became of each, if it was tried to group them
  std::vector<Task> tasks;
  std::map<std::size_t, std::vector<std::string>> values;  // by component that is no task: what its states are
  Property failures;                                       // none of the actions ...fails... happens
  std::map<Action, std::string> choices;  // actions that stand for a choice that depends on something opaque: on what
  std::vector<std::string> unchecked;     // variables with too many values, and lines with checks of something opaque
  Diagnostics warnings;

  // The names of the components of a kind.
  std::vector<std::string> names_of(Part::Kind kind) const;
  // Of the components of `network`, if these are of those of `grouped`; or the same, if nothing is grouped.
  std::vector<surety::State> states_apart(const std::vector<surety::State>& states) const;
  // What tasks do to variables of their own, where these are components.
  Alphabet own_accesses() const;
};

// How the components are found. Each task alone, among the values that it may meet; a task that has many states then,
// all at once or beside the others; or always all at once, or every second task beside the others (for tests: it makes
// no difference to what the network does).
enum class AdaExploring : std::uint8_t { as_needed, jointly, beside };

// Where the variables that only one task uses are: in the states of the task, or components of their own. What they do
// to each other has names then (table.count.is.2, table.count.to.3); everything else is the same.
enum class AdaOwnVariables : std::uint8_t { in_tasks, apart };

struct AdaNetworkOptions {
  AdaExploring exploring = AdaExploring::as_needed;
  AdaOwnVariables own = AdaOwnVariables::in_tasks;
  std::uint32_t whole_states = 0;  // apart: only of tasks with more states than that
  bool group = false;              // shared variables
};

// What is refused is a diagnostic; the budget can end it too, which its why() tells. If it is refused with variables
// apart, they are in their tasks; if it is refused with them there, because of too many states or values, those of
// large tasks are apart.
tl::expected<AdaNetwork, Diagnostic> ada_network(const AdaProgram& program, ActionTable& actions, Budget& budget,
                                                 const AdaNetworkOptions& options = {});

}  // namespace surety
