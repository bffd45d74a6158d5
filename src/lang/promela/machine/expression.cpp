#include "lang/promela/machine/expression.hpp"

#include "lang/promela/machine/message.hpp"

namespace surety::promela {
namespace {

using I = Instruction::Op;

std::int32_t arithmetic(Memory& m, I op, std::int32_t x, std::int32_t y) {
  const auto a = static_cast<std::uint32_t>(x), b = static_cast<std::uint32_t>(y);
  switch (op) {
    case I::times: return static_cast<std::int32_t>(a * b);
    case I::plus: return static_cast<std::int32_t>(a + b);
    case I::minus: return static_cast<std::int32_t>(a - b);
    case I::divide:
    case I::modulo:
      if (y == 0) {
        m.why = Why::division;
        return 0;
      }
      if (y == -1) return op == I::divide ? static_cast<std::int32_t>(0U - a) : 0;
      return op == I::divide ? x / y : x % y;
    case I::shift_left: return static_cast<std::int32_t>(a << (b & 31U));
    case I::shift_right: return x >> (b & 31U);
    case I::less: return x < y;
    case I::greater: return x > y;
    case I::less_equal: return x <= y;
    case I::greater_equal: return x >= y;
    case I::equal: return x == y;
    case I::not_equal: return x != y;
    case I::bit_and: return x & y;
    case I::bit_xor: return x ^ y;
    default: return x | y;
  }
}

bool poll(Memory& m, const Instruction& i, std::int32_t id, std::uint32_t process, std::int32_t* top) {
  if (m.channel(id) == nullptr) return false;
  if (m.kind(id).rendezvous()) {
    m.why = Why::poll_rendezvous;
    return false;
  }
  return find_message(m, id, m.code.polls[i.a], i.b != 0, process, top).has_value();
}

// -1 stands for the first process of its type.
std::int32_t remote_process(const Memory& m, std::int32_t number, std::uint32_t wanted) {
  if (number == -1) {
    for (std::uint32_t p = 0; p < m.processes(); ++p)
      if (m.type(p) == wanted) return static_cast<std::int32_t>(p);
    return -1;
  }
  const auto p = static_cast<std::uint32_t>(number);
  return number >= 0 && p < m.processes() && m.type(p) == wanted ? number : -1;
}

bool anyone_at(const Memory& m, bool Flow::Place::*label) {
  for (std::uint32_t p = 0; p < m.processes(); ++p)
    if (m.compiled(p).flow.places[m.place(p)].*label) return true;
  return false;
}

}  // namespace

std::int32_t evaluate(Memory& m, const Code& code, std::uint32_t process, std::int32_t* top) {
  const std::size_t length = code.size();
  for (std::size_t at = 0; at < length; ++at) {
    const Instruction& i = code[at];
    switch (i.op) {
      case I::push: *top++ = i.b; break;
      case I::load_global: *top++ = m.load(i.b, i.encoding); break;
      case I::load_local: *top++ = load(m.frame(process) + i.b, i.encoding); break;
      case I::address_global: *top++ = i.b; break;
      case I::address_local: *top++ = static_cast<std::int32_t>(m.process_at[process]) + i.b; break;
      case I::address_remote: {
        const std::int32_t p = remote_process(m, top[-1], i.a);
        if (p < 0) m.why = Why::no_process;
        top[-1] = p < 0 ? 0 : static_cast<std::int32_t>(m.process_at[p]) + i.b;
        break;
      }
      case I::index: {
        --top;
        const bool inside = *top >= 0 && static_cast<std::uint32_t>(*top) < i.a;
        if (!inside) m.why = Why::index;
        top[-1] += inside ? *top * i.b : 0;
        break;
      }
      case I::load: top[-1] = m.load(top[-1], i.encoding); break;
      case I::negate: top[-1] = static_cast<std::int32_t>(0U - static_cast<std::uint32_t>(top[-1])); break;
      case I::complement: top[-1] = ~top[-1]; break;
      case I::logical_not: top[-1] = !top[-1]; break;
      case I::truth: top[-1] = top[-1] != 0; break;
      case I::jump: at = static_cast<std::size_t>(i.b) - 1; break;
      case I::jump_if_false:
        if (*--top == 0) at = static_cast<std::size_t>(i.b) - 1;
        break;
      case I::jump_if_true:
        if (*--top != 0) at = static_cast<std::size_t>(i.b) - 1;
        break;
      case I::pid: *top++ = static_cast<std::int32_t>(process); break;
      case I::nr_pr: *top++ = static_cast<std::int32_t>(m.processes()); break;
      case I::timeout: *top++ = m.timeout; break;
      case I::non_progress: *top++ = !anyone_at(m, &Flow::Place::progress); break;
      case I::accepting: *top++ = anyone_at(m, &Flow::Place::accept); break;
      case I::length:
      case I::full:
      case I::empty:
      case I::not_full:
      case I::not_empty: top[-1] = m.channel(top[-1]) == nullptr ? 0 : about_channel(m, i.op, top[-1]); break;
      case I::poll: top[-1] = poll(m, i, top[-1], process, top); break;
      case I::at_label: {
        const std::int32_t p = remote_process(m, top[-1], i.a);
        top[-1] = p >= 0 && m.place(static_cast<std::uint32_t>(p)) == static_cast<std::uint32_t>(i.b);
        break;
      }
      default: --top; top[-1] = arithmetic(m, i.op, top[-1], *top);
    }
    if (m.why != Why::nothing) return 0;
  }
  return top[-1];
}

void assign(Memory& m, const Target& target, std::int32_t value, std::uint32_t process) {
  if (target.address.empty()) return;  // _
  const std::int32_t address = evaluate(m, target.address, process);
  if (m.why == Why::nothing) m.store(address, value, target.encoding);
}

}  // namespace surety::promela
