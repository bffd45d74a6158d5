#include "study/definition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>

#define TOML_EXCEPTIONS 0
#include <toml++/toml.h>

#include "api/verify.hpp"
#include "base/file.hpp"
#include "base/units.hpp"
#include "learn/learner.hpp"

namespace surety::study {
namespace {

namespace fs = std::filesystem;

// Goes through the tables and gathers all that is wrong with them.
class Reader {
 public:
  Reader(std::string file, std::string_view text) : file_(std::move(file)), text_(text) {}

  Definition definition(const toml::table& table);
  void syntax(const toml::parse_error& error) {
    wrong(error.source(), std::string(error.description()), "the file is read as TOML: toml.io");
  }
  Diagnostics take_errors() && { return std::move(errors_); }

 private:
  void wrong(const toml::source_region& at, std::string message, std::string hint = {});
  void known_keys(const toml::table& table, const std::vector<std::string>& keys);
  std::optional<std::string> text(const toml::table& table, const char* key, bool needed = false);
  std::vector<std::string> texts(const toml::table& table, const char* key, std::vector<std::string> otherwise = {});
  std::optional<Range> range(const toml::table& table, const char* key);
  void limits(const toml::table& table, RunLimits& out);
  void words(const toml::table& table, const char* key, const std::vector<std::string>& known,
             std::vector<std::string>& out);
  std::string path(const std::string& name) const;
  DefinedSystem system(const toml::table& table);
  void model(const toml::table& table, Engine engine, DefinedSystem& out);

