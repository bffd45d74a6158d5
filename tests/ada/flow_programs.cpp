#include "ada/flow_programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "base/random.hpp"

namespace surety {
namespace {

using flow::Alternative;
using flow::Code;
using flow::kNone;
using flow::kUnset;
using flow::Node;
using flow::Value;
using Op = flow::Instruction::Op;
using Kind = Node::Kind;

constexpr std::size_t kMostPlaces = 1000;

Code constant(Value v) { return {{Op::constant, v, 0}}; }
Code load(std::uint32_t slot) { return {{Op::load, slot, 0}}; }
Code equals(std::uint32_t slot, Value v) { return {{Op::load, slot, 0}, {Op::constant, v, 0}, {Op::equal, 0, 0}}; }

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed) {}

  flow::Program make() {
    program_.name = "main";
    program_.displays = {{}, {{"false", "true"}, 0}};
    program_.exceptions = {"constraint_error", "program_error", "storage_error", "tasking_error", "assertion_error"};
    program_.places = {{0, 1}};
    for (const char* label : {"go", "stop"}) {
      program_.labels.emplace_back(label);
      program_.label_displays.push_back({0});
    }
    make_masters();
    make_entries();
    make_variables();
    make_objects();
    for (std::uint32_t t = 0; t < program_.tasks.size(); ++t) make_task(t);
    return std::move(program_);
  }

 private:
  bool chance(std::uint32_t percent) { return random_.chance(percent); }
  Value bit() { return random_.below(2); }
  template <class T>
  const T& any(const std::vector<T>& of) {
    return of[random_.below(static_cast<std::uint32_t>(of.size()))];
  }

  // ---- declarations

  void make_masters() {
    program_.masters.push_back({"main", 0, kNone, true, {}, {}});
    add_task("Main", 0);
    const std::uint32_t tasks = chance(70) ? 2 : 3;
    for (std::uint32_t t = 1; t <= tasks; ++t) add_task(fmt::format("T{}", t), 0);
    if (!chance(20)) return;
    const std::uint32_t owner = random_.below(tasks + 1);
    const bool body = owner != 0 && chance(40);
    const std::string label = program_.tasks[owner].label + (body ? "" : ".block");
    program_.masters.push_back({label, owner, 0, body, {}, {}});
    add_task("N", 1);
    if (tasks == 2 && chance(30)) add_task("O", 1);
  }

  void add_task(const std::string& name, std::uint32_t master) {
    flow::Task task;
    task.name = name;
    for (const char c : name) task.label += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    task.type = task.label;
    task.master = master;
    task.place = new_place();
    if (!program_.tasks.empty())
      program_.masters[master].tasks.push_back(static_cast<std::uint32_t>(program_.tasks.size()));
    program_.tasks.push_back(std::move(task));
  }

  std::uint32_t new_place() {
    const std::size_t at = std::min(program_.places.size(), kMostPlaces - 1);
    program_.places.push_back({at, 1});
    return static_cast<std::uint32_t>(program_.places.size() - 1);
  }

  void make_entries() {
    for (std::uint32_t t = 1; t < program_.tasks.size(); ++t)
      for (std::uint32_t e = random_.below(3); e > 0; --e) {
        flow::Entry entry;
        entry.task = t;
        entry.name = fmt::format("{}.{}", program_.tasks[t].label, e == 1 ? "put" : "get");
        entry.has_body = chance(35);
        if (chance(30)) entry.in = {random_.below(2)};
        if (entry.has_body && chance(40)) entry.out = {0};
        entry.place = new_place();
        program_.entries.push_back(std::move(entry));
      }
    if (!program_.entries.empty() && chance(20))
      program_.entries[random_.below(static_cast<std::uint32_t>(program_.entries.size()))].counted = true;
  }

  std::uint32_t add_slot(std::string name, std::uint32_t task, Value initial) {
    flow::Slot slot;
    slot.temporary = name.empty();
    slot.name = std::move(name);
    slot.high = 1;
    slot.initial = initial;
    slot.task = task;
    program_.slots.push_back(std::move(slot));
    return static_cast<std::uint32_t>(program_.slots.size() - 1);
  }

  // Scalars, and an array of two.
  void make_variables() {
    for (std::uint32_t n = random_.below(3); n > 0; --n)
      shared_.push_back(add_slot(n == 1 ? "X" : "Y", kNone, chance(15) ? kUnset : bit()));
    if (program_.masters.size() > 1 && chance(40)) captured_ = add_slot("Z", kNone, bit());
    if (!chance(10)) return;
    array_ = add_slot("A.0", kNone, 0);
    add_slot("A.1", kNone, 1);
  }

