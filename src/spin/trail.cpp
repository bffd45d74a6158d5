#include "spin/trail.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <regex>
#include <sstream>

#include "base/file.hpp"
#include "base/process.hpp"
#include "base/temp_folder.hpp"

namespace surety::spin {
namespace {

std::string absolute(const std::string& file) { return std::filesystem::absolute(file).string(); }

// Lines of three numbers, as pan writes them. SPIN takes anything else for the end of a trail.
bool is_trail(const std::string& text) {
  static const std::regex step(R"(-?\d+:-?\d+:-?\d+\s*)");
  std::istringstream in(text);
  bool any = false;
  for (std::string line; std::getline(in, line); any = true)
    if (!std::regex_match(line, step)) return false;
  return any;
}

// "spin: cannot find trail file"
std::string complaint(const std::string& output) {
  std::istringstream in(output);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("spin: ") && !line.starts_with("spin: trail ends")) return line.substr(6);
  return "it does not say why";
}

}  // namespace

Trail parse_replay(const std::string& output) {
  static const std::regex step(R"(\s*(\d+):\s+proc\s+(\d+) \(.*\) .+:(\d+) \(state \d+\).*\t\[(.*)\])");
  static const std::regex end(R"(\s*(\d+):\s+proc\s+(\d+) terminates)");
  Trail out;
  std::optional<std::size_t> again;
  const auto number = [](const std::ssub_match& digits) { return static_cast<std::uint32_t>(std::stoul(digits)); };
  std::istringstream in(output);
  for (std::string line; std::getline(in, line) && !line.starts_with("#processes");) {
    std::smatch match;
    if (line.find("<<<<<START OF CYCLE>>>>>") != std::string::npos)
      again = out.lines.size();
    else if (std::regex_match(line, match, step))
      out.lines.push_back({number(match[1]), number(match[2]), number(match[3]), match[4]});
    else if (line.find("transition failed") != std::string::npos && !out.lines.empty())
      out.lines.pop_back();  // a trace assertion does not allow it; it has been printed all the same
    else if (std::regex_match(line, match, end))
      out.lines.push_back({number(match[1]), number(match[2]), 0, "end"});
  }
  out.again = again.value_or(out.lines.size());
  return out;
}

Result<Trail> read_trail(const std::string& program, const std::string& trail, const std::vector<std::string>& defines,
                         Budget& budget) {
  const auto spin = find_program("spin");
  if (!spin) return fail(file_error(trail, "a trail is read with the help of SPIN, and there is no program 'spin'"));
  if (!std::filesystem::is_regular_file(trail)) return fail(file_error(trail, "there is no such file"));
  const auto text = read_file(trail);
  if (!text) return tl::unexpected(text.error());
  if (!is_trail(*text))
    return fail(file_error(trail, "this is no trail", "pan writes one when it finds an error: PROGRAM.pml.trail"));
  auto folder = TempFolder::make();  // SPIN leaves files where it runs
  if (!folder) return tl::unexpected(std::move(folder.error()));
  Command command;
  command.words = {*spin, "-t", "-p", "-k", absolute(trail)};
  for (const auto& define : defines) command.words.push_back("-D" + define);
  command.words.push_back(absolute(program));
  command.folder = folder->path();
  const Ran ran = run(command, budget);
  if (ran.end == Ran::End::stopped && budget.why() != Stop::none)
    return fail(file_error(trail, fmt::format("SPIN was stopped by {} while replaying it", describe(budget.why()))));
  if (!ran.fine() || ran.output.find("spin: trail ends after") == std::string::npos)
    return fail(file_error(trail,
                           fmt::format("SPIN cannot replay this trail of {}: {}", program, complaint(ran.output)),
                           "a trail belongs to one program, and to the options it was translated with"));
  return parse_replay(ran.output);
}

}  // namespace surety::spin
