// What is to be shown, for all tasks together or for each of two sides:
//
//   - each flow graph has all that its task does, but for actions that nothing speaks of;
//   - the relation "may be together" on points holds of the start, and no node leads out of it;
//   - no path of the trace flow graph, whose edges follow from graphs and relation, that all constraints allow violates
//     the property (or the assumption, of the second side).
#include "certify/flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "certify/simulate.hpp"

namespace surety::certify {
namespace {

using Kind = Judgement::Kind;
using Points = std::vector<std::uint32_t>;

constexpr std::size_t kMostNodes = 20'000;
constexpr std::size_t kExactSets = 4;

struct Task {
  const Lts* component = nullptr;  // null: the environment
  const Lts* graph = nullptr;
  std::uint32_t first = 0;  // its first point
};

struct Node {
  struct Part {
    std::size_t task = 0;
    std::uint32_t post = 0;
    Points pre;
  };
  Action label = kTau;
  std::vector<Part> parts;
};

// One side of the proof, with everything that it speaks of.
struct Side {
  std::vector<Task> tasks;
  std::vector<const Lts*> constraints;  // components and assumptions, over labels
  std::vector<std::size_t> ordered;     // tasks whose own order is a constraint, too
  Alphabet spoken_of;                   // what the property, the constraints and the other side have
  const FlowSide* claim = nullptr;
};

// Any of these actions at any time, with one point after each.
Lts environment(const Alphabet& actions) {
  LtsBuilder builder;
  const auto n = static_cast<std::uint32_t>(actions.size());
  for (std::uint32_t from = 0; from <= n; ++from)
    for (std::uint32_t i = 0; i < n; ++i) builder.add_step(State{from}, actions[i], State{i + 1});
  builder.set_state_count(n + 1);
  return builder.build();
}

// With the steps that come after silent ones, and without these.
Lts without_tau(const Lts& graph) {
  LtsBuilder builder;
  for (std::uint32_t s = 0; s < graph.state_count(); ++s) {
    std::vector<State> reached{State{s}};
    std::set<State> seen{State{s}};
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (const Step& step : graph.steps(reached[i])) {
        if (step.action != kTau)
          builder.add_step(State{s}, step.action, step.target);
        else if (seen.insert(step.target).second)
          reached.push_back(step.target);
      }
  }
  builder.set_state_count(graph.state_count());
  builder.add_to_alphabet(graph.alphabet());
  return builder.build();
}

class FlowChecker {
 public:
  FlowChecker(const Side& side, Budget& budget) : side_(side), budget_(budget) {}

  Judgement graphs() {
    Alphabet seen, joint;
    for (const Task& task : side_.tasks) {
      joint = unite(joint, intersect(seen, whole(task).alphabet()));
      seen = unite(seen, whole(task).alphabet());
    }
    const Alphabet must_see = unite(joint, side_.spoken_of);
    for (std::size_t t = 0; t < side_.tasks.size(); ++t) {
      const Task& task = side_.tasks[t];
      const Lts& graph = *task.graph;
      if (graph.state_count() == 0 || graph.error()) return refuse("a flow graph has no start, or an error state");
      if (task.component == nullptr) continue;
      if (!subtract(graph.alphabet(), task.component->alphabet()).empty() ||
          !subtract(intersect(must_see, task.component->alphabet()), graph.alphabet()).empty())
        return refuse(fmt::format("the flow graph of '{}' leaves out what is spoken of", side_.claim->tasks[t]));
      Judgement follows = simulates(without_tau(graph), {task.component}, budget_);
      states_ += follows.states;
      if (follows.kind == Kind::refused)
        follows.reason =
            fmt::format("the flow graph of '{}' lacks something that the task does", side_.claim->tasks[t]);
      if (follows.kind != Kind::accepted) return follows;
    }
    return accepted();
  }

