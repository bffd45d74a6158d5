#include "rules/weakest.hpp"

#include <tsl/robin_map.h>

#include "base/check.hpp"
#include "engine/product/subset.hpp"
#include "model/minimise.hpp"
#include "rules/merge.hpp"
#include "rules/triple.hpp"

namespace surety {
namespace {

using Outcome = SearchResult::Outcome;
using Node = SubsetWalk::Node;

// All sets that are not rejected, breadth first. Nothing: the budget ended.
std::optional<Lts> explore(SubsetWalk& walk, const Alphabet& letters, Budget& budget) {
  const Node start = walk.initial();
  if (!budget.go_on()) return std::nullopt;
  if (start == SubsetWalk::kRejected) return empty_language(letters);
  LtsBuilder builder;
  builder.add_to_alphabet(letters);
  Charge charge(budget);
  std::uint64_t steps = 0;
  std::vector<Node> nodes{start};
  tsl::robin_map<Node, std::uint32_t> number{{start, 0}};
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    for (std::uint32_t letter = 0; letter < letters.size(); ++letter) {
      const Node next = walk.step(nodes[i], letter);
      if (!budget.go_on()) return std::nullopt;  // before the answer is believed
      if (next == SubsetWalk::kRejected) continue;
      const auto [it, fresh] = number.try_emplace(next, static_cast<std::uint32_t>(nodes.size()));
      if (fresh) nodes.push_back(next);
      builder.add_step(State{i}, letters[letter], State{it->second});
      ++steps;
    }
    // A step lies in the builder, in the LTS, and in the tables of the minimisation.
    if (!charge.grow_to(64 * (steps + nodes.size()))) budget.stop(Stop::memory);
    if (!budget.go_on()) return std::nullopt;
  }
  builder.set_state_count(static_cast<std::uint32_t>(nodes.size()));
  return builder.build();
}

}  // namespace

Lts empty_language(const Alphabet& alphabet) {
  LtsBuilder builder;
  builder.set_state_count(0);
  builder.add_to_alphabet(alphabet);
  return builder.build();
}

std::optional<Lts> weakest_assumption(const std::vector<Part>& system, const Alphabet& alphabet,
                                      const Context& context) {
  context.budget.phase("weakest assumption");
  SubsetWalk walk(system, alphabet, context.budget);
  auto sets = explore(walk, alphabet, context.budget);
  context.cost.add(walk.states(), walk.transitions());
  if (!sets || sets->state_count() == 0) return sets;
  return minimise_strong(*sets,
                         &context.budget);  // all states accept: for these, bisimulation is equality of languages
}

Verdict prove_weakest(const ProofGoal& goal, const Context& context) {
  const ComponentSet &m1 = goal.sides[0], &m2 = goal.sides[1];
  const Lts& property = goal.property();
  const Alphabet mine = unite(alphabet_of(m1), property.alphabet()), theirs = alphabet_of(m2);
  const Alphabet interface = intersect(mine, theirs);
  const auto weakest = weakest_assumption(triple(nullptr, m1, property), interface, context);  // <A> M1 <P>
  if (!weakest) return Unknown{context.budget.why(), {}, "", {}};
  const bool hopeless = weakest->state_count() == 0;
  context.tell(told::Conjecture{1, *weakest});

  context.budget.phase("oracle 2");
  SearchResult kept;  // <true> M2 <A>; not even silence keeps the empty language
  kept.outcome = Outcome::found;
  if (!hopeless) kept = check_triple(nullptr, m2, *weakest, context);
  if (kept.outcome == Outcome::stopped)
    return Unknown{context.budget.why(), {*weakest}, "the weakest; whether the rest keeps it is untested", {}};
  const bool holds = kept.outcome == Outcome::exhausted;
  const int oracle = hopeless ? 1 : 2;
  const char* const result = holds ? "holds" : "violated";
  ++context.cost.conjectures;
  context.tell(told::Answered{1, oracle, result, {}, kept.trace, kept.states, kept.transitions});
  context.cost.record(
      {1, weakest->state_count(), oracle, kept.states, kept.transitions, result, {}, {}, 0, context.kept(*weakest)});
  if (holds) return Holds{{Method::asym, {}, {*weakest}}};

  const auto ours = violation_under(project(kept.trace, interface), interface, m1, property, context);
  if (ours.outcome == Outcome::stopped)
    return Unknown{context.budget.why(), {*weakest}, "the weakest, and the rest does not keep it", {}};
  check(ours.outcome == Outcome::found, "the weakest assumption lacks a word that is safe");
  auto whole = merge({{ours.trace, mine}, {kept.trace, theirs}});
  check(whole.stuck.empty(), "two traces that agree on the interface do not fit together");
  return Violated{std::move(whole.trace)};
}

}  // namespace surety
