// Progress: does every run keep doing what it should (Magee, Kramer: Concurrency, ch.
// 7)?
//
// By fair choice a run ends up in a terminal set, a strong component that nothing
// leaves (a single dead end is one), and does all of its steps again and again. So
// `progress A = {..}` is violated iff some terminal set has none of these actions, and
// `if C then A` iff some terminal set has an action of C and none of A. All terminal
// sets are looked at (LTSA stops at the first bad one, doc/semantics.md#progress).
//
// Without fair choice any cycle may be repeated for ever: A is violated iff a cycle
// (with a C in it, if there is a condition) or a dead end avoids A.
//
// What runs do that enter the error state is not asked here; that it can be reached is
// an answer of its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/product/graph.hpp"
#include "model/ltl.hpp"

namespace surety {

struct ProgressAnswer {
  std::string name;
  bool violated = false;
  Trace trace;       // violated: a shortest way into what violates it,
  Trace cycle;       // and from there once round, through all its actions if it is a terminal set. Empty: a dead end
  Alphabet missing;  // the actions of the progress set; of the default one: those that do not occur there
};

struct ProgressResult {
  std::vector<ProgressAnswer> answers;  // in the order of the sets
  std::optional<Trace> error;           // a shortest way into the error state
  std::uint32_t terminal_sets = 0;      // by fair choice
};

// Without any set the default one is checked, named DEFAULT: every action of the alphabet must occur. Nothing if the
// budget ended.
std::optional<ProgressResult> check_progress(const Graph& graph, const std::vector<ProgressSet>& sets,
                                             Fairness fairness, Budget& budget);

}  // namespace surety
