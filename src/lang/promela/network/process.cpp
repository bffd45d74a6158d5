#include "lang/promela/network/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <string_view>

#include "base/big_array.hpp"
#include "lang/promela/machine/execute.hpp"
#include "lang/promela/machine/expression.hpp"

namespace surety::promela::net {
namespace {

using Kind = Operation::Kind;

constexpr std::size_t kMaxStates = 1'000'000;           // of a process
constexpr std::size_t kMaxValues = 1'024;               // of a variable
constexpr std::size_t kMaxMessages = 4'096;             // of a channel
constexpr std::size_t kMaxVariants = 100'000;           // of a transition
constexpr std::uint32_t kMaxTransitionLength = 20'000;  // in statements
constexpr std::size_t kMaxAccesses = 1'000;             // to one channel in a transition

// A transition of which the first statements have been executed.
struct Partial {
  Bytes frame;
  Transition transition;
  std::uint32_t length = 0;  // statements so far
  enum class Next : std::uint8_t { goes_on, ends, fails } next = Next::goes_on;
  std::uint32_t place() const { return load_place(frame.data() + kPlace); }
};

bool changes_buffer(Access::Kind kind) { return kind == Access::Kind::send || kind == Access::Kind::receive; }

bool fits(const Mask& mask, const Message& message) {
  for (std::size_t i = 0; i < std::min(mask.size(), message.size()); ++i)
    if (mask[i] && *mask[i] != message[i]) return false;
  return true;
}

// Does the second access say what the first one says, and more?
bool implied(const Access& first, const Access& second) {
  if (first.kind == Access::Kind::full) return first.value == 0 && second.kind == Access::Kind::send;
  if (first.kind != Access::Kind::poll || first.value == 0 || first.special != second.special) return false;
  const bool takes = second.kind == Access::Kind::receive || second.kind == Access::Kind::peek;
  return takes && (first.special ? first.mask == second.mask : fits(first.mask, second.message));
}

// The possible numbers of messages in a buffer after some accesses. An empty range (low > high): the accesses
// contradict each other.
struct Lengths {
  std::int32_t low, high;
  const std::int32_t capacity;

  explicit Lengths(std::uint32_t of) : low(0), high(static_cast<std::int32_t>(of)), capacity(high) {}
  bool any() const { return low <= high; }
  void keep(std::int32_t least, std::int32_t most) {
    low = std::max(low, least);
    high = std::min(high, most);
  }
  void shift(std::int32_t by) {
    low += by;
    high += by;
  }
  void add(const Access& access) {
    const bool anything = std::ranges::none_of(access.mask, [](const auto& field) { return field.has_value(); });
    switch (access.kind) {
      case Access::Kind::length: return keep(access.value, access.value);
      case Access::Kind::full: return access.value != 0 ? keep(capacity, capacity) : keep(0, capacity - 1);
      case Access::Kind::empty: return access.value != 0 ? keep(0, 0) : keep(1, capacity);
      case Access::Kind::poll: return access.value != 0 ? keep(1, capacity) : keep(0, anything ? 0 : capacity);
      case Access::Kind::peek: return keep(1, capacity);
      case Access::Kind::send: keep(0, capacity - 1); return shift(1);
      case Access::Kind::receive: keep(1, capacity); return shift(-1);
      case Access::Kind::is:
      case Access::Kind::set: return;
    }
  }
};

// The set of frames of one process, all of the same length. They lie in one piece, so that even a million of them are
// freed at once when the budget has ended.
class FrameTable {
 public:
  explicit FrameTable(std::size_t length) : length_(length), slots_(1U << 10) {}

  std::size_t size() const { return size_; }
  const std::uint8_t* operator[](std::size_t number) const { return bytes_.data() + number * length_; }

  std::uint32_t number(const Bytes& frame) {
    if (2ULL * (size_ + 1) > slots_.size()) grow();
    std::uint32_t& slot = slots_[place(frame.data())];
    if (slot == 0) {
      bytes_.append(frame.data(), length_);
      slot = ++size_;
    }
    return slot - 1;
  }

