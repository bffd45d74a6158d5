// Random programs by every method of the tool: all answers are those of plain search, every proof is checked and every
// counterexample replayed (api::verify does both).

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <set>

#include "ada/follow.hpp"
#include "ada/programs.hpp"
#include "agreement/promela_ways.hpp"
#include "base/file.hpp"
#include "base/random.hpp"

namespace surety {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kPrograms = 120;
constexpr std::uint64_t kStates = 20'000;

std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// Two actions take turns, as they do in a system that is in order.
std::string property(const Follower& follower, const ActionTable& actions, Random& random) {
  const auto names = sorted_names(actions, alphabet_of(follower.network().network));
  const auto name = [&] { return names[random.below(static_cast<std::uint32_t>(names.size()))]; };
  const std::string first = name(), second = name();
  if (first == second) return fmt::format("des (0, 1, 2)\n(0, \"{}\", 1)\n", first);
  return fmt::format("des (0, 2, 2)\n(0, \"{}\", 1)\n(1, \"{}\", 0)\n", first, second);
}

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "surety_ada_XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string operator/(const char* file) const { return (path_ / file).string(); }

 private:
  fs::path path_;
};

TEST(RandomAda, GetsTheSameAnswersFromEveryMethod) {
  const Folder folder;
  const std::uint64_t first = number_from("SURETY_SEED", 1);
  const std::uint64_t count = number_from("SURETY_PROGRAMS", kPrograms);
  std::map<std::string, std::uint64_t> verdicts;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    std::string text = random_ada(seed, "P").plain;
    std::string why;
    const auto follower = Follower::make(text, "p.adb", why);
    ASSERT_NE(follower, nullptr) << why << text;
    Random random(seed);
    const std::string begin = "procedure P is\n";
    text.insert(begin.size(), "   pragma Annotate (Surety, Properties, \"turns.aut\");\n");
    ASSERT_TRUE(write_file(folder / "p.adb", text));
    ASSERT_TRUE(write_file(folder / "turns.aut", property(*follower, follower->actions(), random)));
    Way plain;
    plain.states = kStates;
    const Answers whole = ask(folder / "p.adb", plain);
    ASSERT_EQ(whole.trouble, "") << "seed " << seed << "\n" << text;
    Way way = way_for(seed, {});
    way.states = 10 * kStates;
    way.seconds = 2;
    const Answers other = ask(folder / "p.adb", way);
    EXPECT_EQ(difference(whole, other), "")
        << "seed " << seed << ", " << way.method << " " << way.learner << " " << way.alphabet << "\n"
        << text;
    for (const auto& [name, verdict] : whole.verdicts) ++verdicts[fmt::format("{} {}", name, verdict)];
    for (const auto& [name, verdict] : other.verdicts)
      if (verdict == "unknown") ++verdicts["unknown to a method"];
  }
  for (const auto& [what, number] : verdicts) fmt::print("{:6} {}\n", number, what);
  if (count < kPrograms) return;
  EXPECT_LT(verdicts["unknown to a method"], count);  // each has three checks
  for (const char* verdict : {" holds", " violated"}) {
    const auto has = [&](const auto& entry) { return entry.second > 0 && entry.first.ends_with(verdict); };
    EXPECT_TRUE(std::ranges::any_of(verdicts, has)) << verdict;
  }
}

// Whether tasks are explored alone, jointly or beside others, and wherever their variables are, the network does the
// same.
TEST(RandomAda, DoesTheSameHoweverItIsExplored) {
  const std::uint64_t first = number_from("SURETY_SEED", 1);
  const std::uint64_t count = number_from("SURETY_PROGRAMS", kPrograms);
  std::uint64_t compared = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const std::string text = random_ada(seed, "P").plain;
    std::string why;
    const auto alone = Follower::make(text, "p.adb", why);
    const auto jointly = Follower::make(text, "p.adb", why, {.exploring = AdaExploring::jointly});
    if (why.find("the budget ended") != std::string::npos) continue;  // too large for a busy machine
    ASSERT_NE(alone, nullptr) << why << text;
    const auto apart = Follower::make(text, "p.adb", why, {.own = AdaOwnVariables::apart});
    ASSERT_NE(jointly, nullptr) << why << text;
    ASSERT_NE(apart, nullptr) << why << text;
    const auto beside = Follower::make(text, "p.adb", why, {.exploring = AdaExploring::beside});
    ASSERT_NE(beside, nullptr) << why << text;
    const auto expected = alone->traces(200);
    if (!expected) continue;
    ++compared;
    for (const auto* other : {&jointly, &apart, &beside}) {
      const auto found = (*other)->traces(200);
      if (!found && other == &apart) continue;  // the steps of its variables can be too many to follow
      ASSERT_TRUE(found) << "seed " << seed << "\n" << text;
      EXPECT_EQ(without_names(*found), without_names(*expected)) << "seed " << seed << "\n" << text;
    }
  }
  EXPECT_GT(compared, count / 8);
}

}  // namespace
}  // namespace surety
