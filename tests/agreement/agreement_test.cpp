// Every way to an answer gives the same answer: brute force, plain search, and every
// rule with every learner and alphabet mode, on two to four components.
//
// 10,000 problems per run, each solved by plain search and by kEach of the other
// configurations in turn; with SURETY_SOAK_SECONDS=N (./dev soak) as many as fit in
// N seconds, from a seed that is printed.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "agreement/problems.hpp"
#include "certificate/law.hpp"
#include "certify/certify.hpp"
#include "decompose/portfolio/auto.hpp"
#include "model/automata.hpp"
#include "model/transform.hpp"
#include "reference/reference.hpp"
#include "rules/rules.hpp"
#include "rules/symbolic.hpp"

namespace surety {
namespace {

constexpr std::uint64_t kProblems = 10'000;
constexpr std::size_t kEach = 8;

std::string show(const Problem& problem) {
  std::string out;
  for (const auto& lts : problem.m1) out += "m1: " + reference::text(lts) + "\n";
  for (const auto& lts : problem.m2) out += "m2: " + reference::text(lts) + "\n";
  out += "property: " + reference::text(problem.property) + "\n";
  for (const auto& lts : problem.more_properties) out += "property: " + reference::text(lts) + "\n";
  return out;
}

// Small problems would all be answered before there is any choice: one state only for the first look.
template <unsigned threads>
Verdict prove_auto_with(const ProofGoal& goal, const Context& context) {
  return prove_auto(goal, {.budget = context.budget, .cost = context.cost, .threads = threads}, 1);
}
const Rule kBeside{.method = Method::automatic,
                   .sides = Rule::Sides::one,
                   .prove = prove_auto_with<2>,
                   .learns = false,
                   .refines = false};
const Rule kByTurns{.method = Method::automatic,
                    .sides = Rule::Sides::one,
                    .prove = prove_auto_with<1>,
                    .learns = false,
                    .refines = false};

struct Configuration {
  const Rule* rule = nullptr;
  LearnerKind learner = LearnerKind::lstar;
  AlphabetMode alphabet = AlphabetMode::full;
  bool separate = false;  // every component for itself

  std::string name() const {
    return fmt::format("{} {} {} {}", rule->name(), learner_name(learner),
                       alphabet == AlphabetMode::full ? "full" : "refine", separate ? "n-way" : "two-way");
  }
};

std::vector<Configuration> configurations() {
  std::vector<Configuration> out;
  for (const Rule& rule : all_rules())
    for (const LearnerKind learner : kLearnerKinds)
      for (const AlphabetMode alphabet : {AlphabetMode::full, AlphabetMode::refine})
        for (const bool separate : {false, true}) {
          const bool possible = separate ? rule.sides == Rule::Sides::two_or_more : rule.method != Method::monolithic;
          const bool whole = rule.sides == Rule::Sides::one;  // then there is nothing to choose
          if (possible && (rule.learns || learner == LearnerKind::lstar) &&
              !(whole && alphabet == AlphabetMode::refine))
            out.push_back({&rule, learner, alphabet, separate});
        }
  out.push_back({&kBeside});
  out.push_back({&kByTurns});
  return out;
}

struct Totals {
  bool reduced = false;  // how the next problem is solved
  std::uint64_t pairs = 0, conjectures = 0, queries = 0, largest_assumption = 0, widened = 0, unknown = 0;
};

// One problem, ready to be solved in many ways.
class Case {
 public:
  explicit Case(const Problem& problem) : problem_(problem), network_(network_of(problem)) {
    all_ = pointers(problem.m1);
    for (const auto& lts : problem.m2) all_.push_back(&lts);
    properties_.push_back({"p", problem.property});
    for (const auto& lts : problem.more_properties)
      properties_.push_back({"p" + std::to_string(properties_.size() + 1), lts});
  }

