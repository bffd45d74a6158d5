#include "certify/certify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "certify/flow.hpp"
#include "certify/rules.hpp"
#include "certify/search.hpp"

namespace surety::certify {
namespace {

using Kind = Judgement::Kind;

// The components of each side, if the sides together are all components, each once.
std::optional<std::string> resolve(const Network& network, const Split& split,
                                   std::vector<std::vector<const Lts*>>& sides) {
  std::set<std::string> used;
  for (const auto& names : split) {
    if (names.empty() && !network.components.empty()) return "the split has an empty side";
    auto& side = sides.emplace_back();
    for (const auto& name : names) {
      const auto it = std::find_if(network.components.begin(), network.components.end(),
                                   [&](const Component& c) { return c.name == name; });
      if (it == network.components.end()) return fmt::format("the split names '{}', which is no component", name);
      if (!used.insert(name).second) return fmt::format("the split names '{}' twice", name);
      side.push_back(&it->lts);
    }
  }
  for (const auto& component : network.components)
    if (!used.contains(component.name)) return fmt::format("the split leaves out '{}'", component.name);
  return std::nullopt;
}

}  // namespace

Judgement check_safety(const Network& network, const std::vector<const Property*>& properties,
                       const Certificate& certificate, Budget& budget, const Teller& tell) {
  RuleInstance instance{{}, {}, certificate.assumptions, certificate.diagram, certificate.parts, tell};
  for (const auto* property : properties) {
    if (!is_deterministic(property->lts)) return refuse("the property is not deterministic");
    if (property->lts.error()) return refuse("the property has an error state");
    instance.properties.push_back(&property->lts);
  }
  // Of a run into one the plain search would see no more, and in a property check the others go on.
  for (const Component& component : network.components)
    if (component.lts.error()) return refuse(fmt::format("component '{}' has an error state", component.name));
  if (auto wrong = resolve(network, certificate.split, instance.sides)) return refuse(*wrong);
  if (certificate.rule == Method::flavers)
    return check_flow(network, *instance.properties[0], certificate, budget, tell);
  return check_rule(certificate.rule, instance, budget);
}

namespace {

// A question about the whole network that only the whole product answers.
Judgement check_whole(const char* what, const Network& network, const Certificate& certificate, Question question,
                      Budget& budget, const Teller& tell) {
  const bool symbolic = certificate.rule == Method::symbolic && question.deadlock;
  if (certificate.rule != Method::monolithic && !symbolic)
    return refuse(fmt::format("rule '{}' does not prove {}", name_of(certificate.rule), what));
  std::vector<std::vector<const Lts*>> sides;
  if (auto wrong = resolve(network, certificate.split, sides)) return refuse(*wrong);
  if (sides.size() != 1) return refuse(fmt::format("rule {} has no split", name_of(certificate.rule)));
  if (symbolic) return check_invariant(sides[0], nullptr, true, certificate.diagram, budget, tell);
  question.components = sides[0];
  std::uint64_t states = 0;
  return premise(what, question, budget, states, tell);
}

}  // namespace

Judgement check_deadlock_free(const Network& network, const Certificate& certificate, Budget& budget,
                              const Teller& tell) {
  return check_whole("freedom from deadlock", network, certificate, {.deadlock = true}, budget, tell);
}

Judgement check_error_free(const Network& network, const Certificate& certificate, Budget& budget, const Teller& tell) {
  return check_whole("freedom from error", network, certificate, {.error = true}, budget, tell);
}

}  // namespace surety::certify
