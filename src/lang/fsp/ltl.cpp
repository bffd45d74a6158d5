// Elaboration of formulas: quantifiers become conjunctions and disjunctions, names of
// assertions are replaced by what they stand for, labels become sets of actions.
#include "lang/fsp/ltl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "lang/fsp/front/label.hpp"

namespace surety::fsp {
namespace {

using Op = FspFormula::Op;

constexpr int kDeepest = 1000;  // operators within operators, those of named assertions too
constexpr std::uint64_t kMostNodes = 200'000;

Alphabet alphabet_of(const Label& label, const Scope& scope, Evaluator& evaluator, ActionTable& actions) {
  std::vector<Action> out;
  Scope inner = scope;
  for_each_label(label, inner, evaluator, [&](const std::string& text) { out.push_back(actions.intern(text)); });
  return Alphabet(std::move(out));
}

class FormulaElaborator {
 public:
  FormulaElaborator(Elaborator& elaborator, Report& report, const SeesLabels& see)
      : elaborator_(elaborator), evaluator_(elaborator.tree(), report, elaborator.effort()), see_(see) {}

  std::optional<FspAssertion> run(const AssertDefinition& definition, const std::vector<Value>& values, Place call);

 private:
  struct Nesting {
    Nesting(FormulaElaborator& all, Place place) : all_(all) {
      if (++all_.depth_ > kDeepest)
        all_.evaluator_.error(place, "this formula is nested too deeply", "does an assertion name itself?");
    }
    ~Nesting() { --all_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    FormulaElaborator& all_;
  };

  FspFormula formula(const Formula& f, Scope& scope);
  FspFormula quantified(const Formula& f, Scope& scope);
  FspFormula named(const Formula& f, Scope& scope);
  FspFormula fluent(const Formula& f, const FluentDefinition& definition, Scope& scope);
  FspFormula assertion(const Formula& f, const AssertDefinition& definition, const Scope& scope);
  FspFormula constant(bool value);
  void show_fluents();
  bool count_node(Place place);

