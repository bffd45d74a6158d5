#include "rules/error_automaton.hpp"

#include <tsl/robin_map.h>

#include <algorithm>

#include "model/automata.hpp"
#include "model/minimise.hpp"
#include "model/tau_components.hpp"

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

// W || M, breadth first. Its error state has number 1.
class ErrorProduct {
 public:
  ErrorProduct(const Lts& w, const Lts& m, const Alphabet& visible, std::uint64_t most, Budget& budget)
      : w_(w), m_(m), visible_(visible), most_(most), budget_(budget), charge_(budget) {
    std::uint32_t last = 0;
    for (const Lts* lts : {&w, &m})
      if (!lts->alphabet().empty()) last = std::max(last, lts->alphabet()[lts->alphabet().size() - 1].value);
    in_w_.resize(last + 1ULL);
    in_m_.resize(last + 1ULL);
    image_.resize(last + 1ULL, kTau);
    for (const Action a : w.alphabet()) in_w_[a.value] = true;
    for (const Action a : m.alphabet()) in_m_[a.value] = true;
    for (const Action a : visible) image_[a.value] = a;
  }

  std::optional<Lts> run(ProductSize& size) {
    const Alphabet& alphabet = visible_;
    if (w_.state_count() == 0 || m_.state_count() == 0) return no_failing_words(alphabet);
    if (always_fails(w_)) return all_words_fail(alphabet);
    number(w_.initial(), m_.initial());
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (i == kError.value) {
        writer_.end_state();
        continue;
      }
      const auto w = pairs_[i] / m_.state_count(), m = pairs_[i] % m_.state_count();
      expand(State{static_cast<std::uint32_t>(w)}, State{static_cast<std::uint32_t>(m)});
      writer_.end_state();
      size = {pairs_.size() - 1, steps_};
      if (pairs_.size() > most_ || steps_ / 32 > most_ || !may_go_on()) return std::nullopt;
    }
    budget_.add_states(pairs_.size() - 1 - counted_);
    if (!budget_.go_on()) return std::nullopt;
    return writer_.build(alphabet, kError, {});
  }

 private:
  static constexpr State kError{1};

  struct Move {
    Action action;
    State w, m;
  };

  State number(State w, State m) {
    const std::uint64_t pair = std::uint64_t{w.value} * m_.state_count() + m.value;
    const auto [it, fresh] = numbers_.try_emplace(pair, static_cast<std::uint32_t>(pairs_.size()));
    if (fresh) pairs_.push_back(pair);
    if (pairs_.size() == kError.value) pairs_.push_back(0);  // a place for the error state
    return State{it->second};
  }

  // A state with a tau step to the error state gets only this step: prune() makes it the error state.
  void expand(State w, State m) {
    list_moves(w, m);
    steps_ += moves_.size();
    targets_.clear();
    for (const Move& move : moves_)
      if (move.w == w_.error()) {
        if (move.action == kTau) return writer_.add_step(kTau, kError);
        targets_.push_back({move.action, kError});
      }
    std::sort(targets_.begin(), targets_.end());
    const std::size_t to_error = targets_.size();
    for (const Move& move : moves_) {
      const auto end = targets_.begin() + static_cast<std::ptrdiff_t>(to_error);
      if (move.w == w_.error() || std::binary_search(targets_.begin(), end, Step{move.action, kError})) continue;
      targets_.push_back({move.action, number(move.w, move.m)});
    }
    for (const Step& step : targets_) writer_.add_step(step.action, step.target);
  }

  void list_moves(State w, State m) {
    moves_.clear();
    for (const Step& mine : w_.steps(w)) {
      const Action image = image_[mine.action.value];
      if (mine.action == kTau || !in_m_[mine.action.value])
        moves_.push_back({image, mine.target, m});
      else
        for (const Step& theirs : m_.steps(m, mine.action)) moves_.push_back({image, mine.target, theirs.target});
    }
    for (const Step& theirs : m_.steps(m))
      if (theirs.action == kTau || !in_w_[theirs.action.value])
        moves_.push_back({image_[theirs.action.value], w, theirs.target});
  }

  bool may_go_on() {
    if (pairs_.size() - counted_ < 256) return true;
    budget_.add_states(pairs_.size() - counted_);
    counted_ = pairs_.size();
    // A step lies here, in the rows and reversed steps of prune, and in the tables of the minimisation.
    if (!charge_.grow_to(64 * (steps_ + pairs_.size()))) budget_.stop(Stop::memory);
    return budget_.go_on();
  }

  const Lts& w_;
  const Lts& m_;
  const Alphabet& visible_;
  std::uint64_t most_;
  Budget& budget_;
  Charge charge_;
  std::vector<bool> in_w_, in_m_;  // by action
  std::vector<Action> image_;      // by action: itself if it is visible, else tau
  tsl::robin_map<std::uint64_t, std::uint32_t> numbers_;
  std::vector<std::uint64_t> pairs_;  // (state of W) * (states of M) + (state of M): no two look alike to the table
  LtsWriter writer_;
  std::uint64_t steps_ = 0, counted_ = 0;
  std::vector<Move> moves_;
  std::vector<Step> targets_;
};

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

std::optional<Lts> compose_error_automaton(const Lts& w, const Lts& m, const Alphabet& visible, std::uint64_t most,
                                           Budget& budget, ProductSize& size) {
  return ErrorProduct(w, m, visible, most, budget).run(size);
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
