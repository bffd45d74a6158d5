// The queue of an entry whose 'Count is asked for, as a component: its states are who waits, in order.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "model/lts.hpp"

namespace surety::ada {

struct QueueActions {
  struct Caller {
    Action queued;
    std::vector<Action> served, gone;  // a rendezvous with it; that it learns that the task has completed
  };
  std::map<std::uint32_t, Caller> callers;  // by task
  std::map<std::int64_t, Action> count;     // by how many
};

// Nothing: there would be too many states.
std::optional<Lts> queue_component(const QueueActions& actions);

}  // namespace surety::ada
