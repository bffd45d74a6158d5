// Laws of FLAVERS on random flow programs: tasks are flow graphs, variables and protected objects are constraints.
//
// What it proves holds, for some of the constraints as for those that it chooses itself; with all of them, and by auto,
// the answer is that of plain search, and the set that auto ends with is minimal. Every proof is checked again, every
// violation replayed. What the tasks reach together is in the relation. Flow graphs with their silent nodes prove what
// refined ones prove, if the order of each task's nodes is a constraint, and never more. Half of the programs have the
// variables of their tasks as components of their own.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>

#include "ada/flow_programs.hpp"
#include "ada/follow.hpp"
#include "base/random.hpp"
#include "certify/certify.hpp"
#include "lang/ada/network/network.hpp"
#include "reference/flow.hpp"
#include "rules/flavers_asym.hpp"
#include "rules/monolithic.hpp"

namespace surety {
namespace {

using FlowRole = FlowComponent::Role;
using Mode = ConstraintChoice::Mode;

constexpr std::uint64_t kMostStates = 5'000;

std::uint64_t number_from(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// Two actions take turns, or one of them is never done, as it may be in a system that is in order.
Property random_property(const Alphabet& alphabet, Random& random) {
  const auto any = [&] { return alphabet[random.below(static_cast<std::uint32_t>(alphabet.size()))]; };
  const Action first = any(), second = any();
  LtsBuilder builder;
  builder.add_step(State{0}, first, State{1});
  if (first != second) builder.add_step(State{1}, second, State{0});
  builder.set_state_count(2);
  builder.add_to_alphabet({any()});
  return {"P", builder.build()};
}

std::vector<FlowComponent> components_of(const AdaNetwork& network) {
  using Kind = AdaNetwork::Part::Kind;
  std::vector<FlowComponent> out;
  for (std::size_t i = 0; i < network.parts.size(); ++i)
    out.push_back({network.network.components[i].name, &network.network.components[i].lts,
                   network.parts[i].kind == Kind::task       ? FlowRole::task
                   : network.parts[i].kind == Kind::variable ? FlowRole::variable
                                                             : FlowRole::object});
  return out;
}

class Law {
 public:
  Law(const AdaNetwork& network, const Property& property)
      : network_(network), property_(property), system_(components_of(network), {}) {}

  // Whether it holds; nothing: too large.
  std::optional<bool> plainly() const {
    std::vector<const Lts*> all;
    for (const Component& component : network_.network.components) all.push_back(&component.lts);
    Limits limits;
    limits.states = kMostStates;
    Budget budget(limits);
    Cost cost;
    const Verdict verdict = check_property(all, property_.lts, nullptr, {.budget = budget, .cost = cost});
    if (std::holds_alternative<Unknown>(verdict)) return std::nullopt;
    return std::holds_alternative<Holds>(verdict);
  }

  // Empty: what the tasks reach together is in the relation; or they reach too much.
  std::string relation() const {
    const auto pairs = reference::pairs_of(system_, kMostStates);
    return !pairs || pairs->complete ? "" : "two tasks reach points that are not together";
  }
  std::string refinement(const ConstraintSet& constraints, bool holds) const {
    const auto proved = [&](const ConstraintSet& set, bool refined) {
      return reference::proves(system_, property_.lts, set, refined, 20 * kMostStates);
    };
    const ConstraintSet ordered = reference::with_all_tasks(system_, constraints);
    const auto refined = proved(ordered, true), plain = proved(ordered, false);
    if (refined && plain && *refined != *plain) return "refined and other flow graphs differ";
    const auto less = proved(constraints, true), least = proved(constraints, false);
    if (least == true && less == false) return "refined flow graphs prove less";
    return (refined == true || less == true || least == true) && !holds ? "a false proof" : "";
  }
  // What auto ends with can do without none of its constraints.
  std::string minimal() const {
    Budget budget;
    Cost cost;
    const Context context{.budget = budget, .cost = cost};
    Flavers flavers(system_, property_.lts, context);
    if (!std::holds_alternative<Holds>(flavers.prove({}))) return "auto does not prove it";
    ConstraintSet used;
    for (std::size_t c = 0; c < system_.constraints.size(); ++c)
      if (std::ranges::find(flavers.answer().constraints, system_.constraints[c].name) !=
          flavers.answer().constraints.end())
        used.push_back(c);
    for (const std::size_t left_out : used) {
      ConstraintSet fewer = used;
      std::erase(fewer, left_out);
      if (reference::proves(system_, property_.lts, fewer, true) == true)
        return fmt::format("it does not need {}", system_.constraints[left_out].name);
    }
    return "";
  }
  // Empty: as it should be.
  std::string by(const ConstraintChoice& choice, bool holds, bool exact) const {
    Budget budget;
    Cost cost;
    const Context context{.budget = budget, .cost = cost};
    Flavers flavers(system_, property_.lts, context);
    return wrong(flavers.prove(choice), holds, exact);
  }
  std::string by_teacher(Random& random, bool holds) const {
    FlowSplit split;
    for (const std::size_t t : system_.tasks()) (random.below(2) == 0 ? split.s1 : split.s2).push_back(t);
    if (split.s1.empty() || split.s2.empty()) return "";
    Limits limits;
    limits.states = 20 * kMostStates;
    limits.queries = 20'000;
    Budget budget(limits);
    Cost cost;
    FlowAnswer answer;
    return wrong(prove_flavers_asym(system_, split, property_.lts, {}, {.budget = budget, .cost = cost}, answer), holds,
                 false);
  }

  ConstraintSet some(Random& random) const {
    ConstraintSet out;
    for (std::size_t c = 0; c < system_.constraints.size(); ++c)
      if (random.below(2) == 0) out.push_back(c);
    return out;
  }

 private:
  std::string wrong(const Verdict& verdict, bool holds, bool exact) const {
    if (std::holds_alternative<Unknown>(verdict)) return exact ? "not known" : "";
    if (const auto* violated = std::get_if<Violated>(&verdict))
      return holds ? "a false violation"
                   : certify::replay_violation(network_.network, property_, violated->trace).value_or("");
    if (!holds) return "a false proof";
    Certificate certificate = std::get<Holds>(verdict).certificate;
    certificate.split.emplace_back();
    for (const Component& component : network_.network.components) certificate.split[0].push_back(component.name);
    Budget budget;
    const auto judgement = certify::check_safety(network_.network, {&property_}, certificate, budget);
    return judgement.kind == certify::Judgement::Kind::accepted ? "" : "refused: " + judgement.reason;
  }

  const AdaNetwork& network_;
  const Property& property_;
  FlowSystem system_;
};

TEST(FlowPrograms, GetNoWrongAnswerFromFlowAnalysis) {
  const std::uint64_t first = number_from("SURETY_SEED", 1), count = number_from("SURETY_PROGRAMS", 2'000);
  std::map<std::string, std::uint64_t> seen;
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    const AdaProgram program = random_flow_program(seed);
    ActionTable actions;
    Budget budget;
    AdaNetworkOptions options;
    if (seed % 2 == 0) options.own = AdaOwnVariables::apart;
    const auto network = ada_network(program, actions, budget, options);
    if (!network || alphabet_of(network->network).empty()) continue;
    Random random(seed);
    const Property property = random_property(alphabet_of(network->network), random);
    const Law law(*network, property);
    const auto holds = law.plainly();
    if (!holds) {
      ++seen["too large"];
      continue;
    }
    ++seen[*holds ? "holds" : "violated"];
    const auto where = [&] { return fmt::format("seed {}\n{}", seed, shown(program.flow)); };
    ASSERT_EQ(law.by({Mode::listed, law.some(random)}, *holds, false), "") << where();
    ASSERT_EQ(law.by({Mode::all, {}}, *holds, true), "") << where();
    ASSERT_EQ(law.by({}, *holds, true), "") << where();
    ASSERT_EQ(law.relation(), "") << where();
    ASSERT_EQ(law.refinement(law.some(random), *holds), "") << where();
    if (*holds) {
      ASSERT_EQ(law.minimal(), "") << where();
    }
    ASSERT_EQ(law.by_teacher(random, *holds), "") << where();
  }
  for (const auto& [what, number] : seen) fmt::print("{:6} {}\n", number, what);
  EXPECT_GT(seen["holds"], count / 10);
  EXPECT_GT(seen["violated"], count / 10);
}

// ---- a label that is common to both sides

// The server is called by A and B, and both have the event "done".
constexpr const char* kCommon = R"(procedure Main is
   task Server is
      entry E;
   end Server;
   task A;
   task B;
   task body Server is
   begin
      accept E;
      accept E;
   end Server;
   task body A is
   begin
      Server.E;
      pragma Annotate (Surety, Event, "done");
   end A;
   task body B is
   begin
      Server.E;
      pragma Annotate (Surety, Event, "done");
   end B;
begin
   null;
end Main;
)";

// At most so many of these actions.
Property at_most(std::uint32_t most, const std::vector<Action>& actions) {
  LtsBuilder builder;
  for (std::uint32_t i = 0; i < most; ++i)
    for (const Action a : actions) builder.add_step(State{i}, a, State{i + 1});
  builder.set_state_count(most + 1);
  builder.add_to_alphabet(Alphabet(actions));
  return {"P", builder.build()};
}

// With the server and A on one side and B on the other a call of the server is inside the first or between the two,
// and "done" inside the first or inside the second. If one action stood for both, an assumption about what is between
// the sides would keep the first from what it does alone. So each has an action of its own, and the assumption can be
// about those of the second side only.
TEST(FlaversTeacher, TellsApartALabelOfBothSides) {
  std::string why;
  const auto follower = Follower::make(kCommon, "main.adb", why);
  ASSERT_NE(follower, nullptr) << why;
  const AdaNetwork& network = follower->network();
  const auto actions_of = [&](const std::string& label) {
    std::vector<Action> out;
    for (const Action a : alphabet_of(network.network))
      if (follower->actions().name(a).starts_with(label + ".from.") ||
          follower->actions().name(a).starts_with(label + ".by."))
        out.push_back(a);
    return out;
  };
  const FlowSystem system(components_of(network), {});
  const auto tasks = system.tasks();
  ASSERT_EQ(tasks.size(), 4U);
  for (const std::string label : {"server.e", "done"}) {
    const auto actions = actions_of(label);
    ASSERT_EQ(actions.size(), 2U) << label;
    for (std::uint32_t mask = 1; mask + 1 < 1U << tasks.size(); ++mask) {
      FlowSplit split;
      for (std::size_t t = 0; t < tasks.size(); ++t) ((mask >> t & 1) != 0 ? split.s1 : split.s2).push_back(tasks[t]);
      Alphabet second;
      for (const std::size_t t : split.s2) second = unite(second, system.components[t].lts->alphabet());
      for (const std::uint32_t most : {1U, 2U}) {
        const Property property = at_most(most, actions);
        EXPECT_EQ(subtract(scopes_of(system, split, property.lts, {}).interface, second), Alphabet());
        for (const Mode mode : {Mode::none, Mode::all}) {
          Budget budget;
          Cost cost;
          FlowAnswer answer;
          const Verdict verdict =
              prove_flavers_asym(system, split, property.lts, {mode, {}}, {.budget = budget, .cost = cost}, answer);
          const bool holds = std::holds_alternative<Holds>(verdict), open = std::holds_alternative<Unknown>(verdict);
          EXPECT_TRUE(mode == Mode::none || !open) << label << " " << mask;
          EXPECT_TRUE(open || holds == (most == 2)) << label << " " << mask;
        }
      }
    }
  }
}

}  // namespace
}  // namespace surety
