// The search proper. Workers take blocks of the current layer, generate the
// successors of some states into a batch (asking the memory for their homes in the
// visited set at once), then insert the batch. New states go to the worker's own
// blocks of the next layer.
//
// When the table is full the workers stop where they are, with what they could
// not insert still in their batches; the table grows; they go on. When a goal is
// found, the layer is finished without inserting any more and the smallest hit in
// packed order is taken: that is what makes the trace independent of threads.
//
// Most steps lead to states that are known, and the search looks up only few of
// them. Two joint actions without a common participant commute: a then b leads
// where b then a leads. So each state of a layer comes with the joint action that
// it was found by, and a state found by a leaves out its steps by every b that
// commutes with a and has a smaller number. All states are still found, each in
// its layer:
//
//   Let t be in layer d+1, and x -b-> t any step from layer d. If it is left out,
//   x was found by some a > b from a state s of layer d-1, and s -b-> y -a-> t is
//   a path too. Then y is in layer d, and y -a-> t has the greater number. There
//   are finitely many numbers, so one of these steps is not left out.
//
// Nor is an error missed: if b led from x into the error state it did so from s
// already, one layer before. This is the idea of sleep sets (Godefroid 1996) and
// of move pruning (Burch and Holte 2011), cut down to the last step, which is what
// survives when states are matched, in any order and by any number of threads.
// Nine philosophers: 75.6 M steps, 12.3 M look-ups, 10.1 M states. All steps are
// still generated, because they are counted: that is now nearly half of the time.
//
// With a reduction (stubborn.hpp) s need not have the step by b, so there nothing is left out in this way.
//
// Tried and dropped: a small cache of recent states before the table (once steps are
// left out it catches too few); hashing a whole batch after generating it (7% slower
// than state by state, where the memory works while the next state is expanded).
//
// Depth in the spare bits rather than parent pointers: a pointer costs 8 bytes
// per state at least, the spare bits nothing. Rebuilding a trace then takes one
// predecessor look-up per step: a predecessor with a depth one smaller is on a
// shortest path. Where the depth bits are saturated (deep searches of wide
// states) the walk becomes a backward breadth-first search among the saturated
// states, still without a second pass over the whole space.

#include "engine/product/search.hpp"

#include <algorithm>
#include <deque>
#include <limits>
#include <map>
#include <thread>

#include "engine/product/batch.hpp"
#include "engine/product/frontier.hpp"
#include "engine/product/stubborn.hpp"
#include "engine/product/visited.hpp"
#include "product/compose.hpp"
#include "product/successors.hpp"

namespace surety {
namespace {

constexpr std::size_t kBatch = 256;       // successors per batch, at least (64 to 512 make no difference)
constexpr std::size_t kParallelFrom = 4;  // blocks a layer must have before threads pay
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
  // `stubborn` may be null: then nothing is left out.
  Search(const Product& product, const Stubborn* stubborn, const std::vector<Part>& parts, Goal goal, Budget& budget,
         unsigned threads)
      : parts_(parts),
        goal_(goal),
        budget_(budget),
        product_(product),
        reduced_(stubborn != nullptr),
        visited_(product_.words(), std::min(product_.spare_bits(), kMaxDepthBits), budget),
        pool_(product_.words(), budget) {
    for (unsigned i = 0; i < std::max(1U, threads); ++i)
      workers_.push_back(std::make_unique<Worker>(product_, stubborn, budget));
    note_ends();
  }

  static constexpr std::uint64_t kNoPause = std::numeric_limits<std::uint64_t>::max();

  // Nothing: it has met `pause` states and more, and is not done yet. It can be called again, to go on.
  std::optional<SearchResult> run(std::uint64_t pause = kNoPause) {
    if (visited_.size() == 0 && !start()) return finish(SearchResult::Outcome::stopped);
    for (; !layer_.empty(); ++depth_) {
      met_.resize(depth_ + 1, visited_.size());
      if (met_.back() >= pause) return std::nullopt;
      if (counted_) budget_.layer(depth_, met_.back() - (depth_ == 0 ? 0 : met_[depth_ - 1]));
      const bool done = expand_layer();
      if (auto hit = best_hit()) return rebuild(*hit);  // also when the budget ended meanwhile
      if (!done) return finish(SearchResult::Outcome::stopped);
      advance();
    }
    return finish(SearchResult::Outcome::exhausted);
  }

  // Whether its states are charged to the budget from now on.
  void count(bool yes) { counted_ = yes; }

  // How many states it had met when it began with each layer.
  const std::vector<std::uint64_t>& met() const { return met_; }

