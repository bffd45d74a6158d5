// Walks through a program: at random, or along a script of visible actions.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "api/program.hpp"
#include "base/random.hpp"
#include "lang/promela/machine/machine.hpp"

namespace surety::api {

namespace {

class Simulator {
 public:
  Simulator(const SimulateRequest& request, Model model, PromelaMachine& machine)
      : request_(request), machine_(machine), budget_(request.limits, request.interrupted) {
    result_.model = std::move(model);
    steps_.with_actions = true;
  }

  Simulation random_walk() {
    Random random(request_.seed);
    std::vector<std::uint8_t> now = machine_.initial();
    Simulation::Moment moment;
    for (std::uint64_t i = 0;; ++i) {
      machine_.successors(now, steps_);
      record(moment);
      result_.deadlock = steps_.steps.empty() && !machine_.valid_end(now);
      if (steps_.steps.empty() || i == request_.steps || !budget_.go_on()) break;
      const MachineStep step = steps_.steps[random.below(static_cast<std::uint32_t>(steps_.steps.size()))];
      moment = described(now, step);
      const MachineState next = steps_.next(step);
      if (next.empty()) {
        result_.moments.push_back(moment);
        break;
      }
      now.assign(next.begin(), next.end());
    }
    result_.why = budget_.why();
    return std::move(result_);
  }

  // Breadth first through (place in the script, state); the way that gets furthest is shown.
  Simulation scripted(const std::vector<std::string>& script) {
    using Bytes = std::vector<std::uint8_t>;
    struct Reached {
      std::size_t from;
      Simulation::Moment by;
      std::size_t place;
      Bytes state;
    };
    std::vector<Reached> reached{{0, {}, 0, machine_.initial()}};
    std::set<std::pair<std::size_t, Bytes>> seen{{0, reached[0].state}};
    std::size_t best = 0;
    for (std::size_t i = 0; i < reached.size() && reached[best].place < script.size() && budget_.go_on(); ++i) {
      const Bytes state = reached[i].state;
      const std::size_t place = reached[i].place;
      machine_.successors(state, steps_);
      for (const MachineStep& step : std::vector<MachineStep>(steps_.steps)) {
        if (step.size == 0 || (step.action != kTau && name(step) != script[place])) continue;
        const std::size_t next = place + (step.action == kTau ? 0 : 1);
        const MachineState target = steps_.next(step);
        Bytes bytes(target.begin(), target.end());
        if (!seen.emplace(next, bytes).second) continue;
        reached.push_back({i, described(state, step), next, std::move(bytes)});
        if (next > reached[best].place) best = reached.size() - 1;
        if (next == script.size()) break;
      }
    }
    std::vector<std::size_t> way;
    for (std::size_t i = best; i != 0; i = reached[i].from) way.push_back(i);
    way.push_back(0);
    std::ranges::reverse(way);
    for (const std::size_t i : way) {
      machine_.successors(reached[i].state, steps_);
      record(reached[i].by);
    }
    const std::size_t place = reached[best].place;
    result_.why = budget_.why();
    if (place < script.size() && result_.why == Stop::none) result_.stuck = Simulation::Stuck{place + 1, script[place]};
    result_.deadlock = steps_.steps.empty() && !machine_.valid_end(reached[best].state);
    return std::move(result_);
  }

 private:
  std::string name(const MachineStep& step) const {
    return step.action == kTau ? "tau" : std::string(result_.model.actions->name(step.action));
  }
  Simulation::Moment described(MachineState before, const MachineStep& step) {
    Simulation::Moment out;
    out.action = name(step);
    for (const ShownStep& s : machine_.show(before, step))
      out.text += fmt::format("{}{}:{} {}{}", out.text.empty() ? "" : " with ", s.process, s.line, s.statement,
                              s.note.empty() ? "" : " (" + s.note + ")");
    return out;
  }
  void record(Simulation::Moment moment) {
    std::set<std::string> enabled;
    for (const auto& step : steps_.steps) enabled.insert(name(step));
    moment.enabled = {enabled.begin(), enabled.end()};
    result_.moments.push_back(std::move(moment));
  }

  const SimulateRequest& request_;
  PromelaMachine& machine_;
  Budget budget_;
  MachineSteps steps_;
  Simulation result_;
};

}  // namespace

Outcome<Simulation> simulate_promela(const SimulateRequest& request, Model model) {
  auto machine = PromelaMachine::make(*model.promela, *model.actions);
  if (!machine) return bad_input(std::move(machine.error()));
  std::vector<std::string> script;
  for (const auto& wanted : request.trace.value_or(std::vector<std::string>{}))
    if (wanted != "tau" && wanted != "i") script.push_back(wanted);  // silent steps come by themselves
  Simulator simulator(request, std::move(model), **machine);
  return request.trace ? simulator.scripted(script) : simulator.random_walk();
}

}  // namespace surety::api
