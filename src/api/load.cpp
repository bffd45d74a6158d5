#include "api/load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/file.hpp"
#include "base/hash.hpp"
#include "lang/aut/read.hpp"
#include "lang/aut/write.hpp"

namespace surety::api {
namespace {

std::string ending(const std::string& file) { return std::filesystem::path(file).extension().string(); }

struct Source {
  Input input;
  Lts lts;
};

Outcome<Source> read(const std::string& file, const std::string& language, ActionTable& actions) {
  const bool aut = language.empty() ? ending(file) == ".aut" : language == "aut";
  if (!aut) {
    if (file == "-") return usage("standard input needs --language", "for example: --language aut");
    if (!language.empty()) return usage(fmt::format("there is no language '{}'", language), "this version reads: aut");
    return usage(fmt::format("{}: files ending in '{}' cannot be read", file, ending(file)),
                 "this version reads .aut files; or say --language aut");
  }
  auto text = read_file(file);
  if (!text) return bad_input(std::move(text.error()));
  auto lts = read_aut(*text, file, actions);
  if (!lts) return bad_input(std::move(lts.error()));
  const std::string name = file == "-" ? "stdin" : std::filesystem::path(file).stem().string();
  return Source{{file, sha256_hex(*text), name, false}, std::move(*lts)};
}

// Two files of one name become x and x.2.
template <class Named>
std::string unique_name(const std::vector<Named>& others, const std::string& name) {
  auto taken = [&](const std::string& candidate) {
    return std::any_of(others.begin(), others.end(), [&](const Named& other) { return other.name == candidate; });
  };
  std::string candidate = name;
  for (int i = 2; taken(candidate); ++i) candidate = fmt::format("{}.{}", name, i);
  return candidate;
}

// Why this cannot be a property, if it cannot.
std::optional<Diagnostic> nondeterminism(const Lts& lts, const std::string& file, const ActionTable& actions) {
  for (std::uint32_t s = 0; s < lts.state_count(); ++s) {
    const auto steps = lts.steps(State{s});
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (steps[i].action == kTau)
        return file_error(file, fmt::format("a property must be deterministic, but state {} has a tau step", s),
                          "surety compose FILE --minimise trace -o OUT.aut makes a deterministic one");
      if (i > 0 && steps[i].action == steps[i - 1].action)
        return file_error(file,
                          fmt::format("a property must be deterministic, but state {} has several steps '{}'", s,
                                      actions.name(steps[i].action)),
                          "surety compose FILE --minimise trace -o OUT.aut makes a deterministic one");
    }
  }
  return std::nullopt;
}

void warn_of_free_actions(Model& model, const Property& property, const std::string& file) {
  const Alphabet all = alphabet_of(model.network);
  std::vector<std::string> candidates = sorted_names(*model.actions, all);
  for (const Action a : subtract(property.lts.alphabet(), all)) {
    const std::string name(model.actions->name(a));
    const std::string near = nearest(name, candidates);
    auto d = file_error(file,
                        fmt::format("no component has the action '{}' of property '{}': it can happen at any time",
                                    name, property.name),
                        near.empty() ? "" : fmt::format("did you mean '{}'?", near));
    d.severity = Severity::warning;
    model.warnings.push_back(std::move(d));
  }
}

}  // namespace

tl::unexpected<Failure> usage(std::string message, std::string hint) {
  return tl::unexpected(Failure{Failure::kUsage, {file_error({}, std::move(message), std::move(hint))}});
}

tl::unexpected<Failure> bad_input(Diagnostics diagnostics) {
  return tl::unexpected(Failure{Failure::kInput, std::move(diagnostics)});
}

bool is_model_file(const std::string& file) { return ending(file) == ".aut"; }

Outcome<Model> load(const std::vector<std::string>& files, const std::vector<std::string>& property_files,
                    const std::string& language) {
  Model model;
  Failure failure{Failure::kUsage, {}};
  // Every file is tried, so that one run reports the errors of all.
  auto take = [&](const std::string& file) -> std::optional<Source> {
    auto source = read(file, language, *model.actions);
    if (source) return std::move(*source);
    if (failure.diagnostics.empty() || source.error().status == Failure::kInput) failure.status = source.error().status;
    failure.diagnostics.insert(failure.diagnostics.end(), source.error().diagnostics.begin(),
                               source.error().diagnostics.end());
    return std::nullopt;
  };
  for (const auto& file : files) {
    auto source = take(file);
    if (!source) continue;
    source->input.name = unique_name(model.network.components, source->input.name);
    model.network.components.push_back({source->input.name, std::move(source->lts)});
    model.inputs.push_back(std::move(source->input));
  }
  for (const auto& file : property_files) {
    auto source = take(file);
    if (!source) continue;
    if (auto wrong = nondeterminism(source->lts, file, *model.actions)) {
      failure.status = Failure::kInput;
      failure.diagnostics.push_back(std::move(*wrong));
      continue;
    }
    source->input.property = true;
    source->input.name = unique_name(model.properties, source->input.name);
    model.properties.push_back({source->input.name, std::move(source->lts)});
    warn_of_free_actions(model, model.properties.back(), file);
    model.inputs.push_back(std::move(source->input));
  }
  if (!failure.diagnostics.empty()) return tl::unexpected(std::move(failure));

  for (const auto& component : model.network.components)
    model.network.name += (model.network.name.empty() ? "" : " || ") + component.name;
  return model;
}

Outcome<void> can_save(const std::string& file) {
  const std::string end = ending(file);
  if (end == ".aut" || end == ".dot" || end == ".json") return {};
  return usage(fmt::format("{}: cannot write a file ending in '{}'", file, end), "use .aut, .dot or .json");
}

Outcome<void> save(const Lts& lts, const ActionTable& actions, const std::string& file) {
  if (auto known = can_save(file); !known) return known;
  const std::string end = ending(file);
  if (end == ".aut" && lts.state_count() == 0)
    return bad_input({file_error(file, "the empty language cannot be written as .aut", "use .json")});
  const std::string text = end == ".aut"   ? to_aut(lts, actions)
                           : end == ".dot" ? to_dot(lts, actions, std::filesystem::path(file).stem().string())
                                           : to_json(lts, actions);
  auto written = write_file(file, text);
  if (!written) return bad_input(std::move(written.error()));
  return {};
}

// Steps of a trace are all shown, also the silent ones: a chain with one state more than steps.
Outcome<void> save_trace(const Trace& trace, const ActionTable& actions, const std::string& file) {
  LtsBuilder builder;
  builder.set_state_count(static_cast<std::uint32_t>(trace.size() + 1));
  for (std::uint32_t i = 0; i < trace.size(); ++i) builder.add_step(State{i}, trace[i], State{i + 1});
  return save(builder.build(), actions, file);
}

}  // namespace surety::api
