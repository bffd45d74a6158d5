// An ltl block that can be watched, as a property.
//
// A state of the property is a pair: the values of the variables, buffers and marks that the formula asks for, and the
// state of the formula's own automaton (model/safety_formula.hpp). A step that makes the formula false is missing. All
// pairs from which the formula cannot become false are one state, in which the property also is after an error, which
// ends everything.
//
// The network lacks steps of the program: those of init that start processes, and some silent ones. That does no harm,
// because such a formula has the same value however often a state is repeated (it is invariant under stuttering). As
// everywhere, a formula does not look into atomic sequences.

#include <algorithm>

#include "lang/promela/machine/expression.hpp"
#include "lang/promela/machine/ltl.hpp"
#include "lang/promela/network/buffer.hpp"
#include "lang/promela/network/properties.hpp"
#include "model/safety_formula.hpp"

namespace surety::promela::net {
namespace {

using Op = Expression::Op;

constexpr std::size_t kMaxStates = 100'000;
constexpr std::uint32_t kNowhere = 0xFFFF;  // a place that no label is at

// The slot of the referenced variable; nothing: it depends on the value of an index.
std::optional<std::uint32_t> fixed_slot(const System& system, const Reference& r) {
  Expression e;
  e.op = Op::variable;
  e.reference = r;
  const Code code = system.compiler->expression(e, kNone);
  if (code.size() != 1 || code[0].op != Instruction::Op::load_global) return std::nullopt;
  return system.slot_at[static_cast<std::uint32_t>(code[0].b)];
}

// The mark of P@label or P[n]@label. There is one in two cases:
//   - P@label, if there is exactly one process P;
//   - P[n]@label with a constant n, if init starts no process P: the number of a process that init starts can depend on
//     which processes have ended before.
// In both cases there is none if init starts the process and the process begins at the label: the network does not
// show when that is.
std::optional<Mark> mark_of(const System& system, const Expression& e) {
  const Process& process = system.program->processes[e.process];
  const bool by_number = !e.operands.empty();
  if (process.kind != Process::Kind::proctype || (by_number && e.operands[0].op != Op::number)) return std::nullopt;
  std::vector<std::uint32_t> all, meant;
  for (std::uint32_t i = 0; i < system.instances.size(); ++i) {
    if (system.instances[i].type != e.process) continue;
    all.push_back(i);
    if (!by_number || e.operands[0].value == static_cast<std::int32_t>(i)) meant.push_back(i);
  }
  if (meant.size() != 1 || (by_number && all.size() != process.active)) return std::nullopt;
  const Instance& instance = system.instances[meant[0]];
  const Code code = system.compiler->expression(e, kNone);
  const auto at = std::ranges::find(code, Instruction::Op::at_label, &Instruction::op);
  if (at == code.end() || (static_cast<std::uint32_t>(at->b) == instance.place() && process.active == 0))
    return std::nullopt;
  return Mark{meant[0], static_cast<std::uint32_t>(at->b), e.label};
}

std::optional<std::size_t> known_mark(const System& system, const Expression& e) {
  const auto mark = mark_of(system, e);
  if (!mark) return std::nullopt;
  const auto same = [&](const Mark& m) { return m.instance == mark->instance && m.place == mark->place; };
  const auto found = std::ranges::find_if(system.marks, same);
  if (found == system.marks.end()) return std::nullopt;
  return static_cast<std::size_t>(found - system.marks.begin());
}

// Adds the marks of the expression to the system. Is there one?
bool find_marks(System& system, const Expression& e) {
  auto mark = e.op == Op::remote_label ? mark_of(system, e) : std::nullopt;
  bool found = mark.has_value();
  if (mark && !known_mark(system, e)) system.marks.push_back(std::move(*mark));
  for (const Expression& operand : e.operands) found |= find_marks(system, operand);
  return found;
}

// The values of all that the formula asks for, between two steps.
struct Moment {
  Values values;                   // of variables and marks
  std::vector<Contents> contents;  // of buffers
  friend auto operator<=>(const Moment&, const Moment&) = default;
};

class PropertyBuilder {
 public:
  PropertyBuilder(const System& system, const std::vector<JointTransition>& joints, Budget& budget)
      : system_(system), joints_(joints), budget_(budget), memory_(*system.code) {
    for (const JointTransition& joint : joints)
      for (const auto& [object, accesses] : joint.footprint)
        if (std::ranges::any_of(accesses, changes)) written_.insert(object);
  }

