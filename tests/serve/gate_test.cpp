// Who may ask: every row of the table of dangers in doc/manual.md#serve that is about who asks, and what a browser is
// told to do with the replies.

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>

#include "server.hpp"

namespace surety::serve_test {
namespace {

class Gate : public testing::Test {
 protected:
  static void SetUpTestSuite() { server = new Server; }
  static void TearDownTestSuite() {
    delete server;
    server = nullptr;
  }
  static Reply get(const std::string& target, const Headers& more = {}) { return server->ask("GET", target, {}, more); }
  static std::string here() { return "127.0.0.1:" + std::to_string(server->port()); }

  static Server* server;
};
Server* Gate::server = nullptr;

TEST_F(Gate, LetsThePageIn) {
  EXPECT_EQ(get("/api/hello").status, 200);
  EXPECT_EQ(get("/api/hello", {{"Host", "localhost:" + std::to_string(server->port())}}).status, 200);
  EXPECT_EQ(get("/api/hello", {{"Origin", "http://" + here()}, {"Sec-Fetch-Site", "same-origin"}}).status, 200);
}

TEST_F(Gate, ListensOnTheLoopbackOnly) {
  char local[16];
  std::snprintf(local, sizeof local, ":%04X", static_cast<unsigned>(server->port()));
  int found = 0;
  for (const char* file : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      const auto at = line.find(local);
      if (at == std::string::npos || at > 45 || line.find(" 0A ") == std::string::npos) continue;  // 0A: listens
      ++found;
      EXPECT_NE(line.find("0100007F" + std::string(local)), std::string::npos) << line;
    }
  }
  EXPECT_EQ(found, 1);
}

TEST_F(Gate, RefusesOtherNamesOfThisMachine) {
  for (const char* host : {"evil.example:80", "127.0.0.1", "127.0.0.1:1", "localhost", "[::1]:80", "0.0.0.0:80"})
    EXPECT_EQ(get("/", {{"Host", host}}).status, 421) << host;
  EXPECT_EQ(get("/api/hello", {{"Host", "rebound.example:" + std::to_string(server->port())}}).status, 421);
}

TEST_F(Gate, RefusesPagesOfOtherSites) {
  for (const char* origin : {"http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"})
    EXPECT_EQ(get("/api/hello", {{"Origin", origin}}).status, 403) << origin;
  // Another name of the same machine is another site, too.
  EXPECT_EQ(get("/api/hello", {{"Origin", "http://localhost:" + std::to_string(server->port())}}).status, 403);
  for (const char* site : {"cross-site", "same-site", "anything"}) {
    EXPECT_EQ(get("/api/hello", {{"Sec-Fetch-Site", site}}).status, 403) << site;
    EXPECT_EQ(get("/", {{"Sec-Fetch-Site", site}}).status, 403) << site;
  }
  EXPECT_EQ(get("/api/hello", {{"Sec-Fetch-Site", "none"}}).status, 200);
}

TEST_F(Gate, LetsALinkOfAnotherSiteOpenThePageAndNothingElse) {
  const Headers link = {
      {"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Mode", "navigate"}, {"Sec-Fetch-Dest", "document"}};
  EXPECT_EQ(get("/", link).status, 200);
  EXPECT_EQ(get("/api/hello", link).status, 403);
  EXPECT_EQ(get("/licences.txt", link).status, 403);
  EXPECT_EQ(get("/", {link[0], link[1], {"Sec-Fetch-Dest", "iframe"}}).status, 403);
}

TEST_F(Gate, WantsTheTokenForAllButThePage) {
  const std::string& token = server->token();
  EXPECT_EQ(token.size(), 43U);  // 256 bits
  const std::vector<std::string> wrong_ones = {"",
                                               "Bearer ",
                                               "Bearer x",
                                               "Bearer " + token + "x",
                                               "bearer " + token,
                                               "Bearer " + token.substr(1),
                                               "Bearer " + token.substr(0, 42),
                                               "Bearer " + token.substr(0, 1),
                                               "Bearer " + token.substr(0, 42) + "~",
                                               "Basic " + token,
                                               token};
  for (const std::string& wrong : wrong_ones)
    for (const char* target : {"/api/hello", "/api/files", "/api/file?path=lights.lts", "/api/jobs", "/nothing",
                               "/%61pi/hello", "//api/hello"})
      EXPECT_EQ(get(target, {{"Authorization", wrong}}).status, 401) << wrong << " " << target;
  EXPECT_EQ(server->ask("POST", "/api/jobs", "{}", {{"Authorization", ""}}).status, 401);
  EXPECT_EQ(server->ask("PUT", "/api/file", "{}", {{"Authorization", ""}}).status, 401);
  EXPECT_EQ(get("/", {{"Authorization", ""}}).status, 200);
  // Not from a cookie or the address either.
  EXPECT_EQ(get("/api/hello?t=" + token, {{"Authorization", ""}, {"Cookie", "t=" + token}}).status, 401);
}

TEST_F(Gate, ReadsNoBodyOfAStranger) {
  Line line(server->port());
  line.send(server->head("POST", "/api/jobs", {{"Authorization", ""}}, 1000));  // and no body
  EXPECT_EQ(read_reply(line.rest(std::chrono::seconds(3))).status, 401);
}

TEST_F(Gate, HasANewTokenAtEveryStart) {
  const Server other;
  EXPECT_NE(other.token(), server->token());
  EXPECT_EQ(other.ask("GET", "/api/hello", {}, {{"Authorization", "Bearer " + server->token()}}).status, 401);
}

TEST_F(Gate, KeepsTheTokenOutOfTheListOfProcesses) {
  std::ifstream in("/proc/" + std::to_string(server->pid()) + "/cmdline");
  const std::string words{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(words.find(server->token()), std::string::npos);
}

TEST_F(Gate, TellsTheBrowserToBeCareful) {
  for (const char* target : {"/", "/api/hello", "/nothing", "/api/file?path=nothing.lts"}) {
    auto reply = get(target);
    // Of the page itself with the nonce of that reply.
    const std::string policy =
        std::regex_replace(reply.headers["content-security-policy"], std::regex(" 'nonce-[A-Za-z0-9_-]{43}'"), "");
    EXPECT_EQ(policy,
              "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; "
              "connect-src 'self'; img-src 'self' data: blob:; base-uri 'none'; form-action 'none'; "
              "frame-ancestors 'none'")
        << target;
    EXPECT_EQ(reply.headers["x-content-type-options"], "nosniff") << target;
    EXPECT_EQ(reply.headers["referrer-policy"], "no-referrer") << target;
    EXPECT_EQ(reply.headers["cross-origin-opener-policy"], "same-origin") << target;
    EXPECT_EQ(reply.headers["cross-origin-resource-policy"], "same-origin") << target;
    EXPECT_EQ(reply.headers["cache-control"], "no-store") << target;
    EXPECT_FALSE(reply.headers.contains("access-control-allow-origin")) << target;
    EXPECT_FALSE(reply.headers.contains("set-cookie")) << target;
  }
}

TEST_F(Gate, PutsANewNonceIntoThePageEachTime) {
  std::set<std::string> nonces;
  for (int i = 0; i < 3; ++i) {
    auto reply = get("/");
    const std::string policy = reply.headers["content-security-policy"];
    const auto at = policy.find("'nonce-");
    ASSERT_NE(at, std::string::npos) << policy;
    const std::string nonce = policy.substr(at + 7, policy.find('\'', at + 7) - at - 7);
    EXPECT_NE(reply.body.find(nonce), std::string::npos);
    EXPECT_EQ(reply.body.find("@NONCE@"), std::string::npos);
    nonces.insert(nonce);
  }
  EXPECT_EQ(nonces.size(), 3U);
}

TEST_F(Gate, AnswersNoPreflight) {
  auto reply = server->ask("OPTIONS", "/api/jobs", {}, {{"Access-Control-Request-Method", "POST"}});
  EXPECT_EQ(reply.status, 405);
  EXPECT_FALSE(reply.headers.contains("access-control-allow-origin"));
}

}  // namespace
}  // namespace surety::serve_test
