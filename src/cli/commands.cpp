#include "cli/commands.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <string_view>

#include "api/commands.hpp"
#include "api/events.hpp"
#include "api/json.hpp"
#include "api/verify.hpp"
#include "base/beneath.hpp"
#include "base/check.hpp"
#include "base/file.hpp"
#include "base/stand_in.hpp"
#include "cli/ci.hpp"
#include "cli/interactive.hpp"
#include "cli/progress.hpp"
#include "cli/serve.hpp"
#include "cli/study.hpp"
#include "cli/text.hpp"
#include "load/split.hpp"
#include "lsp/server.hpp"

namespace surety::cli {
namespace {

constexpr int kHolds = 0, kViolated = 1, kUnknown = 2, kInternal = 70;

// What a command runs with, beside its options.
struct Run {
  const std::atomic<bool>* interrupted = nullptr;
  api::EventWriter* events = nullptr;  // null: none are written

  void tell_model(const api::Model& model) const {
    if (events != nullptr) events->model(model);
  }
  void tell_plan(const api::Subjects& subjects) const {
    if (events != nullptr) events->plan(subjects);
  }
};

// The events say how far it is, as long as this lives.
class Watching {
 public:
  Watching(api::EventWriter* events, const Progress& progress) : events_(events) {
    if (events_ != nullptr) events_->watch(&progress);
  }
  ~Watching() {
    if (events_ != nullptr) events_->watch(nullptr);
  }
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;

