#include "check/owner.hpp"

#include <algorithm>

namespace surety::api {
namespace {

// Of agar: has every component of the second side an abstraction of its own?
bool is_side_by_side(const Check& check) {
  const auto* assumptions = assumptions_of(check.verdict);
  const bool several = (assumptions != nullptr && assumptions->size() > 1) ||
                       std::ranges::any_of(check.cost.iterations, [](const Iteration& i) { return i.assumption > 1; });
  return check.split.size() == 2 && several;
}

}  // namespace

const std::vector<Lts>* assumptions_of(const Verdict& verdict) {
  if (const auto* holds = std::get_if<Holds>(&verdict)) return &holds->certificate.assumptions;
  if (const auto* unknown = std::get_if<Unknown>(&verdict)) return &unknown->assumptions;
  return nullptr;
}

std::vector<std::string> owner_of(const Check& check, int number) {
  if (number < 1 || is_whole(check.method) || check.method == Method::minimise) return {};
  const auto i = static_cast<std::size_t>(number) - 1;
  const auto component = [&](std::size_t side) {
    const bool there = side < check.split.size() && i < check.split[side].size();
    return there ? std::vector<std::string>{check.split[side][i]} : std::vector<std::string>{};
  };
  if (check.method == Method::cegar) return component(0);
  if (check.method == Method::agar && is_side_by_side(check)) return component(1);
  const std::size_t side = check.method == Method::agar ? i + 1 : i;
  return side < check.split.size() ? check.split[side] : std::vector<std::string>{};
}

}  // namespace surety::api
