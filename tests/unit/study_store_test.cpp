// Databases of studies: those that are not right, that are added to, merged, and taken apart.

#include <fmt/format.h>

#include <fstream>
#include <functional>

#include "study/merge.hpp"
#include "study/report/predict.hpp"
#include "study/shard.hpp"
#include "study/status.hpp"
#include "study_help.hpp"

namespace surety::study {
namespace {

std::string message_of(const std::string& file) {
  const auto store = Store::open(file, Database::Mode::read);
  return store ? "" : render(store.error().diagnostics[0]);
}

TEST(StudyStore, RefusesWhatIsNoStudyOfThisVersion) {
  const Folder folder;
  std::ofstream(folder / "text.db") << "these are no bytes of a database, but there are more than a hundred of them, "
                                       "so that nobody takes them for an empty one";
  EXPECT_NE(message_of(folder / "text.db").find("not a database"), std::string::npos) << message_of(folder / "text.db");
  Database(folder / "other.db", Database::Mode::create).execute("CREATE TABLE t(x)");
  EXPECT_NE(message_of(folder / "other.db").find("this is no study"), std::string::npos);
  create_small(folder / "new.db");
  Database(folder / "new.db", Database::Mode::write).execute("PRAGMA user_version = 7");
  EXPECT_NE(message_of(folder / "new.db").find("this study has schema 7"), std::string::npos);
  EXPECT_NE(message_of(folder / "none.db").find("there is no such study"), std::string::npos);
}

// Schema 1 had no orders. Such a study is read as it is, and becomes a new one when something is written.
TEST(StudyStore, AStudyOfTheOldSchemaIsReadAndWritten) {
  const Folder folder;
  create_small(folder / "a.db");
  const Study before = run_with(folder / "a.db", 1, perform);
  Database(folder / "a.db", Database::Mode::write)
      .execute("ALTER TABLE item DROP COLUMN task_order; PRAGMA user_version = 1");
  const auto version = [&] { return Database(folder / "a.db", Database::Mode::read).number("PRAGMA user_version"); };
  EXPECT_TRUE(differences(before, Store::open(folder / "a.db", Database::Mode::read)->read()).none());
  EXPECT_EQ(version(), 1);
  Definition more = small_definition();
  more.methods = {"asym", "asym-n"};
  ASSERT_TRUE(create({folder / "a.db", more, "", {}, false, nullptr}));
  EXPECT_EQ(version(), kSchema);
  const Study after = run_with(folder / "a.db", 1, perform);
  EXPECT_EQ(std::ranges::count_if(after.items, [](const Item& item) { return !item.order.empty(); }), 6 + 24);
  EXPECT_TRUE(differences(before, after).first_only.empty());
}

TEST(StudyStore, AnOrderOfOtherTasksIsAMessage) {
  const Folder folder;
  create_small(folder / "a.db");
  Database(folder / "a.db", Database::Mode::write).execute("UPDATE item SET task_order = '[0,1,7]'");
  auto store = Store::open(folder / "a.db", Database::Mode::read);
  const auto read = guarded(folder / "a.db", [&]() -> api::Outcome<Study> { return store->read(); });
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().diagnostics[0].message.find("this study is damaged"), std::string::npos);
}

TEST(StudyStore, ADamagedFileIsAMessage) {
  const Folder folder;
  create_small(folder / "a.db");
  fs::resize_file(folder / "a.db", fs::file_size(folder / "a.db") / 2);
  auto store = Store::open(folder / "a.db", Database::Mode::read);
  const auto read = !store ? api::Outcome<Study>(tl::unexpected(store.error()))
                           : guarded(folder / "a.db", [&]() -> api::Outcome<Study> { return store->read(); });
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().status, api::Failure::kInput);
}

TEST(StudyStore, AnEngineThatIsNotKnownIsNoOther) {
  const Folder folder;
  create_small(folder / "a.db");
  Database(folder / "a.db", Database::Mode::write).execute("UPDATE model SET engine = 'other'");
  auto store = Store::open(folder / "a.db", Database::Mode::read);
  ASSERT_TRUE(store);
  const auto read = guarded(folder / "a.db", [&]() -> api::Outcome<Study> { return store->read(); });
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().diagnostics[0].message, "this version has no engine 'other'");
}

