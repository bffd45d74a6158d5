// A flow program as a network of LTSs, so that everything that proves networks proves Ada programs.
//
// There is one component per task, one per slot of a shared variable (its states are its values) and one per protected
// object (its states are the values of its private data). Names of actions: doc/manual.md#ada.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "base/budget.hpp"
#include "lang/ada/program.hpp"
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
    std::vector<State> states;  // by state of the component
    std::vector<Edge> edges;    // sorted by `from`
  };
  Network network;
  std::vector<Task> tasks;
  std::map<std::size_t, std::vector<std::string>> values;  // by component that is no task: what its states are
  Property failures;                                       // none of the actions ...fails... happens
  std::map<Action, std::string> choices;  // actions that stand for a choice that depends on something opaque: on what
  std::vector<std::string> unchecked;     // variables with too many values, and lines with checks of something opaque
  std::vector<std::string> variables;     // names of components that are variables
  std::vector<std::string> objects;       // and protected objects
  std::vector<std::string> queues;        // and queues of entries
  Diagnostics warnings;
};

// How the components are found. Each task alone, among the values that it may meet; all at once where these are too
// many; or always all at once (for tests: it makes no difference to what the network does).
enum class AdaExploring : std::uint8_t { as_needed, jointly };

// What is refused is a diagnostic; the budget can end it too, which its why() tells.
tl::expected<AdaNetwork, Diagnostic> ada_network(const AdaProgram& program, ActionTable& actions, Budget& budget,
                                                 AdaExploring exploring = AdaExploring::as_needed);

}  // namespace surety
