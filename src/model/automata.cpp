// The subset construction (Rabin and Scott 1959), completion and complement.
//
// A state of the deterministic LTS is a set of states, sorted and closed under
// tau; a SequenceTable makes equal sets one state. The sets are met breadth
// first, so the result is numbered that way too.
#include "model/automata.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "model/sequence_table.hpp"
#include "model/transform.hpp"

namespace surety {
namespace {

class Subsets {
 public:
  explicit Subsets(const Lts& lts) : lts_(lts), seen_(lts.state_count(), 0) {}
  std::optional<Lts> run(std::uint64_t most = UINT64_MAX,
                         Budget* budget = nullptr);  // nothing: more sets, or no budget

 private:
  using Set = std::vector<std::uint32_t>;

  void expand(std::uint32_t from);
  std::uint32_t number_of(Set& set);
  void close(Set& set);
  bool contains(const Set& set, std::optional<State> s) const;
  bool has_visible_step(const Set& set) const;

  const Lts& lts_;
  SequenceTable sets_;
  LtsBuilder builder_;
  std::uint64_t made_ = 0;           // steps
  std::vector<std::uint64_t> seen_;  // the last closure that met the state
  std::uint64_t closure_ = 0;        // the number of this one
  std::vector<Step> steps_;          // those of the set that is expanded
  Set next_;
};

std::optional<Lts> Subsets::run(std::uint64_t most, Budget* budget) {
  const std::uint64_t most_room = most == UINT64_MAX ? most : 32 * most + 8 * lts_.transition_count();
  builder_.add_to_alphabet(lts_.alphabet());
  next_ = {lts_.initial().value};
  number_of(next_);
  for (std::uint32_t s = 0; s < sets_.size(); ++s) {
    expand(s);
    if (sets_.size() > most || sets_.bytes() / 4 + made_ > most_room) return std::nullopt;
    if (!go_on(budget)) return std::nullopt;
  }
  builder_.set_state_count(sets_.size());
  return builder_.build();
}

void Subsets::expand(std::uint32_t from) {
  steps_.clear();
  for (const std::uint32_t s : sets_[from]) {
    if (State{s} == lts_.error()) builder_.set_error(State{from});
    for (const Step& step : lts_.steps(State{s}))
      if (step.action != kTau) steps_.push_back(step);
    if (State{s} == lts_.end() && sets_[from].size() == 1) builder_.set_end(State{from});
  }
  std::sort(steps_.begin(), steps_.end());
  for (std::size_t i = 0; i < steps_.size();) {
    const Action a = steps_[i].action;
    next_.clear();
    for (; i < steps_.size() && steps_[i].action == a; ++i) next_.push_back(steps_[i].target.value);
    builder_.add_step(State{from}, a, State{number_of(next_)});
    ++made_;
  }
}

// Two kinds of sets are cut down to one state: what may be in error is error, and what may have ended
// and can do nothing else has ended.
std::uint32_t Subsets::number_of(Set& set) {
  close(set);
  if (contains(set, lts_.error()))
    set = {lts_.error()->value};
  else if (contains(set, lts_.end()) && !has_visible_step(set))
    set = {lts_.end()->value};
  return sets_.intern(set);
}

// Adds what tau steps reach; sorts, and drops repetitions.
void Subsets::close(Set& set) {
  ++closure_;
  std::size_t kept = 0;
  for (const std::uint32_t s : set)
    if (seen_[s] != closure_) {
      seen_[s] = closure_;
      set[kept++] = s;
    }
  set.resize(kept);
  for (std::size_t i = 0; i < set.size(); ++i)
    for (const Step& step : lts_.steps(State{set[i]})) {
      if (step.action != kTau) break;  // tau comes first
      if (seen_[step.target.value] == closure_) continue;
      seen_[step.target.value] = closure_;
      set.push_back(step.target.value);
    }
  std::sort(set.begin(), set.end());
}

// True for a set that has just been closed.
bool Subsets::contains(const Set&, std::optional<State> s) const { return s && seen_[s->value] == closure_; }

bool Subsets::has_visible_step(const Set& set) const {
  return std::ranges::any_of(set, [&](std::uint32_t s) {
    const auto steps = lts_.steps(State{s});
    return !steps.empty() && steps.back().action != kTau;
  });
}

// Adds to a deterministic LTS, in every state but `sink`, the steps it lacks; they lead to `sink`.
// Returns whether there were any.
bool add_missing_steps(const Lts& lts, State sink, LtsBuilder& builder) {
  bool added = false;
  for (std::uint32_t s = 0; s < lts.state_count(); ++s) {
    if (State{s} == sink) continue;
    auto step = lts.steps(State{s}).begin();
    const auto end = lts.steps(State{s}).end();
    for (const Action a : lts.alphabet()) {
      const bool has = step != end && step->action == a;
      builder.add_step(State{s}, a, has ? step->target : sink);
      if (has) ++step;
      added = added || !has;
    }
  }
  return added;
}

}  // namespace

Lts determinise(const Lts& lts, Budget* budget) {
  if (is_deterministic(lts)) return reachable(lts);
  return Subsets(lts).run(UINT64_MAX, budget).value_or(Lts());
}

std::optional<Lts> determinise(const Lts& lts, std::uint64_t most, Budget* budget) {
  return Subsets(lts).run(most, budget);
}

Lts complete(const Lts& property) {
  check(is_deterministic(property), "only a deterministic LTS can be completed");
  const std::uint32_t n = property.state_count();
  const State error = property.error().value_or(State{n});
  LtsBuilder builder;
  builder.add_to_alphabet(property.alphabet());
  const bool added = add_missing_steps(property, error, builder);
  // No states: even to do nothing is forbidden, so the initial state is error.
  const bool needed = property.error() || added || n == 0;
  builder.set_state_count(std::max(n, needed ? error.value + 1 : 0));
  if (needed) builder.set_error(error);
  return builder.build();
}

Automaton complement(const Lts& lts) {
  const Lts words = determinise(lts);
  const std::uint32_t n = words.state_count();
  // Where the words that are no traces end up. The error state, if there is one, becomes this sink.
  const State sink = words.error().value_or(State{n});
  LtsBuilder builder;
  builder.add_to_alphabet(words.alphabet());
  const bool added = add_missing_steps(words, sink, builder);
  const bool needed = words.error() || added || n == 0;
  if (needed)
    for (const Action a : words.alphabet()) builder.add_step(sink, a, sink);
  const std::uint32_t states = std::max(n, needed ? sink.value + 1 : 0);
  builder.set_state_count(states);
  Automaton out{builder.build(), std::vector<bool>(states, false)};
  if (needed) out.accepting[sink.value] = true;
  return out;
}

}  // namespace surety
