// The command line: definitions, and a thin face over `api`. CLI11 is included
// here and in docs.cpp only (it costs seconds of compile time).

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <new>
#include <set>
#include <thread>

#include "api/commands.hpp"
#include "api/json.hpp"
#include "api/verify.hpp"
#include "base/check.hpp"
#include "base/file.hpp"
#include "cli/docs.hpp"
#include "cli/options.hpp"
#include "cli/progress.hpp"
#include "cli/text.hpp"
#include "load/split.hpp"

namespace surety::cli {
namespace {

constexpr int kHolds = 0, kViolated = 1, kUnknown = 2, kInternal = 70;

constexpr std::uint64_t kMost = std::uint64_t{1} << 62;

std::atomic<bool> interrupted{false};

// The first signal asks the work to stop and tell what it knows; a second one ends the process.
void on_signal(int) {
  if (interrupted.exchange(true)) ::_exit(130);
}

int fail(const api::Failure& failure) {
  for (const auto& d : failure.diagnostics) std::cerr << render(d);
  return failure.status;
}

void warn(const Diagnostics& warnings, const Options& options) {
  if (options.quiet) return;
  for (const auto& d : warnings) std::cerr << render(d);
}

// What became of fat processes, after the answer.
void tell_of_cells(const api::Model& model, const Options& options) {
  if (!options.verbose || options.json) return;
  for (const auto& note : model.cell_notes) std::cout << "cells: " << note << "\n";
}

void print(const std::string& text) { std::cout << text << std::flush; }

Style style(const Options& options) {
  const bool terminal = ::isatty(STDOUT_FILENO) == 1 && std::getenv("NO_COLOR") == nullptr;
  return {options.color == "always" || (options.color == "auto" && terminal), options.verbose};
}

api::Source source(const Options& options) {
  api::Source out;
  out.files = options.files;
  out.language = options.language;
  out.system = options.system;
  out.defines = options.defines;
  out.cells = options.cells;
  return out;
}

// For commands that only take property files.
api::Source source_with_properties(const Options& options) {
  api::Source out = source(options);
  out.property_files = options.properties;
  return out;
}

// --- the commands -------------------------------------------------------------

// One file an assumption: x.aut, or x.1.aut, x.2.aut, ... if there are several.
std::string numbered(const std::string& file, std::size_t i, std::size_t count) {
  if (count == 1) return file;
  std::filesystem::path path(file);
  const std::string end = path.extension().string();
  return path.replace_extension().string() + fmt::format(".{}{}", i + 1, end);
}

// Writes what was asked for beside the answer: certificate, trace, assumption.
api::Outcome<void> write_extras(const api::Report& report, const Options& options) {
  const auto& actions = *report.model.actions;
  bool holds = false;
  const Trace* trace = nullptr;
  const std::vector<Lts>* assumptions = nullptr;
  for (const auto& check : report.checks) {
    if (const auto* h = std::get_if<Holds>(&check.verdict)) {
      holds |= check.certified;
      if (!h->certificate.assumptions.empty() && assumptions == nullptr) assumptions = &h->certificate.assumptions;
    }
    if (const auto* v = std::get_if<Violated>(&check.verdict); v != nullptr && trace == nullptr) trace = &v->trace;
    if (const auto* u = std::get_if<Unknown>(&check.verdict);
        u != nullptr && !u->assumptions.empty() && assumptions == nullptr)
      assumptions = &u->assumptions;
  }
  auto note = [&](const char* option, const char* why) {
    if (!options.quiet) std::cerr << fmt::format("note: {} not written: {}\n", option, why);
  };
  if (!options.certificate.empty()) {
    const bool piped = std::any_of(report.model.inputs.begin(), report.model.inputs.end(),
                                   [](const api::Input& input) { return input.file == "-"; });
    if (!holds)
      note("--certificate", "there is no proof that was checked");
    else if (piped)
      note("--certificate", "a certificate names its inputs, and standard input has no name");
    else if (auto w = write_file(options.certificate, dump(api::certificate_json(report, options.certificate))); !w)
      return api::bad_input(std::move(w.error()));
  }
  if (!options.trace_file.empty()) {
    if (trace == nullptr)
      note("--trace", "nothing is violated");
    else if (auto w = api::save_trace(*trace, actions, options.trace_file); !w)
      return w;
  }
  if (!options.assumption_out.empty()) {
    if (assumptions == nullptr) note("--assumption-out", "there is no assumption");
    const bool json = options.assumption_out.ends_with(".json");
    for (std::size_t i = 0; assumptions != nullptr && i < assumptions->size(); ++i)
      if ((*assumptions)[i].state_count() == 0 && !json)
        note("--assumption-out", "the empty language can only be written as .json");
      else if (auto w = api::save((*assumptions)[i], actions, numbered(options.assumption_out, i, assumptions->size()));
               !w)
        return w;
  }
  return {};
}

int check_command(const Options& options) {
  for (const auto* file : {&options.trace_file, &options.assumption_out})
    if (!file->empty())
      if (auto ok = api::can_save(*file); !ok) return fail(ok.error());
  Progress progress;
  api::Request request;
  request.source = source(options);
  request.properties = options.properties;
  request.method = options.method;
  request.split = options.split;
  request.learner = options.learner;
  request.alphabet = options.alphabet;
  request.reduction = options.reduction;
  request.engine = options.engine;
  request.spin_mode = options.spin_mode;
  request.assumption = options.assumption;
  request.seed_assumptions = options.seed_assumptions;
  if (options.all_sizes) request.all_sizes = {options.all_sizes->name, options.all_sizes->value};
  request.limits = options.limits;
  request.threads = options.threads;
  request.certify = !options.no_certify;
  request.unfair = options.unfair;
  request.interrupted = &interrupted;
  request.progress = &progress;
  api::Outcome<api::Report> report = [&] {
    const ProgressLine ticker(progress, options.quiet);
    return api::verify(request);
  }();
  if (!report) return fail(report.error());
  warn(report->model.warnings, options);
  print(options.json ? dump(api::to_json(*report)) : to_text(*report, style(options)));
  tell_of_cells(report->model, options);
  if (auto written = write_extras(*report, options); !written) return fail(written.error());
  const VerdictKind verdict = verdict_kind(*report);
  return verdict == VerdictKind::holds ? kHolds : verdict == VerdictKind::violated ? kViolated : kUnknown;
}

int info_command(const Options& options) {
  auto info = api::info(source_with_properties(options), options.limits, &interrupted);
  if (!info) return fail(info.error());
  warn(info->model.warnings, options);
  print(options.json ? dump(api::to_json(*info)) : to_text(*info, style(options)));
  tell_of_cells(info->model, options);
  return info->why == Stop::none ? 0 : kUnknown;
}

int compose_command(const Options& options) {
  if (!options.output.empty())
    if (auto ok = api::can_save(options.output); !ok) return fail(ok.error());
  Progress progress;
  api::ComposeRequest request{source_with_properties(options), options.minimise, options.limits, &interrupted,
                              &progress};
  api::Outcome<api::Composition> composed = [&] {
    const ProgressLine ticker(progress, options.quiet);
    return api::compose_files(request);
  }();
  if (!composed) return fail(composed.error());
  warn(composed->model.warnings, options);
  if (composed->lts && !options.output.empty()) {
    if (auto written = api::save(*composed->lts, *composed->model.actions, options.output); !written)
      return fail(written.error());
  }
  print(options.json ? dump(api::to_json(*composed)) : to_text(*composed));
  tell_of_cells(composed->model, options);
  return composed->lts ? 0 : kUnknown;
}

int assume_command(const Options& options, bool actions_given) {
  if (!options.output.empty())
    if (auto ok = api::can_save(options.output); !ok) return fail(ok.error());
  Progress progress;
  api::AssumeRequest request;
  request.source = source(options);
  request.properties = options.properties;
  request.interface = options.interface;
  request.conformance = options.conformance;
  if (actions_given) request.actions = api::split_names(options.actions);
  request.learner = options.learner;
  request.engine = options.engine;
  request.spin_mode = options.spin_mode;
  request.limits = options.limits;
  request.threads = options.threads;
  request.interrupted = &interrupted;
  request.progress = &progress;
  api::Outcome<api::Assumed> assumed = [&] {
    const ProgressLine ticker(progress, options.quiet);
    return api::assume(request);
  }();
  if (!assumed) return fail(assumed.error());
  warn(assumed->model.warnings, options);
  print(options.json ? dump(api::to_json(*assumed)) : to_text(*assumed, style(options)));
  tell_of_cells(assumed->model, options);
  const bool done = assumed->why == Stop::none;
  if (!options.output.empty()) {
    if (!done) {
      if (!options.quiet) std::cerr << "note: --output not written: the budget ended\n";
    } else if (auto written = api::save(*assumed->assumption, *assumed->model.actions, options.output); !written) {
      return fail(written.error());
    }
  }
  return done ? 0 : kUnknown;
}

int compare_command(const Options& options) {
  if (options.files.size() != 2) return fail(api::usage("compare takes exactly two files").value());
  auto comparison = api::compare({{options.files[0], options.files[1]},
                                  options.equivalence,
                                  options.language,
                                  options.defines,
                                  options.limits,
                                  &interrupted});
  if (!comparison) return fail(comparison.error());
  print(options.json ? dump(api::to_json(*comparison)) : to_text(*comparison));
  if (comparison->lines.empty()) return kUnknown;
  return comparison->equivalent() ? 0 : 1;
}

int certify_command(const Options& options) {
  api::CertifyRequest request{options.files[0]};
  request.files.assign(options.files.begin() + 1, options.files.end());
  if (request.files.empty() && !options.language.empty())
    return fail(
        api::usage("--language is not used by certify without a model", "name the model: CERTIFICATE FILE").value());
  request.language = options.language;
  request.system = options.system;
  request.defines = options.defines;
  request.properties = options.properties;
  request.limits = options.limits;
  request.interrupted = &interrupted;
  auto certification = api::certify_file(request);
  if (!certification) return fail(certification.error());
  print(options.json ? dump(api::to_json(*certification)) : to_text(*certification));
  if (!certification->finished()) return kUnknown;
  return certification->accepted() ? 0 : 1;
}

int simulate_command(const Options& options, bool scripted) {
  api::SimulateRequest request{source(options), std::nullopt,   options.steps,
                               options.seed,    options.limits, &interrupted};
  if (scripted) request.trace = api::split_names(options.script);
  auto simulation = api::simulate(request);
  if (!simulation) return fail(simulation.error());
  print(options.json ? dump(api::to_json(*simulation)) : to_text(*simulation));
  if (simulation->why != Stop::none) return kUnknown;
  return simulation->stuck ? 1 : 0;
}

// --- the definitions ----------------------------------------------------------

void define_input(CLI::App& command, Options& o, const char* what) {
  command.add_option("FILE", o.files, what)->required();
  command
      .add_option("--language", o.language, "read every file as this language (aut, fsp, promela), whatever its ending")
      ->type_name("NAME");
  command.add_flag("--json", o.json, "print one JSON object instead of text");
  command.add_flag("--quiet,-q", o.quiet, "no warnings, notes or progress");
}

std::string method_names() {
  std::string out;
  for (const auto& name : api::method_names())
    if (name != "auto") out += (out.empty() ? "" : ", ") + name;
  return out;
}

// Every command takes every common option; those it does not use are noted (see `used`).
void define_common(CLI::App& command, Options& o) {
  command
      .add_option("--property", o.properties,
                  "check only this: a property, progress set, assertion, deadlock, assert, or FILE.aut; repeatable")
      ->type_name("P")
      ->allow_extra_args(false);
  command
      .add_option("--system", o.system,
                  "which composite of an FSP file (default: the last one); with assume, which components of a Promela "
                  "file (default: all)")
      ->type_name("NAME");
  command.add_option("--define", o.define_texts, "override a constant: N=5; repeatable")
      ->type_name("K=V")
      ->allow_extra_args(false);
  command.add_option("--method", o.method, "auto (default), " + method_names())->type_name("M");
  command.add_option("--split", o.split, "which components form M1, M2, ...: \"a,b | c\" (default: chosen and shown)")
      ->type_name("SIDES");
  command
      .add_option("--learner", o.learner, "lstar (Rivest-Schapire, default), lstar-angluin, kv (Kearns-Vazirani), ttt")
      ->type_name("L");
  command
      .add_option("--alphabet", o.alphabet,
                  "of assumptions: refine (default) grows it from the property's actions, full is the whole interface")
      ->type_name("A");
  command.add_option("--time", o.time, "stop after this long: 60s, 500ms, 2m, 1h")->type_name("T");
  command.add_option("--memory", o.memory, "stop before using more than this: 200M, 2G")->type_name("SIZE");
  command.add_option("--states", o.states, "stop after exploring this many states")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{0}, kMost));
  command.add_option("--queries", o.queries, "stop after this many membership queries")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{0}, kMost));
  command.add_option("--threads", o.threads, "threads to use (default: all cores)")
      ->type_name("N")
      ->check(CLI::Range(1U, 1024U));
  command.add_option("--certificate", o.certificate, "write the proof to FILE (.json)")->type_name("FILE");
  command.add_option("--assumption-out", o.assumption_out, "write the assumption to FILE (.aut, .dot, .json, .lts)")
      ->type_name("FILE");
  command.add_option("--seed", o.seed, "seed for everything random")->type_name("N");
  command.add_option("--color", o.color, "auto (default), always, never")
      ->type_name("WHEN")
      ->check(CLI::IsMember({"auto", "always", "never"}));
  command.add_flag("--verbose,-v", o.verbose, "tell more");
  command.add_flag("--no-certify", o.no_certify, "skip the re-check of proofs (for benchmarks)");
  command
      .add_option("--assumption", o.assumption,
                  "an assumption that is said to hold of M2: FILE (.aut, .json) or FILE.lts:NAME")
      ->type_name("FILE");
  command
      .add_option("--seed-assumption", o.seed_assumptions,
                  "start learning from this assumption, right or wrong; repeatable, one an assumption of the rule")
      ->type_name("FILE")
      ->allow_extra_args(false);
  command
      .add_option("--conformance", o.conformance,
                  "with --interface: the W-method as oracle 2, for weakest assumptions of at most N states")
      ->type_name("N")
      ->check(CLI::Range(std::uint64_t{1}, kMost))
      ->group("");  // shown where it is used
  command
      .add_option("--reduction", o.reduction,
                  "of explicit searches: por leaves out steps that can wait, none does not, auto (default) tries both")
      ->type_name("R");
  command
      .add_option("--engine", o.engine,
                  "who checks the premises of a Promela file: native (default), or spin, the real one")
      ->type_name("E");
  command
      .add_option("--spin-mode", o.spin_mode,
                  "how SPIN is asked: separate (default) compiles a component once, per-query a file for each question")
      ->type_name("W");
  command.add_flag("--unfair", o.unfair, "progress and assertions without the assumption of fair choice");
  command.add_flag(
      "--cells{100}", o.cells_text,
      "FSP: take processes of more than 100 states (--cells=N: of more than N) apart, a cell for each index");
}

