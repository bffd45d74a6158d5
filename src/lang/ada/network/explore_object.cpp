#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "lang/ada/flow/execute.hpp"
#include "lang/ada/network/call_order.hpp"
#include "lang/ada/network/explore.hpp"
#include "lang/ada/network/stepwise.hpp"
#include "lang/ada/network/value_count.hpp"
#include "model/sequence_table.hpp"

namespace surety::ada {
namespace {

using flow::kNone;
using flow::kOpaque;
using flow::kUnset;
using flow::Node;
using StateTable = SequenceTableOf<Value, std::span<const Value>>;

constexpr std::uint32_t kMostAlone = 5'000;       // states of an object without its callers
constexpr std::uint32_t kManyTogether = 30'000;   // states of an object with them, before their calls are simplified
constexpr std::uint32_t kMostTogether = 300'000;  // states of an object with them

constexpr std::uint64_t kMostTries = 3'000'000;  // of calls with outcomes, of an object with its callers

// Calls wait in queues that can be seen.
bool can_see_queues(const flow::Program& program, std::uint32_t object) {
  return std::ranges::any_of(program.operations,
                             [&](const flow::Operation& o) { return o.object == object && o.count != kNone; });
}

class ObjectExplorer final : public StepwiseObject {
 public:
  ObjectExplorer(const flow::Program& program, std::uint32_t object, Environment& environment, Budget& budget,
                 ObjectGraph& out)
      : program_(program),
        object_(object),
        slots_(slots_of(program.objects[object])),
        environment_(environment),
        budget_(budget),
        out_(out),
        queues_(can_see_queues(program, object)) {
    for (const flow::Slot& slot : program.slots) memory_.push_back(slot.initial);
    out_ = {};
  }

  std::optional<Refusal> alone(std::uint32_t most) {
    number();
    for (std::uint32_t s = 0; s < out_.states.size() && !refusal_; ++s) {
      if (!budget_.go_on()) return over_budget();
      if (out_.states.size() > most) return std::nullopt;
      outside(s);
      make_anew(s);
      if (queues_) {
        steps_with_queues(s);
        continue;
      }
      for (std::uint32_t o = 0; o < program_.operations.size(); ++o)
        if (program_.operations[o].object == object_) operate(s, o);
    }
    complete_ = true;
    return refusal_;
  }
  bool complete() const { return complete_; }

  // True: there were at most so many states, or it is refused.
  bool together(const std::vector<CallOrder>& callers, std::uint32_t most) {
    out_ = {};
    known_.clear();
    closed_.clear();
    for (const std::uint32_t slot : slots_) memory_[slot] = program_.slots[slot].initial;
    StateTable met;
    Values now(1 + callers.size(), 0);
    now[0] = number();
    met.intern(now);
    std::uint64_t tries = 0;
    for (std::uint32_t i = 0; i < met.size() && !refusal_; ++i) {
      if ((i & 63) == 0 && !budget_.go_on()) {
        refusal_ = over_budget();
        return true;
      }
      if (met.size() > most || tries > kMostTries) return false;
      now.assign(met[i].begin(), met[i].end());
      const auto s = static_cast<std::uint32_t>(now[0]);
      for (std::size_t c = 0; c < callers.size(); ++c) {
        const auto& ways = callers[c].steps[static_cast<std::size_t>(now[1 + c])];
        for (const auto& [operation, parameters] : callers[c].asked[static_cast<std::size_t>(now[1 + c])])
          ask(s, operation, parameters);
        tries += ways.size();
        for (const auto& [step, to] : ways) {
          if (step.operation == kNone) {
            Values next = now;
            next[0] = 0;
            next[1 + c] = to;
            met.intern(next);
            continue;
          }
          const auto found = known_.find({s, step.operation, step.values});
          if (found == known_.end()) continue;
          for (const auto& [outcome, after] : found->second) {
            if (outcome != step.outcome) continue;
            Values next = now;
            next[0] = after;
            next[1 + c] = to;
            met.intern(next);
          }
        }
      }
    }
    return true;
  }
  const std::optional<Refusal>& refusal() const { return refusal_; }

  Refusal too_many() const {
    ValueCount count;
    for (const Values& state : out_.states)
      for (std::size_t i = 0; i < slots_.size(); ++i) count.add(slots_[i], state[i]);
    return {fmt::format("{} has too many states", program_.objects[object_].name), "give its variables smaller ranges",
            program_.objects[object_].place, count.largest(program_)};
  }

