// SARIF 2.1.0, the format of OASIS for what analysers find: a result for each violation, for each check that stayed
// open, and for each message about the input.
//
// GitHub shows only results with a line, so that each has one: what is declared nowhere, like freedom from deadlock, is
// shown at the system. A trace is a code flow; a step of a program is at its statement, one of a network at the first
// process that takes part.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "api/commands.hpp"
#include "api/json.hpp"
#include "cli/ci.hpp"
#include "cli/text.hpp"

namespace surety::cli {
namespace {

constexpr const char* kInput = "input";

// A path as a URI: relative ones stay relative, to the folder in which surety ran.
std::string uri(const std::string& path) {
  std::string out = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain || std::string_view("/-._~").find(c) != std::string_view::npos)
      out += c;
    else
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

// Lines only: our columns count bytes, which SARIF does not know.
Json physical(const api::TextPlace& place) {
  return {{"artifactLocation", {{"uri", uri(place.file)}}},
          {"region", {{"startLine", std::max<std::uint64_t>(place.line, 1)}}}};
}

Json result(std::string_view rule, const char* level, const std::string& text, const api::TextPlace& place) {
  return {{"ruleId", rule},
          {"level", level},
          {"message", {{"text", text}}},
          {"locations", Json::array({{{"physicalLocation", physical(place)}}})}};
}

Json flow_location(const std::string& text, const api::TextPlace& place) {
  return {{"location", {{"physicalLocation", physical(place)}, {"message", {{"text", text}}}}}};
}

// The file that the lines of a program's steps are of, if there is no doubt about it.
const std::string* program_file(const api::Model& model) {
  const std::string* out = nullptr;
  for (const api::Input& input : model.inputs)
    if (input.role != api::Input::Role::property) {
      if (out != nullptr) return nullptr;
      out = &input.file;
    }
  return out;
}

// Where it is done, by the first process that takes part.
std::optional<api::TextPlace> place_of_step(const api::Model& model, const api::TraceStep& step) {
  const std::string* const file = program_file(model);
  if (file == nullptr || step.parts.empty() || step.parts.front().line == 0) return std::nullopt;
  return api::TextPlace{*file, step.parts.front().line};
}

Json program_flow(const api::Model& model, const api::Check& check, const api::TextPlace& otherwise) {
  Json out = Json::array();
  for (const api::TraceStep& step : check.steps)
    out.push_back(flow_location(fmt::format("{}: {}", step.action, api::who_does_what(step)),
                                place_of_step(model, step).value_or(otherwise)));
  return out;
}

Json network_flow(const api::Model& model, const api::Check& check, const Violated& violated,
                  const api::TextPlace& otherwise) {
  Trace all = violated.trace;
  all.insert(all.end(), violated.cycle.begin(), violated.cycle.end());
  Json out = Json::array();
  for (std::size_t i = 0; i < all.size(); ++i) {
    api::TextPlace place = otherwise;
    std::string text(model.actions->name(all[i]));
    if (i < check.takes_part.size() && !check.takes_part[i].empty()) {
      text += fmt::format(" ({})", fmt::join(check.takes_part[i], ", "));
      place = api::place_of(model, check.takes_part[i].front()).value_or(otherwise);
    }
    out.push_back(flow_location(text, place));
  }
  return out;
}

// What repeats for ever is marked in each of its steps.
void mark_cycle(Json& flow, const Violated& violated) {
  if (violated.cycle.empty()) return;
  for (std::size_t i = violated.trace.size(); i < flow.size(); ++i) {
    Json& text = flow[i]["location"]["message"]["text"];
    text = "for ever: " + text.get<std::string>();
  }
}

Json check_result(const api::Model& model, const api::Check& check, bool strict) {
  const api::TextPlace place = place_to_show(model, check);
  const bool fails = check.violated() || strict;
  std::string text = headline(model, check);
  if (check.open()) text += fmt::format(" ({})", api::check_json(check, model).value("why", ""));
  Json out = result(name_of(check.kind), fails ? "error" : "none", text, place);
  out["kind"] = fails ? "fail" : "open";
  out["partialFingerprints"] = {
      {"suretyCheck/v1", fmt::format("{}/{}/{}", model.network.name, name_of(check.kind), check.property)}};
  if (const auto* violated = std::get_if<Violated>(&check.verdict)) {
    Json flow = check.steps.empty() ? network_flow(model, check, *violated, place) : program_flow(model, check, place);
    mark_cycle(flow, *violated);
    if (!flow.empty())
      out["codeFlows"] = Json::array({{{"threadFlows", Json::array({{{"locations", std::move(flow)}}})}}});
  }
  return out;
}

// What is about no file is about the first one.
Json message_result(const Diagnostic& d, const std::string& file) {
  const char* const level = d.severity == Severity::error     ? "error"
                            : d.severity == Severity::warning ? "warning"
                                                              : "note";
  return result(kInput, level, d.hint.empty() ? d.message : d.message + " (" + d.hint + ")",
                {d.file.empty() ? file : d.file, d.line});
}

// GitHub asks for all three texts.
Json rules() {
  const auto rule = [](std::string_view id, const char* text, const char* full) {
    return Json{{"id", id},
                {"shortDescription", {{"text", text}}},
                {"fullDescription", {{"text", full}}},
                {"help", {{"text", "surety check -v FILE prints the trace; surety simulate FILE walks through it."}}}};
  };
  return {rule(name_of(CheckKind::safety), "A safety property is violated",
               "There is a run whose actions the property does not allow; the last step of the trace is the first one "
               "that is wrong."),
          rule(name_of(CheckKind::error), "ERROR is reached, an assert fails, or a task dies",
               "There is a run that comes to a state that the model itself calls an error."),
          rule(name_of(CheckKind::deadlock), "A deadlock is reached",
               "There is a run after which nothing can happen, though not all processes may end there."),
          rule(name_of(CheckKind::progress), "Some actions stop happening for ever",
               "There is an endless run in which none of the actions of the set happens any more."),
          rule(name_of(CheckKind::ltl), "A formula of temporal logic is violated",
               "There is a run for which the formula is false; what repeats for ever is the last part of the trace."),
          rule(kInput, "Something about the input",
               "An input cannot be read as it stands, or says something that may not be meant.")};
}

}  // namespace

Json sarif(const CiRun& run) {
  Json results = Json::array();
  const std::string& file = run.files.front();
  const auto add = [&](const Diagnostics& messages) {
    for (const Diagnostic& d : messages) results.push_back(message_result(d, file));
  };
  if (const auto& report = run.outcome) {
    for (const api::Check& check : report->checks)
      if (!check.holds()) results.push_back(check_result(report->model, check, run.strict));
    add(report->model.warnings);
  } else {
    add(report.error().diagnostics);
  }
  const std::string tool = api::tool_name();  // "surety 0.1.0"
  const auto blank = tool.find(' ');
  Json out{{"tool", {{"driver", {{"name", tool.substr(0, blank)}, {"version", tool.substr(blank + 1)}}}}}};
  out["tool"]["driver"]["rules"] = rules();
  out["automationDetails"] = {{"id", fmt::format("surety/{}/", uri(file))}};  // tells models of one commit apart
  out["invocations"] = Json::array({{{"executionSuccessful", run.outcome.has_value()}, {"exitCode", run.status}}});
  out["results"] = std::move(results);
  return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
          {"version", "2.1.0"},
          {"runs", Json::array({std::move(out)})}};
}

api::TextPlace place_to_show(const api::Model& model, const api::Check& check) {
  const auto first_line = [](api::TextPlace place) {
    place.line = std::max<std::uint64_t>(place.line, 1);
    return place;
  };
  if (auto place = api::place_of(model, check.kind, check.property)) return first_line(*place);
  if (check.kind == CheckKind::error && check.violated() && !check.steps.empty())
    if (auto place = place_of_step(model, check.steps.back())) return *place;
  return first_line(api::place_of(model, model.network.name).value_or(api::TextPlace{model.inputs.front().file}));
}

std::string headline(const api::Model& model, const api::Check& check) {
  const std::string text = to_text(model, check, {.detail = 1});
  return text.substr(0, text.find('\n'));
}

}  // namespace surety::cli