 private:
  // The slot of the frame, or the free slot where it belongs.
  std::uint64_t place(const std::uint8_t* frame) const {
    const std::uint64_t mask = slots_.size() - 1;
    const std::string_view text(reinterpret_cast<const char*>(frame), length_);
    std::uint64_t at = std::hash<std::string_view>()(text) & mask;
    while (slots_[at] != 0 && !std::equal(frame, frame + length_, (*this)[slots_[at] - 1])) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    slots_ = BigArray<std::uint32_t>(2 * slots_.size());
    for (std::uint32_t i = 0; i < size_; ++i) slots_[place((*this)[i])] = i + 1;
  }

  const std::size_t length_;
  std::uint32_t size_ = 0;
  BigArray<std::uint8_t> bytes_;
  BigArray<std::uint32_t> slots_;  // the number of a frame, plus one
};

// The process is alone in memory: all that is there of the other processes are the numbers of their channels.
class Explorer final : public Outside {
 public:
  Explorer(const System& system, const Instance& instance, Environment& environment, Budget& budget)
      : system_(system),
        instance_(instance),
        environment_(environment),
        budget_(budget),
        process_(system.code->processes[instance.type]),
        memory_(*system.code),
        executor_(memory_, *system.program, *system.no_watch, no_actions_),
        frames_(instance.frame.size()) {
    make_memory();
  }

  tl::expected<ProcessGraph, Refusal> run() {
    frames_.number(instance_.frame);
    for (std::uint32_t s = 0; s < frames_.size() && !refusal_; ++s) {
      if (frames_.size() > kMaxStates)
        refuse(fmt::format("more than {} states of {}", kMaxStates, instance_.name), process_place());
      if (budget_.why() != Stop::none) break;
      from_ = s;
      variants_ = 0;
      Partial start;
      start.frame.assign(frames_[s], frames_[s] + instance_.frame.size());
      follow(std::move(start));
    }
    finish();
    if (budget_.why() != Stop::none) refuse("a program too large for its budget", {});
    if (refusal_) return tl::unexpected(std::move(*refusal_));
    return std::move(graph_);
  }

 private:
  bool may_go_on() { return (++followed_ & 63) != 0 || budget_.go_on(); }

  // Moves the transitions out of the table: there may be no room for a second copy of all of them.
  void finish() {
    const std::size_t length = instance_.frame.size();
    if (refusal_ ||
        !budget_.has_room(frames_.size() * (sizeof(Bytes) + length + 16) + transitions_.size() * sizeof(Transition)))
      return;
    for (std::size_t s = 0; s < frames_.size() && may_go_on(); ++s) {
      graph_.frames.emplace_back(frames_[s], frames_[s] + length);
      graph_.ended.push_back(process_.flow.places[load_place(frames_[s] + kPlace)].end);
    }
    graph_.transitions.resize(transitions_.size());
    while (!transitions_.empty() && may_go_on()) {
      auto node = transitions_.extract(transitions_.begin());
      graph_.transitions[node.mapped()] = std::move(node.key());
    }
  }

  void make_memory() {
    Bytes bytes(system_.start.begin(), system_.start.begin() + system_.code->globals_bytes);
    bytes[kFloor] = 0;
    for (std::size_t c = 0; c < system_.channels.size(); ++c) {
      memory_.channel_at[c] = static_cast<std::uint32_t>(bytes.size());
      bytes.resize(bytes.size() + kChannelHeader);
      bytes[memory_.channel_at[c]] = kChannelFrame;
      bytes[memory_.channel_at[c] + kType] = static_cast<std::uint8_t>(system_.channels[c].kind_number);
    }
    memory_.process_at[pid()] = static_cast<std::uint32_t>(bytes.size());
    bytes.insert(bytes.end(), instance_.frame.begin(), instance_.frame.end());
    memory_.current = std::move(bytes);
    memory_.back();
    memory_.outside = this;
  }

  std::uint32_t pid() const { return instance_.pid; }
  Place process_place() const { return system_.program->processes[instance_.type].place; }
  Place place_of(const Operation& op) const { return system_.code->statements[op.statement].place; }
  std::uint32_t line_of(std::uint32_t statement) const { return system_.code->statements[statement].line; }

  void refuse(std::string construct, Place place) {
    if (!refusal_) refusal_ = Refusal{std::move(construct), place};
    memory_.why = Why::never;
  }

