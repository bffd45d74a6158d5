#include "api/json.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/budget.hpp"
#include "base/replacement.hpp"
#include "certificate/write.hpp"
#include "check/owner.hpp"
#include "check/shown_steps.hpp"
#include "inspect/ada_info.hpp"
#include "lang/fsp/fsp.hpp"
#include "product/compose.hpp"

namespace surety::api {
namespace {

constexpr std::uint32_t kShownStates = 100;  // of an assumption that is written out

Json lts_summary(const Lts& lts, const ActionTable& actions) {
  return {{"states", lts.state_count() - (lts.error() ? 1 : 0)},
          {"transitions", lts.transition_count()},
          {"alphabet", sorted_names(actions, lts.alphabet())}};
}

double rounded(double seconds) { return std::round(seconds * 1e6) / 1e6; }

// For all that is not said there is no member.
void add_if(Json& out, const char* name, const std::string& value) {
  if (!value.empty()) out[name] = value;
}

Json sizes_json(const SizesAnswer& sizes, bool holds) {
  Json out{{"parameter", sizes.parameter}, {"from", sizes.from}, {"holds", holds}, {"base", sizes.proved}};
  if (holds) {
    out["inductive_states"] = sizes.states;
    out["cells"] = sizes.cells;
  }
  if (sizes.violated_at) out["violated_at"] = *sizes.violated_at;
  if (!sizes.why.empty()) out["no_induction"] = sizes.why;
  return out;
}

constexpr std::uint64_t kShownConjectures = 4'000;  // letters and steps of all of a check

// As a file has it, if it is not too large for that.
void add_lts(Json& out, const Lts& lts, const ActionTable& actions) {
  if (lts.transition_count() > kShownSteps) return;
  Json steps = Json::array();
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s})) steps.push_back({s, actions.name(step.action), step.target.value});
  Json& json = out["lts"] = {{"states", lts.state_count()}, {"alphabet", sorted_names(actions, lts.alphabet())}};
  if (lts.error()) json["error"] = lts.error()->value;
  if (lts.end()) json["end"] = lts.end()->value;
  json["steps"] = std::move(steps);
}

// `room`: for letters and steps of conjectures. Thousands of them would be larger than all else.
Json iteration_json(const Iteration& i, const ActionTable& actions, std::uint64_t& room) {
  Json line{{"assumption", i.assumption},   {"size", i.size},    {"oracle", i.oracle}, {"states", i.states},
            {"transitions", i.transitions}, {"result", i.result}};
  if (i.split || !i.word.empty()) line["word"] = names(actions, i.word);
  if (i.split) line["split"] = *i.split;
  line["time_s"] = rounded(i.seconds);
  const std::uint64_t size = i.conjecture ? i.conjecture->alphabet().size() + i.conjecture->transition_count() : 0;
  if (i.conjecture && size <= room) add_lts(line, *i.conjecture, actions);
  room -= std::min(size, room);
  return line;
}

// The components of each side, and the side as one if it is small enough to be built for that.
Json sides_json(const Split& split, const Network& network) {
  constexpr std::uint64_t kMostStates = 10'000;
  Json out = Json::array();
  for (const auto& side : split) {
    std::vector<const Lts*> parts;
    Json entry{{"components", Json::array()}};
    for (const auto& name : side) {
      const auto its = std::ranges::find(network.components, name, &Component::name);
      if (its == network.components.end()) continue;
      parts.push_back(&its->lts);
      entry["components"].push_back(
          {{"name", name}, {"states", its->lts.state_count()}, {"transitions", its->lts.transition_count()}});
    }
    Limits limits;
    limits.states = kMostStates;
    Budget budget(limits);
    if (const auto whole = parts.size() == side.size() ? compose(parts, budget) : std::nullopt) {
      entry["states"] = whole->state_count();
      entry["transitions"] = whole->transition_count();
    }
    out.push_back(std::move(entry));
  }
  return out;
}

