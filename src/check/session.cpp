#include "check/session.hpp"

#include <fmt/format.h>

#include "check/spin.hpp"
#include "decompose/portfolio/auto.hpp"
#include "decompose/properties/prove_by_conjuncts.hpp"
#include "decompose/splits/order.hpp"
#include "decompose/splits/two_way.hpp"
#include "load/assumption.hpp"
#include "load/split.hpp"

namespace surety::api {

std::vector<std::string> all_names(const Network& network) {
  std::vector<std::string> names;
  for (const auto& component : network.components) names.push_back(component.name);
  return names;
}

std::vector<const Lts*> all_components(const Network& network) {
  std::vector<const Lts*> out;
  for (const auto& component : network.components) out.push_back(&component.lts);
  return out;
}

Session::Session(const CheckOptions& options, const Model& model)
    : options_(options),
      model_(model),
      rule_(*find_method(options.method)),
      safety_(safety_network(model)),
      whole_(whole_network(model)) {}

Outcome<std::unique_ptr<Session>> Session::open(const CheckOptions& options, const Model& model, Budget& budget) {
  std::unique_ptr<Session> out(new Session(options, model));
  if (auto ok = out->read_split(); !ok) return tl::unexpected(std::move(ok.error()));
  if (auto ok = out->read_assumptions(); !ok) return tl::unexpected(std::move(ok.error()));
  if (auto ok = out->start_spin(budget); !ok) return tl::unexpected(std::move(ok.error()));
  return out;
}

Outcome<void> Session::read_split() {
  if (rule_.sides != Rule::Sides::one && model_.network.components.size() < 2)
    return usage(fmt::format("--method {} needs at least two components", rule_.name()),
                 "give the system as several components, or use --method monolithic");
  if (options_.split.empty()) return {};
  auto split = parse_split(options_.split, model_);
  if (!split) return tl::unexpected(std::move(split.error()));
  if (rule_.sides == Rule::Sides::two && split->size() != 2)
    return usage(fmt::format("--method {} needs a split in two, not in {}", rule_.name(), split->size()),
                 "for example: --split \"a,b | c\"");
  if (rule_.sides == Rule::Sides::two_or_more && split->size() < 2)
    return usage(fmt::format("--method {} needs a split in two or more", rule_.name()),
                 "for example: --split \"a,b | c | d\"");
  given_ = std::move(*split);
  return {};
}

Outcome<void> Session::read_assumptions() {
  if (!options_.assumption.empty()) {
    auto lts = read_assumption(options_.assumption, model_);
    if (!lts) return tl::unexpected(std::move(lts.error()));
    Alphabet known = alphabet_of(model_.network);
    for (const Property& property : model_.properties) known = unite(known, property.lts.alphabet());
    for (const Action a : subtract(lts->alphabet(), known)) {
      const std::string name(model_.actions->name(a));
      return bad_input(
          {file_error(options_.assumption, fmt::format("no component has the action '{}' of this assumption", name),
                      did_you_mean(name, sorted_names(*model_.actions, known)))});
    }
    supplied_ = std::move(*lts);
  }
  for (const auto& where : options_.seed_assumptions) {
    auto lts = read_assumption(where, model_);
    if (!lts) return tl::unexpected(std::move(lts.error()));
    seeds_.push_back(std::move(*lts));
  }
  return {};
}

Outcome<void> Session::start_spin(Budget& budget) {
  if (!options_.spin) return {};
  auto checker = make_spin(*options_.spin, model_, safety_, {}, budget);
  if (!checker) return tl::unexpected(std::move(checker.error()));
  spin_ = std::move(*checker);
  return {};
}

Context Session::context(Budget& budget, Cost& cost, bool ask_spin) const {
  return {budget,
          cost,
          options_.threads,
          options_.learner,
          options_.alphabet,
          supplied_ ? &*supplied_ : nullptr,
          &seeds_,
          options_.reduction,
          ask_spin ? spin_.get() : nullptr,
          options_.search_states,
          options_.tell,
          options_.kept_steps};
}

Split Session::split_for(const Rule& rule, const Network& network, const Property& property) const {
  if (rule.sides == Rule::Sides::one) return {all_names(network)};
  if (!given_.empty()) return given_;
  return rule.chain ? default_order(network, property) : default_split(network, property);
}

Verdict prove_by(const Rule& rule, const ProofGoal& goal, const Context& context) {
  if (!context.budget.go_on()) return Unknown{context.budget.why(), {}, {}, {}};  // nothing is prepared in vain
  if (context.tell && rule.sides != Rule::Sides::one) {
    std::vector<ComponentSet> sides = goal.sides;
    sides[0].insert(sides[0].end(), goal.properties.begin(), goal.properties.end());
    context.tell(told::Sides{goal.names, shared_alphabet(sides)});
  }
  return rule.by_conjuncts ? prove_by_conjuncts(rule, goal, context) : rule.prove(goal, context);
}

ProofGoal proof_goal(const Network& network, const Split& split, const std::vector<const Property*>& properties) {
  ProofGoal out;
  for (const auto& names : split) {
    auto& side = out.sides.emplace_back();
    for (const auto& name : names)
      for (const auto& component : network.components)
        if (component.name == name) side.push_back(&component.lts);
  }
  out.names = split;
  for (const Property* property : properties) out.properties.push_back(&property->lts);
  return out;
}

}  // namespace surety::api