  // ---- one statement after the other

  // Depth first with an explicit stack: a loop inside an atomic block can be too long for recursion.
  void follow(Partial start) {
    std::vector<Partial> todo;
    todo.push_back(std::move(start));
    while (!todo.empty() && !refusal_) {
      if (!may_go_on()) return;  // one state can have a hundred thousand ways to go
      Partial p = std::move(todo.back());
      todo.pop_back();
      if (p.next == Partial::Next::goes_on) {
        ways_.clear();
        expand(p);
        std::move(ways_.rbegin(), ways_.rend(), std::back_inserter(todo));
        continue;
      }
      if (p.next == Partial::Next::ends) set_marks(p);
      const auto id =
          transitions_.try_emplace(p.transition, static_cast<std::uint32_t>(transitions_.size())).first->second;
      graph_.edges.push_back(
          {from_, id, p.next == Partial::Next::fails ? ProcessGraph::kError : frames_.number(p.frame)});
    }
  }

  void set_marks(Partial& p) const {
    const std::uint32_t before = load_place(frames_[from_] + kPlace);
    for (std::size_t m = 0; m < system_.marks.size(); ++m) {
      const Mark& mark = system_.marks[m];
      if (mark.instance != pid() || (before == mark.place) == (p.place() == mark.place)) continue;
      p.transition.footprint[system_.mark_object(m)] = {{Access::Kind::set, p.place() == mark.place, {}, {}, false}};
    }
  }

  void expand(const Partial& p) {
    const Operations& list = process_.places[p.place()];
    for (std::size_t i = 0; i < list.size() && !refusal_; ++i) {
      operation_ = &list[i];
      if (p.length > kMaxTransitionLength)
        return refuse(
            fmt::format("an atomic sequence without an end, or of more than {} statements", kMaxTransitionLength),
            place_of(list[i]));
      if (list[i].kind == Kind::finish) continue;  // no other process can tell whether this one has ended
      in_every_way(p, [&] { step(list, i); });
      const bool may_receive = list[i].kind == Kind::receive || list[i].kind == Kind::d_step;
      if (p.length == 0 && may_receive) in_every_way(p, [&] { synchronise_with_sender(list[i]); });
    }
    if (p.length == 0 || std::ranges::find(list, Kind::otherwise, &Operation::kind) != list.end()) return;
    in_every_way(p, [&] {
      if (nothing_before(list, list.size())) end(Partial::Next::ends);
    });
  }

  // Calls `body` once for each combination of answers to its questions, each time with the process in memory as it is
  // in p.
  template <class Body>
  void in_every_way(const Partial& p, Body body) {
    answers_.clear();
    do {
      if (refusal_) return;
      if (++variants_ > kMaxVariants)
        return refuse(fmt::format("an atomic sequence with more than {} ways to go", kMaxVariants),
                      place_of(*operation_));
      if (!may_go_on()) return;
      now_ = p;
      std::ranges::copy(p.frame, memory_.frame(pid()));
      memory_.why = Why::nothing;
      memory_.failed_assertion = false;
      asked_ = 0;
      body();
      while (!answers_.empty() && ++answers_.back().chosen >= answers_.back().options.size()) answers_.pop_back();
    } while (!answers_.empty());
  }

  // The answer to the next question in this call of `body`. Calls with the same answers ask the same question next, so
  // `options` is called only when the question comes up for the first time.
  template <class Options>
  const Message& choose(Options options) {
    static const Message nothing;
    if (asked_ == answers_.size()) {
      answers_.push_back({options(), 0});
      if (answers_.back().options.empty()) {
        answers_.pop_back();
        memory_.why = Why::never;
        return nothing;
      }
    }
    const Answer& answer = answers_[asked_++];
    return answer.options[answer.chosen];
  }

  // Can the operation be executed? A fault is an execution, too.
  bool possible(const Operation& op) {
    return op.kind != Kind::finish && enabled(memory_, op, pid(), false) && memory_.why != Why::never;
  }

  bool nothing_before(const Operations& list, std::size_t end) {
    for (std::size_t i = 0; i < end; ++i)
      if (possible(list[i]) || memory_.why != Why::nothing) return false;
    return true;
  }

