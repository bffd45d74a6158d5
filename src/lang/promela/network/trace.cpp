// trace { ... } and notrace { ... }: which sequences of messages are allowed.
//
// The machine's own watch (machine/watch.hpp) sees the events of every action, in each of
// its places. The property has no step for an action that the watch does not allow. Two
// kinds of blocks are refused: nondeterministic ones, of which pan complains at run time,
// and those that name a channel by a variable that changes.

#include <algorithm>
#include <set>

#include "lang/promela/network/properties.hpp"

namespace surety::promela::net {
namespace {

// Answers for the variables that no process changes.
class Constants final : public Outside {
 public:
  Constants(const System& system, const std::vector<JointTransition>& joints) : system_(system) {
    for (const JointTransition& joint : joints)
      for (const auto& [object, accesses] : joint.footprint) changing_.insert(object);
  }
  bool failed() const { return failed_; }

  std::int32_t load(std::uint32_t offset) override {
    const std::uint32_t slot = system_.slot_at[offset];
    failed_ |= changing_.contains(slot);
    return system_.initial[slot];
  }
  void store(std::uint32_t, std::int32_t) override { failed_ = true; }
  std::int32_t about(std::int32_t, Instruction::Op) override { return fail(); }
  bool has_message(std::int32_t, const Mask&, bool) override { return fail(); }
  void send(std::int32_t, const Message&, bool) override { failed_ = true; }
  void receive(std::int32_t, const Mask&, bool, bool, Message&) override { failed_ = true; }
  bool has_receiver(std::int32_t) override { return fail(); }
  void see(bool, std::int32_t, const Message&) override {}

 private:
  bool fail() {
    failed_ = true;
    return false;
  }
  const System& system_;
  std::set<std::uint32_t> changing_;
  bool failed_ = false;
};

}  // namespace

std::optional<Lts> trace_property(const System& system, std::uint32_t block,
                                  const std::vector<JointTransition>& joints) {
  Report report(*system.source);
  const Watch watch(*system.program, block, *system.compiler, report);
  if (report.failed()) return std::nullopt;
  Memory memory(*system.code);
  memory.open(system.start);
  Constants constants(system, joints);
  memory.outside = &constants;

  std::vector<Action> alphabet;
  std::vector<const JointTransition*> seen;
  for (const JointTransition& joint : joints) {
    const auto mentioned = [&](const Event& e) {
      return watch.mentions(memory, e.send, static_cast<std::int32_t>(e.channel) + 1);
    };
    if (!joint.breaks && std::ranges::none_of(joint.events, mentioned)) continue;
    alphabet.push_back(joint.action);
    seen.push_back(&joint);
  }
  // The states are the places of the watch, and one more for the end of everything after an error.
  const CompiledProcess& code = system.code->processes[block];
  const auto over = static_cast<std::uint32_t>(code.flow.places.size());
  std::vector<std::uint32_t> order{code.flow.start}, numbers(over + 1, UINT32_MAX);
  numbers[code.flow.start] = 0;
  LtsBuilder builder;
  builder.add_to_alphabet(Alphabet(std::move(alphabet)));
  for (std::uint32_t s = 0; s < order.size(); ++s)
    for (const JointTransition* joint : seen) {
      std::uint32_t next = over;
      if (order[s] != over) {
        memory.why = Why::nothing;
        store_place(memory.now + kWatch, order[s]);
        for (const Event& e : joint->events)
          if (memory.why == Why::nothing)
            watch.see(memory, e.send, static_cast<std::int32_t>(e.channel) + 1, e.message);
        if (memory.why == Why::no_event || memory.why == Why::all_events) continue;
        if (memory.why != Why::nothing || constants.failed()) return std::nullopt;
        if (!joint->breaks) next = load_place(memory.now + kWatch);
      }
      if (numbers[next] == UINT32_MAX) {
        numbers[next] = static_cast<std::uint32_t>(order.size());
        order.push_back(next);
      }
      builder.add_step(State{s}, joint->action, State{numbers[next]});
    }
  if (constants.failed()) return std::nullopt;
  builder.set_state_count(static_cast<std::uint32_t>(order.size()));
  return builder.build();
}

}  // namespace surety::promela::net