  Judgement relation() {
    if (!make_nodes()) return unfinished_or("there are too many nodes");
    if (side_.claim->together.size() != std::uint64_t{points_} * words_) return refuse("the relation has a wrong size");
    for (std::uint32_t a = 0; a < points_; ++a)
      for (std::uint32_t b = 0; b < a; ++b)
        if (together(a, b) != together(b, a)) return refuse("the relation is not symmetric");
    for (const Task& t : side_.tasks)
      for (const Task& u : side_.tasks)
        if (t.first != u.first && !together(t.first, u.first)) return refuse("the relation lacks the start");
    for (const Node& node : nodes_) {
      if (!budget_.go_on()) return unfinished();
      if (!is_closed_under(node)) return refuse("the relation is not closed: a node leads out of it");
    }
    return accepted();
  }

  // A plain search of the trace flow graph beside the constraints.
  Judgement search(const Lts& property) {
    std::vector<std::vector<std::uint32_t>> next(nodes_.size() + 1);  // by state of the graph, once it is reached
    std::vector<bool> known(nodes_.size() + 1);
    std::set<Tuple> seen;
    std::deque<const Tuple*> queue;
    Tuple start(1 + side_.constraints.size() + side_.ordered.size() + 1, State{0});
    queue.push_back(&*seen.insert(start).first);
    while (!queue.empty()) {
      if (seen.size() % 256 == 0 && !budget_.go_on()) return unfinished();
      const Tuple& at = *queue.front();
      queue.pop_front();
      const std::uint32_t last = at[0].value;
      if (!known[last]) next[last] = successors(last);
      known[last] = true;
      for (const std::uint32_t m : next[last]) {
        for (Tuple& to : allowed(at, m)) {
          const Action label = nodes_[m].label;
          if (property.alphabet().contains(label)) {
            const auto steps = property.steps(at.back(), label);
            if (steps.empty()) return refuse("a path that no constraint forbids violates the property");
            to.back() = steps.front().target;
          }
          if (const auto [it, fresh] = seen.insert(std::move(to)); fresh) queue.push_back(&*it);
        }
      }
    }
    states_ += seen.size();
    return accepted();
  }

 private:
  static const Lts& whole(const Task& task) { return task.component == nullptr ? *task.graph : *task.component; }
  Judgement accepted() const { return {Kind::accepted, {}, {}, states_}; }
  Judgement unfinished() const { return {Kind::unfinished, describe(budget_.why()), {}, states_}; }
  Judgement unfinished_or(const char* reason) const {
    return budget_.why() != Stop::none ? unfinished() : refuse(reason);
  }

  bool together(std::uint32_t a, std::uint32_t b) const {
    return (side_.claim->together[a * words_ + b / 64] >> (b % 64) & 1) != 0;
  }

  // ---- nodes: an action, and for each task that has it a point after it

  bool make_nodes() {
    std::map<Action, std::vector<std::size_t>> who;
    std::vector<std::map<Action, std::vector<Node::Part>>> own(side_.tasks.size());
    for (std::size_t t = 0; t < side_.tasks.size(); ++t) {
      const Task& task = side_.tasks[t];
      std::map<Step, Points> before;
      for (std::uint32_t s = 0; s < task.graph->state_count(); ++s)
        for (const Step& step : task.graph->steps(State{s})) before[step].push_back(task.first + s);
      for (const auto& [step, pre] : before) own[t][step.action].push_back({t, task.first + step.target.value, pre});
      for (const Action a : task.graph->alphabet()) who[a].push_back(t);
      points_ = task.first + task.graph->state_count();
      for (Node::Part& part : own[t][kTau]) nodes_.push_back({kTau, {part}});
    }
    words_ = (points_ + 63) / 64;
    for (const auto& [label, tasks] : who)
      if (!add_joint(label, tasks, own)) return false;
    return true;
  }