Json spin_json(const spin::Statistics& spin) {
  return {{"translations", spin.translations},
          {"compilations", spin.compilations},
          {"cached", spin.cached},
          {"runs", spin.runs},
          {"spin_s", spin.spin_s},
          {"cc_s", spin.cc_s},
          {"pan_s", spin.pan_s},
          {"largest_bytes", spin.largest_bytes}};
}

Json stand_json(const Stand& stand) {
  static constexpr const char* kAs[] = {"waiting", "stopped", "ended", "failed"};
  Json out{{"process", stand.process}, {"at", stand.where}, {"is", kAs[static_cast<std::size_t>(stand.as)]}};
  if (stand.line > 0) out["line"] = stand.line;
  for (const auto& wish : stand.wishes)
    out["can"].push_back({{"action", wish.action}, {"refused_by", wish.refused_by}});
  return out;
}

void add_counterexample(Json& out, const Check& check, const Violated& violated, const ActionTable& actions) {
  out["trace"] = names(actions, violated.trace);
  if (check.kind == CheckKind::progress || check.kind == CheckKind::ltl) out["cycle"] = names(actions, violated.cycle);
  for (const TraceStep& step : check.steps) out["steps"].push_back(step_json(step));
  if (!check.takes_part.empty()) out["participants"] = check.takes_part;
  for (const Stand& stand : check.stands) out["stands"].push_back(stand_json(stand));
  if (!check.starved.empty()) out["starved"] = sorted_names(actions, check.starved);
  if (!check.fluents.empty()) out["fluents"] = fluents_along(check.fluents, violated.trace);
}

void add_reason(Json& out, const Check& check, const Unknown& unknown, const ActionTable& actions) {
  out["why"] = !check.doubt.empty()                       ? check.doubt
               : unknown.why == Stop::none && check.sizes ? check.sizes->why
                                                          : describe(unknown.why);
  if (!check.doubt.empty())
    for (const TraceStep& step : check.steps) out["steps"].push_back(step_json(step));
  if (!unknown.assumptions.empty()) out["known"] = unknown.known;
  if (!unknown.trace.empty()) out["assumption_trace"] = names(actions, unknown.trace);
}

// What was found out by parts: assumptions and conjuncts.
void add_parts(Json& out, const Check& check, const ActionTable& actions) {
  const auto* assumptions = assumptions_of(check.verdict);
  if (assumptions != nullptr && !is_whole(check.method) && !check.sizes) {
    out["assumptions"] = Json::array();
    for (const Lts& a : *assumptions) {
      Json& entry = out["assumptions"].emplace_back(lts_summary(a, actions));
      if (const auto owner = owner_of(check, static_cast<int>(out["assumptions"].size())); !owner.empty())
        entry["of"] = owner;
      if (a.state_count() > 0 && a.state_count() <= kShownStates) entry["fsp"] = to_fsp(a, actions, "A");
      add_lts(entry, a, actions);
    }
  }
  if (const auto* holds = std::get_if<Holds>(&check.verdict); holds != nullptr)
    for (const Conjunct& part : holds->certificate.parts)
      out["conjuncts"].push_back(lts_summary(part.property, actions));
}

void add_cost(Json& out, const Check& check, const ActionTable& actions) {
  const Cost& cost = check.cost;
  out["states"] = cost.states;
  out["transitions"] = cost.transitions;
  out["max_states"] = cost.max_states;
  out["max_transitions"] = cost.max_transitions;
  out["queries"] = cost.queries;
  out["conjectures"] = cost.conjectures;
  out["iterations"] = Json::array();
  std::uint64_t room = kShownConjectures;
  for (const Iteration& i : cost.iterations) {
    Json& line = out["iterations"].emplace_back(iteration_json(i, actions, room));
    if (const auto owner = owner_of(check, i.assumption); !owner.empty()) line["of"] = owner;
  }
  for (const Attempt& a : cost.attempts)
    out["attempts"].push_back({{"method", name_of(a.method)},
                               {"result", a.result},
                               {"max_states", a.max_states},
                               {"time_s", rounded(a.seconds)}});
  if (cost.reduced) out["reduction"] = "por";
  if (!cost.reachable.empty()) out["reachable_states"] = cost.reachable;
}

