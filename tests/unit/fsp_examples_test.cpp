// Our own models in examples/fsp, with answers worked out by hand.

#include <filesystem>

#include "base/file.hpp"
#include "fsp_help.hpp"
#include "paths.hpp"

namespace surety {
namespace {

namespace fs = std::filesystem;

struct Size {
  std::uint32_t states;  // without the error state
  std::uint64_t steps;
  friend bool operator==(const Size&, const Size&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Size& s) { return out << s.states << "/" << s.steps; }
};

Size size_of(const Lts& lts) { return {lts.state_count() - (lts.error() ? 1 : 0), lts.transition_count()}; }

FspModel example(const std::string& name, const std::vector<FspDefine>& defines = {}) {
  return FspModel(*read_file((fs::path(SURETY_SOURCE_DIR) / "examples/fsp" / name).string()), defines);
}

Size process(const FspModel& m, const char* name) { return size_of(m.file->process(name)->lts); }
Size composite(const FspModel& m, const char* name) {
  Budget budget;
  return size_of(*compose_fsp(*m.file->composite(name, budget), budget));
}

TEST(FspExamples, Lamp) {
  const auto m = example("lamp.lts");
  EXPECT_EQ(process(m, "LAMP"), (Size{2, 3}));
  EXPECT_EQ(process(m, "ONCE"), (Size{2, 4}));
  EXPECT_EQ(m.composite("ROOM"), "0 on 1, 1 on ERROR, 1 off 0");
}

TEST(FspExamples, Mail) { EXPECT_EQ(composite(example("mail.lts"), "HOUSE"), (Size{5, 5})); }

TEST(FspExamples, LightsScaleWithTheirConstant) {
  for (const int n : {1, 2, 3, 7}) {
    const auto m = example("lights.lts", {{"N", n}});
    const Size size{static_cast<std::uint32_t>(n + 1), static_cast<std::uint64_t>(2 * n)};  // all red, or one green
    EXPECT_EQ(composite(m, "CROSSING"), size);
    EXPECT_EQ(composite(m, "SAFE"), size);
    EXPECT_EQ(m.file->progress()->size(), static_cast<std::size_t>(n));
  }
}

TEST(FspExamples, Clock) {
  const auto m = example("clock.lts");
  EXPECT_EQ(m.composite("SHIFT"), "0 job 1, 1 work 0");
  EXPECT_EQ(m.composite("LAZY"), "0 tick 0");
}

TEST(FspExamples, ChainIsACounter) {
  const auto m = example("chain.lts");
  EXPECT_EQ(m.composite("CHAIN"), "0 in 1, 1 in 2, 1 out 0, 2 in 3, 2 out 1, 3 out 2");
  EXPECT_EQ(m.machines("CHAIN"), "CELL CHAIN(2)");
}

TEST(FspExamples, Coin) {
  const auto m = example("coin.lts");
  EXPECT_EQ(m.composite("DEFAULT"), "0 toss 1, 1 heads 0, 1 tails 0");
  EXPECT_EQ(m.file->assertions(), (std::vector<std::string>{"FAIR", "ANSWER", "EXCLUDE", "EACH", "STAYS"}));
  for (const auto& name : m.file->assertions()) EXPECT_TRUE(m.file->assertion(name)) << name;
}

TEST(FspExamples, Stock) {
  const auto m = example("stock.lts");
  EXPECT_EQ(process(m, "SHELF"), (Size{3, 8}));  // put 3 (one an error), get 2, count 3
  EXPECT_EQ(process(m, "FULL"), (Size{2, 4}));
  // FULL idle: as SHELF, where count.2 leads to "full" next; then put and get go on, and full ends it.
  EXPECT_EQ(composite(m, "STOCK"), (Size{6, 16}));
}

TEST(FspExamples, Colours) {
  const auto m = example("colours.lts");
  EXPECT_EQ(process(m, "PAINT"), (Size{4, 7}));
  EXPECT_EQ(m.process_alphabet("MIX"), "mixed.green");
  EXPECT_EQ(m.composite_alphabet("SHOP"),
            "mixed.green mixed.red pick.dark.blue pick.green pick.red use.dark.blue use.green use.red warn.dark.blue");
}

TEST(FspExamples, AllPrintAndReadBack) {
  for (const auto& entry : fs::directory_iterator(fs::path(SURETY_SOURCE_DIR) / "examples/fsp")) {
    if (entry.path().extension() != ".lts") continue;
    const auto m = example(entry.path().filename().string());
    ASSERT_TRUE(m.file) << m.errors();
    for (const auto& name : m.file->processes()) EXPECT_TRUE(m.file->process(name)) << name;
  }
}

}  // namespace
}  // namespace surety
