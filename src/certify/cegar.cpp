// Rule cegar: M1 || ... || Mn satisfies P if A1 || ... || An does and every Ai has the
// traces of its Mi. A trace of the whole is one of every Mi, and so of every Ai, on its
// own alphabet. Ai may be nondeterministic. That it has the traces of Mi is shown by
// simulation: whatever Mi does, Ai can do, and be again in a state that can follow.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "certify/pairs.hpp"
#include "certify/rules.hpp"

namespace surety::certify {
namespace {

using Kind = Judgement::Kind;

class LocalSimulation {
 public:
  LocalSimulation(const Lts& m, const Lts& a, Budget& budget) : m_(m), a_(a), budget_(budget), charge_(budget) {
    closure_.resize(a.state_count());
    met_.assign(a.state_count(), UINT32_MAX);
    last_.assign(m.state_count(), State{0});
  }

  Judgement run() {
    if (m_.state_count() == 0) return {Kind::accepted, {}, {}, 0};
    if (a_.state_count() == 0) return refuse("the abstraction has no states");
    pairs_.number(0, State{0});
    return pairs_.settle([this](Pairs::Number p) { return choose(p); }, budget_,
                         "the abstraction does not simulate its component");
  }

 private:
  // False: for some step there is nothing to choose.
  bool choose(Pairs::Number p) {
    look(1);
    const State by = pairs_[p].by;
    for (const Step& step : m_.steps(State{pairs_[p].state})) {
      auto options = answers(by, step.action);
      look(options.size());
      if (budget_.why() != Stop::none) return false;
      // Only to be faster: what was chosen for this state last comes first.
      std::stable_partition(options.begin(), options.end(), [&](State s) { return s == last_[step.target.value]; });
      const auto good =
          std::ranges::find_if(options, [&](State s) { return !pairs_[pairs_.number(step.target.value, s)].bad; });
      if (good == options.end()) return false;
      last_[step.target.value] = *good;
      pairs_.choose(pairs_.number(step.target.value, *good), p);
    }
    return true;
  }

  // Where A may go when M does this. What A does not have is as silent as tau.
  std::vector<State> answers(State a, Action action) {
    const std::vector<State>& silently = closure(a);
    if (!a_.alphabet().contains(action)) return silently;
    std::vector<State> out;
    for (const State s : silently)
      for (const Step& step : a_.steps(s, action)) out.push_back(step.target);
    look(silently.size());
    return out;
  }

  // What the silent steps of A lead to, worked out when it is first asked for.
  const std::vector<State>& closure(State from) {
    std::vector<State>& out = closure_[from.value];
    if (!out.empty()) return out;
    const auto meet = [&](State s) {
      if (std::exchange(met_[s.value], from.value) != from.value) out.push_back(s);
    };
    meet(from);
    for (std::size_t i = 0; i < out.size() && budget_.why() == Stop::none; ++i) {
      for (const Step& step : a_.steps(out[i], kTau)) meet(step.target);
      look(1);
    }
    closed_ += out.size();
    return out;
  }

  // So much was looked at. From time to time that is reason to ask whether there is still time and memory.
  void look(std::size_t at) {
    looked_ += at;
    if (looked_ < 4096) return;
    looked_ = 0;
    if (!charge_.grow_to(pairs_.bytes() + closed_ * sizeof(State))) budget_.stop(Stop::memory);
    budget_.go_on();
  }

  const Lts& m_;
  const Lts& a_;
  Budget& budget_;
  Charge charge_;
  std::vector<std::vector<State>> closure_;  // by state of A: what its tau steps lead to; empty: not asked yet
  std::vector<std::uint32_t> met_;           // by state of A: in whose closure last
  std::vector<State> last_;                  // by state of M
  std::size_t closed_ = 0, looked_ = 0;
  Pairs pairs_;
};

bool allows_everything(const Lts& a) { return a.state_count() == 1 && a.transition_count() == a.alphabet().size(); }

}  // namespace

Judgement check_cegar(const RuleInstance& instance, Budget& budget) {
  if (instance.sides.size() != 1) return refuse("rule cegar has no split");
  const auto& components = instance.sides[0];
  if (instance.assumptions.size() != components.size()) return refuse("rule cegar needs one abstraction per component");
  std::uint64_t states = 0;
  Question question{.property = instance.properties[0]};
  for (std::size_t i = 0; i < components.size(); ++i) {
    const Lts& a = instance.assumptions[i];
    if (!subtract(a.alphabet(), components[i]->alphabet()).empty())
      return refuse(fmt::format("abstraction {} has actions that its component has not", i + 1));
    if (allows_everything(a)) continue;  // simulates anything, and blocks nothing in the product
    Judgement local = LocalSimulation(*components[i], a, budget).run();
    tell_premise(instance.tell, fmt::format("abstraction {} simulates its component", i + 1), local);
    local.states += states;
    states = local.states;
    if (local.kind == Kind::refused) local.reason = fmt::format("component {}: {}", i + 1, local.reason);
    if (local.kind != Kind::accepted) return local;
    question.components.push_back(&a);
  }
  return premise("<true> A1 || ... || An <P>", question, budget, states, instance.tell);
}

}  // namespace surety::certify
