// Strong components, by Tarjan's algorithm (1972), with a stack of its own in place of recursion.
//
// They are those of anything with size() and next(): the graph of a product, its product with an automaton, an
// automaton.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/budget.hpp"
#include "model/action.hpp"

namespace surety {

struct Arc {
  std::uint32_t target = 0;
  Action action;
  std::uint64_t marks = 0;
};

inline constexpr std::uint32_t kPollGraphEvery = 4096;  // vertices between two looks at the budget

inline constexpr std::uint32_t kNoComponent = UINT32_MAX;

// Strong components, numbered from the sinks up: an arc never leads to a greater number.
struct Components {
  std::vector<std::uint32_t> of;  // by vertex; kNoComponent: it was left out
  std::uint32_t count = 0;
};

// Of the vertices that can be reached from those with has(vertex). Nothing if the budget ended.
template <class Net, class Has>
std::optional<Components> strong_components(const Net& net, Has has, Budget& budget) {
  struct Frame {
    std::uint32_t vertex;
    std::uint32_t number;
    std::uint64_t cursor;
  };
  Charge charge(budget);
  if (!charge.grow_to(net.size() * 12ULL)) budget.stop(Stop::memory);
  if (!budget.go_on()) return std::nullopt;
  Components result;
  result.of.assign(net.size(), kNoComponent);
  // low[v]: 0 if v is new, else one more than the smallest number known to be reachable on the stack.
  std::vector<std::uint32_t> low(net.size(), 0), open;
  std::vector<Frame> frames;
  std::uint32_t numbers = 0;
  const auto enter = [&](std::uint32_t v) {
    low[v] = ++numbers;
    open.push_back(v);
    frames.push_back({v, numbers, 0});
  };
  for (std::uint32_t root = 0; root < net.size(); ++root) {
    if (low[root] != 0 || !has(root)) continue;
    enter(root);
    while (!frames.empty()) {
      const std::uint32_t v = frames.back().vertex;
      Arc arc;
      if (net.next(v, frames.back().cursor, arc)) {
        if (low[arc.target] == 0)
          enter(arc.target);
        else if (result.of[arc.target] == kNoComponent)  // still on the stack
          low[v] = std::min(low[v], low[arc.target]);
        continue;
      }
      if (frames.back().number % kPollGraphEvery == 0) {
        if (!charge.grow_to(net.size() * 12ULL + frames.capacity() * sizeof(Frame))) budget.stop(Stop::memory);
        if (!budget.go_on()) return std::nullopt;
      }
      if (low[v] == frames.back().number) {
        std::uint32_t member = 0;
        do {
          member = open.back();
          open.pop_back();
          result.of[member] = result.count;
        } while (member != v);
        ++result.count;
      }
      frames.pop_back();
      if (!frames.empty()) low[frames.back().vertex] = std::min(low[frames.back().vertex], low[v]);
    }
  }
  return result;
}

}  // namespace surety
