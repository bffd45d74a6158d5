// Elaboration of composites.
//
// A body is a list of parts. A part is a machine, or a composite that was referred
// to by its name and is still a list of machines; it is flattened at the very end,
// and until then what is done to it is done to each of its machines:
//
//   a:P      one copy of the part for each prefix; every action x becomes a.x
//   {a,b}::P one copy in all; every action x becomes the choice of a.x and b.x
//   P/{n/o}  every action o, and o.x, becomes n, and n.x
//
// in this order. There are two cases in which a named composite is composed first:
// it has hiding, priority, minimal, deterministic, property or compose of its own (the last is ignored when what is
// fat is to come apart); or a relabelling gives two of its actions one name, on which its machines would otherwise
// begin to synchronise.
#include "lang/fsp/composite.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "lang/fsp/front/renaming.hpp"
#include "model/automata.hpp"
#include "model/transform.hpp"
#include "product/compose.hpp"

namespace surety::fsp {
namespace {

struct Part {
  std::string name;
  std::vector<FspMachine> machines;
  bool is_composite = false;
};
using Parts = std::vector<Part>;

Alphabet alphabet_of(const std::vector<FspMachine>& machines) {
  std::vector<Action> all;
  for (const FspMachine& m : machines) all.insert(all.end(), m.lts.alphabet().begin(), m.lts.alphabet().end());
  return Alphabet(std::move(all));
}

std::uint64_t steps_of(const std::vector<FspMachine>& machines) {
  std::uint64_t steps = 0;
  for (const FspMachine& m : machines) steps += m.lts.transition_count();
  return steps;
}

class CompositeElaborator {
 public:
  CompositeElaborator(Elaborator& elaborator, Report& report, Budget& budget)
      : elaborator_(elaborator),
        report_(report),
        budget_(budget),
        evaluator_(elaborator.tree(), report, elaborator.effort(&budget)),
        actions_(elaborator.actions()) {}

  std::optional<FspComposite> run(const CompositeDefinition& definition, const std::vector<Value>& values, Place call);

 private:
  Parts body(const CompositeBody& body, Scope& scope);
  Parts prefixed(const CompositeBody& body, Scope& scope);
  Parts inner(const CompositeBody& body, Scope& scope);
  Parts reference(const Call& call, const Scope& scope);
  Part composite_part(const CompositeDefinition& definition, const std::vector<Value>& values, Place call);
  void share(const CompositeBody& body, const Scope& scope, Parts& parts);
  void relabel_parts(const CompositeBody& body, const Scope& scope, Parts& parts);
  void look_for_old_names(const CompositeBody& body, const Scope& scope, const Parts& parts);
  void compose_first(Part& part, Place place);
  void rename(FspMachine& machine, const ActionMap& map, Place place);
  std::vector<FspMachine> flatten(Parts parts);
  void add_operators(const CompositeDefinition& definition, const Scope& scope, FspComposite& out);
  void warn(const CompositeDefinition& definition, const FspComposite& out);
  void no_such_process(const Call& call);
  bool count(std::uint64_t machines, std::uint64_t steps, Place place);

