#include "lang/qre/automaton.hpp"

#include <algorithm>

#include "model/minimise.hpp"
#include "model/transform.hpp"

namespace surety::qre {
namespace {

// The letter after those of the events.
Action mark_of(const Property& property) { return letter(static_cast<std::uint32_t>(property.events.size())); }

bool accepts(const Lts& lts, State s, Action mark) { return !lts.steps(s, mark).empty(); }

// One fragment per subexpression, between two states: what it matches is what leads from the one to the other. No
// fragment has steps into its first or out of its last state, unless they are the same, so fragments can share them.
class Thompson {
 public:
  Lts run(const Property& property) {
    const State last = fresh();
    add(property.expression, State{0}, last);
    builder_.add_step(last, mark_of(property), last);
    builder_.set_state_count(states_);
    return builder_.build();
  }

 private:
  State fresh() { return State{states_++}; }

  void add(const Expression& e, State from, State to) {
    switch (e.kind) {
      case Expression::Kind::one_of:
        for (const auto event : e.events) builder_.add_step(from, letter(event), to);
        return;
      case Expression::Kind::choice:
        for (const auto& part : e.parts) add(part, from, to);
        return;
      case Expression::Kind::sequence: return add_chain(e.parts.size(), e, from, to);
      case Expression::Kind::power: return add_chain(e.count, e, from, to);
      case Expression::Kind::maybe: builder_.add_step(from, kTau, to); return add(e.parts[0], from, to);
      case Expression::Kind::star: return add_loop(e.parts[0], from, to);
      case Expression::Kind::plus: return add_again(e.parts[0], from, to);
    }
  }

  // The parts one after the other, or the only part `length` times.
  void add_chain(std::size_t length, const Expression& e, State from, State to) {
    if (length == 0) return builder_.add_step(from, kTau, to);
    for (std::size_t i = 0; i < length; ++i) {
      const State next = i + 1 == length ? to : fresh();
      add(e.parts[std::min(i, e.parts.size() - 1)], from, next);
      from = next;
    }
  }

  void add_loop(const Expression& body, State from, State to) {
    const State middle = fresh();
    builder_.add_step(from, kTau, middle);
    add(body, middle, middle);
    builder_.add_step(middle, kTau, to);
  }

  // The body has one copy here, too: with two, nested ones would double it each time.
  void add_again(const Expression& body, State from, State to) {
    const State first = fresh(), last = fresh();
    builder_.add_step(from, kTau, first);
    add(body, first, last);
    builder_.add_step(last, kTau, first);
    builder_.add_step(last, kTau, to);
  }

  LtsBuilder builder_;
  std::uint32_t states_ = 1;  // the first is there
};

// What is not accepted. The sink is where words go that have no path. Nothing: it is too large.
std::optional<Lts> opposite(const Lts& lts, const Property& property) {
  const Action mark = mark_of(property);
  const State sink{lts.state_count()};
  const auto letters = static_cast<std::uint32_t>(property.events.size());
  if ((sink.value + 1ULL) * letters > kMostComplementSteps) return std::nullopt;
  LtsBuilder builder;
  builder.set_state_count(sink.value + 1);
  for (std::uint32_t s = 0; s <= sink.value; ++s) {
    for (std::uint32_t e = 0; e < letters; ++e) {
      const auto steps = s == sink.value ? std::span<const Step>() : lts.steps(State{s}, letter(e));
      builder.add_step(State{s}, letter(e), steps.empty() ? sink : steps[0].target);
    }
    if (s == sink.value || !accepts(lts, State{s}, mark)) builder.add_step(State{s}, mark, State{s});
  }
  return builder.build();
}

// By state: can an accepting state be reached from it?
std::vector<bool> hopeful(const Lts& lts, Action mark) {
  std::vector<std::vector<std::uint32_t>> before(lts.state_count());
  std::vector<bool> out(lts.state_count(), false);
  std::vector<std::uint32_t> open;
  for (std::uint32_t s = 0; s < lts.state_count(); ++s) {
    for (const Step& step : lts.steps(State{s})) before[step.target.value].push_back(s);
    if (!accepts(lts, State{s}, mark)) continue;
    out[s] = true;
    open.push_back(s);
  }
  while (!open.empty()) {
    const auto s = open.back();
    open.pop_back();
    for (const auto p : before[s]) {
      if (out[p]) continue;
      out[p] = true;
      open.push_back(p);
    }
  }
  return out;
}

// Without the states from which nothing is accepted.
Lts without_hopeless(const Lts& lts, Action mark) {
  const auto kept = hopeful(lts, mark);
  if (!kept[lts.initial().value]) return Lts();
  LtsBuilder builder;
  builder.set_state_count(lts.state_count());
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s}))
      if (kept[s] && kept[step.target.value]) builder.add_step(State{s}, step.action, step.target);
  return builder.build();
}

// The marks become accepting states. What only they lead to is no longer reached.
Automaton without_marks(const Lts& lts, const Property& property) {
  LtsBuilder builder;
  builder.set_state_count(lts.state_count());
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s}))
      if (step.action != mark_of(property)) builder.add_step(State{s}, step.action, step.target);
  std::vector<Action> letters;
  for (std::uint32_t e = 0; e < property.events.size(); ++e) letters.push_back(letter(e));
  builder.add_to_alphabet(Alphabet(std::move(letters)));
  const Lts plain = builder.build();
  Automaton out{reachable(plain), {}};
  for (const State s : reachable_order(plain)) out.accepting.push_back(accepts(lts, s, mark_of(property)));
  return out;
}

}  // namespace

std::optional<Automaton> automaton_of(const Property& property, Budget& budget) {
  auto lts = determinise(Thompson().run(property), kMostStates, &budget);
  if (lts && !property.all) lts = opposite(*lts, property);
  if (!lts) return std::nullopt;
  const Lts live = without_hopeless(*lts, mark_of(property));
  if (live.state_count() == 0) return Automaton{};
  const Lts smallest = minimise_strong(live, &budget);
  if (!budget.go_on()) return std::nullopt;
  return without_marks(smallest, property);
}

}  // namespace surety::qre
