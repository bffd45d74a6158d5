#include "api/promela.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "api/whole_program.hpp"
#include "base/check.hpp"
#include "base/random.hpp"
#include "certify/machine.hpp"
#include "engine/machine/liveness.hpp"
#include "engine/machine/search.hpp"
#include "lang/promela/labels.hpp"
#include "lang/promela/machine/label_claim.hpp"
#include "lang/promela/machine/ltl.hpp"
#include "lang/promela/machine/machine.hpp"
#include "lang/promela/tree_walk.hpp"

namespace surety::api {
namespace {

using certify::MachineQuestion;
using promela::kNone;

// How long the checker may take, if the user set no limit.
constexpr double kRecheckSeconds = 2;
constexpr double kRecheckFactor = 2;

bool has_assertion(const promela::Sequence& body) {
  return std::ranges::any_of(body, [](const promela::Statement& s) {
    return s.kind == promela::Statement::Kind::assertion || has_assertion(s.body) ||
           std::ranges::any_of(s.branches, has_assertion);
  });
}

struct Plan {
  bool error = false, deadlock = false;
  bool error_only_if_found = false;  // nobody asked, and the program asserts nothing
  struct Named {
    std::string name;
    std::uint32_t index;   // among the processes, or the formulas
    bool formula = false;  // else a process: a trace assertion or a claim
  };
  std::vector<Named> traces;
  std::vector<Named> endless;       // claims and formulas, as they are written
  std::vector<std::string> labels;  // accept, progress
};

Plan everything(const promela::Program& program) {
  Plan plan;
  plan.error = plan.deadlock = true;
  plan.error_only_if_found = true;
  for (const auto& trace : promela::trace_names(program)) plan.traces.push_back({trace.name, trace.process});
  using Kind = promela::Process::Kind;
  for (const auto& p : program.processes)
    if (has_assertion(p.body) && p.kind != Kind::never) plan.error_only_if_found = false;
  for (const auto& unit : program.units) {
    if (unit.kind == promela::Unit::Kind::ltl)
      plan.endless.push_back({program.formulas[unit.index].name, unit.index, true});
    else if (unit.kind == promela::Unit::Kind::process && program.processes[unit.index].kind == Kind::never)
      plan.endless.push_back({program.processes[unit.index].name, unit.index});
  }
  plan.labels = promela::label_checks(program);
  return plan;
}

Outcome<Plan> make_plan(const promela::Program& program, const std::vector<std::string>& names) {
  const Plan all = everything(program);
  if (names.empty()) return all;
  Plan plan;
  for (const auto& name : names) {
    bool found = name == "deadlock" || name == "assert";
    plan.deadlock |= name == "deadlock";
    plan.error |= name == "assert";
    const auto take = [&](const std::vector<Plan::Named>& from, std::vector<Plan::Named>& to) {
      for (const auto& named : from)
        if (named.name == name) to.push_back(named), found = true;
    };
    take(all.traces, plan.traces);
    take(all.endless, plan.endless);
    if (std::ranges::find(all.labels, name) != all.labels.end()) plan.labels.push_back(name), found = true;
    if (found) continue;
    std::vector<std::string> known{"deadlock", "assert"};
    for (const auto* list : {&all.traces, &all.endless})
      for (const auto& named : *list) known.push_back(named.name);
    known.insert(known.end(), all.labels.begin(), all.labels.end());
    const std::string near = nearest(name, known);
    return usage(
        fmt::format("there is no property '{}'", name),
        near.empty() ? fmt::format("there are: {}", fmt::join(known, ", ")) : fmt::format("did you mean '{}'?", near));
  }
  return plan;
}

class Verifier {
 public:
  Verifier(const Request& request, const Model& model, const Share& share)
      : request_(request), model_(model), program_(*model.promela->program), share_(share), budget_(share.budget) {}

  Outcome<std::vector<Check>> run(const Plan& plan) {
    for (const auto& t : plan.traces)
      if (auto ok = trace(t); !ok) return tl::unexpected(std::move(ok.error()));
    if (plan.error || plan.deadlock)
      if (auto ok = reachable(plan); !ok) return tl::unexpected(std::move(ok.error()));
    for (const auto& e : plan.endless)
      if (auto ok = e.formula ? formula(e) : claim(e); !ok) return tl::unexpected(std::move(ok.error()));
    for (const auto& l : plan.labels)
      if (auto ok = labels(l); !ok) return tl::unexpected(std::move(ok.error()));
    return std::move(checks_);
  }

