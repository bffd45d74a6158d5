// The variables of tasks as components: which of them, under which names. That programs do the same with them is told
// by every test that asks for traces (tiny.hpp), and over random programs (flow_laws_test.cpp, methods_test.cpp).

#include <gtest/gtest.h>

#include "ada/tiny.hpp"

namespace surety {
namespace {

using Kind = AdaNetwork::Part::Kind;
using Names = std::vector<std::string>;

std::unique_ptr<Follower> apart(const std::string& text, std::uint32_t whole_states = 0) {
  std::string why;
  auto out = Follower::make(text, "test.adb", why, {.own = AdaOwnVariables::apart, .whole_states = whole_states});
  EXPECT_NE(out, nullptr) << why;
  return out;
}

Names variables(const std::string& text) { return apart(text)->network().names_of(Kind::variable); }

// A task T with these declarations and statements.
std::string of_task(const std::string& declarations, const std::string& statements) {
  return fmt::format(
      "procedure P is\ntask T is entry E; end T;\ntask body T is\n{}\nbegin\n{}\nend T;\nbegin\nT.E;\nend P;\n",
      declarations, statements);
}

TEST(AdaApart, StepsHaveTheNamesOfTaskAndVariable) {
  const auto follower = apart(of_task("N : Integer range 0 .. 3 := 0;", "accept E; N := N + 1; " + event("e", "N")));
  const AdaNetwork& network = follower->network();
  EXPECT_EQ(network.names_of(Kind::variable), Names{"T.N"});
  std::set<std::string> names;
  for (const Action a : network.own_accesses()) names.insert(std::string(follower->actions().name(a)));
  for (const char* name : {"t.n.is.0", "t.n.is.1", "t.n.to.1"}) EXPECT_TRUE(names.contains(name)) << name;
  EXPECT_EQ(follower->traces(10), Traces{"t.e e.1 =end"});
}

TEST(AdaApart, EveryComponentIsATaskAVariableAnObjectOrAQueue) {
  const auto follower = apart(
      "procedure P is\nX : Boolean := False;\n"
      "protected O is procedure Set; private D : Boolean := False; end O;\n"
      "protected body O is procedure Set is begin D := not D; end Set; end O;\n"
      "task T is entry E; end T;\ntask body T is N : Boolean := False; begin\n"
      "loop accept E; N := not N; X := N; O.Set; exit when N and E'Count = 0; end loop;\nend T;\n"
      "begin\nX := True; T.E;\nend P;\n");
  const AdaNetwork& network = follower->network();
  ASSERT_EQ(network.parts.size(), network.network.components.size());
  std::map<std::string, std::pair<Kind, std::optional<std::size_t>>> seen;
  for (std::size_t c = 0; c < network.parts.size(); ++c)
    seen[network.network.components[c].name] = {network.parts[c].kind, network.parts[c].task};
  const decltype(seen) wanted{{"P", {Kind::task, 0}},
                              {"T", {Kind::task, 1}},
                              {"X", {Kind::variable, std::nullopt}},
                              {"T.N", {Kind::variable, 1}},
                              {"O", {Kind::object, std::nullopt}},
                              {"t.e.queue", {Kind::queue, 1}}};
  EXPECT_EQ(seen, wanted);
}

TEST(AdaApart, VariablesOfTheMainProcedureKeepTheirNames) {
  EXPECT_EQ(variables(alone("N : Integer range 0 .. 3 := 0;", event("a") + " N := N + 1; " + event("e", "N"))),
            Names{"N"});
}

TEST(AdaApart, TwoVariablesOfOneNameHaveTwo) {
  const std::string block = "declare N : Boolean := True; begin accept E; N := not N; " + event("e", "N") + " end;\n";
  EXPECT_EQ(variables(of_task("", block + block)), (Names{"T.N", "T.N.2"}));
}

TEST(AdaApart, ElementsAndFieldsAreVariables) {
  EXPECT_EQ(variables(of_task("type R is record A, B : Boolean; end record; S : R := (True, False);\n"
                              "L : array (1 .. 2) of Boolean := (others => False); I : Integer range 1 .. 2 := 1;",
                              "accept E; I := 2; L (I) := S.A; S.A := L (I); " + event("e", "S.A"))),
            (Names{"T.S.a", "T.L.1", "T.L.2", "T.I"}));
}

TEST(AdaApart, SomeVariablesStayInTheirTasks) {
  const std::string use = "accept E; N := N + 1; " + event("e", "N");
  EXPECT_EQ(variables(of_task("N : Integer range 0 .. 63 := 0;", use)), Names{"T.N"});
  EXPECT_EQ(variables(of_task("N : Integer range 0 .. 64 := 0;", use)), Names{}) << "too many values";
  EXPECT_EQ(variables(of_task("N : Boolean := True;", "accept E; " + event("e", "N"))), Names{}) << "it never changes";
  EXPECT_EQ(variables(of_task("N : Boolean := True;", "accept E; N := False;")), Names{}) << "it is never read";
  EXPECT_EQ(variables(of_task("", "accept E; for I in 1 .. 2 loop " + event("e", "I") + " end loop;")), Names{})
      << "a loop variable";
  EXPECT_EQ(variables(of_task("task U; task body U is N : Boolean := True; begin " + event("u") + " N := not N; " +
                                  event("e", "N") + " end U;",
                              "accept E;")),
            Names{})
      << "its task can begin again";
}

// A block that is entered again, and a variable that has no value yet.
TEST(AdaApart, AVariableWithoutAValueHasAnyEachTime) {
  EXPECT_EQ(traces(of_task("", "accept E; for I in 1 .. 2 loop declare N : Boolean; begin " + event("e", "N") +
                                   " N := True; end; end loop;")),
            (Traces{"t.e e.false e.false =end", "t.e e.false e.true =end", "t.e e.true e.false =end",
                    "t.e e.true e.true =end"}));
}

TEST(AdaApart, AnIndexThatIsNotModelledIsAnyElement) {
  const std::string text = of_task(
      "L : array (1 .. 2) of Boolean := (others => False); I : Integer range 1 .. 2 := 1;\n"
      "pragma Annotate (Surety, Ignore, I);",
      "accept E; L (I) := True; " + event("e", "L (1), L (2)"));
  EXPECT_EQ(variables(text), (Names{"T.L.1", "T.L.2"}));
  EXPECT_EQ(traces(text), (Traces{"t.e e.false.true =end", "t.e e.true.false =end"}));
}

TEST(AdaApart, OnlyTasksWithManyStatesComeApart) {
  const std::string text =
      "procedure P is\ntask S is entry E; end S;\ntask body S is N : Boolean := False; begin\n"
      "accept E; N := not N; " +
      event("s", "N") +
      " end S;\ntask T is entry Set (I : Integer); end T;\ntask body T is\n"
      "L : array (1 .. 6) of Boolean := (others => False);\nbegin\nloop select accept Set (I : Integer) do\n"
      "L (I) := not L (I); end Set; or terminate; end select; end loop;\nend T;\n"
      "begin\nS.E; for I in 1 .. 6 loop T.Set (I); end loop;\nend P;\n";
  EXPECT_EQ(apart(text, 100)->network().names_of(Kind::variable),
            (Names{"T.L.1", "T.L.2", "T.L.3", "T.L.4", "T.L.5", "T.L.6"}));
  EXPECT_EQ(apart(text, 1'000)->network().names_of(Kind::variable), Names{});
}

}  // namespace
}  // namespace surety
