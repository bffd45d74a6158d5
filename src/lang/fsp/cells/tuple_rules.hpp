// A primitive process as rules on a tuple of small variables, without its states.
//
// A state of a process is where it is (one of its local processes, or a point inside
// a chain of actions) and what its indices are. Slot 0 of the tuple is the former, the
// control; each other slot is one index. The indices of different local processes
// share a slot when one is handed on to the other, or when they have the same name;
// a slot that a control point does not use holds 0.
//
// A rule describes a step of all tuples at once that agree in the slots that the step reads: for
// READY[owner] = (cancel[c:1..2] -> if (owner == c) then READY[0] else READY[owner])
// there are rules for owner = 0, 1, 2, and if READY had ten more indices there would be no
// more rules than these. Conditions are evaluated lazily, && and || from left to right and no
// further than needed. A slot is read, that is, all its values are tried, only when a
// condition, a label or the value of another index needs it.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "lang/fsp/front/label.hpp"
#include "model/alphabet.hpp"

namespace surety::fsp {

// What a rule does to one slot. Values have numbers (TupleValues).
struct SlotChange {
  static constexpr std::uint32_t kAny = UINT32_MAX;  // from: any value; to: the same value as before
  std::uint32_t from = kAny, to = kAny;
  bool idle() const { return from == kAny && to == kAny; }
  friend auto operator<=>(const SlotChange&, const SlotChange&) = default;
};

struct TupleRule {
  Action action;
  std::vector<SlotChange> changes;  // by slot; the change of the control always has both values
};

struct TupleProcess {
  std::vector<std::string> slots;  // their names
  std::vector<std::uint32_t> initial;
  std::uint32_t values = 1;                // all numbers are below it
  std::uint32_t error = SlotChange::kAny;  // the control in which the process is ERROR, if there is one
  std::vector<TupleRule> rules;            // relabelled as the definition says
  Alphabet alphabet, extension, hidden;
};

// The scope has the parameters. If there are no such rules, why: a construct of FSP that tuples cannot express, too
// many rules, or an error, which is not reported here.
tl::expected<TupleProcess, std::string> tuple_rules(const ProcessDefinition& definition, const Scope& scope,
                                                    const Tree& tree, const Effort& effort, ActionTable& actions,
                                                    std::uint64_t most_work);

}  // namespace surety::fsp
