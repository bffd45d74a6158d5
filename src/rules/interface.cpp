#include "rules/interface.hpp"

#include <tsl/robin_set.h>

#include <array>
#include <memory>

#include "base/check.hpp"
#include "base/hash.hpp"
#include "engine/product/subset.hpp"
#include "learn/caching_teacher.hpp"
#include "learn/conformance.hpp"
#include "learn/learner.hpp"
#include "learn/prove.hpp"
#include "rules/triple.hpp"
#include "rules/weakest.hpp"

namespace surety {
namespace {

using Node = SubsetWalk::Node;

// What the comparison with the exact construction may cost.
constexpr std::uint64_t kCompareStates = 200'000;
constexpr std::uint64_t kCompareBytes = 512ULL << 20;
constexpr std::chrono::seconds kCompareTime{5};

// A shortest word that `has` (not null) and `safe` (not null) accept and the assumption does not. Nothing: there is
// none, or the budget ended.
class MissingWord {
 public:
  MissingWord(const Lts& assumption, SubsetWalk* has, SubsetWalk* safe, Budget& budget)
      : assumption_(assumption), has_(has), safe_(safe), budget_(budget), charge_(budget) {}

  std::optional<Trace> find() {
    add({0, has_ ? has_->initial() : 0, safe_ ? safe_->initial() : 0}, 0, 0);
    for (std::uint32_t i = 0; i < queue_.size(); ++i) {
      const auto [state, h, s] = queue_[i].at;
      for (std::uint32_t letter = 0; letter < assumption_.alphabet().size(); ++letter) {
        const Node has = has_ ? has_->step(h, letter) : 0;
        if (has_ && (has == SubsetWalk::kRejected || has_->impossible(has))) continue;
        const Node safe = safe_ ? safe_->step(s, letter) : 0;
        if (!budget_.go_on()) return std::nullopt;
        if (safe_ && safe == SubsetWalk::kRejected) continue;
        const auto steps = assumption_.steps(State{state}, assumption_.alphabet()[letter]);
        if (steps.empty()) return word(i, letter);
        add({steps.front().target.value, has, safe}, i, letter);
      }
      if (!charge_.grow_to(queue_.size() * 48)) budget_.stop(Stop::memory);
      if (!budget_.go_on()) return std::nullopt;
    }
    return std::nullopt;
  }

 private:
  using Place = std::array<std::uint32_t, 3>;  // a state of the assumption, and where the walks are
  struct Hash {
    std::size_t operator()(const Place& place) const { return hash_range(place); }
  };
  struct Entry {
    Place at;
    std::uint32_t parent, letter;
  };

  void add(const Place& place, std::uint32_t parent, std::uint32_t letter) {
    if (met_.insert(place).second) queue_.push_back({place, parent, letter});
  }
  Trace word(std::uint32_t i, std::uint32_t letter) const {
    Trace out{assumption_.alphabet()[letter]};
    for (; i != 0; i = queue_[i].parent) out.push_back(assumption_.alphabet()[queue_[i].letter]);
    std::reverse(out.begin(), out.end());
    return out;
  }

  const Lts& assumption_;
  SubsetWalk *has_, *safe_;
  Budget& budget_;
  Charge charge_;
  tsl::robin_set<Place, Hash> met_;
  std::vector<Entry> queue_;
};

// The words that lead the system to no error.
class SafeWords : public Teacher {
 public:
  SafeWords(SubsetWalk& walk, const Alphabet& alphabet) : walk_(walk), alphabet_(alphabet) {}
  const Alphabet& alphabet() const override { return alphabet_; }
  bool member(Word word) override { return walk_.walk(word) != SubsetWalk::kRejected; }
  Answer conjecture(const Lts&) override { return Stopped{}; }  // has no oracles

 private:
  SubsetWalk& walk_;
  const Alphabet& alphabet_;
};

// What a checker is asked about.
struct Asked {
  ComponentSet side;
  const Lts* property = nullptr;

