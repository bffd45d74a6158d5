// Accept and select statements: what a task waits for, and what it does then.
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "lang/ada/flow/expander.hpp"
#include "lang/ada/flow/inside.hpp"

namespace surety::ada {
namespace {

using flow::Alternative;
using Op = flow::Instruction::Op;

}  // namespace

const Entity* Expander::accepted_entry(const Accept& a) {
  if (task_ == kNone || task_ == 0 || object_ != kNone) {
    error(a.place, "accept stands in task bodies only");
    return nullptr;
  }
  const Type& type = *tasks_[task_].type;
  const UnitInfo& unit = info(type);
  for (const Entity* e : unit.entries)
    if (label_of(e->name) == a.entry) return e;
  std::vector<std::string> names;
  for (const Entity* e : unit.entries) names.push_back(e->name);
  error(a.place, fmt::format("{} has no entry '{}'", type.name, spelled(a.place, a.entry)),
        did_you_mean(a.entry, names));
  return nullptr;
}

Code Expander::accepted_number(const Accept& a, const Entity& entry) {
  const UnitInfo& unit = info(*tasks_[task_].type);
  Code number = constant(entry_base_[task_] + unit.first[entry.number]);
  const Profile& profile = *entry.declaration->profile;
  if (profile.family.empty()) return number;
  if (a.index.empty()) {
    error(a.place, fmt::format("{} is a family of entries: which of them?", entry.name));
    return number;
  }
  const Type* index = range_type(profile.family[0]);
  const Code which = checked(scalar(a.index[0], index->base), *index);
  number = combine(std::move(number), combine(which, constant(unit.lows[entry.number]), Op::minus), Op::plus);
  return known(number) ? number : materialised(std::move(number));
}

// A parameter has slots for as long as the accept lasts.
void Expander::declare_accepted(Accepted& out, const Parameter& p, const std::string& name, const Type& type) {
  Entity& formal = entities_.emplace_back();
  formal.name = name;
  formal.place = p.place;
  formal.type = &type;
  formal.location = allocate(type, name, p.place, true);
  formal.location.entity = &formal;
  formal.location.constant = p.mode == Parameter::Mode::in;
  out.scope->entities[name].push_back(&formal);
  for (std::uint32_t s = 0; s < type.extent.slots; ++s) {
    const std::uint32_t slot = formal.location.first.slots + s;
    if (p.mode != Parameter::Mode::in) out.results.push_back(slot);
    if (p.mode != Parameter::Mode::out) {
      const std::uint32_t target = is_own(slot) ? slot : temporary(type);
      out.alternative.targets.push_back(target);
      if (target != slot) out.copies.push_back({slot, target});
    } else if (type.kind == Type::Kind::opaque) {
      emit_compute(slot, constant(flow::kOpaque));
    } else {
      forget(slot);
    }
  }
}

Expander::Accepted Expander::accept_alternative(const Accept& a) {
  Accepted out;
  out.accept = &a;
  out.alternative.kind = Alternative::Kind::accept;
  out.alternative.place = place(statement_);
  const Entity* const entry = accepted_entry(a);
  if (entry == nullptr) return out;
  Code number = accepted_number(a, *entry);
  if (failed_) return out;
  out.alternative.number = std::move(number);
  out.scope = &scopes_.emplace_back();
  out.scope->outer = scope_;
  // The names of the parameters are those of the accept statement.
  std::vector<std::string> names;
  for (const Parameter& p : a.parameters) names.insert(names.end(), p.names.begin(), p.names.end());
  std::size_t i = 0;
  for (const Parameter& p : entry->declaration->profile->parameters)
    for (const std::string& declared : p.names) {
      declare_accepted(out, p, i < names.size() ? names[i] : declared, *entry->parameter_types[i]);
      ++i;
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
  emit_raise(kNone, occurrence);
  bind(done);
}

void Expander::emit_accept(const Accept& a) {
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

// One branch as an alternative of what is waited for; kNone as `guard`: it is open.
flow::Alternative Expander::selected_alternative(const SelectBranch& b, std::uint32_t guard, Accepted& accepted) {
  using Branch = SelectBranch::Kind;
  Alternative out;
  switch (b.kind) {
    case Branch::accept:
      accepted = accept_alternative(*b.head[0].accept);
      out = accepted.alternative;
      break;
    case Branch::delay:
      if (b.head[0].value && may_call(*b.head[0].value)) emit_value(*b.head[0].value, nullptr);
      out.kind = Alternative::Kind::delay;
      break;
    case Branch::terminate: out.kind = Alternative::Kind::terminate; break;
    case Branch::otherwise: out.kind = Alternative::Kind::otherwise; break;
    case Branch::call:
    case Branch::abort: break;
  }
  out.guard = guard;
  if (out.place == 0) out.place = place(b.place);
  return out;
}

// A select statement without an open alternative raises an exception (ARM 9.7.1).
void Expander::check_open(const Code& open) {
  if (const auto all = known(open); all && *all != 0) return;
  Label closed, some;
  branch(open, closed);
  jump(some);
  bind(closed);
  emit_raise(flow::program_error);
  bind(some);
}

void Expander::emit_selective_accept(const Statement& s) {
  using Branch = SelectBranch::Kind;
  std::vector<Accepted> accepted(s.alternatives.size());
  std::vector<Alternative> alternatives;
  Code open = constant(0);
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
    alternatives.push_back(selected_alternative(b, guard, accepted[i]));
    if (failed_) return;
  }
  statement_ = s.place;
  const bool otherwise =
      std::ranges::find(s.alternatives, Branch::otherwise, &SelectBranch::kind) != s.alternatives.end();
  if (!otherwise) check_open(open);
  emit_choice(s, std::move(alternatives), [&](std::size_t i) { accept_body(accepted[i]); });
}

// Waits for one of the alternatives, and goes on with what follows it. `finish`: what ends the accept or the call.
void Expander::emit_choice(const Statement& s, std::vector<Alternative> alternatives,
                           const std::function<void(std::size_t)>& finish) {
  using Branch = SelectBranch::Kind;
  const auto at = static_cast<std::uint32_t>(graph().nodes.size());
  wait(std::move(alternatives));
  Label done;
  for (std::size_t i = 0; i < s.alternatives.size(); ++i) {
    if (at >= graph().nodes.size()) return;  // there are too many nodes
    const SelectBranch& b = s.alternatives[i];
    graph().nodes[at].alternatives[i].next = static_cast<std::uint32_t>(graph().nodes.size());
    if (b.kind == Branch::accept || b.kind == Branch::call) finish(i);
    emit_all(b.rest);
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
  emit_choice(s, std::move(alternatives), [&](std::size_t) { finish(); });
}

}  // namespace surety::ada
