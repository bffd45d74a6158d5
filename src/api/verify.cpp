// One request: its words are read, its files loaded, what it asks for is chosen and checked.

#include "api/verify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "api/json.hpp"
#include "base/check.hpp"
#include "certificate/law.hpp"
#include "check/flavers.hpp"
#include "check/run.hpp"
#include "check/shown_steps.hpp"
#include "check/spin.hpp"
#include "decompose/portfolio/auto.hpp"
#include "load/cells.hpp"

namespace surety::api {
namespace {

// For auto, fat processes come apart if that is found out in no time.
constexpr FspCells kAutoCells{.whole_states = 1'000, .join = false, .most_work = 300'000};

// Words that do not exist are refused.
Outcome<CheckOptions> read_words(const Request& request) {
  for (const auto& ok : {is_known("method", request.method, method_names()),
                         is_known("reduction", request.reduction, {"none", "por", "auto"}),
                         is_known("alphabet mode", request.alphabet, {"full", "refine"})})
    if (!ok) return tl::unexpected(ok.error());
  const auto learner = read_learner(request.learner);
  if (!learner) return tl::unexpected(learner.error());
  CheckOptions out;
  out.method = *method_from_name(request.method);
  out.split = request.split;
  out.learner = *learner;
  out.alphabet = request.alphabet == "full" ? AlphabetMode::full : AlphabetMode::refine;
  out.reduction = *reduction_from_name(request.reduction);
  out.assumption = request.assumption;
  out.seed_assumptions = request.seed_assumptions;
  out.limits = request.limits;
  out.search_states = request.search_states;
  out.threads = request.threads;
  out.certify = request.certify;
  out.unfair = request.unfair;
  out.interrupted = request.interrupted;
  out.progress = request.progress;
  if (request.keep_conjectures) out.kept_steps = kShownSteps;
  const auto spin = spin_from_words(request.engine, request.spin_mode);
  if (!spin) return tl::unexpected(spin.error());
  out.spin = *spin;
  const auto flavers = flavers_from_words(request.engine, request.constraints, request.method);
  if (!flavers) return tl::unexpected(flavers.error());
  out.flavers = *flavers;
  if (out.flavers && out.method == Method::automatic) out.method = Method::monolithic;
  if (auto ok = can_ask_spin(out); !ok) return tl::unexpected(std::move(ok.error()));
  return out;
}

// The model, with the properties that are files or are named but not part of the system. `names`: those that are no
// files.
Outcome<Model> read_files(const Request& request, Method method, std::vector<std::string>& names, Budget& budget) {
  Source source = request.source;
  names = take_property_files(source, request.properties);
  if (source.cells && method == Method::minimise) source.cells->join = true;  // it multiplies components
  // More steps are no help to searches: Ada tasks come apart only where that is asked for.
  const bool ada = !source.files.empty() && is_ada_file(source.files[0], source.language);
  if (!source.cells && method == Method::automatic && !ada) source.cells = kAutoCells;
  if (!source.cells && request.engine == "flavers" && ada) source.cells = kFlowCells;
  source.group = !source.cells && request.split.empty();  // both ask for components that are tasks and variables
  auto model = load(source, budget);
  if (!model) return model;
  if (auto added = add_outside_properties(*model, names, &budget); !added)
    return tl::unexpected(std::move(added.error()));
  return model;
}

Outcome<Model> read_or_take(const Request& request, Method method, std::vector<std::string>& names, Budget& budget) {
  if (request.model == nullptr) return read_files(request, method, names, budget);
  names = request.properties;
  return *request.model;
}

// There may be some that the composite does not have.
tl::unexpected<Failure> no_property(const FspFile& file) {
  std::vector<std::string> outside;
  for (const auto& name : file.processes())
    if (const auto process = file.process(name); process && process->property) outside.push_back(name);
  return usage(
      "there is no property to prove for all sizes",
      outside.empty() ? "" : fmt::format("name one that is not part of the composite: --property {}", outside[0]));
}

Outcome<void> fits_all_sizes(const Request& request) {
  for (const FspDefine& define : request.source.defines)
    if (define.name == request.all_sizes->parameter)
      return usage(fmt::format("{} is defined and asked for at all sizes", define.name), "leave out one of the two");
  for (const auto& file : request.source.files)
    if (is_ada_file(file, request.source.language))
      return tl::unexpected(Failure{
          2,
          {file_error(
              file,
              "unknown: an Ada program is read for one size; the induction over sizes needs the cells of an FSP file",
              fmt::format("--define {}=N checks one size", request.all_sizes->parameter))}});
  for (const auto& file : request.source.files)
    if (!is_fsp_file(file, request.source.language))
      return usage("--all-sizes needs an FSP file with a constant for the size");
  for (const auto& name : request.properties)
    if (is_property_file(name))
      return usage(fmt::format("--all-sizes takes no property from a file: {}", name),
                   "write it as a property process into the FSP file; it need not be part of the composite");
  return {};
}

// As in LTSA, a property that is the whole system is a process with ERROR.
void tell_of_lone_property(Model& model) {
  if (!model.fsp) return;
  const std::string name = model.network.name.substr(0, model.network.name.find('('));
  const auto has = [&](const std::vector<std::string>& names) { return std::ranges::find(names, name) != names.end(); };
  if (!has(model.fsp->properties()) || has(model.fsp->composites())) return;
  auto note = file_error(model.inputs[0].file, fmt::format("the system is the property {} alone", model.network.name),
                         "no component keeps it from what it forbids, which is its ERROR");
  note.severity = Severity::note;
  model.warnings.push_back(std::move(note));
}

// From here on answers are told of. The model must stay where it is.
void announce(const Request& request, const Model& model, Subjects& subjects, CheckOptions& options) {
  for (std::size_t i = 0; i < subjects.size(); ++i) subjects[i].id = static_cast<int>(i);
  if (request.loaded) request.loaded(model);
  if (request.planned) request.planned(subjects);
  options.tell = {request.observer};
  if (request.answered) options.answered = [&](const Check& check) { request.answered(model, check); };
}

Outcome<Report> verify_all_sizes(const Request& request, CheckOptions& options, Budget& budget) {
  if (auto ok = fits_all_sizes(request); !ok) return tl::unexpected(std::move(ok.error()));
  const SizesRange& range = *request.all_sizes;
  const Sizes sizes(request.source, range.parameter, request.properties, std::make_shared<ActionTable>(), budget);
  auto model = sizes.at(range.from);
  if (!model) return tl::unexpected(std::move(model.error()));
  Report report{std::move(*model), {}, {}};
  report.model.defines = request.source.defines;
  if (report.model.priority() != nullptr)
    return usage("--all-sizes does not know priorities", "a composite without << and >> is needed");
  auto subjects = chosen_subjects(report.model, request.properties);
  if (!subjects) return tl::unexpected(std::move(subjects.error()));
  drop_repeats(*subjects, false);
  if (request.properties.empty()) {
    const auto is_other = [](const Subject& subject) { return subject.kind != CheckKind::safety; };
    if (std::erase_if(*subjects, is_other) > 0) {
      auto note = file_error(request.source.files[0],
                             "for all sizes only properties are proved: no deadlock, ERROR, progress or assertion");
      note.severity = Severity::note;
      report.model.warnings.push_back(std::move(note));
    }
    if (subjects->empty()) return no_property(*report.model.fsp);
  }
  announce(request, report.model, *subjects, options);
  auto checks = check_all_sizes(options, range, sizes, report.model, *subjects, budget);
  if (!checks) return tl::unexpected(std::move(checks.error()));
  report.checks = std::move(*checks);
  return report;
}

Outcome<Report> run(const Request& request) {
  auto options = read_words(request);
  if (!options) return tl::unexpected(std::move(options.error()));
  Budget budget(request.limits, request.interrupted, request.progress);
  if (request.all_sizes) return verify_all_sizes(request, *options, budget);
  std::vector<std::string> names;
  auto model = read_or_take(request, options->method, names, budget);
  if (!model) return tl::unexpected(std::move(model.error()));
  Report report{std::move(*model), {}, {}};
  auto subjects = chosen_subjects(report.model, names);
  if (!subjects) return tl::unexpected(subjects.error());
  const Rule* rule = find_method(options->method);
  drop_repeats(*subjects, rule != nullptr && rule->property_per_side);
  warn_of_missing_actions(report.model, *subjects);
  tell_of_lone_property(report.model);
  announce(request, report.model, *subjects, *options);
  auto checks = report.model.promela ? check_program(*options, report.model, *subjects, names, budget, report.spin)
                                     : check_network(*options, report.model, *subjects, budget);
  if (!checks) return tl::unexpected(std::move(checks.error()));
  report.checks = std::move(*checks);
  return report;
}

}  // namespace

std::vector<std::string> method_names() {
  std::vector<std::string> out{std::string(kAuto.name())};
  for (const Rule& rule : all_rules()) out.emplace_back(rule.name());
  return out;
}

std::vector<std::string> options_of(const std::string& method) {
  const auto known = method_from_name(method);
  const Rule* rule = known ? find_method(*known) : nullptr;
  if (rule == nullptr || rule->sides == Rule::Sides::one) return {};
  std::vector<std::string> out{"split"};
  if (rule->refines) out.emplace_back("alphabet");
  if (rule->learns) out.insert(out.end(), {"learner", "queries", "seed-assumption"});
  if (rule->method == Method::asym) out.emplace_back("assumption");
  return out;
}

std::optional<std::uint64_t> whole_states(const Report& report) {
  std::optional<std::uint64_t> states;
  for (const auto& check : report.checks)
    if (check.method == Method::monolithic && check.holds() && !check.cost.reduced)
      states = std::max(states.value_or(0), check.cost.max_states);
  return states;
}

VerdictKind verdict_kind(const Report& report) {
  if (std::ranges::any_of(report.checks, &Check::violated)) return VerdictKind::violated;
  return std::ranges::any_of(report.checks, &Check::open) ? VerdictKind::unknown : VerdictKind::holds;
}

Outcome<Report> verify(const Request& request) {
  const auto start = std::chrono::steady_clock::now();
  auto report = run(request);
  if (report) {
    report->options = options_json(request);
    report->time_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
#ifdef SURETY_LAWS
  const bool limited = request.limits.time || request.limits.memory;  // the law keeps no limits
  if (report && !limited) {
    const auto lost = lost_in_a_file(report->checks, *report->model.actions);
    check(lost.empty(), lost.c_str());
  }
#endif
  return report;
}

SavedTrace saved_trace(const Check& check, const ActionTable& actions) {
  const auto& violated = std::get<Violated>(check.verdict);
  if (!check.steps.empty())
    return {check.steps, violated.cycle.empty() ? check.steps.size() : violated.trace.size(), check.kind,
            check.property};
  SavedTrace out{{}, violated.trace.size(), check.kind, check.property};
  for (const Trace* part : {&violated.trace, &violated.cycle})
    for (const Action a : *part) out.steps.push_back({std::string(actions.name(a)), {}});
  return out;
}

}  // namespace surety::api
