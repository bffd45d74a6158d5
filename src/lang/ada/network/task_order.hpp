// In which order a task does what concerns one other component, with everything else that it does left out: a
// deterministic automaton, by subsets of its states.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "lang/ada/network/explore.hpp"

namespace surety::ada {

// What a transition is to the other component: nothing, or a letter that it may or must take part in.
template <class Letter>
struct Concern {
  std::optional<Letter> letter;
  bool without = true;  // the other one need not take part
};

template <class Letter>
struct TaskOrder {
  std::vector<std::map<Letter, std::uint32_t>> steps;  // by state
  std::vector<std::vector<std::uint32_t>> sets;        // by state: the states that the task can be in, sorted
};

// Concerns by transition. Nothing: it would have more than so many states.
template <class Letter>
std::optional<TaskOrder<Letter>> task_order(const TaskGraph& task, const std::vector<Concern<Letter>>& concerns,
                                            std::size_t most) {
  using States = std::vector<std::uint32_t>;
  std::vector<States> edges(task.states.size());  // by state
  for (std::uint32_t e = 0; e < task.edges.size(); ++e) edges[task.edges[e].from].push_back(e);
  std::vector<std::uint32_t> seen(task.states.size(), 0);
  std::uint32_t round = 0;
  const auto close = [&](States states) {
    ++round;
    for (const std::uint32_t s : states) seen[s] = round;
    for (std::size_t i = 0; i < states.size(); ++i)
      for (const std::uint32_t e : edges[states[i]])
        if (const auto& edge = task.edges[e]; concerns[edge.transition].without && seen[edge.to] != round) {
          seen[edge.to] = round;
          states.push_back(edge.to);
        }
    std::ranges::sort(states);
    return states;
  };
  TaskOrder<Letter> out;
  std::map<States, std::uint32_t> numbers;
  const auto number = [&](States states) {
    const auto [at, fresh] = numbers.try_emplace(close(std::move(states)), static_cast<std::uint32_t>(numbers.size()));
    if (fresh) out.sets.push_back(at->first);
    return at->second;
  };
  number(task.states.empty() ? States{} : States{0});
  for (std::uint32_t i = 0; i < out.sets.size(); ++i) {
    if (out.sets.size() > most) return std::nullopt;
    std::map<Letter, States> next;
    for (const std::uint32_t s : out.sets[i])
      for (const std::uint32_t e : edges[s])
        if (const auto& letter = concerns[task.edges[e].transition].letter) {
          States& to = next[*letter];
          if (std::ranges::find(to, task.edges[e].to) == to.end()) to.push_back(task.edges[e].to);
        }
    std::map<Letter, std::uint32_t> steps;
    for (auto& [letter, states] : next) steps[letter] = number(std::move(states));
    out.steps.push_back(std::move(steps));
  }
  return out;
}

}  // namespace surety::ada
