#include "lang/ada/flow/execute.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace surety::ada {
namespace {

using flow::Instruction;
using flow::kNone;
using flow::kOpaque;
using flow::kUnset;
using flow::Node;
using Op = Instruction::Op;

Result value(Value v) { return {Result::Kind::value, v, 0, 0}; }
Result raised(std::uint32_t exception = flow::constraint_error) { return {Result::Kind::raised, 0, 0, exception}; }

Result power(Value a, Value b) {
  if (b < 0) return raised();
  Value out = 1;
  for (; b > 0; --b) {
    if (__builtin_mul_overflow(out, a, &out)) return raised();
    if (a == 0 || a == 1) break;
    if (a == -1) return value(b % 2 == 0 ? 1 : -1);
  }
  return value(out);
}

Value floor_mod(Value a, Value b) {
  const Value r = a % b;
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

}  // namespace

bool is_binary(Op op) { return (op >= Op::plus && op <= Op::power) || (op >= Op::and_ && op <= Op::greater_equal); }

Result apply(Instruction i, Value a, Value b) {
  Value out = 0;
  switch (i.op) {
    case Op::plus: return __builtin_add_overflow(a, b, &out) ? raised() : value(out);
    case Op::minus: return __builtin_sub_overflow(a, b, &out) ? raised() : value(out);
    case Op::times: return __builtin_mul_overflow(a, b, &out) ? raised() : value(out);
    case Op::divide: return b == 0 || (b == -1 && a <= kUnset) ? raised() : value(a / b);
    case Op::mod: return b == 0 ? raised() : b == -1 ? value(0) : value(floor_mod(a, b));
    case Op::rem: return b == 0 ? raised() : b == -1 ? value(0) : value(a % b);
    case Op::power: return power(a, b);
    case Op::negate: return value(-a);
    case Op::abs: return value(a < 0 ? -a : a);
    case Op::not_: return value(a == 0 ? 1 : 0);
    case Op::and_: return value(a & b);
    case Op::or_: return value(a | b);
    case Op::xor_: return value(a ^ b);
    case Op::equal: return value(a == b ? 1 : 0);
    case Op::not_equal: return value(a != b ? 1 : 0);
    case Op::less: return value(a < b ? 1 : 0);
    case Op::less_equal: return value(a <= b ? 1 : 0);
    case Op::greater: return value(a > b ? 1 : 0);
    case Op::greater_equal: return value(a >= b ? 1 : 0);
    case Op::inside: return value(a >= i.a && a <= i.b ? 1 : 0);
    case Op::check: return a >= i.a && a <= i.b ? value(a) : raised();
    case Op::wrap: return value(floor_mod(a, i.a));
    case Op::constant:
    case Op::load: break;
  }
  return value(i.a);
}

Result evaluate(const flow::Code& code, std::span<const Value> memory) {
  constexpr std::size_t kDeepest = 256;
  Value stack[kDeepest];
  std::size_t size = 0;
  for (const Instruction& i : code) {
    if (i.op == Op::constant || i.op == Op::load) {
      check(size < kDeepest, "an expression needs too many values at once");
      stack[size] = i.op == Op::constant ? i.a : memory[static_cast<std::size_t>(i.a)];
      if (i.op == Op::load && stack[size] == kUnset)
        return {Result::Kind::unset, 0, static_cast<std::uint32_t>(i.a), 0};
      ++size;
      continue;
    }
    // An operator comes after its operands, so they are on the stack.
    const Value b = is_binary(i.op) ? stack[--size] : 0;  // NOLINT(clang-analyzer-core.uninitialized.Assign)
    Value& a = stack[size - 1];
    if (a == kOpaque || b == kOpaque) {  // NOLINT(clang-analyzer-core.UndefinedBinaryOperatorResult)
      a = kOpaque;
      continue;
    }
    const Result result = apply(i, a, b);
    if (!result.ok()) return result;
    a = result.value;
  }
  return value(size == 0 ? 0 : stack[0]);
}

std::uint32_t handled_at(const flow::Graph& graph, std::uint32_t handler, std::uint32_t exception,
                         std::span<Value> memory) {
  for (; handler != kNone; handler = graph.handlers[handler].outer) {
    const flow::Handler& h = graph.handlers[handler];
    if (!h.exceptions.empty() && std::ranges::find(h.exceptions, exception) == h.exceptions.end()) continue;
    if (h.occurrence != kNone) memory[h.occurrence] = exception;
    return h.node;
  }
  return kNone;
}

Result address(const Node& node, std::span<const Value> memory) {
  if (node.offset.empty()) return value(node.first);
  Result at = evaluate(node.offset, memory);
  if (at.ok() && at.value != kOpaque) at.value += node.first;
  return at;
}

namespace detail {
namespace {

bool raise(const flow::Graph& graph, std::uint32_t& node, std::uint32_t exception, std::span<Value> memory,
           Stop& stop) {
  const std::uint32_t at = handled_at(graph, graph.nodes[node].handler, exception, memory);
  if (at == kNone) stop = {Stop::Kind::raised, node, exception, kNone};
  if (at != kNone) node = at;
  return at != kNone;
}

}  // namespace

bool step(const flow::Graph& graph, std::uint32_t& node, std::span<Value> memory, Stop& stop) {
  using Kind = Node::Kind;
  const Node& n = graph.nodes[node];
  const auto stopped = [&](Stop::Kind kind, std::uint32_t slot = kNone) {
    stop = {kind, node, 0, slot};
    return false;
  };
  const auto failed = [&](const Result& r) {
    return r.kind == Result::Kind::unset ? stopped(Stop::Kind::choice, r.slot)
                                         : raise(graph, node, r.exception, memory, stop);
  };
  Result at = value(n.target);
  if (n.kind == Kind::read || n.kind == Kind::write) {
    at = address(n, memory);
    if (!at.ok()) return failed(at);
    if (at.value == kOpaque) return stopped(Stop::Kind::choice);
  }
  switch (n.kind) {
    case Kind::compute:
    case Kind::write: {
      const Result r = evaluate(n.value, memory);
      if (!r.ok()) return failed(r);
      memory[static_cast<std::size_t>(at.value)] = r.value;
      break;
    }
    case Kind::read: {
      const Value v = memory[static_cast<std::size_t>(at.value)];
      if (v == kUnset) return stopped(Stop::Kind::choice, static_cast<std::uint32_t>(at.value));
      memory[n.target] = v;
      break;
    }
    case Kind::branch: {
      const Result r = evaluate(n.value, memory);
      if (!r.ok()) return failed(r);
      if (r.value == kOpaque) return stopped(Stop::Kind::choice);
      node = r.value != 0 ? n.next : n.other;
      return true;
    }
    case Kind::raise:
      return raise(graph, node, n.first != kNone ? n.first : static_cast<std::uint32_t>(memory[n.target]), memory,
                   stop);
    case Kind::gone: break;
    case Kind::choose: return stopped(Stop::Kind::choice);
    case Kind::wait:
    case Kind::await_end:
    case Kind::accept_end:
    case Kind::queue:
    case Kind::count:
    case Kind::status:
    case Kind::begin:
    case Kind::activated:
    case Kind::abandoned:
    case Kind::end:
    case Kind::event:
    case Kind::complete: return stopped(Stop::Kind::visible);
  }
  node = n.next;
  return true;
}

}  // namespace detail
}  // namespace surety::ada
