#include "lang/promela/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "lang/promela/compile.hpp"
#include "lang/promela/labels.hpp"

namespace surety {
namespace promela {
namespace {

// The header of a state.
constexpr std::size_t kProcesses = 0, kChannels = 1, kFloor = 2, kWatch = 3;  // the watch has two bytes

// Frames start with their kind and type. A process goes on with its place (two bytes), a channel with its length.
constexpr std::uint8_t kProcessFrame = 0, kChannelFrame = 1;

constexpr std::uint32_t kMostDSteps = 100'000;

// What a step can go wrong with.
enum class Why : std::uint8_t {
  nothing,
  assertion,
  division,
  index,
  no_channel,
  poll_rendezvous,
  blocked_d_step,
  endless_d_step,
  rendezvous_d_step,
  too_many_processes,
  too_many_channels,
  wrong_fields,
  no_event,
  all_events,
  two_events,
  no_process,
};

const char* text(Why why) {
  switch (why) {
    case Why::nothing: return "";
    case Why::assertion: return "the assertion fails";
    case Why::division: return "division by zero";
    case Why::index: return "array index out of range";
    case Why::no_channel: return "this channel has not been made";
    case Why::poll_rendezvous: return "a rendezvous channel has no messages to look at";
    case Why::blocked_d_step: return "a statement inside a d_step cannot be executed";
    case Why::endless_d_step: return "this d_step does not come to an end";
    case Why::rendezvous_d_step: return "a rendezvous inside a d_step";
    case Why::too_many_processes: return "there are more than 255 processes";
    case Why::too_many_channels: return "there are more than 255 channels";
    case Why::wrong_fields: return "the message has another number of fields than the channel";
    case Why::no_event: return "the trace assertion does not allow this";
    case Why::all_events: return "this is what the notrace assertion forbids";
    case Why::two_events: return "the trace assertion can go on in two ways";
    case Why::no_process: return "there is no such process";
  }
  return "";
}

std::int32_t load(const std::uint8_t* at, Cell cell) {
  switch (cell.bytes) {
    case 1: return *at;
    case 2: {
      std::uint16_t v;
      std::memcpy(&v, at, 2);
      return cell.is_signed ? static_cast<std::int16_t>(v) : v;
    }
    default: {
      std::int32_t v;
      std::memcpy(&v, at, 4);
      return v;
    }
  }
}

std::int32_t truncated(std::int32_t value, Cell cell) {
  if (cell.bits != 0 && cell.bits < 32)
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(value) & ((1U << cell.bits) - 1));
  if (cell.bytes == 1) return static_cast<std::uint8_t>(value);
  if (cell.bytes == 2) return cell.is_signed ? static_cast<std::int16_t>(value) : static_cast<std::uint16_t>(value);
  return value;
}

void store(std::uint8_t* at, std::int32_t value, Cell cell) {
  value = truncated(value, cell);
  if (cell.bytes == 1) {
    *at = static_cast<std::uint8_t>(value);
  } else if (cell.bytes == 2) {
    const auto v = static_cast<std::uint16_t>(value);
    std::memcpy(at, &v, 2);
  } else {
    std::memcpy(at, &value, 4);
  }
}

class Engine final : public PromelaMachine {
 public:
  Engine(PromelaFile file, std::unique_ptr<Report> report, std::unique_ptr<Compiler> compiler, ActionTable& actions,
         const PromelaMachineOptions& options)
      : file_(std::move(file)),
        report_(std::move(report)),
        compiler_(std::move(compiler)),
        code_(compiler_->compiled()),
        actions_(actions),
        options_(options) {
    stack_.resize(4 * code_.longest_code + 64);
    name_processes();
    compile_watch();
  }

  std::vector<std::uint8_t> initial() override;
  void successors(MachineState state, MachineSteps& out) override;
  bool valid_end(MachineState state) override;
  bool between(MachineState state) override { return state[kFloor] != 0; }
  bool holds(std::uint32_t proposition, MachineState state) override;
  std::vector<ShownStep> show(MachineState before, const MachineStep& step) override;
  std::uint32_t add_proposition(const Expression& expression) override;
  std::uint32_t add_accepting() override;
  Result<MachineClaim> claim(std::uint32_t process) override;
  Diagnostics take_errors() override { return std::exchange(report_->errors(), {}); }

 private:
  using Operations = std::vector<Operation>;

  // ---- the state under work: `now_` is the current one, or the next one that is being made in `next_`
  void open(MachineState state);
  std::uint32_t processes() const { return now_[kProcesses]; }
  std::uint32_t channels() const { return now_[kChannels]; }
  std::uint8_t* frame(std::uint32_t process) const { return now_ + process_at_[process]; }
  std::uint8_t type(std::uint32_t process) const { return frame(process)[1]; }
  std::uint32_t place(std::uint32_t process) const {
    std::uint16_t p;
    std::memcpy(&p, frame(process) + 2, 2);
    return p;
  }
  void set_place(std::uint32_t process, std::uint32_t place) const {
    const auto p = static_cast<std::uint16_t>(place);
    std::memcpy(frame(process) + 2, &p, 2);
  }
  std::uint8_t* channel(std::int32_t id) {  // none: the fault is set
    if (id >= 1 && static_cast<std::uint32_t>(id) <= channels()) return now_ + channel_at_[id - 1];
    why_ = Why::no_channel;
    return nullptr;
  }
  const ChannelKind& kind(const std::uint8_t* channel_frame) const { return code_.channels[channel_frame[1]]; }
  const CompiledProcess& compiled(std::uint32_t process) const { return code_.processes[type(process)]; }

