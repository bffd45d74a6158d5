// Laws of flow programs and their networks, over random flow programs.
//
// SURETY_PROGRAMS says how many programs, SURETY_SEED where to begin. A program that breaks a law is shown with its
// seed, made as small as it can be.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "ada/flow_programs.hpp"
#include "ada/flow_reference.hpp"
#include "base/check.hpp"
#include "base/random.hpp"
#include "certify/certify.hpp"
#include "rules/monolithic.hpp"
#include "rules/rules.hpp"

namespace surety {
namespace {

constexpr std::uint64_t kPrograms = 2000;
constexpr std::size_t kMostStates = 3'000, kMostPairs = 3'000;
constexpr std::size_t kMostShown = 5;

std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// What must not be missing among so many programs.
const std::vector<std::string> kAll = {
    "accept",
    "select",
    "accept or else",
    "accept or delay",
    "terminate",
    "guard",
    "call",
    "parameter",
    "conditional call",
    "timed call",
    "protected operation",
    "conditional protected call",
    "timed protected call",
    "protected call with a queue",
    "protected object with a variable outside",
    "variable without a value",
    "own variable with several values",
    "own array",
    "queue",
    "count",
    "status",
    "choose",
    "step a rendezvous",
    "step .end of a rendezvous",
    "step .raised. of a rendezvous",
    "step .gone@",
    "step .fails.",
    "step a protected operation",
    "step .raised. of a protected operation",
    "step .queued of a rendezvous",
    "step .queued of a protected operation",
    "step .count.is.",
    "step .callable.is.",
    "step .terminated.is.",
    "step .is.",
    "step .to.",
    "step .begin@",
    "step .activated@",
    "step .abandoned.",
    "step .end@ of a master",
    "step an event",
    "can be stuck",
    "can end",
};

struct Outcome {
  bool refused = false, too_large = false;
  std::string wrong;  // nothing: the law holds
  bool more_than_gnat = false;
  std::size_t states = 0, network_states = 0;
  std::set<std::string> seen;  // what happens in it
};

std::string joined(const std::vector<std::string>& trace) { return fmt::format("{}", fmt::join(trace, " ")); }

// What sort of step a name is.
std::string sort_of(const std::string& name) {
  const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
  const char* of = has("p.op") ? "a protected operation" : has(".put") || has(".get") ? "a rendezvous" : nullptr;
  for (const char* part : {".count.is.", ".callable.is.", ".terminated.is.", ".is.", ".to.", ".fails.", ".gone@",
                           ".begin@", ".activated@", ".abandoned."})
    if (has(part)) return part;
  for (const char* part : {".raised.", ".queued"})
    if (has(part)) return fmt::format("{} of {}", part, of);
  if (of != nullptr && has(".end")) return ".end of a rendezvous";
  return of != nullptr ? of : has(".end@") ? ".end@ of a master" : "an event";
}

void note_what_happens(const Behaviour& behaviour, const Labels& labels, std::set<std::string>& out) {
  std::set<std::uint32_t> used;
  for (const auto& steps : behaviour.steps)
    for (const auto& step : steps) used.insert(step.label);
  for (const std::uint32_t label : used)
    if (label != 0) out.insert("step " + sort_of(labels.name(label)));
  for (const auto end : behaviour.ends) {
    if (end == Behaviour::End::stuck) out.insert("can be stuck");
    if (end == Behaviour::End::ended) out.insert("can end");
  }
}

// The network against both readings of conditional calls. Of every other program all tasks are explored at once.
Outcome compare_with_queues(const AdaProgram& program) {
  Outcome out;
  ActionTable actions;
  Budget budget;
  std::size_t nodes = 0;
  for (const flow::Task& task : program.flow.tasks) nodes += task.graph.nodes.size();
  const auto network = ada_network(program, actions, budget,
                                   {.exploring = nodes % 2 == 0 ? AdaExploring::as_needed : AdaExploring::jointly});
  if (!network) {
    out.refused = true;
    out.wrong = "it is refused: " + network.error().message;
    return out;
  }
  Labels labels;
  const auto model = behaviour_of(*network, program.flow, actions, labels, kMostStates);
  const auto manual = reference_behaviour(program, ConditionalCalls::queued, labels, kMostStates);
  const auto gnat = reference_behaviour(program, ConditionalCalls::never_queued, labels, kMostStates);
  out.too_large = !model || !manual || !gnat;
  if (out.too_large) return out;
  out.states = manual->steps.size();
  out.network_states = model->steps.size();
  note_what_happens(*manual, labels, out.seen);
  const Comparison equal = compare(*manual, *model, labels, kMostPairs);
  const Comparison within = compare(*gnat, *model, labels, kMostPairs);
  out.too_large = equal.too_large || within.too_large;
  if (equal.only_first) out.wrong += fmt::format("only with queues: {}\n", joined(*equal.only_first));
  if (equal.only_second) out.wrong += fmt::format("only in the network: {}\n", joined(*equal.only_second));
  if (within.only_first) out.wrong += fmt::format("only with GNAT's queues: {}\n", joined(*within.only_first));
  out.more_than_gnat = within.only_second.has_value();
  return out;
}

using Law = Outcome (*)(const AdaProgram&);

bool breaks_the_law(Law law, const flow::Program& program) {
  try {
    const Outcome outcome = law(with_source(program));
    return !outcome.wrong.empty() && !outcome.refused;
  } catch (const InternalError&) {  // a loop that does nothing
    return false;
  }
}

// A smaller program that breaks the law, too.
flow::Program smallest(Law law, flow::Program program) {
  for (bool smaller = true; smaller;) {
    smaller = false;
    for (flow::Program& less : simpler(program))
      if (breaks_the_law(law, less)) {
        program = std::move(less);
        smaller = true;
        break;
      }
  }
  return program;
}

TEST(FlowPrograms, HaveTheTracesOfQueuesThatAreFirstComeFirstServed) {
  const std::uint64_t first = number_from("SURETY_SEED", 1);
  const std::uint64_t count = number_from("SURETY_PROGRAMS", kPrograms);
  std::map<std::string, std::uint64_t> tally;
  std::uint64_t compared = 0, too_large = 0, more = 0, wrong = 0, states = 0, network_states = 0;
  for (std::uint64_t seed = first; compared < count && wrong < kMostShown; ++seed) {
    const AdaProgram program = random_flow_program(seed);
    const Outcome outcome = compare_with_queues(program);
    if (outcome.too_large) {
      ++too_large;
      continue;
    }
    ++compared;
    more += outcome.more_than_gnat;
    states += outcome.states;
    network_states += outcome.network_states;
    for (const std::string& feature : features(program.flow)) ++tally[feature];
    for (const std::string& what : outcome.seen) ++tally[what];
    if (outcome.wrong.empty()) continue;
    ++wrong;
    const flow::Program small = outcome.refused ? program.flow : smallest(compare_with_queues, program.flow);
    ADD_FAILURE() << "seed " << seed << "\n"
                  << outcome.wrong << "a smaller one:\n"
                  << compare_with_queues(with_source(small)).wrong << shown(small);
  }
  fmt::print("{} programs, {} too large; {} states with queues, {} of the network; {} with more traces than GNAT's\n",
             compared, too_large, states, network_states, more);
  for (const auto& [what, number] : tally) fmt::print("{:6} {}\n", number, what);
  if (count < kPrograms || wrong > 0) return;
  EXPECT_GT(more, 0U) << "no conditional call met an accept with an else part";
  EXPECT_LT(too_large, compared / 10);
  for (const std::string& what : kAll) EXPECT_GT(tally[what], 0U) << what;
}

// ---- variables of tasks

constexpr std::size_t kMostStatesApart = 20'000, kMostPairsApart = 20'000;

// The network against the one with variables of tasks apart.
Outcome compare_with_apart(const AdaProgram& program) {
  Outcome out;
  ActionTable actions, other_actions;
  Budget budget;
  const auto network = ada_network(program, actions, budget);
  const auto apart = ada_network(program, other_actions, budget, {.own = AdaOwnVariables::apart});
  out.refused = !network || !apart;
  if (out.refused) {
    out.wrong = "it is refused";
    return out;
  }
  if (apart->own_accesses().empty()) return out;
  out.seen.insert("variable apart");
  for (const Action a : apart->own_accesses())
    if (other_actions.name(a).ends_with(".to.null")) out.seen.insert("variable apart that loses its value");
  Labels labels;
  const auto whole = behaviour_of(*network, program.flow, actions, labels, kMostStatesApart);
  const auto parts = behaviour_of(*apart, program.flow, other_actions, labels, kMostStatesApart);
  out.too_large = !whole || !parts;
  if (out.too_large) return out;
  out.states = whole->steps.size();
  out.network_states = parts->steps.size();
  const Comparison equal = compare(*whole, *parts, labels, kMostPairsApart);
  out.too_large = equal.too_large;
  if (equal.only_first) out.wrong += fmt::format("only with variables in tasks: {}\n", joined(*equal.only_first));
  if (equal.only_second) out.wrong += fmt::format("only with variables apart: {}\n", joined(*equal.only_second));
  return out;
}

TEST(FlowPrograms, HaveTheSameTracesWithTheVariablesOfTasksApart) {
  const std::uint64_t first = number_from("SURETY_SEED", 1);
  const std::uint64_t count = number_from("SURETY_PROGRAMS", kPrograms);
  std::uint64_t compared = 0, too_large = 0, wrong = 0, states = 0, states_apart = 0;
  std::map<std::string, std::uint64_t> tally;
  for (std::uint64_t seed = first; compared < count && wrong < kMostShown; ++seed) {
    const AdaProgram program = random_flow_program(seed);
    const Outcome outcome = compare_with_apart(program);
    for (const std::string& what : outcome.seen) ++tally[what];
    if (outcome.too_large) ++too_large;
    if (outcome.too_large || !outcome.seen.contains("variable apart")) continue;
    ++compared;
    states += outcome.states;
    states_apart += outcome.network_states;
    if (outcome.wrong.empty()) continue;
    ++wrong;
    const flow::Program small = outcome.refused ? program.flow : smallest(compare_with_apart, program.flow);
    ADD_FAILURE() << "seed " << seed << "\n"
                  << outcome.wrong << "a smaller one:\n"
                  << compare_with_apart(with_source(small)).wrong << shown(small);
  }
  fmt::print("{} programs, {} too large; {} states, {} with variables apart\n", compared, too_large, states,
             states_apart);
  if (count < kPrograms || wrong > 0) return;
  EXPECT_LT(too_large, compared / 10);
  EXPECT_GT(tally["variable apart that loses its value"], 0U);
}

// ---- every method

constexpr std::uint64_t kProgramsOfMethods = 300;

// One network with two properties, by plain search and in other ways.
class Methods {
 public:
  Methods(const AdaNetwork& network, Random& random)
      : network_(network.network), random_(random), properties_{network.failures, turns()} {
    Split whole(1);
    for (const Component& c : network_.components) whole[0].push_back(c.name);
    for (const Property& p : properties_)
      plain_.push_back(verdict_kind(prove(*find_rule(Method::monolithic), whole, {&p}, Reduction::none, {})));
  }

