// Limits are limits: ten heavy checks by all methods, measured from outside. The peak of memory may be a twentieth or
// 20 MB above what was allowed, whichever is more; the time a twentieth and 100 ms.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "paths.hpp"

namespace {

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using std::chrono::milliseconds;

const std::vector<std::string> kMethods = {"auto",  "monolithic", "symbolic", "asym",     "asym-n", "cegar",   "sym",
                                           "sym-a", "sym-b",      "weakest",  "circular", "agar",   "minimise"};

// A process with 1.6 thousand million states of its own.
constexpr const char* kHugeProcess = R"(
byte a, b;
chan q = [2] of { byte, byte };
active proctype Huge() {
  byte w, x, y, z;
  do
  :: w < 200 -> w++ :: x < 200 -> x++ :: y < 200 -> y++ :: z < 200 -> z++
  :: q!x,y
  :: a = x
  od
}
active proctype Other() {
  byte u, v;
  do :: q?u,v :: a > 3 -> b = a; assert(b > 3) od
}
)";

// Few states of a process, but each with a step for every value that others may have written.
constexpr const char* kManySteps = R"(
byte a, b, c;
chan m = [0] of { byte, byte, byte };
chan q = [3] of { byte, byte };
active [3] proctype P() {
  byte x, y, z;
  do
  :: atomic { a < 200 -> a++ }
  :: atomic { b < 200 -> b = b + 1 }
  :: atomic { c = a + b; x = c }
  :: m!a,b,x
  :: m?x,y,z
  :: q!a,b
  :: q?x,y
  od
}
)";

struct Case {
  const char* name;
  const char* file;  // of the examples, or the text of a program
  const char* size;
};

const Case kCases[] = {
    {"peterson", "peterson/peterson_cells.lts", "K=5"},
    {"philosophers", "philosophers/philosophers.lts", "K=16"},
    {"client_server", "client_server/client_server.lts", "K=14"},
    {"gas_station", "gas_station/gas_station.lts", "K=9"},
    {"milner", "milner/milner.lts", "K=20"},
    {"smokers", "smokers/smokers_cells.lts", "K=12"},
    {"mer", "mer/mer_cells.lts", "K=9"},
    {"chiron", "chiron/chiron.lts", "K=8"},
    {"huge_process", kHugeProcess, nullptr},
    {"many_steps", kManySteps, nullptr},
};

