#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <thread>

#include "base/big_array.hpp"
#include "base/budget.hpp"
#include "base/check.hpp"
#include "base/diagnostics.hpp"
#include "base/file.hpp"
#include "base/hash.hpp"
#include "base/json.hpp"
#include "base/json_place.hpp"
#include "base/random.hpp"
#include "base/replacement.hpp"

namespace surety {
namespace {

namespace fs = std::filesystem;

// --- diagnostics

TEST(Diagnostics, ShowThePlaceTheLineAndWhatToDo) {
  const std::string text = "des (0, 1, 2)\n(0 \"on\", 1)\n";
  const auto d = error_at("lamp.aut", text, text.find("\"on\""), 4, "expected ','", "write (FROM, LABEL, TO)");
  EXPECT_EQ(render(d),
            "lamp.aut:2:4: error: expected ','\n"
            "  (0 \"on\", 1)\n"
            "     ^^^^ write (FROM, LABEL, TO)\n");
}

TEST(Diagnostics, OfAWholeFileShowNoLine) {
  EXPECT_EQ(render(file_error("lamp.aut", "cannot open", "is the name spelt right?")),
            "lamp.aut: error: cannot open\n  is the name spelt right?\n");
  EXPECT_EQ(render(file_error("", "no files")), "error: no files\n");
}

TEST(Diagnostics, AreNotAlwaysErrors) {
  auto d = file_error("f", "odd");
  d.severity = Severity::warning;
  EXPECT_EQ(render(d), "f: warning: odd\n");
  d.severity = Severity::note;
  EXPECT_EQ(render(d), "f: note: odd\n");
}

TEST(Diagnostics, AtTheEndOfTheTextPointPastTheLastCharacter) {
  EXPECT_EQ(render(error_at("f", "ab", 2, 1, "unexpected end")), "f:1:3: error: unexpected end\n  ab\n    ^\n");
  EXPECT_EQ(render(error_at("f", "", 0, 1, "empty")), "f:1:1: error: empty\n  \n  ^\n");
  EXPECT_EQ(render(error_at("f", "a\n", 99, 1, "far away")), "f:2:1: error: far away\n  \n  ^\n");
}

TEST(Diagnostics, NeverUnderlineMoreThanTheLine) {
  EXPECT_EQ(render(error_at("f", "abc\ndef", 1, 100, "long")), "f:1:2: error: long\n  abc\n   ^^\n");
  EXPECT_EQ(render(error_at("f", "abc", 1, 0, "none")), "f:1:2: error: none\n  abc\n   ^\n");
}

TEST(Diagnostics, ShowALongLineAsAWindowAroundThePlace) {
  std::string text(100000, 'x');
  text[70000] = '!';
  const auto d = error_at("f", text, 70000, 1, "odd");
  EXPECT_EQ(d.column, 70001U);
  EXPECT_LE(d.excerpt.size(), 120U);
  ASSERT_LE(d.caret_column, d.excerpt.size());
  EXPECT_EQ(d.excerpt[d.caret_column - 1], '!');
}

TEST(Diagnostics, ShowALongLineUpToItsEnd) {
  std::string text(1000, 'x');
  text += '!';
  const auto d = error_at("f", text, 1000, 5, "odd");
  EXPECT_EQ(d.excerpt[d.caret_column - 1], '!');
  EXPECT_EQ(d.length, 1U);
}

TEST(Diagnostics, ShowControlCharactersAsQuestionMarks) {
  const std::string text =
      "a\x1b[31mb\x07"
      "c\td\x7f";
  const auto shown = render(error_at("f\n", text, 0, 1, "escape \x1b", "try \x1b"));
  EXPECT_EQ(shown, "f?:1:1: error: escape ?\n  a?[31mb?c d?\n  ^ try ?\n");
}

TEST(Diagnostics, EndALineAtCarriageReturnAndNewline) {
  EXPECT_EQ(error_at("f", "one\r\ntwo\r\n", 5, 3, "here").excerpt, "two");
}

TEST(Diagnostics, TravelInAResult) {
  const Result<int> result = fail(file_error("f", "wrong"));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().front().message, "wrong");
}

TEST(DidYouMean, NamesWhatIsNearOrAllThereIs) {
  const std::vector<std::string> known{"on", "switch"};
  EXPECT_EQ(did_you_mean("swtich", known, "there are"), "did you mean 'switch'?");
  EXPECT_EQ(did_you_mean("lamp", known, "there are"), "there are: on, switch");
  EXPECT_EQ(did_you_mean("lamp", known), "");
  EXPECT_EQ(did_you_mean("lamp", {}, "there are"), "");
}

TEST(JsonWriter, LaysOutAsATreeDoes) {
  JsonWriter out;
  out.open('{');
  out.key("none");
  out.open('[');
  out.close();
  out.key("steps");
  out.open('[');
  out.element() += "[0, \"on\", 1]";
  out.element() += "[1, \"off\", 0]";
  out.close();
  out.close();
  const std::string text = std::move(out).text();
  EXPECT_EQ(text, "{\n  \"none\": [],\n  \"steps\": [\n    [0, \"on\", 1],\n    [1, \"off\", 0]\n  ]\n}\n");
  EXPECT_EQ(dump(Json::parse(text)), text);
}

TEST(JsonPlace, IsWhereTheTextBreaks) {
  const auto broken = parse_json("{\n  \"a\": 1,\n  \"b\" 2\n}", "x.json");
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error()[0].line, 3U);
  EXPECT_EQ(broken.error()[0].column, 7U);
  EXPECT_EQ(broken.error()[0].message.find("this is no JSON: unexpected number literal; expected ':'"), 0U);
  EXPECT_TRUE(parse_json("[1, {}]", "x.json"));
}

