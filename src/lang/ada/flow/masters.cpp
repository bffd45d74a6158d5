// Masters: what declares tasks is left only when they have ended (ARM 9.3). Their tasks are created where they are
// declared, begin together when the declarations are done (ARM 9.2), and can begin again if the master is entered
// again.
#include <fmt/format.h>

#include <algorithm>

#include "lang/ada/flow/expander.hpp"
#include "lang/ada/flow/inside.hpp"

namespace surety::ada {
namespace {

using Kind = flow::Node::Kind;

}  // namespace

std::uint32_t Expander::master_here() {
  if (made_by_ != kNone) return made_by_;
  if (can_execute() && task_ == 0) return 0;
  if (object_ != kNone || task_ == kNone || regions_.empty() || immediate_) return kNone;
  Region& region = *regions_.back();
  if (region.master != kNone) return region.master;
  flow::Master master;
  master.task = task_;
  master.body = region.body;
  master.outer = program_.tasks[task_].master;
  for (const Region* r : regions_)
    if (r->master != kNone) master.outer = r->master;
  master.label = region.label;
  const auto taken = [&] {
    return std::ranges::any_of(program_.masters, [&](const flow::Master& m) { return m.label == master.label; });
  };
  for (int i = 2; taken(); ++i) master.label = fmt::format("{}.{}", region.label, i);
  region.master = static_cast<std::uint32_t>(program_.masters.size());
  program_.masters.push_back(std::move(master));
  return region.master;
}

// Whatever way leads out of a region with tasks, also an exception, they end before.
void Expander::emit_region(const Body& body, const std::string& name, Place place, bool of_task) {
  Region region;
  region.label = program_.tasks[task_ == kNone ? 0 : task_].label;
  if (!of_task) region.label += "." + name;
  region.body = of_task;
  regions_.push_back(&region);
  if (of_task) {  // the first handler of its graph: see expand_task
    graph().handlers.emplace_back();
    Inside in_handler(handler_, 0U);
    declare_all(body.declarations);
    graph().body = emit({});
  } else {
    declare_all(body.declarations);
  }
  check_early_tasks(region);
  const std::uint32_t master = region.master;
  if (master == kNone || program_.masters[master].tasks.empty()) {
    if (master != kNone) activate(master);
    statement_ = place;
    emit_body(body, master);
    regions_.pop_back();
    return;
  }
  activate(master);
  flow::Handler handler;
  handler.outer = handler_;
  handler.occurrence = temporary(*integer_);
  const std::uint32_t occurrence = handler.occurrence;
  const auto number = static_cast<std::uint32_t>(graph().handlers.size());
  if (!of_task) graph().handlers.push_back(std::move(handler));
  {
    statement_ = place;
    Inside in_handler(handler_, of_task ? handler_ : number);
    emit_body(body, master);
  }
  if (of_task) bind(frames_.back()->done);
  graph().died = of_task ? static_cast<std::uint32_t>(graph().nodes.size()) : graph().died;
  statement_ = body.end;
  emit_end(master);
  regions_.pop_back();
  if (of_task) return;
  Label done;
  jump(done);
  graph().handlers[number].node = static_cast<std::uint32_t>(graph().nodes.size());
  emit_end(master);
  emit_raise(kNone, occurrence);
  bind(done);
}

// Tasks of a package start before its statements (ARM 9.2(2)), and so before what is declared after it. Here they start
// with the others of the block; that is the same if nothing else happens in between.
void Expander::note_package_tasks(const Scope& package) {
  if (can_execute() || regions_.empty() || !has_tasks(package)) return;
  Region& region = *regions_.back();
  if (region.early == kNone) region.early = static_cast<std::uint32_t>(graph().nodes.size());
}

void Expander::check_early_tasks(const Region& region) {
  if (region.early == kNone) return;
  const auto& nodes = graph().nodes;
  for (std::size_t i = region.early; i < nodes.size(); ++i) {
    const Kind kind = nodes[i].kind;
    if (kind == Kind::compute || kind == Kind::branch || kind == Kind::gone || kind == Kind::choose) continue;
    const auto& at = program_.places[nodes[i].place];
    return refuse({at.offset, at.length},
                  "tasks of a package start before this, the other ones of the block after it: this is not supported");
  }
}

// Whether what is declared here belongs to a package, not to a subprogram, a task or a block in it.
bool Expander::is_in_package() const {
  for (const Scope* s = scope_; s != nullptr; s = s->outer)
    if (s->unit != nullptr) return s->unit->kind == Entity::Kind::package;
  return false;
}

// Whether a package declares tasks, in its specification or in its body.
bool Expander::has_tasks(const Scope& package) const {
  return std::ranges::any_of(package.entities, [&](const auto& named) {
    return std::ranges::any_of(named.second, [&](const Entity* e) {
      return (e->kind == Entity::Kind::object && e->type != nullptr && e->type->extent.tasks > 0) ||
             (e->kind == Entity::Kind::package && e->scope != nullptr && e->scope->outer == &package &&
              has_tasks(*e->scope));
    });
  });
}

// The tasks and protected objects of a master are expanded when all its declarations are known.
void Expander::activate(std::uint32_t master) {
  if (report_.failed()) {
    immediate_ = false;
    return;
  }
  execute_now();
  std::vector<std::uint32_t> tasks = program_.masters[master].tasks, objects = program_.masters[master].objects;
  for (const Making& m : makings_) {  // what statements make is there, too, but begins later
    if (master != 0 || m.master == kNone) continue;
    const flow::Master& made = program_.masters[m.master];
    tasks.insert(tasks.end(), made.tasks.begin(), made.tasks.end());
    objects.insert(objects.end(), made.objects.begin(), made.objects.end());
  }
  for (const std::uint32_t o : objects) prepare_object(o);
  for (const std::uint32_t o : objects) expand_object(o);
  // Whether an accept has a body is asked by callers: first of all tasks, then the graphs.
  for (const std::uint32_t t : tasks) {
    UnitInfo& unit = info(*tasks_[t].type);
    for (std::size_t e = 0; e < unit.entries.size(); ++e)
      for (std::uint32_t i = 0; i < unit.count[e]; ++i) {
        flow::Entry& entry = program_.entries[entry_base_[t] + unit.first[e] + i];
        entry.has_body = !entry.out.empty() || accepts_with_body(*tasks_[t].type, label_of(unit.entries[e]->name));
      }
  }
  immediate_ = false;
  for (const std::uint32_t t : tasks) expand_task(t);
}

void Expander::emit_master(Kind kind, std::uint32_t master) {
  flow::Node node;
  node.kind = kind;
  node.first = master;
  emit(std::move(node));
}

// Those of the main procedure are there from the beginning.
void Expander::emit_start(std::uint32_t master) {
  if (master != 0) emit_master(Kind::begin, master);
  if (!program_.masters[master].tasks.empty()) emit_master(Kind::activated, master);
}

void Expander::emit_end(std::uint32_t master) { emit_master(Kind::end, master); }

// A jump out of regions, down to so many.
void Expander::leave_regions(std::size_t depth) {
  for (std::size_t i = regions_.size(); i > depth; --i) {
    const std::uint32_t master = regions_[i - 1]->master;
    const bool body = regions_[i - 1]->body;  // ends by itself
    if (master != kNone && !body && !program_.masters[master].tasks.empty()) emit_end(master);
  }
}

void Expander::note_region(Jump& jump) {
  std::uint32_t innermost = kNone;
  for (const Region* r : regions_)
    if (r->master != kNone) innermost = r->master;
  if (jump.master.value_or(innermost) != innermost)
    refuse(statement_, "a jump out of what has tasks of its own is not supported");
  jump.master = innermost;
}

// Of a task, protected object or shared variable inside of a task; in subprograms and blocks of the main procedure it
// keeps its name as long as that is unique.
std::string Expander::nested_name(const std::string& name) {
  const std::string whole = task_ == 0 ? name : fmt::format("{}.{}", program_.tasks[task_].name, name);
  std::string out = whole;
  for (int i = 2; !names_.insert(label_of(out)).second; ++i) out = fmt::format("{}.{}", whole, i);
  return out;
}

// That tasks are activated matters only if others can notice what their declarations do, or if these can fail.
void Expander::settle_activation() {
  const auto plain = [](const flow::Node& n) {
    return n.kind == Kind::gone || ((n.kind == Kind::compute || n.kind == Kind::branch) && !can_raise(n.value));
  };
  std::vector<bool> matters(program_.masters.size(), false);
  for (const flow::Task& task : program_.tasks) {
    const auto& nodes = task.graph.nodes;
    const bool own = &task != &program_.tasks[0];
    for (std::size_t i = 0; own && i < task.graph.body; ++i)
      if (!plain(nodes[i])) matters[task.master] = true;
  }
  for (flow::Task& task : program_.tasks)
    for (flow::Node& n : task.graph.nodes)
      if (n.kind == Kind::activated && !matters[n.first]) n.kind = Kind::gone;
}

}  // namespace surety::ada
