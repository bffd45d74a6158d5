// The decomposition study without its runs: masks, generalisation, categories, definitions, what a model is like, the
// database, the report. Runs that go wrong are at the end.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "base/file.hpp"
#include "paths.hpp"
#include "study/categories.hpp"
#include "study/create.hpp"
#include "study/generalise.hpp"
#include "study/merge.hpp"
#include "study/plan.hpp"
#include "study/report/paper.hpp"
#include "study/report/predict.hpp"
#include "study/report/report.hpp"
#include "study/report/svg.hpp"
#include "study/run.hpp"
#include "study/shard.hpp"

namespace surety::study {
namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "surety-study-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~Folder() { fs::remove_all(path_); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

std::string example(const std::string& name) { return std::string(SURETY_EXAMPLES) + "/" + name; }

// --- masks ------------------------------------------------------------------------------

TEST(StudyMask, AllDecompositionsAreTwoToTheTasksMinusTwoAndEachIsThereOnce) {
  for (const std::size_t tasks : {2U, 3U, 4U, 5U, 6U, 8U}) {
    const auto all = all_masks(tasks);
    EXPECT_EQ(all.size(), (std::size_t{1} << tasks) - 2);
    EXPECT_EQ(std::set<Mask>(all.begin(), all.end()).size(), all.size());
    for (const Mask& mask : all) EXPECT_TRUE(mask.splits());
  }
}

TEST(StudyMask, BitIOfTheMaskIsTaskI) {
  const Mask mask(3, 0b101);
  EXPECT_EQ(mask.split({"a", "b", "c"}), "a,c | b");
  EXPECT_EQ(mask.text(), "0x5");
}

TEST(StudyMask, SeventyTasksSurviveTheDatabase) {
  Mask mask(70);
  for (const std::size_t task : {0U, 7U, 8U, 63U, 64U, 69U}) mask.put(task, true);
  EXPECT_EQ(mask.blob().size(), 9U);
  EXPECT_EQ(Mask::from_blob(70, mask.blob()), mask);
}

// 2^(c+d) (k-d+1) - 2 orbits with c other tasks, of k repeated ones d singled out.
TEST(StudyMask, OrbitsAreAsManyAsTheFormulaSays) {
  for (const std::size_t k : {2U, 3U, 4U, 5U}) {
    constexpr std::size_t kOthers = 4, kSingled = 1;
    std::vector<std::size_t> alike;
    for (std::size_t i = kSingled; i < k; ++i) alike.push_back(i);
    std::set<Mask> orbits;
    for (const Mask& mask : all_masks(kOthers + k)) orbits.insert(smallest_of_orbit(mask, {alike}));
    EXPECT_EQ(orbits.size(), (std::size_t{1} << (kOthers + kSingled)) * (k - kSingled + 1) - 2) << k;
  }
}

// --- generalisation ------------------------------------------------------------------------

// A server, then so many clients.
Shape shape(std::size_t clients, std::vector<std::size_t> singled_out = {}) {
  Shape out;
  out.tasks = {"SERVER"};
  for (std::size_t i = 1; i <= clients; ++i) {
    out.repeated.push_back(out.tasks.size());
    out.tasks.push_back(fmt::format("CLIENT({})", i));
  }
  out.singled_out = std::move(singled_out);
  return out;
}

// "1|01": the server in S1, client 1 in S2, client 2 in S1.
Mask mask(const std::string& text) {
  Mask out(text.size() - 1);
  out.put(0, text[0] == '1');
  for (std::size_t i = 2; i < text.size(); ++i) out.put(i - 1, text[i] == '1');
  return out;
}

std::string shown(const std::optional<Generalised>& made) {
  if (!made) return "none";
  std::string out = made->mask.first(0) ? "1|" : "0|";
  for (std::size_t i = 1; i < made->mask.tasks(); ++i) out += made->mask.first(i) ? '1' : '0';
  return out;
}

TEST(StudyGeneralise, RepeatedTasksOnOneSideStayThere) {
  EXPECT_EQ(shown(generalise(mask("1|00"), shape(2), shape(5))), "1|00000");
  EXPECT_EQ(shown(generalise(mask("0|11"), shape(2), shape(4, {0}))), "0|1111");
}

TEST(StudyGeneralise, OneThatIsTreatedDifferentlyKeepsItsSideAndTheOthersTakeTheOther) {
  EXPECT_EQ(shown(generalise(mask("1|01"), shape(2, {0}), shape(4, {0}))), "1|0111");
  EXPECT_EQ(shown(generalise(mask("1|10"), shape(2, {0}), shape(4, {0}))), "1|1000");
}

TEST(StudyGeneralise, TheLastOneCorrespondsToTheSecondOfSizeTwo) {
  EXPECT_EQ(shown(generalise(mask("1|01"), shape(2, {1}), shape(4, {3}))), "1|0001");
}

TEST(StudyGeneralise, AlikeTasksFollowTheFirstOne) {
  EXPECT_EQ(shown(generalise(mask("0|10"), shape(2), shape(4))), "0|1000");
  EXPECT_EQ(shown(generalise(mask("0|01"), shape(2), shape(4))), "0|0111");
}

TEST(StudyGeneralise, SeveralSingledOutAreAnExtension) {
  const auto made = generalise(mask("0|10"), shape(2, {0}), shape(5, {0, 1}));
  EXPECT_EQ(shown(made), "0|10000");
  EXPECT_TRUE(made->extended);
}

TEST(StudyGeneralise, ToSizeTwoItIsTheIdentity) {
  for (const Mask& best : all_masks(3)) EXPECT_EQ(generalise(best, shape(2), shape(2))->mask, best);
}

TEST(StudyGeneralise, SimplifyingUndoesIt) {
  for (const auto& singled_out : {std::vector<std::size_t>{}, std::vector<std::size_t>{0}})
    for (const Mask& best : all_masks(3)) {
      const Shape two = shape(2, singled_out), five = shape(5, singled_out);
      const auto back = simplify(generalise(best, two, five)->mask, five, two);
      ASSERT_EQ(back.size(), 1U);
      EXPECT_EQ(back[0].mask, best);
      EXPECT_FALSE(back[0].ambiguous);
    }
}

TEST(StudyGeneralise, ATieInTheMajorityGivesBothVariants) {
  const auto made = simplify(mask("1|010"), shape(3), shape(2));
  ASSERT_EQ(made.size(), 2U);
  EXPECT_TRUE(made[0].ambiguous && made[1].ambiguous);
}

TEST(StudyGeneralise, OddAndEvenIsFoundAsAPattern) {
  const auto made = generalise_from(mask("1|0101"), shape(4), {{mask("1|010"), shape(3)}}, shape(7));
  EXPECT_EQ(shown(made), "1|0101010");
  EXPECT_EQ(made->pattern, "index mod 2");
}

TEST(StudyGeneralise, WithoutAPatternThereIsNone) {
  EXPECT_EQ(shown(generalise_from(mask("1|0100110"), shape(7), {}, shape(8))), "none");
}

TEST(StudyGeneralise, ASideIsNeverEmpty) {
  Shape no_server = shape(2);
  no_server.tasks.erase(no_server.tasks.begin());
  no_server.repeated = {0, 1};
  Mask both(2);
  both.put(0, true);
  both.put(1, true);
  EXPECT_EQ(shown(generalise(both, no_server, no_server)), "none");
}

// --- sizes and categories --------------------------------------------------------------------

// All sizes that are tried if those up to `largest` can be verified.
std::vector<int> sizes_up_to(int largest, const Range& range) {
  std::map<int, bool> tried;
  std::vector<int> out;
  while (const auto size = next_size(tried, range)) {
    out.push_back(*size);
    tried[*size] = *size <= largest;
  }
  EXPECT_EQ(reach_of(tried).largest, std::min(largest, range.to));
  return out;
}

TEST(StudySizes, GoUpOneByOneThenDoubleThenBisect) {
  EXPECT_EQ(sizes_up_to(3, {2, 64}), (std::vector{2, 3, 4}));
  EXPECT_EQ(sizes_up_to(12, {2, 64}), (std::vector{2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 15, 12, 13}));
  EXPECT_EQ(sizes_up_to(99, {2, 12}), (std::vector{2, 3, 4, 5, 6, 7, 8, 9, 10, 12}));
}

TEST(StudyCategories, HaveTheBordersOfThePaper) {
  const auto reach = [](int largest, std::optional<int> stopped = {}) { return Reach{largest, stopped}; };
  EXPECT_EQ(category_of(reach(5, 6), reach(6, 7), 0.5), Category::scales_farther);
  EXPECT_EQ(category_of(reach(10), reach(10), 0.99), Category::appears_better);
  EXPECT_EQ(category_of(reach(10), reach(10), 1.0), Category::appears_worse);
  EXPECT_EQ(category_of(reach(5, 6), reach(5, 6), 0.5), Category::cannot_scale);
  EXPECT_EQ(category_of(reach(5, 6), reach(4, 5), 0.5), Category::cannot_scale);
  EXPECT_EQ(category_of(reach(45, 46), reach(45, 46), 0.5), Category::monolithic_scales);
  EXPECT_EQ(category_of(reach(44, 45), reach(44, 45), 0.5), Category::cannot_scale);
  EXPECT_EQ(category_of(reach(50), reach(50), 2.0), Category::appears_worse);
}

// --- definitions -------------------------------------------------------------------------------

TEST(StudyDefinition, SaysAllThatIsWrongAndWhere) {
  const auto read = parse_definition(
      "s.toml", "limit = { time = \"6 parsecs\", mem = \"1G\" }\n[[system]]\nname = 7\nall = \"4..2\"\n");
  ASSERT_FALSE(read);
  std::string all;
  for (const auto& d : read.error()) all += render(d);
  EXPECT_NE(all.find("s.toml:1:18: error: '6 parsecs' is no duration"), std::string::npos) << all;
  EXPECT_NE(all.find("there is no setting 'mem' here"), std::string::npos) << all;
  EXPECT_NE(all.find("s.toml:3:8: error: 'name' has to be a text"), std::string::npos) << all;
  EXPECT_NE(all.find("s.toml:4:7: error: 'all' has to be a range of sizes"), std::string::npos) << all;
  EXPECT_NE(all.find("this system has no model"), std::string::npos) << all;
}

TEST(StudyDefinition, OfBrokenTomlHasAPlace) {
  const auto read = parse_definition("s.toml", "[[system]]\nname = \"x\n");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error()[0].line, 2U);
}