  void make_objects() {
    if (!chance(40)) return;
    const auto o = static_cast<std::uint32_t>(program_.objects.size());
    flow::Object object;
    object.name = "P";
    object.master = program_.masters.size() > 1 && chance(40) ? 1 : 0;
    object.place = new_place();
    program_.masters[object.master].objects.push_back(o);
    for (std::uint32_t n = 1 + random_.below(2); n > 0; --n) {
      object.slots.push_back(add_slot(fmt::format("D{}", n), kNone, bit()));
      program_.slots.back().object = o;
    }
    if (!shared_.empty() && chance(15)) object.outside.push_back(shared_[0]);
    const bool counted = chance(30);
    const std::uint32_t operations = 2 + random_.below(2);
    if (counted) object.counts = static_cast<std::uint32_t>(program_.slots.size());
    for (std::uint32_t i = 0; i < operations; ++i) {
      flow::Operation operation;
      operation.object = o;
      operation.name = fmt::format("p.op{}", i);
      operation.entry = i == 0 || chance(60);
      operation.place = new_place();
      if (counted) operation.count = add_slot("", kNone, 0);
      program_.operations.push_back(std::move(operation));
    }
    program_.objects.push_back(std::move(object));
    for (std::uint32_t i = 0; i < operations; ++i) make_operation(i);
  }

  void make_operation(std::uint32_t number) {
    flow::Operation& operation = program_.operations[number];
    const flow::Object& object = program_.objects[operation.object];
    if (chance(35)) operation.in = {add_slot("V", kNone, kUnset)};
    if (chance(35)) operation.out = {add_slot("R", kNone, kUnset)};
    if (operation.entry) {
      operation.open = add_slot("", kNone, kUnset);
      into_ = &operation.barrier;
      emit_compute(operation.open, barrier_of(object));
      emit(Kind::complete);
    }
    into_ = &operation.body;
    if (!operation.out.empty()) emit_compute(operation.out[0], value_of(object, operation));
    for (std::uint32_t n = 1 + random_.below(2); n > 0; --n) change_object(object, operation);
    emit(Kind::complete);
    into_ = nullptr;
  }

  Code barrier_of(const flow::Object& object) {
    const std::uint32_t slot = any(object.slots);
    if (object.counts == kNone || chance(40)) return equals(slot, bit());
    const auto& other = program_.operations[random_.below(static_cast<std::uint32_t>(program_.operations.size()))];
    Code out = equals(other.count, bit());
    if (chance(50)) {
      const Code more = equals(slot, bit());
      out.insert(out.end(), more.begin(), more.end());
      out.push_back({chance(50) ? Op::and_ : Op::or_, 0, 0});
    }
    return out;
  }

  Code value_of(const flow::Object& object, const flow::Operation& operation) {
    if (!operation.in.empty() && chance(40)) return load(operation.in[0]);
    if (object.counts != kNone && chance(30)) return load(operation.count);
    return chance(30) ? constant(bit()) : load(any(object.slots));
  }

  void change_object(const flow::Object& object, const flow::Operation& operation) {
    const std::uint32_t slot = any(object.slots);
    switch (random_.below(8)) {
      case 0:  // may raise
        emit_compute(slot, {{Op::load, slot, 0}, {Op::constant, 1, 0}, {Op::plus, 0, 0}, {Op::check, 0, 1}});
        break;
      case 1: {
        Node& n = emit(Kind::choose);
        n.target = slot;
        n.high = 1;
        break;
      }
      case 2:
        if (!object.outside.empty()) {
          Node& n = emit(Kind::write);
          n.first = object.outside[0];
          n.value = load(slot);
          break;
        }
        [[fallthrough]];
      case 3: {
        Code value = value_of(object, operation);
        value.push_back({Op::wrap, 2, 0});
        emit_compute(slot, std::move(value));
        break;
      }
      default: emit_compute(slot, flipped(slot));
    }
  }

  static Code flipped(std::uint32_t slot) {
    return {{Op::load, slot, 0}, {Op::constant, 1, 0}, {Op::plus, 0, 0}, {Op::wrap, 2, 0}};
  }

  // ---- nodes

  flow::Graph& graph() { return into_ != nullptr ? *into_ : program_.tasks[task_].graph; }
  std::uint32_t here() { return static_cast<std::uint32_t>(graph().nodes.size()); }

  Node& emit(Kind kind) {
    Node n;
    n.kind = kind;
    n.next = here() + 1;
    n.handler = into_ != nullptr ? kNone : handler_;
    n.place = new_place();
    graph().nodes.push_back(std::move(n));
    return graph().nodes.back();
  }
  void emit_compute(std::uint32_t target, Code value) {
    Node& n = emit(Kind::compute);
    n.target = target;
    n.value = std::move(value);
  }
  void emit_master(Kind kind, std::uint32_t master) { emit(kind).first = master; }
  void emit_again(std::uint32_t occurrence) {
    Node& n = emit(Kind::raise);
    n.first = kNone;
    n.target = occurrence;
  }
  // A jump whose target is given later.
  std::uint32_t jump() {
    emit(Kind::gone);
    return here() - 1;
  }
  void bind(const std::vector<std::uint32_t>& jumps) {
    for (const std::uint32_t j : jumps) graph().nodes[j].next = here();
  }
  std::uint32_t temporary() { return add_slot("", task_, kUnset); }

  // ---- tasks

