#include "ada/flow_reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <span>

#include "base/check.hpp"
#include "lang/ada/flow/execute.hpp"
#include "model/sequence_table.hpp"

namespace surety {
namespace {

using ada::evaluate;
using flow::Alternative;
using flow::Code;
using flow::kNone;
using flow::kUnset;
using flow::Node;
using flow::Value;
using Kind = Node::Kind;
using Values = std::vector<Value>;
using Evaluated = ada::Result;

// Of a task.
enum class Mode : std::uint8_t { runs, fails, completed, abandoned, ended, abandoned_ended, terminated, dormant };
// At a wait: it has not come there yet, waits for calls, waits in a queue, or waits for calls and has got one (and
// more: by which alternative).
enum Phase : Value { idle, waiting, queued, committed };

// One state: the memory, then the tasks, then the queues of entries and of protected operations.
class World {
 public:
  explicit World(const flow::Program& program)
      : slots_(program.slots.size()),
        tasks_(program.tasks.size()),
        entries_(program.entries.size()),
        values(slots_ + tasks_ * kFields + tasks_ * (entries_ + program.operations.size()), 0) {}

  std::span<Value> memory() { return {values.data(), slots_}; }
  Value& mode(std::uint32_t t) { return field(t, 0); }
  Value& node(std::uint32_t t) { return field(t, 1); }
  Value& phase(std::uint32_t t) { return field(t, 2); }
  Value& exception(std::uint32_t t) { return field(t, 3); }
  Mode mode_of(std::uint32_t t) { return static_cast<Mode>(mode(t)); }

  // The callers of the rendezvous that a task is in, the last one first to end.
  void push_caller(std::uint32_t t, std::uint32_t caller) {
    for (std::size_t i = 0; i < kDeepest; ++i)
      if (field(t, 4 + i) == 0) {
        field(t, 4 + i) = caller + 1;
        return;
      }
    check(false, "too many rendezvous inside of each other");
  }
  std::uint32_t pop_caller(std::uint32_t t) {
    for (std::size_t i = kDeepest; i-- > 0;)
      if (Value& v = field(t, 4 + i); v != 0) {
        const auto out = static_cast<std::uint32_t>(v - 1);
        v = 0;
        return out;
      }
    check(false, "no rendezvous to end");
    return 0;
  }

  std::span<Value> entry_queue(std::uint32_t e) { return queue(e); }
  std::span<Value> operation_queue(std::uint32_t o) { return queue(entries_ + o); }
  static void push(std::span<Value> queue, std::uint32_t caller) { *std::ranges::find(queue, 0) = caller + 1; }
  static void remove(std::span<Value> queue, std::uint32_t caller) {
    const auto at = std::ranges::find(queue, static_cast<Value>(caller) + 1);
    if (at == queue.end()) return;
    std::copy(at + 1, queue.end(), at);
    queue.back() = 0;
  }
  static std::optional<std::uint32_t> head(std::span<const Value> queue) {
    if (queue[0] == 0) return std::nullopt;
    return static_cast<std::uint32_t>(queue[0] - 1);
  }
  static Value length(std::span<const Value> queue) { return std::ranges::find(queue, 0) - queue.begin(); }

 private:
  static constexpr std::size_t kDeepest = 4, kFields = 4 + kDeepest;
  Value& field(std::uint32_t t, std::size_t i) { return values[slots_ + t * kFields + i]; }
  std::span<Value> queue(std::size_t number) {
    return {values.data() + slots_ + tasks_ * kFields + tasks_ * number, tasks_};
  }

  std::size_t slots_, tasks_, entries_;

 public:
  Values values;
};

class Interpreter {
 public:
  Interpreter(const AdaProgram& program, ConditionalCalls reading, Labels& labels)
      : program_(program.flow), source_(*program.source), reading_(reading), labels_(labels), world_(program.flow) {
    find_shared();
    for (const flow::Task& task : program_.tasks)
      for (const Node& n : task.graph.nodes)
        if (n.kind == Kind::status) asked_about_.insert(static_cast<std::uint32_t>(n.number[0].a));
  }