  bool add_joint(Action label, const std::vector<std::size_t>& tasks,
                 std::vector<std::map<Action, std::vector<Node::Part>>>& own) {
    std::vector<Node> all{{label, {}}};
    for (const std::size_t t : tasks) {
      std::vector<Node> longer;
      for (const Node& node : all)
        for (const Node::Part& part : own[t][label]) {
          if (longer.size() > kMostNodes || !budget_.go_on()) return false;
          longer.push_back(node);
          longer.back().parts.push_back(part);
        }
      all = std::move(longer);
    }
    // What several do at their end, and nothing speaks of, may as well not happen.
    for (Node& node : all)
      if (tasks.size() < 2 || side_.spoken_of.contains(label) || !is_end(node)) nodes_.push_back(std::move(node));
    return nodes_.size() <= kMostNodes;
  }
  bool is_end(const Node& node) const {
    return std::ranges::all_of(node.parts, [&](const Node::Part& part) {
      const Task& task = side_.tasks[part.task];
      return task.graph->steps(State{part.post - task.first}).empty();
    });
  }

  // ---- the relation

  bool chosen_from(const std::vector<Points>& sets, Points& chosen) const {
    if (chosen.size() == sets.size()) return true;
    for (const std::uint32_t p : sets[chosen.size()])
      if (std::ranges::all_of(chosen, [&](std::uint32_t q) { return together(p, q); })) {
        chosen.push_back(p);
        if (chosen_from(sets, chosen)) return true;
        chosen.pop_back();
      }
    return false;
  }
  // Points of all sets that are together, or of many sets: such that each point has a partner in every other set.
  bool can_choose(std::vector<Points> sets) const {
    if (sets.size() <= kExactSets) {
      Points chosen;
      return chosen_from(sets, chosen);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t i = 0; i < sets.size(); ++i)
        for (std::size_t j = 0; j < sets.size(); ++j)
          if (i != j)
            changed |= std::erase_if(sets[i], [&](std::uint32_t p) {
                         return std::ranges::none_of(sets[j], [&](std::uint32_t q) { return together(p, q); });
                       }) != 0;
    }
    return std::ranges::none_of(sets, [](const Points& set) { return set.empty(); });
  }

  static std::vector<Points> before(const Node& node) {
    std::vector<Points> out;
    for (const auto& part : node.parts) out.push_back(part.pre);
    return out;
  }
  static const Node::Part* part_of(const Node& node, std::size_t task) {
    for (const auto& part : node.parts)
      if (part.task == task) return &part;
    return nullptr;
  }

  bool is_closed_under(const Node& node) const {
    auto sets = before(node);
    if (!can_choose(sets)) return true;
    for (const auto& part : node.parts)
      for (const auto& other : node.parts)
        if (part.task != other.task && !together(part.post, other.post)) return false;
    sets.emplace_back();
    for (std::size_t t = 0; t < side_.tasks.size(); ++t) {
      if (part_of(node, t) != nullptr) continue;
      const Task& task = side_.tasks[t];
      for (std::uint32_t b = task.first; b < task.first + task.graph->state_count(); ++b) {
        const auto lacks = [&](const Node::Part& part) { return !together(part.post, b); };
        if (std::ranges::none_of(node.parts, lacks)) continue;
        sets.back() = {b};
        if (can_choose(sets)) return false;
      }
    }
    return true;
  }

  // ---- the trace flow graph: state 0, and one state per node

  std::vector<std::uint32_t> successors(std::uint32_t state) const {
    std::vector<std::uint32_t> out;
    for (std::uint32_t m = 0; m < nodes_.size(); ++m)
      if (state == 0 ? is_first(nodes_[m]) : may_follow(nodes_[state - 1], nodes_[m])) out.push_back(m);
    return out;
  }
  bool is_first(const Node& node) const {
    return std::ranges::all_of(node.parts, [&](const Node::Part& part) {
      return std::ranges::find(part.pre, side_.tasks[part.task].first) != part.pre.end();
    });
  }
  bool may_follow(const Node& n, const Node& m) const {
    bool common = false;
    for (const auto& part : n.parts)
      if (const Node::Part* other = part_of(m, part.task); other != nullptr) {
        common = true;
        if (std::ranges::find(other->pre, part.post) == other->pre.end()) return false;
      }
    std::vector<Points> sets;
    for (const auto& part : n.parts) sets.push_back(common ? Points{part.post} : part.pre);
    for (const auto& part : m.parts)
      if (part_of(n, part.task) == nullptr) sets.push_back(part.pre);
    return can_choose(std::move(sets));
  }

