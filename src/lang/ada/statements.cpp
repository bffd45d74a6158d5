// Statements to nodes.
#include <fmt/format.h>

#include <algorithm>

#include "lang/ada/expander.hpp"
#include "lang/ada/inside.hpp"

namespace surety::ada {
namespace {

using Kind = Statement::Kind;
using flow::Alternative;
using Op = flow::Instruction::Op;

}  // namespace

void Expander::emit_all(const std::vector<Statement>& statements) {
  for (const Statement& s : statements) emit_statement(s);
}

void Expander::emit_statement(const Statement& s) {
  if (report_.full()) return;
  failed_ = false;
  statement_ = s.place;
  ++nesting_;
  for (const std::string& label : s.labels) {
    Jump& jump = gotos_.back()[label];
    note_region(jump);
    bind(jump.label);
    jump.bound = true;
  }
  switch (s.kind) {
    case Kind::null:
    case Kind::code: break;
    case Kind::assign: {
      const auto to = locate(*s.target);
      if (failed_) break;
      if (!to) {
        if (const Looked looked = look(*s.target); looked.value && looked.type->kind == Type::Kind::opaque) {
          if (may_call(*s.value)) emit_value(*s.value, nullptr);
          break;
        }
        error(s.target->place, "only a variable can be assigned to");
        break;
      }
      if (names_access(*s.target)) {
        refuse(s.target->place, "an access object that is assigned again is not supported");
        break;
      }
      if (to->constant) {
        error(s.target->place, "a constant cannot be assigned to");
        break;
      }
      assign(*to, *s.value);
      break;
    }
    case Kind::call: emit_call(*s.target, s.place); break;
    case Kind::conditional: emit_if(s); break;
    case Kind::selection: emit_case(s); break;
    case Kind::loop: emit_loop(s); break;
    case Kind::block: emit_block(s); break;
    case Kind::exit: emit_exit(s); break;
    case Kind::jump: {
      Jump& target = gotos_.back()[s.name];
      target.place = s.place;
      note_region(target);
      jump(target.label);
      break;
    }
    case Kind::ret: emit_return(s); break;
    case Kind::delay:
      if (s.value && may_call(*s.value)) emit_value(*s.value, nullptr);
      if (object_ != kNone) refuse(s.place, "a protected operation must not wait");
      break;
    case Kind::accept: emit_accept(*s.accept, s.place); break;
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

void Expander::emit_loop(const Statement& s) {
  Loop loop;
  loop.name = s.name;
  loop.depth = regions_.size();
  loops_.push_back(&loop);
  if (!s.variable.empty()) {
    emit_for(s, loop.exit);
  } else {
    Label again;
    bind(again);
    if (s.condition) branch(scalar(*s.condition, boolean_), loop.exit);
    emit_all(s.statements);
    statement_ = s.place;
    jump(again);
  }
  bind(loop.exit);
  loops_.pop_back();
}

// The bounds are evaluated once. The loop variable is a slot of its own.
void Expander::emit_for(const Statement& s, Label& done) {
  if (s.over_elements || s.range.empty()) return refuse(s.place, "loops over elements are not supported");
  const Expression& range = s.range[0];
  const Type* type = nullptr;
  Code low, high;
  if (range.kind == Expression::Kind::range) {
    const auto left = types_of(range.operands[0]), right = types_of(range.operands[1]);
    for (const Type* l : left)
      for (const Type* r : right)
        if (type == nullptr && compatible(l, r)) type = l->kind == Type::Kind::universal ? r : l;
    if (type == nullptr || type->kind == Type::Kind::universal) type = integer_;
    low = materialised(scalar(range.operands[0], type));
    high = materialised(scalar(range.operands[1], type));
  } else if (range.kind == Expression::Kind::constrained && range.operands[1].kind == Expression::Kind::range) {
    type = type_mark(range.operands[0]);
    low = materialised(scalar(range.operands[1].operands[0], type));
    high = materialised(scalar(range.operands[1].operands[1], type));
  } else {
    type = range_type(range);
    low = constant(type->low);
    high = constant(type->high);
  }
  if (failed_) return;
  const Type* subtype = type;
  if (known(low) && known(high)) subtype = with_range(*type, *known(low), *known(high));
  const Code first = s.reverse ? high : low, last = s.reverse ? low : high;
  if (const auto a = known(low), b = known(high); a && b) {
    if (*a > *b) return;
  } else {
    branch(combine(low, high, Op::less_equal), done);
  }
  Scope& inside = scopes_.emplace_back();
  inside.outer = scope_;
  Inside in(scope_, &inside);
  Entity& variable = declare(Entity::Kind::object, s.variable, s.place);
  variable.name = s.variable;
  variable.type = subtype;
  variable.location = allocate(*subtype, s.variable, s.place, true);
  variable.location.constant = true;
  variable.location.entity = &variable;
  const std::uint32_t seen = variable.location.first.slots;
  const std::uint32_t slot = is_own(seen) ? seen : temporary(*subtype);  // tasks inside see a copy
  emit_compute(slot, first);
  Label again;
  bind(again);
  if (slot != seen) emit_compute(seen, load(slot));
  emit_all(s.statements);
  statement_ = s.place;
  branch(combine(load(slot), last, Op::not_equal), done);
  emit_compute(slot, combine(load(slot), constant(1), s.reverse ? Op::minus : Op::plus));
  jump(again);
}

void Expander::emit_block(const Statement& s) {
  Scope& inside = scopes_.emplace_back();
  inside.outer = scope_;
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

void Expander::emit_return(const Statement& s) {
  if (frames_.empty()) return error(s.place, "there is nothing to return from");
  Frame& frame = *frames_.back();
  if (s.value && frame.result) assign(*frame.result, *s.value);
  if (!s.declarations.empty()) {
    Scope& inside = scopes_.emplace_back();
    inside.outer = scope_;
    Inside in(scope_, &inside);
    declare_all(s.declarations);
    if (s.body) emit_all(s.body->statements);
    Expression name;
    name.kind = Expression::Kind::name;
    name.text = s.declarations[0].names.empty() ? "" : s.declarations[0].names[0];
    name.place = s.place;
    if (frame.result) assign(*frame.result, name);
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
  flow::Node node;
  node.kind = flow::Node::Kind::raise;
  if (s.target) {
    node.first = exception_number(*s.target);
  } else {
    node.first = kNone;
    if (occurrences_.empty()) return error(s.place, "there is no exception to raise again here");
    node.target = occurrences_.back();
  }
  emit(std::move(node));
}

// ---- accept and select

Expander::Accepted Expander::accept_alternative(const Accept& a) {
  Accepted out;
  out.accept = &a;
  out.alternative.kind = Alternative::Kind::accept;
  out.alternative.place = place(statement_);
  if (task_ == kNone || task_ == 0 || object_ != kNone) {
    error(a.place, "accept stands in task bodies only");
    return out;
  }
  const Type& type = *tasks_[task_].type;
  const UnitInfo& unit = info(type);
  const Entity* entity = nullptr;
  for (const Entity* e : unit.entries)
    if (label_of(e->name) == a.entry) entity = e;
  if (entity == nullptr) {
    std::vector<std::string> names;
    for (const Entity* e : unit.entries) names.push_back(e->name);
    error(a.place, fmt::format("{} has no entry '{}'", type.name, spelled(a.place, a.entry)),
          did_you_mean(a.entry, names));
    return out;
  }
  Code number = constant(entry_base_[task_] + unit.first[entity->number]);
  const Profile& profile = *entity->declaration->profile;
  if (!profile.family.empty() && a.index.empty()) {
    error(a.place, fmt::format("{} is a family of entries: which of them?", entity->name));
    return out;
  }
  if (!profile.family.empty()) {
    const Type* index = range_type(profile.family[0]);
    const Code which = checked(scalar(a.index[0], index->base), *index);
    number = combine(std::move(number), combine(which, constant(unit.lows[entity->number]), Op::minus), Op::plus);
    if (!known(number)) number = materialised(std::move(number));
  }
  out.alternative.number = std::move(number);
  out.scope = &scopes_.emplace_back();
  out.scope->outer = scope_;
  // The names of the parameters are those of the accept statement.
  std::vector<std::pair<std::string, Place>> names;
  for (const Parameter& p : a.parameters)
    for (const std::string& n : p.names) names.push_back({n, p.place});
  std::size_t i = 0;
  for (const Parameter& p : profile.parameters)
    for (const std::string& n : p.names) {
      const std::string& name = i < names.size() ? names[i].first : n;
      const Type& t = *entity->parameter_types[i++];
      Entity& formal = entities_.emplace_back();
      formal.name = name;
      formal.place = p.place;
      formal.type = &t;
      formal.location = allocate(t, name, p.place, true);
      formal.location.entity = &formal;
      formal.location.constant = p.mode == Parameter::Mode::in;
      out.scope->entities[name].push_back(&formal);
      for (std::uint32_t s = 0; s < t.extent.slots; ++s) {
        const std::uint32_t slot = formal.location.first.slots + s;
        if (p.mode != Parameter::Mode::out) {
          const std::uint32_t target = is_own(slot) ? slot : temporary(t);
          out.alternative.targets.push_back(target);
          if (target != slot) out.copies.push_back({slot, target});
        }
        if (p.mode != Parameter::Mode::in) out.results.push_back(slot);
        if (p.mode != Parameter::Mode::out) continue;
        if (t.kind == Type::Kind::opaque)
          emit_compute(slot, constant(flow::kOpaque));
        else
          forget(slot);
      }
    }
  return out;
}

// What is done while the caller waits. An exception goes on in both tasks (ARM 9.5.2).
void Expander::accept_body(const Accepted& accepted) {
  if (failed_ || accepted.accept == nullptr) return;
  const Accept& a = *accepted.accept;
  const std::uint32_t number = static_cast<std::uint32_t>(known(accepted.alternative.number).value_or(-1));
  const flow::Entry& entry = program_.entries[number < program_.entries.size() ? number : entry_base_[task_]];
  bool has_body = entry.has_body;
  if (number >= program_.entries.size()) {  // of a family: all of one kind
    const UnitInfo& unit = info(*tasks_[task_].type);
    for (const Entity* e : unit.entries)
      if (label_of(e->name) == a.entry)
        has_body = program_.entries[entry_base_[task_] + unit.first[e->number]].has_body;
  }
  if (!has_body) return;
  const auto end = [&](bool raised, std::uint32_t occurrence) {
    flow::Node node;
    node.kind = flow::Node::Kind::accept_end;
    node.number = accepted.alternative.number;
    if (raised) node.target = occurrence;
    if (!raised)
      for (const std::uint32_t slot : accepted.results) {
        Location at;
        at.type = integer_;
        at.first.slots = slot;
        node.in.push_back(read_slot(at, 0));
      }
    emit(std::move(node));
  };
  if (!a.has_body) return end(false, kNone);
  flow::Handler both;
  both.outer = handler_;
  both.occurrence = temporary(*integer_);
  const std::uint32_t occurrence = both.occurrence;
  const auto handler = static_cast<std::uint32_t>(graph().handlers.size());
  graph().handlers.push_back(both);
  Frame frame;
  frame.depth = regions_.size();
  for (const auto& [to, from] : accepted.copies) emit_compute(to, load(from));
  {
    Inside in_handler(handler_, handler);
    Inside in_scope(scope_, accepted.scope);
    frames_.push_back(&frame);
    emit_body(a.body);
    frames_.pop_back();
  }
  bind(frame.done);
  statement_ = a.body.end;
  end(false, kNone);
  Label done;
  jump(done);
  graph().handlers[handler].node = static_cast<std::uint32_t>(graph().nodes.size());
  end(true, occurrence);
  flow::Node again;
  again.kind = flow::Node::Kind::raise;
  again.first = kNone;
  again.target = occurrence;
  emit(std::move(again));
  bind(done);
}

void Expander::emit_accept(const Accept& a, Place /*place*/) {
  const Accepted accepted = accept_alternative(a);
  if (failed_) return;
  wait({accepted.alternative});
  accept_body(accepted);
}

void Expander::emit_select(const Statement& s) {
  using Branch = SelectBranch::Kind;
  for (const SelectBranch& b : s.alternatives)
    if (b.kind == Branch::abort) return refuse(b.place, "abort is not supported: a task could end anywhere");
  const bool call = std::ranges::any_of(s.alternatives, [](const SelectBranch& b) { return b.kind == Branch::call; });
  if (call)
    emit_select_call(s);
  else
    emit_selective_accept(s);
}

void Expander::emit_selective_accept(const Statement& s) {
  using Branch = SelectBranch::Kind;
  std::vector<Accepted> accepted(s.alternatives.size());
  std::vector<Alternative> alternatives;
  Code open = constant(0);
  bool otherwise = false;
  // Guards are evaluated in the order of the text, before anything is waited for.
  for (std::size_t i = 0; i < s.alternatives.size(); ++i) {
    const SelectBranch& b = s.alternatives[i];
    std::uint32_t guard = kNone;
    if (!b.guard.empty()) {
      statement_ = b.guard[0].place;
      guard = temporary_boolean();
      emit_compute(guard, scalar(b.guard[0], boolean_));
      open = combine(std::move(open), load(guard), Op::or_);
    } else {
      open = constant(1);
    }
    if (failed_) return;
    statement_ = b.head.empty() ? s.place : b.head[0].place;
    Alternative alternative;
    switch (b.kind) {
      case Branch::accept:
        accepted[i] = accept_alternative(*b.head[0].accept);
        alternative = accepted[i].alternative;
        break;
      case Branch::delay:
        if (b.head[0].value && may_call(*b.head[0].value)) emit_value(*b.head[0].value, nullptr);
        alternative.kind = Alternative::Kind::delay;
        break;
      case Branch::terminate: alternative.kind = Alternative::Kind::terminate; break;
      case Branch::otherwise:
        alternative.kind = Alternative::Kind::otherwise;
        otherwise = true;
        break;
      case Branch::call:
      case Branch::abort: break;
    }
    if (failed_) return;
    alternative.guard = guard;
    if (alternative.place == 0) alternative.place = place(b.place);
    alternatives.push_back(std::move(alternative));
  }
  statement_ = s.place;
  if (const auto all = known(open); !otherwise && (!all || *all == 0)) {
    Label closed, some;
    branch(open, closed);
    jump(some);
    bind(closed);
    flow::Node node;
    node.kind = flow::Node::Kind::raise;
    node.first = flow::program_error;
    emit(std::move(node));
    bind(some);
  }
  const auto at = static_cast<std::uint32_t>(graph().nodes.size());
  wait(std::move(alternatives));
  Label done;
  for (std::size_t i = 0; i < s.alternatives.size(); ++i) {
    if (at >= graph().nodes.size()) return;
    graph().nodes[at].alternatives[i].next = static_cast<std::uint32_t>(graph().nodes.size());
    if (s.alternatives[i].kind == Branch::accept) accept_body(accepted[i]);
    emit_all(s.alternatives[i].rest);
    jump(done);
  }
  bind(done);
}

// Conditional and timed calls.
void Expander::emit_select_call(const Statement& s) {
  using Branch = SelectBranch::Kind;
  std::vector<Alternative> alternatives;
  std::function<void()> finish;
  for (const SelectBranch& b : s.alternatives) {
    if (b.kind == Branch::call) {
      auto c = callee(*b.head[0].target, false, nullptr);
      if (!c || failed_) return;
      if (c->unit == nullptr || c->entity->kind != Entity::Kind::entry)
        return error(b.place, "an entry call is expected here");
      if (object_ != kNone) return refuse(b.place, "a protected operation must not wait");
      if (is_counted(*c->entity))
        return refuse(b.place,
                      fmt::format("conditional and timed calls of {}, whose 'Count is asked for, are not supported",
                                  c->entity->name));
      statement_ = b.head[0].place;
      Communication communication = communicate(*c, b.place);
      if (failed_) return;
      finish = communication.finish;
      alternatives.push_back(communication.alternative);
    } else {
      if (b.kind == Branch::delay && b.head[0].value && may_call(*b.head[0].value))
        emit_value(*b.head[0].value, nullptr);
      Alternative alternative;
      alternative.kind = b.kind == Branch::delay ? Alternative::Kind::delay : Alternative::Kind::otherwise;
      alternative.place = place(b.place);
      alternatives.push_back(std::move(alternative));
    }
  }
  statement_ = s.place;
  const auto at = static_cast<std::uint32_t>(graph().nodes.size());
  wait(std::move(alternatives));
  Label done;
  for (std::size_t i = 0; i < s.alternatives.size(); ++i) {
    graph().nodes[at].alternatives[i].next = static_cast<std::uint32_t>(graph().nodes.size());
    if (s.alternatives[i].kind == Branch::call) finish();
    emit_all(s.alternatives[i].rest);
    jump(done);
  }
  bind(done);
}

}  // namespace surety::ada
