// Multi-valued decision diagrams: sets of tuples, one level per place in the tuple.
//
// A node at level k lists, sorted, the values at place k that begin a tuple of the
// set and where the rest of the tuple goes on; levels are counted from the bottom and
// none is skipped (the diagram is quasi-reduced), so that a node's level says how
// long its tuples are. Equal nodes are one node: two sets are equal iff their numbers are.
//
//   nodes_    16 bytes each, by number; 0 is the empty set, 1 the set of the empty tuple
//   edges_    8 bytes each, those of a node in a row; the rows of dead nodes are
//             reused by nodes with as many edges
//   unique_   open addressing, node numbers by what is in the node
//   caches    direct mapped: a new result takes the place of an old one
//
// Garbage is collected by mark and sweep, inside make() only. What must survive is
// reachable from the roots: nodes kept (Keep), drafts, and edges of nodes in the making.
// So a function that holds a node over a call which may make nodes keeps it, or knows
// that its caller does; that is all the discipline there is.
//
// All memory is charged to the budget. When the budget ends, operations return the
// empty set and failed() says so.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/budget.hpp"
#include "base/hash.hpp"
#include "engine/diagram/pod_array.hpp"

namespace surety {

using MddNode = std::uint32_t;

// Results of an operation on a node and something else (a node, or not).
class MddCache {
 public:
  MddCache(Budget& budget, bool second_is_node) : budget_(budget), charge_(budget), second_is_node_(second_is_node) {}

  // 0 is the empty set, which is a result like any other: hence the pointer.
  const MddNode* find(MddNode a, std::uint32_t b) const {
    if (slots_.size() == 0) return nullptr;
    const Slot& slot = slots_[place(a, b)];
    return slot.a == a && slot.b == b ? &slot.result : nullptr;
  }
  void insert(MddNode a, std::uint32_t b, MddNode result) {
    if (2 * inserted_ >= slots_.size()) grow();
    if (slots_.size() == 0) return;
    slots_[place(a, b)] = {a, b, result};
    ++inserted_;
  }
  template <class Alive>
  void sweep(Alive alive) {
    for (std::size_t i = 0; i < slots_.size(); ++i) {
      Slot& slot = slots_[i];
      if (slot.a != 0 && (!alive(slot.a) || !alive(slot.result) || (second_is_node_ && !alive(slot.b)))) slot = {};
    }
  }

 private:
  struct Slot {
    MddNode a = 0;  // 0: free
    std::uint32_t b = 0;
    MddNode result = 0;
  };
  std::size_t place(MddNode a, std::uint32_t b) const {
    return mix64(static_cast<std::uint64_t>(b) << 32 | a) & (slots_.size() - 1);
  }
  void grow();  // to twice its size, if the budget allows; old results stay

  Budget& budget_;
  Charge charge_;
  PodArray<Slot> slots_;
  std::size_t inserted_ = 0;  // since it has this size
  bool second_is_node_;
  bool may_grow_ = true;
};

class Mdd {
 public:
  using Node = MddNode;
  static constexpr Node kEmpty = 0;  // no tuple
  static constexpr Node kUnit = 1;   // the empty tuple, at level 0

  struct Edge {
    std::uint32_t value;
    Node child;
    friend bool operator==(const Edge&, const Edge&) = default;
  };

  // domains[k-1]: how many values level k has. Garbage is collected when there are `collect_at` nodes
  // (0, for tests: before every new node).
  Mdd(const std::vector<std::uint32_t>& domains, Budget& budget, std::uint64_t collect_at = 1 << 22);
  Mdd(const Mdd&) = delete;
  Mdd& operator=(const Mdd&) = delete;

  std::uint32_t levels() const { return static_cast<std::uint32_t>(drafts_.size() - 1); }
  std::uint32_t level(Node n) const { return nodes_[n].level; }
  std::uint32_t size(Node n) const { return nodes_[n].count; }
  Edge edge(Node n, std::uint32_t i) const { return edges_[nodes_[n].first + i]; }
  Node child(Node n, std::uint32_t value) const;

