// One check and its answer.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "load/trace_file.hpp"
#include "model/check_kind.hpp"
#include "model/ltl.hpp"
#include "model/machine.hpp"
#include "model/verdict.hpp"
#include "rules/cost.hpp"
#include "rules/flow_answer.hpp"

namespace surety::api {

// Of a proof for every size, or the lack of one.
struct SizesAnswer {
  std::string parameter;
  int from = 0;
  std::vector<int> proved;  // sizes with proofs of their own
  std::optional<int> violated_at;
  std::uint64_t states = 0;  // of the largest LTS of the induction
  std::size_t cells = 0;     // after so many cells it repeats
  std::string why;           // why there is no proof for all
};

// Where a process is when a counterexample ends, and what it could do if the others let it.
struct Stand {
  std::string process;
  std::string where;  // a state, or a statement
  int line = 0;       // 0: not known
  enum class As { waiting, stopped, ended, failed } as = As::waiting;
  struct Wish {
    std::string action;
    std::vector<std::string> refused_by;  // none: it can happen
  };
  std::vector<Wish> wishes = {};
};

struct Check {
  CheckKind kind = CheckKind::safety;
  std::string property;  // its name, if it has one
  Method method = Method::monolithic;
  bool by_auto = false;  // the method was chosen by auto
  Split split;
  Verdict verdict;
  Cost cost;
  bool certified = false;
  std::string not_certified;                         // why not
  std::vector<Fluent> fluents;                       // of an assertion: what to show along its trace
  std::optional<SizesAnswer> sizes;                  // of a proof for all sizes
  std::vector<std::vector<std::string>> takes_part;  // for each step of the trace and the cycle: which processes
  Alphabet starved;                               // of a progress set that is violated: what does not happen any more
  std::vector<Stand> stands;                      // of a counterexample that ends
  std::vector<State> last;                        // of a deadlock: where the components are
  std::vector<TraceStep> steps;                   // of the trace and the cycle, if the model is a program
  std::optional<std::uint64_t> confirmed_states;  // of a proof by parts: the whole program has so many, and agrees
  std::string doubt;                              // a counterexample that may be none: why, with its steps
  std::optional<FlowAnswer> flow;                 // of the engine flavers
  std::string note;                               // why another method was used than asked for
  double time_s = 0;
  double recheck_s = 0;  // of it, for the proof or the counterexample once more

  bool holds() const { return std::holds_alternative<Holds>(verdict); }
  bool violated() const { return std::holds_alternative<Violated>(verdict); }
  bool open() const { return std::holds_alternative<Unknown>(verdict); }
};

using Checks = std::vector<Check>;

// Is told of an answer when it is known.
using Answered = std::function<void(const Check&)>;

}  // namespace surety::api