// Of the engine flavers.
void add_flow(Json& out, const FlowAnswer& flow, const ActionTable& actions) {
  out["engine"] = "flavers";
  out["constraints"] = flow.constraints;
  out["tfg"] = {
      {"points", flow.points}, {"nodes", flow.nodes}, {"edges", flow.edges}, {"mip", flow.mip}, {"pairs", flow.pairs}};
  out["searches"] = flow.searches;
  if (flow.path.empty()) return;
  static constexpr const char* kFeasible[] = {"yes", "no", "open"};
  out["path"] = names(actions, flow.path);
  out["feasible"] = kFeasible[static_cast<std::size_t>(flow.feasible)];
}

// Where a walk is, beside the states of components, and what can happen next.
void add_situation(Json& out, const Situation& situation, const Model& model) {
  for (const auto& [name, value] : situation.properties) out["properties"][name] = value;
  if (model.promela)
    for (const auto& [name, value] : situation.values) out["values"][name] = value;
  out["moves"] = Json::array();
  for (const Move& move : situation.moves) out["moves"].push_back(move_json(move, model));
}

Json composite_json(const Info::Composite& composite, const Model& model, bool steps) {
  Json out{{"components", Json::array()}};
  if (const auto place = place_of(model, composite.name)) out["place"] = place_json(*place);
  out["machines"] = Json::array();
  for (const Info::Machine& machine : composite.machines) {
    out["components"].push_back(machine.name);
    Json& entry = out["machines"].emplace_back(Json{{"name", machine.name}});
    entry.update(lts_summary(machine.lts, *model.actions));
    entry["property"] = machine.property;
    add_if(entry, "definition", machine.definition);
    if (steps) add_lts(entry, machine.lts, *model.actions);
  }
  return out;
}

Json subject_json(const Subject& subject) {
  Json out{{"kind", name_of(subject.kind)}};
  if (!subject.name.empty()) out["property"] = subject.name;
  if (!subject.from.empty()) out["from"] = subject.from;
  return out;
}

}  // namespace

Json to_json(const Failure& failure) {
  Json out{{"schema", 1}};
  if (failure.status == Failure::kStopped) out["verdict"] = "unknown";
  out["errors"] = Json::array();
  for (const Diagnostic& d : failure.diagnostics) {
    const char* severity = d.severity == Severity::error     ? "error"
                           : d.severity == Severity::warning ? "warning"
                                                             : "note";
    Json& entry = out["errors"].emplace_back(Json{{"severity", severity}});
    add_if(entry, "file", d.file);
    if (d.line > 0) {
      entry["line"] = d.line;
      entry["column"] = d.column;
      entry["length"] = d.length;
    }
    entry["message"] = d.message;
    add_if(entry, "hint", d.hint);
    add_if(entry, "replacement", replacement_of(d));
  }
  return out;
}

Json warnings_json(const Diagnostics& warnings) {
  Json out = Json::array();
  for (const auto& w : warnings) out.push_back(w.file.empty() ? w.message : w.file + ": " + w.message);
  return out;
}

Json place_json(const TextPlace& place) {
  Json out{{"file", place.file}};
  if (place.line > 0) out.update({{"line", place.line}, {"column", place.column}, {"length", place.length}});
  return out;
}

Json move_json(const Move& move, const Model& model) {
  Json out = step_json(move.step);
  out["who"] = move.who;
  add_if(out, "to", position_text(model, move.to));
  if (!move.violates.empty()) out["violates"] = move.violates;
  add_if(out, "error", move.error);
  if (move.hidden) out["hidden"] = true;
  return out;
}

