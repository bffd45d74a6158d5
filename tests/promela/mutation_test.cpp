// Damaged programs: whatever is cut, doubled, swapped or written over, the reader answers, and soon.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <regex>
#include <set>

#include "base/random.hpp"
#include "help.hpp"

namespace surety::promela_test {
namespace {

std::vector<std::string> models() {
  std::vector<std::string> out;
  for (const char* folder : {"tests/promela/models", "tests/promela/ltl", "tests/promela/labels"})
    for (const auto& file : files_in(folder)) out.push_back(text_of(file));
  return out;
}

std::string mutated(std::string text, const std::vector<std::string>& all, Random& random) {
  const std::vector<std::string> pieces = {
      "(",       ")",      "{",      "}",        "[",      "]",       "->",      ";",          ",",          "|",
      "||",      "::",     ":",      "=",        "==",     "!",       "!!",      "?",          "??",         "@",
      ".",       "..",     "+",      "-",        "++",     "0",       "1",       "99999",      "x",          "_",
      "_pid",    "skip",   "else",   "if",       "fi",     "do",      "od",      "break",      "goto",       "l:",
      "end:",    "atomic", "d_step", "unless",   "run",    "chan",    "byte",    "inline",     "eval",       "len(",
      "timeout", "for (",  "in",     "select",   "assert", "typedef", "ltl {",   "never {",    "\n",         "\"",
      "/*",      "//",     "'",      "\xc3\xa9", "0x",     "mtype",   "printf(", "active [3]", "provided (", "trace {"};
  for (std::uint32_t n = 1 + random.below(4); n > 0; --n) {
    const auto size = static_cast<std::uint32_t>(text.size());
    const auto at = random.below(size + 1);
    const auto length = std::min(size - at, random.below(20));
    const auto& other = all[random.below(static_cast<std::uint32_t>(all.size()))];
    switch (random.below(5)) {
      case 0: text.erase(at, length); break;
      case 1: text.insert(at, text.substr(at, length)); break;
      case 2: text.insert(at, pieces[random.below(static_cast<std::uint32_t>(pieces.size()))]); break;
      case 3: text.replace(at, length, pieces[random.below(static_cast<std::uint32_t>(pieces.size()))]); break;
      default: text.insert(at, other.substr(random.below(static_cast<std::uint32_t>(other.size())), 40));
    }
  }
  return text;
}

// Returns whether the text was accepted.
bool read_and_walk(const std::string& text) {
  const auto file = read_promela(text, "m.pml");
  const auto placed = [](const Diagnostics& errors) {
    EXPECT_FALSE(errors.empty());
    for (const auto& e : errors)
      EXPECT_TRUE(e.line > 0 || e.message.find("no process") != std::string::npos) << render(e);
  };
  if (!file) {
    placed(file.error());
    return false;
  }
  const auto again = read_promela(promela::to_promela(*file->program), "again.pml");
  EXPECT_TRUE(again) << promela::to_promela(*file->program) << (again ? "" : rendered(again.error()));
  ActionTable actions;
  auto machine = PromelaMachine::make(*file, actions);
  if (!machine) {
    placed(machine.error());
    return false;
  }
  Budget budget({std::chrono::seconds(1), {}, 500, {}});
  (void)search_machine(**machine, 7, budget);
  return true;
}

TEST(PromelaMutations, NeverCrashOrHang) {
  const char* count = std::getenv("SURETY_MUTATIONS");  // ./dev soak asks for more
  const int runs = count != nullptr ? std::atoi(count) : 1500;
  const char* seed = std::getenv("SURETY_SEED");
  Random random(seed != nullptr ? std::strtoull(seed, nullptr, 10) : 1);
  const auto all = models();
  int accepted = 0;
  for (int i = 0; i < runs; ++i) {
    const std::string text = mutated(all[random.below(static_cast<std::uint32_t>(all.size()))], all, random);
    SCOPED_TRACE(text);
    const auto start = std::chrono::steady_clock::now();
    accepted += read_and_walk(text) ? 1 : 0;
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(accepted, runs / 50);  // some must get further than the parser
  EXPECT_LT(accepted, runs);
}

// A word or sign taken away is one mistake: seldom more than one error, and never many.
TEST(PromelaMutations, OfOneTokenAreOneErrorOrFew) {
  const std::regex token("\\w+|[-=:!?+<>|&]{1,2}|[^\\s\\w]");
  std::size_t refused = 0, errors = 0;
  for (const auto& text : models()) {
    Random random(text.size());  // another model changes nothing for this one
    const auto count = std::distance(std::sregex_iterator(text.begin(), text.end(), token), std::sregex_iterator());
    for (int i = 0; i < 8; ++i) {
      auto at = std::sregex_iterator(text.begin(), text.end(), token);
      std::advance(at, random.below(static_cast<std::uint32_t>(count)));
      std::string damaged = text;
      damaged.erase(static_cast<std::size_t>(at->position()), static_cast<std::size_t>(at->length()));
      const auto file = read_promela(damaged, "m.pml");
      if (file) continue;
      ++refused;
      std::set<std::string> different;  // a lost declaration is missed in every body
      for (const auto& e : file.error()) different.insert(e.message);
      errors += different.size();
      EXPECT_LE(different.size(), 5U) << damaged << rendered(file.error());
    }
  }
  EXPECT_GT(refused, 300U);
  EXPECT_LT(errors, refused * 5 / 4) << refused;
}

}  // namespace
}  // namespace surety::promela_test