  void step(const Operations& list, std::size_t i) {
    const Operation& op = list[i];
    if (op.kind == Kind::otherwise && !nothing_before(list, i)) return;
    if (op.kind == Kind::send && is_rendezvous(memory_, op, pid())) return synchronise_with_receiver(op);
    if (memory_.why == Why::nothing && !possible(op)) return;
    if (memory_.why == Why::nothing) executor_.execute(op, pid());
    go_on(op, op.atomic);
  }

  // After the operation has been executed, or was a fault.
  void go_on(const Operation& op, bool keeps_floor) {
    if (memory_.why == Why::never) return;
    if (std::exchange(memory_.failed_assertion, false) && now_.transition.fails == 0)
      now_.transition.fails = line_of(memory_.failed_statement);
    if (memory_.why != Why::nothing) {
      now_.transition.fails = line_of(op.statement);
      now_.transition.breaks = true;
      return end(Partial::Next::fails);
    }
    for (const auto& [object, accesses] : now_.transition.footprint)
      if (accesses.size() > kMaxAccesses)
        return refuse(fmt::format("an atomic sequence that uses a channel more than {} times", kMaxAccesses),
                      place_of(op));
    memory_.set_place(pid(), op.target);
    ++now_.length;
    end(keeps_floor ? Partial::Next::goes_on : Partial::Next::ends);
  }

  void end(Partial::Next next) {
    now_.next = next;
    std::copy_n(memory_.frame(pid()), now_.frame.size(), now_.frame.begin());
    ways_.push_back(std::move(now_));
  }

  // ---- rendezvous

  // The sender loses the floor.
  void synchronise_with_receiver(const Operation& op) {
    if (now_.length > 0) return refuse("a rendezvous inside an atomic sequence", place_of(op));
    const std::int32_t id = evaluate(memory_, op.code, pid());
    const Offer offer = make_offer(memory_, op, pid(), id);
    if (memory_.why == Why::nothing) {
      now_.transition.synchronisation = Transition::Synchronisation::with_receiver;
      now_.transition.channel = static_cast<std::uint32_t>(id - 1);
      now_.transition.message = offer.message;
      note_message(id, offer.message);
    }
    go_on(op, false);
  }

  // The operation is a receive, or a d_step that begins with one. It takes any message that is sent on the channel.
  void synchronise_with_sender(const Operation& op) {
    std::set<Message> offers;  // each with its channel as first element
    const auto add = [&](const Operation& receive) {
      if (receive.kind != Kind::receive || receive.peek) return;
      const bool by_rendezvous = is_rendezvous(memory_, receive, pid());
      memory_.forget_fault();
      if (!by_rendezvous) return;
      const std::int32_t id = evaluate(memory_, receive.code, pid());
      for (const Message& m : known_messages(id)) {
        Message offer{id};
        offer.insert(offer.end(), m.begin(), m.end());
        offers.insert(std::move(offer));
      }
    };
    add(op);
    if (op.kind == Kind::d_step) std::ranges::for_each(process_.places[op.process], add);
    const Message chosen = choose([&] { return std::vector<Message>(offers.begin(), offers.end()); });
    if (memory_.why != Why::nothing) return;
    const Offer offer{kNone, chosen[0], Message(chosen.begin() + 1, chosen.end())};
    const Operation* receive = ready_receive(memory_, op, pid(), offer);
    if (memory_.why != Why::nothing) return refuse("an error in what a receive compares with", place_of(op));
    if (receive == nullptr) return;
    now_.transition.synchronisation = Transition::Synchronisation::with_sender;
    now_.transition.channel = static_cast<std::uint32_t>(offer.channel - 1);
    now_.transition.message = offer.message;
    executor_.receive(offer, {pid(), &op, receive});
    go_on(op, op.atomic);
  }

  bool has_receiver(std::int32_t) override {
    const bool beside_else = now_.length == 0 && operation_->kind == Kind::otherwise;
    refuse(beside_else ? "else beside a rendezvous" : "a rendezvous inside an atomic sequence", place_of(*operation_));
    return false;
  }

  void note_growth(std::uint32_t object) { environment_.grown[object] = ++environment_.clock; }

