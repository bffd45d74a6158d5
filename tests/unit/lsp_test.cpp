// The language server, message by message: what editors ask, places in UTF-16 units, and messages that make no sense.

#include "lsp/server.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "lsp/refused.hpp"
#include "lsp_help.hpp"

namespace surety::lsp {
namespace {

namespace fs = std::filesystem;

const std::string kUri = "file:///models/l%C3%A4mp.lts";
const std::string kLamp =
    "const N = 2\n"
    "/* \xF0\x9F\x92\xA1 é */ LAMP = (on[1..N] -> off -> LAMP).\n"
    "property ONCE = (on[1..N] -> off -> ONCE).\n"
    "||SYSTEM = (LAMP || ONCE).\n"
    "progress LIT = {on[1..N]}\n";

class Editor {
 public:
  Json ask(const std::string& method, Json parameters) {
    const auto replies = server_.answer(
        Json{{"jsonrpc", "2.0"}, {"id", ++id_}, {"method", method}, {"params", std::move(parameters)}}.dump());
    EXPECT_EQ(replies.size(), 1U);
    EXPECT_EQ(replies.at(0).at("id"), id_);
    return replies.at(0).contains("error") ? replies.at(0)["error"] : replies.at(0)["result"];
  }
  Json tell(const std::string& method, Json parameters) {
    const auto said =
        server_.answer(Json{{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(parameters)}}.dump());
    return said.empty() ? Json() : said[0];
  }
  Json open(const std::string& text, const std::string& uri = kUri) {
    return tell("textDocument/didOpen",
                {{"textDocument", {{"uri", uri}, {"languageId", "fsp"}, {"version", 1}, {"text", text}}}});
  }
  Json at(const std::string& method, int line, int character, Json more = Json::object()) {
    Json parameters{{"textDocument", {{"uri", kUri}}}, {"position", {{"line", line}, {"character", character}}}};
    parameters.update(more);
    return ask(method, parameters);
  }
  Json about(const std::string& method, Json more = Json::object()) { return at(method, 0, 0, std::move(more)); }
  Server& server() { return server_; }