  tl::expected<Lts, std::string> run(const Expression& formula) {
    const auto no = [](std::string why) { return tl::unexpected(std::move(why)); };
    const PropositionalFormula lowered = propositional(formula);
    const auto watch = SafetyWatch::of(lowered.formula);
    if (!watch) return no("it counts steps, or asks for what must come true in the end");
    for (const Expression& p : lowered.propositions) {
      if (!look_at(p)) return no("it asks for what the parts do not show");
      propositions_.push_back(system_.compiler->expression(p, kNone));
    }
    memory_.fit_stack();
    auto state = watch->after(watch->initial(), letter(first_));
    if (state && SafetyWatch::is_false(*state)) return no("it is false at the start");
    std::optional<Lts> out;
    if (state) out = build(*watch, {first_, std::move(*state)});
    if (!out) return no("it would be too large a property");
    return std::move(*out);
  }

 private:
  using Key = std::pair<Moment, SafetyWatch::State>;

  // ---- what the formula asks for

  // Adds to first_ all objects that the expression asks for; false: the network does not know one of them.
  bool look_at(const Expression& e) {
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
        const auto [at, fresh] =
            places_.try_emplace(system_.channel_object(*c), static_cast<std::uint32_t>(first_.contents.size()));
        if (fresh) {
          buffers_.try_emplace(at->first, system_, *c);
          first_.contents.push_back(buffers_.at(at->first).initial());
        }
        return std::ranges::all_of(
            e.patterns, [&](const Pattern& p) { return p.kind == Pattern::Kind::variable || look_at(p.expression); });
      }
      case Op::remote_label: {
        const auto m = known_mark(system_, e);
        if (!m) return false;
        const Mark& mark = system_.marks[*m];
        add_value(system_.mark_object(*m), system_.instances[mark.instance].place() == mark.place);
        return true;
      }
      default:
        return e.op <= Op::conditional &&
               std::ranges::all_of(e.operands, [&](const Expression& operand) { return look_at(operand); });
    }
  }

  bool look_at(const Reference& r) {
    if (r.scope != Reference::Scope::global) return false;
    const auto only = fixed_slot(system_, r);
    for (std::uint32_t i = 0; i < system_.code->globals.size(); ++i) {
      if (only ? *only != i : system_.code->globals[i].variable != r.variable) continue;
      if (system_.set_by_init[i]) return false;  // what it held before init had run is not in the network
      add_value(i, system_.initial[i]);
    }
    for (const auto& segment : r.segments)
      for (const Expression& index : segment.index)
        if (!look_at(index)) return false;
    return true;
  }

  void add_value(std::uint32_t object, std::int32_t value) {
    if (places_.try_emplace(object, static_cast<std::uint32_t>(first_.values.size())).second)
      first_.values.push_back(value);
  }

  // The number of the buffer; nothing: it can change which buffer the reference means.
  std::optional<std::uint32_t> channel(const Reference& r) const {
    const auto slot = r.scope == Reference::Scope::global ? fixed_slot(system_, r) : std::nullopt;
    if (!slot || written_.contains(*slot) || system_.set_by_init[*slot]) return std::nullopt;
    const auto c = static_cast<std::uint32_t>(system_.initial[*slot]) - 1;
    return c < system_.channels.size() && !system_.channels[c].kind->rendezvous() ? std::optional(c) : std::nullopt;
  }

  // ---- what is true

  // The values of the propositions in a state of the machine with these values, contents and places. A proposition that
  // cannot be evaluated is false.
  std::vector<bool> letter(const Moment& moment) {
    memory_.open(system_.start);
    std::map<std::uint32_t, std::uint32_t> at;  // by instance: the place of a mark that is set
    for (const auto& [object, place] : places_) {
      if (object >= system_.mark_object(0)) {
        const Mark& mark = system_.marks[object - system_.mark_object(0)];
        at.try_emplace(mark.instance, kNowhere);
        if (moment.values[place] != 0) at[mark.instance] = mark.place;
      } else if (object >= system_.channel_object(0)) {
        const auto id = static_cast<std::int32_t>(object - system_.channel_object(0)) + 1;
        std::ranges::copy(moment.contents[place], memory_.made_channel(id));
      } else {
        const VariableLeaf& leaf = system_.code->globals[object];
        store(memory_.now + leaf.offset, moment.values[place], leaf.encoding);
      }
    }
    for (const auto& [instance, place] : at) memory_.set_place(instance, place);
    std::vector<bool> out;
    for (const Code& p : propositions_) {
      memory_.why = Why::nothing;
      const bool value = evaluate(memory_, p, 0) != 0;
      out.push_back(value && memory_.why == Why::nothing);
    }
    return out;
  }

