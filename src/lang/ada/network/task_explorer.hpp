// One task, explored alone: its states are a node and the values that are still read, and what it hears of the others
// is in the environment. Values and calls that it finds go there, so that the others are explored again.
#pragma once

#include <fmt/format.h>

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "lang/ada/flow/execute.hpp"
#include "lang/ada/network/liveness.hpp"
#include "lang/ada/network/stepwise.hpp"
#include "model/sequence_table.hpp"

namespace surety::ada {

class TaskExplorer final : public StepwiseTask {
 public:
  TaskExplorer(const flow::Program& program, std::uint32_t task, Environment& environment, Budget& budget,
               TaskGraph& out)
      : program_(program),
        graph_(program.tasks[task].graph),
        task_(task),
        environment_(environment),
        budget_(budget),
        out_(out),
        live_(live_slots(graph_, [&](std::uint32_t s) { return is_own(s); })) {
    for (const flow::Slot& slot : program.slots) memory_.push_back(slot.initial);
    out_ = {};
  }

  std::optional<Refusal> run();
  void begin() override;
  void expand_state(std::uint32_t s) override;
  void expand_state(std::uint32_t s, const Wanted& wanted, bool calls_only) override;
  bool refused() const override { return refusal_.has_value(); }

 private:
  std::vector<std::uint32_t> forgettable() const;
  void refuse_many(std::string message, std::string hint, std::uint32_t place, std::vector<std::uint32_t> slots = {});
  bool is_own(std::uint32_t slot) const;
  bool is_shared(std::uint32_t slot) const { return environment_.use[slot].shared(); }

  std::string most_values() const { return fmt::format("{}", fmt::group_digits(environment_.most_values)); }
  void refuse(std::string message, std::string hint, std::uint32_t place) {
    if (!refusal_) refusal_ = Refusal{std::move(message), std::move(hint), place};
  }

  // ---- states (explore_task.cpp)

  std::uint32_t number(TaskGraph::Mode mode, std::uint32_t node, Value exception);
  void add_edge(const std::optional<Transition>& transition, std::uint32_t to);
  void enter(std::uint32_t node, const std::optional<Transition>& transition);
  bool is_end_of_body(const flow::Node& n) const {
    return n.kind == flow::Node::Kind::end && program_.masters[n.first].body;
  }

  void raise(std::uint32_t node, std::uint32_t exception, const Transition& transition);
  void restore(std::uint32_t s);
  void expand(std::uint32_t s);

  // ---- masters

  void ends(std::uint32_t master, std::uint32_t place);
  void dormant();
  void await_activation(std::uint32_t s, std::uint32_t node);

  // ---- steps

  void step(std::uint32_t s, std::uint32_t node);
  void unset_or_silent(std::uint32_t s, std::uint32_t node, const Result& r);
  void any_value(std::uint32_t s, std::uint32_t node, std::uint32_t slot);
  bool all(const std::vector<flow::Code>& codes, Values& out, std::uint32_t s, std::uint32_t node);
  void access(std::uint32_t s, std::uint32_t node);
  void write(std::uint32_t slot, Value value, std::uint32_t node);
  void forget(std::uint32_t slot, const flow::Node& n);
  void access_somewhere(std::uint32_t s, std::uint32_t node);

  // ---- communication (explore_calls.cpp)

  void alternative(std::uint32_t s, std::uint32_t node, const flow::Alternative& a);

  // ---- queues, and the state of other tasks

  void queue(std::uint32_t s, std::uint32_t node);
  void count(std::uint32_t s, std::uint32_t node);
  void wait_in_queue(std::uint32_t s, std::uint32_t node, const flow::Alternative& a);
  void status(std::uint32_t s, std::uint32_t node);
  void opaque_guard(std::uint32_t s, std::uint32_t node, std::uint32_t guard);
  std::optional<std::uint32_t> entry_of(const flow::Code& code, std::uint32_t s, std::uint32_t node);
  void accept(std::uint32_t s, std::uint32_t node, const flow::Alternative& a);
  void call(std::uint32_t s, std::uint32_t node, const flow::Alternative& a);
  bool can_be_gone(std::uint32_t callee) const { return environment_.completes[callee] && callee != task_; }
  void watch(std::uint32_t callee);
  void call_of_completed(std::uint32_t s, std::uint32_t node, std::uint32_t callee, std::uint32_t place);
  void await_end(std::uint32_t s, std::uint32_t node);
  void accept_end(std::uint32_t s, std::uint32_t node);
  void operation(std::uint32_t s, std::uint32_t node, const flow::Alternative& a);
  void otherwise(std::uint32_t s, std::uint32_t node, const flow::Alternative& a);

  const flow::Program& program_;
  const flow::Graph& graph_;
  const std::uint32_t task_;
  Environment& environment_;
  Budget& budget_;
  TaskGraph& out_;
  const std::vector<std::vector<std::uint32_t>> live_;
  std::vector<Value> memory_;
  SequenceTableOf<Value, std::span<const Value>> states_;  // mode, node, exception, live values
  Values key_;
  std::map<Transition, std::uint32_t> numbers_;
  std::uint32_t from_ = 0;
  const Wanted* wanted_ = nullptr;  // the calls that are accepted; all
  bool calls_only_ = false;         // nothing else is expanded
  std::optional<Refusal> refusal_;
  bool forgettable_ = true;  // some variable may have many values
  bool too_many_ = false;    // that is what is refused
};

}  // namespace surety::ada