  // Nothing: plain search gives the right answer. Else what is wrong.
  std::string monolithic(Reduction reduction) {
    Budget budget;
    Cost cost;
    Verdict verdict =
        find_rule(Method::monolithic)
            ->prove({{all_}, {&problem_.property}}, {.budget = budget, .cost = cost, .reduction = reduction});
    if (auto* violated = std::get_if<Violated>(&verdict))
      if (violated->trace.size() != reference::shortest_violation(all_, problem_.property)->size())
        return "not a shortest trace";
    return fault(std::move(verdict), whole(), {&properties_[0]});
  }

  // Nothing: decision diagrams give the right answer, a shortest trace, and a proof that is refused when it is forged.
  std::string symbolic(std::uint64_t collect_at, Random& random) {
    Budget budget;
    Cost cost;
    Verdict verdict = prove_symbolic({{all_}, {&problem_.property}}, {budget, cost}, {collect_at});
    if (auto* violated = std::get_if<Violated>(&verdict))
      if (violated->trace.size() != reference::shortest_violation(all_, problem_.property)->size())
        return "not a shortest trace";
    if (auto* proved = std::get_if<Holds>(&verdict)) {
      Certificate forged = proved->certificate;
      forged.split = whole();
      auto& level = forged.diagram.levels[random.below(static_cast<std::uint32_t>(forged.diagram.levels.size()))];
      const auto node = random.below(static_cast<std::uint32_t>(level.first.size() - 1));
      level.edges.erase(level.edges.begin() + static_cast<std::ptrdiff_t>(level.first[node]));
      for (std::size_t i = node + 1; i < level.first.size(); ++i) --level.first[i];
      if (certify::check_safety(network_, {&properties_[0]}, forged, budget).kind != certify::Judgement::Kind::refused)
        return "a forged proof is accepted";
    }
    return fault(std::move(verdict), whole(), {&properties_[0]});
  }

  // With a budget that may end too early, which is then an answer as well.
  std::string solve(const Configuration& way, Totals& totals, const Limits& limits = {}) {
    Split split = way.separate ? separate(problem_) : split_of(problem_);
    if (way.rule->sides == Rule::Sides::one) split = whole();
    ProofGoal goal;
    goal.names = split;
    for (const auto& names : split) {
      auto& side = goal.sides.emplace_back();
      for (const auto& component : network_.components)
        if (std::find(names.begin(), names.end(), component.name) != names.end()) side.push_back(&component.lts);
    }
    std::vector<const Property*> properties{&properties_[0]};
    if (way.rule->property_per_side)
      for (std::size_t i = 1; i < split.size(); ++i) properties.push_back(&properties_[i]);
    for (const auto* property : properties) goal.properties.push_back(&property->lts);

    Budget budget(limits);
    Cost cost;
    Verdict verdict = way.rule->prove(goal, {.budget = budget,
                                             .cost = cost,
                                             .learner = way.learner,
                                             .alphabet = way.alphabet,
                                             .reduction = totals.reduced ? Reduction::por : Reduction::none});
    ++totals.pairs;
    totals.conjectures += cost.conjectures;
    totals.queries += cost.queries;
    for (const auto& iteration : cost.iterations) totals.widened += iteration.result == "alphabet too small";
    if (const auto* holds = std::get_if<Holds>(&verdict))
      for (const Lts& a : holds->certificate.assumptions)
        totals.largest_assumption = std::max<std::uint64_t>(totals.largest_assumption, a.state_count());
    if (std::holds_alternative<Unknown>(verdict)) {
      ++totals.unknown;
      const bool ended = budget.why() != Stop::none && std::get<Unknown>(verdict).why == budget.why();
      return ended ? "" : "unknown, and the budget does not say why";
    }
    return fault(std::move(verdict), split, properties);
  }

  // Rule ASYM with assumptions from outside, right or wrong: as first guesses, or supplied as true.
  std::string solve_from(const Lts& guess, bool supplied, AlphabetMode alphabet, Totals& totals) {
    const ComponentSet m1 = pointers(problem_.m1), m2 = pointers(problem_.m2);
    const std::vector<Lts> seeds{guess};
    Budget budget;
    Cost cost;
    Verdict verdict = find_rule(Method::asym)
                          ->prove({{m1, m2}, {&problem_.property}}, {.budget = budget,
                                                                     .cost = cost,
                                                                     .alphabet = alphabet,
                                                                     .supplied = supplied ? &guess : nullptr,
                                                                     .seeds = supplied ? nullptr : &seeds});
    ++totals.pairs;
    if (const auto* unknown = std::get_if<Unknown>(&verdict)) {
      ++totals.unknown;
      if (!supplied || unknown->why != Stop::assumption) return "unknown without a budget";
      return reference::replays(m2, &guess, unknown->trace) ? "" : "M2 does not break the assumption like this";
    }
    if (supplied && reference::shortest_violation(m2, guess)) return "an assumption that is wrong was taken";
    return fault(std::move(verdict), split_of(problem_), {&properties_[0]});
  }

