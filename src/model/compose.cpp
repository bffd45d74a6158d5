// The reachable product, breadth first.
//
// A product state is a tuple of component states, packed into as few bits as their
// numbers need. A SequenceTable numbers the tuples in the order in which the search
// meets them, so the numbers are breadth first and the table is also the queue.
//
// Each visible action is tried by one component only, the first that has it in its
// alphabet: its steps are combined with those of the other components that have the
// action, and if one of them has none, nothing happens. Nobody ever goes through the
// alphabet in search of steps.
//
// All tuples with an error are one state, and so are all that have ended: the first
// one met gets a number, the others share it.
#include "model/compose.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "model/sequence_table.hpp"

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

class Composition {
 public:
  Composition(const std::vector<const Lts*>& parts, Budget& budget);
  std::optional<Lts> run();

 private:
  void expand(std::uint32_t from);
  void synchronise(std::uint32_t from, Action a);
  void add_step(std::uint32_t from, Action a);
  std::uint32_t number_of_next();
  bool next_is_error() const;
  bool next_is_end() const;
  void poll();

  std::span<const std::uint32_t> parts_with(Action a) const {
    return {participants_.data() + first_participant_[a.value],
            participants_.data() + first_participant_[a.value + 1ULL]};
  }

  const std::vector<const Lts*>& parts_;
  Budget& budget_;
  Charge charge_;
  const Alphabet alphabet_;
  const bool may_terminate_;
  std::vector<std::uint32_t> with_error_, with_end_;  // the parts that have such a state

  // The parts with action a in their alphabet: participants_[first_participant_[a] .. first_participant_[a+1]).
  std::vector<std::uint32_t> first_participant_, participants_;

  SequenceTable tuples_;
  LtsBuilder builder_;
  std::uint64_t steps_ = 0;
  std::optional<State> error_, end_;
  Tuple next_;                                  // a successor of the state that is expanded
  std::vector<State> now_;                      // that state, unpacked
  std::vector<std::span<const Step>> choices_;  // what each participant of an action can do
  std::vector<std::size_t> chosen_;
};

Composition::Composition(const std::vector<const Lts*>& parts, Budget& budget)
    : parts_(parts),
      budget_(budget),
      charge_(budget),
      alphabet_(alphabet_of(parts)),
      may_terminate_(may_terminate(parts)),
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
    for (const Action a : parts_[p]->alphabet()) participants_[place[a.value]++] = p;
    if (parts_[p]->error()) with_error_.push_back(p);
    if (parts_[p]->end()) with_end_.push_back(p);
  }
}

std::optional<Lts> Composition::run() {
  builder_.add_to_alphabet(alphabet_);
  number_of_next();  // all parts are in state 0, their initial one
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
  for (std::uint32_t p = 0; p < parts_.size(); ++p) {
    Action before = kTau;
    for (const Step& step : parts_[p]->steps(now_[p])) {
      if (step.action == kTau) {
        next_.set(p, step.target);
        add_step(from, kTau);
        next_.set(p, now_[p]);
      } else if (step.action != before && parts_with(step.action).front() == p) {
        synchronise(from, step.action);
      }
      before = step.action;
    }
  }
}

// All combinations of the a-steps of the parts that have a; the last part's choice turns fastest.
void Composition::synchronise(std::uint32_t from, Action a) {
  const auto who = parts_with(a);
  choices_.clear();
  for (const std::uint32_t p : who) {
    choices_.push_back(parts_[p]->steps(now_[p], a));
    if (choices_.back().empty()) return;
  }
  chosen_.assign(who.size(), 0);
  for (std::size_t i = 0; i < who.size(); ++i) next_.set(who[i], choices_[i].front().target);
  while (budget_.why() == Stop::none) {
    add_step(from, a);
    std::size_t i = who.size();
    for (; i > 0 && ++chosen_[i - 1] == choices_[i - 1].size(); --i) {
      chosen_[i - 1] = 0;
      next_.set(who[i - 1], choices_[i - 1].front().target);
    }
    if (i == 0) break;
    next_.set(who[i - 1], choices_[i - 1][chosen_[i - 1]].target);
  }
  for (const std::uint32_t p : who) next_.set(p, now_[p]);
}

void Composition::add_step(std::uint32_t from, Action a) {
  builder_.add_step(State{from}, a, State{number_of_next()});
  if (++steps_ % kPollEvery == 0) poll();
}

std::uint32_t Composition::number_of_next() {
  auto* shared = next_is_error() ? &error_ : next_is_end() ? &end_ : nullptr;
  if (shared == nullptr) return tuples_.intern(next_.words());
  if (!*shared) *shared = State{tuples_.intern(next_.words())};
  return (*shared)->value;
}

bool Composition::next_is_error() const {
  return std::ranges::any_of(with_error_, [&](auto p) { return next_[p] == parts_[p]->error(); });
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

std::optional<Lts> compose(const std::vector<const Lts*>& parts, Budget& budget) {
  if (!budget.go_on()) return std::nullopt;
  if (std::ranges::all_of(parts, [](const Lts* part) { return part->state_count() > 0; }))
    return Composition(parts, budget).run();
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
