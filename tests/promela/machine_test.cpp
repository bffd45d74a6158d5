// What a machine says of its steps: names, lines, faults; trace assertions; and the checker's walks.
#include <gtest/gtest.h>

#include "certify/machine.hpp"
#include "engine/machine/liveness.hpp"
#include "help.hpp"
#include "lang/promela/labels.hpp"
#include "lang/promela/machine/label_claim.hpp"
#include "lang/promela/machine/ltl.hpp"

namespace surety::promela_test {
namespace {

std::vector<std::string> names_along(Program& program, const MachinePath& path) {
  std::vector<std::string> out;
  for (const auto& step : path.steps)
    if (step.action != kTau) out.emplace_back(program.actions.name(step.action));
  return out;
}

std::optional<MachinePath> shortest(Program& program, PromelaMachine& machine, MachineGoal goal) {
  Budget budget;
  auto search = search_machine(machine, bit(goal), budget);
  (void)program;
  return std::move(search.found[static_cast<std::size_t>(goal)]);
}

TEST(PromelaMachine, NamesChannelOperations) {
  Program p(
      "mtype = { go, stop };\n"
      "chan r = [0] of { mtype, byte }; chan b[2] = [1] of { byte };\n"
      "active proctype A() { r!go(3); b[1]!7; assert(false) }\n"
      "active proctype B() { byte v; mtype m; r?m(v); b[1]?v; skip }\n");
  const auto path = shortest(p, *p.machine, MachineGoal::fault);
  ASSERT_TRUE(path);
  EXPECT_EQ(names_along(p, *path), (std::vector<std::string>{"r.go.3", "b.1.in.7"}));
  const auto shown = p.machine->show(path->states[0], path->steps[0]);
  ASSERT_EQ(shown.size(), 2U);
  EXPECT_EQ(shown[0].process + ":" + std::to_string(shown[0].line) + " " + shown[0].statement, "A:3 r!go, 3");
  EXPECT_EQ(shown[1].process + ":" + std::to_string(shown[1].line) + " " + shown[1].statement, "B:4 r?m, v");
}

TEST(PromelaMachine, StopsWhereArithmeticOrAnIndexFails) {
  for (const char* text :
       {"byte x; active proctype A() { x = 1 / x }", "byte x; active proctype A() { x = 1 % x }",
        "byte x = 5; byte a[3]; active proctype A() { a[x] = 1 }",
        "byte x = 5; byte a[3]; active proctype A() { a[x] == 0 }",
        "byte x; active proctype A() { d_step { x = 1; x == 2; x = 3 } }",
        "byte x; active proctype A() { d_step { do :: x = 1 od } }", "chan c; active proctype A() { c!1 }",
        "chan c = [0] of { byte }; active proctype A() { c?[1] }", "proctype P() { 0 } init { do :: run P() od }"}) {
    Program p(text);
    EXPECT_TRUE(shortest(p, *p.machine, MachineGoal::fault)) << text;
  }
}

TEST(PromelaMachine, FindsAShortestWay) {
  Program p("byte x; active proctype A() { do :: x < 9 -> x++ :: x = 9 -> break od; assert(x != 9) }");
  const auto path = shortest(p, *p.machine, MachineGoal::fault);
  ASSERT_TRUE(path);
  EXPECT_EQ(path->steps.size(), 2U);
}

// ---- trace assertions

bool trace_violated(const std::string& text) {
  Program p(text);
  std::uint32_t watch = 0;
  while (p.file.program->processes[watch].kind != promela::Process::Kind::trace &&
         p.file.program->processes[watch].kind != promela::Process::Kind::notrace)
    ++watch;
  const auto machine = p.make(watch);
  Budget budget;
  const auto search =
      search_machine(*machine, bit(MachineGoal::watch) | bit(MachineGoal::invalid_end) | kFirstOnly, budget);
  for (const MachineGoal goal : {MachineGoal::watch, MachineGoal::invalid_end})
    if (const auto& path = search.found[static_cast<std::size_t>(goal)]) {
      Trace actions;
      for (const auto& s : path->steps) actions.push_back(s.action);
      const auto again = p.make(watch);
      const auto question = goal == MachineGoal::watch ? MachineGoal::watch : MachineGoal::invalid_end;
      EXPECT_EQ(certify::replay_machine(*again, path->states, actions, question), std::nullopt);
      return true;
    }
  EXPECT_TRUE(search.complete);
  return false;
}

TEST(TraceAssertion, AllowsOnlyWhatItSays) {
  const std::string system =
      "chan c = [1] of { byte }; chan d = [1] of { byte };\n"
      "active proctype A() { c!1; d!5; c!2 }\n"
      "active proctype B() { byte v; c?v; d?v; c?v }\n";
  EXPECT_FALSE(trace_violated(system + "trace { c!1; c!2 }"));
  EXPECT_FALSE(trace_violated(system + "trace { do :: c!1; c?1; :: c!2; c?2; break od }"));
  EXPECT_FALSE(trace_violated(system + "trace { c!_; c!_ }"));
  EXPECT_TRUE(trace_violated(system + "trace { c!2; c!1 }"));
  EXPECT_TRUE(trace_violated(system + "trace { c!1 }"));
  EXPECT_TRUE(trace_violated(system + "trace { c!1; c!2; c!3 }"));  // not complete when all ends
  EXPECT_FALSE(trace_violated(system + "trace { c!1; c!2; end: c!3 }"));
  EXPECT_FALSE(trace_violated(system + "trace { d?5 }"));
  EXPECT_TRUE(trace_violated(system + "notrace { c!1; c!2 }"));
  EXPECT_FALSE(trace_violated(system + "notrace { c!1; c!1 }"));
}

// ---- the checker

TEST(PromelaChecker, RefusesPathsThatAreNone) {
  Program p("byte x; active proctype A() { x = 1; assert(x == 2) }");
  auto path = shortest(p, *p.machine, MachineGoal::fault);
  ASSERT_TRUE(path);
  const Trace actions(path->steps.size(), kTau);
  const auto replay = [&](const certify::MachineStates& states, MachineGoal question) {
    return certify::replay_machine(*p.make(), states, actions, question);
  };
  EXPECT_EQ(replay(path->states, MachineGoal::fault), std::nullopt);
  EXPECT_NE(replay(path->states, MachineGoal::invalid_end), std::nullopt);
  auto other = path->states;
  other[1][other[1].size() - 1] ^= 1U;
  EXPECT_NE(replay(other, MachineGoal::fault), std::nullopt);
}

TEST(PromelaChecker, SearchesByItself) {
  for (const auto& file : files_in("tests/promela/models")) {
    Program p(text_of(file), stem(file));
    const Facts known = facts(*p.machine);
    const auto accepts = [&](MachineGoal question) {
      Budget budget;
      return certify::check_machine(*p.make(), question, budget).kind == certify::Judgement::Kind::accepted;
    };
    EXPECT_EQ(accepts(MachineGoal::fault), !known.fault) << file;
    EXPECT_EQ(accepts(MachineGoal::invalid_end), !known.invalid_end) << file;
  }
}

// A formula that can be watched is decided by a search of states as it is by one of runs, and the checker agrees.
TEST(PromelaChecker, KnowsWhatMustNotHappen) {
  int holds = 0, violated = 0;
  for (const auto& file : files_in("tests/promela/ltl")) {
    Program p(text_of(file), stem(file));
    for (const auto& block : p.file.program->formulas) {
      const auto machine = p.make();
      const auto f = lower_formula(block.formula, *machine);
      const auto atom = [](std::uint32_t i) {
        Formula out;
        out.op = Formula::Op::fluent;
        out.fluent = i;
        return out;
      };
      const auto of = [](Formula::Op op, std::vector<Formula> operands) {
        Formula out;
        out.op = op;
        out.operands = std::move(operands);
        return out;
      };
      std::vector<Formula> formulas;  // [] p, p W q, [] (p -> (q W p)), of all p and q
      const auto count = static_cast<std::uint32_t>(f->propositions.size());
      for (std::uint32_t i = 0; i < count; ++i) {
        formulas.push_back(of(Formula::Op::always, {atom(i)}));
        for (std::uint32_t j = 0; j < count; ++j) {
          const Formula weak = of(Formula::Op::weak_until, {atom(j), atom(i)});
          formulas.push_back(weak);
          formulas.push_back(of(Formula::Op::always, {of(Formula::Op::implies, {atom(i), weak})}));
        }
      }
      for (const Formula& formula : formulas) {
        Budget budget;
        const bool run = find_counterexample(*machine, formula, f->propositions, budget).run.has_value();
        auto watch = MachineWatch::of({formula, f->propositions}).value();
        const auto search = search_machine(*machine, bit(MachineGoal::formula), budget, &watch);
        const auto& path = search.found[static_cast<std::size_t>(MachineGoal::formula)];
        EXPECT_EQ(path.has_value(), run) << file;
        const auto again = p.make();
        const auto g = lower_formula(block.formula, *again);
        const MachineFormula same{formula, g->propositions};
        const auto judged = certify::check_machine(*again, MachineGoal::formula, budget, &same).kind;
        EXPECT_EQ(judged, run ? certify::Judgement::Kind::refused : certify::Judgement::Kind::accepted);
        ++(run ? violated : holds);
        if (!path) continue;
        Trace actions;
        for (const auto& step : path->steps) actions.push_back(step.action);
        const auto replay = [&](const certify::MachineStates& states, Word word) {
          return certify::replay_machine(*again, states, word, MachineGoal::formula, &same);
        };
        EXPECT_EQ(replay(path->states, actions), std::nullopt) << file;
        if (actions.empty()) continue;
        auto shorter = path->states;  // the path is a shortest one
        shorter.pop_back();
        EXPECT_NE(replay(shorter, Word(actions).first(actions.size() - 1)), std::nullopt) << file;
      }
    }
  }
  EXPECT_GT(holds, 3);
  EXPECT_GT(violated, 3);
}

TEST(PromelaChecker, ReplaysRunsOfFormulasAndClaims) {
  int violated = 0;
  for (const auto& file : files_in("tests/promela/ltl")) {
    Program p(text_of(file), stem(file));
    for (const auto& block : p.file.program->formulas) {
      const auto machine = p.make(), again = p.make();
      const auto f = lower_formula(block.formula, *machine), g = lower_formula(block.formula, *again);
      Budget budget;
      const auto result = find_counterexample(*machine, f->formula, f->propositions, budget);
      if (!result.run) continue;
      ++violated;
      Trace actions;
      for (const auto& s : result.run->path.steps) actions.push_back(s.action);
      EXPECT_EQ(certify::replay_run(*again, result.run->path.states, actions, result.run->again, *g), std::nullopt)
          << file << " " << block.name;
    }
    for (std::uint32_t i = 0; i < p.file.program->processes.size(); ++i) {
      if (p.file.program->processes[i].kind != promela::Process::Kind::never) continue;
      const auto machine = p.make(), again = p.make();
      const auto claim = machine->claim(i), same = again->claim(i);
      Budget budget;
      const auto result = find_claimed_run(*machine, *claim, budget);
      if (!result.run) continue;
      ++violated;
      Trace actions;
      for (const auto& s : result.run->path.steps) actions.push_back(s.action);
      EXPECT_EQ(certify::replay_run(*again, result.run->path.states, actions, result.run->again, *same), std::nullopt)
          << file;
    }
  }
  EXPECT_GT(violated, 5);
}

TEST(PromelaChecker, ReplaysRunsThatPassLabels) {
  int violated = 0;
  for (const auto& file : files_in("tests/promela/labels")) {
    Program p(text_of(file), stem(file));
    for (const auto& check : promela::label_checks(*p.file.program)) {
      const auto machine = p.make(), again = p.make();
      const MachineClaim claim = label_claim(check, *machine), same = label_claim(check, *again);
      Budget budget;
      const auto result = find_claimed_run(*machine, claim, budget);
      if (!result.run) continue;
      ++violated;
      Trace actions;
      for (const auto& s : result.run->path.steps) actions.push_back(s.action);
      const auto& [path, start] = *result.run;
      EXPECT_EQ(certify::replay_run(*again, path.states, actions, start, same), std::nullopt) << file << " " << check;
    }
  }
  EXPECT_GT(violated, 10);
}

// The same runs, asked of the label that is not on their cycle.
TEST(PromelaChecker, RefusesRunsThatPassTheWrongLabels) {
  const auto replayed = [](const std::string& text, const char* found, const char* asked) {
    Program p(text);
    const auto machine = p.make(), again = p.make();
    Budget budget;
    const auto result = find_claimed_run(*machine, label_claim(found, *machine), budget);
    EXPECT_TRUE(result.run) << text;
    const Trace actions(result.run->path.steps.size(), kTau);
    return certify::replay_run(*again, result.run->path.states, actions, result.run->again, label_claim(asked, *again));
  };
  const std::string loop = "byte x; active proctype A() { top: x = 1; accept: progress: x = 0; goto top }";
  EXPECT_EQ(replayed(loop, "accept", "accept"), std::nullopt);
  EXPECT_EQ(replayed(loop, "accept", "progress"), "the claim does not describe it");
  const std::string ends = "bool go; active proctype A() { go == 0; accept: go }";
  EXPECT_EQ(replayed(ends, "accept", "accept"), std::nullopt);
  EXPECT_EQ(replayed(ends, "accept", "progress"), "it comes to an end");
}

}  // namespace
}  // namespace surety::promela_test