TEST(StudyStore, AnEngineOfADefinitionThatIsNotKnownIsNotLeftOut) {
  const Folder folder;
  create_small(folder / "a.db");
  Database(folder / "a.db", Database::Mode::write)
      .execute("UPDATE system SET definition = replace(definition, 'exact', 'other')");
  auto store = Store::open(folder / "a.db", Database::Mode::read);
  const auto read = guarded(folder / "a.db", [&]() -> api::Outcome<Study> { return store->read(); });
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().diagnostics[0].message, "this version has no engine 'other'");
}

TEST(StudyStore, AValueThatCannotBeReadIsAMessage) {
  for (const char* damage : {"UPDATE model SET tasks = '[1, 2'", "UPDATE model SET system = 77",
                             "UPDATE study SET value = '{}' WHERE key = 'limits'"}) {
    const Folder folder;
    create_small(folder / "a.db");
    Database(folder / "a.db", Database::Mode::write).execute(damage);
    auto store = Store::open(folder / "a.db", Database::Mode::read);
    const auto read = guarded(folder / "a.db", [&]() -> api::Outcome<Study> { return store->read(); });
    ASSERT_FALSE(read) << damage;
    EXPECT_NE(read.error().diagnostics[0].message.find("this study is damaged"), std::string::npos) << damage;
  }
}

TEST(StudyStore, OnlyOneProcessWrites) {
  const Folder folder;
  create_small(folder / "a.db");
  const auto first = WriterLock::take(folder / "a.db");
  EXPECT_TRUE(first);
  EXPECT_FALSE(WriterLock::take(folder / "a.db"));
}

TEST(StudyCreate, RefusesAModelThatHasChangedUnlessItIsRenewed) {
  const Folder folder;
  fs::copy_file(example("relay/relay.lts"), folder / "relay.lts");
  Definition definition = small_definition();
  definition.systems[0].models[Engine::exact].file = folder / "relay.lts";
  CreateOptions options{folder / "a.db", definition, "", {}, false, nullptr};
  ASSERT_TRUE(create(options));
  const auto again = create(options);
  ASSERT_TRUE(again);
  EXPECT_EQ(again->items, 0U);
  run_with(folder / "a.db", 1, perform);
  std::ofstream(folder / "relay.lts", std::ios::app) << "// another line\n";
  const auto refused = create(options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().diagnostics[0].message, "this model has changed since the study was made");
  auto store = Store::open(folder / "a.db", Database::Mode::write);
  EXPECT_FALSE(can_run(*store, store->read()));
  const auto predicted = predict(*store, store->read());
  ASSERT_FALSE(predicted);
  EXPECT_EQ(predicted.error().diagnostics[0].message, "this model has changed since the study was made");
  options.renew = true;
  ASSERT_TRUE(create(options));
  EXPECT_TRUE(std::ranges::none_of(store->read().items, &Item::is_finished));
}

TEST(StudyCreate, AddsSizesToAStudyThatIsThere) {
  const Folder folder;
  create_small(folder / "a.db");
  run_with(folder / "a.db", 1, perform);
  Definition larger = small_definition();
  larger.systems[0].all = {2, 4};
  const auto added = create({folder / "a.db", larger, "", {}, false, nullptr});
  ASSERT_TRUE(added);
  EXPECT_GT(added->items, 20U);
  const Study study = run_with(folder / "a.db", 2, perform);
  EXPECT_TRUE(best_of(study, study.instances[*study.instance_at(study.tracks()[0], 4)], study.way()).complete);
}

TEST(StudyMerge, APartThatContradictsIsRefusedAndNothingIsTaken) {
  const Folder folder;
  create_small(folder / "a.db");
  ASSERT_TRUE(prepare_shard(folder / "a.db", folder / "0.db", {0, 2}));
  ASSERT_TRUE(prepare_shard(folder / "a.db", folder / "1.db", {1, 2}));
  for (const char* part : {"0.db", "1.db"}) {
    const auto crew = make_local_crew(1);
    auto store = Store::open(folder / part, Database::Mode::write);
    RunOptions options;
    options.first_phases_only = true;
    ASSERT_TRUE(run_study(*store, *crew, options));
  }
  const auto merged = merge(folder / "a.db", {folder / "0.db"});
  ASSERT_TRUE(merged);
  Database(folder / "0.db", Database::Mode::write).execute("UPDATE result SET max_states = max_states + 1");
  const auto refused = merge(folder / "a.db", {folder / "1.db", folder / "0.db"});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().status, api::Failure::kInput);
  EXPECT_GT(refused.error().diagnostics.size(), 1U);
  EXPECT_EQ(merge(folder / "a.db", {folder / "0.db"}).has_value(), false);
  const auto rest = merge(folder / "a.db", {folder / "1.db"});
  ASSERT_TRUE(rest);
  EXPECT_GT(rest->taken, 0U);  // nothing of it had been taken before
}

