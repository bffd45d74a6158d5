// The decomposition study without its runs: masks, generalisation, categories, definitions, what a model is like.

#include <fmt/format.h>

#include <set>

#include "study/categories.hpp"
#include "study/generalise.hpp"
#include "study/report/paper.hpp"
#include "study/report/report.hpp"
#include "study_help.hpp"

namespace surety::study {
namespace {

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

TEST(StudyDefinition, OfASystemHasANameThatRunsCanHaveInTheirs) {
  const auto message = [](const std::string& name) {
    const auto read = parse_definition("s.toml", "[[system]]\nname = \"" + name + "\"\nexact = \"no.lts\"\n");
    return render(read.error()[0]);
  };
  EXPECT_NE(message("a/b").find("s.toml:2:8: error: a system has to have a name without '/' and ':'"),
            std::string::npos)
      << message("a/b");
  EXPECT_NE(message("").find("s.toml:2:8"), std::string::npos);
  EXPECT_EQ(message("a b").find("without"), std::string::npos);
}

TEST(StudyDefinition, FlaversIsForAdaPrograms) {
  const Folder folder;
  Definition definition = small_definition();
  definition.systems[0].models = {{Engine::flavers, {example("relay/relay.lts"), "", "TASK", {}}}};
  const auto created = create({folder / "a.db", definition, "", {}, false, nullptr});
  ASSERT_FALSE(created);
  EXPECT_EQ(created.error().diagnostics[0].message, "the engine flavers is for Ada programs");
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

}  // namespace
}  // namespace surety::study
