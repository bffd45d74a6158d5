// Names of components and properties, each once.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace surety::api {

// Two files of one name become x and x.2.
template <class Named>
std::string unique_name(const std::vector<Named>& others, const std::string& name) {
  auto taken = [&](const std::string& candidate) {
    return std::any_of(others.begin(), others.end(), [&](const Named& other) { return other.name == candidate; });
  };
  std::string candidate = name;
  for (int i = 2; taken(candidate); ++i) candidate = fmt::format("{}.{}", name, i);
  return candidate;
}

}  // namespace surety::api
