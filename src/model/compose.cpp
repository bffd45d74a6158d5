// The reachable product, breadth first.
//
// A product state is a tuple of component states, packed into as few 64-bit words as
// their numbers need. A table numbers the tuples in the order in which the search meets
// them, so the numbers are breadth first and the table is also the queue; and since
// states are expanded in that order, their steps are appended to the finished LTS.
//
// Most of the time would go into waiting for memory, at random places of the table. So
// successors are not looked up one by one: they are collected, of many states, each
// asks for its place in the table to be fetched, and when a few dozen are together
// all are looked up. The first bits of a tuple's hash are its place. So a table that
// grows is read and written from one end to the other, with no hash computed again.
//
// Each visible action is tried by one component only, the first that has it in its
// alphabet and so leads it: its steps are combined with those of the other components
// that have the action, and if one of them has none, nothing happens. So no component is
// asked for each action of the alphabet, or for steps that other components lead; and
// whether a component can follow is read off a table, unless that would be too large.
//
// All tuples with an error are one state, and so are all that have ended: the first
// one met gets a number, the others share it.
#include "model/compose.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "base/big_array.hpp"
#include "base/check.hpp"
#include "base/hash.hpp"

namespace surety {
namespace {

constexpr std::uint32_t kPollEvery = 1024;       // states or steps between two looks at the budget
constexpr std::uint32_t kTogether = 64;          // successors that are looked up together
constexpr std::uint32_t kMostStates = 1U << 31;  // half of the places that 32 bits of a hash can name

Alphabet alphabet_of(const std::vector<const Lts*>& parts) {
  Alphabet all;
  for (const Lts* part : parts) all = unite(all, part->alphabet());
  return all;
}

// Where the components' states lie in a tuple. No component straddles two words.
class Layout {
 public:
  explicit Layout(const std::vector<const Lts*>& parts) {
    std::uint32_t bit = 0;
    for (const Lts* part : parts) {
      const auto bits = static_cast<std::uint32_t>(std::bit_width(part->state_count() - 1));
      if (bit + bits > 64) {
        ++words_;
        bit = 0;
      }
      fields_.push_back({words_ - 1, bit % 64, (std::uint64_t{1} << bits) - 1});
      bit += bits;
    }
  }

  std::uint32_t words() const { return words_; }
  State get(const std::uint64_t* tuple, std::size_t part) const {
    const Field& f = fields_[part];
    return State{static_cast<std::uint32_t>(tuple[f.word] >> f.shift & f.mask)};
  }
  void change(std::uint64_t* tuple, std::size_t part, State from, State to) const {
    const Field& f = fields_[part];
    tuple[f.word] ^= std::uint64_t{from.value ^ to.value} << f.shift;
  }

 private:
  struct Field {
    std::uint32_t word, shift;
    std::uint64_t mask;
  };
  std::uint32_t words_ = 1;
  std::vector<Field> fields_;  // by component
};

// Numbers tuples of one width: equal ones get equal numbers, new ones the next. A slot has the hash and the number
// plus one, so that a tuple is compared only with one that is most likely equal.
class Tuples {
 public:
  explicit Tuples(std::uint32_t width) : width_(width), slots_(std::uint64_t{1} << kFirstBits) {}

  std::uint32_t hash(const std::uint64_t* tuple) const {
    std::uint64_t h = tuple[0];
    for (std::uint32_t i = 1; i < width_; ++i) h = std::rotl(h * 0x9e3779b97f4a7c15U, 23) ^ tuple[i];
    return static_cast<std::uint32_t>(mix64(h));
  }
  void fetch(std::uint32_t hash) const { __builtin_prefetch(&slots_[hash >> shift_]); }

  std::uint32_t intern(const std::uint64_t* tuple, std::uint32_t hash) {
    std::uint64_t at = hash >> shift_;
    for (; slots_[at] != 0; at = next(at))
      if (slots_[at] >> 32 == hash && equal(number(slots_[at]), tuple)) return number(slots_[at]);
    const std::uint32_t id = size();
    check(id < kMostStates + kPollEvery * 2, "too many tuples for 32-bit numbers");
    pool_.append(tuple, width_);
    slots_[at] = std::uint64_t{hash} << 32 | (id + 1);
    if (++size_ * 2ULL > slots_.size() && shift_ > 0) grow();
    return id;
  }

  // Valid until the next intern().
  const std::uint64_t* operator[](std::uint32_t id) const { return pool_.data() + std::uint64_t{id} * width_; }
  std::uint32_t size() const { return size_; }
  std::uint64_t bytes() const { return pool_.size() * sizeof(pool_[0]) + slots_.size() * sizeof(slots_[0]); }

 private:
  static constexpr std::uint32_t kFirstBits = 10;

