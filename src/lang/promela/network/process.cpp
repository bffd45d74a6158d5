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

constexpr std::size_t kMaxStates = 1'000'000;     // of a process
constexpr std::size_t kMaxValues = 1'024;         // of a variable
constexpr std::size_t kMaxMessages = 4'096;       // of a channel
constexpr std::size_t kMaxVariants = 100'000;     // of a move
constexpr std::uint32_t kMaxMoveLength = 20'000;  // in statements
constexpr std::size_t kMaxTouches = 1'000;        // of one channel in a move

// A move on its way.
struct Partial {
  Bytes frame;
  Move move;
  std::uint32_t length = 0;  // statements so far
  enum class Next : std::uint8_t { goes_on, ends, fails } next = Next::goes_on;
  std::uint32_t place() const { return load_place(frame.data() + kPlace); }
};

bool changes_buffer(Touch::Kind kind) { return kind == Touch::Kind::send || kind == Touch::Kind::receive; }

bool fits(const Mask& mask, const Message& message) {
  for (std::size_t i = 0; i < std::min(mask.size(), message.size()); ++i)
    if (mask[i] && *mask[i] != message[i]) return false;
  return true;
}

// Does the second touch say what the first one says, and more?
bool implied(const Touch& first, const Touch& second) {
  if (first.kind == Touch::Kind::full) return first.value == 0 && second.kind == Touch::Kind::send;
  if (first.kind != Touch::Kind::poll || first.value == 0 || first.special != second.special) return false;
  const bool takes = second.kind == Touch::Kind::receive || second.kind == Touch::Kind::peek;
  return takes && (first.special ? first.mask == second.mask : fits(first.mask, second.message));
}

// How many messages a buffer can hold after these touches; without any (low > high) they contradict each other.
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
  void add(const Touch& touch) {
    const bool anything = std::ranges::none_of(touch.mask, [](const auto& field) { return field.has_value(); });
    switch (touch.kind) {
      case Touch::Kind::length: return keep(touch.value, touch.value);
      case Touch::Kind::full: return touch.value != 0 ? keep(capacity, capacity) : keep(0, capacity - 1);
      case Touch::Kind::empty: return touch.value != 0 ? keep(0, 0) : keep(1, capacity);
      case Touch::Kind::poll: return touch.value != 0 ? keep(1, capacity) : keep(0, anything ? 0 : capacity);
      case Touch::Kind::peek: return keep(1, capacity);
      case Touch::Kind::send: keep(0, capacity - 1); return shift(1);
      case Touch::Kind::receive: keep(1, capacity); return shift(-1);
      case Touch::Kind::is:
      case Touch::Kind::set: return;
    }
  }
};

// Frames of one process, all of the same length, each once. They lie in one piece: a million of them are gone at once
// when the budget has ended.
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
  // Where it is, or where it would be.
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

