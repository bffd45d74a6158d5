#include "rules/error_automaton.hpp"

#include <algorithm>

#include "model/automata.hpp"
#include "model/minimise.hpp"
#include "model/tau_components.hpp"
#include "model/transform.hpp"
#include "product/explore.hpp"

namespace surety {
namespace {

using Rows = std::vector<std::vector<Step>>;  // by state: its steps, in any order

Lts no_failing_words(const Alphabet& alphabet) { return LtsWriter().build(alphabet, {}, {}); }

Lts all_words_fail(const Alphabet& alphabet) {
  LtsWriter writer;
  writer.end_state();
  return writer.build(alphabet, State{0}, {});
}

// Where a step leads to the error state, the other steps with its action are dropped. So are repetitions.
void drop_steps_beside_error(std::vector<Step>& steps, std::optional<State> error) {
  std::sort(steps.begin(), steps.end(), [&](const Step& a, const Step& b) {
    return std::tuple(a.action, a.target != error, a.target) < std::tuple(b.action, b.target != error, b.target);
  });
  std::size_t kept = 0;
  for (const Step& step : steps) {
    const bool beside = kept > 0 && steps[kept - 1].action == step.action &&
                        (steps[kept - 1].target == error || steps[kept - 1] == step);
    if (!beside) steps[kept++] = step;
  }
  steps.resize(kept);
}

// The reachable part, numbered breadth first.
Lts from_rows(Rows& rows, State initial, State error, const Alphabet& alphabet) {
  constexpr std::uint32_t kUnseen = UINT32_MAX;
  std::vector<std::uint32_t> number(rows.size(), kUnseen);
  std::vector<State> order{initial};
  number[initial.value] = 0;
  LtsWriter writer;
  for (std::size_t i = 0; i < order.size(); ++i) {
    auto& steps = rows[order[i].value];
    drop_steps_beside_error(steps, error);
    for (const Step& step : steps) {
      auto& n = number[step.target.value];
      if (n == kUnseen) {
        n = static_cast<std::uint32_t>(order.size());
        order.push_back(step.target);
      }
      writer.add_step(step.action, State{n});
    }
    writer.end_state();
  }
  return writer.build(alphabet, State{number[error.value]}, {});
}

// The steps of an LTS, reversed.
class Predecessors {
 public:
  explicit Predecessors(const Lts& lts) : first_(lts.state_count() + 1ULL, 0), steps_(lts.transition_count()) {
    for_each(lts, [&](State, const Step& step) { ++first_[step.target.value]; });
    std::uint64_t sum = 0;
    for (auto& first : first_) {
      sum += first;
      first = sum;
    }
    for_each(lts, [&](State s, const Step& step) { steps_[--first_[step.target.value]] = {step.action, s}; });
  }
  std::span<const Step> of(State s) const {
    return {steps_.data() + first_[s.value], steps_.data() + first_[s.value + 1ULL]};
  }

  // By state: does it reach a state of `targets`, by tau steps alone or by any steps?
  std::vector<bool> closure(std::vector<State> targets, bool tau_only) const {
    std::vector<bool> in(first_.size() - 1, false);
    for (const State s : targets) in[s.value] = true;
    while (!targets.empty()) {
      const State s = targets.back();
      targets.pop_back();
      for (const Step& step : of(s))
        if (!in[step.target.value] && (step.action == kTau || !tau_only)) {
          in[step.target.value] = true;
          targets.push_back(step.target);
        }
    }
    return in;
  }

