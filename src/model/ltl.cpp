#include "model/ltl.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "base/check.hpp"

namespace surety {
namespace {

using Op = NormalForm::Op;
using Number = NormalForm::Number;
using Node = NormalForm::Node;

class Normaliser {
 public:
  NormalForm run(const Formula& formula) {
    form_.root = normal(formula, false, true);
    return std::move(form_);
  }

 private:
  Number normal(const Formula& f, bool positive, bool strong);
  Number make(const Formula& f, bool positive, bool strong);
  Number both_or_either(Op op, const std::vector<Number>& operands);
  Number until(Op op, Number f, Number g);
  Number next(Number f, bool strong);
  Number atom(const Formula& f, bool positive);
  Number constant(bool value) { return add({Op::constant, value, 0, {}}); }
  Number add(Node node);
  bool is(Number f, bool value) const { return form_.nodes[f].op == Op::constant && form_.nodes[f].positive == value; }

  NormalForm form_;
  std::map<Node, Number> numbers_;
  std::map<std::tuple<const Formula*, bool, bool>, Number> known_;  // what normal() has answered
};

// `strong`: how X is meant here, in the formula as it will stand after negations are pushed down.
Number Normaliser::normal(const Formula& f, bool positive, bool strong) {
  const std::tuple key(&f, positive, strong);
  if (const auto it = known_.find(key); it != known_.end()) return it->second;
  const Number made = make(f, positive, strong);
  return known_[key] = made;
}

Number Normaliser::make(const Formula& f, bool positive, bool strong) {
  const auto part = [&](std::size_t i, bool as, bool how) { return normal(f.operands[i], as, how); };
  switch (f.op) {
    case Formula::Op::actions:
    case Formula::Op::fluent: return atom(f, positive);
    case Formula::Op::constant: return constant(f.value == positive);
    case Formula::Op::negation: return part(0, !positive, strong);
    case Formula::Op::next: return next(part(0, positive, strong), strong);
    case Formula::Op::always:
    case Formula::Op::eventually:
      if ((f.op == Formula::Op::always) == positive)
        return until(Op::weak_until, part(0, positive, false), constant(false));
      return until(Op::until, constant(true), part(0, positive, true));
    case Formula::Op::both:
    case Formula::Op::either: {
      std::vector<Number> operands;
      for (std::size_t i = 0; i < f.operands.size(); ++i) operands.push_back(part(i, positive, strong));
      return both_or_either((f.op == Formula::Op::both) == positive ? Op::both : Op::either, operands);
    }
    case Formula::Op::implies:
      return both_or_either(positive ? Op::either : Op::both, {part(0, !positive, strong), part(1, positive, strong)});
    case Formula::Op::iff: {
      const Op inner = positive ? Op::either : Op::both;  // (f -> g) && (g -> f), or what contradicts that
      const Number there = both_or_either(inner, {part(0, !positive, strong), part(1, positive, strong)});
      const Number back = both_or_either(inner, {part(1, !positive, strong), part(0, positive, strong)});
      return both_or_either(positive ? Op::both : Op::either, {there, back});
    }
    case Formula::Op::until:
    case Formula::Op::weak_until: {
      const bool becomes_until = (f.op == Formula::Op::until) == positive;
      const Op op = becomes_until ? Op::until : Op::weak_until;
      const Number first = part(0, positive, becomes_until), second = part(1, positive, becomes_until);
      return positive ? until(op, first, second) : until(op, second, both_or_either(Op::both, {first, second}));
    }
  }
  check(false, "a formula has an unknown operator");
  return 0;
}

// Nested ones are taken in, and what decides the whole decides it.
Number Normaliser::both_or_either(Op op, const std::vector<Number>& operands) {
  const bool neutral = op == Op::both;
  std::vector<Number> flat;
  for (const Number f : operands) {
    const Node& node = form_.nodes[f];
    if (is(f, !neutral)) return f;
    if (node.op == op)
      flat.insert(flat.end(), node.operands.begin(), node.operands.end());
    else if (!is(f, neutral))
      flat.push_back(f);
  }
  std::ranges::sort(flat);
  flat.erase(std::ranges::unique(flat).begin(), flat.end());
  if (flat.empty()) return constant(neutral);
  if (flat.size() == 1) return flat.front();
  return add({op, true, 0, std::move(flat)});
}

Number Normaliser::until(Op op, Number f, Number g) {
  if (is(g, true) || is(f, false)) return g;
  if (is(g, false) && op == Op::until) return g;
  if (is(f, true) && op == Op::weak_until) return f;
  // <> <> g and [] [] f say it twice.
  const Node& inner = form_.nodes[op == Op::until ? g : f];
  if (op == Op::until && is(f, true) && inner.op == op && is(inner.operands[0], true)) return g;
  if (op == Op::weak_until && is(g, false) && inner.op == op && is(inner.operands[1], false)) return f;
  return add({op, true, 0, {f, g}});
}

Number Normaliser::next(Number f, bool strong) {
  if (is(f, !strong)) return f;  // weak X true, strong X false; strong X true still wants an event
  return add({Op::next, strong, 0, {f}});
}

Number Normaliser::atom(const Formula& f, bool positive) {
  NormalForm::Atom atom;
  if (f.op == Formula::Op::fluent)
    atom.fluent = f.fluent;
  else
    atom.actions = f.actions;
  if (!atom.fluent && atom.actions.empty()) return constant(!positive);
  const auto same = [&](const auto& a) { return a.fluent == atom.fluent && a.actions == atom.actions; };
  const auto it = std::ranges::find_if(form_.atoms, same);
  const auto number = static_cast<std::uint32_t>(it - form_.atoms.begin());
  if (it == form_.atoms.end()) form_.atoms.push_back(std::move(atom));
  return add({Op::literal, positive, number, {}});
}

Number Normaliser::add(Node node) {
  const auto [it, is_new] = numbers_.try_emplace(std::move(node), static_cast<Number>(form_.nodes.size()));
  if (is_new) form_.nodes.push_back(it->first);
  return it->second;
}

void collect(const Formula& f, std::vector<Action>& out) {
  out.insert(out.end(), f.actions.begin(), f.actions.end());
  for (const Formula& operand : f.operands) collect(operand, out);
}

// The truth of every node at every position, from the definitions. The last position is followed by
// position `again`, or by nothing.
class Evaluation {
 public:
  Evaluation(const NormalForm& form, std::vector<std::vector<bool>> atoms, std::optional<std::size_t> again)
      : form_(form), atoms_(std::move(atoms)), again_(again) {}