 private:
  Server server_;
  int id_ = 0;
};

Json range(int line, int from, int to) {
  return {{"start", {{"line", line}, {"character", from}}}, {"end", {{"line", line}, {"character", to}}}};
}

TEST(Lsp, ATextWithoutErrorsHasNoDiagnostics) {
  Editor editor;
  const Json said = editor.open(kLamp);
  EXPECT_EQ(said["method"], "textDocument/publishDiagnostics");
  EXPECT_EQ(said["params"]["uri"], kUri);
  EXPECT_EQ(said["params"]["diagnostics"], Json::array());
}

TEST(Lsp, AMistakeIsUnderlinedInUtf16UnitsAndCanBeMended) {
  Editor editor;
  // Two units for the lamp, one for the é: the bytes would be 4 and 2.
  editor.open("LAMP = (on -> LAMP).\n||S = (/* \xF0\x9F\x92\xA1 é */ LAMO).\n");
  const Json pulled = editor.about("textDocument/diagnostic");
  EXPECT_EQ(pulled["kind"], "full");
  ASSERT_EQ(pulled["items"].size(), 1U);
  const Json& wrong = pulled["items"][0];
  EXPECT_EQ(wrong["severity"], 1);
  EXPECT_EQ(wrong["range"], range(1, 18, 22));
  const Json fixes =
      editor.about("textDocument/codeAction", {{"range", wrong["range"]}, {"context", {{"diagnostics", {wrong}}}}});
  ASSERT_EQ(fixes.size(), 1U);
  EXPECT_EQ(fixes[0]["title"], "replace by 'LAMP'");
  EXPECT_EQ(fixes[0]["edit"]["changes"][kUri][0], (Json{{"range", range(1, 18, 22)}, {"newText", "LAMP"}}));
}

TEST(Lsp, GrammarErrorsSayThatNamesComeLater) {
  Editor editor;
  const Json items = editor.open("LAMP = (on -> LAMP\n||S = LAMO.\n")["params"]["diagnostics"];
  ASSERT_GE(items.size(), 2U);
  EXPECT_EQ(items.back()["severity"], 3);
  EXPECT_EQ(items.back()["message"], "names are checked when the text can be read");
}

TEST(Lsp, AChangedTextIsReadAnew) {
  Editor editor;
  editor.open("LAMP = (on -> .\n");
  const Json said = editor.tell("textDocument/didChange", {{"textDocument", {{"uri", kUri}, {"version", 2}}},
                                                           {"contentChanges", {{{"text", kLamp}}}}});
  EXPECT_EQ(said["params"]["diagnostics"], Json::array());
  editor.tell("textDocument/didClose", {{"textDocument", {{"uri", kUri}}}});
  EXPECT_EQ(editor.about("textDocument/documentSymbol")["message"], "the document is not open");
}

TEST(Lsp, NamesLeadToTheirDefinitionAndToWhereTheyAreUsed) {
  Editor editor;
  editor.open(kLamp);
  // LAMP in ||SYSTEM
  EXPECT_EQ(editor.at("textDocument/definition", 3, 13), (Json{{"uri", kUri}, {"range", range(1, 11, 15)}}));
  EXPECT_EQ(editor.at("textDocument/references", 3, 13).size(), 3U);
  EXPECT_EQ(editor.at("textDocument/definition", 1, 3), Json()) << "in a comment";
  EXPECT_EQ(editor.at("textDocument/hover", 0, 7)["contents"]["value"], "const N = 2");
  EXPECT_EQ(editor.at("textDocument/hover", 1, 13)["contents"]["value"],
            "process LAMP\n3 states, 4 transitions, 3 actions");
}

TEST(Lsp, SymbolsCompletionsAndLenses) {
  Editor editor;
  editor.open(kLamp);
  std::vector<std::string> names;
  for (const Json& symbol : editor.about("textDocument/documentSymbol")) names.push_back(symbol["name"]);
  std::ranges::sort(names);
  EXPECT_EQ(names, (std::vector<std::string>{"LAMP", "LIT", "N", "ONCE", "SYSTEM"}));
  std::vector<std::string> offered;
  for (const Json& item : editor.about("textDocument/completion")) offered.push_back(item["label"]);
  EXPECT_NE(std::ranges::find(offered, "SYSTEM"), offered.end());
  EXPECT_NE(std::ranges::find(offered, "off"), offered.end()) << "a label that was seen";
  const Json lenses = editor.about("textDocument/codeLens");
  ASSERT_EQ(lenses.size(), 2U);
  EXPECT_EQ(lenses[0]["command"]["title"], "check ONCE");
  EXPECT_EQ(lenses[0]["range"], range(2, 9, 13));
  EXPECT_EQ(lenses[1]["command"]["arguments"], (Json{kUri, "LIT"}));
  Page page(kLamp, "/models/lamp.lts", {{"lenses", {"draw", "animate"}}});
  std::vector<std::string> titles;
  for (const Json& lens : page.ask("textDocument/codeLens")) titles.push_back(lens["command"]["title"]);
  std::ranges::sort(titles);
  EXPECT_EQ(titles, (std::vector<std::string>{"animate SYSTEM", "draw ONCE", "draw SYSTEM"}));
}

TEST(Lsp, LocalProcessesAndParametersMeanSomethingInTheirProcessOnly) {
  Page page(
      "P(N = 2) = Q[0],\n"
      "Q[i:0..N] = (a -> Q[0] | when (i < N) b -> Q[i + 1]).\n"
      "R = Q,\n"
      "Q = (c -> R).\n"
      "||S = (P(3) || R).\n");
  ASSERT_EQ(page.diagnostics.dump().find("\"severity\":1"), std::string::npos);
  EXPECT_EQ(page.at("definition", 1, 18)["range"], range(1, 0, 1));
  EXPECT_EQ(page.at("definition", 2, 4)["range"], range(3, 0, 1));
  EXPECT_EQ(page.at("references", 2, 4).size(), 2U);
  EXPECT_EQ(page.at("references", 1, 0).size(), 4U);
  EXPECT_EQ(page.at("hover", 1, 8)["contents"]["value"], "parameter N = 2");
  EXPECT_EQ(page.at("hover", 3, 0)["contents"]["value"], "Q, a local process of R");
  const Json outline = page.ask("textDocument/documentSymbol");
  EXPECT_EQ(names(outline, "name"), (std::vector<std::string>{"P", "R", "S"}));
  EXPECT_EQ(names(outline[0]["children"], "name"), std::vector<std::string>{"Q"});
}

TEST(Lsp, CompletionOffersWhatIsKnownThereAndKeywords) {
  Page page("P(N = 2) = (a[i:0..N] -> P).\nR = (c -> R).\n||S = (P || R).\n");
  const auto offered = [&](int line, int character) {
    return names(page.ask("textDocument/completion", {{"position", {{"line", line}, {"character", character}}}}),
                 "label");
  };
  const auto has = [](const std::vector<std::string>& list, const std::string& word) {
    return std::ranges::count(list, word) == 1;
  };
  EXPECT_TRUE(has(offered(0, 20), "N"));
  EXPECT_TRUE(has(offered(0, 20), "property"));
  EXPECT_TRUE(has(offered(0, 20), "R"));
  EXPECT_TRUE(has(names(Page("x", "/models/x.adb").ask("textDocument/completion"), "label"), "accept"));
  EXPECT_TRUE(has(names(Page("x", "/models/x.pml").ask("textDocument/completion"), "label"), "atomic"));
}

const std::string kAda =
    "procedure Main is\n"                            // 0
    "   Most : constant := 2;\n"                     // 1
    "   task Pump is\n"                              // 2
    "      entry Start (Number : in Integer);\n"     // 3
    "   end Pump;\n"                                 // 4
    "   task body Pump is\n"                         // 5
    "      Count : Integer range 0 .. Most := 0;\n"  // 6
    "   begin\n"                                     // 7
    "      accept Start (Number : in Integer) do\n"  // 8
    "         Count := Number; -- Count\n"           // 9
    "      end Start;\n"                             // 10
    "   end Pump;\n"                                 // 11
    "   procedure Go is\n"                           // 12
    "      Count : Integer := 1;\n"                  // 13
    "   begin\n"                                     // 14
    "      PUMP.Start (count);\n"                    // 15
    "   end Go;\n"                                   // 16
    "begin\n"                                        // 17
    "   Go;\n"                                       // 18
    "end Main;\n";                                   // 19

TEST(Lsp, AdaNamesAreKnownInTheirScopesInAnyCase) {
  Page page(kAda, "/models/main.adb");
  ASSERT_EQ(page.diagnostics, Json::array());
  EXPECT_EQ(page.at("definition", 9, 10)["range"], range(6, 6, 11));
  EXPECT_EQ(page.at("definition", 15, 20)["range"], range(13, 6, 11));
  EXPECT_EQ(page.at("references", 6, 8).size(), 2U) << "not the one in the comment, nor that of Go";
  EXPECT_EQ(page.at("definition", 15, 8)["range"], range(2, 8, 12));
  EXPECT_EQ(page.at("definition", 15, 13)["range"], range(3, 12, 17));
  EXPECT_EQ(page.at("definition", 9, 20)["range"], range(8, 20, 26)) << "the parameter of the accept";
  EXPECT_EQ(page.at("hover", 6, 36)["contents"]["value"], "Most : constant := 2;");
  const std::string pump = page.at("hover", 15, 8)["contents"]["value"];
  EXPECT_TRUE(pump.starts_with("task Pump is\nPump: ")) << pump;
  const Json outline = page.ask("textDocument/documentSymbol");
  EXPECT_EQ(names(outline, "name"), std::vector<std::string>{"Main"});
  EXPECT_EQ(names(outline[0]["children"], "name"), (std::vector<std::string>{"Pump", "Pump", "Go"}));
}

TEST(Lsp, AnAdaTextWithMistakesHasSymbolsAllTheSame) {
  Page page("procedure Main is\n   X : Integer := Y;\nbegin\n   null;\nend Main;\n", "/models/main.adb");
  EXPECT_FALSE(page.diagnostics.empty());
  EXPECT_EQ(page.at("definition", 1, 3)["range"], range(1, 3, 4));
}

TEST(Lsp, PromelaHasSymbolsAndPlaces) {
  Editor editor;
  const std::string uri = "file:///models/turn.pml";
  editor.open("byte turn = 0;\nactive proctype P() { turn = 1 }\nltl p { <> (turn == 1) }\n", uri);
  const Json symbols = editor.ask("textDocument/documentSymbol", {{"textDocument", {{"uri", uri}}}});
  ASSERT_EQ(symbols.size(), 3U);
  EXPECT_EQ(symbols[0]["name"], "turn");
  EXPECT_EQ(symbols[1]["name"], "P");
  EXPECT_EQ(symbols[2]["range"]["start"]["line"], 2);
}

TEST(Lsp, PromelaVariablesOfProcessesAreTheirOwn) {
  for (const std::string first : {"byte first;", "#define FIRST 1"}) {  // the second one goes through cpp
    Page page(first +
                  "\nactive proctype P() {\n  byte x;\n  x = 1;\n  goto out;\nout: skip\n}\n"
                  "active proctype Q() {\n  byte x;\n  x = 2\n}\n",
              "/models/x.pml");
    EXPECT_EQ(page.at("definition", 3, 2)["range"]["start"]["line"], 2) << first;
    EXPECT_EQ(page.at("definition", 9, 2)["range"]["start"]["line"], 8) << first;
    EXPECT_EQ(page.at("definition", 4, 8)["range"]["start"]["line"], 5) << first;
    EXPECT_EQ(page.at("references", 9, 2).size(), 2U) << first;
  }
}

TEST(Lsp, AModelIsDrawnAndWalkedThrough) {
  Editor editor;
  editor.open(kLamp);
  const Json system = editor.about("surety/system");
  EXPECT_EQ(system["system"], "SYSTEM");
  EXPECT_EQ(system["components"][0]["name"], "LAMP");
  EXPECT_EQ(system["actions"]["off"], (Json{"LAMP", "ONCE"}));
  EXPECT_EQ(system["constants"]["N"], 2);
  const Json machine = editor.about("surety/machine", {{"name", "LAMP"}});
  EXPECT_EQ(machine["states"], 3);
  EXPECT_EQ(machine["steps"].size(), 4U);
  EXPECT_EQ(editor.about("surety/machine", {{"name", "LAMP"}, {"steps", 3}})["too_large"], true);
  EXPECT_EQ(editor.about("surety/near", {{"machine", "LAMP"}, {"state", 0}, {"radius", 1}})["states"].size(), 3U);
  EXPECT_EQ(editor.about("surety/path", {{"machine", "LAMP"}, {"action", "off"}})["trace"].size(), 2U);

  const Json start = editor.about("surety/moves");
  EXPECT_EQ(start["state"], "0,0");
  ASSERT_EQ(start["moves"].size(), 2U);
  EXPECT_EQ(start["moves"][0]["action"], "on.1");
  const Json next = editor.about("surety/moves", {{"state", start["moves"][0]["to"]}});
  ASSERT_EQ(next["moves"].size(), 1U);
  EXPECT_EQ(next["moves"][0]["action"], "off");
  const Json followed = editor.about("surety/follow", {{"trace", {"on.2", "off", "on.1"}}});
  EXPECT_EQ(followed["moments"].size(), 4U);
  EXPECT_EQ(editor.about("surety/follow", {{"trace", {"off"}}})["stuck"], true);
  EXPECT_EQ(editor.about("surety/walk", {{"steps", 5}, {"seed", 3}})["moments"].size(), 6U);
}

TEST(Lsp, SettingsHoldForAllDocumentsAndCanBeChanged) {
  Page page(kLamp, "/models/lamp.lts", {{"define", {{"N", 4}, {"MANY", 1}}}});
  ASSERT_EQ(page.diagnostics.size(), 1U);
  EXPECT_EQ(page.diagnostics[0]["severity"], 2) << "a define without effect is a warning";
  EXPECT_NE(page.diagnostics[0]["message"].get<std::string>().find("MANY"), std::string::npos);
  EXPECT_EQ(page.ask("system")["constants"]["N"], 4);
  EXPECT_EQ(page.at("hover", 0, 6)["contents"]["value"], "const N = 4");
  EXPECT_EQ(page.ask_server("surety/configure", {{"define", {{"N", 1}}}, {"system", "LAMP"}}),
            (Json{{"define", {{"N", 1}}}, {"system", "LAMP"}, {"cells", false}, {"lenses", {"check"}}}));
  EXPECT_EQ(page.ask("textDocument/diagnostic")["items"], Json::array());
  EXPECT_EQ(page.ask("system")["system"], "LAMP");
  EXPECT_EQ(page.ask("system")["properties"], Json::array());
  page.ask_server("surety/configure", {{"system", nullptr}});
  EXPECT_EQ(page.ask("system")["system"], "SYSTEM");
  EXPECT_EQ(page.ask("system")["constants"]["N"], 1) << "what is not said stays";
  page.ask_server("surety/configure", {{"system", "NOBODY"}});
  EXPECT_EQ(page.ask("textDocument/diagnostic")["items"][0]["severity"], 1);
}

TEST(Lsp, AChangeOfTheSettingsIsTold) {
  Editor editor;
  editor.open(kLamp);
  const auto said =
      editor.server().answer(R"({"jsonrpc":"2.0","id":1,"method":"surety/configure","params":{"define":{"NONE":3}}})");
  ASSERT_EQ(said.size(), 2U);
  EXPECT_EQ(said[0]["id"], 1);
  EXPECT_EQ(said[1]["method"], "textDocument/publishDiagnostics");
  EXPECT_EQ(said[1]["params"]["diagnostics"].size(), 1U);
}

TEST(Lsp, SettingsOfOtherLanguagesToo) {
  const std::string promela = "#define K 2\nactive [K] proctype P() { skip }\n";
  Page program(promela, "/models/p.pml", {{"define", {{"K", 3}, {"L", 3}}}});
  ASSERT_EQ(program.diagnostics.size(), 1U);
  EXPECT_EQ(program.diagnostics[0]["severity"], 2);
  EXPECT_EQ(program.ask("moves")["processes"].size(), 3U);
  EXPECT_EQ(program.ask("system")["defines"][0]["value"], 3);
  EXPECT_EQ(program.ask("system")["defines"][0]["defined"], true);
  const std::string ada =
      "procedure Main is\n   N : constant := 1;\n   task type T;\n   task body T is\n   begin\n      null;\n"
      "   end T;\n   All_Of : array (1 .. N) of T;\nbegin\n   null;\nend Main;\n";
  Page tasks(ada, "/models/main.adb", {{"define", {{"N", 3}, {"L", 3}}}});
  ASSERT_EQ(tasks.diagnostics.size(), 1U) << tasks.diagnostics.dump(1);
  EXPECT_EQ(tasks.diagnostics[0]["severity"], 2);
  EXPECT_EQ(tasks.ask("system")["definitions"].size(), 4U);
}

TEST(Lsp, SettingsThatMakeNoSenseAreRefusedAndChangeNothing) {
  Page page(kLamp);
  const char* const wrong[] = {R"({"define": 3})",
                               R"({"define": {"N": "3"}})",
                               R"({"define": {"N": 3.5}})",
                               R"({"define": {"N": true}})",
                               R"({"define": {"N": 99999999999}})",
                               R"({"define": {"N": -99999999999}})",
                               R"({"define": {"N\n#include \"/etc/passwd\"": 3}})",
                               R"({"define": {"": 3}})",
                               R"({"system": 3})",
                               R"({"lenses": "all"})",
                               R"({"lenses": ["fly"]})",
                               R"({"cells": "yes"})",
                               R"({"cells": -1})",
                               R"([1])"};
  for (const char* settings : wrong)
    EXPECT_EQ(page.ask_server("surety/configure", Json::parse(settings))["code"], -32602) << settings;
  const std::string many(100'000, '1');
  EXPECT_EQ(page.ask_server("surety/configure", {{"system", "S(" + many + ")"}})["code"], -32602);
  EXPECT_EQ(page.ask("system")["constants"]["N"], 2);
}

TEST(Lsp, AStateThatIsNoneIsRefused) {
  Editor editor;
  editor.open(kLamp);
  for (const char* state : {"7,0", "0", "0,0,0", "x", "0,", "-1,0", "99999999999,0", "00"})
    EXPECT_EQ(editor.about("surety/moves", {{"state", state}})["code"], -32602) << state;
}

TEST(Lsp, WhatMakesNoSenseIsAnErrorAndNotTheEnd) {
  Editor editor;
  editor.open(kLamp);
  EXPECT_EQ(editor.server().answer("{")[0]["error"]["code"], -32700);
  EXPECT_EQ(editor.server().answer("[1]")[0]["error"]["code"], -32600);
  EXPECT_EQ(editor.server().answer(R"({"id": 1, "method": 3})")[0]["error"]["code"], -32600);
  EXPECT_TRUE(editor.server().answer(R"({"id": 1, "result": null})").empty()) << "a reply";
  EXPECT_EQ(editor.about("textDocument/nothing")["code"], -32601);
  EXPECT_EQ(editor.about("surety/nothing")["code"], -32601);
  EXPECT_EQ(editor.ask("textDocument/hover", Json::array())["code"], -32602);
  EXPECT_EQ(editor.ask("textDocument/hover", {{"textDocument", {{"uri", 7}}}})["code"], -32602);
  EXPECT_EQ(editor.about("surety/machine", {{"name", 7}})["code"], -32602);
  EXPECT_EQ(editor.at("textDocument/hover", 1000, 1000), Json());
  const std::string deep(1'000'000, '[');
  EXPECT_EQ(editor.server().answer(deep)[0]["error"]["code"], -32600);
  EXPECT_EQ(editor.server().answer(R"({"id":1,"method":"initialize","params":)" + deep)[0]["error"]["code"], -32600);
  const Json odd[] = {nullptr, 7,  "x",   Json::array(),       Json::object(),
                      true,    -1, 1e300, Json{{"action", 7}}, Json{{"x"}}};
  for (const char* question : {"system", "machine", "near", "path", "moves", "walk", "follow"})
    for (const char* member : {"name",       "machine", "minimise", "complete", "from",  "count", "actions", "state",
                               "radius",     "forward", "most",     "steps",    "trace", "cycle", "kind",    "property",
                               "properties", "watch",   "brief",    "until",    "only",  "seed",  "action",  "names"})
      for (const Json& value : odd) {
        Json parameters{{"name", "LAMP"}, {"machine", "LAMP"}, {"trace", {"on.1"}}};
        if (question != std::string("moves"))
          parameters["state"] = question == std::string("near") ? Json(0) : Json("0,0");
        parameters[member] = value;
        const Json answer = editor.about(std::string("surety/") + question, parameters);
        EXPECT_TRUE(answer.is_object() || answer.is_null()) << question << member << value;
      }
  EXPECT_EQ(editor.about("textDocument/documentSymbol").size(), 5U) << "it is still there";
}

std::string framed(const std::string& text) {
  return "Content-Length: " + std::to_string(text.size()) + "\r\n\r\n" + text;
}

TEST(Lsp, MessagesAreFramedAndBrokenFramesAreAnswered) {
  std::istringstream in(framed(R"({"jsonrpc":"2.0","id":1,"method":"initialize","params":{}})") +
                        "Content-Type: x\r\n\r\n" + "Content-Length: 99999999999\r\n\r\n");
  std::ostringstream out;
  EXPECT_EQ(serve(in, out), 1) << "the input ended without shutdown";
  EXPECT_NE(out.str().find(R"("positionEncoding":"utf-16")"), std::string::npos);
  EXPECT_NE(out.str().find("there is no Content-Length"), std::string::npos);
  EXPECT_NE(out.str().find("too long"), std::string::npos);
}

TEST(Lsp, AHeaderHasALimitAndALengthItsMeaning) {
  const std::string shutdown = R"({"jsonrpc":"2.0","id":1,"method":"shutdown"})";
  std::istringstream in(
      std::string(10'000'000, 'x') + "\r\n" + "Content-Length: 99999999999999999999999\r\nContent-Length: " +
      std::to_string(shutdown.size()) + " \r\n\r\n" + shutdown + "Content-Length: 2x\r\n\r\n" + framed("{"));
  std::ostringstream out;
  EXPECT_EQ(serve(in, out), 0);
  std::vector<std::string> said;
  for (std::size_t at = 0; (at = out.str().find(R"({"jsonrpc")", at)) != std::string::npos; ++at) {
    const Json reply = Json::parse(out.str().substr(at, out.str().find("Content-Length: ", at) - at));
    said.push_back(reply.contains("error") ? reply["error"]["message"].get<std::string>() : "done");
  }
  EXPECT_EQ(said, (std::vector<std::string>{"the header is too long", "done", "there is no Content-Length",
                                            "this is no JSON"}));
}

TEST(Lsp, ALengthThatNoNumberHasIsTooLong) {
  std::istringstream in("Content-Length: 99999999999999999999999\r\n\r\n{}");
  std::ostringstream out;
  serve(in, out);
  EXPECT_NE(out.str().find("too long"), std::string::npos);
}

// What takes the square of its length would take minutes.
TEST(Lsp, WhatIsLongIsAnsweredSoon) {
  const auto start = std::chrono::steady_clock::now();
  Editor editor;
  std::string members;
  for (int i = 0; i < 100'000; ++i) members += fmt::format("\"k{}\":1,", i);
  EXPECT_EQ(
      editor.server().answer("{\"id\":1,\"method\":\"x\",\"params\":{" + members + "\"k\":1}}")[0]["error"]["code"],
      -32600);
  std::string labels, same;  // on one line
  for (int i = 0; i < 50'000; ++i) labels += fmt::format("a{} -> ", i);
  for (int i = 0; i < 50'000; ++i) same += "once -> ";
  editor.open("P = (" + labels + same + "P).\n");
  EXPECT_EQ(editor.at("textDocument/references", 0, 0).size(), 2U);
  EXPECT_EQ(editor.at("textDocument/references", 0, static_cast<int>(labels.size()) + 6).size(), 50'000U);
  EXPECT_EQ(editor.about("surety/system")["actions"].size(), 50'001U);
  std::string processes;  // many symbols
  for (int i = 0; i < 10'000; ++i) processes += fmt::format("P{} = (a -> P{}).\n", i, i);
  editor.open(processes);
  EXPECT_EQ(editor.about("textDocument/documentSymbol").size(), 10'000U);
  const std::string longest(50'000, 'X');  // is compared with no other
  editor.open("P" + longest + " = (a -> P" + longest + ").\n||S = (Q" + longest + ").\n");
  EXPECT_EQ(editor.about("textDocument/diagnostic")["items"].size(), 1U);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(120));
}

// --- Several documents, and several messages at once.

// All that is said on a message, by the document that it is about.
std::vector<std::string> told(const std::vector<Json>& said) {
  std::vector<std::string> out;
  for (const Json& each : said)
    out.push_back(fmt::format("{}: {}", each.at("params").at("uri").get<std::string>(),
                              each["params"].at("diagnostics").empty()
                                  ? std::string("nothing")
                                  : each["params"]["diagnostics"][0].at("message").get<std::string>()));
  return out;
}

Json opening(const std::string& uri, const std::string& text) {
  return {{"jsonrpc", "2.0"},
          {"method", "textDocument/didOpen"},
          {"params", {{"textDocument", {{"uri", uri}, {"languageId", ""}, {"version", 1}, {"text", text}}}}}};
}
Json change(const std::string& uri, const std::string& text) {
  return {{"jsonrpc", "2.0"},
          {"method", "textDocument/didChange"},
          {"params", {{"textDocument", {{"uri", uri}, {"version", 2}}}, {"contentChanges", {{{"text", text}}}}}}};
}
Json about(const std::string& method, const std::string& uri) {
  return {{"jsonrpc", "2.0"}, {"method", method}, {"params", {{"textDocument", {{"uri", uri}}}}}};
}

TEST(Lsp, ADocumentIsMadeOfTheOtherOpenOnes) {
  Server server;
  const auto say = [&](const Json& message) { return told(server.answer(message.dump())); };
  const std::string main = "file:///nowhere/main.adb", unit = "file:///nowhere/./unit.ads";
  const std::string with = "with Unit;\nprocedure Main is\nbegin\n   Unit.X := 1;\nend Main;\n";
  EXPECT_NE(say(opening(main, with))[0], main + ": nothing") << "there is no such file";
  EXPECT_EQ(say(opening(unit, "package Unit is\n   X : Integer;\nend Unit;\n")).at(1), main + ": nothing");
  const auto renamed = say(change(unit, "package Unit is\n   Y : Integer;\nend Unit;\n"));
  ASSERT_EQ(renamed.size(), 2U);
  EXPECT_TRUE(renamed[1].starts_with(main)) << renamed[1];
  EXPECT_EQ(renamed[1].find("nothing"), std::string::npos);
  EXPECT_EQ(say(change(main, with)).size(), 1U) << "nothing is made of the main procedure";
  const auto closed = say(about("textDocument/didClose", unit));
  ASSERT_EQ(closed.size(), 2U);
  EXPECT_EQ(closed[0], unit + ": nothing") << "nobody looks at it any more";
  EXPECT_TRUE(closed[1].starts_with(main + ": ") && !closed[1].ends_with("nothing")) << closed[1];
}

TEST(Lsp, AnAdaPackageAloneIsNoMistake) {
  Editor editor;
  const Json said = editor.open("package P is\n   X : Integer;\nend P;\n", "file:///nowhere/p.ads");
  ASSERT_EQ(said["params"]["diagnostics"].size(), 1U);
  EXPECT_EQ(said["params"]["diagnostics"][0]["severity"], 3);
  EXPECT_EQ(said["params"]["diagnostics"][0]["code"], "no-main");
}

TEST(Lsp, WhatIsSavedIsReadAgain) {
  const fs::path folder = fs::temp_directory_path() / fmt::format("surety-lsp-{}", ::getpid());
  fs::create_directory(folder);
  const auto header = [&](const char* text) { std::ofstream(folder / "n.h") << text; };
  header("#define N 1\n");
  Server server;
  const std::string uri = uri_of((folder / "p.pml").string());
  const std::string text = "#include \"n.h\"\nactive proctype P() { byte x = N }\n";
  EXPECT_EQ(told(server.answer(opening(uri, text).dump())), (std::vector<std::string>{uri + ": nothing"}));
  header("");
  EXPECT_EQ(told(server.answer(about("textDocument/didSave", uri).dump())),
            (std::vector<std::string>{uri + ": 'N' is not declared"}));
  fs::remove_all(folder);
}

TEST(Lsp, WhoAsksForDiagnosticsIsNotToldThemBesides) {
  Server server;
  server.answer(R"({"id":1,"method":"initialize","params":{"capabilities":{"textDocument":{"diagnostic":{}}}}})");
  EXPECT_TRUE(server.answer(opening("file:///nowhere/x.lts", "A = (a -> B\n").dump()).empty());
  Json asked = about("textDocument/diagnostic", "file:///nowhere/x.lts");
  asked["id"] = 2;
  EXPECT_FALSE(server.answer(asked.dump())[0]["result"]["items"].empty());
}

TEST(Lsp, WhatHasComeMeanwhileIsLookedAtFirst) {
  const std::string uri = "file:///nowhere/x.lts";
  Json question = about("textDocument/documentSymbol", uri), other = question;
  question["id"] = "first";
  other["id"] = 2;
  const Json taken_back{{"jsonrpc", "2.0"}, {"method", "$/cancelRequest"}, {"params", {{"id", "first"}}}};
  std::istringstream in(framed(opening(uri, "A = (a").dump()) + framed(change(uri, "A = (a ->").dump()) +
                        framed(question.dump()) + framed(taken_back.dump()) + framed(other.dump()) +
                        framed(change(uri, "A = (a -> A).\n").dump()));
  std::ostringstream out;
  serve(in, out, [&] { return in.rdbuf()->in_avail() > 0; });
  std::vector<Json> said;
  for (std::size_t at = 0; (at = out.str().find("\r\n\r\n", at)) != std::string::npos; ++at)
    said.push_back(Json::parse(out.str().substr(at + 4, out.str().find("Content-Length: ", at) - at - 4)));
  ASSERT_EQ(said.size(), 3U) << out.str();
  EXPECT_EQ(said[0]["error"]["code"], kCancelled);
  EXPECT_EQ(said[0]["id"], "first");
  EXPECT_EQ(said[1]["id"], 2);
  EXPECT_EQ(said[2]["params"]["diagnostics"], Json::array()) << "only of the last text";
}

TEST(Lsp, EndsInOrder) {
  std::istringstream in(framed(R"({"jsonrpc":"2.0","id":1,"method":"shutdown"})") +
                        framed(R"({"jsonrpc":"2.0","id":2,"method":"textDocument/hover"})") +
                        framed(R"({"jsonrpc":"2.0","method":"exit"})") + "not read any more");
  std::ostringstream out;
  EXPECT_EQ(serve(in, out), 0);
  EXPECT_NE(out.str().find("the server is shut down"), std::string::npos);
}

TEST(Lsp, AddressesAndPaths) {
  EXPECT_EQ(path_of("file:///a%20b/l%C3%A4mp.lts"), "/a b/lämp.lts");
  EXPECT_EQ(path_of("file:///50%25%"), "/50%%");
  EXPECT_EQ(path_of("untitled:x.lts"), "untitled:x.lts");
  EXPECT_EQ(path_of(uri_of("/a b/lämp+.lts")), "/a b/lämp+.lts");
}

}  // namespace
}  // namespace surety::lsp
