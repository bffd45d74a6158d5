#include "engine/product/graph.hpp"

#include <utility>

#include "base/check.hpp"
#include "base/hash.hpp"
#include "engine/product/successors.hpp"

namespace surety {

namespace {

constexpr std::uint32_t kMostStates = UINT32_MAX - (1U << 24);

// The steps of one state, and the sink (successors.hpp) that writes them.
struct Fan {
  explicit Fan(std::uint32_t w) : words(w) {}
  std::uint32_t words;
  std::size_t size = 0;
  std::vector<std::uint64_t> states, hashes;
  std::vector<Action> actions;
  std::vector<Action> errors;  // steps into the error state
  const std::uint64_t* state(std::size_t i) const { return states.data() + i * words; }
};

class FanSink {
 public:
  FanSink(Fan& fan, const Product& product) : fan_(&fan), product_(&product) {}
  bool make_room(std::size_t n) {
    if (fan_->size + n < fan_->actions.size()) return true;
    const std::size_t capacity = 2 * (fan_->size + n) + 1;
    fan_->states.resize(capacity * fan_->words);
    fan_->hashes.resize(capacity);
    fan_->actions.resize(capacity);
    return true;
  }
  std::uint64_t* place() { return fan_->states.data() + fan_->size * fan_->words; }
  void keep(std::uint32_t joint, bool yes) {
    fan_->actions[fan_->size] = product_->joint(joint).action;
    fan_->size += yes;
  }

 private:
  Fan* fan_;
  const Product* product_;
};

}  // namespace

// Breadth first. The graph's own array of packed states is the queue; a table of state numbers finds them again.
template <int W>
class GraphBuilder {
 public:
  GraphBuilder(Graph& graph, const Priority* priority, Budget& budget)
      : graph_(graph), priority_(priority), budget_(budget), fan_(graph.words_) {}

  bool run() {
    Successors<W> successors(graph_.product_, Product::Direction::forward);
    std::vector<std::uint64_t> initial(words());
    if (graph_.product_.pack_initial(initial.data()))
      number_of(initial.data(), hash(initial.data()), 0);
    else
      number_of_error(0);
    for (std::uint32_t s = 0; s < graph_.size(); ++s) {
      graph_.first_.push_back(graph_.steps_.size());
      if (s % kPollEvery == 0 && !poll(s)) return false;
      if (State{s} != graph_.error_) expand(successors, s);
    }
    graph_.first_.push_back(graph_.steps_.size());
    return poll(graph_.size());
  }

 private:
  static constexpr std::uint32_t kPollEvery = 1024;

  std::uint32_t words() const { return W > 0 ? W : graph_.words_; }

  std::uint64_t hash(const std::uint64_t* state) const {
    std::uint64_t h = mix64(state[0]);
    for (std::uint32_t w = 1; w < words(); ++w) h = mix64(h ^ state[w]) + w;
    return h;
  }

  void expand(Successors<W>& successors, std::uint32_t s) {
    fan_.size = 0;
    fan_.errors.clear();
    FanSink sink(fan_, graph_.product_);
    const auto error = [&](std::uint32_t joint, bool) { fan_.errors.push_back(graph_.product_.joint(joint).action); };
    successors.expand(graph_.packed(State{s}), 0, sink, error);
    const bool cut = priority_ != nullptr && high_step_possible();
    const auto stays = [&](Action a) { return !cut || priority_->is_high(a); };
    for (std::size_t i = 0; i < fan_.size; ++i) {  // all homes are asked for first: they come from far away
      fan_.hashes[i] = hash(fan_.state(i));
      __builtin_prefetch(slots_.data() + slot_of(fan_.hashes[i]));
    }
    for (std::size_t i = 0; i < fan_.size; ++i)
      if (stays(fan_.actions[i])) add_step(fan_.actions[i], number_of(fan_.state(i), fan_.hashes[i], s));
    for (const Action a : fan_.errors)
      if (stays(a)) add_step(a, number_of_error(s));
  }

  bool high_step_possible() const {
    const auto high = [&](Action a) { return priority_->is_high(a); };
    return std::any_of(fan_.actions.begin(), fan_.actions.begin() + static_cast<std::ptrdiff_t>(fan_.size), high) ||
           std::ranges::any_of(fan_.errors, high);
  }

  void add_step(Action a, std::uint32_t target) { graph_.steps_.push_back({a, State{target}}); }

  std::uint64_t slot_of(std::uint64_t h) const { return h >> shift_; }

  std::uint32_t number_of(const std::uint64_t* state, std::uint64_t h, std::uint32_t parent) {
    std::uint64_t slot = slot_of(h);
    for (; slots_[slot] != 0; slot = (slot + 1) & (slots_.size() - 1))
      if (std::equal(state, state + words(), graph_.packed(State{slots_[slot] - 1}))) return slots_[slot] - 1;
    graph_.states_.append(state, words());
    graph_.parents_.push_back(parent);
    slots_[slot] = graph_.size();
    if (graph_.size() * 2ULL > slots_.size()) grow();
    return graph_.size() - 1;
  }