  void make_task(std::uint32_t t) {
    task_ = t;
    handler_ = kNone;
    own_ = {add_slot("a", t, 0)};
    if (chance(40)) own_.push_back(add_slot("b", t, chance(40) ? kUnset : bit()));
    make_count_and_elements();
    const bool main = t == 0;
    if (!main) make_declarations();
    if (activates(0) && main) emit_master(Kind::activated, 0);
    const std::uint32_t nested = program_.masters.size() > 1 && program_.masters[1].task == t ? 1 : kNone;
    left_ = main ? random_.below(3) : 3 + random_.below(4);
    if (nested != kNone && program_.masters[1].body) {
      body_with_tasks();
    } else if (nested != kNone) {
      if (chance(50)) statements(1);
      if (chance(50))
        loop([&] { block_with_tasks(); });
      else
        block_with_tasks();
      statements(1);
    } else {
      statements(left_);
    }
    emit(Kind::complete);
    finish_declarations();
  }

  // A variable of its own with the values 0 .. 2, and an array of two bits.
  void make_count_and_elements() {
    count_ = elements_ = kNone;
    if (chance(25)) {
      count_ = add_slot("n", task_, chance(20) ? kUnset : 0);
      program_.slots.back().high = 2;
    }
    if (!chance(25)) return;
    elements_ = add_slot("r.0", task_, chance(20) ? kUnset : bit());
    add_slot("r.1", task_, bit());
  }

  // Other tasks can notice what they do, or they can fail.
  bool activates(std::uint32_t master) {
    if (!activates_.contains(master)) activates_[master] = chance(12);
    return activates_[master];
  }

  void make_declarations() {
    declares_ = activates(program_.tasks[task_].master) && chance(60);
    graph().handlers.clear();
    if (declares_) {
      graph().handlers.emplace_back();
      handler_ = 0;
      if (chance(60)) event();
      if (chance(50)) fallible(own_[0]);
      if (chance(20)) raise();
      handler_ = kNone;
    }
    graph().body = here();
    emit(Kind::gone);
  }
  void finish_declarations() {
    if (task_ == 0 || !declares_) return;
    graph().handlers[0].node = here();
    emit(Kind::abandoned);
  }

  void body_with_tasks() {
    emit_master(Kind::begin, 1);
    if (activates(1)) emit_master(Kind::activated, 1);
    inside_ = true;
    statements(left_);
    inside_ = false;
    graph().died = here();
    emit_master(Kind::end, 1);
  }

  // Its tasks end before it is left, also by an exception.
  void block_with_tasks() {
    emit_master(Kind::begin, 1);
    if (activates(1)) emit_master(Kind::activated, 1);
    const std::uint32_t occurrence = temporary(), outer = handler_;
    const std::uint32_t number = add_handler({}, occurrence);
    inside_ = true;
    handler_ = number;
    statements(1 + random_.below(2));
    handler_ = outer;
    inside_ = false;
    emit_master(Kind::end, 1);
    const std::uint32_t done = jump();
    graph().handlers[number].node = here();
    emit_master(Kind::end, 1);
    emit_again(occurrence);
    bind({done});
  }

  std::uint32_t add_handler(std::vector<std::uint32_t> exceptions, std::uint32_t occurrence) {
    graph().handlers.push_back({std::move(exceptions), 0, handler_, occurrence});
    return static_cast<std::uint32_t>(graph().handlers.size() - 1);
  }

  // ---- statements

  void statements(std::uint32_t n) {
    for (; n > 0 && left_ > 0; --n) statement();
  }

  struct Choice {
    std::uint32_t weight;
    std::function<void()> make;
  };

  // What makes sense here is more likely.
  std::vector<Choice> choices() {
    const bool accepts = !acceptable().empty(), nested = depth_ > 3;
    const auto counted = [&](const flow::Entry& e) { return e.counted && e.task == task_; };
    const bool counts = std::ranges::any_of(program_.entries, counted);
    return {
        {8, [&] { event(); }},
        {7, [&] { change_own(); }},
        {count_ == kNone ? 0U : 8U, [&] { use_count(); }},
        {elements_ == kNone ? 0U : 8U, [&] { use_elements(); }},
        {visible_variables().empty() ? 0U : 10U, [&] { use_shared(); }},
        {program_.entries.empty() ? 0U : 16U, [&] { call(); }},
        {accepts ? 16U : 0U, [&] { accept(); }},
        {accepts ? 24U : 0U, [&] { select_accept(); }},
        {10, [&] { select_call(); }},
        {program_.operations.empty() ? 0U : 14U, [&] { operation(); }},
        {counts ? 8U : 0U, [&] { ask_count(); }},
        {3, [&] { ask_status(); }},
        {nested ? 0U : 6U, [&] { branch(); }},
        {nested ? 0U : 8U, [&] { block_with_handler(); }},
        {nested ? 0U : 1U, [&] { raise(); }},
        {nested ? 0U : 6U, [&] { loop([&] { statements(1 + random_.below(2)); }); }},
    };
  }

  void statement() {
    --left_;
    ++depth_;
    const auto all = choices();
    std::uint32_t total = 0;
    for (const Choice& c : all) total += c.weight;
    std::uint32_t which = random_.below(total);
    std::size_t i = 0;
    for (; which >= all[i].weight; ++i) which -= all[i].weight;
    all[i].make();
    --depth_;
  }

  void event() {
    Node& n = emit(Kind::event);
    n.label = random_.below(2);
    if (chance(40)) n.in = {load(any(own_))};
  }

