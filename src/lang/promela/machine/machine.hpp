// A Promela program as a machine with SPIN's semantics (model/machine.hpp).
//
// The bytes of a state, as in pan: how many processes and channels there are, which process
// has the floor (it is inside an atomic sequence), the place of the trace assertion
// that is watched; the globals; then one frame for each process and channel in the order
// of their making. A process frame is its proctype, its place in the flow (flow.hpp) and
// its variables; a channel frame is its kind, its length and its messages. Only the
// youngest process can go, and the channels that were made after it go with it.
//
// A step is a statement of one process, or a rendezvous: the sender's statement and the
// receiver's. If a step keeps the floor, the state says so and only that process moves
// next; when it cannot, it loses the floor, and the state is the same as if it never had
// it. After a rendezvous the receiver has the floor if its own step keeps it. `else` asks
// whether anything else of the process was executable there. `timeout` is true when nothing else is executable.
//
// Variables are as wide as pan makes them: bit and bool have one bit alone and eight in
// an array; message fields are as wide as their types.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "lang/promela/promela.hpp"
#include "model/machine.hpp"

namespace surety {

struct PromelaMachineOptions {
  // A trace or notrace assertion, in Program::processes. A valid end is then one where this is complete, whatever the
  // processes do.
  std::uint32_t watch = UINT32_MAX;
};

// Where a process is.
struct PromelaStand {
  struct At {
    std::uint32_t line = 0;
    std::string statement;
  };
  std::string process;     // P or P(2), as in ShownStep
  std::vector<At> at;      // what it may do next, executable or not; none: it has ended
  bool valid_end = false;  // it may stay there for ever
};

struct PromelaStatement {
  std::string process;  // its proctype
  std::uint32_t line = 0;
  std::string text;
  bool counts = false;     // it is of a process, and not only a jump or a bracket around others
  std::uint32_t same = 0;  // the first of those that are the same statement of the text
};

struct PromelaValue {
  std::string name;  // x, level[2], P.x, P(2).x, c
  std::string value;
};

class PromelaMachine : public Machine {
 public:
  // What can be refused here but not by the parser has a place too.
  static Result<std::unique_ptr<PromelaMachine>> make(const PromelaFile& file, ActionTable& actions,
                                                      const PromelaMachineOptions& options = {});
  // The bytes of a process, by its number, in a state. They are there until the machine is asked again.
  virtual MachineState frame(MachineState state, std::uint32_t process) = 0;
  // Does it execute a whole d_step? Then its action is the last of several.
  virtual bool is_d_step(const MachineStep& step) const = 0;
  // A proposition about the globals and labels, for holds().
  virtual std::uint32_t add_proposition(const promela::Expression& expression) = 0;
  // One more: a process stands at a label accept... of its own.
  virtual std::uint32_t add_accepting() = 0;
  // A never claim of the program, by its number in Program::processes.
  virtual Result<MachineClaim> claim(std::uint32_t process) = 0;
  // A state as a person reads it: where each living process is; globals, variables of processes, and what is in
  // channels with a buffer.
  virtual std::vector<PromelaStand> stands(MachineState state) = 0;
  virtual std::vector<PromelaValue> values(MachineState state) = 0;
  // What a step prints: its statement if it is a printf or printm, or those inside the d_step that it executes.
  virtual std::string printed(MachineState before, const MachineStep& step) = 0;
  // All statements of the program; and which of them processes have come to in this state, as pan counts: those where
  // one stands, executable or not, and those that d_steps execute.
  virtual std::vector<PromelaStatement> statements() = 0;
  virtual void add_tried(MachineState state, std::vector<bool>& tried) = 0;
  // What was wrong with the propositions so far.
  virtual Diagnostics take_errors() = 0;
};

}  // namespace surety
