// A primitive process as rules on a tuple of small variables, without its states.
//
// A state of a process is where it is (one of its local processes, or a point inside
// a chain of actions) and what its indices are. Slot 0 of the tuple is the former, the
// control; each other slot is one index. The indices of different local processes
// share a slot when one is handed on to the other, or when they have the same name;
// a slot that a control point does not use holds 0.
//
// A rule tells a step for all tuples at once that agree in what the step looks at: for
// READY[owner] = (cancel[c:1..2] -> if (owner == c) then READY[0] else READY[owner])
// there are rules for owner = 0, 1, 2, and if READY had ten more indices there would be no
// more rules than these. Conditions are gone through as a person would, && and || from
// left to right and no further than needed, and a slot is read, that is, all its values
// tried, when a condition, a label or the value of another index asks for it.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "lang/fsp/front/label.hpp"
#include "model/alphabet.hpp"

namespace surety::fsp {

// What a rule does to one slot. Values are numbers that the rules give them.
struct Move {
  static constexpr std::uint32_t kAny = UINT32_MAX;  // from: whatever it was; to: what it was
  std::uint32_t from = kAny, to = kAny;
  bool idle() const { return from == kAny && to == kAny; }
  friend auto operator<=>(const Move&, const Move&) = default;
};

struct TupleRule {
  Action action;
  std::vector<Move> moves;  // by slot; that of the control always has both sides
};

struct TupleProcess {
  std::vector<std::string> slots;  // their names
  std::vector<std::uint32_t> initial;
  std::uint32_t values = 1;          // all numbers are below it
  std::uint32_t error = Move::kAny;  // the control in which the process is ERROR, if there is one
  std::vector<TupleRule> rules;      // relabelled as the definition says
  Alphabet alphabet, extension, hidden;
};

// Or why there are no such rules: what FSP offers and tuples do not, too many rules, or an error, of which nothing is
// reported. The scope has the parameters.
tl::expected<TupleProcess, std::string> tuple_rules(const ProcessDefinition& definition, const Scope& scope,
                                                    const Tree& tree, const Effort& effort, ActionTable& actions,
                                                    std::uint64_t most_work);

}  // namespace surety::fsp
