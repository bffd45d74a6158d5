// Damaged models: whatever is cut, doubled, swapped or written over, the reader answers, and soon.

#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "base/file.hpp"
#include "base/random.hpp"
#include "fsp_help.hpp"
#include "model/equivalence.hpp"
#include "paths.hpp"

namespace surety {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> models() {
  std::vector<std::string> out = {
      "P = (a -> END).\nQ = P;P;Q.\nR(N=2) = R[N], R[i:0..N] = (when (i>0) x[i] -> R[i-1] | y -> STOP) + "
      "{z}/{w/y}\\{z}.\n"
      "||S = (a:Q || {a,b}::R(1)/{v/a.w})>>{v}@{a}.\nconstraint C = [](x -> X !y)\n||T = (S || C).\n",
      "P = Q[0][0], Q[i:0..2][j:0..2] = (when (i<2) a -> Q[i+1][j] | b[k:0..2] -> Q[i][k] | c[j] -> if (i>0) then "
      "Q[i-1][j] else R[j]),\nR[j:0..2] = (d -> e[j] -> Q[0][j] | when (j==2) f -> STOP).\n||S = (P || x:P).\n",
      "const N = 'n\nset A = {a, b, c}\nL(I='x) = (get[I] -> END).\nfluent F = <a, A\\{a}>\nassert G = []<>F\n"
      "P = (A\\{a} -> L('y) -> Q[0][1]), Q[i:0..1][i:0..1] = (go[N][i:2..3] -> P | x[i:0..1].y[i:2..3] -> P).\n"
      "||P = (P || {A\\{b}}:P).\nproperty ||R = (P).\n||T = (P).\n"};
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(SURETY_SOURCE_DIR) / "examples/fsp"))
    files.push_back(entry.path());
  std::ranges::sort(files);
  for (const auto& file : files) out.push_back(*read_file(file.string()));
  return out;
}

std::string mutated(std::string text, const std::vector<std::string>& all, Random& random) {
  const std::vector<std::string> pieces = {
      "(",  ")",    "{",          "}",      "[",   "]",     "->",    ".",        ",",        "|",      "||",
      ";",  ":",    "::",         "=",      "'",   "@",     "\\",    "/",        "+",        "-",      "*",
      "0",  "1",    "9999999999", "P",      "S",   "a",     "i",     "STOP",     "END",      "ERROR",  "when",
      "if", "then", "else",       "forall", "set", "range", "const", "minimal",  "property", "assert", "[]",
      "<>", "U",    "..",         "\n",     "\"",  "/*",    "//",    "\xc3\xa9", "#",        "0x"};
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

constexpr FspLimits kLimits{100'000, 10'000, 20'000, 100, 50'000, 200'000, std::nullopt};

// In cells a composite is what it is as a whole. Returns whether something came apart.
bool same_in_cells(const std::string& text) {
  ActionTable actions;
  FspLimits limits = kLimits;
  const auto whole = read_fsp(text, "m.lts", actions, {}, limits);
  limits.cells = FspCells{0};
  const auto cells = read_fsp(text, "m.lts", actions, {}, limits);
  bool apart = false;
  for (const auto& name : whole->composites()) {
    Budget budget({std::chrono::seconds(1), {}, 10'000, {}});
    const auto one = whole->composite(name, budget), other = cells->composite(name, budget);
    if (!one || !other) continue;
    const auto a = compose_fsp(*one, budget), b = compose_fsp(*other, budget);
    if (!a || !b || budget.why() != Stop::none) continue;
    apart |= one->machines.size() < other->machines.size();
    EXPECT_EQ(a->alphabet(), b->alphabet());
    EXPECT_FALSE(difference(*a, *b, Equivalence::strong));
  }
  return apart;
}

// Returns whether the text was accepted.
bool elaborate_all(const std::string& text) {
  const FspModel m(text, {}, kLimits);
  if (!m.file) {
    EXPECT_FALSE(m.errors().empty());
    return false;
  }
  for (const auto& name : m.file->processes()) (void)m.file->process(name);
  for (const auto& name : m.file->assertions()) (void)m.file->assertion(name);
  (void)m.file->progress();
  (void)m.file->fluents();
  for (const auto& name : m.file->composites()) {
    Budget budget({std::chrono::seconds(1), {}, 10'000, {}});
    if (const auto composite = m.file->composite(name, budget)) (void)compose_fsp(*composite, budget);
  }
  return true;
}

TEST(FspMutations, NeverCrashOrHang) {
  const char* count = std::getenv("SURETY_MUTATIONS");  // ./dev soak asks for more
  const int runs = count != nullptr ? std::atoi(count) : 1000;
  const char* seed = std::getenv("SURETY_SEED");
  Random random(seed != nullptr ? std::strtoull(seed, nullptr, 10) : 1);
  const auto all = models();
  int accepted = 0, apart = 0;
  for (int i = 0; i < runs; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const std::string text = mutated(all[random.below(static_cast<std::uint32_t>(all.size()))], all, random);
    SCOPED_TRACE(text);
    if (elaborate_all(text)) {
      ++accepted;
      apart += same_in_cells(text);
    }
    ASSERT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20)) << text;
  }
  // A test that only ever sees broken texts, or only sound ones, tests little.
  EXPECT_GT(accepted, runs / 20);
  EXPECT_LT(accepted, runs * 19 / 20);
  EXPECT_GT(apart, runs / 500);
}

}  // namespace
}  // namespace surety
