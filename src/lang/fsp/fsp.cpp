#include "lang/fsp/fsp.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lang/fsp/elaborator.hpp"
#include "lang/fsp/front/label.hpp"
#include "lang/fsp/front/parser.hpp"
#include "lang/fsp/front/unused.hpp"
#include "lang/fsp/ltl.hpp"

namespace surety {
namespace {

using fsp::Report;

tl::unexpected<Diagnostics> no_such(const fsp::Source& source, std::string_view what, std::string_view name,
                                    const std::vector<std::string>& known) {
  return fail(file_error(source.file(), fmt::format("there is no {} '{}'", what, name), did_you_mean(name, known)));
}

}  // namespace

Result<FspFile> read_fsp(std::string_view text, const std::string& file, ActionTable& actions,
                         const std::vector<FspDefine>& defines, const FspLimits& limits, FileLog* imported) {
  auto source = std::make_unique<fsp::Source>(file, text);
  Report report(*source);
  fsp::Tree tree = fsp::Parser(*source, defines, report, limits).run();
  if (report.failed()) return tl::unexpected(std::move(report.errors()));
  if (tree.processes.empty() && tree.composites.empty())
    return fail(file_error(file, "the file defines no process", "a process is written P = (a -> P)."));
  fsp::warn_about_unused(tree, report);
  std::ranges::stable_sort(report.warnings(), {}, [](const Diagnostic& d) { return std::pair(d.line, d.column); });
  Diagnostics warnings = std::move(report.warnings());
  auto elaborator = std::make_shared<fsp::Elaborator>(std::move(source), std::move(tree), actions, limits);
  elaborator->warnings = std::move(warnings);
  elaborator->imported = imported;
  return FspFile(std::move(elaborator));
}

std::vector<std::string> FspFile::processes() const { return names_of(elaborator_->tree().processes); }

std::vector<std::string> FspFile::composites() const {
  return elaborator_->has_composites() ? names_of(elaborator_->tree().composites) : std::vector<std::string>{"DEFAULT"};
}

std::vector<std::string> FspFile::assertions() const {
  std::vector<std::string> out;
  for (const auto& a : elaborator_->tree().assertions)
    if (!a.constraint) out.emplace_back(a.name);
  return out;
}

std::vector<std::string> FspFile::constraints() const {
  std::vector<std::string> out;
  for (const auto& a : elaborator_->tree().assertions)
    if (a.constraint) out.emplace_back(a.name);
  return out;
}

std::vector<std::string> FspFile::properties() const {
  std::vector<std::string> out;
  for (const auto& p : elaborator_->tree().processes)
    if (p.property) out.emplace_back(p.name);
  for (const auto& c : elaborator_->tree().composites)
    if (c.property) out.emplace_back(c.name);
  return out;
}

std::vector<FspConstant> FspFile::constants() const {
  std::vector<FspConstant> out;
  for (const auto& [name, constant] : elaborator_->tree().constants) out.push_back({std::string(name), constant.value});
  return out;
}

const Diagnostics& FspFile::warnings() const { return elaborator_->warnings; }

const std::vector<std::string>& FspFile::cells() const { return elaborator_->cell_notes; }

bool FspFile::came_apart() const { return elaborator_->came_apart; }

Result<FspProcess> FspFile::process(std::string_view name, Budget* budget) const {
  const auto* definition = fsp::find_named(elaborator_->tree().processes, name);
  if (definition == nullptr) return no_such(elaborator_->source(), "process", name, processes());
  Report report(elaborator_->source());
  Budget unlimited;
  const auto* made =
      elaborator_->process(*definition, {}, definition->place, report, budget != nullptr ? *budget : unlimited);
  if (made == nullptr) return tl::unexpected(std::move(report.errors()));
  return FspProcess{made->name, made->lts, made->property, made->warnings};
}

Result<FspComposite> FspFile::composite(std::string_view name, Budget& budget) const {
  Report report(elaborator_->source());
  const FspComposite* made = nullptr;
  if (!elaborator_->has_composites() && name == "DEFAULT") {
    made = elaborator_->default_composite(report, budget);
  } else {
    const auto* definition = fsp::find_named(elaborator_->tree().composites, name);
    if (definition == nullptr) return no_such(elaborator_->source(), "composite", name, composites());
    made = elaborator_->composite(*definition, {}, definition->place, report, budget);
  }
  if (made == nullptr) return tl::unexpected(std::move(report.errors()));
  return *made;
}

Result<std::vector<FspProgress>> FspFile::progress() const {
  Report report(elaborator_->source());
  std::vector<FspProgress> out;
  for (const auto& definition : elaborator_->tree().progress) {
    fsp::Evaluator evaluator(elaborator_->tree(), report, elaborator_->effort());
    for (auto& p : fsp::elaborate_progress(definition, *elaborator_, evaluator)) out.push_back(std::move(p));
  }
  if (report.failed()) return tl::unexpected(std::move(report.errors()));
  return out;
}

Result<std::vector<FspFluent>> FspFile::fluents() const {
  Report report(elaborator_->source());
  std::vector<FspFluent> out;
  for (const auto& definition : elaborator_->tree().fluents) {
    fsp::Evaluator evaluator(elaborator_->tree(), report, elaborator_->effort());
    for (auto& f : fsp::elaborate_fluents(definition, *elaborator_, evaluator)) out.push_back(std::move(f));
  }
  if (report.failed()) return tl::unexpected(std::move(report.errors()));
  return out;
}

Result<FspAssertion> FspFile::assertion(std::string_view name) const {
  const auto* definition = fsp::find_named(elaborator_->tree().assertions, name);
  if (definition == nullptr) return no_such(elaborator_->source(), "assertion", name, assertions());
  Report report(elaborator_->source());
  auto made = fsp::elaborate_assertion(*definition, {}, definition->place, *elaborator_, report);
  if (!made) return tl::unexpected(std::move(report.errors()));
  return std::move(*made);
}

Result<std::vector<FspMenu>> FspFile::menus() const {
  Report report(elaborator_->source());
  std::vector<FspMenu> out;
  for (const auto& definition : elaborator_->tree().menus) {
    fsp::Evaluator evaluator(elaborator_->tree(), report, elaborator_->effort());
    std::vector<Action> labels;
    for (const auto& label : fsp::all_labels(definition.actions, fsp::Scope(), evaluator))
      labels.push_back(elaborator_->actions().intern(label));
    out.push_back({std::string(definition.name), Alphabet(std::move(labels))});
  }
  if (report.failed()) return tl::unexpected(std::move(report.errors()));
  return out;
}

}  // namespace surety
