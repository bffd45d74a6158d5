// A system that is given by its steps: nothing is known of a state but its bytes.
//
// An LTS lists its states; a program only says what can happen in one. Searches that
// need no more than that, and the checker, work on this interface, so they know no
// language. A state is a string of bytes; equal states have equal bytes.
//
// Some states lie inside an indivisible sequence (`between`): they are steps of a path
// and nothing can be observed there. Counts of states leave them out.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/action.hpp"
#include "model/ltl.hpp"

namespace surety {

using MachineState = std::span<const std::uint8_t>;

struct MachineStep {
  // What went wrong in the step. Only after `assertion` does the system go on; the others have no next state.
  enum class Fault : std::uint8_t { none, assertion, error, watch };
  Action action = kTau;
  std::uint32_t process = 0;    // which one moves, and
  std::uint32_t statement = 0;  // what it executes; in a rendezvous the sender
  std::int32_t partner = -1;    // the receiver in a rendezvous
  std::uint32_t partner_statement = 0;
  Fault fault = Fault::none;
  std::uint8_t why = 0;               // the machine knows what it means
  std::uint32_t begin = 0, size = 0;  // the next state, in MachineSteps::bytes
};

struct MachineSteps {
  bool with_actions = false;  // fill in `action`; names cost time, so only where they are needed
  std::vector<MachineStep> steps;
  std::vector<std::uint8_t> bytes;

  void clear() {
    steps.clear();
    bytes.clear();
  }
  MachineState next(const MachineStep& step) const { return {bytes.data() + step.begin, step.size}; }
};

// A path from the initial state. The last step of a fault has no next state.
struct MachinePath {
  std::vector<MachineStep> steps;
  std::vector<std::vector<std::uint8_t>> states;  // before each step, and after the last one if there is one
};

// How one step is shown to a person.
struct ShownStep {
  std::string process;  // P or P(2): the name, and the number if there can be several
  std::uint32_t line = 0;
  std::string statement;  // as in the source
  std::string note;       // what is wrong, if something is
};

// A claim: an automaton that looks at every state of a run, the initial one first, and moves along an edge whose
// propositions are as it asks. A run is what it describes if it passes accepting places again and again, or comes to a
// place where it is over. A run that has ended stands still in its last state for ever, unless only endless runs count.
// States in the middle of an indivisible sequence are not looked at.
struct MachineClaim {
  static constexpr std::uint32_t kNoProposition = UINT32_MAX;
  struct Edge {
    std::vector<std::uint32_t> all;   // propositions that must hold
    std::vector<std::uint32_t> none;  // and those that must not
    std::uint32_t target = 0;
  };
  struct Place {
    std::vector<Edge> edges;
    bool accepting = false;
    bool over = false;
  };
  std::vector<Place> places;
  std::uint32_t start = 0;
  std::uint32_t accepting = kNoProposition;  // where it holds, every place is accepting
  bool endless = false;                      // only endless runs count
};

// A formula over propositions of a machine: its fluent i is propositions[i].
struct MachineFormula {
  Formula formula;
  std::vector<std::uint32_t> propositions;
};

// What can be asked of all states and steps: does a step have a fault, break the watch, is there an invalid end, is a
// formula false?
enum class MachineGoal : std::uint8_t { fault, watch, invalid_end, formula };
inline constexpr std::size_t kMachineGoals = 4;

class Machine {
 public:
  virtual ~Machine() = default;
  virtual std::vector<std::uint8_t> initial() = 0;
  virtual void successors(MachineState state, MachineSteps& out) = 0;  // `out` is cleared first
  virtual bool valid_end(MachineState state) = 0;  // of a state without steps: all have come where they may stop
  virtual bool between(MachineState state) = 0;

  // Propositions about states, numbered from 0.
  virtual bool holds(std::uint32_t proposition, MachineState state) = 0;

  virtual std::vector<ShownStep> show(MachineState before,
                                      const MachineStep& step) = 0;  // one or, in a rendezvous, two
};

}  // namespace surety
