// The search proper. Workers take blocks of the current layer, generate all
// successors of a few states into a buffer (computing hashes and prefetching the
// slots they will need), then insert the buffer: the memory latency of many
// look-ups overlaps. New states go to the worker's own blocks of the next layer.
//
// When the table is full the workers stop where they are, with what they could
// not insert still in their buffers; the table grows; they go on. When a goal is
// found, the layer is finished without inserting any more and the smallest hit in
// packed order is taken: that is what makes the trace independent of threads.
//
// Depth in the spare bits rather than parent pointers: a pointer costs 8 bytes a
// state at least, the spare bits nothing. Rebuilding a trace then takes one
// predecessor look-up a step: a predecessor with a depth one smaller is on a
// shortest path. Where the depth bits are saturated (deep searches of wide
// states) the walk becomes a backward breadth-first search among the saturated
// states, still without a second pass over the whole space.

#include "engine/search.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <thread>

#include "engine/frontier.hpp"
#include "engine/successors.hpp"
#include "engine/visited.hpp"
#include "model/compose.hpp"

namespace surety {
namespace {

constexpr std::size_t kBatch = 256;       // successors a batch, at least
constexpr std::size_t kParallelFrom = 8;  // blocks a layer must have before threads pay
constexpr std::uint32_t kMaxDepthBits = 32;

using Packed = std::vector<std::uint64_t>;

// A goal state, or the last state before the error state and the action that leads there.
struct Hit {
  Packed state;
  std::optional<Action> action;
  friend auto operator<=>(const Hit&, const Hit&) = default;
};

template <int W>
class Search {
 public:
  Search(Product product, const std::vector<Part>& parts, Goal goal, Budget& budget, unsigned threads)
      : parts_(parts),
        goal_(goal),
        budget_(budget),
        product_(std::move(product)),
        visited_(product_.words(), std::min(product_.spare_bits(), kMaxDepthBits), budget),
        pool_(budget) {
    for (unsigned i = 0; i < std::max(1U, threads); ++i) workers_.push_back(std::make_unique<Worker>(product_));
    note_ends();
  }

  SearchResult run() {
    Packed initial(words());
    if (!product_.pack_initial(initial.data())) {
      // A part starts in its error state: the whole product is the error state.
      if (goal_ != Goal::violation) return finish(SearchResult::Outcome::exhausted);
      return finish(SearchResult::Outcome::found);
    }
    if (!start(initial)) return finish(SearchResult::Outcome::stopped);
    for (depth_ = 0; !layer_.empty(); ++depth_) {
      const bool done = expand_layer();
      if (auto hit = best_hit()) return rebuild(*hit);  // also when the budget ended meanwhile
      if (!done) return finish(SearchResult::Outcome::stopped);
      advance();
    }
    return finish(SearchResult::Outcome::exhausted);
  }

 private:
  struct Worker {
    explicit Worker(const Product& product) : successors(product, Product::Direction::forward) {}
    Successors<W> successors;
    std::unique_ptr<Block> block;      // being read
    std::uint32_t position = 0;        // words of it that are done
    std::vector<std::uint64_t> batch;  // successors not yet inserted
    std::vector<std::uint64_t> hashes;
    Layer next;  // new states
    std::optional<Hit> hit;
    std::uint64_t transitions = 0;
  };

  std::uint32_t words() const {
    if constexpr (W > 0)
      return W;
    else
      return product_.words();
  }

  bool start(const Packed& initial) {
    auto block = pool_.take(words());
    if (block == nullptr || !visited_.grow(1)) return give_up();
    visited_.reserve(1);
    visited_.template insert<false>(initial.data(), visited_.hash(initial.data()), 0);
    visited_.settle(1, 1);
    std::copy(initial.begin(), initial.end(), block->words.begin());
    block->used = words();
    layer_.push_back(std::move(block));
    return budget_.add_states(1);
  }

  // Rounds of work with growth between them, until every state of the layer is expanded.
  bool expand_layer() {
    next_block_ = 0;
    found_ = false;
    const bool parallel = workers_.size() > 1 && layer_.size() >= kParallelFrom;
    while (true) {
      if (parallel) {
        std::vector<std::jthread> threads;
        for (std::size_t i = 1; i < workers_.size(); ++i) threads.emplace_back([this, i] { work<true>(*workers_[i]); });
        work<true>(*workers_[0]);
      } else {
        work<false>(*workers_[0]);
      }
      if (!budget_.go_on()) return false;
      std::uint64_t pending = 0;
      for (const auto& worker : workers_) pending += worker->hashes.size();
      if (pending == 0) return true;
      if (!visited_.grow(pending)) return false;
    }
  }

