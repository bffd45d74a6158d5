#include "lang/ada/flow/expander.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lang/ada/flow/execute.hpp"
#include "lang/ada/flow/label.hpp"
#include "lang/ada/flow/outside.hpp"
#include "lang/ada/known_units.hpp"

namespace surety::ada {
namespace {

constexpr std::size_t kMostNodes = 100'000;             // of a task
constexpr std::uint64_t kMostElaboration = 10'000'000;  // steps that are executed

}  // namespace

Expander::Expander(const Library& library, const std::vector<AdaDefine>& defines, const Foresight& foresight,
                   Report& report, AdaProgram& out)
    : library_(library),
      defines_(defines),
      foresight_(foresight),
      seen_(foresight),
      report_(report),
      out_(out),
      program_(out.flow) {
  program_.displays.emplace_back();
  program_.places.push_back({});
}

void Expander::run() {
  make_standard();
  program_.tasks.emplace_back();  // the environment task
  program_.masters.emplace_back().body = true;
  tasks_.push_back({nullptr, {}, nullptr, false});
  entry_base_.push_back(0);
  flow::Graph nodes;  // it moves to its task when all tasks are there
  graph_ = &nodes;
  scope_ = &scopes_.emplace_back();
  scope_->outer = &scopes_.front();
  for (const With& w : library_.main->withs) elaborate_unit(w.unit);
  elaborate_main();
  program_.tasks[0].graph = std::move(nodes);
  program_.tasks[0].graph.start = executed_;
  settle_activation();
  check_makings();
  for (std::size_t i = 0; i < program_.slots.size(); ++i) program_.slots[i].initial = memory_[i];
  if (const auto trouble = keep_outside_variables(program_); trouble && !report_.failed()) {
    const auto& at = program_.places[program_.objects[trouble->object].place];
    failed_ = false;
    refuse({at.offset, at.length}, trouble->why + ": this is not supported");
  }
  for (const AdaDefine& d : defines_) {
    if (used_defines_.contains(label_of(d.name)) || report_.failed()) continue;
    const Place place = library_.main->declaration.place;
    const std::string message = fmt::format("there is no constant {}", d.name);
    const char* const hint = "--define gives a value to a constant or named number that is elaborated once";
    if (d.may_miss)
      report_.warning(place, message, hint);
    else
      report_.error(place, message, hint);
  }
}

void Expander::error(Place place, std::string message, std::string hint) {
  if (!failed_ && told_.insert({place.offset, message}).second)
    report_.error(place, std::move(message), std::move(hint));
  failed_ = true;
}

// Not worth telling if there was an error before: it may be a consequence.
void Expander::follow_up(Place place, std::string message, std::string hint) {
  if (!report_.failed()) return error(place, std::move(message), std::move(hint));
  failed_ = true;
}

void Expander::refuse(Place place, const std::string& message, const std::string& hint) { error(place, message, hint); }

std::string Expander::label_of(const std::string& name) { return action_label(name); }

// ---- nodes

std::uint32_t Expander::emit(flow::Node node) {
  const auto number = static_cast<std::uint32_t>(graph().nodes.size());
  if (number >= kMostNodes && !failed_)
    refuse(statement_, fmt::format("more than {} steps after calls have been inlined", kMostNodes));
  if (failed_ && number >= kMostNodes) return number - 1;
  if (node.next == 0) node.next = number + 1;
  node.handler = handler_;
  if (node.place == 0) node.place = place(statement_);
  graph().nodes.push_back(std::move(node));
  return number;
}

std::uint32_t Expander::emit_compute(std::uint32_t target, Code value) {
  flow::Node node;
  const bool own = is_own(target);
  node.kind = own ? flow::Node::Kind::compute : flow::Node::Kind::write;
  (own ? node.target : node.first) = target;
  node.value = std::move(value);
  return emit(std::move(node));
}

// What tasks inside can see gets some value of its subtype at once.
void Expander::forget(std::uint32_t slot) {
  if (is_own(slot)) {
    emit_compute(slot, constant(flow::kUnset));
    return;
  }
  const flow::Slot& s = program_.slots[slot];
  if (s.high < s.low || s.high - s.low >= 64) {
    emit_compute(slot, constant(flow::kOpaque));
    return;
  }
  flow::Node node;
  node.kind = flow::Node::Kind::choose;
  node.low = s.low;
  node.high = s.high;
  node.target = temporary(*integer_);
  const std::uint32_t chosen = node.target;
  emit(std::move(node));
  emit_compute(slot, {{flow::Instruction::Op::load, chosen, 0}});
}

void Expander::jump(Label& label) {
  const std::uint32_t at = emit({});
  if (label.node != kNone)
    graph().nodes[at].next = label.node;
  else
    label.uses.push_back({at, false});
}

void Expander::branch(Code condition, Label& otherwise) {
  flow::Node node;
  node.kind = flow::Node::Kind::branch;
  node.value = std::move(condition);
  const std::uint32_t at = emit(std::move(node));
  if (otherwise.node != kNone)
    graph().nodes[at].other = otherwise.node;
  else
    otherwise.uses.push_back({at, true});
}

void Expander::bind(Label& label) {
  label.node = static_cast<std::uint32_t>(graph().nodes.size());
  for (const Label::Use& use : label.uses)
    (use.other ? graph().nodes[use.node].other : graph().nodes[use.node].next) = label.node;
  label.uses.clear();
}

std::uint32_t Expander::new_slot(const std::string& name, const Type& type, Place at, bool temporary) {
  flow::Slot slot;
  slot.name = name;
  slot.display = display_of(type);
  slot.low = type.low;
  slot.high = type.high;
  slot.temporary = temporary;
  slot.place = place(at);
  const bool captured = !name.empty() && foresight_.captured.contains(at.offset);
  slot.task = immediate_ || task_ == kNone || captured ? kNone : task_;
  slot.object = object_;
  program_.slots.push_back(std::move(slot));
  memory_.push_back(type.kind == Type::Kind::opaque ? flow::kOpaque : flow::kUnset);
  return static_cast<std::uint32_t>(program_.slots.size() - 1);
}

std::uint32_t Expander::temporary(const Type& type) { return new_slot("", type, statement_, true); }
std::uint32_t Expander::temporary_boolean() { return temporary(*boolean_); }

std::uint32_t Expander::place(Place at) {
  if (at.offset == 0 && at.length <= 1) return 0;
  if (const auto& last = program_.places.back(); last.offset == at.offset && last.length == at.length)
    return static_cast<std::uint32_t>(program_.places.size() - 1);
  program_.places.push_back({at.offset, at.length});
  return static_cast<std::uint32_t>(program_.places.size() - 1);
}

// A random number is left open: the variable that gets it has no value, so that it may be any of its subtype when it is
// first read. A temporary slot hands it on once; two variables would get different ones. False: it cannot be left open.
bool Expander::leave_open(const flow::Node& n) {
  if (library_tasks_ != 0) return false;  // tasks that have started could see it
  if (n.kind == flow::Node::Kind::choose) {
    open_[n.target] = {n.low, n.high};
    memory_[n.target] = flow::kUnset;
    return true;
  }
  using Op = flow::Instruction::Op;
  if (n.kind != flow::Node::Kind::compute || n.value.empty() || n.value[0].op != Op::load) return false;
  const auto from = open_.find(static_cast<std::uint32_t>(n.value[0].a));
  if (from == open_.end()) return false;
  const auto [low, high] = from->second;
  const flow::Slot& to = program_.slots[n.target];
  const bool passes = std::all_of(n.value.begin() + 1, n.value.end(), [&](const flow::Instruction& i) {
    return i.op == Op::check && low >= i.a && high <= i.b;
  });
  if (!passes || (!to.name.empty() && (to.low != low || to.high != high))) return false;
  open_.erase(from);
  if (to.name.empty()) open_[n.target] = {low, high};
  memory_[n.target] = flow::kUnset;
  return true;
}

// Runs what has been emitted since the last time.
void Expander::execute_now() {
  if (failed_ || report_.failed() || !can_execute() || executed_ == graph().nodes.size()) return;
  const auto end = static_cast<std::uint32_t>(graph().nodes.size());
  flow::Node last;
  last.kind = flow::Node::Kind::complete;
  graph().nodes.push_back(last);
  Stop stop = run_elaboration(executed_, kMostElaboration);
  while (stop.kind == Stop::Kind::choice && leave_open(graph().nodes[stop.node]))
    stop = run_elaboration(graph().nodes[stop.node].next, kMostElaboration);
  graph().nodes.pop_back();
  executed_ = end;
  if (stop.kind == Stop::Kind::visible && stop.node == end) return;
  const auto& at = program_.places[graph().nodes[std::min(stop.node, end - 1)].place];
  const Place there{at.offset, at.length};
  switch (stop.kind) {
    case Stop::Kind::raised:
      return error(there,
                   fmt::format("{} is raised before the first task starts", program_.exceptions[stop.exception]));
    case Stop::Kind::choice:
      if (stop.slot != kNone && !program_.slots[stop.slot].name.empty())
        return error(there, fmt::format("{} is read before it has a value", program_.slots[stop.slot].name));
      return error(there, "what is elaborated here depends on a value that is not modelled");
    case Stop::Kind::long_run: return error(there, "elaboration does not end");
    case Stop::Kind::visible: return error(there, "a task waits here before the first task has started");
  }
}

// ---- units

// The units that it names come first (ARM 10.2); its body follows its specification at once.
void Expander::elaborate_unit(const std::string& name) {
  if (failed_ || !elaborated_.insert(name).second) return;
  const auto dot = name.rfind('.');
  if (dot != std::string::npos) elaborate_unit(name.substr(0, dot));
  Scope* const saved = scope_;
  Scope* const root = &scopes_[1];
  const Unit* spec = library_.specification(name);
  const Unit* body = library_.body(name);
  if (spec == nullptr && body == nullptr) {
    if (is_known_unit(name) && dot == std::string::npos && name != "ada") {
      scope_ = root;
      Entity& e = declare(Entity::Kind::known, name, {});
      e.name = name;
      e.known = name;
      scope_ = saved;
    }
    return;
  }
  for (const Unit* u : {spec, body})
    if (u != nullptr)
      for (const With& w : u->withs) elaborate_unit(w.unit);
  for (const Unit* u : {spec, body}) {
    if (u == nullptr || (u == body && body == spec)) continue;
    Scope*& parent = packages_[dot == std::string::npos ? "" : name.substr(0, dot)];
    if (parent == nullptr) {  // the parent is known, but has no text
      parent = dot == std::string::npos ? root : &scopes_.emplace_back();
      if (parent != root) parent->outer = root;
    }
    Scope* const outside = parent;
    Scope& context = scopes_.emplace_back();  // a use clause of the context holds in this unit only
    context.outer = outside;
    scope_ = &context;
    for (const Declaration& use : u->uses) declare_one(use);
    declare_one(u->declaration);
    for (auto& [declared, entities] : context.entities)
      for (Entity* e : entities) outside->entities[declared].push_back(e);
    if (u->declaration.kind == Declaration::Kind::package)
      if (const auto found = lookup(name.substr(dot == std::string::npos ? 0 : dot + 1)); !found.empty())
        packages_[name] = found[0]->scope;
  }
  scope_ = saved;
}

void Expander::elaborate_main() {
  const Declaration& main = library_.main->declaration;
  if (failed_ || !main.body) return;
  for (const Declaration& use : library_.main->uses) declare_one(use);
  program_.name = label_of(main.name);
  flow::Task& task = program_.tasks[0];
  task.name = spelled(main.place, main.name);
  task.label = program_.name;
  task.type = program_.name;
  task.place = place(main.place);
  Entity& entity = declare(Entity::Kind::subprogram, main.name, main.place);
  entity.declaration = &main;
  entity.active = true;
  Scope& inside = scopes_.emplace_back();
  inside.outer = scope_;
  inside.unit = &entity;
  inside.ordered = true;
  scope_ = &inside;
  calls_.push_back({&entity, main.place});
  declare_all(main.body->declarations);
  if (immediate_) execute_now();
  program_.masters[0].label = program_.name;
  const bool declared = !report_.failed();
  activate(0);
  if (!declared) return;  // without its tasks the body says nothing
  statement_ = main.place;
  emit_late_elaboration();
  emit_deferred();
  Frame frame;
  frames_.push_back(&frame);
  gotos_.emplace_back();
  emit_body(*main.body, 0);
  bind(frame.done);
  frames_.pop_back();
  gotos_.pop_back();
  statement_ = main.body->end;
  flow::Node end;
  end.kind = flow::Node::Kind::complete;
  emit(std::move(end));
}

}  // namespace surety::ada
