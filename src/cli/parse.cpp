// CLI11 is included here only (it costs seconds of compile time).

#include "cli/parse.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>
#include <thread>

#include "api/json.hpp"
#include "api/verify.hpp"
#include "cli/complete.hpp"
#include "cli/docs.hpp"

namespace surety::cli {
namespace {

// --- what CLI11 has to know -----------------------------------------------------

CLI::Validator in_range(const OptionSpec& spec) {
  return CLI::Validator(
      [&spec](std::string& text) -> std::string {
        std::uint64_t n = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
        if (error == std::errc() && end == text.data() + text.size() && n >= spec.least && n <= spec.most) return "";
        if (spec.most <= 1024)
          return fmt::format("a number from {} to {} is needed, not '{}'", spec.least, spec.most, text);
        return fmt::format("a whole number{} is needed, not '{}'",
                           spec.least == 0 ? "" : fmt::format(" of at least {}", spec.least), text);
      },
      "");
}

template <class T>
constexpr bool kIsNumber =
    std::is_same_v<T, std::uint64_t> || std::is_same_v<T, std::optional<std::uint64_t>> || std::is_same_v<T, unsigned>;

CLI::Option* add(CLI::App& command, const OptionSpec& spec, Options& o) {
  const std::string names = spec.name + (spec.letter.empty() ? "" : "," + spec.letter);
  return std::visit(
      [&]<class T>(T Options::*const target) -> CLI::Option* {
        if constexpr (std::is_same_v<T, bool>) return command.add_flag(names, o.*target);
        if constexpr (std::is_same_v<T, std::string>)
          if (spec.equals_only) return command.add_flag(fmt::format("{}{{{}}}", names, *spec.bare), o.*target);
        if constexpr (std::is_same_v<T, unsigned>)  // counts how often it is there
          if (spec.is_flag()) return command.add_flag(names, o.*target);
        CLI::Option* const option = command.add_option(names, o.*target);
        if constexpr (std::is_same_v<T, std::vector<std::string>>) option->allow_extra_args(false);
        if constexpr (kIsNumber<T>) option->check(in_range(spec));
        if (spec.bare) option->expected(0, 1)->default_str(*spec.bare);
        if (!spec.words.empty()) option->check(CLI::IsMember(spec.words));
        return option;
      },
      spec.target);
}

// Every command takes every option; those it does not use are noted, so that scripts can vary one option at a time.
void define(CLI::App& app, const CommandSpec& command, Options& o) {
  const std::string group = group_of(command);
  CLI::App* const within = group.empty() ? &app : app.get_subcommand(group);
  CLI::App* const sub = within->add_subcommand(verb_of(command), command.about);
  sub->set_help_flag("--help,-h");
  if (!command.files.empty()) sub->add_option("FILE", o.files)->required(command.files_needed);
  for (const OptionSpec* option : options_of(command)) add(*sub, *option, o);
  for (const OptionSpec* option : unused_by(command)) add(*sub, *option, o);
}

// --- what the options say together ----------------------------------------------

// An output that is also an input would destroy it.
std::optional<api::Failure> overwrites(const Options& o) {
  std::vector<std::string> inputs = o.files;
  inputs.insert(inputs.end(), o.properties.begin(), o.properties.end());
  std::error_code none;
  for (const auto* output :
       {&o.certificate, &o.trace_file, &o.assumption_out, &o.output, &o.events, &o.junit, &o.sarif})
    for (const auto& input : inputs)
      if (!output->empty() && std::filesystem::equivalent(*output, input, none))
        return api::usage(fmt::format("{} is an input and would be overwritten", *output), "choose another name")
            .value();
  return std::nullopt;
}

std::optional<api::Failure> settle(Options& o) {
  auto wrong = [](const std::string& option, const std::string& value, const std::string& hint) {
    return api::usage(fmt::format("{} cannot be '{}'", option, value), hint).value();
  };
  if (o.weakest && o.interface) return api::usage("--weakest and --interface exclude each other").value();
  if (o.engine == "spin" && o.method == "auto")
    o.method = "asym";  // SPIN answers premises: by parts, if nothing is said
  if (!o.time.empty() && !(o.limits.time = parse_time(o.time)))
    return wrong("--time", o.time, "for example 60s, 500ms, 2m");
  if (!o.memory.empty() && !(o.limits.memory = parse_size(o.memory)))
    return wrong("--memory", o.memory, "for example 200M, 2G");
  for (const auto& text : o.define_texts) {
    const auto define = parse_define(text);
    if (!define) return wrong("--define", text, "for example N=5");
    if (std::ranges::find(o.defines, define->name, &FspDefine::name) != o.defines.end())
      return api::usage(fmt::format("{} is defined twice", define->name), "leave out one of the two").value();
    o.defines.push_back(*define);
  }
  if (!o.cells_text.empty()) {
    std::uint32_t n = 0;
    const char* const end = o.cells_text.data() + o.cells_text.size();
    if (const auto read = std::from_chars(o.cells_text.data(), end, n); read.ec != std::errc() || read.ptr != end)
      return wrong("--cells", o.cells_text, "for example --cells or --cells=1000");
    o.cells = FspCells{n};
  }
  if (!o.all_sizes_text.empty() && !(o.all_sizes = parse_sizes(o.all_sizes_text)))
    return wrong("--all-sizes", o.all_sizes_text, "for example K=2.. for every K from 2 on");
  o.limits.states = o.states;
  o.limits.queries = o.queries;
  if (o.threads == 0) o.threads = std::max(1U, std::thread::hardware_concurrency());
  return std::nullopt;
}

bool is_used(const CommandSpec& command, const std::string& option, const Options& o) {
  static const std::set<std::string> kOfSomeMethods = {"--split",   "--alphabet",        "--learner",
                                                       "--queries", "--seed-assumption", "--assumption"};
  // A proof for all sizes has a method of its own.
  static const std::set<std::string> kNotOfAllSizes = {"--method", "--cells",       "--reduction",
                                                       "--engine", "--constraints", "--spin-mode"};
  static const std::set<std::string> kOfInterface = {"--learner", "--queries", "--conformance", "--threads"};
  if (command.name == "assume" && kOfInterface.contains(option)) return o.interface;
  if (command.name != "check") return true;
  if (option == "--strict") return !o.junit.empty() || !o.sarif.empty();
  if (kOfSomeMethods.contains(option)) {
    const auto known = api::options_of(o.method);
    return !o.all_sizes && std::ranges::find(known, option.substr(2)) != known.end();
  }
  return !o.all_sizes || !kNotOfAllSizes.contains(option);
}

// An option without effect is noted; but not where it would be taken for a condition.
api::Outcome<std::vector<std::string>> notes(const CLI::App& app, const CommandSpec& command, const Options& o) {
  std::vector<std::string> out;
  const std::string by = o.all_sizes                ? "check --all-sizes"
                         : command.name == "check"  ? "check --method " + o.method
                         : command.name != "assume" ? command.name
                         : o.interface              ? "assume --interface"
                                                    : "assume --weakest";
  const auto note = [&](const OptionSpec& option) {
    if (app.count(option.name) > 0) out.push_back(fmt::format("{} is not used by {}", option.name, by));
  };
  for (const OptionSpec* option : options_of(command))
    if (!is_used(command, option->name, o)) note(*option);
  for (const OptionSpec* option : unused_by(command)) note(*option);
  if (command.strict && !out.empty())
    return api::usage(out.front(), fmt::format("see: surety {} --help", command.name));
  return out;
}

// --- what is wrong --------------------------------------------------------------

// The option or command that may have been meant.
std::string meant(const std::vector<std::string>& words, const std::vector<std::string>& candidates, bool command_too) {
  std::string hint;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string word = words[i].substr(0, words[i].find('='));
    if (word == "--fair") return "choice is fair unless you say --unfair";
    if (std::ranges::find(candidates, word) != candidates.end()) continue;
    if (!word.starts_with("--") && !(i == 0 && command_too)) continue;
    if (std::string near = did_you_mean(word, candidates); !near.empty()) hint = std::move(near);
  }
  return hint;
}

// A message about `study VERB`.
tl::unexpected<api::Failure> group_error(const CLI::App& group, const CLI::App& verb, const CLI::ParseError& error,
                                         const std::vector<std::string>& words) {
  std::vector<std::string> candidates;
  for (const auto* option : verb.get_options())
    for (const auto& name : option->get_lnames()) candidates.push_back("--" + name);
  std::string hint = meant(words, candidates, false);
  if (hint.empty()) hint = fmt::format("see: surety {} {} --help", group.get_name(), verb.get_name());
  return api::usage(error.what(), std::move(hint));
}

// A message about `study` without a verb, or with one that there is not.
tl::unexpected<api::Failure> no_verb(const CLI::App& group, const std::vector<std::string>& words,
                                     const std::vector<std::string>& verbs) {
  const bool has_verb = words.size() > 1 && !words[1].starts_with('-');
  return api::usage(has_verb ? fmt::format("there is no command '{} {}'", group.get_name(), words[1])
                             : fmt::format("{} needs to be told what to do", group.get_name()),
                    did_you_mean(has_verb ? words[1] : "", verbs, "there are"));
}

// A message about the command line.
tl::unexpected<api::Failure> usage_error(const CLI::App& app, const CLI::ParseError& error,
                                         const std::vector<std::string>& words) {
  std::vector<std::string> candidates;
  auto chosen = app.get_subcommands();
  const bool in_group =
      !chosen.empty() && std::ranges::count(group_table(), chosen.back()->get_name(), &GroupSpec::name) > 0;
  if (const auto verbs = in_group ? chosen.back()->get_subcommands() : decltype(chosen)(); !verbs.empty())
    return group_error(*chosen.back(), *verbs.back(), error, words);
  for (const CommandSpec& command : command_table()) {
    if (in_group == !group_of(command).empty()) candidates.push_back(verb_of(command));
  }
  if (in_group) return no_verb(*chosen.back(), words, candidates);
  for (const GroupSpec& group : group_table()) candidates.push_back(group.name);
  const CLI::App* const command = chosen.empty() ? &app : chosen.back();
  for (const auto* option : command->get_options())
    for (const auto& name : option->get_lnames()) candidates.push_back("--" + name);
  std::string hint = meant(words, candidates, chosen.empty());
  if (hint.empty()) hint = fmt::format("see: surety{} --help", chosen.empty() ? "" : " " + command->get_name());
  std::string message = words.empty() ? "no command is given" : error.what();
  if (chosen.empty() && !words.empty() && !words[0].starts_with('-'))
    message = fmt::format("there is no command '{}'", words[0]);
  return api::usage(std::move(message), std::move(hint));
}

}  // namespace

