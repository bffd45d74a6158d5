// A system: named components that run in parallel, and what it must not do.
#pragma once

#include <string>
#include <vector>

#include "model/lts.hpp"

namespace surety {

struct Component {
  std::string name;
  Lts lts;
};

// A safety property: a deterministic LTS. A missing step on one of its own actions is the violation.
struct Property {
  std::string name;
  Lts lts;
};

struct Network {
  std::string name;
  std::vector<Component> components;
};

inline Alphabet alphabet_of(const Network& network) {
  Alphabet all;
  for (const auto& component : network.components) all = unite(all, component.lts.alphabet());
  return all;
}

}  // namespace surety