  std::optional<Behaviour> run(std::size_t most) {
    for (std::size_t s = 0; s < program_.slots.size(); ++s) world_.memory()[s] = program_.slots[s].initial;
    for (std::uint32_t t = 0; t < program_.tasks.size(); ++t) {
      world_.mode(t) = static_cast<Value>(program_.tasks[t].master == 0 ? Mode::runs : Mode::dormant);
      if (program_.tasks[t].master == 0) go(world_, t, program_.tasks[t].graph.start);
    }
    states_.intern(world_.values);
    Behaviour out;
    for (std::uint32_t s = 0; s < states_.size(); ++s) {
      if (states_.size() > most) return std::nullopt;
      world_.values.assign(states_[s].begin(), states_[s].end());
      steps_ = &out.steps.emplace_back();
      for (std::uint32_t t = 0; t < program_.tasks.size(); ++t) step(t);
      for (std::uint32_t m = 0; m < program_.masters.size(); ++m) end_of_master(m);
      out.ends.push_back(world_.mode_of(0) == Mode::terminated ? Behaviour::End::ended
                         : out.steps[s].empty()                ? Behaviour::End::stuck
                                                               : Behaviour::End::no);
    }
    return out;
  }

 private:
  // ---- what is shared

  void find_shared() {
    struct Use {
      std::set<std::uint32_t> tasks;
      bool written = false;
    };
    std::vector<Use> use(program_.slots.size());
    for (std::uint32_t t = 0; t < program_.tasks.size(); ++t)
      for (const Node& n : program_.tasks[t].graph.nodes)
        if (n.kind == Kind::read || n.kind == Kind::write)
          for (std::uint32_t s = n.first; s < n.first + n.count; ++s) {
            use[s].tasks.insert(t);
            use[s].written = use[s].written || n.kind == Kind::write;
          }
    for (std::size_t s = 0; s < use.size(); ++s) {
      const bool written = use[s].written || program_.slots[s].initial == kUnset;
      const bool outlives = std::ranges::any_of(
          use[s].tasks, [&](std::uint32_t t) { return program_.tasks[t].master != 0 && program_.slots[s].task != t; });
      shared_.push_back((use[s].tasks.size() > 1 || outlives) && written);
    }
    for (const flow::Object& object : program_.objects)
      for (const std::uint32_t s : object.outside) shared_[s] = true;
  }

  // ---- steps

  void add(World& world, std::uint32_t label) { steps_->push_back({label, states_.intern(world.values)}); }
  void unseen(World& world) { add(world, 0); }
  void seen(World& world, const std::string& name, std::vector<std::uint32_t> tasks) {
    add(world, labels_.number(label_of(name, std::move(tasks))));
  }

  const flow::Graph& graph(std::uint32_t t) const { return program_.tasks[t].graph; }
  const Node& node(World& world, std::uint32_t t) const {
    return graph(t).nodes[static_cast<std::size_t>(world.node(t))];
  }

