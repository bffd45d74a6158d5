// The language server with a real client: Neovim without a window opens a file with a misspelt name, is told so,
// applies the fix, and asks for symbols, lenses and a name under the cursor (neovim.lua).

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
  const std::string command = "SURETY='" SURETY_BINARY "' MODEL='" + file.string() +
                              "' timeout 60 nvim --headless -u NONE -i NONE -n -c 'luafile " SURETY_SOURCE_DIR
                              "/tests/cli/neovim.lua' 2>&1";
  FILE* pipe = ::popen(command.c_str(), "r");
  ASSERT_NE(pipe, nullptr);
  std::string said;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) said += static_cast<char>(c);
  ::pclose(pipe);
  fs::remove(file);
  EXPECT_EQ(said,
            "3:24 there is no process 'LIGTH'\ndid you mean 'LIGHT'?\n"
            "fix: replace by 'LIGHT'\n"
            "| LIGHT = (on -> off -> LIGHT).\n"
            "| property ALTERNATE = (on -> off -> ALTERNATE).\n"
            "| ||S = (/* für alle */ LIGHT || ALTERNATE).\n"
            "symbol: LIGHT\nsymbol: ALTERNATE\nsymbol: S\n"
            "lens: check ALTERNATE\n"
            "hover: { kind = \"plaintext\", value = \"process LIGHT\\n2 states, 2 transitions, 2 actions\" }\n");
}

}  // namespace
