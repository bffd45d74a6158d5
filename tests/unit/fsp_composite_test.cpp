// Composites (doc/semantics.md#fsp-composites), and minimising (doc/semantics.md#minimising).

#include "base/random.hpp"
#include "fsp_help.hpp"
#include "lang/fsp/minimise_ltsa.hpp"
#include "model/equivalence.hpp"
#include "model/transform.hpp"
#include "product/compose.hpp"

namespace surety {
namespace {

TEST(FspComposite, SharedActionsAreDoneTogether) {
  EXPECT_EQ(composite_of("P = (a -> c -> P).\nQ = (b -> c -> Q).\n||S = (P || Q)."),
            "0 a 1, 0 b 2, 1 b 3, 2 a 3, 3 c 0");
}

TEST(FspComposite, APrefixMakesOneCopyEach) {
  const FspModel m("P = (x -> P).\n||S = (a:P || b[1..2]:P || {c,d}:P).");
  EXPECT_EQ(m.machines("S"), "a:P b.1:P b.2:P c:P d:P");
  EXPECT_EQ(m.composite_alphabet("S"), "a.x b.1.x b.2.x c.x d.x");
}

TEST(FspComposite, ThePrefixBindsVariablesForItsProcess) {
  EXPECT_EQ(FspModel("P(I=0) = (x[I] -> P).\n||S = (p[i:1..2]:P(i*10)).").composite_alphabet("S"), "p.1.x.10 p.2.x.20");
}

TEST(FspComposite, SharingMakesOneMachineWithAllNames) {
  const FspModel m("R = (get -> put -> R).\n||S = ({a,b}::R).\n||T = ({a,b}::r:R).");
  EXPECT_EQ(m.machines("S"), "{a,b}::R");
  EXPECT_EQ(m.composite("S"), "0 a.get 1, 0 b.get 1, 1 a.put 0, 1 b.put 0");
  EXPECT_EQ(m.machines("T"), "{a,b}::r:R");
  EXPECT_EQ(m.composite_alphabet("T"), "a.r.get a.r.put b.r.get b.r.put");
}

TEST(FspComposite, RelabellingComesAfterPrefixAndSharing) {
  EXPECT_EQ(composite_of("P = (a -> b -> P).\n||S = ({x,y}::p:P)/{go/x.p.a, stop/{x,y}.p.b}."),
            "0 y.p.a 1, 0 go 1, 1 stop 0");
}

TEST(FspComposite, AReferencedCompositeIsFlattened) {
  EXPECT_EQ(FspModel("A = (a -> A).\nB = (b -> B).\n||AB = (A || B).\n||S = (x:AB || {y,z}::AB || AB).").machines("S"),
            "x:AB.A x:AB.B {y,z}::AB.A {y,z}::AB.B AB.A AB.B");
}

TEST(FspComposite, ACompositeWithHidingPriorityOrMinimalIsComposedFirst) {
  for (const char* definition : {"||C = (A || B)\\{a}.", "||C = (A || B)>>{a}.", "minimal ||C = (A || B).",
                                 "deterministic ||C = (A || B).", "compose ||C = (A || B)."})
    EXPECT_EQ(
        FspModel(std::string("A = (a -> A).\nB = (b -> B).\n") + definition + "\n||S = (C || x:C).").machines("S"),
        "C x:C")
        << definition;
}

TEST(FspComposite, MergingLabelsOfANamedCompositeDoesNotMakeItsMachinesSynchronise) {
  const std::string text =
      "P = (a -> P).\nQ = (b -> Q).\n||S = (P || Q)/{c/a, c/b}.\n||N = (P || Q).\n||T = (N)/{c/a, c/b}.";
  const FspModel m(text + "\nR = (x -> y -> R).\n||V = (R)/{c/x, c/y}.");
  EXPECT_EQ(m.machines("S"), "P Q");
  EXPECT_EQ(m.machines("T"), "N");
  EXPECT_EQ(m.composite("V"), "0 c 1, 1 c 0");
}

TEST(FspComposite, ForallAndIfChooseTheMachines) {
  const FspModel m(
      "const N = 3\nP(I=0) = (a[I] -> P).\n||S = (forall[i:1..N] p[i]:P(i)).\n"
      "||T = (if (N > 2) then forall[i:1..2] forall[j:0..1] P(i+j) else P(9)).");
  EXPECT_EQ(m.machines("S"), "p.1:P(1) p.2:P(2) p.3:P(3)");
  EXPECT_EQ(m.machines("T"), "P(1) P(2) P(2) P(3)");
}

TEST(FspComposite, ParametersMayBeLabels) {
  EXPECT_EQ(FspModel("P(N='q) = ([N] -> P).\n||S(L='zz) = (P(L)).\n||T = (S('ww) || S).").machines("T"),
            "S(ww).P(ww) S.P(zz)");
}

TEST(FspComposite, LowActionsGiveWayAndTauIsHighThere) {
  EXPECT_EQ(composite_of("P = (a -> P | tick -> P).\n||S = (P)>>{tick}."), "0 a 0");
  EXPECT_EQ(composite_of("P = (a -> P | tick -> P).\n||S = (P)<<{tick}."), "0 tick 0");
  EXPECT_EQ(composite_of("P = (h -> a -> P | tick -> P)\\{h}.\n||S = (P)>>{tick}."), "0 tau 1, 1 a 0");
  EXPECT_EQ(composite_of("P = (h -> a -> P | tick -> P)\\{h}.\n||S = (P)<<{tick}."), "0 tick 0");
}

TEST(FspComposite, PriorityLooksAtWhatIsEnabledInTheWhole) {
  // P alone could do a, but Q never lets it: tick is not cut.
  EXPECT_EQ(composite_of("P = (a -> P | tick -> P).\nQ = STOP + {a}.\n||S = (P || Q)>>{tick}."), "0 tick 0");
}

TEST(FspComposite, PriorityActsBeforeHiding) {
  EXPECT_EQ(composite_of("P = (a -> P | b -> P | tick -> P).\n||S = (P)>>{tick}\\{a}."), "0 tau 0, 0 b 0");
}

TEST(FspComposite, AWholeEndsIffTheOnesThatCanHaveAndTheOthersHaveNoActionOfTheirOwn) {
  const auto ends = [](const char* text) {
    const FspModel m(text);
    Budget budget;
    return compose_fsp(*m.file->composite("S", budget), budget)->end().has_value();
  };
  EXPECT_TRUE(ends("P = (a -> END).\n||S = (p:P || q:P)."));
  EXPECT_TRUE(ends("P = (a -> b -> END).\nQ = (a -> Q).\n||S = (P || Q)."));
  EXPECT_FALSE(ends("P = (a -> b -> END).\nQ = (a -> c -> Q).\n||S = (P || Q)."));
  EXPECT_FALSE(ends("P = END.\n||S = (P)."));
}

TEST(FspComposite, APropertyOverACompositeIsDeterminisedAndCompleted) {
  EXPECT_EQ(composite_of("P = (a -> b -> P).\nproperty ||S = P."), "0 a 1, 0 b ERROR, 1 a ERROR, 1 b 0");
}

TEST(FspComposite, WithoutACompositeAllProcessesRun) {
  const FspModel m("P(I=1) = (a[I] -> END).\nQ = (x -> P(1);P(2);Q | y -> END).");
  EXPECT_EQ(m.file->composites(), std::vector<std::string>{"DEFAULT"});
  EXPECT_EQ(m.machines("DEFAULT"), "P Q P(1) P(2)");
}

TEST(FspComposite, OnlyWhatIsAskedForIsElaborated) {
  // BAD has an error and HUGE would need 10^12 states; GOOD does not care.
  const FspModel m(
      "P = P[0], P[i:0..9999] = (a -> P[(i+1)%10000]).\n||HUGE = ({x,y,z}:P)@{x}.\n||TOP = (HUGE).\n"
      "||BAD = (NOBODY).\n||GOOD = (P).");
  EXPECT_EQ(m.machines("GOOD"), "P");
  EXPECT_EQ(m.machines("BAD"),
            "m.lts:4:10: error: there is no process 'NOBODY'\n"
            "  ||BAD = (NOBODY).\n"
            "           ^^^^^^\n");
  Budget budget({{}, {}, 1000, {}});
  const auto top = m.file->composite("TOP", budget);
  ASSERT_FALSE(top);
  EXPECT_EQ(budget.why(), Stop::states);
}

TEST(FspComposite, WarnsOfAnActionThatBlocksForEver) {
  const FspModel m("P = (a -> P | b -> P).\nQ = (a -> Q), R = (b -> R).\n||S = (P || Q).");
  Budget budget;
  EXPECT_EQ(rendered(m.file->composite("S", budget)->warnings),
            "m.lts:3:3: warning: in S, Q never does 'b' and so keeps others from it\n"
            "  ||S = (P || Q).\n"
            "    ^\n");
  // With + it is meant.
  const FspModel meant("P = (a -> P | b -> P).\nQ = (a -> Q) + {b}.\n||S = (P || x:Q/{b/x.b}).");
  EXPECT_EQ(rendered(meant.file->composite("S", budget)->warnings), "");
}

TEST(FspComposite, WarnsOfAPropertyOverActionsThatNobodyHas) {
  const FspModel m("P = (a -> P).\nproperty SAFE = (a -> SAFE) + {b}.\n||S = (P || SAFE).");
  Budget budget;
  EXPECT_EQ(rendered(m.file->composite("S", budget)->warnings),
            "m.lts:3:3: warning: in S, no process has 'b' of property SAFE\n"
            "  ||S = (P || SAFE).\n"
            "    ^ such an action can happen at any time\n");
}

// ---- minimising as LTSA does

std::uint32_t minimised(std::string_view text) {
  const FspModel m(text);
  return minimise_ltsa(m.file->process("P")->lts).state_count();
}

TEST(FspMinimise, ASilentChoiceMovesIntoTheActionBefore) {
  EXPECT_EQ(minimised("P = (a -> (h -> b -> P | k -> c -> P))\\{h,k}."), 3U);
}

TEST(FspMinimise, TheInitialStateKeepsItsSilentChoice) {
  EXPECT_EQ(minimised("P = (h -> a -> P | k -> b -> P)\\{h,k}."), 3U);
}

TEST(FspMinimise, ASilentStepMixedWithAVisibleOneIsKept) {
  EXPECT_EQ(minimised("P = (a -> (h -> b -> P | c -> P))\\{h}."), 3U);
}

TEST(FspMinimise, ASilentLoopIsAStop) { EXPECT_EQ(minimised("P = (a -> T), T = (h -> T)\\{h}."), 2U); }

TEST(FspMinimise, ASilentStepToErrorIsPulledIntoTheActionBefore) {
  const FspModel m("P = (a -> h -> ERROR | b -> P)\\{h}.");
  EXPECT_EQ(m.steps(minimise_ltsa(m.file->process("P")->lts)), "0 a ERROR, 0 b 0");
}

// ---- laws

Lts random_lts(Random& random, ActionTable& actions, std::uint32_t silent_percent) {
  LtsBuilder builder;
  const std::uint32_t n = 2 + random.below(7);
  const std::vector<Action> letters = {actions.intern("a"), actions.intern("b"), actions.intern("c")};
  builder.set_state_count(n + 2);
  if (random.chance(40)) builder.set_error(State{n});
  if (random.chance(40)) builder.set_end(State{n + 1});
  for (std::uint32_t i = n + random.below(2 * n); i > 0; --i) {
    const Action a = random.chance(silent_percent) ? kTau : letters[random.below(3)];
    builder.add_step(State{random.below(n)}, a, State{random.below(n + 2)});
  }
  return reachable(builder.build());
}

TEST(FspMinimise, BothWaysGiveTheSame) {
  Random random(11);
  int smaller_than_weak = 0;
  for (int i = 0; i < 3000; ++i) {
    ActionTable actions;
    const Lts lts = random_lts(random, actions, 30 + random.below(50));
    const auto eliminated = fsp::minimise_by_elimination(lts, UINT64_MAX);
    const Lts by_signatures = fsp::minimise_by_signatures(lts);
    ASSERT_TRUE(eliminated);
    ASSERT_EQ(eliminated->state_count(), by_signatures.state_count()) << to_fsp(lts, actions, "P");
    ASSERT_EQ(eliminated->transition_count(), by_signatures.transition_count()) << to_fsp(lts, actions, "P");
    ASSERT_FALSE(difference(*eliminated, by_signatures, Equivalence::strong)) << to_fsp(lts, actions, "P");
    smaller_than_weak += difference(lts, by_signatures, Equivalence::weak).has_value();
  }
  EXPECT_GT(smaller_than_weak, 100);  // the pre-pass did something
}

// Priority by the book: compose, cut in each state, drop what is not reached.
Lts cut(const Lts& lts, const Priority& priority) {
  LtsBuilder builder;
  builder.set_state_count(lts.state_count());
  builder.add_to_alphabet(lts.alphabet());
  if (lts.error()) builder.set_error(*lts.error());
  if (lts.end()) builder.set_end(*lts.end());
  for (std::uint32_t s = 0; s < lts.state_count(); ++s) {
    const auto steps = lts.steps(State{s});
    const bool any = std::ranges::any_of(steps, [&](const Step& step) { return priority.is_high(step.action); });
    for (const Step& step : steps)
      if (!any || priority.is_high(step.action)) builder.add_step(State{s}, step.action, step.target);
  }
  return reachable(builder.build());
}

TEST(FspComposite, PriorityIsCuttingInEveryState) {
  Random random(3);
  for (int i = 0; i < 1000; ++i) {
    ActionTable actions;
    const Lts p = random_lts(random, actions, 15), q = random_lts(random, actions, 15),
              r = random_lts(random, actions, 15);
    std::vector<Action> named;
    for (const char* name : {"a", "b", "c"})
      if (random.chance(50)) named.push_back(actions.intern(name));
    const Priority priority{Alphabet(named), random.chance(50)};
    Budget budget;
    const auto whole = compose({&p, &q, &r}, budget);
    const auto directly = compose({&p, &q, &r}, budget, &priority);
    const Lts by_hand = cut(*whole, priority);
    ASSERT_EQ(directly->state_count(), by_hand.state_count());
    ASSERT_EQ(directly->transition_count(), by_hand.transition_count());
    ASSERT_FALSE(difference(*directly, by_hand, Equivalence::strong));
  }
}

}  // namespace
}  // namespace surety
