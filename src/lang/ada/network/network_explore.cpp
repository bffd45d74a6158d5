// Exploring tasks and objects until their environments have all that they can do. What has too many values is
// forgotten.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lang/ada/network/network_builder.hpp"
#include "lang/ada/network/value_count.hpp"

namespace surety::ada {
namespace {

constexpr std::uint32_t kManyStates = 10'000;        // of a task
constexpr std::uint32_t kMostStatesBeside = 50'000;  // of a task that another one is explored beside
constexpr std::uint32_t kManyRounds = 100;  // of new calls: one that is counted is new in every round, for ever
constexpr std::size_t kManyValues = 100;    // of a variable, or of the parameters of an entry
constexpr std::size_t kFewValues = 256;     // the limit, once exploring has become long

}  // namespace

// Variables with too many values are not modelled, if it is possible without them.
std::optional<Refusal> NetworkBuilder::explore() {
  if (exploring_ == AdaExploring::jointly && explore_together()) return std::nullopt;
  std::set<std::uint32_t> forgotten;
  auto first = explore_without(forgotten);
  if (!first && (together_tried_ || !has_large_variable() || explore_together() || again())) return std::nullopt;
  if (first && !first->slots.empty() && !together_tried_ && explore_together()) return std::nullopt;
  for (auto refusal = first; refusal; refusal = explore_without(forgotten)) {
    const auto before = forgotten.size();
    for (const std::uint32_t slot : refusal->slots) forget(slot, forgotten);
    if (forgotten.size() == before) return first;
  }
  std::set<std::uint32_t> places;
  for (const std::uint32_t slot : forgotten)
    if (places.insert(program_.slots[slot].place).second) forgotten_.push_back(slot);
  return std::nullopt;
}

// The shared variables and data of protected objects with most values.
std::vector<std::uint32_t> NetworkBuilder::largest() const {
  ValueCount count;
  count.add_shared(environment_);
  for (std::uint32_t o = 0; o < objects_.size(); ++o) {
    const auto slots = slots_of(program_.objects[o]);
    for (const Values& state : objects_[o].states)
      for (std::size_t i = 0; i < slots.size(); ++i) count.add(slots[i], state[i]);
  }
  return count.largest(program_);
}

// Of an array all elements, of several variables that are declared together all of them.
void NetworkBuilder::forget(std::uint32_t slot, std::set<std::uint32_t>& forgotten) const {
  const flow::Slot& one = program_.slots[slot];
  for (std::uint32_t s = 0; s < program_.slots.size(); ++s) {
    const flow::Slot& other = program_.slots[s];
    if (!other.name.empty() && other.place == one.place && other.temporary == one.temporary) forgotten.insert(s);
  }
}

// The component of a variable has as many steps as it has pairs of values.
bool NetworkBuilder::has_large_variable() const {
  return std::ranges::any_of(environment_.values, [](const auto& values) { return values.size() > kManyValues; });
}

// Alone, tasks count further and further, where together they may soon be done.
bool NetworkBuilder::is_growing(std::uint32_t round) const {
  return round > kManyRounds || has_large_variable() ||
         std::ranges::any_of(environment_.calls, [](const auto& calls) { return calls.size() > kManyValues; });
}

bool NetworkBuilder::explore_together() {
  together_tried_ = true;
  environment_ = first_environment(program_);
  return explore_jointly(program_, environment_, budget_, graphs_, objects_);
}

std::optional<Refusal> NetworkBuilder::explore_without(const std::set<std::uint32_t>& forgotten) {
  environment_ = first_environment(program_);
  if (long_) environment_.most_values = kFewValues;
  for (const std::uint32_t slot : forgotten) environment_.forgotten[slot] = true;
  graphs_.assign(program_.tasks.size(), {});
  objects_.assign(program_.objects.size(), {});
  without_large_.resize(graphs_.size(), false);
  if (way_.empty())
    for (std::size_t t = 0; t < graphs_.size(); ++t)
      way_.push_back(exploring_ == AdaExploring::beside && t % 2 == 1 ? Way::beside : Way::small);
  constexpr std::uint64_t kMostWork = 1'000'000;  // in all, until something with many values is looked for
  std::uint64_t before = UINT64_MAX, work = 0;
  for (std::uint32_t round = 0; before != environment_.changes; ++round) {
    before = environment_.changes;
    for (const TaskGraph& graph : graphs_) work += graph.edges.size();
    for (const ObjectGraph& object : objects_) work += object.edges.size();
    if (forgotten.empty() && !together_tried_ && is_growing(round))
      return explore_together() ? std::nullopt : explore_without(forgotten);
    if (work > kMostWork) {
      if (auto slots = largest(); !slots.empty())
        return Refusal{fmt::format("{} takes too many values", program_.slots[slots[0]].name),
                       "give it a smaller range", program_.slots[slots[0]].place, slots};
      if (!std::exchange(long_, true)) return explore_without(forgotten);
    }
    bool again = false;
    for (std::uint32_t t = 0; t < graphs_.size() && !again; ++t)
      if (is_alone(t))
        if (auto refusal = explore_alone(t, again)) return refusal;
    for (std::uint32_t t = 0; t < graphs_.size() && !again; ++t)
      if (!is_alone(t)) {
        if (round > kManyRounds) try_next(way_[t]);
        again = round > kManyRounds || !explore_beside_others(t);
      }
    if (again)
      return forgotten.empty() && !together_tried_ && explore_together() ? std::nullopt : explore_without(forgotten);
    for (std::uint32_t o = 0; o < objects_.size(); ++o)
      if (auto refusal = explore_object(program_, o, graphs_, environment_, budget_, objects_[o])) return refusal;
    if (!budget_.go_on()) return Refusal{"the budget ended", {}, 0};
  }
  return std::nullopt;
}

// ---- large tasks

// `again`: it has many states, and will be explored in another way.
std::optional<Refusal> NetworkBuilder::explore_alone(std::uint32_t t, bool& again) {
  environment_.most_states = way_[t] == Way::small ? kManyStates : UINT32_MAX;
  auto refusal = explore_task(program_, t, environment_, budget_, graphs_[t]);
  again = graphs_[t].states.size() > environment_.most_states ||
          (refusal && !refusal->slots.empty() && way_[t] < Way::patient);
  if (!again) return refusal;
  try_next(way_[t]);
  return std::nullopt;
}

// Of the other large ones, beside those before it: so none waits for one that waits for it. False: there were too many
// states.
bool NetworkBuilder::explore_beside_others(std::uint32_t t) {
  std::vector<std::uint32_t> others;
  bool large = false;
  for (std::uint32_t o = 0; o < graphs_.size(); ++o) {
    const std::size_t states = graphs_[o].states.size();
    const bool is_large = !is_alone(o) || states > kManyStates;
    if (is_large && (without_large_[t] || states > kMostStatesBeside || (!is_alone(o) && o >= t))) continue;
    others.push_back(o);
    large = large || is_large;
  }
  environment_.most_states = way_[t] == Way::beside ? 50'000 : 300'000;
  if (explore_beside(program_, t, others, graphs_, environment_, budget_, graphs_[t])) return true;
  if (large)
    without_large_[t] = true;
  else
    try_next(way_[t]);
  return false;
}

}  // namespace surety::ada