  // ---- what happens

  static bool changes(const Access& access) {
    using Kind = Access::Kind;
    return access.kind == Kind::set || access.kind == Kind::send || access.kind == Kind::receive;
  }

  // Does the transition belong to the alphabet of the property? An error does, because it ends everything.
  bool can_see(const JointTransition& joint) const {
    return joint.breaks || std::ranges::any_of(joint.footprint, [&](const auto& use) {
             return places_.contains(use.first) && std::ranges::any_of(use.second, changes);
           });
  }

  // Nothing: the joint transition is not possible then.
  std::optional<Moment> after(Moment moment, const JointTransition& joint) {
    for (const auto& [object, accesses] : joint.footprint) {
      const auto place = places_.find(object);
      if (place == places_.end()) continue;
      for (const Access& access : accesses) {
        if (access.kind == Access::Kind::set) {
          moment.values[place->second] = access.value;
        } else if (access.kind == Access::Kind::is) {
          if (moment.values[place->second] != access.value) return std::nullopt;
        } else {
          Contents& contents = moment.contents[place->second];
          auto then = buffers_.at(object).after(access, contents);
          if (!then) return std::nullopt;
          contents = std::move(*then);
        }
      }
    }
    return moment;
  }

  std::optional<Lts> build(const SafetyWatch& watch, Key start) {
    std::vector<const JointTransition*> seen;
    std::vector<Action> alphabet;
    for (const JointTransition& joint : joints_)
      if (can_see(joint)) {
        seen.push_back(&joint);
        alphabet.push_back(joint.action);
      }
    const Key anything;  // the state from which the formula cannot become false
    if (SafetyWatch::is_true(start.second)) start = anything;
    std::map<Key, std::uint32_t> numbers{{std::move(start), 0}};
    std::vector<const Key*> order{&numbers.begin()->first};
    LtsBuilder builder;
    builder.add_to_alphabet(Alphabet(std::move(alphabet)));
    for (std::uint32_t s = 0; s < order.size(); ++s)
      for (const JointTransition* joint : seen) {
        if (!budget_.go_on()) return std::nullopt;
        const Key& now = *order[s];
        const bool free = SafetyWatch::is_true(now.second);
        const auto moment = free ? std::nullopt : after(now.first, *joint);
        if (!moment) {  // if it cannot happen here, we say nothing against it, either
          builder.add_step(State{s}, joint->action, State{s});
          continue;
        }
        Key next = anything;
        if (!joint->breaks) {
          auto state = watch.after(now.second, letter(*moment));
          if (!state) return std::nullopt;
          if (SafetyWatch::is_false(*state)) continue;
          if (!SafetyWatch::is_true(*state)) next = {*moment, std::move(*state)};
        }
        const auto [at, fresh] = numbers.try_emplace(std::move(next), static_cast<std::uint32_t>(order.size()));
        if (fresh) order.push_back(&at->first);
        if (order.size() > kMaxStates) return std::nullopt;
        builder.add_step(State{s}, joint->action, State{at->second});
      }
    builder.set_state_count(static_cast<std::uint32_t>(order.size()));
    return builder.build();
  }

  const System& system_;
  const std::vector<JointTransition>& joints_;
  Budget& budget_;
  Memory memory_;
  std::vector<Code> propositions_;
  std::set<std::uint32_t> written_;                // objects that some transition changes
  std::map<std::uint32_t, std::uint32_t> places_;  // by object that the formula asks for: its index in a moment
  std::map<std::uint32_t, Buffer> buffers_;        // by object
  Moment first_;
};

}  // namespace

bool mark_labels(System& system, const Expression& formula) {
  return SafetyWatch::of(propositional(formula).formula) && find_marks(system, formula);
}

tl::expected<Lts, std::string> safety_property(const System& system, const Expression& formula,
                                               const std::vector<JointTransition>& joints, Budget& budget) {
  return PropertyBuilder(system, joints, budget).run(formula);
}

}  // namespace surety::promela::net
