#include "engine/product/graph.hpp"

#include <utility>

#include "base/check.hpp"

namespace surety {

namespace {

// By state: the first one with a step to it. Less if the budget ended.
BigArray<std::uint32_t> parents_of(const Lts& lts, Budget& budget) {
  constexpr std::uint32_t kPollEvery = 1 << 16;
  BigArray<std::uint32_t> parents(lts.state_count());
  for (std::uint32_t s = lts.state_count(); s-- > 0;) {  // backwards, so that the first is what stays
    if (s % kPollEvery == 0 && !budget.go_on()) break;
    for (const Step& step : lts.steps(State{s})) parents[step.target.value] = s;
  }
  parents[0] = 0;
  return parents;
}

}  // namespace

Graph::Graph(Product product, Explored found, BigArray<std::uint32_t> parents, std::unique_ptr<Charge> charge)
    : product_(std::move(product)),
      lts_(std::move(found.lts)),
      states_(std::move(found.states)),
      parents_(std::move(parents)),
      charge_(std::move(charge)) {}

std::optional<Graph> Graph::build(const std::vector<Part>& parts, const Priority* priority, Budget& budget) {
  auto charge = std::make_unique<Charge>(budget);
  auto product = Product::within(budget, *charge, parts);
  if (!product) return std::nullopt;
  Alphabet alphabet;
  for (const Part& part : parts) alphabet = unite(alphabet, part.lts->alphabet());
  ExploreOptions options;
  if (priority != nullptr) options.edit = [&](FoundSteps steps) { give_way(*priority, steps); };
  auto found = explore(*product, alphabet, options, budget, *charge);
  if (!found) return std::nullopt;
  const std::uint64_t states = found->lts.state_count();
  const std::uint64_t bytes = found->states.size() * 8 + states * 12 + found->lts.transition_count() * sizeof(Step);
  if (!charge->grow_to(product->bytes() + bytes)) budget.stop(Stop::memory);
  auto parents = parents_of(found->lts, budget);
  if (!budget.go_on()) return std::nullopt;
  return Graph(std::move(*product), std::move(*found), std::move(parents), std::move(charge));
}

Trace Graph::way_to(State s) const {
  Trace way;
  for (std::uint32_t at = s.value; at != 0; at = parents_[at]) {
    const auto from = steps(State{parents_[at]});
    const auto step = std::ranges::find(from, State{at}, &Step::target);
    check(step != from.end(), "a state of a graph has no step from its parent");
    way.push_back(step->action);
  }
  std::ranges::reverse(way);
  return way;
}

std::optional<Trace> Graph::way_to_error() const {
  if (!error()) return std::nullopt;
  return way_to(*error());
}

std::optional<TerminalSets> TerminalSets::of(const Graph& graph, Budget& budget) {
  const auto components = strong_components(
      graph, [](std::uint32_t) { return true; }, budget);
  if (!components) return std::nullopt;
  const auto& of = components->of;
  std::vector<bool> left(components->count, false);
  if (graph.error()) left[of[graph.error()->value]] = true;
  for (std::uint32_t s = 0; s < graph.size(); ++s)
    for (const Step& step : graph.steps(State{s}))
      if (of[step.target.value] != of[s]) left[of[s]] = true;

  TerminalSets sets;
  std::vector<std::uint32_t> place(components->count, kNoComponent);  // of the next state of each set
  for (std::uint32_t s = 0; s < graph.size(); ++s) {                  // first as numbers of sets, then how many states
    if (left[of[s]]) continue;
    if (place[of[s]] == kNoComponent) {
      place[of[s]] = static_cast<std::uint32_t>(sets.first_.size());
      sets.first_.push_back(0);
    }
    ++sets.first_[place[of[s]]];
  }
  std::uint32_t sum = 0;
  for (auto& first : sets.first_) sum += std::exchange(first, sum);
  sets.first_.push_back(sum);
  sets.states_.resize(sum);
  for (auto& p : place)
    if (p != kNoComponent) p = sets.first_[p];
  for (std::uint32_t s = 0; s < graph.size(); ++s)
    if (!left[of[s]]) sets.states_[place[of[s]]++] = State{s};
  return sets;
}

}  // namespace surety