  std::string file_;
  std::string_view text_;
  Diagnostics errors_;
};

void Reader::wrong(const toml::source_region& at, std::string message, std::string hint) {
  std::size_t offset = 0;
  for (toml::source_index line = 1; line < at.begin.line && offset < text_.size(); ++line) {
    const auto end = text_.find('\n', offset);
    offset = end == std::string_view::npos ? text_.size() : end + 1;
  }
  offset = std::min(offset + (at.begin.column > 0 ? at.begin.column - 1 : 0), text_.size());
  const bool one_line = at.end.line == at.begin.line && at.end.column > at.begin.column;
  errors_.push_back(error_at(file_, text_, offset, one_line ? at.end.column - at.begin.column : 1, std::move(message),
                             std::move(hint)));
}

void Reader::known_keys(const toml::table& table, const std::vector<std::string>& keys) {
  for (const auto& [key, value] : table)
    if (std::ranges::find(keys, key.str()) == keys.end())
      wrong(key.source(), fmt::format("there is no setting '{}' here", key.str()),
            did_you_mean(key.str(), keys, "there are"));
}

std::optional<std::string> Reader::text(const toml::table& table, const char* key, bool needed) {
  const toml::node* const node = table.get(key);
  if (node == nullptr) {
    if (needed) wrong(table.source(), fmt::format("'{}' is missing", key));
    return std::nullopt;
  }
  if (auto value = node->value_exact<std::string>()) return value;
  wrong(node->source(), fmt::format("'{}' has to be a text", key), fmt::format("for example: {} = \"…\"", key));
  return std::nullopt;
}

std::vector<std::string> Reader::texts(const toml::table& table, const char* key, std::vector<std::string> otherwise) {
  const toml::node* const node = table.get(key);
  if (node == nullptr) return otherwise;
  if (const auto value = node->value_exact<std::string>()) return {*value};
  const toml::array* const list = node->as_array();
  std::vector<std::string> out;
  if (list == nullptr) {
    wrong(node->source(), fmt::format("'{}' has to be a list of texts", key));
    return out;
  }
  for (const toml::node& element : *list)
    if (const auto value = element.value_exact<std::string>())
      out.push_back(*value);
    else
      wrong(element.source(), fmt::format("'{}' has to be a list of texts", key));
  return out;
}

std::optional<Range> Reader::range(const toml::table& table, const char* key) {
  const toml::node* const node = table.get(key);
  if (node == nullptr) return std::nullopt;
  if (const auto size = node->value_exact<std::int64_t>(); size && *size >= 1 && *size <= 1000)
    return Range{static_cast<int>(*size), static_cast<int>(*size)};
  if (const auto value = node->value_exact<std::string>())
    if (const auto parsed = parse_range(*value)) return parsed;
  wrong(node->source(), fmt::format("'{}' has to be a range of sizes", key),
        fmt::format("for example: {} = \"2..4\"", key));
  return std::nullopt;
}

void Reader::limits(const toml::table& table, RunLimits& out) {
  const toml::node* const node = table.get("limit");
  if (node == nullptr) return;
  const toml::table* const limit = node->as_table();
  if (limit == nullptr) {
    wrong(node->source(), "'limit' has to be a table", "limit = { time = \"60s\", factor = 10, memory = \"1G\" }");
    return;
  }
  known_keys(*limit, {"time", "factor", "memory"});
  if (const auto time = text(*limit, "time")) {
    if (const auto parsed = parse_time(*time); parsed && parsed->count() > 0)
      out.time_s = std::chrono::duration<double>(*parsed).count();
    else
      wrong(limit->get("time")->source(), fmt::format("'{}' is no duration", *time), "for example 60s, 500ms, 2m");
  }
  if (const auto memory = text(*limit, "memory")) {
    if (const auto parsed = parse_size(*memory); parsed && *parsed > 0)
      out.memory = *parsed;
    else
      wrong(limit->get("memory")->source(), fmt::format("'{}' is no size", *memory), "for example 200M, 2G");
  }
  if (const toml::node* const factor = limit->get("factor")) {
    if (const auto value = factor->value<double>(); value && *value >= 0)
      out.factor = *value;
    else
      wrong(factor->source(), "'factor' has to be a number that is not negative");
  }
}

void Reader::words(const toml::table& table, const char* key, const std::vector<std::string>& known,
                   std::vector<std::string>& out) {
  if (!table.contains(key)) return;
  out = texts(table, key);
  for (const auto& word : out)
    if (std::ranges::find(known, word) == known.end())
      wrong(table.get(key)->source(), fmt::format("there is no {} '{}'", key, word),
            did_you_mean(word, known, "there are"));
  if (out.empty()) wrong(table.get(key)->source(), fmt::format("'{}' has to name one at least", key));
}

std::string Reader::path(const std::string& name) const {
  const fs::path beside = fs::path(file_).parent_path() / name;
  std::error_code none;
  return fs::exists(beside, none) ? beside.lexically_normal().string() : name;
}

void Reader::model(const toml::table& table, Engine engine, DefinedSystem& out) {
  const std::string key(name_of(engine));
  const toml::node* const node = table.get(key);
  if (node == nullptr) return;
  DefinedModel model{{}, {}, text(table, "repeated").value_or(""), texts(table, "properties")};
  if (const toml::table* const inner = node->as_table()) {
    known_keys(*inner, {"file", "composite", "repeated", "properties"});
    model.file = path(text(*inner, "file", true).value_or(""));
    model.composite = text(*inner, "composite").value_or("");
    model.repeated = text(*inner, "repeated").value_or(model.repeated);
    model.properties = texts(*inner, "properties", model.properties);
  } else if (const auto file = node->value_exact<std::string>()) {
    model.file = path(*file);
  } else {
    wrong(node->source(), fmt::format("'{}' has to be the name of a file, or a table with one", key));
    return;
  }
  std::error_code none;
  if (!model.file.empty() && !fs::exists(model.file, none))
    wrong(node->source(), fmt::format("there is no file {}", model.file),
          "it is looked for beside this file, then in the working folder");
  out.models[engine] = std::move(model);
}

DefinedSystem Reader::system(const toml::table& table) {
  std::vector<std::string> keys = {"name", "parameter", "repeated", "properties", "all", "scale"};
  for (const Engine engine : kEngines) keys.emplace_back(name_of(engine));
  known_keys(table, keys);
  DefinedSystem out;
  out.name = text(table, "name", true).value_or("");
  if (table.contains("name") && (out.name.empty() || out.name.find_first_of("/:") != std::string::npos))
    wrong(table.get("name")->source(), "a system has to have a name without '/' and ':'",
          "the names of runs have these between their parts");
  out.parameter = text(table, "parameter").value_or("K");
  out.all = range(table, "all").value_or(Range{2, 2});
  out.scale = range(table, "scale");
  if (out.scale && out.scale->from != 2)
    wrong(table.get("scale")->source(),
          "sizes to generalise to begin at 2, where the best decomposition is taken from");
  for (const Engine engine : kEngines) model(table, engine, out);
  if (out.models.empty())
    wrong(table.source(), "this system has no model", "name a file for one engine at least: exact = \"…\"");
  return out;
}

Definition Reader::definition(const toml::table& table) {
  known_keys(table, {"limit", "method", "alphabet", "learner", "system"});
  Definition out;
  limits(table, out.limits);
  words(table, "method", methods_for_studies(), out.methods);
  words(table, "alphabet", {"full", "refine"}, out.alphabets);
  std::vector<std::string> learner = {out.learner};
  words(table, "learner", learners_for_studies(), learner);
  out.learner = learner.empty() ? "lstar" : learner.front();
  const toml::array* const systems = table["system"].as_array();
  if (systems == nullptr || systems->empty()) {
    wrong(table.source(), "there is no system to study", "[[system]] begins one");
    return out;
  }
  for (const toml::node& node : *systems) {
    if (const toml::table* const one = node.as_table())
      out.systems.push_back(system(*one));
    else
      wrong(node.source(), "a system has to be a table", "[[system]] begins one");
    for (std::size_t i = 0; i + 1 < out.systems.size(); ++i)
      if (out.systems[i].name == out.systems.back().name)
        wrong(node.source(), fmt::format("there are two systems '{}'", out.systems[i].name));
  }
  return out;
}

}  // namespace

std::vector<std::string> methods_for_studies() {
  auto out = api::method_names();
  std::erase_if(out, [](const auto& name) { return name == "auto" || name.starts_with("sym-2"); });
  return out;
}

std::vector<std::string> learners_for_studies() {
  std::vector<std::string> out;
  for (const LearnerKind kind : kLearnerKinds) out.emplace_back(learner_name(kind));
  return out;
}

std::optional<Range> parse_range(const std::string& text) {
  Range out;
  const char* at = text.data();
  const char* const end = at + text.size();
  auto read = std::from_chars(at, end, out.from);
  if (read.ec != std::errc()) return std::nullopt;
  at = read.ptr;
  out.to = out.from;
  if (at != end) {
    if (end - at < 3 || at[0] != '.' || at[1] != '.') return std::nullopt;
    read = std::from_chars(at + 2, end, out.to);
    if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  }
  if (out.from < 1 || out.to < out.from || out.to > 1000) return std::nullopt;
  return out;
}

Result<Definition> parse_definition(const std::string& file, const std::string& text) {
  Reader reader(file, text);
  const toml::parse_result parsed = toml::parse(text, file);
  Definition out;
  if (parsed)
    out = reader.definition(parsed.table());
  else
    reader.syntax(parsed.error());
  if (auto errors = std::move(reader).take_errors(); !errors.empty()) return tl::unexpected(std::move(errors));
  return out;
}

Result<Definition> read_definition(const std::string& file) {
  const auto text = read_file(file);
  if (!text) return tl::unexpected(text.error());
  return parse_definition(file, *text);
}

Json to_json(const DefinedSystem& system) {
  Json models = Json::object();
  for (const auto& [engine, model] : system.models)
    models[std::string(name_of(engine))] = {{"file", model.file},
                                            {"composite", model.composite},
                                            {"repeated", model.repeated},
                                            {"properties", model.properties}};
  Json out = {{"name", system.name},
              {"parameter", system.parameter},
              {"models", std::move(models)},
              {"all", {system.all.from, system.all.to}}};
  if (system.scale) out["scale"] = {system.scale->from, system.scale->to};
  return out;
}

DefinedSystem system_from_json(const Json& json) {
  DefinedSystem out;
  out.name = json.at("name");
  out.parameter = json.at("parameter");
  for (const auto& [name, model] : json.at("models").items())
    if (const auto engine = engine_from_name(name))
      out.models[*engine] = {model.at("file"), model.at("composite"), model.at("repeated"), model.at("properties")};
  out.all = {json.at("all").at(0), json.at("all").at(1)};
  if (json.contains("scale")) out.scale = Range{json.at("scale").at(0), json.at("scale").at(1)};
  return out;
}

}  // namespace surety::study
