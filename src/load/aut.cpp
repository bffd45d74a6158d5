#include "load/aut.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/file.hpp"
#include "base/hash.hpp"
#include "lang/aut/read.hpp"
#include "load/language.hpp"
#include "load/qre.hpp"
#include "load/unique_name.hpp"

namespace surety::api {
namespace {

struct AutFile {
  Input input;
  Lts lts;
};

Outcome<AutFile> read_aut_file(const Source& source, const std::string& file, ActionTable& actions) {
  auto text = text_of(source, file);
  if (!text) return bad_input(std::move(text.error()));
  auto lts = ending(file) == ".json" ? read_lts_json_text(*text, file, actions) : read_aut(*text, file, actions);
  if (!lts) return bad_input(std::move(lts.error()));
  if (lts->state_count() == 0) return bad_input({file_error(file, "the empty language is no component or property")});
  const std::string name = file == "-" ? "stdin" : std::filesystem::path(file).stem().string();
  return AutFile{{file, sha256_hex(*text), {}, name, Input::Role::component}, std::move(*lts)};
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

// Every file is tried, so that one run reports the errors of all.
class FileLoader {
 public:
  FileLoader(Model& model, const Source& source, Budget& budget) : model_(model), source_(source), budget_(budget) {}

  void components() {
    for (const auto& file : source_.files)
      if (auto read = take(file)) {
        read->input.name = unique_name(model_.network.components, read->input.name);
        read->input.language = source_.language;
        model_.network.components.push_back({read->input.name, std::move(read->lts)});
        model_.inputs.push_back(std::move(read->input));
      }
    for (const auto& component : model_.network.components)
      model_.network.name += (model_.network.name.empty() ? "" : " || ") + component.name;
  }

  void properties() {
    for (const auto& where : source_.property_files)
      if (const auto [file, name] = file_and_name(where); is_qre_file(file))
        qre_properties(file, name);
      else
        aut_property(where);
  }

  Outcome<void> outcome() && {
    if (failure_.diagnostics.empty()) return {};
    return tl::unexpected(std::move(failure_));
  }

 private:
  std::optional<AutFile> take(const std::string& file) {
    auto read = language_of(file, source_.language) == Language::aut || is_lts_file(file)
                    ? read_aut_file(source_, file, *model_.actions)
                    : Outcome<AutFile>(unknown_language(file, source_.language));
    if (read) return std::move(*read);
    refuse(read.error());
    return std::nullopt;
  }

  void aut_property(const std::string& file) {
    auto read = take(file);
    if (!read) return;
    if (auto wrong = nondeterminism(read->lts, file, *model_.actions)) return refuse({Failure::kInput, {*wrong}});
    if (read->lts.error() == read->lts.initial())
      return refuse(
          {Failure::kInput,
           {file_error(file, "a property that begins with its error state is violated before anything happens")}});
    // A step into a state that is marked as ERROR is a violation, and END means nothing here.
    if (read->lts.error() || read->lts.end()) read->lts = monitor(read->lts);
    add(std::move(read->lts), std::move(read->input));
  }

  void qre_properties(const std::string& file, const std::string& name) {
    const auto text = text_of(source_, file);
    if (!text) return refuse({Failure::kInput, text.error()});
    const auto read = read_qre_properties(*text, file, name, budget_);
    if (!read) return refuse(read.error());
    for (const QreProperty& property : *read) {
      std::vector<std::vector<Action>> actions;
      for (const auto& event : property.events) actions.push_back({model_.actions->intern(event)});
      warn_of_missing_end(model_, property);
      add(qre_monitor(property, actions), {file, sha256_hex(*text), {}, property.name, Input::Role::property});
    }
  }

  void add(Lts lts, Input input) {
    input.role = Input::Role::property;
    input.name = unique_name(model_.properties, input.name);
    model_.properties.push_back({input.name, std::move(lts)});
    if (!source_.open) warn_of_free_actions(model_, model_.properties.back(), input.file);
    model_.inputs.push_back(std::move(input));
  }

  // Wrong input says more than wrong usage, and the end of the budget more than both.
  void refuse(const Failure& failure) {
    if (failure_.diagnostics.empty() || failure.status != Failure::kUsage) failure_.status = failure.status;
    failure_.diagnostics.insert(failure_.diagnostics.end(), failure.diagnostics.begin(), failure.diagnostics.end());
  }

  Model& model_;
  const Source& source_;
  Budget& budget_;
  Failure failure_{Failure::kUsage, {}};
};

}  // namespace

Outcome<void> load_aut(Model& model, const Source& source, Budget& budget) {
  FileLoader loader(model, source, budget);
  loader.components();
  loader.properties();
  return std::move(loader).outcome();
}

Outcome<void> load_property_files(Model& model, const Source& source, Budget& budget) {
  FileLoader loader(model, source, budget);
  loader.properties();
  return std::move(loader).outcome();
}

}  // namespace surety::api