  static std::uint32_t number(std::uint64_t slot) { return static_cast<std::uint32_t>(slot) - 1; }
  std::uint64_t next(std::uint64_t at) const { return (at + 1) & (slots_.size() - 1); }
  bool equal(std::uint32_t id, const std::uint64_t* tuple) const {
    const std::uint64_t* other = (*this)[id];
    for (std::uint32_t i = 0; i < width_; ++i)
      if (other[i] != tuple[i]) return false;
    return true;
  }
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
  BigArray<std::uint64_t> pool_;
  BigArray<std::uint64_t> slots_;  // a power of two, at most half full
};

// The steps of one component, ready for the two questions a composition asks.
class StepTable {
 public:
  struct Led {
    Action action;
    std::uint32_t first, count;  // its steps, counted from those of state 0
  };

  struct Entry {
    std::uint32_t first = 0, count = 0;
  };

  explicit StepTable(const Lts& lts) : lts_(lts), steps_(lts.state_count() > 0 ? lts.steps(State{0}).data() : nullptr) {
    constexpr std::uint64_t kMostEntries = 1 << 22;
    const std::uint64_t entries = lts.state_count() * static_cast<std::uint64_t>(lts.alphabet().size());
    if (entries > 0 && entries <= kMostEntries && lts.transition_count() < UINT32_MAX) fill_table(entries);
  }

  // What the component does silently or as the leader. `leads` is asked once per action and state.
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

  // What state s can do, by index of the action in the component's alphabet; nullptr if there is no table.
  const Entry* row(State s) const {
    return table_.empty() ? nullptr : table_.data() + s.value * std::uint64_t{lts_.alphabet().size()};
  }
  std::span<const Step> steps(const Entry* row, State s, Action a, std::uint32_t index) const {
    if (row == nullptr) return lts_.steps(s, a);
    return {steps_ + row[index].first, row[index].count};
  }

 private:
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

  void fill_table(std::uint64_t entries) {
    table_.resize(entries);
    for (std::uint32_t s = 0; s < lts_.state_count(); ++s)
      for_each_action(State{s}, [&](Action a, std::span<const Step> steps) {
        if (a == kTau) return;
        table_[s * lts_.alphabet().size() + *lts_.alphabet().index(a)] = {
            static_cast<std::uint32_t>(steps.data() - steps_), static_cast<std::uint32_t>(steps.size())};
      });
  }

  const Lts& lts_;
  const Step* steps_;
  std::vector<Entry> table_;  // by state and index of the action; empty if it would be too large
  std::vector<std::uint32_t> first_led_;
  std::vector<Led> led_;
};

class Composition {
 public:
  Composition(const std::vector<const Lts*>& parts, Budget& budget, const Priority* priority, std::uint64_t most);
  std::optional<Lts> run();
  // By state, when it is done.
  std::vector<std::vector<State>> tuples();

 private:
  enum class Fate : std::uint8_t { none, error, end };
  struct Successor {
    Action action;
    std::uint32_t hash;
    Fate fate;
    bool last;  // of its state; it is no successor then, but only says so
  };
  struct Participant {
    std::uint32_t part, index;  // of the action, in the part's alphabet
  };

  void expand(std::uint32_t from);
  void load(std::uint32_t from);
  void step_silently(std::uint32_t part, std::span<const Step> steps);
  void synchronise(Action a, std::span<const Step> leaders);
  void combine(Action a);
  bool can_follow(Action a) const;
  bool high_step_possible() const;
  bool gives_way(Action a) const { return cut_low_ && !high_[a.value]; }

  std::uint64_t* new_tuple();
  void add_step(Action a, const std::uint64_t* tuple, bool error);
  void look_up();
  std::uint32_t number_of(const std::uint64_t* tuple, std::uint32_t hash, Fate fate);
  bool is_end(const std::uint64_t* tuple) const;
  Fate fate_of(const std::uint64_t* tuple, bool error) const {
    return error ? Fate::error : may_terminate_ && is_end(tuple) ? Fate::end : Fate::none;
  }
  bool poll();
  bool stopped() const { return gave_up_ || budget_.why() != Stop::none; }

  std::span<const Participant> parts_with(Action a) const {
    return {participants_.data() + first_participant_[a.value],
            participants_.data() + first_participant_[a.value + 1ULL]};
  }
  std::span<const Step> steps(const Participant& who, Action a) const {
    return ready_[who.part].steps(rows_[who.part], now_[who.part], a, who.index);
  }

  const std::vector<const Lts*>& parts_;
  Budget& budget_;
  const std::uint64_t most_;  // states and steps
  Charge charge_;
  const Alphabet alphabet_;
  const bool may_terminate_;
  const Layout layout_;
  std::vector<std::uint32_t> with_end_;  // the parts that have an END
  std::vector<State> errors_;            // by part; a state that does not exist if it has none
  std::vector<StepTable> ready_;         // by part