  VerdictKind plain(std::size_t property) const { return plain_[property]; }

  VerdictKind deadlock(Reduction reduction) const {
    Budget budget;
    Cost cost;
    std::vector<State> last;
    std::vector<const Lts*> all;
    for (const Component& c : network_.components) all.push_back(&c.lts);
    return verdict_kind(check_deadlock(all, nullptr, {.budget = budget, .cost = cost, .reduction = reduction}, last));
  }

  // Nothing: it agrees with plain search, and its proof or trace is accepted.
  std::string solve(const Rule& rule, std::uint64_t& unknown) {
    const Split split = split_for(rule);
    if (rule.property_per_side) return fault(rule, split, {&properties_[0], &properties_[1]}, unknown);
    for (const Property& p : properties_)
      if (std::string wrong = fault(rule, split, {&p}, unknown); !wrong.empty()) return wrong;
    return "";
  }

 private:
  static Limits limits() {
    Limits out;
    out.time = std::chrono::seconds(2);
    out.states = 100'000;
    return out;
  }

  // Two actions take turns.
  Property turns() {
    std::vector<Action> all;
    for (const Action a : alphabet_of(network_)) all.push_back(a);
    const Action first = all[random_.below(static_cast<std::uint32_t>(all.size()))];
    const Action second = all[random_.below(static_cast<std::uint32_t>(all.size()))];
    LtsBuilder builder;
    builder.set_state_count(2);
    builder.add_step(State{0}, first, State{1});
    if (first != second) builder.add_step(State{1}, second, State{0});
    return {"turns", builder.build()};
  }

