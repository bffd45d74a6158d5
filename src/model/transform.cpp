// Project, hide, relabel, reachable, trace_lts: each is one pass over the steps.
//
// A pass never looks an action up by search: what becomes of each action is
// written into a table first, which is then read once per step.
#include "model/transform.hpp"

#include "base/check.hpp"

namespace surety {
namespace {

// A builder with the states and marks of lts, and no steps yet.
LtsBuilder same_states(const Lts& lts) {
  LtsBuilder builder;
  builder.set_state_count(lts.state_count());
  if (lts.error()) builder.set_error(*lts.error());
  if (lts.end()) builder.set_end(*lts.end());
  return builder;
}

// One entry for every action number that lts can use.
template <class T>
std::vector<T> table_for(const Lts& lts, const T& value) {
  const auto& alphabet = lts.alphabet();
  return std::vector<T>(alphabet.empty() ? 1 : alphabet[alphabet.size() - 1].value + 1ULL, value);
}

// lts with every action a outside `visible` turned into tau.
Lts keep_only(const Lts& lts, const Alphabet& visible) {
  auto image = table_for(lts, kTau);
  for (const Action a : visible) image[a.value] = a;

  LtsBuilder builder = same_states(lts);
  builder.reserve(lts.transition_count());
  builder.add_to_alphabet(visible);
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s})) builder.add_step(State{s}, image[step.action.value], step.target);
  return builder.build();
}

}  // namespace

Lts project(const Lts& lts, const Alphabet& visible) { return keep_only(lts, intersect(lts.alphabet(), visible)); }

Lts hide(const Lts& lts, const Alphabet& hidden) { return keep_only(lts, subtract(lts.alphabet(), hidden)); }

Lts relabel(const Lts& lts, const std::vector<std::pair<Action, Action>>& pairs) {
  auto images = table_for(lts, std::vector<Action>{});
  for (const auto& [from, to] : pairs) {
    check(from != kTau && to != kTau, "tau cannot be renamed");
    if (lts.alphabet().contains(from)) images[from.value].push_back(to);
  }
  for (const Action a : lts.alphabet())
    if (images[a.value].empty()) images[a.value].push_back(a);
  images[kTau.value] = {kTau};

  LtsBuilder builder = same_states(lts);
  builder.reserve(lts.transition_count());
  for (const Action a : lts.alphabet()) builder.add_to_alphabet(Alphabet(images[a.value]));
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s}))
      for (const Action a : images[step.action.value]) builder.add_step(State{s}, a, step.target);
  return builder.build();
}

namespace {

constexpr std::uint32_t kUnseen = UINT32_MAX;

// The states in the order in which a breadth-first search finds them, with their numbers in it.
struct Found {
  std::vector<std::uint32_t> number;
  std::vector<State> order;  // the queue of the search, never shortened
  std::size_t steps = 0;
};

Found find_states(const Lts& lts) {
  Found out{std::vector<std::uint32_t>(lts.state_count(), kUnseen), {}, 0};
  if (lts.state_count() == 0) return out;
  out.order = {lts.initial()};
  out.number[lts.initial().value] = 0;
  for (std::size_t i = 0; i < out.order.size(); ++i)
    for (const Step& step : lts.steps(out.order[i])) {
      ++out.steps;
      auto& n = out.number[step.target.value];
      if (n != kUnseen) continue;
      n = static_cast<std::uint32_t>(out.order.size());
      out.order.push_back(step.target);
    }
  return out;
}

}  // namespace

std::vector<State> reachable_order(const Lts& lts) { return find_states(lts).order; }

Lts reachable(const Lts& lts) {
  LtsBuilder builder;
  builder.add_to_alphabet(lts.alphabet());
  builder.set_state_count(0);
  if (lts.state_count() == 0) return builder.build();
  const auto [number, order, steps] = find_states(lts);
  builder.set_state_count(static_cast<std::uint32_t>(order.size()));
  builder.reserve(steps);
  for (const State s : order)
    for (const Step& step : lts.steps(s))
      builder.add_step(State{number[s.value]}, step.action, State{number[step.target.value]});
  if (const auto error = lts.error(); error && number[error->value] != kUnseen)
    builder.set_error(State{number[error->value]});
  if (const auto end = lts.end(); end && number[end->value] != kUnseen) builder.set_end(State{number[end->value]});
  return builder.build();
}

Lts trace_lts(Word word, const Alphabet& alphabet) {
  LtsBuilder builder;
  builder.add_to_alphabet(alphabet);
  builder.set_state_count(static_cast<std::uint32_t>(word.size() + 1));
  for (std::uint32_t i = 0; i < word.size(); ++i) {
    check(alphabet.contains(word[i]), "a word leaves its alphabet");
    builder.add_step(State{i}, word[i], State{i + 1});
  }
  return builder.build();
}

Lts universal_lts(const Alphabet& actions) {
  LtsBuilder builder;
  for (const Action a : actions) builder.add_step(State{0}, a, State{0});
  return builder.build();
}

namespace {

// All but which state is the error state.
LtsBuilder copy_of(const Lts& lts) {
  LtsBuilder builder;
  builder.add_to_alphabet(lts.alphabet());
  builder.set_state_count(lts.state_count());
  if (lts.end()) builder.set_end(*lts.end());
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s})) builder.add_step(State{s}, step.action, step.target);
  return builder;
}

}  // namespace

Lts without_error(const Lts& lts) { return lts.error() ? copy_of(lts).build() : lts; }

Lts with_error_action(const Lts& lts, Action wrong) {
  LtsBuilder builder = copy_of(lts);
  if (lts.error()) builder.add_step(*lts.error(), wrong, *lts.error());
  builder.add_to_alphabet(Alphabet({wrong}));
  return builder.build();
}

}  // namespace surety