  // ---- expressions
  std::int32_t evaluate(const Code& code, std::uint32_t process) { return evaluate(code, process, stack_.data()); }
  std::int32_t evaluate(const Code& code, std::uint32_t process, std::int32_t* top);
  std::int32_t arithmetic(Instruction::Op op, std::int32_t x, std::int32_t y);
  std::int32_t about_channel(Instruction::Op op, std::int32_t id);
  std::int32_t poll(const Instruction& i, std::int32_t id, std::uint32_t process, std::int32_t* top);
  std::int32_t remote_process(std::int32_t number, std::uint32_t type) const;
  bool anyone_at(bool Flow::Place::*label) const;
  void assign(const Target& target, std::int32_t value, std::uint32_t process);

  // ---- statements
  bool enabled(const Operation& op, std::uint32_t process, bool something_before);
  bool any_enabled(std::uint32_t process, const Operations& operations);
  const Operations& operations(std::uint32_t process);
  bool provided(std::uint32_t process);
  bool can_move(std::uint32_t process);
  bool has_partner(const Operation& op, std::uint32_t sender, std::int32_t id);
  template <class Found>
  void for_partners(std::uint32_t sender, std::int32_t id, const Found& found);
  int find_message(const Operation& op, const std::uint8_t* channel_frame, std::uint32_t process);
  bool matches(const std::vector<CompiledPattern>& patterns, std::uint32_t process, std::int32_t* top);
  void read_message(const std::uint8_t* channel_frame, std::uint32_t slot);
  bool is_rendezvous(const Operation& op, std::uint32_t process);

  void apply(const Operation& op, std::uint32_t process);
  void apply_send(const Operation& op, std::uint32_t process);
  void apply_receive(const Operation& op, std::uint32_t process);
  void go_on_with_d_step(const Operation& op, std::uint32_t here, std::uint32_t process);
  void take_message(const std::vector<CompiledPattern>& patterns, std::uint32_t process);
  void evaluate_message(const Operation& op, const ChannelKind& kind, std::uint32_t process);
  std::uint32_t start_process(std::uint32_t type, const std::vector<std::int32_t>& arguments);
  void start_channel(std::uint32_t kind);
  void end_process(std::uint32_t process);
  void set_initial(const std::vector<Initial>& values, std::uint32_t process);

  // ---- steps
  void moves(std::uint32_t process, MachineSteps& out);
  void step(const Operation& op, std::uint32_t process, MachineSteps& out);
  void rendezvous(const Operation& op, std::uint32_t process, MachineSteps& out);
  void copy_state();
  void finish(MachineStep step, std::uint32_t floor, bool keeps_floor, MachineSteps& out);
  void finish_fault(MachineStep step, MachineSteps& out);
  Action action(const ChannelKind& kind, const char* direction);
  Action channel_action_ = kTau;
  bool want_actions_ = false;

  // ---- the trace assertion
  struct Event {
    bool send = false;
    Code channel;
    std::vector<CompiledPattern> patterns;
    std::uint32_t target = 0;
  };
  void compile_watch();
  void event(bool send, std::int32_t id);
  std::vector<std::vector<Event>> events_;
  std::vector<Code> sent_, received_;  // the channels that it mentions
  std::uint32_t watch_end_ = 0;

  void name_processes();
  std::string process_name(std::uint32_t process) const;

  PromelaFile file_;
  std::unique_ptr<Report> report_;
  std::unique_ptr<Compiler> compiler_;
  Compiled& code_;
  ActionTable& actions_;
  PromelaMachineOptions options_;

