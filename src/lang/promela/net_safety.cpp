// An ltl block that can be watched, as a property: a state is what is in the variables, buffers and marks that the
// formula asks for, and how the formula could still become false; a step that makes it false is missing.
//
// The network has neither the steps of init that start processes nor all steps that nobody notices, but such a formula
// does not care how often it sees the same. As everywhere, a claim does not look into atomic sequences.

#include <algorithm>

#include "lang/promela/ltl.hpp"
#include "lang/promela/net_buffer.hpp"
#include "lang/promela/net_properties.hpp"
#include "model/safety_formula.hpp"

namespace surety::promela::net {
namespace {

using Op = Expression::Op;

constexpr std::size_t kMaxStates = 100'000;

// The only slot that the reference can mean; nothing: that depends on an index.
std::optional<std::uint32_t> fixed_slot(const System& system, const Reference& r) {
  for (const auto& part : r.parts)
    for (const Expression& index : part.index)
      if (index.op != Op::number) return std::nullopt;
  return system.globals.find(r, [](const Expression& index) { return evaluate(index, {}); });
}

// P@label with one P, or P[n]@label with a number and no P that init starts, whose number may depend on who has died.
// Nothing: not so, or the label is none that a node stands for, or init starts the process at it: the network does not
// show when.
std::optional<Mark> mark_of(const System& system, const Expression& e) {
  const Process& process = system.program->processes[e.process];
  const bool by_number = !e.operands.empty();
  if (process.kind != Process::Kind::proctype || (by_number && e.operands[0].op != Op::number)) return std::nullopt;
  std::vector<std::uint32_t> all, meant;
  for (std::uint32_t i = 0; i < system.instances.size(); ++i) {
    if (system.instances[i].type != e.process) continue;
    all.push_back(i);
    if (!by_number || e.operands[0].value == system.instances[i].pid) meant.push_back(i);
  }
  if (meant.size() != 1 || (by_number && all.size() != process.active)) return std::nullopt;
  const Instance& instance = system.instances[meant[0]];
  const auto& labels = system.flows[instance.type].labels;
  const auto at = labels.find(e.label);
  if (at == labels.end() || (at->second == instance.node && process.active == 0)) return std::nullopt;
  return Mark{meant[0], at->second, e.label};
}

std::optional<std::size_t> known_mark(const System& system, const Expression& e) {
  const auto mark = mark_of(system, e);
  if (!mark) return std::nullopt;
  const auto same = [&](const Mark& m) { return m.instance == mark->instance && m.node == mark->node; };
  const auto found = std::ranges::find_if(system.marks, same);
  if (found == system.marks.end()) return std::nullopt;
  return static_cast<std::size_t>(found - system.marks.begin());
}

void find_marks(System& system, const Expression& e) {
  if (e.op == Op::remote_label && !known_mark(system, e))
    if (auto mark = mark_of(system, e)) system.marks.push_back(std::move(*mark));
  for (const Expression& operand : e.operands) find_marks(system, operand);
}

// What the formula asks for, as it is between two steps.
struct Moment {
  Values values;                               // of all objects; those of channels mean nothing
  std::map<std::uint32_t, Contents> contents;  // of those channels
  friend auto operator<=>(const Moment&, const Moment&) = default;
};

class Watcher {
 public:
  Watcher(const System& system, const std::vector<Joint>& joints, Budget& budget)
      : system_(system), joints_(joints), budget_(budget) {
    for (const Joint& joint : joints)
      for (const auto& [object, touches] : joint.uses)
        if (std::ranges::any_of(touches, changes)) written_.insert(object);
  }

  std::optional<Lts> run(const Expression& formula) {
    const PropositionalFormula lowered = propositional(formula);
    const auto watch = SafetyWatch::of(lowered.formula);
    if (!watch) return std::nullopt;
    propositions_ = &lowered.propositions;
    for (const Expression& p : lowered.propositions)
      if (!look_at(p)) return std::nullopt;
    const Moment start = first_moment();
    auto state = watch->after(watch->initial(), letter(start));
    if (SafetyWatch::is_false(state)) return std::nullopt;
    return build(*watch, {start, std::move(state)});
  }

