#include "decompose/splits/order.hpp"

namespace surety {

Split default_order(const Network& network, const Property& property) {
  Split order;
  std::vector<const Component*> left;
  for (const auto& component : network.components) left.push_back(&component);
  for (Alphabet placed = property.lts.alphabet(); !left.empty();) {
    std::size_t best = 0, most = 0;
    for (std::size_t i = 0; i < left.size(); ++i) {
      const std::size_t shared = intersect(left[i]->lts.alphabet(), placed).size();
      if (shared <= most) continue;
      best = i;
      most = shared;
    }
    order.push_back({left[best]->name});
    placed = unite(placed, left[best]->lts.alphabet());
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(best));
  }
  return order;
}

}  // namespace surety
