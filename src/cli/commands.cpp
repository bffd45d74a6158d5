#include "cli/commands.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <string_view>

#include "api/commands.hpp"
#include "api/json.hpp"
#include "api/verify.hpp"
#include "base/check.hpp"
#include "base/file.hpp"
#include "cli/interactive.hpp"
#include "cli/progress.hpp"
#include "cli/study.hpp"
#include "cli/text.hpp"
#include "load/split.hpp"

namespace surety::cli {
namespace {

constexpr int kHolds = 0, kViolated = 1, kUnknown = 2;

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

int check_command(const Options& options, const std::atomic<bool>* interrupted) {
  for (const auto* file : {&options.trace_file, &options.assumption_out})
    if (!file->empty())
      if (auto ok = api::can_save(*file); !ok) return fail(ok.error(), options.json);
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
  request.interrupted = interrupted;
  request.progress = &progress;
  request.loaded = [&](const api::Model& model) { warn(model.warnings, options); };
  remove_old_outputs(options);
  api::Outcome<api::Report> report = [&] {
    ProgressLine ticker(progress, options.quiet);
    if (!options.json && !options.quiet)
      request.answered = [&](const api::Model& model, const api::Check& check) {
        ticker.make_room([&] { print(to_text(model, check, style(options))); });
      };
    return api::verify(request);
  }();
  if (!report) return fail(report.error(), options.json);
  print(options.json ? dump(api::to_json(*report)) : summary(*report, style(options)));
  tell_of_cells(report->model, options);
  if (auto written = write_extras(*report, options); !written) return fail(written.error(), options.json);
  const VerdictKind verdict = verdict_kind(*report);
  return verdict == VerdictKind::holds ? kHolds : verdict == VerdictKind::violated ? kViolated : kUnknown;
}

int info_command(const Options& options, const std::atomic<bool>* interrupted) {
  if (!options.output.empty() && (options.engine != "flavers" || !options.output.ends_with(".dot")))
    return fail(api::usage("info -o writes the trace flow graph as a .dot file", "--engine flavers -o OUT.dot").value(),
                options.json);
  api::InfoRequest request{source_with_properties(options), options.unreached, {}, options.limits, interrupted};
  if (options.engine == "flavers") request.constraints = options.constraints.empty() ? "none" : options.constraints;
  auto info = api::info(request);
  if (!info) return fail(info.error(), options.json);
  if (info->flow && !options.output.empty())
    if (auto written = write_file(options.output, info->flow->dot); !written)
      return fail({api::Failure::kInput, written.error()}, options.json);
  warn(info->model.warnings, options);
  print(options.json ? dump(api::to_json(*info)) : to_text(*info, style(options)));
  tell_of_cells(info->model, options);
  const bool searched = !info->unreached || info->unreached->why == Stop::none;
  return info->why == Stop::none && searched ? 0 : kUnknown;
}

api::Outcome<api::Composition> composition(const Options& options, const std::atomic<bool>* interrupted) {
  Progress progress;
  const ProgressLine ticker(progress, options.quiet);
  return api::compose_files(
      {source_with_properties(options), options.minimise, options.limits, interrupted, &progress});
}

int compose_command(const Options& options, const std::atomic<bool>* interrupted) {
  if (!options.output.empty())
    if (auto ok = api::can_save(options.output, options.format); !ok) return fail(ok.error(), options.json);
  const auto composed = composition(options, interrupted);
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

int draw_command(const Options& options, const std::atomic<bool>* interrupted) {
  if (!options.output.empty())
    if (auto ok = api::can_draw(options.output); !ok) return fail(ok.error(), options.json);
  const auto composed = composition(options, interrupted);
  if (!composed) return fail(composed.error(), options.json);
  warn(composed->model.warnings, options);
  if (composed->lts) {
    const std::string& name = composed->model.network.name;
    const std::string file = options.output.empty() ? name + ".svg" : options.output;
    if (auto ok = api::can_draw(file); !ok) return fail(ok.error(), options.json);
    Limits limits = options.limits;
    if (!limits.time) limits.time = std::chrono::minutes(1);  // Graphviz may take hours
    Budget budget(limits, interrupted);
    if (auto drawn = api::draw(*composed->lts, *composed->model.actions, name, file, budget); !drawn)
      return fail(drawn.error(), options.json);
    if (options.output.empty() && !options.quiet && !options.json) print(fmt::format("wrote {}\n", file));
  }
  print(options.json ? dump(api::to_json(*composed)) : to_text(*composed));
  return composed->lts ? 0 : kUnknown;
}

int assume_command(const Options& options, const std::atomic<bool>* interrupted) {
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
  request.interrupted = interrupted;
  request.progress = &progress;
  api::Outcome<api::Assumed> assumed = [&] {
    const ProgressLine ticker(progress, options.quiet);
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

int compare_command(const Options& options, const std::atomic<bool>* interrupted) {
  if (options.files.size() != 2) return fail(api::usage("compare takes exactly two files").value(), options.json);
  auto comparison = api::compare({{options.files[0], options.files[1]},
                                  options.equivalence,
                                  options.language,
                                  options.defines,
                                  options.limits,
                                  interrupted});
  if (!comparison) return fail(comparison.error(), options.json);
  print(options.json ? dump(api::to_json(*comparison)) : to_text(*comparison));
  if (comparison->lines.empty()) return kUnknown;
  return comparison->equivalent() ? 0 : 1;
}

int certify_command(const Options& options, const std::atomic<bool>* interrupted) {
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
  request.limits = options.limits;
  request.interrupted = interrupted;
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

int simulate_command(const Options& options, const std::atomic<bool>* interrupted) {
  api::SimulateRequest request;
  request.source = source(options);
  request.properties = options.properties;
  request.steps = options.steps;
  request.seed = options.seed;
  request.limits = options.limits;
  request.interrupted = interrupted;
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
  for (const auto& d : failure.diagnostics) std::cerr << render(d);
  if (json) print(dump(api::to_json(failure)));
  return failure.status;
}

int run_command(const std::string& name, const Options& options, const std::atomic<bool>& interrupted) {
  static const std::map<std::string, int (*)(const Options&, const std::atomic<bool>*)> kCommands = {
      {"check", check_command},   {"info", info_command},        {"compose", compose_command},
      {"assume", assume_command}, {"compare", compare_command},  {"certify", certify_command},
      {"draw", draw_command},     {"simulate", simulate_command}};
  if (name.starts_with("study ")) return study_command(name.substr(6), options, interrupted);
  const auto found = kCommands.find(name);
  check(found != kCommands.end(), "every command of the table is known");
  return found->second(options, &interrupted);
}

}  // namespace surety::cli