 private:
  struct Late {
    std::size_t i;  // in the batch
    std::uint64_t* bucket;
  };
  struct alignas(128) Worker {  // no two in a cache line: each writes to its own at every state
    Worker(const Product& product, const Stubborn* stubborn, Budget& budget)
        : successors(product, Product::Direction::forward), batch(product.words(), budget) {
      if (stubborn != nullptr) wanted.emplace(*stubborn);
    }
    std::optional<StubbornSet> wanted;  // what not to leave out
    Successors<W> successors;
    std::unique_ptr<Block> block;  // being read
    std::uint32_t position = 0;    // states of it that are done
    Batch<W> batch;                // not yet inserted
    std::vector<Late> late;        // while inserting: those whose home is full
    Layer next;                    // new states
    std::optional<Hit> hit;
    std::uint64_t transitions = 0;
  };

  std::uint32_t words() const {
    if constexpr (W > 0)
      return W;
    else
      return product_.words();
  }

  bool start() {
    const Packed initial(words(), 0);  // every part in its initial state, whose code is 0
    auto block = pool_.take();
    if (block == nullptr) budget_.stop(Stop::memory);
    if (block == nullptr || !visited_.grow(1)) return false;
    visited_.reserve(1);
    visited_.template insert<false>(visited_.home(visited_.hash(initial.data())), initial.data(), 0);
    visited_.settle(1, 1);
    block->append(initial.data(), words(), 0);
    layer_.push_back(std::move(block));
    return !counted_ || budget_.add_states(1);
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
      for (const auto& worker : workers_) pending += worker->batch.size();
      if (pending == 0) return true;
      if (!visited_.grow(pending, static_cast<unsigned>(workers_.size()))) return false;
    }
  }