 private:
  api::EventWriter* events_;
};

// As no-color.org says; and a dumb terminal knows no colours.
bool wants_colors() {
  const char* const no_color = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  return (no_color == nullptr || *no_color == 0) && (terminal == nullptr || std::string_view(terminal) != "dumb");
}

void warn(const Diagnostics& warnings, const Options& options) {
  if (options.quiet) return;
  for (const auto& d : warnings) std::cerr << render(d);
}

// What became of fat processes, after the answer.
void tell_of_cells(const api::Model& model, const Options& options) {
  if (options.verbose == 0 || options.json) return;
  for (const auto& note : model.cell_notes) std::cout << "cells: " << note << "\n";
}

void print(const std::string& text) { std::cout << text << std::flush; }

Style style(const Options& options) {
  const bool terminal = ::isatty(STDOUT_FILENO) == 1 && wants_colors();
  return {options.color == "always" || (options.color == "auto" && terminal), options.quiet, options.brief,
          options.verbose};
}

api::Source source(const Options& options) {
  api::Source out;
  out.files = options.files;
  out.language = options.language;
  out.system = options.system;
  out.defines = options.defines;
  out.texts = options.texts;
  out.cells = options.cells;
  return out;
}

// For commands that only take property files.
api::Source source_with_properties(const Options& options) {
  api::Source out = source(options);
  out.property_files = options.properties;
  return out;
}

// One file per assumption: x.aut, or x.1.aut, x.2.aut, ... if there are several.
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
  const api::Check* violated = nullptr;
  const std::vector<Lts>* assumptions = nullptr;
  for (const auto& check : report.checks) {
    if (const auto* h = std::get_if<Holds>(&check.verdict)) {
      holds |= check.certified;
      if (!h->certificate.assumptions.empty() && assumptions == nullptr) assumptions = &h->certificate.assumptions;
    }
    if (check.violated() && violated == nullptr) violated = &check;
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
    if (violated == nullptr)
      note("--trace", "nothing is violated");
    else if (auto w = api::save_trace(api::saved_trace(*violated, actions), *report.model.actions, options.trace_file);
             !w)
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

// A certificate or trace of an earlier run must not be taken for one of this run, which may write none. What looks like
// neither is left alone.
void remove_old_outputs(const Options& options) {
  std::error_code none;
  const auto remove = [&](const std::string& file) {
    std::filesystem::remove(std::filesystem::canonical(file, none), none);  // not a link to it
  };
  if (api::is_certificate_file(options.certificate)) remove(options.certificate);
  if (api::was_saved_as_trace(options.trace_file)) remove(options.trace_file);
}

// An old file is removed, so that one that is there afterwards is of this run.
api::Outcome<void> prepare_ci_files(const Options& options) {
  for (const auto* file : {&options.junit, &options.sarif})
    if (!file->empty())
      if (auto ok = can_write(*file); !ok) return api::bad_input(std::move(ok.error()));
  for (const std::filesystem::path file : {options.junit, options.sarif})
    if (is_regular_file(symlink_status(file))) remove(file);
  return {};
}

api::Outcome<void> write_ci_files(const CiRun& run, const Options& options) {
  if (!options.junit.empty())
    if (auto w = write_file(options.junit, junit(run)); !w) return api::bad_input(std::move(w.error()));
  if (!options.sarif.empty())
    if (auto w = write_file(options.sarif, dump(sarif(run))); !w) return api::bad_input(std::move(w.error()));
  return {};
}

int tell_answers(const api::Report& report, const Options& options) {
  print(options.json ? dump(api::to_json(report)) : summary(report, style(options)));
  tell_of_cells(report.model, options);
  if (auto written = write_extras(report, options); !written) return fail(written.error(), options.json);
  const VerdictKind verdict = verdict_kind(report);
  return verdict == VerdictKind::holds ? kHolds : verdict == VerdictKind::violated ? kViolated : kUnknown;
}

int check_command(const Options& options, const Run& run) {
  for (const auto* file : {&options.trace_file, &options.assumption_out})
    if (!file->empty())
      if (auto ok = api::can_save(*file); !ok) return fail(ok.error(), options.json);
  if (auto ok = prepare_ci_files(options); !ok) return fail(ok.error(), options.json);
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
  request.constraints = options.constraints;
  request.spin_mode = options.spin_mode;
  request.assumption = options.assumption;
  request.seed_assumptions = options.seed_assumptions;
  if (options.all_sizes) request.all_sizes = {options.all_sizes->name, options.all_sizes->value};
  request.limits = options.limits;
  request.threads = options.threads;
  request.certify = !options.no_certify;
  request.unfair = options.unfair;
  request.interrupted = run.interrupted;
  request.progress = &progress;
  request.keep_conjectures = options.json;
  request.observer = run.events;
  request.loaded = [&](const api::Model& model) {
    warn(model.warnings, options);
    run.tell_model(model);
  };
  request.planned = [&](const api::Subjects& subjects) { run.tell_plan(subjects); };
  remove_old_outputs(options);
  api::Outcome<api::Report> report = [&] {
    ProgressLine ticker(progress, options.quiet);
    const Watching watching(run.events, progress);
    request.answered = [&](const api::Model& model, const api::Check& check) {
      if (!options.json && !options.quiet) ticker.make_room([&] { print(to_text(model, check, style(options))); });
      if (run.events != nullptr) run.events->verdict(check);
    };
    return api::verify(request);
  }();
  const int status = report ? tell_answers(*report, options) : fail(report.error(), options.json);
  if (auto written = write_ci_files({report, options.files, options.strict, status}, options); !written)
    return fail(written.error(), options.json);
  return status;
}

int info_command(const Options& options, const Run& run) {
  if (!options.output.empty() && (options.engine != "flavers" || !options.output.ends_with(".dot")))
    return fail(api::usage("info -o writes the trace flow graph as a .dot file", "--engine flavers -o OUT.dot").value(),
                options.json);
  api::InfoRequest request{source_with_properties(options), options.unreached, {}, options.limits, run.interrupted};
  if (options.engine == "flavers") request.constraints = options.constraints.empty() ? "none" : options.constraints;
  auto info = api::info(request);
  if (!info) return fail(info.error(), options.json);
  if (info->flow && !options.output.empty())
    if (auto written = write_file(options.output, info->flow->dot); !written)
      return fail({api::Failure::kInput, written.error()}, options.json);
  warn(info->model.warnings, options);
  print(options.json ? dump(api::to_json(*info, options.lts)) : to_text(*info, style(options)));
  tell_of_cells(info->model, options);
  const bool searched = !info->unreached || info->unreached->why == Stop::none;
  return info->why == Stop::none && searched ? 0 : kUnknown;
}

api::Outcome<api::Composition> composition(const Options& options, const Run& run) {
  Progress progress;
  const ProgressLine ticker(progress, options.quiet);
  const Watching watching(run.events, progress);
  return api::compose_files({source_with_properties(options), options.minimise, options.limits, run.interrupted,
                             &progress, [&](const api::Model& model) { run.tell_model(model); }});
}

int compose_command(const Options& options, const Run& run) {
  if (!options.output.empty())
    if (auto ok = api::can_save(options.output, options.format); !ok) return fail(ok.error(), options.json);
  const auto composed = composition(options, run);
  if (!composed) return fail(composed.error(), options.json);
  warn(composed->model.warnings, options);
  if (composed->lts && !options.output.empty()) {
    if (auto written = api::save(*composed->lts, *composed->model.actions, options.output, options.format); !written)
      return fail(written.error(), options.json);
  }
  if (options.output == "-" && composed->lts) return 0;
  print(options.json ? dump(api::to_json(*composed)) : to_text(*composed));
  tell_of_cells(composed->model, options);
  return composed->lts ? 0 : kUnknown;
}

int draw_command(const Options& options, const Run& run) {
  if (!options.output.empty())
    if (auto ok = api::can_draw(options.output); !ok) return fail(ok.error(), options.json);
  const auto composed = composition(options, run);
  if (!composed) return fail(composed.error(), options.json);
  warn(composed->model.warnings, options);
  if (composed->lts) {
    const std::string& name = composed->model.network.name;
    const std::string file = options.output.empty() ? name + ".svg" : options.output;
    if (auto ok = api::can_draw(file); !ok) return fail(ok.error(), options.json);
    Limits limits = options.limits;
    if (!limits.time) limits.time = std::chrono::minutes(1);  // Graphviz may take hours
    Budget budget(limits, run.interrupted);
    if (auto drawn = api::draw(*composed->lts, *composed->model.actions, name, file, budget); !drawn)
      return fail(drawn.error(), options.json);
    if (options.output.empty() && !options.quiet && !options.json) print(fmt::format("wrote {}\n", file));
  }
  print(options.json ? dump(api::to_json(*composed)) : to_text(*composed));
  return composed->lts ? 0 : kUnknown;
}

int assume_command(const Options& options, const Run& run) {
  if (!options.output.empty())
    if (auto ok = api::can_save(options.output, options.format); !ok) return fail(ok.error(), options.json);
  Progress progress;
  api::AssumeRequest request;
  request.source = source(options);
  request.properties = options.properties;
  request.interface = options.interface;
  request.conformance = options.conformance;
  if (options.actions) request.actions = api::split_names(*options.actions);
  request.learner = options.learner;
  request.engine = options.engine;
  request.spin_mode = options.spin_mode;
  request.limits = options.limits;
  request.threads = options.threads;
  request.interrupted = run.interrupted;
  request.progress = &progress;
  request.keep_conjectures = options.json;
  request.observer = run.events;
  request.loaded = [&](const api::Model& model) { run.tell_model(model); };
  api::Outcome<api::Assumed> assumed = [&] {
    const ProgressLine ticker(progress, options.quiet);
    const Watching watching(run.events, progress);
    return api::assume(request);
  }();
  if (!assumed) return fail(assumed.error(), options.json);
  warn(assumed->model.warnings, options);
  if (options.output != "-" || assumed->why != Stop::none)
    print(options.json ? dump(api::to_json(*assumed)) : to_text(*assumed, style(options)));
  tell_of_cells(assumed->model, options);
  const bool done = assumed->why == Stop::none;
  if (!options.output.empty()) {
    if (!done) {
      if (!options.quiet) std::cerr << "note: --output not written: the budget ended\n";
    } else if (auto written = api::save(*assumed->assumption, *assumed->model.actions, options.output, options.format);
               !written) {
      return fail(written.error(), options.json);
    }
  }
  return done ? 0 : kUnknown;
}

int compare_command(const Options& options, const Run& run) {
  if (options.files.size() != 2) return fail(api::usage("compare takes exactly two files").value(), options.json);
  auto comparison = api::compare({{options.files[0], options.files[1]},
                                  options.equivalence,
                                  options.language,
                                  options.defines,
                                  options.texts,
                                  options.limits,
                                  run.interrupted});
  if (!comparison) return fail(comparison.error(), options.json);
  print(options.json ? dump(api::to_json(*comparison)) : to_text(*comparison));
  if (comparison->lines.empty()) return kUnknown;
  return comparison->equivalent() ? 0 : 1;
}

int certify_command(const Options& options, const Run& run) {
  api::CertifyRequest request{options.files[0]};
  request.files.assign(options.files.begin() + 1, options.files.end());
  if (request.files.empty() && !options.language.empty())
    return fail(
        api::usage("--language is not used by certify without a model", "name the model: CERTIFICATE FILE").value(),
        options.json);
  request.language = options.language;
  request.system = options.system;
  request.defines = options.defines;
  request.properties = options.properties;
  request.texts = options.texts;
  request.limits = options.limits;
  request.interrupted = run.interrupted;
  request.observer = run.events;
  request.loaded = [&](const api::Model& model) { run.tell_model(model); };
  request.planned = [&](const api::Subjects& subjects) { run.tell_plan(subjects); };
  auto certification = api::certify_file(request);
  if (!certification) return fail(certification.error(), options.json);
  print(options.json ? dump(api::to_json(*certification)) : to_text(*certification));
  if (!certification->finished()) return kUnknown;
  return certification->accepted() ? 0 : 1;
}

// Whether the script was followed to its end, to what it shows.
int status_of_following(const api::Simulation& simulation) {
  if (simulation.why != Stop::none) return kUnknown;
  return simulation.stuck || simulation.expected ? 1 : 0;
}

int interactive_command(const Options& options, const api::SimulateRequest& request) {
  if (options.json) return fail(api::usage("--interactive goes with no --json").value(), options.json);
  if (std::ranges::find(options.files, "-") != options.files.end())
    return fail(api::usage("--interactive reads standard input, so no model can come from there").value(),
                options.json);
  auto walk = api::open_walk(request);
  if (!walk) return fail(walk.error(), options.json);
  warn(walk->walker->model().warnings, options);
  std::signal(SIGINT, SIG_DFL);  // at a prompt it just ends
  const int status = walk_by_hand(*walk, options.seed, std::cin, std::cout, ::isatty(STDIN_FILENO) != 1);
  const int followed = walk->followed ? status_of_following(*walk->followed) : 0;
  return followed == 0 ? status : followed;
}

int simulate_command(const Options& options, const Run& run) {
  api::SimulateRequest request;
  request.source = source(options);
  request.properties = options.properties;
  request.steps = options.steps;
  request.seed = options.seed;
  request.limits = options.limits;
  request.interrupted = run.interrupted;
  request.trail = options.trail;
  if (options.script && !options.trail.empty())
    return fail(api::usage("--trail goes with no --trace").value(), options.json);
  if (options.script && api::is_trace_file(*options.script))
    request.trace_file = *options.script;
  else if (options.script)
    request.trace = api::split_names(*options.script);
  if (options.interactive) return interactive_command(options, request);
  auto simulation = api::simulate(request);
  if (!simulation) return fail(simulation.error(), options.json);
  warn(simulation->model.warnings, options);
  print(options.json ? dump(api::to_json(*simulation)) : to_text(*simulation));
  const int followed = status_of_following(*simulation);
  return followed == 0 && simulation->is_wrong() ? 1 : followed;
}

}  // namespace

int fail(const api::Failure& failure, bool json) {
  for (const auto& d : failure.diagnostics)
    if (d.severity != Severity::note) std::cerr << render(d);  // a note is for a page that lists them
  if (json) print(dump(api::to_json(failure)));
  return failure.status;
}

namespace {

using Command = int (*)(const Options&, const Run&);

// What an exit status says of a command.
std::string_view verdict_of(const std::string& command, int status) {
  static const std::map<std::string, std::pair<const char*, const char*>> kWords = {
      {"check", {"holds", "violated"}}, {"certify", {"accepted", "refused"}}, {"compare", {"equivalent", "different"}}};
  if (status > kUnknown) return "error";
  if (status == kUnknown) return "unknown";
  const auto words = kWords.find(command);
  if (words == kWords.end()) return "done";
  return status == 0 ? words->second.first : words->second.second;
}

api::Outcome<void> read_overlays(Options& options) {
  for (const std::string& overlay : options.overlays) {
    const auto middle = overlay.find('=');
    if (middle == 0 || middle == std::string::npos)
      return api::usage(fmt::format("--overlay '{}' is not of the form PATH=FILE", overlay));
    auto text = read_file(overlay.substr(middle + 1));
    if (!text) return api::bad_input(std::move(text.error()));
    options.texts[overlay.substr(0, middle)] = std::move(*text);
  }
  return {};
}

// What nobody has asked for may well be misspelt, and then what is saved was read.
void tell_unread_overlays(const Options& options) {
  const auto asked = take_asked_files();
  for (const auto& [path, text] : options.texts)
    if (!asked.contains(one_path(path)))
      std::cerr << fmt::format("note: --overlay {}: nothing has asked for this file\n", path);
}

int lsp_command() {
  std::ios::sync_with_stdio(false);  // what has come lies where it can be seen
  const auto is_there = [] {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    return std::cin.rdbuf()->in_avail() > 0 || ::poll(&input, 1, 0) > 0;
  };
  return lsp::serve(std::cin, std::cout, is_there);
}

// With events: a first line, those of the command, and whatever happens a last one.
int run_with_events(const std::string& name, Command command, const Options& options,
                    const std::vector<std::string>& words, std::atomic<bool>& interrupted) {
  auto events = api::EventWriter::open(options.events, &interrupted);
  if (!events) return fail(events.error(), options.json);
  std::signal(SIGPIPE, SIG_IGN);  // a reader that is gone ends the run, not the process
  (*events)->start(words);
  int status = kInternal;
  try {
    status = command(options, {&interrupted, events->get()});
  } catch (const std::bad_alloc&) {
    (*events)->end("unknown", kUnknown);
    throw;
  } catch (...) {
    (*events)->end("error", kInternal);
    throw;
  }
  if ((*events)->end(verdict_of(name, status), status)) return status;
  std::cerr << fmt::format("error: {}: the events cannot be written\n", options.events);
  return api::Failure::kInput;
}

}  // namespace

int run_command(const std::string& name, Options options, const std::vector<std::string>& words,
                std::atomic<bool>& interrupted) {
  if (name == "serve") return serve_command(options);
  static const std::map<std::string, Command> kCommands = {
      {"check", check_command},   {"info", info_command},        {"compose", compose_command},
      {"assume", assume_command}, {"compare", compare_command},  {"certify", certify_command},
      {"draw", draw_command},     {"simulate", simulate_command}};
  if (auto read = read_overlays(options); !read) return fail(read.error(), options.json);
  if (!options.beneath.empty())  // overlays lie elsewhere, and are read by now
    if (auto stays = stay_beneath(options.beneath); !stays)
      return fail({api::Failure::kInput, stays.error()}, options.json);
  if (name == "lsp") return lsp_command();
  if (name.starts_with("study ")) return study_command(name.substr(6), options, interrupted);
  const auto found = kCommands.find(name);
  check(found != kCommands.end(), "every command of the table is known");
  const int status = options.events.empty() ? found->second(options, {&interrupted, nullptr})
                                            : run_with_events(name, found->second, options, words, interrupted);
  if (status <= kUnknown && !options.quiet) tell_unread_overlays(options);
  return status;
}

}  // namespace surety::cli