  void begin() override { number(); }
  const Ways& ways(std::uint32_t state, std::uint32_t operation, const Values& parameters) override {
    ask(state, operation, parameters);
    return known_.at({state, operation, parameters});
  }
  bool closed(std::uint32_t state, std::uint32_t operation) const override {
    return closed_.contains({state, operation});
  }
  bool refused() const override { return refusal_.has_value(); }
  bool has_queues() const override { return queues_; }
  const std::vector<ObjectGraph::Edge>& steps(std::uint32_t state) override {
    if (stepped_.size() <= state) stepped_.resize(state + 1);
    if (stepped_[state].first != environment_.changes) {
      out_.edges.clear();
      steps_with_queues(state);
      stepped_[state] = {environment_.changes, std::move(out_.edges)};
    }
    return stepped_[state].second;
  }
  Value outside_value(std::uint32_t state, std::uint32_t slot) const override {
    return out_.states[state][static_cast<std::size_t>(std::ranges::find(slots_, slot) - slots_.begin())];
  }
  std::uint32_t with_value(std::uint32_t state, std::uint32_t slot, Value value) override {
    restore(state);
    memory_[slot] = value;
    return number();
  }
  std::uint32_t made_anew(std::uint32_t state) override {
    restore(state);
    for (const std::uint32_t slot : program_.objects[object_].slots) memory_[slot] = program_.slots[slot].initial;
    return number();
  }
  void finish() override {
    for (auto& [when, edges] : stepped_) out_.edges.insert(out_.edges.end(), edges.begin(), edges.end());
    stepped_.clear();
  }

 private:
  struct Waiting {
    std::uint32_t operation, caller;
    Values values;
  };

  // What an operation does in a state, once.
  void ask(std::uint32_t s, std::uint32_t o, const Values& parameters) {
    const auto [at, fresh] = known_.try_emplace({s, o, parameters});
    if (!fresh) return;
    const std::size_t before = out_.edges.size();
    bool closed = false;
    operate(s, o, parameters, closed);
    for (std::size_t e = before; e < out_.edges.size(); ++e)
      at->second.push_back({out_.edges[e].outcome, out_.edges[e].to});
    if (closed && closed_.insert({s, o}).second) out_.edges.push_back({s, o, {}, {}, true, s});
  }

  std::uint32_t number() {
    Values values;
    for (const std::uint32_t slot : slots_) {
      if (environment_.forgotten[slot]) memory_[slot] = kOpaque;
      values.push_back(memory_[slot]);
    }
    for (const Waiting& w : queue_) {
      values.insert(values.end(), {w.operation, w.caller, static_cast<Value>(w.values.size())});
      values.insert(values.end(), w.values.begin(), w.values.end());
    }
    for (const std::uint32_t slot : program_.objects[object_].outside)
      if (memory_[slot] != kUnset) environment_.add(environment_.values[slot], memory_[slot]);
    const auto [at, fresh] =
        out_.numbers.try_emplace(std::move(values), static_cast<std::uint32_t>(out_.states.size()));
    if (fresh) out_.states.push_back(at->first);
    return at->second;
  }

  // What tasks do to the variables that are kept with it.
  void outside(std::uint32_t s) {
    for (const std::uint32_t slot : program_.objects[object_].outside) {
      const auto become = [&](Value value) {
        restore(s);
        memory_[slot] = value;
        number();
      };
      restore(s);
      const bool any = memory_[slot] == kUnset && is_free(program_.slots[slot]);
      const std::set<Value> written = environment_.written[slot];
      for (const Value v : written) become(v);
      for (Value v = program_.slots[slot].low; any && v <= program_.slots[slot].high; ++v) become(v);
    }
  }

  void make_anew(std::uint32_t s) {
    if (program_.objects[object_].master != 0) made_anew(s);
  }

  void restore(std::uint32_t s) {
    const Values& state = out_.states[s];
    for (std::size_t i = 0; i < slots_.size(); ++i) memory_[slots_[i]] = state[i];
    queue_.clear();
    for (std::size_t i = slots_.size(); i < state.size();) {
      Waiting w{static_cast<std::uint32_t>(state[i]), static_cast<std::uint32_t>(state[i + 1]), {}};
      const auto first = state.begin() + static_cast<std::ptrdiff_t>(i) + 3;
      w.values.assign(first, first + state[i + 2]);
      i += 3 + w.values.size();
      queue_.push_back(std::move(w));
    }
    set_counts();
  }

