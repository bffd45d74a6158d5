// Breadth first: the table of packed states is the queue, and since states are expanded in the order of their numbers,
// their steps are appended to the finished LTS.
//
// Most of the time would go into waiting for memory, at random places of the table. So successors are not looked up one
// by one: they are collected, of many states, each asks for its place in the table to be fetched, and when a few dozen
// are together all are looked up.
#include "product/explore.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/check.hpp"
#include "base/hash.hpp"
#include "product/successors.hpp"

namespace surety {
namespace {

constexpr std::uint32_t kPollEvery = 1024;       // states or steps between two looks at the budget
constexpr std::size_t kTogether = 64;            // successors that are looked up together
constexpr std::uint32_t kMostStates = 1U << 31;  // half of the places that 32 bits of a hash can name

// Numbers packed states: equal ones get equal numbers, new ones the next. A slot has 32 bits of the hash and the number
// plus one, so that a state is compared only with one that is most likely equal. The first bits of the hash are its
// place: a table that grows is read and written from one end to the other, with no hash computed again.
template <int W>
class StateTable {
 public:
  explicit StateTable(std::uint32_t width) : width_(width), slots_(std::uint64_t{1} << kFirstBits) {}

  std::uint32_t width() const { return W > 0 ? W : width_; }
  std::uint32_t hash(const std::uint64_t* state) const {
    std::uint64_t h = state[0];
    for (std::uint32_t i = 1; i < width(); ++i) h = std::rotl(h * 0x9e3779b97f4a7c15U, 23) ^ state[i];
    return static_cast<std::uint32_t>(mix64(h));
  }
  void fetch(std::uint32_t hash) const { __builtin_prefetch(&slots_[hash >> shift_]); }

  std::uint32_t intern(const std::uint64_t* state, std::uint32_t hash) {
    std::uint64_t at = hash >> shift_;
    for (; slots_[at] != 0; at = next(at))
      if (slots_[at] >> 32 == hash && std::equal(state, state + width(), (*this)[number(slots_[at])]))
        return number(slots_[at]);
    const std::uint32_t id = append(state);
    slots_[at] = std::uint64_t{hash} << 32 | (id + 1);
    if (size_ * 2ULL > slots_.size() && shift_ > 0) grow();
    return id;
  }
  // Gives a number to what is not looked up again.
  std::uint32_t append(const std::uint64_t* state) {
    check(size_ < kMostStates + kPollEvery * 2, "too many states for 32-bit numbers");
    states_.append(state, width());
    return size_++;
  }

  // Valid until the next state is new.
  const std::uint64_t* operator[](std::uint32_t id) const { return states_.data() + std::uint64_t{id} * width(); }
  std::uint32_t size() const { return size_; }
  std::uint64_t bytes() const { return (states_.size() + slots_.size()) * sizeof(std::uint64_t); }
  BigArray<std::uint64_t> take() { return std::move(states_); }

 private:
  static constexpr std::uint32_t kFirstBits = 10;

  static std::uint32_t number(std::uint64_t slot) { return static_cast<std::uint32_t>(slot) - 1; }
  std::uint64_t next(std::uint64_t at) const { return (at + 1) & (slots_.size() - 1); }
  void grow() {
    const auto old = std::exchange(slots_, BigArray<std::uint64_t>(slots_.size() * 2));
    --shift_;
    for (const std::uint64_t slot : old) {
      if (slot == 0) continue;
      std::uint64_t at = slot >> 32 >> shift_;
      while (slots_[at] != 0) at = next(at);
      slots_[at] = slot;
    }
  }

  std::uint32_t width_;
  std::uint32_t size_ = 0;
  std::uint32_t shift_ = 32 - kFirstBits;  // of a hash, to get a place in slots_
  BigArray<std::uint64_t> states_;
  BigArray<std::uint64_t> slots_;  // a power of two, at most half full
};

template <int W>
class Explorer {
 public:
  Explorer(const Product& product, const ExploreOptions& options, Budget& budget, Charge& charge)
      : product_(product),
        options_(options),
        budget_(budget),
        charge_(charge),
        charged_before_(charge.bytes()),
        successors_(product, Product::Direction::forward),
        table_(product.words()) {}

  std::optional<Explored> run(const Alphabet& alphabet) {
    std::vector<std::uint64_t> initial(table_.width());
    if (product_.pack_initial(initial.data()))
      number_of(initial.data(), table_.hash(initial.data()));
    else
      number_of_error();
    const auto is_met = [&](std::uint32_t s) {
      if (s == table_.size()) look_up();
      return s < table_.size();
    };
    for (std::uint32_t s = 0; is_met(s); ++s) {
      expand(s);
      if ((s + 1) % kPollEvery == 0 && !poll(s + 1)) return std::nullopt;
      if (halted_) return std::nullopt;
    }
    if (!poll(table_.size())) return std::nullopt;
    return Explored{writer_.build(alphabet, error_, end_), table_.take()};
  }

 private:
  enum class Kind : std::uint8_t { ordinary, error, last };  // last: no successor, it ends the steps of a state

  // Successors that wait to be looked up.
  struct Waiting {
    std::size_t size = 0;
    std::vector<std::uint64_t> states;  // packed
    std::vector<Action> actions;
    std::vector<std::uint32_t> hashes;
    std::vector<Kind> kinds;
  };

  class Sink {
   public:
    explicit Sink(Explorer& explorer) : explorer_(&explorer) {}
    bool make_room(std::size_t n) { return explorer_->make_room(n); }
    std::uint64_t* place() {
      return explorer_->waiting_.states.data() + explorer_->waiting_.size * explorer_->table_.width();
    }
    void keep(std::uint32_t joint, bool yes) {
      explorer_->waiting_.actions[explorer_->waiting_.size] = explorer_->product_.joint(joint).action;
      explorer_->waiting_.size += yes;
    }

