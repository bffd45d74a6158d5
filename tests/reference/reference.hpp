// Brute force, for tests to compare with. Slow, obviously right, never linked into the product.
//
// Everything here is written from the definitions (doc/semantics.md) with
// sets and maps, and shares no algorithm with `model`: no tuples packed into bits, no
// partitions, no subset tables. Good for a dozen states.
#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "model/automata.hpp"
#include "model/lts.hpp"

namespace surety {

// So that a failed test shows names.
std::ostream& operator<<(std::ostream& out, Action a);
std::ostream& operator<<(std::ostream& out, const Alphabet& alphabet);
std::ostream& operator<<(std::ostream& out, const Lts& lts);

}  // namespace surety

namespace surety::reference {

// --- Models as text. All tests share one table of actions.

ActionTable& actions();                // a to z are there from the start, in this order
Action action(std::string_view name);  // "tau" is kTau
Trace word(std::string_view names);    // "a b c"
Alphabet alphabet(std::string_view names);

// Items between commas: "0 toss 1" is a step, "+x" puts x into the alphabet, "error=3" and "end=2" mark
// states, "states=5" says how many there are if the steps do not ("states=0": the empty language).
Lts lts(std::string_view text);

// What lts() reads, in a fixed order. Equal texts mean equal LTSs, numbers included.
std::string text(const Lts& lts);

// --- Words.

using Words = std::set<Trace>;

Words words_up_to(std::size_t n, const Lts& lts);                           // the observable ones
Words words_up_to(std::size_t n, const Lts& lts, const Alphabet& visible);  // other actions are silent too
Words failing_words_up_to(std::size_t n, const Lts& lts);                   // those that can end in error
Words all_words_up_to(std::size_t n, const Alphabet& alphabet);
bool has_word(const Lts& lts, Word word);
bool accepts(const Automaton& automaton, Word word);  // deterministic

// --- The product, by definition.

Lts product(const std::vector<const Lts*>& parts);

// The shortest way to a violation: a step that the property lacks, or an error state. Every step is
// listed, tau too. An action that only the property has can happen at any time and moves it alone.
std::optional<Trace> shortest_violation(const std::vector<const Lts*>& parts, const Lts& property);
std::optional<Trace> shortest_error(const std::vector<const Lts*>& parts);
std::optional<Trace> shortest_deadlock(const std::vector<const Lts*>& parts);

// Can the parts do this, step by step, tau and free actions included? `property` may be null. With it, the
// trace must also end in the violation.
bool replays(const std::vector<const Lts*>& parts, const Lts* property, Word trace);

// --- Assumptions.

// The membership query: no violation in A_word || m1 || property, where A_word has the whole alphabet.
bool in_weakest_assumption(Word word, const Alphabet& alphabet, const std::vector<const Lts*>& m1, const Lts& property);
// Compares on all words up to length n over the candidate's alphabet.
bool is_weakest_assumption(const Lts& candidate, const std::vector<const Lts*>& m1, const Lts& property, std::size_t n);

// --- Equivalences. Error states match only each other, END states too.

using Relation = std::vector<std::vector<bool>>;  // [s][t]

Relation strong_bisimulation(const Lts& lts);
Relation weak_bisimulation(const Lts& lts);
bool strongly_bisimilar(const Lts& a, const Lts& b);
bool weakly_bisimilar(const Lts& a, const Lts& b);
bool trace_equivalent(const Lts& a, const Lts& b);  // what may be in error is in error

// How many moves the attacker of the bisimulation game needs; nothing if he cannot win.
std::optional<std::size_t> strong_game_length(const Lts& a, const Lts& b);
std::optional<std::size_t> weak_game_length(const Lts& a, const Lts& b);

// --- Many LTSs.

// Every LTS with at most two states over the actions a and b, the empty language included: 261.
void for_each_small_lts(const std::function<void(const Lts&)>& f);
// The same with tau, and with states without steps as error or END as well: 4,235.
void for_each_small_lts_with_tau(const std::function<void(const Lts&)>& f);
std::vector<Lts> small_ltss();
std::vector<Lts> small_ltss_with_tau();

struct Shape {
  std::uint32_t states = 6;
  std::uint32_t actions = 3;  // a, b, c, ... at most 26
  std::uint32_t steps = 10;
  std::uint32_t tau_percent = 20;    // of the steps
  std::uint32_t error_percent = 20;  // of the LTSs
  std::uint32_t end_percent = 20;
  bool deterministic = false;  // then tau_percent does not matter, and there may be fewer steps
};
Lts random_lts(Random& random, const Shape& shape = {});

}  // namespace surety::reference