  void restore(std::uint32_t s, std::uint32_t o, const Values& parameters) {
    const flow::Operation& operation = program_.operations[o];
    restore(s);
    for (const std::uint32_t slot : operation.out) memory_[slot] = kUnset;
    for (std::size_t i = 0; i < operation.in.size() && i < parameters.size(); ++i)
      memory_[operation.in[i]] = parameters[i];
  }

  void operate(std::uint32_t s, std::uint32_t o) {
    bool closed = false;
    const std::set<Values> asked = environment_.asked[o];
    for (const Values& parameters : asked) operate(s, o, parameters, closed);
    if (closed) out_.edges.push_back({s, o, {}, {}, true, s});
  }

  void operate(std::uint32_t s, std::uint32_t o, const Values& parameters, bool& closed) {
    restore(s, o, parameters);
    const Barrier barrier = look_at_barrier(o);
    closed = closed || barrier.closed;
    if (barrier.fails) add(s, o, parameters, flow::program_error);  // ARM 9.5.3(7)
    if (barrier.open) execute(s, o, parameters);
  }

  struct Barrier {
    bool open = false, closed = false, fails = false;
  };
  Barrier look_at_barrier(std::uint32_t o) {
    const flow::Operation& operation = program_.operations[o];
    Barrier out;
    out.open = operation.barrier.nodes.empty();
    if (out.open) return out;
    const auto saved = memory_;
    follow(operation.barrier, operation.barrier.start, [&](std::uint32_t exception) {
      const Value v = memory_[operation.open];
      out.fails = out.fails || exception != kNone;
      out.open = out.open || (exception == kNone && v != 0);
      out.closed = out.closed || (exception == kNone && (v == 0 || v == kOpaque));
    });
    memory_ = saved;
    return out;
  }

  void execute(std::uint32_t s, std::uint32_t o, const Values& parameters) {
    const flow::Operation& operation = program_.operations[o];
    opaque_ = false;
    follow(operation.body, operation.body.start, [&](std::uint32_t exception) { add(s, o, parameters, exception); });
  }

  // ---- queues

  // As long as a call that waits has an open barrier, only such calls are served (ARM 9.5.3(15)); of one entry in the
  // order in which they came.
  void steps_with_queues(std::uint32_t s) {
    restore(s);
    const std::vector<Waiting> waiting = queue_;
    std::set<std::uint32_t> tried;
    bool served = false;
    for (std::size_t i = 0; i < waiting.size() && !refusal_; ++i)
      if (tried.insert(waiting[i].operation).second) served = serve(s, i, waiting[i]) || served;
    if (served) return;
    for (std::uint32_t o = 0; o < program_.operations.size(); ++o) {
      if (program_.operations[o].object != object_) continue;
      const auto askers = environment_.askers[o];
      for (const auto& [parameters, callers] : askers)
        for (const std::uint32_t caller : callers)
          if (std::ranges::none_of(waiting, [&](const Waiting& w) { return w.caller == caller; }))
            arrive(s, o, parameters, caller);
    }
    caller_ = kNone;
  }

  bool serve(std::uint32_t s, std::size_t place, const Waiting& call) {
    caller_ = call.caller;
    restore(s, call.operation, call.values);
    const Barrier barrier = look_at_barrier(call.operation);
    queue_.erase(queue_.begin() + static_cast<std::ptrdiff_t>(place));
    set_counts();
    if (barrier.fails) add(s, call.operation, call.values, flow::program_error);
    if (barrier.open) execute(s, call.operation, call.values);
    return barrier.fails || (barrier.open && !barrier.closed);
  }

  void arrive(std::uint32_t s, std::uint32_t o, const Values& parameters, std::uint32_t caller) {
    bool closed = false;
    caller_ = caller;
    operate(s, o, parameters, closed);
    if (!closed) return;
    restore(s);
    queue_.push_back({o, caller, parameters});
    out_.edges.push_back({s, o, parameters, {}, false, number(), caller, true});
  }

  void set_counts() {
    for (std::uint32_t o = 0; o < program_.operations.size(); ++o)
      if (const flow::Operation& operation = program_.operations[o]; operation.object == object_ && queues_)
        memory_[operation.count] = std::ranges::count(queue_, o, &Waiting::operation);
  }

  // The operation ends with what is in the memory now.
  void add(std::uint32_t s, std::uint32_t o, const Values& parameters, std::uint32_t exception) {
    Outcome outcome;
    outcome.exception = exception;
    outcome.opaque = opaque_;
    for (const std::uint32_t slot : program_.operations[o].out)
      outcome.results.push_back(memory_[slot] == kUnset ? kOpaque : memory_[slot]);
    if (exception != kNone) outcome.results.clear();
    auto& known = environment_.outcomes[o][parameters];
    environment_.add(known, outcome);
    out_.edges.push_back({s, o, parameters, std::move(outcome), false, number(), caller_});
  }

