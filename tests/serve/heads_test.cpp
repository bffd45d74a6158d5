// Requests that are none: the server refuses them, and goes on.

#include <gtest/gtest.h>

#include <random>

#include "server.hpp"

namespace surety::serve_test {
namespace {

using namespace std::chrono_literals;

class Heads : public testing::Test {
 protected:
  static void SetUpTestSuite() { server = new Server; }
  static void TearDownTestSuite() {
    delete server;
    server = nullptr;
  }
  static Reply say(const std::string& text) {
    Line line(server->port());
    line.send(text);
    line.end_of_sending();
    return read_reply(line.rest());
  }
  static std::string host() { return "Host: 127.0.0.1:" + std::to_string(server->port()) + "\r\n"; }
  static std::string token() { return "Authorization: Bearer " + server->token() + "\r\n"; }
  static std::string hello(const std::string& more = {}) {
    return "GET /api/hello HTTP/1.1\r\n" + host() + token() + more + "\r\n";
  }

  static Server* server;
};
Server* Heads::server = nullptr;

TEST_F(Heads, ThatAreWellFormedAreAnswered) {
  EXPECT_EQ(say(hello()).status, 200);
  EXPECT_EQ(say(hello("Accept: */*\r\nX-Odd:\t  value  \r\nX-Empty:\r\n")).status, 200);
  EXPECT_EQ(say("HEAD / HTTP/1.1\r\n" + host() + "\r\n").status, 200);
  EXPECT_EQ(say("GET / HTTP/1.0\r\n" + host() + "\r\n").status, 200);
}

TEST_F(Heads, ThatAreMalformedAreRefused) {
  const std::string get = "GET / HTTP/1.1\r\n";
  const std::vector<std::pair<std::string, int>> cases = {
      {"\r\n\r\n", 400},
      {"GET\r\n\r\n", 400},
      {"GET /\r\n\r\n", 400},
      {"GET / HTTP/2.0\r\n" + host() + "\r\n", 505},
      {"GET / HTTP/1.1 \r\n" + host() + "\r\n", 400},
      {"GET  HTTP/1.1\r\n" + host() + "\r\n", 400},
      {"GET http://127.0.0.1/ HTTP/1.1\r\n" + host() + "\r\n", 400},
      {"G(T / HTTP/1.1\r\n" + host() + "\r\n", 400},
      {"BREW / HTTP/1.1\r\n" + host() + "\r\n", 405},
      {"TRACE / HTTP/1.1\r\n" + host() + "\r\n", 405},
      {"CONNECT / HTTP/1.1\r\n" + host() + "\r\n", 405},
      {get + "\r\n", 400},                                       // no Host
      {get + host() + host() + "\r\n", 400},                     // two
      {get + host() + token() + token() + "\r\n", 400},          //
      {get + host() + "no colon\r\n\r\n", 400},                  //
      {get + host() + "Name : value\r\n\r\n", 400},              // a blank before the colon
      {get + host() + "X: a\r\n folded\r\n\r\n", 400},           //
      {get + host() + std::string("X: a\0b\r\n\r\n", 10), 400},  //
      {get + host() + "X: a\rb\r\n\r\n", 400},                   //
      {get + host() + "X: a\nY: b\r\n\r\n", 400},                // a bare line feed
      {get + host() + "X: \x01\r\n\r\n", 400},                   //
      {"GET /\x80 HTTP/1.1\r\n" + host() + "\r\n", 400},         //
      {"GET /\t HTTP/1.1\r\n" + host() + "\r\n", 400},           //
      {get + host() + "Content-Length: 5\r\n\r\nhello", 400},    // GET has none
      {"POST /api/jobs HTTP/1.1\r\n" + host() + token() + "\r\n", 411},
      {"POST /api/jobs HTTP/1.1\r\n" + host() + token() + "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
       411},
      {"POST /api/jobs HTTP/1.1\r\n" + host() + token() + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
       411},
      {"POST /api/jobs HTTP/1.1\r\n" + host() + token() + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} ", 400},
      {"POST /api/jobs HTTP/1.1\r\n" + host() + token() + "Content-Length: -1\r\n\r\n", 400},
      {"POST /api/jobs HTTP/1.1\r\n" + host() + token() + "Content-Length: +2\r\n\r\n{}", 400},
      {"POST /api/jobs HTTP/1.1\r\n" + host() + token() + "Content-Length: 0x2\r\n\r\n{}", 400},
      {"POST /api/jobs HTTP/1.1\r\n" + host() + token() + "Content-Length: 99999999999999999999\r\n\r\n", 413},
      {get + host() + "Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n", 400},
  };
  for (const auto& [text, status] : cases) EXPECT_EQ(say(text).status, status) << text;
  EXPECT_EQ(say(hello()).status, 200);
}

TEST_F(Heads, OfMoreThanSixteenKibibytesAreRefused) {
  EXPECT_EQ(say(hello("X: " + std::string(7'000, 'x') + "\r\nY: " + std::string(7'000, 'y') + "\r\n")).status, 200);
  EXPECT_EQ(say(hello("X: " + std::string(17'000, 'x') + "\r\n")).status, 431);
  std::string many;
  for (int i = 0; i < 2'000; ++i) many += "X" + std::to_string(i) + ": y\r\n";
  EXPECT_EQ(say(hello(many)).status, 431);
  EXPECT_EQ(say("GET /" + std::string(20'000, 'a') + " HTTP/1.1\r\n" + host() + "\r\n").status, 431);
}

TEST_F(Heads, BodiesOfMoreThanFourMebibytesAreRefusedBeforeTheyCome) {
  Line line(server->port());
  line.send(server->head("PUT", "/api/file", {}, (4 << 20) + 1));
  EXPECT_EQ(read_reply(line.rest(3s)).status, 413);
  // Also to somebody who sends it all the same.
  EXPECT_EQ(say(server->head("PUT", "/api/file", {}, (4 << 20) + 1) + std::string((4 << 20) + 1, ' ')).status, 413);
}

TEST_F(Heads, ASecondRequestOnAConnectionIsNotRead) {
  Line line(server->port());
  line.send(hello() + hello());
  const std::string said = line.rest();
  EXPECT_EQ(read_reply(said).status, 200);
  EXPECT_EQ(said.find("HTTP/1.1", 8), std::string::npos);
  // Nor what hides behind a body.
  Line other(server->port());
  other.send(server->head("POST", "/api/jobs", {}, 2) + "{}" + hello());
  const std::string answer = other.rest();
  EXPECT_EQ(read_reply(answer).status, 400);
  EXPECT_EQ(answer.find("HTTP/1.1", 8), std::string::npos);
}

TEST_F(Heads, ArriveByteByByte) {
  Line line(server->port());
  for (const char c : hello()) ASSERT_TRUE(line.send(std::string(1, c)));
  EXPECT_EQ(read_reply(line.rest()).status, 200);
}

TEST_F(Heads, BodiesThatAreNoJsonAreRefused) {
  for (const std::string& body : {std::string("{"), std::string("nonsense"), std::string("[]"), std::string("\"x\""),
                                  std::string("{\"path\": 3}"), std::string(100'000, '['), std::string("\xff\xfe")})
    for (const auto& [method, target] : std::vector<std::pair<std::string, std::string>>{
             {"POST", "/api/jobs"}, {"PUT", "/api/file"}, {"POST", "/api/models"}, {"PATCH", "/api/models/m1"}})
      EXPECT_EQ(server->ask(method, target, body).status / 100, 4)
          << method << " " << target << " " << body.substr(0, 20);
}

// Whoever copies or writes JSON takes a piece of the stack for each bracket that is open.
TEST_F(Heads, BracketsInsideOfBracketsAreRefused) {
  const std::string model = server->ask_json("POST", "/api/models", {{"path", "lights.lts"}}).json()["model"];
  const std::string deep = std::string(1'500'000, '[') + std::string(1'500'000, ']');
  const std::vector<std::pair<std::string, std::string>> questions = {
      {"/api/models", R"({"path":"lights.lts","define":)" + deep + "}"},
      {"/api/models/" + model, R"({"method":"surety/system","id":)" + deep + "}"},
      {"/api/models/" + model, R"({"method":"surety/system","params":{"x":)" + deep + "}}"},
      {"/api/jobs", R"({"command":"check","path":"lights.lts","options":)" + deep + "}"},
      {"/api/jobs", R"({"command":"experiment","path":"lights.lts","options":{"define":{"K":)" + deep + "}}}"}};
  for (const auto& [target, body] : questions) EXPECT_EQ(server->ask("POST", target, body).status, 400) << target;
  // In a text they are no brackets.
  const Json text{{"path", "lights.lts"}, {"text", "// \\\"" + std::string(100, '[') + "\"\n" + kLights}};
  EXPECT_EQ(server->ask_json("POST", "/api/models", text).status, 200);
}

// A few bytes of these would stand for very many.
TEST_F(Heads, PackedBodiesAndPartsOfRepliesAreRefused) {
  EXPECT_EQ(server->ask("PUT", "/api/file", "{}", {{"Content-Encoding", "gzip"}}).status, 415);
  EXPECT_EQ(server->ask("PUT", "/api/file", "{}", {{"content-encoding", "br"}}).status, 415);
  EXPECT_EQ(say(hello("Range: bytes=0-,0-,0-,0-\r\n")).status, 400);
}

TEST_F(Heads, StrangePathsFindNothing) {
  for (const char* target : {"/api/file?path=%00",
                             "/api/file?path=lights.lts%00",
                             "/api/file?path=%2e%2e%2f%2e%2e%2fetc%2fpasswd",
                             "/api/file?path=..%5c..%5cetc",
                             "/api/file?path=%ff%fe.lts",
                             "/api/file?path=%252e%252e%252fetc%252fpasswd",
                             "/api/file?path=",
                             "/api/file",
                             "/api/jobs/j99999999999999999999/report",
                             "/api/jobs/../file",
                             "/api/models/m1",
                             "/assets/../main.cpp",
                             "/assets/%2e%2e%2fmain.cpp",
                             "/assets/..%2f..%2fetc%2fpasswd",
                             "/assets/",
                             "/licences.txt/x",
                             "/api/hello/",
                             "/api/hello%00",
                             "/%",
                             "/%zz",
                             "/?%",
                             "/api/file?path=%"}) {
    const Reply reply = server->ask("GET", target);
    EXPECT_TRUE(reply.status >= 400 || std::string(target) == "/?%") << target << " " << reply.status;
    EXPECT_EQ(reply.body.find("root:"), std::string::npos);
  }
}

// What a fuzzer would send: requests with some bytes changed, cut off, doubled.
TEST_F(Heads, DamagedOnesDoNoHarm) {
  const std::vector<std::string> seeds = {
      hello(),
      "GET / HTTP/1.1\r\n" + host() + "\r\n",
      server->head("POST", "/api/jobs", {}, 40) + R"({"command":"check","path":"lights.lts"}  )",
      server->head("PUT", "/api/file", {}, 30) + R"({"path":"x.lts","text":"A=x"}  )",
      server->head("GET", "/api/jobs/j1/events?after=3"),
      server->head("GET", "/api/jobs/j1/lts?of=assumption.1&k=2")};
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
  for (int i = 0; i < 600; ++i) {
    std::string text = seeds[below(seeds.size())];
    for (std::size_t n = 1 + below(4); n > 0 && !text.empty(); --n) switch (below(5)) {
        case 0: text[below(text.size())] = static_cast<char>(below(256)); break;
        case 1: text.resize(1 + below(text.size())); break;
        case 2: text.insert(below(text.size()), text.substr(below(text.size()), below(40))); break;
        case 3: text.erase(below(text.size()), 1 + below(10)); break;
        default: text.insert(below(text.size()), 1, "\r\n\0%:; "[below(7)]);
      }
    if (text.empty()) continue;
    Line line(server->port());
    line.send(text);
    line.end_of_sending();
    line.rest(5s);
  }
  EXPECT_EQ(say(hello()).status, 200);
  EXPECT_EQ(server->read("lights.lts"), kLights);
}

}  // namespace
}  // namespace surety::serve_test