struct Command {
  CLI::App* app;
  std::set<std::string> used;  // of the options defined by define_common
  bool strict = false;         // other options are errors
};

// An option that nothing here uses is accepted with a note, so that scripts can vary one option at a time; not where
// it would be taken for a condition.
std::optional<api::Failure> note_unused(const Command& command, const Options& options) {
  const std::string name = command.app->get_name();
  for (const auto* option : command.app->get_options()) {
    if (option->count() == 0 || option->get_lnames().empty()) continue;
    const std::string first = "--" + option->get_lnames()[0];
    if (command.used.contains(first)) continue;
    if (command.strict)
      return api::usage(fmt::format("{} is not used by {}", first, name), fmt::format("see: surety {} --help", name))
          .value();
    if (!options.quiet)
      std::cerr << fmt::format("note: {} is not used by {}{}\n", first, name,
                               name == "check"     ? " --method " + options.method
                               : name != "assume"  ? ""
                               : options.interface ? " --interface"
                                                   : " --weakest");
  }
  return std::nullopt;
}

// An output that is also an input would destroy it.
std::optional<api::Failure> overwrites(const Options& o) {
  std::vector<std::string> inputs = o.files;
  inputs.insert(inputs.end(), o.properties.begin(), o.properties.end());
  std::error_code none;
  for (const auto* output : {&o.certificate, &o.trace_file, &o.assumption_out, &o.output})
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
  if (o.engine == "spin" && o.method == "auto")
    o.method = "asym";  // SPIN answers premises: by parts, if nothing is said
  if (!o.time.empty() && !(o.limits.time = parse_time(o.time)))
    return wrong("--time", o.time, "for example 60s, 500ms, 2m");
  if (!o.memory.empty() && !(o.limits.memory = parse_size(o.memory)))
    return wrong("--memory", o.memory, "for example 200M, 2G");
  for (const auto& text : o.define_texts) {
    const auto define = parse_define(text);
    if (!define) return wrong("--define", text, "for example N=5");
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

// A message about the command line, with the option or command that may have been meant.
int usage_error(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  std::vector<std::string> candidates;
  const CLI::App* command = &app;
  for (const auto* sub : app.get_subcommands(nullptr))
    if (!sub->get_group().empty()) candidates.push_back(sub->get_name());
  for (const auto* sub : app.get_subcommands()) command = sub;
  for (const auto* option : command->get_options())
    for (const auto& name : option->get_lnames()) candidates.push_back("--" + name);
  std::string hint;
  for (int i = 1; i < argc; ++i) {
    const std::string word(argv[i], std::string_view(argv[i]).substr(0, std::string_view(argv[i]).find('=')).size());
    if (std::find(candidates.begin(), candidates.end(), word) != candidates.end()) continue;
    const bool suspect = word.rfind("--", 0) == 0 || (i == 1 && command == &app);
    if (std::string meant = did_you_mean(word, candidates); suspect && !meant.empty()) hint = std::move(meant);
  }
  if (hint.empty()) hint = fmt::format("see: surety{} --help", command == &app ? "" : " " + command->get_name());
  std::string message = argc == 1 ? "no command is given" : error.what();
  if (command == &app && argc > 1 && argv[1][0] != '-') message = fmt::format("there is no command '{}'", argv[1]);
  std::cerr << render(file_error({}, message, hint));
  return api::Failure::kUsage;
}

int run(int argc, char** argv) {
  Options o;
  CLI::App app("Proves concurrent systems by their parts.", "surety");
  app.require_subcommand(1);
  app.set_version_flag("--version", api::tool_name());
  app.set_help_flag("--help,-h", "show this help");
  const std::string files =
      "a model: .lts or .fsp (FSP), .pml or .prom (Promela), or .aut files, the components of one system; - is "
      "standard input";

  const std::set<std::string> always = {"--help", "--language", "--json", "--quiet"};
  auto define = [&](const char* name, const char* what, const char* input, std::set<std::string> used) {
    auto* sub = app.add_subcommand(name, what);
    sub->set_help_flag("--help,-h", "show this help");
    define_input(*sub, o, input);
    define_common(*sub, o);
    used.insert(always.begin(), always.end());
    return Command{sub, std::move(used)};
  };
  const std::set<std::string> budget = {"--time", "--memory", "--states", "--system", "--define", "--cells"};
  auto with = [](std::set<std::string> a, const std::set<std::string>& b) {
    a.insert(b.begin(), b.end());
    return a;
  };

  std::vector<std::pair<Command, std::function<int()>>> commands;
  Command check = define("check", "verify what the files declare: properties and deadlock", files.c_str(),
                         with(budget, {"--property", "--method", "--threads", "--reduction", "--certificate", "--trace",
                                       "--assumption-out", "--color", "--verbose", "--no-certify", "--unfair",
                                       "--all-sizes", "--engine", "--spin-mode"}));
  check.app->add_option("--trace", o.trace_file, "write the counterexample to FILE (.aut, .dot, .json, .lts)")
      ->type_name("FILE");
  check.app
      ->add_option("--all-sizes", o.all_sizes_text,
                   "prove properties for every value of a constant: K=2.. for all from 2 on")
      ->type_name("K=N..");
  commands.emplace_back(check, [&] { return check_command(o); });

  commands.emplace_back(define("info", "what is defined: components, alphabets, sizes", files.c_str(),
                               with(budget, {"--property", "--verbose"})),
                        [&] { return info_command(o); });

  Command compose = define("compose", "build the composition as one LTS", files.c_str(),
                           with(budget, {"--property", "--minimise", "--output", "--verbose"}));
  compose.app->add_option("--minimise", o.minimise, "weak, strong, trace or ltsa; weak if no kind is given")
      ->type_name("KIND")
      ->expected(0, 1)
      ->default_str("weak");
  compose.app->add_option("-o,--output", o.output, "write it to OUT (.aut, .dot, .json, .lts)")->type_name("OUT");
  commands.emplace_back(compose, [&] { return compose_command(o); });

  Command assume = define("assume", "the assumption that a system needs of its environment", files.c_str(),
                          with(budget, {"--property", "--weakest", "--interface", "--actions", "--output", "--color",
                                        "--verbose", "--engine", "--spin-mode"}));
  auto* weakest = assume.app->add_flag("--weakest", o.weakest, "the weakest, built directly (default)");
  assume.app->add_flag("--interface", o.interface, "learned without an environment; says whether it is the weakest")
      ->excludes(weakest);
  assume.app->get_option("--conformance")->group("Options");
  auto* actions = assume.app->add_option("--actions", o.actions, "its actions: a,b,c (default: all that are visible)")
                      ->type_name("ACTIONS");
  assume.app->add_option("-o,--output", o.output, "write it to OUT (.aut, .dot, .json, .lts)")->type_name("OUT");
  commands.emplace_back(assume, [&, actions] { return assume_command(o, actions->count() > 0); });

  Command compare = define("compare", "are two LTSs equivalent? exit status 0 yes, 1 no",
                           "two models: .aut, .lts, or FILE.lts:NAME for a composite or process of it",
                           {"--equivalence", "--time", "--memory", "--define"});
  compare.app->add_option("--equivalence", o.equivalence, "trace, weak or strong; default: show all, decide by trace")
      ->type_name("KIND");
  commands.emplace_back(compare, [&] { return compare_command(o); });

  Command certify = define(
      "certify", "re-check a certificate with the independent checker",
      "the certificate (.json), then the files of the model you mean: a certificate about anything else is refused",
      {"--time", "--memory", "--property", "--system", "--define"});
  certify.strict = true;
  for (auto* option : certify.app->get_options())
    if (!option->get_lnames().empty() && !certify.used.contains("--" + option->get_lnames()[0])) option->group("");
  commands.emplace_back(certify, [&] { return certify_command(o); });

  Command simulate = define("simulate", "walk through the system, at random or along a script", files.c_str(),
                            with(budget, {"--trace", "--steps", "--seed"}));
  auto* script = simulate.app->add_option("--trace", o.script, "the actions to follow: a,b,c")->type_name("ACTIONS");
  simulate.app->add_option("--steps", o.steps, "length of a random walk (default 20)")->type_name("N");
  commands.emplace_back(simulate, [&] { return simulate_command(o, script->count() > 0); });

  auto* docs = app.add_subcommand("docs", "print the man page or a shell completion")->group("");
  std::string kind;
  docs->add_option("KIND", kind, "man, bash or zsh")->required()->check(CLI::IsMember({"man", "bash", "zsh"}));

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    print(chosen.empty() ? app.help() : chosen[0]->help("surety"));
    return 0;
  } catch (const CLI::CallForVersion&) {
    print(api::tool_name() + "\n");
    return 0;
  } catch (const CLI::ParseError& error) {
    return usage_error(app, error, argc, argv);
  }

  if (docs->parsed()) {
    print(kind == "man" ? man_page(app) : kind == "bash" ? bash_completion(app) : zsh_completion(app));
    return 0;
  }
  if (const auto failure = settle(o)) return fail(*failure);
  if (const auto failure = overwrites(o)) return fail(*failure);
  for (auto& [command, action] : commands) {
    if (!command.app->parsed()) continue;
    for (const auto& option : api::options_of(o.method)) command.used.insert("--" + option);
    if (o.all_sizes)  // has a method of its own
      for (const char* other : {"--method", "--split", "--learner", "--alphabet", "--queries", "--seed-assumption",
                                "--assumption", "--cells", "--reduction", "--engine", "--spin-mode"})
        command.used.erase(other);
    if (o.interface) command.used.insert({"--learner", "--queries", "--conformance", "--threads"});
    if (const auto failure = note_unused(command, o)) return fail(*failure);
    return action();
  }
  return kInternal;
}

}  // namespace
}  // namespace surety::cli

int main(int argc, char** argv) {
  std::signal(SIGINT, surety::cli::on_signal);
  std::signal(SIGTERM, surety::cli::on_signal);
  std::signal(SIGPIPE, SIG_DFL);
  try {
    const int status = surety::cli::run(argc, argv);
    if (std::cout.flush()) return status;
    std::cerr << "error: standard output cannot be written\n";
    return surety::api::Failure::kInput;
  } catch (const std::bad_alloc&) {
    std::cerr << "unknown: out of memory\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "surety: internal error: " << error.what()
              << "\n  Please report this, with the command and the files it was given.\n";
    return 70;
  }
}
