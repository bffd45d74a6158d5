// States of processes have the names of the text.
#include "fsp_help.hpp"

namespace surety {
namespace {

// "text:line" of each state of the machine, or "none".
std::string names_of_machine(std::string_view text, std::size_t machine = 0, std::string_view system = "S") {
  const FspModel m(text);
  if (!m.file) return m.errors();
  Budget budget;
  const auto composite = m.file->composite(system, budget);
  if (!composite) return rendered(composite.error());
  const auto names = m.file->state_names(composite->machines[machine]);
  if (!names) return "none";
  std::string out;
  for (const auto& name : *names) out += (out.empty() ? "" : ", ") + name.text + ":" + std::to_string(name.line);
  return out;
}

TEST(FspStateNames, AreThoseOfLocalProcessesWithTheirIndices) {
  EXPECT_EQ(names_of_machine("P = FREE[0],\nFREE[i:0..1] = (a[i] -> Q[i][2]),\nQ[i:0..1][j:2..2] = (b -> FREE[1-i]).",
                             0, "DEFAULT"),
            "FREE[0]:2, Q[0][2]:3, FREE[1]:2, Q[1][2]:3");
}

TEST(FspStateNames, SayWhatHasBeenDoneSince) {
  EXPECT_EQ(names_of_machine("P = (a -> b -> c -> d -> (x -> STOP | y -> P)).\n||S = (P).", 0),
            "P:1, P after a:1, P after a -> b:1, P after a -> b -> c:1, P after ... -> b -> c -> d:1, STOP:0");
}

TEST(FspStateNames, ErrorEndAndWhatStandsBeforeASemicolon) {
  EXPECT_EQ(names_of_machine("Q = (b -> END).\nP = (a -> Q;P | c -> END | d -> ERROR).\n||S = (P).", 0),
            "P:2, Q:2, END:0, ERROR:0");
  EXPECT_EQ(names_of_machine("P = ERROR.\n||S = (P)."), "P:1, ERROR:0");
}

TEST(FspStateNames, StayThroughPrefixesRelabellingAndHiding) {
  EXPECT_EQ(names_of_machine("P(N=1) = (a -> Q[N]),\nQ[i:0..9] = (b -> P)\\{b}.\n||T = ({x,y}::p:P(3))/{z/x.p.a}.\n"
                             "||S = (t:T)."),
            "P:1, Q[3]:2");
}

TEST(FspStateNames, OfAPropertyHaveErrorWhereAStepIsMissing) {
  EXPECT_EQ(names_of_machine("property P = (a -> P).\n||S = (P)."), "P:1");
  EXPECT_EQ(names_of_machine("property P = (a -> b -> Q),\nQ = (c -> P) + {d}.\n||S = (x:P)."),
            "P:1, P after a:1, ERROR:0, Q:2");
}

TEST(FspStateNames, ThereAreNoneWhereStatesAreNotThoseOfTheText) {
  EXPECT_EQ(names_of_machine("minimal P = (a -> P).\n||S = (P)."), "none");
  EXPECT_EQ(names_of_machine("property P = (a -> P)/{b/a}.\n||S = (P)."), "none");
  EXPECT_EQ(names_of_machine("P = (a -> P).\n||T = (P || x:P)\\{a}.\n||S = (T)."), "none");
}

// A state "after ... -> a" is entered by a.
TEST(FspStateNames, EndWithTheActionThatLeadsThere) {
  const FspModel m(
      "P = (a[i:0..2] -> b -> if (i == 1) then P else (c[j:0..1] -> d -> Q[i+j] | e -> STOP)),\n"
      "Q[k:0..3] = (when (k > 1) f -> g -> P | when (k < 2) h -> Q[k+1] | {x,y} -> z -> ERROR).");
  const auto p = m.file->process("P");
  ASSERT_TRUE(p);
  const auto names = m.file->state_names({"P", p->lts, false, {}, {}, FspInstance{"P", {}}});
  ASSERT_TRUE(names);
  int entered = 0;
  for (std::uint32_t s = 0; s < p->lts.state_count(); ++s)
    for (const Step& step : p->lts.steps(State{s})) {
      const std::string& name = (*names)[step.target.value].text;
      if (name.find(" after ") == std::string::npos) continue;
      EXPECT_TRUE(name.ends_with(" " + std::string(m.actions.name(step.action)))) << name;
      ++entered;
    }
  EXPECT_GT(entered, 10);
}

}  // namespace
}  // namespace surety
