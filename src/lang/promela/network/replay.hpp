// A trace of the network, walked on the machine: the same violation, in the steps of the program.
//
// A network has a word if each component has the projection of the word to its alphabet. So
// each process first finds its own path through its projection, alone, silent steps included;
// then the machine follows, process by process, each from one known frame to the next.
// Between two frames there is little to search: one statement, or one atomic sequence.
#pragma once

#include <map>

#include "lang/promela/machine/machine.hpp"
#include "lang/promela/network/joint_transition.hpp"
#include "model/lts.hpp"

namespace surety {
class Budget;

namespace promela::net {

// What is known of the processes and of the actions of the network.
struct Replay {
  struct Participant {
    std::string name;
    std::uint32_t pid = 0;
    Lts lts;                    // the process alone, before it was put together with variables and other processes
    std::vector<Bytes> frames;  // by state; the error state has none
  };
  struct Effect {
    std::vector<std::size_t> participants;
    std::vector<std::string> events;  // as the machine names them
    struct Leaves {
      VariableLeaf variable;
      std::int32_t value;
    };
    std::vector<Leaves> leaves;  // the values that variables have afterwards
  };
  Bytes start;  // the state of the machine when all processes are there
  std::uint32_t init = kNone;
  std::uint32_t globals_bytes = 0;
  std::vector<Participant> participants;
  std::map<Action, Effect> effects;
};

}  // namespace promela::net

// Where the path has to lead: to a fault in its last step, one of the program or one of what the machine watches; to a
// state without steps that is no valid end; or no further than the word goes.
enum class ReplayEnd : std::uint8_t { fault, watch, deadlock, anywhere };

// By the name of a process: the state that its component most likely ends in; it is tried first.
using LikelyEnds = std::map<std::string, std::uint32_t>;

// Nothing: no such path was found, or the budget has ended.
std::optional<MachinePath> replay_on_machine(const promela::net::Replay& replay, PromelaMachine& machine,
                                             const ActionTable& actions, const Trace& word, ReplayEnd end,
                                             const LikelyEnds& likely, Budget& budget);

}  // namespace surety
