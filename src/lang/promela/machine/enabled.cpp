#include "lang/promela/machine/enabled.hpp"

#include <algorithm>

#include "lang/promela/machine/expression.hpp"

namespace surety::promela {
namespace {

bool any_enabled(Memory& m, std::uint32_t process, const Operations& list) {
  bool found = false;
  for (const Operation& op : list) {
    found = enabled(m, op, process, found);
    if (found) return true;
  }
  return false;
}

bool send_or_receive_enabled(Memory& m, const Operation& op, std::uint32_t process) {
  const std::int32_t id = evaluate(m, op.code, process);
  if (m.why != Why::nothing) return true;
  if (m.channel(id) == nullptr) return true;
  const ChannelKind& kind = m.kind(id);
  if (op.kind == Operation::Kind::send) {
    if (!kind.rendezvous()) return about_channel(m, Instruction::Op::not_full, id) != 0;
    if (m.outside != nullptr) return m.outside->has_receiver(id);
    const Offer offer = make_offer(m, op, process, id);
    return m.why != Why::nothing || !partners(m, offer, true).empty();
  }
  if (kind.rendezvous()) {
    if (op.peek) m.why = Why::poll_rendezvous;
    return op.peek;
  }
  return find_message(m, id, op, process).has_value() || m.why != Why::nothing;
}

bool ready(Memory& m, const Operation& op, std::uint32_t process, const Offer& offer) {
  if (op.kind != Operation::Kind::receive || op.peek) return false;
  const std::int32_t id = evaluate(m, op.code, process);
  m.forget_fault();
  return id == offer.channel && op.patterns.size() == offer.message.size() &&
         matches(m, op.patterns, offer.message, process);
}

}  // namespace

const Operation* ready_receive(Memory& m, const Operation& op, std::uint32_t process, const Offer& offer) {
  if (ready(m, op, process, offer)) return &op;
  if (op.kind == Operation::Kind::d_step)
    for (const Operation& inner : m.compiled(process).places[op.process])
      if (ready(m, inner, process, offer)) return &inner;
  return nullptr;
}

bool enabled(Memory& m, const Operation& op, std::uint32_t process, bool something_before) {
  switch (op.kind) {
    case Operation::Kind::condition: return evaluate(m, op.code, process) != 0 || m.why != Why::nothing;
    case Operation::Kind::otherwise: return !something_before;
    case Operation::Kind::finish: return process + 1 == m.processes();
    case Operation::Kind::d_step: return first_of_d_step(m, m.compiled(process).places[op.process], process) != nullptr;
    case Operation::Kind::send:
    case Operation::Kind::receive: return send_or_receive_enabled(m, op, process);
    default: return true;
  }
}

const Operation* first_of_d_step(Memory& m, const Operations& list, std::uint32_t process) {
  bool something = false;
  for (const Operation& op : list) {
    if (op.kind == Operation::Kind::send && is_rendezvous(m, op, process)) m.why = Why::rendezvous_d_step;
    something = m.why != Why::nothing || enabled(m, op, process, something);
    if (something) return &op;
  }
  return nullptr;
}

bool provided(Memory& m, std::uint32_t process) {
  const Code& code = m.compiled(process).provided;
  return code.empty() || evaluate(m, code, process) != 0;
}

const Operations& operations(Memory& m, std::uint32_t process) {
  const CompiledProcess& p = m.compiled(process);
  const std::uint32_t here = m.place(process);
  for (const auto escape : p.escapes[here]) {
    const bool possible = any_enabled(m, process, p.places[escape]);
    m.why = Why::nothing;
    if (possible) return p.places[escape];
  }
  return p.places[here];
}

bool can_move(Memory& m, std::uint32_t process) {
  if (process >= m.processes() || !provided(m, process)) return false;
  const bool found = any_enabled(m, process, operations(m, process));
  m.why = Why::nothing;
  return found;
}

bool is_rendezvous(Memory& m, const Operation& op, std::uint32_t process) {
  if (op.kind != Operation::Kind::send && op.kind != Operation::Kind::receive) return false;
  const std::int32_t id = evaluate(m, op.code, process);
  return m.why == Why::nothing && m.channel(id) != nullptr && m.kind(id).rendezvous();
}

Offer make_offer(Memory& m, const Operation& send, std::uint32_t sender, std::int32_t channel) {
  Offer made{sender, channel, {}};
  const ChannelKind& kind = m.kind(channel);
  evaluate_message(m, send, kind, sender, made.message);
  narrow(made.message, kind);
  return made;
}

std::vector<Partner> partners(Memory& m, const Offer& offer, bool one_is_enough) {
  std::vector<Partner> out;
  const auto enough = [&] { return one_is_enough && !out.empty(); };
  for (std::uint32_t p = m.processes(); p-- > 0 && !enough();) {
    if (p == offer.sender || !provided(m, p)) continue;
    const CompiledProcess& code = m.compiled(p);
    const auto add_those_at = [&](std::uint32_t place) {
      const std::size_t before = out.size();
      for (const Operation& op : code.places[place]) {
        if (const Operation* receive = ready_receive(m, op, p, offer)) out.push_back({p, &op, receive});
        if (enough()) break;
      }
      return out.size() > before;
    };
    const std::uint32_t here = m.place(p);
    if (std::ranges::none_of(code.escapes[here], add_those_at)) add_those_at(here);  // escapes of an `unless` go first
  }
  return out;
}

}  // namespace surety::promela