  const std::set<Message>& known_messages(std::int32_t id) {
    graph_.asked.insert(system_.channel_object(static_cast<std::size_t>(id - 1)));
    return environment_.messages[static_cast<std::size_t>(id - 1)];
  }

  // ---- shared variables

  std::int32_t load(std::uint32_t offset) override {
    const std::uint32_t slot = system_.slot_at[offset];
    graph_.asked.insert(slot);
    if (!environment_.written[slot]) return system_.initial[slot];
    if (const auto found = now_.transition.footprint.find(slot); found != now_.transition.footprint.end())
      return found->second.back().value;
    const std::int32_t value = choose([&] {
      std::vector<Message> options;
      for (const std::int32_t v : environment_.values[slot]) options.push_back({v});
      return options;
    })[0];
    now_.transition.footprint[slot].push_back({Access::Kind::is, value, {}, {}, false});
    return value;
  }

  void store(std::uint32_t offset, std::int32_t value) override {
    const std::uint32_t slot = system_.slot_at[offset];
    auto& values = environment_.values[slot];
    if (values.insert(value).second || !environment_.written[slot]) note_growth(slot);
    environment_.written[slot] = true;
    if (values.size() > kMaxValues)
      return refuse(fmt::format("more than {} values of {}", kMaxValues, system_.code->globals[slot].name),
                    place_of(*operation_));
    auto& accesses = now_.transition.footprint[slot];
    if (!accesses.empty() && accesses.back().kind == Access::Kind::set) accesses.pop_back();
    accesses.push_back({Access::Kind::set, value, {}, {}, false});
  }

  // ---- buffers

  std::vector<Access>& accesses_of(std::int32_t id) {
    return now_.transition.footprint[system_.channel_object(static_cast<std::size_t>(id - 1))];
  }
  const Channel& channel(std::int32_t id) const { return system_.channels[static_cast<std::size_t>(id - 1)]; }

  // After all earlier accesses of the transition to the buffer: can it hold as many messages as this access needs?
  bool can_be(std::int32_t id, const Access& access) {
    Lengths lengths(channel(id).kind->capacity);
    for (const Access& before : accesses_of(id)) lengths.add(before);
    lengths.add(access);
    return lengths.any();
  }

  // What the transition already knows about the channel since it last changed the channel; otherwise a question.
  std::int32_t ask(std::int32_t id, Access access, std::int32_t largest) {
    auto& accesses = accesses_of(id);
    for (auto t = accesses.rbegin(); t != accesses.rend() && !changes_buffer(t->kind); ++t) {
      access.value = t->value;
      if (*t == access) return t->value;
    }
    const Message& answer = choose([&] {
      std::vector<Message> options;
      for (access.value = 0; access.value <= largest; ++access.value)
        if (can_be(id, access)) options.push_back({access.value});
      return options;
    });
    if (memory_.why != Why::nothing) return 0;
    access.value = answer[0];
    accesses.push_back(access);
    return access.value;
  }

  std::int32_t about(std::int32_t id, Instruction::Op question) override {
    using I = Instruction::Op;
    const auto capacity = static_cast<std::int32_t>(channel(id).kind->capacity);
    if (question == I::length) return ask(id, {Access::Kind::length, 0, {}, {}, false}, capacity);
    const bool full = question == I::full || question == I::not_full;
    const bool is = ask(id, {full ? Access::Kind::full : Access::Kind::empty, 0, {}, {}, false}, 1) != 0;
    return is != (question == I::not_full || question == I::not_empty);
  }

  bool has_message(std::int32_t id, const Mask& mask, bool random) override {
    return ask(id, {Access::Kind::poll, 0, {}, mask, random}, 1) != 0;
  }

  void add_access(std::int32_t id, Access access) {
    auto& accesses = accesses_of(id);
    if (!accesses.empty() && implied(accesses.back(), access)) accesses.pop_back();
    accesses.push_back(std::move(access));
  }

  void send(std::int32_t id, const Message& wide, bool sorted) override {
    Message message = wide;
    narrow(message, *channel(id).kind);
    note_message(id, message);
    Mask before;
    if (sorted && message != wide) before.assign(wide.begin(), wide.end());
    add_access(id, {Access::Kind::send, 0, std::move(message), std::move(before), sorted});
  }