  bool run() {
    if (atoms_.empty()) return holds_on_nothing(form_);
    for (const Node& node : form_.nodes) truth_.push_back(along(node));
    return truth_[form_.root].front();
  }

 private:
  using Row = std::vector<bool>;  // by position

  Row along(const Node& node) const {
    const std::size_t n = atoms_.size();
    Row row(n, false);
    if (node.op == Op::until || node.op == Op::weak_until) return fixpoint(node);
    for (std::size_t i = 0; i < n; ++i) {
      const auto there = [&](Number f) { return truth_[f][i]; };
      switch (node.op) {
        case Op::literal: row[i] = atoms_[i][node.atom] == node.positive; break;
        case Op::next:
          row[i] = i + 1 < n || again_ ? truth_[node.operands[0]][i + 1 < n ? i + 1 : *again_] : !node.positive;
          break;
        case Op::both: row[i] = std::ranges::all_of(node.operands, there); break;
        case Op::either: row[i] = std::ranges::any_of(node.operands, there); break;
        default: row[i] = node.positive;
      }
    }
    return row;
  }

  // f U g is the least solution of "g, or f and the same next", f W g the greatest.
  Row fixpoint(const Node& node) const {
    const bool start = node.op == Op::weak_until;
    Row row(atoms_.size(), start);
    for (int round = 0; round < 2; ++round)
      for (std::size_t i = row.size(); i-- > 0;) {
        const bool later = i + 1 < row.size() ? row[i + 1] : again_ ? row[*again_] : start;
        row[i] = truth_[node.operands[1]][i] || (truth_[node.operands[0]][i] && later);
      }
    return row;
  }

