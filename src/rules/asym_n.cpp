#include "rules/asym_n.hpp"

#include <memory>

#include "rules/asym.hpp"
#include "rules/merge.hpp"
#include "rules/triple.hpp"

namespace surety {
namespace {

using Outcome = SearchResult::Outcome;

// Sides first .. n-1, as the environment of the sides before them.
class Chain : public Environment {
 public:
  Chain(const std::vector<ComponentSet>& sides, std::size_t first, const Context& context)
      : sides_(sides), first_(first), context_(context) {
    for (std::size_t i = first; i < sides.size(); ++i) alphabet_ = unite(alphabet_, alphabet_of(sides[i]));
    if (first + 1 < sides.size()) rest_ = std::make_unique<Chain>(sides, first + 1, context);
  }

  const Alphabet& alphabet() const override { return alphabet_; }

  std::variant<Kept, Broken, Stopped> keeps(const Lts& assumption) override {
    if (!rest_) {
      auto result = check_triple(nullptr, sides_[first_], assumption, context_);
      if (result.outcome == Outcome::stopped) return Stopped{};
      if (result.outcome == Outcome::exhausted) return Kept{};
      return Broken{std::move(result.trace)};
    }
    // From call to call the assumption to keep changes a little, and so does the one that is learned for it: the last
    // one is the first guess.
    Verdict verdict = prove_in(*rest_, sides_[first_], assumption, last_ ? &*last_ : context_.seed(first_),
                               static_cast<int>(first_) + 1, context_);
    if (auto* violated = std::get_if<Violated>(&verdict)) return Broken{std::move(violated->trace)};
    if (auto* unknown = std::get_if<Unknown>(&verdict)) {
      if (!unknown->assumptions.empty()) last_ = std::move(unknown->assumptions.front());
      return Stopped{};
    }
    auto* holds = std::get_if<Holds>(&verdict);
    last_ = holds->certificate.assumptions.front();
    return Kept{std::move(holds->certificate.assumptions)};
  }

  // Every side for itself; if their traces do not fit together, it is not known whether others would.
  std::optional<Trace> perform(Word word, const Alphabet& alphabet) override {
    std::vector<LocalTrace> locals{{{word.begin(), word.end()}, alphabet}};
    for (std::size_t i = first_; i < sides_.size(); ++i) {
      auto result = performance(word, alphabet, sides_[i], context_);
      if (result.outcome != Outcome::found) return std::nullopt;
      locals.push_back({std::move(result.trace), alphabet_of(sides_[i])});
    }
    auto merged = merge(locals);
    if (!merged.stuck.empty()) return std::nullopt;
    return std::move(merged.trace);
  }

  // The last assumptions of this part of the chain, as far as there are any without a gap.
  void collect(std::vector<Lts>& assumptions) const {
    if (!rest_ || !last_) return;
    assumptions.push_back(*last_);
    rest_->collect(assumptions);
  }

 private:
  const std::vector<ComponentSet>& sides_;
  std::size_t first_;
  const Context& context_;
  Alphabet alphabet_;
  std::unique_ptr<Chain> rest_;
  std::optional<Lts> last_;
};

}  // namespace

Verdict prove_asym_n(const ProofGoal& goal, const Context& context) {
  Chain rest(goal.sides, 1, context);
  Verdict verdict = prove_in(rest, goal.sides[0], goal.property(), context.seed(0), 1, context);
  if (auto* holds = std::get_if<Holds>(&verdict)) holds->certificate.rule = Method::asym_n;
  if (auto* unknown = std::get_if<Unknown>(&verdict); unknown != nullptr && !unknown->assumptions.empty())
    rest.collect(unknown->assumptions);
  return verdict;
}

}  // namespace surety