TEST(JsonPlace, IsThatOfAMemberOrAnElement) {
  const std::string text = R"( { "s\"}": [[1, "]"], {"b": 2}], "b": [ 10, {"x": ["]"]}, 30 ] , "c":4} )";
  const auto at = [&](std::string_view member, std::optional<std::size_t> element) {
    const auto place = text.substr(place_in_json(text, member, element));
    return place.substr(0, 2);
  };
  EXPECT_EQ(at("b", std::nullopt), "[ ");
  EXPECT_EQ(at("b", 0), "10");
  EXPECT_EQ(at("b", 1), "{\"");
  EXPECT_EQ(at("b", 2), "30");
  EXPECT_EQ(at("b", 3), "[ ");  // there is none
  EXPECT_EQ(at("c", std::nullopt), "4}");
  EXPECT_EQ(at("c", 1), "4}");
  EXPECT_EQ(at("d", std::nullopt), "{ ");
  EXPECT_EQ(place_in_json("[1]", "a", 0), 0U);
  EXPECT_EQ(place_in_json("{}", "a", 0), 0U);
}

TEST(Nearest, FindsASlipOfThePen) {
  EXPECT_EQ(nearest("swtich", {"on", "switch", "off"}), "switch");
  EXPECT_EQ(nearest("ack", {"acknowledge", "send"}), "");
  EXPECT_EQ(nearest("a", {}), "");
  EXPECT_EQ(nearest("a", {"b", "ab"}), "");
  EXPECT_EQ(nearest("ab", {"cd", "ac"}), "ac");
}

// --- check

TEST(Check, ThrowsWithThePlace) {
  EXPECT_NO_THROW(check(true, "fine"));
  try {
    check(false, "broken");
    FAIL();
  } catch (const InternalError& error) {
    EXPECT_NE(std::string(error.what()).find("broken ("), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("base_test.cpp:"), std::string::npos);
  }
}

// --- budget

Limits limits(std::optional<std::uint64_t> states, std::optional<std::uint64_t> queries = {},
              std::optional<std::uint64_t> memory = {}) {
  Limits out;
  out.states = states;
  out.queries = queries;
  out.memory = memory;
  return out;
}

