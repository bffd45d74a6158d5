#include "decompose/splits/two_way.hpp"

namespace surety {

Split default_split(const Network& network, const Property& property) {
  Split split(2);
  for (const auto& component : network.components) {
    const bool touches = !intersect(component.lts.alphabet(), property.lts.alphabet()).empty();
    split[touches ? 0 : 1].push_back(component.name);
  }
  if (!split[0].empty() && !split[1].empty()) return split;
  split = Split(2);
  for (const auto& component : network.components)
    split[component.name == network.components[0].name ? 0 : 1].push_back(component.name);
  return split;
}

}  // namespace surety
