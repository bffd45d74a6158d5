// Minimising for traces, and what all ways to minimise share: the quotient.
//
// After determinise() every state has at most one step per action and no tau. Then
// strong bisimulation and trace equivalence are the same relation, so the strong
// algorithm, which is Hopcroft's (1971) on such an LTS, gives the smallest one.
#include "model/minimise.hpp"

#include <algorithm>

#include "model/automata.hpp"
#include "model/quotient.hpp"
#include "model/transform.hpp"

namespace surety {
namespace {

constexpr std::uint32_t kNone = UINT32_MAX;

LtsBuilder states_of_quotient(const Lts& lts, const std::vector<std::uint32_t>& classes) {
  LtsBuilder builder;
  builder.add_to_alphabet(lts.alphabet());
  builder.set_state_count(classes.empty() ? 0 : *std::max_element(classes.begin(), classes.end()) + 1);
  if (lts.error()) builder.set_error(State{classes[lts.error()->value]});
  if (lts.end()) builder.set_end(State{classes[lts.end()->value]});
  return builder;
}

}  // namespace

std::vector<std::uint32_t> in_order(std::vector<std::uint32_t> classes) {
  std::vector<std::uint32_t> number(classes.size(), kNone);
  std::uint32_t next = 0;
  for (std::uint32_t& c : classes) {
    if (number[c] == kNone) number[c] = next++;
    c = number[c];
  }
  return classes;
}

Lts merge_equal(const Lts& lts, const std::vector<std::uint32_t>& classes) {
  LtsBuilder builder = states_of_quotient(lts, classes);
  std::uint32_t met = 0;  // classes come in order: a state is the first of its class iff that is `met`
  for (std::uint32_t s = 0; s < lts.state_count(); ++s) {
    if (classes[s] != met) continue;
    ++met;
    for (const Step& step : lts.steps(State{s}))
      builder.add_step(State{classes[s]}, step.action, State{classes[step.target.value]});
  }
  return builder.build();
}

Lts merge_silent(const Lts& lts, const std::vector<std::uint32_t>& classes) {
  LtsBuilder builder = states_of_quotient(lts, classes);
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s})) {
      const State from{classes[s]}, to{classes[step.target.value]};
      if (step.action != kTau || from != to) builder.add_step(from, step.action, to);
    }
  return builder.build();
}

Lts minimise_trace(const Lts& lts, Budget* budget) { return minimise_strong(determinise(lts, budget), budget); }

}  // namespace surety
