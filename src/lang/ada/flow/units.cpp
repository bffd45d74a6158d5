// Tasks and protected objects: one of each per object that is declared. They are expanded when the declarations around
// them are done, because a body may stand after the object (ARM 9.2: tasks are activated then, too).
#include <fmt/format.h>

#include <algorithm>

#include "lang/ada/flow/expander.hpp"
#include "lang/ada/flow/inside.hpp"
#include "lang/ada/flow/parallel.hpp"

namespace surety::ada {
namespace {

bool has_body_for(const std::vector<Statement>& statements, const std::string& entry);

bool has_body_for(const Statement& s, const std::string& entry) {
  if (s.accept && ((s.accept->entry == entry && s.accept->has_body) || has_body_for(s.accept->body.statements, entry)))
    return true;
  if (has_body_for(s.statements, entry)) return true;
  for (const auto& b : s.branches)
    if (has_body_for(b.statements, entry)) return true;
  for (const SelectBranch& b : s.alternatives)
    if (has_body_for(b.head, entry) || has_body_for(b.rest, entry)) return true;
  if (!s.body) return false;
  if (has_body_for(s.body->statements, entry)) return true;
  return std::ranges::any_of(s.body->handlers, [&](const Handler& h) { return has_body_for(h.statements, entry); });
}

bool has_body_for(const std::vector<Statement>& statements, const std::string& entry) {
  return std::ranges::any_of(statements, [&](const Statement& s) { return has_body_for(s, entry); });
}

}  // namespace

void Expander::declare_unit(const Declaration& d) {
  const bool task = d.kind == Declaration::Kind::task;
  Type& type = new_type(task ? Type::Kind::task : Type::Kind::protected_unit, spelled(d.place, d.name));
  type.extent = task ? Extent{0, 1, 0} : Extent{0, 0, 1};
  type.unit = &d;
  type.scope = scope_;
  for (const Parameter& p : d.discriminants)
    for (const std::string& name : p.names)
      type.fields.push_back({name, discriminant_type(p.type), p.value ? &*p.value : nullptr, {}, true});
  if (failed_) return;
  if (d.is_type) {
    if (complete_type(d.name, type)) return;
    Entity& e = declare(Entity::Kind::type, d.name, d.place);
    e.type = &type;
    return;
  }
  const std::string shown = unique_name(type.name);
  const Location location = allocate(type, shown, d.place);
  Entity& e = declare(Entity::Kind::object, d.name, d.place);
  e.type = &type;
  e.location = location;
  e.location.entity = &e;
  create_units(location, shown, label_of(shown), nullptr);
}

void Expander::declare_unit_body(const Declaration& d) {
  for (const Entity* e : lookup(d.name)) {
    if (e->type == nullptr || e->type->unit == nullptr) continue;
    auto& type = const_cast<Type&>(*e->type->base);
    if (type.body != nullptr) continue;
    type.body = &d;
    type.body_scope = scope_;
    return;
  }
  error(d.place, fmt::format("there is no declaration of {} for this body", spelled(d.place, d.name)));
}

// Entries and operations of a type, numbered. A family takes one number per index.
Expander::UnitInfo& Expander::info(const Type& unit) {
  const Type& type = *unit.base;
  const auto [at, fresh] = infos_.try_emplace(&type);
  UnitInfo& out = at->second;
  if (!fresh) return out;
  out.scope.outer = type.scope;
  Inside in(scope_, &out.scope);
  Inside quiet(failed_, false);
  if (!type.fields.empty()) {  // families may depend on discriminants, which are not known here
    for (const Type::Field& f : type.fields) {
      Entity& e = declare(Entity::Kind::number, f.name, type.unit->place);
      e.type = f.type;
    }
  }
  const auto add = [&](const Declaration& d) {
    if (d.kind == Declaration::Kind::pragma) return pragma(d, false);
    if (refuse_aspects(d)) return;
    if (d.kind != Declaration::Kind::entry && d.kind != Declaration::Kind::subprogram) return;
    if (!d.profile) return;
    Entity& e =
        declare(d.kind == Declaration::Kind::entry ? Entity::Kind::entry : Entity::Kind::subprogram, d.name, d.place);
    e.declaration = &d;
    e.unit = &type;
    // Which of them a body or an accept is would be a matter of its profile, and their actions could have one name.
    if (std::ranges::any_of(out.entries, [&](const Entity* other) { return other->name == e.name; }))
      refuse(d.place, fmt::format("two entries or operations of the name {} are not supported", e.name),
             "give one of them another name");
    declare_profile(e, *d.profile);
    e.number = static_cast<std::uint32_t>(out.entries.size());
    out.entries.push_back(&e);
    const Type* family = d.profile->family.empty() ? nullptr : range_type(d.profile->family[0]);
    out.families.push_back(family);
    out.first.push_back(out.total);
    out.count.push_back(
        family == nullptr ? 1 : static_cast<std::uint32_t>(std::min<std::uint64_t>(family->count(), 10'000)));
    out.lows.push_back(family == nullptr ? 0 : family->low);
    out.total += out.count.back();
  };
  for (const Declaration& d : type.unit->visible) add(d);
  for (const Declaration& d : type.unit->hidden)
    if (d.kind != Declaration::Kind::object) add(d);
  return out;
}

// ---- creation

void Expander::create_units(const Location& location, const std::string& name, const std::string& label,
                            const SubtypeIndication* constraint) {
  const Type& type = *location.type;
  if (failed_) return;
  if (constraint == nullptr || constraint->mark.kind != Expression::Kind::apply) constraint = type.constraint;
  if (master_here() == kNone)
    return refuse(statement_,
                  object_ != kNone
                      ? "tasks and protected objects inside of protected operations are not supported"
                      : "tasks and protected objects of what is called during elaboration are not supported");
  if (type.kind == Type::Kind::task) return create_task(type, name, label, constraint);
  if (type.kind == Type::Kind::protected_unit) return create_object(type, name, label, constraint);
  if (type.kind == Type::Kind::record) {
    for (const Type::Field& f : type.base->fields)
      if (f.type->extent.tasks + f.type->extent.objects > 0)
        create_units(field(location, f), name + "." + f.name, label + "." + f.name, nullptr);
    return;
  }
  if (type.kind != Type::Kind::array) return;
  std::vector<Value> index;
  for (const Type* i : type.indices) index.push_back(i->low);
  std::uint64_t count = 1;
  for (const Type* i : type.indices) count *= i->count();
  for (std::uint32_t n = 0; n < count && !failed_; ++n) {
    std::vector<std::string> shown;
    for (std::size_t i = 0; i < index.size(); ++i) {
      const auto& literals = program_.displays[display_of(*type.indices[i])].literals;
      shown.push_back(literals.empty() ? std::to_string(index[i]) : literals[static_cast<std::size_t>(index[i])]);
    }
    create_units(element(location, n), fmt::format("{}({})", name, fmt::join(shown, ",")),
                 fmt::format("{}.{}", label, fmt::join(shown, ".")), nullptr);
    for (std::size_t i = index.size(); i-- > 0;) {
      if (++index[i] <= type.indices[i]->high) break;
      index[i] = type.indices[i]->low;
    }
  }
}

// An access discriminant is another name of an object.
const Type* Expander::discriminant_type(const SubtypeIndication& s) {
  if (!s.access) return subtype(s);
  SubtypeIndication designated = s;
  designated.access = false;
  Type& t = types_.emplace_back(*subtype(designated));
  t.access = true;
  return &t;
}

Expander::Discriminant Expander::discriminant_value(const Expression& value, const Type& type) {
  Discriminant out;
  if (type.access) {
    out.at = locate_designated(value);
    if (!failed_ && (!out.at || !out.at->index.empty()))
      refuse(value.place, "access types are not supported", "except for objects made once");
    return out;
  }
  if (type.kind == Type::Kind::opaque) {
    out.at = allocate(type, "", value.place, true);
    return out;
  }
  const auto known = static_value(value, &type);
  if (!known && !failed_) error(value.place, "the value of a discriminant must be known when the program starts");
  out.value = known.value_or(0);
  return out;
}

std::vector<Expander::Discriminant> Expander::discriminant_values(const Type& type,
                                                                  const SubtypeIndication* constraint) {
  Scope* const there = constraint != nullptr && constraint == type.constraint ? type.constraint_scope : scope_;
  std::vector<Discriminant> out;
  const bool given = constraint != nullptr && constraint->mark.kind == Expression::Kind::apply;
  for (const Type::Field& f : type.base->fields) {
    const Expression* value = given ? discriminant(*constraint, type, f) : nullptr;
    const bool own = value != nullptr;
    if (value == nullptr) value = f.value;
    if (value == nullptr) {
      error(statement_, fmt::format("{} needs a value for its discriminant {}", type.name, f.name));
      return out;
    }
    Inside in(scope_, own ? there : type.scope);
    out.push_back(discriminant_value(*value, *f.type));
  }
  return out;
}

// ".e1": what an index adds to the name of an entry, nothing if it is no family.
std::string Expander::family_part(const UnitInfo& unit, std::size_t entry, std::uint32_t index) {
  if (unit.families[entry] == nullptr) return {};
  const Value value = unit.lows[entry] + index;
  const auto& literals = program_.displays[display_of(*unit.families[entry])].literals;
  return literals.empty() ? fmt::format(".{}", value) : "." + literals[static_cast<std::size_t>(value)];
}

void Expander::create_task(const Type& type, const std::string& name, const std::string& label,
                           const SubtypeIndication* constraint) {
  if (program_.tasks.size() > 5'000) return refuse(statement_, "more than 5,000 tasks are not supported");
  UnitInfo& unit = info(type);
  const auto number = static_cast<std::uint32_t>(tasks_.size());
  tasks_.push_back({type.base, discriminant_values(type, constraint), nullptr, is_in_package()});
  const std::uint32_t master = master_here();
  program_.masters[master].tasks.push_back(number);
  flow::Task& task = program_.tasks.emplace_back();
  task.master = master;
  task.name = name;
  task.label = label;
  task.type = label_of(type.name);
  task.place = place(type.unit->place);
  entry_base_.push_back(static_cast<std::uint32_t>(program_.entries.size()));
  for (std::size_t e = 0; e < unit.entries.size(); ++e)
    for (std::uint32_t i = 0; i < unit.count[e]; ++i) {
      const Entity& entity = *unit.entries[e];
      flow::Entry entry;
      entry.task = number;
      entry.name = entity.given_name.empty() ? fmt::format("{}.{}", label, label_of(entity.name)) : entity.given_name;
      entry.name += family_part(unit, e, i);
      std::size_t p = 0;
      for (const Parameter& parameter : entity.declaration->profile->parameters)
        for (std::size_t n = 0; n < parameter.names.size(); ++n, ++p) {
          if (p >= entity.parameter_types.size()) break;
          const Type& t = *entity.parameter_types[p];
          for (std::uint32_t s = 0; s < t.extent.slots; ++s) {
            if (parameter.mode != Parameter::Mode::out) entry.in.push_back(display_of(t));
            if (parameter.mode != Parameter::Mode::in) entry.out.push_back(display_of(t));
          }
        }
      entry.place = place(entity.place);
      entry.counted = is_counted(entity);
      program_.entries.push_back(std::move(entry));
    }
}

void Expander::create_object(const Type& type, const std::string& name, const std::string& label,
                             const SubtypeIndication* constraint) {
  UnitInfo& unit = info(type);
  const auto number = static_cast<std::uint32_t>(objects_.size());
  objects_.push_back({type.base, discriminant_values(type, constraint), nullptr});
  const std::uint32_t master = master_here();
  program_.masters[master].objects.push_back(number);
  flow::Object& object = program_.objects.emplace_back();
  object.master = master;
  object.name = name;
  object.place = place(type.unit->place);
  operation_base_.push_back(static_cast<std::uint32_t>(program_.operations.size()));
  for (std::size_t e = 0; e < unit.entries.size(); ++e)
    for (std::uint32_t i = 0; i < unit.count[e]; ++i) {
      const Entity& entity = *unit.entries[e];
      flow::Operation operation;
      operation.object = number;
      operation.name =
          entity.given_name.empty() ? fmt::format("{}.{}", label, label_of(entity.name)) : entity.given_name;
      operation.name += family_part(unit, e, i);
      operation.entry = entity.kind == Entity::Kind::entry;
      operation.place = place(entity.place);
      program_.operations.push_back(std::move(operation));
    }
}

bool Expander::accepts_with_body(const Type& type, const std::string& entry) const {
  const Declaration* body = type.base->body;
  if (body == nullptr || !body->body) return false;
  if (has_body_for(body->body->statements, entry)) return true;
  return std::ranges::any_of(body->body->handlers, [&](const Handler& h) { return has_body_for(h.statements, entry); });
}

// ---- expansion

void Expander::declare_discriminants(const Type& type, const std::vector<Discriminant>& values) {
  for (std::size_t i = 0; i < type.fields.size() && i < values.size(); ++i) {
    const bool object = values[i].at.has_value();
    Entity& e = declare(object ? Entity::Kind::object : Entity::Kind::number, type.fields[i].name, type.unit->place);
    e.name = type.fields[i].name;
    e.type = object ? values[i].at->type : type.fields[i].type;
    e.access = object && type.fields[i].type->access;
    if (object)
      e.location = *values[i].at;
    else
      e.value = values[i].value;
  }
}

void Expander::expand_task(std::uint32_t number) {
  const Type& type = *tasks_[number].type;
  failed_ = false;
  if (type.body == nullptr || !type.body->body)
    return error(type.unit->place, fmt::format("the task {} has no body", type.name));
  UnitInfo& unit = info(type);
  flow::Graph nodes;
  Scope& inside = scopes_.emplace_back();
  inside = unit.scope;  // its entries
  inside.outer = type.body_scope;
  inside.ordered = true;
  Inside in_scope(scope_, &inside);
  Inside in_graph(graph_, &nodes);
  Inside in_task(task_, number);
  Inside in_handler(handler_, kNone);
  std::vector<Loop*> no_loops;
  Inside in_loops(loops_, std::move(no_loops));
  std::vector<Region*> no_regions;
  Inside in_regions(regions_, std::move(no_regions));
  Entity& self = entities_.emplace_back();
  self.kind = Entity::Kind::type;
  self.name = type.name;
  self.type = &type;
  inside.unit = &self;
  for (const Type::Field& f : type.fields) inside.entities.erase(f.name);
  declare_discriminants(type, tasks_[number].discriminants);
  Frame frame;
  std::vector<Frame*> frames{&frame};
  Inside in_frames(frames_, std::move(frames));
  gotos_.emplace_back();
  emit_region(*type.body->body, "", type.body->place, true);
  bind(frame.done);
  gotos_.pop_back();
  statement_ = type.body->body->end;
  flow::Node end;
  end.kind = flow::Node::Kind::complete;
  emit(std::move(end));
  graph().handlers[0].node = static_cast<std::uint32_t>(graph().nodes.size());
  flow::Node abandoned;
  abandoned.kind = flow::Node::Kind::abandoned;
  emit(std::move(abandoned));
  program_.tasks[number].graph = std::move(nodes);
}

// Its private data, and names for what is in its body.
void Expander::prepare_object(std::uint32_t number) {
  const Type& type = *objects_[number].type;
  if (objects_[number].scope != nullptr) return;
  failed_ = false;
  if (type.body == nullptr) return error(type.unit->place, fmt::format("{} has no body", type.name));
  UnitInfo& unit = info(type);
  Scope& inside = scopes_.emplace_back();
  objects_[number].scope = &inside;
  inside.outer = type.body_scope;
  inside.entities = unit.scope.entities;
  Entity& self = entities_.emplace_back();
  self.kind = Entity::Kind::type;
  self.name = type.name;
  self.type = &type;
  inside.unit = &self;
  Inside in_scope(scope_, &inside);
  for (const Type::Field& f : type.fields) inside.entities.erase(f.name);
  declare_discriminants(type, objects_[number].discriminants);
  expand_private_data(number);
  if (report_.failed()) return;
  // The bodies of its subprograms, for calls inside.
  for (const Declaration& d : type.body->visible) {
    if (d.kind != Declaration::Kind::subprogram) continue;
    bool known = false;
    for (Entity* e : unit.entries)
      if (e->kind == Entity::Kind::subprogram && label_of(e->name) == d.name && e->body == nullptr) known = true;
    if (!known) declare_subprogram(d);
  }
}

void Expander::expand_object(std::uint32_t number) {
  prepare_object(number);
  if (report_.failed() || objects_[number].scope == nullptr) return;
  const Type& type = *objects_[number].type;
  UnitInfo& unit = info(type);
  Inside in_scope(scope_, objects_[number].scope);
  for (std::size_t e = 0; e < unit.entries.size(); ++e)
    for (std::uint32_t i = 0; i < unit.count[e]; ++i)
      expand_operation(program_.operations[operation_base_[number] + unit.first[e] + i], *unit.entries[e],
                       unit.lows[e] + i, type);
}

// The private data, elaborated when the object is created. Inside of tasks, subprograms and blocks that happens again
// and again, so it may depend on nothing that changes.
void Expander::expand_private_data(std::uint32_t number) {
  Inside in_object(object_, number);
  flow::Graph nodes;
  Inside in_graph(graph_, &nodes);
  Inside in_task(task_, 0U);
  Inside in_handler(handler_, kNone);
  Inside now(immediate_, true);
  Inside outermost(nesting_, 0);
  Inside from_start(executed_, 0U);
  const auto first = program_.slots.size();
  for (const Declaration& d : objects_[number].type->unit->hidden) {
    if (d.kind != Declaration::Kind::object) continue;
    const auto before = program_.slots.size();
    declare_object(d);
    for (auto s = before; s < program_.slots.size(); ++s)
      if (!program_.slots[s].temporary) program_.objects[number].slots.push_back(static_cast<std::uint32_t>(s));
  }
  execute_now();
  if (foresight_.counted.contains(objects_[number].type->unit->place.offset)) {
    program_.objects[number].counts = static_cast<std::uint32_t>(program_.slots.size());
    for (std::uint32_t i = 0; i < info(*objects_[number].type).total; ++i)
      program_.operations[operation_base_[number] + i].count = temporary(*integer_);
  }
  if (program_.objects[number].master == 0) return;
  for (const flow::Node& n : nodes.nodes)
    for (const auto& i : n.value)
      if (i.op == flow::Instruction::Op::load && static_cast<std::size_t>(i.a) < first)
        return refuse(objects_[number].type->unit->place,
                      fmt::format("the initial values of {} depend on a variable", program_.objects[number].name));
}

const Declaration* Expander::operation_body(const Type& type, const Entity& entity) const {
  for (const Declaration& d : type.body->visible)
    if (d.name == label_of(entity.name) && (d.body || d.is_null) &&
        (d.kind == Declaration::Kind::entry_body) == (entity.kind == Entity::Kind::entry))
      return &d;
  return nullptr;
}

void Expander::declare_operation_parameters(flow::Operation& operation, const Entity& entity, const Profile& profile) {
  std::size_t p = 0;
  for (const Parameter& parameter : profile.parameters)
    for (const std::string& name : parameter.names) {
      if (p >= entity.parameter_types.size()) return;
      const Type& type = *entity.parameter_types[p++];
      const Location at = allocate(type, name, parameter.place, true);
      for (std::uint32_t s = 0; s < type.extent.slots; ++s) {
        if (parameter.mode != Parameter::Mode::out) operation.in.push_back(at.first.slots + s);
        if (parameter.mode != Parameter::Mode::in) operation.out.push_back(at.first.slots + s);
      }
      Entity& e = declare(Entity::Kind::object, name, parameter.place);
      e.type = &type;
      e.location = at;
      e.location.entity = &e;
    }
}

// A graph of its own, which ends where `emit_nodes` does.
flow::Graph Expander::graph_of(const std::function<void()>& emit_nodes) {
  flow::Graph out;
  Inside in_graph(graph_, &out);
  emit_nodes();
  flow::Node end;
  end.kind = flow::Node::Kind::complete;
  emit(std::move(end));
  return out;
}

flow::Graph Expander::barrier_graph(std::uint32_t open, const Expression& barrier) {
  statement_ = barrier.place;
  Inside in_barrier(in_barrier_, true);
  return graph_of([&] { emit_compute(open, scalar(barrier, boolean_)); });
}

flow::Graph Expander::operation_graph(const Declaration& body, const Entity& entity, flow::Operation& operation) {
  Frame frame;
  if (entity.result != nullptr) {
    frame.type = entity.result;
    frame.result = allocate(*entity.result, "result", body.place, true);
    for (std::uint32_t s = 0; s < entity.result->extent.slots; ++s)
      operation.out.push_back(frame.result->first.slots + s);
  }
  Inside in_frames(frames_, std::vector<Frame*>{&frame});
  gotos_.emplace_back();
  flow::Graph out = graph_of([&] {
    if (!body.body) return;
    declare_all(body.body->declarations);
    emit_body(*body.body);
    bind(frame.done);
    if (other_call_ != kNone && is_repeated(graph(), other_call_))
      refuse(body.place, fmt::format("{} calls another protected object in a loop: this is not one step, and not "
                                     "supported",
                                     entity.name));
  });
  gotos_.pop_back();
  return out;
}

void Expander::expand_operation(flow::Operation& operation, const Entity& entity, Value family, const Type& type) {
  failed_ = false;
  const Declaration* body = operation_body(type, entity);
  if (body == nullptr) return error(entity.place, fmt::format("{} has no body", entity.name));
  Inside now(immediate_, false);
  Inside in_task(task_, kNone);
  Inside in_object(object_, operation.object);
  Inside in_body(acting_, operation.object);
  Inside no_call(other_call_, kNone);
  Inside in_handler(handler_, kNone);
  Scope& inside = scopes_.emplace_back();
  inside.outer = scope_;
  Inside in_scope(scope_, &inside);
  if (body->profile && !body->profile->family_variable.empty()) {
    Entity& e = declare(Entity::Kind::number, body->profile->family_variable, body->place);
    e.type = range_type(body->profile->family[0]);
    e.value = family;
  }
  declare_operation_parameters(operation, entity, *body->profile);
  if (body->value) {
    operation.open = temporary_boolean();
    operation.barrier = barrier_graph(operation.open, *body->value);
  }
  operation.body = operation_graph(*body, entity, operation);
}

}  // namespace surety::ada
