#include "rules/sym.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include "base/check.hpp"
#include "engine/product/subset.hpp"
#include "learn/caching_teacher.hpp"
#include "learn/seed.hpp"
#include "rules/merge.hpp"
#include "rules/triple.hpp"

namespace surety {
namespace {

using Outcome = SearchResult::Outcome;
using Closing = SymRule::Closing;

// A with its rejecting state, where `signal` can happen: the product of several such can do it iff all have rejected.
// With `last` it leads to the error state.
Lts rejection(const Lts& a, Action signal, bool last) {
  LtsBuilder builder;
  const State sink{a.state_count()}, error{a.state_count() + 1};
  builder.set_state_count(a.state_count() + (last ? 2 : 1));
  builder.add_to_alphabet(a.alphabet());
  for (std::uint32_t s = 0; s < a.state_count(); ++s)
    for (const Action letter : a.alphabet()) {
      const auto steps = a.steps(State{s}, letter);
      builder.add_step(State{s}, letter, steps.empty() ? sink : steps.front().target);
    }
  for (const Action letter : a.alphabet()) builder.add_step(sink, letter, sink);
  builder.add_step(sink, signal, last ? error : sink);
  if (last) builder.set_error(error);
  return builder.build();
}

// What a component can do and how it goes wrong, word by word, over the assumptions' alphabet.
struct Component {
  Component(const ComponentSet& s, const Lts& p, const Alphabet& alphabet, Budget& budget)
      : side(s), property(p), wrong(triple(nullptr, s, p), alphabet, budget), able(parts(s), alphabet, budget) {}

  static std::vector<Part> parts(const ComponentSet& side) {
    std::vector<Part> out;
    for (const Lts* lts : side) out.push_back({lts, Role::component, false});
    return out;
  }
  const ComponentSet& side;
  const Lts& property;
  SubsetWalk wrong;  // the component with its property
  SubsetWalk able;   // the component alone
};

class SymTeacher : public Teacher {
 public:
  SymTeacher(std::vector<std::unique_ptr<Component>>& components, std::size_t index, bool crossed,
             const Alphabet& alphabet)
      : components_(components), index_(index), crossed_(crossed), alphabet_(alphabet) {}

  const Alphabet& alphabet() const override { return alphabet_; }
  bool member(Word word) override {
    if (!crossed_) return components_[index_]->wrong.walk(word) != SubsetWalk::kRejected;
    const auto length = violating_prefix(word);
    auto& able = components_[index_]->able;
    return !length || able.impossible(able.walk(word.first(*length)));
  }
  Answer conjecture(const Lts&) override { return Stopped{}; }  // conjectures are judged together, not one by one

  // The shortest prefix that leads some component to violate its property.
  std::optional<std::size_t> violating_prefix(Word word) {
    std::size_t shortest = std::numeric_limits<std::size_t>::max();
    for (auto& component : components_)
      for (std::size_t n = 0; n <= word.size() && n < shortest; ++n)
        if (component->wrong.walk(word.first(n)) == SubsetWalk::kRejected) shortest = n;
    if (shortest > word.size()) return std::nullopt;
    return shortest;
  }

 private:
  std::vector<std::unique_ptr<Component>>& components_;
  std::size_t index_;
  bool crossed_;
  const Alphabet& alphabet_;
};

// One run over one alphabet.
class SymLoop {
 public:
  SymLoop(const SymRule& rule, const ProofGoal& goal, const Alphabet& alphabet, const std::vector<Lts>& seeds,
          const Context& context);
  ~SymLoop();

  // Nothing: the budget ended, or the alphabet is too small.
  std::optional<Verdict> run();
  const Alphabet& more() const { return more_; }  // what the alphabet lacks
  std::vector<Lts> assumptions() const;           // of now
  // The last that were checked, one per component; fewer if the budget ended before.
  const std::vector<Lts>& checked() const { return checked_; }

 private:
  enum class Next { premise, round, end };  // the premise holds; an assumption has changed; there is an answer

