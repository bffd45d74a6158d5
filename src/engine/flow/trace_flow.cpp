#include "engine/flow/trace_flow.hpp"

#include <algorithm>
#include <map>

namespace surety {
namespace {

using Word = PointRelation::Word;
using Bits = std::vector<Word>;

bool has(const Bits& bits, Point p) { return (bits[p / 64] >> (p % 64) & 1) != 0; }

Choice before(const FlowNode& node) {
  Choice out;
  for (const FlowPart& part : node.parts) out.emplace_back(part.pre);
  return out;
}

class Edges {
 public:
  Edges(const FlowNodes& nodes, const PointRelation& together, Budget& budget)
      : nodes_(nodes),
        together_(together),
        budget_(budget),
        after_(nodes.point_count()),
        next_(nodes.nodes.size()),
        charge_(budget) {
    for (std::uint32_t n = 0; n < nodes.nodes.size(); ++n)
      for (const FlowPart& part : nodes.nodes[n].parts)
        for (const Point p : part.pre) after_[p].push_back(n);
  }

  bool run() {
    for (std::uint32_t n = 0; n < next_.size(); ++n) {
      if (!budget_.go_on() || !room()) return false;
      add_flow(n);
      add_mip(n);
    }
    return true;
  }

  Lts lts() {
    LtsWriter writer;
    const auto n = static_cast<std::uint32_t>(next_.size());
    writer.reserve(n + 1ULL, flow + mip + n);
    std::vector<Action> all;
    for (std::uint32_t m = 0; m < n; ++m) {
      all.push_back(TraceFlow::action_of(m));
      if (is_first(nodes_.nodes[m])) writer.add_step(all.back(), State{m + 1});
    }
    writer.end_state();
    for (auto& next : next_) {
      std::ranges::sort(next);
      for (const std::uint32_t m : next) writer.add_step(TraceFlow::action_of(m), State{m + 1});
      writer.end_state();
      next = {};
    }
    return writer.build(Alphabet(std::move(all)), std::nullopt, std::nullopt);
  }

  std::uint64_t flow = 0, mip = 0;

 private:
  bool room() {
    constexpr std::uint64_t kBytes = 16;  // of an edge, here and in the LTS
    if (charge_.grow_to((flow + mip) * kBytes)) return true;
    budget_.stop(Stop::memory);
    return false;
  }

  bool is_first(const FlowNode& node) const {
    return std::ranges::all_of(node.parts, [&](const FlowPart& part) {
      return std::ranges::find(part.pre, nodes_.first[part.task]) != part.pre.end();
    });
  }

  void add_flow(std::uint32_t n) {
    std::vector<std::uint32_t> candidates;
    for (const FlowPart& part : nodes_.nodes[n].parts)
      candidates.insert(candidates.end(), after_[part.post].begin(), after_[part.post].end());
    std::ranges::sort(candidates);
    const auto repeated = std::ranges::unique(candidates);
    candidates.erase(repeated.begin(), repeated.end());
    for (const std::uint32_t m : candidates)
      if (flows(nodes_.nodes[n], nodes_.nodes[m])) {
        next_[n].push_back(m);
        ++flow;
      }
  }
  bool flows(const FlowNode& n, const FlowNode& m) const {
    Choice sets;
    for (const FlowPart& part : n.parts) {
      const FlowPart* other = m.part_of(part.task);
      if (other != nullptr && std::ranges::find(other->pre, part.post) == other->pre.end()) return false;
      sets.emplace_back(&part.post, 1);
    }
    for (const FlowPart& part : m.parts)
      if (n.part_of(part.task) == nullptr) sets.emplace_back(part.pre);
    return can_choose(together_, sets);
  }

  // Both ways, with the nodes of smaller numbers.
  void add_mip(std::uint32_t n) {
    const FlowNode& node = nodes_.nodes[n];
    const Bits beside = together_with(node);
    for (std::uint32_t m = 0; m < n; ++m)
      if (is_beside(nodes_.nodes[m], node, beside)) {
        next_[n].push_back(m);
        next_[m].push_back(n);
        mip += 2;
      }
  }

