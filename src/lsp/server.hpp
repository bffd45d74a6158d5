// The language server: answers an editor about the files that it has open (doc/manual.md#lsp).
//
// JSON-RPC 2.0 with the framing of the Language Server Protocol, one question after the other. A question has two
// seconds and 512 MiB. A message that makes no sense is answered by an error; nothing that is sent ends the server but
// `exit` and the end of the input.
#pragma once

#include <functional>
#include <istream>
#include <map>
#include <ostream>
#include <string>

#include "lsp/document.hpp"
#include "lsp/inbox.hpp"

namespace surety::lsp {

class Server {
 public:
  // The reply to one message, and what is to be told besides; nothing if it asks for nothing. `inbox`: where it comes
  // from, if more may have come.
  std::vector<Json> answer(const std::string& message, Inbox* inbox = nullptr);
  bool is_over() const { return over_; }
  bool was_shut_down() const { return shut_down_; }

 private:
  Json ask(const std::string& method, const Json& parameters);  // the result of a request
  void tell(const std::string& method, const Json& parameters, std::vector<Json>& out);
  void put(const std::string& uri, std::string language, std::string text, std::vector<Json>& out);
  void read_again(const Document& changed, bool saved, std::vector<Json>& out);
  Document& document(const Json& parameters);
  Json diagnostics(Document& document) const;
  static Json publication(const std::string& uri, const Json& diagnostics);
  void publish(Document& document, std::vector<Json>& out) const;
  Json configure(const Json& parameters);

  Json hover(const Json& parameters);
  Json definition(const Json& parameters);
  Json references(const Json& parameters);
  Json symbols(const Json& parameters);
  Json completion(const Json& parameters);
  Json actions(const Json& parameters);
  Json lenses(const Json& parameters);

  Settings settings_;
  std::map<std::string, Document> documents_;  // by address
  Texts texts_;                                // theirs
  bool pulls_ = false;                         // the client asks for diagnostics, and is not told them
  bool changes_again_ = false;                 // the text that this message gives
  bool shut_down_ = false, over_ = false;
};

// Until the input ends or `exit` comes: the exit status.
// `is_there`: whether more can be read without waiting.
int serve(
    std::istream& in, std::ostream& out, const std::function<bool()>& is_there = [] { return false; });

}  // namespace surety::lsp
