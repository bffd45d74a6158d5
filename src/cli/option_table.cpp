#include "cli/option_table.hpp"

#include <algorithm>

#include "api/verify.hpp"
#include "cli/option_groups.hpp"

namespace surety::cli {
namespace {

using Group = OptionSpec::Group;

std::vector<OptionSpec> make_options() {
  std::vector<OptionSpec> out;
  for (const auto& group :
       {options_of_input(), options_of_question(), options_of_method(), options_of_limits(), options_of_output()})
    out.insert(out.end(), group.begin(), group.end());
  return out;
}

std::vector<CommandSpec> make_commands() {
  const std::string models =
      "a model: .lts or .fsp (FSP), FILE.lts:NAME for a composite or process of it, .pml or .prom (Promela), .adb, "
      ".ads "
      "or .ada (Ada), or .aut and .json files, the components of one system; - is standard input";
  const auto with_model = [](std::vector<std::string> more) {
    more.insert(more.end(),
                {"--system", "--define", "--overlay", "--beneath", "--cells", "--time", "--memory", "--states"});
    return more;
  };
  std::vector<std::string> check = with_model(
      {"--property",    "--method",    "--threads", "--reduction",  "--certificate", "--trace",     "--assumption-out",
       "--color",       "--verbose",   "--short",   "--no-certify", "--unfair",      "--all-sizes", "--engine",
       "--constraints", "--spin-mode", "--events",  "--junit",      "--sarif",       "--strict"});
  for (const auto& method : api::method_names())
    for (const auto& option : api::options_of(method)) check.push_back("--" + option);
  return {
      {"check", "verify what the files declare: properties and deadlock", models, std::move(check)},
      {"info", "what is defined: components, alphabets, sizes", models,
       with_model({"--property", "--verbose", "--unreached", "--lts", "--engine", "--constraints", "--output"})},
      {"compose", "build the composition as one LTS", models,
       with_model({"--property", "--minimise", "--output", "--format", "--verbose", "--events"})},
      {"draw", "draw the composition, or a process of it, with Graphviz", models,
       with_model({"--minimise", "--output"})},
      {"assume", "the assumption that a system needs of its environment", models,
       with_model({"--property", "--weakest", "--interface", "--conformance", "--actions", "--output", "--format",
                   "--color", "--verbose", "--engine", "--spin-mode", "--learner", "--queries", "--threads",
                   "--events"})},
      {"compare",
       "are two LTSs equivalent? exit status 0 yes, 1 no",
       "two models: .aut, .lts, or FILE.lts:NAME for a composite or process of it",
       {"--equivalence", "--time", "--memory", "--define", "--overlay", "--beneath", "--events"}},
      {"certify",
       "re-check a certificate with the independent checker",
       "the certificate (.json), then the files of the model you mean: a certificate about anything else is refused",
       {"--time", "--memory", "--property", "--system", "--define", "--overlay", "--beneath", "--events"},
       true},
      {"simulate", "walk through the system: at random, along a trace, or by hand", models,
       with_model({"--property", "--trace", "--trail", "--interactive", "--steps", "--seed"})},
      {"lsp",
       "answer an editor that speaks the Language Server Protocol, on standard input and output",
       "",
       {"--beneath"},
       true},
      {"serve",
       "show a page in the browser: write models, check them, walk through them, see how they are proved",
       "the folder whose models can be opened and saved (default: this one), or a model, which is opened",
       {"--port", "--no-open", "--read-only", "--jobs", "--memory", "--time", "--allow-spin", "--assets"},
       true,
       false},
      {"study create",
       "make a study of its definition, or add what is new to one",
       "the study (.db), then its definition (.toml) unless there is --system",
       {"--system", "--parameter", "--repeated", "--sizes", "--scale", "--property", "--renew", "--method",
        "--alphabet", "--learner", "--engine", "--limit", "--limit-factor", "--memory"},
       true},
      {"study run",
       "run what is left of a study; exit status 2: a budget or signal ended it",
       "the study (.db)",
       {"--only", "--shard", "--orbits", "--bound", "--jobs", "--mpi", "--budget", "--output"},
       true},
      {"study status", "how far a study is", "the study (.db)", {}, true},
      {"study merge", "take the results of shards into a study", "the study (.db), then the shards", {}, true},
      {"study report", "tables, figures and what they say", "the study (.db)", {"--output"}, true},
      {"study show",
       "one run: its split, its numbers, the command that repeats it, the assumption",
       "the study (.db), then the run: its number, or its key (or the end of that) as status has it",
       {},
       true},
      {"study diff", "are two studies equal but for times? exit status 0 yes, 1 no", "two studies (.db)", {}, true},
      {"study predict", "what tells good splits from bad ones, on systems not seen", "the study (.db)", {}, true},
  };
}

bool names(const OptionSpec& option, const std::string& command) {
  return (", " + option.command + ", ").find(", " + command + ", ") != std::string::npos;
}

// What only some commands take stands before what all take under the same name.
bool is_for(const OptionSpec& option, const std::string& command) {
  if (!option.command.empty()) return names(option, command);
  return std::ranges::none_of(
      option_table(), [&](const OptionSpec& other) { return other.name == option.name && names(other, command); });
}

bool uses(const CommandSpec& command, const OptionSpec& option) {
  static const std::vector<std::string> kAlways = {"--json", "--quiet"};
  if (command.files.empty() || !command.files_needed)
    return std::ranges::find(command.options, option.name) != command.options.end();
  if (option.name == "--language") return group_of(command).empty();
  return std::ranges::find(kAlways, option.name) != kAlways.end() ||
         std::ranges::find(command.options, option.name) != command.options.end();
}

std::vector<const OptionSpec*> options_if(const CommandSpec& command, bool used) {
  std::vector<const OptionSpec*> out;
  for (const OptionSpec& option : option_table())
    if (is_for(option, command.name) && uses(command, option) == used) out.push_back(&option);
  return out;
}

}  // namespace

const std::vector<OptionSpec>& option_table() {
  static const std::vector<OptionSpec> table = make_options();
  return table;
}

const std::vector<CommandSpec>& command_table() {
  static const std::vector<CommandSpec> table = make_commands();
  return table;
}

const std::vector<GroupSpec>& group_table() {
  static const std::vector<GroupSpec> table = {
      {"study", "the decomposition study: which ways to split a system pay, tried on all of them"}};
  return table;
}

std::string group_of(const CommandSpec& command) {
  const auto blank = command.name.find(' ');
  return blank == std::string::npos ? "" : command.name.substr(0, blank);
}

std::string verb_of(const CommandSpec& command) { return command.name.substr(command.name.find(' ') + 1); }

std::vector<const OptionSpec*> options_of(const CommandSpec& command) { return options_if(command, true); }
std::vector<const OptionSpec*> unused_by(const CommandSpec& command) { return options_if(command, false); }

const char* title(OptionSpec::Group group) {
  switch (group) {
    case Group::input: return "The model";
    case Group::question: return "What to do";
    case Group::method: return "How";
    case Group::limits: return "Limits";
    case Group::output: return "Output";
  }
  return "";
}

}  // namespace surety::cli