// The process in memory is alone: of the others there are only the numbers of channels.
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

  tl::expected<Open, Refusal> run() {
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
    return std::move(open_);
  }

 private:
  bool may_go_on() { return (++followed_ & 63) != 0 || budget_.go_on(); }

  // Moves leave the table in which they were found: there is no room for a second copy of all.
  void finish() {
    const std::size_t length = instance_.frame.size();
    if (refusal_ || !budget_.has_room(frames_.size() * (sizeof(Bytes) + length + 16) + moves_.size() * sizeof(Move)))
      return;
    for (std::size_t s = 0; s < frames_.size() && may_go_on(); ++s) {
      open_.frames.emplace_back(frames_[s], frames_[s] + length);
      open_.ended.push_back(process_.flow.places[load_place(frames_[s] + kPlace)].end);
    }
    open_.moves.resize(moves_.size());
    while (!moves_.empty() && may_go_on()) {
      auto node = moves_.extract(moves_.begin());
      open_.moves[node.mapped()] = std::move(node.key());
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

  // Depth first with a stack of our own: a loop inside an atomic block can be longer than the machine's is deep.
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
      const auto id = moves_.try_emplace(p.move, static_cast<std::uint32_t>(moves_.size())).first->second;
      open_.steps.push_back({from_, id, p.next == Partial::Next::fails ? Open::kError : frames_.number(p.frame)});
    }
  }

  void set_marks(Partial& p) const {
    const std::uint32_t before = load_place(frames_[from_] + kPlace);
    for (std::size_t m = 0; m < system_.marks.size(); ++m) {
      const Mark& mark = system_.marks[m];
      if (mark.instance != pid() || (before == mark.place) == (p.place() == mark.place)) continue;
      p.move.uses[system_.mark_object(m)] = {{Touch::Kind::set, p.place() == mark.place, {}, {}, false}};
    }
  }

  void expand(const Partial& p) {
    const Operations& list = process_.places[p.place()];
    for (std::size_t i = 0; i < list.size() && !refusal_; ++i) {
      operation_ = &list[i];
      if (p.length > kMaxMoveLength)
        return refuse(fmt::format("an atomic sequence without an end, or of more than {} statements", kMaxMoveLength),
                      place_of(list[i]));
      if (list[i].kind == Kind::finish) continue;  // whether it is still there or has ended, nobody can tell
      in_every_way(p, [&] { step(list, i); });
      const bool may_receive = list[i].kind == Kind::receive || list[i].kind == Kind::d_step;
      if (p.length == 0 && may_receive) in_every_way(p, [&] { meet_sender(list[i]); });
    }
    if (p.length == 0 || std::ranges::find(list, Kind::otherwise, &Operation::kind) != list.end()) return;
    in_every_way(p, [&] {
      if (nothing_before(list, list.size())) end(Partial::Next::ends);
    });
  }

  // Calls `body` with the process as it is in p, in memory, once for each combination of what it asks.
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

  // The answer of this time to a question that has several. The order of questions is that of the execution, so it is
  // asked for its options only the first time.
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

  // Can it be executed? A fault is an execution, too.
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
    if (op.kind == Kind::send && is_rendezvous(memory_, op, pid())) return meet_receiver(op);
    if (memory_.why == Why::nothing && !possible(op)) return;
    if (memory_.why == Why::nothing) executor_.execute(op, pid());
    go_on(op, op.atomic);
  }

  // What has been executed, or was a fault.
  void go_on(const Operation& op, bool keeps_floor) {
    if (memory_.why == Why::never) return;
    if (std::exchange(memory_.failed_assertion, false) && now_.move.fails == 0)
      now_.move.fails = line_of(memory_.failed_statement);
    if (memory_.why != Why::nothing) {
      now_.move.fails = line_of(op.statement);
      now_.move.breaks = true;
      return end(Partial::Next::fails);
    }
    for (const auto& [object, touches] : now_.move.uses)
      if (touches.size() > kMaxTouches)
        return refuse(fmt::format("an atomic sequence that uses a channel more than {} times", kMaxTouches),
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

  // Who sends gives control away.
  void meet_receiver(const Operation& op) {
    if (now_.length > 0) return refuse("a rendezvous inside an atomic sequence", place_of(op));
    const std::int32_t id = evaluate(memory_, op.code, pid());
    const Offer offer = make_offer(memory_, op, pid(), id);
    if (memory_.why == Why::nothing) {
      now_.move.meets = Move::Meets::receiver;
      now_.move.channel = static_cast<std::uint32_t>(id - 1);
      now_.move.message = offer.message;
      note_message(id, offer.message);
    }
    go_on(op, false);
  }

  // The operation is a receive, or a d_step that begins with one, and may be met with any message that is sent.
  void meet_sender(const Operation& op) {
    std::set<Message> offers;  // the channel first
    const auto add = [&](const Operation& receive) {
      if (receive.kind != Kind::receive || receive.peek) return;
      const bool meets = is_rendezvous(memory_, receive, pid());
      memory_.forget_fault();
      if (!meets) return;
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
    now_.move.meets = Move::Meets::sender;
    now_.move.channel = static_cast<std::uint32_t>(offer.channel - 1);
    now_.move.message = offer.message;
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
    open_.asked.insert(system_.channel_object(static_cast<std::size_t>(id - 1)));
    return environment_.messages[static_cast<std::size_t>(id - 1)];
  }

  // ---- shared variables

  std::int32_t load(std::uint32_t offset) override {
    const std::uint32_t slot = system_.slot_at[offset];
    open_.asked.insert(slot);
    if (!environment_.written[slot]) return system_.initial[slot];
    if (const auto found = now_.move.uses.find(slot); found != now_.move.uses.end()) return found->second.back().value;
    const std::int32_t value = choose([&] {
      std::vector<Message> options;
      for (const std::int32_t v : environment_.values[slot]) options.push_back({v});
      return options;
    })[0];
    now_.move.uses[slot].push_back({Touch::Kind::is, value, {}, {}, false});
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
    auto& touches = now_.move.uses[slot];
    if (!touches.empty() && touches.back().kind == Touch::Kind::set) touches.pop_back();
    touches.push_back({Touch::Kind::set, value, {}, {}, false});
  }

  // ---- buffers

  std::vector<Touch>& touches_of(std::int32_t id) {
    return now_.move.uses[system_.channel_object(static_cast<std::size_t>(id - 1))];
  }
  const Channel& channel(std::int32_t id) const { return system_.channels[static_cast<std::size_t>(id - 1)]; }

  // After all that the move has found in the buffer and done to it: are there as many messages as this one needs?
  bool can_be(std::int32_t id, const Touch& touch) {
    Lengths lengths(channel(id).kind->capacity);
    for (const Touch& before : touches_of(id)) lengths.add(before);
    lengths.add(touch);
    return lengths.any();
  }

  // What the move knows already about the channel, since it last changed it; otherwise a question.
  std::int32_t ask(std::int32_t id, Touch touch, std::int32_t largest) {
    auto& touches = touches_of(id);
    for (auto t = touches.rbegin(); t != touches.rend() && !changes_buffer(t->kind); ++t) {
      touch.value = t->value;
      if (*t == touch) return t->value;
    }
    const Message& answer = choose([&] {
      std::vector<Message> options;
      for (touch.value = 0; touch.value <= largest; ++touch.value)
        if (can_be(id, touch)) options.push_back({touch.value});
      return options;
    });
    if (memory_.why != Why::nothing) return 0;
    touch.value = answer[0];
    touches.push_back(touch);
    return touch.value;
  }

  std::int32_t about(std::int32_t id, Instruction::Op question) override {
    using I = Instruction::Op;
    const auto capacity = static_cast<std::int32_t>(channel(id).kind->capacity);
    if (question == I::length) return ask(id, {Touch::Kind::length, 0, {}, {}, false}, capacity);
    const bool full = question == I::full || question == I::not_full;
    const bool is = ask(id, {full ? Touch::Kind::full : Touch::Kind::empty, 0, {}, {}, false}, 1) != 0;
    return is != (question == I::not_full || question == I::not_empty);
  }

  bool has_message(std::int32_t id, const Mask& mask, bool random) override {
    return ask(id, {Touch::Kind::poll, 0, {}, mask, random}, 1) != 0;
  }

  void add_touch(std::int32_t id, Touch touch) {
    auto& touches = touches_of(id);
    if (!touches.empty() && implied(touches.back(), touch)) touches.pop_back();
    touches.push_back(std::move(touch));
  }

  void send(std::int32_t id, const Message& wide, bool sorted) override {
    Message message = wide;
    narrow(message, *channel(id).kind);
    note_message(id, message);
    Mask before;
    if (sorted && message != wide) before.assign(wide.begin(), wide.end());
    add_touch(id, {Touch::Kind::send, 0, std::move(message), std::move(before), sorted});
  }

  void receive(std::int32_t id, const Mask& mask, bool random, bool peek, Message& out) override {
    Touch touch{peek ? Touch::Kind::peek : Touch::Kind::receive, 0, {}, random ? mask : Mask{}, random};
    out = choose([&] {
      std::vector<Message> options;
      if (!can_be(id, touch)) return options;
      for (const Message& m : known_messages(id))
        if (fits(mask, m)) options.push_back(m);
      return options;
    });
    if (memory_.why != Why::nothing) return;
    touch.message = out;
    add_touch(id, std::move(touch));
  }

  void note_message(std::int32_t id, const Message& message) {
    auto& known = environment_.messages[static_cast<std::size_t>(id - 1)];
    if (known.insert(message).second) note_growth(system_.channel_object(static_cast<std::size_t>(id - 1)));
    if (known.size() > kMaxMessages)
      refuse(fmt::format("more than {} messages on {}", kMaxMessages, channel(id).name), place_of(*operation_));
  }

  void see(bool send, std::int32_t id, const Message& message) override {
    now_.move.events.push_back({send, static_cast<std::uint32_t>(id - 1), message});
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

  Open open_;
  FrameTable frames_;  // by state
  std::map<Move, std::uint32_t> moves_;
  std::uint32_t from_ = 0;
  std::size_t variants_ = 0;
  std::uint64_t followed_ = 0;            // moves on their way, for looks at the budget
  std::vector<Partial> ways_;             // to go on from the place that is expanded
  const Operation* operation_ = nullptr;  // that is tried
  Partial now_;                           // what is in memory, and the move so far
  std::vector<Answer> answers_;           // of this time, in the order of the questions
  std::size_t asked_ = 0;
  std::optional<Refusal> refusal_;
};

}  // namespace

tl::expected<Open, Refusal> explore(const System& system, const Instance& instance, Environment& environment,
                                    Budget& budget) {
  return Explorer(system, instance, environment, budget).run();
}

Open without_detours(Open open) {
  constexpr std::uint32_t kNothing = UINT32_MAX - 1;
  std::vector<std::uint32_t> next(open.states(), kNothing);  // by its only silent step
  std::vector<std::uint32_t> degree(open.states(), 0);
  for (const auto& step : open.steps) {
    ++degree[step.from];
    next[step.from] = open.moves[step.move].silent() ? step.to : kNothing;
  }
  const auto detour = [&](std::uint32_t s) { return degree[s] == 1 && next[s] != kNothing && next[s] != s; };
  const auto destination = [&](std::uint32_t s) {
    if (s == Open::kError) return s;
    std::set<std::uint32_t> seen;
    while (detour(s) && seen.insert(s).second) s = next[s];
    return s;  // of a ring of detours: one of its states, with its step
  };
  Open out;
  std::vector<std::uint32_t> numbers(open.states(), kNothing), order;
  const auto number = [&](std::uint32_t s) {
    if (s == Open::kError) return s;
    if (numbers[s] == kNothing) numbers[s] = static_cast<std::uint32_t>(order.size()), order.push_back(s);
    return numbers[s];
  };
  std::vector<std::vector<Open::Step>> by_state(open.states());
  for (const auto& step : open.steps) by_state[step.from].push_back(step);
  number(destination(0));
  for (std::uint32_t i = 0; i < order.size(); ++i)
    for (const auto& step : by_state[order[i]]) out.steps.push_back({i, step.move, number(destination(step.to))});
  for (const std::uint32_t s : order) {
    out.ended.push_back(open.ended[s]);
    out.frames.push_back(std::move(open.frames[s]));
  }
  out.moves = std::move(open.moves);
  return out;
}

}  // namespace surety::promela::net