   private:
    Explorer* explorer_;
  };

  // False: the budget ended meanwhile.
  bool make_room(std::size_t n) {
    if (waiting_.size - polled_at_ >= kPollEvery) {
      polled_at_ = waiting_.size;
      if (!may_go_on()) return false;
    }
    if (waiting_.size + n < room_) return true;
    const std::size_t before = std::exchange(room_, 2 * (waiting_.size + n) + kTogether);
    if (!may_go_on()) {
      room_ = before;
      return false;
    }
    waiting_.states.resize(room_ * table_.width());
    waiting_.actions.resize(room_);
    waiting_.hashes.resize(room_);
    waiting_.kinds.resize(room_);
    return true;
  }

  void expand(std::uint32_t s) {
    const std::size_t first = waiting_.size;
    to_error_.clear();
    if (State{s} != error_ && State{s} != end_) {
      Sink sink(*this);
      successors_.expand(table_[s], 0, sink,
                         [&](std::uint32_t joint, bool) { to_error_.push_back(product_.joint(joint).action); });
      if (halted_) return;  // what was collected is good for nothing
      if (options_.edit) options_.edit({{waiting_.actions.data() + first, waiting_.size - first}, to_error_});
    }
    for (std::size_t i = first; i < waiting_.size; ++i) {
      waiting_.kinds[i] = Kind::ordinary;
      if (waiting_.actions[i] == FoundSteps::kDropped) continue;
      waiting_.hashes[i] = table_.hash(waiting_.states.data() + i * table_.width());
      table_.fetch(waiting_.hashes[i]);
    }
    for (const Action a : to_error_) wait(a, Kind::error);
    wait(kTau, Kind::last);
    if (waiting_.size >= kTogether) look_up();
  }

  void wait(Action a, Kind kind) {
    if (!make_room(1)) return;
    waiting_.actions[waiting_.size] = a;
    waiting_.kinds[waiting_.size++] = kind;
  }

  void look_up() {
    for (std::size_t i = 0; i < waiting_.size && !halted_; ++i) {
      if (waiting_.kinds[i] == Kind::last)
        writer_.end_state();
      else if (waiting_.kinds[i] == Kind::error)
        add_step(waiting_.actions[i], number_of_error());
      else if (waiting_.actions[i] != FoundSteps::kDropped)
        add_step(waiting_.actions[i], number_of(waiting_.states.data() + i * table_.width(), waiting_.hashes[i]));
    }
    waiting_.size = polled_at_ = 0;
  }

  void add_step(Action a, std::uint32_t target) {
    writer_.add_step(a, State{target});
    if (++steps_ % kPollEvery == 0) may_go_on();
  }

  std::uint32_t number_of(const std::uint64_t* state, std::uint32_t hash) {
    if (!options_.is_end || !options_.is_end(state)) return table_.intern(state, hash);
    if (!end_) end_ = State{table_.append(state)};
    return end_->value;
  }
  std::uint32_t number_of_error() {
    if (!error_) error_ = State{table_.append(std::vector<std::uint64_t>(table_.width()).data())};
    return error_->value;
  }

  bool poll(std::uint32_t expanded) {
    budget_.add_states(expanded - std::exchange(counted_, expanded));
    return may_go_on();
  }
  // Arrays of what was found double when they are full, so twice what they hold is what they may take; those of what
  // waits are copied.
  bool may_go_on() {
    const std::uint64_t waiting = room_ * (table_.width() * 8ULL + 9) * 3 / 2;
    if (!charge_.grow_to(charged_before_ + 2 * (table_.bytes() + writer_.bytes()) + waiting))
      budget_.stop(Stop::memory);
    if (table_.size() > kMostStates) budget_.stop(Stop::states);
    halted_ = halted_ || !budget_.go_on() || (options_.too_large && options_.too_large(table_.size(), steps_));
    return !halted_;
  }

  const Product& product_;
  const ExploreOptions& options_;
  Budget& budget_;
  Charge& charge_;
  const std::uint64_t charged_before_;
  Successors<W> successors_;
  StateTable<W> table_;
  LtsWriter writer_;
  Waiting waiting_;
  std::vector<Action> to_error_;  // of the state that is expanded
  std::optional<State> error_, end_;
  std::uint64_t steps_ = 0;
  std::size_t room_ = 0;       // for those that wait
  std::size_t polled_at_ = 0;  // how many were waiting then
  std::uint32_t counted_ = 0;
  bool halted_ = false;  // the budget ended, or it is too large
};

}  // namespace

std::optional<Explored> explore(const Product& product, const Alphabet& alphabet, const ExploreOptions& options,
                                Budget& budget, Charge& charge) {
  switch (product.words()) {
    case 1: return Explorer<1>(product, options, budget, charge).run(alphabet);
    case 2: return Explorer<2>(product, options, budget, charge).run(alphabet);
    default: return Explorer<0>(product, options, budget, charge).run(alphabet);
  }
}

void give_way(const Priority& priority, FoundSteps steps) {
  const auto high = [&](Action a) { return priority.is_high(a); };
  if (std::ranges::none_of(steps.ordinary, high) && std::ranges::none_of(steps.to_error, high)) return;
  for (Action& a : steps.ordinary)
    if (!high(a)) a = FoundSteps::kDropped;
  std::erase_if(steps.to_error, [&](Action a) { return !high(a); });
}

}  // namespace surety
