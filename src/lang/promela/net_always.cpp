// ltl { [] p }: the variables of p, watched. A state is what they hold; a step that makes p false is missing.

#include <algorithm>

#include "lang/promela/net_properties.hpp"

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

// The slots that the expression can read; false if it asks for anything but globals.
bool globals_of(const System& system, const Expression& e, std::set<std::uint32_t>& slots) {
  if (e.op == Op::variable) {
    const Reference& r = e.reference;
    if (r.scope != Reference::Scope::global) return false;
    if (const auto slot = fixed_slot(system, r)) {
      slots.insert(*slot);
      return true;
    }
    for (std::uint32_t i = 0; i < system.globals.slot_count(r.variable); ++i)
      slots.insert(system.globals.base(r.variable) + i);
    for (const auto& part : r.parts)
      for (const Expression& index : part.index)
        if (!globals_of(system, index, slots)) return false;
    return true;
  }
  if (e.op > Op::conditional && e.op != Op::implies && e.op != Op::equivalent) return false;
  return std::all_of(e.operands.begin(), e.operands.end(),
                     [&](const Expression& operand) { return globals_of(system, operand, slots); });
}

bool holds(const System& system, const Expression& e, const Values& values) {
  if (e.op == Op::implies) return !holds(system, e.operands[0], values) || holds(system, e.operands[1], values);
  if (e.op == Op::equivalent) return holds(system, e.operands[0], values) == holds(system, e.operands[1], values);
  if (e.op == Op::logical_and) return holds(system, e.operands[0], values) && holds(system, e.operands[1], values);
  if (e.op == Op::logical_or) return holds(system, e.operands[0], values) || holds(system, e.operands[1], values);
  if (e.op == Op::logical_not) return !holds(system, e.operands[0], values);
  Context context;
  context.get = [&](const Reference& r) {
    const auto at = system.globals.find(r, [&](const Expression& index) { return evaluate(index, context); });
    return at ? values[*at] : 0;
  };
  return evaluate(e, context) != 0;
}

}  // namespace

std::optional<Lts> always_property(const System& system, const Expression& formula, const std::vector<Joint>& joints,
                                   Budget& budget) {
  if (formula.op != Op::always) return std::nullopt;
  const Expression& p = formula.operands[0];
  std::set<std::uint32_t> slots;
  if (!globals_of(system, p, slots) || !holds(system, p, system.initial)) return std::nullopt;
  if (std::any_of(slots.begin(), slots.end(), [&](std::uint32_t s) { return system.set_by_init[s]; }))
    return std::nullopt;  // what they hold before init has run is not in the network

  const auto writes = [&](const Joint& joint) {
    return std::any_of(joint.uses.begin(), joint.uses.end(), [&](const auto& use) {
      return slots.contains(use.first) && use.second.back().kind == Touch::Kind::set;
    });
  };
  std::vector<const Joint*> writers;
  std::vector<Action> alphabet;
  for (const Joint& joint : joints)
    if (writes(joint)) writers.push_back(&joint), alphabet.push_back(joint.action);

  std::map<Values, std::uint32_t> numbers{{system.initial, 0}};
  std::vector<Values> order{system.initial};
  LtsBuilder builder;
  builder.add_to_alphabet(Alphabet(std::move(alphabet)));
  for (std::uint32_t s = 0; s < order.size(); ++s) {
    if (!budget.go_on()) return std::nullopt;
    for (const Joint* joint : writers) {
      Values next = order[s];
      bool possible = true;  // otherwise it does not happen here, and what we say of it does not matter
      for (const auto& [object, touches] : joint->uses)
        for (const Touch& touch : touches) {
          if (!slots.contains(object)) continue;
          possible &= touch.kind == Touch::Kind::set || touch.value == order[s][object];
          next[object] = touch.value;
        }
      if (!possible) next = order[s];
      if (!holds(system, p, next)) continue;
      const auto [at, fresh] = numbers.try_emplace(next, static_cast<std::uint32_t>(order.size()));
      if (fresh) order.push_back(next);
      if (order.size() > kMaxStates) return std::nullopt;
      builder.add_step(State{s}, joint->action, State{at->second});
    }
  }
  builder.set_state_count(static_cast<std::uint32_t>(order.size()));
  return builder.build();
}

}  // namespace surety::promela::net
