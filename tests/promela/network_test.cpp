// Promela programs taken apart: the components, the names of their actions, what is refused, what it all means.

#include <gtest/gtest.h>

#include <map>

#include "lang/promela/network/network.hpp"
#include "model/automata.hpp"
#include "reference/reference.hpp"

namespace surety {
namespace {

struct Apart {
  ActionTable actions;
  tl::expected<PromelaNetwork, Diagnostic> parts = tl::unexpected(Diagnostic());

  explicit Apart(const std::string& text) {
    auto file = read_promela(text, "test.pml");
    EXPECT_TRUE(file) << (file ? "" : render(file.error()[0]));
    Budget budget;
    if (file) parts = promela_network(*file, actions, budget);
  }

  std::vector<std::string> alphabet(const std::string& component) const {
    for (const auto& c : parts->network.components)
      if (c.name == component) return sorted_names(actions, c.lts.alphabet());
    ADD_FAILURE() << "there is no component " << component;
    return {};
  }

  std::vector<const Lts*> components() const {
    std::vector<const Lts*> out;
    for (const auto& c : parts->network.components) out.push_back(&c.lts);
    return out;
  }

  // The shortest way to violate it; nothing: it holds.
  std::optional<std::vector<std::string>> violation(const Lts& property) const {
    const auto trace = reference::shortest_violation(components(), property);
    return trace ? std::optional(names(actions, *trace)) : std::nullopt;
  }

  bool assertion_fails() const { return parts->assertions && violation(parts->assertions->lts).has_value(); }

