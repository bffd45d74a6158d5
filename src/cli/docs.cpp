#include "cli/docs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/option_table.hpp"

namespace surety::cli {
namespace {

constexpr std::size_t kWidth = 100;
using Group = OptionSpec::Group;
constexpr Group kGroups[] = {Group::input, Group::question, Group::method, Group::limits, Group::output};

// "  left      text text text", the text in lines of its own column.
std::string entry(const std::string& left, std::size_t column, const std::string& text) {
  std::string out = "  " + left;
  std::size_t at = out.size();
  const auto go_to_column = [&] {
    if (at + 2 > column) {
      out += '\n';
      at = 0;
    }
    out += std::string(column - at, ' ');
    at = column;
  };
  go_to_column();
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (at > column && at + 1 + end - begin > kWidth) {
      out += '\n' + std::string(column, ' ');
      at = column;
    }
    if (at > column) {
      out += ' ';
      ++at;
    }
    out += text.substr(begin, end - begin);
    at += end - begin;
    begin = end + 1;
  }
  return out + '\n';
}

// "-o, --output OUT"
std::string usage(const OptionSpec& option) {
  std::string out = (option.letter.empty() ? "" : option.letter + ", ") + option.name;
  if (option.is_flag()) return out;
  if (option.equals_only) return out + "[=" + option.value + "]";
  return out + (option.bare ? " [" + option.value + "]" : " " + option.value);
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

std::string long_names(const CommandSpec& command) {
  std::string out;
  for (const OptionSpec* option : options_of(command)) out += (out.empty() ? "" : " ") + option->name;
  return out;
}

// The commands that use it.
std::string users(const OptionSpec& option) {
  std::string out;
  for (const CommandSpec& command : command_table())
    if (std::ranges::count(options_of(command), &option) > 0) out += (out.empty() ? "" : ", ") + command.name;
  return out;
}

}  // namespace

std::string help() {
  std::string out = fmt::format("{}\n\nsurety COMMAND FILE... [OPTIONS]\n\n", kAbout);
  for (const CommandSpec& command : command_table())
    if (group_of(command).empty()) out += entry(command.name, 14, command.about);
  for (const GroupSpec& group : group_table()) out += entry(group.name, 14, group.about);
  out += "\n";
  out += entry("--version", 14, "print the version");
  out += entry("--help", 14, "this text; surety COMMAND --help for the options of a command");
  return out;
}

std::string help(const GroupSpec& group) {
  std::string out = fmt::format("surety {0} COMMAND FILE... [OPTIONS]\n\n{1}\n\n", group.name, group.about);
  for (const CommandSpec& command : command_table())
    if (group_of(command) == group.name) out += entry(verb_of(command), 14, command.about);
  return out + fmt::format("\nsurety {} COMMAND --help tells the options of a command.\n", group.name);
}

std::string help(const CommandSpec& command) {
  std::string out = fmt::format("surety {} FILE... [OPTIONS]\n\n{}\n\n", command.name, command.about);
  out += entry("FILE", 12, command.files);
  const auto options = options_of(command);
  std::size_t column = 0;
  for (const OptionSpec* option : options) column = std::max(column, usage(*option).size() + 4);
  for (const Group group : kGroups) {
    if (std::ranges::none_of(options, [&](const auto* option) { return option->group == group; })) continue;
    out += fmt::format("\n{}:\n", title(group));
    for (const OptionSpec* option : options)
      if (option->group == group) out += entry(usage(*option), column, option->help);
  }
  return out;
}

std::string man_page() {
  std::string out = fmt::format("surety(1)\n\n# NAME\n\nsurety - {}\n\n# SYNOPSIS\n\n", kAbout);
  for (const CommandSpec& command : command_table())
    out += fmt::format("{}*surety {}* [_options_] _FILE_...", &command == command_table().data() ? "" : "++\n",
                       command.name);
  out +=
      "\n\n# DESCRIPTION\n\n"
      "Each command reads models, does one thing and prints it. Several files are the components of one system; "
      "they synchronise on equal labels. The labels i and tau are silent.\n\n# COMMANDS\n\n";
  for (const CommandSpec& command : command_table())
    out += fmt::format("*{}* _FILE_...\n\t{}. FILE: {}.\n\n", command.name, escaped(command.about),
                       escaped(command.files));
  out += "# OPTIONS\n\nBehind each option, the commands that use it.\n\n";
  for (const Group group : kGroups) {
    out += fmt::format("## {}\n\n", title(group));
    for (const OptionSpec& option : option_table())
      if (option.group == group)
        out += fmt::format("*{}*\n\t{} ({})\n\n", escaped(usage(option)), escaped(option.help), users(option));
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

std::string bash_completion() {
  std::string names;
  std::string cases;
  for (const CommandSpec& command : command_table()) {
    if (!group_of(command).empty()) continue;
    names += (names.empty() ? "" : " ") + command.name;
    cases += fmt::format("    {}) words=\"{}\" ;;\n", command.name, long_names(command));
  }
  for (const GroupSpec& group : group_table()) {
    std::string verbs, inner;
    for (const CommandSpec& command : command_table()) {
      if (group_of(command) != group.name) continue;
      verbs += (verbs.empty() ? "" : " ") + verb_of(command);
      inner += fmt::format("        {}) words=\"{}\" ;;\n", verb_of(command), long_names(command));
    }
    names += " " + group.name;
    cases += fmt::format(
        "    {})\n"
        "      if [ \"$COMP_CWORD\" -eq 2 ]; then\n"
        "        mapfile -t COMPREPLY < <(compgen -W \"{} --help\" -- \"$word\")\n"
        "        return\n"
        "      fi\n"
        "      case ${{COMP_WORDS[2]}} in\n{}"
        "      esac ;;\n",
        group.name, verbs, inner);
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

std::string zsh_completion() {
  auto quoted = [](const std::string& text) {
    std::string out;
    for (const char c : text) {
      if (c == '\'') out += "'\\'";
      if (c == '[' || c == ']' || c == ':') out += '\\';
      out += c;
    }
    return out;
  };
  const auto specs = [&](const CommandSpec& command) {
    std::string out;
    for (const OptionSpec* option : options_of(command))
      out += fmt::format(" \\\n        '{}[{}]{}'", option->name, quoted(option->help),
                         option->is_flag() || option->equals_only ? "" : ":" + option->value + ":_files");
    return out;
  };
  std::string names;
  std::string cases;
  for (const CommandSpec& command : command_table()) {
    if (!group_of(command).empty()) continue;
    names += fmt::format("    '{}:{}'\n", command.name, quoted(command.about));
    cases += fmt::format("      {}) _arguments{} \\\n        '*:file:_files' ;;\n", command.name, specs(command));
  }
  for (const GroupSpec& group : group_table()) {
    names += fmt::format("    '{}:{}'\n", group.name, quoted(group.about));
    std::string verbs, inner;
    for (const CommandSpec& command : command_table()) {
      if (group_of(command) != group.name) continue;
      verbs += fmt::format(" '{}:{}'", verb_of(command), quoted(command.about));
      inner +=
          fmt::format("          {}) _arguments{} \\\n        '*:file:_files' ;;\n", verb_of(command), specs(command));
    }
    cases += fmt::format(
        "      {})\n"
        "        local -a verbs=({} )\n"
        "        if (( CURRENT == 2 )); then\n"
        "          _describe verb verbs\n"
        "          return\n"
        "        fi\n"
        "        local verb=$words[2]\n"
        "        shift words\n"
        "        (( CURRENT-- ))\n"
        "        case $verb in\n{}"
        "        esac ;;\n",
        group.name, verbs, inner);
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