 private:
  Split whole() const {
    Split out(1);
    for (const auto& component : network_.components) out[0].push_back(component.name);
    return out;
  }

  // Nothing: the verdict is the right one and its proof or trace is accepted.
  std::string fault(Verdict verdict, const Split& split, const std::vector<const Property*>& properties) {
    const bool safe = std::all_of(properties.begin(), properties.end(), [&](const Property* p) { return holds(*p); });
    Budget budget;
    if (auto* proved = std::get_if<Holds>(&verdict)) {
      if (!safe) return "holds, but brute force finds a violation";
      if (proved->certificate.split.empty()) proved->certificate.split = split;
      const auto judgement = certify::check_safety(network_, properties, proved->certificate, budget);
      if (judgement.kind != certify::Judgement::Kind::accepted) return "the checker says: " + judgement.reason;
      return api::lost_in_a_file(CheckKind::safety, "p", proved->certificate, reference::actions());
    }
    const auto* violated = std::get_if<Violated>(&verdict);
    if (violated == nullptr) return "unknown without a budget";
    if (safe) return "violated, but brute force finds no violation";
    std::string wrong = "the trace violates nothing";
    for (const Property* property : properties) {
      const auto refused = certify::replay_violation(network_, *property, violated->trace);
      const bool replays = reference::replays(all_, &property->lts, violated->trace);
      if (!refused && replays) return "";
      // Brute force wants the violation at the end, where another property may have it.
      if (refused && replays) return "the checker and brute force disagree about the trace";
      if (refused) wrong = "the trace: " + *refused;
    }
    return wrong;
  }

  bool holds(const Property& property) {
    const auto i = static_cast<std::size_t>(&property - properties_.data());
    if (i == 0) return problem_.holds;
    if (!known_[i]) known_[i] = !reference::shortest_violation(all_, property.lts);
    return *known_[i];
  }

