// Statements to nodes.
#include <fmt/format.h>

#include <algorithm>

#include "lang/ada/flow/expander.hpp"
#include "lang/ada/flow/inside.hpp"

namespace surety::ada {
namespace {

using Kind = Statement::Kind;
using Op = flow::Instruction::Op;

}  // namespace

void Expander::emit_all(const std::vector<Statement>& statements) {
  for (const Statement& s : statements) emit_statement(s);
}

void Expander::emit_assignment(const Statement& s) {
  if (emit_making(s)) return;
  if (names_access(*s.target))
    return refuse(s.target->place, "an access object that is assigned again is not supported");
  const auto to = locate(*s.target);
  if (failed_) return;
  if (to && to->constant) return error(s.target->place, "a constant cannot be assigned to");
  if (to) return assign(*to, *s.value);
  const Looked looked = look(*s.target);
  if (!looked.value || looked.type->kind != Type::Kind::opaque)
    return error(s.target->place, "only a variable can be assigned to");
  if (names_slice(*s.target))
    return refuse(s.target->place, "a slice whose bounds are not known is assigned to: this is not supported",
                  "a loop over its elements");
  if (may_call(*s.value)) emit_value(*s.value, nullptr);
}

void Expander::emit_jump(const Statement& s) {
  Jump& target = gotos_.back()[s.name];
  target.place = s.place;
  note_region(target);
  jump(target.label);
}

void Expander::bind_labels(const Statement& s) {
  for (const std::string& label : s.labels) {
    Jump& jump = gotos_.back()[label];
    note_region(jump);
    bind(jump.label);
    jump.bound = true;
  }
}

void Expander::emit_statement(const Statement& s) {
  if (report_.full()) return;
  failed_ = false;
  statement_ = s.place;
  ++nesting_;
  bind_labels(s);
  switch (s.kind) {
    case Kind::null:
    case Kind::code: break;
    case Kind::assign: emit_assignment(s); break;
    case Kind::call: emit_call(*s.target, s.place); break;
    case Kind::conditional: emit_if(s); break;
    case Kind::selection: emit_case(s); break;
    case Kind::loop: emit_loop(s); break;
    case Kind::block: emit_block(s); break;
    case Kind::exit: emit_exit(s); break;
    case Kind::jump: emit_jump(s); break;
    case Kind::ret: emit_return(s); break;
    case Kind::delay:
      if (s.value && may_call(*s.value)) emit_value(*s.value, nullptr);
      if (object_ != kNone) refuse(s.place, "a protected operation must not wait");
      break;
    case Kind::accept: emit_accept(*s.accept); break;
    case Kind::select: emit_select(s); break;
    case Kind::raise: emit_raise(s); break;
    case Kind::abort: refuse(s.place, "abort is not supported: a task could end anywhere"); break;
    case Kind::requeue: refuse(s.place, "requeue is not supported"); break;
    case Kind::pragma:
      if (!s.declarations.empty()) pragma(s.declarations[0], true);
      break;
  }
  --nesting_;
}

void Expander::emit_if(const Statement& s) {
  Label done;
  for (std::size_t i = 0; i < s.branches.size(); ++i) {
    const auto& b = s.branches[i];
    Label next;
    if (!b.choices.empty()) {
      statement_ = i == 0 || b.place.offset == 0 ? s.place : b.place;
      Code condition = scalar(b.choices[0], boolean_);
      branch(std::move(condition), next);
    }
    emit_all(b.statements);
    if (i + 1 < s.branches.size()) jump(done);
    bind(next);
  }
  bind(done);
}

void Expander::emit_case(const Statement& s) {
  const Type* type = resolve(*s.value, nullptr);
  if (failed_) return;
  if (type->kind == Type::Kind::universal) type = integer_;
  const Code value = type->discrete() ? materialised(scalar(*s.value, type)) : constant(flow::kOpaque);
  Label done;
  for (const auto& b : s.branches) {
    Label next;
    failed_ = false;
    const bool others =
        std::ranges::any_of(b.choices, [](const Expression& c) { return c.kind == Expression::Kind::others; });
    if (!others) {
      statement_ = s.place;
      Code condition = type->discrete() ? in_choices(value, b.choices, *type) : constant(flow::kOpaque);
      if (const auto truth = known(condition); !truth || *truth == 0) branch(std::move(condition), next);
    }
    emit_all(b.statements);
    jump(done);
    bind(next);
  }
  bind(done);
}

void Expander::emit_block(const Statement& s) {
  Scope& inside = scopes_.emplace_back();
  inside.outer = scope_;
  inside.ordered = true;
  if (!s.name.empty()) declare(Entity::Kind::package, s.name, s.place).scope = &inside;  // Block.X names what is in it
  Inside in(scope_, &inside);
  const std::string name =
      s.name.empty() ? fmt::format("block.{}", library_.source->line_number(s.place)) : label_of(s.name);
  emit_region(*s.body, name, s.place, false);
}

// Handlers follow the statements; each knows the one that is asked next.
void Expander::emit_body(const Body& body, std::uint32_t master) {
  const std::uint32_t outer = handler_;
  std::vector<std::uint32_t> numbers;
  for (const Handler& h : body.handlers) {
    flow::Handler handler;
    for (const Expression& c : h.choices)
      if (c.kind != Expression::Kind::others) {
        failed_ = false;
        handler.exceptions.push_back(exception_number(c));
      }
    handler.occurrence = temporary(*integer_);
    numbers.push_back(static_cast<std::uint32_t>(graph().handlers.size()));
    graph().handlers.push_back(std::move(handler));
  }
  for (std::size_t i = 0; i < numbers.size(); ++i)
    graph().handlers[numbers[i]].outer = i + 1 < numbers.size() ? numbers[i + 1] : outer;
  if (!numbers.empty()) handler_ = numbers[0];
  if (master != kNone) emit_start(master);
  emit_all(body.statements);
  handler_ = outer;
  if (numbers.empty()) return;
  Label done;
  jump(done);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    graph().handlers[numbers[i]].node = static_cast<std::uint32_t>(graph().nodes.size());
    occurrences_.push_back(graph().handlers[numbers[i]].occurrence);
    Scope& inside = scopes_.emplace_back();
    inside.outer = scope_;
    Inside in(scope_, &inside);
    if (!body.handlers[i].occurrence.empty()) {
      Entity& e = declare(Entity::Kind::object, body.handlers[i].occurrence, body.handlers[i].place);
      e.type = any_;
      e.location = allocate(*any_, "", body.handlers[i].place, true);
      named_occurrences_[&e] = occurrences_.back();
    }
    emit_all(body.handlers[i].statements);
    occurrences_.pop_back();
    jump(done);
  }
  bind(done);
}

