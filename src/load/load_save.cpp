// LTSs out, in the formats that are read.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cctype>
#include <cstdio>
#include <filesystem>

#include "base/file.hpp"
#include "lang/aut/write.hpp"
#include "load/language.hpp"

namespace surety::api {
namespace {

// A name for the process in an .lts file: upper case, made of the file's name.
std::string process_name(const std::string& file) {
  std::string name;
  for (const char c : std::filesystem::path(file).stem().string())
    name += std::isalnum(static_cast<unsigned char>(c)) ? static_cast<char>(std::toupper(static_cast<unsigned char>(c)))
                                                        : '_';
  if (name.empty() || !std::isupper(static_cast<unsigned char>(name[0]))) name = "P" + name;
  if (name == "STOP" || name == "END" || name == "ERROR") name += "_";  // these are states
  return name;
}

// What would read back as something else is refused. Pictures are not read.
Outcome<void> reads_back(const Lts& lts, const ActionTable& actions, const std::string& file, const std::string& end) {
  const std::string why_not = end == ".aut"    ? not_in_aut(lts, actions)
                              : end == ".lts"  ? not_in_fsp(lts, actions)
                              : end == ".json" ? not_in_json(lts, actions)
                                               : "";
  if (why_not.empty()) return {};
  std::vector<const char*> others;
  if (not_in_json(lts, actions).empty()) others.push_back(".json");
  if (not_in_aut(lts, actions).empty()) others.push_back(".aut");
  if (not_in_fsp(lts, actions).empty()) others.push_back(".lts");
  return bad_input({file_error(file, why_not, others.empty() ? "" : fmt::format("use {}", fmt::join(others, " or ")))});
}

}  // namespace

Outcome<void> can_save(const std::string& file, const std::string& format) {
  if (file == "-" && format.empty())
    return usage("standard output needs a format", "say --format aut, dot, json or lts");
  const std::string end = format.empty() ? ending(file) : "." + format;
  if (end == ".aut" || end == ".dot" || end == ".json" || end == ".lts") return {};
  return usage(fmt::format("{}: cannot write a file ending in '{}'", file, end), "use .aut, .dot, .json or .lts");
}

std::string saved_text(const Lts& lts, const ActionTable& actions, const std::string& file, const std::string& format) {
  const std::string end = format.empty() ? ending(file) : "." + format;
  const std::string name = file == "-" ? "LTS" : std::filesystem::path(file).stem().string();
  if (end == ".aut") return to_aut(lts, actions);
  if (end == ".dot") return to_dot(lts, actions, name);
  return end == ".lts" ? to_fsp(lts, actions, process_name(name)) : to_json(lts, actions);
}

Outcome<void> save(const Lts& lts, const ActionTable& actions, const std::string& file, const std::string& format) {
  if (auto known = can_save(file, format); !known) return known;
  if (auto ok = reads_back(lts, actions, file, format.empty() ? ending(file) : "." + format); !ok) return ok;
  const std::string text = saved_text(lts, actions, file, format);
  if (file == "-") {
    if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return {};
    return bad_input({file_error("standard output", "cannot be written")});
  }
  auto written = write_file(file, text);
  if (!written) return bad_input(std::move(written.error()));
  return {};
}

}  // namespace surety::api
