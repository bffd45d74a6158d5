// A certificate is held to what it is about, and a bad one does no harm.

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>

#include "api/commands.hpp"
#include "api/json.hpp"
#include "api/verify.hpp"
#include "base/temp_folder.hpp"

namespace surety::api {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// A property that holds, and an assertion of the same name that does not.
constexpr const char* kFsp =
    "const N = 2\n"
    "range T = 1..N\n"
    "A = (a[T] -> b -> A).\n"
    "B = (b -> c -> B).\n"
    "property SAFE = (a[T] -> b -> SAFE).\n"
    "property OTHER = (c -> OTHER).\n"
    "property OUTSIDE = (b -> c -> OUTSIDE).\n"
    "||SMALL = (A || SAFE).\n"
    "||SYSTEM = (A || B || SAFE || OTHER).\n"
    "fluent F = <b, c>\n"
    "assert SAFE = []!F\n";

constexpr const char* kPromela =
    "chan c = [0] of { byte };\n"
    "byte x;\n"
    "active proctype A() { do :: c!1; x = 1 :: c!2; x = 0 od }\n"
    "active proctype B() { byte y; do :: c?y od }\n"
    "trace { same: do :: c?1 :: c?2 od }\n"
    "ltl other { [] (x == 0) }\n"
    "ltl fine { [] (x < 2) }\n";

class CertifyFile : public testing::Test {
 protected:
  std::string path(const std::string& name) const { return folder_.file(name); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    return path(name);
  }

  // Verifies, and has the certificate in `root_`.
  void prove(Request request) {
    const auto report = verify(request);
    ASSERT_TRUE(report) << render(report.error().diagnostics[0]);
    root_ = json::parse(dump(certificate_json(*report, path("c.json"))));
    ASSERT_FALSE(root_["proofs"].empty());
  }
  void prove(const std::string& file, const std::string& property, const std::string& method = "monolithic") {
    Request request;
    request.source.files = {file};
    if (!property.empty()) request.properties = {property};
    request.method = method;
    prove(request);
  }

  CertifyRequest request() const {
    CertifyRequest out{path("c.json")};
    out.limits.time = std::chrono::seconds(5);
    return out;
  }
  // "accepted", or why not; "error: ..." if it cannot be read.
  std::string judged(const CertifyRequest& request) { return judged(root_.dump(), request); }
  std::string judged() { return judged(request()); }
  std::string judged(const std::string& text, const CertifyRequest& request) {
    const auto result = certify_text(text, request);
    if (!result) {
      status_ = result.error().status;
      return "error: " + result.error().diagnostics[0].message;
    }
    last_ = *result;
    if (result->accepted()) return "accepted";
    if (!result->finished()) return "unfinished";
    if (!result->refused.empty()) return result->refused;
    for (const auto& line : result->lines)
      if (!line.accepted) return line.reason;
    return "no lines";
  }
  std::vector<std::string> not_covered() const {
    std::vector<std::string> out;
    for (const auto& check : last_.not_covered) out.push_back(std::string(name_of(check.kind)) + " " + check.name);
    return out;
  }

