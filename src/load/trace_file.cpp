#include "load/trace_file.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/file.hpp"
#include "base/json_place.hpp"
#include "lang/aut/write.hpp"

namespace surety::api {
namespace {

constexpr const char* kPicture = "\" {\n  rankdir=LR;\n  node [shape=circle];\n  entry [shape=point];\n";  // in .dot

std::string ending(const std::string& file) { return std::filesystem::path(file).extension().string(); }

// A chain with one state more than steps, silent steps included; what repeats leads back.
Lts lts_of(const SavedTrace& trace, ActionTable& actions) {
  const auto count = static_cast<std::uint32_t>(trace.steps.size());
  const bool repeats = trace.again < count;
  LtsBuilder builder;
  builder.set_state_count(repeats ? count : count + 1);
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string& name = trace.steps[i].action;
    const std::uint32_t next = repeats && i + 1 == count ? static_cast<std::uint32_t>(trace.again) : i + 1;
    builder.add_step(State{i}, name == "tau" ? kTau : actions.intern(name), State{next});
  }
  const bool fails = trace.kind == CheckKind::error || trace.kind == CheckKind::safety;
  if (fails && !repeats && count > 0) builder.set_error(State{count});
  return builder.build();
}

Json trace_json(const SavedTrace& trace) {
  Json out{{"schema", 1}};
  if (trace.kind) out["kind"] = name_of(*trace.kind);
  if (!trace.property.empty()) out["property"] = trace.property;
  out["trace"] = Json::array();
  out["cycle"] = Json::array();
  bool has_parts = false;
  for (std::size_t i = 0; i < trace.steps.size(); ++i) {
    out[i < trace.again ? "trace" : "cycle"].push_back(trace.steps[i].action);
    has_parts |= !trace.steps[i].parts.empty();
  }
  for (const TraceStep& step : trace.steps)
    if (has_parts) out["steps"].push_back(step_json(step));
  return out;
}

tl::unexpected<Failure> no_trace(const std::string& file, const std::string& why) {
  return bad_input({file_error(file, why, "a trace is a file that surety check --trace has written")});
}

ShownStep part_of(const nlohmann::json& json) {
  return {json.at("process").get<std::string>(),
          json.at("line").get<std::uint32_t>(),
          json.at("statement").get<std::string>(),
          {}};
}

Outcome<SavedTrace> read_json_trace(const std::string& file) {
  auto text = read_file(file);
  if (!text) return bad_input(std::move(text.error()));
  const auto parsed = parse_json(*text, file);
  if (!parsed) return bad_input(parsed.error());
  const nlohmann::json& json = *parsed;
  if (!json.is_object() || !json.contains("trace")) return no_trace(file, "this is no trace");
  SavedTrace out;
  try {
    for (const char* part : {"trace", "cycle"}) {
      if (json.contains(part))
        for (const auto& action : json.at(part)) out.steps.push_back({action.get<std::string>(), {}});
      if (part == std::string_view("trace")) out.again = out.steps.size();
    }
    if (json.contains("kind")) out.kind = check_kind_from_name(json.at("kind").get<std::string>());
    if (json.contains("property")) out.property = json.at("property").get<std::string>();
    if (json.contains("steps")) {
      const auto& steps = json.at("steps");
      if (steps.size() != out.steps.size()) return no_trace(file, "'steps' are not those of 'trace' and 'cycle'");
      for (std::size_t i = 0; i < steps.size(); ++i) {
        if (steps[i].contains("process")) out.steps[i].parts.push_back(part_of(steps[i]));
        if (steps[i].contains("with")) out.steps[i].parts.push_back(part_of(steps[i].at("with")));
      }
    }
  } catch (const nlohmann::json::exception&) {
    return no_trace(file, "this is no trace: something in it is not of the kind it should be");
  }
  return out;
}

Outcome<SavedTrace> trace_of(const Lts& lts, const ActionTable& actions, const std::string& file) {
  SavedTrace out;
  std::vector<std::uint32_t> at(lts.state_count(), UINT32_MAX);  // by state: how many steps before it
  for (State now = lts.initial();;) {
    if (at[now.value] != UINT32_MAX) {
      out.again = at[now.value];
      return out;
    }
    at[now.value] = static_cast<std::uint32_t>(out.steps.size());
    const auto steps = lts.steps(now);
    if (steps.size() > 1) return no_trace(file, fmt::format("this is no trace: state {} has several steps", now.value));
    if (lts.error() == now) out.kind = CheckKind::error;
    if (steps.empty()) break;
    out.steps.push_back({std::string(actions.name(steps[0].action)), {}});
    now = steps[0].target;
  }
  out.again = out.steps.size();
  return out;
}

// The same, as it was written.
bool is_saved_lts(const std::string& file) {
  Limits patience;
  patience.time = std::chrono::seconds(1);
  Budget budget(patience);
  ActionTable actions;
  const auto text = read_file(file);
  const auto trace = read_trace(file, budget);
  return text && trace && *text == saved_text(lts_of(*trace, actions), actions, file);
}

}  // namespace

Json step_json(const TraceStep& step) {
  Json out{{"action", step.action}};
  for (std::size_t i = 0; i < step.parts.size(); ++i) {
    const ShownStep& part = step.parts[i];
    Json& where = i == 0 ? out : out["with"];
    where["process"] = part.process;
    where["line"] = part.line;
    where["statement"] = part.statement;
    if (!part.note.empty()) where["note"] = part.note;
  }
  return out;
}

Outcome<void> save_trace(const SavedTrace& trace, ActionTable& actions, const std::string& file) {
  const Lts lts = lts_of(trace, actions);
  if (ending(file) != ".json") return save(lts, actions, file);
  if (const auto why_not = not_in_json(lts, actions); !why_not.empty()) return bad_input({file_error(file, why_not)});
  if (auto written = write_file(file, dump(trace_json(trace))); !written) return bad_input(std::move(written.error()));
  return {};
}

bool is_trace_file(const std::string& name) { return can_save(name) && std::filesystem::is_regular_file(name); }

Outcome<SavedTrace> read_trace(const std::string& file, Budget& budget) {
  if (ending(file) == ".dot") return no_trace(file, "a picture cannot be read");
  if (ending(file) == ".json") return read_json_trace(file);
  Source source;
  source.files = {file};
  auto model = load(source, budget);
  if (!model) return tl::unexpected(std::move(model.error()));
  if (!model->composite) return trace_of(model->network.components[0].lts, *model->actions, file);
  const auto lts = compose_fsp(*model->composite, budget);
  if (!lts) return no_trace(file, fmt::format("stopped by {} while reading it", describe(budget.why())));
  return trace_of(*lts, *model->actions, file);
}

bool was_saved_as_trace(const std::string& file) {
  if (!is_trace_file(file)) return false;
  if (ending(file) != ".dot" && ending(file) != ".json") return is_saved_lts(file);
  const auto text = read_file(file);
  if (!text || ending(file) == ".dot") return text && text->find(kPicture) != std::string::npos;
  const Json json = Json::parse(*text, nullptr, false);
  return json.is_object() && json.contains("schema") && json.contains("trace") && json.contains("cycle");
}

}  // namespace surety::api
