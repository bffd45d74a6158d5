// What the front end is told, and what it makes of processes and composites.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/diagnostics.hpp"
#include "model/lts.hpp"
#include "model/priority.hpp"

namespace surety {

// Overrides `const name = ...`, wherever it is used.
struct FspDefine {
  std::string name;
  int value = 0;
};

// A primitive process with its default parameters, as LTSA compiles it: reachable states only; a property is
// complete (every missing step leads to error).
struct FspProcess {
  std::string name;
  Lts lts;
  bool property = false;
  Diagnostics warnings;
};

// Which process, and with which parameters.
struct FspInstance {
  std::string process;
  std::vector<std::variant<int, std::string>> values;  // none: the defaults
};

// Where in the text a state of a process is: the local process as it is written, and what has been done since.
struct FspStateName {
  std::string text;        // "PORT[1] after a -> b"
  std::uint32_t line = 0;  // of the local process
};
using FspStateNames = std::vector<FspStateName>;  // by state

struct FspMachine {
  std::string name;  // as LTSA writes it: "x:AB.A", "{a,b}::R", "P(3)"
  Lts lts;
  bool property = false;
  Alphabet extension;                        // actions that were added with +{..}: they never happen, on purpose
  std::string definition = {};               // of a property: P, whatever its parameters and prefixes are
  std::optional<FspInstance> instance = {};  // whose states these are, by the same numbers
};

// What runs in parallel, and what is done to the result. Priority acts while composing, on unhidden actions.
struct FspComposite {
  std::string name;
  std::vector<FspMachine> machines;  // referenced composites are flattened as LTSA flattens them
  bool implicit = false;             // DEFAULT: all processes, in a file without composites
  std::optional<Priority> priority;
  Alphabet hidden;
  bool property = false, minimal = false, deterministic = false;
  Diagnostics warnings;
};

struct FspMenu {
  std::string name;
  Alphabet actions;
};

struct FspConstant {
  std::string name;
  std::variant<int, std::string> value;  // a number or a label
};

// Processes come apart into cells where they can.
struct FspCells {
  std::uint32_t whole_states = 100;     // processes with at most so many states stay whole
  bool join = false;                    // a cell whose state another cell determines is joined to that one
  std::uint64_t most_work = 3'000'000;  // in conditions and labels; a process that takes more stays whole
};

// Bounds on elaboration, so that absurd models end in an error and not in exhausted memory.
struct FspLimits {
  std::uint64_t labels = 20'000'000;            // generated while one definition is elaborated
  std::uint64_t set_labels = 2'000'000;         // in all named sets together
  std::uint32_t states = 5'000'000;             // of one process, before unreachable ones are dropped
  std::uint32_t machines = 10'000;              // of one composite
  std::uint32_t actions = 2'000'000;            // with different names, in all
  std::uint64_t composite_steps = 200'000'000;  // relabelled while one composite is elaborated
  std::optional<FspCells> cells;                // nothing: all processes stay whole
  bool other_defines = false;                   // a define may be of no constant of the file
};

}  // namespace surety
