#include "certify/rules.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "certify/simulate.hpp"

namespace surety::certify {
namespace {

using Kind = Judgement::Kind;

// <A> M <P> for each A (none: true): a plain search of all together.
class Premises {
 public:
  Premises(const RuleInstance& instance, Budget& budget) : tell_(instance.tell), budget_(budget) {}

  // False once a premise fails; `result` then says which and why.
  bool triple(const std::string& name, const std::vector<const Lts*>& assumptions, const std::vector<const Lts*>& side,
              const Lts& property) {
    Question question{.components = side, .property = &property};
    question.components.insert(question.components.end(), assumptions.begin(), assumptions.end());
    return ask(name, question);
  }
  bool ask(const std::string& name, const Question& question) {
    result = premise(name, question, budget_, states_, tell_);
    return result.kind == Kind::accepted;
  }
  bool simulation(const std::string& name, const Lts& a, const std::vector<const Lts*>& components) {
    result = simulates(a, components, budget_);
    tell_premise(tell_, name, result);
    states_ += result.states;
    result.states = states_;
    if (result.kind == Kind::refused) result.reason = fmt::format("{} does not hold: {}", name, result.reason);
    return result.kind == Kind::accepted;
  }
  bool unfinished() {
    result = {Kind::unfinished, describe(budget_.why()), {}, states_};
    return false;
  }
  Budget& budget() { return budget_; }
  Judgement result{Kind::accepted, {}, {}, 0};

