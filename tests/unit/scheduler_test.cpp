// Checks take turns: on a clock made for the purpose, and with jobs that say by themselves what stops them.

#include "check/scheduler.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace surety::api {
namespace {

using Time = CheckScheduler::Time;
using Times = std::vector<int>;

constexpr int kNever = 1'000'000;

struct Played {
  std::vector<bool> answered;
  std::vector<Times> turns;  // by job: how long each was
  int left = 0;
};

// Jobs that need so long each, if there is so much time.
Played play(const Times& needs, int time) {
  Played out{std::vector<bool>(needs.size(), false), std::vector<Times>(needs.size()), time};
  CheckScheduler turns(needs.size());
  while (const auto turn = turns.next(Time(out.left))) {
    const auto share = static_cast<int>(turn->time.count());
    EXPECT_LE(share, out.left);
    out.turns[turn->job].push_back(share);
    out.left -= std::min(share, needs[turn->job]);
    out.answered[turn->job] = needs[turn->job] <= share;
    if (!out.answered[turn->job]) turns.stopped();
  }
  return out;
}

TEST(CheckScheduler, OneHardJobLeavesTheOthersTheirTime) {
  for (std::size_t hard = 0; hard < 5; ++hard) {
    Times needs(5, 1);
    needs[hard] = kNever;
    const Played played = play(needs, 8'000);
    for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(played.answered[i], i != hard) << i;
    EXPECT_EQ(played.left, 0) << "the hard one has what the others leave";
    EXPECT_GE(played.turns[hard].back(), 7'000);
  }
}

TEST(CheckScheduler, TheLastOneWithoutAnAnswerIsNotInterrupted) {
  EXPECT_EQ(play({1, 1, 7'990}, 8'000).turns[2], Times{7'998});
  EXPECT_EQ(play({kNever}, 8'000).turns[0], Times{8'000});
}

TEST(CheckScheduler, HardJobsShareAndLeaveOverWhatTheyDoNotUse) {
  const Played both = play({kNever, kNever}, 8'000);
  EXPECT_EQ(both.turns[0], (Times{500, 3'500}));
  EXPECT_EQ(both.turns[1], (Times{500, 3'500}));
  const Played second = play({1'000, kNever}, 8'000);
  EXPECT_EQ(second.turns[1], (Times{500, 6'000}));
}

TEST(CheckScheduler, NobodyBeginsAgainWithLessThanTwiceAsMuch) {
  const Played played = play({kNever, 1'000}, 8'000);
  EXPECT_EQ(played.turns[0], (Times{500, 3'500}));
  EXPECT_EQ(played.left, 2'500);
}

TEST(CheckScheduler, WithoutTimeEachHasOneTurn) {
  const Played played = play({1, 1, 1}, 0);
  for (const Times& turns : played.turns) EXPECT_EQ(turns, Times{0});
}

TEST(CheckScheduler, HaveTheseLawsForAllSmallCases) {
  const Times some{1, 90, 400, 1'000, 2'500, 7'000, kNever};
  const int time = 8'000;
  for (std::size_t n = 1; n <= 4; ++n) {
    std::size_t cases = 1;
    for (std::size_t i = 0; i < n; ++i) cases *= some.size();
    for (std::size_t c = 0; c < cases; ++c) {
      Times needs;
      for (std::size_t i = 0, rest = c; i < n; ++i, rest /= some.size()) needs.push_back(some[rest % some.size()]);
      const Played played = play(needs, time);
      EXPECT_GE(played.left, 0);
      for (std::size_t i = 0; i < n; ++i) {
        const Times& turns = played.turns[i];
        ASSERT_FALSE(turns.empty());
        // Of seven eighths of the time each has its equal part, whatever the others do.
        EXPECT_TRUE(played.answered[i] || needs[i] * static_cast<int>(8 * n) > 7 * time) << c << " of " << n;
        for (std::size_t k = 1; k < turns.size(); ++k) EXPECT_GE(turns[k], 2 * turns[k - 1]);
        EXPECT_TRUE(played.answered[i] || 2 * turns.back() > played.left) << "it could have had more";
      }
    }
  }
}

// ---- jobs

Check check(const std::string& name, Verdict verdict) {
  Check out;
  out.kind = CheckKind::safety;
  out.property = name;
  out.verdict = std::move(verdict);
  out.time_s = 1;
  out.cost.add(10, 20);
  return out;
}

Verdict holds() { return Holds{{Method::monolithic, {}, {}}}; }

Job job(const std::string& name, std::function<Verdict(const Share&)> prove) {
  return {CheckKind::safety, name, [=](const Share& share) { return std::vector<Check>{check(name, prove(share))}; }};
}

Job easy(const std::string& name) {
  return job(name, [](const Share& share) -> Verdict {
    if (!share.budget.go_on()) return Unknown{share.budget.why(), {}, {}};
    return holds();
  });
}

Job stopped(const std::string& name, Stop why) {
  return job(name, [why](const Share& share) -> Verdict {
    share.budget.stop(why);
    return Unknown{why, {}, {}};
  });
}

std::string answers(const std::vector<Job>& jobs, Budget& budget) {
  std::string out;
  const auto checks = run_in_turns(jobs, budget, {});
  if (!checks) return checks.error().diagnostics[0].message;
  for (const Check& c : *checks) {
    out += (out.empty() ? "" : ", ") + c.property + " " + std::string(name_of(c.verdict));
    if (const auto* unknown = std::get_if<Unknown>(&c.verdict)) out += " " + describe(unknown->why);
  }
  return out;
}

Limits an_hour() {
  Limits limits;
  limits.time = std::chrono::hours(1);
  return limits;
}

TEST(TakeTurns, AnswersComeInTheOrderOfTheJobs) {
  Budget budget(an_hour());
  int tries = 0;
  const Job second_time = job("B", [&](const Share&) -> Verdict {
    if (++tries == 1) return Unknown{Stop::time, {}, {}};
    return holds();
  });
  EXPECT_EQ(answers({easy("A"), second_time, easy("C")}, budget), "A holds, B holds, C holds");
  EXPECT_EQ(tries, 2);
}

TEST(TakeTurns, AnAnswerIsToldOnceAsSoonAsItIsKnown) {
  Budget budget(an_hour());
  int tries = 0;
  const Job second_time = job("B", [&](const Share&) -> Verdict {
    if (++tries == 1) return Unknown{Stop::time, {}, {}};
    return holds();
  });
  const Job never = job("D", [](const Share&) -> Verdict { return Unknown{Stop::time, {}, {}}; });
  std::string told;
  const auto checks = run_in_turns({easy("A"), second_time, easy("C"), never}, budget,
                                   [&](const Check& c) { told += c.property + std::string(name_of(c.verdict)) + " "; });
  ASSERT_TRUE(checks);
  EXPECT_EQ(told, "Aholds Cholds Bholds Dunknown ");
}

TEST(TakeTurns, WhatWasTriedBeforeCountsAsWell) {
  Budget budget(an_hour());
  int tries = 0;
  const Job second_time = job("A", [&](const Share&) -> Verdict {
    if (++tries < 2) return Unknown{Stop::time, {}, {}};
    return holds();
  });
  const auto checks = run_in_turns({second_time, easy("B")}, budget, {});
  ASSERT_TRUE(checks);
  EXPECT_EQ((*checks)[0].time_s, 2);
  EXPECT_EQ((*checks)[0].cost.states, 20U);
  EXPECT_EQ((*checks)[0].cost.max_states, 10U);
  EXPECT_EQ((*checks)[1].time_s, 1);
}

TEST(TakeTurns, AnAnswerIsNotGivenUpForNone) {
  Budget budget(an_hour());
  int tries = 0;
  const Job worse{CheckKind::safety, "A", [&](const Share&) {
                    const bool first = ++tries == 1;
                    return std::vector<Check>{check("A", first ? holds() : Verdict(Unknown{Stop::memory, {}, {}})),
                                              check("B", Unknown{Stop::time, {}, {}})};
                  }};
  EXPECT_EQ(answers({worse, easy("C")}, budget), "A holds, B unknown time, C holds");
  EXPECT_EQ(tries, 2);
}

TEST(TakeTurns, OnlyTimeIsTriedAgain) {
  for (const Stop why : {Stop::memory, Stop::states, Stop::assumption, Stop::none}) {
    Budget budget(an_hour());
    int tries = 0;
    const Job counted = job("A", [&](const Share&) -> Verdict {
      ++tries;
      return Unknown{why, {}, {}};
    });
    answers({counted, easy("B")}, budget);
    EXPECT_EQ(tries, 1) << describe(why);
  }
}

TEST(TakeTurns, WhatStopsOneStopsNoOther) {
  Budget budget;
  EXPECT_EQ(answers({stopped("A", Stop::memory), easy("B")}, budget), "A unknown memory, B holds");
  EXPECT_EQ(budget.why(), Stop::none);
}

TEST(TakeTurns, StatesAreThoseOfAllTogether) {
  Limits limits = an_hour();
  limits.states = 100;
  Budget budget(limits);
  const Job greedy = job("A", [](const Share& share) -> Verdict {
    while (share.budget.add_states(1)) continue;
    return Unknown{share.budget.why(), {}, {}};
  });
  EXPECT_EQ(answers({easy("first"), greedy, easy("B"), greedy}, budget),
            "first holds, A unknown states, B unknown states, A unknown states");
}

TEST(TakeTurns, AnInterruptStopsAllAtOnce) {
  std::atomic<bool> interrupted = false;
  Budget budget(an_hour(), &interrupted);
  int begun = 0;
  const Job patient = job("A", [&](const Share& share) -> Verdict {
    ++begun;
    interrupted = true;
    while (share.budget.go_on()) continue;
    return Unknown{share.budget.why(), {}, {}};
  });
  EXPECT_EQ(answers({patient, easy("B"), easy("C")}, budget),
            "A unknown interrupted, B unknown interrupted, C unknown interrupted");
  EXPECT_EQ(begun, 1);
}

TEST(TakeTurns, OneJobHasTheBudgetItself) {
  Budget budget(an_hour());
  const Budget* used = nullptr;
  answers({job("A",
               [&](const Share& share) {
                 used = &share.budget;
                 return holds();
               })},
          budget);
  EXPECT_EQ(used, &budget);
}

TEST(TakeTurns, AFailureEndsAll) {
  Budget budget;
  const Job broken{CheckKind::safety, "A", [](const Share&) -> Outcome<std::vector<Check>> { return usage("no"); }};
  EXPECT_EQ(answers({easy("B"), broken, easy("C")}, budget), "no");
}

TEST(TakeTurns, TheCheckerHasAsMuchAsOneMoreCheck) {
  Limits limits, little;
  limits.time = std::chrono::seconds(8'000);
  little.time = std::chrono::seconds(10);
  Budget budget(limits), share(budget, little);
  const auto seconds = [&](std::size_t others) {
    return std::chrono::round<std::chrono::seconds>(*Share{share, budget, others}.for_recheck()).count();
  };
  EXPECT_NEAR(static_cast<double>(seconds(0)), 8'000, 5);
  EXPECT_NEAR(static_cast<double>(seconds(3)), 2'000, 5);
  EXPECT_NEAR(static_cast<double>(seconds(7'999)), 10, 5) << "not less than what is left of its turn";
  Budget endless;
  EXPECT_FALSE((Share{endless, endless, 0}).for_recheck());
}

}  // namespace
}  // namespace surety::api