TEST(StudyDefinition, OfASystemSurvivesJson) {
  const auto read = read_definition(example("study/paper.toml"));
  ASSERT_TRUE(read);
  ASSERT_EQ(read->systems.size(), 6U);
  for (const auto& system : read->systems) EXPECT_EQ(system_from_json(to_json(system)), system);
}

TEST(StudyDefinition, OfThePaperHasTheCountsOfTable1) {
  const Folder folder;
  auto read = read_definition(example("study/paper.toml"));
  ASSERT_TRUE(read);
  for (auto& system : read->systems) system.all = {2, 2};
  const auto created = create({folder / "p.db", *read, "paper.toml", {}, false, nullptr});
  ASSERT_TRUE(created) << render(created.error().diagnostics[0]);
  auto store = Store::open(folder / "p.db", Database::Mode::read);
  ASSERT_TRUE(store);
  const Study study = store->read();
  const auto facts = facts_of(study);
  for (const auto& row : paper::kTable1)
    for (const Engine engine : kEngines) {
      const bool flavers = engine == Engine::flavers;
      const int decompositions = flavers ? row.flavers_decompositions : row.ltsa_decompositions;
      std::size_t properties = 0, total = 0;
      for (const auto& f : facts)
        if (f.engine == engine && (f.system == row.system || row.system == "Total")) {
          ++properties;
          total += f.decompositions;
          if (decompositions > 0) {
            EXPECT_EQ(f.decompositions, static_cast<std::size_t>(decompositions)) << f.name();
          }
        }
      EXPECT_EQ(properties, static_cast<std::size_t>(flavers ? row.flavers_properties : row.ltsa_properties))
          << row.system;
      EXPECT_EQ(total, static_cast<std::size_t>(flavers ? row.flavers_total : row.ltsa_total)) << row.system;
    }
}

