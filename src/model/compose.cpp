// The reachable product, breadth first.
//
// A product state is a tuple of component states, packed into as few bits as their
// numbers need. A table numbers the tuples in the order in which the search meets
// them, so the numbers are breadth first and the table is also the queue. Most of the
// time goes into waiting for memory there, so all successors of a state are found
// first, then their places in the table fetched, and only then looked at.
//
// Each visible action is tried by one component only, the first that has it in its
// alphabet and so leads it: its steps are combined with those of the other components
// that have the action, and if one of them has none, nothing happens. Nobody ever goes
// through the alphabet in search of steps, or through steps that others lead; and
// whether a component can follow is read off a table, unless that would be too large.
//
// All tuples with an error are one state, and so are all that have ended: the first
// one met gets a number, the others share it.
#include "model/compose.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/check.hpp"
#include "base/hash.hpp"

namespace surety {
namespace {

constexpr std::uint32_t kPollEvery = 1024;                      // states or steps between two looks at the budget
constexpr std::uint32_t kMostStates = UINT32_MAX - (1U << 24);  // a little less than fit in 32 bits

Alphabet alphabet_of(const std::vector<const Lts*>& parts) {
  Alphabet all;
  for (const Lts* part : parts) all = unite(all, part->alphabet());
  return all;
}

// A tuple of component states in 32-bit words. No component straddles two words.
class Tuple {
 public:
  explicit Tuple(const std::vector<const Lts*>& parts) {
    std::uint32_t bit = 0;
    words_.push_back(0);
    for (const Lts* part : parts) {
      const auto bits = static_cast<std::uint32_t>(std::bit_width(part->state_count() - 1));
      if (bit + bits > 32) words_.push_back(0), bit = 0;
      fields_.push_back(
          {static_cast<std::uint32_t>(words_.size() - 1), bit % 32, bits == 0 ? 0 : UINT32_MAX >> (32 - bits)});
      bit += bits;
    }
  }

  void load(std::span<const std::uint32_t> words) { words_.assign(words.begin(), words.end()); }
  const std::vector<std::uint32_t>& words() const { return words_; }
  State operator[](std::size_t part) const {
    const Field& f = fields_[part];
    return State{words_[f.word] >> f.shift & f.mask};
  }
  void set(std::size_t part, State s) {
    const Field& f = fields_[part];
    words_[f.word] = (words_[f.word] & ~(f.mask << f.shift)) | s.value << f.shift;
  }

 private:
  struct Field {
    std::uint32_t word, shift, mask;
  };
  std::vector<Field> fields_;  // by component
  std::vector<std::uint32_t> words_;
};

// Numbers tuples of one width: equal ones get equal numbers, new ones the next. A slot has the number, plus one,
// and half of the hash, so that a tuple is compared only with one that is most likely equal.
class Tuples {
 public:
  explicit Tuples(std::size_t width) : width_(width), slots_(1 << 10, 0) {}

  std::uint64_t hash(const std::uint32_t* tuple) const {
    std::uint64_t h = 0;
    for (std::size_t i = 0; i < width_; ++i) h = (std::rotl(h, 23) ^ tuple[i]) * 0x9e3779b97f4a7c15U;
    return mix64(h);
  }
  void fetch(std::uint64_t hash) const { __builtin_prefetch(&slots_[hash & (slots_.size() - 1)]); }

  std::uint32_t intern(const std::uint32_t* tuple, std::uint64_t hash) {
    const std::uint64_t mask = slots_.size() - 1, tag = hash >> 32 << 32;
    std::uint64_t at = hash & mask;
    for (; slots_[at] != 0; at = (at + 1) & mask)
      if ((slots_[at] ^ tag) >> 32 == 0 && equal(number(slots_[at]), tuple)) return number(slots_[at]);
    const std::uint32_t id = size();
    check(id < UINT32_MAX - 1, "too many tuples for 32-bit numbers");
    pool_.insert(pool_.end(), tuple, tuple + width_);
    slots_[at] = tag | (id + 1);
    if (size() * 2ULL > slots_.size()) grow();
    return id;
  }

  // Valid until the next intern().
  std::span<const std::uint32_t> operator[](std::uint32_t id) const { return {pool_.data() + id * width_, width_}; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(pool_.size() / width_); }
  std::uint64_t bytes() const { return pool_.size() * sizeof(pool_[0]) + slots_.size() * sizeof(slots_[0]); }