  Node unite(Node a, Node b) { return apply<Op::unite>(a, b); }
  Node intersect(Node a, Node b) { return apply<Op::intersect>(a, b); }
  Node subtract(Node a, Node b) { return apply<Op::subtract>(a, b); }

  // Tuples are listed from the top level down.
  Node singleton(const std::vector<std::uint32_t>& tuple);
  bool contains(Node n, const std::vector<std::uint32_t>& tuple) const;
  std::vector<std::uint32_t> any(Node n) const;           // the smallest tuple of a set that is not empty
  std::string count(Node n);                              // in decimal, exact; empty: no memory for it
  std::vector<std::vector<Node>> by_level(Node n) const;  // all nodes below, [level - 1]; sorted

  // A node in the making, at most one per level at a time: children by value.
  class Draft {
   public:
    Node operator[](std::uint32_t value) const { return children_[value]; }
    void set(std::uint32_t value, Node child) {  // not to the empty set
      if (children_[value] == kEmpty) touched_.push_back(value);
      children_[value] = child;
    }
    const std::vector<std::uint32_t>& touched() const { return touched_; }

   private:
    friend class Mdd;
    std::vector<Node> children_;
    std::vector<std::uint32_t> touched_;  // the values whose child is not empty
  };
  Draft& draft(std::uint32_t level) { return drafts_[level]; }
  Node finish(std::uint32_t level);  // the draft becomes a node and is empty again

  // Keeps a node for as long as this lives.
  class Keep {
   public:
    Keep(Mdd& mdd, Node node) : mdd_(mdd) { mdd_.kept_.push_back(node); }
    Keep(const Keep&) = delete;
    Keep& operator=(const Keep&) = delete;
    ~Keep() { mdd_.kept_.pop_back(); }

   private:
    Mdd& mdd_;
  };
  void keep_for_good(Node node) { permanent_.push_back(node); }
  void add_cache(MddCache* cache) { caches_.push_back(cache); }  // to be swept; outlives the last make()

  bool failed() const { return failed_; }
  bool poll();  // false once the budget has ended
  std::uint64_t made() const { return made_; }
  std::uint64_t peak() const { return peak_; }  // most nodes at a time, dead ones included
  std::uint64_t collections() const { return collections_; }

 private:
  enum class Op { unite, intersect, subtract };
  struct Entry {
    std::uint32_t first, count, level, hash;
  };

  template <Op op>
  Node apply(Node a, Node b);
  Node make(std::uint32_t level, std::size_t base);  // of the pending edges from base on, which it takes
  Node fresh(std::uint32_t level, std::size_t base, std::uint32_t hash);
  bool make_room(std::uint32_t count);
  bool same(Node n, std::uint32_t level, std::size_t base) const;
  void collect();
  void mark(Node n);
  void fail(Stop why);

  Budget& budget_;
  Charge charge_;  // nodes, edges, unique table
  PodArray<Entry> nodes_;
  PodArray<Edge> edges_;
  PodArray<Node> unique_;
  std::uint32_t node_end_ = 2, edge_end_ = 0;
  std::vector<Node> free_nodes_;
  std::vector<std::uint32_t> free_edges_;  // by count: the first of a list through the rows
  std::vector<bool> marks_;
  std::vector<Edge> pending_;
  std::vector<Node> kept_, permanent_;
  std::vector<Draft> drafts_;
  MddCache unite_cache_, intersect_cache_, subtract_cache_;
  std::vector<MddCache*> caches_;
  std::uint64_t live_ = 0, collect_at_, least_collect_at_, made_ = 0, peak_ = 0, collections_ = 0;
  std::uint32_t polled_ = 0;
  bool failed_ = false;
};

}  // namespace surety