  // Where the constraints are after node m; nothing if one of them forbids it.
  std::vector<Tuple> allowed(const Tuple& at, std::uint32_t m) const {
    const Node& node = nodes_[m];
    Tuple next = at;
    next[0] = State{m + 1};
    const std::size_t first_order = 1 + side_.constraints.size();
    for (std::size_t i = 0; i < side_.ordered.size(); ++i)
      if (const Node::Part* part = part_of(node, side_.ordered[i]); part != nullptr) {
        const Task& task = side_.tasks[part->task];
        if (std::ranges::find(part->pre, task.first + at[first_order + i].value) == part->pre.end()) return {};
        next[first_order + i] = State{part->post - task.first};
      }
    std::vector<Tuple> out{std::move(next)};
    for (std::size_t c = 0; c < side_.constraints.size(); ++c) {
      const Lts& lts = *side_.constraints[c];
      if (!lts.alphabet().contains(node.label)) continue;
      std::vector<Tuple> longer;
      for (const Tuple& tuple : out)
        for (const Step& step : lts.steps(at[1 + c], node.label)) {
          longer.push_back(tuple);
          longer.back()[1 + c] = step.target;
        }
      out = std::move(longer);
    }
    return out;
  }

  const Side& side_;
  Budget& budget_;
  std::vector<Node> nodes_;
  std::uint32_t points_ = 0;
  std::uint64_t words_ = 0;
  std::uint64_t states_ = 0;
};

bool has_tau(const Lts& lts) {
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    if (!lts.steps(State{s}, kTau).empty()) return true;
  return false;
}

// Both forms of the rule: all tasks, or two sides and assumptions.
class FlowRule {
 public:
  FlowRule(const Network& network, const Lts& property, const Certificate& certificate, Budget& budget,
           const Teller& tell)
      : network_(network), property_(property), certificate_(certificate), budget_(budget), tell_(tell) {}

  Judgement run() {
    const std::size_t n = certificate_.flow.size();
    if (n != 1 && n != 2) return refuse("rule flavers is about all tasks, or about two sides");
    if ((n == 2) == certificate_.assumptions.empty()) return refuse("rule flavers has assumptions if it has two sides");
    for (const Lts& a : certificate_.assumptions)
      if (a.state_count() == 0 || a.error() || !is_deterministic(a)) return refuse("an assumption is none");
    if (auto wrong = find_tasks()) return refuse(*wrong);
    return n == 1 ? one_side() : two_sides();
  }

 private:
  const Component* component(const std::string& name) const {
    for (const Component& c : network_.components)
      if (c.name == name) return &c;
    return nullptr;
  }

  // Each task once, and all that the others do is done with a task.
  std::optional<std::string> find_tasks() {
    std::set<std::string> names;
    for (const FlowSide& side : certificate_.flow) {
      if (side.graphs.size() != side.tasks.size() || side.tasks.empty())
        return "a side has no tasks, or too few graphs";
      Alphabet& own = own_.emplace_back();
      for (const auto& name : side.tasks) {
        const Component* task = component(name);
        if (task == nullptr || !names.insert(name).second) return fmt::format("'{}' is no task, or twice one", name);
        own = unite(own, task->lts.alphabet());
      }
      of_tasks_ = unite(of_tasks_, own);
    }
    for (const Component& c : network_.components)
      if (!subtract(c.lts.alphabet(), of_tasks_).empty())
        return fmt::format("'{}' does something that no task does", c.name);
    return std::nullopt;
  }

