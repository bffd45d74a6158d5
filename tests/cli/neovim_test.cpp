// The language server with a real client: Neovim without a window opens a file with a misspelt name, is told so,
// applies the fix, and asks for symbols, lenses, a name under the cursor, its definition and uses, and what could stand
// there; then the same server has a Promela and an Ada file (neovim.lua).

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "paths.hpp"

namespace {

namespace fs = std::filesystem;

TEST(Neovim, ShowsTheErrorAppliesTheFixAndFindsTheNames) {
  if (std::system("command -v nvim >/dev/null 2>&1") != 0) GTEST_SKIP() << "there is no nvim";
  const fs::path file = fs::temp_directory_path() / ("surety-neovim-" + std::to_string(::getpid()) + ".lts");
  // In columns of bytes the fix would go astray.
  std::ofstream(file) << "LIGHT = (on -> off -> LIGHT).\n"
                         "property ALTERNATE = (on -> off -> ALTERNATE).\n"
                         "||S = (/* für alle */ LIGTH || ALTERNATE).\n";
  const auto sibling = [&](const char* ending) { return fs::path(file).replace_extension(ending); };
  std::ofstream(sibling(".pml")) << "byte x = 1;\nactive proctype P() { /* für alle \xF0\x9F\x92\xA1 */ x = y }\n";
  std::ofstream(sibling(".adb")) << "procedure Main is\n   X : Integer := 1;\nbegin\n   X := Y;\nend Main;\n";
  const std::string command = "MORE='" + sibling(".pml").string() + " " + sibling(".adb").string() +
                              "' SURETY='" SURETY_BINARY "' MODEL='" + file.string() +
                              "' timeout 60 nvim --headless -u NONE -i NONE -n -c 'luafile " SURETY_SOURCE_DIR
                              "/tests/cli/neovim.lua' 2>&1";
  FILE* pipe = ::popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string said;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) said += static_cast<char>(c);
  ::pclose(pipe);
  for (const char* ending : {".lts", ".pml", ".adb"}) fs::remove(sibling(ending));
  EXPECT_EQ(said,
            "3:24 there is no process 'LIGTH'\ndid you mean 'LIGHT'?\n"
            "fix: replace by 'LIGHT'\n"
            "| LIGHT = (on -> off -> LIGHT).\n"
            "| property ALTERNATE = (on -> off -> ALTERNATE).\n"
            "| ||S = (/* für alle */ LIGHT || ALTERNATE).\n"
            "symbol: LIGHT\nsymbol: ALTERNATE\nsymbol: S\n"
            "lens: check ALTERNATE\n"
            "hover: { kind = \"plaintext\", value = \"process LIGHT\\n2 states, 2 transitions, 2 actions\" }\n"
            "definition: 0:0\nreferences: 3\n"
            "completion: LIGHT\ncompletion: ALTERNATE\ncompletion: S\n"
            "pml 2:48 'y' is not declared\n"
            "adb 4:9 'Y' is not declared\nsymbol: Main\n");
}

}  // namespace
