// What a rule has to prove, and what it may use. Every rule is one function
//
//   Verdict prove_NAME(const ProofGoal&, const Context&)
//
// whose certificate, if it finds one, has the assumptions. Its split is empty, and
// the caller's, unless the rule has chosen another.
#pragma once

#include <string_view>
#include <vector>

#include "learn/learner.hpp"
#include "model/observer.hpp"
#include "model/verdict.hpp"
#include "rules/checker.hpp"
#include "rules/cost.hpp"

namespace surety {

// M1 || ... || Mn satisfies P. Components have no error states (without_error): whether one goes wrong by itself is
// another question.
struct ProofGoal {
  std::vector<ComponentSet> sides;
  std::vector<const Lts*> properties;  // one; rule sym-2 takes one per side
  Split names = {};                    // of the components, for a rule that chooses a split by itself

  const Lts& property() const { return *properties.front(); }
  // Of a component of the first side, if names are given.
  std::string_view name(std::size_t i) const { return names.empty() ? std::string_view() : names[0][i]; }
};

enum class AlphabetMode { full, refine };

struct Context {
  Budget& budget;
  Cost& cost;
  unsigned threads = 1;
  LearnerKind learner = LearnerKind::lstar;
  AlphabetMode alphabet = AlphabetMode::refine;
  const Lts* supplied = nullptr;            // an assumption that is said to hold of the rest; deterministic
  const std::vector<Lts>* seeds = nullptr;  // first guesses, right or wrong; deterministic; one per assumption
  Reduction reduction = Reduction::automatic;
  Checker* checker = nullptr;                       // of triples; null: our own search
  std::optional<std::uint64_t> search_states = {};  // a search for a premise that meets more ends the proof
  Teller tell = {};                                 // what happens
  std::optional<std::uint64_t> kept_steps = {};     // conjectures of so many steps at most are kept in the cost

  // The same on other accounts.
  Context on(Budget& other, Cost& its, unsigned its_threads) const {
    return {other, its,       its_threads, learner,       alphabet, supplied,
            seeds, reduction, checker,     search_states, tell,     kept_steps};
  }
  Context telling(Teller its) const {
    Context out = *this;
    out.tell = its;
    return out;
  }
  std::optional<Lts> kept(const Lts& conjecture) const {
    return kept_steps && conjecture.transition_count() <= *kept_steps ? std::optional(conjecture) : std::nullopt;
  }
  const Lts* seed(std::size_t i) const { return seeds != nullptr && i < seeds->size() ? &(*seeds)[i] : nullptr; }
};

inline Alphabet alphabet_of(const ComponentSet& side) {
  Alphabet all;
  for (const Lts* lts : side) all = unite(all, lts->alphabet());
  return all;
}

// Actions of at least two sides.
inline Alphabet shared_alphabet(const std::vector<ComponentSet>& sides) {
  Alphabet seen, shared;
  for (const ComponentSet& side : sides) {
    const Alphabet mine = alphabet_of(side);
    shared = unite(shared, intersect(seen, mine));
    seen = unite(seen, mine);
  }
  return shared;
}

}  // namespace surety
