// Shared variables in one component with the tasks that use them: the same whole, and what of it still says which task
// is which.

#include <gtest/gtest.h>

#include "ada/programs.hpp"
#include "ada/tiny.hpp"
#include "base/random.hpp"
#include "model/equivalence.hpp"
#include "product/compose.hpp"

namespace surety {
namespace {

using Names = std::vector<std::string>;
using Why = net::SharedVariable::Why;

std::unique_ptr<Follower> grouped(const std::string& text, AdaOwnVariables own = AdaOwnVariables::in_tasks) {
  std::string why;
  auto out = Follower::make(text, "test.adb", why, {.own = own, .group = true});
  EXPECT_NE(out, nullptr) << why;
  return out;
}

const Network& network_of(const AdaNetwork& ada) { return ada.grouped ? *ada.grouped : ada.network; }

Names names_of(const Network& network) {
  Names out;
  for (const Component& c : network.components) out.push_back(c.name);
  return out;
}

std::optional<Lts> whole(const Network& network, std::uint64_t states = 20'000) {
  std::vector<const Lts*> parts;
  for (const Component& c : network.components) parts.push_back(&c.lts);
  Limits limits;
  limits.states = states;
  Budget budget(limits);
  return compose(parts, budget);
}

void expect_same_whole(const AdaNetwork& ada, const std::string& text) {
  const auto a = whole(ada.network), b = whole(*ada.grouped);
  if (!a) return;
  ASSERT_TRUE(b) << text;
  EXPECT_EQ(alphabet_of(ada.network), alphabet_of(*ada.grouped)) << text;
  EXPECT_EQ(a->state_count(), b->state_count()) << text;
  EXPECT_EQ(a->transition_count(), b->transition_count()) << text;
  EXPECT_EQ(a->end().has_value(), b->end().has_value()) << text;
  EXPECT_FALSE(difference(*a, *b, Equivalence::strong)) << text;
}

// Each state of a group is one of its members, and has the steps that these have together.
void expect_states_of_members(const AdaNetwork& ada, const std::string& text) {
  ASSERT_EQ(ada.groups.size(), ada.grouped->components.size()) << text;
  std::set<std::size_t> members;
  for (std::size_t g = 0; g < ada.groups.size(); ++g) {
    const AdaNetwork::Group& group = ada.groups[g];
    for (const std::size_t m : group.members) EXPECT_TRUE(members.insert(m).second) << text;
    if (group.members.size() == 1) continue;
    const Lts& lts = ada.grouped->components[g].lts;
    ASSERT_EQ(group.states.size(), lts.state_count()) << text;
    for (std::uint32_t s = 0; s < lts.state_count(); ++s)
      for (const Step& step : lts.steps(State{s})) {
        if (step.action == kTau || step.target == lts.end()) continue;
        for (std::size_t m = 0; m < group.members.size(); ++m) {
          const Lts& member = ada.network.components[group.members[m]].lts;
          const State from = group.states[s][m], to = group.states[step.target.value][m];
          if (!member.alphabet().contains(step.action)) {
            EXPECT_EQ(from, to) << text;
            continue;
          }
          const auto steps = member.steps(from, step.action);
          EXPECT_TRUE(std::ranges::any_of(steps, [&](const Step& other) { return other.target == to; })) << text;
        }
      }
  }
  EXPECT_EQ(members.size(), ada.network.components.size()) << text;
}

// Two tasks that take turns by a variable, and another one that only has an event.
const std::string kTurns =
    "procedure P is\nX : Integer range 0 .. 3 := 0;\n"
    "task A; task B; task C;\n"
    "task body A is begin X := 1; while X /= 2 loop null; end loop; X := 3; " +
    event("a") +
    " end A;\n"
    "task body B is begin while X /= 1 loop null; end loop; X := 2; while X /= 3 loop null; end loop; X := 0; " +
    event("b") + " end B;\ntask body C is begin " + event("c") + " end C;\nbegin\nnull;\nend P;\n";

TEST(AdaGroup, AVariableAndItsUsersAreOneComponentWhereThatIsSmaller) {
  const auto follower = grouped(kTurns);
  const AdaNetwork& ada = follower->network();
  ASSERT_TRUE(ada.grouped);
  EXPECT_EQ(names_of(ada.network), (Names{"P", "A", "B", "C", "X"}));
  EXPECT_EQ(names_of(*ada.grouped), (Names{"P", "A+B", "C"}));
  ASSERT_EQ(ada.shared.size(), 1U);
  EXPECT_EQ(ada.shared[0].why, Why::smaller);
  EXPECT_EQ(ada.shared[0].component, "A+B");
  EXPECT_EQ(ada.shared[0].apart, 61U);
  EXPECT_EQ(ada.shared[0].together, 35U);
  expect_same_whole(ada, kTurns);
  expect_states_of_members(ada, kTurns);
}

TEST(AdaGroup, OneTaskAtLeastThatDoesSomethingStaysOutside) {
  std::string text = kTurns;
  text.replace(text.find("task C;"), 7, "");
  text.erase(text.find("task body C"), text.find("begin\nnull;") - text.find("task body C"));
  const auto follower = grouped(text);
  EXPECT_FALSE(follower->network().grouped) << "the main procedure only waits for its tasks";
  ASSERT_EQ(follower->network().shared.size(), 1U);
  EXPECT_EQ(follower->network().shared[0].why, Why::everybody);
}

TEST(AdaGroup, VariablesOfTasksThatAreApartStayApart) {
  std::string text = kTurns;
  text.replace(text.find("task body A is begin"), 20, "task body A is N : Boolean := False; begin N := not N;");
  text.replace(text.find("X := 1;"), 7, "X := 1; if N then N := False; end if;");
  const auto follower = grouped(text, AdaOwnVariables::apart);
  const AdaNetwork& ada = follower->network();
  const Names names = names_of(network_of(ada));
  EXPECT_NE(std::ranges::find(names, "A.N"), names.end());
  EXPECT_EQ(ada.shared.size(), 1U);
  ASSERT_TRUE(ada.grouped);
  expect_same_whole(ada, text);
}

TEST(AdaGroup, StatesOfTheWholeAreThoseOfTheTasks) {
  const auto follower = grouped(kTurns);
  const AdaNetwork& ada = follower->network();
  ASSERT_TRUE(ada.grouped);
  const std::vector<State> first(ada.grouped->components.size(), State{0});
  EXPECT_EQ(ada.states_apart(first), std::vector<State>(ada.network.components.size(), State{0}));
}

TEST(AdaGroup, RandomProgramsDoTheSame) {
  int groups = 0, several = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const std::string text = random_ada(seed, "P").plain;
    std::string why;
    const auto follower = Follower::make(text, "p.adb", why, {.group = true});
    ASSERT_NE(follower, nullptr) << why << text;
    const AdaNetwork& ada = follower->network();
    if (!ada.grouped) continue;
    ++groups;
    several += ada.network.components.size() - ada.grouped->components.size() > 1;
    expect_same_whole(ada, text);
    expect_states_of_members(ada, text);
  }
  fmt::print("groups in {} programs, {} of several tasks or variables\n", groups, several);
  EXPECT_GT(groups, 5);
}

}  // namespace
}  // namespace surety
