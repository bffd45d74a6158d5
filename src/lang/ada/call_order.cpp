#include "lang/ada/call_order.hpp"

namespace surety::ada {
namespace {

class CallOrderBuilder {
 public:
  CallOrderBuilder(const flow::Program& program, std::uint32_t object, std::uint32_t number, const TaskGraph& task)
      : task_(task), of_(task.transitions.size(), false), first_(task.states.size() + 1, 0) {
    const std::uint32_t master = program.objects[object].master;
    for (std::size_t t = 0; t < task.transitions.size(); ++t) {
      const Transition& x = task.transitions[t];
      of_[t] = (x.kind == Transition::Kind::operation && program.operations[x.object].object == object) ||
               (x.kind == Transition::Kind::begin && x.object == master && program.masters[master].task == number);
    }
    for (const auto& e : task.edges) ++first_[e.from + 1];
    for (std::size_t s = 0; s < task.states.size(); ++s) first_[s + 1] += first_[s];
    order_.resize(task.edges.size());
    auto next = first_;
    for (std::uint32_t e = 0; e < task.edges.size(); ++e) order_[next[task.edges[e].from]++] = e;
    asks_.resize(task.states.size());
    for (const auto& ask : task.asks)
      if (program.operations[ask.operation].object == object) asks_[ask.state].push_back(&ask);
  }

  std::optional<CallOrder> run() {
    constexpr std::size_t kMostSets = 20'000;
    CallOrder out;
    sets_[close({0})] = 0;
    list_.push_back(&sets_.begin()->first);
    for (std::uint32_t i = 0; i < list_.size(); ++i) {
      if (list_.size() > kMostSets) return std::nullopt;
      std::map<CallOrder::Call, std::set<std::uint32_t>> next;
      std::set<std::pair<std::uint32_t, Values>> asked;
      for (const std::uint32_t s : *list_[i])
        for (std::uint32_t k = first_[s]; k < first_[s + 1]; ++k) {
          const auto& edge = task_.edges[order_[k]];
          if (!of_[edge.transition]) continue;
          const Transition& x = task_.transitions[edge.transition];
          const bool begins = x.kind == Transition::Kind::begin;
          next[{begins ? flow::kNone : x.object, x.values, x.outcome}].insert(edge.to);
        }
      for (const std::uint32_t s : *list_[i])
        for (const auto* ask : asks_[s]) asked.insert({ask->operation, ask->values});
      out.asked.push_back(std::move(asked));
      auto& steps = out.steps.emplace_back();
      for (auto& [call, states] : next) {
        const auto [at, fresh] = sets_.try_emplace(close(std::move(states)), static_cast<std::uint32_t>(sets_.size()));
        if (fresh) list_.push_back(&at->first);
        steps[call] = at->second;
      }
    }
    return out;
  }

 private:
  std::set<std::uint32_t> close(std::set<std::uint32_t> states) const {
    std::vector<std::uint32_t> open(states.begin(), states.end());
    while (!open.empty()) {
      const std::uint32_t s = open.back();
      open.pop_back();
      for (std::uint32_t k = first_[s]; k < first_[s + 1]; ++k) {
        const auto& edge = task_.edges[order_[k]];
        if (!of_[edge.transition] && states.insert(edge.to).second) open.push_back(edge.to);
      }
    }
    return states;
  }

  const TaskGraph& task_;
  std::vector<bool> of_;  // by transition: it is a call of the object
  std::vector<std::uint32_t> first_, order_;
  std::vector<std::vector<const TaskGraph::Ask*>> asks_;  // by state
  std::map<std::set<std::uint32_t>, std::uint32_t> sets_;
  std::vector<const std::set<std::uint32_t>*> list_;
};

}  // namespace

std::optional<CallOrder> call_order(const flow::Program& program, std::uint32_t object, std::uint32_t task,
                                    const TaskGraph& graph) {
  return CallOrderBuilder(program, object, task, graph).run();
}

CallOrder merged(const CallOrder& from) {
  using Signature = std::pair<std::set<CallOrder::Call>, std::set<std::pair<std::uint32_t, Values>>>;
  std::map<Signature, std::uint32_t> classes;
  std::vector<std::uint32_t> class_of;
  for (std::size_t s = 0; s < from.steps.size(); ++s) {
    Signature signature{{}, from.asked[s]};
    for (const auto& [call, to] : from.steps[s]) signature.first.insert(call);
    class_of.push_back(
        classes.try_emplace(std::move(signature), static_cast<std::uint32_t>(classes.size())).first->second);
  }
  std::vector<std::map<CallOrder::Call, std::set<std::uint32_t>>> steps(classes.size());
  for (std::size_t s = 0; s < from.steps.size(); ++s)
    for (const auto& [call, to] : from.steps[s]) steps[class_of[s]][call].insert(class_of[to]);
  std::vector<const std::set<std::pair<std::uint32_t, Values>>*> asked(classes.size());
  for (const auto& [signature, number] : classes) asked[number] = &signature.second;
  CallOrder out;
  std::map<std::set<std::uint32_t>, std::uint32_t> sets{{{class_of[0]}, 0}};
  std::vector<std::set<std::uint32_t>> list{{class_of[0]}};
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::map<CallOrder::Call, std::set<std::uint32_t>> next;
    out.asked.emplace_back();
    for (const std::uint32_t c : list[i]) {
      out.asked[i].insert(asked[c]->begin(), asked[c]->end());
      for (const auto& [call, to] : steps[c]) next[call].insert(to.begin(), to.end());
    }
    out.steps.emplace_back();
    for (auto& [call, to] : next) {
      const auto [at, fresh] = sets.try_emplace(to, static_cast<std::uint32_t>(sets.size()));
      if (fresh) list.push_back(to);
      out.steps[i][call] = at->second;
    }
  }
  return out;
}

}  // namespace surety::ada
