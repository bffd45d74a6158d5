// What the repository says of itself, kept true: comments and documents cite only what is there, tests are where
// tests/README.md says, the version stands in one place, and the trusted base has the size that doc/architecture.md
// says.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "paths.hpp"

namespace {

namespace fs = std::filesystem;
const fs::path kRoot = SURETY_SOURCE_DIR;

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

bool is_source(const std::string& file) { return ends_with(file, ".cpp") || ends_with(file, ".hpp"); }

// Every file of the repository, by its path from the root.
const std::set<std::string>& files() {
  static const std::set<std::string> all = [] {
    std::set<std::string> out;
    const auto add = [&](const fs::path& file) { out.insert(fs::relative(file, kRoot).generic_string()); };
    for (const auto& entry : fs::directory_iterator(kRoot))
      if (entry.is_regular_file()) add(entry.path());
    for (const char* folder : {"src", "tests", "bench", "examples", "doc", "python", "editors", "web"})
      for (auto entry = fs::recursive_directory_iterator(kRoot / folder); entry != fs::end(entry); ++entry) {
        if (entry->path().filename() == "node_modules") entry.disable_recursion_pending();
        if (entry->is_regular_file()) add(entry->path());
      }
    return out;
  }();
  return all;
}

std::vector<std::string> files_with(const std::vector<std::string>& endings) {
  std::vector<std::string> out;
  for (const std::string& file : files())
    if (std::ranges::any_of(endings, [&](const std::string& end) { return ends_with(file, end); })) out.push_back(file);
  return out;
}

std::string comments_of(const std::string& source) {
  std::string out;
  for (const std::string& line : lines_of(text_of(kRoot / source)))
    if (const auto comment = line.find("//"); comment != std::string::npos) out += line.substr(comment) + "\n";
  return out;
}

// As GitHub makes them of headings: small letters, no punctuation, hyphens for spaces.
std::set<std::string> anchors_of(const std::string& file) {
  std::set<std::string> out;
  bool code = false;
  for (const std::string& line : lines_of(text_of(kRoot / file))) {
    if (line.rfind("```", 0) == 0) code = !code;
    if (code || line.rfind("#", 0) != 0) continue;
    std::string anchor;
    for (const char c : line.substr(line.find_first_not_of("# "))) {
      const auto u = static_cast<unsigned char>(c);
      if (u >= 'A' && u <= 'Z') anchor += static_cast<char>(u - 'A' + 'a');
      if ((u >= 'a' && u <= 'z') || (u >= '0' && u <= '9') || u == '-' || u == '_' || u >= 128) anchor += c;
      if (u == ' ') anchor += '-';
    }
    out.insert(anchor);
  }
  return out;
}

// The document that a file means by this path, seen from the root or from the file's own folder.
std::string resolve(const std::string& from, const std::string& path) {
  for (const fs::path& base : {fs::path(from).parent_path(), fs::path()}) {
    const std::string name = (base / path).lexically_normal().generic_string();
    if (fs::exists(kRoot / name)) return name;
  }
  return {};
}

void expect_anchor(const std::string& file, const std::string& document, const std::string& anchor) {
  static std::map<std::string, std::set<std::string>> known;
  auto it = known.find(document);
  if (it == known.end()) it = known.emplace(document, anchors_of(document)).first;
  EXPECT_TRUE(anchor.empty() || it->second.contains(anchor))
      << file << " cites #" << anchor << " of " << document << ", which has no such section";
}

using Matches = std::sregex_iterator;

TEST(Documents, ThatSourcesCiteExistWithTheirSections) {
  const std::regex citation(R"re(([\w./-]*\w\.md)\b(?:#([\w-]+))?)re");
  int seen = 0;
  for (const std::string& file : files_with({".cpp", ".hpp", ".txt", ".lts", ".pml"})) {
    if (file == "tests/unit/documents_test.cpp") continue;
    const std::string text = is_source(file) ? comments_of(file) : text_of(kRoot / file);
    for (auto it = Matches(text.begin(), text.end(), citation); it != Matches(); ++it) {
      const std::string document = resolve(file, (*it)[1]);
      EXPECT_FALSE(document.empty()) << file << " cites " << (*it)[1] << ", which is not in the repository";
      if (!document.empty()) expect_anchor(file, document, (*it)[2]);
      ++seen;
    }
  }
  EXPECT_GT(seen, 40);
}

// Short names of notes and papers say nothing to a reader who does not have them; examples/README.md explains those
// that the models use.
TEST(Documents, SourcesCitePapersByAuthorsAndYear) {
  const std::regex short_name(R"re(\b(SPEC|INTERFACE|DESIGN|LEARN|RULES|STUDY|AGAR) ?\d?\b)re");
  for (const std::string& file : files_with({".cpp", ".hpp"})) {
    if (file.rfind("bench/", 0) == 0 || file == "tests/unit/documents_test.cpp") continue;
    for (const std::string& said : lines_of(comments_of(file)))
      EXPECT_FALSE(std::regex_search(said, short_name)) << file << ": " << said;
  }
}

TEST(Documents, LinksLeadSomewhere) {
  const std::regex link(R"re(\]\(([^)#\s]*)(?:#([^)\s]+))?\))re");
  int seen = 0;
  for (const std::string& file : files_with({".md"})) {
    const std::string text = text_of(kRoot / file);
    for (auto it = Matches(text.begin(), text.end(), link); it != Matches(); ++it) {
      if ((*it)[1].str().find("://") != std::string::npos) continue;
      const std::string path = (*it)[1].length() == 0 ? file : resolve(file, (*it)[1]);
      EXPECT_FALSE(path.empty()) << file << " links to " << (*it)[1] << ", which is not there";
      if (ends_with(path, ".md")) expect_anchor(file, path, (*it)[2]);
      ++seen;
    }
  }
  EXPECT_GT(seen, 40);
}

// "rules/asym.cpp" in a comment, `engine/product/search` in a document: the beginning of a path may be left out, its
// end may not.
TEST(Documents, SourceFilesThatAreCitedExist) {
  std::set<std::string> ends;  // all ends of paths of files and folders, with and without the ending of the file
  const auto add = [&](const std::string& path) {
    for (std::size_t at = 0; at != std::string::npos; at = path.find('/', at + 1))
      ends.insert(path.substr(at == 0 ? 0 : at + 1));
  };
  for (const std::string& file : files()) {
    add(file);
    if (is_source(file)) add(file.substr(0, file.rfind('.')));
    for (auto slash = file.rfind('/'); slash != std::string::npos && slash > 0; slash = file.rfind('/', slash - 1))
      add(file.substr(0, slash));
  }
  const std::regex in_comment(R"re(\b((?:[a-z_]+/)+[a-z_]+\.(?:hpp|cpp))\b)re");
  const std::regex in_document(R"re(`((?:[a-z_]+/)+[a-z_]+(?:\.hpp|\.cpp)?)/?`)re");
  int seen = 0;
  for (const std::string& file : files_with({".cpp", ".hpp", ".md"})) {
    const bool document = ends_with(file, ".md");
    if (document && file.find("results/") != std::string::npos) continue;
    for (const std::string& line : lines_of(text_of(kRoot / file))) {
      if (line.rfind("#include", 0) == 0) continue;
      const std::regex& cited = document ? in_document : in_comment;
      for (auto it = Matches(line.begin(), line.end(), cited); it != Matches(); ++it) {
        const std::string path = (*it)[1];
        if (path.rfind("build/", 0) == 0) continue;
        if (path.rfind("surety/", 0) == 0) continue;   // methods of the language server
        if (path.rfind("libexec/", 0) == 0) continue;  // where things are installed
        EXPECT_TRUE(ends.contains(path)) << file << " cites " << path << ", which is not there";
        ++seen;
      }
    }
  }
  EXPECT_GT(seen, 100);
}

// --- The rule of tests/README.md: a unit test begins with the name of the source file or folder that it is about.

TEST(Documents, UnitTestsAreCalledAfterWhatTheyTest) {
  std::set<std::string> names{"examples", "reference"};
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "src")) names.insert(entry.path().stem().string());
  const std::set<std::string> about_the_repository{"layers", "documents"};
  for (const auto& entry : fs::directory_iterator(kRoot / "tests/unit")) {
    const std::string stem = entry.path().stem().string();
    if (entry.path().extension() != ".cpp") continue;
    ASSERT_TRUE(ends_with(stem, "_test")) << entry.path();
    const std::string name = stem.substr(0, stem.size() - 5);
    bool known = about_the_repository.contains(name);
    for (std::size_t end = name.size(); !known && end != std::string::npos; end = name.rfind('_', end - 1)) {
      known = names.contains(name.substr(0, end));
      if (end == 0) break;
    }
    EXPECT_TRUE(known) << entry.path() << " begins with the name of no source file and no folder";
    EXPECT_NE(name.rfind("promela", 0), 0U) << entry.path() << " belongs to tests/promela";
  }
}

