// Tiny programs, and all that they can do.
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
  // Exploring the tasks jointly makes no difference.
  const auto jointly = Follower::make(text, "test.adb", why, {.exploring = AdaExploring::jointly});
  if (jointly == nullptr || jointly->traces(1000) != all) return {"explored jointly it does something else"};
  // Nor does it where the variables of tasks are.
  const auto apart = Follower::make(text, "test.adb", why, {.own = AdaOwnVariables::apart});
  const auto others = apart == nullptr ? std::nullopt : apart->traces(1000);
  if (others.has_value() != all.has_value() || (all && without_names(*others) != without_names(*all)))
    return {fmt::format("with variables apart it does something else: {}",
                        others ? fmt::format("{}", fmt::join(*others, " | ")) : "too much")};
  return all ? *all : Traces{"more than 1000"};
}

// The statements of the only task.
inline std::string alone(const std::string& declarations, const std::string& statements) {
  return fmt::format("procedure P is\n{}\nbegin\n{}\nend P;\n", declarations, statements);
}

inline std::string event(const std::string& name, const std::string& value = "") {
  return fmt::format("pragma Annotate (Surety, Event, \"{}\"{});", name, value.empty() ? "" : ", " + value);
}

}  // namespace surety