api::Outcome<std::variant<Parsed, Page>> parse(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "complete") return Page(complete({argv + 2, argv + argc}));
  Parsed out;
  CLI::App app(kAbout, "surety");
  app.require_subcommand(1);
  app.set_version_flag("--version", api::tool_name());
  app.set_help_flag("--help,-h");
  for (const GroupSpec& group : group_table())
    app.add_subcommand(group.name, group.about)->require_subcommand(1)->set_help_flag("--help,-h");
  for (const CommandSpec& command : command_table()) define(app, command, out.options);
  CLI::App* const docs = app.add_subcommand("docs")->group("");
  std::string kind;
  docs->add_option("KIND", kind)->required()->check(CLI::IsMember({"man", "bash", "zsh", "fish", "json"}));

  const auto app_of = [&](const CommandSpec& command) {
    const std::string group = group_of(command);
    return (group.empty() ? &app : app.get_subcommand(group))->get_subcommand(verb_of(command));
  };
  const auto chosen = [&]() -> const CommandSpec* {
    for (const CommandSpec& command : command_table())
      if (app_of(command)->parsed() || app_of(command)->count() > 0) return &command;
    return nullptr;
  };
  const auto page = [&] {
    if (chosen() != nullptr) return help(*chosen());
    for (const GroupSpec& group : group_table())
      if (app.got_subcommand(group.name)) return help(group);
    return help();
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    return Page(page());
  } catch (const CLI::CallForVersion&) {
    return Page(api::tool_name() + "\n");
  } catch (const CLI::ParseError& error) {
    return usage_error(app, error, {argv + 1, argv + argc});
  }
  if (docs->parsed())
    return Page(kind == "man"    ? man_page()
                : kind == "bash" ? bash_completion()
                : kind == "zsh"  ? zsh_completion()
                : kind == "json" ? tables()
                                 : fish_completion());
  out.command = chosen();
  if (const auto failure = settle(out.options)) return tl::unexpected(*failure);
  if (const auto failure = overwrites(out.options)) return tl::unexpected(*failure);
  auto about = notes(*app_of(*out.command), *out.command, out.options);
  if (!about) return tl::unexpected(std::move(about.error()));
  out.notes = std::move(*about);
  return out;
}

}  // namespace surety::cli
