// Access objects. Each names one object, which is made once, and is never assigned again.
//
// The object may be made by its declaration, or by one statement that is executed at most once. Then it is there from
// the beginning, but the access object is null until the statement is executed: a variable with two values, which is
// read wherever the object is used. Tasks and protected objects that are made so have a master of their own, which
// begins in that statement and ends with the program.
#include <fmt/format.h>

#include <algorithm>

#include "lang/ada/flow/expander.hpp"
#include "lang/ada/flow/inside.hpp"
#include "lang/ada/flow/parallel.hpp"
#include "lang/ada/statements_in.hpp"

namespace surety::ada {
namespace {

using Kind = Expression::Kind;
using Op = flow::Instruction::Op;

constexpr const char* kMessage = "access types are not supported";
constexpr const char* kHint = "except for objects made once";

// new T, new T (3), new T'(3): what follows the word new.
const Expression& made_of(const Expression& allocator) { return allocator.operands[0]; }

const Expression* value_of(const Expression& allocator) {
  const Expression& made = made_of(allocator);
  return made.kind == Kind::qualified ? &made.operands[1] : nullptr;
}

}  // namespace

void Expander::declare_access(const Declaration& d, const Type& type) {
  Type& object = types_.emplace_back(type);
  object.access = false;
  if (d.names.size() != 1) return refuse(d.place, kMessage, kHint);
  if (!d.value || d.value->kind == Kind::null) return declare_made_later(d, object);
  std::optional<Location> location;
  if (d.value->kind == Kind::allocator) {
    if (!can_execute()) return refuse(d.place, kMessage, kHint);
    location = make_object(d, object, *d.value);
    if (!failed_ && location->type->kind == Type::Kind::task && location->type->base->body == nullptr)
      return error(d.place, fmt::format("program_error is raised here: {} starts before its body is elaborated",
                                        location->type->name));
    if (!failed_ && object.extent.slots > 0) initialise(*location, value_of(*d.value));
    execute_now();
  } else {
    if (may_be_null(*d.value)) return refuse(d.place, kMessage, kHint);
    location = locate_designated(*d.value);
  }
  if (failed_) return;
  if (!location) return refuse(d.place, kMessage, kHint);
  name_object(d, *location);
}

Entity& Expander::name_object(const Declaration& d, const Location& location) {
  Entity& e = declare(Entity::Kind::object, d.names[0], d.place);
  e.type = location.type;
  e.location = location;
  e.location.entity = &e;
  e.access = true;
  return e;
}

Location Expander::make_object(const Declaration& d, const Type& object, const Expression& allocator) {
  const std::string shown = unique_name(spelled(d.place, d.names[0]));
  SubtypeIndication constraint;
  constraint.mark = made_of(allocator);
  const Location out = allocate(object, shown, d.place);
  if (object.extent.tasks + object.extent.objects > 0) create_units(out, shown, label_of(shown), &constraint);
  return out;
}

// ---- objects that a statement makes

// The only statement that makes the object of this name; null: there is none, or there are several.
const Statement* Expander::sole_allocation(const std::string& name) const {
  const Statement* found = nullptr;
  std::size_t count = 0;
  for (const auto& unit : library_.units)
    for_statements(unit->declaration, [&](const Statement& s) {
      const bool named = s.kind == Statement::Kind::assign && s.target->text == name &&
                         (s.target->kind == Kind::name || s.target->kind == Kind::selected);
      if (!named) return;
      found = &s;
      ++count;
    });
  return count == 1 && found->value->kind == Kind::allocator ? found : nullptr;
}

void Expander::declare_made_later(const Declaration& d, const Type& object) {
  const Statement* const statement = sole_allocation(d.names[0]);
  if (!can_execute() || task_ != 0 || object_ != kNone || statement == nullptr) return refuse(d.place, kMessage, kHint);
  for (const Association& a : made_of(*statement->value).arguments) {
    const auto constant_name = [&] {
      const auto found = lookup(a.value.text, a.value.place);
      return a.value.kind == Kind::name && !found.empty() &&
             (found[0]->kind == Entity::Kind::number || found[0]->kind == Entity::Kind::literal);
    };
    if (a.value.kind != Kind::integer && a.value.kind != Kind::character && !constant_name())
      return refuse(a.value.place, "what an allocator in a statement makes must not depend on variables");
  }
  Making making;
  making.statement = statement;
  if (object.extent.tasks + object.extent.objects > 0) {
    making.master = static_cast<std::uint32_t>(program_.masters.size());
    flow::Master& master = program_.masters.emplace_back();
    master.label = "new." + label_of(d.names[0]);
    master.outer = 0;
  }
  Inside in_master(made_by_, making.master);
  const Location location = make_object(d, object, *statement->value);
  if (failed_) return;
  making.discriminants = making.master == kNone ? std::vector<Discriminant>{} : discriminants_of(location);
  Entity& e = name_object(d, location);
  e.reference = new_slot(e.name + ".ref", reference_type(), d.place, false);
  memory_[e.reference] = 0;
  e.making = makings_.size();
  makings_.push_back(std::move(making));
}

std::vector<Expander::Discriminant> Expander::discriminants_of(const Location& at) const {
  if (at.type->kind == Type::Kind::task) return tasks_[at.first.tasks].discriminants;
  if (at.type->kind == Type::Kind::protected_unit) return objects_[at.first.objects].discriminants;
  return {};
}

const Type& Expander::reference_type() {
  if (reference_ != nullptr) return *reference_;
  Type& t = new_type(Type::Kind::enumeration, "access");
  t.high = 1;
  t.display = static_cast<std::uint32_t>(program_.displays.size());
  program_.displays.push_back({{"null", "set"}, 0});
  reference_ = &t;
  return t;
}

Code Expander::read_reference(const Entity& e) {
  Location at;
  at.type = &reference_type();
  at.first.slots = e.reference;
  return read_slot(at, 0);
}

// The object is used: an exception if it is not there yet.
void Expander::emit_null_check(const Entity& e) {
  Label there;
  branch(combine(read_reference(e), constant(0), Op::equal), there);
  emit_raise(flow::constraint_error);
  bind(there);
}

bool Expander::may_be_null(const Expression& e) {
  const Entity* found = access_object(e);
  return found != nullptr && found->reference != kNone;
}

// The statement that makes it; false: it is another one.
bool Expander::emit_making(const Statement& s) {
  if (!may_be_null(*s.target)) return false;
  const Entity& e = *access_object(*s.target);
  Making& making = makings_[e.making];
  if (making.statement != &s) return false;
  if (immediate_ || object_ != kNone || program_.tasks[task_].master != 0 || ++making.made > 1) {
    refuse(
        s.place,
        fmt::format("{} is made here more than once, or before the first task starts: this is not supported", e.name));
    return true;
  }
  SubtypeIndication constraint;
  constraint.mark = made_of(*s.value);
  if (making.master != kNone) {
    const auto now = discriminant_values(*e.location.type, &constraint);
    const auto same = [](const Discriminant& a, const Discriminant& b) { return a.value == b.value; };
    if (!failed_ && !making.discriminants.empty() && !std::ranges::equal(now, making.discriminants, same))
      refuse(s.place, "what an allocator in a statement makes must not depend on variables");
    if (failed_) return true;
    program_.masters[making.master].task = task_;
  }
  making.task = task_;
  making.node = static_cast<std::uint32_t>(graph().nodes.size());
  emit({});
  if (making.master != kNone) emit_start(making.master);
  if (e.type->extent.slots > 0) initialise(e.location, value_of(*s.value));
  Location at;
  at.type = &reference_type();
  at.first.slots = e.reference;
  write_slot(at, 0, constant(1));
  return true;
}

// Once all graphs are there.
void Expander::check_makings() {
  for (const Making& m : makings_) {
    if (m.made == 0 || report_.failed() || !is_repeated(program_.tasks[m.task].graph, m.node)) continue;
    failed_ = false;
    if (m.master != kNone)
      refuse(m.statement->place, "tasks made in a loop are not supported: their number must be known",
             "an array of tasks");
    else
      refuse(m.statement->place, "objects made in a loop are not supported");
  }
}

}  // namespace surety::ada