class Limits : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "surety-test-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::vector<std::string> words_of(const Case& c) const {
    if (c.size != nullptr) return {std::string(SURETY_EXAMPLES "/") + c.file, "--define", c.size};
    const std::string file = (folder_ / "program.pml").string();
    std::ofstream(file) << c.file;
    return {file};
  }

  struct Run {
    int status = -1;
    std::uint64_t peak = 0;
    milliseconds wall{}, cpu{};
    std::string out, err;
  };

  Run run(const std::vector<std::string>& words) const {
    std::vector<std::string> all{SURETY_BINARY, "check", "--json", "--quiet", "--threads", "2"};
    all.insert(all.end(), words.begin(), words.end());
    const fs::path out = folder_ / "out", err = folder_ / "err";
    const auto start = std::chrono::steady_clock::now();
    const pid_t child = ::fork();
    if (child == 0) {
      std::vector<char*> argv;
      for (auto& word : all) argv.push_back(word.data());
      argv.push_back(nullptr);
      if (std::freopen(out.c_str(), "w", stdout) == nullptr || std::freopen(err.c_str(), "w", stderr) == nullptr)
        ::_exit(99);
      ::execv(argv[0], argv.data());
      ::_exit(99);
    }
    int status = 0;
    rusage usage{};
    ::wait4(child, &status, 0, &usage);
    Run run;
    run.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    run.peak = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
    run.wall = std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - start);
    for (const timeval& t : {usage.ru_utime, usage.ru_stime})
      run.cpu += milliseconds(1000 * t.tv_sec + t.tv_usec / 1000);
    run.out = content(out);
    run.err = content(err);
    return run;
  }

  static std::string content(const fs::path& file) {
    std::ifstream in(file);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
  }

  // What has no answer was stopped by a limit, and says so.
  static void expect_answer(const Run& run) {
    EXPECT_TRUE(run.status >= 0 && run.status <= 2) << "exit status " << run.status << ": " << run.err;
    if (run.status != 2) return;
    auto report = nlohmann::json::parse(run.out, nullptr, false);
    ASSERT_EQ(report["verdict"], "unknown");
    if (!report.contains("checks")) {  // while reading
      const bool said = run.err.find("stopped by time") != std::string::npos ||
                        run.err.find("stopped by memory") != std::string::npos;
      EXPECT_TRUE(said) << run.err;
      return;
    }
    for (const auto& check : report["checks"]) {
      if (check["verdict"] != "unknown") continue;
      EXPECT_TRUE(check["why"] == "time" || check["why"] == "memory") << check["why"];
    }
  }

  // On a machine that has other things to do the clock says little: then what it has computed counts, or another try.
  void expect_limits(const std::vector<std::string>& words, std::uint64_t megabytes, milliseconds time) const {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--memory", fmt::format("{}M", megabytes), "--time", fmt::format("{}ms", time.count())});
    const std::uint64_t most = (megabytes + std::max<std::uint64_t>(megabytes / 20, 20)) << 20;
    const milliseconds longest = time + time / 20 + 100ms;
    Run last;
    for (int tries = 0; tries < 3; ++tries) {
      last = run(all);
      EXPECT_LE(last.peak >> 10, most >> 10) << "KiB, " << fmt::format("{}", fmt::join(all, " "));
      if (last.wall <= longest || last.cpu <= longest) break;
    }
    EXPECT_TRUE(last.wall <= longest || last.cpu <= longest)
        << last.wall.count() << " ms, computing " << last.cpu.count() << " ms of " << time.count() << ": "
        << fmt::format("{}", fmt::join(all, " "));
    SCOPED_TRACE(fmt::format("{}", fmt::join(all, " ")));
    expect_answer(last);
  }

  fs::path folder_;
};

TEST_P(Limits, AllMethodsKeepThem) {
  const std::vector<std::string> words = words_of(GetParam());
  for (const std::string& method : kMethods) {
    std::vector<std::string> all = words;
    all.insert(all.end(), {"--method", method});
    expect_limits(all, 50, 300ms);
  }
}

INSTANTIATE_TEST_SUITE_P(Heavy, Limits, testing::ValuesIn(kCases),
                         [](const auto& tested) { return std::string(tested.param.name); });

// The rules that take a property per side, on two sides.
TEST_F(Limits, RulesWithAPropertyPerSideKeepThem) {
  for (const char* method : {"sym-2", "sym-2a", "sym-2b"}) {
    const auto at = [&](const std::string& file, const char* size, const char* first, const char* second) {
      expect_limits(
          {SURETY_EXAMPLES "/" + file, "--define", size, "--method", method, "--property", first, "--property", second},
          50, 300ms);
    };
    at("gas_station/gas_station.lts", "K=9", "MUTEX", "CHANGE");
    at("chiron/chiron.lts", "K=8", "REGISTERED_ONCE", "TOLD_ONCE");
    at("mer/mer_cells.lts", "K=9", "COMM_OR_DRIVE", "ARM_OR_DRIVE");
  }
}

class Reading : public Limits {
 protected:
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }
};

// There is no end of this, and no error in it.
TEST_F(Reading, AFileThatIncludesItselfEndsWithTheBudget) {
  const auto file = write("bomb.pml", "#include \"bomb.pml\"\n#include \"bomb.pml\"\nactive proctype P() { skip }\n");
  expect_limits({file}, 100, 500ms);
}

TEST_F(Reading, APipeAsAnIncludeEndsWithTheBudget) {
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  expect_limits({write("pipe.pml", "#include \"pipe\"\nactive proctype P() { skip }\n")}, 100, 500ms);
}

