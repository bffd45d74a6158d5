#include "rules/minimise.hpp"

#include <algorithm>
#include <array>

#include "base/check.hpp"
#include "model/automata.hpp"
#include "model/transform.hpp"
#include "rules/error_automaton.hpp"
#include "rules/merge.hpp"
#include "rules/triple.hpp"

namespace surety {
namespace {

using Outcome = SearchResult::Outcome;

constexpr std::uint64_t kMostStates = 1 << 17;
constexpr std::size_t kTrials = 3;  // when W grows
constexpr std::size_t kGiveUp = 8;  // so many products over the cap, and the rest is searched

// Backward minimisation of some of the components; the others are omitted, as if the system did not have them.
class Backward {
 public:
  Backward(const ProofGoal& goal, const std::vector<bool>& selected, const Context& context, std::uint64_t most_states)
      : goal_(goal), context_(context), most_states_(most_states), charge_(context.budget) {
    const ComponentSet& all = goal.sides[0];
    for (std::size_t i = 0; i < all.size(); ++i) {
      (selected[i] ? remaining_ : omitted_).push_back(i);
      for (const Action a : all[i]->alphabet()) at(users_, a) += selected[i];
    }
    for (const Action a : goal.property().alphabet()) at(users_, a) += 0;
    in_w_.resize(users_.size());
    ws_.push_back(complete(goal.property()));
  }

  // Nothing: no product is small enough, and some components are omitted: with them it may be easier.
  std::optional<Verdict> run() {
    while (true) {
      const Lts& w = ws_.back();
      if (never_fails(w)) return proved();
      if (always_fails(w)) return violated({});
      check(!remaining_.empty(), "an error automaton without actions fails neither always nor never");
      context_.budget.phase("minimise");
      auto next = absorb_one();
      if (!context_.budget.go_on()) return unknown();
      if (!next && !omitted_.empty()) return std::nullopt;
      if (!next) return search_rest();
      take(std::move(*next));
    }
  }

 private:
  struct Next {
    std::size_t component;
    Lts w;
    std::uint64_t product;  // states
  };

  template <class T>
  static T& at(std::vector<T>& table, Action a) {
    if (table.size() <= a.value) table.resize(a.value + 1ULL);
    return table[a.value];
  }

  const Lts& component(std::size_t i) const { return *goal_.sides[0][i]; }
  Unknown unknown() const { return {context_.budget.why(), {}, {}}; }

  // --- From the property into the system.

  std::optional<Next> absorb_one() {
    const Lts& w = ws_.back();
    std::optional<Next> best;
    std::size_t tried = 0, given_up = 0;
    for (const std::size_t i : candidates()) {
      ProductSize built;
      const auto product =
          compose_error_automaton(w, component(i), visible_with(i), most_states_, context_.budget, built);
      context_.cost.add(built.states, built.steps);
      if (!context_.budget.go_on()) return std::nullopt;
      if (!product && ++given_up == kGiveUp) break;
      if (!product) continue;
      Lts smaller = reduce(*product, context_.budget);
      const auto size = [](const Lts& lts) { return std::pair(lts.state_count(), lts.transition_count()); };
      if (!best || size(smaller) < size(best->w)) best = Next{i, std::move(smaller), product->state_count()};
      if (++tried == kTrials || best->w.state_count() <= w.state_count()) break;
    }
    return best;
  }

  // The remaining components that share an action with W, the most promising first.
  std::vector<std::size_t> candidates() {
    const Alphabet& mine = ws_.back().alphabet();
    for (const Action a : mine) in_w_[a.value] = true;
    std::vector<std::pair<double, std::size_t>> scored;
    for (const std::size_t i : remaining_) {
      const Lts& m = component(i);
      std::size_t shared = 0, hidden = 0;
      for (const Action a : m.alphabet()) {
        shared += in_w_[a.value];
        hidden += users_[a.value] == 1;
      }
      const std::size_t visible = mine.size() + m.alphabet().size() - shared - hidden;
      const double size = static_cast<double>(ws_.back().state_count()) * m.state_count();
      const double score = size / (1.0 + static_cast<double>(shared)) * static_cast<double>(visible + 1) /
                           (1.0 + 2.0 * static_cast<double>(hidden));
      if (shared > 0) scored.emplace_back(score, i);
    }
    for (const Action a : mine) in_w_[a.value] = false;
    std::sort(scored.begin(), scored.end());
    std::vector<std::size_t> out;
    for (const auto& [score, i] : scored) out.push_back(i);
    // No remaining component has an action of W: W moves alone, so any component will do.
    if (out.empty()) out.push_back(remaining_.front());
    return out;
  }