  // All ways through a body; `done` is told of the exception at each end, or kNone.
  template <class Done>
  void follow(const flow::Graph& graph, std::uint32_t node, const Done& done, int depth = 0) {
    const Stop stop = ada::run(graph, node, memory_, 1'000'000, [](std::uint32_t) { return false; });
    if (refusal_) return;
    const Node& n = graph.nodes[stop.node];
    if (stop.kind == Stop::Kind::raised) return done(stop.exception);
    if (stop.kind == Stop::Kind::visible && n.kind == Node::Kind::complete) return done(kNone);
    if (stop.kind == Stop::Kind::long_run || depth > 1000) {
      refusal_ = Refusal{"a protected operation does not end", {}, n.place};
      return;
    }
    if (stop.kind == Stop::Kind::visible) {
      refusal_ = Refusal{"a protected operation must not wait", {}, n.place};
      return;
    }
    const std::vector<Value> saved = memory_;
    const auto with = [&](std::uint32_t slot, Value low, Value high, std::uint32_t next) {
      for (Value v = low; v <= high && !refusal_; ++v) {
        memory_ = saved;
        memory_[slot] = v;
        follow(graph, next, done, depth + 1);
      }
    };
    if (stop.slot != kNone) {
      const flow::Slot& slot = program_.slots[stop.slot];
      if (!is_free(slot)) {
        refusal_ = Refusal{fmt::format("{} is read before it has a value", slot.name), {}, n.place};
        return;
      }
      return with(stop.slot, slot.low, slot.high, stop.node);
    }
    if (n.kind == Node::Kind::choose) return with(n.target, n.low, n.high, n.next);
    const bool before = opaque_;
    opaque_ = true;
    if (n.kind == Node::Kind::branch) {
      follow(graph, n.next, done, depth + 1);
      memory_ = saved;
      opaque_ = true;
      follow(graph, n.other, done, depth + 1);
    } else {
      refusal_ = Refusal{"an index here is not modelled", {}, n.place};
    }
    opaque_ = before;
  }

  const flow::Program& program_;
  const std::uint32_t object_;
  const std::vector<std::uint32_t> slots_;
  Environment& environment_;
  Budget& budget_;
  ObjectGraph& out_;
  const bool queues_;
  std::vector<Waiting> queue_;
  std::uint32_t caller_ = kNone;
  std::vector<Value> memory_;
  std::map<std::tuple<std::uint32_t, std::uint32_t, Values>, std::vector<std::pair<Outcome, std::uint32_t>>> known_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> closed_;  // edges of states and operations that are there
  std::optional<Refusal> refusal_;
  // By state: its steps, and when they were found.
  std::vector<std::pair<std::uint64_t, std::vector<ObjectGraph::Edge>>> stepped_;
  bool opaque_ = false;
  bool complete_ = false;
};

}  // namespace

std::optional<Refusal> explore_object(const flow::Program& program, std::uint32_t object,
                                      const std::vector<TaskGraph>& tasks, Environment& environment, Budget& budget,
                                      ObjectGraph& out) {
  ObjectExplorer explorer(program, object, environment, budget, out);
  {
    // What is found here counts only if it is all.
    Environment before = environment;
    // Neither variables outside nor queues are in the order of calls.
    const bool more = !program.objects[object].outside.empty() || can_see_queues(program, object);
    if (auto refusal = explorer.alone(more ? kMostTogether : kMostAlone)) return refusal;
    if (explorer.complete()) return std::nullopt;
    if (more) return explorer.too_many();
    environment = std::move(before);
  }
  std::vector<CallOrder> callers;
  for (std::uint32_t t = 0; t < tasks.size(); ++t) {
    auto order = call_order(program, object, t, tasks[t]);
    if (!order) return explorer.too_many();
    callers.push_back(std::move(*order));
  }
  if (explorer.together(callers, kManyTogether)) return explorer.refusal();
  for (CallOrder& order : callers) order = merged(order);
  return explorer.together(callers, kMostTogether) ? explorer.refusal() : explorer.too_many();
}

std::unique_ptr<StepwiseObject> stepwise_object(const flow::Program& program, std::uint32_t object,
                                                Environment& environment, Budget& budget, ObjectGraph& out) {
  return std::make_unique<ObjectExplorer>(program, object, environment, budget, out);
}

}  // namespace surety::ada