 private:
  using MachinePtr = std::unique_ptr<PromelaMachine>;

  Outcome<MachinePtr> machine(std::uint32_t watch = kNone) const {
    auto made = PromelaMachine::make(*model_.promela, *model_.actions, {watch});
    if (!made) return bad_input(std::move(made.error()));
    return std::move(*made);
  }

  Check fresh(const char* kind, std::string property) const {
    Check check;
    check.kind = kind;
    check.property = std::move(property);
    check.method = "monolithic";
    if (request_.method == "monolithic" || request_.method == "auto") return check;
    check.note = fmt::format("{} needs components; the whole program was searched", request_.method);
    if (model_.parts)
      if (const auto why = model_.parts->why_left_out.find(check.property); why != model_.parts->why_left_out.end())
        check.note = fmt::format("not by parts: {}; the whole program was searched", why->second);
    return check;
  }

  // ---- assert and invalid end states: one search for both

  Outcome<void> reachable(const Plan& plan) {
    auto m = machine();
    if (!m) return tl::unexpected(std::move(m.error()));
    const unsigned goals =
        (plan.error ? bit(MachineGoal::fault) : 0) | (plan.deadlock ? bit(MachineGoal::invalid_end) : 0);
    const double start = budget_.seconds_used();
    MachineSearch search = search_machine(**m, goals, budget_);
    const double used = budget_.seconds_used() - start;
    const auto& fault = search.found[static_cast<std::size_t>(MachineGoal::fault)];
    if (plan.error && (fault || !plan.error_only_if_found))
      if (auto ok = conclude(fresh("error", ""), search, MachineGoal::fault, **m, kNone, used); !ok) return ok;
    if (plan.deadlock) return conclude(fresh("deadlock", ""), search, MachineGoal::invalid_end, **m, kNone, used);
    return {};
  }

  // A trace assertion is violated by an event that it does not allow. (That all may end before it is complete is an
  // invalid end state to pan; as with pan -E, that is not asked here.)
  Outcome<void> trace(const Plan::Named& named) {
    auto m = machine(named.index);
    if (!m) return tl::unexpected(std::move(m.error()));
    const double start = budget_.seconds_used();
    MachineSearch search = search_machine(**m, bit(MachineGoal::watch), budget_);
    const double used = budget_.seconds_used() - start;
    return conclude(fresh("safety", named.name), search, MachineGoal::watch, **m, named.index, used);
  }

  Outcome<void> conclude(Check check, MachineSearch& search, MachineGoal goal, PromelaMachine& m, std::uint32_t watch,
                         double used, const promela::Expression* formula = nullptr) {
    check.cost.add(search.states, search.transitions);
    auto& found = search.found[static_cast<std::size_t>(goal)];
    const auto question = static_cast<MachineQuestion>(goal);
    if (found) {
      check.verdict = Violated{actions_of(*found)};
      show(check, m, *found);
      auto again = machine(watch);
      if (!again) return tl::unexpected(std::move(again.error()));
      MachineFormula same;
      if (formula != nullptr) same = lower_formula(*formula, **again).value();
      accept(check, certify::replay_machine(**again, found->states, actions_of(*found), question, &same));
    } else if (search.complete) {
      check.verdict = Holds{Certificate{"monolithic", {}, {}}};
      if (auto ok = recheck(check, used); !ok) return ok;
    } else {
      check.verdict = Unknown{budget_.why(), {}, {}};
    }
    check.time_s = used;
    checks_.push_back(std::move(check));
    return {};
  }

  Outcome<void> recheck(Check& check, double used) {
    if (!request_.certify) {
      check.not_certified = "not asked for";
      return {};
    }
    budget_.phase("re-check");
    Limits limits;
    limits.memory = budget_.memory_limit();
    limits.time = share_.for_recheck();
    if (!limits.time)
      limits.time =
          std::chrono::milliseconds(static_cast<long>(1000 * std::max(kRecheckSeconds, kRecheckFactor * used)));
    Budget budget(limits, request_.interrupted);
    certify::Judgement judgement{certify::Judgement::Kind::unfinished, describe(Stop::memory), {}, 0};
    try {
      judgement = judge_promela(model_, check.kind, check.property, budget);
    } catch (const std::bad_alloc&) {
      budget.stop(Stop::memory);  // the answer is not lost, only its re-check
    }
    using Kind = certify::Judgement::Kind;
    surety::check(judgement.kind != Kind::refused, "the checker refuses an answer about a machine");
    check.certified = judgement.kind == Kind::accepted;
    if (!check.certified) check.not_certified = fmt::format("the re-check did not finish ({})", judgement.reason);
    return {};
  }