// A whole study has runs of phases that another one has not come to.
TEST(StudyMerge, OfAWholeStudyTheRunsOfLaterPhasesAreLeftOut) {
  const Folder folder;
  create_small(folder / "a.db");
  create_small(folder / "whole.db");
  const auto crew = make_local_crew(1);
  {
    auto whole = Store::open(folder / "whole.db", Database::Mode::write);
    ASSERT_TRUE(run_study(*whole, *crew, {}));
  }
  const auto merged = merge(folder / "a.db", {folder / "whole.db"});
  ASSERT_TRUE(merged);
  EXPECT_GT(merged->taken, 0U);
  EXPECT_GT(merged->left_out, 0U);
  {
    auto store = Store::open(folder / "a.db", Database::Mode::write);
    const auto end = run_study(*store, *crew, {});
    ASSERT_TRUE(end);
    EXPECT_EQ(end->progress.since_start, merged->left_out);
  }
  EXPECT_TRUE(diff(folder / "a.db", folder / "whole.db")->none());
}

// A run of another system is of no phase of this study.
TEST(StudyMerge, RunsOfAnotherSystemAreNotLeftOutInSilence) {
  const Folder folder;
  create_small(folder / "a.db");
  Definition other = small_definition();
  other.systems[0].name = "Other";
  ASSERT_TRUE(create({folder / "b.db", other, "", {}, false, nullptr}));
  {
    const auto crew = make_local_crew(1);
    auto store = Store::open(folder / "b.db", Database::Mode::write);
    ASSERT_TRUE(run_study(*store, *crew, {}));
  }
  // As if only the monolithic runs had been finished.
  Database(folder / "b.db", Database::Mode::write).execute("UPDATE item SET status = 'open' WHERE reason != 'mono'");
  const auto merged = merge(folder / "a.db", {folder / "b.db"});
  ASSERT_FALSE(merged);
  EXPECT_NE(render(merged.error().diagnostics[0]).find("the study has no run Other/"), std::string::npos);
}

// Not as the runs of all sizes were: these are quick where few tasks are.
TEST(StudyStatus, ARunIsExpectedToTakeAsLongAsThoseOfItsInstance) {
  const Folder folder;
  create_small(folder / "a.db");
  run_with(folder / "a.db", 1, perform);
  {
    const std::string of_size_3 =
        "(SELECT item.id FROM item JOIN instance ON item.instance = instance.id JOIN model ON instance.model = "
        "model.id "
        "WHERE model.size = 3 AND item.reason LIKE 'all%' ORDER BY item.id";
    Database db(folder / "a.db", Database::Mode::write);
    db.execute("UPDATE result SET time_s = 0.001");
    db.execute(("UPDATE result SET time_s = 2 WHERE item IN " + of_size_3 + ")").c_str());
    db.execute(("UPDATE item SET status = 'open' WHERE id IN " + of_size_3 + " LIMIT 4)").c_str());
    db.execute(("DELETE FROM result WHERE item IN " + of_size_3 + " LIMIT 4)").c_str());
  }
  const Standing standing = standing_of(Store::open(folder / "a.db", Database::Mode::read)->read());
  EXPECT_EQ(standing.total.left, 4U);
  EXPECT_DOUBLE_EQ(standing.expected_s, 8);
}