  const NormalForm& form_;
  std::vector<std::vector<bool>> atoms_;  // by position
  std::optional<std::size_t> again_;
  std::vector<Row> truth_;  // by node
};

}  // namespace

Alphabet alphabet_of(const Assertion& assertion) {
  std::vector<Action> all(assertion.extension.begin(), assertion.extension.end());
  collect(assertion.formula, all);
  for (const Fluent& f : assertion.fluents)
    for (const Alphabet* set : {&f.initiating, &f.terminating}) all.insert(all.end(), set->begin(), set->end());
  return Alphabet(std::move(all));
}

bool holds_on_nothing(const NormalForm& form) {
  std::vector<bool> holds;  // by node
  for (const Node& node : form.nodes) {
    const auto there = [&](Number f) { return holds[f]; };
    switch (node.op) {
      case Op::constant: holds.push_back(node.positive); break;
      case Op::both: holds.push_back(std::ranges::all_of(node.operands, there)); break;
      case Op::either: holds.push_back(std::ranges::any_of(node.operands, there)); break;
      default: holds.push_back(node.op == Op::weak_until);
    }
  }
  return holds[form.root];
}

NormalForm normal_form_of_negation(const Formula& formula) { return Normaliser().run(formula); }

FluentValues::FluentValues(const std::vector<Fluent>& fluents) : fluents_(fluents) {
  for (const Fluent& f : fluents) values_.push_back(f.initially);
}

void FluentValues::happen(Action event) {
  for (std::size_t i = 0; i < fluents_.size(); ++i) {
    if (fluents_[i].initiating.contains(event)) values_[i] = true;
    if (fluents_[i].terminating.contains(event)) values_[i] = false;
  }
}

std::vector<std::vector<std::string>> fluents_along(const std::vector<Fluent>& fluents, Word word) {
  std::vector<std::vector<std::string>> out;
  FluentValues values(fluents);
  for (const Action event : word) {
    values.happen(event);
    auto& names = out.emplace_back();
    for (std::size_t i = 0; i < fluents.size(); ++i)
      if (values[i]) names.push_back(fluents[i].name);
  }
  return out;
}

bool holds_on(const Assertion& assertion, Word prefix, Word cycle) {
  const NormalForm form = normal_form_of_negation(assertion.formula);
  // Once round the cycle is still prefix: from the second time on the fluents repeat, too.
  Trace word(prefix.begin(), prefix.end());
  for (int round = 0; round < 2; ++round) word.insert(word.end(), cycle.begin(), cycle.end());
  FluentValues fluents(assertion.fluents);
  std::vector<std::vector<bool>> atoms;
  for (const Action event : word) {
    fluents.happen(event);
    auto& here = atoms.emplace_back();
    for (const auto& atom : form.atoms)
      here.push_back(atom.fluent ? fluents[*atom.fluent] : atom.actions.contains(event));
  }
  const std::size_t again = word.size() - cycle.size();
  return !Evaluation(form, std::move(atoms), cycle.empty() ? std::nullopt : std::optional(again)).run();
}

bool holds_on(const Formula& formula, const std::vector<std::vector<bool>>& positions, std::size_t again) {
  const NormalForm form = normal_form_of_negation(formula);
  std::vector<std::vector<bool>> atoms;
  for (const auto& here : positions) {
    auto& row = atoms.emplace_back();
    for (const auto& atom : form.atoms) row.push_back(atom.fluent && here[*atom.fluent]);
  }
  return !Evaluation(form, std::move(atoms), again).run();
}

}  // namespace surety
