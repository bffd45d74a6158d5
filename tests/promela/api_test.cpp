// The commands on Promela programs, through the door that the command line uses.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/commands.hpp"
#include "api/json.hpp"
#include "api/verify.hpp"
#include "help.hpp"

namespace surety::promela_test {
namespace {

class PromelaApi : public testing::Test {
 protected:
  std::string file(const std::string& text) {
    const auto path = folder_.path() / "m.pml";
    std::ofstream(path) << text;
    return path.string();
  }
  Json check(const std::string& text, const std::vector<std::string>& properties = {},
             const std::string& method = "auto") {
    api::Request request;
    request.method = method;
    request.source.files = {file(text)};
    request.properties = properties;
    auto report = api::verify(request);
    if (!report) throw std::runtime_error(rendered(report.error().diagnostics));
    return api::to_json(*report);
  }
  Folder folder_;
};

std::vector<std::string> kinds_of(const Json& report) {
  std::vector<std::string> out;
  for (const auto& c : report["checks"])
    out.push_back(c["kind"].get<std::string>() + " " + c.value("property", "") + " " + c["verdict"].get<std::string>());
  return out;
}

const char* const kHandshake =
    "chan c = [0] of { byte };\n"
    "active proctype A() { c!3 }\n"
    "active proctype B() { byte x; c?x; assert(x == 4) }\n"
    "trace { c!3; c?3 }\n"
    "ltl soon { <> (len(c) == 0) }\n"
    "never { do :: true od }\n";

TEST_F(PromelaApi, ChecksWhatTheFileDeclares) {
  const Json report = check(kHandshake);
  EXPECT_EQ(report["verdict"], "violated");
  EXPECT_EQ(kinds_of(report), (std::vector<std::string>{"safety trace holds", "error  violated", "deadlock  holds",
                                                        "ltl soon holds", "ltl never_0 holds"}));
  const Json& error = report["checks"][1];
  EXPECT_EQ(error["trace"], (std::vector<std::string>{"c.3", "tau"}));
  EXPECT_EQ(error["steps"][0]["process"], "A");
  EXPECT_EQ(error["steps"][0]["with"]["statement"], "c?x");
  EXPECT_EQ(error["steps"][1]["line"], 3);
  EXPECT_EQ(error["certified"], true);
  EXPECT_EQ(report["checks"][0]["certified"], true);
}

TEST_F(PromelaApi, ChecksWhatIsNamed) {
  EXPECT_EQ(check(kHandshake, {"soon"})["checks"].size(), 1U);
  EXPECT_EQ(check(kHandshake, {"assert", "deadlock"})["checks"].size(), 2U);
  EXPECT_THROW(check(kHandshake, {"sooon"}), std::runtime_error);
}

// pan, too, finds no run where a process never leaves an atomic sequence: the claim does not move there.
TEST_F(PromelaApi, CountsNoRunThatIsLostInsideAnAtomicSequence) {
  const std::string endless = "bool g; byte x; active proctype P() { x = 2; atomic { do :: x = 1 - x od } }\n";
  const std::string error = "bool g; byte x, z; active proctype P() { x = 2; atomic { x = 1; x = 1 / z } }\n";
  for (const std::string& program : {endless, error}) {
    EXPECT_EQ(check(program + "ltl f { <> g }", {"f"})["verdict"], "holds") << program;
    EXPECT_EQ(check(program + "ltl f { [] (x == 0) }", {"f"})["verdict"], "violated") << program;
    EXPECT_EQ(check(program + "ltl f { [] (x == 0) && <> g }", {"f"})["verdict"], "violated") << program;
    const std::string other = "active proctype Q() { do :: z = 1 - z od }\n";
    const std::string two = (program == endless ? "bit z; " : "") + program + other;
    EXPECT_EQ(check(two + "ltl f { <> g }", {"f"})["verdict"], "violated") << two;
  }
}

// Events of an atomic sequence come in their order: q!2 alone is another way than q!1; q!2.
TEST_F(PromelaApi, ReplaysAtomicSequencesInTheirOrder) {
  const Json report = check(
      "chan q = [2] of { byte }; byte x;\n"
      "active proctype P() { atomic { if :: q!2 :: q!1; q!2 fi } }\n"
      "active proctype Q() { q?x; q?x; assert(false) }\n",
      {}, "minimise");
  EXPECT_EQ(report["checks"][0]["verdict"], "violated");
  EXPECT_EQ(report["checks"][0]["steps"].back()["statement"], "assert(false)");
}

// Each of the processes can be in one of two places at the end: while a message is in g, one of 65,536 combinations is
// stuck.
TEST_F(PromelaApi, ReplaysADeadlockWithManyWaysToEnd) {
  std::string program = "chan c = [1] of { byte }, g = [1] of { byte };\nactive proctype S() { g!1 }\n";
  for (int i = 0; i < 16; ++i)
    program += fmt::format("active proctype P{}() {{ if :: skip; g?1 :: skip; c?1 fi }}\n", i);
  const Json report = check(program, {}, "symbolic");
  EXPECT_EQ(kinds_of(report), std::vector<std::string>{"deadlock  violated"});
  EXPECT_GE(report["checks"][0]["steps"].size(), 17U);
}

// More silent steps than a quick walk would allow.
TEST_F(PromelaApi, ReplaysLongSilentWays) {
  const Json report = check(
      "chan c = [0] of { byte };\n"
      "active proctype P() { int i, j; do :: i < 500 -> i++; j = 0; do :: j < 400 -> j++ :: else -> break od "
      ":: else -> break od; c!1 }\n"
      "active proctype Q() { byte x; c?x; assert(x == 2) }\n",
      {}, "minimise");
  EXPECT_EQ(report["checks"][0]["verdict"], "violated");
  EXPECT_GT(report["checks"][0]["steps"].size(), 200'000U);
}

TEST_F(PromelaApi, RefusesTwoPropertiesOfOneName) {
  for (const char* two : {"ltl p { [] true } ltl p { [] false }", "ltl p { [] true } trace { p: c!1 }",
                          "trace { p: c!1 } trace { p: c!2 }"}) {
    api::Request request;
    request.source.files = {file(std::string("chan c = [1] of { byte }; active proctype A() { c!1 }\n") + two)};
    for (const char* method : {"auto", "monolithic", "cegar"}) {
      request.method = method;
      const auto report = api::verify(request);
      ASSERT_FALSE(report) << two;
      EXPECT_EQ(report.error().status, 65) << two;
    }
  }
}

const char* const kLabelled =
    "byte x, y;\n"
    "active proctype A() { do :: x = 1; progress: x = 0 :: x = 2; accept: x = 0 od }\n"
    "active proctype B() { y = 1 }\n";

TEST_F(PromelaApi, ChecksLabelsThatAreThere) {
  const std::vector<std::string> all = {"deadlock  holds", "ltl accept violated", "progress progress violated"};
  EXPECT_EQ(kinds_of(check(kLabelled)), all);
  EXPECT_EQ(kinds_of(check(kLabelled, {"progress"})), (std::vector<std::string>{"progress progress violated"}));
  EXPECT_EQ(kinds_of(check("byte x; active proctype A() { end: x == 1 }")),
            (std::vector<std::string>{"deadlock  holds"}));
  EXPECT_THROW(check("byte x; active proctype A() { end: x == 1 }", {"progress"}), std::runtime_error);
  const Json report = check(kLabelled, {"accept"});
  const Json& accept = report["checks"][0];
  EXPECT_EQ(accept["certified"], true);
  EXPECT_FALSE(accept["cycle"].empty());
  EXPECT_EQ(accept["steps"].size(), accept["trace"].size() + accept["cycle"].size());
}

TEST_F(PromelaApi, ChecksLabelsAsAWholeBesideWhatIsProvedByParts) {
  api::Request request;
  request.source.files = {file(kLabelled)};
  request.method = "cegar";
  const auto report = api::verify(request);
  ASSERT_TRUE(report) << rendered(report.error().diagnostics);
  EXPECT_EQ(kinds_of(api::to_json(*report)),
            (std::vector<std::string>{"deadlock  holds", "ltl accept violated", "progress progress violated"}));
}

TEST_F(PromelaApi, LeavesAcceptToAClaimThatIsThere) {
  const std::string text = std::string(kLabelled) + "never { do :: x < 2 od }\n";
  EXPECT_EQ(kinds_of(check(text)),
            (std::vector<std::string>{"deadlock  holds", "ltl never_0 holds", "progress progress violated"}));
}

// Whatever the method, and whatever of it is answered by parts: trace assertions, assert, end states, then the rest as
// it is written, or as it is named.
TEST_F(PromelaApi, TheOrderOfChecksIsThatOfTheFile) {
  const std::string text =
      "byte x; chan c = [0] of { byte };\n"
      "ltl second { [] (x < 9) }\n"
      "active proctype A() { do :: c!1; x = (x + 1) % 3 od }\n"
      "active proctype B() { byte y; do :: c?y; assert(y == 1) od }\n"
      "never last_but_one { do :: x == 5 -> break :: else od }\n"
      "trace { do :: c!1; c?1 od }\n"
      "ltl last { [] (x < 4) }\n";
  // Too large for the quick look of auto.
  const std::string large = text +
                            "byte a, b;\n"
                            "active proctype C() { do :: a = (a + 1) % 100 od }\n"
                            "active proctype D() { do :: b = (b + 1) % 100 od }\n";
  const auto order = [&](const std::string& method, const std::vector<std::string>& properties) {
    api::Request request;
    request.source.files = {file(method == "auto" ? large : text)};
    request.properties = properties;
    request.method = method;
    const auto report = api::verify(request);
    if (!report) return rendered(report.error().diagnostics);
    std::string out;
    for (const auto& check : report->checks) out += std::string(name_of(check.kind)) + " " + check.property + "; ";
    return out;
  };
  for (const char* method : {"auto", "monolithic", "minimise", "cegar", "asym"}) {
    EXPECT_EQ(order(method, {}), "safety trace; error ; deadlock ; ltl second; ltl last_but_one; ltl last; ") << method;
    EXPECT_EQ(order(method, {"last", "deadlock", "last_but_one", "second", "trace"}),
              "safety trace; deadlock ; ltl last; ltl last_but_one; ltl second; ")
        << method;
  }
}

TEST_F(PromelaApi, AHardCheckLeavesTheOthersTheirTime) {
  api::Request request;
  request.source.files = {
      file("byte a, b, c, x; active proctype A() { do :: a++ :: b++ :: c++ :: x++ od } ltl small { [] (x < 3) }")};
  request.method = "monolithic";
  request.limits.time = std::chrono::seconds(2);
  const auto report = api::verify(request);
  ASSERT_TRUE(report);
  ASSERT_EQ(report->checks.size(), 2U);
  EXPECT_EQ(std::string(name_of(report->checks[0].verdict)), "unknown");
  EXPECT_EQ(std::string(name_of(report->checks[1].verdict)), "violated");
}

TEST_F(PromelaApi, SaysUnknownWhenTheBudgetEnds) {
  api::Request request;
  request.source.files = {file("int x; active [2] proctype A() { do :: x++ od }")};
  request.limits.states = 1000;
  const auto report = api::verify(request);
  ASSERT_TRUE(report);
  EXPECT_EQ(std::string(name_of(verdict_kind(*report))), "unknown");
}

TEST_F(PromelaApi, WritesCertificatesThatAreAccepted) {
  api::Request request;
  request.source.files = {file("byte x; active proctype A() { x = 1; assert(x == 1) }")};
  const auto report = api::verify(request);
  ASSERT_TRUE(report);
  const auto path = (folder_.path() / "cert.json").string();
  std::ofstream(path) << dump(api::certificate_json(*report, path));
  const auto certification = api::certify_file({path});
  ASSERT_TRUE(certification) << rendered(certification.error().diagnostics);
  EXPECT_TRUE(certification->accepted());
  EXPECT_EQ(certification->lines.size(), 2U);
}

TEST_F(PromelaApi, ComposesAndSimulates) {
  api::ComposeRequest request;
  request.source.files = {file("chan c = [1] of { byte }; active proctype A() { byte x; c!1; c?x }")};
  const auto composed = api::compose_files(request);
  ASSERT_TRUE(composed);
  EXPECT_EQ(composed->states, 4U);
  EXPECT_EQ(composed->deadlocks, 0U);
  api::SimulateRequest walk;
  walk.source = request.source;
  walk.trace = {{"c.in.1", "c.out.1"}};
  const auto simulation = api::simulate(walk);
  ASSERT_TRUE(simulation);
  EXPECT_FALSE(simulation->stuck);
  EXPECT_EQ(simulation->moments.back().action, "c.out.1");
  walk.trace = {{"tau", "c.in.1", "c.in.1"}};
  const auto wrong = api::simulate(walk);
  ASSERT_TRUE(wrong);
  ASSERT_TRUE(wrong->stuck);
  EXPECT_EQ(wrong->stuck->step, 3U);
  EXPECT_EQ(wrong->stuck->action, "c.in.1");
}

TEST_F(PromelaApi, ScalesByDefines) {
  api::Request request;
  request.source.files = {file("#define N 2\nbyte x; active [N] proctype A() { x++ }")};
  const auto states = [&] {
    const auto report = api::verify(request);
    return report ? report->checks[0].cost.max_states : 0;
  };
  const auto two = states();
  request.source.defines = {{"N", 3}};
  EXPECT_GT(states(), two);
}

}  // namespace
}  // namespace surety::promela_test