TEST(Documents, TheReadmeOfTestsHasOneLineForEachFolder) {
  const std::regex line(R"re(\| `tests/([a-z]+)` \|)re");
  const std::string text = text_of(kRoot / "tests/README.md");
  std::multiset<std::string> listed, real;
  for (auto it = Matches(text.begin(), text.end(), line); it != Matches(); ++it) listed.insert((*it)[1]);
  for (const auto& entry : fs::directory_iterator(kRoot / "tests"))
    if (entry.is_directory()) real.insert(entry.path().filename().string());
  EXPECT_EQ(listed, real);
}

// Variables of the environment that tests look at.
TEST(Documents, TheReadmeOfTestsHasTheirVariables) {
  const std::regex variable(R"re((?:getenv\("|env\[")(SURETY_[A-Z_]+))re");
  const std::string readme = text_of(kRoot / "tests/README.md");
  int seen = 0;
  for (const std::string& file : files_with({".cpp", ".ts"})) {
    if (file.rfind("tests/", 0) != 0 && file.rfind("web/test/", 0) != 0) continue;
    const std::string text = text_of(kRoot / file);
    for (auto it = Matches(text.begin(), text.end(), variable); it != Matches(); ++it) {
      const std::string name = (*it)[1];
      if (name == "SURETY_PICTURES" || name == "SURETY") continue;  // ctest sets these
      EXPECT_NE(readme.find(name), std::string::npos) << file << " looks at " << name;
      ++seen;
    }
  }
  EXPECT_GT(seen, 10);
}

// --- The version: CMakeLists.txt has it, and the newest section of NEWS.md is about it. Packages of Python, npm and VS
// Code must say it, too; python/tests/test_package.py compares them.

TEST(Documents, TheVersionStandsInOnePlace) {
  const std::string version = SURETY_VERSION;
  for (const std::string& file : files_with({".cpp", ".hpp", ".md", ".txt"})) {
    if (file == "CMakeLists.txt" || file == "NEWS.md") continue;
    if (file.find("/results/") != std::string::npos) continue;  // measured with that version
    EXPECT_EQ(text_of(kRoot / file).find(version), std::string::npos) << file << " has the version " << version;
  }
  const std::regex heading(R"re(\n## (\d+\.\d+\.\d+)\n)re");
  const std::string news = text_of(kRoot / "NEWS.md");
  std::vector<std::string> versions;
  for (auto it = Matches(news.begin(), news.end(), heading); it != Matches(); ++it) versions.push_back((*it)[1]);
  ASSERT_FALSE(versions.empty());
  EXPECT_EQ(versions.front(), version);
}

// --- The trusted base.

bool is_code(const std::string& line) {
  const auto first = line.find_first_not_of(" \t");
  return first != std::string::npos && line.compare(first, 2, "//") != 0;
}

long code_lines(const std::set<std::string>& sources) {
  long lines = 0;
  for (const std::string& file : sources) lines += std::ranges::count_if(lines_of(text_of(kRoot / file)), is_code);
  return lines;
}

// `src/lang/aut`: the files in it. `src/api/load`: load.hpp and load.cpp.
std::set<std::string> sources_of(const std::string& path) {
  std::set<std::string> out;
  for (const std::string& file : files())
    if (is_source(file) && (file.substr(0, file.rfind('/')) == path || file.substr(0, file.size() - 4) == path))
      out.insert(file);
  return out;
}

// What these include of model and base, and what that includes; of a header also the files it is a header of: x.cpp and
// x_*.cpp.
std::set<std::string> used_by(const std::set<std::string>& sources) {
  const std::regex include(R"re(#include "((?:model|base)/(\w+))\.hpp")re");
  std::set<std::string> out;
  std::vector<std::string> todo(sources.begin(), sources.end());
  while (!todo.empty()) {
    const std::string text = text_of(kRoot / todo.back());
    todo.pop_back();
    for (auto it = Matches(text.begin(), text.end(), include); it != Matches(); ++it) {
      const std::string stem = "src/" + (*it)[1].str();
      for (const std::string& file : files()) {
        if (file != stem + ".hpp" && file != stem + ".cpp" &&
            !(file.rfind(stem + "_", 0) == 0 && ends_with(file, ".cpp")))
          continue;
        if (out.insert(file).second) todo.push_back(file);
      }
    }
  }
  return out;
}

std::vector<std::string> cells_of(const std::string& row) {
  std::vector<std::string> out;
  std::istringstream in(row.substr(1));
  for (std::string cell; std::getline(in, cell, '|');) {
    const auto first = cell.find_first_not_of(' ');
    out.push_back(first == std::string::npos ? "" : cell.substr(first, cell.find_last_not_of(' ') - first + 1));
  }
  return out;
}

long number_in(std::string cell) {
  std::erase_if(cell, [](char c) { return c < '0' || c > '9'; });
  return cell.empty() ? 0 : std::strtol(cell.c_str(), nullptr, 10);
}

void expect_near(long said, long real, const std::string& what) {
  EXPECT_LE(std::labs(said - real) * 10, real)
      << "doc/architecture.md says that " << what << " has " << said << " lines of code; it has " << real;
}

// The table has the columns what, where, lines, and then one for each language, with a mark where its proofs rest on
// the row; the last row has the sums.
TEST(Documents, TheTrustedBaseHasTheSizeThatArchitectureSays) {
  const std::regex path(R"re(`(src/[a-z_/]+)`)re");
  std::set<std::string> checker, readers;
  for (const std::string& file : files()) {
    if (is_source(file) && file.rfind("src/certify/", 0) == 0) checker.insert(file);
    if (is_source(file) && file.rfind("src/lang/", 0) == 0) readers.insert(file);
  }
  std::vector<long> sums;
  int rows = 0;
  bool inside = false;
  for (const std::string& line : lines_of(text_of(kRoot / "doc/architecture.md"))) {
    if (line.rfind("| trusted | where | lines |", 0) == 0) inside = true;
    if (!inside || line.rfind("|---", 0) == 0) continue;
    if (line.rfind("|", 0) != 0) break;
    const auto cells = cells_of(line);
    if (++rows == 1) {
      sums.resize(cells.size() - 3);
      continue;
    }
    if (cells[0] == "together") {
      for (std::size_t i = 0; i < sums.size(); ++i) expect_near(number_in(cells[i + 3]), sums[i], "a sum");
      break;
    }
    std::set<std::string> sources;
    for (auto it = Matches(cells[1].begin(), cells[1].end(), path); it != Matches(); ++it) {
      const auto more = sources_of((*it)[1]);
      EXPECT_FALSE(more.empty()) << "there is no " << (*it)[1];
      sources.insert(more.begin(), more.end());
    }
    if (cells[1] == "by `#include`") {
      const auto by_checker = used_by(checker);
      if (cells[0].find("checker") != std::string::npos) {
        sources = by_checker;
      } else {
        sources = used_by(readers);
        for (const std::string& file : by_checker) sources.erase(file);
      }
    }
    const long real = code_lines(sources);
    expect_near(number_in(cells[2]), real, cells[0]);
    for (std::size_t i = 0; i < sums.size(); ++i)
      if (!cells[i + 3].empty()) sums[i] += real;
  }
  EXPECT_GT(rows, 8) << "the table is not there";
}

}  // namespace
