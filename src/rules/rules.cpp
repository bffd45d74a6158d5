#include "rules/rules.hpp"

#include "rules/agar.hpp"
#include "rules/asym.hpp"
#include "rules/asym_n.hpp"
#include "rules/cegar.hpp"
#include "rules/circular.hpp"
#include "rules/minimise.hpp"
#include "rules/monolithic.hpp"
#include "rules/sym.hpp"
#include "rules/symbolic.hpp"
#include "rules/triple.hpp"
#include "rules/weakest.hpp"

namespace surety {
namespace {

using Closing = SymRule::Closing;
constexpr SymRule kSym{Method::sym, Closing::nothing, false}, kSymA{Method::sym_a, Closing::property, false},
    kSymB{Method::sym_b, Closing::component, false}, kSym2{Method::sym_2, Closing::nothing, true},
    kSym2a{Method::sym_2a, Closing::property, true}, kSym2b{Method::sym_2b, Closing::component, true};

template <const SymRule& rule>
Verdict prove(const ProofGoal& goal, const Context& context) {
  return prove_sym(rule, goal, context);
}

Verdict prove_monolithic(const ProofGoal& goal, const Context& context) {
  if (context.checker != nullptr) {
    auto result = check_triple(nullptr, goal.sides[0], goal.property(), context);
    if (result.outcome == SearchResult::Outcome::found) return Violated{std::move(result.trace)};
    if (result.outcome == SearchResult::Outcome::exhausted) return Holds{{Method::monolithic, {}, {}}};
    return Unknown{context.budget.why(), {}, {}};
  }
  return check_property(goal.sides[0], goal.property(), nullptr, context);
}

}  // namespace

const std::vector<Rule>& all_rules() {
  using Sides = Rule::Sides;
  constexpr auto two_or_more = Sides::two_or_more;
  static const std::vector<Rule> rules = {
      {.method = Method::monolithic, .sides = Sides::one, .prove = prove_monolithic, .learns = false, .triples = true},
      {.method = Method::symbolic, .sides = Sides::one, .prove = prove_symbolic, .learns = false},
      {.method = Method::asym, .sides = Sides::two, .prove = prove_asym, .triples = true},
      {.method = Method::asym_n, .sides = two_or_more, .prove = prove_asym_n, .chain = true, .triples = true},
      {.method = Method::cegar, .sides = Sides::one, .prove = prove_cegar, .learns = false, .by_conjuncts = true},
      {.method = Method::sym, .sides = two_or_more, .prove = prove<kSym>},
      {.method = Method::sym_a, .sides = two_or_more, .prove = prove<kSymA>},
      {.method = Method::sym_b, .sides = two_or_more, .prove = prove<kSymB>},
      {.method = Method::sym_2, .sides = two_or_more, .prove = prove<kSym2>, .property_per_side = true},
      {.method = Method::sym_2a, .sides = two_or_more, .prove = prove<kSym2a>, .property_per_side = true},
      {.method = Method::sym_2b, .sides = two_or_more, .prove = prove<kSym2b>, .property_per_side = true},
      {.method = Method::weakest, .sides = Sides::two, .prove = prove_weakest, .learns = false, .refines = false},
      {.method = Method::circular, .sides = two_or_more, .prove = prove_circular, .learns = false, .chain = true},
      {.method = Method::agar, .sides = two_or_more, .prove = prove_agar, .learns = false},
      {.method = Method::minimise, .sides = Sides::one, .prove = prove_minimise, .learns = false},
  };
  return rules;
}

const Rule* find_rule(Method method) {
  for (const Rule& rule : all_rules())
    if (rule.method == method) return &rule;
  return nullptr;
}

}  // namespace surety
