#include "lang/fsp/fsp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

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

// What `elaborate` makes of each definition, in one list; or the errors of all of them.
template <class Definition, class Elaborate>
auto elaborated(fsp::Elaborator& elaborator, const std::vector<Definition>& definitions, Elaborate elaborate)
    -> Result<std::invoke_result_t<Elaborate, const Definition&, fsp::Evaluator&>> {
  Report report(elaborator.source());
  std::invoke_result_t<Elaborate, const Definition&, fsp::Evaluator&> out;
  for (const Definition& definition : definitions) {
    fsp::Evaluator evaluator(elaborator.tree(), report, elaborator.effort());
    for (auto& made : elaborate(definition, evaluator)) out.push_back(std::move(made));
  }
  if (report.failed()) return tl::unexpected(std::move(report.errors()));
  return out;
}

// "DINERS(3)": the definition, and values of its first parameters.
std::pair<std::string_view, std::vector<fsp::Value>> name_and_values(std::string_view name) {
  const auto open = name.find('(');
  std::pair<std::string_view, std::vector<fsp::Value>> out{name.substr(0, open), {}};
  if (open == std::string_view::npos || !name.ends_with(')')) return out;
  std::string_view rest = name.substr(open + 1, name.size() - open - 2);
  while (!rest.empty()) {
    const auto comma = std::min(rest.find(','), rest.size());
    out.second.push_back(fsp::value_of_label(std::string(rest.substr(0, comma))));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return out;
}

void add_missing(const fsp::Elaborator& elaborator, std::string_view owner, Diagnostics& warnings) {
  Report report(elaborator.source());
  elaborator.missing.warn(report, owner);
  std::ranges::move(report.warnings(), std::back_inserter(warnings));
}

}  // namespace

Result<FspFile> read_fsp(std::string_view text, const std::string& file, ActionTable& actions,
                         const std::vector<FspDefine>& defines, const FspLimits& limits, FileLog* imported,
                         Budget* budget) {
  auto source = std::make_unique<fsp::Source>(file, text);
  Report report(*source, budget);
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

Diagnostics FspFile::outside_warnings(std::string_view name) const {
  Report report(elaborator_->source());
  fsp::warn_if_outside(elaborator_->tree(), name, report);
  return std::move(report.warnings());
}

std::vector<std::string> FspFile::defines_without_effect() const {
  std::vector<std::string> out;
  for (const std::string_view name : elaborator_->tree().parameters_defined)
    if (!elaborator_->defaults_taken.contains(name) && !elaborator_->tree().constants.contains(name))
      out.emplace_back(name);
  return out;
}

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
  FspProcess out{made->name, made->lts, made->property, made->warnings};
  add_missing(*elaborator_, name, out.warnings);
  return out;
}

Result<FspComposite> FspFile::composite(std::string_view name, Budget& budget) const {
  Report report(elaborator_->source());
  const FspComposite* made = nullptr;
  const auto [plain, values] = name_and_values(name);
  if (!elaborator_->has_composites() && name == "DEFAULT") {
    made = elaborator_->default_composite(report, budget);
  } else if (const auto* definition = fsp::find_named(elaborator_->tree().composites, plain)) {
    made = elaborator_->composite(*definition, values, definition->place, report, budget);
  } else if (const auto* process = fsp::find_named(elaborator_->tree().processes, plain)) {
    const auto* alone = elaborator_->process(*process, values, process->place, report, budget);
    if (alone == nullptr) return tl::unexpected(std::move(report.errors()));
    FspMachine machine;
    machine.name = alone->name;
    machine.lts = alone->lts;
    machine.instance = FspInstance{std::string(plain), {values.begin(), values.end()}};
    FspComposite out;
    out.name = name;
    out.machines.push_back(std::move(machine));
    out.warnings = alone->warnings;
    return out;
  } else {
    return no_such(elaborator_->source(), "composite", name, composites());
  }
  if (made == nullptr) return tl::unexpected(std::move(report.errors()));
  FspComposite out = *made;
  add_missing(*elaborator_, {}, out.warnings);
  return out;
}