// --- models ---------------------------------------------------------------------------------------

std::map<std::string, std::vector<std::size_t>> singled_out(const std::string& file, const std::string& repeated,
                                                            int size) {
  const ModelSpec spec{Engine::exact, {example(file), "", repeated, {}}, "K", size};
  Budget budget;
  const auto model = read_model(spec, budget);
  if (!model) throw std::runtime_error(render(model.error().diagnostics[0]));
  std::map<std::string, std::vector<std::size_t>> out;
  const auto described = describe(*model, spec, false, budget);
  for (const auto& property : described->properties) out[property.name] = property.singled_out;
  return out;
}

TEST(StudyDescribe, KnowsWhichTasksAPropertyTreatsDifferently) {
  using Places = std::vector<std::size_t>;
  const auto gas = singled_out("gas_station/gas_station.lts", "CUSTOMER", 4);
  EXPECT_EQ(gas.at("MUTEX"), Places());
  EXPECT_EQ(gas.at("CHANGE"), Places{0});
  EXPECT_EQ(gas.at("ACTIVATED"), Places());
  const auto chiron = singled_out("chiron/chiron.lts", "ARTIST", 4);
  EXPECT_EQ(chiron.at("TOLD_IN_ORDER"), (Places{0, 1}));
  EXPECT_EQ(chiron.at("EVENT_PER_CALL"), Places());
  EXPECT_EQ(singled_out("relay/relay.lts", "TASK", 4).at("ALWAYS_1_BETWEEN_0"), Places());
  EXPECT_EQ(singled_out("peterson/peterson.pml", "Process", 3).at("MUTEX"), Places());
  const auto ada = singled_out("gas_station/gas_station.adb", "CUSTOMER", 3);
  EXPECT_EQ(ada.at("MUTEX"), Places());
  EXPECT_EQ(ada.at("CHANGE"), Places{0});
}

