#include "study/engine.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "api/verify.hpp"

namespace surety::study {
namespace {

struct Row {
  Engine engine;
  std::string_view name, word, paper;
  bool constraints;
};
constexpr std::array kRows = {Row{Engine::exact, "exact", "native", "LTSA", false},
                              Row{Engine::flavers, "flavers", "flavers", "FLAVERS", true}};

const Row& row(Engine engine) { return *std::ranges::find(kRows, engine, &Row::engine); }

// A program that is as small as can be, checked by the engine: a version without it does not know the word.
bool answers(Engine engine) {
  api::Request request;
  request.source.files = {"probe.adb"};
  request.source.texts = {{"probe.adb", "procedure Probe is begin null; end Probe;\n"}};
  request.method = "monolithic";
  request.engine = api_word(engine);
  const auto report = api::verify(request);
  return report || !report.error().diagnostics.front().message.starts_with("there is no engine");
}

}  // namespace

std::string_view name_of(Engine engine) { return row(engine).name; }

std::optional<Engine> engine_from_name(std::string_view name) {
  for (const Row& row : kRows)
    if (row.name == name) return row.engine;
  return std::nullopt;
}

std::string api_word(Engine engine) { return std::string(row(engine).word); }
std::string paper_name(Engine engine) { return std::string(row(engine).paper); }
bool takes_constraints(Engine engine) { return row(engine).constraints; }

bool is_there(Engine engine) {
  static const std::array there = {answers(kEngines[0]), answers(kEngines[1])};
  return there[static_cast<std::size_t>(engine)];
}

std::string why_not_there(Engine engine) {
  return fmt::format("this version of surety has no engine '{}'", name_of(engine));
}

}  // namespace surety::study