 private:
  template <class F>
  static void for_each(const Lts& lts, F f) {
    for (std::uint32_t s = 0; s < lts.state_count(); ++s)
      for (const Step& step : lts.steps(State{s})) f(State{s}, step);
  }
  std::vector<std::uint64_t> first_;
  std::vector<Step> steps_;
};

}  // namespace

// Of the steps with one action those to the error state are enough. A state with a tau step to it gets only this step:
// prune() makes it the error state.
std::optional<Lts> compose_error_automaton(const Lts& w, const Lts& m, const Alphabet& visible, std::uint64_t most,
                                           Budget& budget, ProductSize& size) {
  if (w.state_count() == 0 || m.state_count() == 0) return no_failing_words(visible);
  if (always_fails(w)) return all_words_fail(visible);
  const Lts plain = m.error() ? without_error(m) : m;
  Charge charge(budget), later(budget);
  const auto product = Product::within(budget, charge, std::vector<Part>{{&w}, {&plain}});
  if (!product) return std::nullopt;
  const Alphabet all = unite(w.alphabet(), m.alphabet());
  std::vector<Action> images(all.empty() ? 1 : all[all.size() - 1].value + 1ULL, kTau);
  for (const Action a : intersect(all, visible)) images[a.value] = a;
  const auto image = [&](Action a) { return images[a.value]; };
  ExploreOptions options;
  options.edit = [&](FoundSteps steps) {
    size.states += 1;
    size.steps += steps.ordinary.size() + steps.to_error.size();
    auto& errors = steps.to_error;
    std::ranges::transform(errors, errors.begin(), image);
    std::ranges::sort(errors);
    errors.erase(std::unique(errors.begin(), errors.end()), errors.end());
    const bool fails_silently = !errors.empty() && errors.front() == kTau;
    if (fails_silently) errors.resize(1);
    for (Action& a : steps.ordinary) {
      a = image(a);
      if (fails_silently || std::ranges::binary_search(errors, a)) a = FoundSteps::kDropped;
    }
  };
  options.too_large = [&](std::uint64_t states, std::uint64_t) {
    // A step will lie in the rows and reversed steps of prune, and in the tables of the minimisation.
    if (!later.grow_to(64 * (size.states + size.steps))) budget.stop(Stop::memory);
    return states > most || size.steps / 32 > most;
  };
  auto found = explore(*product, visible, options, budget, charge);
  if (!found) return std::nullopt;
  return std::move(found->lts);
}

Lts prune(const Lts& w) {
  if (w.state_count() == 0 || !w.error()) return no_failing_words(w.alphabet());
  const State error = *w.error();
  const Predecessors before(w);
  const auto fails_silently = before.closure({error}, true), can_fail = before.closure({error}, false);
  if (!can_fail[w.initial().value]) return no_failing_words(w.alphabet());
  if (fails_silently[w.initial().value]) return all_words_fail(w.alphabet());
  Rows rows(w.state_count());
  for (std::uint32_t s = 0; s < w.state_count(); ++s) {
    if (fails_silently[s] || !can_fail[s]) continue;
    for (const Step& step : w.steps(State{s}))
      if (can_fail[step.target.value])
        rows[s].push_back({step.action, fails_silently[step.target.value] ? error : step.target});
  }
  return from_rows(rows, w.initial(), error, w.alphabet());
}

// Strong components of the tau steps become one state. Their numbers are in reverse topological order, so the row of a
// component that is reached by tau is complete before it is needed.
std::optional<Lts> without_tau(const Lts& w, std::uint64_t most, Budget& budget) {
  if (w.state_count() == 0 || always_fails(w)) return w;
  const auto component = tau_components(w);
  const std::uint32_t count = *std::max_element(component.begin(), component.end()) + 1;
  std::vector<std::vector<std::uint32_t>> members(count);
  for (std::uint32_t s = 0; s < w.state_count(); ++s) members[component[s]].push_back(s);
  Rows rows(count);
  const State error{component[w.error()->value]};
  std::uint64_t total = 0;
  std::vector<std::uint32_t> silent;  // the components that this one reaches by one tau step
  for (std::uint32_t c = 0; c < count; ++c) {
    auto& row = rows[c];
    silent.clear();
    for (const std::uint32_t s : members[c])
      for (const Step& step : w.steps(State{s})) {
        const State target{component[step.target.value]};
        if (step.action != kTau)
          row.push_back({step.action, target});
        else if (target.value != c)
          silent.push_back(target.value);
      }
    std::sort(silent.begin(), silent.end());
    silent.erase(std::unique(silent.begin(), silent.end()), silent.end());
    for (const std::uint32_t t : silent) {
      row.insert(row.end(), rows[t].begin(), rows[t].end());
      if (row.size() > 2 * most) drop_steps_beside_error(row, error);
      if (row.size() > most || !budget.go_on()) return std::nullopt;
    }
    drop_steps_beside_error(row, error);
    total += row.size();
    if (total > most) return std::nullopt;
  }
  return from_rows(rows, State{component[w.initial().value]}, error, w.alphabet());
}

Lts reduce(const Lts& w, Budget& budget) {
  constexpr std::uint64_t kSlack = 64;  // where everything is small, twice as large is still small
  Lts small = prune(w);
  if (never_fails(small) || always_fails(small)) return small;
  if (auto plain = without_tau(small, 8 * small.transition_count() + 1000, budget)) small = std::move(*plain);
  Lts merged = minimise_strong(small, &budget);
  if (!budget.go_on()) return small;  // what was merged by then is good for nothing
  small = std::move(merged);
  if (is_deterministic(small)) return small;
  const std::uint64_t most = std::max<std::uint64_t>(2ULL * small.state_count(), kSlack);
  if (const auto subsets = determinise(small, 4 * most, &budget)) {
    Lts smallest = minimise_strong(*subsets, &budget);
    if (budget.go_on() && smallest.state_count() <= most) return smallest;
  }
  return small;
}

}  // namespace surety
