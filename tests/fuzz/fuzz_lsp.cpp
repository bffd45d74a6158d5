// Feeds lines to the language server, each as a message to a server that has files of three languages open. Whatever is
// asked is answered, once, and the server goes on.
#include <sstream>
#include <string>

#include "base/check.hpp"
#include "lsp/refused.hpp"
#include "lsp/server.hpp"

namespace surety {
namespace {

constexpr const char* kFsp =
    "const N = 2\nLAMP = (on[1..N] -> LIT), LIT = (off -> LAMP | flicker -> LIT).\n"
    "property ONCE = (on[1..N] -> off -> ONCE).\nproperty OUTSIDE = (off -> OUTSIDE).\n"
    "fluent SHINES = <on[1..N], off>\nassert DARK = []!SHINES\n||PAIR(M = 2) = ([i:1..M]:LAMP).\n"
    "||S = (LAMP || ONCE) << {off} \\ {flicker}.\n";
constexpr const char* kPromela =
    "byte x;\nchan c = [1] of { byte };\nactive proctype P() { byte y; do :: c!1; x = 1 :: x = 0; goto out od; out: "
    "skip }\n"
    "active proctype Q() { byte z; c?z; assert(z == x) }\nltl p { [] (x == 0) }\n";
constexpr const char* kAda =
    "procedure Main is\n   N : constant := 2;\n   task T is\n      entry E (X : Integer);\n   end T;\n"
    "   task body T is\n      Y : Integer range 0 .. N := 0;\n   begin\n      accept E (X : Integer) do\n"
    "         Y := X mod N;\n      end E;\n   end T;\nbegin\n   T.E (1);\nend Main;\n";

void open(lsp::Server& server, const char* uri, const char* text) {
  const Json message{
      {"jsonrpc", "2.0"},
      {"method", "textDocument/didOpen"},
      {"params", {{"textDocument", {{"uri", uri}, {"languageId", ""}, {"version", 1}, {"text", text}}}}}};
  check(server.answer(message.dump()).size() == 1, "the file has diagnostics, if only none");
}

void fuzz_lsp(const std::string& lines) {
  lsp::Server server;
  open(server, "file:///x.lts", kFsp);
  open(server, "file:///y.pml", kPromela);
  open(server, "file:///z.adb", kAda);
  std::istringstream in(lines);
  for (std::string line; std::getline(in, line) && !server.is_over();) {
    const auto replies = server.answer(line);
    std::size_t answers = 0;
    for (const Json& reply : replies) {
      answers += reply.contains("method") ? 0 : 1;  // what is told besides has one
      const Json error = reply.value("error", Json::object());
      check(error.value("code", 0) != lsp::kInternalError || error.value("message", "") == "out of memory",
            "an answer is no mistake of ours");
      check(!reply.dump(-1, ' ', false, Json::error_handler_t::replace).empty(), "an answer can be written");
    }
    check(answers <= 1, "a message has one answer at most");
  }
}

}  // namespace
}  // namespace surety

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  surety::fuzz_lsp(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
