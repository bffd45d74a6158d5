// Backward minimisation on random problems of two to four components: the right verdict, a certificate that the
// checker accepts or a trace that replays, with every cap; and certificates that should be refused.

#include "rules/minimise.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "agreement/problems.hpp"
#include "certificate/law.hpp"
#include "certify/certify.hpp"
#include "model/transform.hpp"
#include "reference/reference.hpp"

namespace surety {
namespace {

using Kind = certify::Judgement::Kind;

struct Seen {
  std::uint64_t holds = 0, violated = 0, unknown = 0, searched = 0, monolithic = 0, ws = 0;
};

class Solved {
 public:
  explicit Solved(const Problem& problem) : problem_(problem), network_(network_of(problem)), names_(1) {
    for (const auto& component : network_.components) {
      all_.push_back(&component.lts);
      names_[0].push_back(component.name);
    }
  }

  Verdict verdict(std::uint64_t cap, const Limits& limits = {}) {
    Budget budget(limits);
    Cost cost;
    return prove_minimise({{all_}, {&problem_.property}, names_}, {budget, cost}, cap);
  }

  certify::Judgement judge(Certificate certificate) {
    if (certificate.split.empty()) certificate.split = names_;
    const Property property{"p", problem_.property};
    Budget budget;
    if (auto lost = api::lost_in_a_file(CheckKind::safety, "p", certificate, reference::actions()); !lost.empty())
      return {Kind::refused, lost, {}, 0};
    return certify::check_safety(network_, {&property}, certificate, budget);
  }

  std::string fault(const Verdict& verdict, Seen& seen) {
    if (const auto* holds = std::get_if<Holds>(&verdict)) {
      const auto& certificate = holds->certificate;
      ++seen.holds;
      seen.ws += certificate.assumptions.size();
      seen.searched +=
          certificate.split.size() == certificate.assumptions.size() + 1 && certificate.split.back().size() > 1;
      seen.monolithic += certificate.rule == Method::monolithic;
      if (!problem_.holds) return "holds, but brute force finds a violation";
      const auto judgement = judge(certificate);
      return judgement.kind == Kind::accepted ? "" : "the checker says: " + judgement.reason;
    }
    if (std::holds_alternative<Unknown>(verdict)) return ++seen.unknown, "";
    ++seen.violated;
    if (problem_.holds) return "violated, but brute force finds no violation";
    const Trace& trace = std::get<Violated>(verdict).trace;
    if (!reference::replays(all_, &problem_.property, trace)) return "the trace does not replay";
    const auto wrong = certify::replay_violation(network_, {"p", problem_.property}, trace);
    return wrong ? "the checker says: " + *wrong : "";
  }

  const Split& names() const { return names_; }

 private:
  const Problem& problem_;
  Network network_;
  ComponentSet all_;
  Split names_;
};

TEST(Minimise, AgreesWithBruteForceWhateverTheCap) {
  Problems problems(11);
  Seen roomy, tight, none;
  for (int i = 0; i < 6000; ++i) {
    const Problem problem = problems.next();
    Solved solved(problem);
    ASSERT_EQ(solved.fault(solved.verdict(1 << 17), roomy), "") << i;
    ASSERT_EQ(solved.fault(solved.verdict(6), tight), "") << i << ", cap 6";
    ASSERT_EQ(solved.fault(solved.verdict(0), none), "") << i << ", cap 0";
  }
  fmt::print("{} hold, {} violated, {} Ws; with a cap of 6 states {} proofs end in a search, without any state {}\n",
             roomy.holds, roomy.violated, roomy.ws, tight.searched, none.monolithic);
  EXPECT_EQ(roomy.unknown + tight.unknown + none.unknown, 0U);
  EXPECT_GT(roomy.holds, 2500U);
  EXPECT_GT(roomy.violated, 2500U);
  EXPECT_GT(roomy.ws, 2000U);
  EXPECT_EQ(roomy.searched + roomy.monolithic, 0U);
  EXPECT_GT(tight.searched, 100U);
  EXPECT_GT(none.monolithic, 2500U);
}

TEST(Minimise, EndsHonestlyWithItsBudget) {
  Problems problems(12);
  Random random(5);
  Seen seen;
  for (int i = 0; i < 2000; ++i) {
    const Problem problem = problems.next();
    Solved solved(problem);
    Limits limits;
    limits.states = random.below(120);
    ASSERT_EQ(solved.fault(solved.verdict(i % 2 == 0 ? 1 << 17 : 6, limits), seen), "") << i;
  }
  EXPECT_GT(seen.unknown, 300U);
  EXPECT_GT(seen.holds + seen.violated, 300U);
}

// An LTS without states says that nothing can fail, and each W is there because something still can.
TEST(Minimise, TheCheckerRefusesAWThatForgetsWhatCanFail) {
  Problems problems(13);
  std::size_t refused = 0;
  for (int i = 0; i < 1500; ++i) {
    const Problem problem = problems.next();
    if (!problem.holds) continue;
    Solved solved(problem);
    const auto certificate = std::get<Holds>(solved.verdict(1 << 17)).certificate;
    for (std::size_t w = 0; w < certificate.assumptions.size(); ++w) {
      Certificate wrong = certificate;
      wrong.assumptions[w] = reference::lts("states=0");
      ASSERT_EQ(solved.judge(wrong).kind, Kind::refused) << i;
      wrong.assumptions[w] = without_error(certificate.assumptions[w]);
      ASSERT_EQ(solved.judge(wrong).kind, Kind::refused) << i;
      ++refused;
    }
  }
  EXPECT_GT(refused, 300U);
}

TEST(Minimise, TheCheckerAcceptsNothingOfAViolatedProperty) {
  Problems problems(14);
  Random random(6);
  std::size_t tried = 0;
  for (int i = 0; i < 3000; ++i) {
    const Problem problem = problems.next();
    if (problem.holds) continue;
    Solved solved(problem);
    Certificate certificate{Method::minimise, separate(problem), {}};
    const std::size_t count = random.below(static_cast<std::uint32_t>(certificate.split.size()));
    for (std::size_t w = 0; w < count; ++w)
      certificate.assumptions.push_back(reference::random_lts(
          random, {.states = 3, .actions = 4, .steps = 16, .tau_percent = 10, .error_percent = 90, .end_percent = 0}));
    ASSERT_EQ(solved.judge(certificate).kind, Kind::refused) << i;
    ++tried;
  }
  EXPECT_GT(tried, 1000U);
}

TEST(Minimise, TheCheckerRefusesACertificateOfTheWrongForm) {
  Problems problems(15);
  const Problem problem = problems.next();
  Solved solved(problem);
  EXPECT_EQ(solved.judge({Method::minimise, {}, {reference::lts("0 a 0")}}).kind, Kind::refused);
}

}  // namespace
}  // namespace surety
