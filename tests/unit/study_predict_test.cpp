// What predicts good splits: on races whose answer is known.

#include <fmt/format.h>

#include "study/describe.hpp"
#include "study/report/predict.hpp"
#include "study_help.hpp"

namespace surety::study {
namespace {

// Costs that grow with the interface, whatever else there is.
std::vector<Race> races_by_interface() {
  std::vector<Race> out;
  for (int s = 0; s < 4; ++s) {
    Race race;
    race.system = fmt::format("system {}", s);
    race.monolithic = 40;
    for (std::uint64_t i = 1; i <= 30; ++i) {
      Race::Entry entry{Mask(5, i), {}, 0, false};
      entry.features[3] = static_cast<double>((i * 7 + static_cast<std::uint64_t>(s)) % 31);
      entry.features[0] = static_cast<double>(i * 13 % 17);
      entry.cost = static_cast<std::uint64_t>(10 * std::exp(entry.features[3] / 8));
      race.entries.push_back(entry);
    }
    race.best = std::ranges::min_element(race.entries, {}, &Race::Entry::cost)->cost;
    out.push_back(race);
  }
  return out;
}

TEST(StudyPredict, FindsTheFeatureThatTheCostDependsOn) {
  for (const Score& score : scores_of(races_by_interface())) {
    if (score.name == "interface" || score.name == "linear model") {
      EXPECT_NEAR(score.median_regret, 1, 0.01) << score.name;
      EXPECT_TRUE(score.is_worth_it()) << score.name;
    }
    if (score.name == "size of M1") {
      EXPECT_FALSE(score.is_worth_it());
    }
  }
}

// Of runs that a bound has ended the cost is not known; of size 2 all runs are exact, of size 3 they are not.
TEST(StudyPredict, LeavesOutWhereABoundHasEndedRuns) {
  const Folder folder;
  create_small(folder / "a.db");
  const auto crew = make_local_crew(1);
  auto store = Store::open(folder / "a.db", Database::Mode::write);
  ASSERT_TRUE(run_study(*store, *crew, {}));
  const auto bounded = predict(*store, store->read());
  ASSERT_TRUE(bounded);
  EXPECT_EQ(bounded->json.at("instances"), 1);
  RunOptions options;
  options.bound = Bound::none;
  ASSERT_TRUE(run_study(*store, *crew, options));
  EXPECT_EQ(predict(*store, store->read())->json.at("instances"), 2);
}

// That a customer pays before the pump starts, refinement proves with this customer alone.
TEST(StudyPredict, KnowsWhatRefinementWakes) {
  Budget budget;
  const auto model = read_model(
      {Engine::exact, {example("gas_station/gas_station.lts"), "", "CUSTOMER", {"PREPAID"}}, "K", 2}, budget);
  ASSERT_TRUE(model);
  const auto tasks = tasks_of(*model);
  ASSERT_EQ(tasks, (std::vector<std::string>{"CUSTOMER(1)", "CUSTOMER(2)", "PUMP(1)", "PUMP(2)", "OPERATOR"}));
  FeatureFinder finder(*model, tasks, {0, 1}, *api::find_properties(*model, "PREPAID").front());
  EXPECT_EQ(finder.woken_mask(), Mask(5, 1));
  EXPECT_EQ(finder.of(Mask(5, 1)).back(), 1);
  EXPECT_EQ(finder.of(Mask(5, 2)).back(), 0);
}

TEST(StudyPredict, ATreeIsTextThatPeopleCanRead) {
  std::vector<Sample> samples;
  for (int i = 0; i < 100; ++i) {
    Sample sample;
    sample.features[4] = i;
    sample.target = i < 50 ? 0 : 1;
    samples.push_back(sample);
  }
  const DecisionTree tree(samples, 1);
  EXPECT_EQ(tree.text(),
            "if share of P in M1 <= 49.5\n  ratio about 1.00 (50 splits)\nelse\n  ratio about 2.72 (50 splits)\n");
}

}  // namespace
}  // namespace surety::study