  void change_own() {
    const std::uint32_t slot = any(own_);
    if (chance(15)) return fallible(slot);
    if (chance(50)) return emit_compute(slot, chance(50) ? flipped(slot) : constant(bit()));
    Node& n = emit(Kind::choose);
    n.target = slot;
    n.high = 1;
  }
  void fallible(std::uint32_t slot) {
    if (chance(50)) {
      Node& n = emit(Kind::choose);
      n.target = slot;
      n.high = 1;
    }
    emit_compute(slot, {{Op::load, slot, 0}, {Op::constant, 1, 0}, {Op::plus, 0, 0}, {Op::check, 0, 1}});
  }

  void use_count() {
    const Code more{{Op::load, count_, 0}, {Op::constant, 1, 0}, {Op::plus, 0, 0}};
    const auto with = [&](flow::Instruction last) {
      Code code = more;
      code.push_back(last);
      return code;
    };
    switch (random_.below(6)) {
      case 0: return emit_compute(count_, with({Op::check, 0, 2}));  // may raise
      case 1: return emit_compute(count_, with({Op::wrap, 3, 0}));
      case 2: return emit_compute(any(own_), with({Op::wrap, 2, 0}));
      case 3: return emit_compute(count_, constant(kUnset));  // as where a block is entered again
      case 4: {
        Node& n = emit(Kind::choose);
        n.target = count_;
        n.high = 2;
        return;
      }
      default: {
        Node& n = emit(Kind::event);
        n.label = random_.below(2);
        n.in = {load(count_)};
      }
    }
  }

  void use_elements() {
    const bool read = chance(50);
    const std::uint32_t own = any(own_);
    Node& n = emit(read ? Kind::read : Kind::write);
    n.first = elements_;
    n.count = 2;
    n.offset = index();
    if (read)
      n.target = own;
    else
      n.value = chance(50) ? flipped(own) : constant(bit());
    if (chance(20)) emit_compute(elements_, flipped(elements_ + 1));
  }
  Code index() {
    Code out = load(count_ != kNone && chance(50) ? count_ : any(own_));
    out.push_back({Op::wrap, 2, 0});
    return out;
  }

  // The first elements of arrays, and scalars.
  std::vector<std::uint32_t> visible_variables() const {
    std::vector<std::uint32_t> out = shared_;
    if (array_ != kNone) out.push_back(array_);
    if (captured_ != kNone && program_.tasks[task_].master != 0) out.insert(out.end(), 3, captured_);
    return out;
  }

  void use_shared() {
    const auto variables = visible_variables();
    if (variables.empty()) return event();
    const bool read = chance(50);
    const std::uint32_t own = any(own_);
    Node& n = emit(read ? Kind::read : Kind::write);
    n.first = any(variables);
    if (n.first == array_) {
      n.count = 2;
      n.offset = index();
    }
    if (read)
      n.target = own;
    else
      n.value = chance(50) ? load(own) : constant(bit());
  }

  Code argument() { return chance(50) ? constant(bit()) : load(any(own_)); }

  // Entries that may be called here, or none.
  std::optional<std::uint32_t> callable(bool with_counted) {
    std::vector<std::uint32_t> out;
    for (std::uint32_t e = 0; e < program_.entries.size(); ++e) {
      const std::uint32_t callee = program_.entries[e].task;
      if (program_.entries[e].counted && !with_counted) continue;
      if (program_.tasks[callee].master != 0 && !sees_nested()) continue;
      if (callee != task_ || chance(5)) out.push_back(e);
    }
    if (out.empty()) return std::nullopt;
    return any(out);
  }
  bool sees_nested() const { return inside_ || program_.tasks[task_].master != 0; }

  Alternative call_of(std::uint32_t entry) {
    Alternative a;
    a.kind = Alternative::Kind::call;
    a.number = constant(entry);
    if (!program_.entries[entry].in.empty()) a.in = {argument()};
    a.place = new_place();
    return a;
  }
  // Before the call takes its place.
  void find_arguments(Alternative& a) {
    for (Code& code : a.in) {
      const std::uint32_t slot = temporary();
      emit_compute(slot, std::move(code));
      code = load(slot);
    }
  }
  void await_end(std::uint32_t entry) {
    if (!program_.entries[entry].has_body) return;
    const std::uint32_t target = any(own_);
    Node& n = emit(Kind::await_end);
    n.number = constant(entry);
    if (!program_.entries[entry].out.empty()) n.targets = {target};
  }
  void wait_for(Alternative a) {
    Node& n = emit(Kind::wait);
    a.next = n.next;
    n.alternatives = {std::move(a)};
  }

  void call() {
    const auto entry = callable(true);
    if (!entry) return event();
    Alternative a = call_of(*entry);
    if (program_.entries[*entry].counted) {
      find_arguments(a);
      emit(Kind::queue).number = constant(*entry);
    }
    wait_for(std::move(a));
    await_end(*entry);
  }

  // Entries that may be accepted here: no accept stands inside of another one for the same entry.
  std::vector<std::uint32_t> acceptable() const {
    std::vector<std::uint32_t> out;
    for (std::uint32_t e = 0; e < program_.entries.size(); ++e)
      if (program_.entries[e].task == task_ && std::ranges::find(accepting_, e) == accepting_.end()) out.push_back(e);
    return out;
  }