Result<std::vector<FspProgress>> FspFile::progress() const {
  return elaborated(*elaborator_, elaborator_->tree().progress, [&](const auto& definition, fsp::Evaluator& evaluator) {
    return fsp::elaborate_progress(definition, *elaborator_, evaluator);
  });
}

Result<std::vector<FspFluent>> FspFile::fluents() const {
  return elaborated(*elaborator_, elaborator_->tree().fluents, [&](const auto& definition, fsp::Evaluator& evaluator) {
    return fsp::elaborate_fluents(definition, *elaborator_, evaluator);
  });
}

Result<std::vector<FspMenu>> FspFile::menus() const {
  return elaborated(*elaborator_, elaborator_->tree().menus, [&](const auto& definition, fsp::Evaluator& evaluator) {
    std::vector<Action> labels;
    for (const auto& label : fsp::all_labels(definition.actions, fsp::Scope(), evaluator))
      labels.push_back(elaborator_->actions().intern(label));
    return std::vector<FspMenu>{{std::string(definition.name), Alphabet(std::move(labels))}};
  });
}

Result<FspAssertion> FspFile::assertion(std::string_view name) const {
  const auto* definition = fsp::find_named(elaborator_->tree().assertions, name);
  if (definition == nullptr) return no_such(elaborator_->source(), "assertion", name, assertions());
  Report report(elaborator_->source());
  auto made = fsp::elaborate_assertion(*definition, {}, definition->place, *elaborator_, report);
  if (!made) return tl::unexpected(std::move(report.errors()));
  return std::move(*made);
}

Diagnostics FspFile::missing_actions(const FspComposite& composite, const std::set<std::string>& names) const {
  Alphabet all;
  for (const FspMachine& machine : composite.machines) all = unite(all, machine.lts.alphabet());
  const fsp::KnownLabels known(all, elaborator_->actions(), fsp::KnownLabels::Match::whole);
  fsp::MissingLabels missing;
  const fsp::SeesLabels see = [&](const auto& set, const auto& scope, const auto& evaluator, auto use, auto owner) {
    missing.look(set, scope, evaluator, use, owner, known);
  };
  Report unheard(elaborator_->source());  // errors are found when it is checked
  for (const auto& definition : elaborator_->tree().progress) {
    fsp::Evaluator evaluator(elaborator_->tree(), unheard, elaborator_->effort());
    fsp::see_progress(definition, names, evaluator, see);
  }
  for (const auto& definition : elaborator_->tree().assertions)
    if (names.contains(std::string(definition.name)))
      fsp::elaborate_assertion(definition, {}, definition.place, *elaborator_, unheard, see);
  Report report(elaborator_->source());
  missing.warn(report, {}, composite.name);
  return std::move(report.warnings());
}

Diagnostics FspFile::free_actions(const FspComposite& composite, const std::string& property,
                                  const Alphabet& alphabet) const {
  Alphabet all;
  for (const FspMachine& machine : composite.machines)
    if (!machine.property) all = unite(all, machine.lts.alphabet());
  std::vector<std::string_view> free;
  for (const Action a : subtract(alphabet, all)) free.push_back(elaborator_->actions().name(a));
  const auto* process = fsp::find_named(elaborator_->tree().processes, property);
  const auto* of_composites = fsp::find_named(elaborator_->tree().composites, property);
  Report report(elaborator_->source());
  if (process != nullptr || of_composites != nullptr)
    fsp::warn_of_free_actions(report, process != nullptr ? process->place : of_composites->place, composite.name,
                              property, free, {all, elaborator_->actions(), fsp::KnownLabels::Match::whole});
  return std::move(report.warnings());
}

std::shared_ptr<const FspStateNames> FspFile::state_names(const FspMachine& machine) const {
  constexpr std::uint32_t kMostStates = 100'000;
  if (!machine.instance || machine.lts.state_count() > kMostStates) return nullptr;
  auto names = elaborator_->state_names(*machine.instance);
  return names && names->size() == machine.lts.state_count() ? names : nullptr;
}

}  // namespace surety
