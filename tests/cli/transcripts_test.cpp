// Runs what the transcripts and the documentation show, and compares every line.
//
// In tests/cli/*.txt and in the ```console blocks of README.md, examples/README.md and doc/*.md, a
// line "$ command" is run by sh in an empty folder that has a link to examples/;
// what follows it is the expected output (both streams), and "(exit status N)" if
// it is not 0. Times and memory differ from run to run: every "0.123 s" counts as the same, and so do the JSON members
// for these and for the number of cores. The version of surety is written as VERSION, because it has its one place in
// CMakeLists.txt. With SURETY_UPDATE=1 the files are rewritten instead, where more than times differ; read the
// difference.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "paths.hpp"

namespace {

namespace fs = std::filesystem;

const fs::path kSource = SURETY_SOURCE_DIR;

// An empty folder to run in, removed afterwards.
class Sandbox {
 public:
  Sandbox() {
    std::string name = (fs::temp_directory_path() / "surety-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
    fs::create_directory_symlink(kSource / "examples", folder_ / "examples");
    fs::create_directory(folder_ / "bin");
    fs::create_symlink(SURETY_BINARY, folder_ / "bin" / "surety");
  }
  ~Sandbox() { fs::remove_all(folder_); }

  std::string run(const std::string& command) const {
    std::ofstream(folder_ / "bin" / "command") << command << "\n";
    const std::string line =
        "cd '" + folder_.string() + "' && PATH=\"$PWD/bin:$PATH\" NO_COLOR=1 sh bin/command 2>&1 </dev/null";
    std::string output;
    FILE* pipe = ::popen(line.c_str(), "r");
    std::array<char, 4096> buffer{};
    while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe)) output.append(buffer.data(), n);
    const int status = ::pclose(pipe);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (code != 0) output += "(exit status " + std::to_string(code) + ")\n";
    static const std::regex version("(surety |\"version\": \")" SURETY_VERSION "\\b");
    return std::regex_replace(output, version, "$1VERSION");
  }

 private:
  fs::path folder_;
};

std::string without_times(const std::string& text) {
  static const std::regex time(R"((\d+\.\d+(e-\d+)?) s\b)");
  static const std::regex field(R"re("(time_s|recheck_s|peak_bytes|threads)": [0-9.e-]+)re");
  return std::regex_replace(std::regex_replace(text, time, "T s"), field, "\"$1\": T");
}

std::vector<std::string> lines_of(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// Goes through a file; `console` says that only fenced blocks count. Gives back the file as it should be.
std::string replay(const fs::path& file, bool console, int& commands) {
  const Sandbox sandbox;
  const auto lines = lines_of(file);
  std::string fresh;
  bool active = !console;
  auto is_end = [&](const std::string& line) { return line.rfind("$ ", 0) == 0 || (console && line == "```"); };
  for (std::size_t i = 0; i < lines.size();) {
    if (console && lines[i] == "```console")
      active = true;
    else if (console && lines[i] == "```")
      active = false;
    fresh += lines[i] + "\n";
    if (!active || lines[i].rfind("$ ", 0) != 0) {
      ++i;
      continue;
    }
    const std::string command = lines[i].substr(2);
    std::string expected;
    // A blank line and a comment ("# ...") after the output belong to the reader, not to the output.
    std::size_t end = ++i;
    while (end < lines.size() && !is_end(lines[end]) && lines[end].rfind("# ", 0) != 0) ++end;
    std::size_t stop = end;
    while (stop > i && lines[stop - 1].empty()) --stop;
    for (std::size_t k = i; k < stop; ++k) expected += lines[k] + "\n";
    const std::string actual = sandbox.run(command);
    ++commands;
    EXPECT_EQ(without_times(expected), without_times(actual)) << file.filename() << ": $ " << command;
    fresh += without_times(expected) == without_times(actual) ? expected : actual;
    for (std::size_t k = stop; k < end; ++k) fresh += lines[k] + "\n";
    i = end;
  }
  return fresh;
}

void check_file(const fs::path& file, bool console) {
  int commands = 0;
  const std::string fresh = replay(file, console, commands);
  if (!console || file.filename() == "README.md" || file.filename() == "manual.md") {
    EXPECT_GT(commands, 0) << file << " runs nothing";
  }
  if (std::getenv("SURETY_UPDATE") != nullptr) std::ofstream(file) << fresh;
}

std::vector<fs::path> files_in(const fs::path& folder, const std::string& ending) {
  std::vector<fs::path> out;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ending) out.push_back(entry.path());
  std::sort(out.begin(), out.end());
  return out;
}

class Transcripts : public testing::TestWithParam<fs::path> {};
TEST_P(Transcripts, ComeOutAsWritten) { check_file(GetParam(), false); }
INSTANTIATE_TEST_SUITE_P(Cli, Transcripts, testing::ValuesIn(files_in(kSource / "tests/cli", ".txt")),
                         [](const auto& param) { return param.param.stem().string(); });

TEST(Documentation, ShowsWhatReallyHappens) {
  check_file(kSource / "README.md", true);
  check_file(kSource / "examples/README.md", true);
  for (const auto& file : files_in(kSource / "doc", ".md")) check_file(file, true);
}

}  // namespace
