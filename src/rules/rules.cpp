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
constexpr SymRule kSym{"sym", Closing::nothing, false}, kSymA{"sym-a", Closing::property, false},
    kSymB{"sym-b", Closing::component, false}, kSym2{"sym-2", Closing::nothing, true},
    kSym2a{"sym-2a", Closing::property, true}, kSym2b{"sym-2b", Closing::component, true};

template <const SymRule& rule>
Verdict prove(const ProofGoal& goal, const Context& context) {
  return prove_sym(rule, goal, context);
}

Verdict prove_monolithic(const ProofGoal& goal, const Context& context) {
  if (context.checker != nullptr) {
    auto result = check_triple(nullptr, goal.sides[0], goal.property(), context);
    if (result.outcome == SearchResult::Outcome::found) return Violated{std::move(result.trace)};
    if (result.outcome == SearchResult::Outcome::exhausted) return Holds{{"monolithic", {}, {}}};
    return Unknown{context.budget.why(), {}, {}};
  }
  return check_property(goal.sides[0], goal.property(), nullptr, context);
}

}  // namespace

const std::vector<Rule>& all_rules() {
  using Sides = Rule::Sides;
  constexpr auto two_or_more = Sides::two_or_more;
  static const std::vector<Rule> rules = {
      {.name = "monolithic", .sides = Sides::one, .prove = prove_monolithic, .learns = false, .triples = true},
      {.name = "symbolic", .sides = Sides::one, .prove = prove_symbolic, .learns = false},
      {.name = "asym", .sides = Sides::two, .prove = prove_asym, .triples = true},
      {.name = "asym-n", .sides = two_or_more, .prove = prove_asym_n, .chain = true, .triples = true},
      {.name = "cegar", .sides = Sides::one, .prove = prove_cegar, .learns = false, .by_conjuncts = true},
      {.name = "sym", .sides = two_or_more, .prove = prove<kSym>},
      {.name = "sym-a", .sides = two_or_more, .prove = prove<kSymA>},
      {.name = "sym-b", .sides = two_or_more, .prove = prove<kSymB>},
      {.name = "sym-2", .sides = two_or_more, .prove = prove<kSym2>, .property_a_side = true},
      {.name = "sym-2a", .sides = two_or_more, .prove = prove<kSym2a>, .property_a_side = true},
      {.name = "sym-2b", .sides = two_or_more, .prove = prove<kSym2b>, .property_a_side = true},
      {.name = "weakest", .sides = Sides::two, .prove = prove_weakest, .learns = false, .refines = false},
      {.name = "circular", .sides = two_or_more, .prove = prove_circular, .learns = false, .chain = true},
      {.name = "agar", .sides = two_or_more, .prove = prove_agar, .learns = false},
      {.name = "minimise", .sides = Sides::one, .prove = prove_minimise, .learns = false},
  };
  return rules;
}

const Rule* find_rule(const std::string& name) {
  for (const Rule& rule : all_rules())
    if (rule.name == name) return &rule;
  return nullptr;
}

}  // namespace surety