  // The parts with action a in their alphabet: participants_[first_participant_[a] .. first_participant_[a+1]).
  std::vector<std::uint32_t> first_participant_;
  std::vector<Participant> participants_;

  std::vector<bool> high_;  // by action; empty without priority
  bool cut_low_ = false;    // in the state that is expanded

  Tuples tuples_;
  LtsWriter writer_;
  std::uint32_t states_ = 0, steps_ = 0;  // since the last look at the budget
  std::uint64_t all_steps_ = 0;           // before that
  bool gave_up_ = false;
  std::optional<State> error_, end_;

  // The state that is expanded: packed, unpacked, and what each part can do in it.
  std::vector<std::uint64_t> here_;
  std::vector<State> now_;
  std::vector<const StepTable::Entry*> rows_;

  std::vector<Successor> successors_;           // that wait to be looked up
  std::vector<std::uint64_t> candidates_;       // their tuples
  std::vector<std::span<const Step>> choices_;  // what each participant of an action can do
  std::vector<std::size_t> chosen_;
};

Composition::Composition(const std::vector<const Lts*>& parts, Budget& budget, const Priority* priority,
                         std::uint64_t most)
    : parts_(parts),
      budget_(budget),
      most_(most),
      charge_(budget),
      alphabet_(alphabet_of(parts)),
      may_terminate_(may_terminate(parts)),
      layout_(parts),
      tuples_(layout_.words()),
      here_(layout_.words(), 0),
      now_(parts.size()),
      rows_(parts.size()),
      candidates_((kTogether + 1) * here_.size()) {
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
  // All parts are in state 0, their initial one.
  const bool error = std::ranges::any_of(errors_, [](State s) { return s == State{0}; });
  number_of(here_.data(), tuples_.hash(here_.data()), fate_of(here_.data(), error));
  const auto is_met = [&](std::uint32_t s) {
    if (s == tuples_.size()) look_up();
    return s < tuples_.size();
  };
  for (std::uint32_t s = 0; is_met(s); ++s) {
    expand(s);
    if (++states_ == kPollEvery && !poll()) return std::nullopt;
    if (stopped()) return std::nullopt;
  }
  if (!poll()) return std::nullopt;
  return writer_.build(alphabet_, error_, end_);
}

std::vector<std::vector<State>> Composition::tuples() {
  std::vector<std::vector<State>> out(tuples_.size());
  for (std::uint32_t s = 0; s < tuples_.size(); ++s)
    for (std::uint32_t p = 0; p < parts_.size(); ++p) out[s].push_back(layout_.get(tuples_[s], p));
  return out;
}

void Composition::expand(std::uint32_t from) {
  if (State{from} != error_ && State{from} != end_) {
    load(from);
    cut_low_ = !high_.empty() && high_step_possible();
    for (std::uint32_t p = 0; p < parts_.size(); ++p)
      for (const StepTable::Led& led : ready_[p].led(now_[p])) {
        if (gives_way(led.action)) continue;
        if (led.action == kTau)
          step_silently(p, ready_[p].steps(led));
        else
          synchronise(led.action, ready_[p].steps(led));
      }
  }
  new_tuple();
  successors_.push_back({kTau, 0, Fate::none, true});
}

void Composition::load(std::uint32_t from) {
  std::copy_n(tuples_[from], here_.size(), here_.begin());
  for (std::uint32_t p = 0; p < parts_.size(); ++p) {
    now_[p] = layout_.get(here_.data(), p);
    rows_[p] = ready_[p].row(now_[p]);
  }
}

bool Composition::high_step_possible() const {
  for (std::uint32_t p = 0; p < parts_.size(); ++p)
    for (const StepTable::Led& led : ready_[p].led(now_[p]))
      if (high_[led.action.value] && (led.action == kTau || can_follow(led.action))) return true;
  return false;
}

// The leader can; can the others?
bool Composition::can_follow(Action a) const {
  return std::ranges::all_of(parts_with(a).subspan(1),
                             [&](const Participant& other) { return !steps(other, a).empty(); });
}

void Composition::step_silently(std::uint32_t part, std::span<const Step> steps) {
  for (const Step& step : steps) {
    std::uint64_t* next = new_tuple();
    layout_.change(next, part, now_[part], step.target);
    add_step(kTau, next, step.target == errors_[part]);
  }
}

// The a-steps of the parts that have a, together. Mostly each of them has just one.
void Composition::synchronise(Action a, std::span<const Step> leaders) {
  const auto who = parts_with(a);
  std::uint64_t* next = new_tuple();
  bool error = false;  // only parts that move can be in error now
  std::span<const Step> choices = leaders;
  for (std::size_t i = 0;;) {
    if (choices.size() != 1) {
      if (!choices.empty()) combine(a);
      return;
    }
    const State target = choices.front().target;
    layout_.change(next, who[i].part, now_[who[i].part], target);
    error |= target == errors_[who[i].part];
    if (++i == who.size()) break;
    choices = steps(who[i], a);
  }
  add_step(a, next, error);
}

// All combinations of the a-steps of the parts that have a; the last part's choice turns fastest.
void Composition::combine(Action a) {
  const auto who = parts_with(a);
  choices_.clear();
  for (const Participant& p : who) {
    choices_.push_back(steps(p, a));
    if (choices_.back().empty()) return;
  }
  chosen_.assign(who.size(), 0);
  while (!stopped()) {
    std::uint64_t* next = new_tuple();
    bool error = false;
    for (std::size_t i = 0; i < who.size(); ++i) {
      const State target = choices_[i][chosen_[i]].target;
      layout_.change(next, who[i].part, now_[who[i].part], target);
      error |= target == errors_[who[i].part];
    }
    add_step(a, next, error);
    std::size_t i = who.size();
    for (; i > 0 && ++chosen_[i - 1] == choices_[i - 1].size(); --i) chosen_[i - 1] = 0;
    if (i == 0) break;
  }
}

// Room for one more successor, which is the state that is expanded until it is changed. Nothing happens if it
// is not added.
std::uint64_t* Composition::new_tuple() {
  if (successors_.size() >= kTogether) look_up();
  std::uint64_t* const tuple = candidates_.data() + successors_.size() * here_.size();
  tuple[0] = here_[0];
  if (here_.size() > 1) std::copy(here_.begin() + 1, here_.end(), tuple + 1);  // a call costs too much for one word
  return tuple;
}

void Composition::add_step(Action a, const std::uint64_t* tuple, bool error) {
  const std::uint32_t hash = tuples_.hash(tuple);
  tuples_.fetch(hash);
  successors_.push_back({a, hash, fate_of(tuple, error), false});
  if (++steps_ == kPollEvery) poll();
}

void Composition::look_up() {
  const std::uint64_t* tuple = candidates_.data();
  for (const Successor& s : successors_) {
    if (s.last)
      writer_.end_state();
    else
      writer_.add_step(s.action, State{number_of(tuple, s.hash, s.fate)});
    tuple += here_.size();
  }
  successors_.clear();
}

std::uint32_t Composition::number_of(const std::uint64_t* tuple, std::uint32_t hash, Fate fate) {
  if (fate == Fate::none) return tuples_.intern(tuple, hash);
  auto& shared = fate == Fate::error ? error_ : end_;
  if (!shared) shared = State{tuples_.intern(tuple, hash)};
  return shared->value;
}

// When every part that can end has ended, the visible actions of all parts are blocked: may_terminate_
// says that each belongs to one of those. What is left are silent steps of the others.
bool Composition::is_end(const std::uint64_t* tuple) const {
  for (const std::uint32_t p : with_end_)
    if (layout_.get(tuple, p) != parts_[p]->end()) return false;
  for (std::uint32_t p = 0; p < parts_.size(); ++p)
    if (!parts_[p]->steps(layout_.get(tuple, p), kTau).empty()) return false;
  return true;
}

// The vectors double when they are full, so twice what they hold is what they may take.
bool Composition::poll() {
  budget_.add_states(std::exchange(states_, 0));
  all_steps_ += std::exchange(steps_, 0);
  gave_up_ = gave_up_ || tuples_.size() + all_steps_ > most_;
  if (tuples_.size() > kMostStates) budget_.stop(Stop::states);
  if (!charge_.grow_to(2 * (tuples_.bytes() + writer_.bytes()))) budget_.stop(Stop::memory);
  return budget_.go_on() && !gave_up_;
}

}  // namespace

std::optional<Lts> compose(const std::vector<const Lts*>& parts, Budget& budget, const Priority* priority,
                           std::vector<std::vector<State>>* tuples, std::uint64_t most) {
  if (!budget.go_on()) return std::nullopt;
  if (std::ranges::all_of(parts, [](const Lts* part) { return part->state_count() > 0; })) {
    Composition composition(parts, budget, priority, most);
    auto whole = composition.run();
    if (whole && tuples != nullptr) *tuples = composition.tuples();
    return whole;
  }
  // A part that cannot even begin keeps the whole from beginning.
  LtsBuilder nothing;
  nothing.set_state_count(0);
  nothing.add_to_alphabet(alphabet_of(parts));
  return nothing.build();
}

bool may_terminate(const std::vector<const Lts*>& parts) {
  // LTSA's quirk (doc/semantics.md#end-and-deadlock): a part that is END from the start counts as one that has no END
  // here.
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
