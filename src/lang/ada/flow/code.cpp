// Code for a stack of values: put together, folded where the operands are known, with the checks of Ada.
#include <algorithm>

#include "lang/ada/flow/execute.hpp"
#include "lang/ada/flow/expander.hpp"

namespace surety::ada {
namespace {

using flow::Instruction;
using Op = Instruction::Op;

}  // namespace

std::optional<Value> Expander::known(const Code& code) {
  if (code.size() == 1 && code[0].op == Op::constant && code[0].a != flow::kOpaque && code[0].a != flow::kUnset)
    return code[0].a;
  return std::nullopt;
}

Code Expander::combine(Code a, const Code& b, Op op) {
  const auto x = known(a), y = known(b);
  if (x && y)
    if (const Result r = apply({op, 0, 0}, *x, *y); r.ok()) return constant(r.value);
  a.insert(a.end(), b.begin(), b.end());
  a.push_back({op, 0, 0});
  return a;
}

Code Expander::combine(Code a, Instruction instruction) {
  if (const auto x = known(a))
    if (const Result r = apply(instruction, *x, 0); r.ok()) return constant(r.value);
  a.push_back(instruction);
  return a;
}

bool Expander::can_raise(const Code& code) {
  return std::ranges::any_of(code, [](const Instruction& i) {
    return i.op == Op::check || i.op == Op::divide || i.op == Op::mod || i.op == Op::rem || i.op == Op::power ||
           i.op == Op::plus || i.op == Op::minus || i.op == Op::times;
  });
}

Code Expander::checked(Code code, const Type& type) {
  if (!type.discrete() || type.kind == Type::Kind::universal) return code;
  if (const auto value = known(code); value && *value >= type.low && *value <= type.high) return code;
  if (!code.empty() && code.back().op == Op::check && code.back().a >= type.low && code.back().b <= type.high)
    return code;
  if (type.is_boolean() && type.low == 0 && type.high == 1) return code;
  if (code.size() == 1 && code[0].op == Op::load) {
    const flow::Slot& slot = program_.slots[static_cast<std::size_t>(code[0].a)];
    if (!slot.temporary && slot.low >= type.low && slot.high <= type.high) return code;
  }
  code.push_back({Op::check, type.low, type.high});
  return code;
}

// The result of an operation in a type: overflow is an error, or modular arithmetic.
Code Expander::arithmetic(Code code, const Type& type) {
  const Type& base = *type.base;
  if (base.kind == Type::Kind::modular) return combine(std::move(code), {Op::wrap, base.modulus, 0});
  if (base.kind != Type::Kind::integer) return code;
  if (const auto value = known(code); value && *value >= base.low && *value <= base.high) return code;
  code.push_back({Op::check, base.low, base.high});
  return code;
}

Code Expander::materialised(Code code) {
  if (known(code) || (code.size() == 1 && code[0].op == Op::constant)) return code;
  if (code.size() == 1 && program_.slots[static_cast<std::size_t>(code[0].a)].name.empty()) return code;
  const std::uint32_t slot = temporary(*integer_);
  program_.slots[slot].low = flow::kUnset + 1;
  program_.slots[slot].high = INT64_MAX;
  emit_compute(slot, std::move(code));
  return load(slot);
}

}  // namespace surety::ada
