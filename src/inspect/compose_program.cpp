#include "inspect/compose_program.hpp"

#include <algorithm>
#include <deque>
#include <map>

#include "lang/promela/machine/machine.hpp"

namespace surety::api {

Outcome<std::optional<Lts>> compose_promela(const Model& model, Budget& budget) {
  auto machine = PromelaMachine::make(*model.promela, *model.actions);
  if (!machine) return bad_input(std::move(machine.error()));
  std::map<std::vector<std::uint8_t>, std::uint32_t> numbers;
  std::deque<const std::vector<std::uint8_t>*> queue;
  struct Edge {
    State from;
    Action action;
    State to;
  };
  std::vector<Edge> edges;
  std::optional<State> error;
  std::vector<std::uint32_t> merged;  // valid ends are one state
  std::uint32_t count = 0;
  const auto number = [&](MachineState state) {
    const auto [it, is_new] = numbers.try_emplace({state.begin(), state.end()}, count);
    if (is_new) {
      ++count;
      queue.push_back(&it->first);
    }
    return State{it->second};
  };
  number((*machine)->initial());
  MachineSteps steps;
  steps.with_actions = true;
  for (; !queue.empty(); queue.pop_front()) {
    if (!budget.go_on() || !budget.add_states(1)) return std::optional<Lts>();
    const State here{numbers.at(*queue.front())};
    (*machine)->successors(*queue.front(), steps);
    if (steps.steps.empty() && (*machine)->valid_end(*queue.front())) merged.push_back(here.value);
    for (const MachineStep& step : steps.steps) {
      if (step.fault != MachineStep::Fault::none) {
        if (!error) error = State{count++};
        edges.push_back({here, step.action, *error});
      } else {
        edges.push_back({here, step.action, number(steps.next(step))});
      }
    }
  }
  // Numbers without the ends but the first.
  std::vector<std::uint32_t> place(count);
  std::ranges::sort(merged);
  std::uint32_t used = 0;
  for (std::uint32_t s = 0; s < count; ++s)
    place[s] = std::ranges::binary_search(merged, s) && s != merged.front() ? place[merged.front()] : used++;
  LtsBuilder builder;
  builder.set_state_count(used);
  for (const Edge& e : edges) builder.add_step(State{place[e.from.value]}, e.action, State{place[e.to.value]});
  if (error) builder.set_error(State{place[error->value]});
  if (!merged.empty()) builder.set_end(State{place[merged.front()]});
  return std::optional<Lts>(builder.build());
}

}  // namespace surety::api
