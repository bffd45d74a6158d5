#include "cli/option_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "api/verify.hpp"

namespace surety::cli {
namespace {

using Group = OptionSpec::Group;

std::string methods() {
  auto names = api::method_names();
  std::erase(names, "auto");
  return fmt::format("auto (default), {}", fmt::join(names, ", "));
}

std::vector<OptionSpec> make_options() {
  return {
      {"--language", &Options::language, "NAME", Group::input,
       "read every file as this language (aut, fsp, promela), whatever its ending"},
      {"--system", &Options::system, "NAME", Group::input,
       "which composite or process of an FSP file, NAME(3) with a parameter (default: the last composite); with "
       "assume, which components of a Promela file "
       "(default: all)"},
      {"--define", &Options::define_texts, "K=V", Group::input, "override a constant: N=5; repeatable", "-D"},
      {.name = "--overlay",
       .target = &Options::overlays,
       .value = "PATH=FILE",
       .group = Group::input,
       .help = "read FILE wherever PATH is to be read, as an editor wants it for unsaved text; repeatable",
       .command = "check, info, compose, draw, assume, compare, certify, simulate"},
      {.name = "--beneath",
       .target = &Options::beneath,
       .value = "FOLDER",
       .group = Group::input,
       .help = "read nothing that lies outside of FOLDER: models, and what they import or include",
       .command = "check, info, compose, draw, assume, compare, certify, simulate, lsp"},
      {.name = "--cells",
       .target = &Options::cells_text,
       .value = "N",
       .group = Group::input,
       .help = "FSP: take processes of more than N states (default 100) apart, a cell for each index; Ada: tasks, a "
               "component for each variable",
       .bare = "100",
       .equals_only = true},
      {.name = "--system",
       .target = &Options::study_system,
       .value = "FILE",
       .group = Group::input,
       .help = "a study without a definition: its model",
       .command = "study create"},
      {.name = "--parameter",
       .target = &Options::parameter,
       .value = "K",
       .group = Group::input,
       .help = "the constant that says how large the system is (default K)",
       .command = "study create"},
      {.name = "--repeated",
       .target = &Options::repeated,
       .value = "NAME",
       .group = Group::input,
       .help = "the task that occurs as often (default: found out by comparing two sizes)",
       .command = "study create"},
      {.name = "--sizes",
       .target = &Options::sizes,
       .value = "N..M",
       .group = Group::input,
       .help = "sizes of which all decompositions are run (default 2)",
       .command = "study create"},
      {.name = "--scale",
       .target = &Options::scale,
       .value = "2..M",
       .group = Group::input,
       .help = "sizes for the monolithic and the generalised runs (default: none)",
       .command = "study create"},
      {"--property", &Options::properties, "P", Group::question,
       "check only this: a property, progress set, assertion, deadlock, assert, or FILE (.aut, .qre), FILE.qre:NAME; "
       "repeatable"},
      {"--unfair", &Options::unfair, "", Group::question,
       "progress and assertions without the assumption of fair choice"},
      {.name = "--all-sizes",
       .target = &Options::all_sizes_text,
       .value = "K=N..",
       .group = Group::question,
       .help = "prove properties for every value of a constant: K=2.. for all from 2 on",
       .command = "check"},
      {.name = "--weakest",
       .target = &Options::weakest,
       .value = "",
       .group = Group::question,
       .help = "the weakest assumption, built directly (default)",
       .command = "assume"},
      {.name = "--interface",
       .target = &Options::interface,
       .value = "",
       .group = Group::question,
       .help = "an assumption learned without an environment; says whether it is the weakest",
       .command = "assume"},
      {.name = "--actions",
       .target = &Options::actions,
       .value = "ACTIONS",
       .group = Group::question,
       .help = "the actions of the assumption: a,b,c (default: all that are visible)",
       .command = "assume"},
      {.name = "--equivalence",
       .target = &Options::equivalence,
       .value = "KIND",
       .group = Group::question,
       .help = "trace, weak or strong; default: show all, decide by trace",
       .command = "compare"},
      {.name = "--unreached",
       .target = &Options::unreached,
       .value = "",
       .group = Group::question,
       .help = "Promela: search all states, and list the statements that no process comes to",
       .command = "info"},
      {.name = "--lts",
       .target = &Options::lts,
       .value = "",
       .group = Group::question,
       .help = "with --json: also the steps of every machine that has at most 2,000",
       .command = "info"},
      {.name = "--trace",
       .target = &Options::script,
       .value = "TRACE",
       .group = Group::question,
       .help = "what to follow: actions a,b,c, or a file that check --trace has written (.json, .aut, .lts)",
       .command = "simulate"},
      {.name = "--trail",
       .target = &Options::trail,
       .value = "FILE",
       .group = Group::question,
       .help = "Promela: follow a trail that pan has written (needs spin)",
       .command = "simulate"},
      {.name = "--interactive",
       .target = &Options::interactive,
       .value = "",
       .group = Group::question,
       .help = "choose each step yourself: the choices are shown, and numbers are read; with --trace or --trail from "
               "its end on",
       .letter = "-i",
       .command = "simulate"},
      {.name = "--steps",
       .target = &Options::steps,
       .value = "N",
       .group = Group::question,
       .help = "length of a random walk (default 20)",
       .command = "simulate"},
      {"--seed", &Options::seed, "N", Group::question, "seed for everything random"},

      {.name = "--renew",
       .target = &Options::renew,
       .value = "",
       .group = Group::question,
       .help = "a model that has changed starts again, instead of being refused",
       .command = "study create"},
      {.name = "--only",
       .target = &Options::only,
       .value = "SYSTEM[:PROPERTY]",
       .group = Group::question,
       .help = "run nothing else",
       .command = "study run"},
      {.name = "--shard",
       .target = &Options::shard,
       .value = "I/N",
       .group = Group::question,
       .help = "part I of N, from 0, of the monolithic runs and all decompositions, into a database of its own (-o)",
       .command = "study run"},
      {.name = "--orbits",
       .target = &Options::orbits,
       .value = "",
       .group = Group::question,
       .help = "above size 2, of decompositions that differ by tasks that can change places only one",
       .command = "study run"},
      {.name = "--bound",
       .target = &Options::bound,
       .value = "B",
       .group = Group::question,
       .help = "end a run when a search exceeds the best cost known (best) or the monolithic one (mono); default: best "
               "above size 2, none at size 2",
       .words = {"none", "mono", "best"},
       .command = "study run"},

      {.name = "--method",
       .target = &Options::study_methods,
       .value = "M,...",
       .group = Group::method,
       .help = "asym (default) and others to compare it with",
       .command = "study create"},
      {.name = "--alphabet",
       .target = &Options::study_alphabets,
       .value = "A,...",
       .group = Group::method,
       .help = "of assumptions: full (default), refine",
       .command = "study create"},
      {.name = "--learner",
       .target = &Options::study_learner,
       .value = "L",
       .group = Group::method,
       .help = "lstar (default), lstar-angluin, kv, ttt",
       .command = "study create"},
      {.name = "--engine",
       .target = &Options::study_engines,
       .value = "E,...",
       .group = Group::method,
       .help = "who verifies: exact, flavers (default: all that the definition names)",
       .command = "study create"},
      {.name = "--jobs",
       .target = &Options::jobs,
       .value = "N",
       .group = Group::method,
       .help = "runs at the same time (default: one per core)",
       .letter = "-j",
       .least = 1,
       .most = 1024,
       .command = "study run"},
      {.name = "--port",
       .target = &Options::port,
       .value = "N",
       .group = Group::method,
       .help = "of 127.0.0.1 (default 7117, or another if that is taken; 0: any)",
       .most = 65535,
       .command = "serve"},
      {.name = "--no-open",
       .target = &Options::no_open,
       .value = "",
       .group = Group::method,
       .help = "opens no browser",
       .command = "serve"},
      {.name = "--read-only",
       .target = &Options::read_only,
       .value = "",
       .group = Group::method,
       .help = "nothing can be saved",
       .command = "serve"},
      {.name = "--allow-spin",
       .target = &Options::allow_spin,
       .value = "",
       .group = Group::method,
       .help = "checks may use --engine spin, which compiles and runs C",
       .command = "serve"},
      {.name = "--jobs",
       .target = &Options::jobs,
       .value = "N",
       .group = Group::limits,
       .help = "checks at the same time (default: half of the cores, at most 4)",
       .letter = "-j",
       .least = 1,
       .most = 64,
       .command = "serve"},
      {.name = "--time",
       .target = &Options::time,
       .value = "T",
       .group = Group::limits,
       .help = "the longest time that a check may ask for (default 10m)",
       .command = "serve"},
      {.name = "--memory",
       .target = &Options::memory,
       .value = "SIZE",
       .group = Group::limits,
       .help = "the most memory that a check may ask for (default: four fifths of what is free, divided by the checks)",
       .command = "serve"},
      {.name = "--assets",
       .target = &Options::assets,
       .value = "FOLDER",
       .group = Group::input,
       .help = "the page from there instead of the one that is built in, for those who work on it",
       .command = "serve"},
      {.name = "--mpi",
       .target = &Options::mpi,
       .value = "",
       .group = Group::method,
       .help = "the ranks of an MPI job are the workers: mpirun -n 17 surety study run FILE.db --mpi",
       .command = "study run"},
      {"--method", &Options::method, "M", Group::method, methods()},
      {"--split", &Options::split, "SIDES", Group::method,
       "which components form M1, M2, ...: \"a,b | c\" (default: chosen and shown)"},
      {"--learner", &Options::learner, "L", Group::method,
       "lstar (Rivest-Schapire, default), lstar-angluin, kv (Kearns-Vazirani), ttt"},
      {"--alphabet", &Options::alphabet, "A", Group::method,
       "of assumptions: refine (default) grows it from the property's actions, full is the whole interface"},
      {"--assumption", &Options::assumption, "FILE", Group::method,
       "an assumption that is said to hold of M2: FILE (.aut, .json) or FILE.lts:NAME"},
      {"--seed-assumption", &Options::seed_assumptions, "FILE", Group::method,
       "start learning from this assumption, right or wrong; repeatable, once for each assumption of the rule"},
      {.name = "--conformance",
       .target = &Options::conformance,
       .value = "N",
       .group = Group::method,
       .help = "with --interface: the W-method as oracle 2, for weakest assumptions of at most N states",
       .least = 1},
      {"--reduction", &Options::reduction, "R", Group::method,
       "of explicit searches: por leaves out steps that can wait, none does not, auto (default) tries both"},
      {"--engine", &Options::engine, "E", Group::method,
       "exact (default, also native); flavers, flow analysis of the order of events; spin, the real one, of Promela"},
      {"--constraints", &Options::constraints, "K", Group::method,
       "of flavers: auto (default), none, all, or a list of ta:TASK, va:VARIABLE, oa:OBJECT, FILE:NAME"},
      {"--spin-mode", &Options::spin_mode, "W", Group::method,
       "how SPIN is asked: separate (default) compiles a component once, per-query a file for each question"},
      {.name = "--threads",
       .target = &Options::threads,
       .value = "N",
       .group = Group::method,
       .help = "threads to use (default: all cores)",
       .least = 1,
       .most = 1024},
      {"--no-certify", &Options::no_certify, "", Group::method, "skip the re-check of proofs (for benchmarks)"},

      {.name = "--limit",
       .target = &Options::limit,
       .value = "T",
       .group = Group::limits,
       .help = "time of a run (default 60s)",
       .command = "study create"},
      {.name = "--limit-factor",
       .target = &Options::limit_factor,
       .value = "F",
       .group = Group::limits,
       .help = "or so many times the time of the monolithic run, if that is more (default 10)",
       .command = "study create"},
      {.name = "--memory",
       .target = &Options::study_memory,
       .value = "SIZE",
       .group = Group::limits,
       .help = "memory of a run (default 1G)",
       .command = "study create"},
      {.name = "--budget",
       .target = &Options::run_time,
       .value = "T",
       .group = Group::limits,
       .help = "stop after this long, exit status 2; the next run goes on: 8h, 30m",
       .command = "study run"},
      {"--time", &Options::time, "T", Group::limits,
       "stop after this long: 60s, 500ms, 2m, 1h; a bare number is seconds"},
      {"--memory", &Options::memory, "SIZE", Group::limits, "stop before using more than this: 200M, 2G"},
      {"--states", &Options::states, "N", Group::limits, "stop after exploring this many states"},
      {"--queries", &Options::queries, "N", Group::limits, "stop after this many membership queries"},

      {.name = "--minimise",
       .target = &Options::minimise,
       .value = "KIND",
       .group = Group::output,
       .help = "weak, strong, trace or ltsa; weak if no kind is given",
       .bare = "weak",
       .command = "compose, draw"},
      {"--certificate", &Options::certificate, "FILE", Group::output, "write the proof to FILE (.json)"},
      {.name = "--trace",
       .target = &Options::trace_file,
       .value = "FILE",
       .group = Group::output,
       .help = "write the first counterexample to FILE (.aut, .dot, .json, .lts), for simulate --trace",
       .command = "check"},
      {"--assumption-out", &Options::assumption_out, "FILE", Group::output,
       "write the assumption to FILE (.aut, .dot, .json, .lts)"},
      {.name = "--output",
       .target = &Options::output,
       .value = "OUT",
       .group = Group::output,
       .help = "write the result to OUT (.aut, .dot, .json, .lts); - is standard output",
       .letter = "-o",
       .command = "compose, assume"},
      {.name = "--output",
       .target = &Options::output,
       .value = "OUT",
       .group = Group::output,
       .help = "the picture (.svg, .png, .pdf; default: NAME.svg)",
       .letter = "-o",
       .command = "draw"},
      {.name = "--output",
       .target = &Options::output,
       .value = "OUT",
       .group = Group::output,
       .help = "with --engine flavers: the trace flow graph (.dot)",
       .letter = "-o",
       .command = "info"},
      {.name = "--format",
       .target = &Options::format,
       .value = "F",
       .group = Group::output,
       .help = "how to write it, whatever the ending: aut, dot, json, lts",
       .words = {"aut", "dot", "json", "lts"},
       .command = "compose, assume"},
      {.name = "--output",
       .target = &Options::output,
       .value = "OUT",
       .group = Group::output,
       .help = "of a shard: the database for its results",
       .letter = "-o",
       .command = "study run"},
      {.name = "--output",
       .target = &Options::output,
       .value = "FOLDER",
       .group = Group::output,
       .help = "where report.md, the tables and the figures go",
       .letter = "-o",
       .command = "study report"},
      {.name = "--events",
       .target = &Options::events,
       .value = "FILE",
       .group = Group::output,
       .help = "tell in FILE what happens while it happens, one JSON object per line; /dev/fd/N is an open descriptor",
       .command = "check, assume, compose, compare, certify"},
      {.name = "--junit",
       .target = &Options::junit,
       .value = "FILE",
       .group = Group::output,
       .help = "write the answers to FILE as JUnit's XML, a test case for each check",
       .command = "check"},
      {.name = "--sarif",
       .target = &Options::sarif,
       .value = "FILE",
       .group = Group::output,
       .help = "write violations, errors and warnings to FILE as SARIF 2.1.0, each with its place",
       .command = "check"},
      {.name = "--strict",
       .target = &Options::strict,
       .value = "",
       .group = Group::output,
       .help = "in these files, what is unknown counts as a failure",
       .command = "check"},
      {"--json", &Options::json, "", Group::output, "print one JSON object instead of text"},
      {"--verbose", &Options::verbose, "", Group::output, "tell how each answer was found; -vv: all of it", "-v"},
      {.name = "--short",
       .target = &Options::brief,
       .value = "",
       .group = Group::output,
       .help = "traces in one line, actions only",
       .command = "check"},
      {"--quiet", &Options::quiet, "", Group::output, "no warnings, notes or progress; of check, the last line alone",
       "-q"},
      {.name = "--color",
       .target = &Options::color,
       .value = "WHEN",
       .group = Group::output,
       .help = "auto (default), always, never",
       .words = {"auto", "always", "never"}},
  };
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
