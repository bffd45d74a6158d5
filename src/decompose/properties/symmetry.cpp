#include "decompose/properties/symmetry.hpp"

#include <algorithm>
#include <deque>
#include <unordered_map>

#include "base/hash.hpp"
#include "model/transform.hpp"

namespace surety {
namespace {

Action image(const Renaming& renaming, Action a) {
  const auto it = renaming.actions.find(a);
  return it == renaming.actions.end() ? a : it->second;
}

// Are a, with its actions renamed, and b the same? Both are deterministic. The walk pairs each state of a with the
// state of b that is reached by the same word. They are the same if paired states have the same actions and no state of
// a needs two partners. (Two partners that behave alike count as a difference; minimal LTSs have none.)
bool same_under(const Lts& a, const Lts& b, const Renaming& renaming) {
  if (a.state_count() == 0 || b.state_count() == 0) return false;
  if (a.alphabet().size() != b.alphabet().size()) return false;
  for (const Action action : a.alphabet())
    if (!b.alphabet().contains(image(renaming, action))) return false;
  std::unordered_map<std::uint32_t, State> partner{{0, State{0}}};
  std::vector<State> todo{State{0}};
  while (!todo.empty()) {
    const State s = todo.back(), t = partner[s.value];
    todo.pop_back();
    if (a.steps(s).size() != b.steps(t).size()) return false;
    for (const Step& step : a.steps(s)) {
      const auto answer = b.steps(t, image(renaming, step.action));
      if (answer.empty()) return false;
      const auto [it, fresh] = partner.try_emplace(step.target.value, answer.front().target);
      if (fresh) todo.push_back(step.target);
      if (it->second != answer.front().target) return false;
    }
  }
  return true;
}

void swap_names(Action a, Action b, Renaming& renaming) {
  renaming.actions[a] = b;
  renaming.actions[b] = a;
}

// Extends a renaming under which the LTS is not the same yet. The walk pairs states as same_under does. Where an action
// has no new name and only one state of a pair has it, it swaps names with an action that only the other state has,
// that has no new name either, and that the same components have. Each such action is added to `found`, that of the
// state which was reached by the first component's actions.
template <class Who>
void extend(const Lts& lts, Who who, Renaming& renaming, std::vector<Action>& found) {
  std::unordered_map<std::uint32_t, State> partner{{0, State{0}}};
  std::deque<State> todo{State{0}};
  const auto has = [&](State s, Action a) { return !lts.steps(s, a).empty(); };
  for (; !todo.empty(); todo.pop_front()) {
    const State s = todo.front(), t = partner[s.value];
    std::vector<Action> actions;
    for (const Step& step : lts.steps(s)) actions.push_back(step.action);
    // What follows actions of the first component belongs to it, so these actions are followed first.
    std::ranges::stable_partition(actions, [&](Action a) { return image(renaming, a) != a && image(renaming, a) > a; });
    for (const Action a : actions) {
      if (!renaming.actions.contains(a) && !has(t, a)) {
        const auto theirs = std::ranges::find_if(lts.steps(t), [&](const Step& step) {
          return !renaming.actions.contains(step.action) && !has(s, step.action) && who(step.action) == who(a);
        });
        if (theirs == lts.steps(t).end()) return;
        swap_names(a, theirs->action, renaming);
        found.push_back(a);
      }
      const auto answer = lts.steps(t, image(renaming, a));
      if (answer.empty()) return;
      const State target = lts.steps(s, a).front().target;
      if (partner.try_emplace(target.value, answer.front().target).second) todo.push_back(target);
    }
  }
}

constexpr std::uint64_t kMostSteps = 100'000;  // of a component that is looked at so closely
constexpr int kRounds = 4;

}  // namespace

std::vector<std::uint64_t> Symmetry::participants(Action a) const {
  std::vector<std::uint64_t> out;
  for (std::size_t c = 0; c < components_.size(); ++c)
    if (components_[c]->alphabet().contains(a)) out.push_back(c);
  return out;
}

// Sorts the actions by a colour that copies of a process have in common. At first it says which other components have
// the action; then, for a few rounds, colours of states and of actions are refined by those of their neighbours.
std::vector<Action> Symmetry::in_order(std::size_t c) const {
  const Lts& lts = *components_[c];
  std::map<Action, std::uint64_t> colour;
  for (const Action a : lts.alphabet()) {
    auto others = participants(a);
    std::erase(others, c);
    colour[a] = hash_range(others);
  }
  std::vector<std::uint64_t> state(lts.state_count(), 0);
  if (!state.empty()) state[0] = 1;
  for (int round = 0; round < kRounds && lts.transition_count() <= kMostSteps; ++round) {
    auto next = state;
    auto next_colour = colour;
    for (std::uint32_t s = 0; s < lts.state_count(); ++s)  // sums do not depend on an order
      for (const Step& step : lts.steps(State{s})) {
        const std::uint64_t by = step.action == kTau ? 1 : colour[step.action];
        next[s] += hash_combine(by, state[step.target.value]);
        if (step.action != kTau)
          next_colour[step.action] += hash_combine(hash_combine(by, state[s]), state[step.target.value]);
      }
    for (auto& value : next) value = mix64(value);
    state = std::move(next);
    colour = std::move(next_colour);
  }
  std::vector<Action> out(lts.alphabet().begin(), lts.alphabet().end());
  std::stable_sort(out.begin(), out.end(), [&](Action a, Action b) { return colour[a] < colour[b]; });
  return out;
}

std::optional<Symmetry::Automorphism> Symmetry::find_automorphism(std::size_t first, std::size_t second) const {
  const Lts &a = *components_[first], &b = *components_[second];
  if (a.alphabet().size() != b.alphabet().size() || a.state_count() != b.state_count()) return std::nullopt;
  if (!intersect(a.alphabet(), b.alphabet()).empty() || !is_deterministic(a) || !is_deterministic(b))
    return std::nullopt;
  Automorphism out;
  for (std::size_t k = 0; k < a.alphabet().size(); ++k) swap_names(order_[first][k], order_[second][k], out.renaming);
  if (!same_under(a, b, out.renaming)) return std::nullopt;

  std::vector<const Lts*> others;
  for (const Lts* lts : components_)
    if (lts != &a && lts != &b) others.push_back(lts);
  const auto has_renamed_action = [&](const Lts& lts) {
    return std::ranges::any_of(out.renaming.actions,
                               [&](const auto& pair) { return lts.alphabet().contains(pair.first); });
  };
  const auto stays_the_same = [&](const Lts* lts) {
    return !has_renamed_action(*lts) || same_under(*lts, *lts, out.renaming);
  };
  // Further names that are exchanged in one component may be actions of others, so until there are no new ones.
  for (bool more = true; more;) {
    const std::size_t before = out.further.size();
    for (const Lts* lts : others) {
      if (!has_renamed_action(*lts)) continue;
      if (!is_deterministic(*lts)) return std::nullopt;
      if (!stays_the_same(lts))
        extend(
            *lts, [&](Action x) { return participants(x); }, out.renaming, out.further);
    }
    more = out.further.size() > before;
  }
  if (!std::ranges::all_of(others, stays_the_same)) return std::nullopt;
  std::ranges::sort(out.further);
  return out;
}

// All exchanges of a group rename the same further actions of the first component, and no action of a third one.
bool Symmetry::fits(const std::vector<std::size_t>& group, const Automorphism& found) const {
  if (group.size() == 1) return true;
  const auto& order = order_[group[0]];
  const auto own = static_cast<std::ptrdiff_t>(components_[group[0]]->alphabet().size());
  if (!std::equal(order.begin() + own, order.end(), found.further.begin(), found.further.end())) return false;
  for (std::size_t k = 1; k < group.size(); ++k)
    for (const Action x : order_[group[k]])
      if (found.renaming.actions.contains(x)) return false;
  return true;
}

// Adds the component to the group if it can be exchanged with the first of the group.
bool Symmetry::join(std::vector<std::size_t>& group, std::size_t c) {
  const std::size_t first = group[0];
  const auto found = find_automorphism(first, c);
  if (!found || !fits(group, *found)) return false;
  auto& order = order_[first];
  if (group.size() == 1) order.insert(order.end(), found->further.begin(), found->further.end());
  order_[c].clear();
  for (const Action x : order) order_[c].push_back(image(found->renaming, x));
  group.push_back(c);
  return true;
}

Symmetry::Symmetry(const std::vector<const Lts*>& components, Budget& budget) : components_(components) {
  for (std::size_t c = 0; c < components.size(); ++c) order_.push_back(in_order(c));
  for (std::size_t c = 0; c < components.size() && budget.go_on(); ++c)
    if (std::ranges::none_of(groups_, [&](auto& group) { return join(group, c); })) groups_.push_back({c});
  std::erase_if(groups_, [](const auto& g) { return g.size() < 2; });
}

Renaming Symmetry::to_front(const Alphabet& alphabet) const {
  Renaming out;
  for (const auto& group : groups_) {
    auto order = group;
    std::stable_partition(order.begin(), order.end(),
                          [&](std::size_t c) { return !intersect(components_[c]->alphabet(), alphabet).empty(); });
    for (std::size_t k = 0; k < group.size(); ++k) {
      if (order[k] == group[k]) continue;
      out.components[order[k]] = group[k];
      const auto &from = order_[order[k]], &to = order_[group[k]];
      for (std::size_t i = 0; i < from.size(); ++i) out.actions[from[i]] = to[i];
    }
  }
  return out;
}

Renaming inverse(const Renaming& renaming) {
  Renaming out;
  for (const auto& [from, to] : renaming.actions) out.actions[to] = from;
  for (const auto& [from, to] : renaming.components) out.components[to] = from;
  return out;
}

Lts renamed(const Lts& lts, const Renaming& renaming) {
  std::vector<std::pair<Action, Action>> pairs;
  for (const Action a : lts.alphabet())
    if (const Action to = image(renaming, a); to != a) pairs.emplace_back(a, to);
  return pairs.empty() ? lts : relabel(lts, pairs);
}

bool same_behaviour(const Lts& a, const Lts& b) { return same_under(a, b, {}); }

}  // namespace surety
