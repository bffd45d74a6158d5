#include "study/report/features.hpp"

#include <algorithm>
#include <cmath>

#include "decompose/splits/two_way.hpp"
#include "engine/product/search.hpp"
#include "rules/cegar.hpp"

namespace surety::study {

FeatureFinder::FeatureFinder(const api::Model& model, const std::vector<std::string>& tasks,
                             const std::vector<std::size_t>& repeated, const Property& property)
    : model_(model), tasks_(tasks), repeated_(repeated), property_(property), network_(api::safety_network(model)) {
  for (const auto& task : tasks_)
    components_.push_back(&*std::ranges::find(network_.components, task, &Component::name));
  shared_.assign(tasks_.size(), std::vector<std::size_t>(tasks_.size(), 0));
  std::size_t most = 0;
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    std::size_t partners = 0;
    for (std::size_t j = 0; j < tasks_.size(); ++j) {
      if (i == j) continue;
      shared_[i][j] = intersect(components_[i]->lts.alphabet(), components_[j]->lts.alphabet()).size();
      partners += shared_[i][j] > 0 ? 1 : 0;
    }
    if (partners > most) {
      most = partners;
      hub_ = i;
    }
  }
  woken_ = find_woken();
}

// As far as it comes: a component that is refined once may well be the one that matters.
std::vector<bool> FeatureFinder::find_woken() const {
  Limits limits;
  limits.states = kMostRefined;
  Budget budget(limits);
  Cost cost;
  ComponentSet all;
  for (const Component* component : components_) all.push_back(&component->lts);
  prove_cegar({{std::move(all)}, {&property_.lts}}, {.budget = budget, .cost = cost});
  std::vector<bool> out(tasks_.size(), false);
  for (const Iteration& iteration : cost.iterations) out[static_cast<std::size_t>(iteration.assumption) - 1] = true;
  return out;
}

FeatureFinder::Side FeatureFinder::side(const Mask& mask, bool first) const {
  Side out;
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    if (mask.first(i) != first) continue;
    const Lts& lts = components_[i]->lts;
    out.components.push_back(&lts);
    out.alphabet = unite(out.alphabet, lts.alphabet());
    out.logs += std::log(std::max(1U, lts.state_count()));
  }
  return out;
}

double FeatureFinder::reachable(const Mask& mask, bool first, bool with_property) {
  const auto [at, is_new] = known_.try_emplace({mask, (first ? 1 : 0) + (with_property ? 2 : 0)}, 0);
  if (!is_new) return at->second;
  Limits limits;
  limits.states = kMostStates;
  Budget budget(limits);
  std::vector<Part> parts;
  for (const Lts* lts : side(mask, first).components) parts.push_back({lts, Role::component, false});
  if (with_property) parts.push_back({&property_.lts, Role::watch});
  const auto found = search(parts, Goal::count, budget);
  return at->second = std::log(static_cast<double>(std::clamp<std::uint64_t>(found.states, 1, kMostStates)));
}

Features FeatureFinder::of(const Mask& mask) {
  const Side one = side(mask, true), two = side(mask, false);
  const Alphabet& wanted = property_.lts.alphabet();
  std::size_t edges = 0, weight = 0, in_first = 0;
  for (std::size_t i = 0; i < tasks_.size(); ++i)
    for (std::size_t j = i + 1; j < tasks_.size(); ++j)
      if (mask.first(i) != mask.first(j) && shared_[i][j] > 0) {
        ++edges;
        weight += shared_[i][j];
      }
  for (const std::size_t task : repeated_) in_first += mask.first(task) ? 1 : 0;
  double woken = 0, woken_in_first = 0;
  for (std::size_t i = 0; i < tasks_.size(); ++i)
    if (woken_[i]) {
      ++woken;
      woken_in_first += mask.first(i) ? 1 : 0;
    }
  const auto share = static_cast<double>(intersect(wanted, one.alphabet).size()) /
                     static_cast<double>(std::max<std::size_t>(1, wanted.size()));
  return {one.logs,
          two.logs,
          one.logs - two.logs,
          static_cast<double>(intersect(unite(one.alphabet, wanted), two.alphabet).size()),
          share,
          static_cast<double>(one.components.size()),
          mask.first(hub_) ? 1.0 : 0.0,
          static_cast<double>(edges),
          static_cast<double>(weight),
          in_first == 0 || in_first == repeated_.size() ? 1.0 : 0.0,
          reachable(mask, true, false),
          reachable(mask, false, false),
          reachable(mask, true, true),
          woken > 0 ? woken_in_first / woken : 0};
}

Mask FeatureFinder::default_mask() const {
  const Split split = default_split(model_.network, property_);
  Mask out(tasks_.size());
  for (std::size_t i = 0; i < tasks_.size(); ++i)
    out.put(i, std::ranges::find(split.front(), tasks_[i]) != split.front().end());
  return out;
}

Mask FeatureFinder::woken_mask() const {
  Mask out(tasks_.size());
  for (std::size_t i = 0; i < tasks_.size(); ++i) out.put(i, woken_[i]);
  return out;
}

Mask FeatureFinder::property_mask() const {
  Mask out(tasks_.size());
  for (std::size_t i = 0; i < tasks_.size(); ++i)
    out.put(i, !intersect(components_[i]->lts.alphabet(), property_.lts.alphabet()).empty());
  return out;
}

}  // namespace surety::study