  Alternative accept_of(std::uint32_t entry) {
    Alternative a;
    a.kind = Alternative::Kind::accept;
    a.number = constant(entry);
    if (!program_.entries[entry].in.empty()) a.targets = {any(own_)};
    a.place = new_place();
    return a;
  }

  void accept() {
    const auto entries = acceptable();
    if (entries.empty()) return call();
    const std::uint32_t entry = any(entries);
    wait_for(accept_of(entry));
    accept_body(entry);
  }

  void accept_body(std::uint32_t entry) {
    if (!program_.entries[entry].has_body) return;
    if (chance(40)) return accept_end(entry, kNone);
    const std::uint32_t occurrence = temporary(), outer = handler_;
    const std::uint32_t number = add_handler({}, occurrence);
    handler_ = number;
    accepting_.push_back(entry);
    statements(1);
    accepting_.pop_back();
    handler_ = outer;
    accept_end(entry, kNone);
    const std::uint32_t done = jump();
    graph().handlers[number].node = here();
    accept_end(entry, occurrence);
    emit_again(occurrence);
    bind({done});
  }

  void accept_end(std::uint32_t entry, std::uint32_t occurrence) {
    Code result = argument();
    Node& n = emit(Kind::accept_end);
    n.number = constant(entry);
    n.target = occurrence;
    if (occurrence == kNone && !program_.entries[entry].out.empty()) n.in = {std::move(result)};
  }

  // The value of a guard, found before anything is waited for.
  std::uint32_t guard() {
    const std::uint32_t slot = temporary();
    std::uint32_t from = any(own_);
    if (!shared_.empty() && chance(30)) {
      from = temporary();
      Node& n = emit(Kind::read);
      n.first = any(shared_);
      n.target = from;
    }
    emit_compute(slot, equals(from, bit()));
    return slot;
  }

  void select_accept() {
    const auto entries = acceptable();
    if (entries.empty()) return select_call();
    std::vector<Alternative> alternatives;
    std::vector<std::uint32_t> accepted;
    const auto add = [&](Alternative::Kind kind) {
      Alternative a;
      a.kind = kind;
      a.place = new_place();
      if (kind != Alternative::Kind::otherwise && chance(15)) a.guard = guard();
      alternatives.push_back(std::move(a));
    };
    for (std::uint32_t n = 1 + random_.below(2); n > 0; --n) {
      const std::uint32_t entry = any(entries);
      accepted.push_back(entry);
      const std::uint32_t slot = chance(40) ? guard() : kNone;
      alternatives.push_back(accept_of(entry));
      alternatives.back().guard = slot;
    }
    const std::uint32_t which = random_.below(10);
    if (which < 3) add(Alternative::Kind::otherwise);
    if (which >= 3 && which < 5) add(Alternative::Kind::delay);
    if (which >= 5 && which < 8) add(Alternative::Kind::terminate);
    if (which >= 3) unless_all_closed(alternatives);
    const std::uint32_t at = here();
    emit(Kind::wait).alternatives = alternatives;
    branches(at, [&](std::size_t i) {
      if (i < accepted.size()) accept_body(accepted[i]);
    });
  }

  void unless_all_closed(const std::vector<Alternative>& alternatives) {
    Code open = constant(0);
    for (const Alternative& a : alternatives) {
      if (a.guard == kNone) return;
      open.push_back({Op::load, a.guard, 0});
      open.push_back({Op::or_, 0, 0});
    }
    Node& test = emit(Kind::branch);
    test.value = std::move(open);
    test.next = here() + 1;
    test.other = here();
    emit(Kind::raise).first = flow::program_error;
  }

  // What follows each alternative of a wait.
  void branches(std::uint32_t at, const std::function<void(std::size_t)>& first) {
    std::vector<std::uint32_t> done;
    for (std::size_t i = 0; i < graph().nodes[at].alternatives.size(); ++i) {
      graph().nodes[at].alternatives[i].next = here();
      first(i);
      if (chance(50)) statements(1);
      done.push_back(jump());
    }
    bind(done);
  }

  // Conditional and timed calls.
  void select_call() {
    const auto operation = chance(30) ? operation_here(true) : std::nullopt;
    const auto entry = callable(false);
    if (!operation && !entry) return event();
    std::vector<Alternative> alternatives{operation ? operation_of(*operation) : call_of(*entry)};
    Alternative other;
    other.kind = chance(50) ? Alternative::Kind::otherwise : Alternative::Kind::delay;
    other.place = new_place();
    alternatives.push_back(std::move(other));
    const std::uint32_t at = here();
    emit(Kind::wait).alternatives = alternatives;
    branches(at, [&](std::size_t i) {
      if (i == 0 && !operation) await_end(*entry);
      if (i == 1 && chance(50)) event();
    });
  }