 private:
  using Key = std::pair<Moment, SafetyWatch::State>;

  // Takes note of all that the expression can ask for; false: we cannot answer that.
  bool look_at(const Expression& e) {
    const auto each = [&](const auto& some) {
      return std::ranges::all_of(some, [&](const Expression& one) { return look_at(one); });
    };
    switch (e.op) {
      case Op::variable: return look_at(e.reference);
      case Op::length:
      case Op::full:
      case Op::empty:
      case Op::not_full:
      case Op::not_empty:
      case Op::poll: {
        const auto c = channel(e.reference);
        if (!c) return false;
        objects_.insert(system_.channel_object(*c));
        channels_.insert(*c);
        return std::ranges::all_of(
            e.patterns, [&](const Pattern& p) { return p.kind == Pattern::Kind::variable || look_at(p.expression); });
      }
      case Op::remote_label: {
        const auto m = known_mark(system_, e);
        if (m) objects_.insert(system_.mark_object(*m));
        return m.has_value();
      }
      default: return e.op <= Op::conditional && each(e.operands);
    }
  }

  bool look_at(const Reference& r) {
    if (r.scope != Reference::Scope::global) return false;
    std::uint32_t first = system_.globals.base(r.variable), count = system_.globals.slot_count(r.variable);
    if (const auto slot = fixed_slot(system_, r)) first = *slot, count = 1;
    for (std::uint32_t i = first; i < first + count; ++i) {
      if (system_.set_by_init[i]) return false;  // what it held before init had run is not in the network
      objects_.insert(i);
    }
    for (const auto& part : r.parts)
      for (const Expression& index : part.index)
        if (!look_at(index)) return false;
    return true;
  }

  // The buffer that the reference means for ever.
  std::optional<std::uint32_t> channel(const Reference& r) const {
    const auto slot = r.scope == Reference::Scope::global ? fixed_slot(system_, r) : std::nullopt;
    if (!slot || written_.contains(*slot) || system_.set_by_init[*slot]) return std::nullopt;
    const auto c = static_cast<std::uint32_t>(system_.initial[*slot]) - 1;
    return c < system_.channels.size() && system_.channels[c].capacity > 0 ? std::optional(c) : std::nullopt;
  }

  Moment first_moment() const {
    Moment out;
    out.values = system_.initial;
    out.values.resize(system_.mark_object(system_.marks.size()), 0);
    for (std::size_t m = 0; m < system_.marks.size(); ++m) {
      const Mark& mark = system_.marks[m];
      out.values[system_.mark_object(m)] = system_.instances[mark.instance].node == mark.node;
    }
    for (const std::uint32_t c : channels_) out.contents[c];
    return out;
  }

  std::vector<bool> letter(const Moment& moment) const {
    std::vector<bool> out;
    for (const Expression& p : *propositions_) out.push_back(holds(p, moment));
    return out;
  }

  // As on the machine, what cannot be worked out is false.
  bool holds(const Expression& e, const Moment& moment) const {
    bool broken = false, by_zero = false;
    Context context;
    const auto value = [&](const Expression& inner) { return evaluate(inner, context); };
    context.get = [&](const Reference& r) {
      const auto at = system_.globals.find(r, value);
      broken |= !at;
      return at ? moment.values[*at] : 0;
    };
    context.other = [&](const Expression& odd) -> std::int32_t {
      if (odd.op == Op::remote_label) return moment.values[system_.mark_object(*known_mark(system_, odd))];
      const std::uint32_t c = *channel(odd.reference);
      const Contents& contents = moment.contents.at(c);
      if (odd.op == Op::length) return static_cast<std::int32_t>(contents.size());
      const bool about_full = odd.op == Op::full || odd.op == Op::not_full;
      Touch question{about_full ? Touch::Kind::full : Touch::Kind::empty, 1, {}, {}, odd.random};
      if (odd.op == Op::poll) question.kind = Touch::Kind::poll;
      for (const Pattern& p : odd.patterns)
        question.mask.push_back(p.kind == Pattern::Kind::variable ? std::nullopt : std::optional(value(p.expression)));
      const bool is = apply(question, contents, system_.channels[c].capacity).has_value();
      return is != (odd.op == Op::not_full || odd.op == Op::not_empty);
    };
    context.divided_by_zero = &by_zero;
    return evaluate(e, context) != 0 && !broken && !by_zero;
  }