  bool deadlocks() {
    const Network whole = with_ends(*parts, actions);
    std::vector<const Lts*> all;
    for (const auto& c : whole.components) all.push_back(&c.lts);
    return reference::shortest_deadlock(all).has_value();
  }
};

std::string refusal(const std::string& text) {
  const Apart apart(text);
  if (apart.parts) return "taken apart";
  const std::string message = apart.parts.error().message;
  return message.substr(0, 17) == "not taken apart: " ? message.substr(17) : message;
}

using Names = std::vector<std::string>;

TEST(PromelaNetwork, TellsWhoMeetsWhomInARendezvous) {
  const Apart apart(
      "chan c = [0] of { byte }; byte x;\n"
      "active proctype P() { c!1; c!2 }\n"
      "active proctype Q() { c!1 }\n"
      "active proctype R() { c?1; atomic { c?2; x = 1 } }\n");
  std::map<std::string, std::string> met;
  for (const auto& [action, r] : apart.parts->rendezvous)
    met[std::string(apart.actions.name(action))] = r.operation.text() + " " + r.sender + " " + r.receiver;
  EXPECT_EQ(met, (std::map<std::string, std::string>{{"c.1.from.p", "c.1 P R"}, {"c.1.from.q", "c.1 Q R"}}));
}

// P learns of 2 only after Q has learned of 1, and Q must hear of all that P then says.
TEST(PromelaNetwork, ExploresAProcessAgainWhenWhatItAsksForIsNew) {
  const Apart apart(
      "chan c = [0] of { byte }; chan d = [0] of { byte }; byte idle;\n"
      "active proctype P() { byte x; c!1; do :: d?x -> c!x od }\n"
      "active proctype Q() { byte x; do :: c?x -> if :: x < 4 -> d!(x + 1) :: else fi od }\n"
      "active proctype R() { idle = 1 }\n");
  EXPECT_EQ(apart.alphabet("Q"), (std::vector<std::string>{"c.1", "c.2", "c.3", "c.4", "d.2", "d.3", "d.4"}));
}

TEST(PromelaNetwork, ARendezvousIsOneActionOfSenderAndReceiver) {
  const Apart a(
      "mtype = { red, green }; chan c = [0] of { mtype, byte };"
      "active proctype P() { c!red,1; c!green,2 }  active proctype Q() { mtype m; c?m,_; c?green(2) }");
  EXPECT_EQ(a.alphabet("P"), (Names{"c.green.2", "c.red.1"}));
  EXPECT_EQ(a.alphabet("Q"), (Names{"c.green.2", "c.red.1"}));
}

TEST(PromelaNetwork, PartnersAreNamedOnlyWhereThereAreSeveral) {
  const Apart a(
      "chan c = [0] of { byte }; proctype P(byte n) { c!n; c!7 }"
      "active proctype Q() { do :: c?_ od }  init { atomic { run P(1); run P(2) } }");
  EXPECT_EQ(a.alphabet("P(1)"), (Names{"c.1", "c.7.from.p.1"}));
  EXPECT_EQ(a.alphabet("P(2)"), (Names{"c.2", "c.7.from.p.2"}));
  EXPECT_EQ(a.parts->network.components.size(), 3u);  // init is over
}

TEST(PromelaNetwork, AStepThatTouchesSeveralVariablesIsOneAction) {
  const Apart a("bit x, y; active proctype P() { (x == y); x = 1 - y }  active proctype Q() { y = 1 }");
  EXPECT_EQ(a.alphabet("P"), (Names{"p.x.is.0.y.is.0", "p.x.is.1.y.is.1", "p.x.to.0.y.is.1", "p.x.to.1.y.is.0"}));
  EXPECT_EQ(a.alphabet("y"),
            (Names{"p.x.is.0.y.is.0", "p.x.is.1.y.is.1", "p.x.to.0.y.is.1", "p.x.to.1.y.is.0", "q.y.to.1"}));
}

TEST(PromelaNetwork, VariablesThatNobodyWritesAreConstants) {
  const Apart a("byte n = 2; byte a[2]; active proctype P() { a[n - 1] = n }");
  EXPECT_EQ(a.parts->network.components.size(), 2u);
  EXPECT_EQ(a.alphabet("a.1"), Names{"p.a.1.to.2"});
}

TEST(PromelaNetwork, ABufferIsAComponent) {
  const Apart a("chan c = [2] of { bit }; active proctype P() { c!0; c!1; c!1 }  active proctype Q() { bit b; c?b }");
  EXPECT_EQ(a.alphabet("c"), (Names{"c.in.0", "c.in.1", "c.out.0", "c.out.1"}));
  for (const auto& c : a.parts->network.components) {
    if (c.name != "c") continue;
    EXPECT_EQ(c.lts.state_count(), 7u);  // what two places can hold
  }
}

TEST(PromelaNetwork, WhatCannotBeTakenApartIsNamed) {
  const std::string channel = "chan c = [0] of { byte }; byte x; active proctype R() { c?_ } ";
  EXPECT_EQ(refusal(channel + "active proctype P() { atomic { x = 1; c!1 } }"),
            "a rendezvous inside an atomic sequence");
  EXPECT_EQ(refusal(channel + "active proctype P() { if :: c!1 :: else fi }"), "else beside a rendezvous");
  EXPECT_EQ(refusal("active proctype P() { if :: timeout fi }"), "timeout");
  EXPECT_EQ(refusal("proctype Q() { skip } active proctype P() { run Q() }"), "run in proctype P");
  EXPECT_EQ(refusal("byte x; active proctype P() provided (x == 0) { skip }"), "provided");
  EXPECT_EQ(refusal("active proctype P() { skip unless skip }"), "unless");
  EXPECT_EQ(refusal("active proctype P() { _nr_pr == 1 }"), "_nr_pr");
  EXPECT_EQ(refusal("int x; active proctype P() { do :: x++ od }"), "more than 1024 values of x");
}

// However long they are: nothing may depend on how deep our own stack is.
TEST(PromelaNetwork, LoopsInsideAtomicSequences) {
  const std::string endless = "an atomic sequence without an end, or of more than 20000 statements";
  EXPECT_EQ(refusal("active proctype P() { atomic { do :: skip od } }"), endless);
  EXPECT_EQ(refusal("byte x; active proctype P() { x = 1 }"
                    "active proctype Q() { atomic { do :: x == 0 -> x = 0 :: x == 1 -> break od } }"),
            endless);
  EXPECT_EQ(refusal("active proctype P() { int i; atomic { do :: i < 60000 -> i++ :: else -> break od } }"), endless);
  EXPECT_TRUE(
      Apart("active proctype P() { d_step { do :: true -> skip od } }").assertion_fails());  // as on the machine
  EXPECT_EQ(refusal("chan q = [3] of { byte }; active proctype P() { atomic { do :: q!1; q?_ od } }"),
            "an atomic sequence that uses a channel more than 1000 times");
  EXPECT_EQ(refusal("chan q = [3] of { byte }; active proctype P() { atomic { do :: q!1 :: q!2 od } }"), "taken apart");
  const Apart endless_at("active proctype P() {\n  atomic {\n    do :: skip od\n  }\n}");
  ASSERT_FALSE(endless_at.parts);
  EXPECT_EQ(endless_at.parts.error().line, 3u);

  const Apart a("int x; active proctype P() { int i; atomic { do :: i < 6000 -> i++ :: else -> break od; x = i } }");
  ASSERT_TRUE(a.parts);
  EXPECT_EQ(a.alphabet("P"), (Names{"p.x.to.6000"}));
}

TEST(PromelaNetwork, InitMayOnlySetUpWhatNobodySees) {
  const std::string p = "byte x; proctype P() { x == 1 } ";
  EXPECT_EQ(refusal(p + "init { x = 1; atomic { run P(); run P() } }"), "taken apart");
  EXPECT_EQ(refusal(p + "init { atomic { run P(); x = 1; run P() } }"), "taken apart");
  EXPECT_EQ(refusal(p + "init { run P(); x = 1; run P() }"),
            "a global variable that init uses while others run already");
  EXPECT_EQ(refusal(p + "init { run P(); run P(); x = 1 }"), "taken apart");
  EXPECT_EQ(refusal(p + "active proctype Q() { x = 2 } init { atomic { x = 1; run P() } }"),
            "a global variable that init uses while others run already");
}

// What depends on who has ended by then, or on how many there are, is not the same in every run.
TEST(PromelaNetwork, InitMayNotLookAtOthersWhileItStartsThem) {
  const std::string a = "proctype A() { byte v; done: skip } ";
  EXPECT_EQ(refusal(a + "proctype B(byte n) { assert(n == 2) } init { run A(); run B(_nr_pr) }"), "_nr_pr");
  EXPECT_EQ(refusal(a + "proctype B() { byte n = _nr_pr; assert(n == 2) } init { run A(); run B() }"), "_nr_pr");
  EXPECT_EQ(refusal(a + "proctype B(byte n) { skip } init { run A(); run B(A[1]:v) }"),
            "a reference into another process");
  EXPECT_EQ(refusal(a + "proctype B() { skip } init { run A(); if :: A@done -> run B() :: else fi }"),
            "a reference into another process");
  const std::string numbers = "the number of a process or channel that init makes while others may end";
  EXPECT_EQ(refusal(a + "proctype B() { assert(_pid == 2) } init { run A(); run B() }"), numbers);
  EXPECT_EQ(refusal(a + "proctype B() { assert(_pid == 2) } init { atomic { run A(); run B() } }"), "taken apart");
  EXPECT_EQ(refusal("proctype A() { chan c = [1] of { byte }; c!1 } proctype B() { chan c = [1] of { byte }; c!1;"
                    "assert(c == 2) } init { run A(); run B() }"),
            numbers);
}

TEST(PromelaNetwork, AChannelEndsWithTheProcessThatMadeIt) {
  const std::string user = "chan g = [1] of { chan }; proctype U() { chan x; g?x; x!5; skip; x?_ } ";
  const std::string init = " init { atomic { run U(); run B() } }";
  const std::string gone = "a channel of a process that may end before others do";
  EXPECT_EQ(refusal(user + "proctype B() { chan c = [1] of { byte }; g!c }" + init), gone);
  EXPECT_EQ(refusal(user + "proctype B() { chan c = [1] of { byte }; chan d = c; g!d }" + init), gone);
  EXPECT_EQ(refusal(user + "proctype B() { chan c = [1] of { byte }; g!c; do :: true od }" + init), "taken apart");
}

TEST(PromelaNetwork, AtomicSequencesAreNotInterrupted) {
  const std::string q = " active proctype Q() { x == 1; assert(false) }";
  EXPECT_FALSE(Apart("byte x; active proctype P() { atomic { x = 1; x = 0 } }" + q).assertion_fails());
  EXPECT_TRUE(Apart("byte x; active proctype P() { x = 1; x = 0 }" + q).assertion_fails());
  // Where one has to wait, others go on.
  EXPECT_TRUE(Apart("byte x, y; active proctype P() { atomic { x = 1; y == 1; x = 0 } }" + q).assertion_fails());
  EXPECT_FALSE(Apart("byte x, y = 1; active proctype P() { atomic { x = 1; y == 1; x = 0 } }" + q).assertion_fails());
  // A jump back to the beginning gives control away, one into the middle does not.
  EXPECT_TRUE(Apart("byte x; active proctype P() { L: atomic { x = 1 - x; goto L } }" + q).assertion_fails());
  EXPECT_FALSE(
      Apart("byte x; active proctype P() { atomic { x = 2; M: x = 1 - x; if :: x == 1 -> goto M :: else fi } }" + q)
          .assertion_fails());
}

TEST(PromelaNetwork, ADStepTakesTheFirstWay) {
  const std::string d =
      "byte x; active proctype P() { d_step { if :: true -> x = 1 :: true -> x = 2 fi }; assert(x == ";
  EXPECT_FALSE(Apart(d + "1) }").assertion_fails());
  EXPECT_TRUE(Apart(d + "2) }").assertion_fails());
}

TEST(PromelaNetwork, ElseMeansThatNothingElseIsPossible) {
  EXPECT_FALSE(Apart("byte x; active proctype P() { if :: x == 0 :: else -> assert(x == 1) fi }"
                     "active proctype Q() { x = 1 }")
                   .assertion_fails());
  EXPECT_TRUE(Apart("byte x; active proctype P() { if :: x == 0 :: else -> assert(x == 0) fi }"
                    "active proctype Q() { x = 1 }")
                  .assertion_fails());
}

// pan has it so; and so a jump there does not start the loop again.
TEST(PromelaNetwork, TheLabelOfAForStandsOnItsLoop) {
  EXPECT_FALSE(Apart("byte n; active proctype P() { byte i; skip; L: for (i : 0 .. 1) { n++ }; assert(n == 2);"
                     "if :: n < 3 -> goto L :: else fi }")
                   .assertion_fails());
}

TEST(PromelaNetwork, AnInvalidEndStateIsADeadlockAndAValidOneIsNot) {
  EXPECT_FALSE(Apart("active proctype P() { skip }").deadlocks());
  EXPECT_TRUE(Apart("byte x; active proctype P() { x == 1 }").deadlocks());
  EXPECT_FALSE(Apart("byte x; active proctype P() { end: x == 1 }").deadlocks());
  EXPECT_TRUE(Apart("byte x; active proctype P() { end: x == 1 } active proctype Q() { x == 2 }").deadlocks());
  EXPECT_FALSE(Apart("chan c = [0] of { bit }; active proctype P() { end: do :: c?_ od }"
                     "active proctype Q() { c!1; c!0 }")
                   .deadlocks());
}

TEST(PromelaNetwork, AnIndexOutOfBoundsIsAnError) {
  EXPECT_TRUE(
      Apart("byte a[2]; byte i; active proctype P() { a[i] = 1 } active proctype Q() { i = 2 }").assertion_fails());
  EXPECT_FALSE(
      Apart("byte a[2]; byte i; active proctype P() { a[i] = 1 } active proctype Q() { i = 1 }").assertion_fails());
}

TEST(PromelaNetwork, BuffersKeepTheOrderAndSortedOnesTheirs) {
  const auto program = [](const std::string& send, const std::string& receive) {
    return "chan c = [2] of { byte }; active proctype P() { c" + send + "2; c" + send +
           "1 }"
           "active proctype Q() { byte x; len(c) == 2; c" +
           receive + "; assert(x == 2) }";
  };
  EXPECT_FALSE(Apart(program("!", "?x")).assertion_fails());
  EXPECT_TRUE(Apart(program("!!", "?x")).assertion_fails());
  EXPECT_FALSE(Apart("chan c = [2] of { byte }; active proctype P() { c!2; c!1; c??1; c?[2]; assert(len(c) == 1) }")
                   .deadlocks());
  EXPECT_TRUE(Apart("chan c = [2] of { byte }; active proctype P() { c!2; c!1; c?1 }").deadlocks());
}

// --- trace blocks

const std::string kTwo =
    "chan a = [0] of { byte }; chan b = [1] of { byte };"
    "active proctype P() { a!1; b!1; a!2; b!2 } active proctype Q() { a?_; b?_; a?_; b?_ } ";

std::optional<Names> trace(const std::string& block) {
  const Apart apart(kTwo + block);
  EXPECT_EQ(apart.parts->traces.size(), 1u);
  return apart.violation(apart.parts->traces[0].lts);
}

TEST(PromelaTrace, SeesAllMessagesOfItsKindOnItsChannels) {
  EXPECT_EQ(trace("trace { a?1; a?2 }"), std::nullopt);
  EXPECT_EQ(trace("trace { a!1; a!2 }"), std::nullopt);
  EXPECT_EQ(trace("trace { a?1 }"), (Names{"a.1", "b.in.1", "b.out.1", "a.2"}));
  EXPECT_EQ(trace("trace { a?1; b!1; a?2; b!2 }"), std::nullopt);
  EXPECT_EQ(trace("trace { b?1; b?2 }"), std::nullopt);
  EXPECT_EQ(trace("trace { do :: a?_ od }"), std::nullopt);
  EXPECT_EQ(trace("trace { a!1; a?1; a!2; a?2 }"), std::nullopt);  // a rendezvous is both
}

TEST(PromelaTrace, NotraceIsViolatedWhenItIsComplete) {
  EXPECT_EQ(trace("notrace { a?1; a?2 }"), (Names{"a.1", "b.in.1", "b.out.1", "a.2"}));
  EXPECT_EQ(trace("notrace { a?2; a?1 }"), std::nullopt);
  EXPECT_EQ(trace("notrace { a?2 }"), std::nullopt);  // only the first try counts
}

TEST(PromelaTrace, IsNamedAfterItsFirstLabel) {
  const Apart apart(kTwo + "trace { ORDER: a?1; a?2 } trace { a?1; a?2 } notrace { a?2 }");
  ASSERT_EQ(apart.parts->traces.size(), 3u);
  EXPECT_EQ(apart.parts->traces[0].name, "ORDER");
  EXPECT_EQ(apart.parts->traces[1].name, "trace");
  EXPECT_EQ(apart.parts->traces[2].name, "notrace_2");
}

TEST(PromelaTrace, ANondeterministicOneIsLeftToTheMachine) {
  const Apart apart(kTwo + "trace { if :: a?1 :: a?_ -> a?2 fi }");
  EXPECT_EQ(apart.parts->left_out, Names{"trace"});
}

// --- [] p

std::optional<Names> always(const std::string& p) {
  const Apart apart("byte x, y; active proctype P() { x = 1; y = x + 1; x = 2 } ltl f { [] (" + p + ") }");
  EXPECT_EQ(apart.parts->formulas.size(), 1u);
  return apart.violation(apart.parts->formulas[0].lts);
}

TEST(PromelaAlways, WatchesTheVariablesOfTheFormula) {
  EXPECT_EQ(always("x <= 2"), std::nullopt);
  EXPECT_EQ(always("x <= 1"), (Names{"p.x.to.1", "p.x.is.1.y.to.2", "p.x.to.2"}));
  EXPECT_EQ(always("y == 0 || x >= 1"), std::nullopt);
  EXPECT_EQ(always("x + y < 3"), (Names{"p.x.to.1", "p.x.is.1.y.to.2"}));
}

TEST(PromelaAlways, WatchesOnlyTheElementsThatAreMeant) {
  const Apart apart(
      "byte a[3], i; active proctype P() { a[0] = 1; a[1] = 2; i = 1 }"
      "ltl f { [] (a[1] <= 2) } ltl g { [] (a[i] <= 2) }");
  EXPECT_EQ(sorted_names(apart.actions, apart.parts->formulas[0].lts.alphabet()), Names{"p.a.1.to.2"});
  EXPECT_EQ(sorted_names(apart.actions, apart.parts->formulas[1].lts.alphabet()),
            (Names{"p.a.0.to.1", "p.a.1.to.2", "p.i.to.1"}));
}

TEST(PromelaAlways, OtherFormulasAreLeftToTheMachine) {
  const Apart apart(
      "byte x; active proctype P() { x = 1 } ltl f { <> (x == 1) } ltl g { [] (x == 1) } ltl h { [] (x == 0 -> X x) }");
  EXPECT_EQ(apart.parts->left_out, (Names{"f", "g", "h"}));  // g is false at once, h counts steps
}

// After an assertion that fails the program goes on, after an error it does not.
TEST(PromelaAlways, DoesNotLookBehindAnError) {
  const auto allowed = [](const std::string& last) {
    const Apart apart("byte x, a[2], i = 7; active proctype P() { atomic { x = 1; " + last +
                      " } } ltl f { [] (x == 0) }");
    const Lts& lts = apart.parts->formulas[0].lts;
    EXPECT_EQ(sorted_names(apart.actions, lts.alphabet()), Names{"p.assert.1.x.to.1"});
    return !lts.steps(State{0}).empty();
  };
  EXPECT_FALSE(allowed("assert(false)"));
  EXPECT_TRUE(allowed("a[i] = 0"));
}

// --- other formulas that say what must not happen

std::optional<Names> safety(const std::string& program, const std::string& formula) {
  const Apart apart(program + " ltl f { " + formula + " }");
  EXPECT_EQ(apart.parts->formulas.size(), 1u) << formula;
  return apart.parts->formulas.empty() ? std::nullopt : apart.violation(apart.parts->formulas[0].lts);
}

TEST(PromelaSafety, RemembersWhatItHasSeen) {
  const std::string program = "byte x, y; active proctype P() { x = 1; y = 1; x = 0; y = 2 }";
  EXPECT_EQ(safety(program, "(y == 0) W (x == 1)"), std::nullopt);
  EXPECT_EQ(safety(program, "(x == 0) W (y == 1)"), Names{"p.x.to.1"});
  EXPECT_EQ(safety(program, "[] (x == 1 -> (y < 2 W x == 0))"), std::nullopt);
  EXPECT_EQ(safety(program, "[] (y == 1 -> [] (x == 1))"), (Names{"p.x.to.1", "p.y.to.1", "p.x.to.0"}));
  EXPECT_EQ(safety(program, "!((x == 0) U (y == 1))"), std::nullopt);
  EXPECT_EQ(safety(program, "!(<> (x == 1 && <> (y == 2)))"), (Names{"p.x.to.1", "p.y.to.1", "p.x.to.0", "p.y.to.2"}));
}

TEST(PromelaSafety, LooksIntoBuffers) {
  const std::string program =
      "chan q = [2] of { byte }; active proctype P() { q!1; q!2 } active proctype Q() { q?_; q?_ }";
  EXPECT_EQ(safety(program, "[] (len(q) < 2)"), (Names{"q.in.1", "q.in.2"}));
  EXPECT_EQ(safety(program, "[] (len(q) < 3)"), std::nullopt);
  EXPECT_EQ(safety(program, "[] nfull(q)"), (Names{"q.in.1", "q.in.2"}));
  EXPECT_EQ(safety(program, "[] !q?[2]"), (Names{"q.in.1", "q.in.2", "q.out.1"}));
  EXPECT_EQ(safety(program, "[] !q??[2]"), (Names{"q.in.1", "q.in.2"}));
  EXPECT_EQ(safety(program, "empty(q) W q?[1]"), std::nullopt);
}

TEST(PromelaSafety, KnowsWhereProcessesAre) {
  const std::string program =
      "byte free = 1;\n"
      "active [2] proctype P() { do :: atomic { free > 0 -> free-- }; cs: skip; free++ od }";
  EXPECT_EQ(safety(program, "[] !(P[0]@cs && P[1]@cs)"), std::nullopt);
  const auto bad = safety("byte free = 2;" + program.substr(program.find('\n')), "[] !(P[0]@cs && P[1]@cs)");
  EXPECT_EQ(bad, (Names{"p.0.free.is.2.to.1.cs.come", "p.1.free.is.1.to.0.cs.come"}));
}

// Places are the machine's: a label may stand anywhere.
TEST(PromelaSafety, KnowsLabelsInsideOfLoopsAndBlocks) {
  EXPECT_TRUE(safety("active proctype P() { byte i; for (i : 0 .. 1) { cs: skip } }", "[] !P@cs"));
  EXPECT_TRUE(safety("byte x; active proctype P() { x = 1; cs: do :: x < 3 -> x++ :: else -> break od }", "[] !P@cs"));
  EXPECT_TRUE(safety("byte x; active proctype P() { x = 1; cs: { x = 2 } }", "[] !P@cs"));
}

// Whose label it is, where several have a part in the step.
TEST(PromelaSafety, TellsWhoseLabelItIs) {
  const Apart apart(
      "chan c = [0] of { byte };\n"
      "active proctype P() { c!1; CS: skip }\n"
      "active proctype Q() { c?1; CS: skip }\n"
      "ltl f { [] !(P@CS && Q@CS) }");
  EXPECT_EQ(apart.alphabet("P"), (Names{"c.1.p.cs.come.q.cs.come", "p.cs.gone"}));
  EXPECT_EQ(apart.alphabet("Q"), (Names{"c.1.p.cs.come.q.cs.come", "q.cs.gone"}));
}

// What stays true needs no more looking at.
TEST(PromelaSafety, IsNoLargerThanTheFormulaNeeds) {
  const Apart apart(
      "byte x, y;\n"
      "active proctype P() { do :: x < 9 -> x++ :: x == 9 -> x = 0 od }\n"
      "active proctype Q() { do :: y < 9 -> y++ :: y == 9 -> y = 0 od }\n"
      "ltl f { (x == 1) V (y < 10) }");
  EXPECT_LE(apart.parts->formulas[0].lts.state_count(), 101u);  // y when x has not been 1 yet, and one
}

// Only what the formula can be told of; else the whole program is searched.
TEST(PromelaSafety, DoesNotGuessWhereProcessesAre) {
  const auto left_out = [](const std::string& program) { return Apart(program).parts->left_out; };
  EXPECT_EQ(left_out("active [2] proctype P() { cs: skip } ltl f { [] !P@cs }"), Names{"f"});  // which?
  EXPECT_EQ(left_out("proctype P() { cs: skip } init { atomic { run P() } } ltl f { [] !P@cs }"), Names{"f"});
  EXPECT_EQ(left_out("active proctype P() { byte x; skip; x = 1 } ltl f { [] (P:x == 0) }"), Names{"f"});
}

}  // namespace
}  // namespace surety
