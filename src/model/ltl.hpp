// What a system must do in the long run: formulas of linear temporal logic over events
// and fluents (Giannakopoulou, Magee 2003), and progress sets.
//
// A run is a sequence of events; position i is right after the i-th event. A set of
// actions holds where that event is in the set, a fluent has the value it has after the
// event, and every event is a step for X, tau included (doc/semantics.md#assertions).
//
// A run may end: in a deadlock, or successfully. Then a formula is judged on the events
// there were: what [] and W ask must have held so far, what <> and U ask must have come
// true. "There is a next event" is part of X f inside an eventuality and not part of it
// elsewhere: X takes after the nearest temporal operator around it, and is weak (true
// at the end) inside [] and W and in an assertion's outermost layer, strong (false at
// the end) inside <> and U. So at the end of "a", [](a -> X b) holds and <>(a && X b)
// does not. Negation swaps [] with <> and weak with strong, so the rule is its own
// mirror image. LTSA has no rule but its automata; for the formulas that people write
// this is what they do.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/alphabet.hpp"

namespace surety {

// Becomes true after an initiating action and false after a terminating one. The two sets are disjoint.
struct Fluent {
  std::string name;
  Alphabet initiating, terminating;
  bool initially = false;
};

struct Formula {
  enum class Op {
    actions,
    fluent,
    constant,
    negation,
    next,
    eventually,
    always,
    both,
    either,
    until,
    weak_until,
    implies,
    iff
  };
  Op op = Op::constant;
  Alphabet actions;               // holds right after one of these
  std::uint32_t fluent = 0;       // an index into the assertion's fluents
  bool value = false;             // of a constant
  std::vector<Formula> operands;  // `both` and `either` have any number
};

struct Assertion {
  std::string name;
  Formula formula;
  std::vector<Fluent> fluents;
  Alphabet extension;  // more actions that it knows
};

// The actions an assertion knows: of its formula, of its fluents, and its extension. One that no part of a
// system has is free: it can happen at any time (doc/semantics.md#assertions).
Alphabet alphabet_of(const Assertion& assertion);

// Holds iff every terminal set that has an action of the condition (if there is one) has one of `actions`.
struct ProgressSet {
  std::string name;
  Alphabet actions;
  std::optional<Alphabet> condition;
};

// Which runs count. By fair choice, whatever can happen again and again does: every finite continuation that is
// possible infinitely often is taken infinitely often. Otherwise any run counts.
enum class Fairness { choice, none };

// A formula with negation only at its atoms, as a graph in which equal formulas are one node. <> f is
// (true U f) and [] f is (f W false); `not (f U g)` is (not g W (not f and not g)), and the same with U and W
// swapped.
struct NormalForm {
  using Number = std::uint32_t;  // of a node
  enum class Op { constant, literal, next, both, either, until, weak_until };
  struct Atom {
    Alphabet actions;                     // either these,
    std::optional<std::uint32_t> fluent;  // or this one
  };
  struct Node {
    Op op = Op::constant;
    bool positive = true;  // a constant's value, a literal's sign; of `next`: whether it is strong
    std::uint32_t atom = 0;
    std::vector<Number> operands;
    friend auto operator<=>(const Node&, const Node&) = default;
  };
  std::vector<Node> nodes;  // operands come before what uses them
  std::vector<Atom> atoms;
  Number root = 0;
};

// What is false of a run iff the formula is true of it.
NormalForm normal_form_of_negation(const Formula& formula);

// Of the run without any events. No event is there to make a literal true.
bool holds_on_nothing(const NormalForm& form);

// The values of fluents as events happen.
class FluentValues {
 public:
  explicit FluentValues(const std::vector<Fluent>& fluents);
  void happen(Action event);
  bool operator[](std::size_t fluent) const { return values_[fluent]; }

 private:
  const std::vector<Fluent>& fluents_;
  std::vector<bool> values_;
};

// After each event of the word: the names of the fluents that hold.
std::vector<std::vector<std::string>> fluents_along(const std::vector<Fluent>& fluents, Word word);

// Whether the run `prefix`, then `cycle` for ever, satisfies the assertion; with an empty cycle, the run that
// ends after the prefix. Worked out from the definition: good for checking a counterexample.
bool holds_on(const Assertion& assertion, Word prefix, Word cycle);

// The same of a formula over propositions (Op::fluent): position i has the truth of each. After the last position comes
// the one numbered `again`.
bool holds_on(const Formula& formula, const std::vector<std::vector<bool>>& positions, std::size_t again);

}  // namespace surety