TEST(Budget, WithoutLimitsGoesOn) {
  Budget budget;
  EXPECT_TRUE(budget.go_on());
  EXPECT_TRUE(budget.add_states(1000000000));
  EXPECT_TRUE(budget.add_query());
  EXPECT_EQ(budget.why(), Stop::none);
  EXPECT_FALSE(budget.time_left());
}

TEST(Budget, EndsAfterItsLastState) {
  Budget budget(limits(10));
  EXPECT_TRUE(budget.add_states(10));
  EXPECT_FALSE(budget.add_states(1));
  EXPECT_FALSE(budget.go_on());
  EXPECT_EQ(budget.why(), Stop::states);
}

TEST(Budget, EndsAfterItsLastQuery) {
  Budget budget(limits({}, 1));
  EXPECT_TRUE(budget.add_query());
  EXPECT_FALSE(budget.add_query());
  EXPECT_EQ(budget.why(), Stop::queries);
}

TEST(Budget, KeepsTheFirstReason) {
  Budget budget(limits(1, 0));
  budget.add_states(2);
  budget.add_query();
  budget.stop(Stop::memory);
  EXPECT_EQ(budget.why(), Stop::states);
}

TEST(Budget, EndsWithItsTime) {
  Limits short_time;
  short_time.time = std::chrono::milliseconds(1);
  Budget budget(short_time);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_FALSE(budget.go_on());
  EXPECT_EQ(budget.why(), Stop::time);
  EXPECT_EQ(budget.time_left(), std::chrono::nanoseconds(0));
  EXPECT_GT(budget.seconds_used(), 0.001);
}

TEST(Budget, EndsWhenTheUserHasEnough) {
  std::atomic<bool> interrupted = false;
  Budget budget({}, &interrupted);
  EXPECT_TRUE(budget.go_on());
  interrupted = true;
  EXPECT_FALSE(budget.go_on());
  EXPECT_EQ(budget.why(), Stop::interrupted);
}

TEST(Budget, RefusesMemoryItDoesNotHaveWithoutStopping) {
  const std::uint64_t mebibyte = 1 << 20;
  Budget budget(limits({}, {}, resident_bytes() + 100 * mebibyte));
  EXPECT_FALSE(budget.charge(200 * mebibyte));
  EXPECT_TRUE(budget.charge(50 * mebibyte));
  EXPECT_FALSE(budget.charge(60 * mebibyte));
  EXPECT_TRUE(budget.go_on());
  budget.release(50 * mebibyte);
  EXPECT_TRUE(budget.charge(60 * mebibyte));
}

TEST(Budget, StopsWhenTheProcessIsLargerThanItMayBe) {
  Budget budget(limits({}, {}, 1));
  EXPECT_FALSE(budget.charge(1));
  EXPECT_FALSE(budget.go_on());
  EXPECT_EQ(budget.why(), Stop::memory);
  EXPECT_EQ(budget.memory_left(), 0U);
}

TEST(Budget, AChargeIsGivenBackAtTheEndOfItsLife) {
  const std::uint64_t mebibyte = 1 << 20;
  Budget budget(limits({}, {}, resident_bytes() + 100 * mebibyte));
  {
    Charge charge(budget);
    EXPECT_TRUE(charge.grow_to(80 * mebibyte));
    EXPECT_FALSE(charge.grow_to(200 * mebibyte));
    EXPECT_EQ(charge.bytes(), 80 * mebibyte);
    EXPECT_FALSE(budget.charge(40 * mebibyte));
    EXPECT_TRUE(charge.grow_to(10 * mebibyte));
    EXPECT_TRUE(budget.charge(40 * mebibyte));
  }
  EXPECT_TRUE(budget.charge(50 * mebibyte));
}

TEST(Budget, TellsItsProgress) {
  Progress progress;
  Budget budget({}, nullptr, &progress);
  budget.phase("learning");
  budget.add_states(3);
  budget.add_states(4);
  budget.count_conjecture();
  EXPECT_STREQ(progress.phase, "learning");
  EXPECT_EQ(progress.states, 7U);
  EXPECT_EQ(progress.conjectures, 1U);
}

