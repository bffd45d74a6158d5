// A state of a program as a person reads it, and counterexamples as files that can be followed.
#include <gtest/gtest.h>

#include "api/commands.hpp"
#include "api/verify.hpp"
#include "help.hpp"

namespace surety::promela_test {
namespace {

// The state after some steps: each is the first one that there is, or of the process that is named.
std::vector<std::uint8_t> after(Program& p, const std::vector<std::string>& processes) {
  std::vector<std::uint8_t> now = p.machine->initial();
  MachineSteps steps;
  for (const auto& wanted : processes) {
    p.machine->successors(now, steps);
    const auto found = std::ranges::find_if(
        steps.steps, [&](const MachineStep& s) { return p.machine->show(now, s)[0].process == wanted; });
    if (found == steps.steps.end()) throw std::runtime_error(wanted + " cannot move");
    const MachineState next = steps.next(*found);
    now.assign(next.begin(), next.end());
  }
  return now;
}

std::vector<std::string> stands(Program& p, MachineState state) {
  std::vector<std::string> out;
  for (const auto& stand : p.machine->stands(state)) {
    out.push_back(stand.process);
    for (const auto& at : stand.at) out.back() += " " + std::to_string(at.line) + ":" + at.statement;
    if (stand.valid_end) out.back() += " end";
  }
  return out;
}

std::vector<std::string> values(Program& p, MachineState state) {
  std::vector<std::string> out;
  for (const auto& value : p.machine->values(state)) out.push_back(value.name + "=" + value.value);
  return out;
}

TEST(PromelaShown, SaysWhereEachProcessIs) {
  Program p(
      "chan c = [0] of { byte };\n"
      "active proctype A() { c!1 }\n"
      "active [2] proctype B() {\n"
      "end: do\n"
      "  :: c?2\n"
      "  :: c?3 -> skip\n"
      "  od }\n"
      "active proctype C() { skip }\n");
  EXPECT_EQ(stands(p, after(p, {})),
            (std::vector<std::string>{"A 2:c!1", "B(1) 5:c?2 6:c?3 end", "B(2) 5:c?2 6:c?3 end", "C 8:skip"}));
  EXPECT_EQ(stands(p, after(p, {"C"})).back(), "C end");
}

TEST(PromelaShown, EscapesAreStatementsToo) {
  Program p("byte x;\nactive proctype A() {\n  { x == 1 }\n  unless\n  { x == 2 }\n}\n");
  EXPECT_EQ(stands(p, after(p, {})), (std::vector<std::string>{"A 3:(x == 1) 5:(x == 2)"}));
}

TEST(PromelaShown, SaysWhatIsInVariablesAndChannels) {
  Program p(
      "mtype = { red, green };\n"
      "typedef Point { byte x; short y };\n"
      "byte a[2] = 1; Point p; mtype m = green; chan c = [2] of { mtype, byte }; chan r = [0] of { bit };\n"
      "active proctype A() { byte l = 4; p.y = -3; c!red, 7; a[1] = 9 }\n");
  EXPECT_EQ(values(p, after(p, {"A", "A", "A"})),
            (std::vector<std::string>{"a[0]=1", "a[1]=9", "p.x=0", "p.y=-3", "m=green", "A.l=4", "c=[(red,7)]"}));
}

TEST(PromelaShown, SaysWhatIsPrinted) {
  Program p(
      "mtype = { red };\n"
      "byte x = 17; mtype m = red;\n"
      "active proctype A() { printf(\"x\\t%d %x %e 100%%\\n\", x, x + 1, m); printm(m); x = 1 / 0 }\n");
  MachineSteps steps;
  auto now = p.machine->initial();
  p.machine->successors(now, steps);
  EXPECT_EQ(p.machine->printed(now, steps.steps[0]), "x\t17 12 red 100%\n");
  now = after(p, {"A"});
  p.machine->successors(now, steps);
  EXPECT_EQ(p.machine->printed(now, steps.steps[0]), "red");
  now = after(p, {"A", "A"});
  p.machine->successors(now, steps);
  EXPECT_EQ(p.machine->printed(now, steps.steps[0]), "");
}

class SavedTraces : public testing::TestWithParam<std::string> {};

TEST_P(SavedTraces, CanBeFollowed) {
  const Folder folder;
  api::Request request;
  request.source.files = {GetParam()};
  request.limits.states = 20'000;
  const auto report = api::verify(request);
  ASSERT_TRUE(report) << rendered(report.error().diagnostics);
  for (const auto& check : report->checks) {
    if (!check.violated()) continue;
    const std::string file = (folder.path() / "t.json").string();
    ASSERT_TRUE(api::save_trace(api::saved_trace(check, *report->model.actions), *report->model.actions, file));
    api::SimulateRequest walk;
    walk.source = request.source;
    walk.trace_file = file;
    const auto simulation = api::simulate(walk);
    ASSERT_TRUE(simulation) << rendered(simulation.error().diagnostics);
    EXPECT_FALSE(simulation->stuck) << simulation->stuck->action << ", step " << simulation->stuck->step;
    EXPECT_EQ(simulation->moments.size(), check.steps.size() + 1);
    EXPECT_TRUE(check.kind != CheckKind::deadlock || (simulation->deadlock && !check.stands.empty()));
    EXPECT_TRUE(check.kind != CheckKind::error || !simulation->moments.back().error.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Models, SavedTraces, testing::ValuesIn(files_in("tests/promela/models")),
                         [](const auto& test) { return stem(test.param); });
INSTANTIATE_TEST_SUITE_P(Ltl, SavedTraces, testing::ValuesIn(files_in("tests/promela/ltl")),
                         [](const auto& test) { return stem(test.param); });
INSTANTIATE_TEST_SUITE_P(Labels, SavedTraces, testing::ValuesIn(files_in("tests/promela/labels")),
                         [](const auto& test) { return stem(test.param); });

}  // namespace
}  // namespace surety::promela_test
