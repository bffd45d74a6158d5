#include "lang/ada/network/group_shared.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace surety::ada {
namespace {

using Part = AdaNetwork::Part;

bool is_shared(const Part& part) { return part.kind == Part::Kind::variable && !part.task; }

// By action: the tasks that have it.
using Tasks = std::map<Action, std::vector<std::size_t>>;

Tasks tasks_by_action(const AdaNetwork& ada) {
  Tasks out;
  for (const AdaNetwork::Task& task : ada.tasks)
    for (const Action a : ada.network.components[task.component].lts.alphabet()) out[a].push_back(task.component);
  return out;
}

std::vector<std::size_t> users(const Lts& variable, const Tasks& tasks) {
  std::set<std::size_t> out;
  for (const Action a : variable.alphabet())
    if (const auto found = tasks.find(a); found != tasks.end()) out.insert(found->second.begin(), found->second.end());
  return {out.begin(), out.end()};
}

// The members of all members, and for each state those of all of them.
AdaNetwork::Group joined(const std::vector<AdaNetwork::Group>& groups, const std::vector<std::size_t>& members,
                         const std::vector<std::vector<State>>& states) {
  AdaNetwork::Group out;
  for (const std::size_t m : members)
    out.members.insert(out.members.end(), groups[m].members.begin(), groups[m].members.end());
  for (const auto& tuple : states) {
    auto& all = out.states.emplace_back();
    for (std::size_t m = 0; m < members.size(); ++m) {
      const AdaNetwork::Group& of = groups[members[m]];
      if (of.states.empty())
        all.push_back(tuple[m]);
      else
        all.insert(all.end(), of.states[tuple[m].value].begin(), of.states[tuple[m].value].end());
    }
  }
  return out;
}

}  // namespace

void group_shared(AdaNetwork& ada, Budget& budget) {
  const auto& components = ada.network.components;
  std::vector<std::size_t> variables;
  for (std::size_t c = 0; c < components.size(); ++c)
    if (is_shared(ada.parts[c])) variables.push_back(c);
  if (variables.empty()) return;
  for (const std::size_t v : variables)
    ada.shared.push_back({components[v].name,
                          components[v].name,
                          components[v].lts.state_count(),
                          {},
                          0,
                          0,
                          net::SharedVariable::Why::larger});
  const Tasks tasks = tasks_by_action(ada);
  std::vector<net::Candidate> candidates;
  for (std::size_t i = 0; i < variables.size(); ++i)
    candidates.push_back({&ada.shared[i], variables[i], users(components[variables[i]].lts, tasks)});
  const auto busy = std::ranges::count_if(ada.tasks, &AdaNetwork::Task::is_busy);

  Network grouped = ada.network;
  std::vector<AdaNetwork::Group> groups;
  for (std::size_t c = 0; c < components.size(); ++c) groups.push_back({{c}, {}});
  const auto made = [&](const std::vector<std::size_t>& members, const std::vector<std::vector<State>>& states) {
    groups[members.front()] = joined(groups, members, states);
  };
  const auto gone =
      net::group_variables(grouped.components, static_cast<std::size_t>(busy), std::move(candidates), made, budget);
  if (grouped.components.size() == components.size()) return;
  net::drop(groups, gone);
  ada.groups = std::move(groups);
  ada.grouped = std::move(grouped);
}

}  // namespace surety::ada