  std::uint32_t number_of_error(std::uint32_t parent) {
    if (!graph_.error_) {
      graph_.error_ = State{graph_.size()};
      for (std::uint32_t w = 0; w < words(); ++w) graph_.states_.push_back(0);  // they only keep the place
      graph_.parents_.push_back(parent);
    }
    return graph_.error_->value;
  }

  void grow() {
    --shift_;
    const std::uint64_t twice = slots_.size() * 2;
    slots_ = {};  // they are all put in again
    slots_ = BigArray<std::uint32_t>(twice);
    for (std::uint32_t s = 0; s < graph_.size(); ++s) {
      if (State{s} == graph_.error_) continue;
      std::uint64_t slot = slot_of(hash(graph_.packed(State{s})));
      while (slots_[slot] != 0) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = s + 1;
    }
  }

  bool poll(std::uint32_t expanded) {
    if (!budget_.add_states(expanded - counted_)) return false;
    counted_ = expanded;
    const std::uint64_t bytes = graph_.size() * (8ULL * words() + 12) + graph_.steps_.size() * sizeof(Step);
    if (!graph_.charge_->grow_to(bytes + slots_.size() * 4)) budget_.stop(Stop::memory);
    if (graph_.size() > kMostStates) budget_.stop(Stop::states);
    return budget_.go_on();
  }

  Graph& graph_;
  const Priority* priority_;
  Budget& budget_;
  Fan fan_;
  std::uint32_t shift_ = 60;
  BigArray<std::uint32_t> slots_ = BigArray<std::uint32_t>(16);  // number + 1, or 0: free; at most half full
  std::uint32_t counted_ = 0;
};

Graph::Graph(const std::vector<Part>& parts, Budget& budget)
    : product_(parts, Product::Direction::forward, &budget),
      words_(product_.words()),
      charge_(std::make_unique<Charge>(budget)) {
  for (const Part& part : parts) alphabet_ = unite(alphabet_, part.lts->alphabet());
}

std::optional<Graph> Graph::build(const std::vector<Part>& parts, const Priority* priority, Budget& budget) {
  Graph graph(parts, budget);
  if (!budget.go_on()) return std::nullopt;  // then the product is good for nothing
  const bool done = graph.words_ == 1   ? GraphBuilder<1>(graph, priority, budget).run()
                    : graph.words_ == 2 ? GraphBuilder<2>(graph, priority, budget).run()
                                        : GraphBuilder<0>(graph, priority, budget).run();
  if (!done) return std::nullopt;
  return graph;
}

Trace Graph::way_to(State s) const {
  Trace way;
  for (std::uint32_t at = s.value; at != 0; at = parents_[at]) {
    const auto from = steps(State{parents_[at]});
    const auto step = std::ranges::find(from, State{at}, &Step::target);
    check(step != from.end(), "a state of a graph has no step from its parent");
    way.push_back(step->action);
  }
  std::ranges::reverse(way);
  return way;
}

std::optional<Trace> Graph::way_to_error() const {
  if (!error_) return std::nullopt;
  return way_to(*error_);
}

std::optional<TerminalSets> TerminalSets::of(const Graph& graph, Budget& budget) {
  const auto components = strong_components(
      graph, [](std::uint32_t) { return true; }, budget);
  if (!components) return std::nullopt;
  const auto& of = components->of;
  std::vector<bool> left(components->count, false);
  if (graph.error()) left[of[graph.error()->value]] = true;
  for (std::uint32_t s = 0; s < graph.size(); ++s)
    for (const Step& step : graph.steps(State{s}))
      if (of[step.target.value] != of[s]) left[of[s]] = true;

  TerminalSets sets;
  std::vector<std::uint32_t> place(components->count, kNoComponent);  // of the next state of each set
  for (std::uint32_t s = 0; s < graph.size(); ++s) {                  // first as numbers of sets, then how many states
    if (left[of[s]]) continue;
    if (place[of[s]] == kNoComponent) {
      place[of[s]] = static_cast<std::uint32_t>(sets.first_.size());
      sets.first_.push_back(0);
    }
    ++sets.first_[place[of[s]]];
  }
  std::uint32_t sum = 0;
  for (auto& first : sets.first_) sum += std::exchange(first, sum);
  sets.first_.push_back(sum);
  sets.states_.resize(sum);
  for (auto& p : place)
    if (p != kNoComponent) p = sets.first_[p];
  for (std::uint32_t s = 0; s < graph.size(); ++s)
    if (!left[of[s]]) sets.states_[place[of[s]]++] = State{s};
  return sets;
}

}  // namespace surety