  TempFolder folder_ = TempFolder::make().value();
  json root_;
  Certification last_;
  int status_ = 0;
};

// ---- kind and object

TEST_F(CertifyFile, AProofOfAPropertyIsNoneOfAnAssertionOfThatName) {
  prove(write("m.lts", kFsp), "SAFE", "asym");
  // The assertion SAFE is checked as well, and violated: it is not in the certificate.
  ASSERT_EQ(root_["proofs"].size(), 1U);
  EXPECT_EQ(judged(), "accepted");
  root_["proofs"][0]["kind"] = "ltl";
  EXPECT_EQ(judged(), "the checker knows no proofs of assertions");
  root_["proofs"][0]["kind"] = "progress";
  EXPECT_EQ(judged(), "error: not a certificate: kind progress has no property");
}

TEST_F(CertifyFile, AProofOfATraceAssertionIsNoneOfAFormula) {
  for (const char* method : {"monolithic", "asym"}) {
    prove(write("m.pml", kPromela), "same", method);
    ASSERT_EQ(root_["proofs"].size(), 1U) << method;
    EXPECT_EQ(root_["proofs"][0]["kind"], "safety") << method;
    EXPECT_EQ(judged(), "accepted") << method;
    EXPECT_EQ(last_.lines[0].from, "trace assertion, " + path("m.pml") + ":5");
    EXPECT_EQ(not_covered(), (std::vector<std::string>{"error ", "deadlock ", "ltl other", "ltl fine"})) << method;
    root_["proofs"][0]["kind"] = "ltl";
    EXPECT_NE(judged(), "accepted") << method;
    prove(path("m.pml"), "fine", method);
    EXPECT_EQ(root_["proofs"][0]["kind"], "ltl") << method;
    EXPECT_EQ(judged(), "accepted") << method;
    root_["proofs"][0]["kind"] = "safety";
    EXPECT_EQ(judged(), "the certificate names no property 'fine' among its inputs") << method;
  }
}

// ---- what it is about

TEST_F(CertifyFile, SaysWhatIsNotCovered) {
  prove(write("m.lts", kFsp), "SAFE");
  EXPECT_EQ(judged(), "accepted");
  EXPECT_EQ(last_.lines[0].from, "property process of " + path("m.lts"));
  EXPECT_EQ(not_covered(), (std::vector<std::string>{"safety OTHER", "deadlock ", "ltl SAFE"}));
  EXPECT_EQ(last_.covered, 1U);
  prove(path("m.lts"), "OUTSIDE");
  EXPECT_EQ(judged(), "accepted");
  EXPECT_EQ(last_.lines[0].from, "property process of " + path("m.lts") + ", not part of SYSTEM");
  EXPECT_EQ(last_.not_covered.size(), 4U);
}

TEST_F(CertifyFile, IsHeldToWhatTheUserMeans) {
  Request proof;
  proof.source.files = {write("m.lts", kFsp)};
  proof.source.defines = {{"N", 3}};
  proof.properties = {"SAFE", "deadlock"};
  proof.method = "monolithic";
  prove(proof);
  auto meant = request();
  EXPECT_EQ(judged(meant), "accepted");
  meant.files = {path("m.lts")};
  EXPECT_EQ(judged(meant), "the certificate is for N=3, and you mean no --define");
  meant.defines = {{"N", 4}};
  EXPECT_EQ(judged(meant), "the certificate is for N=3, and you mean N=4");
  meant.defines = {{"N", 3}};
  EXPECT_EQ(judged(meant), "accepted");
  meant.system = "SMALL";
  EXPECT_EQ(judged(meant), "the certificate is about SYSTEM, and these files are SMALL");
  meant.system = "SYSTEM";
  EXPECT_EQ(judged(meant), "accepted");
  meant.properties = {"SAFE", "deadlock"};
  // The name also means the assertion, which has no proof.
  EXPECT_EQ(judged(meant), "it has no proof of ltl SAFE");
  meant.properties = {"deadlock"};
  EXPECT_EQ(judged(meant), "accepted");
  meant.properties = {"OTHER"};
  EXPECT_EQ(judged(meant), "it has no proof of safety OTHER");
  meant.properties = {"NONE"};
  EXPECT_EQ(judged(meant), "error: there is no property 'NONE'");
  EXPECT_EQ(status_, Failure::kUsage);
  meant.properties = {};
  meant.files = {write("n.lts", std::string(kFsp) + "// other\n")};
  EXPECT_EQ(judged(meant), "the certificate is not about " + path("n.lts"));
  // A copy elsewhere is the same model.
  fs::create_directory(path("copy"));
  fs::copy_file(path("m.lts"), path("copy/m.lts"));
  fs::remove(path("m.lts"));
  meant.files = {path("copy/m.lts")};
  EXPECT_EQ(judged(meant), "accepted");
  auto options = request();
  fs::copy_file(path("copy/m.lts"), path("m.lts"));
  options.system = "SMALL";
  EXPECT_EQ(judged(options), "the certificate is about SYSTEM, and these files are SMALL");
}

TEST_F(CertifyFile, ASystemThatIsNotTheDefaultHasToBeSaid) {
  Request proof;
  proof.source.files = {write("m.lts", kFsp)};
  proof.source.system = "SMALL";
  proof.properties = {"deadlock"};
  proof.method = "monolithic";
  prove(proof);
  auto meant = request();
  EXPECT_EQ(judged(meant), "accepted");
  meant.files = {path("m.lts")};
  EXPECT_EQ(judged(meant), "the certificate is about SMALL, and these files are SYSTEM");
}

TEST_F(CertifyFile, APropertyFileIsMeantByItsContent) {
  Request proof;
  proof.source.files = {write("p.aut", "des (0,2,2)\n(0,a,1)\n(1,b,0)\n"), write("q.aut", "des (0,1,1)\n(0,b,0)\n")};
  proof.properties = {write("order.aut", "des (0,2,2)\n(0,a,1)\n(1,b,0)\n")};
  proof.method = "monolithic";
  prove(proof);
  auto meant = request();
  meant.files = {path("q.aut"), path("p.aut")};
  EXPECT_EQ(judged(meant), "the certificate is about p || q, and these files are q || p");
  meant.files = proof.source.files;
  meant.properties = {path("order.aut")};
  EXPECT_EQ(judged(meant), "accepted");
  EXPECT_EQ(last_.lines[0].from, "file " + path("order.aut"));
  EXPECT_EQ(not_covered(), (std::vector<std::string>{"deadlock "}));
  meant.properties = {write("lax.aut", "des (0,2,1)\n(0,a,0)\n(0,b,0)\n")};
  EXPECT_EQ(judged(meant), "the certificate is not about the property of " + path("lax.aut"));
  meant.properties = {"order"};
  EXPECT_EQ(judged(meant), "error: 'order' is a property of a file of its own");
  meant.properties = {"deadlock"};
  EXPECT_EQ(judged(meant), "it has no proof of deadlock");
  meant.properties = {};
  meant.files = {path("p.aut")};
  EXPECT_NE(judged(meant), "accepted");
}

TEST_F(CertifyFile, NeedsInputsAndTheRightSystem) {
  prove(write("m.lts", kFsp), "SAFE");
  const json good = root_;
  root_["inputs"] = json::array();
  EXPECT_EQ(judged(), "error: not a certificate: it names no system among its inputs");
  EXPECT_EQ(status_, Failure::kInput);
  root_ = good;
  root_["system"] = "ANOTHER";
  EXPECT_EQ(judged(), "the certificate is about ANOTHER, and these files are SYSTEM");
  root_ = good;
  root_["inputs"][0].erase("composite");
  root_["inputs"][0]["component"] = "SYSTEM";
  EXPECT_NE(judged(), "accepted");
  root_ = good;
  root_["inputs"][0]["file"] = "-";
  EXPECT_EQ(judged(), "error: not a certificate: standard input cannot be named");
  root_["inputs"][0]["file"] = "/dev/zero";
  EXPECT_EQ(judged(), "error: this is not a plain file");
}

// ---- everything that was read

TEST_F(CertifyFile, IsBoundToImportedFiles) {
  write("part.aut", "des (0,2,2)\n(0,a,1)\n(1,b,0)\n");
  prove(write("m.lts",
              "import PART = \"part.aut\"\nQ = (b -> Q).\nproperty P = (a -> b -> P).\n"
              "||SYSTEM = (PART || Q || P).\n"),
        "P");
  ASSERT_EQ(root_["read"].size(), 1U);
  EXPECT_EQ(root_["read"][0]["file"], "part.aut");
  EXPECT_EQ(judged(), "accepted");
  const json good = root_;
  root_.erase("read");
  EXPECT_EQ(judged(), path("part.aut") + " is read, and the certificate does not name it");
  root_ = good;
  auto meant = request();
  fs::create_directory(path("copy"));
  for (const char* file : {"m.lts", "part.aut"}) fs::copy_file(path(file), path("copy") + "/" + file);
  // Changed, but still right.
  write("part.aut", "des (0,4,4)\n(0,a,1)\n(1,b,2)\n(2,a,3)\n(3,b,0)\n");
  EXPECT_EQ(judged(), path("part.aut") + " has changed since the certificate was made");
  meant.files = {path("copy/m.lts")};
  EXPECT_EQ(judged(meant), "accepted");
}

TEST_F(CertifyFile, CanLieWithItsImportsInTheCurrentFolder) {
  write("part.aut", "des (0,2,2)\n(0,a,1)\n(1,b,0)\n");
  prove(write("m.lts", "import PART = \"part.aut\"\nproperty P = (a -> b -> P).\n||SYSTEM = (PART || P).\n"), "P");
  const auto before = fs::current_path();
  fs::current_path(path("."));
  CertifyRequest here{"c.json"};
  here.files = {"m.lts"};
  EXPECT_EQ(judged(here), "accepted");
  fs::current_path(before);
}

TEST_F(CertifyFile, IsBoundToIncludedFilesAndToCpp) {
  write("limit.h", "#define LIMIT 2\n");
  prove(write("m.pml",
              "#include \"limit.h\"\nbyte n;\nactive proctype P() { do :: n < LIMIT -> n++ :: n = 0 od }\n"
              "ltl low { [] (n <= 2) }\n"),
        "low");
  ASSERT_EQ(root_["read"].size(), 1U);
  EXPECT_EQ(root_["read"][0]["file"], "limit.h");
  EXPECT_FALSE(root_["cpp"]["version"].get<std::string>().empty());
  EXPECT_EQ(judged(), "accepted");
  const json good = root_;
  root_["cpp"]["version"] = "cpp 1.0";
  EXPECT_NE(judged().find("cpp has changed since the certificate was made: it was cpp 1.0, it is "), std::string::npos);
  root_ = good;
  root_["cpp"]["macros"] = "00";
  EXPECT_EQ(judged(), "what cpp defines by itself has changed since the certificate was made");
  root_ = good;
  root_["cpp"]["text"] = "00";
  EXPECT_EQ(judged(), "what cpp makes of " + path("m.pml") + " has changed since the certificate was made");
  root_.erase("cpp");
  EXPECT_EQ(judged(), "the certificate does not say by which cpp the program was read");
  root_ = good;
  write("limit.h", "#define LIMIT 1\n");
  EXPECT_EQ(judged(), path("limit.h") + " has changed since the certificate was made");
}

TEST_F(CertifyFile, RemembersTheLanguage) {
  Request proof;
  proof.source.files = {write("m.txt", kFsp)};
  proof.source.language = "fsp";
  proof.properties = {"OTHER"};
  proof.method = "monolithic";
  prove(proof);
  EXPECT_EQ(root_["inputs"][0]["language"], "fsp");
  EXPECT_EQ(judged(), "accepted");
  auto meant = request();
  meant.files = {path("m.txt")};
  meant.language = "fsp";
  EXPECT_EQ(judged(meant), "accepted");
  root_["inputs"][0]["language"] = "aut";
  EXPECT_NE(judged(), "accepted");
}

TEST_F(CertifyFile, AnInputThatHasChangedNeedNotMakeSense) {
  prove(write("m.lts", kFsp), "OTHER");
  write("m.lts", "This is no FSP.\n");
  EXPECT_EQ(judged(), path("m.lts") + " has changed since the certificate was made");
}

// ---- bad certificates

TEST_F(CertifyFile, RefusesNumbersThatAreTooLarge) {
  prove(write("m.lts", kFsp), "OTHER");
  for (const char* number : {"18446744073709551615", "4294967298", "-4294967294", "2.0", "1e400", "\"2\""}) {
    std::string text = root_.dump();
    text.insert(1, std::string("\"define\":{\"N\":") + number + "},");
    EXPECT_EQ(judged(text, request()).substr(0, 5), "error") << number;
  }
}

// A property has a step for each of its states and actions.
TEST_F(CertifyFile, ALargeDefineIsNoHang) {
  prove(write("m.lts", kFsp), "OTHER");
  root_["define"] = {{"N", 1'000'000}};
  const auto start = std::chrono::steady_clock::now();
  EXPECT_NE(judged(), "accepted");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
}

TEST_F(CertifyFile, ReadingTheModelEndsWithTheBudget) {
  prove(write("m.lts", "const N = 2\nproperty P = (a[1..N] -> b[1..N] -> P).\nQ = (c -> Q).\n||SYSTEM = (P || Q).\n"),
        "deadlock");
  root_["define"] = {{"N", 20'000}};  // 400 million labels
  auto meant = request();
  meant.limits.time = std::chrono::milliseconds(200);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(judged(meant), "error: unknown: stopped by time while reading SYSTEM");
  EXPECT_EQ(status_, 2);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST_F(CertifyFile, AnImportThatNeverEndsIsAnError) {
  Budget budget;
  Source source;
  source.files = {write("m.lts", "import ZERO = \"/dev/zero\"\n||SYSTEM = (ZERO).\n")};
  const auto model = load(source, budget);
  ASSERT_FALSE(model);
  EXPECT_EQ(model.error().diagnostics[0].message, "cannot import '/dev/zero': it is not a plain file");
}

TEST_F(CertifyFile, RefusesMembersThatAreThereTwice) {
  prove(write("m.lts", kFsp), "OTHER");
  std::string text = root_.dump();
  EXPECT_EQ(judged(text, request()), "accepted");
  EXPECT_EQ(judged("{\"system\":\"SYSTEM\"," + text.substr(1), request()),
            "error: not a certificate: 'system' is there twice");
  const auto kind = text.find("\"kind\"");
  text.insert(kind, "\"kind\":\"deadlock\",");
  EXPECT_EQ(judged(text, request()), "error: not a certificate: 'kind' is there twice");
  EXPECT_EQ(judged("{\"\":1,\"\":2}", request()), "error: not a certificate: '' is there twice");
}

TEST_F(CertifyFile, RefusesRulesThatDoNotExist) {
  prove(write("m.pml", kPromela), "fine");
  ASSERT_TRUE(root_["proofs"][0]["split"].empty());
  root_["proofs"][0]["rule"] = "asym";
  EXPECT_EQ(judged(), "there is no rule 'asym' for a whole program");
  root_["proofs"][0]["rule"] = "magic";
  EXPECT_EQ(judged(), "there is no rule 'magic'");
  root_["proofs"][0]["kind"] = "magic";
  EXPECT_EQ(judged(), "there is no kind of check 'magic'");
}

TEST_F(CertifyFile, RefusesNestingThatIsTooDeep) {
  for (const char* bracket : {"[", "{\"a\":"}) {
    std::string text;
    for (int i = 0; i < 100'000; ++i) text += bracket;
    EXPECT_EQ(judged(text, request()), "error: not a certificate: it is nested too deeply");
  }
}

TEST_F(CertifyFile, RefusesManyIdleStatesInASmallFile) {
  prove(write("m.lts", kFsp), "SAFE", "asym");
  root_["proofs"][0]["assumptions"][0]["states"] = 1 << 20;
  EXPECT_NE(judged().find("are too many for"), std::string::npos) << judged();
}

TEST_F(CertifyFile, RefusesCellsThatAskForMuchWork) {
  prove(write("m.lts", kFsp), "OTHER");
  root_["cells"] = {{"whole_states", 1}, {"join", false}, {"most_work", UINT64_MAX}};
  EXPECT_EQ(judged().substr(0, 32), "error: not a certificate: 'cells");
}

TEST_F(CertifyFile, AllProofsTogetherStayInsideTheBudget) {
  std::string text = "RING = S[0], S[i:0..199] = (tick -> S[(i+1)%200]).\n";
  text += "||BIG = ({a,b,c,d}:RING).\n";
  Request proof;
  proof.source.files = {write("big.lts", text)};
  proof.properties = {"deadlock"};
  proof.method = "symbolic";
  prove(proof);
  root_["proofs"][0]["rule"] = "monolithic";  // 1.6 billion states
  for (int i = 0; i < 9; ++i) root_["proofs"].push_back(root_["proofs"][0]);
  auto meant = request();
  meant.limits.time = std::chrono::milliseconds(300);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(judged(meant), "unfinished");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(3));
}

// Whatever member is taken away or becomes something else, there is an answer.
TEST_F(CertifyFile, EveryMemberIsLookedAt) {
  prove(write("m.lts", kFsp), "SAFE", "asym");
  ASSERT_EQ(judged(), "accepted");
  const json good = root_;
  const json values[] = {nullptr, -1, UINT64_MAX, "x", json::array(), json::object(), json::array({json::array()})};
  int refused = 0;
  const std::function<void(const json::json_pointer&)> change = [&](const json::json_pointer& place) {
    for (const json& value : values) {
      root_ = good;
      root_[place] = value;
      refused += judged() == "accepted" ? 0 : 1;
    }
    root_ = good;
    const json& here = good[place];
    if (here.is_object())
      for (const auto& [name, value] : here.items()) change(place / name);
    if (here.is_array())
      for (std::size_t i = 0; i < here.size(); ++i) change(place / i);
  };
  change(json::json_pointer());
  EXPECT_GT(refused, 200);
}

}  // namespace
}  // namespace surety::api