  explicit Asked(const std::vector<Part>& system) {
    for (const Part& part : system) {
      if (part.role == Role::component) side.push_back(part.lts);
      if (part.role != Role::watch) continue;
      check(property == nullptr, "an interface for two properties, and a checker that takes one");
      property = part.lts;
    }
    check(property != nullptr, "an interface for no property, and a checker that takes one");
  }
};

// The same words, one triple per query.
class CheckedWords : public Teacher {
 public:
  CheckedWords(const std::vector<Part>& system, const Alphabet& alphabet, const Context& context)
      : asked_(system), alphabet_(alphabet), context_(context) {}
  const Alphabet& alphabet() const override { return alphabet_; }
  bool member(Word word) override {
    const auto result =
        violation_under(word, alphabet_, asked_.side, *asked_.property, context_, Checker::Want::verdict);
    return result.outcome == SearchResult::Outcome::exhausted;
  }
  Answer conjecture(const Lts&) override { return Stopped{}; }  // has no oracles

 private:
  const Asked asked_;
  const Alphabet& alphabet_;
  const Context& context_;
};

// The properties as processes, which do what they allow.
std::vector<Part> as_components(const std::vector<Part>& system) {
  static const Lts idle = LtsBuilder().build();
  std::vector<Part> out{{&idle}};  // without properties everything is allowed
  for (const Part& part : system)
    if (part.role == Role::watch) out.push_back({part.lts});
  return out;
}

// Is every word that the properties allow a safe one?
bool allowed_is_safe(const std::vector<Part>& system, const Alphabet& alphabet) {
  for (const Part& part : system) {
    if (part.role == Role::watch && !subtract(part.lts->alphabet(), alphabet).empty()) return false;
    if (part.role == Role::component && part.error_counts && part.lts->error()) return false;
  }
  return true;
}

class InterfaceTeacher : public Teacher {
 public:
  InterfaceTeacher(const std::vector<Part>& system, CachingTeacher& queries, std::optional<std::uint64_t> bound,
                   const Context& context)
      : system_(system), queries_(queries), bound_(bound), context_(context) {}

  const Alphabet& alphabet() const override { return queries_.alphabet(); }
  bool member(Word word) override { return queries_.member(word); }
  Answer conjecture(const Lts& assumption) override;

 protected:
  virtual SearchResult first_oracle(const Lts& assumption) = 0;             // <A> M <P>
  virtual std::optional<Trace> what_is_missing(const Lts& assumption) = 0;  // of what P allows

  const std::vector<Part>& system_;
  CachingTeacher& queries_;
  std::optional<std::uint64_t> bound_;
  const Context& context_;

 private:
  std::optional<Trace> second_oracle(const Lts& assumption) {
    if (!bound_) return what_is_missing(assumption);
    return find_nonconformance(assumption, queries_, *bound_ + 1, context_.budget);  // its bound counts the sink
  }
};

class OwnSearch : public InterfaceTeacher {
 public:
  OwnSearch(const std::vector<Part>& system, CachingTeacher& queries, SubsetWalk& walk,
            std::optional<std::uint64_t> bound, const Context& context)
      : InterfaceTeacher(system, queries, bound, context),
        allowed_(as_components(system), queries.alphabet(), context.budget),
        safe_(allowed_is_safe(system, queries.alphabet()) ? nullptr : &walk) {}

 private:
  SearchResult first_oracle(const Lts& assumption) override {
    std::vector<Part> parts{{&assumption}};
    parts.insert(parts.end(), system_.begin(), system_.end());
    auto result = search(parts, Goal::violation, context_.budget, context_.threads, context_.reduction);
    context_.cost.add(result);
    return result;
  }
  std::optional<Trace> what_is_missing(const Lts& assumption) override {
    return MissingWord(assumption, &allowed_, safe_, context_.budget).find();
  }

  SubsetWalk allowed_;
  SubsetWalk* safe_;
};

class ByTriples : public InterfaceTeacher {
 public:
  ByTriples(const std::vector<Part>& system, CachingTeacher& queries, std::optional<std::uint64_t> bound,
            const Context& context)
      : InterfaceTeacher(system, queries, bound, context), asked_(system) {
    check(bound || allowed_is_safe(system, queries.alphabet()), "a property with actions that the alphabet lacks");
  }