 private:
  const Teller& tell_;
  Budget& budget_;
  std::uint64_t states_ = 0;
};

Judgement check_monolithic(const RuleInstance& instance, Budget& budget) {
  if (instance.sides.size() != 1) return refuse("rule monolithic has no split");
  Premises premises(instance, budget);
  premises.triple("<true> M <P>", {}, instance.sides[0], *instance.properties[0]);
  return premises.result;
}

// M1 || M2 satisfies P if <A> M1 <P> and <true> M2 <A>; A may be a conjunction.
Judgement check_asym(const RuleInstance& instance, Budget& budget) {
  if (instance.sides.size() != 2) return refuse("rule asym needs a split in two");
  if (instance.assumptions.empty()) return refuse("rule asym needs an assumption");
  std::vector<const Lts*> all;
  for (const Lts& a : instance.assumptions) all.push_back(&a);
  Premises premises(instance, budget);
  if (!premises.triple("premise 1, <A> M1 <P>,", all, instance.sides[0], *instance.properties[0]))
    return premises.result;
  for (const Lts* a : all)
    if (!premises.triple("premise 2, <true> M2 <A>,", {}, instance.sides[1], *a)) {
      if (premises.result.kind == Kind::refused)
        premises.result.reason = "premise 2, <true> M2 <A>, does not hold: M2 breaks the assumption";
      break;
    }
  return premises.result;
}

// M1 || ... || Mn satisfies P if <A1> M1 <P>, <A2> M2 <A1>, ..., <true> Mn <A(n-1)>.
Judgement check_asym_n(const RuleInstance& instance, Budget& budget) {
  const std::size_t n = instance.sides.size();
  if (n < 2) return refuse("rule asym-n needs two sides or more");
  if (instance.assumptions.size() != n - 1) return refuse("rule asym-n needs an assumption less than sides");
  Premises premises(instance, budget);
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<const Lts*> assumption;
    if (i + 1 < n) assumption.push_back(&instance.assumptions[i]);
    const Lts& property = i == 0 ? *instance.properties[0] : instance.assumptions[i - 1];
    if (!premises.triple(fmt::format("premise {}, about M{},", i + 1, i + 1), assumption, instance.sides[i], property))
      break;
  }
  return premises.result;
}

// Does A simulate M2, or already one of its components? The others can only take away from what that one does.
bool is_abstraction(const Lts& a, const std::vector<const Lts*>& m2, Premises& premises) {
  const std::string name = "premise 2, A is an abstraction of M2,";
  if (m2.size() > 1)
    for (const Lts* component : m2)
      if (subtract(a.alphabet(), component->alphabet()).empty()) {
        if (premises.simulation(name, a, {component})) return true;
        if (premises.result.kind == Kind::unfinished) return false;
      }
  return premises.simulation(name, a, m2);
}

// M1 || M2 satisfies P if <A> M1 <P> and A simulates M2; A may be a product. For more sides as asym-n, where a link's
// assumption simulates its side together with the next assumption. Assumptions may be nondeterministic.
Judgement check_agar(const RuleInstance& instance, Budget& budget) {
  const std::size_t n = instance.sides.size();
  if (n < 2) return refuse("rule agar needs two sides or more");
  if (instance.assumptions.empty()) return refuse("rule agar needs an assumption");
  if (n > 2 && instance.assumptions.size() != n - 1) return refuse("rule agar needs an assumption less than sides");
  std::vector<const Lts*> all;
  for (const Lts& a : instance.assumptions) all.push_back(&a);
  if (n > 2) all.resize(1);
  Premises premises(instance, budget);
  if (!premises.triple("premise 1, <A> M1 <P>,", all, instance.sides[0], *instance.properties[0]))
    return premises.result;
  if (n == 2) {
    std::all_of(all.begin(), all.end(), [&](const Lts* a) { return is_abstraction(*a, instance.sides[1], premises); });
    return premises.result;
  }
  for (std::size_t i = 1; i < n; ++i) {
    auto link = instance.sides[i];
    if (i + 1 < n) link.push_back(&instance.assumptions[i]);
    const auto name = fmt::format("premise {}, about M{},", i + 1, i + 1);
    if (!premises.simulation(name, instance.assumptions[i - 1], link)) break;
  }
  return premises.result;
}

// An automaton for what A rejects: it follows every word, and once A has rejected, `signal` may happen. It has a step
// for each state and letter, which may be much more than A has: nothing if the budget ended.
std::optional<Lts> what_is_rejected_by(const Lts& a, Action signal, Budget& budget) {
  constexpr std::uint64_t kStepBytes = 64;
  Charge charge(budget);
  if (!charge.grow_to((a.state_count() + 1ULL) * (a.alphabet().size() + 1) * kStepBytes)) budget.stop(Stop::memory);
  LtsBuilder builder;
  const State rejected{a.state_count()};
  builder.set_state_count(a.state_count() + 1);
  for (const Action letter : a.alphabet()) {
    for (std::uint32_t s = 0; s < a.state_count(); ++s) {
      if (s % 4096 == 0 && !budget.go_on()) return std::nullopt;
      const auto steps = a.steps(State{s}, letter);
      builder.add_step(State{s}, letter, steps.empty() ? rejected : steps.front().target);
    }
    builder.add_step(rejected, letter, rejected);
  }
  builder.add_step(rejected, signal, rejected);
  return builder.build();
}

// Is there no word that all Ai reject, that P rejects too if there is one, and that the side can do if there is one?
bool nothing_is_rejected_by_all(const std::string& name, const RuleInstance& instance, const Lts* property,
                                const std::vector<const Lts*>& side, Premises& premises) {
  std::uint32_t last = 0;
  auto look = [&](const Lts& lts) {
    for (const Action a : lts.alphabet()) last = std::max(last, a.value);
  };
  for (const auto& group : instance.sides)
    for (const Lts* lts : group) look(*lts);
  for (const Lts* lts : instance.properties) look(*lts);
  for (const Lts& lts : instance.assumptions) look(lts);
  const Action signal{last + 1};  // an action that no LTS has

  std::vector<const Lts*> rejecting;
  for (const Lts& a : instance.assumptions) rejecting.push_back(&a);
  if (property != nullptr) rejecting.push_back(property);
  std::vector<Lts> rejected;
  for (const Lts* a : rejecting) {
    auto automaton = what_is_rejected_by(*a, signal, premises.budget());
    if (!automaton) return premises.unfinished();
    rejected.push_back(std::move(*automaton));
  }
  LtsBuilder never;
  never.add_to_alphabet({signal});
  const Lts no_signal = never.build();
  Question question{.components = side, .property = &no_signal};
  for (const Lts& lts : rejected) question.components.push_back(&lts);
  if (premises.ask(name, question)) return true;
  if (premises.result.kind == Kind::refused) {
    premises.result.reason = name + " does not hold: the assumptions all reject a word";
    premises.result.trace.pop_back();  // the signal
  }
  return false;
}

// The symmetric rules: <Ai> Mi <Pi> for every i, and no word that all Ai reject (sym), that P rejects too (sym-a), that
// a certain Mi can do (sym-b). Rule sym-2 has one property per side and also <Aj> Mj <Ai> for all i and j.
Judgement check_sym(Method method, const RuleInstance& instance, Budget& budget) {
  const auto rule = name_of(method);
  const bool crossed = method == Method::sym_2 || method == Method::sym_2a || method == Method::sym_2b;
  const std::size_t n = instance.sides.size();
  const auto property = [&](std::size_t i) -> const Lts& { return *instance.properties[crossed ? i : 0]; };
  if (n < 2) return refuse(fmt::format("rule {} needs two sides or more", rule));
  if (instance.assumptions.size() != n) return refuse(fmt::format("rule {} needs an assumption per side", rule));
  if (instance.properties.size() != (crossed ? n : 1)) return refuse(fmt::format("rule {} has other properties", rule));
  for (const Lts& a : instance.assumptions)
    if (a.alphabet() != instance.assumptions[0].alphabet()) return refuse("the assumptions have different alphabets");
  Premises premises(instance, budget);
  for (std::size_t i = 0; i < n; ++i)
    if (!premises.triple(fmt::format("premise 1, <A{0}> M{0} <P>,", i + 1), {&instance.assumptions[i]},
                         instance.sides[i], property(i)))
      return premises.result;
  for (std::size_t i = 0; i < n && crossed; ++i)
    for (std::size_t j = 0; j < n; ++j)
      if (i != j && !premises.triple(fmt::format("premise 3, <A{0}> M{0} <A{1}>,", j + 1, i + 1),
                                     {&instance.assumptions[j]}, instance.sides[j], instance.assumptions[i]))
        return premises.result;

  const std::string name = "the closing premise";
  if (method == Method::sym_a || method == Method::sym_2a) {
    for (const Lts* p : instance.properties)
      if (!nothing_is_rejected_by_all(name, instance, p, {}, premises)) break;
  } else if (method == Method::sym_b || method == Method::sym_2b) {
    for (std::size_t i = 0; i < n; ++i)
      if (nothing_is_rejected_by_all(fmt::format("{} with M{}", name, i + 1), instance, nullptr, instance.sides[i],
                                     premises) ||
          premises.result.kind == Kind::unfinished)
        break;
  } else {
    nothing_is_rejected_by_all(name, instance, nullptr, {}, premises);
  }
  return premises.result;
}

// M satisfies P if it satisfies P1, ..., Pn, and whatever satisfies these satisfies P.
Judgement check_conjunction(const RuleInstance& instance, Budget& budget) {
  if (!instance.assumptions.empty()) return refuse("rule conjunction has no assumptions of its own");
  std::vector<const Lts*> conjuncts;
  for (const Conjunct& part : instance.parts) {
    const Lts& p = part.property;
    if (!is_deterministic(p) || p.error()) return refuse("a conjunct is not deterministic");
    if (part.certificate.rule == Method::conjunction) return refuse("a conjunct is a conjunction");
    conjuncts.push_back(&p);
  }
  Premises premises(instance, budget);
  if (!premises.triple("the conjuncts imply the property, which", {}, conjuncts, *instance.properties[0]))
    return premises.result;
  std::uint64_t states = premises.result.states;
  for (std::size_t i = 0; i < instance.parts.size(); ++i) {
    const Certificate& proof = instance.parts[i].certificate;
    const RuleInstance part{instance.sides, {conjuncts[i]}, proof.assumptions,
                            proof.diagram,  proof.parts,    instance.tell.conjunct(static_cast<int>(i) + 1)};
    Judgement judgement = check_rule(proof.rule, part, budget);
    states += judgement.states;
    judgement.states = states;
    if (judgement.kind == Kind::refused) judgement.reason = fmt::format("conjunct {}: {}", i + 1, judgement.reason);
    if (judgement.kind != Kind::accepted) return judgement;
  }
  return {Kind::accepted, {}, {}, states};
}

}  // namespace