  // Returns when the layer is done, the table is full, or the budget ended.
  template <bool Shared>
  void work(Worker& w) {
    while (budget_.go_on()) {
      if (!w.hashes.empty() && !insert_batch<Shared>(w)) return;
      if (w.block == nullptr && !take_block(w)) return;
      generate(w);
    }
  }

  bool take_block(Worker& w) {
    const std::size_t i = next_block_.fetch_add(1, std::memory_order_relaxed);
    if (i >= layer_.size()) return false;
    w.block = std::move(layer_[i]);
    w.position = 0;
    return true;
  }

  void generate(Worker& w) {
    while (w.hashes.size() < kBatch && w.position < w.block->used) {
      const std::uint64_t* state = w.block->words.data() + w.position;
      w.position += words();
      const std::uint64_t before = w.transitions;
      w.successors(
          state,
          [&](std::uint32_t, const std::uint64_t* next) {
            ++w.transitions;
            const std::uint64_t h = visited_.hash(next);
            visited_.prefetch(h);
            w.hashes.push_back(h);
            for (std::uint32_t i = 0; i < words(); ++i) w.batch.push_back(next[i]);
          },
          [&](std::uint32_t action, bool counts) {
            ++w.transitions;
            if (counts && goal_ == Goal::violation) note_hit(w, state, product_.joint(action).action);
          });
      if (goal_ == Goal::deadlock && w.transitions == before && !terminated(state)) note_hit(w, state, std::nullopt);
    }
    if (w.position == w.block->used) pool_.give_back(std::move(w.block));
  }

  void note_hit(Worker& w, const std::uint64_t* state, std::optional<Action> action) {
    Hit hit{Packed(state, state + words()), action};
    if (!w.hit || hit < *w.hit) w.hit = std::move(hit);
    found_.store(true, std::memory_order_relaxed);
  }

  template <bool Shared>
  bool insert_batch(Worker& w) {
    const std::size_t n = w.hashes.size();
    if (!found_.load(std::memory_order_relaxed)) {  // once found, this layer is the last
      if (!visited_.reserve(n)) return false;
      std::uint64_t inserted = 0;
      const std::uint64_t* state = w.batch.data();
      for (std::size_t i = 0; i < n; ++i, state += words()) {
        if (!visited_.template insert<Shared>(state, w.hashes[i], depth_ + 1)) continue;
        ++inserted;
        if (!append(w, state)) break;
      }
      visited_.settle(n, inserted);
      budget_.add_states(inserted);
    }
    w.hashes.clear();
    w.batch.clear();
    return true;
  }

  bool append(Worker& w, const std::uint64_t* state) {
    if (w.next.empty() || w.next.back()->used + words() > w.next.back()->words.size()) {
      auto block = pool_.take(words());
      if (block == nullptr) return give_up();
      w.next.push_back(std::move(block));
    }
    auto& block = *w.next.back();
    std::copy(state, state + words(), block.words.begin() + block.used);
    block.used += words();
    return true;
  }

  bool give_up() {
    budget_.stop(Stop::memory);
    return false;
  }

  std::optional<Hit> best_hit() const {
    std::optional<Hit> best;
    for (const auto& w : workers_)
      if (w->hit && (!best || *w->hit < *best)) best = w->hit;
    return best;
  }

  void advance() {
    layer_.clear();
    for (auto& w : workers_) {
      std::move(w->next.begin(), w->next.end(), std::back_inserter(layer_));
      w->next.clear();
    }
  }

  // Which parts must be in which code for a state without steps to be successful termination.
  void note_ends() {
    std::vector<const Lts*> machines;
    for (const auto& part : parts_) machines.push_back(part.lts);
    may_terminate_ = goal_ == Goal::deadlock && may_terminate(machines);
  }

  bool terminated(const std::uint64_t* state) const {
    if (!may_terminate_) return false;
    const auto states = product_.unpack(state);
    for (std::size_t p = 0; p < parts_.size(); ++p)
      if (parts_[p].lts->end() && states[p] != *parts_[p].lts->end()) return false;
    return true;
  }

  SearchResult finish(SearchResult::Outcome outcome) {
    SearchResult result;
    result.outcome = outcome;
    result.states = visited_.size();
    for (const auto& w : workers_) result.transitions += w->transitions;
    result.depth = depth_;
    result.bytes = visited_.bytes() + pool_.bytes() + product_.bytes();
    return result;
  }