  static bool changes(const Touch& touch) {
    using Kind = Touch::Kind;
    return touch.kind == Kind::set || touch.kind == Kind::send || touch.kind == Kind::receive;
  }

  // After an error there is nothing to look at.
  bool can_see(const Joint& joint) const {
    return !joint.breaks && std::ranges::any_of(joint.uses, [&](const auto& use) {
      return objects_.contains(use.first) && std::ranges::any_of(use.second, changes);
    });
  }

  // Nothing: the joint cannot happen then.
  std::optional<Moment> after(Moment moment, const Joint& joint) const {
    for (const auto& [object, touches] : joint.uses) {
      if (!objects_.contains(object)) continue;
      for (const Touch& touch : touches) {
        const std::uint32_t c = object - system_.channel_object(0);
        if (touch.kind == Touch::Kind::set) {
          moment.values[object] = touch.value;
        } else if (touch.kind == Touch::Kind::is) {
          if (moment.values[object] != touch.value) return std::nullopt;
        } else if (auto contents = apply(touch, moment.contents[c], system_.channels[c].capacity)) {
          moment.contents[c] = std::move(*contents);
        } else {
          return std::nullopt;
        }
      }
    }
    return moment;
  }

  std::optional<Lts> build(const SafetyWatch& watch, Key start) {
    std::vector<const Joint*> seen;
    std::vector<Action> alphabet;
    for (const Joint& joint : joints_)
      if (can_see(joint)) seen.push_back(&joint), alphabet.push_back(joint.action);
    std::map<Key, std::uint32_t> numbers{{start, 0}};
    std::vector<Key> order{std::move(start)};
    LtsBuilder builder;
    builder.add_to_alphabet(Alphabet(std::move(alphabet)));
    for (std::uint32_t s = 0; s < order.size(); ++s)
      for (const Joint* joint : seen) {
        if (!budget_.go_on()) return std::nullopt;
        const auto moment = after(order[s].first, *joint);
        if (!moment) {
          builder.add_step(State{s}, joint->action, State{s});  // does not happen here: say nothing against it
          continue;
        }
        auto state = watch.after(order[s].second, letter(*moment));
        if (SafetyWatch::is_false(state)) continue;
        Key next{*moment, std::move(state)};
        const auto [at, fresh] = numbers.try_emplace(next, static_cast<std::uint32_t>(order.size()));
        if (fresh) order.push_back(std::move(next));
        if (order.size() > kMaxStates) return std::nullopt;
        builder.add_step(State{s}, joint->action, State{at->second});
      }
    builder.set_state_count(static_cast<std::uint32_t>(order.size()));
    return builder.build();
  }

  const System& system_;
  const std::vector<Joint>& joints_;
  Budget& budget_;
  const std::vector<Expression>* propositions_ = nullptr;
  std::set<std::uint32_t> written_;             // objects that somebody changes
  std::set<std::uint32_t> objects_, channels_;  // that the formula asks for
};

}  // namespace

void mark_labels(System& system) {
  for (const LtlBlock& block : system.program->formulas)
    if (SafetyWatch::of(propositional(block.formula).formula)) find_marks(system, block.formula);
}

std::optional<Lts> safety_property(const System& system, const Expression& formula, const std::vector<Joint>& joints,
                                   Budget& budget) {
  return Watcher(system, joints, budget).run(formula);
}

}  // namespace surety::promela::net