Json check_json(const Check& check, const Model& model) {
  const ActionTable& actions = *model.actions;
  Json out{{"kind", name_of(check.kind)}};
  if (!check.property.empty()) out["property"] = check.property;
  if (const auto place = place_of(model, check.kind, check.property)) out["place"] = place_json(*place);
  out["verdict"] = name_of(check.verdict);
  out["method"] = name_of(check.method);
  if (check.flow) add_flow(out, *check.flow, actions);
  if (check.sizes)
    out["all_sizes"] = sizes_json(*check.sizes, check.holds());
  else if (!is_whole(check.method)) {
    out["split"] = check.split;
    if (check.split.size() > 1) out["sides"] = sides_json(check.split, model.network);
  }
  if (const auto* violated = std::get_if<Violated>(&check.verdict)) add_counterexample(out, check, *violated, actions);
  if (const auto* unknown = std::get_if<Unknown>(&check.verdict)) add_reason(out, check, *unknown, actions);
  add_parts(out, check, actions);
  if (!check.note.empty()) out["note"] = check.note;
  add_cost(out, check, actions);
  out["certified"] = check.certified;
  if (!check.not_certified.empty()) out["not_certified"] = check.not_certified;
  if (check.confirmed_states) out["confirmed_states"] = *check.confirmed_states;
  out["time_s"] = rounded(check.time_s);
  out["recheck_s"] = rounded(check.recheck_s);
  return out;
}

Json options_json(const Request& request) {
  Json out{{"property", request.properties}, {"method", request.method}};
  add_if(out, "system", request.source.system);
  add_if(out, "language", request.source.language);
  if (request.source.cells) out["cells"] = request.source.cells->whole_states;
  add_if(out, "split", request.split);
  out["learner"] = request.learner;
  out["alphabet"] = request.alphabet;
  out["reduction"] = request.reduction;
  out["engine"] = request.engine;
  add_if(out, "constraints", request.constraints);
  if (request.engine == "spin") out["spin_mode"] = request.spin_mode;
  add_if(out, "assumption", request.assumption);
  if (!request.seed_assumptions.empty()) out["seed_assumption"] = request.seed_assumptions;
  if (request.all_sizes)
    out["all_sizes"] = {{"parameter", request.all_sizes->parameter}, {"from", request.all_sizes->from}};
  out["threads"] = request.threads;
  out["certify"] = request.certify;
  out["unfair"] = request.unfair;
  if (const auto& time = request.limits.time) out["time_s"] = std::chrono::duration<double>(*time).count();
  if (request.limits.memory) out["memory_bytes"] = *request.limits.memory;
  if (request.limits.states) out["states"] = *request.limits.states;
  if (request.limits.queries) out["queries"] = *request.limits.queries;
  return out;
}

Json to_json(const Report& report) {
  Json out{{"schema", 1},
           {"tool", tool_name()},
           {"system", report.model.network.name},
           {"verdict", name_of(verdict_kind(report))}};
  out["inputs"] = Json::array();
  for (const Input& input : report.model.inputs) out["inputs"].push_back(input_json(input, input.file));
  if (!report.model.defines.empty()) out["define"] = defines_json(report.model.defines);
  out["options"] = report.options;
  out["checks"] = Json::array();
  const auto whole = whole_states(report);
  for (const auto& check : report.checks) {
    out["checks"].push_back(check_json(check, report.model));
    if (whole && check.method != Method::monolithic) out["checks"].back()["whole_states"] = *whole;
  }
  if (!report.model.cell_notes.empty()) out["cells"] = report.model.cell_notes;
  if (report.spin) out["spin"] = spin_json(*report.spin);
  out["time_s"] = rounded(report.time_s);
  out["peak_bytes"] = peak_resident_bytes();
  out["warnings"] = warnings_json(report.model.warnings);
  return out;
}