  std::optional<std::uint32_t> operation_here(bool timed) {
    std::vector<std::uint32_t> out;
    for (std::uint32_t o = 0; o < program_.operations.size(); ++o) {
      const flow::Operation& operation = program_.operations[o];
      if (program_.objects[operation.object].master != 0 && !sees_nested()) continue;
      if (!timed || (operation.entry && operation.count == kNone)) out.push_back(o);
    }
    if (out.empty()) return std::nullopt;
    return any(out);
  }
  Alternative operation_of(std::uint32_t number) {
    Alternative a;
    a.kind = Alternative::Kind::operation;
    a.number = constant(number);
    if (!program_.operations[number].in.empty()) a.in = {argument()};
    if (!program_.operations[number].out.empty()) a.targets = {any(own_)};
    a.place = new_place();
    return a;
  }

  void operation() {
    const auto number = operation_here(false);
    if (!number) return use_shared();
    const Alternative a = operation_of(*number);
    const flow::Operation& o = program_.operations[*number];
    if (o.entry && o.count != kNone) {
      Alternative now = a, queued = a;
      queued.kind = Alternative::Kind::queued;
      queued.targets.clear();
      queued.next = here() + 1;
      now.next = here() + 2;
      emit(Kind::wait).alternatives = {std::move(now), std::move(queued)};
    }
    wait_for(a);
    // Counts are no bits.
    for (const std::uint32_t slot : a.targets) {
      Code value = load(slot);
      value.push_back({Op::wrap, 2, 0});
      emit_compute(slot, std::move(value));
    }
  }

  void branch() {
    const std::uint32_t at = here();
    emit(Kind::branch).value = equals(any(own_), bit());
    statements(1);
    const std::uint32_t done = jump();
    graph().nodes[at].other = here();
    if (chance(50)) statements(1);
    bind({done});
  }

  void block_with_handler() {
    std::vector<std::uint32_t> exceptions;
    if (chance(50)) exceptions.push_back(flow::tasking_error);
    if (!exceptions.empty() && chance(30)) exceptions.push_back(flow::constraint_error);
    const std::uint32_t occurrence = chance(30) ? temporary() : kNone, outer = handler_;
    const std::uint32_t number = add_handler(std::move(exceptions), occurrence);
    handler_ = number;
    statements(2);
    handler_ = outer;
    const std::uint32_t done = jump();
    graph().handlers[number].node = here();
    if (chance(50)) statements(1);
    if (occurrence != kNone) emit_again(occurrence);
    bind({done});
  }

  void raise() { emit(Kind::raise).first = chance(50) ? flow::constraint_error : flow::program_error; }

  // Something can be noticed in each round.
  void loop(const std::function<void()>& body) {
    const std::uint32_t begin = here();
    const auto entries = acceptable();
    if (!entries.empty() && chance(60))
      accept();
    else
      event();
    body();
    Node& n = emit(Kind::branch);
    n.value = chance(50) ? constant(1) : equals(any(own_), bit());
    n.other = n.next;
    n.next = begin;
  }

  void ask_count() {
    for (std::uint32_t e = 0; e < program_.entries.size(); ++e)
      if (program_.entries[e].counted && program_.entries[e].task == task_) {
        const std::uint32_t target = temporary();
        Node& n = emit(Kind::count);
        n.number = constant(e);
        n.target = target;
        return emit_compute(own_[0], {{Op::load, target, 0}, {Op::wrap, 2, 0}});
      }
    accept();
  }

  void ask_status() {
    std::vector<std::uint32_t> tasks;
    for (std::uint32_t t = 1; t < program_.tasks.size(); ++t)
      if (program_.tasks[t].master == 0 || sees_nested()) tasks.push_back(t);
    const std::uint32_t target = any(own_);
    Node& n = emit(Kind::status);
    n.number = constant(any(tasks));
    n.first = random_.below(2);
    n.target = target;
  }

  Random random_;
  flow::Program program_;
  std::vector<std::uint32_t> shared_;
  std::uint32_t array_ = kNone;
  std::uint32_t captured_ = kNone;  // a variable outside of nested tasks that only they use
  std::map<std::uint32_t, bool> activates_;
  flow::Graph* into_ = nullptr;  // of an operation; else it is that of the task
  std::uint32_t task_ = 0, handler_ = kNone;
  std::vector<std::uint32_t> own_;  // bits
  std::uint32_t count_ = kNone, elements_ = kNone;
  std::vector<std::uint32_t> accepting_;  // entries
  bool inside_ = false;                   // of the block with tasks
  bool declares_ = false;
  std::uint32_t left_ = 0;
  int depth_ = 0;
};

// ---- for people

std::string name_of(Kind kind) {
  static const char* const kNames[] = {"compute",    "read",  "write",     "branch",    "choose", "wait",  "await_end",
                                       "accept_end", "begin", "activated", "abandoned", "end",    "queue", "count",
                                       "status",     "event", "raise",     "complete",  "gone"};
  return kNames[static_cast<std::size_t>(kind)];
}
std::string name_of(Alternative::Kind kind) {
  static const char* const kNames[] = {"accept", "call", "operation", "queued", "delay", "else", "terminate"};
  return kNames[static_cast<std::size_t>(kind)];
}

std::string slot_name(std::uint32_t slot) { return slot == kNone ? "-" : fmt::format("s{}", slot); }

