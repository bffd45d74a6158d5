// The plan of the house, kept true: no include points upwards, and src/README.md
// has exactly one line for each folder.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "paths.hpp"

namespace {

namespace fs = std::filesystem;
const fs::path kSrc = fs::path(SURETY_SOURCE_DIR) / "src";

// What each folder may include besides itself (doc/architecture.md has the same table for people).
const std::map<std::string, std::set<std::string>> kMayInclude = {
    {"base", {}},
    {"model", {"base"}},
    {"lang/aut", {"base", "model"}},
    {"lang/text", {"base"}},
    {"lang/fsp/front", {"base", "model", "lang/text"}},
    {"lang/fsp/cells", {"base", "model", "lang/fsp/front"}},
    {"lang/fsp", {"base", "model", "product", "lang/aut", "lang/fsp/front", "lang/fsp/cells"}},  // import "x.aut"
    {"lang/fsp/families", {"base", "model", "lang/fsp/front", "lang/fsp"}},
    {"lang/promela", {"base", "model", "lang/text"}},
    {"lang/promela/machine", {"base", "model", "lang/promela"}},
    {"lang/net", {"base", "model", "product"}},
    {"lang/promela/network", {"base", "model", "lang/net", "lang/promela", "lang/promela/machine"}},
    {"lang/ada", {"base", "lang/text"}},
    {"lang/ada/flow", {"base", "model", "lang/text", "lang/ada"}},
    {"lang/ada/network", {"base", "model", "lang/net", "lang/text", "lang/ada", "lang/ada/flow"}},
    {"lang/qre", {"base", "model", "lang/text"}},
    {"product", {"base", "model"}},
    {"engine", {"base", "model"}},
    {"engine/product", {"base", "model", "product", "engine"}},
    {"engine/machine", {"base", "model", "engine"}},
    {"engine/diagram", {"base", "model", "product", "engine/product"}},
    {"engine/flow", {"base", "model"}},
    {"learn", {"base", "model"}},
    {"certify", {"base", "model"}},
    {"rules", {"base", "model", "product", "engine/product", "engine/diagram", "engine/flow", "learn"}},
    {"decompose/splits", {"base", "model"}},
    {"decompose/properties", {"base", "model", "product", "engine/product", "learn", "rules"}},
    {"decompose/portfolio", {"base", "model", "engine/product", "learn", "rules", "decompose/properties"}},
    {"spin", {"base", "model", "lang/promela", "lang/promela/network", "engine/product", "rules"}},
    {"load",
     {"base", "model", "lang/ada", "lang/ada/flow", "lang/ada/network", "lang/aut", "lang/fsp", "lang/fsp/front",
      "lang/promela", "lang/promela/machine", "lang/promela/network", "lang/qre"}},
    {"all_sizes", {"base", "model", "lang/fsp/families", "rules", "load"}},
    {"check",
     {"base", "model", "lang/fsp", "lang/promela", "lang/promela/machine", "lang/promela/network", "engine/machine",
      "learn", "certify", "rules", "decompose/splits", "decompose/properties", "decompose/portfolio", "spin", "load",
      "all_sizes"}},
    {"certificate", {"base", "model", "lang/aut", "lang/fsp", "certify", "load", "check"}},
    {"inspect",
     {"base", "model", "product", "lang/aut", "lang/promela", "lang/promela/machine", "rules", "spin", "load",
      "check"}},
    {"walk",
     {"base", "model", "product", "lang/ada/network", "lang/promela/machine", "certify", "spin", "load", "check"}},
    {"api",
     {"base", "model", "product", "lang/fsp", "rules", "decompose/portfolio", "spin", "load", "check", "certificate",
      "inspect", "walk"}},
    {"serve", {"base"}},
    {"lsp",
     {"base", "model", "lang/ada", "lang/ada/network", "lang/fsp", "lang/fsp/front", "lang/promela", "load", "check",
      "inspect", "walk", "api"}},
    {"study", {"base", "model", "lang/ada/network", "learn", "decompose/properties", "load", "certificate", "api"}},
    {"study/report", {"base", "model", "decompose/splits", "engine/product", "rules", "load", "study"}},
    {"mpi", {"base", "study"}},
    {"cli",
     {"base", "model", "lang/fsp", "lang/fsp/front", "rules", "load", "inspect", "api", "lsp", "study",
      "study/report"}},
};

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

// "lang/aut" for src/lang/aut/read.hpp, "base" for src/base/id.hpp.
std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/')); }

std::set<std::string> folders() {
  std::set<std::string> out;
  for (const auto& entry : fs::recursive_directory_iterator(kSrc))
    if (entry.path().extension() == ".cpp" || entry.path().extension() == ".hpp")
      out.insert(folder_of(fs::relative(entry.path(), kSrc).generic_string()));
  return out;
}

TEST(Layers, EveryFolderIsInTheTable) {
  std::set<std::string> known;
  for (const auto& [folder, below] : kMayInclude) known.insert(folder);
  EXPECT_EQ(known, folders());
}

TEST(Layers, NoIncludePointsUpwards) {
  const std::regex include(R"re(#include "([^"]+)")re");
  int seen = 0;
  for (const auto& entry : fs::recursive_directory_iterator(kSrc)) {
    if (!entry.is_regular_file() || entry.path().filename() == "README.md") continue;
    const std::string here = folder_of(fs::relative(entry.path(), kSrc).generic_string());
    const std::string text = text_of(entry.path());
    for (auto it = std::sregex_iterator(text.begin(), text.end(), include); it != std::sregex_iterator(); ++it) {
      const std::string there = folder_of((*it)[1]);
      ++seen;
      EXPECT_TRUE(there == here || kMayInclude.at(here).contains(there)) << entry.path() << " includes " << (*it)[1];
    }
  }
  EXPECT_GT(seen, 50);
}

// The checker has a product of its own: a mistake in the one that proofs are found with must not hide there.
TEST(Layers, TheCheckerDoesNotUseTheProduct) {
  int seen = 0;
  for (const auto& entry : fs::directory_iterator(kSrc / "certify")) {
    ++seen;
    EXPECT_EQ(text_of(entry.path()).find("\"product/"), std::string::npos) << entry.path();
  }
  EXPECT_GT(seen, 10);
}

TEST(Layers, TheReadmeOfSrcHasOneLineForEachFolder) {
  const std::regex line(R"re(\| `([a-z_/]+)` \|)re");
  const std::string text = text_of(kSrc / "README.md");
  std::multiset<std::string> listed;
  for (auto it = std::sregex_iterator(text.begin(), text.end(), line); it != std::sregex_iterator(); ++it)
    listed.insert((*it)[1]);
  std::multiset<std::string> real;
  for (const auto& folder : folders()) real.insert(folder);
  EXPECT_EQ(listed, real);
}

TEST(Layers, TheManualTableOfArchitectureMatches) {
  const std::string text = text_of(fs::path(SURETY_SOURCE_DIR) / "doc/architecture.md");
  for (const auto& [folder, below] : kMayInclude)
    EXPECT_NE(text.find("`src/" + folder + "`"), std::string::npos) << folder;
}

// Sources begin with a comment that says what the file is about (headers always; a .cpp may leave it to its header).
TEST(Layers, EveryHeaderOpensWithItsIdea) {
  for (const auto& entry : fs::recursive_directory_iterator(kSrc))
    if (entry.path().extension() == ".hpp") {
      EXPECT_EQ(text_of(entry.path()).rfind("// ", 0), 0U) << entry.path();
    }
}

}  // namespace