Json to_json(const Info& info, bool steps) {
  Json out{{"schema", 1}, {"processes", Json::object()}};
  for (const auto& process : info.processes) {
    Json& entry = out["processes"][process.name] = lts_summary(process.lts, *info.model.actions);
    if (const auto place = place_of(info.model, process.name)) entry["place"] = place_json(*place);
    if (steps) add_lts(entry, process.lts, *info.model.actions);
  }
  if (!info.model.cell_notes.empty()) out["cells"] = info.model.cell_notes;
  out["composites"] = Json::object();
  for (const auto& composite : info.composites)
    out["composites"][composite.name] = composite_json(composite, info.model, steps);
  out["properties"] = info.properties;
  out["progress"] = info.progress;
  out["assertions"] = info.assertions;
  out["places"] = Json::object();
  for (const auto& [kind, names] :
       {std::pair(CheckKind::safety, &info.properties), std::pair(CheckKind::progress, &info.progress),
        std::pair(CheckKind::ltl, &info.assertions)})
    for (const std::string& name : *names)
      if (const auto place = place_of(info.model, kind, name)) out["places"][name] = place_json(*place);
  out["constants"] = Json::object();
  for (const auto& constant : info.constants)
    std::visit([&](const auto& value) { out["constants"][constant.name] = value; }, constant.value);
  for (const auto& part : info.parts) out[part.kind][part.name] = {{"about", part.about}};
  if (info.why != Stop::none) {
    out["not_taken_apart"] = {{"stopped_by", describe(info.why)}};
  } else if (const auto& d = info.not_apart) {
    out["not_taken_apart"] = {{"message", d->message}, {"file", d->file}, {"line", d->line}, {"column", d->column}};
  } else if (info.model.parts) {
    out["globals"] = Json::object();
    for (const PromelaGlobal& global : info.model.parts->globals) out["globals"][global.name] = shared_json(global);
  }
  if (info.model.ada) add_ada_info(out, info.model);
  if (info.unreached) {
    Json& unreached = out["unreached"];
    unreached["verdict"] = info.unreached->why == Stop::none ? "known" : "unknown";
    if (info.unreached->why != Stop::none) unreached["stopped_by"] = describe(info.unreached->why);
    unreached["states"] = info.unreached->states;
    unreached["statements"] = Json::array();
    for (const auto& line : info.unreached->lines)
      unreached["statements"].push_back(
          {{"process", line.process}, {"line", line.line}, {"statement", line.statement}});
  }
  if (info.flow) out.update(to_json(*info.flow));
  out["warnings"] = warnings_json(info.model.warnings);
  return out;
}

Json to_json(const Composition& c) {
  Json out{{"schema", 1}, {"system", c.model.network.name}};
  if (!c.lts) {
    out["verdict"] = "unknown";
    out["why"] = describe(c.why);
    return out;
  }
  out["states"] = c.states;
  out["transitions"] = c.transitions;
  out["alphabet"] = sorted_names(*c.model.actions, c.lts->alphabet());
  out["error"] = c.lts->error().has_value();
  out["deadlocks"] = c.deadlocks;
  return out;
}

Json to_json(const Assumed& a) {
  Json out{{"schema", 1}, {"system", a.model.network.name}};
  if (a.why != Stop::none) {
    out["verdict"] = "unknown";
    out["why"] = describe(a.why);
  }
  if (a.assumption) {
    out["assumption"] = lts_summary(*a.assumption, *a.model.actions);
    add_lts(out["assumption"], *a.assumption, *a.model.actions);
    out["known"] = a.known;
  }
  out["weakest"] = a.weakest;
  out["max_states"] = a.cost.max_states;
  out["max_transitions"] = a.cost.max_transitions;
  out["queries"] = a.cost.queries;
  out["conjectures"] = a.cost.conjectures;
  out["iterations"] = Json::array();
  std::uint64_t room = kShownConjectures;
  for (const Iteration& i : a.cost.iterations) out["iterations"].push_back(iteration_json(i, *a.model.actions, room));
  if (a.spin) out["spin"] = spin_json(*a.spin);
  out["time_s"] = rounded(a.time_s);
  out["warnings"] = warnings_json(a.model.warnings);
  return out;
}

