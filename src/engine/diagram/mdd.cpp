#include "engine/diagram/mdd.hpp"

#include <algorithm>
#include <cmath>

#include "base/check.hpp"

namespace surety {
namespace {

constexpr std::uint32_t kPollEvery = 1024;  // steps that take well under a microsecond each
constexpr std::size_t kSmallestCache = 1 << 10;
constexpr std::uint64_t kAtLeast = 1 << 10;  // nodes that there is always room for
constexpr std::uint64_t kBesides = 5;        // bytes per node for marks and the list of free nodes
constexpr std::uint32_t kNoRow = UINT32_MAX;

}  // namespace

void MddCache::grow() {
  if (!may_grow_) return;
  const std::size_t size = std::max(kSmallestCache, 2 * slots_.size());
  // A quarter of what is left, so that the nodes have room too. Both tables exist for a moment.
  if ((size + slots_.size()) * sizeof(Slot) > budget_.memory_left() / 4 ||
      !charge_.grow_to((size + slots_.size()) * sizeof(Slot))) {
    may_grow_ = false;
    return;
  }
  PodArray<Slot> old;
  old.swap(slots_);
  slots_.grow(size);
  for (std::size_t i = 0; i < old.size(); ++i)
    if (old[i].a != 0) slots_[place(old[i].a, old[i].b)] = old[i];
  charge_.grow_to(size * sizeof(Slot));
  inserted_ = 0;
}

Mdd::Mdd(const std::vector<std::uint32_t>& domains, Budget& budget, std::uint64_t collect_at)
    : budget_(budget),
      charge_(budget),
      drafts_(domains.size() + 1),
      unite_cache_(budget, true),
      intersect_cache_(budget, true),
      subtract_cache_(budget, true),
      caches_{&unite_cache_, &intersect_cache_, &subtract_cache_},
      collect_at_(collect_at),
      least_collect_at_(collect_at) {
  std::uint32_t widest = 0;
  for (std::size_t k = 0; k < domains.size(); ++k) {
    drafts_[k + 1].children_.resize(domains[k], kEmpty);
    widest = std::max(widest, domains[k]);
  }
  free_edges_.resize(widest + 1ULL, kNoRow);
  nodes_.grow(2);
  make_room(0);
}

bool Mdd::poll() {
  if (++polled_ % kPollEvery == 0 && !budget_.go_on()) failed_ = true;
  return !failed_;
}

void Mdd::fail(Stop why) {
  budget_.stop(why);
  failed_ = true;
}

Mdd::Node Mdd::child(Node n, std::uint32_t value) const {
  std::uint32_t low = 0, high = size(n);
  while (low < high) {
    const std::uint32_t middle = (low + high) / 2;
    if (edge(n, middle).value < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low < size(n) && edge(n, low).value == value ? edge(n, low).child : kEmpty;
}

// The three operations on sets are one merge of sorted lists; they differ in what they keep.
template <Mdd::Op op>
Mdd::Node Mdd::apply(Node a, Node b) {
  if (a == kEmpty) return op == Op::unite ? b : kEmpty;
  if (b == kEmpty) return op == Op::intersect ? kEmpty : a;
  if (a == b) return op == Op::subtract ? kEmpty : a;
  if (op != Op::subtract && a > b) std::swap(a, b);
  MddCache& cache = op == Op::unite ? unite_cache_ : op == Op::intersect ? intersect_cache_ : subtract_cache_;
  if (const Node* known = cache.find(a, b)) return *known;
  if (!poll()) return kEmpty;
  const std::size_t base = pending_.size();
  const std::uint32_t na = size(a), nb = size(b);
  for (std::uint32_t i = 0, j = 0; i < na || j < nb;) {
    const std::uint32_t va = i < na ? edge(a, i).value : UINT32_MAX, vb = j < nb ? edge(b, j).value : UINT32_MAX;
    const std::uint32_t value = std::min(va, vb);
    const Node ca = va == value ? edge(a, i++).child : kEmpty, cb = vb == value ? edge(b, j++).child : kEmpty;
    const Node c = apply<op>(ca, cb);
    if (c != kEmpty) pending_.push_back({value, c});
  }
  const Node result = make(level(a), base);
  if (!failed_) cache.insert(a, b, result);
  return result;
}
template Mdd::Node Mdd::apply<Mdd::Op::unite>(Node, Node);
template Mdd::Node Mdd::apply<Mdd::Op::intersect>(Node, Node);
template Mdd::Node Mdd::apply<Mdd::Op::subtract>(Node, Node);

Mdd::Node Mdd::singleton(const std::vector<std::uint32_t>& tuple) {
  Node node = kUnit;
  for (std::uint32_t k = 1; k <= tuple.size() && !failed_; ++k) {
    pending_.push_back({tuple[tuple.size() - k], node});
    node = make(k, pending_.size() - 1);
  }
  return node;
}

bool Mdd::contains(Node n, const std::vector<std::uint32_t>& tuple) const {
  for (std::size_t i = 0; i < tuple.size() && n != kEmpty; ++i) n = child(n, tuple[i]);
  return n != kEmpty;
}

std::vector<std::uint32_t> Mdd::any(Node n) const {
  std::vector<std::uint32_t> tuple;
  for (; n != kUnit; n = edge(n, 0).child) tuple.push_back(edge(n, 0).value);
  return tuple;
}

std::vector<std::vector<Mdd::Node>> Mdd::by_level(Node n) const {
  std::vector<std::vector<Node>> out(level(n));
  if (n == kEmpty || n == kUnit) return out;
  std::vector<bool> met(node_end_);
  out.back().push_back(n);
  for (std::uint32_t k = level(n); k > 1; --k) {
    for (const Node parent : out[k - 1])
      for (std::uint32_t i = 0; i < size(parent); ++i)
        if (const Node c = edge(parent, i).child; !met[c]) {
          met[c] = true;
          out[k - 2].push_back(c);
        }
    std::sort(out[k - 2].begin(), out[k - 2].end());
  }
  return out;
}

// Numbers of as many 32-bit digits as the product of all domains may need, level by level from below.
std::string Mdd::count(Node n) {
  if (n == kEmpty) return "0";
  if (n == kUnit) return "1";
  double bits = 1;
  for (std::uint32_t k = 1; k <= level(n); ++k) bits += std::log2(static_cast<double>(drafts_[k].children_.size()));
  const std::size_t width = static_cast<std::size_t>(bits / 32) + 1;
  const auto nodes = by_level(n);
  std::vector<std::uint32_t> below(width), here;
  below[0] = 1;
  std::vector<Node> names{kUnit};
  Charge charge(budget_);
  for (const auto& row : nodes) {
    if (!charge.grow_to((names.size() + row.size()) * width * sizeof(std::uint32_t))) return "";
    here.assign(row.size() * width, 0);
    for (std::size_t r = 0; r < row.size(); ++r)
      for (std::uint32_t i = 0; i < size(row[r]); ++i) {
        if (!poll()) return "";
        const auto at = std::lower_bound(names.begin(), names.end(), edge(row[r], i).child) - names.begin();
        std::uint64_t carry = 0;
        for (std::size_t d = 0; d < width; ++d) {
          carry += std::uint64_t{here[r * width + d]} + below[static_cast<std::size_t>(at) * width + d];
          here[r * width + d] = static_cast<std::uint32_t>(carry);
          carry >>= 32;
        }
      }
    below.swap(here);
    names = row;
  }
  std::string decimal;
  while (std::any_of(below.begin(), below.end(), [](std::uint32_t d) { return d != 0; })) {
    std::uint64_t rest = 0;
    for (std::size_t d = width; d-- > 0;) {
      rest = rest << 32 | below[d];
      below[d] = static_cast<std::uint32_t>(rest / 10);
      rest %= 10;
    }
    decimal += static_cast<char>('0' + static_cast<int>(rest));
  }
  std::reverse(decimal.begin(), decimal.end());
  return decimal;
}

Mdd::Node Mdd::finish(std::uint32_t level) {
  Draft& draft = drafts_[level];
  const std::size_t base = pending_.size();
  std::sort(draft.touched_.begin(), draft.touched_.end());
  for (const std::uint32_t value : draft.touched_) {
    pending_.push_back({value, draft.children_[value]});
    draft.children_[value] = kEmpty;
  }
  draft.touched_.clear();
  return make(level, base);
}

bool Mdd::same(Node n, std::uint32_t level, std::size_t base) const {
  const Entry& entry = nodes_[n];
  return entry.level == level && entry.count == pending_.size() - base &&
         std::equal(pending_.begin() + static_cast<std::ptrdiff_t>(base), pending_.end(), &edges_[entry.first]);
}

Mdd::Node Mdd::make(std::uint32_t level, std::size_t base) {
  Node result = kEmpty;
  const auto count = static_cast<std::uint32_t>(pending_.size() - base);
  if (!failed_ && count > 0) {
    std::uint64_t h = level;
    for (std::size_t i = base; i < pending_.size(); ++i) {
      h = (h ^ (static_cast<std::uint64_t>(pending_[i].value) << 32 | pending_[i].child)) * 0x9e3779b97f4a7c15U;
      h ^= h >> 29;
    }
    const auto hash = static_cast<std::uint32_t>(mix64(h));
    const auto find = [&]() -> std::size_t {
      std::size_t slot = hash & (unique_.size() - 1);
      while (unique_[slot] != kEmpty && !(nodes_[unique_[slot]].hash == hash && same(unique_[slot], level, base)))
        slot = (slot + 1) & (unique_.size() - 1);
      return slot;
    };
    std::size_t slot = find();
    result = unique_[slot];
    if (result == kEmpty && make_room(count)) {
      result = fresh(level, base, hash);
      unique_[find()] = result;  // the table may be another one now
    }
  }
  pending_.resize(base);
  return result;
}

Mdd::Node Mdd::fresh(std::uint32_t level, std::size_t base, std::uint32_t hash) {
  const auto count = static_cast<std::uint32_t>(pending_.size() - base);
  Node n = node_end_;
  if (!free_nodes_.empty()) {
    n = free_nodes_.back();
    free_nodes_.pop_back();
  } else {
    ++node_end_;
  }
  std::uint32_t first = free_edges_[count];
  if (first != kNoRow) {
    free_edges_[count] = edges_[first].child;
  } else {
    first = edge_end_;
    edge_end_ += count;
  }
  std::copy(pending_.begin() + static_cast<std::ptrdiff_t>(base), pending_.end(), &edges_[first]);
  nodes_[n] = {first, count, level, hash};
  peak_ = std::max(peak_, ++live_);
  if (++made_ % kPollEvery == 0) budget_.add_states(kPollEvery);
  return n;
}

// Room for one more node with so many edges. False: the budget has ended.
bool Mdd::make_room(std::uint32_t count) {
  if (live_ >= collect_at_) {
    collect();
    if (collect_at_ > 0) collect_at_ = std::max(least_collect_at_, 3 * live_);
  }
  for (bool collected = false;; collected = true) {
    const bool node = !free_nodes_.empty() || node_end_ < nodes_.size();
    const bool row = free_edges_[count] != kNoRow || edge_end_ + std::uint64_t{count} <= edges_.size();
    const bool slot = (live_ + 1) * 3 / 2 < unique_.size();
    if (node && row && slot) return !failed_;
    const std::uint64_t nodes = node ? nodes_.size() : std::max(kAtLeast, nodes_.size() + nodes_.size() / 4);
    const std::uint64_t edges = row ? edges_.size() : std::max(2 * kAtLeast, edges_.size() + edges_.size() / 4 + count);
    const std::uint64_t slots = slot ? unique_.size() : std::max(2 * kAtLeast, 2 * unique_.size());
    const std::uint64_t bytes = nodes * (sizeof(Entry) + kBesides) + edges * sizeof(Edge);
    if (nodes > UINT32_MAX || edges >= kNoRow) {
      fail(Stop::memory);
      return false;
    }
    // While the table of nodes grows, both exist.
    if (!charge_.grow_to(bytes + (slots + (slot ? 0 : unique_.size())) * sizeof(Node))) {
      if (collected) {
        fail(Stop::memory);
        return false;
      }
      collect();
      continue;
    }
    if (!node) nodes_.grow(nodes);
    if (!row) edges_.grow(edges);
    if (!slot) {
      PodArray<Node> old;
      old.swap(unique_);
      unique_.grow(slots);
      for (std::size_t i = 0; i < old.size(); ++i) {
        if (old[i] == kEmpty) continue;
        std::size_t at = nodes_[old[i]].hash & (slots - 1);
        while (unique_[at] != kEmpty) at = (at + 1) & (slots - 1);
        unique_[at] = old[i];
      }
    }
    charge_.grow_to(bytes + slots * sizeof(Node));
    return !failed_;
  }
}

void Mdd::mark(Node n) {
  if (n == kEmpty || n == kUnit || marks_[n]) return;
  marks_[n] = true;
  for (std::uint32_t i = 0; i < size(n); ++i) mark(edge(n, i).child);
}

void Mdd::collect() {
  ++collections_;
  marks_.assign(node_end_, false);
  marks_[kEmpty] = marks_[kUnit] = true;
  for (const Node n : kept_) mark(n);
  for (const Node n : permanent_) mark(n);
  for (const Edge& e : pending_) mark(e.child);
  for (const Draft& draft : drafts_)
    for (const std::uint32_t value : draft.touched_) mark(draft.children_[value]);
  for (MddCache* cache : caches_) cache->sweep([&](Node n) { return marks_[n]; });
  unique_.clear_values();
  for (Node n = 2; n < node_end_; ++n) {
    Entry& entry = nodes_[n];
    if (marks_[n]) {
      std::size_t at = entry.hash & (unique_.size() - 1);
      while (unique_[at] != kEmpty) at = (at + 1) & (unique_.size() - 1);
      unique_[at] = n;
    } else if (entry.count > 0) {
      edges_[entry.first].child = free_edges_[entry.count];
      free_edges_[entry.count] = entry.first;
      entry.count = 0;
      free_nodes_.push_back(n);
      --live_;
    }
  }
}

}  // namespace surety
