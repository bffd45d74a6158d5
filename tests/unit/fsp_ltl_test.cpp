// Assertions, fluents, progress and constraints: their data, and how they are read.

#include "fsp_help.hpp"

namespace surety {
namespace {

// A formula with all its parentheses: (a -> <>b)
class Shown {
 public:
  Shown(const FspAssertion& assertion, const ActionTable& actions) : assertion_(assertion), actions_(actions) {}
  std::string operator()(const FspFormula& f) const {
    using Op = FspFormula::Op;
    switch (f.op) {
      case Op::constant: return f.value ? "true" : "false";
      case Op::fluent: return assertion_.fluents[f.fluent].name;
      case Op::actions: {
        std::string out;
        for (const auto& name : sorted_names(actions_, f.actions)) out += (out.empty() ? "" : ",") + name;
        return f.actions.size() == 1 ? out : "{" + out + "}";
      }
      case Op::negation: return "!" + (*this)(f.operands[0]);
      case Op::next: return "X " + (*this)(f.operands[0]);
      case Op::eventually: return "<>" + (*this)(f.operands[0]);
      case Op::always: return "[]" + (*this)(f.operands[0]);
      case Op::both: return infix(f, " && ");
      case Op::either: return infix(f, " || ");
      case Op::until: return infix(f, " U ");
      case Op::weak_until: return infix(f, " W ");
      case Op::implies: return infix(f, " -> ");
      case Op::iff: return infix(f, " <-> ");
    }
    return "?";
  }