  std::vector<std::uint8_t> current_, next_;
  std::uint8_t* now_ = nullptr;
  std::uint32_t process_at_[256] = {};
  std::uint32_t channel_at_[256] = {};
  std::vector<std::int32_t> stack_;
  std::vector<std::int32_t> message_;
  Why why_ = Why::nothing;
  bool failed_assertion_ = false;
  bool timeout_ = false;
  std::vector<Code> propositions_;
  std::vector<bool> single_;  // of a proctype: there is never more than one
  std::unordered_map<std::string, Action> names_;
  std::vector<std::uint32_t> escape_scratch_;
};

// ---- reading a state

void Engine::open(MachineState state) {
  current_.assign(state.begin(), state.end());
  now_ = current_.data();
  std::uint32_t p = 0, c = 0;
  for (std::size_t at = code_.globals_bytes; at < current_.size();) {
    if (now_[at] == kProcessFrame) {
      process_at_[p++] = static_cast<std::uint32_t>(at);
      at += code_.processes[now_[at + 1]].frame_bytes;
    } else {
      channel_at_[c++] = static_cast<std::uint32_t>(at);
      at += code_.channels[now_[at + 1]].frame_bytes;
    }
  }
}

// ---- expressions

std::int32_t Engine::arithmetic(Instruction::Op op, std::int32_t x, std::int32_t y) {
  using I = Instruction::Op;
  const auto a = static_cast<std::uint32_t>(x), b = static_cast<std::uint32_t>(y);
  switch (op) {
    case I::times: return static_cast<std::int32_t>(a * b);
    case I::plus: return static_cast<std::int32_t>(a + b);
    case I::minus: return static_cast<std::int32_t>(a - b);
    case I::divide:
    case I::modulo:
      if (y == 0) {
        why_ = Why::division;
        return 0;
      }
      if (y == -1) return op == I::divide ? static_cast<std::int32_t>(0U - a) : 0;
      return op == I::divide ? x / y : x % y;
    case I::shift_left: return static_cast<std::int32_t>(a << (b & 31U));
    case I::shift_right: return x >> (b & 31U);
    case I::less: return x < y;
    case I::greater: return x > y;
    case I::less_equal: return x <= y;
    case I::greater_equal: return x >= y;
    case I::equal: return x == y;
    case I::not_equal: return x != y;
    case I::bit_and: return x & y;
    case I::bit_xor: return x ^ y;
    default: return x | y;
  }
}

std::int32_t Engine::about_channel(Instruction::Op op, std::int32_t id) {
  using I = Instruction::Op;
  const std::uint8_t* c = channel(id);
  if (c == nullptr) return 0;
  const std::int32_t length = c[2];
  const bool full = c[2] == kind(c).slots();
  switch (op) {
    case I::length: return length;
    case I::full: return full;
    case I::not_full: return !full;
    case I::empty: return length == 0;
    default: return length > 0;
  }
}

std::int32_t Engine::poll(const Instruction& i, std::int32_t id, std::uint32_t process, std::int32_t* top) {
  const std::uint8_t* c = channel(id);
  if (c == nullptr) return 0;
  if (kind(c).rendezvous()) {
    why_ = Why::poll_rendezvous;
    return 0;
  }
  const auto& patterns = code_.polls[i.a];
  const std::uint32_t messages = i.b != 0 ? c[2] : std::min<std::uint32_t>(1, c[2]);
  for (std::uint32_t slot = 0; slot < messages; ++slot) {
    read_message(c, slot);
    if (matches(patterns, process, top)) return 1;
  }
  return 0;
}

// -1 stands for the first process of its type.
std::int32_t Engine::remote_process(std::int32_t number, std::uint32_t wanted) const {
  if (number == -1) {
    for (std::uint32_t p = 0; p < processes(); ++p)
      if (type(p) == wanted) return static_cast<std::int32_t>(p);
    return -1;
  }
  return number >= 0 && static_cast<std::uint32_t>(number) < processes() &&
                 type(static_cast<std::uint32_t>(number)) == wanted
             ? number
             : -1;
}

bool Engine::anyone_at(bool Flow::Place::*label) const {
  for (std::uint32_t p = 0; p < processes(); ++p)
    if (compiled(p).flow.places[place(p)].*label) return true;
  return false;
}

std::int32_t Engine::evaluate(const Code& code, std::uint32_t process, std::int32_t* top) {
  using I = Instruction::Op;
  const std::size_t length = code.size();
  for (std::size_t at = 0; at < length; ++at) {
    const Instruction& i = code[at];
    switch (i.op) {
      case I::push: *top++ = i.b; break;
      case I::load_global: *top++ = load(now_ + i.b, i.cell); break;
      case I::load_local: *top++ = load(frame(process) + i.b, i.cell); break;
      case I::address_global: *top++ = i.b; break;
      case I::address_local: *top++ = static_cast<std::int32_t>(process_at_[process]) + i.b; break;
      case I::address_remote: {
        const std::int32_t p = remote_process(top[-1], i.a);
        if (p < 0) why_ = Why::no_process;
        top[-1] = p < 0 ? 0 : static_cast<std::int32_t>(process_at_[p]) + i.b;
        break;
      }
      case I::index: {
        --top;
        const bool inside = *top >= 0 && static_cast<std::uint32_t>(*top) < i.a;
        if (!inside) why_ = Why::index;
        top[-1] += inside ? *top * i.b : 0;
        break;
      }
      case I::load: top[-1] = load(now_ + top[-1], i.cell); break;
      case I::negate: top[-1] = static_cast<std::int32_t>(0U - static_cast<std::uint32_t>(top[-1])); break;
      case I::complement: top[-1] = ~top[-1]; break;
      case I::logical_not: top[-1] = !top[-1]; break;
      case I::truth: top[-1] = top[-1] != 0; break;
      case I::jump: at = static_cast<std::size_t>(i.b) - 1; break;
      case I::jump_if_false:
        if (*--top == 0) at = static_cast<std::size_t>(i.b) - 1;
        break;
      case I::jump_if_true:
        if (*--top != 0) at = static_cast<std::size_t>(i.b) - 1;
        break;
      case I::pid: *top++ = static_cast<std::int32_t>(process); break;
      case I::nr_pr: *top++ = static_cast<std::int32_t>(processes()); break;
      case I::timeout: *top++ = timeout_; break;
      case I::non_progress: *top++ = !anyone_at(&Flow::Place::progress); break;
      case I::accepting: *top++ = anyone_at(&Flow::Place::accept); break;
      case I::length:
      case I::full:
      case I::empty:
      case I::not_full:
      case I::not_empty: top[-1] = about_channel(i.op, top[-1]); break;
      case I::poll: top[-1] = poll(i, top[-1], process, top); break;
      case I::at_label: {
        const std::int32_t p = remote_process(top[-1], i.a);
        top[-1] = p >= 0 && place(static_cast<std::uint32_t>(p)) == static_cast<std::uint32_t>(i.b);
        break;
      }
      default: --top; top[-1] = arithmetic(i.op, top[-1], *top);
    }
    if (why_ != Why::nothing) return 0;
  }
  return top[-1];
}

void Engine::assign(const Target& target, std::int32_t value, std::uint32_t process) {
  if (target.address.empty()) return;  // _
  const std::int32_t address = evaluate(target.address, process);
  if (why_ == Why::nothing) store(now_ + address, value, target.cell);
}

// ---- messages

void Engine::read_message(const std::uint8_t* c, std::uint32_t slot) {
  const ChannelKind& k = kind(c);
  const std::uint8_t* at = c + kChannelHeader + slot * k.message_bytes;
  message_.resize(k.fields.size());
  for (std::size_t f = 0; f < k.fields.size(); ++f) message_[f] = load(at + k.offsets[f], k.fields[f]);
}

bool Engine::matches(const std::vector<CompiledPattern>& patterns, std::uint32_t process, std::int32_t* top) {
  for (std::size_t f = 0; f < patterns.size() && f < message_.size(); ++f)
    if (patterns[f].match && evaluate(patterns[f].code, process, top) != message_[f]) return false;
  return true;
}

// The slot of the message that a receive takes; -1: there is none. It is in `message_` then.
int Engine::find_message(const Operation& op, const std::uint8_t* c, std::uint32_t process) {
  const std::uint32_t messages = op.random ? c[2] : std::min<std::uint32_t>(1, c[2]);
  for (std::uint32_t slot = 0; slot < messages; ++slot) {
    read_message(c, slot);
    if (op.patterns.size() != message_.size()) {
      why_ = Why::wrong_fields;
      return -1;
    }
    if (matches(op.patterns, process, stack_.data())) return static_cast<int>(slot);
    if (why_ != Why::nothing) return -1;
  }
  return -1;
}

void Engine::evaluate_message(const Operation& op, const ChannelKind& k, std::uint32_t process) {
  if (op.arguments.size() != k.fields.size()) {
    why_ = Why::wrong_fields;
    return;
  }
  std::vector<std::int32_t> values(op.arguments.size());
  for (std::size_t f = 0; f < values.size(); ++f) {
    values[f] = evaluate(op.arguments[f], process);
    if (why_ != Why::nothing) return;
  }
  message_ = std::move(values);
}

// Puts `message_` where it belongs, field after field.
void Engine::take_message(const std::vector<CompiledPattern>& patterns, std::uint32_t process) {
  const std::vector<std::int32_t> values = message_;
  for (std::size_t f = 0; f < patterns.size(); ++f) {
    if (patterns[f].match || patterns[f].drop) continue;
    const std::int32_t address = evaluate(patterns[f].code, process);
    if (why_ != Why::nothing) return;
    store(now_ + address, values[f], patterns[f].cell);
  }
}

Action Engine::action(const ChannelKind& k, const char* direction) {
  if (!want_actions_) return kTau;
  std::string name = k.name + direction;
  for (std::size_t f = 0; f < message_.size(); ++f) {
    std::string value = std::to_string(message_[f]);
    if (k.mtypes[f] >= 0) {
      const MtypeSet& set = file_.program->mtype_sets[static_cast<std::size_t>(k.mtypes[f])];
      const auto found = std::ranges::find(set.values, message_[f]);
      if (found != set.values.end()) value = set.names[static_cast<std::size_t>(found - set.values.begin())];
    }
    name += "." + value;
  }
  return actions_.intern(name);
}

// ---- processes and channels come and go

void Engine::start_channel(std::uint32_t k) {
  const std::uint32_t number = channels();
  if (number == 255) {
    why_ = Why::too_many_channels;
    return;
  }
  channel_at_[number] = static_cast<std::uint32_t>(next_.size());
  next_.resize(next_.size() + code_.channels[k].frame_bytes);
  now_ = next_.data();
  now_[kChannels] = static_cast<std::uint8_t>(number + 1);
  std::uint8_t* c = now_ + channel_at_[number];
  c[0] = kChannelFrame;
  c[1] = static_cast<std::uint8_t>(k);
}

void Engine::set_initial(const std::vector<Initial>& values, std::uint32_t process) {
  for (const Initial& i : values) {
    std::int32_t value = 0;
    if (i.channel != kNone) {
      start_channel(i.channel);
      value = static_cast<std::int32_t>(channels());
    } else {
      value = evaluate(i.value, process);
    }
    if (why_ != Why::nothing) return;
    assign(i.store, value, process);
  }
}

std::uint32_t Engine::start_process(std::uint32_t t, const std::vector<std::int32_t>& arguments) {
  const std::uint32_t number = processes();
  if (number == 255) {
    why_ = Why::too_many_processes;
    return 0;
  }
  const CompiledProcess& p = code_.processes[t];
  process_at_[number] = static_cast<std::uint32_t>(next_.size());
  next_.resize(next_.size() + p.frame_bytes);
  now_ = next_.data();
  now_[kProcesses] = static_cast<std::uint8_t>(number + 1);
  frame(number)[0] = kProcessFrame;
  frame(number)[1] = static_cast<std::uint8_t>(t);
  set_place(number, p.flow.start);
  for (std::size_t i = 0; i < p.parameters.size(); ++i)
    assign(p.parameters[i], i < arguments.size() ? arguments[i] : 0, number);
  set_initial(p.initial, number);
  return number;
}

// The channels that were made after it go with it.
void Engine::end_process(std::uint32_t process) {
  std::uint32_t left = channels();
  while (left > 0 && channel_at_[left - 1] > process_at_[process]) --left;
  next_.resize(process_at_[process]);
  now_ = next_.data();
  now_[kProcesses] = static_cast<std::uint8_t>(process);
  now_[kChannels] = static_cast<std::uint8_t>(left);
}

std::vector<std::uint8_t> Engine::initial() {
  why_ = Why::nothing;
  next_.assign(code_.globals_bytes, 0);
  now_ = next_.data();
  set_initial(code_.initial, 0);
  const auto& all = file_.program->processes;
  for (std::uint32_t t = 0; t < all.size(); ++t) {
    const bool runs = all[t].kind == Process::Kind::proctype || all[t].kind == Process::Kind::init;
    for (std::uint32_t i = 0; runs && i < all[t].active; ++i) start_process(t, {});
  }
  if (options_.watch != kNone) {
    const auto start = static_cast<std::uint16_t>(code_.processes[options_.watch].flow.start);
    std::memcpy(now_ + kWatch, &start, 2);
  }
  why_ = Why::nothing;
  return next_;
}

// ---- which statements can be executed

bool Engine::is_rendezvous(const Operation& op, std::uint32_t process) {
  if (op.kind != Operation::Kind::send && op.kind != Operation::Kind::receive) return false;
  const std::int32_t id = evaluate(op.code, process);
  if (why_ != Why::nothing) return false;
  const std::uint8_t* c = channel(id);
  return c != nullptr && kind(c).rendezvous();
}

// Also if executing it is a fault: `why_` says so then.
bool Engine::enabled(const Operation& op, std::uint32_t process, bool something_before) {
  switch (op.kind) {
    case Operation::Kind::condition: return evaluate(op.code, process) != 0 || why_ != Why::nothing;
    case Operation::Kind::otherwise: return !something_before;
    case Operation::Kind::finish: return process + 1 == processes();
    case Operation::Kind::d_step: return any_enabled(process, compiled(process).places[op.process]);
    case Operation::Kind::send:
    case Operation::Kind::receive: {
      const std::int32_t id = evaluate(op.code, process);
      if (why_ != Why::nothing) return true;
      const std::uint8_t* c = channel(id);
      if (c == nullptr) return true;
      if (op.kind == Operation::Kind::send)
        return kind(c).rendezvous() ? has_partner(op, process, id) : c[2] < kind(c).capacity;
      if (kind(c).rendezvous()) {
        if (op.peek) why_ = Why::poll_rendezvous;
        return op.peek;
      }
      return find_message(op, c, process) >= 0 || why_ != Why::nothing;
    }
    default: return true;
  }
}

bool Engine::any_enabled(std::uint32_t process, const Operations& list) {
  bool found = false;
  for (const Operation& op : list) {
    found = enabled(op, process, found);
    if (found) return true;
  }
  return false;
}

bool Engine::provided(std::uint32_t process) {
  const Code& code = compiled(process).provided;
  return code.empty() || evaluate(code, process) != 0;
}

// What a process may do: an executable escape of an `unless` goes before the statement itself.
const Engine::Operations& Engine::operations(std::uint32_t process) {
  const CompiledProcess& p = compiled(process);
  const std::uint32_t here = place(process);
  for (const auto escape : p.escapes[here]) {
    const bool possible = any_enabled(process, p.places[escape]);
    why_ = Why::nothing;
    if (possible) return p.places[escape];
  }
  return p.places[here];
}

bool Engine::can_move(std::uint32_t process) {
  if (process >= processes() || !provided(process)) return false;
  const bool found = any_enabled(process, operations(process));
  why_ = Why::nothing;
  return found;
}

// ---- rendezvous

// Calls found(process, operation, receive) for every receive that is ready for `message_` on the channel: the operation
// itself, or the first one of a d_step.
template <class Found>
void Engine::for_partners(std::uint32_t sender, std::int32_t id, const Found& found) {
  const std::vector<std::int32_t> values = message_;
  const auto ready = [&](const Operation& op, std::uint32_t p) {
    if (op.kind != Operation::Kind::receive || op.peek) return false;
    const std::int32_t other = evaluate(op.code, p);
    why_ = Why::nothing;
    message_ = values;
    return other == id && op.patterns.size() == message_.size() && matches(op.patterns, p, stack_.data());
  };
  for (std::uint32_t p = processes(); p-- > 0;) {
    if (p == sender || !provided(p)) continue;
    // Escapes of an `unless` come first; of a d_step the first receive that is ready.
    const CompiledProcess& code = compiled(p);
    std::vector<std::uint32_t> places = code.escapes[place(p)];
    places.push_back(place(p));
    bool any = false;
    for (std::size_t i = 0; i < places.size() && !any; ++i)
      for (const Operation& op : code.places[places[i]]) {
        const Operation* receive = ready(op, p) ? &op : nullptr;
        if (op.kind == Operation::Kind::d_step)
          for (const Operation& inner : code.places[op.process])
            if (receive == nullptr && ready(inner, p)) receive = &inner;
        if (receive == nullptr) continue;
        any = true;
        if (!found(p, op, *receive)) return;
      }
  }
}

bool Engine::has_partner(const Operation& op, std::uint32_t sender, std::int32_t id) {
  const ChannelKind& k = kind(channel(id));
  evaluate_message(op, k, sender);
  if (why_ != Why::nothing) return true;
  for (std::size_t f = 0; f < message_.size(); ++f) message_[f] = truncated(message_[f], k.fields[f]);
  bool any = false;
  for_partners(sender, id, [&](std::uint32_t, const Operation&, const Operation&) {
    any = true;
    return false;
  });
  return any;
}

void Engine::rendezvous(const Operation& op, std::uint32_t process, MachineSteps& out) {
  const std::int32_t id = evaluate(op.code, process);
  const ChannelKind& k = kind(channel(id));
  evaluate_message(op, k, process);
  MachineStep step;
  step.process = process;
  step.statement = op.statement;
  if (why_ != Why::nothing) return finish_fault(step, out);
  for (std::size_t f = 0; f < message_.size(); ++f) message_[f] = truncated(message_[f], k.fields[f]);

  struct Partner {
    std::uint32_t process;
    const Operation* op;
    const Operation* receive;
  };
  std::vector<Partner> partners;
  for_partners(process, id, [&](std::uint32_t p, const Operation& other, const Operation& receive) {
    partners.push_back({p, &other, &receive});
    return true;
  });
  if (partners.empty()) return;
  evaluate_message(op, k, process);
  for (std::size_t f = 0; f < message_.size(); ++f) message_[f] = truncated(message_[f], k.fields[f]);
  const std::vector<std::int32_t> values = message_;
  for (const auto& [p, other, receive] : partners) {
    message_ = values;
    copy_state();
    set_place(process, op.target);
    step.partner = static_cast<std::int32_t>(p);
    step.partner_statement = other->statement;
    step.action = action(k, "");
    event(true, id);
    if (why_ == Why::nothing) event(false, id);
    if (why_ == Why::nothing) take_message(receive->patterns, p);
    if (why_ == Why::nothing && other != receive) go_on_with_d_step(*other, receive->target, p);
    if (why_ == Why::nothing) {
      set_place(p, other->target);
      finish(step, p, other->atomic, out);
    } else {
      finish_fault(step, out);
    }
    now_ = current_.data();
  }
}

// ---- executing

void Engine::apply_send(const Operation& op, std::uint32_t process) {
  const std::int32_t id = evaluate(op.code, process);
  const std::uint8_t* found = channel(id);
  if (found == nullptr || why_ != Why::nothing) return;
  const ChannelKind& k = kind(found);
  evaluate_message(op, k, process);
  if (why_ != Why::nothing) return;
  std::uint8_t* c = now_ + channel_at_[id - 1];
  std::uint8_t* messages = c + kChannelHeader;
  std::uint32_t slot = c[2];
  if (op.sorted) {
    const std::vector<std::int32_t> values = message_;
    for (slot = 0; slot < c[2]; ++slot) {
      read_message(c, slot);
      if (std::ranges::lexicographical_compare(values, message_)) break;
    }
    message_ = values;
    std::memmove(messages + (slot + 1) * k.message_bytes, messages + slot * k.message_bytes,
                 (c[2] - slot) * k.message_bytes);
  }
  for (std::size_t f = 0; f < message_.size(); ++f)
    store(messages + slot * k.message_bytes + k.offsets[f], message_[f], k.fields[f]);
  ++c[2];
  read_message(c, slot);
  channel_action_ = action(k, ".in");
  event(true, id);
}

void Engine::apply_receive(const Operation& op, std::uint32_t process) {
  const std::int32_t id = evaluate(op.code, process);
  std::uint8_t* c = channel(id);
  if (c == nullptr || why_ != Why::nothing) return;
  const int slot = find_message(op, c, process);
  if (slot < 0) return;
  const ChannelKind& k = kind(c);
  if (op.peek) return take_message(op.patterns, process);
  channel_action_ = action(k, ".out");
  event(false, id);
  if (why_ != Why::nothing) return;
  std::uint8_t* messages = c + kChannelHeader;
  const auto s = static_cast<std::uint32_t>(slot);
  std::memmove(messages + s * k.message_bytes, messages + (s + 1) * k.message_bytes, (c[2] - s - 1U) * k.message_bytes);
  std::memset(messages + (c[2] - 1U) * k.message_bytes, 0, k.message_bytes);
  --c[2];
  take_message(op.patterns, process);
}

// One step from the outside. Of several options the first that can be executed is taken.
void Engine::go_on_with_d_step(const Operation& op, std::uint32_t here, std::uint32_t process) {
  const CompiledProcess& p = compiled(process);
  for (std::uint32_t count = 0; p.flow.places[here].d_step_id == op.d_step_id; ++count) {
    if (count > kMostDSteps) why_ = Why::endless_d_step;
    const Operation* chosen = nullptr;
    bool something = false;
    for (const Operation& inner : p.places[here]) {
      something = enabled(inner, process, something);
      if (why_ != Why::nothing) return;
      if (something) {
        chosen = &inner;
        break;
      }
    }
    if (chosen != nullptr && is_rendezvous(*chosen, process)) why_ = Why::rendezvous_d_step;
    if (chosen == nullptr) why_ = Why::blocked_d_step;
    if (why_ != Why::nothing) return;
    apply(*chosen, process);
    if (why_ != Why::nothing) return;
    here = chosen->target;
  }
}

// Changes `next_`. The place of the process and the floor are set by the caller.
void Engine::apply(const Operation& op, std::uint32_t process) {
  switch (op.kind) {
    case Operation::Kind::assign: {
      const std::int32_t value = evaluate(op.code, process);
      if (why_ == Why::nothing) assign(op.store, value, process);
      return;
    }
    case Operation::Kind::run:
    case Operation::Kind::assign_run: {
      std::vector<std::int32_t> arguments;
      for (const Code& code : op.arguments) arguments.push_back(evaluate(code, process));
      if (why_ != Why::nothing) return;
      const std::uint32_t number = start_process(op.process, arguments);
      if (op.kind == Operation::Kind::assign_run && why_ == Why::nothing)
        assign(op.store, static_cast<std::int32_t>(number), process);
      return;
    }
    case Operation::Kind::send: return apply_send(op, process);
    case Operation::Kind::receive: return apply_receive(op, process);
    case Operation::Kind::assertion:
      if (evaluate(op.code, process) == 0 && why_ == Why::nothing) failed_assertion_ = true;
      return;
    case Operation::Kind::d_step: return go_on_with_d_step(op, op.process, process);
    default: return;
  }
}

void Engine::copy_state() {
  next_.assign(current_.begin(), current_.end());
  now_ = next_.data();
}

void Engine::finish_fault(MachineStep step, MachineSteps& out) {
  const bool watch = why_ == Why::no_event || why_ == Why::all_events;
  step.fault = watch ? MachineStep::Fault::watch : MachineStep::Fault::error;
  step.why = static_cast<std::uint8_t>(why_);
  out.steps.push_back(step);
  why_ = Why::nothing;
  failed_assertion_ = false;
}

// `next_` is complete but for the floor.
void Engine::finish(MachineStep step, std::uint32_t process, bool keeps_floor, MachineSteps& out) {
  now_[kFloor] = 0;
  const bool outer_timeout = std::exchange(timeout_, false);
  if (keeps_floor && can_move(process)) now_[kFloor] = static_cast<std::uint8_t>(process + 1);
  timeout_ = outer_timeout;
  if (failed_assertion_) {
    step.fault = MachineStep::Fault::assertion;
    step.why = static_cast<std::uint8_t>(Why::assertion);
    failed_assertion_ = false;
  }
  step.begin = static_cast<std::uint32_t>(out.bytes.size());
  step.size = static_cast<std::uint32_t>(next_.size());
  out.bytes.insert(out.bytes.end(), next_.begin(), next_.end());
  out.steps.push_back(step);
}

void Engine::step(const Operation& op, std::uint32_t process, MachineSteps& out) {
  MachineStep made;
  made.process = process;
  made.statement = op.statement;
  if (why_ != Why::nothing) return finish_fault(made, out);
  copy_state();
  channel_action_ = kTau;
  if (op.kind == Operation::Kind::finish) {
    end_process(process);
    finish(made, process, false, out);
  } else {
    apply(op, process);
    made.action = channel_action_;
    if (why_ != Why::nothing) {
      finish_fault(made, out);
    } else {
      set_place(process, op.target);
      finish(made, process, op.atomic, out);
    }
  }
  now_ = current_.data();
}

void Engine::moves(std::uint32_t process, MachineSteps& out) {
  if (!provided(process)) {
    why_ = Why::nothing;
    return;
  }
  bool something = false;
  for (const Operation& op : operations(process)) {
    const bool possible = enabled(op, process, something);
    if (!possible) continue;
    something = true;
    if (why_ == Why::nothing && op.kind == Operation::Kind::send && is_rendezvous(op, process))
      rendezvous(op, process, out);
    else
      step(op, process, out);
  }
}

void Engine::successors(MachineState state, MachineSteps& out) {
  out.clear();
  want_actions_ = out.with_actions;
  why_ = Why::nothing;
  failed_assertion_ = false;
  timeout_ = false;
  open(state);
  if (const std::uint8_t floor = now_[kFloor]; floor != 0) {
    current_[kFloor] = 0;
    return moves(floor - 1U, out);
  }
  for (std::uint32_t p = processes(); p-- > 0;) moves(p, out);
  if (!out.steps.empty() || !code_.uses_timeout) return;
  timeout_ = true;
  for (std::uint32_t p = processes(); p-- > 0;) moves(p, out);
  timeout_ = false;
}

bool Engine::valid_end(MachineState state) {
  open(state);
  if (options_.watch == kNone) {
    for (std::uint32_t p = 0; p < processes(); ++p)
      if (!compiled(p).flow.places[place(p)].end) return false;
    return true;
  }
  if (file_.program->processes[options_.watch].kind != Process::Kind::trace) return true;
  std::uint16_t here;
  std::memcpy(&here, now_ + kWatch, 2);
  return code_.processes[options_.watch].flow.places[here].end;
}

// ---- propositions and claims

std::uint32_t Engine::add_proposition(const Expression& expression) {
  propositions_.push_back(compiler_->expression(expression, kNone));
  stack_.resize(std::max(stack_.size(), 4 * code_.longest_code + 64));
  return static_cast<std::uint32_t>(propositions_.size() - 1);
}

std::uint32_t Engine::add_accepting() {
  Instruction accepting;
  accepting.op = Instruction::Op::accepting;
  propositions_.push_back({accepting});
  return static_cast<std::uint32_t>(propositions_.size() - 1);
}

bool Engine::holds(std::uint32_t proposition, MachineState state) {
  open(state);
  why_ = Why::nothing;
  timeout_ = false;
  const bool value = evaluate(propositions_[proposition], 0) != 0 && why_ == Why::nothing;
  why_ = Why::nothing;
  return value;
}

Result<MachineClaim> Engine::claim(std::uint32_t process) {
  MachineClaim out;
  const Process& never = file_.program->processes[process];
  const Flow& flow = code_.processes[process].flow;
  out.start = flow.start;
  const auto refuse = [&](Place place, std::string what) {
    report_->error(place, what + " in a never claim is not supported", "a claim consists of conditions");
  };
  if (!never.variables.empty()) refuse(never.variables[0].place, "a variable");
  if (has_label(*file_.program, "accept")) out.accepting = add_accepting();
  for (const Flow::Place& place : flow.places) {
    MachineClaim::Place made;
    made.accepting = place.accept;
    made.over = place.end;  // pan takes a label end* for the end
    std::vector<std::uint32_t> before;
    for (const Flow::Edge& edge : place.edges) {
      MachineClaim::Edge next;
      next.target = edge.target;
      switch (edge.kind) {
        case Flow::Edge::Kind::finish: made.over = true; continue;
        case Flow::Edge::Kind::skip: break;
        case Flow::Edge::Kind::otherwise: next.none = before; break;
        case Flow::Edge::Kind::d_step: refuse(edge.statement->place, "d_step"); continue;
        case Flow::Edge::Kind::statement: {
          const Statement& s = *edge.statement;
          Expression condition = s.value;
          if (s.kind == Statement::Kind::assertion) {  // assert(x): the claim ends if x is false
            MachineClaim::Edge failing;
            failing.none = {add_proposition(s.value)};
            failing.target = kNone;
            made.edges.push_back(failing);
          } else if (s.kind != Statement::Kind::condition) {
            refuse(s.place, "this statement");
            continue;
          }
          next.all = {add_proposition(condition)};
          before.push_back(next.all[0]);
        }
      }
      made.edges.push_back(std::move(next));
    }
    out.places.push_back(std::move(made));
  }
  // An assertion that fails leads to a place of its own, where the claim is over.
  const auto over = static_cast<std::uint32_t>(out.places.size());
  out.places.emplace_back().over = true;
  for (auto& place : out.places)
    for (auto& edge : place.edges)
      if (edge.target == kNone) edge.target = over;
  if (auto errors = take_errors(); !errors.empty()) return tl::unexpected(std::move(errors));
  return out;
}

// ---- the trace assertion

void Engine::compile_watch() {
  if (options_.watch == kNone) return;
  const Flow& flow = code_.processes[options_.watch].flow;
  for (std::uint32_t i = 0; i < flow.places.size(); ++i) {
    std::vector<Event> events;
    for (const Flow::Edge& edge : flow.places[i].edges) {
      if (edge.kind == Flow::Edge::Kind::finish) watch_end_ = i;
      if (edge.statement == nullptr) continue;
      const Statement& s = *edge.statement;
      const bool jump = edge.kind == Flow::Edge::Kind::skip && s.kind != Statement::Kind::condition;
      if (jump) continue;  // of a place that is only passed through
      if (edge.kind != Flow::Edge::Kind::statement ||
          (s.kind != Statement::Kind::send && s.kind != Statement::Kind::receive)) {
        report_->error(s.place, "a trace assertion consists of sends and receives");
        continue;
      }
      Expression channel;
      channel.op = Expression::Op::variable;
      channel.reference = s.target;
      Event made;
      made.send = s.kind == Statement::Kind::send;
      made.target = edge.target;
      made.channel = compiler_->expression(channel, kNone);
      for (const Expression& e : s.messages)
        made.patterns.push_back({true, false, compiler_->expression(e, kNone), {}});
      for (const Pattern& p : s.patterns) {
        const bool any = p.kind == Pattern::Kind::variable;
        made.patterns.push_back({!any, any, any ? Code{} : compiler_->expression(p.expression, kNone), {}});
      }
      (made.send ? sent_ : received_).push_back(made.channel);
      events.push_back(std::move(made));
    }
    events_.push_back(std::move(events));
  }
  stack_.resize(std::max(stack_.size(), 4 * code_.longest_code + 64));
}

// `message_` has been sent or received on the channel: the assertion moves with it.
void Engine::event(bool send, std::int32_t id) {
  if (options_.watch == kNone) return;
  const std::vector<std::int32_t> values = message_;
  const auto mentioned = [&](const Code& code) { return evaluate(code, 0) == id; };
  if (std::ranges::none_of(send ? sent_ : received_, mentioned)) return;
  std::uint16_t here;
  std::memcpy(&here, now_ + kWatch, 2);
  const bool negated = file_.program->processes[options_.watch].kind == Process::Kind::notrace;
  if (negated && here == watch_end_) return;
  const Event* taken = nullptr;
  for (const Event& e : events_[here]) {
    if (e.send != send || evaluate(e.channel, 0) != id) continue;
    message_ = values;
    if (!matches(e.patterns, 0, stack_.data())) continue;
    if (taken != nullptr) why_ = Why::two_events;
    taken = &e;
  }
  message_ = values;
  if (why_ != Why::nothing) return;
  if (taken == nullptr && !negated) {
    why_ = Why::no_event;
    return;
  }
  here = static_cast<std::uint16_t>(taken == nullptr ? watch_end_ : taken->target);
  std::memcpy(now_ + kWatch, &here, 2);
  if (negated && taken != nullptr && here == watch_end_) why_ = Why::all_events;
}

// ---- for people

void Engine::name_processes() {
  single_.assign(file_.program->processes.size(), true);
  for (std::size_t t = 0; t < single_.size(); ++t) single_[t] = file_.program->processes[t].active <= 1;
  for (const auto& p : code_.processes)
    for (const auto& place : p.places)
      for (const Operation& op : place)
        if (op.kind == Operation::Kind::run || op.kind == Operation::Kind::assign_run) single_[op.process] = false;
}

std::string Engine::process_name(std::uint32_t process) const {
  const std::uint8_t t = type(process);
  const std::string& name = file_.program->processes[t].name;
  return single_[t] ? name : fmt::format("{}({})", name, process);
}

std::vector<ShownStep> Engine::show(MachineState before, const MachineStep& step) {
  open(before);
  std::vector<ShownStep> out;
  const auto add = [&](std::uint32_t process, std::uint32_t statement) {
    const ShownStatement& s = code_.statements[statement];
    out.push_back({process_name(process), s.line, s.text, {}});
  };
  add(step.process, step.statement);
  if (step.partner >= 0) add(static_cast<std::uint32_t>(step.partner), step.partner_statement);
  out.back().note = text(static_cast<Why>(step.why));
  return out;
}

}  // namespace
}  // namespace promela

Result<std::unique_ptr<PromelaMachine>> PromelaMachine::make(const PromelaFile& file, ActionTable& actions,
                                                             const PromelaMachineOptions& options) {
  auto report = std::make_unique<promela::Report>(*file.source);
  auto compiler = std::make_unique<promela::Compiler>(*file.program, *file.source, *report);
  compiler->run();
  if (report->failed()) return tl::unexpected(std::move(report->errors()));
  auto made = std::make_unique<promela::Engine>(file, std::move(report), std::move(compiler), actions, options);
  if (auto errors = made->take_errors(); !errors.empty()) return tl::unexpected(std::move(errors));
  return made;
}

}  // namespace surety
