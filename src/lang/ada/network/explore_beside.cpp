#include <algorithm>
#include <memory>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include "lang/ada/network/explore.hpp"
#include "lang/ada/network/stepwise.hpp"
#include "lang/ada/network/task_order.hpp"
#include "model/lts.hpp"
#include "model/minimise.hpp"
#include "model/sequence_table.hpp"

namespace surety::ada {
namespace {

using Kind = Transition::Kind;
using Letter = std::tuple<Kind, std::uint32_t, Values>;  // the caller's kind of transition, entry, values
using Order = TaskOrder<Letter>;

constexpr std::size_t kMostSets = 20'000;  // states of the order of another task

// Who can be on the other side of a rendezvous.
struct Partners {
  Letter letter;
  std::set<std::uint32_t> tasks;  // none: it is no rendezvous
};

Partners partners(const flow::Program& program, const Environment& environment, const Transition& x) {
  switch (x.kind) {
    case Kind::call:
    case Kind::call_end:
    case Kind::call_raised: return {{x.kind, x.object, x.values}, {program.entries[x.object].task}};
    case Kind::accept: {
      const auto callers = environment.calls[x.object].find(x.values);
      if (callers == environment.calls[x.object].end()) return {};
      return {{Kind::call, x.object, x.values}, callers->second};
    }
    case Kind::accept_end:
    case Kind::accept_raised: {
      Partners out{{x.kind == Kind::accept_end ? Kind::call_end : Kind::call_raised, x.object, x.values}, {}};
      for (const auto& [values, callers] : environment.calls[x.object])
        out.tasks.insert(callers.begin(), callers.end());
      return out;
    }
    default: return {};
  }
}

// Where it is, is a state of the task and one of each order that has several. Their number should be in proportion to
// that of the states: if it is not, the others do much that the task does not know of, and are no help.
class BesideExplorer {
 public:
  BesideExplorer(const flow::Program& program, std::uint32_t task, const std::vector<std::uint32_t>& others,
                 Environment& environment, Budget& budget, TaskGraph& out)
      : program_(program),
        others_(others),
        environment_(environment),
        budget_(budget),
        out_(out),
        task_(stepwise_task(program, task, environment, budget, out)),
        number_(task) {}

  bool run(const std::vector<TaskGraph>& graphs) {
    for (const std::uint32_t other : others_)
      if (!add_order(graphs[other])) return false;
    task_->begin();
    if (out_.states.empty()) return true;
    met_.intern(Values(1 + places_.size(), 0));
    for (std::uint32_t i = 0; i < met_.size(); ++i) {
      if (((i & 63) == 0 && !budget_.go_on()) || is_too_many()) return false;
      now_.assign(met_[i].begin(), met_[i].end());
      if (!step(static_cast<std::uint32_t>(now_[0]))) return false;
    }
    keep_used();
    return true;
  }

 private:
  struct Meeting {
    Letter letter;
    bool alone = true;                // it is possible without the others
    std::vector<std::size_t> others;  // that it is possible with
  };
  struct Known {        // of a state
    bool first = true;  // nothing yet
    std::vector<std::uint32_t> edges;
    std::vector<std::uint32_t> calls;  // that were expanded
  };

  bool is_too_many() const {
    return met_.size() > 20'000 + 4ULL * out_.states.size() || met_.size() > environment_.most_states;
  }

  bool add_order(const TaskGraph& graph) {
    std::vector<Concern<Letter>> concerns;
    for (const Transition& x : graph.transitions) {
      Partners with = partners(program_, environment_, x);
      const bool concerned = with.tasks.contains(number_);
      auto& concern = concerns.emplace_back();
      concern.without = !concerned || with.tasks.size() > 1;
      if (concerned) concern.letter = std::move(with.letter);
    }
    auto order = task_order(graph, concerns, kMostSets);
    if (!order) return false;
    merge(*order);
    if (order->steps.size() > 1) places_.emplace(orders_.size(), 1 + places_.size());
    orders_.push_back(std::move(*order));
    return true;
  }

  // States of an order after which the same can follow are one.
  static void merge(Order& order) {
    std::map<Letter, Action> actions;
    LtsBuilder builder;
    builder.set_state_count(static_cast<std::uint32_t>(order.steps.size()));
    for (std::uint32_t s = 0; s < order.steps.size(); ++s)
      for (const auto& [letter, to] : order.steps[s])
        builder.add_step(State{s},
                         actions.try_emplace(letter, static_cast<std::uint32_t>(1 + actions.size())).first->second,
                         State{to});
    const auto classes = strong_classes(builder.build());
    std::uint32_t count = 0;
    for (std::uint32_t s = 0; s < classes.size(); ++s)
      if (classes[s] == count) {
        auto steps = std::move(order.steps[s]);
        for (auto& [letter, to] : steps) to = classes[to];
        order.steps[count++] = std::move(steps);
      }
    order.steps.resize(count);
  }

