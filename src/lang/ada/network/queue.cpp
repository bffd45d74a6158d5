#include "lang/ada/network/queue.hpp"

#include <algorithm>

#include "lang/net/values.hpp"

namespace surety::ada {
namespace {

using Queue = std::vector<std::uint32_t>;

struct Access {
  enum class Kind : std::uint8_t { queued, served, gone, count };
  Kind kind = Kind::count;
  Action action;
  std::uint32_t task = 0;   // all but count
  std::size_t waiting = 0;  // count
};

std::optional<Queue> after(Queue queue, const Access& access) {
  const auto place = std::ranges::find(queue, access.task);
  switch (access.kind) {
    case Access::Kind::queued:
      if (place != queue.end()) return std::nullopt;
      queue.push_back(access.task);
      return queue;
    case Access::Kind::served:
      if (queue.empty() || place != queue.begin()) return std::nullopt;
      queue.erase(place);
      return queue;
    case Access::Kind::gone: std::erase(queue, access.task); return queue;
    case Access::Kind::count: break;
  }
  return queue.size() == access.waiting ? std::optional(std::move(queue)) : std::nullopt;
}

}  // namespace

std::optional<Lts> queue_component(const QueueActions& actions) {
  constexpr std::size_t kMostStates = 20'000;
  std::vector<Access> accesses;
  for (const auto& [task, caller] : actions.callers) {
    accesses.push_back({Access::Kind::queued, caller.queued, task});
    for (const Action a : caller.served) accesses.push_back({Access::Kind::served, a, task});
    for (const Action a : caller.gone) accesses.push_back({Access::Kind::gone, a, task});
  }
  for (const auto& [count, action] : actions.count)
    accesses.push_back({Access::Kind::count, action, 0, static_cast<std::size_t>(count)});
  auto queues = net::values_of(
      Queue(), accesses, [](const Access& access) { return access.action; }, after, kMostStates, [] { return true; });
  return queues ? std::optional(queues->builder.build()) : std::nullopt;
}

}  // namespace surety::ada
