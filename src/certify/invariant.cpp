// Proofs by a set of states: the initial one is in it, every step from it stays in it,
// nothing in it is bad. The set is a diagram (model/proof.hpp), and the checks are walks
// over pairs of its nodes, one where a step begins and one where it ends:
//
//   leads(q, r)   whatever is below q, a step of the action leads below r
//   within(q, r)  whatever is below q is below r
//
// An action leaves the levels above its first participant as they are, so it is
// enough to start at every node q of that level with leads(q, q).

#include <fmt/format.h>
#include <tsl/robin_set.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/hash.hpp"
#include "certify/rules.hpp"

namespace surety::certify {
namespace {

using Kind = Judgement::Kind;
using Node = std::uint32_t;

constexpr Node kNowhere = UINT32_MAX;  // nothing is below it

// An action and the levels of the components that have it, or a tau step of one.
struct Joint {
  Action action;
  std::vector<std::size_t> levels;  // top first
  std::vector<bool> takes_part;     // by level
};

class Invariant {
 public:
  Invariant(const std::vector<const Lts*>& components, const Lts* property, const Diagram& diagram, Budget& budget)
      : components_(components), property_(property), diagram_(diagram), budget_(budget), charge_(budget) {
    parts_ = components;
    if (property != nullptr) parts_.push_back(property);
  }

  Judgement run(bool deadlock) {
    if (auto wrong = malformed()) return refuse(*wrong);
    Node node = 0;
    for (std::size_t k = 0; k < size() && node != kNowhere; ++k) node = child(k, node, lts(k).initial());
    if (node == kNowhere) return refuse("the initial state is not in the set");
    list_joints();
    within_.resize(size());
    for (std::size_t k = 0; k < size(); ++k) quiet_.emplace_back(nodes(k), nullptr);
    for (const Joint& joint : joints_) {
      leads_.assign(size(), {});
      remembered_ = 0;
      const std::size_t top = joint.levels.front();
      for (Node q = 0; q < nodes(top); ++q)
        if (!leads(joint, top, q, q)) return end("a step leads out of the set");
      if (property_ == nullptr || !joint.takes_part[property_level_]) continue;
      for (Node q = 0; q < nodes(top); ++q)
        if (objects(joint, top, q)) return end("a state of the set violates the property");
    }
    if (deadlock && dead(0, 0, true, {})) return end("a state of the set is a deadlock");
    return end("");
  }

 private:
  std::size_t size() const { return diagram_.levels.size(); }
  const Lts& lts(std::size_t level) const { return *parts_[diagram_.levels[level].component]; }
  Node nodes(std::size_t level) const {
    return level == size() ? 1 : static_cast<Node>(diagram_.levels[level].first.size() - 1);
  }
  std::span<const Diagram::Edge> edges(std::size_t level, Node q) const {
    const auto& l = diagram_.levels[level];
    return {l.edges.data() + l.first[q], l.edges.data() + l.first[q + 1]};
  }
  Node child(std::size_t level, Node q, State s) const {
    if (q == kNowhere) return kNowhere;
    const auto all = edges(level, q);
    const auto it =
        std::lower_bound(all.begin(), all.end(), s, [](const Diagram::Edge& e, State t) { return e.state < t; });
    return it != all.end() && it->state == s ? it->node : kNowhere;
  }

  // Every part has one level, every node an edge, every edge goes somewhere.
  std::optional<std::string> malformed() const {
    std::set<std::uint32_t> seen;
    for (const auto& level : diagram_.levels) seen.insert(level.component);
    const std::size_t parts = parts_.size();
    if (parts == 0) return "there is nothing that the diagram could be about";
    if (size() != parts || seen.size() != parts || *seen.rbegin() != parts - 1)
      return "the diagram does not have one level per component";
    for (std::size_t k = 0; k < size(); ++k) {
      const auto& level = diagram_.levels[k];
      if (level.first.size() < 2 || level.first.size() > kNowhere || level.first.front() != 0 ||
          level.first.back() != level.edges.size())
        return "the diagram has a level without nodes";
      for (std::size_t i = 0; i + 1 < level.first.size(); ++i)
        if (level.first[i] >= level.first[i + 1] || level.first[i + 1] > level.edges.size())
          return "the diagram has a node without edges";
    }
    for (std::size_t k = 0; k < size(); ++k)
      for (Node q = 0; q < nodes(k); ++q) {
        const auto all = edges(k, q);
        for (std::size_t i = 0; i < all.size(); ++i)
          if (all[i].state.value >= lts(k).state_count() || all[i].node >= nodes(k + 1) ||
              (i > 0 && all[i].state <= all[i - 1].state))
            return "the diagram has a wrong edge";
      }
    return std::nullopt;
  }

  void list_joints() {
    std::map<Action, std::vector<std::size_t>> who;
    for (std::size_t k = 0; k < size(); ++k) {
      for (const Action a : lts(k).alphabet()) who[a].push_back(k);
      if (diagram_.levels[k].component == components_.size())
        property_level_ = k;
      else
        joints_.push_back({kTau, {k}, {}});
    }
    for (auto& [action, levels] : who) joints_.push_back({action, std::move(levels), {}});
    beginning_.resize(size());
    for (Joint& joint : joints_) {
      beginning_[joint.levels.front()].push_back(static_cast<std::size_t>(&joint - joints_.data()));
      joint.takes_part.resize(size());
      for (const std::size_t k : joint.levels) joint.takes_part[k] = true;
    }
  }

