#include "engine/flow/parallel.hpp"

#include <algorithm>
#include <bit>
#include <deque>

namespace surety {
namespace {

constexpr std::size_t kExactSets = 4;

using Word = PointRelation::Word;

// A choice that goes on from the points chosen so far.
bool choose_rest(const PointRelation& together, const Choice& sets, std::vector<Point>& chosen) {
  if (chosen.size() == sets.size()) return true;
  for (const Point p : sets[chosen.size()]) {
    if (!std::ranges::all_of(chosen, [&](Point other) { return together(p, other); })) continue;
    chosen.push_back(p);
    if (choose_rest(together, sets, chosen)) return true;
    chosen.pop_back();
  }
  return false;
}

// Points without a partner in some other set go, until none does.
bool has_partners(const PointRelation& together, const Choice& sets) {
  std::vector<std::vector<Point>> left;
  for (const auto& set : sets) left.emplace_back(set.begin(), set.end());
  for (bool changed = true; changed;) {
    changed = false;
    for (auto& set : left) {
      const auto lonely = [&](Point p) {
        return std::ranges::any_of(left, [&](const auto& other) {
          return &other != &set && std::ranges::none_of(other, [&](Point q) { return together(p, q); });
        });
      };
      changed |= std::erase_if(set, lonely) != 0;
      if (set.empty()) return false;
    }
  }
  return true;
}

class Closure {
 public:
  Closure(const FlowNodes& nodes, Budget& budget)
      : nodes_(nodes),
        budget_(budget),
        together_(nodes.point_count()),
        fresh_(nodes.point_count()),
        waiting_(nodes.point_count()),
        after_(nodes.point_count()) {
    for (std::uint32_t n = 0; n < nodes.nodes.size(); ++n)
      for (const FlowPart& part : nodes.nodes[n].parts)
        for (const Point p : part.pre) after_[p].push_back(n);
    stale_.resize(nodes.nodes.size());
  }

  std::optional<PointRelation> run() {
    for (std::uint32_t t = 0; t < nodes_.task_count(); ++t)
      for (std::uint32_t u = 0; u < t; ++u) add(nodes_.first[t], nodes_.first[u]);
    while (!work_.empty() || !joint_.empty()) {
      if (!budget_.go_on()) return std::nullopt;
      if (work_.empty()) {
        apply_joint();
        continue;
      }
      const Point p = work_.front();  // in turns: so more comes together before it is taken up
      work_.pop_front();
      take_up(p);
    }
    return std::move(together_);
  }

 private:
  bool is_of(Point p, std::uint32_t task) const { return p >= nodes_.first[task] && p < nodes_.first[task + 1]; }

  void add(Point a, Point b) {
    if (together_(a, b)) return;
    for (const auto& [x, y] : {std::pair(a, b), std::pair(b, a)}) {
      together_.set(x, y);
      fresh_.set(x, y);
      if (!waiting_[x]) work_.push_back(x);
      waiting_[x] = true;
    }
  }
  // All points of the set, but those of the tasks that take part.
  void add_all(Point a, const std::vector<Word>& set, const FlowNode& node) {
    for (std::size_t w = 0; w < set.size(); ++w)
      for (Word rest = set[w] & ~together_.row(a)[w]; rest != 0; rest &= rest - 1) {
        const auto b = static_cast<Point>(w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
        if (std::ranges::none_of(node.parts, [&](const FlowPart& part) { return is_of(b, part.task); })) add(a, b);
      }
  }

  // What has come to be together with p goes through all nodes after p.
  void take_up(Point p) {
    waiting_[p] = false;
    const std::vector<Word> fresh(fresh_.row(p), fresh_.row(p) + fresh_.words());
    std::fill_n(fresh_.row(p), fresh_.words(), 0);
    for (const std::uint32_t n : after_[p]) {
      const FlowNode& node = nodes_.nodes[n];
      if (node.parts.size() == 1)
        add_all(node.parts[0].post, fresh, node);
      else if (node.parts.size() == 2)
        meet(p, fresh, node);
      else if (!stale_[n]) {
        stale_[n] = true;
        joint_.push_back(n);
      }
    }
  }

  void meet(Point p, const std::vector<Word>& fresh, const FlowNode& node) {
    const bool first = is_of(p, node.parts[0].task);
    for (const Point q : node.parts[first ? 1 : 0].pre) {
      if (!together_(p, q)) continue;
      add(node.parts[0].post, node.parts[1].post);
      const bool met_now = (fresh[q / 64] >> (q % 64) & 1) != 0;
      std::vector<Word> both(fresh.size());
      for (std::size_t w = 0; w < both.size(); ++w)
        both[w] = (met_now ? together_.row(p)[w] : fresh[w]) & together_.row(q)[w];
      for (const FlowPart& part : node.parts) add_all(part.post, both, node);
    }
  }

  // A node of more than two tasks, from the beginning.
  void apply_joint() {
    const std::uint32_t n = joint_.back();
    joint_.pop_back();
    stale_[n] = false;
    const FlowNode& node = nodes_.nodes[n];
    Choice before;
    for (const FlowPart& part : node.parts) before.emplace_back(part.pre);
    if (!can_choose(together_, before)) return;
    for (const FlowPart& part : node.parts)
      for (const FlowPart& other : node.parts)
        if (part.task != other.task) add(part.post, other.post);
    for (std::uint32_t t = 0; t < nodes_.task_count(); ++t)
      if (node.part_of(t) == nullptr) join_with(t, node, before);
  }
  void join_with(std::uint32_t task, const FlowNode& node, Choice before) {
    before.emplace_back();
    for (Point b = nodes_.first[task]; b < nodes_.first[task + 1]; ++b) {
      before.back() = {&b, 1};
      if (!can_choose(together_, before)) continue;
      for (const FlowPart& part : node.parts) add(part.post, b);
    }
  }

  const FlowNodes& nodes_;
  Budget& budget_;
  PointRelation together_, fresh_;  // fresh: not yet taken up
  std::vector<bool> waiting_;       // in work_
  std::vector<std::vector<std::uint32_t>> after_;
  std::deque<Point> work_;
  std::vector<std::uint32_t> joint_;
  std::vector<bool> stale_;  // by node: in joint_
};

}  // namespace

std::uint64_t PointRelation::count() const {
  std::uint64_t bits = 0;
  for (const Word word : bits_) bits += static_cast<std::uint64_t>(std::popcount(word));
  return bits / 2;
}

bool can_choose(const PointRelation& together, const Choice& sets) {
  if (sets.size() > kExactSets) return has_partners(together, sets);
  std::vector<Point> chosen;
  return choose_rest(together, sets, chosen);
}

std::optional<PointRelation> parallel_points(const FlowNodes& nodes, Budget& budget) {
  const std::uint64_t words = (nodes.point_count() + 63) / 64;
  Charge charge(budget);
  if (!charge.grow_to(2 * words * nodes.point_count() * sizeof(PointRelation::Word))) {
    budget.stop(Stop::memory);
    return std::nullopt;
  }
  return Closure(nodes, budget).run();
}

}  // namespace surety
