#include "rules/circular.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

#include "base/check.hpp"
#include "engine/product/subset.hpp"
#include "rules/identify.hpp"
#include "rules/merge.hpp"
#include "rules/triple.hpp"

namespace surety {
namespace {

using Outcome = SearchResult::Outcome;

// A word that broke a premise.
struct Lesson {
  Trace word;        // over the actions of two components or more and of P
  bool bad = false;  // P lacks it, and some component cannot do it
};

std::vector<Part> parts_of(const ComponentSet& side) {
  std::vector<Part> parts;
  for (const Lts* lts : side) parts.push_back({lts, Role::component, false});
  return parts;
}

// It never rejects a word.
bool is_complete(const Lts& g) { return g.transition_count() == g.state_count() * g.alphabet().size(); }

// The search for guarantees within one set of actions.
class CircularLoop {
 public:
  CircularLoop(const ProofGoal& goal, const Alphabet& all, const Alphabet& common, std::vector<Lesson>& lessons,
               const Context& context);
  ~CircularLoop();

  // Nothing: the budget ended, or the set of actions is too small.
  std::optional<Verdict> run();
  const Alphabet& more() const { return more_; }  // what the set of actions lacks
  // What there is to say if the budget has ended; `before`: what there was before this loop.
  Unknown unknown(Unknown before) {
    if (guarantees_.empty()) return {context_.budget.why(), std::move(before.assumptions), before.known, {}};
    return {context_.budget.why(), std::move(guarantees_), known_, {}};
  }

 private:
  enum class Premise { holds, fails, end };  // end: there is an answer, or the budget or the actions do not do

  bool round();
  Premise own(std::size_t i);
  Premise closing();
  Premise analyse(const Trace& word, const SearchResult& found);
  void learn(Lesson lesson);
  void teach(const Lesson& lesson);
  bool able(std::size_t i, Word word);
  void note(int assumption, std::uint64_t size, int oracle, const SearchResult& search, const char* result) {
    const Trace word = search.outcome == Outcome::found ? project(search.trace, all_) : Trace();
    context_.tell(told::Answered{assumption, oracle, result, word, search.trace, search.states, search.transitions});
    context_.cost.record(
        {assumption,
         size,
         oracle,
         search.states,
         search.transitions,
         result,
         word,
         {},
         0,
         assumption > 0 ? context_.kept(guarantees_[static_cast<std::size_t>(assumption) - 1]) : std::nullopt});
  }
  std::uint64_t total_size() const {
    return std::accumulate(guarantees_.begin(), guarantees_.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Lts& g) { return sum + g.state_count(); });
  }

