#include "rules/asym.hpp"

#include "base/check.hpp"
#include "engine/product/subset.hpp"
#include "learn/caching_teacher.hpp"
#include "learn/learner.hpp"
#include "learn/prove.hpp"
#include "learn/seed.hpp"
#include "model/transform.hpp"
#include "rules/merge.hpp"
#include "rules/triple.hpp"

namespace surety {
namespace {

using Outcome = SearchResult::Outcome;

// M2 as it is: the product of its components is searched.
class PlainEnvironment : public Environment {
 public:
  PlainEnvironment(const ComponentSet& m2, const Context& context)
      : m2_(m2), alphabet_(alphabet_of(m2)), context_(context) {}

  const Alphabet& alphabet() const override { return alphabet_; }
  std::variant<Kept, Broken, Stopped> keeps(const Lts& assumption) override {
    auto result = check_triple(nullptr, m2_, assumption, context_);
    if (result.outcome == Outcome::stopped) return Stopped{};
    if (result.outcome == Outcome::exhausted) return Kept{};
    return Broken{std::move(result.trace)};
  }
  std::optional<Trace> perform(Word word, const Alphabet& alphabet) override {
    auto result = performance(word, alphabet, m2_, context_);
    if (result.outcome != Outcome::found) return std::nullopt;
    return std::move(result.trace);
  }

 private:
  const ComponentSet& m2_;
  Alphabet alphabet_;
  const Context& context_;
};

class AsymTeacher : public Teacher {
 public:
  AsymTeacher(Environment& environment, const ComponentSet& m1, const Lts& property, Alphabet alphabet, int level,
              const Context& context)
      : environment_(environment),
        m1_(m1),
        property_(property),
        mine_(unite(alphabet_of(m1), property.alphabet())),
        alphabet_(std::move(alphabet)),
        level_(level),
        context_(context) {
    walk_ = context.checker != nullptr
                ? context.checker->walk(m1, property, alphabet_, context.budget)
                : std::make_unique<SubsetWalk>(triple(nullptr, m1, property), alphabet_, context.budget);
  }

  const Alphabet& alphabet() const override { return alphabet_; }
  bool member(Word word) override {
    if (walk_) return walk_->walk(word) != SubsetWalk::kRejected;
    return violation_under(word, alphabet_, m1_, property_, context_, Checker::Want::verdict).outcome ==
           Outcome::exhausted;
  }
  Answer conjecture(const Lts& assumption) override;

  // All membership queries together are one search, unless another checker was asked each of them.
  void count_queries() const {
    if (walk_) context_.cost.add_queries(walk_->states(), walk_->transitions());
  }
  std::vector<Lts> further;  // the environment's own assumptions, once it keeps this one

 private:
  void ask(int oracle) {
    context_.budget.phase(oracle == 1 ? "oracle 1" : "oracle 2");
    context_.tell(told::Asked{level_, oracle});
    states_before_ = context_.cost.states;
    transitions_before_ = context_.cost.transitions;
  }
  Answer note(const Lts& assumption, int oracle, const char* result, Word trace, Answer answer);
  Answer analyse(const Lts& assumption, int oracle, const Trace& theirs);