TEST(StudyDescribe, FindsWhatIsRepeatedByComparingSizes) {
  EXPECT_EQ(repeated_name({"A(1)", "A(2)", "P(1)"}, {"A(1)", "A(2)", "A(3)", "P(1)"}), "A");
  EXPECT_EQ(repeated_name({"A(1)"}, {"A(1)"}), "");
  EXPECT_EQ(repeated_tasks({"S", "c.2:CLIENT", "c.1:CLIENT"}, "CLIENT"), (std::vector<std::size_t>{2, 1}));
}

// --- a small study ------------------------------------------------------------------------------

Definition small_definition() {
  Definition out;
  out.limits = {2, 10, std::uint64_t{200} << 20};
  DefinedSystem relay;
  relay.name = "Relay";
  relay.models[Engine::exact] = {example("relay/relay.lts"), "", "TASK", {}};
  relay.all = {2, 3};
  relay.scale = Range{2, 4};
  out.systems = {relay};
  return out;
}

void create_small(const std::string& file) {
  const auto created = create({file, small_definition(), "", {}, false, nullptr});
  ASSERT_TRUE(created) << render(created.error().diagnostics[0]);
  EXPECT_EQ(created->items, 6U + 14 + 2);
}

Study run_with(const std::string& file, std::size_t workers, const Hands& hands) {
  const auto crew = make_local_crew(workers, hands);
  auto store = Store::open(file, Database::Mode::write);
  RunOptions options;
  options.bound = Bound::none;
  const auto end = run_study(*store, *crew, options);
  EXPECT_TRUE(end && end->why == RunEnd::Why::done);
  return store->read();
}

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

TEST(StudyRun, OneThatNeverEndsIsOverTheLimit) {
  const Folder folder;
  create_small(folder / "a.db");
  const Study study = run_with(folder / "a.db", 2, [](const Job& job, const api::Model& model) {
    while (is_culprit(job)) ::usleep(10'000);
    return perform(job, model);
  });
  EXPECT_EQ(culprit(study).status, Status::over_limit);
  EXPECT_EQ(culprit(study).result->why, "time");
  expect_all_others_done(study);
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
  EXPECT_EQ(culprit(study).status, Status::over_limit);
  EXPECT_EQ(culprit(study).result->why, "time");
  expect_all_others_done(study);
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
    const Reach reach = reach_of(monolithic_sizes(study, track));
    EXPECT_EQ(reach.largest, 4) << track.property;
    EXPECT_EQ(reach.stopped_at, 5) << track.property;
    EXPECT_EQ(reach_of(line_from(study, track, 2)->tried).largest, 4) << track.property;
  }
  // There is nothing larger for either of the two, so neither has been stopped by a limit.
  for (const TrackFacts& f : facts_of(study)) {
    EXPECT_EQ(f.mono_reach.largest, 4);
    EXPECT_EQ(f.mono_reach.stopped_at, std::nullopt);
    EXPECT_TRUE(f.category == Category::appears_better || f.category == Category::appears_worse) << f.name();
  }
}

// --- databases that are not right -------------------------------------------------------------------

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

// --- the report -------------------------------------------------------------------------------------

// Brackets match, attributes are quoted: enough to see that a browser can read it.
bool is_xml(const std::string& text) {
  std::vector<std::string> open;
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    const auto end = text.find('>', at);
    if (end == std::string::npos) return false;
    const std::string tag = text.substr(at + 1, end - at - 1);
    if (std::ranges::count(tag, '"') % 2 != 0) return false;
    const std::string name =
        tag.substr(tag.starts_with('/') ? 1 : 0, tag.find_first_of(" /", 1) - (tag.starts_with('/') ? 1 : 0));
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) return false;
      open.pop_back();
    } else if (!tag.ends_with('/')) {
      open.push_back(tag.substr(0, tag.find(' ')));
    }
  }
  return open.empty();
}

