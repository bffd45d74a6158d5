// Pictures: Graphviz accepts every name, and shows it as it is.
#include <gtest/gtest.h>

#include <filesystem>

#include "api/commands.hpp"
#include "base/file.hpp"
#include "base/process.hpp"

namespace surety::api {
namespace {

// As text in SVG.
std::string in_svg(const std::string& name) {
  std::string out;
  for (const char c : name)
    out += c == '&'   ? "&amp;"
           : c == '<' ? "&lt;"
           : c == '>' ? "&gt;"
           : c == '"' ? "&quot;"
           : c == '-' ? "&#45;"
                      : std::string(1, c);
  return out;
}

TEST(Draw, ShowsOddNamesAsTheyAre) {
  if (!find_program("dot")) GTEST_SKIP() << "Graphviz is not installed";
  const std::vector<std::string> odd = {"say \"hi\"", "a\\b",  "\\N",    "\\",      "<b>x</b>", "<x",      "&lt;",
                                        "&amp;",      "{a|b}", "[x=1];", "a -> b",  "// no",    "#define", "café",
                                        "\\\"",       "%d",    "\\l\\r", "end\\\\", "]\"];}",   "digraph"};
  ActionTable actions;
  LtsBuilder builder;
  builder.set_state_count(static_cast<std::uint32_t>(odd.size()) + 1);
  for (std::uint32_t i = 0; i < odd.size(); ++i) builder.add_step(State{i}, actions.intern(odd[i]), State{i + 1});
  const std::string pattern = (std::filesystem::temp_directory_path() / "surety-draw-XXXXXX").string();
  std::string folder = pattern;
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const Lts lts = builder.build();
  Budget budget;
  for (const auto& name : odd) {
    const std::string file = folder + "/picture.svg";
    const auto drawn = draw(lts, actions, name, file, budget);
    ASSERT_TRUE(drawn) << name << ": " << render(drawn.error().diagnostics[0]);
    const std::string svg = *read_file(file);
    for (const auto& label : odd) {
      EXPECT_NE(svg.find(">" + in_svg(label) + "<"), std::string::npos) << label << "\n" << svg.substr(0, 2000);
    }
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace surety::api
