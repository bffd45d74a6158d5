// RapidCheck generators of models. They shrink to few states, few steps, no marks.
#pragma once

#include <rapidcheck.h>

#include <string>
#include <tuple>
#include <vector>

#include "reference/reference.hpp"

namespace surety::reference {

// What any_lts() draws from.
struct Variety {
  std::uint32_t states = 5;   // at most
  std::uint32_t actions = 2;  // a, b, ...
  std::uint32_t steps = 20;   // at most, but some of them fall together
  bool tau = true;
  bool error = true;
  bool end = true;
  std::uint32_t first_action = 0;  // 1: the actions are b, c, ...
};

// Uniform in min .. max, whatever RapidCheck's size is; shrinks towards min.
inline rc::Gen<std::uint32_t> between(std::uint32_t min, std::uint32_t max) {
  return rc::gen::resize(rc::kNominalSize, rc::gen::inRange(min, max + 1));
}

// A list of at most `most` things.
template <class T>
rc::Gen<std::vector<T>> up_to(std::uint32_t most, const rc::Gen<T>& thing) {
  return rc::gen::resize(static_cast<int>(most), rc::gen::container<std::vector<T>>(thing));
}

inline Action letter(std::uint32_t i) { return action(std::string(1, static_cast<char>('a' + i))); }

// The whole alphabet of the variety, whether it is used or not.
inline rc::Gen<Lts> any_lts(const Variety& variety = {}) {
  using Raw = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
  const auto& v = variety;
  const auto step =
      rc::gen::tuple(between(0, v.states - 1), between(v.tau ? 0 : 1, v.actions), between(0, v.states - 1));
  const auto build = [v](std::uint32_t n, const std::vector<Raw>& steps, std::uint32_t error, std::uint32_t end) {
    LtsBuilder builder;
    builder.set_state_count(n);
    for (std::uint32_t i = 1; i <= v.actions; ++i) builder.add_to_alphabet({letter(v.first_action + i - 1)});
    // Marks are drawn past the last state more often than not: then there are none.
    const bool has_error = v.error && error < n, has_end = v.end && end < n && !(has_error && end == error);
    if (has_error) builder.set_error(State{error});
    if (has_end) builder.set_end(State{end});
    for (const auto& [from, label, to] : steps) {
      const State s{from % n}, t{to % n};
      if ((has_error && s.value == error) || (has_end && s.value == end)) continue;
      builder.add_step(s, label == 0 ? kTau : letter(v.first_action + label - 1), t);
    }
    return builder.build();
  };
  const auto mark = [&] { return rc::gen::map(between(0, 2 * v.states), [v](auto m) { return 2 * v.states - m; }); };
  return rc::gen::apply(build, between(1, v.states), up_to<Raw>(v.steps, step), mark(), mark());
}

// A safety LTS: deterministic, without tau, error and END.
inline rc::Gen<Lts> any_property(Variety variety = {}) {
  variety.tau = variety.error = variety.end = false;
  return rc::gen::map(any_lts(variety), [](const Lts& lts) {
    LtsBuilder builder;
    builder.set_state_count(lts.state_count());
    builder.add_to_alphabet(lts.alphabet());
    for (std::uint32_t s = 0; s < lts.state_count(); ++s)
      for (const Action a : lts.alphabet())
        if (const auto steps = lts.steps(State{s}, a); !steps.empty())
          builder.add_step(State{s}, a, steps.front().target);
    return builder.build();
  });
}

inline rc::Gen<Trace> any_word(const Alphabet& alphabet, std::uint32_t longest = 6) {
  if (alphabet.empty()) return rc::gen::just(Trace{});
  return up_to<Action>(longest, rc::gen::elementOf(std::vector<Action>(alphabet.begin(), alphabet.end())));
}

// Any subset.
inline rc::Gen<Alphabet> any_part_of(const Alphabet& alphabet) {
  return rc::gen::map(any_word(alphabet, static_cast<std::uint32_t>(alphabet.size())),
                      [](const Trace& letters) { return Alphabet(letters); });
}

}  // namespace surety::reference
