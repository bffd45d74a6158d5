// Calls: of subprograms, which are inlined, of entries, and of protected operations.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "lang/ada/flow/expander.hpp"
#include "lang/ada/flow/inside.hpp"

namespace surety::ada {
namespace {

using Kind = Expression::Kind;
using flow::Alternative;
using Op = flow::Instruction::Op;

}  // namespace

std::vector<Expander::Actual> Expander::match(const Entity& e, const std::vector<Association>& arguments, Place place) {
  std::vector<Actual> out;
  std::size_t position = 0;
  for (const Parameter& p : e.declaration->profile->parameters)
    for (const std::string& name : p.names) {
      Actual actual;
      actual.parameter = &p;
      actual.name = name;
      actual.type = position < e.parameter_types.size() ? e.parameter_types[position] : any_;
      if (position < arguments.size() && arguments[position].choices.empty())
        actual.expression = &arguments[position].value;
      for (const Association& a : arguments)
        if (!a.choices.empty() && a.choices[0].text == name) actual.expression = &a.value;
      if (actual.expression == nullptr && p.value) actual.fallback = &*p.value;
      if (actual.expression == nullptr && actual.fallback == nullptr && !failed_)
        error(place, fmt::format("there is no value for the parameter {} of {}", name, e.name));
      out.push_back(actual);
      ++position;
    }
  if (!failed_ && arguments.size() > out.size())
    error(place, fmt::format("{} has {} parameters, not {}", e.name, out.size(), arguments.size()));
  return out;
}

void Expander::no_recursion(const Entity& e, Place place) {
  std::vector<std::string> names;
  std::vector<std::uint32_t> lines;
  bool inside = false;
  for (const auto& [caller, where] : calls_) {
    inside = inside || caller == &e;
    if (!inside) continue;
    names.push_back(caller->name);
    if (caller != &e) lines.push_back(library_.source->line_number(where));
  }
  names.push_back(e.name);
  lines.push_back(library_.source->line_number(place));
  refuse(place, names.size() == 2
                    ? fmt::format("recursion is not supported: {} calls itself (line {})", e.name, lines[0])
                    : fmt::format("recursion is not supported: {} (lines {})", fmt::join(names, " calls "),
                                  fmt::join(lines, ", ")));
}

// ---- subprograms

// The value of a parameter that is copied in: a number if it is known, else a constant.
void Expander::pass_in(const Actual& a, const Expression& value, Entity& formal) {
  Code code = converted(value, *a.type, value.place);
  if (const auto constant_value = known(code)) {
    formal.kind = Entity::Kind::number;
    formal.value = constant_value;
    return;
  }
  formal.location = allocate(*a.type, a.name, a.parameter->place, true);
  formal.location.constant = true;
  emit_compute(formal.location.first.slots, std::move(code));
}

// A parameter that is copied back when the call ends, and before it if it is also an `in` parameter.
bool Expander::pass_out(const Actual& a, const Expression& value, Entity& formal, std::vector<CopyBack>& results) {
  const auto actual = locate(value);
  if (!actual) {
    if (!failed_) error(value.place, fmt::format("the parameter {} must be a variable", a.name));
    return false;
  }
  formal.location = allocate(*a.type, a.name, a.parameter->place, true);
  const std::uint32_t slot = formal.location.first.slots;
  if (a.parameter->mode == Parameter::Mode::in_out)
    emit_compute(slot, checked(read_slot(*actual, 0), *a.type));
  else
    forget(slot);
  results.push_back({*actual, formal.location});
  return true;
}

// A composite value is not copied: the formal parameter is another name of its place.
bool Expander::pass_composite(const Actual& a, const Expression& value, Entity& formal) {
  const Operand operand = emit_composite(value, *a.type);
  if (!failed_ && !operand.location) refuse(value.place, "a value that is not modelled is passed on here");
  if (failed_) return false;
  check_composite(*operand.location, *a.type);
  formal.location = *operand.location;
  formal.type = operand.location->type;
  if (a.parameter->mode == Parameter::Mode::in) formal.location.constant = true;
  return true;
}

// Declares a formal parameter with the value of the actual one. False: there is no such value.
bool Expander::pass(const Actual& a, Scope& inside, std::vector<CopyBack>& results) {
  const Expression& value = a.expression != nullptr ? *a.expression : *a.fallback;
  Entity formal;
  formal.type = a.type;
  formal.name = a.name;
  formal.place = a.parameter->place;
  if (a.type->kind == Type::Kind::opaque) {
    if (may_call(value)) emit_value(value, nullptr);
    if (a.parameter->mode != Parameter::Mode::out) doubt(*a.type, value);
    formal.location = allocate(*a.type, "", a.parameter->place, true);
  } else if (!a.type->discrete()) {
    if (!pass_composite(a, value, formal)) return false;
  } else if (a.parameter->mode == Parameter::Mode::in) {
    pass_in(a, value, formal);
  } else if (!pass_out(a, value, formal, results)) {
    return false;
  }
  Entity& declared = entities_.emplace_back(std::move(formal));
  declared.location.entity = &declared;
  inside.entities[a.name].push_back(&declared);
  return true;
}

// The body of a subprogram whose parameters are declared, and what it returns.
Operand Expander::emit_inlined(Entity& e, Place place) {
  Frame frame;
  frame.type = e.result;
  if (e.result != nullptr && !e.result->unconstrained) frame.result = allocate(*e.result, "", place, true);
  calls_.push_back({&e, place});
  frame.depth = regions_.size();
  frames_.push_back(&frame);
  std::vector<Loop*> no_loops;
  Inside in_loops(loops_, std::move(no_loops));
  gotos_.emplace_back();
  const Place here = statement_;
  if (e.body->body) emit_region(*e.body->body, label_of(e.name), e.body->place, false);
  if (e.result != nullptr && !e.body->is_null) emit_raise(flow::program_error);  // the end of a function: no return
  statement_ = here;
  bind(frame.done);
  gotos_.pop_back();
  frames_.pop_back();
  calls_.pop_back();
  Operand out = opaque(e.result != nullptr ? e.result : any_);
  if (!frame.result || e.result->kind == Type::Kind::opaque) return out;
  if (e.result->discrete()) {
    out.code = load(frame.result->first.slots);
  } else {
    out.location = frame.result;
    out.type = frame.result->type;
  }
  return out;
}

Operand Expander::inline_call(Entity& e, const std::vector<Association>& arguments, Place place) {
  Operand out = opaque(e.result != nullptr ? e.result : any_);
  if (failed_) return out;
  if (e.active || std::ranges::any_of(calls_, [&](const auto& c) { return c.first == &e; })) {
    no_recursion(e, place);
    return out;
  }
  if (e.body == nullptr && e.unit != nullptr && acting_ != kNone) return inline_operation(e, acting_, arguments, place);
  if (e.body == nullptr) {
    error(place, fmt::format("{} has no body", e.name));
    return out;
  }
  const auto actuals = match(e, arguments, place);
  if (failed_) return out;
  Scope& inside = scopes_.emplace_back();
  inside.outer = e.body_scope;
  inside.unit = &e;
  inside.ordered = true;
  std::vector<CopyBack> results;
  ++nesting_;
  for (const Actual& a : actuals) {
    Inside in_scope(scope_, a.expression == nullptr ? e.scope : scope_);  // a default value is that of the declaration
    if (!pass(a, inside, results)) break;
  }
  if (!failed_) {
    Inside in_scope(scope_, &inside);
    out = emit_inlined(e, place);
  }
  for (const CopyBack& r : results) write_slot(r.to, 0, checked(read_slot(r.from, 0), *r.to.type));
  --nesting_;
  return out;
}

// ---- entries and protected operations

// The body of an operation, executed where it is called: by an operation, or before the first task starts.
Operand Expander::inline_operation(Entity& e, std::uint32_t object, const std::vector<Association>& arguments,
                                   Place place) {
  const Type& type = *objects_[object].type;
  Entity*& body = inlined_[{object, &e}];
  if (body == nullptr) {
    body = &entities_.emplace_back(e);
    body->body = type.body == nullptr ? nullptr : operation_body(type, e);
    body->body_scope = objects_[object].scope;
    body->unit = nullptr;
  }
  Inside in_body(acting_, object);
  return inline_call(*body, arguments, place);
}

bool Expander::leads_to(std::uint32_t from, std::uint32_t to) const {
  if (from == to) return true;
  return std::ranges::any_of(object_calls_, [&](const auto& c) { return c.first == from && leads_to(c.second, to); });
}

// An operation that calls one operation of one other object is still one step: what it does before and after can be
// noticed only through its own object, which it has locked. Two such calls are two steps, and others can come in
// between.
bool Expander::call_other_object(const Callee& c, Place place) {
  const std::string name = fmt::format("{}.{}", c.unit->name, c.entity->name);
  const auto no = [&](const std::string& why) {
    refuse(place, fmt::format("a protected operation calls {}: {}", name, why));
    return false;
  };
  const std::uint32_t other = c.at.first.objects;
  if (c.entity->kind == Entity::Kind::entry) {
    refuse(place, fmt::format("a protected operation calls the entry {}: it must not wait", name));
    return false;
  }
  if (c.unit->kind != Type::Kind::protected_unit) return no("it must not wait");
  if (in_barrier_) return no("a barrier is not looked at again when another object changes");
  if (!c.at.index.empty()) return no("which object that is must be known when the program starts");
  if (other_call_ != kNone) return no("it is the second call of its kind, so this is not one step, and not supported");
  if (leads_to(other, object_)) return no("that object calls this one, too, and they could wait for each other");
  if (program_.objects[other].master != program_.objects[object_].master)
    return no("that object is declared elsewhere, which is not supported");
  for (const std::uint32_t o : {other, object_})
    if (foresight_.counted.contains(objects_[o].type->unit->place.offset))
      return no("this is not supported where 'Count is asked for");
  object_calls_.insert({object_, other});
  other_call_ = static_cast<std::uint32_t>(graph().nodes.size());
  const std::string part =
      fmt::format("this call of {} is a part of the step around it, not an action of its own", name);
  if (told_.insert({place.offset, part}).second) report_.warning(place, part);
  return true;
}

std::optional<Expander::Callee> Expander::callee(const Expression& target, bool function, const Type* expected) {
  Callee out;
  const Expression* name = &target;
  const Expression* family = nullptr;
  if (target.kind == Kind::apply) {
    name = &target.operands[0];
    out.arguments = target.arguments;
    if (name->kind == Kind::apply) {
      const Looked inner = look(*name);
      if (inner.unit != nullptr && name->arguments.size() == 1) {
        family = &name->arguments[0].value;
        name = &name->operands[0];
      }
    }
  }
  const Looked looked = look(*name);
  if (failed_) return std::nullopt;
  out.unit = looked.unit;
  // One bracket after an entry of a family is its index.
  if (family == nullptr && looked.unit != nullptr && target.kind == Kind::apply)
    for (const Entity* e : looked.entities)
      if (e->kind == Entity::Kind::entry && !e->declaration->profile->family.empty()) {
        family = &target.arguments[0].value;
        out.arguments.clear();
      }
  out.family = family;
  out.entity = choose(looked.entities, out.arguments, expected, function, target.place);
  if (out.entity == nullptr) return std::nullopt;
  if (out.entity->renamed != nullptr) return renamed_callee(out, target.place);
  if (out.unit == nullptr && out.entity->kind == Entity::Kind::entry && object_ == kNone) {  // its own entry
    out.unit = out.entity->unit;
    out.at.type = out.unit;
    out.at.first.tasks = task_;
    return out;
  }
  if (out.unit != nullptr) {
    const auto at = locate(name->operands[0]);
    if (!at) {
      if (!failed_) error(target.place, "this task or protected object is not known when the program starts");
      return std::nullopt;
    }
    out.at = *at;
    const bool made = out.unit->kind == Type::Kind::task ? out.at.first.tasks < entry_base_.size()
                                                         : out.at.first.objects < operation_base_.size();
    if (!made) {  // its declaration was refused
      failed_ = true;
      return std::nullopt;
    }
  }
  return out;
}

// A call by another name: the parameters in their order.
std::optional<Expander::Callee> Expander::renamed_callee(const Callee& c, Place place) {
  const Entity& name = *c.entity;
  std::vector<Association> arguments;
  for (const Actual& a : match(name, c.arguments, place)) {
    if (failed_) return std::nullopt;
    if (a.expression == nullptr && a.fallback->kind != Kind::integer) {
      refuse(place, fmt::format("a default value of {}, which is a renaming, is not supported", name.name));
      return std::nullopt;
    }
    arguments.push_back({{}, a.expression != nullptr ? *a.expression : *a.fallback});
  }
  return Callee{name.renamed, name.unit, name.location, name.family, std::move(arguments)};
}

// Tasks of an array are numbered one after the other, and so are their entries.
Code Expander::entry_number(const Callee& c) {
  const UnitInfo& unit = info(*c.unit);
  const bool task = c.unit->kind == Type::Kind::task;
  const std::uint32_t n = c.entity->number;
  const std::uint32_t base = task ? entry_base_[c.at.first.tasks] : operation_base_[c.at.first.objects];
  Code out = constant(base + unit.first[n]);
  check_index(c.at);
  if (!c.at.index.empty() && c.at.count > 1) {  // all elements have the same entries
    const auto& bases = task ? entry_base_ : operation_base_;
    const std::uint32_t next = task ? c.at.first.tasks + c.at.stride.tasks : c.at.first.objects + c.at.stride.objects;
    out = combine(std::move(out), combine(c.at.index, constant(bases[next] - base), Op::times), Op::plus);
  }
  if (c.family != nullptr) {
    const Type* type = range_type(c.entity->declaration->profile->family[0]);
    const Code index = checked(scalar(*c.family, type->base), *type);
    out = combine(std::move(out), combine(index, constant(unit.lows[n]), Op::minus), Op::plus);
  }
  return known(out) ? out : materialised(std::move(out));
}

// What a parameter hands over when the call begins. False: it cannot be passed. `at`: of one that also comes back.
bool Expander::hand_over(const Actual& a, const std::optional<Location>& at, Place place, Alternative& call) {
  const Expression& value = a.expression != nullptr ? *a.expression : *a.fallback;
  const Type& type = *a.type;
  if (type.discrete() || type.kind == Type::Kind::opaque) {
    Code code = at ? checked(read_slot(*at, 0), type) : converted(value, type, value.place);
    call.in.push_back(materialised(std::move(code)));
    return true;
  }
  const Operand operand = emit_composite(value, type);
  if (!failed_ && !operand.location) refuse(value.place, "a value that is not modelled is passed on here");
  if (failed_) return false;
  const bool fits = check_composite(*operand.location, type);
  Location from = *operand.location;
  if (!fits) from = allocate(type, "", place, true);  // it never gets there
  from.type = integer_;
  for (std::uint32_t s = 0; s < type.extent.slots; ++s) call.in.push_back(materialised(read_slot(from, s)));
  return true;
}

// The values of a parameter before the call, and slots for those after it. False: it cannot be passed.
bool Expander::communicate_parameter(const Actual& a, Place place, Alternative& call, std::vector<Returned>& returned) {
  const Expression& value = a.expression != nullptr ? *a.expression : *a.fallback;
  const Parameter::Mode mode = a.parameter->mode;
  std::optional<Location> at;
  if (mode != Parameter::Mode::in) {
    at = locate(value);
    if (!at && !failed_) error(value.place, fmt::format("the parameter {} must be a variable", a.name));
    if (failed_) return false;
  }
  if (mode != Parameter::Mode::out && !hand_over(a, at, place, call)) return false;
  if (mode == Parameter::Mode::in) return true;
  for (std::uint32_t s = 0; s < a.type->extent.slots; ++s) {
    call.targets.push_back(temporary(*a.type));
    returned.push_back({*at, s, call.targets.back(), a.type->discrete() ? at->type : nullptr});
  }
  return true;
}

// Slots for the result of a function.
Operand Expander::communicate_result(const Type& type, Place place, Alternative& call) {
  const Location at = allocate(type, "", place, true);
  for (std::uint32_t s = 0; s < type.extent.slots; ++s) call.targets.push_back(at.first.slots + s);
  if (type.discrete()) return {&type, load(at.first.slots), {}};
  if (type.kind == Type::Kind::opaque) return {&type, constant(flow::kOpaque), {}};
  return {&type, {}, at};
}

// A call of an entry that is accepted with a body has ended when the body has.
bool Expander::waits_for_end(const Callee& c, const Code& number) {
  if (c.unit->kind != Type::Kind::task) return false;
  const auto entry = known(number);
  const std::uint32_t first = entry ? static_cast<std::uint32_t>(*entry)
                                    : entry_base_[c.at.first.tasks] + info(*c.unit).first[c.entity->number];
  return program_.entries[first].has_body;
}

Expander::Communication Expander::communicate(Callee& c, Place place) {
  Communication out;
  const bool task = c.unit->kind == Type::Kind::task;
  Alternative& call = out.alternative;
  call.kind = task ? Alternative::Kind::call : Alternative::Kind::operation;
  call.place = this->place(statement_);
  call.number = entry_number(c);
  std::vector<Returned> returned;
  for (const Actual& a : match(*c.entity, c.arguments, place))
    if (failed_ || !communicate_parameter(a, place, call, returned)) return out;
  if (c.entity->result != nullptr) out.result = communicate_result(*c.entity->result, place, call);

  std::optional<flow::Node> end;
  if (waits_for_end(c, call.number)) {
    end.emplace();
    end->kind = flow::Node::Kind::await_end;
    end->number = call.number;
    end->targets = std::exchange(call.targets, {});
  }
  out.finish = [this, end, returned, here = statement_] {
    statement_ = here;
    if (end) emit(*end);
    for (const Returned& r : returned)
      write_slot(r.to, r.slot, r.type != nullptr ? checked(load(r.from), *r.type) : load(r.from));
  };
  return out;
}

// A call whose place in the queue matters: of a task first the place, then the call; of a protected object the place
// only if it has to wait.
void Expander::wait_in_queue(const Alternative& call) {
  flow::Node node;
  if (call.kind == Alternative::Kind::call) {
    node.kind = flow::Node::Kind::queue;
    node.number = call.number;
    emit(std::move(node));
  } else {
    const auto at = static_cast<std::uint32_t>(graph().nodes.size());
    Alternative queued = call;
    queued.kind = Alternative::Kind::queued;
    queued.next = at + 1;
    Alternative now = call;
    now.next = at + 2;
    wait({std::move(now), std::move(queued)});
  }
  wait({call});
}

void Expander::wait(std::vector<Alternative> alternatives) {
  flow::Node node;
  node.kind = flow::Node::Kind::wait;
  node.alternatives = std::move(alternatives);
  const std::uint32_t at = emit(std::move(node));
  if (graph().nodes[at].alternatives.size() == 1) graph().nodes[at].alternatives[0].next = at + 1;
}

void Expander::emit_operation(const Expression& target, Operand* result, const Type* expected) {
  auto c = callee(target, result != nullptr, expected);
  if (!c || failed_) return;
  if (c->unit == nullptr) {
    const Operand value = inline_call(*c->entity, c->arguments, target.place);
    if (result != nullptr) *result = value;
    return;
  }
  const bool operation = c->unit->kind == Type::Kind::protected_unit && c->entity->kind != Entity::Kind::entry;
  if (operation && acting_ != kNone && !c->unit->unit->is_type && objects_[acting_].type->base == c->unit->base) {
    // The name of a single object, inside of it, is its own: no call from outside (ARM 9.5(3)).
    const Operand value = inline_operation(*c->entity, acting_, c->arguments, target.place);
    if (result != nullptr) *result = value;
    return;
  }
  if (object_ != kNone ? !call_other_object(*c, target.place) : immediate_ && !(operation && c->at.index.empty())) {
    if (!failed_ && library_body_ && library_tasks_ != 0)
      seen_.deferred.insert(*library_body_);  // once more, with this knowledge
    else if (!failed_)
      refuse(target.place, "calls of entries while declarations are elaborated are not supported");
    return;
  }
  if (object_ != kNone || immediate_) {
    prepare_object(c->at.first.objects);
    if (failed_) return;
    const Operand value = inline_operation(*c->entity, c->at.first.objects, c->arguments, target.place);
    if (result != nullptr) *result = value;
    return;
  }
  Communication communication = communicate(*c, target.place);
  if (failed_) return;
  if (c->entity->kind == Entity::Kind::entry && is_counted(*c->entity))
    wait_in_queue(communication.alternative);
  else
    wait({communication.alternative});
  communication.finish();
  if (result != nullptr) *result = std::move(communication.result);
}

// The slot of an exception that a handler has named.
std::optional<std::uint32_t> Expander::occurrence_named(const Expression& e) {
  for (const Entity* c : look(e).entities)
    if (const auto found = named_occurrences_.find(c); found != named_occurrences_.end()) return found->second;
  return std::nullopt;
}

// Procedures that raise an exception.
bool Expander::emit_known_raise(const Expression& target, const std::string& known) {
  if (known == "ada.exceptions.raise_exception" && !target.arguments.empty()) {
    const Expression& identity = target.arguments[0].value;
    if (identity.kind == Kind::attribute && identity.text == "identity")
      emit_raise(exception_number(identity.operands[0]));
    else
      refuse(target.place, "which exception is raised here is not known");
  } else if (known == "ada.exceptions.reraise_occurrence" && !target.arguments.empty()) {
    if (const auto occurrence = occurrence_named(target.arguments[0].value))
      emit_raise(kNone, *occurrence);
    else
      refuse(target.place, "which exception is raised here is not known");
  } else {
    return false;
  }
  return true;
}

// What a known unit does is not modelled, except that input gives a variable any value.
void Expander::emit_known_procedure(const Expression& target, const Entity& known) {
  if (known.known.ends_with(".abort_task"))
    return refuse(target.place, "abort is not supported: a task could end anywhere");
  if (target.kind != Kind::apply || emit_known_raise(target, known.known)) return;
  if (known.known == "report.failed") {
    flow::Node node;
    node.kind = flow::Node::Kind::event;
    node.label = static_cast<std::uint32_t>(program_.labels.size());
    program_.labels.emplace_back("failed");
    program_.label_displays.emplace_back();
    emit(std::move(node));
    return;
  }
  const bool input = known.known.ends_with(".get") || known.known.ends_with(".get_immediate");
  for (const Association& a : target.arguments) {
    if (may_call(a.value)) emit_value(a.value, nullptr);
    if (!input || failed_) continue;
    const Looked value = look(a.value);
    if (!value.value || value.type == nullptr || !value.type->discrete()) continue;
    const auto at = locate(a.value);
    if (!at || at->ignored) continue;
    if (value.type->count() > kMostChoices) {
      write_slot(*at, 0, constant(flow::kOpaque));
      continue;
    }
    flow::Node node;
    node.kind = flow::Node::Kind::choose;
    node.target = temporary(*value.type);
    node.low = value.type->low;
    node.high = value.type->high;
    const std::uint32_t slot = node.target;
    emit(std::move(node));
    write_slot(*at, 0, load(slot));
  }
}

void Expander::emit_call(const Expression& target, Place place) {
  const Expression* name = &target;
  while (name->kind == Kind::apply) name = &name->operands[0];
  const Looked looked = look(*name);
  if (failed_) return;
  if (looked.entities.empty()) return refuse(place, "a call of something that is not modelled");
  if (looked.entities[0]->kind == Entity::Kind::known) return emit_known_procedure(target, *looked.entities[0]);
  if (looked.unit != nullptr) return emit_operation(target, nullptr, nullptr);
  static const std::vector<Association> kNothing;
  const auto& arguments = target.kind == Kind::apply ? target.arguments : kNothing;
  // Put may be the own one, or that of a known unit.
  const auto own = [&](const Entity* c) { return fits(*c, arguments, nullptr, false); };
  if (name->kind == Kind::name && std::ranges::none_of(looked.entities, own))
    if (const Entity* known = known_by_use(name->text)) return emit_known_procedure(target, *known);
  if (std::ranges::any_of(looked.entities, [](const Entity* c) { return c->renamed != nullptr; }))
    return emit_operation(target, nullptr, nullptr);
  if (looked.entities[0]->kind == Entity::Kind::entry)
    return object_ != kNone ? refuse(place, fmt::format("a protected operation calls the entry {}: it must not wait",
                                                        looked.entities[0]->name))
                            : refuse(place, fmt::format("the task calls its own entry {}: it would wait for ever",
                                                        looked.entities[0]->name));
  if (Entity* procedure = choose(looked.entities, arguments, nullptr, false, place))
    inline_call(*procedure, arguments, place);
}

}  // namespace surety::ada