  // The actions of W || M that a component which then remains has.
  Alphabet visible_with(std::size_t i) const {
    const Alphabet& theirs = component(i).alphabet();
    std::vector<Action> seen;
    for (const Action a : unite(ws_.back().alphabet(), theirs))
      if (users_[a.value] > (theirs.contains(a) ? 1U : 0U)) seen.push_back(a);
    return Alphabet(std::move(seen));
  }

  void take(Next next) {
    std::erase(remaining_, next.component);
    absorbed_.push_back(next.component);
    context_.tell(told::TakenIn{goal_.name(next.component), next.product, next.w.state_count(), remaining_.size()});
    for (const Action a : component(next.component).alphabet()) --users_[a.value];
    bytes_ += next.w.transition_count() * sizeof(Step) + next.w.state_count() * 8ULL;
    if (!charge_.grow_to(bytes_)) context_.budget.stop(Stop::memory);
    ws_.push_back(std::move(next.w));
  }

  // --- Answers.

  // The certificate has one W per absorbed component, but none for the last of them: the checker only has to see that
  // the W before it and this component never reach the error state. Components that remain need no W: if they were
  // searched together with the last W they are one side of the split, else it holds whatever they do.
  Holds proved() const {
    Certificate certificate{Method::minimise, {}, {}};
    if (absorbed_.empty()) certificate.rule = Method::monolithic;  // nothing was small enough
    certificate.assumptions.assign(ws_.begin() + 1, ws_.end() - (rest_together_ || absorbed_.empty() ? 0 : 1));
    if (goal_.names.empty()) return {certificate};
    const auto& names = goal_.names[0];
    for (const std::size_t i : absorbed_) certificate.split.push_back({names[i]});
    if (rest_together_) certificate.split.emplace_back();
    for (const std::size_t i : remaining_)
      if (rest_together_)
        certificate.split.back().push_back(names[i]);
      else
        certificate.split.push_back({names[i]});
    for (const std::size_t i : omitted_) certificate.split.push_back({names[i]});
    return {certificate};
  }

  Verdict search_rest() {
    context_.budget.phase("search");
    rest_together_ = true;
    const Lts w = with_marked_tau(ws_.back());
    std::vector<Part> parts{{&w}};
    Alphabet alphabet = ws_.back().alphabet();
    for (const std::size_t i : remaining_) {
      parts.push_back({&component(i), Role::component, false});
      alphabet = unite(alphabet, component(i).alphabet());
    }
    auto result = search(parts, Goal::violation, context_.budget, context_.threads, context_.reduction);
    context_.cost.add(result);
    if (result.outcome == Outcome::stopped) return unknown();
    if (result.outcome == Outcome::exhausted) return proved();
    std::erase(result.trace, marked_tau());
    return violated({std::move(result.trace), std::move(alphabet)});
  }

  // --- From the last W back to a trace of the system.

  // `later` leads the last W to its error state. Going backwards, each absorbed component adds its own actions.
  Verdict violated(LocalTrace later) {
    context_.budget.phase("trace");
    for (std::size_t j = absorbed_.size(); j > 0; --j) {
      const Alphabet& seen = ws_[j].alphabet();
      const Lts word = trace_lts(project(later.trace, seen), seen);
      const Lts w = with_marked_tau(ws_[j - 1]);
      const Lts& m = component(absorbed_[j - 1]);
      auto found = search({{&word}, {&w}, {&m, Role::component, false}}, Goal::violation, context_.budget,
                          context_.threads, context_.reduction);
      context_.cost.add(found);
      if (found.outcome == Outcome::stopped) return unknown();
      check(found.outcome == Outcome::found, "a word that should fail does not");
      std::erase(found.trace, marked_tau());
      LocalTrace mine{std::move(found.trace), unite(ws_[j - 1].alphabet(), m.alphabet())};
      const Alphabet both = unite(mine.alphabet, later.alphabet);
      auto merged = merge({std::move(mine), std::move(later)});
      check(merged.stuck.empty(), "two traces that agree on what they share do not fit together");
      later = {std::move(merged.trace), both};
    }
    return Violated{std::move(later.trace)};
  }

  // A search reports tau steps of all parts alike, but a tau step of W is no step of the system: it stands for hidden
  // actions of components that W was made of. So it is marked by an action that no component has, and removed from the
  // trace.
  Action marked_tau() const { return Action{static_cast<std::uint32_t>(users_.size())}; }
  Lts with_marked_tau(const Lts& w) const {
    LtsBuilder builder;
    builder.set_state_count(w.state_count());
    builder.add_to_alphabet(w.alphabet());
    if (w.error()) builder.set_error(*w.error());
    for (std::uint32_t s = 0; s < w.state_count(); ++s)
      for (const Step& step : w.steps(State{s}))
        builder.add_step(State{s}, step.action == kTau ? marked_tau() : step.action, step.target);
    return builder.build();
  }