  Environment& environment_;
  const ComponentSet& m1_;
  const Lts& property_;
  Alphabet mine_;
  Alphabet alphabet_;
  int level_;
  const Context& context_;
  std::unique_ptr<SubsetWalk> walk_;                          // null: a checker is asked each query
  std::uint64_t states_before_ = 0, transitions_before_ = 0;  // when the oracle was asked
};

// `trace`: what shows the result, if something does.
Answer AsymTeacher::note(const Lts& assumption, int oracle, const char* result, Word trace, Answer answer) {
  auto& cost = context_.cost;
  const auto* refine = std::get_if<Refine>(&answer);
  const Trace word = refine != nullptr ? refine->word : Trace();
  const auto states = cost.states - states_before_, transitions = cost.transitions - transitions_before_;
  context_.tell(told::Answered{level_, oracle, result, word, trace, states, transitions});
  cost.record(
      {level_, assumption.state_count(), oracle, states, transitions, result, word, {}, 0, context_.kept(assumption)});
  return answer;
}

Answer AsymTeacher::conjecture(const Lts& assumption) {
  ++context_.cost.conjectures;
  context_.tell(told::Conjecture{level_, assumption});
  ask(1);
  if (assumption.state_count() == 0) return analyse(assumption, 1, {});  // not even the empty word is safe

  const auto first = check_triple(&assumption, m1_, property_, context_);  // <A> M1 <P>
  if (first.outcome == Outcome::stopped) return Stopped{};
  if (first.outcome == Outcome::found)
    return note(assumption, 1, "too weak", first.trace, Refine{project(first.trace, alphabet_)});

  ask(2);
  auto second = environment_.keeps(assumption);  // <true> M2 <A>
  if (std::holds_alternative<Stopped>(second)) return Stopped{};
  if (auto* kept = std::get_if<Environment::Kept>(&second)) {
    further = std::move(kept->assumptions);
    return note(assumption, 2, "holds", {}, Accepted{});
  }
  const Trace& theirs = std::get<Environment::Broken>(second).trace;
  Trace word = project(theirs, alphabet_);
  if (member(word)) return note(assumption, 2, "too strong", theirs, Refine{std::move(word)});
  return analyse(assumption, 2, theirs);
}

// M2 has the trace `theirs`, and M1 violates P in an environment that does its projection on A's alphabet. If the two
// traces agree on the whole interface, the violation is real; if not, A's alphabet is too small.
Answer AsymTeacher::analyse(const Lts& assumption, int oracle, const Trace& theirs) {
  if (!context_.budget.go_on()) return Stopped{};
  auto ours = violation_under(project(theirs, alphabet_), alphabet_, m1_, property_, context_);
  if (ours.outcome == Outcome::stopped) return Stopped{};
  check(ours.outcome == Outcome::found, "a rejected word does not lead M1 to a violation");

  const Alphabet interface = intersect(mine_, environment_.alphabet());
  auto whole = merge({{ours.trace, mine_}, {theirs, environment_.alphabet()}});
  if (!whole.stuck.empty())
    if (const auto other = environment_.perform(project(ours.trace, interface), interface))
      whole = merge({{ours.trace, mine_}, {*other, environment_.alphabet()}});
  if (whole.stuck.empty()) return note(assumption, oracle, "violated", whole.trace, Violated{whole.trace});
  if (!context_.budget.go_on()) return Stopped{};
  const Alphabet more = subtract(whole.stuck, alphabet_);
  Answer answer = note(assumption, oracle, "alphabet too small", theirs, Widen{more});
  context_.tell(told::Widened{level_, more, ours.trace, theirs});
  return answer;
}

// All of the interface, or only what the property speaks of; and the actions of a first guess, which are likely to be
// needed.
Alphabet first_alphabet(const Alphabet& interface, const Lts& property, const Lts* guess, AlphabetMode mode) {
  const Alphabet alphabet = mode == AlphabetMode::full ? interface : intersect(interface, property.alphabet());
  return guess == nullptr ? alphabet : unite(alphabet, intersect(interface, guess->alphabet()));
}

// The assumption, with those that the environment needs to keep it.
Holds proof_with(const Lts& assumption, AsymTeacher& asym) {
  Holds out{{Method::asym, {}, {assumption}}};
  for (Lts& a : asym.further) out.certificate.assumptions.push_back(std::move(a));
  return out;
}

// A guess may be enough as it is, or show a violation. A learner that starts from it ends nearer to the weakest
// assumption, with more states.
std::optional<Verdict> try_guess(AsymTeacher& asym, const Lts& guess, const Alphabet& interface) {
  if (guess.state_count() == 0 || !subtract(guess.alphabet(), interface).empty()) return std::nullopt;
  Answer answer = asym.conjecture(guess);
  if (std::holds_alternative<Accepted>(answer)) return proof_with(guess, asym);
  if (auto* violated = std::get_if<Violated>(&answer)) return std::move(*violated);
  return std::nullopt;
}

// An assumption over the alphabet of the teacher. The learner starts from the seed, if there is one.
Learned learn(AsymTeacher& asym, const Lts* seed, const Context& context) {
  CachingTeacher teacher(asym, context.budget);
  const auto learner = make_learner(context.learner, teacher);
  if (seed != nullptr) surety::seed(*learner, teacher, *seed, context.budget);
  Learned learned = prove(*learner, teacher, context.budget);
  context.cost.queries += teacher.queries();
  asym.count_queries();
  return learned;
}

// Before its first conjecture a learner knows nothing better than what it started from. `widened`: that is the last
// conjecture over a smaller alphabet.
Unknown with_last_assumption(Unknown unknown, const Lts* seed, bool widened) {
  if (!unknown.assumptions.empty() || seed == nullptr) return unknown;
  unknown.assumptions = {*seed};
  if (widened) unknown.known = "its alphabet is too small";
  return unknown;
}

}  // namespace

// One learner after another, each over a larger alphabet than the one before.
Verdict prove_in(Environment& environment, const ComponentSet& m1, const Lts& property, const Lts* seed, int level,
                 const Context& context) {
  const Alphabet interface = intersect(unite(alphabet_of(m1), property.alphabet()), environment.alphabet());
  Alphabet alphabet = first_alphabet(interface, property, seed, context.alphabet);
  std::optional<Lts> last;  // the last conjecture over a smaller alphabet
  while (true) {
    AsymTeacher asym(environment, m1, property, alphabet, level, context);
    if (seed != nullptr && !last)
      if (auto verdict = try_guess(asym, *seed, interface)) return std::move(*verdict);
    const Lts* start = last ? &*last : seed;
    Learned learned = learn(asym, start, context);
    if (auto* violated = std::get_if<Violated>(&learned)) return std::move(*violated);
    if (auto* unknown = std::get_if<Unknown>(&learned))
      return with_last_assumption(std::move(*unknown), start, last.has_value());
    if (const auto* proved = std::get_if<Proved>(&learned)) return proof_with(proved->assumption, asym);
    auto& wider = std::get<Wider>(learned);
    check(!wider.more.empty(), "an alphabet should grow and nothing was said by what");
    alphabet = unite(alphabet, wider.more);
    last = std::move(wider.assumption);
  }
}

namespace {

// With an assumption that was supplied (doc/rules.md#asym): M2 must keep it; then it is enough, or a second one is
// learned beside it.
Verdict prove_with_supplied(Environment& m2, const ProofGoal& goal, const Context& context) {
  const Lts& supplied = *context.supplied;
  const auto note = [&](int oracle, const SearchResult& found, const char* result) {
    ++context.cost.conjectures;
    context.tell(told::Answered{1, oracle, result, found.trace, found.trace, found.states, found.transitions});
    context.cost.record({1,
                         supplied.state_count(),
                         oracle,
                         found.states,
                         found.transitions,
                         result,
                         found.trace,
                         {},
                         0,
                         context.kept(supplied)});
  };
  context.tell(told::Conjecture{1, supplied});
  const auto kept = check_triple(nullptr, goal.sides[1], supplied, context);
  if (kept.outcome == Outcome::stopped) return Unknown{context.budget.why(), {supplied}, "untested", {}};
  if (kept.outcome == Outcome::found) {
    note(2, kept, "wrong");
    return Unknown{Stop::assumption, {supplied}, "wrong: the rest does not keep it", kept.trace};
  }
  const auto enough = check_triple(&supplied, goal.sides[0], goal.property(), context);
  if (enough.outcome == Outcome::stopped) return Unknown{context.budget.why(), {supplied}, "the rest keeps it", {}};
  if (enough.outcome == Outcome::exhausted) {
    note(1, enough, "holds");
    return Holds{{Method::asym, {}, {supplied}}};
  }
  note(1, enough, "too weak");
  ComponentSet m1 = goal.sides[0];
  m1.push_back(&supplied);
  Verdict verdict = prove_in(m2, m1, goal.property(), context.seed(0), 2, context);
  if (auto* holds = std::get_if<Holds>(&verdict))
    holds->certificate.assumptions.insert(holds->certificate.assumptions.begin(), supplied);
  return verdict;
}

}  // namespace

// A proof ends with a search of all of M2. Where no search may meet so many states nothing needs to be learned.
bool is_too_large(const ComponentSet& m2, const Context& context) {
  if (!context.search_states) return false;
  Cost own;
  const auto result = check_triple(nullptr, m2, trace_lts({}, {}), context.on(context.budget, own, context.threads));
  if (result.outcome == SearchResult::Outcome::stopped) context.cost.add(result);
  return result.outcome == SearchResult::Outcome::stopped;
}

Verdict prove_asym(const ProofGoal& goal, const Context& context) {
  if (is_too_large(goal.sides[1], context)) return Unknown{context.budget.why(), {}, {}, {}};
  PlainEnvironment m2(goal.sides[1], context);
  if (context.supplied != nullptr) return prove_with_supplied(m2, goal, context);
  return prove_in(m2, goal.sides[0], goal.property(), context.seed(0), 1, context);
}

}  // namespace surety