 private:
  static std::uint32_t number(std::uint64_t slot) { return static_cast<std::uint32_t>(slot) - 1; }
  bool equal(std::uint32_t id, const std::uint32_t* tuple) const {
    const std::uint32_t* other = pool_.data() + id * width_;
    for (std::size_t i = 0; i < width_; ++i)
      if (other[i] != tuple[i]) return false;
    return true;
  }
  void grow() {
    std::vector<std::uint64_t>(slots_.size() * 2, 0).swap(slots_);
    const std::uint64_t mask = slots_.size() - 1;
    for (std::uint32_t id = 0; id < size(); ++id) {
      const std::uint64_t h = hash(pool_.data() + id * width_);
      std::uint64_t at = h & mask;
      while (slots_[at] != 0) at = (at + 1) & mask;
      slots_[at] = h >> 32 << 32 | (id + 1);
    }
  }

  std::size_t width_;
  std::vector<std::uint32_t> pool_;
  std::vector<std::uint64_t> slots_;  // a power of two, at most half full
};

// The steps of one component, ready for the two questions a composition asks.
class Part {
 public:
  struct Led {
    Action action;
    std::uint32_t first, count;  // its steps, counted from those of state 0
  };

  explicit Part(const Lts& lts) : lts_(lts), steps_(lts.state_count() > 0 ? lts.steps(State{0}).data() : nullptr) {
    constexpr std::uint64_t kMostCells = 1 << 22;
    const std::uint64_t cells = lts.state_count() * static_cast<std::uint64_t>(lts.alphabet().size());
    if (cells > 0 && cells <= kMostCells && lts.step_count() < UINT32_MAX) fill_table(cells);
  }

  // What the component does silently or as the leader. `leads` is asked once an action and state.
  template <class Leads>
  void find_led(const Leads& leads) {
    for (std::uint32_t s = 0; s < lts_.state_count(); ++s) {
      first_led_.push_back(static_cast<std::uint32_t>(led_.size()));
      for_each_action(State{s}, [&](Action a, std::span<const Step> steps) {
        if (a == kTau || leads(a))
          led_.push_back(
              {a, static_cast<std::uint32_t>(steps.data() - steps_), static_cast<std::uint32_t>(steps.size())});
      });
    }
    first_led_.push_back(static_cast<std::uint32_t>(led_.size()));
  }

  std::span<const Led> led(State s) const {
    return {led_.data() + first_led_[s.value], led_.data() + first_led_[s.value + 1ULL]};
  }
  std::span<const Step> steps(const Led& led) const { return {steps_ + led.first, led.count}; }

  // `index` is the place of the action in the component's alphabet.
  std::span<const Step> steps(State s, Action a, std::uint32_t index) const {
    if (table_.empty()) return lts_.steps(s, a);
    const Cell& cell = table_[s.value * lts_.alphabet().size() + index];
    return {steps_ + cell.first, cell.count};
  }

 private:
  struct Cell {
    std::uint32_t first = 0, count = 0;
  };

  template <class Visit>
  void for_each_action(State s, const Visit& visit) const {
    const auto steps = lts_.steps(s);
    for (std::size_t i = 0; i < steps.size();) {
      std::size_t end = i;
      while (end < steps.size() && steps[end].action == steps[i].action) ++end;
      visit(steps[i].action, steps.subspan(i, end - i));
      i = end;
    }
  }

  void fill_table(std::uint64_t cells) {
    table_.resize(cells);
    for (std::uint32_t s = 0; s < lts_.state_count(); ++s)
      for_each_action(State{s}, [&](Action a, std::span<const Step> steps) {
        if (a == kTau) return;
        table_[s * lts_.alphabet().size() + *lts_.alphabet().index(a)] = {
            static_cast<std::uint32_t>(steps.data() - steps_), static_cast<std::uint32_t>(steps.size())};
      });
  }

  const Lts& lts_;
  const Step* steps_;
  std::vector<Cell> table_;  // by state and index of the action; empty if it would be too large
  std::vector<std::uint32_t> first_led_;
  std::vector<Led> led_;
};

class Composition {
 public:
  Composition(const std::vector<const Lts*>& parts, Budget& budget, const Priority* priority);
  std::optional<Lts> run();

 private:
  enum class Fate : std::uint8_t { none, error, end };
  struct Successor {
    Action action;
    Fate fate;
    std::uint64_t hash;
  };

  void expand(std::uint32_t from);
  void synchronise(Action a, std::span<const Step> leaders);
  bool can_follow(Action a) const;
  bool high_step_possible() const;
  bool gives_way(Action a) const { return cut_low_ && !high_[a.value]; }
  void add_step(Action a, bool error);
  void number_successors(std::uint32_t from);
  std::uint32_t number_of(const std::uint32_t* tuple, std::uint64_t hash, Fate fate);
  bool next_is_end() const;
  Fate fate_of_next(bool error) const { return error ? Fate::error : next_is_end() ? Fate::end : Fate::none; }
  void poll();