std::string shown(const Code& code) {
  static const char* const kNames[] = {"",   "",    "+",   "-",   "*",   "/",      "mod",   "rem",
                                       "**", "neg", "abs", "not", "and", "or",     "xor",   "=",
                                       "/=", "<",   "<=",  ">",   ">=",  "inside", "check", "wrap"};
  std::string out;
  for (const auto& i : code) {
    if (!out.empty()) out += ' ';
    if (i.op == Op::constant)
      out += std::to_string(i.a);
    else if (i.op == Op::load)
      out += slot_name(static_cast<std::uint32_t>(i.a));
    else
      out += kNames[static_cast<std::size_t>(i.op)];
    if (i.op == Op::check || i.op == Op::inside) out += fmt::format("({}..{})", i.a, i.b);
    if (i.op == Op::wrap) out += fmt::format("({})", i.a);
  }
  return out;
}
std::string shown(const std::vector<Code>& codes) {
  std::string out;
  for (const Code& code : codes) out += fmt::format("[{}]", shown(code));
  return out;
}
std::string shown(const std::vector<std::uint32_t>& slots) {
  std::string out;
  for (const std::uint32_t s : slots) out += " " + slot_name(s);
  return out;
}

void show(const flow::Graph& graph, std::string& out) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const Node& n = graph.nodes[i];
    out += fmt::format("    {:3} {}", i, name_of(n.kind));
    if (n.target != kNone) out += " target " + slot_name(n.target);
    if (n.first != 0) out += n.first == kNone ? " again" : fmt::format(" first {}", n.first);
    if (n.label != kNone) out += fmt::format(" label {}", n.label);
    if (!n.number.empty()) out += fmt::format(" number {}", shown(n.number));
    if (!n.value.empty()) out += fmt::format(" value {}", shown(n.value));
    if (!n.offset.empty()) out += fmt::format(" offset {} of {}", shown(n.offset), n.count);
    if (!n.in.empty()) out += " in " + shown(n.in);
    if (!n.targets.empty()) out += " to" + shown(n.targets);
    if (n.handler != kNone) out += fmt::format(" handler {}", n.handler);
    if (n.kind == Kind::branch) out += fmt::format(" else {}", n.other);
    if (n.kind != Kind::wait && n.next != i + 1) out += fmt::format(" next {}", n.next);
    out += '\n';
    for (const Alternative& a : n.alternatives) {
      out += "          " + name_of(a.kind);
      if (a.guard != kNone) out += " when " + slot_name(a.guard);
      if (!a.number.empty()) out += " " + shown(a.number);
      out += fmt::format(" {}{} next {}\n", shown(a.in), shown(a.targets), a.next);
    }
  }
  for (std::size_t h = 0; h < graph.handlers.size(); ++h) {
    const flow::Handler& handler = graph.handlers[h];
    out += fmt::format("    handler {}: [{}] at {}, outer {}, {}\n", h, fmt::join(handler.exceptions, " "),
                       handler.node, static_cast<int>(handler.outer), slot_name(handler.occurrence));
  }
}

bool any_alternative(const Node& n, Alternative::Kind kind) {
  return std::ranges::any_of(n.alternatives, [&](const Alternative& a) { return a.kind == kind; });
}

void add_features(const Node& n, std::set<std::string>& out) {
  using A = Alternative::Kind;
  const bool accepts = any_alternative(n, A::accept), calls = any_alternative(n, A::call);
  const bool operates = any_alternative(n, A::operation);
  const auto add = [&](bool is_there, const char* name) {
    if (is_there) out.insert(name);
  };
  if (n.kind != Kind::wait) out.insert(name_of(n.kind));
  add(accepts && n.alternatives.size() == 1, "accept");
  add(accepts && n.alternatives.size() > 1, "select");
  add(accepts && any_alternative(n, A::otherwise), "accept or else");
  add(accepts && any_alternative(n, A::delay), "accept or delay");
  add(any_alternative(n, A::terminate), "terminate");
  add(calls && n.alternatives.size() == 1, "call");
  add(calls && any_alternative(n, A::otherwise), "conditional call");
  add(calls && any_alternative(n, A::delay), "timed call");
  add(operates && any_alternative(n, A::otherwise), "conditional protected call");
  add(operates && any_alternative(n, A::delay), "timed protected call");
  add(any_alternative(n, A::queued), "protected call with a queue");
  add(operates, "protected operation");
  for (const Alternative& a : n.alternatives) {
    add(a.guard != kNone, "guard");
    add(a.kind == A::call && !a.in.empty(), "parameter");
  }
}

// ---- less

