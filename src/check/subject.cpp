#include "check/subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lang/promela/labels.hpp"

namespace surety::api {
namespace {

bool has_assertion(const promela::Sequence& body) {
  return std::ranges::any_of(body, [](const promela::Statement& s) {
    return s.kind == promela::Statement::Kind::assertion || has_assertion(s.body) ||
           std::ranges::any_of(s.branches, has_assertion);
  });
}

// The name of the only model file.
const std::string& model_file(const Model& model) { return model.inputs[0].file; }

Subject of_property(const Model& model, const Property& property) {
  Subject out{CheckKind::safety, property.name, &property};
  for (const Input& input : model.inputs)
    if (input.role == Input::Role::property && input.name == property.name) {
      out.from = "file " + input.file;
      out.own_file = true;
      return out;
    }
  out.from = (model.ada ? "property that is named by " : "property process of ") + model_file(model);
  if (!model.composite) return out;
  const auto inside = std::ranges::count_if(model.composite->machines, &FspMachine::property);
  if (&property - model.properties.data() >= inside) out.from += fmt::format(", not part of {}", model.network.name);
  return out;
}

Outcome<Subjects> subjects_of_network(const Model& model) {
  Subjects out;
  for (const Property& property : model.properties) out.push_back(of_property(model, property));
  const auto can_err = [](const Component& c) { return c.lts.error().has_value(); };
  if (model.ada || std::ranges::any_of(model.network.components, can_err))
    out.push_back({CheckKind::error, "", Assert{}});
  out.push_back({CheckKind::deadlock, "", EndStates{}});
  if (!model.fsp) return out;
  auto sets = model.fsp->progress();
  if (!sets) return bad_input(std::move(sets.error()));
  for (ProgressSet& set : *sets) {
    const std::string name = set.name;
    out.push_back({CheckKind::progress, name, std::move(set), "progress of " + model_file(model)});
  }
  for (const auto& name : model.fsp->assertions())
    out.push_back({CheckKind::ltl, name, AssertionName{name}, "assert of " + model_file(model)});
  return out;
}

Subjects subjects_of_program(const Model& model) {
  const promela::Program& program = *model.promela->program;
  const promela::Source& source = *model.promela->source;
  const auto at = [&](const char* what, promela::Place place) {
    const auto& line = source.line_of(place);
    return fmt::format("{}, {}:{}", what, source.files[line.file].name, line.line);
  };
  using Kind = promela::Process::Kind;
  const auto asserts = [](const promela::Process& p) { return has_assertion(p.body) && p.kind != Kind::never; };
  Subjects out;
  for (const auto& trace : promela::trace_names(program))
    out.push_back({CheckKind::safety, trace.name, TraceBlock{trace.process},
                   at("trace assertion", program.processes[trace.process].place)});
  out.push_back({CheckKind::error, "", Assert{std::ranges::none_of(program.processes, asserts)}});
  out.push_back({CheckKind::deadlock, "", EndStates{}});
  for (const auto& unit : program.units) {
    if (unit.kind == promela::Unit::Kind::ltl) {
      const auto& block = program.formulas[unit.index];
      out.push_back({CheckKind::ltl, block.name, FormulaBlock{unit.index}, at("formula", block.place)});
    } else if (unit.kind == promela::Unit::Kind::process && program.processes[unit.index].kind == Kind::never) {
      const auto& claim = program.processes[unit.index];
      out.push_back({CheckKind::ltl, claim.name, NeverClaim{unit.index}, at("never claim", claim.place)});
    }
  }
  for (const auto& label : promela::label_checks(program))
    out.push_back({label == "progress" ? CheckKind::progress : CheckKind::ltl, label, LabelCheck{label},
                   "labels of " + model_file(model)});
  return out;
}

// The order of a report. Properties, claims and so on are as they are written, or named.
int rank(const Subject& subject) {
  if (std::holds_alternative<LabelCheck>(subject.object)) return 5;
  switch (subject.kind) {
    case CheckKind::safety: return 0;
    case CheckKind::error: return 1;
    case CheckKind::deadlock: return 2;
    case CheckKind::progress: return 3;
    case CheckKind::ltl: return 4;
  }
  return 6;
}

// "P" means every set of an indexed P[..] too, and a property process its instances.
bool means(const Model& model, const std::string& name, const Subject& subject) {
  if (const auto* property = std::get_if<const Property*>(&subject.object)) {
    const auto meant = find_properties(model, name);
    return std::ranges::find(meant, *property) != meant.end();
  }
  if (std::holds_alternative<ProgressSet>(subject.object) && subject.name.starts_with(name + ".")) return true;
  return !subject.name.empty() && is_same_name(subject.name, name);
}

// "safety", "progress", "ltl": all of that kind; without a progress set, LTSA's default one.
void add_kind(const Model& model, const Subjects& all, const std::string& name, Subjects& out) {
  const auto kind = check_kind_from_name(name);
  if (!kind || !has_name(*kind)) return;
  std::ranges::copy_if(all, std::back_inserter(out), [&](const Subject& subject) { return subject.kind == *kind; });
  const bool has_sets = std::ranges::any_of(all, [&](const Subject& subject) { return subject.kind == *kind; });
  if (*kind == CheckKind::progress && !has_sets && !model.promela)
    out.push_back({CheckKind::progress, "", ProgressSet{}, "the set of all actions"});
}

// A name means one thing of a kind, so that the names of what is meant tell things apart.
bool is_same(const Subject& a, const Subject& b) {
  return a.kind == b.kind && a.name == b.name && a.object.index() == b.object.index();
}

tl::unexpected<Failure> no_property(const Model& model, const Subjects& all, const std::string& name) {
  std::vector<std::string> known{"deadlock", "assert", "safety", "progress", "ltl"};
  for (const Subject& subject : all)
    if (!subject.name.empty() && std::ranges::find(known, subject.name) == known.end()) known.push_back(subject.name);
  if (model.fsp)
    for (const auto& outside : model.fsp->properties())
      if (outside != model.network.name && std::ranges::find(known, outside) == known.end()) known.push_back(outside);
  std::erase(known, name);  // a kind of which there is none
  if (!plain_name(name)) return usage(fmt::format("there is no property '{}'", name), "a bracket in it has no partner");
  return usage(fmt::format("there is no property '{}'", name), did_you_mean(name, known, "there are"));
}

}  // namespace

Outcome<Subjects> all_subjects(const Model& model) {
  if (model.promela) return subjects_of_program(model);
  return subjects_of_network(model);
}

Outcome<Subjects> named_subjects(const Model& model, const Subjects& all, const std::vector<std::string>& names) {
  Subjects out;
  for (const auto& name : names) {
    const std::size_t before = out.size();
    if (name == "deadlock") out.push_back({CheckKind::deadlock, "", EndStates{}});
    if (name == "assert") out.push_back({CheckKind::error, "", Assert{}});
    for (const Subject& subject : all)
      if (means(model, name, subject)) out.push_back(subject);
    if (out.size() == before) add_kind(model, all, name, out);
    if (out.size() == before) return no_property(model, all, name);
  }
  const auto is_one = [](const Subject& a, const Subject& b) { return a.kind == b.kind && !has_name(a.kind); };
  std::ranges::stable_sort(out, {}, rank);
  out.erase(std::unique(out.begin(), out.end(), is_one), out.end());  // one search finds them all
  return out;
}

Outcome<Subjects> chosen_subjects(const Model& model, const std::vector<std::string>& names) {
  auto all = all_subjects(model);
  if (!all) return all;
  Subjects of_files;
  std::ranges::copy_if(*all, std::back_inserter(of_files), &Subject::own_file);
  if (names.empty()) return of_files.empty() ? *all : of_files;
  auto named = named_subjects(model, *all, names);
  if (!named) return named;
  of_files.insert(of_files.end(), named->begin(), named->end());
  return of_files;
}

void drop_repeats(Subjects& subjects, bool but_properties) {
  Subjects out;
  for (Subject& subject : subjects) {
    const bool may_repeat = but_properties && subject.kind == CheckKind::safety;
    const auto same = [&](const Subject& other) { return is_same(subject, other); };
    if (may_repeat || std::ranges::none_of(out, same)) out.push_back(std::move(subject));
  }
  subjects = std::move(out);
}

void warn_of_missing_actions(Model& model, const Subjects& subjects) {
  if (!model.fsp || !model.composite) return;
  const auto inside = std::ranges::count_if(model.composite->machines, &FspMachine::property);
  std::set<std::string> names;
  for (const Subject& subject : subjects) {
    const auto* property = std::get_if<const Property*>(&subject.object);
    if (property != nullptr && !subject.own_file && *property - model.properties.data() >= inside)
      std::ranges::move(model.fsp->free_actions(*model.composite, subject.name, (*property)->lts.alphabet()),
                        std::back_inserter(model.warnings));
    if (subject.kind == CheckKind::progress || subject.kind == CheckKind::ltl) names.insert(subject.name);
  }
  std::ranges::move(model.fsp->missing_actions(*model.composite, names), std::back_inserter(model.warnings));
}

}  // namespace surety::api