Judgement check_rule(Method rule, const RuleInstance& instance, Budget& budget) {
  if (instance.properties.empty()) return refuse("there is no property");
  for (const Lts& a : instance.assumptions) {
    if (rule == Method::minimise)
      continue;  // what the others must not do: with an error state, and nondeterministic if need be
    if (rule != Method::agar && rule != Method::cegar && !is_deterministic(a))
      return refuse("the assumption is not deterministic");
    if (a.error()) return refuse("the assumption has an error state");
  }
  switch (rule) {
    case Method::sym:
    case Method::sym_a:
    case Method::sym_b:
    case Method::sym_2:
    case Method::sym_2a:
    case Method::sym_2b: return check_sym(rule, instance, budget);
    default: break;
  }
  if (instance.properties.size() != 1) return refuse(fmt::format("rule {} has other properties", name_of(rule)));
  switch (rule) {
    case Method::monolithic: return check_monolithic(instance, budget);
    case Method::symbolic:
      if (instance.sides.size() != 1) return refuse("rule symbolic has no split");
      return check_invariant(instance.sides[0], instance.properties[0], false, instance.diagram, budget, instance.tell);
    case Method::asym: return check_asym(instance, budget);
    case Method::asym_n: return check_asym_n(instance, budget);
    case Method::circular: return check_circular(instance, budget);
    case Method::agar: return check_agar(instance, budget);
    case Method::cegar: return check_cegar(instance, budget);
    case Method::conjunction: return check_conjunction(instance, budget);
    case Method::minimise: return check_minimise(instance, budget);
    default: return refuse(fmt::format("there is no rule '{}'", name_of(rule)));
  }
}

}  // namespace surety::certify
