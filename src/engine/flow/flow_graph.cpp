#include "engine/flow/flow_graph.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace surety {
namespace {

using Number = std::uint32_t;  // of a node; 0 is where the task starts

class Refiner {
 public:
  Refiner(const Lts& graph, RefineBy rules)
      : rules_(rules), labels_(graph.state_count(), kTau), next_(graph.state_count()), before_(next_) {
    for (Number n = 0; n < graph.state_count(); ++n)
      for (const Step& step : graph.steps(State{n})) {
        labels_[step.target.value] = step.action;
        connect(n, step.target.value);
      }
    for (Number n = 1; n < labels_.size(); ++n)
      if (is_silent(n)) disconnect(n, n);
  }

  Lts run(const Alphabet& alphabet) {
    while (remove_inert() || join_equal()) {
    }
    return build(alphabet);
  }

 private:
  bool is_silent(Number n) const { return n != 0 && labels_[n] == kTau; }
  bool is_gone(Number n) const { return n != 0 && before_[n].empty(); }
  void connect(Number from, Number to) {
    next_[from].insert(to);
    before_[to].insert(from);
  }
  void disconnect(Number from, Number to) {
    next_[from].erase(to);
    before_[to].erase(from);
  }

  // Its predecessors get its successors.
  void remove(Number n) {
    const auto before = before_[n], next = next_[n];
    for (const Number b : before) disconnect(b, n);
    for (const Number m : next) disconnect(n, m);
    for (const Number b : before)
      for (const Number m : next)
        if (b != m || !is_silent(m)) connect(b, m);
  }

  bool is_only_choice(Number n) const {  // R1
    const auto only = [&](Number b) { return next_[b].size() == 1; };
    return std::ranges::all_of(before_[n], only) &&
           before_[n].size() * next_[n].size() <= before_[n].size() + next_[n].size();
  }
  bool is_only_way(Number n) const {  // R4
    return rules_ == RefineBy::r1_to_r4 && next_[n].size() == 1 && before_[*next_[n].begin()].size() == 1;
  }

  bool remove_inert() {
    bool changed = false;
    for (Number n = 1; n < labels_.size(); ++n)
      if (is_silent(n) && !is_gone(n) && (next_[n].empty() || is_only_choice(n) || is_only_way(n))) {
        remove(n);
        changed = true;
      }
    return changed;
  }

  bool join_equal() {  // R2
    bool changed = false;
    std::map<std::pair<std::set<Number>, std::set<Number>>, Number> first;
    for (Number n = 1; n < labels_.size(); ++n)
      if (is_silent(n) && !is_gone(n) && !first.try_emplace({before_[n], next_[n]}, n).second) {
        for (const Number b : std::set<Number>(before_[n])) disconnect(b, n);
        for (const Number m : std::set<Number>(next_[n])) disconnect(n, m);
        changed = true;
      }
    return changed;
  }

  Lts build(const Alphabet& alphabet) const {
    std::vector<Number> order{0}, number(labels_.size(), UINT32_MAX);
    number[0] = 0;
    LtsBuilder builder;
    for (Number i = 0; i < order.size(); ++i)
      for (const Number m : next_[order[i]]) {
        if (number[m] == UINT32_MAX) {
          number[m] = static_cast<Number>(order.size());
          order.push_back(m);
        }
        builder.add_step(State{i}, labels_[m], State{number[m]});
      }
    builder.set_state_count(static_cast<Number>(order.size()));
    builder.add_to_alphabet(alphabet);
    return builder.build();
  }

  RefineBy rules_;
  std::vector<Action> labels_;
  std::vector<std::set<Number>> next_, before_;
};

}  // namespace

Lts flow_graph(const Lts& lts, const Alphabet& visible) {
  std::map<std::pair<Action, State>, Number> numbers;
  std::vector<State> order{lts.initial()};  // by node: where it leads
  LtsBuilder builder;
  for (Number n = 0; n < order.size() && lts.state_count() != 0; ++n)
    for (const Step& step : lts.steps(order[n])) {
      const Action label = visible.contains(step.action) ? step.action : kTau;
      const auto [it, fresh] = numbers.try_emplace({label, step.target}, static_cast<Number>(order.size()));
      if (fresh) order.push_back(step.target);
      builder.add_step(State{n}, label, State{it->second});
    }
  builder.set_state_count(static_cast<Number>(order.size()));
  builder.add_to_alphabet(intersect(lts.alphabet(), visible));
  return builder.build();
}

Lts refine(const Lts& flow_graph, RefineBy rules) { return Refiner(flow_graph, rules).run(flow_graph.alphabet()); }

}  // namespace surety
