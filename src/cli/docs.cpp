#include "cli/docs.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "api/json.hpp"
#include "api/verify.hpp"
#include "base/json.hpp"
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

bool is_repeatable(const OptionSpec& option) {
  return std::holds_alternative<std::vector<std::string> Options::*>(option.target);
}

// In single quotes, as fish has them.
std::string fish_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
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
  std::string out = fmt::format("surety {}{}\n\n{}\n\n", command.name,
                                command.files.empty()  ? ""
                                : command.files_needed ? " FILE... [OPTIONS]"
                                                       : " [FILE] [OPTIONS]",
                                command.about);
  if (!command.files.empty()) out += entry("FILE", 12, command.files);
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
    out += fmt::format("{}*surety {}*{}", &command == command_table().data() ? "" : "++\n", command.name,
                       command.files.empty()  ? ""
                       : command.files_needed ? " [_options_] _FILE_..."
                                              : " [_options_] [_FILE_]");
  out +=
      "\n\n# DESCRIPTION\n\n"
      "Each command reads models, does one thing and prints it. Several files are the components of one system; "
      "they synchronise on equal labels. The labels i and tau are silent.\n\n# COMMANDS\n\n";
  for (const CommandSpec& command : command_table())
    if (command.files.empty())
      out += fmt::format("*{}*\n\t{}.\n\n", command.name, escaped(command.about));
    else
      out += fmt::format("*{}* {}\n\t{}. FILE: {}.\n\n", command.name, command.files_needed ? "_FILE_..." : "[_FILE_]",
                         escaped(command.about), escaped(command.files));
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

// A group of commands as a case of the function: its verbs, and the options of each.
std::string bash_group(const GroupSpec& group) {
  std::string verbs, cases;
  for (const CommandSpec& command : command_table()) {
    if (group_of(command) != group.name) continue;
    verbs += (verbs.empty() ? "" : " ") + verb_of(command);
    cases += fmt::format("        {}) options=\"{}\" ;;\n", verb_of(command), long_names(command));
  }
  return fmt::format(
      "    {})\n"
      "      if [ ${{#words[@]}} -eq 3 ]; then\n"
      "        mapfile -t COMPREPLY < <(compgen -W \"{} --help\" -- \"$word\")\n"
      "        return\n"
      "      fi\n"
      "      case ${{words[2]}} in\n{}"
      "      esac ;;\n",
      group.name, verbs, cases);
}

std::string bash_completion() {
  std::string names;
  std::string cases;
  for (const CommandSpec& command : command_table()) {
    if (!group_of(command).empty()) continue;
    names += (names.empty() ? "" : " ") + command.name;
    cases += fmt::format("    {}) options=\"{}\" ;;\n", command.name, long_names(command));
  }
  for (const GroupSpec& group : group_table()) {
    names += " " + group.name;
    cases += bash_group(group);
  }
  return fmt::format(
      "# bash completion for surety\n"
      "_surety() {{\n"
      "  local word options= words=() i\n"
      "  for ((i = 0; i <= COMP_CWORD; ++i)); do  # : and = end words of bash, not of surety\n"
      "    word=${{COMP_WORDS[i]}}\n"
      "    if ((i > 2)) && [[ $word == [:=]* || ${{words[-1]}} == *[:=] ]]; then\n"
      "      words[-1]+=$word\n"
      "    else\n"
      "      words+=(\"$word\")\n"
      "    fi\n"
      "  done\n"
      "  word=${{words[-1]}}\n"
      "  if [ ${{#words[@]}} -eq 2 ]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"{} --help --version\" -- \"$word\")\n"
      "    return\n"
      "  fi\n"
      "  case ${{words[1]}} in\n{}"
      "  esac\n"
      "  if [[ $word == -* ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$word\")\n"
      "    return\n"
      "  fi\n"
      "  words=(\"${{words[@]//[\\\\\\\"\\']/}}\")\n"
      "  mapfile -t COMPREPLY < <(\"$1\" complete \"${{words[@]:1}}\" 2>/dev/null)\n"
      "  if [ ${{#COMPREPLY[@]}} -eq 0 ]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -f -- \"${{COMP_WORDS[COMP_CWORD]}}\")\n"
      "    return\n"
      "  fi\n"
      "  case ${{words[-2]}} in --define | -D | --split) compopt -o nospace ;; esac\n"
      "  if [[ $word != [\\\"\\']* ]]; then COMPREPLY=(\"${{COMPREPLY[@]#\"${{word%\"${{word##*[:=]}}\"}}\"}}\"); fi\n"
      "}}\n"
      "complete -o filenames -F _surety surety\n",
      names, cases);
}

std::string zsh_quoted(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') out += "'\\'";
    if (c == '[' || c == ']' || c == ':') out += '\\';
    out += c;
  }
  return out;
}