  void receive(std::int32_t id, const Mask& mask, bool random, bool peek, Message& out) override {
    Access access{peek ? Access::Kind::peek : Access::Kind::receive, 0, {}, random ? mask : Mask{}, random};
    out = choose([&] {
      std::vector<Message> options;
      if (!can_be(id, access)) return options;
      for (const Message& m : known_messages(id))
        if (fits(mask, m)) options.push_back(m);
      return options;
    });
    if (memory_.why != Why::nothing) return;
    access.message = out;
    add_access(id, std::move(access));
  }

  void note_message(std::int32_t id, const Message& message) {
    auto& known = environment_.messages[static_cast<std::size_t>(id - 1)];
    if (known.insert(message).second) note_growth(system_.channel_object(static_cast<std::size_t>(id - 1)));
    if (known.size() > kMaxMessages)
      refuse(fmt::format("more than {} messages on {}", kMaxMessages, channel(id).name), place_of(*operation_));
  }

  void see(bool send, std::int32_t id, const Message& message) override {
    now_.transition.events.push_back({send, static_cast<std::uint32_t>(id - 1), message});
  }

  struct Answer {
    std::vector<Message> options;
    std::size_t chosen = 0;
  };

  const System& system_;
  const Instance& instance_;
  Environment& environment_;
  Budget& budget_;
  const CompiledProcess& process_;
  ActionTable no_actions_;
  Memory memory_;
  Executor executor_;

  ProcessGraph graph_;
  FrameTable frames_;  // by state
  std::map<Transition, std::uint32_t> transitions_;
  std::uint32_t from_ = 0;
  std::size_t variants_ = 0;
  std::uint64_t followed_ = 0;            // unfinished transitions so far; the budget is polled by this count
  std::vector<Partial> ways_;             // how the transition goes on from the place that is expanded
  const Operation* operation_ = nullptr;  // the one that is tried
  Partial now_;                           // the process in memory, and its transition so far
  std::vector<Answer> answers_;           // of this call, in the order of the questions
  std::size_t asked_ = 0;
  std::optional<Refusal> refusal_;
};

}  // namespace

tl::expected<ProcessGraph, Refusal> explore(const System& system, const Instance& instance, Environment& environment,
                                            Budget& budget) {
  return Explorer(system, instance, environment, budget).run();
}

ProcessGraph without_detours(ProcessGraph graph) {
  constexpr std::uint32_t kNothing = UINT32_MAX - 1;
  std::vector<std::uint32_t> next(graph.states(),
                                  kNothing);  // by state: the target of its only edge, if that is silent
  std::vector<std::uint32_t> degree(graph.states(), 0);
  for (const auto& edge : graph.edges) {
    ++degree[edge.from];
    next[edge.from] = graph.transitions[edge.transition].silent() ? edge.to : kNothing;
  }
  const auto detour = [&](std::uint32_t s) { return degree[s] == 1 && next[s] != kNothing && next[s] != s; };
  const auto destination = [&](std::uint32_t s) {
    if (s == ProcessGraph::kError) return s;
    std::set<std::uint32_t> seen;
    while (detour(s) && seen.insert(s).second) s = next[s];
    return s;  // in a ring of detours: one of its states, with its edge
  };
  ProcessGraph out;
  std::vector<std::uint32_t> numbers(graph.states(), kNothing), order;
  const auto number = [&](std::uint32_t s) {
    if (s == ProcessGraph::kError) return s;
    if (numbers[s] == kNothing) {
      numbers[s] = static_cast<std::uint32_t>(order.size());
      order.push_back(s);
    }
    return numbers[s];
  };
  std::vector<std::vector<ProcessGraph::Edge>> by_state(graph.states());
  for (const auto& edge : graph.edges) by_state[edge.from].push_back(edge);
  number(destination(0));
  for (std::uint32_t i = 0; i < order.size(); ++i)
    for (const auto& edge : by_state[order[i]]) out.edges.push_back({i, edge.transition, number(destination(edge.to))});
  for (const std::uint32_t s : order) {
    out.ended.push_back(graph.ended[s]);
    out.frames.push_back(std::move(graph.frames[s]));
  }
  out.transitions = std::move(graph.transitions);
  return out;
}

}  // namespace surety::promela::net