  const ProofGoal& goal_;
  const Alphabet& all_;
  const Alphabet& common_;
  std::vector<Lesson>& lessons_;
  const Context& context_;
  std::vector<Alphabet> alphabets_;                 // of the guarantees
  std::vector<std::unique_ptr<SubsetWalk>> walks_;  // what each component can do, over its guarantee's alphabet
  std::unique_ptr<Identifier> identifier_;
  std::vector<Lts> guarantees_;
  const char* known_ = "untested";
  std::optional<Verdict> verdict_;
  Alphabet more_;
};

CircularLoop::CircularLoop(const ProofGoal& goal, const Alphabet& all, const Alphabet& common,
                           std::vector<Lesson>& lessons, const Context& context)
    : goal_(goal), all_(all), common_(common), lessons_(lessons), context_(context) {
  for (const ComponentSet& side : goal.sides) {
    alphabets_.push_back(intersect(alphabet_of(side), common));
    walks_.push_back(std::make_unique<SubsetWalk>(parts_of(side), alphabets_.back(), context.budget));
  }
  std::vector<Identifier::Wanted> wanted;
  for (std::size_t i = 0; i < alphabets_.size(); ++i) wanted.push_back({alphabets_[i], walks_[i].get()});
  identifier_ = std::make_unique<Identifier>(std::move(wanted), context.budget);
  for (const Lesson& lesson : lessons_) teach(lesson);
}

CircularLoop::~CircularLoop() {
  for (const auto& walk : walks_) context_.cost.add_queries(walk->states(), walk->transitions());
}

bool CircularLoop::able(std::size_t i, Word word) {
  return !walks_[i]->impossible(walks_[i]->walk(project(word, alphabets_[i])));
}

void CircularLoop::learn(Lesson lesson) {
  teach(lesson);
  lessons_.push_back(std::move(lesson));
}

// Adds the clauses that follow from the word (circular.hpp).
void CircularLoop::teach(const Lesson& lesson) {
  const Trace word = project(lesson.word, common_);
  const std::size_t n = alphabets_.size();
  std::vector<std::vector<Identifier::Literal>> has;  // by guarantee and length of the prefix
  for (std::size_t i = 0; i < n; ++i) has.push_back(identifier_->prefixes(i, word));
  for (std::size_t i = 0; i < n && context_.budget.go_on(); ++i) {
    auto node = walks_[i]->initial();
    for (std::size_t length = 0; length < word.size(); ++length) {
      const auto letter = alphabets_[i].index(word[length]);
      if (!letter) continue;  // nothing new for this guarantee
      node = walks_[i]->step(node, *letter);
      if (!context_.budget.go_on() || walks_[i]->impossible(node)) break;
      std::vector<Identifier::Literal> clause{has[i][length + 1]};
      for (std::size_t j = 0; j < n; ++j)
        if (j != i) clause.push_back(-has[j][length]);
      identifier_->add(std::move(clause));
    }
  }
  if (!lesson.bad) return;
  std::vector<Identifier::Literal> clause;
  for (std::size_t i = 0; i < n; ++i) clause.push_back(-has[i].back());
  identifier_->add(std::move(clause));
}

std::optional<Verdict> CircularLoop::run() {
  while (round()) continue;
  return std::move(verdict_);
}

// One tuple. All premises are looked at, so that it teaches as much as it can. False: that was the last one.
bool CircularLoop::round() {
  context_.budget.phase("finding guarantees");
  auto tuple = identifier_->solve();
  if (!tuple) return false;
  guarantees_ = std::move(*tuple);
  known_ = "untested";
  for (std::size_t i = 0; i < guarantees_.size(); ++i)
    context_.tell(told::Conjecture{static_cast<int>(i) + 1, guarantees_[i]});
  ++context_.cost.conjectures;
  context_.budget.count_conjecture();
  bool proved = true;
  for (std::size_t i = 0; i <= guarantees_.size(); ++i) {
    const Premise premise = i < guarantees_.size() ? own(i) : closing();
    if (premise == Premise::end) return false;
    proved &= premise == Premise::holds;
  }
  if (proved) verdict_ = Holds{{Method::circular, {}, guarantees_}};
  return !proved;
}

// Mi satisfies (all gj, j != i) |> gi. All guarantees watch: where one of them lacks a step, the run ends. It is a
// violation iff gi lacks the step, no matter which other guarantees lack it too.
CircularLoop::Premise CircularLoop::own(std::size_t i) {
  context_.budget.phase("premises of the guarantees");
  if (is_complete(guarantees_[i])) return Premise::holds;
  context_.tell(told::Asked{static_cast<int>(i) + 1, 1});
  auto parts = parts_of(goal_.sides[i]);
  for (std::size_t j = 0; j < guarantees_.size(); ++j)
    if (!is_complete(guarantees_[j])) parts.push_back({&guarantees_[j], Role::watch, j == i});
  const auto found = search(parts, Goal::violation, context_.budget, context_.threads, context_.reduction);
  context_.cost.add(found);
  if (found.outcome == Outcome::stopped) return Premise::end;
  if (found.outcome == Outcome::exhausted) return Premise::holds;
  known_ = "too strong";
  note(static_cast<int>(i) + 1, guarantees_[i].state_count(), 1, found, known_);
  learn({project(found.trace, all_)});
  return Premise::fails;
}

// g1 || ... || gn satisfies P.
CircularLoop::Premise CircularLoop::closing() {
  context_.budget.phase("closing premise");
  context_.tell(told::Asked{0, 2});
  std::vector<Part> parts;
  for (const Lts& g : guarantees_)
    if (!is_complete(g)) parts.push_back({&g});
  parts.push_back({&goal_.property(), Role::watch});
  const auto found = search(parts, Goal::violation, context_.budget, context_.threads, context_.reduction);
  context_.cost.add(found);
  if (found.outcome == Outcome::stopped) return Premise::end;
  if (found.outcome == Outcome::exhausted) {
    if (std::string_view(known_) == "untested") note(0, total_size(), 2, found, "holds");
    return Premise::holds;
  }
  bool all_able = true;
  for (std::size_t i = 0; i < walks_.size() && all_able; ++i) all_able = able(i, found.trace);
  if (!context_.budget.go_on()) return Premise::end;
  if (all_able) return analyse(found.trace, found);
  known_ = "too weak";
  note(0, total_size(), 2, found, known_);
  learn({found.trace, true});
  return Premise::fails;
}

// P forbids the word, and every component alone can do it. If the components' traces fit together, P is violated. If
// not, they disagree on shared actions outside the alphabets of the guarantees. All such actions of the traces are
// added and not only those that they disagree on: a component projected on half of its actions can have more states
// than before.
CircularLoop::Premise CircularLoop::analyse(const Trace& word, const SearchResult& found) {
  std::vector<LocalTrace> locals{{word, common_}};
  for (const ComponentSet& side : goal_.sides) {
    auto theirs = performance(word, common_, side, context_);
    if (theirs.outcome == Outcome::stopped) return Premise::end;
    check(theirs.outcome == Outcome::found, "a component cannot do what it was said to do");
    more_ = unite(more_, Alphabet(project(theirs.trace, subtract(all_, common_))));
    locals.push_back({std::move(theirs.trace), alphabet_of(side)});
  }
  auto whole = merge(locals);
  note(0, total_size(), 2, found, whole.stuck.empty() ? "violated" : "alphabet too small");
  if (!whole.stuck.empty())
    context_.tell(told::Widened{0, more_, word, who_has(std::span(locals).subspan(1), whole.stuck)});
  if (whole.stuck.empty()) verdict_ = Violated{std::move(whole.trace)};
  return Premise::end;
}

// If a component has no trace, not even the empty one, then neither has the system: its guarantee is the empty
// language.
std::optional<Verdict> prove_nothing(const ProofGoal& goal) {
  const auto empty = [](const ComponentSet& side) {
    return std::any_of(side.begin(), side.end(), [](const Lts* lts) { return lts->state_count() == 0; });
  };
  if (std::none_of(goal.sides.begin(), goal.sides.end(), empty)) return std::nullopt;
  Certificate certificate{Method::circular, {}, {}};
  for (const ComponentSet& side : goal.sides) {
    LtsBuilder builder;
    builder.set_state_count(empty(side) ? 0 : 1);
    certificate.assumptions.push_back(builder.build());
  }
  return Holds{std::move(certificate)};
}

}  // namespace

Verdict prove_circular(const ProofGoal& goal, const Context& context) {
  if (auto verdict = prove_nothing(goal)) return std::move(*verdict);
  const Alphabet& watched = goal.property().alphabet();
  const Alphabet all = unite(shared_alphabet(goal.sides), watched);
  Alphabet common = context.alphabet == AlphabetMode::full ? all : watched;
  std::vector<Lesson> lessons;
  Unknown last;
  while (true) {
    CircularLoop loop(goal, all, common, lessons, context);
    if (auto verdict = loop.run()) return std::move(*verdict);
    last = loop.unknown(std::move(last));
    if (!context.budget.go_on()) return last;
    check(!loop.more().empty(), "the actions of the guarantees should grow and nothing was said by what");
    common = unite(common, loop.more());
  }
}

}  // namespace surety
