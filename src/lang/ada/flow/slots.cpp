// Reading and writing of slots: code for what is the task's own, nodes for what others may see or change.
//
// Code reads its slots when its node is executed; so where something that follows could change them, the value is put
// aside first (`materialised`).
#include <algorithm>

#include "lang/ada/flow/expander.hpp"

namespace surety::ada {
namespace {

using Kind = Expression::Kind;
using Op = flow::Instruction::Op;

}  // namespace

bool Expander::is_own(std::uint32_t slot) const {
  const flow::Slot& s = program_.slots[slot];
  if (immediate_) return true;
  if (s.object != kNone || object_ != kNone) return s.object == object_;
  return s.task == task_;
}

// A variable of a task that another task uses.
void Expander::note_capture(std::uint32_t slot) {
  const flow::Slot& s = program_.slots[slot];
  if (s.task == kNone || s.task == task_ || s.name.empty()) return;
  seen_.captured.insert(program_.places[s.place].offset);
}

// Whether others can notice that it is evaluated, or what it finds: it calls something, or reads what is not the task's
// own.
bool Expander::may_be_seen(const Expression& e) {
  if (may_call(e)) return true;
  if (e.kind == Kind::attribute && (e.text == "count" || e.text == "callable" || e.text == "terminated")) return true;
  const auto deeper = [&](const Expression& o) { return may_be_seen(o); };
  const Expression* root = &e;
  while (root->kind == Kind::selected) root = &root->operands[0];
  if (root->kind == Kind::name) {
    auto found = lookup(root->text, root->place);
    if (root != &e && (found.empty() || found[0]->kind != Entity::Kind::object)) found = look(e).entities;
    return std::ranges::any_of(found, [&](const Entity* c) {
      return c->kind == Entity::Kind::object && c->type != nullptr && c->type->extent.slots > 0 &&
             !is_own(c->location.first.slots);
    });
  }
  if (root != &e) return may_be_seen(*root);
  return (e.kind != Kind::attribute && std::ranges::any_of(e.operands, deeper)) ||
         std::ranges::any_of(e.arguments, [&](const Association& a) { return may_be_seen(a.value); });
}

// A value that is evaluated before `next`: put aside if `next` could change what it reads; and if it raises an
// exception, others must not see anything of `next`.
Code Expander::before(Code code, const Expression& next) {
  if (may_call(next) || (can_raise(code) && may_be_seen(next))) return materialised(std::move(code));
  return code;
}

// An element that was chosen by one task and is used by a task inside of it: the index is not known there.
void Expander::check_index(const Location& at) {
  for (const flow::Instruction& i : at.index)
    if (i.op == Op::load && !is_own(static_cast<std::uint32_t>(i.a)))
      return refuse(statement_, "a task uses an element that the task around it has chosen: this is not supported");
}

Code Expander::read_slot(const Location& at, std::uint32_t slot) {
  if (at.ignored) return constant(flow::kOpaque);
  check_index(at);
  const std::uint32_t first = at.first.slots + slot;
  if (at.type != nullptr && at.type->kind == Type::Kind::opaque) return constant(flow::kOpaque);
  if (at.index.empty()) {
    if (at.constant && !immediate_ && program_.slots[first].task == kNone && program_.slots[first].object == kNone &&
        memory_[first] != flow::kUnset)
      return constant(memory_[first]);
    if (is_own(first)) return load(first);
  }
  note_capture(first);
  flow::Node node;
  node.kind = flow::Node::Kind::read;
  node.first = first;
  node.target = temporary(*integer_);
  program_.slots[node.target].low = program_.slots[first].low;
  program_.slots[node.target].high = program_.slots[first].high;
  program_.slots[node.target].display = program_.slots[first].display;
  if (!at.index.empty()) {
    node.offset = combine(at.index, constant(at.stride.slots), Op::times);
    node.count = (at.count - 1) * at.stride.slots + 1;
  }
  const std::uint32_t target = node.target;
  emit(std::move(node));
  return load(target);
}

void Expander::write_slot(const Location& at, std::uint32_t slot, Code value) {
  if (at.ignored) return;
  check_index(at);
  const std::uint32_t first = at.first.slots + slot;
  if (at.index.empty() && is_own(first)) {
    emit_compute(first, std::move(value));
    return;
  }
  note_capture(first);
  flow::Node node;
  node.kind = flow::Node::Kind::write;
  node.first = first;
  node.value = std::move(value);
  if (!at.index.empty()) {
    node.offset = combine(at.index, constant(at.stride.slots), Op::times);
    node.count = (at.count - 1) * at.stride.slots + 1;
  }
  emit(std::move(node));
}

}  // namespace surety::ada