TEST(Budget, AShareTellsItsPhasesIfItIsToldTo) {
  Progress progress;
  Budget whole({}, nullptr, &progress);
  whole.phase("several methods");
  Budget quiet(whole, {}), loud(whole, {});
  quiet.phase("search");
  EXPECT_STREQ(progress.phase, "several methods");
  loud.tell_whole();
  loud.phase("search");
  EXPECT_STREQ(progress.phase, "search");
}

TEST(Budget, OfAShareThatIsSharedOnlyOnePartHasToStop) {
  Budget whole(limits({}, {}, 1));  // less than any process has
  Budget check(whole, {});
  Budget one(check, {}), other(check, {});
  EXPECT_TRUE(other.go_on());
  EXPECT_EQ(one.why(), Stop::memory);
  EXPECT_EQ(check.why(), Stop::none);
  EXPECT_EQ(whole.why(), Stop::none);
}

TEST(Budget, CountsTheStatesOfAllThreads) {
  Budget budget(limits(4000));
  const auto work = [&] {
    for (int i = 0; i < 1000; ++i) budget.add_states(1);
  };
  std::thread a(work), b(work), c(work), d(work);
  for (auto* thread : {&a, &b, &c, &d}) thread->join();
  EXPECT_TRUE(budget.go_on());
  EXPECT_FALSE(budget.add_states(1));
}

TEST(Budget, EveryReasonHasAName) {
  EXPECT_EQ(describe(Stop::time), "time");
  EXPECT_EQ(describe(Stop::interrupted), "interrupted");
}

TEST(Memory, IsMeasured) {
  EXPECT_GT(resident_bytes(), 100000U);
  EXPECT_GE(peak_resident_bytes() + (1 << 20), resident_bytes());
}

// --- files

class Files : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "surety-test-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const char* name) const { return (folder_ / name).string(); }
  std::ptrdiff_t count() const { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }

  fs::path folder_;
};

TEST_F(Files, AreReadBackAsTheyWereWritten) {
  const std::string content("line\n\0\xff binary", 13);
  ASSERT_TRUE(write_file(path("a"), content));
  EXPECT_EQ(read_file(path("a")).value(), content);
  ASSERT_TRUE(write_file(path("a"), ""));
  EXPECT_EQ(read_file(path("a")).value(), "");
}

TEST_F(Files, LeaveNothingElseBehind) {
  ASSERT_TRUE(write_file(path("a"), "one"));
  ASSERT_TRUE(write_file(path("a"), "two"));
  EXPECT_EQ(count(), 1);
}

TEST_F(Files, AreWrittenBesideOthersThatAreWrittenInTheSameFolder) {
  std::atomic<int> failed = 0;
  const auto write_often = [&](const char* name) {
    for (int i = 0; i < 2000; ++i) failed += write_file(path(name), "x").has_value() ? 0 : 1;
  };
  std::thread other(write_often, "a");
  write_often("b");
  other.join();
  EXPECT_EQ(failed, 0);
}

TEST_F(Files, AreReplacedAtOnceNotOverwritten) {
  ASSERT_TRUE(write_file(path("a"), "the old content"));
  std::ifstream reader(path("a"));
  ASSERT_TRUE(write_file(path("a"), "new"));
  const std::string seen{std::istreambuf_iterator<char>(reader), {}};
  EXPECT_EQ(seen, "the old content");  // who had it open goes on reading the old file
}

TEST_F(Files, ThatCannotBeWrittenAreAnErrorAndLeaveNothing) {
  const auto missing = write_file(path("no/such/folder"), "x");
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().front().message.find("cannot write"), std::string::npos);
  fs::create_directory(path("folder"));
  EXPECT_FALSE(write_file(path("folder"), "x"));
  EXPECT_EQ(count(), 1);
}

TEST_F(Files, CanBeReadByOthers) {
  ASSERT_TRUE(write_file(path("a"), "x"));
  std::ofstream(path("plain")) << "x";
  EXPECT_EQ(fs::status(path("a")).permissions(), fs::status(path("plain")).permissions());
}