void Expander::emit_exit(const Statement& s) {
  Loop* loop = nullptr;
  for (auto l = loops_.rbegin(); l != loops_.rend() && loop == nullptr; ++l)
    if (s.name.empty() || (*l)->name == s.name) loop = *l;
  if (loop == nullptr)
    return error(s.place, s.name.empty() ? "there is no loop to leave here"
                                         : fmt::format("there is no loop '{}' around this", s.name));
  Label stay;
  if (s.value) branch(scalar(*s.value, boolean_), stay);
  leave_regions(loop->depth);
  jump(loop->exit);
  bind(stay);
}

// An array without bounds has those of what is returned first.
void Expander::emit_result(Frame& frame, const Expression& value) {
  const bool open = frame.type != nullptr && frame.type->kind == Type::Kind::array && frame.type->unconstrained;
  if (!open) {
    if (frame.result) assign(*frame.result, value);
    return;
  }
  const Operand given = emit_composite(value, *frame.type);
  if (failed_) return;
  if (!given.location || given.location->type->unconstrained)
    return refuse(value.place, "an array whose bounds are not known is returned here: this is not supported");
  if (!frame.result) frame.result = allocate(*given.location->type, "", value.place, true);
  if (!same_lengths(*frame.result->type, *given.location->type))
    return refuse(value.place, "a function that returns arrays of different lengths is not supported");
  copy(*frame.result, *given.location);
}

void Expander::emit_return(const Statement& s) {
  if (frames_.empty()) return error(s.place, "there is nothing to return from");
  Frame& frame = *frames_.back();
  if (s.value) emit_result(frame, *s.value);
  if (!s.declarations.empty()) {
    Scope& inside = scopes_.emplace_back();
    inside.outer = scope_;
    Inside in(scope_, &inside);
    declare_all(s.declarations);
    if (s.body) emit_all(s.body->statements);
    Expression name;
    name.kind = Expression::Kind::name;
    name.text = s.declarations[0].names.empty() ? "" : s.declarations[0].names[0];
    name.place = s.declarations[0].place;
    emit_result(frame, name);
  }
  leave_regions(frame.depth);
  jump(frame.done);
}

std::uint32_t Expander::exception_number(const Expression& e) {
  const Looked looked = look(e);
  for (const Entity* c : looked.entities) {
    if (c->kind == Entity::Kind::exception) return c->number;
    if (c->kind == Entity::Kind::known) {  // an exception of a known unit
      const auto found = std::ranges::find(program_.exceptions, c->name);
      if (found != program_.exceptions.end()) return static_cast<std::uint32_t>(found - program_.exceptions.begin());
      program_.exceptions.push_back(c->name);
      return static_cast<std::uint32_t>(program_.exceptions.size() - 1);
    }
  }
  if (!looked.entities.empty()) error(e.place, fmt::format("'{}' is no exception", looked.entities[0]->name));
  return flow::program_error;
}

void Expander::emit_raise(const Statement& s) {
  if (s.target) return emit_raise(exception_number(*s.target));
  if (occurrences_.empty()) return error(s.place, "there is no exception to raise again here");
  emit_raise(kNone, occurrences_.back());
}

void Expander::emit_raise(std::uint32_t exception, std::uint32_t occurrence) {
  flow::Node node;
  node.kind = flow::Node::Kind::raise;
  node.first = exception;
  node.target = occurrence;
  emit(std::move(node));
}

}  // namespace surety::ada