  static void accept(Check& check, const std::optional<std::string>& wrong) {
    surety::check(!wrong, fmt::format("a counterexample does not replay: {}", wrong.value_or("")).c_str());
    check.certified = true;
  }

  // ---- claims, labels and formulas

  Outcome<void> claim(const Plan::Named& named) {
    return claimed(fresh("ltl", named.name), [&](PromelaMachine& m) { return m.claim(named.index); });
  }

  Outcome<void> labels(const std::string& name) {
    return claimed(fresh(name == "accept" ? "ltl" : "progress", name),
                   [&](PromelaMachine& m) { return Result<MachineClaim>(label_claim(name, m)); });
  }

  template <class Make>
  Outcome<void> claimed(Check check, const Make& make) {
    auto m = machine();
    if (!m) return tl::unexpected(std::move(m.error()));
    auto automaton = make(**m);
    if (!automaton) return bad_input(std::move(automaton.error()));
    const double start = budget_.seconds_used();
    const MachineLiveness result = find_claimed_run(**m, *automaton, budget_);
    auto again = machine();
    if (!again) return tl::unexpected(std::move(again.error()));
    auto same = make(**again);
    if (!same) return bad_input(std::move(same.error()));
    finish(std::move(check), result, **m, start, [&](const MachineRun& run) {
      return certify::replay_run(**again, run.path.states, actions_of(run.path), run.again, *same);
    });
    return {};
  }

  Outcome<void> formula(const Plan::Named& named) {
    auto m = machine();
    if (!m) return tl::unexpected(std::move(m.error()));
    const auto& expression = program_.formulas[named.index].formula;
    auto lowered = lower_formula(expression, **m);
    if (!lowered) return bad_input(std::move(lowered.error()));
    const double start = budget_.seconds_used();
    // That something never happens needs no more than a look at every state, and a shortest way to where it does.
    if (auto watch = MachineWatch::of(*lowered)) {
      MachineSearch search = search_machine(**m, bit(MachineGoal::formula), budget_, &*watch);
      if (!search.too_large)
        return conclude(fresh("ltl", named.name), search, MachineGoal::formula, **m, kNone,
                        budget_.seconds_used() - start, &expression);
    }
    const MachineLiveness result = find_counterexample(**m, lowered->formula, lowered->propositions, budget_);
    auto again = machine();
    if (!again) return tl::unexpected(std::move(again.error()));
    const MachineFormula same = lower_formula(expression, **again).value();
    finish(fresh("ltl", named.name), result, **m, start, [&](const MachineRun& run) {
      return certify::replay_run(**again, run.path.states, actions_of(run.path), run.again, same);
    });
    return {};
  }

  template <class Replay>
  void finish(Check check, const MachineLiveness& result, PromelaMachine& m, double start, const Replay& replay) {
    check.cost.add(result.states, result.transitions);
    if (result.run) {
      const Trace whole = actions_of(result.run->path);
      const auto middle = whole.begin() + static_cast<std::ptrdiff_t>(std::min(result.run->again, whole.size()));
      check.verdict = Violated{Trace(whole.begin(), middle), Trace(middle, whole.end())};
      show(check, m, result.run->path);
      accept(check, replay(*result.run));
    } else if (result.complete) {
      check.verdict = Holds{Certificate{"monolithic", {}, {}}};
      check.not_certified = "the checker knows only formulas that say what must not happen";
    } else {
      check.verdict = Unknown{budget_.why(), {}, {}};
      if (budget_.why() == Stop::none) check.note = "the formula is too large for an automaton";
    }
    check.time_s = budget_.seconds_used() - start;
    checks_.push_back(std::move(check));
  }

  void show(Check& check, PromelaMachine& m, const MachinePath& path) const {
    check.steps = shown_steps(model_, m, path);
  }