  Split split_for(const Rule& rule) {
    const bool one = rule.sides == Rule::Sides::one;
    const std::size_t all = network_.components.size();
    Split out(one ? 1 : rule.chain ? all : 2);
    for (std::size_t c = 0; c < all; ++c) {
      std::size_t side = one ? 0 : rule.chain || c < 2 ? c : random_.below(2);  // none is empty
      out[side].push_back(network_.components[c].name);
    }
    return out;
  }

  Verdict prove(const Rule& rule, const Split& split, const std::vector<const Property*>& properties,
                Reduction reduction, const Limits& limits) {
    ProofGoal goal;
    goal.names = split;
    for (const auto& names : split) {
      auto& side = goal.sides.emplace_back();
      for (const Component& c : network_.components)
        if (std::ranges::find(names, c.name) != names.end()) side.push_back(&c.lts);
    }
    for (const Property* p : properties) goal.properties.push_back(&p->lts);
    Budget budget(limits);
    Cost cost;
    const auto learner = kLearnerKinds[random_.below(static_cast<std::uint32_t>(std::size(kLearnerKinds)))];
    const auto alphabet = random_.chance(30) ? AlphabetMode::full : AlphabetMode::refine;
    return rule.prove(goal, {.budget = budget,
                             .cost = cost,
                             .learner = rule.learns ? learner : LearnerKind::lstar,
                             .alphabet = rule.refines ? alphabet : AlphabetMode::refine,
                             .reduction = reduction});
  }

