#include "cli/docs.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

namespace surety::cli {
namespace {

std::vector<const CLI::App*> commands(const CLI::App& app) {
  std::vector<const CLI::App*> out;
  for (const auto* sub : app.get_subcommands(nullptr))
    if (!sub->get_group().empty()) out.push_back(sub);
  return out;
}

std::vector<const CLI::Option*> options(const CLI::App& command) {
  std::vector<const CLI::Option*> out;
  for (const auto* option : command.get_options())
    if (!option->get_group().empty() && !option->get_lnames().empty()) out.push_back(option);
  return out;
}

std::string long_names(const CLI::App& command) {
  std::string out;
  for (const auto* option : options(command)) out += (out.empty() ? "--" : " --") + option->get_lnames()[0];
  return out;
}

// scdoc gives these a meaning of their own.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '_' || c == '*' || c == '\\' || c == '<' || c == '#') out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::string man_page(const CLI::App& app) {
  std::string out = "surety(1)\n\n# NAME\n\nsurety - " + app.get_description() + "\n\n# SYNOPSIS\n\n";
  for (const auto* command : commands(app))
    out += fmt::format("{}*surety {}* [_options_] _FILE_...", command == commands(app)[0] ? "" : "++\n",
                       command->get_name());
  out +=
      "\n\n# DESCRIPTION\n\n"
      "Each command reads models, does one thing and prints it. Several files are the components of one system; "
      "they synchronise on equal labels. The labels i and tau are silent.\n\n# COMMANDS\n\n";
  for (const auto* command : commands(app)) {
    out += fmt::format("## surety {}\n\n{}\n\n", command->get_name(), escaped(command->get_description()));
    for (const auto* option : options(*command)) {
      std::string name;
      for (const auto& s : option->get_snames()) name += "-" + s + ", ";
      name += "--" + option->get_lnames()[0];
      const std::string value = option->get_expected_max() == 0 ? "" : " _" + option->get_type_name() + "_";
      out += fmt::format("*{}*{}\n\t{}\n\n", name, value, escaped(option->get_description()));
    }
  }
  out +=
      "# EXIT STATUS\n\n"
      "*0*\n\tcheck: everything holds; certify: accepted; compare: equivalent; others: done\n\n"
      "*1*\n\tcheck: something is violated; certify: refused; compare: not equivalent\n\n"
      "*2*\n\ta budget ended before there was an answer\n\n"
      "*64*\n\tthe command line is wrong\n\n"
      "*65*\n\tan input is missing, unreadable or malformed\n\n"
      "*70*\n\tan internal error\n";
  return out;
}

std::string bash_completion(const CLI::App& app) {
  std::string names;
  std::string cases;
  for (const auto* command : commands(app)) {
    names += (names.empty() ? "" : " ") + command->get_name();
    cases += fmt::format("    {}) words=\"{}\" ;;\n", command->get_name(), long_names(*command));
  }
  return fmt::format(
      "# bash completion for surety\n"
      "_surety() {{\n"
      "  local word=${{COMP_WORDS[COMP_CWORD]}} words=\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"{} --help --version\" -- \"$word\")\n"
      "    return\n"
      "  fi\n"
      "  case ${{COMP_WORDS[1]}} in\n{}"
      "  esac\n"
      "  case $word in\n"
      "    -*) mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\") ;;\n"
      "    *) mapfile -t COMPREPLY < <(compgen -f -- \"$word\") ;;\n"
      "  esac\n"
      "}}\n"
      "complete -o filenames -F _surety surety\n",
      names, cases);
}

std::string zsh_completion(const CLI::App& app) {
  auto quoted = [](const std::string& text) {
    std::string out;
    for (const char c : text) {
      if (c == '\'') out += "'\\'";
      if (c == '[' || c == ']' || c == ':') out += '\\';
      out += c;
    }
    return out;
  };
  std::string names;
  std::string cases;
  for (const auto* command : commands(app)) {
    names += fmt::format("    '{}:{}'\n", command->get_name(), quoted(command->get_description()));
    std::string specs;
    for (const auto* option : options(*command)) {
      const bool flag = option->get_expected_max() == 0;
      specs += fmt::format(" \\\n        '--{}[{}]{}'", option->get_lnames()[0], quoted(option->get_description()),
                           flag ? "" : ":" + option->get_type_name() + ":_files");
    }
    cases += fmt::format("      {}) _arguments{} \\\n        '*:file:_files' ;;\n", command->get_name(), specs);
  }
  return fmt::format(
      "#compdef surety\n"
      "_surety() {{\n"
      "  local -a commands=(\n{}  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe command commands\n"
      "  else\n"
      "    local command=$words[2]\n"
      "    shift words\n"
      "    (( CURRENT-- ))\n"
      "    case $command in\n{}"
      "    esac\n"
      "  fi\n"
      "}}\n"
      "_surety \"$@\"\n",
      names, cases);
}

}  // namespace surety::cli
