#include "rules/asym.hpp"

#include "base/check.hpp"
#include "engine/subset.hpp"
#include "learn/caching_teacher.hpp"
#include "learn/lstar.hpp"
#include "learn/prove.hpp"
#include "model/transform.hpp"

namespace surety {
namespace {

Alphabet alphabet_of(const std::vector<const Lts*>& group) {
  Alphabet all;
  for (const Lts* lts : group) all = unite(all, lts->alphabet());
  return all;
}

std::vector<Part> triple(const Lts* assumption, const std::vector<const Lts*>& components, const Lts& property) {
  std::vector<Part> parts;
  if (assumption != nullptr) parts.push_back({assumption});
  for (const Lts* component : components) parts.push_back({component, Role::component, false});
  parts.push_back({&property, Role::watch});
  return parts;
}

// Interleaves a trace of M1 || P and a trace of M2 that agree on the interface; of the second only
// as much as the first needs.
Trace merge(Word first, Word second, const Alphabet& interface) {
  Trace whole;
  auto theirs = second.begin();
  for (const Action a : first) {
    if (interface.contains(a)) {
      while (theirs != second.end() && !interface.contains(*theirs)) whole.push_back(*theirs++);
      check(theirs != second.end() && *theirs == a, "the two halves of a counterexample disagree");
      ++theirs;
    }
    whole.push_back(a);
  }
  return whole;
}

class AsymTeacher : public Teacher {
 public:
  AsymTeacher(const AsymProblem& problem, Budget& budget, unsigned threads, Cost& cost)
      : problem_(problem),
        alphabet_(interface_alphabet(problem)),
        budget_(budget),
        threads_(threads),
        cost_(cost),
        walk_(triple(nullptr, problem.m1, *problem.property), alphabet_, budget) {}

  const Alphabet& alphabet() const override { return alphabet_; }
  bool member(Word word) override { return walk_.walk(word) != SubsetWalk::kRejected; }
  Answer conjecture(const Lts& assumption) override;
  const SubsetWalk& walk() const { return walk_; }

 private:
  SearchResult look(const std::vector<Part>& parts) {
    auto result = search(parts, Goal::violation, budget_, threads_);
    cost_.add(result);
    return result;
  }
  Answer note(const Lts& assumption, int oracle, const SearchResult& search, const char* result, Answer answer) {
    cost_.iterations.push_back({assumption.state_count(), oracle, search.states, search.transitions, result});
    return answer;
  }

  // How M1 || P goes wrong when its environment does this word, or a prefix of it.
  SearchResult violation_under(Word word) {
    const Lts environment = trace_lts(word, alphabet_);
    return look(triple(&environment, problem_.m1, *problem_.property));
  }

  const AsymProblem& problem_;
  Alphabet alphabet_;
  Budget& budget_;
  unsigned threads_;
  Cost& cost_;
  SubsetWalk walk_;
};

using Outcome = SearchResult::Outcome;

Answer AsymTeacher::conjecture(const Lts& assumption) {
  ++cost_.conjectures;
  budget_.phase("oracle 1");
  // Over the whole interface, no word at all is safe: M1 fails whatever M2 does.
  if (assumption.state_count() == 0) {
    const auto alone = violation_under({});
    if (alone.outcome == Outcome::stopped) return Stopped{};
    check(alone.outcome == Outcome::found, "the empty word is rejected, yet M1 alone is safe");
    return note(assumption, 1, alone, "violated", Violated{alone.trace});
  }

  const auto first = look(triple(&assumption, problem_.m1, *problem_.property));  // <A> M1 <P>
  if (first.outcome == Outcome::stopped) return Stopped{};
  if (first.outcome == Outcome::found)
    return note(assumption, 1, first, "too weak", Refine{project(first.trace, alphabet_)});

  budget_.phase("oracle 2");
  const auto second = look(triple(nullptr, problem_.m2, assumption));  // <true> M2 <A>
  if (second.outcome == Outcome::stopped) return Stopped{};
  if (second.outcome == Outcome::exhausted) return note(assumption, 2, second, "holds", Accepted{});

  const Trace word = project(second.trace, alphabet_);
  if (member(word)) return note(assumption, 2, second, "too strong", Refine{word});
  if (!budget_.go_on()) return Stopped{};
  const auto violation = violation_under(word);  // M2 really does this, and M1 then fails
  if (violation.outcome == Outcome::stopped) return Stopped{};
  check(violation.outcome == Outcome::found, "a rejected word does not lead M1 to a violation");
  return note(assumption, 2, second, "violated", Violated{merge(violation.trace, second.trace, alphabet_)});
}

}  // namespace

Alphabet interface_alphabet(const AsymProblem& problem) {
  return intersect(unite(alphabet_of(problem.m1), problem.property->alphabet()), alphabet_of(problem.m2));
}

Verdict prove_asym(const AsymProblem& problem, Budget& budget, unsigned threads, Cost& cost) {
  AsymTeacher asym(problem, budget, threads, cost);
  CachingTeacher teacher(asym, budget);
  LStar learner(teacher);
  Learned learned = prove(learner, teacher, budget);
  cost.queries = teacher.queries();
  cost.add(asym.walk().states(), asym.walk().transitions());  // all membership queries together: one search
  if (auto* proved = std::get_if<Proved>(&learned)) return Holds{{"asym", {}, {std::move(proved->assumption)}}};
  if (auto* violated = std::get_if<Violated>(&learned)) return std::move(*violated);
  return std::get<Unknown>(std::move(learned));
}

}  // namespace surety