  // Returns when the layer is done, the table is full, or the budget ended.
  template <bool Shared>
  void work(Worker& w) {
    while (budget_.go_on()) {
      if (w.batch.size() > 0 && !insert_batch<Shared>(w)) return;
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
    Block& block = *w.block;
    while (w.batch.size() < kBatch && w.position < block.used) {
      if (!w.batch.make_room(product_.most_offers())) return;
      const std::uint64_t* state = block.words.data() + static_cast<std::size_t>(w.position) * words();
      const std::uint32_t last = block.last[w.position++];
      const std::size_t first = w.batch.size();
      typename Batch<W>::Writer writer(w.batch);
      const auto error = [&](std::uint32_t joint, bool counts) {
        if (counts && goal_ == Goal::violation) note_hit(w, state, product_.joint(joint).action);
      };
      const std::uint64_t steps =
          reduced_ ? expand_some(w, state, writer, error) : w.successors.expand(state, last, writer, error);
      writer.finish();
      w.transitions += steps;
      if (steps == 0 && goal_ == Goal::deadlock && !terminated(state)) note_hit(w, state, std::nullopt);
      for (std::size_t i = first; i < w.batch.size(); ++i) {
        w.batch.hash(i) = visited_.hash(w.batch.state(i));
        visited_.prefetch(visited_.home(w.batch.hash(i)));
      }
    }
    if (w.position == block.used) pool_.give_back(std::move(w.block));
  }

  template <class Error>
  std::uint64_t expand_some(Worker& w, const std::uint64_t* state, typename Batch<W>::Writer& writer, Error& error) {
    w.wanted->choose(state);
    const auto wanted = [&](std::uint32_t joint) { return w.wanted->contains(joint); };
    return w.successors.expand(state, 0, writer, error, wanted);
  }

  void note_hit(Worker& w, const std::uint64_t* state, std::optional<Action> action) {
    Hit hit{Packed(state, state + words()), action};
    if (!w.hit || hit < *w.hit) w.hit = std::move(hit);
    found_.store(true, std::memory_order_relaxed);
  }

  // False: the table is full, and nothing has been inserted.
  template <bool Shared>
  bool insert_batch(Worker& w) {
    const std::size_t n = w.batch.size();
    if (!found_.load(std::memory_order_relaxed)) {  // once found, this layer is the last
      if (!visited_.reserve(n)) return false;
      std::uint64_t fresh = 0;
      for (std::size_t i = 0; i < n; ++i) fresh += insert<Shared>(w, i, visited_.home(w.batch.hash(i)));
      for (std::size_t k = 0; k < w.late.size(); ++k) fresh += insert<Shared>(w, w.late[k].i, w.late[k].bucket);
      w.late.clear();
      visited_.settle(n, fresh);
      if (counted_) budget_.add_states(fresh);
    }
    w.batch.clear();
    return true;
  }

  // Inserts one state, if its bucket settles the matter. Otherwise asks for the next and leaves it to later.
  template <bool Shared>
  bool insert(Worker& w, std::size_t i, std::uint64_t* bucket) {
    using Insert = typename VisitedSet<W>::Insert;
    const auto result = visited_.template insert<Shared>(bucket, w.batch.state(i), depth_ + 1);
    if (result == Insert::fresh) append(w, w.batch.state(i), w.batch.joint(i));
    if (result == Insert::full) {
      bucket = visited_.next(bucket);
      visited_.prefetch(bucket);
      w.late.push_back({i, bucket});
    }
    return result == Insert::fresh;
  }

  void append(Worker& w, const std::uint64_t* state, std::uint32_t joint) {
    if (w.next.empty() || w.next.back()->full()) {
      auto block = pool_.take();
      if (block == nullptr) return budget_.stop(Stop::memory);  // the state is lost, but so is the search
      w.next.push_back(std::move(block));
    }
    w.next.back()->append(state, words(), joint);
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
    result.reduced = reduced_;
    return result;
  }

  SearchResult rebuild(const Hit& hit) {
    SearchResult result = finish(SearchResult::Outcome::found);
    result.last = product_.unpack(hit.state.data());
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
        [&](std::uint32_t joint, const std::uint64_t* previous) {
          if (!way && visited_.depth_of(previous) == depth - 1)
            way = Way{Packed(previous, previous + words()), {product_.joint(joint).action}};
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
          [&](std::uint32_t joint, const std::uint64_t* p) {
            const auto depth = visited_.depth_of(p);
            if (reached || !depth || *depth + 1 < saturated) return;
            Packed previous(p, p + words());
            if (!towards.emplace(previous, std::pair(state, product_.joint(joint).action)).second) return;
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
  const Product& product_;
  const bool reduced_;
  VisitedSet<W> visited_;
  BlockPool pool_;
  std::vector<std::unique_ptr<Worker>> workers_;
  Layer layer_;
  std::atomic<std::size_t> next_block_{0};
  std::atomic<bool> found_{false};
  std::uint64_t depth_ = 0;
  std::vector<std::uint64_t> met_;
  bool may_terminate_ = false;
  bool counted_ = true;
};

// --- With or without reduction.

constexpr std::uint64_t kPilot = 5000;
constexpr std::size_t kDeeper = 4;

// Both searches have met kPilot states or a little more, and have finished a layer. The reduction costs several times
// as much per state; where it is worth that, its search is far deeper by then. How many states it saves in the first
// layers says less: a state that is left out there may come back later (the deadlock of a token ring: a third of the
// states in five layers, and all of them in the end).
template <int W>
bool pays(const Search<W>& plain, const Search<W>& reduced) {
  const std::size_t without = plain.met().size(), with = reduced.met().size();
  return 2 * with >= 3 * without && with >= without + kDeeper;
}

template <int W>
SearchResult run(const Product& product, const std::vector<Part>& parts, Goal goal, Budget& budget, unsigned threads,
                 Reduction reduction) {
  if (goal == Goal::count || parts.size() < 2) reduction = Reduction::none;
  std::optional<Search<W>> plain;
  if (reduction != Reduction::por) {
    plain.emplace(product, nullptr, parts, goal, budget, threads);
    if (auto done = plain->run(reduction == Reduction::none ? Search<W>::kNoPause : kPilot)) return *done;
  }
  const auto aim = goal == Goal::violation ? Stubborn::Aim::violation : Stubborn::Aim::deadlock;
  const Stubborn stubborn(product, parts, aim, budget);
  Charge charge(budget);
  if (!charge.grow_to(stubborn.bytes())) budget.stop(Stop::memory);
  std::optional<Search<W>> reduced(std::in_place, product, &stubborn, parts, goal, budget, threads);
  if (plain) {
    reduced->count(false);  // as many have been charged already
    if (auto done = reduced->run(kPilot)) return *done;
    reduced->count(true);
    if (!pays(*plain, *reduced)) {
      reduced.reset();
      return *plain->run();
    }
    plain.reset();
  }
  return *reduced->run();
}

}  // namespace

std::optional<Reduction> reduction_from_name(std::string_view name) {
  if (name == "none") return Reduction::none;
  if (name == "por") return Reduction::por;
  if (name == "auto") return Reduction::automatic;
  return std::nullopt;
}

SearchResult search(const std::vector<Part>& parts, Goal goal, Budget& budget, unsigned threads, Reduction reduction) {
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
  // A part that starts in its error state: the whole product is the error state.
  for (const auto& part : parts)
    if (part.lts->error() == part.lts->initial() && part.error_counts && goal == Goal::violation)
      result.outcome = SearchResult::Outcome::found;
  for (const auto& part : parts)
    if (part.lts->error() == part.lts->initial()) return result;
  Charge charge(budget);
  const auto product = Product::within(budget, charge, parts);
  result.outcome = SearchResult::Outcome::stopped;
  if (!product) return result;
  switch (product->words()) {
    case 1: return run<1>(*product, parts, goal, budget, threads, reduction);
    case 2: return run<2>(*product, parts, goal, budget, threads, reduction);
    default: return run<0>(*product, parts, goal, budget, threads, reduction);
  }
}

}  // namespace surety
