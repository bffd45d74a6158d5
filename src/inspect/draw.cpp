// Pictures, drawn by Graphviz.

#include "inspect/draw.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/file.hpp"
#include "base/process.hpp"
#include "lang/aut/write.hpp"

namespace surety::api {

Outcome<void> can_draw(const std::string& file) {
  const std::string ending = std::filesystem::path(file).extension().string();
  if (ending != ".svg" && ending != ".png" && ending != ".pdf")
    return usage(fmt::format("{}: cannot draw a file ending in '{}'", file, ending), "use .svg, .png or .pdf");
  if (!find_program("dot"))
    return bad_input({file_error(file, "Graphviz is not installed: there is no program 'dot'",
                                 "install graphviz, or write the graph: surety compose FILE -o OUT.dot")});
  return {};
}

Outcome<void> draw(const Lts& lts, const ActionTable& actions, const std::string& name, const std::string& file,
                   Budget& budget) {
  constexpr std::uint32_t kMostStates = 1'000;
  if (lts.state_count() > kMostStates)
    return bad_input({file_error(file,
                                 fmt::format("{} has {} states, and a picture of more than {} says nothing", name,
                                             lts.state_count(), kMostStates),
                                 "minimise it, or draw a process of it: FILE:NAME")});
  const std::string graph = to_dot(lts, actions, name);
  Command command;
  command.words = {*find_program("dot"), "-T" + std::filesystem::path(file).extension().string().substr(1)};
  command.input = graph;
  command.errors_apart = true;
  command.keep = std::size_t{1} << 28;
  const Ran ran = run(command, budget);
  if (!ran.fine() || ran.cut)
    return bad_input({file_error(
        file, "Graphviz did not draw it: " + (ran.end == Ran::End::stopped ? "it took too long" : ran.errors))});
  if (auto written = write_file(file, ran.output); !written) return bad_input(std::move(written.error()));
  return {};
}

}  // namespace surety::api