  // False: it is refused.
  bool step(std::uint32_t s) {
    known_.resize(out_.states.size());
    const std::size_t before = out_.edges.size();
    task_->expand_state(
        s, [&](std::uint32_t entry, const Values& values) { return is_new_call(s, entry, values); },
        !std::exchange(known_[s].first, false));
    known_.resize(out_.states.size());
    known_[s].calls.insert(known_[s].calls.end(), new_calls_.begin(), new_calls_.end());
    new_calls_.clear();
    for (std::size_t e = before; e < out_.edges.size(); ++e) known_[s].edges.push_back(static_cast<std::uint32_t>(e));
    used_.resize(out_.edges.size(), false);
    while (meetings_.size() < out_.transitions.size()) meetings_.push_back(meeting(out_.transitions[meetings_.size()]));
    for (const std::uint32_t e : known_[s].edges) {
      const Meeting& meeting = meetings_[out_.edges[e].transition];
      if (meeting.alone) go(e, 0, 0);
      for (const std::size_t i : meeting.others)
        if (const auto next = after(i, meeting.letter)) go(e, place(i), *next);
    }
    return !task_->refused();
  }

  // A caller makes it now, and it was not expanded in this state before.
  bool is_new_call(std::uint32_t s, std::uint32_t entry, const Values& values) {
    const auto [at, fresh] = calls_.try_emplace({entry, values});
    if (fresh) at->second = {static_cast<std::uint32_t>(calls_.size()), meeting({Kind::accept, entry, values, {}, 0})};
    const auto number = at->second.first;
    const Meeting& met = at->second.second;
    if (!met.alone && std::ranges::none_of(met.others, [&](std::size_t i) { return after(i, met.letter).has_value(); }))
      return false;
    const auto& known = known_[s].calls;
    if (std::ranges::find(known, number) != known.end()) return false;
    new_calls_.insert(number);  // it counts only afterwards: several alternatives may accept it
    return true;
  }

  Meeting meeting(const Transition& x) const {
    Partners with = partners(program_, environment_, x);
    Meeting out{std::move(with.letter), with.tasks.empty(), {}};
    for (std::size_t i = 0; i < others_.size(); ++i)
      if (with.tasks.contains(others_[i])) out.others.push_back(i);
    out.alone = out.alone || out.others.size() < with.tasks.size();
    return out;
  }

  // Where the state of an order is; 0: it has but one.
  std::size_t place(std::size_t order) const {
    const auto found = places_.find(order);
    return found == places_.end() ? 0 : found->second;
  }
  std::optional<std::uint32_t> after(std::size_t order, const Letter& letter) const {
    const std::size_t at = place(order);
    const auto& steps = orders_[order].steps[at == 0 ? 0 : static_cast<std::size_t>(now_[at])];
    const auto found = steps.find(letter);
    return found == steps.end() ? std::nullopt : std::optional(found->second);
  }

  // Along an edge, and one of the others to a state; place 0: none of them.
  void go(std::uint32_t edge, std::size_t place, std::uint32_t state) {
    used_[edge] = true;
    Values next = now_;
    if (place > 0) next[place] = state;
    next[0] = out_.edges[edge].to;
    met_.intern(next);
  }

  void keep_used() {
    known_.resize(out_.states.size());
    std::vector<std::uint32_t> numbers(out_.states.size(), flow::kNone);
    std::uint32_t states = 0;
    for (std::uint32_t s = 0; s < numbers.size(); ++s)
      if (!known_[s].first) {
        out_.states[states] = out_.states[s];
        numbers[s] = states++;
      }
    out_.states.resize(states);
    std::vector<std::uint32_t> transition(out_.transitions.size(), flow::kNone);
    std::vector<Transition> transitions;
    std::size_t edges = 0;
    for (std::size_t e = 0; e < out_.edges.size(); ++e) {
      if (!used_[e]) continue;
      const TaskGraph::Edge& edge = out_.edges[e];
      std::uint32_t& t = transition[edge.transition];
      if (t == flow::kNone) {
        t = static_cast<std::uint32_t>(transitions.size());
        transitions.push_back(std::move(out_.transitions[edge.transition]));
      }
      out_.edges[edges++] = {numbers[edge.from], t, numbers[edge.to]};
    }
    out_.edges.resize(edges);
    out_.transitions = std::move(transitions);
    for (TaskGraph::Ask& ask : out_.asks) ask.state = numbers[ask.state];
  }

  const flow::Program& program_;
  const std::vector<std::uint32_t>& others_;
  Environment& environment_;
  Budget& budget_;
  TaskGraph& out_;
  const std::unique_ptr<StepwiseTask> task_;
  const std::uint32_t number_;
  std::vector<Order> orders_;
  std::map<std::size_t, std::size_t> places_;                                            // by order: where its state is
  std::vector<Known> known_;                                                             // by state
  std::map<std::pair<std::uint32_t, Values>, std::pair<std::uint32_t, Meeting>> calls_;  // by entry and values
  std::vector<bool> used_;                                                               // by edge
  std::vector<Meeting> meetings_;                                                        // by transition
  std::set<std::uint32_t> new_calls_;
  SequenceTableOf<Value, std::span<const Value>> met_;
  Values now_;
};

}  // namespace

bool explore_beside(const flow::Program& program, std::uint32_t task, const std::vector<std::uint32_t>& others,
                    const std::vector<TaskGraph>& graphs, Environment& environment, Budget& budget, TaskGraph& out) {
  return BesideExplorer(program, task, others, environment, budget, out).run(graphs);
}

}  // namespace surety::ada