  struct Participant {
    std::uint32_t part, index;  // of the action, in the part's alphabet
  };
  std::span<const Participant> parts_with(Action a) const {
    return {participants_.data() + first_participant_[a.value],
            participants_.data() + first_participant_[a.value + 1ULL]};
  }

  const std::vector<const Lts*>& parts_;
  Budget& budget_;
  Charge charge_;
  const Alphabet alphabet_;
  const bool may_terminate_;
  std::vector<std::uint32_t> with_end_;  // the parts that have an END
  std::vector<State> errors_;            // by part; a state that does not exist if it has none
  std::vector<Part> ready_;              // by part

  // The parts with action a in their alphabet: participants_[first_participant_[a] .. first_participant_[a+1]).
  std::vector<std::uint32_t> first_participant_;
  std::vector<Participant> participants_;

  std::vector<bool> high_;  // by action; empty without priority
  bool cut_low_ = false;    // in the state that is expanded

  Tuples tuples_;
  LtsBuilder builder_;
  std::uint64_t steps_ = 0;
  std::optional<State> error_, end_;
  Tuple next_;                         // a successor of the state that is expanded
  std::vector<State> now_;             // that state, unpacked
  std::vector<Successor> successors_;  // all of them
  std::vector<std::uint32_t> successor_tuples_;
  std::vector<std::span<const Step>> choices_;  // what each participant of an action can do
  std::vector<std::size_t> chosen_;
};

Composition::Composition(const std::vector<const Lts*>& parts, Budget& budget, const Priority* priority)
    : parts_(parts),
      budget_(budget),
      charge_(budget),
      alphabet_(alphabet_of(parts)),
      may_terminate_(may_terminate(parts)),
      tuples_(Tuple(parts).words().size()),
      next_(parts),
      now_(parts.size()) {
  const std::size_t actions = alphabet_.empty() ? 1 : alphabet_[alphabet_.size() - 1].value + 1ULL;
  first_participant_.assign(actions + 1, 0);
  for (const Lts* part : parts_)
    for (const Action a : part->alphabet()) ++first_participant_[a.value + 1ULL];
  std::partial_sum(first_participant_.begin(), first_participant_.end(), first_participant_.begin());
  participants_.resize(first_participant_.back());
  auto place = first_participant_;
  for (std::uint32_t p = 0; p < parts_.size(); ++p) {
    std::uint32_t index = 0;
    for (const Action a : parts_[p]->alphabet()) participants_[place[a.value]++] = {p, index++};
    if (parts_[p]->end()) with_end_.push_back(p);
    errors_.push_back(parts_[p]->error().value_or(State{UINT32_MAX}));
    ready_.emplace_back(*parts_[p]);
    ready_.back().find_led([&](Action a) { return parts_with(a).front().part == p; });
  }
  if (priority != nullptr)
    for (std::uint32_t a = 0; a < actions; ++a) high_.push_back(priority->is_high(Action{a}));
}

std::optional<Lts> Composition::run() {
  builder_.add_to_alphabet(alphabet_);
  // All parts are in state 0, their initial one.
  const bool error = std::ranges::any_of(errors_, [](State s) { return s == State{0}; });
  number_of(next_.words().data(), tuples_.hash(next_.words().data()), fate_of_next(error));
  for (std::uint32_t s = 0; s < tuples_.size(); ++s) {
    if (!budget_.add_states(1)) return std::nullopt;
    if (s % kPollEvery == 0) poll();
    expand(s);
    if (budget_.why() != Stop::none) return std::nullopt;
  }
  builder_.set_state_count(tuples_.size());
  if (error_) builder_.set_error(*error_);
  if (end_) builder_.set_end(*end_);
  return builder_.build();
}

void Composition::expand(std::uint32_t from) {
  if (State{from} == error_ || State{from} == end_) return;
  next_.load(tuples_[from]);
  for (std::size_t p = 0; p < parts_.size(); ++p) now_[p] = next_[p];
  cut_low_ = !high_.empty() && high_step_possible();
  for (std::uint32_t p = 0; p < parts_.size(); ++p)
    for (const Part::Led& led : ready_[p].led(now_[p])) {
      if (gives_way(led.action)) continue;
      if (led.action != kTau) {
        synchronise(led.action, ready_[p].steps(led));
        continue;
      }
      for (const Step& step : ready_[p].steps(led)) {
        next_.set(p, step.target);
        add_step(kTau, step.target == errors_[p]);
      }
      next_.set(p, now_[p]);
    }
  number_successors(from);
}

bool Composition::high_step_possible() const {
  for (std::uint32_t p = 0; p < parts_.size(); ++p)
    for (const Part::Led& led : ready_[p].led(now_[p]))
      if (high_[led.action.value] && (led.action == kTau || can_follow(led.action))) return true;
  return false;
}

// The leader can; can the others?
bool Composition::can_follow(Action a) const {
  return std::ranges::all_of(parts_with(a).subspan(1), [&](const Participant& other) {
    return !ready_[other.part].steps(now_[other.part], a, other.index).empty();
  });
}

// All combinations of the a-steps of the parts that have a; the last part's choice turns fastest.
void Composition::synchronise(Action a, std::span<const Step> leaders) {
  const auto who = parts_with(a);
  choices_.assign(1, leaders);
  for (const Participant& other : who.subspan(1)) {
    choices_.push_back(ready_[other.part].steps(now_[other.part], a, other.index));
    if (choices_.back().empty()) return;
  }
  chosen_.assign(who.size(), 0);
  for (std::size_t i = 0; i < who.size(); ++i) next_.set(who[i].part, choices_[i].front().target);
  while (budget_.why() == Stop::none) {
    // Only parts that move can be in error now.
    bool error = false;
    for (std::size_t i = 0; i < who.size(); ++i) error |= choices_[i][chosen_[i]].target == errors_[who[i].part];
    add_step(a, error);
    std::size_t i = who.size();
    for (; i > 0 && ++chosen_[i - 1] == choices_[i - 1].size(); --i) {
      chosen_[i - 1] = 0;
      next_.set(who[i - 1].part, choices_[i - 1].front().target);
    }
    if (i == 0) break;
    next_.set(who[i - 1].part, choices_[i - 1][chosen_[i - 1]].target);
  }
  for (const Participant& p : who) next_.set(p.part, now_[p.part]);
}

void Composition::add_step(Action a, bool error) {
  const auto& tuple = next_.words();
  const std::uint64_t hash = tuples_.hash(tuple.data());
  tuples_.fetch(hash);
  successors_.push_back({a, fate_of_next(error), hash});
  successor_tuples_.insert(successor_tuples_.end(), tuple.begin(), tuple.end());
  if (++steps_ % kPollEvery == 0) poll();
}

void Composition::number_successors(std::uint32_t from) {
  const std::uint32_t* tuple = successor_tuples_.data();
  for (const Successor& s : successors_) {
    builder_.add_step(State{from}, s.action, State{number_of(tuple, s.hash, s.fate)});
    tuple += next_.words().size();
  }
  successors_.clear();
  successor_tuples_.clear();
}

std::uint32_t Composition::number_of(const std::uint32_t* tuple, std::uint64_t hash, Fate fate) {
  if (fate == Fate::none) return tuples_.intern(tuple, hash);
  auto& shared = fate == Fate::error ? error_ : end_;
  if (!shared) shared = State{tuples_.intern(tuple, hash)};
  return shared->value;
}

// When every part that can end has ended, the visible actions of all parts are blocked: may_terminate_
// says that each belongs to one of those. What is left are silent steps of the others.
bool Composition::next_is_end() const {
  if (!may_terminate_) return false;
  for (const std::uint32_t p : with_end_)
    if (next_[p] != parts_[p]->end()) return false;
  for (std::uint32_t p = 0; p < parts_.size(); ++p)
    if (!parts_[p]->steps(next_[p], kTau).empty()) return false;
  return true;
}

// The vectors double when they are full, so twice what they hold is what they may take.
void Composition::poll() {
  constexpr std::uint64_t kBytesPerStep = 12 + 4;  // the builder's, and its share of the finished LTS
  if (tuples_.size() > kMostStates) budget_.stop(Stop::states);
  if (!charge_.grow_to(2 * (tuples_.bytes() + steps_ * kBytesPerStep))) budget_.stop(Stop::memory);
  budget_.go_on();
}

}  // namespace

std::optional<Lts> compose(const std::vector<const Lts*>& parts, Budget& budget, const Priority* priority) {
  if (!budget.go_on()) return std::nullopt;
  if (std::ranges::all_of(parts, [](const Lts* part) { return part->state_count() > 0; }))
    return Composition(parts, budget, priority).run();
  // A part that cannot even begin keeps the whole from beginning.
  LtsBuilder nothing;
  nothing.set_state_count(0);
  nothing.add_to_alphabet(alphabet_of(parts));
  return nothing.build();
}

bool may_terminate(const std::vector<const Lts*>& parts) {
  // LTSA's quirk (FSP.md 4): a part that is END from the start counts as one that has no END here.
  const auto ends = [](const Lts& part) { return part.end() && part.end() != part.initial(); };
  Alphabet of_ending, of_others;
  bool any = false;
  for (const Lts* part : parts) {
    auto& sum = ends(*part) ? of_ending : of_others;
    sum = unite(sum, part->alphabet());
    any = any || ends(*part);
  }
  return any && subtract(of_others, of_ending).empty();
}

}  // namespace surety