  // Empty: it is in order.
  std::string fill(Side& side, const FlowSide& claim, const Alphabet& environment_actions, Lts& hub) const {
    side.claim = &claim;
    std::uint32_t first = 0;
    for (std::size_t t = 0; t < claim.tasks.size(); ++t) {
      side.tasks.push_back({&component(claim.tasks[t])->lts, &claim.graphs[t], first});
      first += claim.graphs[t].state_count();
    }
    if (!environment_actions.empty()) {
      hub = environment(environment_actions);
      side.tasks.push_back({nullptr, &hub, first});
      side.spoken_of = unite(side.spoken_of, environment_actions);
    }
    for (const std::string& name : claim.constraints) {
      const bool order = name.starts_with("ta:");
      const auto task = std::ranges::find(claim.tasks, order ? name.substr(3) : "");
      const Component* c = component(name);
      if (order && task != claim.tasks.end()) {
        side.ordered.push_back(static_cast<std::size_t>(task - claim.tasks.begin()));
      } else if (!order && c != nullptr && !has_tau(c->lts)) {
        side.constraints.push_back(&c->lts);
        side.spoken_of = unite(side.spoken_of, c->lts.alphabet());
      } else {
        return fmt::format("there is no constraint '{}'", name);
      }
    }
    return {};
  }

  // `premise`: which one of two; empty: the only one.
  Judgement prove(const Side& side, const std::vector<const Lts*>& properties, const std::string& premise) {
    FlowChecker checker(side, budget_);
    Judgement judgement = checker.graphs();
    if (judgement.kind == Kind::accepted) judgement = checker.relation();
    for (const Lts* property : properties)
      if (judgement.kind == Kind::accepted) judgement = checker.search(*property);
    tell_premise(tell_, premise.empty() ? "<true> S <P>" : premise, judgement);
    states_ += judgement.states;
    judgement.states = states_;
    if (judgement.kind == Kind::refused && !premise.empty())
      judgement.reason = fmt::format("{} does not hold: {}", premise, judgement.reason);
    return judgement;
  }

  Judgement one_side() {
    Side side;
    side.spoken_of = property_.alphabet();
    Lts hub;
    if (auto wrong = fill(side, certificate_.flow[0], subtract(property_.alphabet(), of_tasks_), hub); !wrong.empty())
      return refuse(wrong);
    return prove(side, {&property_}, "");
  }

  // What both do, what the property says of the second side, and what a constraint of the first says of it.
  Judgement two_sides() {
    const Alphabet both = intersect(own_[0], own_[1]), second = subtract(own_[1], own_[0]);
    Alphabet seen = intersect(property_.alphabet(), second);
    for (const std::string& name : certificate_.flow[0].constraints)
      if (const Component* c = component(name); c != nullptr) seen = unite(seen, intersect(c->lts.alphabet(), second));
    const Alphabet interface = unite(both, seen);
    Side one, two;
    Lts hub_one, hub_two;
    one.spoken_of = unite(property_.alphabet(), interface);
    two.spoken_of = interface;
    std::vector<const Lts*> assumptions;
    for (const Lts& a : certificate_.assumptions) {
      if (!subtract(a.alphabet(), interface).empty()) return refuse("an assumption is not about the interface");
      one.constraints.push_back(&a);
      assumptions.push_back(&a);
    }
    const Alphabet free = unite(interface, subtract(property_.alphabet(), of_tasks_));
    for (const auto& wrong :
         {fill(one, certificate_.flow[0], free, hub_one), fill(two, certificate_.flow[1], both, hub_two)})
      if (!wrong.empty()) return refuse(wrong);
    for (const Lts* constraint : two.constraints)
      if (!subtract(constraint->alphabet(), own_[1]).empty() || !intersect(constraint->alphabet(), own_[0]).empty())
        return refuse("a constraint of the second side is not about it alone");
    Judgement judgement = prove(one, {&property_}, "premise 1, <A> S1 <P>,");
    if (judgement.kind == Kind::accepted) judgement = prove(two, assumptions, "premise 2, <true> S2 <A>,");
    return judgement;
  }

  const Network& network_;
  const Lts& property_;
  const Certificate& certificate_;
  Budget& budget_;
  std::vector<Alphabet> own_;  // by side
  Alphabet of_tasks_;
  const Teller& tell_;
  std::uint64_t states_ = 0;
};

}  // namespace

Judgement check_flow(const Network& network, const Lts& property, const Certificate& certificate, Budget& budget,
                     const Teller& tell) {
  return FlowRule(network, property, certificate, budget, tell).run();
}

}  // namespace surety::certify