Json to_json(const Comparison& c) {
  Json out{{"schema", 1}, {"names", c.names}};
  if (c.lines.empty())
    out["verdict"] = "unknown";
  else
    out["equivalent"] = c.equivalent();
  if (c.why != Stop::none) out["why"] = describe(c.why);
  for (const auto& line : c.lines) {
    Json entry{{"equivalent", !line.difference.has_value()}};
    if (line.difference) {
      entry["trace"] = names(*c.actions, line.difference->trace);
      entry["only_in"] = c.names[line.difference->first_has_it ? 0 : 1];
      entry["by_trace"] = line.difference->by_trace;
    }
    out[equivalence_name(line.equivalence)] = entry;
  }
  return out;
}

Json to_json(const Certification& c) {
  Json out{{"schema", 1}, {"system", c.about.system}, {"accepted", c.accepted()}, {"finished", c.finished()}};
  if (!c.refused.empty()) out["reason"] = c.refused;
  out["inputs"] = Json::array();
  for (const Input& input : c.about.inputs) out["inputs"].push_back(input_json(input, input.file));
  out["read"] = Json::array();
  for (const auto& [file, sha256] : c.about.read) out["read"].push_back({{"file", file}, {"sha256", sha256}});
  if (c.about.cpp) out["cpp"] = cpp_json(*c.about.cpp);
  out["define"] = defines_json(c.about.defines);
  if (c.about.cells) out["cells"] = cells_json(*c.about.cells);
  if (c.about.grouped) out["grouped"] = true;
  out["proofs"] = Json::array();
  for (const auto& line : c.lines) {
    Json entry{{"kind", line.kind}};
    if (!line.property.empty()) entry["property"] = line.property;
    if (!line.from.empty()) entry["from"] = line.from;
    if (!line.sizes.empty()) entry["for_every"] = line.sizes;
    entry["rule"] = line.rule;
    entry["accepted"] = line.accepted;
    if (!line.reason.empty()) entry["reason"] = line.reason;
    if (!line.trace.empty()) entry["trace"] = line.trace;
    out["proofs"].push_back(entry);
  }
  out["not_covered"] = Json::array();
  for (const Subject& subject : c.not_covered) out["not_covered"].push_back(subject_json(subject));
  return out;
}

Json to_json(const Simulation& s) {
  Json out{{"schema", 1}, {"system", s.model.network.name}, {"steps", Json::array()}};
  for (const auto& moment : s.moments) {
    Json states = Json::object(), at = Json::object();
    for (std::size_t i = 0; i < moment.states.size(); ++i) {
      states[s.model.network.components[i].name] = moment.states[i].value;
      at[s.model.network.components[i].name] = shown_state(s.model, i, moment.states[i]);
    }
    Json entry = Json::object();
    if (!moment.action.empty()) entry["action"] = moment.action;
    if (!moment.text.empty()) entry["statement"] = moment.text;
    if (!s.model.promela) entry["states"] = states;
    if (s.model.fsp) entry["at"] = at;
    if (!moment.printed.empty()) entry["printed"] = moment.printed;
    if (!moment.error.empty()) entry["error"] = moment.error;
    if (!moment.violated.empty()) entry["violated"] = moment.violated;
    add_situation(entry, moment.situation, s.model);
    entry["enabled"] = moment.enabled;
    out["steps"].push_back(entry);
  }
  out["deadlock"] = s.deadlock;
  out["ended"] = s.ended;
  for (const auto& moment : s.moments) {
    if (!moment.error.empty() && !out.contains("error")) out["error"] = moment.error;
    for (const auto& property : moment.violated) out["violated"].push_back(property);
  }
  if (s.cycle_from) out["cycle_from"] = *s.cycle_from;
  if (s.expected) out["expected"] = name_of(*s.expected);
  if (s.stuck) {
    out["stuck_at"] = s.stuck->action;
    out["stuck_step"] = s.stuck->step;
  }
  if (s.why != Stop::none) out["why"] = describe(s.why);
  return out;
}

}  // namespace surety::api
