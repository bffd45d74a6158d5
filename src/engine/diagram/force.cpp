#include "engine/diagram/force.hpp"

#include <algorithm>
#include <numeric>

#include "base/random.hpp"

namespace surety {
namespace {

using Order = std::vector<std::uint32_t>;

constexpr int kRandomStarts = 4;
constexpr int kPatience = 5;  // rounds without a gain

// Breadth first from one thing through the groups: neighbours come out near each other.
Order walk_from(std::uint32_t start, std::uint32_t things, const Groups& groups, const Groups& groups_of) {
  Order order{start};
  std::vector<bool> met(things), used(groups.size());
  met[start] = true;
  std::uint32_t next = 0;  // to go on from when the groups fall apart
  for (std::size_t i = 0; order.size() < things; ++i) {
    if (i == order.size()) {
      while (met[next]) ++next;
      met[next] = true;
      order.push_back(next);
    }
    for (const std::uint32_t g : groups_of[order[i]]) {
      if (used[g]) continue;
      used[g] = true;
      for (const std::uint32_t v : groups[g])
        if (!met[v]) {
          met[v] = true;
          order.push_back(v);
        }
    }
  }
  return order;
}

// One round: every thing moves to the mean of the centres of its groups.
Order pull(const Order& order, const Groups& groups, const Groups& groups_of) {
  std::vector<double> place(order.size()), centre(groups.size());
  for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = static_cast<double>(i);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    for (const std::uint32_t v : groups[g]) centre[g] += place[v];
    centre[g] /= static_cast<double>(std::max<std::size_t>(1, groups[g].size()));
  }
  std::vector<double> wish = place;
  for (std::size_t v = 0; v < order.size(); ++v) {
    if (groups_of[v].empty()) continue;
    wish[v] = 0;
    for (const std::uint32_t g : groups_of[v]) wish[v] += centre[g];
    wish[v] /= static_cast<double>(groups_of[v].size());
  }
  Order next = order;
  std::stable_sort(next.begin(), next.end(), [&](std::uint32_t a, std::uint32_t b) { return wish[a] < wish[b]; });
  return next;
}

}  // namespace

std::uint64_t total_span(const Order& order, const Groups& groups) {
  std::vector<std::uint32_t> place(order.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  std::uint64_t sum = 0;
  for (const auto& group : groups) {
    if (group.empty()) continue;
    std::uint32_t first = UINT32_MAX, last = 0;
    for (const std::uint32_t v : group) {
      first = std::min(first, place[v]);
      last = std::max(last, place[v]);
    }
    sum += last - first;
  }
  return sum;
}

Order force_order(std::uint32_t things, const Groups& groups) {
  if (things == 0) return {};
  Groups groups_of(things);
  for (std::uint32_t g = 0; g < groups.size(); ++g)
    for (const std::uint32_t v : groups[g]) groups_of[v].push_back(g);

  std::vector<Order> starts(1, Order(things));
  std::iota(starts[0].begin(), starts[0].end(), 0U);
  // From the thing in the fewest groups, which may be an end of a chain, and from the one a walk meets last.
  const auto least = std::min_element(groups_of.begin(), groups_of.end(),
                                      [](const auto& a, const auto& b) { return a.size() < b.size(); });
  starts.push_back(walk_from(static_cast<std::uint32_t>(least - groups_of.begin()), things, groups, groups_of));
  starts.push_back(walk_from(starts.back().back(), things, groups, groups_of));
  Random random(things);
  for (int i = 0; i < kRandomStarts; ++i) {
    Order order = starts[0];
    for (std::uint32_t k = things; k > 1; --k) std::swap(order[k - 1], order[random.below(k)]);
    starts.push_back(std::move(order));
  }

  Order best;
  std::uint64_t best_span = UINT64_MAX;
  for (Order& order : starts) {
    std::uint64_t mine = UINT64_MAX;
    for (int left = kPatience; left > 0; --left) {
      const std::uint64_t span = total_span(order, groups);
      if (span < mine) {
        mine = span;
        left = kPatience;
      }
      if (span < best_span) {
        best_span = span;
        best = order;
      }
      order = pull(order, groups, groups_of);
    }
  }
  return best;
}

namespace {

// Those with more than half of the others in their groups.
std::vector<bool> hubs(std::uint32_t things, const Groups& groups) {
  std::vector<std::vector<bool>> met(things, std::vector<bool>(things));
  for (const auto& group : groups)
    if (2 * group.size() <= things)
      for (const std::uint32_t a : group)
        for (const std::uint32_t b : group) met[a][b] = true;
  std::vector<bool> out(things);
  for (std::uint32_t v = 0; v < things; ++v) out[v] = 2 * std::count(met[v].begin(), met[v].end(), true) > things;
  return out;
}

}  // namespace

Order order_with_hubs(const std::vector<bool>& is_large, const Groups& groups) {
  const auto things = static_cast<std::uint32_t>(is_large.size());
  if (std::count(is_large.begin(), is_large.end(), true) < 2) return force_order(things, groups);
  const std::vector<bool> is_hub = hubs(things, groups);
  int large = 0;
  for (std::uint32_t v = 0; v < things; ++v) large += is_hub[v] && is_large[v] ? 1 : 0;
  if (large < 2) return force_order(things, groups);
  Order out;
  for (const bool of_hubs : {false, true}) {
    Order members;
    std::vector<std::uint32_t> number(things);
    for (std::uint32_t v = 0; v < things; ++v)
      if (is_hub[v] == of_hubs) {
        number[v] = static_cast<std::uint32_t>(members.size());
        members.push_back(v);
      }
    Groups among;
    for (const auto& group : groups) {
      std::vector<std::uint32_t> left;
      for (const std::uint32_t v : group)
        if (is_hub[v] == of_hubs) left.push_back(number[v]);
      if (left.size() > 1) among.push_back(std::move(left));
    }
    for (const std::uint32_t v : force_order(static_cast<std::uint32_t>(members.size()), among))
      out.push_back(members[v]);
  }
  return out;
}

}  // namespace surety