// The order of the parts does not matter: what one of them has finished within its limits counts.
TEST(StudyMerge, ARunThatOnePartHasFinishedReplacesOneThatWasOverALimit) {
  const Folder folder;
  create_small(folder / "a.db");
  for (const char* part : {"0.db", "1.db"}) {
    ASSERT_TRUE(prepare_shard(folder / "a.db", folder / part, {0, 1}));
    const auto crew = make_local_crew(1);
    auto store = Store::open(folder / part, Database::Mode::write);
    RunOptions options;
    options.bound = Bound::none;
    options.first_phases_only = true;
    ASSERT_TRUE(run_study(*store, *crew, options));
  }
  Database(folder / "0.db", Database::Mode::write)
      .execute("UPDATE item SET status = 'over_limit'; UPDATE result SET verdict = 'unknown', max_states = 1");
  ASSERT_TRUE(merge(folder / "a.db", {folder / "0.db", folder / "1.db"}));
  const Study study = Store::open(folder / "a.db", Database::Mode::read)->read();
  EXPECT_TRUE(std::ranges::none_of(study.items, [](const Item& item) { return item.status == Status::over_limit; }));
}

// Each shard knows by itself with which constraints a run begins: those of the next smaller size, if the monolithic run
// has found none.
TEST(StudyShard, HasTheMonolithicRunsOfSmallerSizesWhereConstraintsComeFromThem) {
  const Folder folder;
  Definition definition = small_definition();
  definition.systems[0].models = {{Engine::flavers, {example("relay/relay.adb"), "", "RUNNER", {}}}};
  definition.systems[0].scale.reset();
  const auto created = create({folder / "a.db", definition, "", {}, false, nullptr});
  ASSERT_TRUE(created) << render(created.error().diagnostics[0]);
  for (std::size_t i = 0; i < 20; ++i) {
    const std::string part = folder / fmt::format("{}.db", i);
    ASSERT_TRUE(prepare_shard(folder / "a.db", part, {i, 20}));
    const Study study = Store::open(part, Database::Mode::read)->read();
    ASSERT_FALSE(study.items.empty());
    for (const Item& item : study.items)
      for (int size = 2; size <= study.model_of(study.instance_of(item)).size; ++size) {
        EXPECT_NE(study.mono_of(study.instances[*study.instance_at(study.tracks()[0], size)]), nullptr);
      }
  }
}

// The same file, but not the same system.
TEST(StudyCreate, RefusesAnotherParameterCompositeOrRepeatedTask) {
  const Folder folder;
  create_small(folder / "a.db");
  const auto refusal = [&](const std::function<void(DefinedSystem&)>& change) {
    Definition definition = small_definition();
    change(definition.systems[0]);
    const auto again = create({folder / "a.db", definition, "", {}, false, nullptr});
    return again ? "" : again.error().diagnostics[0].message;
  };
  EXPECT_EQ(refusal([](DefinedSystem&) {}), "");
  EXPECT_EQ(refusal([](DefinedSystem& system) { system.models[Engine::exact].composite = "SYSTEM"; }),
            "in the study no composite of it is named");
  EXPECT_NE(refusal([](DefinedSystem& system) { system.parameter = "N"; }), "");
}

TEST(StudyShard, GoesOnWithItsOwnFileAndNotWithThatOfAnother) {
  const Folder folder;
  create_small(folder / "a.db");
  ASSERT_TRUE(prepare_shard(folder / "a.db", folder / "0.db", {0, 2}));
  EXPECT_TRUE(prepare_shard(folder / "a.db", folder / "0.db", {0, 2}));
  const auto other = prepare_shard(folder / "a.db", folder / "0.db", {1, 2});
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().diagnostics[0].message, "this is shard 0/2, not shard 1/2");
  const auto whole = prepare_shard(folder / "a.db", folder / "a.db", {1, 2});
  ASSERT_FALSE(whole);
  EXPECT_EQ(whole.error().diagnostics[0].message, "this is a whole study, not shard 1/2");
  EXPECT_FALSE(fs::exists(folder / "0.db.unfinished"));
}

// A process that was killed while it made the file of a shard has left something, which is no shard.
TEST(StudyShard, WhatAKilledProcessHasLeftIsMadeAnew) {
  const Folder folder;
  create_small(folder / "a.db");
  std::ofstream(folder / "0.db.unfinished") << "half a database";
  std::ofstream(folder / "0.db.unfinished-wal") << "half a log";
  ASSERT_TRUE(prepare_shard(folder / "a.db", folder / "0.db", {0, 1}));
  EXPECT_EQ(Store::open(folder / "0.db", Database::Mode::read)->read().items.size(), 6U + 14 + 2);
}

}  // namespace
}  // namespace surety::study
