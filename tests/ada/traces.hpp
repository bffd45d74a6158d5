// All that a tiny program can do.
#pragma once

#include <fmt/format.h>

#include <set>
#include <string>

#include "ada/follow.hpp"

namespace surety {

using Traces = std::set<std::string>;

// All complete traces: names of actions, and how it ends. Or why it is refused.
inline Traces traces(const std::string& text) {
  std::string why;
  const auto follower = Follower::make(text, "test.adb", why);
  if (follower == nullptr) return {why};
  const auto all = follower->traces(1000);
  return all ? *all : Traces{"more than 1000"};
}

inline std::string event(const std::string& name, const std::string& value = "") {
  return fmt::format("pragma Annotate (Surety, Event, \"{}\"{});", name, value.empty() ? "" : ", " + value);
}

}  // namespace surety