 private:
  std::string infix(const FspFormula& f, const char* op) const {
    std::string out;
    for (const auto& operand : f.operands) out += (out.empty() ? "(" : op) + (*this)(operand);
    return out + ")";
  }
  const FspAssertion& assertion_;
  const ActionTable& actions_;
};

std::string formula_of(const std::string& definitions, const std::string& formula) {
  const FspModel m("P = (a -> P).\n" + definitions + "\nassert A = " + formula);
  if (!m.file) return m.errors();
  const auto assertion = m.file->assertion("A");
  return assertion ? Shown(*assertion, m.actions)(assertion->formula) : rendered(assertion.error());
}

TEST(FspLtl, OrBindsWeakestThenOneArrowThenAnd) {
  EXPECT_EQ(formula_of("", "(a && b || c)"), "((a && b) || c)");
  EXPECT_EQ(formula_of("", "(a -> b || c)"), "((a -> b) || c)");
  EXPECT_EQ(formula_of("", "(a || b -> c)"), "(a || (b -> c))");
  EXPECT_EQ(formula_of("", "(a U b || c W d)"), "((a U b) || (c W d))");
  EXPECT_EQ(formula_of("", "(!a && X b <-> []<>c)"), "((!a && X b) <-> []<>c)");
}

TEST(FspLtl, ArrowsDoNotChain) {
  const std::string error = formula_of("", "(a -> b -> c)");
  EXPECT_NE(error.find("use parentheses: (a -> (b -> c))"), std::string::npos) << error;
}

TEST(FspLtl, ALabelWithARangeIsASetOfActions) {
  EXPECT_EQ(formula_of("range R = 1..2", "[]<>a[R].go"), "[]<>{a.1.go,a.2.go}");
}

TEST(FspLtl, QuantifiersBecomeConjunctionsAndDisjunctions) {
  EXPECT_EQ(formula_of("", "forall[i:0..1] []<>a[i]"), "([]<>a.0 && []<>a.1)");
  EXPECT_EQ(formula_of("", "exists[i:{x,y}] a[i]"), "(a.x || a.y)");
}

TEST(FspLtl, AFluentOverARangeIsADisjunction) {
  EXPECT_EQ(formula_of("range R = 1..2\nfluent F[i:R] = <a[i], b[i]>", "[]!F[R]"), "[]!(F.1 || F.2)");
  EXPECT_EQ(formula_of("range R = 1..2\nfluent F[i:R] = <a[i], b[i]>", "F[2]"), "F.2");
}

TEST(FspLtl, AssertionsWithParametersReferToEachOther) {
  EXPECT_EQ(formula_of("assert B(I=0) = [](a[I] -> X a[I+1])", "(B(3) && B)"),
            "([](a.3 -> X a.4) && [](a.0 -> X a.1))");
}

TEST(FspLtl, RigidIsAConstant) {
  EXPECT_EQ(formula_of("", "forall[i:0..1] (rigid(i<1) -> a[i])"), "((true -> a.0) && (false -> a.1))");
}

TEST(FspLtl, AnUnknownNameIsAnError) {
  EXPECT_EQ(formula_of("fluent BUSY = <a, b>", "[]BUSSY"),
            "m.lts:3:14: error: there is no fluent or assertion 'BUSSY'\n"
            "  assert A = []BUSSY\n"
            "               ^^^^^ did you mean 'BUSY'?\n");
}

TEST(FspFluents, HaveSetsAndAFirstValue) {
  const FspModel m("const True = 1\nP = (a -> P).\nfluent F = <{a,b}, c[0..1]> initially True");
  const auto fluents = m.file->fluents();
  ASSERT_TRUE(fluents);
  EXPECT_EQ(sorted_names(m.actions, fluents->at(0).initiating), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(sorted_names(m.actions, fluents->at(0).terminating), (std::vector<std::string>{"c.0", "c.1"}));
  EXPECT_TRUE(fluents->at(0).initially);
}

TEST(FspFluents, DoNotStartAndEndWithTheSameAction) {
  EXPECT_EQ(rendered(FspModel("P = (a -> P).\nfluent F = <{a,b}, b>").file->fluents().error()),
            "m.lts:2:8: error: 'b' both initiates and terminates the fluent F\n"
            "  fluent F = <{a,b}, b>\n"
            "         ^\n");
}

TEST(FspProgressSets, AreIndexedAndConditional) {
  const FspModel m("P = (a -> P).\nset S = {a,b}\nprogress X[i:1..2] = a[i]\nprogress Y = if a then S");
  const auto progress = m.file->progress();
  ASSERT_TRUE(progress);
  ASSERT_EQ(progress->size(), 3U);
  EXPECT_EQ(progress->at(1).name, "X.2");
  EXPECT_EQ(sorted_names(m.actions, progress->at(1).actions), std::vector<std::string>{"a.2"});
  EXPECT_FALSE(progress->at(1).condition);
  EXPECT_EQ(sorted_names(m.actions, *progress->at(2).condition), std::vector<std::string>{"a"});
  EXPECT_EQ(sorted_names(m.actions, progress->at(2).actions), (std::vector<std::string>{"a", "b"}));
}

// ---- constraints

std::string constrained(const std::string& formula, const std::string& process = "P = (a -> P | b -> P).") {
  return composite_of(process + "\nfluent ON = <a, b>\nconstraint C = " + formula + "\n||S = (P || C).");
}

TEST(FspConstraint, RefusesWhatItsFormulaForbids) {
  EXPECT_EQ(constrained("[]!b"), "0 a 0");
  EXPECT_EQ(constrained("[](a -> X b)"), "0 a 1, 0 b 0, 1 b 0");
  EXPECT_EQ(constrained("[](a -> X !a) + {b}"), "0 a 1, 0 b 0, 1 b 0");
  EXPECT_EQ(constrained("(!b W a)"), "0 a 1, 1 a 1, 1 b 1");
  EXPECT_EQ(constrained("!<>b"), "0 a 0");
}

TEST(FspConstraint, FollowsFluents) { EXPECT_EQ(constrained("[](ON -> X !ON)"), "0 a 1, 0 b 0, 1 b 0"); }

TEST(FspConstraint, LeavesOtherActionsAlone) {
  EXPECT_EQ(constrained("[](a -> X b)", "P = (a -> P | b -> P | c -> P)."), "0 a 1, 0 b 0, 0 c 0, 1 b 0, 1 c 1");
}

TEST(FspConstraint, BringsTheLabelsOfLtsa) {
  EXPECT_EQ(FspModel("P = (a -> P).\nconstraint C = []a\n||S = (P || C).").composite_alphabet("S"), "* @C a");
}

TEST(FspConstraint, CannotAskForSomethingEventually) {
  const std::string error = constrained("[]<>a");
  EXPECT_NE(error.find("a constraint may not ask for something to happen eventually"), std::string::npos) << error;
}

}  // namespace
}  // namespace surety
