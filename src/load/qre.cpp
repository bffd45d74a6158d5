#include "load/qre.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace surety::api {
namespace {

// Two properties without a header become x and x.2.
void name_all(std::vector<QreProperty>& properties, const std::string& file) {
  const std::string stem = std::filesystem::path(file).stem().string();
  const auto taken = [&](const std::string& name) {
    return std::ranges::count(properties, name, &QreProperty::name) > 0;
  };
  for (QreProperty& property : properties) {
    if (!property.name.empty()) continue;
    std::string name = stem;
    for (int i = 2; taken(name); ++i) name = fmt::format("{}.{}", stem, i);
    property.name = name;
  }
}

}  // namespace

Outcome<std::vector<QreProperty>> read_qre_properties(const std::string& text, const std::string& file,
                                                      const std::string& asked, Budget& budget) {
  auto read = read_qre(text, file, budget);
  if (budget.why() != Stop::none) return stopped_reading(file, "it", budget);
  if (!read) return bad_input(std::move(read.error()));
  name_all(*read, file);
  const auto names = names_of(*read);
  const bool exact = std::ranges::find(names, asked) != names.end();
  std::erase_if(*read, [&](const QreProperty& p) { return exact ? p.name != asked : !is_asked(p.name, asked); });
  if (read->empty())
    return usage(fmt::format("{} has no property '{}'", file, asked), did_you_mean(asked, names, "there are"));
  return std::move(*read);
}

void warn_of_missing_end(Model& model, const QreProperty& property) {
  if (property.accepts_always()) return;
  Diagnostic d = property.place;
  d.message =
      fmt::format("only the beginnings of executions are checked against '{}': this model does not say when it ends",
                  property.name);
  d.severity = Severity::warning;
  model.warnings.push_back(std::move(d));
}

}  // namespace surety::api