  // The points that are together with a choice of points before the node.
  Bits together_with(const FlowNode& node) const {
    Bits out(together_.words());
    if (node.parts.size() == 1) {
      for (const Point a : node.parts[0].pre)
        for (std::size_t w = 0; w < out.size(); ++w) out[w] |= together_.row(a)[w];
    } else if (node.parts.size() == 2) {
      for (const Point a : node.parts[0].pre)
        for (const Point b : node.parts[1].pre)
          if (together_(a, b))
            for (std::size_t w = 0; w < out.size(); ++w) out[w] |= together_.row(a)[w] & together_.row(b)[w];
    } else {
      Choice sets = before(node);
      sets.emplace_back();
      for (Point b = 0; b < together_.points(); ++b) {
        sets.back() = {&b, 1};
        if (can_choose(together_, sets)) out[b / 64] |= Word{1} << (b % 64);
      }
    }
    return out;
  }

  bool is_beside(const FlowNode& m, const FlowNode& n, const Bits& beside) const {
    for (const FlowPart& part : m.parts) {
      if (n.part_of(part.task) != nullptr) return false;
      if (std::ranges::none_of(part.pre, [&](Point p) { return has(beside, p); })) return false;
    }
    if (m.parts.size() == 1) return true;
    Choice sets = before(n);
    for (const FlowPart& part : m.parts) sets.emplace_back(part.pre);
    return can_choose(together_, sets);
  }

  const FlowNodes& nodes_;
  const PointRelation& together_;
  Budget& budget_;
  std::vector<std::vector<std::uint32_t>> after_;  // by point
  std::vector<std::vector<std::uint32_t>> next_;   // by node
  Charge charge_;
};

}  // namespace

Trace TraceFlow::labels_of(surety::Word path) const {
  Trace out;
  for (const Action node : path) out.push_back(label_of(node));
  return out;
}

std::optional<TraceFlow> trace_flow(const std::vector<Lts>& graphs, const Alphabet& spoken_of, Budget& budget) {
  auto nodes = flow_nodes(graphs, spoken_of);
  if (!nodes) return std::nullopt;
  auto together = parallel_points(*nodes, budget);
  if (!together) return std::nullopt;
  std::erase_if(nodes->nodes, [&](const FlowNode& node) { return !can_choose(*together, before(node)); });
  Edges edges(*nodes, *together, budget);
  if (!edges.run()) return std::nullopt;
  Lts lts = edges.lts();
  return TraceFlow{std::move(*nodes), std::move(*together), std::move(lts), edges.flow, edges.mip};
}

Lts over_nodes(const Lts& lts, const TraceFlow& flow) {
  std::map<Action, std::vector<Action>> nodes;
  std::vector<Action> all;
  for (std::size_t n = 0; n < flow.nodes.nodes.size(); ++n)
    if (const Action label = flow.nodes.nodes[n].label; lts.alphabet().contains(label)) {
      nodes[label].push_back(TraceFlow::action_of(n));
      all.push_back(TraceFlow::action_of(n));
    }
  LtsBuilder builder;
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s})) {
      if (step.action == kTau) builder.add_step(State{s}, kTau, step.target);
      for (const Action node : nodes[step.action]) builder.add_step(State{s}, node, step.target);
    }
  builder.set_state_count(lts.state_count());
  builder.add_to_alphabet(Alphabet(std::move(all)));
  return builder.build();
}

Lts task_automaton(const TraceFlow& flow, std::uint32_t task) {
  const Point first = flow.nodes.first[task];
  std::vector<Action> all;
  LtsBuilder builder;
  for (std::size_t n = 0; n < flow.nodes.nodes.size(); ++n)
    if (const FlowPart* part = flow.nodes.nodes[n].part_of(task); part != nullptr) {
      const Action node = TraceFlow::action_of(n);
      all.push_back(node);
      for (const Point p : part->pre) builder.add_step(State{p - first}, node, State{part->post - first});
    }
  builder.set_state_count(flow.nodes.first[task + 1] - first);
  builder.add_to_alphabet(Alphabet(std::move(all)));
  return builder.build();
}

}  // namespace surety
