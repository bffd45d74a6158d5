#include "lang/ada/queue.hpp"

#include <algorithm>
#include <deque>

namespace surety::ada {

std::optional<Lts> queue_component(const QueueActions& actions) {
  constexpr std::size_t kMostStates = 20'000;
  using Queue = std::vector<std::uint32_t>;
  std::map<Queue, std::uint32_t> numbers{{{}, 0}};
  std::deque<Queue> queues(1);  // a deque: it grows while one of them is looked at
  LtsBuilder builder;
  std::vector<Action> alphabet;
  const auto number = [&](const Queue& queue) {
    const auto [at, fresh] = numbers.try_emplace(queue, static_cast<std::uint32_t>(queues.size()));
    if (fresh) queues.push_back(queue);
    return State{at->second};
  };
  for (std::uint32_t s = 0; s < queues.size(); ++s) {
    if (queues.size() > kMostStates) return std::nullopt;
    const Queue& queue = queues[s];
    for (const auto& [task, caller] : actions.callers) {
      const auto place = std::ranges::find(queue, task);
      Queue without = queue;
      std::erase(without, task);
      if (place == queue.end()) {
        Queue with = queue;
        with.push_back(task);
        builder.add_step(State{s}, caller.queued, number(with));
      }
      if (place == queue.begin() && !queue.empty())
        for (const Action a : caller.served) builder.add_step(State{s}, a, number(without));
      for (const Action a : caller.gone) builder.add_step(State{s}, a, number(without));
    }
    if (const auto count = actions.count.find(static_cast<std::int64_t>(queue.size())); count != actions.count.end())
      builder.add_step(State{s}, count->second, State{s});
  }
  for (const auto& [task, caller] : actions.callers) {
    alphabet.push_back(caller.queued);
    alphabet.insert(alphabet.end(), caller.served.begin(), caller.served.end());
    alphabet.insert(alphabet.end(), caller.gone.begin(), caller.gone.end());
  }
  for (const auto& [count, action] : actions.count) alphabet.push_back(action);
  builder.set_state_count(static_cast<std::uint32_t>(queues.size()));
  builder.add_to_alphabet(Alphabet(std::move(alphabet)));
  return builder.build();
}

}  // namespace surety::ada
