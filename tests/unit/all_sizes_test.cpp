// Proofs for every size. What is claimed for all is checked one by one for many by plain search, on the case studies,
// on families made to fool the reading of the text, and on random ones. Forged proofs are refused.

#include "check/all_sizes.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "api/commands.hpp"
#include "api/json.hpp"
#include "api/verify.hpp"
#include "base/file.hpp"
#include "base/random.hpp"
#include "paths.hpp"

namespace surety {
namespace {

namespace fs = std::filesystem;

const fs::path kExamples = fs::path(SURETY_SOURCE_DIR) / "examples";

// A file that is gone at the end of the test.
struct TemporaryFile {
  fs::path path;
  explicit TemporaryFile(const std::string& text, const std::string& ending = ".lts") {
    static int number = 0;
    path = fs::temp_directory_path() / ("all_sizes_" + std::to_string(::getpid()) + "_" + std::to_string(number++));
    path += ending;
    std::ofstream(path) << text;
  }
  ~TemporaryFile() { fs::remove(path); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
};

api::Outcome<api::Report> all_sizes(const fs::path& file, int from, const std::string& property = {}) {
  api::Request request;
  request.source.files = {file.string()};
  if (!property.empty()) request.properties = {property};
  request.all_sizes = api::SizesRange{"K", from};
  request.limits.states = 300'000;
  return api::verify(request);
}

// By plain search, at one size.
std::string verdict_at(const fs::path& file, int size, const std::string& property, std::uint64_t states) {
  api::Request request;
  request.source.files = {file.string()};
  request.source.defines = {{"K", size}};
  request.properties = {property};
  request.certify = false;
  request.limits.states = states;
  const auto report = api::verify(request);
  return report ? std::string(name_of(verdict_kind(*report))) : report.error().diagnostics[0].message;
}

// "holds", "violated at 4", or "unknown: why".
std::string answer(const api::Outcome<api::Report>& report) {
  if (!report) return report.error().diagnostics[0].message;
  const api::Check& check = report->checks.at(0);
  const std::string verdict = std::string(name_of(check.verdict));
  if (check.sizes->violated_at) return "violated at " + std::to_string(*check.sizes->violated_at);
  return verdict == "unknown" ? "unknown: " + check.sizes->why : verdict;
}

std::string answer(const std::string& text, int from = 2) {
  const TemporaryFile file(text);
  return answer(all_sizes(file.path, from));
}

// The same with the property P beside the composite, which then has to be named.
std::string answer_beside(std::string text, int from = 2) {
  const auto at = text.rfind(" || P)");
  if (at == std::string::npos) return "P is no part of the composite";
  text.replace(at, 6, ")");
  const TemporaryFile file(text);
  return answer(all_sizes(file.path, from, "P"));
}

// ---- case studies

struct Proved {
  const char* file;
  const char* property;
  int to;  // checked by plain search up to here
};

class AllSizesOf : public testing::TestWithParam<Proved> {};

TEST_P(AllSizesOf, HoldsForEveryOneOfTheFirst) {
  const auto& [name, property, to] = GetParam();
  const fs::path file = kExamples / name;
  const auto report = all_sizes(file, 2, property);
  ASSERT_EQ(answer(report), "holds");
  EXPECT_TRUE(report->checks[0].certified);
  // Some of these sizes are below the chain, and some are not.
  const auto& proof = *std::get<Holds>(report->checks[0].verdict).certificate.induction;
  EXPECT_LT(2 * proof.margin + 2, to);
  for (int size = 2; size <= to; ++size) EXPECT_EQ(verdict_at(file, size, property, 3'000'000), "holds") << size;
}

INSTANTIATE_TEST_SUITE_P(
    Examples, AllSizesOf,
    testing::Values(Proved{"relay/relay.lts", "ALWAYS_1_BETWEEN_0", 11}, Proved{"milner/milner.lts", "ALTERNATE", 11},
                    Proved{"milner/milner.lts", "IN_ORDER", 11}, Proved{"token_ring/token_ring.lts", "MUTEX", 11},
                    Proved{"token_ring/token_ring.lts", "ONE_TOKEN", 11},
                    Proved{"philosophers/philosophers.lts", "NEIGHBOURS", 10},
                    Proved{"channel/channel.lts", "ORDER", 14}, Proved{"gas_station/gas_station.lts", "PREPAID", 8}));

TEST(AllSizes, SaysWithWhichSizeItFails) {
  EXPECT_EQ(answer(all_sizes(kExamples / "relay/relay_broken.lts", 2)), "violated at 2");
  EXPECT_EQ(answer(all_sizes(kExamples / "relay/relay_broken.lts", 5)), "violated at 5");
  EXPECT_EQ(answer(all_sizes(kExamples / "milner/milner_broken.lts", 2, "IN_ORDER")), "violated at 3");
  EXPECT_EQ(answer(all_sizes(kExamples / "channel/channel_broken.lts", 2)), "violated at 2");
}

TEST(AllSizes, SaysWhatHinders) {
  EXPECT_EQ(
      answer(all_sizes(kExamples / "client_server/client_server.lts", 2, "MUTEX")),
      "unknown: with one cell the chain may fail; SERVER was left out (line 27: there are states for every number "
      "up to K)");
  EXPECT_EQ(
      answer(all_sizes(kExamples / "gas_station/gas_station.lts", 2, "MUTEX")),
      "unknown: with one cell the chain may fail; PUMP(1) was left out (line 21: 'c' takes every value of a range "
      "that grows with K)");
  EXPECT_EQ(answer(all_sizes(kExamples / "philosophers/philosophers.lts", 2, "deadlock")),
            "unknown: only properties are proved for all sizes");
  EXPECT_EQ(answer(all_sizes(kExamples / "philosophers/philosophers_broken.lts", 2, "deadlock")), "violated at 2");
}

TEST(AllSizes, ProvesARingOfThreeKindsOfCells) {
  EXPECT_EQ(answer("const K = 2\n"
                   "NODE(T=0) = if (T == 0) then HAS else WAITS,\n"
                   "HAS = (work[T] -> done[T] -> pass[(T+1)%K] -> WAITS),\n"
                   "WAITS = (pass[T] -> HAS).\n"
                   "property P = (work[0..K-1] -> done[0..K-1] -> P).\n"
                   "||SYSTEM = (forall [t:0..K-1] NODE(t) || P)."),
            "holds");
}

TEST(AllSizes, KnowsPrefixes) {
  EXPECT_EQ(answer("const K = 2\n"
                   "NODE = (in -> work -> out -> NODE).\n"
                   "property P = (n[1].work -> n[K].work -> P).\n"
                   "||SYSTEM = (forall [i:1..K] n[i]:NODE/{link[i]/n[i].in, link[i+1]/n[i].out} || P)."),
            "violated at 2");
  EXPECT_EQ(answer("const K = 2\n"
                   "NODE = (in -> work -> out -> NODE).\n"
                   "LINK(I=1) = (n[I].out -> n[I+1].in -> LINK).\n"
                   "property P = (n[1].in -> Q), Q = (n[1].in -> Q | n[K].work -> Q).\n"
                   "||SYSTEM = (n[1..K]:NODE || forall [i:1..K] LINK(i) || P)."),
            "holds");
}

TEST(AllSizes, AlsoOfAPropertyBesideTheComposite) {
  const std::string ring =
      "const K = 2\n"
      "NODE(T=0) = if (T == 0) then HAS else WAITS,\n"
      "HAS = (work[T] -> done[T] -> pass[(T+1)%K] -> WAITS),\n"
      "WAITS = (pass[T] -> HAS).\n"
      "property P = (work[0..K-1] -> done[0..K-1] -> P).\n"
      "property Q(N=K-1) = (work[N] -> done[N] -> Q).\n"
      "||SYSTEM = (forall [t:0..K-1] NODE(t)).\n";
  const TemporaryFile file(ring);
  for (const char* property : {"P", "Q"}) {
    const auto report = all_sizes(file.path, 2, property);
    ASSERT_EQ(answer(report), "holds") << property;
    const fs::path proof = file.path.string() + ".json";
    std::ofstream(proof) << dump(api::certificate_json(*report, proof.string()));
    const auto certified = api::certify_file({proof.string()});
    fs::remove(proof);
    ASSERT_TRUE(certified);
    EXPECT_TRUE(certified->accepted()) << property;
  }
  EXPECT_EQ(answer(all_sizes(file.path, 2)), "there is no property to prove for all sizes");
}

TEST(AllSizes, DoesWithoutWhatItCannotRead) {
  EXPECT_EQ(answer("const K = 2\n"
                   "CELL(T=1) = (a[T] -> b[T] -> CELL).\n"
                   "ODD(T=1) = if (T % 2 == 0) then (a[T] -> ODD) else STOP.\n"
                   "property P = (a[1] -> b[1] -> P).\n"
                   "||SYSTEM = (forall [t:1..K] (CELL(t) || ODD(t)) || P)."),
            "holds");
}

// ---- families made to fool it: all of them fail at some size, or cannot be known not to

struct Fooling {
  const char* name;
  const char* cell;      // the body of CELL(T)
  const char* expected;  // how the answer begins
};

class AllSizesFooled : public testing::TestWithParam<Fooling> {};

TEST_P(AllSizesFooled, IsNotSaidToHold) {
  const auto& [name, cell, expected] = GetParam();
  const std::string text =
      std::string("const K = 2\nrange R = 0..K\nconst H = K/10 const L = K-2\nset S = {x[1..K]}\nCELL(T=1) = ") + cell +
      " + {bad[T]}.\nproperty P = (ok -> P) + {bad[1..K]}.\n" + "||SYSTEM = (forall [t:1..K] CELL(t) || P).";
  const std::string got = answer(text);
  EXPECT_EQ(got.substr(0, std::string(expected).size()), expected) << got;
  EXPECT_EQ(answer_beside(text), got);
}

INSTANTIATE_TEST_SUITE_P(
    Families, AllSizesFooled,
    testing::Values(
        Fooling{"seven", "if (T == 7) then (bad[T] -> CELL) else (a[T] -> CELL)", "violated at 7"},
        Fooling{"eleven", "if (T == 11) then (bad[T] -> CELL) else (a[T] -> CELL)", "violated at 11"},
        Fooling{"far away", "if (T == 700) then (bad[T] -> CELL) else (a[T] -> CELL)",
                "unknown: cells near the ends are told apart up to a distance of 70"},
        Fooling{"from the end", "(when (T == K-5) bad[T] -> CELL | a[T] -> CELL)", "violated at 6"},
        Fooling{"of one size", "(when (K == 11 && T == 1) bad[T] -> CELL | a[T] -> CELL)", "violated at 11"},
        Fooling{"parity", "(when (K % 2 == 1 && K > 12) bad[T] -> CELL | a[T] -> CELL)", "unknown: line 5"},
        Fooling{"parity of cells", "(when (T % 30 == 29) bad[T] -> CELL | a[T] -> CELL)", "unknown: line 5"},
        Fooling{"twice", "(when (T + T == 30) bad[T] -> CELL | a[T] -> CELL)", "unknown: line 5"},
        Fooling{"the middle", "(when (T > 9 && T == K - T) bad[T] -> CELL | a[T] -> CELL)", "unknown: line 5"},
        Fooling{"a product", "(when (T * 2 == 30) bad[T] -> CELL | a[T] -> CELL)", "unknown: line 5"},
        Fooling{"a constant made of the size", "(when (H > 1) bad[T] -> CELL | a[T] -> CELL)", "unknown: line 3"},
        Fooling{"a range made of the size", "C[0], C[i:R] = (a[T] -> if (i < 20) then C[i+1] else (bad[T] -> STOP))",
                "unknown: line 5"},
        Fooling{"the size of a set", "(when (#S > 20) bad[T] -> CELL | a[T] -> CELL)", "unknown: line 5"},
        Fooling{"links that jump", "(link[T*2] -> a[T] -> CELL | when (T == 20) bad[T] -> CELL)", "unknown: line 5"},
        Fooling{"bits", "(when ((T & 15) == 15) bad[T] -> CELL | a[T] -> CELL)", "unknown: line 5"},
        Fooling{"a sign", "(when (-T == -20) bad[T] -> CELL | a[T] -> CELL)", "unknown: line 5"},
        Fooling{"the truth of a difference", "(when (T > 20 && !(T - 50)) bad[T] -> CELL | a[T] -> CELL)",
                "unknown: line 5"},
        Fooling{"the index by another name", "(a[x:{[T]}] -> if (x == 20) then (bad[T] -> CELL) else CELL)",
                "unknown: line 5"},
        Fooling{"the size by another name", "(a[T][x:{[K]}] -> if (x == 20) then (bad[T] -> CELL) else CELL)",
                "unknown: line 5"},
        Fooling{"a state by another name", "C[20], C[x:{[T]}] = (bad[T] -> STOP)", "unknown: line 5"},
        Fooling{"a state for a set", "C[20], C[{[T]}] = (bad[T] -> STOP)", "unknown: line 5"},
        Fooling{"a constant less than the size", "(when (T == L-8) bad[T] -> CELL | a[T] -> CELL)", "violated at 11"},
        Fooling{"a range up to a number", "(when (T > 8) bad[T] -> CELL | a[T] -> CELL)", "violated at 9"},
        Fooling{"a sum over a range", "C[1], C[i:0..3] = (when (T + i == 12) bad[T] -> CELL | a[T] -> C[3])",
                "violated at 9"}),
    [](const auto& test) {
      std::string name = test.param.name;
      std::erase_if(name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); });
      return name;
    });

// Whole texts, where more than one cell is needed. Plain search says from which size on they fail.
struct Failing {
  const char* name;
  const char* text;
  int from;              // with which size it fails
  const char* expected;  // how the answer begins
};

class AllSizesFailing : public testing::TestWithParam<Failing> {};

TEST_P(AllSizesFailing, IsNotSaidToHold) {
  const auto& [name, text, from, expected] = GetParam();
  const TemporaryFile file("const K = 2\n" + std::string(text));
  EXPECT_EQ(verdict_at(file.path, from - 1, "P", 100'000), "holds");
  EXPECT_EQ(verdict_at(file.path, from, "P", 100'000), "violated");
  const std::string got = answer(all_sizes(file.path, 2));
  EXPECT_EQ(got.substr(0, std::string(expected).size()), expected) << got;
}

INSTANTIATE_TEST_SUITE_P(
    Families, AllSizesFailing,
    testing::Values(
        // What the first cell needs is held back by cells near the other end, until they are too far away.
        Failing{"ends that meet",
                "CELL(T=1) = if (T == 1) then (b[T+8] -> b[T+8] -> bad -> STOP) else (a[T] -> CELL).\n"
                "BLOCK(T=1) = if (T >= K-7) then (b[T-8] -> STOP | b[T] -> STOP | b[T+8] -> STOP)\n"
                "                           else (e[T] -> BLOCK).\n"
                "property P = (ok -> P) + {bad}.\n"
                "||SYSTEM = (forall [t:1..K] (CELL(t) || BLOCK(t)) || P).",
                25, "unknown: cells near the ends"},
        // The same, round a ring: the last cells have low numbers, which then are those of cells in the middle.
        Failing{"ends that meet in a ring",
                "CELL(T=0) = if (T == K-8) then (b[T-8] -> b[T-8] -> bad -> STOP) else (a[T] -> CELL).\n"
                "LOW(T=0)  = if (T < 8) then (b[T-8] -> STOP) else (e[T] -> LOW).\n"
                "HIGH(T=0) = if (T >= K-8) then (b[(T+8)%K] -> STOP) else (f[T] -> HIGH).\n"
                "NONE = STOP + {bad}.\nproperty P = (ok -> P) + {bad}.\n"
                "||SYSTEM = (forall [t:0..K-1] (CELL(t) || LOW(t) || HIGH(t)) || if (K < 8) then NONE || P).",
                24, "unknown: cells near the ends"},
        Failing{"ends that meet nearer",
                "CELL(T=1) = if (T == 1) then (b[T+3] -> b[T+3] -> bad -> STOP) else (a[T] -> CELL).\n"
                "BLOCK(T=1) = if (T >= K-2) then (b[T-3] -> STOP | b[T] -> STOP | b[T+3] -> STOP)\n"
                "                           else (e[T] -> BLOCK).\n"
                "property P = (ok -> P) + {bad}.\n"
                "||SYSTEM = (forall [t:1..K] (CELL(t) || BLOCK(t)) || P).",
                10, "violated at 10"},
        Failing{"an end that meets the middle",
                "CELL(T=1) = if (T == K-2) then (b[T-3] -> b[T-3] -> bad -> STOP) else (a[T] -> CELL).\n"
                "B(T=1) = if (T <= 4) then (b[(T+4)%K] -> STOP | b[T-4] -> STOP | b[T+1] -> STOP) else (e[T] -> B).\n"
                "NONE = STOP + {bad}.\nproperty P = (ok -> P) + {bad}.\n"
                "||SYSTEM = (forall [t:1..K] (CELL(t) || B(t)) || if (K < 3) then NONE || P).",
                14, "violated at 14"},
        Failing{"a relabelling of one cell",
                "NODE = (go -> NODE).\nNONE = STOP + {bad}.\nproperty P = (ok -> P) + {bad}.\n"
                "||SYSTEM = (n[1..K]:NODE/{bad/n[9].go} || if (K < 9) then NONE || P).",
                9, "violated at 9"},
        Failing{"a hiding of the first cells",
                "CELL(T=1) = (bad[T] -> CELL)\\{bad[1..8]}.\nproperty P = (ok -> P) + {bad[1..K]}.\n"
                "NONE = STOP + {bad[1..8]}.\n||SYSTEM = (forall [t:1..K] CELL(t) || NONE || P).",
                9, "violated at 9"},
        Failing{"a property that looks at one cell",
                "CELL(T=1) = (a[T] -> CELL).\nproperty P = (a[1..8] -> P) + {a[1..K]}.\n"
                "||SYSTEM = (forall [t:1..K] CELL(t) || P).",
                9, "violated at 9"},
        Failing{"a parameter handed on",
                "CELL(T=1) = SUB(T, K-1);END.\nSUB(A=1, B=1) = if (A == B-9) then (bad -> END) else (a[A] -> END).\n"
                "property P = (ok -> P) + {bad}.\nNONE = STOP + {bad}.\n"
                "||SYSTEM = (forall [t:1..K] CELL(t) || if (K < 11) then NONE || P).",
                11, "violated at 11"},
        Failing{"two cells far apart",
                "CELL(T=1) = (when (T > 4) b[T-4] -> c[T] -> CELL | a[T] -> b[T] -> CELL).\n"
                "property P = (a[1] -> P | c[1..9] -> P) + {c[1..K]}.\n"
                "||SYSTEM = (forall [t:1..K] CELL(t) || P).",
                10, "unknown: cells near the ends"}),
    [](const auto& test) {
      std::string name = test.param.name;
      std::erase_if(name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); });
      return name;
    });

// A cell for each pair, a priority, a condition before a cell: not read at all.
TEST(AllSizes, RefusesOtherShapes) {
  const std::string rest = "CELL(T=1) = (a[T] -> CELL).\nproperty P = (a[1] -> P).\n||SYSTEM = ";
  const auto said = [&](const std::string& body) { return answer("const K = 2\n" + rest + body).substr(0, 15); };
  EXPECT_EQ(said("(forall [t:1..K] CELL(t) || P)."), "holds");
  EXPECT_EQ(said("(forall [t:1..K][u:1..K] b[u]:CELL(t) || P)."), "unknown: line 4");
  EXPECT_EQ(said("(forall [t:1..K] forall [u:1..t] b[u]:CELL(t) || P)."), "unknown: line 4");
  EXPECT_EQ(said("(forall [t:1..K] forall [u:1..K] b[u]:CELL(t) || P)."), "unknown: line 4");
  EXPECT_EQ(said("(forall [t:1..K] CELL(t) || P) >> {a[1]}."), "--all-sizes doe");
  EXPECT_EQ(said("(forall [t:1..K] if (t < 5) then CELL(t) || P)."), "unknown: line 4");
  EXPECT_EQ(said("(forall [t:1..K] CELL(t) || if (K % 5 == 1) then CELL(20) || P)."), "unknown: line 4");
}

TEST(AllSizes, SeesAPropertyThatIsTrueOnlyUpToSomeSize) {
  // The baton takes one round for each cell; the counter knows only twelve.
  EXPECT_EQ(
      answer("const K = 2\n"
             "CELL(T=1) = if (T == 1) then (go[T] -> pass[1] -> STOP) else (pass[T-1] -> go[T] -> pass[T] -> STOP).\n"
             "property P = C[0], C[i:0..12] = (when (i < 12) go[1..K] -> C[i+1]).\n"
             "||SYSTEM = (forall [t:1..K] CELL(t) || P).")
          .substr(0, 7),
      "unknown");
  EXPECT_EQ(
      answer("const K = 2\n"
             "CELL(T=1) = if (T == 1) then (go[T] -> pass[1] -> STOP) else (pass[T-1] -> go[T] -> pass[T] -> STOP).\n"
             "property P = C[0], C[i:0..5] = (when (i < 5) go[1..K] -> C[i+1]).\n"
             "||SYSTEM = (forall [t:1..K] CELL(t) || P)."),
      "violated at 6");
}

TEST(AllSizes, DoesNotTakeGrowingNumbersOfMachinesForOne) {
  const std::string rest =
      "CELL(T=1) = (a[T] -> x[T].c -> CELL).\nP = (c -> P).\nproperty Q = (a[1] -> x[1].c -> Q).\n"
      "||SYSTEM = (forall [t:1..K] CELL(t) || ";
  EXPECT_EQ(answer("const K = 2\nset S = {x[1..K]}\n" + rest + "S:P || Q).").substr(0, 15), "unknown: line 6");
  EXPECT_EQ(answer("const K = 2\nset S = {x[1..K]}\n" + rest + "forall [s:S] q[s]:P || Q).").substr(0, 15),
            "unknown: line 6");
  EXPECT_EQ(answer("const K = 2\n" + rest + "x[1..K]:P || Q)."), "holds");
}

TEST(AllSizes, KnowsNondeterministicCells) {
  EXPECT_EQ(answer("const K = 2\n"
                   "CELL(T=1) = (c[T] -> A | c[T] -> B), A = (a[T] -> c[T+1] -> CELL), B = (b[T] -> c[T+1] -> CELL).\n"
                   "property P = (c[1] -> Q), Q = (c[1] -> Q | c[K+1] -> Q).\n"
                   "||SYSTEM = (forall [t:1..K] CELL(t) || P)."),
            "holds");
}

// ---- properties that remember an index

// Cells that do a[T] and b[T] in turn, one after the other.
std::string with_property(const std::string& property) {
  return answer(
      "const K = 2\n"
      "CELL(T=1) = if (T == 1) then HAS else WAITS,\n"
      "HAS = (a[T] -> b[T] -> pass[T%K+1] -> WAITS),\n"
      "WAITS = (pass[T] -> HAS).\n"
      "property P = " +
      property + "\n||SYSTEM = (forall [t:1..K] CELL(t) || P).");
}

TEST(AllSizes, KnowsPropertiesThatRememberAnIndex) {
  EXPECT_EQ(with_property("(a[i:1..K] -> b[i] -> P)."), "holds");
  EXPECT_EQ(with_property("(pass[1..K] -> P | a[i:1..K] -> (b[i] -> P | pass[1..K] -> ERROR))."), "holds");
  EXPECT_EQ(with_property("N[1], N[i:1..K] = (a[i] -> N[i%K+1])."), "holds");
  EXPECT_EQ(with_property("N[1], N[i:1..K] = (a[i] -> M[i]), M[j:1..K] = (b[j] -> N[j%K+1])."), "holds");
  EXPECT_EQ(with_property("(b[i:1..K] -> a[i] -> P)."), "violated at 2");
  EXPECT_EQ(with_property("N[1], N[i:1..K] = (a[i] -> N[(i+K-2)%K+1])."), "violated at 3");
  EXPECT_EQ(with_property("N[K], N[i:1..K] = (a[i] -> N[i%K+1])."), "violated at 2");
  EXPECT_EQ(with_property("N[1], N[i:1..K] = (a[i] -> N[i+1])."), "violated at 2");
}

// All of these hold, but what they remember is more than a bit that its own cell sets and clears.
TEST(AllSizes, DoesNotKnowPropertiesThatRememberMore) {
  for (const char* property :
       {"(a[i:1..K] -> b[j:1..K] -> (pass[1..K] -> P | a[i] -> P | b[j] -> P)).",
        "(a[i:1..K] -> if (i > 20) then (b[i] -> P) else (b[1..K] -> P)).",
        "(a[i:1..K] -> (when (i < 20) b[1..K] -> P | when (i >= 20) b[i] -> P)).",
        "(pass[1..K] -> P | a[i:1..K] -> (b[i] -> P | pass[1..K] -> P)).",
        "N[1], N[i:1..K] = (b[1..K] -> N[1] | a[1..K] -> N[i]).", "(a[i:1..K] -> b[i] -> pass[i%K+1] -> P)."})
    EXPECT_EQ(with_property(property).substr(0, 13), "unknown: line") << property;
}

// ---- random families

// A small grammar in which most things that can be read are, and some that cannot.
class RandomFamily {
 public:
  explicit RandomFamily(std::uint64_t seed) : random_(seed) {}

  std::string text() {
    const std::string hub =
        pick({"", "", "HUB = (a[1..K] -> HUB | b[1..K] -> HUB1), HUB1 = (b[1..K] -> HUB | a[1..K] -> HUB1).\n",
              "HUB = (a[1..K] -> b[1..K] -> HUB).\n"});
    return "const K = 2\nCELL(T=1) = if (" + condition() + ") then A else " + pick({"B", "B", "A"}) +
           ",\nA = " + state() + ",\nB = " + state() + ".\n" + hub + "property P = " + property() +
           "\n||SYSTEM = (forall [t:1..K] CELL(t) || P" + (hub.empty() ? "" : " || HUB") + ").\n";
  }

 private:
  std::string pick(const std::vector<std::string>& from) {
    return from[random_.below(static_cast<std::uint32_t>(from.size()))];
  }

  std::string condition() {
    return pick({"T == 1", "T < K", "T == K", "T > 2", "T == K-1", "T == 1", "T == K", "T % 2 == 0", "T == 3 && K > 4",
                 "T + 1 == K", "(T+K-2)%K == 0"});
  }
  std::string index() {
    return pick({"T", "T", "T", "T+1", "T-1", "(T+K-2)%K+1", "T%K+1", "T%K+1", "(T+K-2)%K+1", "1", "K"});
  }
  std::string label() {
    return pick({"a[T]", "b[T]", "a[T]", "b[T]", "c[" + index() + "]", "c[" + index() + "]", "all"});
  }
  std::string choice() {
    const std::string guard = random_.below(4) == 0 ? "when (" + condition() + ") " : "";
    std::string out = guard + label() + " -> ";
    for (auto n = random_.below(3); n > 0; --n) out += label() + " -> ";
    return out + pick({"A", "B"});
  }
  std::string state() { return random_.below(2) == 0 ? "(" + choice() + ")" : "(" + choice() + " | " + choice() + ")"; }
  std::string watched() {
    return pick({"a[1]", "b[1]", "a[K]", "a[1..K]", "b[1..K]", "a[2..K]", "c[1]", "c[2]", "b[1..K-1]", "c[K]"});
  }
  // With an index that is remembered, in a way that can be taken apart.
  std::string remembering() {
    const std::string x = pick({"a", "b"}), y = pick({"a", "b", "c"});
    return pick({"(" + x + "[i:1..K] -> " + y + "[i] -> P).", "N[1], N[i:1..K] = (" + x + "[i] -> N[i%K+1]).",
                 "N[1], N[i:1..K] = (" + x + "[i] -> N[i%K+1] | " + y + "[1..K] -> N[i]).",
                 "N[K], N[i:1..K] = (" + x + "[i] -> N[(i+K-2)%K+1] | all -> N[i]).",
                 "(" + x + "[i:1..K] -> Q[i]), Q[i:1..K] = (" + y + "[i] -> P | all -> Q[i]).",
                 "(" + x + "[i:1..K] -> ({all, " + y + "[1..K]} -> " + x + "[i] -> P | " + x + "[i] -> P))."});
  }
  std::string property() {
    if (random_.below(3) == 0) return remembering();
    const std::string x = watched(), y = watched();
    return pick({"(" + x + " -> " + y + " -> P).", "(" + x + " -> Q), Q = (" + x + " -> Q | " + y + " -> P).",
                 "(" + x + " -> P | " + y + " -> Q), Q = (" + x + " -> P)."});
  }

  Random random_;
};

TEST(AllSizes, AgreesWithPlainSearchOnRandomFamilies) {
  constexpr std::uint64_t kFamilies = 1200;
  int held = 0, violated = 0, unknown = 0, with_states = 0, remembering = 0;
  for (std::uint64_t seed = 0; seed < kFamilies; ++seed) {
    const TemporaryFile file(RandomFamily(seed).text());
    const auto report = all_sizes(file.path, 2);
    if (!report) continue;  // the property is not deterministic, or so
    const std::string said = answer(report);
    violated += said.starts_with("violated");
    unknown += said.starts_with("unknown");
    if (said != "holds") continue;
    ++held;
    const auto& proof = *std::get<Holds>(report->checks[0].verdict).certificate.induction;
    with_states += report->checks[0].sizes->states > 1;
    remembering += RandomFamily(seed).text().find("i:1..K") != std::string::npos;
    for (int size = 2 * proof.margin + 3; size <= 2 * proof.margin + 6; ++size)
      ASSERT_NE(verdict_at(file.path, size, "P", 100'000), "violated") << size << "\n" << RandomFamily(seed).text();
  }
  RecordProperty("held", held);
  // A test that sees only one kind of answer tests nothing.
  EXPECT_GT(held, 50);
  EXPECT_GT(with_states, 10);
  EXPECT_GT(remembering, 10);
  EXPECT_GT(violated, 50);
  EXPECT_GT(unknown, 20);
}

// ---- certificates

class AllSizesCertificate : public testing::Test {
 protected:
  AllSizesCertificate() : folder_(fs::temp_directory_path() / ("all_sizes_certificate_" + std::to_string(::getpid()))) {
    fs::create_directories(folder_);
    fs::copy_file(kExamples / "relay/relay.lts", folder_ / "relay.lts", fs::copy_options::overwrite_existing);
    const auto report = all_sizes(folder_ / "relay.lts", 2);
    proof_ = nlohmann::json::parse(dump(api::certificate_json(*report, (folder_ / "proof.json").string())));
  }
  ~AllSizesCertificate() override { fs::remove_all(folder_); }

  // "accepted", or why not.
  std::string certified() {
    std::ofstream(folder_ / "proof.json") << proof_.dump();
    const auto result = api::certify_file({(folder_ / "proof.json").string()});
    if (!result) return result.error().diagnostics[0].message;
    if (result->accepted()) return "accepted";
    return result->lines.empty() ? result->refused : result->lines[0].reason;
  }
  nlohmann::json& induction() { return proof_["proofs"][0]["induction"]; }

  fs::path folder_;
  nlohmann::json proof_;
};

TEST_F(AllSizesCertificate, IsAccepted) { EXPECT_EQ(certified(), "accepted"); }

TEST_F(AllSizesCertificate, NeedsEverySmallSize) {
  induction()["small"].erase(3);
  EXPECT_EQ(certified(), "7 sizes need proofs of their own, not 6");
}

TEST_F(AllSizesCertificate, DoesNotBeginEarlier) {
  induction()["from"] = 1;
  EXPECT_NE(certified(), "accepted");
}

TEST_F(AllSizesCertificate, NeedsTheRightMargin) {
  induction()["margin"] = 2;
  EXPECT_EQ(certified(), "the ends of the chain are others");
}

TEST_F(AllSizesCertificate, NeedsAnExistingConstant) {
  induction()["parameter"] = "L";
  EXPECT_NE(certified(), "accepted");
}

TEST_F(AllSizesCertificate, NeedsAWLargeEnough) {
  // Every step of every W of the head matters: each is one that some component can do and that can fail.
  auto& last = induction()["head"].back();
  const auto whole = last;
  for (std::size_t i = 0; i < whole["steps"].size(); ++i) {
    last = whole;
    last["steps"].erase(i);
    EXPECT_NE(certified(), "accepted") << "without step " << i;
  }
}

TEST_F(AllSizesCertificate, NeedsTheOpenEnds) {
  // The last W with the two ends exchanged is about another chain.
  std::string text = induction()["head"].back().dump();
  const auto replace = [&](const std::string& from, const std::string& to) {
    for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  };
  replace("pass.3", "PASS");
  replace("pass.6", "pass.3");
  replace("PASS", "pass.6");
  const auto before = induction()["head"].back();
  induction()["head"].back() = nlohmann::json::parse(text);
  ASSERT_NE(induction()["head"].back(), before);
  EXPECT_NE(certified(), "accepted");
}

TEST_F(AllSizesCertificate, ComesBackToARoundThatThereIs) {
  induction()["back"] = 5;
  EXPECT_EQ(certified(), "the rounds do not come back");
  induction()["back"] = -1;
  EXPECT_EQ(certified(), "the rounds do not come back");
}

TEST_F(AllSizesCertificate, IsForThisTextOnly) {
  std::ofstream(folder_ / "relay.lts", std::ios::app) << "// changed\n";
  EXPECT_NE(certified(), "accepted");
}

// A proof for one family is none for another that is not uniform, even if it says that it was made for it.
TEST_F(AllSizesCertificate, ReadsTheTextAgain) {
  auto text = *read_file((folder_ / "relay.lts").string());
  text.replace(text.find("if (T == 1)"), 11, "if (T % 9 == 1)");
  std::ofstream(folder_ / "relay.lts") << text;
  const auto changed = api::verify([&] {
    api::Request request;
    request.source.files = {(folder_ / "relay.lts").string()};
    return request;
  }());
  proof_["inputs"][0]["sha256"] = changed->model.inputs[0].sha256;
  EXPECT_EQ(certified().substr(0, 5), "line ");
}

// A file has one size, and the process of that name in the text may be another property.
TEST_F(AllSizesCertificate, IsAboutNoPropertyOfAFile) {
  api::Source source;
  source.files = {(folder_ / "relay.lts").string()};
  Budget budget;
  const auto model = api::load(source, budget);
  ASSERT_TRUE(model);
  source.property_files = {"ALWAYS_1_BETWEEN_0.aut"};
  Certificate certificate;
  certificate.induction = std::make_shared<Induction>();
  const auto judgement = api::recheck_all_sizes(*model, source, "ALWAYS_1_BETWEEN_0", certificate, budget, {});
  EXPECT_EQ(judgement.kind, certify::Judgement::Kind::refused);
  EXPECT_EQ(judgement.reason, "the property of a file is not proved for all sizes");
}

}  // namespace
}  // namespace surety
