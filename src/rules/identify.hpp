// Small automata from what is known of their words, by SAT.
//
// Several deterministic automata whose states all accept (safety LTSs) are looked
// for together. What is known of them are clauses over "automaton i has the word
// w": either may be negated, and one clause may speak of several automata. The
// encoding is that of Heule and Verwer (2010) without colours for rejected words:
// the words of automaton i form a prefix tree; in(u) says that the word of node u
// is in the language, x(u, s) that it leads to state s, t(s, a, s') that there is
// such a step. A state accepts and loops with a letter of which no word says
// anything.
//
// Models. An automaton may be wanted for a model, as a guarantee is for a component.
// Words that lead the model to the same place (of its determinisation) then lead
// the automaton to the same state, and x(u, s) is one variable for all of them; and
// the solver first tries to have the words that the model can do, and to lack the
// others. The automata that this leaves out are many, and those that it keeps include
// the model itself. It costs a state now and then, and finds a circular proof of
// Peterson's algorithm in half a second; without, there was none in eight.
//
// Sizes. "Automaton i has at most k states" is an assumption literal: it demands a
// state for every node with in(u). Without it the nodes are free to have none, and
// automaton i stands for any prefix-closed language. If the solver says no, the
// assumptions it needed are those of some automata, and the smallest of those gets
// one state more. Therefore, if automata with at most K states each fit all
// clauses (and their models), none of ours ever gets more than K: would the smallest
// of those needed have K states, all of them would have at least K, and the K-state
// automata, put in their places, would be a solution under these assumptions.
//
// Symmetry. Places are numbered as they are made, and one may use state s only if an
// earlier one has used s - 1. New places come last, so that nothing said before has
// to be taken back.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/budget.hpp"
#include "engine/product/subset.hpp"
#include "model/lts.hpp"

namespace surety {

class Identifier {
 public:
  using Literal = int;  // of the SAT solver; negative: not

  struct Wanted {
    Alphabet alphabet;
    SubsetWalk* model = nullptr;  // over the same alphabet, and without error states; there may be none
  };

  Identifier(std::vector<Wanted> wanted, Budget& budget);
  ~Identifier();

  // Whether automaton i has the first 0, 1, ... all letters of the word. Letters outside its alphabet are skipped.
  std::vector<Literal> prefixes(std::size_t i, Word word);
  void add(std::vector<Literal> clause);

  // One automaton per alphabet, all states reachable. Nothing: the budget ended. There must be a solution.
  std::optional<std::vector<Lts>> solve();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace surety
