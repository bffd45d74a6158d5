// The manual lists every member of every JSON object: what transcripts and documents show is held against its tables.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "paths.hpp"

namespace {

namespace fs = std::filesystem;
using Paths = std::set<std::string>;

const fs::path kSource = SURETY_SOURCE_DIR;

std::vector<std::string> lines_of(const fs::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// By command: the members in the first column of the tables under "### JSON of COMMAND and COMMAND", and what they are
// members of.
std::map<std::string, Paths> documented() {
  static const std::regex member("`([^`]+)`");
  std::map<std::string, Paths> out;
  std::vector<std::string> commands;
  for (const auto& line : lines_of(kSource / "doc" / "manual.md")) {
    if (line.starts_with("#")) commands.clear();
    if (line.starts_with("### JSON of ")) {
      std::istringstream words(line.substr(12));
      for (std::string word; words >> word;)
        if (word != "and") commands.push_back(word);
    }
    if (!line.starts_with("| `")) continue;
    const std::string first = line.substr(0, line.find('|', 1));
    for (std::sregex_iterator it(first.begin(), first.end(), member), end; it != end; ++it)
      for (const auto& command : commands) {
        std::string path = (*it)[1];
        while (!path.empty()) {
          out[command].insert(path);
          const auto cut = path.find_last_of(".[");
          path = cut == std::string::npos ? "" : path.substr(0, cut);
        }
      }
  }
  return out;
}

// Members that are not among the known ones. A known "x.NAME" stands for any member of x.
void look(const nlohmann::json& json, const std::string& path, const Paths& known, Paths& unknown) {
  if (json.is_array())
    for (const auto& element : json) look(element, path + "[]", known, unknown);
  if (!json.is_object()) return;
  const std::string in = path.empty() ? "" : path + ".";
  for (const auto& [key, value] : json.items()) {
    const std::string its = known.contains(in + "NAME") ? in + "NAME" : in + key;
    if (!known.contains(its)) unknown.insert(its);
    look(value, its, known, unknown);
  }
}

TEST(Json, EveryMemberThatATestShowsIsInTheManual) {
  const auto known = documented();
  static const std::regex asked(R"(surety (\w+)[^;|]*--json)");
  std::map<std::string, int> shown;
  std::vector<fs::path> files{kSource / "README.md", kSource / "examples" / "README.md"};
  for (const char* folder : {"tests/cli", "doc"})
    for (const auto& entry : fs::directory_iterator(kSource / folder))
      if (entry.path().extension() == ".txt" || entry.path().extension() == ".md") files.push_back(entry.path());
  for (const auto& file : files) {
    const auto lines = lines_of(file);
    std::string command;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      std::smatch match;
      if (lines[i].starts_with("$ ")) command = std::regex_search(lines[i], match, asked) ? match[1].str() : "";
      if (lines[i] != "{" || command.empty()) continue;
      std::string text;
      for (; i < lines.size() && lines[i] != "}"; ++i) text += lines[i] + "\n";
      const auto json = nlohmann::json::parse(text + "}", nullptr, false);
      ASSERT_FALSE(json.is_discarded()) << file << ": " << command;
      const std::string table = json.contains("errors") ? "errors" : command;
      ++shown[table];
      ASSERT_TRUE(known.contains(table)) << table;
      Paths unknown;
      look(json, "", known.at(table), unknown);
      EXPECT_EQ(unknown, Paths()) << file << ": surety " << command << " --json";
    }
  }
  for (const auto& [command, members] : known) EXPECT_TRUE(shown[command] > 0 || command == "draw") << command;
}

}  // namespace