 private:
  SearchResult first_oracle(const Lts& assumption) override {
    return check_triple(&assumption, asked_.side, *asked_.property, context_);
  }
  std::optional<Trace> what_is_missing(const Lts& assumption) override {
    const auto result = check_triple(asked_.property, {}, assumption, context_);
    if (result.outcome != SearchResult::Outcome::found) return std::nullopt;
    return project(result.trace, alphabet());
  }

  const Asked asked_;
};

Answer InterfaceTeacher::conjecture(const Lts& assumption) {
  ++context_.cost.conjectures;
  SearchResult first;
  const auto note = [&](int oracle, const char* result, Answer answer) {
    const auto* refine = std::get_if<Refine>(&answer);
    const Trace word = refine != nullptr ? refine->word : Trace();
    context_.tell(told::Answered{1, oracle, result, word, first.trace, first.states, first.transitions});
    context_.cost.record({1,
                          assumption.state_count(),
                          oracle,
                          first.states,
                          first.transitions,
                          result,
                          word,
                          {},
                          0,
                          context_.kept(assumption)});
    return answer;
  };
  context_.tell(told::Conjecture{1, assumption});
  if (assumption.state_count() == 0) return note(1, "holds", Accepted{});  // not even silence is safe

  context_.budget.phase("oracle 1");
  context_.tell(told::Asked{1, 1});
  first = first_oracle(assumption);
  if (first.outcome == SearchResult::Outcome::stopped) return Stopped{};
  if (first.outcome == SearchResult::Outcome::found)
    return note(1, "too weak", Refine{project(first.trace, alphabet())});

  context_.budget.phase("oracle 2");
  context_.tell(told::Asked{1, 2});
  first.states = first.transitions = 0;  // oracle 2 does not look at the system
  auto missing = second_oracle(assumption);
  if (!context_.budget.go_on()) return Stopped{};
  if (!missing) return note(2, "holds", Accepted{});
  return note(2, "too strong", Refine{std::move(*missing)});
}

// The assumption is sound; does it have all safe words?
Interface compare(Lts assumption, const std::vector<Part>& system, const Alphabet& alphabet, const Context& context) {
  using Weakest = Interface::Weakest;
  if (assumption.state_count() == 0) return {empty_language(alphabet), Weakest::yes};
  context.budget.phase("compare");
  Limits limits;
  limits.states = kCompareStates;
  limits.memory = kCompareBytes;
  limits.time = kCompareTime;
  Budget budget(context.budget, limits);
  SubsetWalk walk(system, alphabet, budget);
  auto word = MissingWord(assumption, nullptr, &walk, budget).find();
  if (word) return {std::move(assumption), Weakest::no, std::move(*word)};
  return {std::move(assumption), budget.why() == Stop::none ? Weakest::yes : Weakest::open};
}

}  // namespace

std::variant<Interface, Unknown> generate_interface(const std::vector<Part>& system, const Alphabet& alphabet,
                                                    std::optional<std::uint64_t> bound, const Context& context) {
  std::optional<SubsetWalk> walk;
  std::unique_ptr<Teacher> words, teacher;
  if (context.checker == nullptr) {
    walk.emplace(system, alphabet, context.budget);
    words = std::make_unique<SafeWords>(*walk, alphabet);
  } else {
    words = std::make_unique<CheckedWords>(system, alphabet, context);
  }
  CachingTeacher queries(*words, context.budget);
  if (walk)
    teacher = std::make_unique<OwnSearch>(system, queries, *walk, bound, context);
  else
    teacher = std::make_unique<ByTriples>(system, queries, bound, context);
  const auto learner = make_learner(context.learner, queries);
  Learned learned = prove(*learner, *teacher, context.budget);
  context.cost.queries += queries.queries();
  if (walk) context.cost.add(walk->states(), walk->transitions());
  if (auto* unknown = std::get_if<Unknown>(&learned)) return std::move(*unknown);
  auto* proved = std::get_if<Proved>(&learned);
  check(proved != nullptr, "an interface was neither found nor given up");
  return compare(std::move(proved->assumption), system, alphabet, context);
}

}  // namespace surety
