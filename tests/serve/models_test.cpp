// Language processes: one for each open model, few at once, back when they are gone.

#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <set>
#include <thread>

#include "server.hpp"

namespace surety::serve_test {
namespace {

using namespace std::chrono_literals;

Json open(const Server& server, const Json& model) {
  const Reply reply = server.ask_json("POST", "/api/models", model);
  EXPECT_EQ(reply.status, 200) << reply.body;
  return reply.json();
}

Reply ask(const Server& server, const std::string& model, const std::string& method,
          const Json& params = Json::object()) {
  return server.ask_json("POST", "/api/models/" + model,
                         {{"jsonrpc", "2.0"}, {"id", 7}, {"method", method}, {"params", params}});
}

std::size_t errors(const Server& server, const std::string& model) {
  const Json reply = ask(server, model, "textDocument/diagnostic").json();
  return static_cast<std::size_t>(
      std::ranges::count_if(reply["result"]["items"], [](const Json& one) { return one["severity"] == 1; }));
}

TEST(Models, AnswerAboutTheTextOfThePage) {
  const Server server;
  const Json opened = open(server, {{"path", "lights.lts"}});
  const std::string model = opened["model"];
  EXPECT_EQ(opened["uri"], "file://" + server.folder().string() + "/lights.lts");
  EXPECT_EQ(errors(server, model), 0U);
  const Json system = ask(server, model, "surety/system").json();
  EXPECT_EQ(system["id"], 7);
  EXPECT_EQ(system["result"]["system"], "S");
  EXPECT_EQ(server.ask_json("PATCH", "/api/models/" + model, {{"text", "A = (a -> B"}}).status, 200);
  EXPECT_GT(errors(server, model), 0U);
  EXPECT_EQ(server.ask_json("PATCH", "/api/models/" + model, {{"text", kLights}}).status, 200);
  EXPECT_EQ(errors(server, model), 0U);
  EXPECT_EQ(server.children("lsp").size(), 1U);
  EXPECT_EQ(server.ask("DELETE", "/api/models/" + model).status, 200);
  EXPECT_EQ(ask(server, model, "surety/system").status, 404);
  EXPECT_TRUE(soon([&] { return server.children("lsp").empty(); }));
}

TEST(Models, AreAskedAboutNothingElse) {
  const Server server;
  server.write("secret.lts", "SECRET = STOP.");
  const std::string model = open(server, {{"path", "lights.lts"}})["model"];
  for (const char* method : {"exit", "shutdown", "initialize", "textDocument/didOpen", "textDocument/didChange",
                             "workspace/executeCommand", "$/cancelRequest", ""})
    EXPECT_EQ(ask(server, model, method).status, 400) << method;
  const Json other = ask(server, model, "surety/system",
                         {{"textDocument", {{"uri", "file://" + server.folder().string() + "/secret.lts"}}}})
                         .json();
  EXPECT_EQ(other["result"]["system"], "S");  // of its own document, whatever was named
  EXPECT_EQ(ask(server, model, "surety/nonsense").json()["error"]["code"], -32601);
}

TEST(Models, AreEightAtOnceAndComeBack) {
  const Server server;
  std::vector<std::string> models;
  for (int i = 0; i < 11; ++i) {
    models.push_back(
        open(server, {{"path", "lights.lts"},
                      {"text", "A" + std::to_string(i) + " = (a -> A" + std::to_string(i) + ")."}})["model"]);
    ask(server, models.back(), "textDocument/diagnostic");
  }
  EXPECT_TRUE(soon([&] { return server.children("lsp").size() == 8; })) << server.children("lsp").size();
  const Json symbols = ask(server, models.front(), "textDocument/documentSymbol").json();  // it had to go
  EXPECT_EQ(symbols["result"][0]["name"], "A0");
  EXPECT_TRUE(soon([&] { return server.children("lsp").size() == 8; }));
}

TEST(Models, WhoseProcessDiesAreToldOfAndStartedAgain) {
  const Server server;
  const std::string model = open(server, {{"path", "lights.lts"}})["model"];
  EXPECT_EQ(errors(server, model), 0U);
  ::kill(server.children("lsp").at(0), SIGKILL);
  EXPECT_TRUE(soon([&] { return server.children("lsp").empty(); }));
  EXPECT_EQ(ask(server, model, "textDocument/diagnostic").code(), "died");
  EXPECT_EQ(errors(server, model), 0U);
  EXPECT_EQ(server.children("lsp").size(), 1U);
}

TEST(Models, TakeLargeTextsAndManyQuestionsAtOnce) {
  const Server server;
  const std::string model = open(server, {{"path", "lights.lts"}})["model"];
  std::string large;
  for (int i = 0; i < 20'000; ++i) large += "// a line of a large text, which is longer than what a pipe holds\n";
  EXPECT_EQ(server.ask_json("PATCH", "/api/models/" + model, {{"text", large + kLights}}).status, 200);
  std::vector<std::thread> threads;
  std::atomic<int> good{0};
  for (int i = 0; i < 12; ++i)
    threads.emplace_back([&] { good += ask(server, model, "textDocument/diagnostic").status == 200 ? 1 : 0; });
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(good, 12);
}

TEST(Models, ImportNothingFromOutside) {
  const Server server;
  const fs::path outside = server.folder().string() + "-imported.aut";
  std::FILE* file = std::fopen(outside.c_str(), "w");
  std::fputs("des (0, 1, 1)\n(0, \"secret\", 0)\n", file);
  std::fclose(file);
  const std::string model =
      open(server, {{"path", "lights.lts"}, {"text", "import P = \"" + outside.string() + "\"\n||S = P.\n"}})["model"];
  EXPECT_GT(errors(server, model), 0U);
  EXPECT_EQ(ask(server, model, "surety/system").body.find("secret"), std::string::npos);
  fs::remove(outside);
}

}  // namespace
}  // namespace surety::serve_test