  bool may_go_on() {
    if (++steps_ % 1024 != 0) return !stopped_;
    if (!charge_.grow_to((remembered_ + remembered_within_) * 48)) budget_.stop(Stop::memory);
    stopped_ = !budget_.go_on();
    return !stopped_;
  }

  // An error state ends the run: a step into it leads nowhere.
  bool leads(const Joint& joint, std::size_t level, Node q, Node r) {
    if (level > joint.levels.back()) return within(level, q, r);
    if (leads_[level].contains(pair(q, r))) return true;
    if (!may_go_on()) return false;
    for (const auto& edge : edges(level, q)) {
      if (!joint.takes_part[level]) {
        if (!leads(joint, level + 1, edge.node, child(level, r, edge.state))) return false;
        continue;
      }
      for (const Step& step : lts(level).steps(edge.state, joint.action))
        if (lts(level).error() != step.target && !leads(joint, level + 1, edge.node, child(level, r, step.target)))
          return false;
    }
    leads_[level].insert(pair(q, r));
    ++remembered_;
    return true;
  }

  bool within(std::size_t level, Node q, Node r) {
    if (r == kNowhere) return false;
    if (q == r || level == size() || within_[level].contains(pair(q, r))) return true;
    if (!may_go_on()) return false;
    for (const auto& edge : edges(level, q))
      if (!within(level + 1, edge.node, child(level, r, edge.state))) return false;
    within_[level].insert(pair(q, r));
    ++remembered_within_;
    return true;
  }

  // Is there something below q in which all others can do the action and the property cannot?
  bool objects(const Joint& joint, std::size_t level, Node q) {
    if (level > joint.levels.back()) return true;
    if (quiet_[level][q] == &joint) return false;
    if (!may_go_on()) return true;
    for (const auto& edge : edges(level, q)) {
      const bool able = !lts(level).steps(edge.state, joint.action).empty();
      if (joint.takes_part[level] && able == (level == property_level_)) continue;
      if (objects(joint, level + 1, edge.node)) return true;
    }
    quiet_[level][q] = &joint;
    return false;
  }

  // Is there something below q in which nothing can happen, and which is no termination? `open`: the joints whose
  // participants above can all do them. `ended`: all above that can end have ended.
  bool dead(std::size_t level, Node q, bool ended, const std::vector<std::size_t>& open) {
    if (level == size()) return !(ended && may_terminate());
    if (!may_go_on()) return true;
    const auto [known, fresh] = alive_.emplace(std::tuple(level, q, ended, open));
    if (!fresh) return false;
    remembered_ += 4 + open.size() / 4;
    std::vector<std::size_t> asked = open;
    asked.insert(asked.end(), beginning_[level].begin(), beginning_[level].end());
    std::sort(asked.begin(), asked.end());
    for (const auto& edge : edges(level, q)) {
      std::vector<std::size_t> still;
      bool moves = false;
      for (const std::size_t j : asked) {
        const Joint& joint = joints_[j];
        if (joint.takes_part[level] && lts(level).steps(edge.state, joint.action).empty()) continue;
        still.push_back(j);
        moves |= joint.levels.back() == level;
      }
      const auto end = lts(level).end();
      if (!moves && dead(level + 1, edge.node, ended && (!end || *end == edge.state), still)) return true;
    }
    return false;
  }

  bool may_terminate() const {
    Tuple tuple;
    for (const Lts* component : components_) tuple.push_back(component->end().value_or(component->initial()));
    return terminated(components_, tuple);
  }

  Judgement end(std::string wrong) const {
    if (stopped_) return {Kind::unfinished, describe(budget_.why()), {}, steps_};
    return {wrong.empty() ? Kind::accepted : Kind::refused, std::move(wrong), {}, steps_};
  }

  struct Hash {
    std::size_t operator()(std::uint64_t x) const { return mix64(x); }
  };
  using Pairs = tsl::robin_set<std::uint64_t, Hash>;
  static std::uint64_t pair(Node q, Node r) { return static_cast<std::uint64_t>(q) << 32 | r; }

  const std::vector<const Lts*>& components_;
  const Lts* property_;
  std::vector<const Lts*> parts_;  // the components, and the property if there is one
  const Diagram& diagram_;
  Budget& budget_;
  Charge charge_;
  std::size_t property_level_ = SIZE_MAX;
  std::vector<Joint> joints_;
  std::vector<std::vector<std::size_t>> beginning_;  // by level: the joints whose first participant it is
  // What is known to be so, by level. A walk that finds otherwise ends at once.
  std::vector<Pairs> leads_, within_;
  std::vector<std::vector<const Joint*>> quiet_;  // by level and node: what the property was last asked about
  std::set<std::tuple<std::size_t, Node, bool, std::vector<std::size_t>>> alive_;
  std::uint64_t remembered_ = 0, remembered_within_ = 0, steps_ = 0;
  bool stopped_ = false;
};

}  // namespace

Judgement check_invariant(const std::vector<const Lts*>& components, const Lts* property, bool deadlock,
                          const Diagram& diagram, Budget& budget, const Teller& tell) {
  for (const Lts* lts : components)
    if (lts->state_count() == 0 || lts->error() == lts->initial()) return {Kind::accepted, {}, {}, 0};
  if (property != nullptr && property->state_count() == 0) return refuse("even the empty trace is forbidden");
  Judgement judgement = Invariant(components, property, diagram, budget).run(deadlock);
  tell_premise(tell, "the set of states is an invariant", judgement);
  return judgement;
}

}  // namespace surety::certify