  const ProofGoal& goal_;
  const Context& context_;
  std::uint64_t most_states_;
  Charge charge_;
  std::uint64_t bytes_ = 0;
  std::vector<std::size_t> remaining_, absorbed_, omitted_;  // components, by their places in the side
  std::vector<std::uint32_t> users_;                         // by action: how many remaining components have it
  std::vector<bool> in_w_;                                   // by action, while candidates are scored
  std::vector<Lts> ws_;                                      // W0, W1, ...: one more than absorbed components
  bool rest_together_ = false;
};

// Selects the components that are needed for an answer. At first only the property is looked at. A violation without
// the omitted components is real if each of them can do its part of the trace. Else those that cannot are selected, and
// with them all components that look like them: along a chain of n equal components, n traces would be needed to select
// them one by one.
class Selection {
 public:
  Selection(const ProofGoal& goal, const Context& context, std::uint64_t most_states)
      : goal_(goal), context_(context), most_states_(most_states), selected_(all().size(), false) {}

  Verdict run() {
    const auto alone = check_triple(nullptr, {}, goal_.property(), context_);
    if (alone.outcome == Outcome::stopped) return unknown();
    if (all().empty() && alone.outcome == Outcome::exhausted) return Holds{{Method::monolithic, {}, {}}};
    if (all().empty()) return Violated{alone.trace};
    if (alone.outcome == Outcome::exhausted) select_all();
    std::optional<Verdict> verdict = Violated{alone.trace};
    for (std::size_t round = 0;; ++round) {
      if (!all_selected())
        if (auto trace = select_for(std::get<Violated>(*verdict).trace)) return Violated{std::move(*trace)};
      if (!context_.budget.go_on()) return unknown();
      if (round == kRounds) select_all();
      // Without the omitted components, products can be larger than in the system: give up earlier.
      verdict = Backward(goal_, selected_, context_, all_selected() ? most_states_ : most_states_ / 8).run();
      if (!verdict) {
        select_all();
        verdict = Backward(goal_, selected_, context_, most_states_).run();
      }
      if (!std::holds_alternative<Violated>(*verdict) || all_selected()) return *verdict;
    }
  }

 private:
  static constexpr std::size_t kRounds = 5;

  const ComponentSet& all() const { return goal_.sides[0]; }
  bool all_selected() const { return std::count(selected_.begin(), selected_.end(), false) == 0; }
  void select_all() { selected_.assign(selected_.size(), true); }
  Unknown unknown() const { return {context_.budget.why(), {}, {}}; }

  // The trace of the whole system, if all omitted components can do their part of it. Nothing: those that cannot have
  // been selected, or the budget ended.
  std::optional<Trace> select_for(const Trace& trace) {
    LocalTrace first{trace, goal_.property().alphabet()};
    for (std::size_t i = 0; i < all().size(); ++i)
      if (selected_[i]) first.alphabet = unite(first.alphabet, all()[i]->alphabet());
    std::vector<LocalTrace> locals{std::move(first)};
    std::vector<std::size_t> refusing;
    for (std::size_t i = 0; i < all().size(); ++i) {
      if (selected_[i]) continue;
      const Alphabet& theirs = all()[i]->alphabet();
      auto result = performance(project(trace, theirs), theirs, {all()[i]}, context_);
      if (result.outcome == Outcome::stopped) return std::nullopt;
      if (result.outcome == Outcome::exhausted || all()[i]->state_count() == 0) refusing.push_back(i);
      locals.push_back({std::move(result.trace), theirs});
    }
    for (const std::size_t i : refusing)
      for (std::size_t j = 0; j < all().size(); ++j)
        if (kind(j) == kind(i)) selected_[j] = true;
    if (!refusing.empty()) return std::nullopt;
    auto merged = merge(std::move(locals));
    check(merged.stuck.empty(), "every component can do its share of a trace, but not together");
    return std::move(merged.trace);
  }

  // Components of equal sizes are taken to be copies. That is a guess, and need not be right.
  std::array<std::uint64_t, 3> kind(std::size_t i) const {
    return {all()[i]->state_count(), all()[i]->transition_count(), all()[i]->alphabet().size()};
  }

  const ProofGoal& goal_;
  const Context& context_;
  std::uint64_t most_states_;
  std::vector<bool> selected_;  // by component
};

}  // namespace

Verdict prove_minimise(const ProofGoal& goal, const Context& context) {
  return prove_minimise(goal, context, kMostStates);
}

Verdict prove_minimise(const ProofGoal& goal, const Context& context, std::uint64_t most_states) {
  return Selection(goal, context, most_states).run();
}

}  // namespace surety
