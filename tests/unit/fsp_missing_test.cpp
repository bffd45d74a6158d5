// Warnings about labels that no action answers to.
#include <set>

#include "fsp_help.hpp"

namespace surety {
namespace {

std::string composite_warnings(std::string_view text, std::string_view name = "S") {
  const FspModel m(text);
  if (!m.file) return m.errors();
  Budget budget;
  const auto c = m.file->composite(name, budget);
  return c ? rendered(c->warnings) : rendered(c.error());
}

std::string missing(std::string_view text, const std::set<std::string>& names, std::string_view system = "S") {
  const FspModel m(text);
  if (!m.file) return m.errors();
  Budget budget;
  return rendered(m.file->missing_actions(*m.file->composite(system, budget), names));
}

const std::string kSystem = "P = (enter -> exit -> P).\n||S = (P || p[0..2]:P).\n";

TEST(FspMissing, AMisspeltActionOfAnAssertionHasAPlaceAndANearName) {
  EXPECT_EQ(missing(kSystem + "assert A = []<>entre", {"A"}),
            "m.lts:3:16: warning: in S, no process has 'entre' of assertion A: it can happen at any time\n"
            "  assert A = []<>entre\n"
            "                 ^^^^^ did you mean 'enter'?\n");
}

TEST(FspMissing, OnlyWhatIsAskedForIsLookedAt) {
  EXPECT_EQ(missing(kSystem + "assert A = []<>entre\nassert B = []<>enter\nprogress C = {entre}", {"B"}), "");
}

TEST(FspMissing, AnAssertionIsLookedAtThroughItsNamesAndFluents) {
  EXPECT_EQ(missing(kSystem + "fluent F[i:0..3] = <p[i].enter, p[i].exti>\nassert A = []!F[1]\nassert B = A", {"B"}),
            "m.lts:3:33: warning: in S, no process has 'p.1.exti' of fluent F: it can happen at any time\n"
            "  fluent F[i:0..3] = <p[i].enter, p[i].exti>\n"
            "                                  ^^^^^^^^^ did you mean 'p.1.exit'?\n");
}

TEST(FspMissing, OneWarningPerSetNamesThreeLabels) {
  EXPECT_EQ(missing(kSystem + "assert A = <>{enter, w1, w2, w3, w4, w5}", {"A"}),
            "m.lts:3:22: warning: in S, no process has 'w1', 'w2', 'w3' and 2 more of assertion A: they can happen at "
            "any time\n"
            "  assert A = <>{enter, w1, w2, w3, w4, w5}\n"
            "                       ^^\n");
}

TEST(FspMissing, OfARangeOrANamedSetOneLabelIsEnough) {
  EXPECT_EQ(missing("set T = {enter, other}\n" + kSystem + "progress A = {p[0..9].enter}\nprogress B = T", {"A", "B"}),
            "");
}

TEST(FspMissing, EveryValueOfAnIndexIsASetOfItsOwn) {
  EXPECT_EQ(missing(kSystem + "progress A[i:0..3] = if p[i].enter then {p[i].exit}", {"A.0", "A.1", "A.2"}), "");
  EXPECT_EQ(missing(kSystem + "progress A[i:0..3] = if p[i].enter then {p[i].exit}", {"A.2", "A.3"}),
            "m.lts:3:25: warning: in S, no process has 'p.3.enter' of progress A: it never happens\n"
            "  progress A[i:0..3] = if p[i].enter then {p[i].exit}\n"
            "                          ^^^^^^^^^^ is an index out of range?\n"
            "m.lts:3:42: warning: in S, no process has 'p.3.exit' of progress A: it never happens\n"
            "  progress A[i:0..3] = if p[i].enter then {p[i].exit}\n"
            "                                           ^^^^^^^^^ is an index out of range?\n");
}

TEST(FspMissing, AForgottenPartOfAPathIsSuggested) {
  EXPECT_EQ(missing("P = (enter -> P).\n||S = (a:P).\nprogress A = {enter, a}", {"A"}),
            "m.lts:3:15: warning: in S, no process has 'enter' or 'a' of progress A: they never happen\n"
            "  progress A = {enter, a}\n"
            "                ^^^^^ did you mean 'a.enter'?\n");
}

TEST(FspMissing, OperatorsOfAProcessThatMatchNothing) {
  const FspModel m("P = (in -> out[0..1] -> P)/{x/inn, y/in}\\{ot, out}.\nQ = (a -> Q)@{a, bb}.\nR = (a.b -> R)\\{a}.");
  EXPECT_EQ(m.process_warnings("P"),
            "m.lts:1:31: warning: P has no 'inn' to rename\n"
            "  P = (in -> out[0..1] -> P)/{x/inn, y/in}\\{ot, out}.\n"
            "                                ^^^ did you mean 'in'?\n"
            "m.lts:1:43: warning: P has no 'ot' to hide\n"
            "  P = (in -> out[0..1] -> P)/{x/inn, y/in}\\{ot, out}.\n"
            "                                            ^^ did you mean 'out'?\n");
  EXPECT_EQ(m.process_warnings("Q"),
            "m.lts:2:18: warning: Q has no 'bb' to keep visible\n"
            "  Q = (a -> Q)@{a, bb}.\n"
            "                   ^^\n");
  EXPECT_EQ(m.process_warnings("R"), "");
}

TEST(FspMissing, OperatorsOfACompositeThatMatchNothing) {
  EXPECT_EQ(composite_warnings("P = (a -> b -> P).\n||S = (p:P || q:P)/{c/p.a, d/a} >> {zz} \\ {q.bb}."),
            "m.lts:2:30: warning: S has no 'a' to rename\n"
            "  ||S = (p:P || q:P)/{c/p.a, d/a} >> {zz} \\ {q.bb}.\n"
            "                               ^ did you mean 'p.a'?\n"
            "m.lts:2:37: warning: S has no 'zz' to give a low priority\n"
            "  ||S = (p:P || q:P)/{c/p.a, d/a} >> {zz} \\ {q.bb}.\n"
            "                                      ^^\n"
            "m.lts:2:44: warning: S has no 'q.bb' to hide\n"
            "  ||S = (p:P || q:P)/{c/p.a, d/a} >> {zz} \\ {q.bb}.\n"
            "                                             ^^^^ did you mean 'q.b'?\n");
}

TEST(FspMissing, ALabelThatOneInstanceHasIsFound) {
  EXPECT_EQ(composite_warnings("P(N=0) = (a[N] -> P)/{x/a[1]}.\n||S = (P(0) || P(1))."), "");
  EXPECT_EQ(composite_warnings("P = (a -> b -> P).\n||S = (forall[i:0..2] p[i]:P/{c/p[1].a})."), "");
  EXPECT_EQ(composite_warnings("P = (a -> b -> P).\n||S = (p[0..2]:P)/{forall[i:0..3] {p[i+1].a/p[i].b}}."), "");
}

}  // namespace
}  // namespace surety