  const Problem& problem_;
  Network network_;
  std::vector<const Lts*> all_;
  std::vector<Property> properties_;
  std::array<std::optional<bool>, 4> known_;
};

TEST(Agreement, EveryRuleLearnerAndAlphabetAgreesWithBruteForceOnProblemsThatNeedAnAssumption) {
  using Clock = std::chrono::steady_clock;
  const char* soak = std::getenv("SURETY_SOAK_SECONDS");
  const std::uint64_t seed = soak != nullptr ? static_cast<std::uint64_t>(Clock::now().time_since_epoch().count()) : 1;
  const auto until = Clock::now() + std::chrono::seconds(soak != nullptr ? std::atol(soak) : 0);
  const auto ways = configurations();
  Problems problems(seed);
  Totals totals;
  std::uint64_t solved = 0;
  for (; soak != nullptr ? Clock::now() < until : solved < kProblems; ++solved) {
    const Problem problem = problems.next();
    Case one(problem);
    for (const Reduction reduction : {Reduction::none, Reduction::por})
      ASSERT_EQ(one.monolithic(reduction), "") << "seed " << seed << ", problem " << solved << "\n" << show(problem);
    totals.reduced = solved * kEach / ways.size() % 2 == 1;  // each configuration in turn
    for (std::size_t i = 0; i < kEach; ++i) {
      const auto& way = ways[(solved * kEach + i) % ways.size()];
      ASSERT_EQ(one.solve(way, totals), "") << way.name() << ", seed " << seed << ", problem " << solved << "\n"
                                            << show(problem);
    }
  }
  const Mix& mix = problems.mix();
  fmt::print(
      "{} problems (seed {}), {} (problem, configuration) pairs of {} configurations: {} hold, {} violated; {} with "
      "tau, "
      "{} nondeterministic, {} with a free action; {}, {} and {} with 2, 3 and 4 components\n"
      "of {} made: {} need no assumption, {} cannot be saved by one, {} are violated in fewer than 3 steps, {} too "
      "many of their kind\n"
      "{} conjectures, {} queries, alphabets widened {} times, largest assumption {} states\n",
      solved, seed, totals.pairs, ways.size(), mix.kept[1], mix.kept[0], mix.with_tau, mix.nondeterministic,
      mix.free_action, mix.components[2], mix.components[3], mix.components[4], mix.tried, mix.trivial, mix.hopeless,
      mix.shallow, mix.surplus, totals.conjectures, totals.queries, totals.widened, totals.largest_assumption);
  // A test that sees only one kind of problem tests nothing.
  EXPECT_GT(mix.kept[0], solved * 2 / 5);
  EXPECT_GT(mix.kept[1], solved * 2 / 5);
  EXPECT_GT(mix.with_tau, solved / 10);
  EXPECT_GT(mix.nondeterministic, solved / 4);
  EXPECT_GT(mix.components[3], solved / 5);
  EXPECT_GT(mix.components[4], solved / 30);
  EXPECT_GT(totals.conjectures, totals.pairs * 3 / 2);
  EXPECT_GT(totals.widened, totals.pairs / 50);
}

TEST(Agreement, DecisionDiagramsAgreeWithBruteForceWhateverGarbageIsCollected) {
  Problems problems(3);
  Random random(5);
  for (std::uint64_t i = 0; i < 4000; ++i) {
    const Problem problem = problems.next();
    ASSERT_EQ(Case(problem).symbolic(i % 2 == 0 ? 0 : 1 << 20, random), "") << "problem " << i << "\n" << show(problem);
  }
}

// Guesses from outside, right or wrong, change the way and never the answer.
TEST(Agreement, SeedsAndSuppliedAssumptionsNeverChangeTheAnswer) {
  Problems problems(3);
  Totals totals;
  Random random(9);
  reference::Shape shape{.states = 3, .actions = 5, .steps = 12};
  shape.deterministic = true;
  shape.error_percent = shape.end_percent = 0;
  for (int i = 0; i < 1500; ++i) {
    const Problem problem = problems.next();
    Case one(problem);
    // Anything, or something that is true of M2.
    Lts guess = reference::random_lts(random, shape);
    if (i % 2 == 0)
      guess = determinise(
          project(reference::product(pointers(problem.m2)), reference::alphabet(i % 4 == 0 ? "c d" : "b c e")));
    for (const bool supplied : {false, true})
      for (const auto alphabet : {AlphabetMode::full, AlphabetMode::refine})
        ASSERT_EQ(one.solve_from(guess, supplied, alphabet, totals), "")
            << "problem " << i << ", guess " << reference::text(guess) << "\n"
            << show(problem);
  }
  EXPECT_GT(totals.unknown, totals.pairs / 20);
  EXPECT_LT(totals.unknown, totals.pairs / 3);
}

// A budget that ends anywhere leaves an honest "unknown", never a wrong answer.
TEST(Agreement, AnswersStayRightWhenABudgetEnds) {
  Problems problems(2);
  Totals totals;
  Random random(7);
  const auto ways = configurations();
  for (std::size_t i = 0; i < 1500; ++i) {
    const Problem problem = problems.next();
    Case one(problem);
    for (std::size_t j = 0; j < 2; ++j) {
      Limits limits;
      (j == 0 ? limits.queries : limits.states) = random.below(j == 0 ? 60 : 400);
      const auto& way = ways[(2 * i + j) % ways.size()];
      ASSERT_EQ(one.solve(way, totals, limits), "") << way.name() << ", problem " << i << "\n" << show(problem);
    }
  }
  EXPECT_GT(totals.unknown, totals.pairs / 5);
  EXPECT_LT(totals.unknown, totals.pairs * 9 / 10);
}

}  // namespace
}  // namespace surety