TEST(StudyReport, OfASmallStudyHasItsTablesAndFiguresBesideThoseOfThePaper) {
  const Folder folder;
  create_small(folder / "a.db");
  const Study study = run_with(folder / "a.db", 1, perform);
  const auto report = make_report(study);
  EXPECT_NE(report.text.find("| Relay | – | – | – | 1 | 6 | 6 | 1 | 6 | 6 | 1 | 6 | 6 |"), std::string::npos)
      << report.text;
  EXPECT_NE(report.text.find("| paper, FLAVERS | 32 | 17 | 53.1 % | 18 | 56.3 % |"), std::string::npos) << report.text;
  EXPECT_NE(report.text.find("| Total |  | 1 | 100.0 % | 30 | 100.0 % | 32 | 100.0 % |"), std::string::npos)
      << report.text;
  for (const char* name :
       {"figure2.svg", "figure4-exact.svg", "figure6.svg", "table1.csv", "table2.csv", "table3.csv", "properties.csv"})
    EXPECT_TRUE(report.files.contains(name)) << name;
  for (const auto& [name, content] : report.files)
    if (name.ends_with(".svg")) {
      EXPECT_TRUE(is_xml(content)) << name;
      EXPECT_EQ(content.find("script"), std::string::npos);
    }
  EXPECT_EQ(make_report(study).files, report.files);
  ASSERT_TRUE(write_report(report, folder / "out"));
  EXPECT_TRUE(fs::exists(folder / "out/report.md"));
}

// Numbers that nothing has measured: what a split costs depends on its sides alone, and one property of Smokers is over
// the limit at size 5 with a split, at size 6 without.
Answer made_up(const Job& job, const api::Model& model) {
  if (job.kind == Job::Kind::describe) return perform(job, model);
  Answer out;
  out.id = job.id;
  out.host = "nowhere";
  const bool is_mono = job.split.empty();
  const auto size = static_cast<std::uint64_t>(job.model.size);
  const auto mono = std::uint64_t{100} << (2 * (size - 2));
  const auto first = static_cast<std::uint64_t>(std::count(
      job.split.begin(),
      job.split.begin() + static_cast<std::ptrdiff_t>(std::min(job.split.find('|'), job.split.size())), ','));
  const bool over = job.property == "COMPLETE" && size >= (is_mono ? 6 : 5);
  RunResult& r = out.result;
  r.verdict = over ? "unknown" : "holds";
  out.status = over ? Status::over_limit : Status::done;
  r.max_states = r.states = is_mono ? mono : mono * (2 + first) * (job.property == "COMPLETE" ? 1 : 3) / (2 * size);
  r.time_s = 0.25 * static_cast<double>(size);
  r.learn_s = is_mono ? 0 : r.time_s / static_cast<double>(1 + first);
  if (job.certify) r.certified = true;
  if (is_mono || over) return out;
  out.has_assumption = true;
  out.assumption = {0, 1 + 4 * first, 7, 3, "\xa0"};
  return out;
}

// The whole report of it is in tests/unit/study_report; with SURETY_UPDATE=1 it is written there anew.
TEST(StudyReport, OfMadeUpNumbersIsAsItWas) {
  const Folder folder;
  Definition definition = small_definition();
  DefinedSystem smokers = definition.systems[0];
  smokers.name = "Smokers";
  smokers.models[Engine::exact] = {example("smokers/smokers.lts"), "", "SMOKER", {"COMPLETE", "THANKED"}};
  smokers.scale = Range{2, 7};
  definition.systems.push_back(smokers);
  ASSERT_TRUE(create({folder / "a.db", definition, "", {}, false, nullptr}));
  const auto report = make_report(run_with(folder / "a.db", 1, made_up));
  const fs::path kept = fs::path(SURETY_SOURCE_DIR) / "tests/unit/study_report";
  auto files = report.files;
  files["report.md"] = report.text;
  if (std::getenv("SURETY_UPDATE") != nullptr) {
    fs::create_directories(kept);
    for (const auto& [name, text] : files) std::ofstream(kept / name) << text;
  }
  for (const auto& [name, text] : files) {
    const auto expected = read_file((kept / name).string());
    ASSERT_TRUE(expected) << name;
    EXPECT_EQ(text, *expected) << name;
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(kept), {}), static_cast<std::ptrdiff_t>(files.size()));
}