  // To a node, and on as long as nobody else could notice it.
  void go(World& world, std::uint32_t t, std::uint32_t to) {
    world.node(t) = to;
    world.phase(t) = idle;
    for (int steps = 0; local_step(world, t); ++steps) check(steps < 10'000, "a task that does nothing for ever");
  }

  bool local_step(World& world, std::uint32_t t) {
    if (world.mode_of(t) != Mode::runs) return false;
    const Node& n = node(world, t);
    const auto memory = world.memory();
    switch (n.kind) {
      case Kind::gone: world.node(t) = n.next; return true;
      case Kind::raise:
        return raise(world, t, n.first != kNone ? n.first : static_cast<std::uint32_t>(memory[n.target]));
      case Kind::compute:
      case Kind::branch: {
        const Evaluated r = evaluate(n.value, memory);
        if (r.kind == Evaluated::Kind::unset) return false;
        if (!r.ok()) return raise(world, t, r.exception);
        if (n.kind == Kind::compute) memory[n.target] = r.value;
        world.node(t) = n.kind == Kind::compute || r.value != 0 ? n.next : n.other;
        return true;
      }
      case Kind::read:
      case Kind::write: return local_access(world, t, n);
      default: return false;
    }
  }

  bool local_access(World& world, std::uint32_t t, const Node& n) {
    const auto memory = world.memory();
    const auto at = address(n, memory);
    if (!at || shared_[*at]) return false;
    if (n.kind == Kind::read) {
      if (memory[*at] == kUnset) return false;
      memory[n.target] = memory[*at];
    } else {
      const Evaluated r = evaluate(n.value, memory);
      if (!r.ok()) return r.kind == Evaluated::Kind::unset ? false : raise(world, t, r.exception);
      memory[*at] = r.value;
    }
    world.node(t) = n.next;
    return true;
  }

  // Nothing: the index has no value yet.
  std::optional<std::uint32_t> address(const Node& n, std::span<const Value> memory) const {
    if (n.offset.empty()) return n.first;
    const Evaluated r = evaluate(n.offset, memory);
    if (!r.ok()) return std::nullopt;
    return n.first + static_cast<std::uint32_t>(r.value);
  }

  // True: there is a handler.
  bool raise(World& world, std::uint32_t t, std::uint32_t exception) {
    const flow::Graph& g = graph(t);
    world.phase(t) = idle;
    for (std::uint32_t h = node(world, t).handler; h != kNone; h = g.handlers[h].outer) {
      const flow::Handler& handler = g.handlers[h];
      const bool handles =
          handler.exceptions.empty() || std::ranges::find(handler.exceptions, exception) != handler.exceptions.end();
      if (!handles) continue;
      if (handler.occurrence != kNone) world.memory()[handler.occurrence] = exception;
      world.node(t) = handler.node;
      return true;
    }
    world.mode(t) = static_cast<Value>(Mode::fails);
    world.exception(t) = exception;
    return false;
  }
  void raise_and_go(World& world, std::uint32_t t, std::uint32_t exception) {
    if (raise(world, t, exception)) go(world, t, static_cast<std::uint32_t>(world.node(t)));
  }

  // It does nothing any more, and what it knew is forgotten.
  void leave(World& world, std::uint32_t t, Mode mode) {
    world.mode(t) = static_cast<Value>(mode);
    world.node(t) = world.phase(t) = world.exception(t) = 0;
    for (std::size_t s = 0; s < program_.slots.size(); ++s)
      if (program_.slots[s].task == t) world.memory()[s] = program_.slots[s].initial;
  }

  void step(std::uint32_t t) {
    World next = world_;
    switch (world_.mode_of(t)) {
      case Mode::fails: return fail(t);
      case Mode::completed:
      case Mode::abandoned:
        if (!asked_about_.contains(t)) return;
        next.mode(t) = static_cast<Value>(world_.mode_of(t) == Mode::completed ? Mode::ended : Mode::abandoned_ended);
        return unseen(next);
      case Mode::runs: return node_step(t);
      case Mode::ended:
      case Mode::abandoned_ended:
      case Mode::terminated:
      case Mode::dormant: return;
    }
  }

  void fail(std::uint32_t t) {
    World next = world_;
    const auto& place = program_.places[node(next, t).place];
    const std::string name = fmt::format("{}.fails.{}.{}", label(t), source_.line_number({place.offset, place.length}),
                                         program_.exceptions[static_cast<std::size_t>(next.exception(t))]);
    if (graph(t).died == kNone) {
      leave(next, t, Mode::completed);
    } else {
      next.mode(t) = static_cast<Value>(Mode::runs);
      next.exception(t) = 0;
      go(next, t, graph(t).died);
    }
    seen(next, name, {t});
  }

  const std::string& label(std::uint32_t t) const { return program_.tasks[t].label; }

  void node_step(std::uint32_t t) {
    World next = world_;
    const Node& n = node(next, t);
    if (!has_values(t, n)) return;
    const auto memory = next.memory();
    switch (n.kind) {
      case Kind::compute:
      case Kind::branch: return;  // it had no value
      case Kind::wait: return wait(t, n);
      case Kind::choose:
        for (Value v = n.low; v <= n.high; ++v) {
          next = world_;
          next.memory()[n.target] = v;
          go(next, t, n.next);
          unseen(next);
        }
        return;
      case Kind::read:
      case Kind::write: return access(t, n);
      case Kind::event: {
        std::string name = program_.labels[n.label];
        for (std::size_t i = 0; i < n.in.size(); ++i)
          name += shown(evaluate(n.in[i], memory).value, program_.label_displays[n.label][i]);
        go(next, t, n.next);
        return seen(next, name, {t});
      }
      case Kind::accept_end: return accept_end(t, n);
      case Kind::complete: leave(next, t, Mode::completed); return unseen(next);
      case Kind::abandoned: leave(next, t, Mode::abandoned); return unseen(next);
      case Kind::end:  // until it has come there it has not completed
        if (next.phase(t) != idle) return;
        next.phase(t) = waiting;
        return unseen(next);
      case Kind::begin: return begin(t, n);
      case Kind::activated: return activated(t, n);
      case Kind::queue: return take_place(t, n);
      case Kind::count: {
        const auto e = number(n.number);
        const Value count = World::length(next.entry_queue(e));
        memory[n.target] = count;
        go(next, t, n.next);
        return seen(next, fmt::format("{}.count.is.{}", program_.entries[e].name, count), {t});
      }
      case Kind::status: return status(t, n);
      default: return;  // it waits for others
    }
  }

  std::uint32_t number(const Code& code) { return static_cast<std::uint32_t>(evaluate(code, world_.memory()).value); }

  // If something that it needs has no value yet, it is any value now.
  bool has_values(std::uint32_t t, const Node& n) {
    std::vector<const Code*> codes{&n.value, &n.offset, &n.number};
    for (const Code& code : n.in) codes.push_back(&code);
    for (const Alternative& a : n.alternatives) {
      codes.push_back(&a.number);
      for (const Code& code : a.in) codes.push_back(&code);
    }
    std::uint32_t slot = kNone;
    for (const Code* code : codes)
      if (const Evaluated r = evaluate(*code, world_.memory()); r.kind == Evaluated::Kind::unset && slot == kNone)
        slot = r.slot;
    if (slot == kNone && n.kind == Kind::read)
      if (const auto at = address(n, world_.memory()); at && !shared_[*at] && world_.memory()[*at] == kUnset)
        slot = *at;
    if (slot == kNone) return true;
    for (Value v = program_.slots[slot].low; v <= program_.slots[slot].high; ++v) {
      World next = world_;
      next.memory()[slot] = v;
      const Value phase = next.phase(t);
      go(next, t, static_cast<std::uint32_t>(next.node(t)));
      if (next.node(t) == world_.node(t)) next.phase(t) = phase;
      unseen(next);
    }
    return false;
  }

  void access(std::uint32_t t, const Node& n) {
    const std::uint32_t slot = *address(n, world_.memory());
    const flow::Slot& what = program_.slots[slot];
    std::string name = label(t) + ".";
    for (const char c : what.name) name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const Value now = world_.memory()[slot];
    const auto become = [&](Value v) {
      World next = world_;
      next.memory()[slot] = v;
      if (n.kind == Kind::read) next.memory()[n.target] = v;
      go(next, t, n.next);
      seen(next, fmt::format("{}.{}{}", name, n.kind == Kind::read ? "is" : "to", shown(v, what.display)), {t});
    };
    if (n.kind == Kind::write) return become(evaluate(n.value, world_.memory()).value);
    if (now != kUnset) return become(now);
    for (Value v = what.low; v <= what.high; ++v) become(v);
  }

  std::string shown(Value v, std::uint32_t display) const {
    const auto& literals = program_.displays[display].literals;
    return "." + (literals.empty() ? std::to_string(v) : literals[static_cast<std::size_t>(v)]);
  }

  // ---- waiting

  void wait(std::uint32_t t, const Node& n) {
    const Alternative& first = n.alternatives[0];
    if (first.kind == Alternative::Kind::call) return call(t, n, first);
    if (first.kind == Alternative::Kind::operation) return operation(t, n, first);
    select(t, n);
  }

  bool is_open(World& world, const Alternative& a) const { return a.guard == kNone || world.memory()[a.guard] == 1; }
  static const Alternative* find(const Node& n, Alternative::Kind kind) {
    const auto at = std::ranges::find(n.alternatives, kind, &Alternative::kind);
    return at == n.alternatives.end() ? nullptr : &*at;
  }
  void take(std::uint32_t t, const Alternative& a) {
    World next = world_;
    go(next, t, a.next);
    unseen(next);
  }

  // An accept statement, or a selective accept.
  void select(std::uint32_t t, const Node& n) {
    if (world_.phase(t) >= committed) {
      const Alternative& a = n.alternatives[static_cast<std::size_t>(world_.phase(t) - committed)];
      return meet(t, a, *World::head(world_.entry_queue(number(a.number))));
    }
    bool found = false;
    std::string nobody;  // if it is seen that nobody waits
    for (const Alternative& a : n.alternatives) {
      if (a.kind != Alternative::Kind::accept || !is_open(world_, a)) continue;
      const std::uint32_t e = number(a.number);
      if (program_.entries[e].counted) nobody = program_.entries[e].name + ".count.is.0";
      const auto caller = World::head(world_.entry_queue(e));
      if (!caller) continue;
      check(world_.phase(t) == idle, "a task waits though there is a call");
      found = true;
      meet(t, a, *caller);
    }
    if (found) return;
    for (const Alternative& a : n.alternatives) {
      const bool now = world_.phase(t) == idle ? a.kind == Alternative::Kind::otherwise
                                               : a.kind == Alternative::Kind::delay && is_open(world_, a);
      if (!now) continue;
      World next = world_;
      go(next, t, a.next);
      nobody.empty() ? unseen(next) : seen(next, nobody, {t});
    }
    if (world_.phase(t) != idle || find(n, Alternative::Kind::otherwise) != nullptr) return;
    World next = world_;
    next.phase(t) = waiting;
    unseen(next);
  }

  // A rendezvous begins.
  void meet(std::uint32_t t, const Alternative& accept, std::uint32_t caller) {
    World next = world_;
    const std::uint32_t e = number(accept.number);
    const flow::Entry& entry = program_.entries[e];
    const Alternative& call = *find(node(next, caller), Alternative::Kind::call);
    World::remove(next.entry_queue(e), caller);
    std::string name = entry.name;
    for (std::size_t i = 0; i < call.in.size(); ++i) {
      const Value v = evaluate(call.in[i], world_.memory()).value;
      name += shown(v, entry.in[i]);
      next.memory()[accept.targets[i]] = v;
    }
    if (entry.has_body) next.push_caller(t, caller);
    go(next, caller, call.next);
    go(next, t, accept.next);
    seen(next, name, {t, caller});
  }

  void accept_end(std::uint32_t t, const Node& n) {
    World next = world_;
    const flow::Entry& entry = program_.entries[number(n.number)];
    const std::uint32_t caller = next.pop_caller(t);
    const Node& awaits = node(next, caller);
    check(awaits.kind == Kind::await_end, "a caller that does not wait for the end");
    if (n.target != kNone) {
      const auto exception = static_cast<std::uint32_t>(world_.memory()[n.target]);
      raise_and_go(next, caller, exception);
      go(next, t, n.next);
      return seen(next, fmt::format("{}.raised.{}", entry.name, program_.exceptions[exception]), {t, caller});
    }
    std::string name = entry.name + ".end";
    for (std::size_t i = 0; i < n.in.size(); ++i) {
      const Value v = evaluate(n.in[i], world_.memory()).value;
      name += shown(v, entry.out[i]);
      next.memory()[awaits.targets[i]] = v;
    }
    go(next, caller, awaits.next);
    go(next, t, n.next);
    seen(next, name, {t, caller});
  }

  // Whether calls of it fail.
  bool is_gone(std::uint32_t t) {
    switch (world_.mode_of(t)) {
      case Mode::completed:
      case Mode::abandoned:
      case Mode::ended:
      case Mode::abandoned_ended:
      case Mode::terminated: return true;
      case Mode::runs: break;
      case Mode::fails:
      case Mode::dormant: return false;
    }
    const Node& n = node(world_, t);
    return n.kind == Kind::end && program_.masters[n.first].body && world_.phase(t) == waiting;
  }
  void find_gone(std::uint32_t t, std::uint32_t callee, std::uint32_t entry) {
    World next = world_;
    World::remove(next.entry_queue(entry), t);
    raise_and_go(next, t, flow::tasking_error);
    seen(next, fmt::format("{}.gone", label(callee)), {t, callee});
  }

  // The open alternatives for an entry of a task that waits.
  std::vector<const Alternative*> awaited(std::uint32_t t, std::uint32_t entry) {
    std::vector<const Alternative*> out;
    if (world_.mode_of(t) != Mode::runs || world_.phase(t) != waiting) return out;
    for (const Alternative& a : node(world_, t).alternatives)
      if (a.kind == Alternative::Kind::accept && is_open(world_, a) && number(a.number) == entry) out.push_back(&a);
    return out;
  }

  void call(std::uint32_t t, const Node& n, const Alternative& a) {
    const std::uint32_t e = number(a.number), callee = program_.entries[e].task;
    const Alternative *timed = find(n, Alternative::Kind::delay), *other = find(n, Alternative::Kind::otherwise);
    if (is_gone(callee)) return find_gone(t, callee, e);
    if (world_.phase(t) == queued) {
      World next = world_;
      World::remove(next.entry_queue(e), t);
      for (const Alternative* leave : {timed, other})
        if (leave != nullptr) {
          go(next, t, leave->next);
          unseen(next);
        }
      return;
    }
    const auto accepts = awaited(callee, e);
    for (const Alternative* accept : accepts) meet(callee, *accept, t);
    if (!accepts.empty()) return;
    if (other != nullptr && reading_ == ConditionalCalls::never_queued) return take(t, *other);
    World next = world_;
    next.phase(t) = queued;
    World::push(next.entry_queue(e), t);
    unseen(next);
  }

  // A call whose arrival is seen.
  void take_place(std::uint32_t t, const Node& n) {
    const std::uint32_t e = number(n.number), callee = program_.entries[e].task;
    if (is_gone(callee)) return find_gone(t, callee, e);
    World next = world_;
    World::push(next.entry_queue(e), t);
    go(next, t, n.next);
    next.phase(t) = queued;
    const std::string name = program_.entries[e].name + ".queued";
    const auto accepts = awaited(callee, e);
    for (const Alternative* a : accepts) {
      next.phase(callee) = committed + (a - node(world_, callee).alternatives.data());
      seen(next, name, {t});
    }
    if (accepts.empty()) seen(next, name, {t});
  }

  void status(std::uint32_t t, const Node& n) {
    World next = world_;
    const std::uint32_t of = number(n.number);
    const bool terminated = n.first == 1;
    const bool ended = world_.mode_of(of) == Mode::ended || world_.mode_of(of) == Mode::abandoned_ended;
    const bool value = terminated ? ended : !is_gone(of);
    next.memory()[n.target] = value ? 1 : 0;
    go(next, t, n.next);
    if (of == t) return unseen(next);
    seen(next, fmt::format("{}.{}.is.{}", label(of), terminated ? "terminated" : "callable", value), {t, of});
  }

  // ---- protected objects

  void set_counts(World& world, std::uint32_t object) {
    for (std::uint32_t o = 0; o < program_.operations.size(); ++o)
      if (const flow::Operation& operation = program_.operations[o]; operation.object == object)
        if (operation.count != kNone) world.memory()[operation.count] = World::length(world.operation_queue(o));
  }
  void clear_counts(World& world, std::uint32_t object) {
    for (const flow::Operation& operation : program_.operations)
      if (operation.object == object && operation.count != kNone) world.memory()[operation.count] = 0;
  }

  bool is_barrier_open(std::uint32_t o) {
    const flow::Operation& operation = program_.operations[o];
    if (operation.barrier.nodes.empty()) return true;
    World after = world_;
    set_counts(after, operation.object);
    bool open = false;
    execute(after, operation.barrier, operation.barrier.start,
            [&](World& done, std::uint32_t) { open = done.memory()[operation.open] != 0; });
    return open;
  }

  // Some queued call is possible: nobody else can use the object.
  bool is_serving(std::uint32_t object) {
    for (std::uint32_t o = 0; o < program_.operations.size(); ++o)
      if (program_.operations[o].object == object && World::head(world_.operation_queue(o)) && is_barrier_open(o))
        return true;
    return false;
  }

  void operation(std::uint32_t t, const Node& n, const Alternative& a) {
    const std::uint32_t o = number(a.number);
    const std::uint32_t object = program_.operations[o].object;
    if (world_.phase(t) == queued) {
      const bool first = World::head(world_.operation_queue(o)) == t;
      if (first && is_barrier_open(o)) return operate(t, a);
      if (const Alternative* timed = find(n, Alternative::Kind::delay); timed != nullptr && !is_serving(object)) {
        World next = world_;
        World::remove(next.operation_queue(o), t);
        go(next, t, timed->next);
        unseen(next);
      }
      return;
    }
    if (is_serving(object)) return;
    if (is_barrier_open(o)) return operate(t, a);
    if (const Alternative* other = find(n, Alternative::Kind::otherwise)) return take(t, *other);
    World next = world_;
    World::push(next.operation_queue(o), t);
    const Alternative* seen_place = find(n, Alternative::Kind::queued);
    if (seen_place != nullptr) go(next, t, seen_place->next);
    next.phase(t) = queued;
    if (seen_place == nullptr) return unseen(next);
    seen(next, program_.operations[o].name + ".queued" + arguments(o, a), {t});
  }

  std::string arguments(std::uint32_t o, const Alternative& a) {
    std::string out;
    for (std::size_t i = 0; i < a.in.size(); ++i)
      out += shown(evaluate(a.in[i], world_.memory()).value, program_.slots[program_.operations[o].in[i]].display);
    return out;
  }

  void operate(std::uint32_t t, const Alternative& a) {
    const std::uint32_t o = number(a.number);
    const flow::Operation& operation = program_.operations[o];
    World begun = world_;
    World::remove(begun.operation_queue(o), t);
    set_counts(begun, operation.object);
    for (std::size_t i = 0; i < a.in.size(); ++i)
      begun.memory()[operation.in[i]] = evaluate(a.in[i], world_.memory()).value;
    execute(begun, operation.body, operation.body.start, [&](World& done, std::uint32_t exception) {
      World next = done;
      std::string name = operation.name + arguments(o, a);
      for (std::size_t i = 0; i < operation.out.size() && exception == kNone; ++i) {
        const Value v = done.memory()[operation.out[i]];
        name += shown(v, program_.slots[operation.out[i]].display);
        next.memory()[a.targets[i]] = v;
      }
      for (const auto* slots : {&operation.in, &operation.out})
        for (const std::uint32_t s : *slots) next.memory()[s] = kUnset;
      clear_counts(next, operation.object);
      if (exception == kNone)
        go(next, t, a.next);
      else
        raise_and_go(next, t, exception);
      seen(next, exception == kNone ? name : name + ".raised." + program_.exceptions[exception], {t});
    });
  }

  // All ways through a barrier or a body, which nobody can disturb.
  void execute(World world, const flow::Graph& graph, std::uint32_t at,
               const std::function<void(World&, std::uint32_t)>& done) {
    while (true) {
      const Node& n = graph.nodes[at];
      const auto memory = world.memory();
      switch (n.kind) {
        case Kind::complete: return done(world, kNone);
        case Kind::choose:
          for (Value v = n.low; v <= n.high; ++v) {
            memory[n.target] = v;
            execute(world, graph, n.next, done);
          }
          return;
        case Kind::compute:
        case Kind::write: {
          const Evaluated r = evaluate(n.value, memory);
          check(r.kind != Evaluated::Kind::unset, "private data without a value");
          if (!r.ok()) return done(world, r.exception);
          memory[n.kind == Kind::compute ? n.target : n.first] = r.value;
          break;
        }
        case Kind::gone: break;
        default: check(false, "a node that no generated operation has");
      }
      at = n.next;
    }
  }

  // ---- masters

  void begin(std::uint32_t t, const Node& n) {
    World next = world_;
    const flow::Master& master = program_.masters[n.first];
    std::vector<std::uint32_t> tasks = master.tasks;
    for (const std::uint32_t o : master.objects)
      for (const std::uint32_t s : program_.objects[o].slots) next.memory()[s] = program_.slots[s].initial;
    for (const std::uint32_t other : master.tasks) {
      leave(next, other, Mode::runs);
      go(next, other, graph(other).start);
    }
    go(next, t, n.next);
    tasks.push_back(t);
    seen(next, master.label + ".begin", tasks);
  }

  // All its tasks have elaborated their declarations. An exception in one of them is Tasking_Error here (ARM 9.2).
  void activated(std::uint32_t t, const Node& n) {
    const flow::Master& master = program_.masters[n.first];
    std::vector<std::uint32_t> tasks = master.tasks, failed;
    tasks.push_back(t);
    for (const std::uint32_t other : master.tasks) {
      const Mode mode = world_.mode_of(other);
      const bool elaborates =
          (mode == Mode::runs || mode == Mode::fails) &&
          (world_.node(other) < static_cast<Value>(graph(other).body) || node(world_, other).kind == Kind::abandoned);
      if (elaborates) return;
      if (mode == Mode::abandoned || mode == Mode::abandoned_ended) failed.push_back(other);
    }
    World next = world_;
    if (failed.empty()) {
      go(next, t, n.next);
      return seen(next, master.label + ".activated", tasks);
    }
    raise_and_go(next, t, flow::tasking_error);
    for (const std::uint32_t other : failed)
      seen(next, fmt::format("{}.abandoned.{}", master.label, label(other)), tasks);
  }

  bool depends(std::uint32_t t, std::uint32_t master) const {
    std::uint32_t m = program_.tasks[t].master;
    while (m != master && m != kNone) m = program_.masters[m].outer;
    return m == master;
  }

  // ARM 9.3(6): each task that depends on it has ended, or waits at an open terminate alternative.
  bool can_end(std::uint32_t t) {
    switch (world_.mode_of(t)) {
      case Mode::completed:
      case Mode::abandoned:
      case Mode::ended:
      case Mode::abandoned_ended:
      case Mode::dormant: return true;
      case Mode::runs: break;
      case Mode::fails:
      case Mode::terminated: return false;
    }
    if (world_.phase(t) != waiting) return false;
    const Alternative* a = find(node(world_, t), Alternative::Kind::terminate);
    return a != nullptr && is_open(world_, *a);
  }

  void end_of_master(std::uint32_t m) {
    const flow::Master& master = program_.masters[m];
    const std::uint32_t t = master.task;
    const bool left =
        m != 0 && world_.mode_of(t) == Mode::runs && node(world_, t).kind == Kind::end && node(world_, t).first == m;
    if (m != 0 && !left) return;
    World next = world_;
    std::vector<std::uint32_t> tasks{t};
    for (std::uint32_t other = 0; other < program_.tasks.size(); ++other) {
      if (!depends(other, m)) continue;
      if (!can_end(other)) return;
      tasks.push_back(other);
      leave(next, other, m == 0 ? Mode::terminated : Mode::dormant);
    }
    if (m != 0) go(next, t, node(world_, t).next);
    seen(next, master.label + ".end", tasks);
  }

  const flow::Program& program_;
  const text::Source& source_;
  const ConditionalCalls reading_;
  Labels& labels_;
  World world_;
  std::vector<bool> shared_;             // by slot
  std::set<std::uint32_t> asked_about_;  // tasks
  SequenceTableOf<Value, std::span<const Value>> states_;
  std::vector<Behaviour::Step>* steps_ = nullptr;
};

}  // namespace

std::optional<Behaviour> reference_behaviour(const AdaProgram& program, ConditionalCalls reading, Labels& labels,
                                             std::size_t most) {
  return Interpreter(program, reading, labels).run(most);
}

}  // namespace surety