  SearchResult rebuild(const Hit& hit) {
    SearchResult result = finish(SearchResult::Outcome::found);
    layer_.clear();
    const Product reversed(parts_, Product::Direction::backward);
    Successors<W> predecessors(reversed, Product::Direction::backward);
    Packed state = hit.state;
    std::uint64_t depth = depth_;
    while (depth > 0) {
      auto way = depth <= visited_.max_depth() ? one_back(predecessors, state, depth) : many_back(predecessors, state);
      if (!way) return finish(SearchResult::Outcome::stopped);
      depth -= way->actions.size();
      state = way->state;
      result.trace.insert(result.trace.end(), way->actions.begin(), way->actions.end());
    }
    std::reverse(result.trace.begin(), result.trace.end());
    if (hit.action) result.trace.push_back(*hit.action);
    return result;
  }

  struct Way {
    Packed state;
    std::vector<Action> actions;  // backwards
  };

  // A predecessor whose depth is exactly one smaller. There is always one.
  std::optional<Way> one_back(Successors<W>& predecessors, const Packed& state, std::uint64_t depth) {
    std::optional<Way> way;
    predecessors(
        state.data(),
        [&](std::uint32_t action, const std::uint64_t* previous) {
          if (!way && visited_.depth_of(previous) == depth - 1)
            way = Way{Packed(previous, previous + words()), {product_.joint(action).action}};
        },
        [](std::uint32_t, bool) {});
    check(way.has_value(), "a visited state has no predecessor in the layer before it");
    return way;
  }

  // Backwards among the states of saturated depth, to the nearest one whose depth is known (or the
  // initial state, if no depth is ever known). Nothing: the budget ended.
  std::optional<Way> many_back(Successors<W>& predecessors, const Packed& from) {
    const Packed initial(words(), 0);
    const std::uint64_t saturated = visited_.max_depth();
    std::map<Packed, std::pair<Packed, Action>> towards;  // where the way to the goal goes on
    Charge charge(budget_);
    std::deque<Packed> queue{from};
    towards.emplace(from, std::pair(from, kTau));
    std::optional<Packed> reached;
    while (!reached) {
      check(!queue.empty(), "a visited state cannot be reached from the initial one");
      if (!charge.grow_to(towards.size() * (160 + 16ULL * words()))) budget_.stop(Stop::memory);
      if (!budget_.go_on()) return std::nullopt;
      const Packed state = std::move(queue.front());
      queue.pop_front();
      predecessors(
          state.data(),
          [&](std::uint32_t action, const std::uint64_t* p) {
            const auto depth = visited_.depth_of(p);
            if (reached || !depth || *depth + 1 < saturated) return;
            Packed previous(p, p + words());
            if (!towards.emplace(previous, std::pair(state, product_.joint(action).action)).second) return;
            const bool known = saturated > 0 ? *depth + 1 == saturated : previous == initial;
            if (known)
              reached = previous;
            else
              queue.push_back(std::move(previous));
          },
          [](std::uint32_t, bool) {});
    }
    Way way{*reached, {}};
    for (Packed at = *reached; at != from; at = towards.at(at).first) way.actions.push_back(towards.at(at).second);
    std::reverse(way.actions.begin(), way.actions.end());
    return way;
  }

  const std::vector<Part>& parts_;
  Goal goal_;
  Budget& budget_;
  Product product_;
  VisitedSet<W> visited_;
  BlockPool pool_;
  std::vector<std::unique_ptr<Worker>> workers_;
  Layer layer_;
  std::atomic<std::size_t> next_block_{0};
  std::atomic<bool> found_{false};
  std::uint64_t depth_ = 0;
  bool may_terminate_ = false;
};

}  // namespace

SearchResult search(const std::vector<Part>& parts, Goal goal, Budget& budget, unsigned threads) {
  // A part without states: an assumption that allows nothing, or a property that forbids even the empty trace.
  SearchResult result;
  for (const auto& part : parts)
    if (part.lts->state_count() == 0 && part.role == Role::component) return result;
  for (const auto& part : parts)
    if (part.lts->state_count() == 0) {
      result.outcome = goal == Goal::violation && part.error_counts ? SearchResult::Outcome::found
                                                                    : SearchResult::Outcome::exhausted;
      return result;
    }
  Product product(parts, Product::Direction::forward);
  switch (product.words()) {
    case 1: return Search<1>(std::move(product), parts, goal, budget, threads).run();
    case 2: return Search<2>(std::move(product), parts, goal, budget, threads).run();
    default: return Search<0>(std::move(product), parts, goal, budget, threads).run();
  }
}

}  // namespace surety
