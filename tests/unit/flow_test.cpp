// FLAVERS on the elevator of "Breaking up is hard to do" (figure 7): figures by hand and by a prototype.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "certify/certify.hpp"
#include "engine/flow/flow_graph.hpp"
#include "engine/flow/trace_flow.hpp"
#include "model/transform.hpp"
#include "reference/reference.hpp"
#include "rules/flavers_asym.hpp"

namespace surety {
namespace {

using reference::action;
using reference::lts;
using Mode = ConstraintChoice::Mode;

const Lts kCar = lts(
    "0 car.x.to.true 1, 1 sync 2, 2 car.x.is.true 3, 2 car.x.is.false 4, 3 open 4, 4 car.x.is.true 5, 4 car.x.is.false "
    "6, 5 close 6, 6 move 7");
const Lts kController =
    lts("0 con.x.to.false 1, 1 sync 2, 2 con.x.is.true 3, 2 con.x.is.false 4, 3 open 4, 4 con.x.is.true 5, 4 "
        "con.x.is.false 6, 5 close 6, 6 move 7");
// State 0 is "not known".
const Lts kX = lts(
    "0 car.x.to.true 1, 1 car.x.to.true 1, 2 car.x.to.true 1, 0 con.x.to.false 2, 1 con.x.to.false 2, 2 con.x.to.false "
    "2, 0 car.x.is.true 1, 1 car.x.is.true 1, 0 con.x.is.true 1, 1 con.x.is.true 1, 0 car.x.is.false 2, 2 "
    "car.x.is.false 2, 0 con.x.is.false 2, 2 con.x.is.false 2");
const Lts kDoors = lts("0 move 0, 0 open 1, 1 open 1, 1 close 0, 0 close 0");

using FlowRole = FlowComponent::Role;
FlowSystem elevator() {
  return {
      {{"Car", &kCar, FlowRole::task}, {"Controller", &kController, FlowRole::task}, {"X", &kX, FlowRole::variable}},
      {}};
}

ConstraintSet named(const FlowSystem& system, const std::vector<std::string>& names) {
  ConstraintSet out;
  for (const auto& name : names)
    for (std::size_t c = 0; c < system.constraints.size(); ++c)
      if (system.constraints[c].name == name) out.push_back(c);
  EXPECT_EQ(out.size(), names.size());
  return out;
}

struct Sizes {
  std::uint64_t nodes, edges, mip, pairs;
  friend bool operator==(const Sizes&, const Sizes&) = default;
};

Sizes sizes_of(const Alphabet& visible) {
  Budget budget;
  const FlowSystem system = elevator();
  const auto flow = scoped_flow(system, {system.tasks(), {}, {}, visible}, budget);
  EXPECT_TRUE(flow);
  return {flow->flow().nodes.nodes.size(), flow->flow().edges(), flow->flow().mip_edges, flow->flow().together.count()};
}

TEST(TraceFlow, OfTheElevatorHasTheNodesAndEdgesOfTheStudy) {
  EXPECT_EQ(sizes_of(unite(kX.alphabet(), kDoors.alphabet())), (Sizes{14, 55, 34, 36}));  // x is tracked
  EXPECT_EQ(sizes_of(kDoors.alphabet()), (Sizes{8, 21, 8, 15}));                          // x is not tracked
}

// As the study draws it (figures 9 to 13): an "if" on a variable that is not tracked is one silent node, its end
// another one. R1 to R3 take the first away, and the second stays. Ours begin with one silent node for each branch, R4
// takes most of these away, and the one that is left stands for the branch that does nothing. Nodes and edges are as
// many, but after a node behind both branches more is forgotten, and more may be together. On the case studies the
// search needs up to a third more states with such nodes.
TEST(TraceFlow, OfTheElevatorAsTheStudyDrawsItHasItsPairs) {
  const Lts drawn =
      lts("0 sync 1, 1 tau 2, 2 open 3, 2 tau 4, 3 tau 4, 4 tau 5, 5 close 6, 5 tau 7, 6 tau 7, 7 move 8");
  const Lts graph = refine(flow_graph(drawn, drawn.alphabet()), RefineBy::r1_to_r3);
  Budget budget;
  const auto flow = trace_flow({graph, graph}, drawn.alphabet(), budget);
  ASSERT_TRUE(flow);
  EXPECT_EQ((Sizes{flow->nodes.nodes.size(), flow->edges(), flow->mip_edges, flow->together.count()}),
            (Sizes{8, 21, 8, 19}));
  const Lts car = refine(flow_graph(kCar, kDoors.alphabet()));
  EXPECT_EQ(reference::words_up_to(5, project(graph, kDoors.alphabet())), reference::words_up_to(5, car));
}

// One task does m once, another one a silent step. After the silent node the graph has forgotten that m has been, so m
// may come again; refinement takes the node away. So which graph is used can make a difference where no constraint says
// in which order a task has its nodes. With the automaton of the task both prove it.
TEST(TraceFlow, ForgetsMoreWhereSilentNodesAreLeft) {
  const Lts once = lts("0 m 1"), silent = lts("0 tau 1"), property = lts("0 m 1");
  const FlowSystem system({{"Once", &once, FlowRole::task}, {"Silent", &silent, FlowRole::task}}, {});
  const auto path = [&](const ConstraintSet& constraints, bool refined) {
    Budget budget;
    const auto flow = scoped_flow(system, {system.tasks(), {}, constraints, property.alphabet(), refined}, budget);
    const Lts watched = over_nodes(property, flow->flow());
    auto parts = flow->parts();
    parts.push_back({&watched, Role::watch});
    return flow->flow().labels_of(search(parts, Goal::violation, budget).trace);
  };
  EXPECT_EQ(path({}, true), Trace());
  EXPECT_EQ(path({}, false), (Trace{action("m"), kTau, action("m")}));
  EXPECT_EQ(path(named(system, {"ta:Once"}), false), Trace());
}

struct Answer {
  Verdict verdict;
  FlowAnswer flow;
  Cost cost;
};

Answer analyse(const ConstraintChoice& choice, const Lts& property = kDoors) {
  Budget budget;
  Answer out{Unknown{}, {}, {}};
  const FlowSystem system = elevator();
  Flavers flavers(system, property, {.budget = budget, .cost = out.cost});
  out.verdict = flavers.prove(choice);
  out.flow = flavers.answer();
  return out;
}

// The states of a search with these constraints where x is tracked: the property speaks of x, too, and allows all of
// it.
std::uint64_t states_with(const std::vector<std::string>& names, bool holds) {
  const FlowSystem system = elevator();
  LtsBuilder builder;
  for (std::uint32_t s = 0; s < kDoors.state_count(); ++s) {
    for (const Step& step : kDoors.steps(State{s})) builder.add_step(State{s}, step.action, step.target);
    for (const Action a : kX.alphabet()) builder.add_step(State{s}, a, State{s});
  }
  builder.set_state_count(kDoors.state_count());
  const Lts property = builder.build();
  Budget budget;
  Cost cost;
  Flavers flavers(system, property, {.budget = budget, .cost = cost});
  const auto found = flavers.propagate(named(system, names));
  EXPECT_EQ(found.outcome == SearchResult::Outcome::exhausted, holds);
  return cost.max_states;
}

// A ring of tasks: each does 23 things alone, then meets its neighbours. Nearly everything may happen in parallel.
TEST(TraceFlow, OfTwoHundredTasksFitsIntoAGigabyte) {
  constexpr int kTasks = 200, kOwn = 23;
  std::vector<Lts> graphs;
  Alphabet visible;
  for (int t = 0; t < kTasks; ++t) {
    std::string text;
    for (int i = 0; i < kOwn; ++i) text += fmt::format("{} own.{}.{} {}, ", i, t, i, i + 1);
    const int first = t == 0 ? 1 : t,
              second = t == 0 ? 0 : (t + 1) % kTasks;  // else each would wait for the one before
    text += fmt::format("{} meet.{} {}, {} meet.{} 0", kOwn, first, kOwn + 1, kOwn + 1, second);
    const Lts task = lts(text);
    visible = unite(visible, task.alphabet());
    graphs.push_back(refine(flow_graph(task, task.alphabet())));
  }
  Limits limits;
  limits.memory = 1ULL << 30;
  Budget budget(limits);
  const auto flow = trace_flow(graphs, visible, budget);
  ASSERT_TRUE(flow);
  EXPECT_GE(flow->nodes.point_count(), 5'000U);
  EXPECT_EQ(flow->nodes.nodes.size(), std::size_t{kTasks * (kOwn + 1)});
  EXPECT_GT(flow->mip_edges, 20'000'000U);
}

TEST(Flavers, SearchesTheElevatorInTheStatesOfTheStudy) {
  constexpr std::uint64_t kStart = 1;  // is a state, too, and was not counted there
  EXPECT_EQ(states_with({"va:X"}, true), 20 + kStart);
  EXPECT_EQ(states_with({"va:X", "ta:Car"}, true), 25 + kStart);
  EXPECT_EQ(states_with({"va:X", "ta:Car", "ta:Controller"}, true), 30 + kStart);
  // The search ends with the path: when, depends on the order of the edges.
  EXPECT_LE(states_with({}, false), 21 + kStart);
  EXPECT_LE(states_with({"ta:Car", "ta:Controller"}, false), 61 + kStart);
}

TEST(Flavers, ProvesTheElevatorWithTheVariableAlone) {
  const Answer answer = analyse({});
  ASSERT_TRUE(std::holds_alternative<Holds>(answer.verdict));
  EXPECT_EQ(answer.flow.constraints, std::vector<std::string>{"va:X"});
}

TEST(Flavers, MayFailWithoutConstraintsAndSaysThatThePathIsNoRun) {
  const Answer answer = analyse({Mode::none, {}});
  ASSERT_TRUE(std::holds_alternative<Unknown>(answer.verdict));
  EXPECT_EQ(answer.flow.feasible, FlowAnswer::Feasible::no);
  EXPECT_EQ(answer.flow.path, (Trace{action("sync"), action("open"), action("move")}));
}

TEST(Flavers, ReplaysAViolationOnTheWholeSystem) {
  const Lts never = lts("0 sync 1, +move");
  const Answer answer = analyse({}, never);
  ASSERT_TRUE(std::holds_alternative<Violated>(answer.verdict));
  EXPECT_EQ(std::get<Violated>(answer.verdict).trace.back(), action("move"));
}

// ---- the teacher

Answer analyse_split(bool car_first, const ConstraintChoice& choice, const Lts& property = kDoors) {
  Budget budget;
  Answer out{Unknown{}, {}, {}};
  const FlowSystem system = elevator();
  const FlowSplit split{{car_first ? 0U : 1U}, {car_first ? 1U : 0U}};
  out.verdict = prove_flavers_asym(system, split, property, choice,
                                   {.budget = budget, .cost = out.cost, .alphabet = AlphabetMode::full}, out.flow);
  return out;
}

TEST(FlaversTeacher, HasTheAlphabetOfTheStudy) {
  const FlowSystem system = elevator();
  const auto scopes = scopes_of(system, {{0}, {1}}, kDoors, named(system, {"va:X"}));
  EXPECT_EQ(scopes.interface, (Alphabet{action("sync"), action("open"), action("close"), action("move"),
                                        action("con.x.is.true"), action("con.x.is.false"), action("con.x.to.false")}));
}

TEST(FlaversTeacher, ProvesTheElevatorBothWaysRound) {
  const FlowSystem system = elevator();
  for (const bool car_first : {true, false}) {
    const Answer plain = analyse_split(car_first, {Mode::listed, named(system, {"va:X"})});
    ASSERT_TRUE(std::holds_alternative<Holds>(plain.verdict));
    const Answer ordered = analyse_split(car_first, {Mode::all, {}});
    ASSERT_TRUE(std::holds_alternative<Holds>(ordered.verdict));
    EXPECT_LE(std::get<Holds>(ordered.verdict).certificate.assumptions[0].state_count(),
              std::get<Holds>(plain.verdict).certificate.assumptions[0].state_count());
    EXPECT_GT(plain.cost.max_states, 20U) << "breaking up costs: the whole needs 21";
  }
}

// Without the variable the split fails; the path says that it is needed.
TEST(FlaversTeacher, AddsWhatRefutesThePathOfASplitThatFails) {
  for (const bool car_first : {true, false}) {
    EXPECT_TRUE(std::holds_alternative<Unknown>(analyse_split(car_first, {Mode::none, {}}).verdict));
    const Answer answer = analyse_split(car_first, {Mode::automatic, {}, true});
    ASSERT_TRUE(std::holds_alternative<Holds>(answer.verdict));
    EXPECT_EQ(answer.flow.constraints, std::vector<std::string>{"va:X"});
  }
}

// P has events of S2 only: all of them must be in the environment of S1, or A would say nothing about them. The whole
// is not analysed here: it would find the violation, whatever the teacher says.
TEST(FlaversTeacher, FindsWhatTheSecondSideDoesAlone) {
  const Lts never = lts("0 con.x.is.false 1, +con.x.to.false");
  const Lts twice = lts("0 con.x.to.false 1, 1 con.x.to.false 2");
  const std::vector<ConstraintChoice> choices{{Mode::none, {}}, {Mode::all, {}}, {Mode::automatic, {}, true}};
  for (const auto& choice : choices) {
    for (const bool car_first : {true, false})
      EXPECT_TRUE(std::holds_alternative<Violated>(analyse_split(car_first, choice, never).verdict));
    const Answer answer = analyse_split(true, choice, twice);
    ASSERT_TRUE(std::holds_alternative<Holds>(answer.verdict));
    const auto& a = std::get<Holds>(answer.verdict).certificate.assumptions.at(0);
    EXPECT_TRUE(a.alphabet().contains(action("con.x.to.false")));
  }
}

// ---- certificates

certify::Judgement certify_elevator(const Certificate& certificate) {
  const Network network{"ELEVATOR", {{"Car", kCar}, {"Controller", kController}, {"X", kX}}};
  const Property property{"DOORS", kDoors};
  Certificate whole = certificate;
  whole.split = {{"Car", "Controller", "X"}};
  Budget budget;
  return certify::check_safety(network, {&property}, whole, budget);
}

using Judged = certify::Judgement::Kind;

TEST(FlaversCertificate, IsAcceptedForTheWholeAndForASplit) {
  EXPECT_EQ(certify_elevator(std::get<Holds>(analyse({}).verdict).certificate).kind, Judged::accepted);
  for (const bool car_first : {true, false}) {
    const auto judgement = certify_elevator(std::get<Holds>(analyse_split(car_first, {}).verdict).certificate);
    EXPECT_EQ(judgement.kind, Judged::accepted) << judgement.reason;
  }
}

TEST(FlaversCertificate, IsRefusedWhenItIsTamperedWith) {
  const Certificate good = std::get<Holds>(analyse({}).verdict).certificate;
  const auto refused = [](const Certificate& c) { return certify_elevator(c).kind == Judged::refused; };
  {
    Certificate c = good;  // fewer pairs
    int accepted = 0;
    const std::uint64_t points = c.flow[0].together.size();
    for (std::uint64_t a = 0; a < points; ++a)
      for (std::uint64_t b = 0; b < a; ++b)
        if ((c.flow[0].together[a] >> b & 1) != 0) {
          c = good;
          c.flow[0].together[a] &= ~(1ULL << b);
          c.flow[0].together[b] &= ~(1ULL << a);
          accepted += refused(c) ? 0 : 1;
        }
    EXPECT_EQ(accepted, 0);
  }
  {
    Certificate c = good;  // without the constraint that it needs
    c.flow[0].constraints.clear();
    EXPECT_TRUE(refused(c));
  }
  {
    Certificate c = good;  // a task less
    c.flow[0].tasks.pop_back();
    c.flow[0].graphs.pop_back();
    EXPECT_TRUE(refused(c));
  }
  {
    Certificate c = good;  // a graph without its last step
    c.flow[0].graphs[0] = lts("0 car.x.to.true 1, 1 sync 2, 2 car.x.is.true 3, +open, +close, +move, +car.x.is.false");
    EXPECT_TRUE(refused(c));
  }
  {
    Certificate c = good;  // a graph in which a task does by itself what two do
    c.flow[0].graphs[0] = lts("0 open 0, +car.x.to.true, +car.x.is.true, +car.x.is.false");
    EXPECT_TRUE(refused(c));
  }
  {
    Certificate c = std::get<Holds>(analyse_split(true, {}).verdict).certificate;
    c.assumptions[0] = lts("0 sync 0, +open, +move");
    EXPECT_TRUE(refused(c));
  }
}

}  // namespace
}  // namespace surety