std::string zsh_command(const std::string& name, const CommandSpec& command) {
  std::string options;
  for (const OptionSpec* option : options_of(command))
    options += fmt::format(
        " \\\n        '{}{}[{}]{}'", is_repeatable(*option) ? "*" : "", option->name, zsh_quoted(option->help),
        option->is_flag() || option->equals_only ? "" : ":" + zsh_quoted(option->value) + ":_surety_values");
  return fmt::format("{}) _arguments{} \\\n        '*:file:_files' ;;\n", name, options);
}

// A group of commands as a case of the function: its verbs, and the options of each.
std::string zsh_group(const GroupSpec& group) {
  std::string verbs, cases;
  for (const CommandSpec& command : command_table()) {
    if (group_of(command) != group.name) continue;
    verbs += fmt::format(" '{}:{}'", verb_of(command), zsh_quoted(command.about));
    cases += "          " + zsh_command(verb_of(command), command);
  }
  return fmt::format(
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
      group.name, verbs, cases);
}

std::string zsh_completion() {
  std::string names;
  std::string cases;
  for (const CommandSpec& command : command_table()) {
    if (!group_of(command).empty()) continue;
    names += fmt::format("    '{}:{}'\n", command.name, zsh_quoted(command.about));
    cases += "      " + zsh_command(command.name, command);
  }
  for (const GroupSpec& group : group_table()) {
    names += fmt::format("    '{}:{}'\n", group.name, zsh_quoted(group.about));
    cases += zsh_group(group);
  }
  return fmt::format(
      "#compdef surety\n"
      "_surety_values() {{\n"
      "  local -a values=(${{(f)\"$($service complete \"${{(@Q)words[1,CURRENT]}}\" 2>/dev/null)\"}})\n"
      "  if (( ! $#values )); then\n"
      "    _files\n"
      "  elif [[ $words[CURRENT-1] == (--define|--split) ]]; then\n"
      "    compadd -S '' -a values\n"
      "  else\n"
      "    compadd -a values\n"
      "  fi\n"
      "}}\n"
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

std::string fish_completion() {
  std::string out =
      "# fish completion for surety\n"
      "function __surety_values\n"
      "    set -l words (commandline -opc)\n"
      "    set -l word (commandline -ct | string replace -ra '[\"\\'\\\\\\\\]' '')\n"
      "    $words[1] complete $words[2..] \"$word\" 2>/dev/null\n"
      "end\n"
      "complete -c surety -n __fish_use_subcommand -f -l help\n"
      "complete -c surety -n __fish_use_subcommand -f -l version\n";
  const auto add = [&](const std::string& when, const std::string& what, const std::string& about) {
    out += fmt::format("complete -c surety -n {} {} -d {}\n", fish_quoted(when), what, fish_quoted(about));
  };
  for (const GroupSpec& group : group_table()) add("__fish_use_subcommand", "-f -a " + group.name, group.about);
  for (const CommandSpec& command : command_table()) {
    const std::string group = group_of(command), verb = verb_of(command);
    std::string verbs;
    for (const CommandSpec& other : command_table())
      if (group_of(other) == group) verbs += " " + verb_of(other);
    const std::string within = "__fish_seen_subcommand_from " + group;
    add(group.empty() ? "__fish_use_subcommand" : within + "; and not __fish_seen_subcommand_from" + verbs,
        "-f -a " + verb, command.about);
    const std::string here = (group.empty() ? "" : within + "; and ") + "__fish_seen_subcommand_from " + verb;
    for (const OptionSpec* option : options_of(command)) {
      std::string what = "-l " + option->name.substr(2);
      if (!option->letter.empty()) what += " -s " + option->letter.substr(1);
      if (!option->is_flag() && !option->equals_only) what += " -r -a '(__surety_values)'";
      add(here, what, option->help);
    }
  }
  return out;
}

std::string tables() {
  Json out{{"tool", api::tool_name()}, {"commands", Json::object()}, {"methods", Json::array()}};
  for (const CommandSpec& command : command_table()) {
    Json& options = out["commands"][command.name] = Json::array();
    for (const OptionSpec* option : options_of(command)) {
      Json& entry = options.emplace_back(Json{{"name", option->name.substr(2)}});
      if (option->is_flag()) entry["flag"] = true;
      if (option->equals_only) entry["equals_only"] = true;
      if (is_repeatable(*option)) entry["repeatable"] = true;
      if (!option->words.empty()) entry["words"] = option->words;
    }
  }
  for (const std::string& method : api::method_names())
    out["methods"].push_back({{"name", method}, {"options", api::options_of(method)}});
  return dump(out);
}

}  // namespace surety::cli