  Elaborator& elaborator_;
  Report& report_;
  Budget& budget_;
  Evaluator evaluator_;
  ActionTable& actions_;
  std::string_view name_;
  std::uint64_t steps_made_ = 0;
  std::uint64_t machines_made_ = 0;
};

std::optional<FspComposite> CompositeElaborator::run(const CompositeDefinition& definition,
                                                     const std::vector<Value>& values, Place call) {
  Scope scope = bind_parameters(definition.parameters, values, call, definition.name, evaluator_);
  if (evaluator_.failed()) return std::nullopt;
  if (values.empty())
    for (const Parameter& parameter : definition.parameters) elaborator_.defaults_taken.insert(parameter.name);
  FspComposite out;
  name_ = definition.name;
  out.name = instance_name(definition.name, values);
  out.machines = flatten(body(definition.body, scope));
  if (evaluator_.failed()) return std::nullopt;
  add_operators(definition, scope, out);
  if (evaluator_.failed()) return std::nullopt;
  warn(definition, out);
  return out;
}

// ---- bodies

Parts CompositeElaborator::body(const CompositeBody& body, Scope& scope) {
  if (evaluator_.failed()) return {};
  const Elaborator::Depth depth(elaborator_);
  if (depth.too_deep()) {
    evaluator_.error(body.place, "this is nested too deeply", "is this a recursion that never ends?");
    return {};
  }
  if (body.form == CompositeBody::Form::conditional) {
    const bool yes = evaluator_.truth(body.condition, scope);
    if (evaluator_.failed() || (!yes && body.parts.size() < 2)) return {};
    return this->body(body.parts[yes ? 0 : 1], scope);
  }
  if (body.form == CompositeBody::Form::forall) {
    Parts all;
    for_each_index(body.forall, scope, evaluator_, [&](const std::string&) {
      std::ranges::move(this->body(body.parts[0], scope), std::back_inserter(all));
    });
    return all;
  }
  Parts parts = prefixed(body, scope);
  share(body, scope, parts);
  relabel_parts(body, scope, parts);
  return parts;
}

// a:P, and P is elaborated for each prefix again: its variables are known in P, as in node[i:1..3]:NODE(i).
Parts CompositeElaborator::prefixed(const CompositeBody& body, Scope& scope) {
  if (!body.prefix) return inner(body, scope);
  Parts all;
  for_each_label(*body.prefix, scope, evaluator_, [&](const std::string& prefix) {
    for (Part& part : inner(body, scope)) {
      part.name = prefix + ":" + part.name;
      for (FspMachine& m : part.machines) rename(m, prefix_map({prefix}, m.lts.alphabet(), actions_), body.place);
      all.push_back(std::move(part));
    }
  });
  return all;
}

Parts CompositeElaborator::inner(const CompositeBody& body, Scope& scope) {
  if (body.form == CompositeBody::Form::reference) return reference(body.call, scope);
  Parts all;
  for (const CompositeBody& part : body.parts) std::ranges::move(this->body(part, scope), std::back_inserter(all));
  return all;
}

Parts CompositeElaborator::reference(const Call& call, const Scope& scope) {
  std::vector<Value> values;
  for (const Expression& e : call.actuals) values.push_back(evaluator_.evaluate(e, scope));
  if (evaluator_.failed()) return {};

  Parts parts;
  const auto add = [&](const CompiledProcess* p) {
    if (p == nullptr) return evaluator_.give_up();
    if (!count(1, p->lts.transition_count(), call.place)) return;
    const std::string definition(call.name);
    parts.push_back({p->name,
                     {{p->name, p->lts, p->property, p->extension, definition,
                       FspInstance{definition, {values.begin(), values.end()}}}},
                     false});
  };
  if (const auto* p = find_named(elaborator_.tree().processes, call.name)) {
    const Cells* cells = elaborator_.cells(*p, values, call.place, report_, budget_);
    if (cells == nullptr)
      add(elaborator_.process(*p, values, call.place, report_, budget_));
    else if (count(cells->machines.size(), steps_of(cells->machines), call.place))
      parts.push_back({instance_name(p->name, values), cells->machines, true});
  } else if (const auto* c = find_named(elaborator_.tree().composites, call.name))
    parts.push_back(composite_part(*c, values, call.place));
  else if (const auto* a = find_named(elaborator_.tree().assertions, call.name); a != nullptr && a->constraint)
    add(elaborator_.constraint(*a, values, call.place, report_));
  else
    no_such_process(call);
  return parts;
}

Part CompositeElaborator::composite_part(const CompositeDefinition& definition, const std::vector<Value>& values,
                                         Place call) {
  const auto* made = elaborator_.composite(definition, values, call, report_, budget_);
  if (made == nullptr) {
    evaluator_.give_up();
    return {};
  }
  const bool list = !definition.hiding && !definition.priority && !definition.minimal && !definition.deterministic &&
                    !definition.property;
  if (list && (!definition.compose || elaborator_.comes_apart(*made, call, budget_))) {
    if (!count(made->machines.size(), steps_of(made->machines), call)) return {};
    return {made->name, made->machines, true};
  }
  const Lts* lts = elaborator_.composed(*made, call, report_, budget_);
  if (lts == nullptr) {
    evaluator_.give_up();
    return {};
  }
  if (!count(1, lts->transition_count(), call)) return {};
  return {made->name, {{made->name, *lts, definition.property, {}, std::string(definition.name)}}, false};
}

// Every machine is a copy. Absurdly many are an error.
bool CompositeElaborator::count(std::uint64_t machines, std::uint64_t steps, Place place) {
  machines_made_ += machines;
  steps_made_ += steps;
  if (machines_made_ > elaborator_.limits().machines)
    evaluator_.error(place, fmt::format("this composite has more than {} machines", elaborator_.limits().machines));
  if (steps_made_ > elaborator_.limits().composite_steps || actions_.size() > elaborator_.limits().actions)
    evaluator_.error(place, "this composite is too large");
  return !evaluator_.failed();
}

void CompositeElaborator::no_such_process(const Call& call) {
  const Tree& tree = elaborator_.tree();
  evaluator_.error(call.place, fmt::format("there is no process '{}'", call.name),
                   did_you_mean(call.name, names_of(tree.processes, tree.composites)));
}

// ---- sharing and relabelling

void CompositeElaborator::share(const CompositeBody& body, const Scope& scope, Parts& parts) {
  if (!body.sharing) return;
  const auto prefixes = distinct_labels(*body.sharing, scope, evaluator_);
  if (evaluator_.failed()) return;
  std::string shown;
  for (const auto& prefix : prefixes) shown += (shown.empty() ? "" : ",") + prefix;
  for (Part& part : parts) {
    part.name = "{" + shown + "}::" + part.name;
    for (FspMachine& m : part.machines) rename(m, prefix_map(prefixes, m.lts.alphabet(), actions_), body.place);
  }
}

void CompositeElaborator::relabel_parts(const CompositeBody& body, const Scope& scope, Parts& parts) {
  if (body.relabellings.empty() || evaluator_.failed()) return;
  look_for_old_names(body, scope, parts);
  const Renaming renaming = renaming_of(body.relabellings, scope, evaluator_);
  if (evaluator_.failed()) return;
  for (Part& part : parts) {
    if (part.is_composite && part.machines.size() > 1 && merges(map_of(renaming, alphabet_of(part.machines), actions_)))
      compose_first(part, body.place);
    for (FspMachine& m : part.machines) rename(m, map_of(renaming, m.lts.alphabet(), actions_), body.place);
  }
}

// One of the parts must have them.
void CompositeElaborator::look_for_old_names(const CompositeBody& body, const Scope& scope, const Parts& parts) {
  if (elaborator_.missing.all_found(body.relabellings)) return;
  Alphabet all;
  for (const Part& part : parts) all = unite(all, alphabet_of(part.machines));
  elaborator_.missing.look(body.relabellings, scope, evaluator_, name_, {all, actions_, KnownLabels::Match::prefix});
}

void CompositeElaborator::compose_first(Part& part, Place place) {
  FspComposite whole;
  whole.machines = std::move(part.machines);
  part.machines.clear();
  auto lts = compose_fsp(whole, budget_);
  if (!lts)
    return evaluator_.error(
        place, fmt::format("'{}' has to be composed before this relabelling, and that took too much {}", part.name,
                           describe(budget_.why())));
  part.machines = {{part.name, std::move(*lts), false, {}}};
  part.is_composite = false;
}

void CompositeElaborator::rename(FspMachine& machine, const ActionMap& map, Place place) {
  if (evaluator_.failed()) return;
  // Each copy of an action copies its steps.
  const std::uint64_t copies = machine.lts.alphabet().empty() ? 1 : 1 + map.size() / machine.lts.alphabet().size();
  if (!count(0, copies * machine.lts.transition_count() + map.size(), place)) return;
  machine.extension = image(map, machine.extension);
  machine.lts = relabel(machine.lts, map);
}

std::vector<FspMachine> CompositeElaborator::flatten(Parts parts) {
  std::vector<FspMachine> machines;
  for (Part& part : parts)
    for (FspMachine& m : part.machines) {
      m.name = part.is_composite ? part.name + "." + m.name : part.name;
      machines.push_back(std::move(m));
    }
  return machines;
}

// ---- priority, hiding, and the words before ||

void CompositeElaborator::add_operators(const CompositeDefinition& definition, const Scope& scope, FspComposite& out) {
  const Alphabet alphabet = alphabet_of(out.machines);
  using Use = MissingLabels::Use;
  const auto named = [&](const Label& labels, Use use) {
    elaborator_.missing.look(labels, scope, evaluator_, use, definition.name,
                             {alphabet, actions_, KnownLabels::Match::prefix});
    return chosen(all_labels(labels, scope, evaluator_), alphabet, actions_);
  };
  if (definition.priority) {
    const bool high = definition.priority->high;
    out.priority = Priority{named(definition.priority->labels, high ? Use::high : Use::low), high};
  }
  if (definition.hiding) {
    const bool expose = definition.hiding->expose;
    const Alphabet labels = named(definition.hiding->labels, expose ? Use::exposing : Use::hiding);
    out.hidden = expose ? subtract(alphabet, labels) : labels;
  }
  out.property = definition.property;
  out.minimal = definition.minimal;
  out.deterministic = definition.deterministic;
}

// ---- warnings

// What LTSA lets pass: an action that some machine can do and another never will, and a property over actions that
// no process has.
void CompositeElaborator::warn(const CompositeDefinition& definition, const FspComposite& out) {
  std::set<Action> done;  // by some process
  std::vector<Action> alphabets;
  for (const FspMachine& m : out.machines) {
    if (m.property) continue;
    alphabets.insert(alphabets.end(), m.lts.alphabet().begin(), m.lts.alphabet().end());
    for (std::uint32_t s = 0; s < m.lts.state_count(); ++s)
      for (const Step& step : m.lts.steps(State{s})) done.insert(step.action);
  }
  const Alphabet known(std::move(alphabets));  // to some process
  for (const FspMachine& m : out.machines) {
    std::vector<bool> occurs;
    for (std::uint32_t s = 0; s < m.lts.state_count(); ++s)
      for (const Step& step : m.lts.steps(State{s})) {
        if (occurs.size() <= step.action.value) occurs.resize(step.action.value + 1ULL, false);
        occurs[step.action.value] = true;
      }
    std::vector<std::string_view> blocked, lonely;
    for (const Action a : m.lts.alphabet()) {
      const bool does = a.value < occurs.size() && occurs[a.value];
      if (!does && !m.extension.contains(a) && done.contains(a)) blocked.push_back(actions_.name(a));
      if (m.property && !known.contains(a)) lonely.push_back(actions_.name(a));
    }
    const auto list = [](const std::vector<std::string_view>& names) {
      return names.size() == 1 ? fmt::format("'{}'", names[0])
                               : fmt::format("'{}' and {} more", names[0], names.size() - 1);
    };
    if (!blocked.empty())
      report_.warning(definition.place, fmt::format("in {}, {} never does {} and so keeps others from it", out.name,
                                                    m.name, list(blocked)));
    if (!lonely.empty())
      warn_of_free_actions(report_, definition.place, out.name, m.name, lonely,
                           {known, actions_, KnownLabels::Match::whole});
  }
}

}  // namespace

std::optional<FspComposite> elaborate_composite(const CompositeDefinition& definition, const std::vector<Value>& values,
                                                Place call, Elaborator& elaborator, Report& report, Budget& budget) {
  return CompositeElaborator(elaborator, report, budget).run(definition, values, call);
}

}  // namespace surety::fsp

namespace surety {

std::optional<Lts> compose_fsp(const FspComposite& composite, Budget& budget, std::vector<std::vector<State>>* tuples) {
  std::vector<const Lts*> parts;
  for (const FspMachine& m : composite.machines) parts.push_back(&m.lts);
  const bool stays = !composite.property && !composite.deterministic && !composite.minimal;
  auto lts = compose(parts, budget, composite.priority ? &*composite.priority : nullptr, stays ? tuples : nullptr);
  if (!lts) return std::nullopt;
  if (!composite.hidden.empty()) lts = hide(*lts, composite.hidden);
  if (composite.property || composite.deterministic) lts = fsp::deterministic_form(*lts, &budget);
  if (!budget.go_on()) return std::nullopt;
  if (composite.property) return complete(*lts);
  if (composite.minimal && !composite.deterministic) lts = minimise_ltsa(*lts, &budget);
  if (!budget.go_on()) return std::nullopt;
  return lts;
}

}  // namespace surety