  const Request& request_;
  const Model& model_;
  const promela::Program& program_;
  const Share& share_;
  Budget& budget_;
  std::vector<Check> checks_;
};

}  // namespace

Outcome<std::vector<Job>> promela_jobs(const Request& request, const Model& model,
                                       const std::vector<std::string>& names) {
  auto plan = make_plan(*model.promela->program, names);
  if (!plan) return tl::unexpected(std::move(plan.error()));
  std::vector<Job> jobs;
  const auto add = [&](const char* kind, const std::string& property, const Plan& part) {
    jobs.push_back({kind, property, [&request, &model, part](const Share& share) {
                      return Verifier(request, model, share).run(part);
                    }});
  };
  for (const auto& t : plan->traces) {
    Plan part;
    part.traces = {t};
    add("safety", t.name, part);
  }
  if (plan->error || plan->deadlock) {
    Plan part = *plan;
    part.traces.clear();
    part.endless.clear();
    part.labels.clear();
    add(plan->error ? "error" : "deadlock", "", part);
  }
  for (const auto& e : plan->endless) {
    Plan part;
    part.endless = {e};
    add("ltl", e.name, part);
  }
  for (const auto& label : plan->labels) {
    Plan part;
    part.labels = {label};
    add(label == "progress" ? "progress" : "ltl", label, part);
  }
  return jobs;
}

Outcome<std::vector<Declared>> promela_checks(const Model& model, const std::vector<std::string>& names) {
  auto plan = make_plan(*model.promela->program, names);
  if (!plan) return tl::unexpected(std::move(plan.error()));
  const auto& program = *model.promela->program;
  const auto& source = *model.promela->source;
  const auto at = [&](const char* what, promela::Place place) {
    const auto& line = source.line_of(place);
    return fmt::format("{}, {}:{}", what, source.files[line.file].name, line.line);
  };
  std::vector<Declared> out;
  for (const auto& t : plan->traces)
    out.push_back({"safety", t.name, at("trace assertion", program.processes[t.index].place)});
  if (plan->error) out.push_back({"error", {}});
  if (plan->deadlock) out.push_back({"deadlock", {}});
  for (const auto& e : plan->endless)
    out.push_back({"ltl", e.name,
                   e.formula ? at("formula", program.formulas[e.index].place)
                             : at("never claim", program.processes[e.index].place)});
  for (const auto& label : plan->labels)
    out.push_back({label == "progress" ? "progress" : "ltl", label, "labels of " + model.inputs[0].file});
  return out;
}

Outcome<void> check_names(const Model& model, const std::vector<std::string>& names) {
  if (auto plan = make_plan(*model.promela->program, names); !plan) return tl::unexpected(std::move(plan.error()));
  return {};
}

void sort_as_written(const Model& model, const std::vector<std::string>& names, std::vector<Job>& jobs) {
  const auto plan = make_plan(*model.promela->program, names);
  if (!plan) return;
  const auto place = [](const std::vector<Plan::Named>& list, const std::string& name) {
    return std::ranges::find(list, name, &Plan::Named::name) - list.begin();
  };
  const auto key = [&](const Job& job) {
    if (job.kind == "safety") return std::pair(0, place(plan->traces, job.property));
    if (job.kind == "ltl") return std::pair(3, place(plan->endless, job.property));
    return std::pair(job.kind == "error" ? 1 : job.kind == "deadlock" ? 2 : 4, std::ptrdiff_t{0});
  };
  std::ranges::stable_sort(jobs, {}, key);
}

certify::Judgement judge_promela(const Model& model, const std::string& kind, const std::string& property,
                                 Budget& budget) {
  certify::Judgement out;
  out.reason = "there is no such property";
  std::uint32_t watch = kNone;
  const Plan all = everything(*model.promela->program);
  for (const auto& t : all.traces)
    if (kind == "safety" && t.name == property) watch = t.index;
  if (kind == "safety" ? watch == kNone : kind != "error" && kind != "deadlock" && kind != "ltl") return out;
  auto machine = PromelaMachine::make(*model.promela, *model.actions, {watch});
  if (!machine) return out;
  if (kind == "ltl") {
    for (const auto& f : all.endless) {
      if (!f.formula || f.name != property) continue;
      const auto& expression = model.promela->program->formulas[f.index].formula;
      const auto formula = lower_formula(expression, **machine);
      return formula ? certify::check_machine(**machine, MachineQuestion::formula, budget, &*formula) : out;
    }
    return out;
  }
  const auto question = kind == "error"      ? MachineQuestion::fault
                        : kind == "deadlock" ? MachineQuestion::invalid_end
                                             : MachineQuestion::watch;
  return certify::check_machine(**machine, question, budget);
}

// ---- simulate

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

// ---- compose

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
    if (is_new) ++count, queue.push_back(&it->first);
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
