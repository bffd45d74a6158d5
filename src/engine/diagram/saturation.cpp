#include "engine/diagram/saturation.hpp"

#include <algorithm>
#include <map>

#include "base/check.hpp"
#include "engine/diagram/force.hpp"
#include "product/compose.hpp"

namespace surety {
namespace {

bool can(const Lts& lts, std::uint32_t s, Action a) { return !lts.steps(State{s}, a).empty(); }

bool has_tau(const Lts& lts) {
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    if (can(lts, s, kTau)) return true;
  return false;
}

constexpr std::size_t kLarge = 10;  // states, for each part that there is

// Actions with the same participants are one group: how often they talk says nothing about where to put them.
std::vector<std::uint32_t> order_parts(const std::vector<Part>& parts) {
  std::map<Action, std::vector<std::uint32_t>> parts_with;
  for (std::uint32_t p = 0; p < parts.size(); ++p)
    for (const Action a : parts[p].lts->alphabet()) parts_with[a].push_back(p);
  Groups groups;
  for (auto& [action, group] : parts_with)
    if (group.size() > 1) groups.push_back(std::move(group));
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  std::vector<bool> is_large;
  for (const Part& part : parts) is_large.push_back(part.lts->state_count() > kLarge * parts.size());
  return order_with_hubs(is_large, groups);
}

std::vector<std::uint32_t> domains(const std::vector<Part>& parts, const std::vector<std::uint32_t>& order) {
  std::vector<std::uint32_t> out;
  for (auto p = order.rbegin(); p != order.rend(); ++p) out.push_back(parts[*p].lts->state_count());
  return out;
}

}  // namespace

SymbolicProduct::SymbolicProduct(const std::vector<Part>& parts, Budget& budget, const SymbolicOptions& options)
    : parts_(parts),
      budget_(budget),
      order_(order_parts(parts)),
      level_of_(parts.size()),
      sorted_(parts.size()),
      relations_(budget),
      mdd_(domains(parts, order_), budget, options.collect_at),
      saturated_(budget, false),
      images_(budget, false),
      work_(parts.size() + 1) {
  mdd_.add_cache(&saturated_);
  mdd_.add_cache(&images_);
  for (std::uint32_t i = 0; i < order_.size(); ++i)
    level_of_[order_[i]] = static_cast<std::uint32_t>(order_.size()) - i;
  std::map<Action, std::vector<std::uint32_t>> parts_with;
  for (std::uint32_t p = 0; p < parts_.size(); ++p) {
    work_[level_of_[p]].queued.resize(parts_[p].lts->state_count());
    sort_steps(p);
    for (const Action a : parts_[p].lts->alphabet()) parts_with[a].push_back(p);
    if (has_tau(*parts_[p].lts)) joints_.push_back({kTau, {p}});
  }
  for (auto& [action, group] : parts_with) joints_.push_back({action, std::move(group)});
  std::vector<Event> events;
  for (Joint& joint : joints_) {
    if (!budget_.go_on()) return;
    std::sort(joint.parts.begin(), joint.parts.end(),
              [&](std::uint32_t a, std::uint32_t b) { return level_of_[a] > level_of_[b]; });
    events.push_back(event(joint));
  }
  all_ = relations_.unite(events);
  at_level_.assign(parts_.size() + 1, kNothing);
  for (Relation r = all_; r != kNothing; r = relations_.skip(r)) at_level_[relations_.level(r)] = r;
}

Event SymbolicProduct::event(const Joint& joint) const {
  Event out;
  for (const std::uint32_t p : joint.parts) {
    out.push_back({level_of_[p], {}});
    const auto [from, to] =
        std::equal_range(sorted_[p].begin(), sorted_[p].end(), ActionStep{joint.action, 0, 0},
                         [](const ActionStep& a, const ActionStep& b) { return a.action < b.action; });
    for (auto step = from; step != to; ++step) out.back().steps.emplace_back(step->source, step->target);
  }
  return out;
}

// An action is then a look-up away, however many states the part has.
void SymbolicProduct::sort_steps(std::uint32_t part) {
  const Lts& lts = *parts_[part].lts;
  auto& steps = sorted_[part];
  steps.reserve(lts.transition_count());
  for (std::uint32_t s = 0; s < lts.state_count() && (s % 4096 != 0 || budget_.go_on()); ++s)
    for (const Step& step : lts.steps(State{s}))
      if (lts.error() != step.target) steps.push_back({step.action, s, step.target.value});
  std::stable_sort(steps.begin(), steps.end(),
                   [](const ActionStep& a, const ActionStep& b) { return a.action < b.action; });
}

// Relates every state in which the parts can do this to itself. A watcher has to be unable to.
Event SymbolicProduct::filter(const Joint& joint) const {
  Event out;
  for (const std::uint32_t p : joint.parts) {
    out.push_back({level_of_[p], {}});
    for (std::uint32_t s = 0; s < parts_[p].lts->state_count(); ++s)
      if (can(*parts_[p].lts, s, joint.action) != watches(p)) out.back().steps.emplace_back(s, s);
  }
  return out;
}

void SymbolicProduct::add(Mdd::Draft& draft, std::uint32_t value, Mdd::Node more) {
  const Mdd::Node now = draft[value];
  if (now == Mdd::kEmpty) return draft.set(value, more);
  Mdd::Keep keep(mdd_, more);
  const Mdd::Node both = mdd_.unite(now, more);
  if (both != Mdd::kEmpty) draft.set(value, both);
}

// The set after the relation; if saturating, closed under all events below its top as well (the set is so already).
template <bool saturating>
Mdd::Node SymbolicProduct::image(Mdd::Node set, Relation relation) {
  if (relation == kIdentity) return set;
  MddCache& cache = saturating ? saturated_ : images_;
  if (const Mdd::Node* known = cache.find(set, relation)) return *known;
  if (!mdd_.poll()) return Mdd::kEmpty;
  const std::uint32_t level = mdd_.level(set);
  const bool here = relations_.level(relation) == level;
  const Relation below = here ? relations_.skip(relation) : relation;
  Mdd::Draft& draft = mdd_.draft(level);
  for (std::uint32_t n = 0; n < mdd_.size(set); ++n) {
    const auto [value, child] = mdd_.edge(set, n);
    if (below != kNothing)
      if (const Mdd::Node next = image<saturating>(child, below); next != Mdd::kEmpty) add(draft, value, next);
    if (!here) continue;
    for (const auto& [target, rest] : relations_.moves(relation, value))
      if (const Mdd::Node next = image<saturating>(child, rest); next != Mdd::kEmpty) add(draft, target, next);
  }
  if (saturating && !draft.touched().empty()) saturate(level);
  const Mdd::Node result = mdd_.finish(level);
  if (!mdd_.failed()) cache.insert(set, relation, result);
  return result;
}

// Fires the events whose highest level this is on the draft until nothing is new.
void SymbolicProduct::saturate(std::uint32_t level) {
  const Relation relation = at_level_[level];
  if (relation == kNothing) return;
  Mdd::Draft& draft = mdd_.draft(level);
  Work& work = work_[level];
  for (const std::uint32_t value : draft.touched()) {
    work.queue.push_back(value);
    work.queued[value] = true;
  }
  while (!work.queue.empty()) {
    const std::uint32_t value = work.queue.back();
    work.queue.pop_back();
    work.queued[value] = false;
    for (const auto& [target, rest] : relations_.moves(relation, value)) {
      const Mdd::Node next = image<true>(draft[value], rest);
      const Mdd::Node before = draft[target];
      if (next == Mdd::kEmpty || next == before) continue;
      add(draft, target, next);
      if (draft[target] == before || work.queued[target]) continue;
      work.queue.push_back(target);
      work.queued[target] = true;
    }
  }
}

bool SymbolicProduct::reach() {
  const double start = budget_.seconds_used();
  Mdd::Node node = Mdd::kUnit;
  for (std::uint32_t level = 1; level <= mdd_.levels() && budget_.go_on() && !mdd_.failed(); ++level) {
    mdd_.draft(level).set(0, node);  // the initial state of every part
    saturate(level);
    node = mdd_.finish(level);
  }
  if (mdd_.failed() || !budget_.go_on()) return false;
  reachable_ = node;
  mdd_.keep_for_good(node);
  seconds_ = budget_.seconds_used() - start;
  return true;
}

Mdd::Node SymbolicProduct::bad_states() {
  std::vector<Event> bad;
  for (const Joint& joint : joints_)
    if (std::any_of(joint.parts.begin(), joint.parts.end(), [&](std::uint32_t p) { return watches(p); }))
      bad.push_back(filter(joint));
  const Relation relation = relations_.unite(bad);
  return relation == kNothing ? Mdd::kEmpty : image<false>(reachable_, relation);
}

Mdd::Node SymbolicProduct::dead_states() {
  std::vector<Event> enabled;
  for (const Joint& joint : joints_) enabled.push_back(filter(joint));
  const Relation relation = relations_.unite(enabled);
  Mdd::Node dead = reachable_;
  if (relation != kNothing) {
    const Mdd::Node alive = image<false>(reachable_, relation);
    Mdd::Keep keep(mdd_, alive);
    dead = mdd_.subtract(reachable_, alive);
  }
  std::vector<const Lts*> machines;
  Event ended;
  for (const std::uint32_t p : order_) {
    const auto end = parts_[p].lts->end();
    if (end) ended.push_back({level_of_[p], {{end->value, end->value}}});
  }
  for (const Part& part : parts_) machines.push_back(part.lts);
  if (dead == Mdd::kEmpty || !may_terminate(machines) || ended.empty()) return dead;
  Mdd::Keep keep(mdd_, dead);
  const Mdd::Node terminated = image<false>(dead, relations_.unite({ended}));
  Mdd::Keep keep_too(mdd_, terminated);
  return mdd_.subtract(dead, terminated);
}

Action SymbolicProduct::bad_action(const std::vector<State>& states) const {
  for (const Joint& joint : joints_) {
    bool watched = false, possible = true;
    for (const std::uint32_t p : joint.parts) {
      watched |= watches(p);
      possible &= can(*parts_[p].lts, states[p].value, joint.action) != watches(p);
    }
    if (watched && possible) return joint.action;
  }
  check(false, "a bad state has no bad action");
  return kTau;
}

// Growing sets from the initial state to one that meets the goal: each holds the one before it and states that one
// step leads to from there. Breadth first gives shortest paths but can need diagrams far larger than saturation; when
// it takes too long the events of one level after the other are added to the set, which grows faster.
bool SymbolicProduct::layers(Mdd::Node goal, std::vector<Mdd::Node>& sets) {
  const double now = budget_.seconds_used();
  double patience = now + 10 + 5 * seconds_;
  if (const auto left = budget_.time_left()) patience = now + std::chrono::duration<double>(*left).count() / 2;
  const auto grow = [&](Relation relation) {
    const Mdd::Node next = image<false>(sets.back(), relation);
    Mdd::Keep keep(mdd_, next);
    const Mdd::Node all = mdd_.unite(sets.back(), next);
    if (mdd_.failed() || all == sets.back()) return false;
    sets.push_back(all);
    mdd_.keep_for_good(all);
    return true;
  };
  sets.push_back(mdd_.singleton(Tuple(parts_.size(), 0)));
  mdd_.keep_for_good(sets.back());
  std::vector<Relation> apart;
  for (std::uint32_t level = 1; level < at_level_.size(); ++level) {
    std::vector<Event> events;
    for (const Joint& joint : joints_)
      if (level_of_[joint.parts.front()] == level) events.push_back(event(joint));
    if (const Relation r = relations_.unite(events); r != kNothing) apart.push_back(r);
  }
  while (!mdd_.failed() && mdd_.intersect(sets.back(), goal) == Mdd::kEmpty) {
    if (!budget_.go_on()) return false;
    bool grown = false;
    if (budget_.seconds_used() < patience)
      grown = grow(all_);
    else
      for (const Relation r : apart) grown |= grow(r);
    check(grown || mdd_.failed(), "a reachable state is not reached by steps");
  }
  return !mdd_.failed();
}

// Some state inside the set from which one step leads to the tuple.
bool SymbolicProduct::one_back(Tuple& tuple, Mdd::Node within, Action& by) const {
  const auto place = [&](std::uint32_t part) { return order_.size() - level_of_[part]; };
  for (const Joint& joint : joints_) {
    Tuple previous = tuple;
    const auto choose = [&](const auto& self, std::size_t i) -> bool {
      if (i == joint.parts.size()) return mdd_.contains(within, previous);
      const std::uint32_t p = joint.parts[i];
      const Lts& lts = *parts_[p].lts;
      const Step wanted{joint.action, State{tuple[place(p)]}};
      for (std::uint32_t s = 0; s < lts.state_count(); ++s) {
        const auto steps = lts.steps(State{s}, joint.action);
        if (!std::binary_search(steps.begin(), steps.end(), wanted)) continue;
        previous[place(p)] = s;
        if (self(self, i + 1)) return true;
      }
      return false;
    };
    if (!choose(choose, 0)) continue;
    tuple = previous;
    by = joint.action;
    return true;
  }
  return false;
}

std::vector<State> SymbolicProduct::by_part(const Tuple& tuple) const {
  std::vector<State> out(tuple.size());
  for (std::size_t i = 0; i < tuple.size(); ++i) out[order_[i]] = State{tuple[i]};
  return out;
}

std::optional<SymbolicProduct::Path> SymbolicProduct::path_to(Mdd::Node goal) {
  Mdd::Keep keep(mdd_, goal);
  std::vector<Mdd::Node> sets;
  if (!layers(goal, sets)) return std::nullopt;
  Tuple tuple = mdd_.any(mdd_.intersect(sets.back(), goal));
  Path path{{}, by_part(tuple)};
  const auto first_with = [&] {
    return std::partition_point(sets.begin(), sets.end(), [&](Mdd::Node set) { return !mdd_.contains(set, tuple); }) -
           sets.begin();
  };
  for (auto at = first_with(); at > 0; at = first_with()) {
    if (!budget_.go_on()) return std::nullopt;
    Action by = kTau;
    check(one_back(tuple, sets[static_cast<std::size_t>(at) - 1], by), "a layer has a state without predecessor");
    path.trace.push_back(by);
  }
  std::reverse(path.trace.begin(), path.trace.end());
  return path;
}

}  // namespace surety