  Next premises();
  Next own(std::size_t i);
  Next crossed(std::size_t j, std::size_t i);
  Next closing();
  Next refine(std::size_t i, int oracle, const SearchResult& found, Word word, const char* result);
  Next refine_or_analyse(const SearchResult& found);
  Next analyse(Word word);
  Next fit_together(std::size_t k, const SearchResult& violation);
  void note(std::size_t i, int oracle, const SearchResult& search, const char* result, Word word = {}) {
    const int number = static_cast<int>(i) + 1;
    context_.tell(told::Answered{number, oracle, result, word, search.trace, search.states, search.transitions});
    context_.cost.record({number,
                          learners_[i]->hypothesis().state_count(),
                          oracle,
                          search.states,
                          search.transitions,
                          result,
                          Trace(word.begin(), word.end()),
                          {},
                          0,
                          context_.kept(learners_[i]->hypothesis())});
  }
  SearchResult closing_search(const Lts* property, const ComponentSet* side) const;

  const SymRule& rule_;
  const ProofGoal& goal_;
  const Alphabet& alphabet_;
  const Context& context_;
  Action signal_;  // an action that no component has
  std::vector<std::unique_ptr<Component>> components_;
  std::vector<std::unique_ptr<SymTeacher>> teachers_;
  std::vector<std::unique_ptr<CachingTeacher>> caches_;
  std::vector<std::unique_ptr<Learner>> learners_;
  std::vector<bool> sound_;  // <Ai> Mi <Pi> holds for the Ai of now
  std::vector<Lts> checked_;
  std::optional<Verdict> verdict_;
  Alphabet more_;
};

SymLoop::SymLoop(const SymRule& rule, const ProofGoal& goal, const Alphabet& alphabet, const std::vector<Lts>& seeds,
                 const Context& context)
    : rule_(rule), goal_(goal), alphabet_(alphabet), context_(context), sound_(goal.sides.size(), false) {
  Alphabet used = alphabet_;
  for (const ComponentSet& side : goal.sides) used = unite(used, alphabet_of(side));
  signal_ = Action{(used.empty() ? 0 : used[used.size() - 1].value) + 1};
  for (std::size_t i = 0; i < goal.sides.size(); ++i)
    components_.push_back(
        std::make_unique<Component>(goal.sides[i], *goal.properties[rule.crossed ? i : 0], alphabet_, context.budget));
  for (std::size_t i = 0; i < components_.size(); ++i) {
    teachers_.push_back(std::make_unique<SymTeacher>(components_, i, rule.crossed, alphabet_));
    caches_.push_back(std::make_unique<CachingTeacher>(*teachers_[i], context.budget));
    learners_.push_back(make_learner(context.learner, *caches_[i]));
    if (i < seeds.size()) seed(*learners_[i], *caches_[i], seeds[i], context.budget);
  }
}

SymLoop::~SymLoop() {
  for (std::size_t i = 0; i < components_.size(); ++i) {
    const auto& component = *components_[i];
    context_.cost.queries += caches_[i]->queries();
    context_.cost.add_queries(component.wrong.states() + component.able.states(),
                              component.wrong.transitions() + component.able.transitions());
  }
}

std::vector<Lts> SymLoop::assumptions() const {
  std::vector<Lts> out;
  for (const auto& learner : learners_) out.push_back(learner->hypothesis());
  return out;
}

std::optional<Verdict> SymLoop::run() {
  while (context_.budget.go_on()) {
    const Next next = premises();
    if (next == Next::end) return std::move(verdict_);
    if (next == Next::premise) return Holds{{rule_.method, {}, assumptions()}};
  }
  return std::nullopt;
}

SymLoop::Next SymLoop::premises() {
  const std::size_t n = components_.size();
  for (std::size_t i = 0; i < n; ++i)
    if (const Next next = own(i); next != Next::premise) return next;
  for (std::size_t j = 0; j < n && rule_.crossed; ++j)
    for (std::size_t i = 0; i < n; ++i)
      if (i != j)
        if (const Next next = crossed(j, i); next != Next::premise) return next;
  return closing();
}

// 1  <Ai> Mi <Pi>
SymLoop::Next SymLoop::own(std::size_t i) {
  if (sound_[i]) return Next::premise;
  context_.budget.phase("premise 1");
  const Lts& a = learners_[i]->hypothesis();
  if (!context_.budget.go_on()) return Next::end;
  ++context_.cost.conjectures;
  context_.budget.count_conjecture();
  if (i == checked_.size()) checked_.emplace_back();
  checked_[i] = a;
  context_.tell(told::Conjecture{static_cast<int>(i) + 1, a});
  context_.tell(told::Asked{static_cast<int>(i) + 1, 1});
  const auto found = check_triple(&a, components_[i]->side, components_[i]->property, context_);
  if (found.outcome == Outcome::stopped) return Next::end;
  if (found.outcome == Outcome::found) return refine(i, 1, found, project(found.trace, alphabet_), "too weak");
  sound_[i] = true;
  return Next::premise;
}

// 3  <Aj> Mj <Ai>
SymLoop::Next SymLoop::crossed(std::size_t j, std::size_t i) {
  context_.budget.phase("premise 3");
  context_.tell(told::Asked{static_cast<int>(i) + 1, 2});
  const auto found =
      check_triple(&learners_[j]->hypothesis(), components_[j]->side, learners_[i]->hypothesis(), context_);
  if (found.outcome == Outcome::stopped) return Next::end;
  if (found.outcome == Outcome::exhausted) return Next::premise;
  const Trace word = project(found.trace, alphabet_);
  const bool keep = caches_[i]->member(word);
  if (!context_.budget.go_on()) return Next::end;
  if (keep) return refine(i, 2, found, word, "too strong");
  // A prefix is a violation that Mi and Mj can do. If all components can do it, it is real; if not, Aj should forbid
  // it.
  const Word bad = Word(word).first(*teachers_[i]->violating_prefix(word));
  const bool all = std::all_of(components_.begin(), components_.end(),
                               [&](auto& c) { return !c->able.impossible(c->able.walk(bad)); });
  if (!context_.budget.go_on()) return Next::end;
  return all ? analyse(bad) : refine(j, 2, found, word, "too weak");
}

// A word that all Ai reject, and the property too if there is one, and that the side can do if there is one.
SearchResult SymLoop::closing_search(const Lts* property, const ComponentSet* side) const {
  std::vector<Lts> rejecting;
  for (std::size_t i = 0; i < learners_.size(); ++i)
    rejecting.push_back(rejection(learners_[i]->hypothesis(), signal_, i == 0));
  if (property != nullptr) rejecting.push_back(rejection(*property, signal_, false));
  std::vector<Part> parts;
  for (const Lts& lts : rejecting) parts.push_back({&lts});
  if (side != nullptr)
    for (const Lts* lts : *side) parts.push_back({lts, Role::component, false});
  auto found = search(parts, Goal::violation, context_.budget, context_.threads, context_.reduction);
  context_.cost.add(found);
  return found;
}

SymLoop::Next SymLoop::closing() {
  context_.budget.phase("closing premise");
  context_.tell(told::Asked{0, 2});
  SearchResult found;
  if (rule_.closing == Closing::nothing) {
    found = closing_search(nullptr, nullptr);
  } else if (rule_.closing == Closing::property) {
    for (const Lts* property : goal_.properties)
      if (found = closing_search(property, nullptr); found.outcome != Outcome::exhausted) break;
  } else {
    for (const ComponentSet& side : goal_.sides)
      if (found = closing_search(nullptr, &side); found.outcome != Outcome::found) break;
  }
  if (found.outcome == Outcome::stopped) return Next::end;
  if (found.outcome == Outcome::exhausted) {
    for (std::size_t i = 0; i < learners_.size(); ++i) note(i, 2, found, "holds");
    return Next::premise;
  }
  return refine_or_analyse(found);
}

// Every Ai that rejects the word, although its teacher accepts it, is weakened. If there is none, the word is a
// violation.
SymLoop::Next SymLoop::refine_or_analyse(const SearchResult& found) {
  const Trace word = project(found.trace, alphabet_);
  Next next = Next::premise;
  for (std::size_t i = 0; i < caches_.size(); ++i) {
    const bool keep = caches_[i]->member(word);
    if (!context_.budget.go_on()) return Next::end;
    if (keep) next = refine(i, 2, found, word, "too strong");
  }
  return next == Next::premise ? analyse(Word(word).first(*teachers_[0]->violating_prefix(word))) : next;
}

SymLoop::Next SymLoop::refine(std::size_t i, int oracle, const SearchResult& found, Word word, const char* result) {
  note(i, oracle, found, result, word);
  learners_[i]->refine(word);
  sound_[i] = false;
  return Next::round;
}

// Every component can do the word, and it leads one of them to a violation. Which one?
SymLoop::Next SymLoop::analyse(Word word) {
  for (std::size_t k = 0; k < components_.size(); ++k) {
    const auto found = violation_under(word, alphabet_, components_[k]->side, components_[k]->property, context_);
    if (found.outcome == Outcome::stopped) return Next::end;
    if (found.outcome == Outcome::found) return fit_together(k, found);
  }
  check(false, "a violating word leads no component to a violation");
  return Next::end;
}

// Component k violates its property by a trace that all others can do, as far as the assumptions' alphabet shows it. If
// the traces of all components fit together, the violation is real; if not, the alphabet is too small.
SymLoop::Next SymLoop::fit_together(std::size_t k, const SearchResult& violation) {
  const Component& bad = *components_[k];
  const Trace visible = project(violation.trace, alphabet_);
  std::vector<LocalTrace> locals{{violation.trace, unite(alphabet_of(bad.side), bad.property.alphabet())}};
  for (const auto& other : components_) {
    if (other == components_[k]) continue;
    const auto theirs = performance(visible, alphabet_, other->side, context_);
    if (theirs.outcome == Outcome::stopped) return Next::end;
    check(theirs.outcome == Outcome::found, "a component cannot do what it was said to do");
    locals.push_back({theirs.trace, alphabet_of(other->side)});
  }
  auto whole = merge(locals);
  const bool real = whole.stuck.empty();
  note(k, 2, violation, real ? "violated" : "alphabet too small");
  if (real) {
    verdict_ = Violated{std::move(whole.trace)};
  } else {
    more_ = subtract(whole.stuck, alphabet_);
    context_.tell(
        told::Widened{static_cast<int>(k) + 1, more_, locals[0].trace, who_has(std::span(locals).subspan(1), more_)});
  }
  return Next::end;
}

}  // namespace

Verdict prove_sym(const SymRule& rule, const ProofGoal& goal, const Context& context) {
  Alphabet alphabet;
  for (const Lts* property : goal.properties) alphabet = unite(alphabet, property->alphabet());
  if (context.alphabet == AlphabetMode::full) alphabet = unite(alphabet, shared_alphabet(goal.sides));
  std::vector<Lts> seeds = context.seeds != nullptr ? *context.seeds : std::vector<Lts>{};
  const Alphabet shared = shared_alphabet(goal.sides);
  for (const Lts& guess : seeds) alphabet = unite(alphabet, intersect(shared, guess.alphabet()));
  while (true) {
    SymLoop loop(rule, goal, alphabet, seeds, context);
    if (auto verdict = loop.run()) return std::move(*verdict);
    if (!context.budget.go_on()) {
      // Hypotheses made after the end mean nothing; those before it do.
      if (loop.checked().size() == goal.sides.size()) seeds = loop.checked();
      const auto& iterations = context.cost.iterations;
      return Unknown{context.budget.why(), std::move(seeds),
                     iterations.empty() ? "untested" : iterations.back().result};
    }
    seeds = loop.assumptions();
    check(!loop.more().empty(), "the alphabet should grow and nothing was said by what");
    alphabet = unite(alphabet, loop.more());
  }
}

}  // namespace surety
