#include "cli/complete.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>

#include "api/commands.hpp"
#include "api/verify.hpp"
#include "cli/option_table.hpp"

namespace surety::cli {
namespace {

using Names = std::vector<std::string>;

const OptionSpec* option_of(const CommandSpec& command, const std::string& word) {
  for (const OptionSpec* option : options_of(command))
    if (option->name == word || (!option->letter.empty() && option->letter == word)) return option;
  return nullptr;
}

// The model that the line speaks of so far.
api::Source source_of(const CommandSpec& command, const Names& words) {
  api::Source out;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const OptionSpec* const option = option_of(command, words[i]);
    if (option == nullptr) {
      if (!words[i].starts_with('-')) out.files.push_back(words[i]);
      continue;
    }
    if (option->is_flag() || option->equals_only || i + 1 == words.size()) continue;
    const std::string& value = words[++i];
    if (option->name == "--system") out.system = value;
    if (option->name == "--language") out.language = value;
    if (const auto define = option->name == "--define" ? parse_define(value) : std::nullopt)
      out.defines.push_back(*define);
  }
  return out;
}

Names properties(const api::Info& info) {
  Names out = {"deadlock", "assert", "safety", "progress", "ltl"};
  for (const auto* names : {&info.properties, &info.progress, &info.assertions})
    out.insert(out.end(), names->begin(), names->end());
  if (const auto subjects = api::all_subjects(info.model))
    for (const auto& subject : *subjects) out.push_back(subject.name);
  return out;
}

// "N=", and its value when that is typed.
Names constants(const api::Info& info, bool with_values) {
  Names out;
  for (const auto& constant : info.constants)
    std::visit(
        [&](const auto& value) {
          out.push_back(with_values ? fmt::format("{}={}", constant.name, value) : constant.name + "=");
        },
        constant.value);
  return out;
}

// What is typed so far, with each component that it has not yet.
Names sides(const api::Info& info, const std::string& typed) {
  const auto last = typed.find_last_of(",| ");
  const std::string before = last == std::string::npos ? "" : typed.substr(0, last + 1);
  std::set<std::string> used;
  for (std::size_t begin = 0; begin < before.size();) {
    const std::size_t end = before.find_first_of(",| ", begin);
    used.insert(before.substr(begin, end - begin));
    begin = end + 1;
  }
  Names out;
  for (const auto& component : info.model.network.components)
    if (!used.contains(component.name)) out.push_back(before + component.name);
  return out;
}

Names names_in_files(const std::string& option, const CommandSpec& command, const Names& words) {
  static const std::set<std::string> kNamed = {"--property", "--system", "--define", "--split"};
  if (!kNamed.contains(option)) return {};
  api::InfoRequest request;
  request.source = source_of(command, {words.begin(), words.end() - 2});
  if (request.source.files.empty()) return {};
  request.limits.time = std::chrono::seconds(1);
  const auto info = api::info(request);
  if (!info) return {};
  const std::string& typed = words.back();
  if (option == "--property") return properties(*info);
  if (option == "--define") return constants(*info, typed.find('=') != std::string::npos);
  if (option == "--split") return sides(*info, typed);
  Names out;
  for (const auto& composite : info->composites) out.push_back(composite.name);
  for (const auto& process : info->processes) out.push_back(process.name);
  return out;
}

}  // namespace

std::string complete(const std::vector<std::string>& words) {
  const auto& commands = command_table();
  const auto command = std::ranges::find(commands, words.empty() ? "" : words[0], &CommandSpec::name);
  if (command == commands.end() || words.size() < 3) return "";
  const OptionSpec* const option = option_of(*command, words[words.size() - 2]);
  if (option == nullptr) return "";
  Names candidates = option->name == "--method" ? api::method_names()
                     : !option->words.empty()   ? option->words
                                                : names_in_files(option->name, *command, words);
  std::string out;
  std::set<std::string> seen;
  for (const std::string& candidate : candidates)
    if (!candidate.empty() && candidate.starts_with(words.back()) && seen.insert(candidate).second)
      out += candidate + "\n";
  return out;
}

}  // namespace surety::cli
