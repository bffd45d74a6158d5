// A page, or any client, that has one document open.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "lsp/server.hpp"

namespace surety::lsp {

class Page {
 public:
  explicit Page(const std::string& text, const std::string& path = "/models/m.lts", const Json& options = nullptr)
      : uri_("file://" + path) {
    send({{"id", 0}, {"method", "initialize"}, {"params", {{"initializationOptions", options}}}});
    const auto said = send({{"method", "textDocument/didOpen"},
                            {"params", {{"textDocument", {{"uri", uri_}, {"languageId", ""}, {"text", text}}}}}});
    diagnostics = said.at("params").at("diagnostics");
  }

  // Of the document: "surety/moves", "textDocument/hover". The result, or the error.
  Json ask(const std::string& question, Json parameters = Json::object()) {
    parameters["textDocument"] = {{"uri", uri_}};
    return ask_server(question.find('/') == std::string::npos ? "surety/" + question : question, parameters);
  }
  Json at(const std::string& question, int line, int character) {
    return ask("textDocument/" + question, {{"position", {{"line", line}, {"character", character}}}});
  }
  Json ask_server(const std::string& method, Json parameters) {
    const Json reply = send({{"id", 1}, {"method", method}, {"params", std::move(parameters)}});
    return reply.contains("error") ? reply["error"] : reply["result"];
  }

  const std::string& uri() const { return uri_; }
  Json diagnostics;

 private:
  Json send(const Json& message) { return server_.answer(message.dump()).at(0); }

  Server server_;
  std::string uri_;
};

// The member of that name of each.
inline std::vector<std::string> names(const Json& list, const char* member) {
  std::vector<std::string> out;
  for (const Json& entry : list) out.push_back(entry.at(member));
  return out;
}

}  // namespace surety::lsp