TEST_F(Reading, ADeviceAsAnIncludeIsAnError) {
  const Run run = this->run({write("zero.pml", "#include \"/dev/zero\"\nactive proctype P() { skip }\n"), "--time",
                             "20s", "--memory", "100M"});
  EXPECT_TRUE(run.status == 65 || run.status == 2) << run.err;
}

TEST_F(Reading, CellsEndWithTheBudget) {
  const auto file =
      write("large.lts",
            "const N = 20000\nrange R = 0..N\nP = S[0][0],\n"
            "S[a:R][b:R] = (when (a < N) inc -> S[a+1][b] | when (b < a) up -> S[a][b+1]\n"
            "             | to[i:0..9] -> S[i][b] | both[x:R] -> S[x][x] | when (a == b) eq -> S[0][0]).\n"
            "||SYSTEM = (P).\n");
  expect_limits({file}, 200, 500ms);
}

// Their trees would take several times as much. A list that doubles while it is read may take half as much again.
TEST_F(Reading, ALongTextIsReadAsFarAsTheMemoryGoes) {
  std::string fsp, promela = "int x;\nactive proctype P() {\n",
                   ada = "procedure Long is\n   X : Integer := 0;\nbegin\n";
  for (int i = 0; i < 250'000; ++i) {
    fsp += fmt::format("P{} = (a{} -> b -> P{}).\n", i, i % 100, i);
    promela += fmt::format("  if :: x > {} -> x = x + {} :: else fi;\n", i % 50, i % 100);
    ada += fmt::format("   if X > {} then X := X + {}; end if;\n", i % 50, i % 100);
  }
  for (const auto& [name, text] :
       {std::pair{"long.lts", fsp}, {"long.pml", promela + "}\n"}, {"long.adb", ada + "end Long;\n"}}) {
    const Run run = this->run({write(name, text), "--memory", "120M"});
    EXPECT_EQ(run.status, 2) << name;
    EXPECT_NE(run.err.find("stopped by memory while reading it"), std::string::npos) << name << ": " << run.err;
    EXPECT_LE(run.peak >> 20, 180U) << name;
  }
}

// What stands in an inline is read again wherever it is called.
TEST_F(Reading, AnInlineThatIsCalledOftenEndsWithTheBudget) {
  std::string text = "int x;\ninline m() { x = 1";
  for (int i = 0; i < 1000; ++i) text += " ; x = 1";
  text += " }\nactive proctype P() {\n";
  for (int i = 0; i < 300; ++i) text += "m();\n";
  const Run run = this->run({write("often.pml", text + "}\n"), "--memory", "40M"});
  EXPECT_EQ(run.status, 2);
  EXPECT_NE(run.err.find("stopped by memory while reading it"), std::string::npos) << run.err;
  EXPECT_LE(run.peak >> 20, 60U);
}

// What is known of all of them is kept once, not once for each.
TEST_F(Reading, ManyPropertiesTakeLittle) {
  std::string text = "P = (a -> P).\n";
  for (int i = 0; i < 1500; ++i) text += fmt::format("property R{} = (a -> R{}).\n", i, i);
  const Run run = this->run({write("many.lts", text), "--method", "monolithic", "--no-certify"});
  EXPECT_EQ(run.status, 0) << run.err;
  EXPECT_LE(run.peak >> 20, 150U);
}

// Those that take most memory in little time, with more of both.
class MoreMemory : public Limits {};

TEST_P(MoreMemory, FastOnesKeepIt) {
  const Case& c = GetParam();
  for (const char* method : {"auto", "asym"}) {
    std::vector<std::string> all = words_of(c);
    all.insert(all.end(), {"--method", method});
    expect_limits(all, 120, 2500ms);
  }
}

INSTANTIATE_TEST_SUITE_P(Heavy, MoreMemory, testing::Values(kCases[0], kCases[8], kCases[9]),
                         [](const auto& tested) { return std::string(tested.param.name); });

#endif

}  // namespace