  Elaborator& elaborator_;
  Evaluator evaluator_;
  const SeesLabels& see_;       // empty: labels are not looked at
  std::string_view assertion_;  // the one whose text this is
  std::vector<FspFluent> fluents_;
  std::map<std::string, std::uint32_t> fluent_numbers_;                     // by "F.1.2"
  std::map<std::string_view, std::map<std::string, FspFluent>> instances_;  // by definition and name
  int depth_ = 0;
  std::uint64_t nodes_ = 0;
};

std::optional<FspAssertion> FormulaElaborator::run(const AssertDefinition& definition, const std::vector<Value>& values,
                                                   Place call) {
  FspAssertion out;
  out.name = instance_name(definition.name, values);
  Scope scope = bind_parameters(definition.parameters, values, call, definition.name, evaluator_);
  if (evaluator_.failed()) return std::nullopt;
  assertion_ = definition.name;
  out.formula = formula(definition.formula, scope);
  if (definition.extension)
    out.extension = alphabet_of(*definition.extension, scope, evaluator_, elaborator_.actions());
  if (evaluator_.failed()) return std::nullopt;
  if (see_) show_fluents();
  out.fluents = std::move(fluents_);
  return out;
}

// Those with the values that are used.
void FormulaElaborator::show_fluents() {
  for (const FluentDefinition& definition : elaborator_.tree().fluents) {
    if (!instances_.contains(definition.name)) continue;
    Scope scope;
    for_each_index(definition.indices, scope, evaluator_, [&](const std::string& suffix) {
      if (!fluent_numbers_.contains(std::string(definition.name) + suffix)) return;
      for (const Label* set : {&definition.on, &definition.off})
        see_(*set, scope, evaluator_, MissingLabels::Use::fluent, definition.name);
    });
  }
}

bool FormulaElaborator::count_node(Place place) {
  if (++nodes_ > kMostNodes) evaluator_.error(place, "this formula is too large", "use smaller ranges");
  return !evaluator_.failed();
}

FspFormula FormulaElaborator::constant(bool value) {
  FspFormula out;
  out.op = Op::constant;
  out.value = value;
  return out;
}

FspFormula FormulaElaborator::formula(const Formula& f, Scope& scope) {
  FspFormula out;
  if (!count_node(f.place)) return out;
  const Nesting nesting(*this, f.place);
  if (evaluator_.failed()) return out;
  switch (f.op) {
    case Formula::Op::actions:
      out.op = Op::actions;
      out.actions = alphabet_of(f.labels, scope, evaluator_, elaborator_.actions());
      if (see_) see_(f.labels, scope, evaluator_, MissingLabels::Use::assertion, assertion_);
      return out;
    case Formula::Op::name: return named(f, scope);
    case Formula::Op::constant: return constant(evaluator_.truth(f.actuals[0], scope));
    case Formula::Op::forall:
    case Formula::Op::exists: return quantified(f, scope);
    case Formula::Op::negation: out.op = Op::negation; break;
    case Formula::Op::next: out.op = Op::next; break;
    case Formula::Op::eventually: out.op = Op::eventually; break;
    case Formula::Op::always: out.op = Op::always; break;
    case Formula::Op::both: out.op = Op::both; break;
    case Formula::Op::either: out.op = Op::either; break;
    case Formula::Op::until: out.op = Op::until; break;
    case Formula::Op::weak_until: out.op = Op::weak_until; break;
    case Formula::Op::implies: out.op = Op::implies; break;
    case Formula::Op::iff: out.op = Op::iff; break;
  }
  for (const Formula& operand : f.operands) out.operands.push_back(formula(operand, scope));
  return out;
}

FspFormula FormulaElaborator::quantified(const Formula& f, Scope& scope) {
  FspFormula out;
  out.op = f.op == Formula::Op::forall ? Op::both : Op::either;
  for_each_index(f.indices, scope, evaluator_,
                 [&](const std::string&) { out.operands.push_back(formula(f.operands[0], scope)); });
  return out;
}

FspFormula FormulaElaborator::named(const Formula& f, Scope& scope) {
  const Tree& tree = elaborator_.tree();
  if (const auto* definition = find_named(tree.fluents, f.name)) return fluent(f, *definition, scope);
  if (const auto* definition = find_named(tree.assertions, f.name)) return assertion(f, *definition, scope);
  evaluator_.error(f.place, fmt::format("there is no fluent or assertion '{}'", f.name),
                   did_you_mean(f.name, names_of(tree.fluents, tree.assertions)));
  return {};
}

// F[R] over a range is the disjunction of its fluents.
FspFormula FormulaElaborator::fluent(const Formula& f, const FluentDefinition& definition, Scope& scope) {
  auto it = instances_.find(definition.name);
  if (it == instances_.end()) {
    it = instances_.try_emplace(definition.name).first;
    for (FspFluent& one : elaborate_fluents(definition, elaborator_, evaluator_))
      it->second.emplace(one.name, std::move(one));
  }
  FspFormula out;
  out.op = Op::either;
  for_each_index(f.indices, scope, evaluator_, [&](const std::string& suffix) {
    const std::string name = std::string(f.name) + suffix;
    const auto found = it->second.find(name);
    if (found == it->second.end())
      return evaluator_.error(f.place, fmt::format("there is no fluent '{}'", name), "is an index out of range?");
    const auto [number, is_new] = fluent_numbers_.try_emplace(name, static_cast<std::uint32_t>(fluents_.size()));
    if (is_new) fluents_.push_back(found->second);
    if (!count_node(f.place)) return;
    FspFormula one;
    one.op = Op::fluent;
    one.fluent = number->second;
    out.operands.push_back(std::move(one));
  });
  if (out.operands.size() == 1) {
    FspFormula one = std::move(out.operands[0]);
    return one;
  }
  return out;
}

FspFormula FormulaElaborator::assertion(const Formula& f, const AssertDefinition& definition, const Scope& scope) {
  std::vector<Value> values;
  for (const Expression& e : f.actuals) values.push_back(evaluator_.evaluate(e, scope));
  if (evaluator_.failed()) return {};
  Scope inner = bind_parameters(definition.parameters, values, f.place, f.name, evaluator_);
  if (evaluator_.failed()) return {};
  const auto outer = std::exchange(assertion_, definition.name);
  FspFormula out = formula(definition.formula, inner);
  assertion_ = outer;
  return out;
}

// Each is kept, and checked: more would take all memory before anybody could stop them.
template <class Definition>
bool are_too_many(const Definition& definition, Scope& scope, Evaluator& evaluator) {
  constexpr std::uint64_t kMost = 100'000;
  if (count_indices(definition.indices, scope, evaluator) <= kMost) return false;
  evaluator.error(definition.place, fmt::format("'{}' stands for more than {} of its kind", definition.name, kMost),
                  "use smaller ranges");
  return true;
}

}  // namespace

std::optional<FspAssertion> elaborate_assertion(const AssertDefinition& definition, const std::vector<Value>& values,
                                                Place call, Elaborator& elaborator, Report& report,
                                                const SeesLabels& see) {
  return FormulaElaborator(elaborator, report, see).run(definition, values, call);
}

std::vector<FspFluent> elaborate_fluents(const FluentDefinition& definition, Elaborator& elaborator,
                                         Evaluator& evaluator) {
  std::vector<FspFluent> out;
  Scope scope;
  if (are_too_many(definition, scope, evaluator)) return out;
  for_each_index(definition.indices, scope, evaluator, [&](const std::string& suffix) {
    FspFluent fluent;
    fluent.name = std::string(definition.name) + suffix;
    fluent.initiating = alphabet_of(definition.on, scope, evaluator, elaborator.actions());
    fluent.terminating = alphabet_of(definition.off, scope, evaluator, elaborator.actions());
    fluent.initially = definition.initially && evaluator.truth(*definition.initially, scope);
    const Alphabet both = intersect(fluent.initiating, fluent.terminating);
    if (!both.empty())
      evaluator.error(definition.place, fmt::format("'{}' both initiates and terminates the fluent {}",
                                                    elaborator.actions().name(both[0]), fluent.name));
    out.push_back(std::move(fluent));
  });
  return out;
}

std::vector<FspProgress> elaborate_progress(const ProgressDefinition& definition, Elaborator& elaborator,
                                            Evaluator& evaluator) {
  std::vector<FspProgress> out;
  Scope scope;
  if (are_too_many(definition, scope, evaluator)) return out;
  for_each_index(definition.indices, scope, evaluator, [&](const std::string& suffix) {
    FspProgress progress;
    progress.name = std::string(definition.name) + suffix;
    progress.actions = alphabet_of(definition.actions, scope, evaluator, elaborator.actions());
    if (definition.condition)
      progress.condition = alphabet_of(*definition.condition, scope, evaluator, elaborator.actions());
    out.push_back(std::move(progress));
  });
  return out;
}

void see_progress(const ProgressDefinition& definition, const std::set<std::string>& names, Evaluator& evaluator,
                  const SeesLabels& see) {
  Scope scope;
  for_each_index(definition.indices, scope, evaluator, [&](const std::string& suffix) {
    if (!names.contains(std::string(definition.name) + suffix)) return;
    if (definition.condition)
      see(*definition.condition, scope, evaluator, MissingLabels::Use::progress, definition.name);
    see(definition.actions, scope, evaluator, MissingLabels::Use::progress, definition.name);
  });
}

}  // namespace surety::fsp