TEST_F(Files, ThatAreNoFilesAreWrittenToDirectly) { EXPECT_TRUE(write_file("/dev/null", "x")); }

TEST_F(Files, ThatAreNotThereAreAnErrorWithAHint) {
  const auto missing = read_file(path("missing"));
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().front().file, path("missing"));
  EXPECT_EQ(missing.error().front().hint, "is the name spelt right?");
}

TEST_F(Files, FoldersCannotBeRead) { EXPECT_FALSE(read_file(folder_.string())); }

TEST_F(Files, LargerThanTheyClaimAreReadToTheEnd) {
  EXPECT_GT(read_file("/proc/self/status").value().size(), 100U);  // its size is said to be 0
}

// --- hash, random

TEST(Sha256, OfTheKnownVectors) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Hash, DependsOnTheOrder) {
  EXPECT_NE(hash_range(std::array{1U, 2U}), hash_range(std::array{2U, 1U}));
  EXPECT_NE(hash_range(std::array{0U}), hash_range(std::array{0U, 0U}));
}

TEST(Random, IsTheSameForTheSameSeed) {
  Random a(1), b(1), c(2);
  const auto first = a.next();
  EXPECT_EQ(first, b.next());
  EXPECT_NE(first, c.next());
}

TEST(Random, IsUniformEnoughAndInRange) {
  Random random(1);
  std::array<int, 5> seen{};
  for (int i = 0; i < 5000; ++i) ++seen.at(random.below(5));
  for (const int n : seen) EXPECT_NEAR(n, 1000, 150);
  EXPECT_FALSE(random.chance(0));
  EXPECT_TRUE(random.chance(100));
}

TEST(BigArray, KeepsItsValuesAsItGrowsFromTheHeapIntoPages) {
  BigArray<std::uint64_t> array;
  constexpr std::uint64_t kMany = 3 << 20;  // 24 MB
  for (std::uint64_t i = 0; i < kMany; ++i) array.push_back(i);
  const BigArray<std::uint64_t> copy = array;
  array.truncate(5);
  array.append(copy.data() + 7, 2);
  EXPECT_EQ(std::vector<std::uint64_t>(array.begin(), array.end()), (std::vector<std::uint64_t>{0, 1, 2, 3, 4, 7, 8}));
  ASSERT_EQ(copy.size(), kMany);
  for (std::uint64_t i = 0; i < kMany; ++i) ASSERT_EQ(copy[i], i);
}

TEST(BigArray, IsZeroAtFirstAndMovesWithoutACopy) {
  BigArray<std::uint32_t> array(100'000);
  EXPECT_TRUE(std::all_of(array.begin(), array.end(), [](std::uint32_t x) { return x == 0; }));
  const auto* place = array.data();
  const BigArray<std::uint32_t> moved = std::move(array);
  EXPECT_EQ(moved.data(), place);
}

TEST(Replacement, IsTheNameThatTheHintSuggestsForWhatIsUnderlined) {
  const std::string text = "||S = (LAMO || LIGHT).\n";
  const auto message = [&](std::size_t offset, std::size_t length, std::string hint) {
    return error_at("x.lts", text, offset, length, "there is no process", std::move(hint));
  };
  EXPECT_EQ(replacement_of(message(7, 4, did_you_mean("LAMO", {"LAMP", "LIGHT"}))), "LAMP");
  EXPECT_EQ(replacement_of(message(7, 14, did_you_mean("LAMO", {"LAMP"}))), "") << "more than the name is underlined";
  EXPECT_EQ(replacement_of(message(7, 4, "write another one")), "");
  EXPECT_EQ(replacement_of(message(7, 4, did_you_mean("x", {"a", "b"}, "there are"))), "");
  EXPECT_EQ(replacement_of(file_error("x.lts", "no LAMO", did_you_mean("LAMO", {"LAMP"}))), "") << "it has no place";
}

}  // namespace
}  // namespace surety
