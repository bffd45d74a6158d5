// Runs of a small study: twice, bounded, in which order, and with hands that crash, eat memory or never end.

#include <fstream>
#include <set>

#include "api/verify.hpp"
#include "base/file.hpp"
#include "study/categories.hpp"
#include "study/merge.hpp"
#include "study/report/ways.hpp"
#include "study_help.hpp"

namespace surety::study {
namespace {

TEST(StudyRun, TwiceGivesEqualStudies) {
  const Folder folder;
  create_small(folder / "a.db");
  create_small(folder / "b.db");
  run_with(folder / "a.db", 1, perform);
  const Study study = run_with(folder / "b.db", 2, perform);
  const auto found = diff(folder / "a.db", folder / "b.db");
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->none()) << found->contradictions.size() << " " << found->first_only.size();
  EXPECT_EQ(found->equal, study.items.size());
  // The proof of every best run has been checked.
  for (const Instance& instance : study.instances)
    if (const Best best = best_of(study, instance, study.way()); best.item != nullptr && best.complete) {
      EXPECT_EQ(best.item->result->certified, true);
    }
}

// One mask of size 2 is the culprit.
bool is_culprit(const Job& job) {
  return job.kind == Job::Kind::run && job.model.size == 2 && job.split == "TASK(1) | TASK(2),VARIABLE";
}

const Item& culprit(const Study& study) {
  for (const Item& item : study.items)
    if (item.mask && study.model_of(study.instance_of(item)).size == 2 && item.mask->text() == "0x1" &&
        item.supplied == 0)
      return item;
  throw std::runtime_error("no such item");
}

void expect_all_others_done(const Study& study) {
  for (const Item& item : study.items)
    if (&item != &culprit(study)) {
      EXPECT_EQ(item.status, Status::done) << study.key(item);
    }
}

TEST(StudyRun, ACrashIsTriedOnceMoreAndIsThenAResult) {
  const Folder folder;
  create_small(folder / "a.db");
  const Study study = run_with(folder / "a.db", 2, [](const Job& job, const api::Model& model) {
    if (is_culprit(job)) std::abort();
    return perform(job, model);
  });
  EXPECT_EQ(culprit(study).status, Status::crashed);
  EXPECT_EQ(culprit(study).attempts, 2);
  EXPECT_NE(culprit(study).result->why.find("signal 6"), std::string::npos);
  expect_all_others_done(study);
}

TEST(StudyRun, AnExceptionIsACrashWithItsMessage) {
  const Folder folder;
  create_small(folder / "a.db");
  const Study study = run_with(folder / "a.db", 2, [](const Job& job, const api::Model& model) {
    if (is_culprit(job)) throw std::runtime_error("the roof is on fire");
    return perform(job, model);
  });
  EXPECT_EQ(culprit(study).status, Status::crashed);
  EXPECT_EQ(culprit(study).result->why, "the roof is on fire");
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(StudyRun, OneThatEatsItsMemoryIsOverTheLimit) {
  const Folder folder;
  create_small(folder / "a.db");
  const Study study = run_with(folder / "a.db", 2, [](const Job& job, const api::Model& model) {
    std::vector<std::vector<char>> eaten;
    while (is_culprit(job)) eaten.emplace_back(std::size_t{16} << 20, 'x');
    return perform(job, model);
  });
  EXPECT_EQ(culprit(study).status, Status::over_limit);
  EXPECT_EQ(culprit(study).result->why, "memory");
  expect_all_others_done(study);
}
#endif

void expect_only_the_culprit_ran_out_of_time(const Study& study) {
  EXPECT_EQ(culprit(study).status, Status::over_limit);
  EXPECT_EQ(culprit(study).result->why, "time");
  expect_all_others_done(study);
}

TEST(StudyRun, OneThatNeverEndsIsOverTheLimit) {
  const Folder folder;
  create_small(folder / "a.db");
  const Study study = run_with(folder / "a.db", 2, [](const Job& job, const api::Model& model) {
    while (is_culprit(job)) ::usleep(10'000);
    return perform(job, model);
  });
  expect_only_the_culprit_ran_out_of_time(study);
}

// Time is that of the processor; a run that works on and on and asks no budget is ended all the same.
TEST(StudyRun, OneThatWorksForEverIsOverTheLimit) {
  const Folder folder;
  Definition definition = small_definition();
  definition.limits.time_s = 0.2;
  definition.systems[0].all = {2, 2};
  definition.systems[0].scale.reset();
  ASSERT_TRUE(create({folder / "a.db", definition, "", {}, false, nullptr}));
  const Study study = run_with(folder / "a.db", 2, [](const Job& job, const api::Model& model) {
    for (volatile bool on = is_culprit(job); on;) {
    }
    return perform(job, model);
  });
  expect_only_the_culprit_ran_out_of_time(study);
}

TEST(StudyRun, AViolationOfWhatHoldsMonolithicallyStopsTheStudy) {
  const Folder folder;
  create_small(folder / "a.db");
  const auto crew = make_local_crew(1, [](const Job& job, const api::Model& model) {
    Answer out = perform(job, model);
    if (is_culprit(job)) out.result.verdict = "violated";
    return out;
  });
  auto store = Store::open(folder / "a.db", Database::Mode::write);
  EXPECT_ANY_THROW(run_study(*store, *crew, {}).has_value());
}

TEST(StudyRun, BoundedRunsAgreeWithExactOnes) {
  const Folder folder;
  create_small(folder / "a.db");
  create_small(folder / "b.db");
  const Study exact = run_with(folder / "a.db", 1, perform);
  const auto crew = make_local_crew(1);
  auto store = Store::open(folder / "b.db", Database::Mode::write);
  RunOptions options;
  options.bound = Bound::best;
  options.orbits = true;
  ASSERT_TRUE(run_study(*store, *crew, options));
  const Study bounded = store->read();
  EXPECT_TRUE(differences(exact, bounded).contradictions.empty());
  EXPECT_TRUE(std::ranges::any_of(bounded.items, [](const Item& item) { return item.status == Status::worse; }));
  for (std::size_t i = 0; i < exact.instances.size(); ++i)
    if (const Best a = best_of(exact, exact.instances[i], exact.way()); a.item != nullptr) {
      EXPECT_EQ(best_of(bounded, bounded.instances[i], bounded.way()).item->cost(), a.item->cost());
    }
}

// The cheapest splits are run first, so the bound is near the best early, and few states are searched besides.
TEST(StudyRun, ABoundSavesStates) {
  const Folder folder;
  Definition definition = small_definition();
  definition.systems[0].models[Engine::exact] = {example("smokers/smokers.lts"), "", "SMOKER", {"COMPLETE"}};
  definition.systems[0].scale.reset();
  const auto states_at_3 = [&](const std::string& file, Bound bound) {
    EXPECT_TRUE(create({file, definition, "", {}, false, nullptr}));
    const auto crew = make_local_crew(1);
    auto store = Store::open(file, Database::Mode::write);
    RunOptions options;
    options.bound = bound;
    EXPECT_TRUE(run_study(*store, *crew, options));
    const Study study = store->read();
    std::uint64_t states = 0, without_bound = 0;
    for (const Item& item : study.items)
      if (item.is_of_all() && study.model_of(study.instance_of(item)).size == 3) {
        states += item.result->states - item.result->query_states;
        without_bound += item.bound ? 0 : 1;
      }
    EXPECT_EQ(without_bound, bound == Bound::none ? 30 : 1);
    return states;
  };
  EXPECT_LT(2 * states_at_3(folder / "best.db", Bound::best), states_at_3(folder / "none.db", Bound::none));
}

// What was asked for, in the order of the runs: children write it into a file.
Hands that_note(const std::string& file) {
  return [file](const Job& job, const api::Model& model) {
    if (job.kind == Job::Kind::run) std::ofstream(file, std::ios::app) << job.model.size << " " << job.split << "\n";
    return perform(job, model);
  };
}

// Bounded runs go size by size, and at each size the splits first that were the cheapest at the size below, also if all
// sizes are in one run.
TEST(StudyRun, BoundedRunsGoSizeBySizeAndBeginWithWhatWasCheapest) {
  const Folder folder;
  Definition definition = small_definition();
  definition.systems[0].all = {2, 4};
  definition.systems[0].scale.reset();
  ASSERT_TRUE(create({folder / "a.db", definition, "", {}, false, nullptr}));
  const auto crew = make_local_crew(1, that_note(folder / "order"));
  auto store = Store::open(folder / "a.db", Database::Mode::write);
  RunOptions options;
  options.bound = Bound::best;
  options.first_phases_only = true;
  ASSERT_TRUE(run_study(*store, *crew, options));
  const Study study = store->read();
  std::ifstream lines(folder / "order");
  std::vector<int> sizes;
  std::map<int, std::string> first;
  int size = 0;
  for (std::string split; lines >> size && std::getline(lines, split);) {
    if (split.size() < 2) continue;  // monolithic
    sizes.push_back(size);
    first.try_emplace(size, split.substr(1));
  }
  EXPECT_EQ(sizes.size(), 6U + 14 + 30);
  EXPECT_TRUE(std::ranges::is_sorted(sizes));
  for (const int at : {3, 4}) {
    const Instance& here = study.instances[*study.instance_at(study.tracks()[0], at)];
    double least = 1e30, of_first = 0;
    for (const std::size_t place : here.items) {
      const Item& item = study.items[place];
      if (!item.mask) continue;
      const double cost = expected_cost_from_below(study, item);
      least = std::min(least, cost);
      if (item.mask->split(study.model_of(here).tasks) == first[at]) of_first = cost;
    }
    EXPECT_EQ(of_first, least) << at;
  }
}

// A model that cannot be built ends the row of each property at its size, and no sooner: whatever came first.
TEST(StudyRun, WhatAnotherPropertyHasFoundOutDoesNotEndARow) {
  const Folder folder;
  Definition definition = small_definition();
  definition.systems[0].models[Engine::exact] = {example("smokers/smokers.lts"), "", "SMOKER", {"COMPLETE", "THANKED"}};
  definition.systems[0].all = {2, 2};
  definition.systems[0].scale = Range{2, 8};
  ASSERT_TRUE(create({folder / "a.db", definition, "", {}, false, nullptr}));
  const auto crew = make_local_crew(1, [](const Job& job, const api::Model& model) {
    if (job.kind != Job::Kind::describe || job.model.size < 5) return perform(job, model);
    Answer out;
    out.id = job.id;
    out.end = Answer::End::refused;
    out.why = "too large";
    return out;
  });
  auto store = Store::open(folder / "a.db", Database::Mode::write);
  RunOptions options;
  options.only_system = "Relay";  // as the small definition calls it
  options.only_property = "THANKED";
  ASSERT_TRUE(run_study(*store, *crew, options));
  ASSERT_TRUE(run_study(*store, *crew, {}));
  const Study study = store->read();
  for (const Track& track : study.tracks()) {
    const Reach reach = reach_of(sizes_without_mask(study, track, kMonolithic));
    EXPECT_EQ(reach.largest, 4) << track.property;
    EXPECT_EQ(reach.stopped_at, 5) << track.property;
    EXPECT_EQ(reach_of(line_from(study, track, 2, study.way())->tried).largest, 4) << track.property;
  }
  // There is nothing larger for either of the two, so neither has been stopped by a limit.
  for (const TrackFacts& f : facts_of(study)) {
    EXPECT_EQ(f.mono_reach.largest, 4);
    EXPECT_EQ(f.mono_reach.stopped_at, std::nullopt);
    EXPECT_TRUE(f.category == Category::appears_better || f.category == Category::appears_worse) << f.name();
  }
}

// Numbers that nothing has measured: asym likes the first mask, others the last one but one, and circular reasoning for
// all components comes to size 3 only.
Answer with_likings(const Job& job, const api::Model& model) {
  if (job.kind == Job::Kind::describe) return perform(job, model);
  Answer out;
  out.id = job.id;
  const std::string liked = job.way.method == "asym" ? "TASK(1) | TASK(2),VARIABLE" : "TASK(1),VARIABLE | TASK(2)";
  const bool over = job.way.method == "circular" && job.split.empty() && job.model.size > 3;
  out.status = over ? Status::over_limit : Status::done;
  out.result.verdict = over ? "unknown" : "holds";
  out.result.max_states = out.result.states = job.split == liked ? 10 : 100;
  if (job.certify) out.result.certified = true;
  return out;
}

TEST(StudyRun, EachMethodGoesUpwardsByItsOwnBestSplitOrWithoutOne) {
  const Folder folder;
  Definition definition = small_definition();
  definition.methods = {"asym", "sym", "circular", "weakest", "cegar"};
  definition.systems[0].all = {2, 2};
  definition.systems[0].scale = Range{2, 5};
  ASSERT_TRUE(create({folder / "a.db", definition, "", {}, false, nullptr}));
  const Study study = run_with(folder / "a.db", 2, with_likings);
  const Track track = study.tracks()[0];
  const auto splits_at = [&](int size, const std::string& method) {
    std::set<std::string> out;
    const Instance& instance = study.instances[*study.instance_at(track, size)];
    for (const std::size_t place : instance.items)
      if (const Item& item = study.items[place]; item.way.method == method && item.supplied == 0)
        out.insert(study.split_of(item));
    return out;
  };
  using Splits = std::set<std::string>;
  EXPECT_EQ(splits_at(4, "asym"), Splits{"TASK(1) | TASK(2),TASK(3),TASK(4),VARIABLE"});
  const std::string others = "TASK(1),VARIABLE | TASK(2),TASK(3),TASK(4)";
  EXPECT_EQ(splits_at(4, "sym"), Splits{others});
  EXPECT_EQ(splits_at(4, "weakest"), Splits{others});
  EXPECT_EQ(splits_at(4, "cegar"), Splits{""});
  EXPECT_EQ(splits_at(4, "circular"), (Splits{"", others}));
  EXPECT_EQ(splits_at(5, "circular"), Splits{"TASK(1),VARIABLE | TASK(2),TASK(3),TASK(4),TASK(5)"});
  EXPECT_EQ(splits_at(2, "circular").size(), 6U + 1);

  const auto facts = facts_of(study);
  for (const WayFacts& way : way_facts(study, facts)) {
    const ReachFacts reach = reach_facts(way);
    const bool all_components = way.way.method == "circular" && !way.in_two;
    EXPECT_EQ(reach.most, all_components ? 3 : 5) << way.way.method;
    EXPECT_EQ(reach.smaller, all_components ? 1U : 0U) << way.way.method;
    EXPECT_EQ(reach.to_the_end, all_components ? 0U : 1U) << way.way.method;
    EXPECT_EQ(way.runs, way.in_two ? 6U : 1U) << way.way.method;
  }
}

// Of at most five components; each order once, and what our own costs is among them.
TEST(StudyRun, AllOrdersOfFewComponentsAreTried) {
  const Folder folder;
  Definition definition = small_definition();
  definition.methods = {"asym", "asym-n"};
  definition.alphabets = {"refine"};
  definition.systems[0].all = {2, 2};
  definition.systems[0].scale.reset();
  definition.systems.push_back(definition.systems[0]);
  definition.systems[1].name = "Chiron";
  definition.systems[1].models[Engine::exact] = {example("chiron/chiron.lts"), "", "ARTIST", {"REGISTERED_ONCE"}};
  ASSERT_TRUE(create({folder / "a.db", definition, "", {}, false, nullptr}));
  const Study study = run_with(folder / "a.db", 2, perform);
  std::set<std::string> splits, keys;
  std::set<std::uint64_t> costs;
  for (const Item& item : study.items) {
    if (item.order.empty()) continue;
    EXPECT_EQ(study.system_of(study.instance_of(item)).definition.name, "Relay");  // Chiron has six tasks
    EXPECT_TRUE(item.holds());
    splits.insert(study.split_of(item));
    keys.insert(study.key(item));
    costs.insert(item.cost());
  }
  EXPECT_EQ(splits.size(), 6U);
  EXPECT_TRUE(splits.contains("VARIABLE | TASK(1) | TASK(2)"));
  EXPECT_EQ(keys.size(), 6U);
  EXPECT_TRUE(keys.contains("Relay/exact/2/ALWAYS_1_BETWEEN_0/asym-n/refine/lstar/2,0,1"));
  const auto orders = order_facts(study, facts_of(study));
  ASSERT_EQ(orders.size(), 1U);
  EXPECT_EQ(orders[0].orders, 6U);
  EXPECT_EQ(orders[0].best, *costs.begin());
  EXPECT_EQ(orders[0].worst, *costs.rbegin());
  EXPECT_LT(orders[0].best, orders[0].worst);
  EXPECT_TRUE(costs.contains(orders[0].ours));
}

// Results of two models are not mixed: a file that is read again while a study runs has to be as it was.
TEST(StudyRun, AModelThatChangesMeanwhileStopsTheStudyAndNothingOfTheNewOneIsKept) {
  const Folder folder;
  const std::string file = folder / "relay.lts";
  fs::copy_file(example("relay/relay.lts"), file);
  Definition definition = small_definition();
  definition.systems[0].models[Engine::exact].file = file;
  ASSERT_TRUE(create({folder / "a.db", definition, "", {}, false, nullptr}));
  ASSERT_TRUE(create({folder / "b.db", definition, "", {}, false, nullptr}));
  run_with(folder / "b.db", 1, perform);
  const auto crew = make_local_crew(1, [file](const Job& job, const api::Model& model) {
    std::ofstream(file, std::ios::app) << "// another line\n";
    return perform(job, model);
  });
  {
    auto store = Store::open(folder / "a.db", Database::Mode::write);
    const auto stopped = run_study(*store, *crew, {});
    ASSERT_FALSE(stopped);
    EXPECT_EQ(stopped.error().status, api::Failure::kInput);
    EXPECT_EQ(stopped.error().diagnostics[0].message, "this model has changed since the study was made");
    const Study study = store->read();
    EXPECT_TRUE(std::ranges::any_of(study.items, &Item::is_finished));
    EXPECT_TRUE(std::ranges::none_of(study.items, [](const Item& item) { return item.status == Status::crashed; }));
    EXPECT_FALSE(std::ranges::all_of(study.items, &Item::is_finished));
  }
  fs::copy_file(example("relay/relay.lts"), file, fs::copy_options::overwrite_existing);
  run_with(folder / "a.db", 1, perform);
  EXPECT_TRUE(diff(folder / "a.db", folder / "b.db")->none());
}

// The file itself is the same, but one that it includes is not.
TEST(StudyRun, AnIncludedFileThatHasChangedStopsTheStudy) {
  const Folder folder;
  std::ofstream(folder / "model.pml") << "#include \"rest.pml\"\n";
  const std::string text = read_file(example("peterson/peterson.pml")).value();
  std::ofstream(folder / "rest.pml") << text;
  Definition definition = small_definition();
  definition.systems[0].models = {{Engine::exact, {folder / "model.pml", "", "Process", {}}}};
  definition.systems[0].all = {2, 2};
  definition.systems[0].scale.reset();
  const auto created = create({folder / "a.db", definition, "", {}, false, nullptr});
  ASSERT_TRUE(created) << render(created.error().diagnostics[0]);
  std::ofstream(folder / "rest.pml") << text << "/* another line */\n";
  EXPECT_FALSE(create({folder / "a.db", definition, "", {}, false, nullptr}));
  const auto crew = make_local_crew(1);
  auto store = Store::open(folder / "a.db", Database::Mode::write);
  const auto stopped = run_study(*store, *crew, {});
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().diagnostics[0].message, "this model has changed since the study was made");
  EXPECT_TRUE(std::ranges::none_of(store->read().items, &Item::is_finished));
}

// A search with fewer constraints than the proof has in the end may be larger than those of the proof: a bound that
// ends it says nothing of the cost.
TEST(StudyRun, ABoundThatEndsTheSearchForConstraintsLeavesTheCostOpen) {
  const Folder folder;
  Definition definition = small_definition();
  definition.systems[0].models = {{Engine::flavers, {example("smokers/smokers.adb"), "", "SMOKER", {"ONE_EACH"}}}};
  definition.systems[0].all = {2, 2};
  definition.systems[0].scale.reset();
  definition.alphabets = {"refine"};
  definition.systems.push_back(definition.systems[0]);
  definition.systems[1].name = "Chiron";
  definition.systems[1].models = {{Engine::flavers, {example("chiron/chiron.adb"), "", "ARTIST", {"REGISTERED_ONCE"}}}};
  const auto run = [&](const std::string& file, Bound bound) {
    EXPECT_TRUE(create({file, definition, "", {}, false, nullptr}));
    const auto crew = make_local_crew(1);
    auto store = Store::open(file, Database::Mode::write);
    RunOptions options;
    options.bound = bound;
    EXPECT_TRUE(run_study(*store, *crew, options));
    return store->read();
  };
  const Study exact = run(folder / "exact.db", Bound::none), bounded = run(folder / "bounded.db", Bound::best);
  std::size_t sure = 0, unsure = 0;
  for (const Item& item : bounded.items) {
    if (item.status != Status::worse) continue;
    ++(is_unsure(bounded, item) ? unsure : sure);
    const Item* const same = exact.find(exact.instances[item.instance], item.mask, item.way);
    if (!is_unsure(bounded, item) && same->holds()) {
      EXPECT_GT(same->cost(), *item.bound) << exact.key(*same);
    }
  }
  EXPECT_GT(sure, 0U);
  EXPECT_GT(unsure, 0U);
  const Best a = best_of(exact, exact.instances[0], exact.way()),
             b = best_of(bounded, bounded.instances[0], exact.way());
  EXPECT_FALSE(a.known_only());
  EXPECT_TRUE(b.known_only());
  EXPECT_TRUE(differences(exact, bounded).contradictions.empty());
}

// A run that has come to an end without an answer is no violation: the splits are still to be run.
TEST(StudyRun, AnAnswerThatIsUnknownExcludesNothing) {
  const Folder folder;
  create_small(folder / "a.db");
  const Study study = run_with(folder / "a.db", 2, [](const Job& job, const api::Model& model) {
    Answer out = perform(job, model);
    if (job.kind != Job::Kind::run || job.model.size != 3 || !job.split.empty()) return out;
    out.result.verdict = "unknown";
    out.result.why = "the graph is too large";
    return out;
  });
  for (const Item& item : study.items) EXPECT_NE(item.result->verdict, "excluded") << study.key(item);
  const TrackFacts facts = facts_of(study)[0];
  EXPECT_EQ(facts.mono_reach.largest, 2);
  EXPECT_EQ(facts.mono_reach.stopped_at, std::nullopt);  // no limit has stopped it
}

// What a study measures is what a check measures: the same model, the same numbers.
TEST(StudyRun, AFlowAnalysisIsThatOfACheck) {
  ModelSpec spec{Engine::flavers, {example("chiron/chiron.adb"), "", "ARTIST", {"REGISTERED_ONCE"}}, "K", 5};
  Budget budget;
  const auto model = read_model(spec, budget);
  ASSERT_TRUE(model);
  Job job;
  job.model = spec;
  job.property = "REGISTERED_ONCE";
  job.way = kMonolithic;
  job.constraints = "ta:Artist(1)";
  api::Request request;
  request.source.files = {spec.model.file};
  request.source.defines = {{"K", 5}};
  request.properties = {"REGISTERED_ONCE"};
  request.method = "monolithic";
  request.engine = "flavers";
  request.constraints = "ta:Artist(1)";
  request.reduction = "none";
  const auto report = api::verify(request);
  ASSERT_TRUE(report);
  EXPECT_EQ(perform(job, *model).result.max_states, report->checks[0].cost.max_search);
}

}  // namespace
}  // namespace surety::study