// A row of which sizes are still to be run is in no category: what is missing is no limit.
TEST(StudyReport, ACategoryWaitsForTheRunsThatItRestsOn) {
  const Folder folder;
  create_small(folder / "a.db");
  run_with(folder / "a.db", 1, made_up);
  const auto category = [&] {
    return facts_of(Store::open(folder / "a.db", Database::Mode::read)->read())[0].category;
  };
  EXPECT_EQ(category(), Category::appears_better);
  Database(folder / "a.db", Database::Mode::write)
      .execute(
          "DELETE FROM result WHERE item IN (SELECT id FROM item WHERE reason = 'generalised:2');"
          "UPDATE item SET status = 'open' WHERE reason = 'generalised:2'");
  EXPECT_EQ(category(), std::nullopt);
}

TEST(StudyReport, HasNoAnswerWithoutResults) {
  const Folder folder;
  create_small(folder / "a.db");
  const auto report = make_report(Store::open(folder / "a.db", Database::Mode::read)->read());
  EXPECT_NE(report.text.find("No property has all its decompositions of size 2 done yet"), std::string::npos);
}

// The numbers that the tables of the paper have, and what follows from them.
TEST(StudyPaper, NumbersAddUp) {
  int flavers = 0, ltsa = 0;
  for (const auto& row : paper::kTable1) {
    if (row.system == "Total") {
      EXPECT_EQ(row.flavers_total, flavers);
      EXPECT_EQ(row.ltsa_total, ltsa);
      continue;
    }
    EXPECT_EQ(row.flavers_total, row.flavers_properties * row.flavers_decompositions);
    EXPECT_EQ(row.ltsa_total, row.ltsa_properties * row.ltsa_decompositions);
    flavers += row.flavers_total;
    ltsa += row.ltsa_total;
  }
  for (const auto& tool : paper::kTools) {
    int all = 0;
    for (const int n : tool.categories) all += n;
    EXPECT_EQ(all, tool.properties);
  }
}

TEST(StudySvg, EscapesWhatNamesMayHave) {
  Plot plot;
  plot.title = "a < b & \"c\"";
  plot.series = {{"s", {{1, 10, "<x>"}}, true}};
  EXPECT_TRUE(is_xml(to_svg(plot)));
}

// Where marks are, by their centres: circles alone.
std::vector<std::pair<double, double>> circles(const std::string& svg) {
  std::vector<std::pair<double, double>> out;
  for (auto at = svg.find("<circle cx=\""); at != std::string::npos; at = svg.find("<circle cx=\"", at + 1)) {
    double x = 0, y = 0;
    if (std::sscanf(svg.c_str() + at, "<circle cx=\"%lf\" cy=\"%lf\"", &x, &y) == 2) out.emplace_back(x, y);
  }
  return out;
}

TEST(StudySvg, MarksSideBySideDoNotCoverEachOther) {
  Plot plot;
  plot.x = {"x", true, 0.6, {}, {}, false};
  plot.y = {"y", false, 0.0, 100.0, {}, false};
  plot.series = {{"s", std::vector<PlotPoint>(7, {1, 50}), false}};
  plot.series[0].points.push_back({20, 50});
  plot.side_by_side = true;
  auto marks = circles(to_svg(plot));
  ASSERT_EQ(marks.size(), 9U);
  marks.pop_back();  // that of the legend
  for (std::size_t i = 0; i < marks.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      EXPECT_GE(std::abs(marks[i].first - marks[j].first), 9) << i << " and " << j;
    }
  plot.side_by_side = false;
  EXPECT_EQ(circles(to_svg(plot))[0], circles(to_svg(plot))[6]);
}

// The range of a logarithmic axis is as wide as its numbers need: 1, 2 or 5 times a power of ten.
TEST(StudySvg, ALogarithmicAxisHasRoundNumbersAtItsEnds) {
  Plot plot;
  plot.y = {"y", true, {}, {}, {}, false};
  plot.series = {{"s", {{1, 7}, {2, 300}}, true}};
  const std::string svg = to_svg(plot);
  for (const char* tick : {">5<", ">10<", ">20<", ">200<", ">500<"})
    EXPECT_NE(svg.find(tick), std::string::npos) << tick;
  EXPECT_EQ(svg.find(">1k<"), std::string::npos);
}

// --- prediction -----------------------------------------------------------------------------------------

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