  std::string fault(const Rule& rule, const Split& split, const std::vector<const Property*>& properties,
                    std::uint64_t& unknown) {
    Verdict verdict = prove(rule, split, properties, random_.chance(50) ? Reduction::por : Reduction::none, limits());
    bool safe = true;
    for (const Property* p : properties)
      safe = safe && plain_[static_cast<std::size_t>(p - properties_.data())] == VerdictKind::holds;
    if (std::holds_alternative<Unknown>(verdict)) return ++unknown, "";
    if (auto* proved = std::get_if<Holds>(&verdict)) {
      if (!safe) return "holds, by plain search it does not";
      if (proved->certificate.split.empty()) proved->certificate.split = split;
      Budget budget(limits());
      const auto judgement = certify::check_safety(network_, properties, proved->certificate, budget);
      return judgement.kind == certify::Judgement::Kind::refused ? "the checker says: " + judgement.reason : "";
    }
    if (safe) return "violated, by plain search it is not";
    std::string wrong;
    for (const Property* p : properties) {
      const auto refused = certify::replay_violation(network_, *p, std::get<Violated>(verdict).trace);
      if (!refused) return "";
      wrong = "the trace: " + *refused;
    }
    return wrong;
  }

  const Network& network_;
  Random& random_;
  const std::vector<Property> properties_;
  std::vector<VerdictKind> plain_;
};

bool has_failure(const Behaviour& behaviour, const Labels& labels) {
  for (const auto& steps : behaviour.steps)
    for (const auto& step : steps)
      if (labels.name(step.label).find(".fails.") != std::string::npos) return true;
  return false;
}

VerdictKind verdict_of(bool violated) { return violated ? VerdictKind::violated : VerdictKind::holds; }

TEST(FlowPrograms, GetTheSameAnswersFromEveryMethod) {
  const std::uint64_t first = number_from("SURETY_SEED", 1);
  const std::uint64_t count = std::min(number_from("SURETY_PROGRAMS", kProgramsOfMethods), 10 * kProgramsOfMethods);
  std::map<std::string, std::uint64_t> tally;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const AdaProgram program = random_flow_program(seed);
    ActionTable actions;
    Labels labels;
    Budget budget;
    const auto own = seed % 2 == 0 ? AdaOwnVariables::in_tasks : AdaOwnVariables::apart;
    const auto network = ada_network(program, actions, budget, {.own = own});
    ASSERT_TRUE(network);
    const auto manual = reference_behaviour(program, ConditionalCalls::queued, labels, kMostStates);
    if (!manual) {
      ++tally["too large"];
      continue;
    }
    Random random(seed);
    Methods methods(*network, random);
    const auto where = [&] { return fmt::format("seed {}\n{}", seed, shown(program.flow)); };
    EXPECT_EQ(methods.plain(0), verdict_of(has_failure(*manual, labels))) << where();
    const bool stuck = std::ranges::find(manual->ends, Behaviour::End::stuck) != manual->ends.end();
    for (const Reduction reduction : {Reduction::none, Reduction::por})
      EXPECT_EQ(methods.deadlock(reduction), verdict_of(stuck)) << where();
    for (const Rule& rule : all_rules()) {
      std::uint64_t unknown = 0;
      EXPECT_EQ(methods.solve(rule, unknown), "") << rule.name() << ", " << where();
      ++tally[std::string(rule.name())];
      if (unknown > 0) ++tally[fmt::format("unknown by {}", rule.name())];
    }
    ++tally[fmt::format("failures: {}", name_of(methods.plain(0)))];
    ++tally[fmt::format("turns: {}", name_of(methods.plain(1)))];
    ++tally[fmt::format("deadlock: {}", name_of(verdict_of(stuck)))];
  }
  for (const auto& [what, number] : tally) fmt::print("{:6} {}\n", number, what);
  if (count < kProgramsOfMethods) return;
  EXPECT_LT(tally["too large"], count / 10);
  for (const char* what : {"failures: holds", "failures: violated", "turns: holds", "turns: violated",
                           "deadlock: holds", "deadlock: violated"})
    EXPECT_GT(tally[what], 0U) << what;
}

}  // namespace
}  // namespace surety