void simplify_node(const flow::Program& program, const std::function<flow::Graph&(flow::Program&)>& in, std::size_t at,
                   std::vector<flow::Program>& out) {
  flow::Program copy = program;
  const Node n = in(copy).nodes[at];
  const auto become = [&](std::uint32_t next) {
    flow::Program less = program;
    Node& node = in(less).nodes[at];
    node = {};
    node.next = next;
    out.push_back(std::move(less));
  };
  switch (n.kind) {
    case Kind::compute:
    case Kind::read:
    case Kind::write:
    case Kind::choose:
    case Kind::event:
    case Kind::status:
    case Kind::count: return become(n.next);
    case Kind::branch:
      become(n.other);
      if (n.next > at) become(n.next);
      return;
    case Kind::wait: break;
    default: return;
  }
  for (std::size_t i = 0; i < n.alternatives.size(); ++i) {
    const Alternative& a = n.alternatives[i];
    if (n.alternatives.size() > 1) {
      flow::Program less = program;
      auto& alternatives = in(less).nodes[at].alternatives;
      alternatives.erase(alternatives.begin() + static_cast<std::ptrdiff_t>(i));
      const bool waits = std::ranges::any_of(alternatives, [](const Alternative& x) {
        return x.kind == Alternative::Kind::accept || x.kind == Alternative::Kind::call ||
               x.kind == Alternative::Kind::operation;
      });
      if (waits && !any_alternative(n, Alternative::Kind::queued)) out.push_back(std::move(less));
    }
    if (a.guard != kNone) {
      flow::Program less = program;
      in(less).nodes[at].alternatives[i].guard = kNone;
      out.push_back(std::move(less));
    }
    if (a.kind == Alternative::Kind::delay || a.kind == Alternative::Kind::otherwise) become(a.next);
    const Node& after = in(copy).nodes[a.next];
    const bool alone = n.alternatives.size() == 1;
    if (alone && a.kind == Alternative::Kind::operation && (at == 0 || in(copy).nodes[at - 1].kind != Kind::wait))
      become(a.next);
    if (alone && a.kind == Alternative::Kind::call && (at == 0 || in(copy).nodes[at - 1].kind != Kind::queue))
      become(after.kind == Kind::await_end ? after.next : a.next);
    if (alone && a.kind == Alternative::Kind::accept &&
        !program.entries[static_cast<std::size_t>(a.number[0].a)].has_body)
      become(a.next);
  }
}

}  // namespace

AdaProgram with_source(flow::Program program) {
  static const auto kSource = std::make_shared<text::Source>("p.adb", std::string(kMostPlaces, '\n'));
  AdaProgram out;
  out.source = kSource;
  out.flow = std::move(program);
  return out;
}

AdaProgram random_flow_program(std::uint64_t seed) { return with_source(Maker(seed).make()); }

std::string shown(const flow::Program& program) {
  std::string out;
  for (std::size_t s = 0; s < program.slots.size(); ++s) {
    const flow::Slot& slot = program.slots[s];
    if (slot.name.empty()) continue;
    out += fmt::format("  s{} {} of {} := {}\n", s, slot.name, static_cast<int>(slot.task),
                       slot.initial == kUnset ? "?" : std::to_string(slot.initial));
  }
  for (std::size_t m = 0; m < program.masters.size(); ++m)
    out += fmt::format("  master {} {} by {}{}: tasks {}, objects {}\n", m, program.masters[m].label,
                       program.masters[m].task, program.masters[m].body ? ", a body" : "",
                       fmt::join(program.masters[m].tasks, " "), fmt::join(program.masters[m].objects, " "));
  for (std::size_t e = 0; e < program.entries.size(); ++e)
    out += fmt::format("  entry {} {}{}{}\n", e, program.entries[e].name, program.entries[e].has_body ? " body" : "",
                       program.entries[e].counted ? " counted" : "");
  for (std::size_t o = 0; o < program.operations.size(); ++o) {
    const flow::Operation& operation = program.operations[o];
    out += fmt::format("  operation {} {}: in{} out{} open {} count {}\n", o, operation.name, shown(operation.in),
                       shown(operation.out), slot_name(operation.open), slot_name(operation.count));
    show(operation.barrier, out);
    out += "    --\n";
    show(operation.body, out);
  }
  for (std::size_t t = 0; t < program.tasks.size(); ++t) {
    const flow::Graph& graph = program.tasks[t].graph;
    out += fmt::format("  task {} {}: body at {}, died {}\n", t, program.tasks[t].name, graph.body,
                       static_cast<int>(graph.died));
    show(graph, out);
  }
  return out;
}

std::set<std::string> features(const flow::Program& program) {
  std::set<std::string> out;
  for (const flow::Task& task : program.tasks)
    for (const Node& n : task.graph.nodes) add_features(n, out);
  for (const flow::Object& object : program.objects)
    if (!object.outside.empty()) out.insert("protected object with a variable outside");
  for (const flow::Slot& slot : program.slots) {
    if (!slot.temporary && slot.initial == kUnset) out.insert("variable without a value");
    if (slot.name == "n") out.insert("own variable with several values");
    if (slot.name == "r.0") out.insert("own array");
  }
  return out;
}

std::vector<flow::Program> simpler(const flow::Program& program) {
  std::vector<flow::Program> out;
  const auto each = [&](const std::function<flow::Graph&(flow::Program&)>& in, std::size_t nodes) {
    for (std::size_t i = 0; i < nodes; ++i) simplify_node(program, in, i, out);
  };
  for (std::size_t t = 0; t < program.tasks.size(); ++t)
    each([t](flow::Program& p) -> flow::Graph& { return p.tasks[t].graph; }, program.tasks[t].graph.nodes.size());
  for (std::size_t o = 0; o < program.operations.size(); ++o)
    each([o](flow::Program& p) -> flow::Graph& { return p.operations[o].body; },
         program.operations[o].body.nodes.size());
  return out;
}

}  // namespace surety
