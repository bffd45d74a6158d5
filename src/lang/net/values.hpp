// What processes or tasks share, as a component of a network: a variable, a buffer, a queue.
//
// Its states are the values that can be reached from the first one, breadth first. An access of a process is a step
// from the value that it finds to the one that it leaves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "model/lts.hpp"

namespace surety::net {

template <class Value>
struct Values {
  LtsBuilder builder;
  std::vector<Value> list;  // by state
};

// `action(access)`: its name. `next(value, access)`: what it leaves; nothing: it is not possible at this value.
// `go_on()` is asked before each. Nothing: it said no, or there are more than `most` values.
template <class Value, class Accesses, class ActionOf, class Next, class GoOn>
std::optional<Values<Value>> values_of(Value initial, const Accesses& accesses, ActionOf action, Next next,
                                       std::size_t most, GoOn go_on) {
  Values<Value> out;
  std::map<Value, std::uint32_t> numbers{{initial, 0}};
  out.list.push_back(std::move(initial));
  std::vector<Action> alphabet;
  for (const auto& access : accesses) alphabet.push_back(action(access));
  for (std::uint32_t s = 0; s < out.list.size(); ++s)
    for (const auto& access : accesses) {
      if (!go_on()) return std::nullopt;
      const std::optional<Value> to = next(std::as_const(out.list[s]), access);
      if (!to) continue;
      const auto [at, fresh] = numbers.try_emplace(*to, static_cast<std::uint32_t>(out.list.size()));
      if (fresh) out.list.push_back(*to);
      if (out.list.size() > most) return std::nullopt;
      out.builder.add_step(State{s}, action(access), State{at->second});
    }
  out.builder.set_state_count(static_cast<std::uint32_t>(out.list.size()));
  out.builder.add_to_alphabet(Alphabet(std::move(alphabet)));
  return out;
}

}  // namespace surety::net
