#include "lsp/server.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <functional>
#include <set>

#include "api/json.hpp"
#include "base/replacement.hpp"
#include "base/stand_in.hpp"
#include "lang/ada/keywords.hpp"
#include "lang/ada/network/network.hpp"
#include "lang/ada/no_main.hpp"
#include "lang/fsp/front/keywords.hpp"
#include "lang/promela/keywords.hpp"
#include "lsp/inbox.hpp"
#include "lsp/questions.hpp"
#include "lsp/refused.hpp"

namespace surety::lsp {
namespace {

Json error(const Json& id, int code, const std::string& message) {
  return {{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", message}}}};
}

int severity_of(Severity severity) { return severity == Severity::error ? 1 : severity == Severity::warning ? 2 : 3; }

int symbol_kind(Symbol::Kind kind) {
  switch (kind) {
    case Symbol::Kind::constant: return 14;
    case Symbol::Kind::range:
    case Symbol::Kind::set:
    case Symbol::Kind::menu: return 18;
    case Symbol::Kind::process: return 5;
    case Symbol::Kind::composite: return 2;
    case Symbol::Kind::property:
    case Symbol::Kind::assertion:
    case Symbol::Kind::progress: return 7;
    case Symbol::Kind::fluent:
    case Symbol::Kind::variable: return 13;
    case Symbol::Kind::local_process: return 6;
    case Symbol::Kind::type: return 23;
    case Symbol::Kind::element: return 22;
    case Symbol::Kind::subprogram: return 12;
    case Symbol::Kind::package: return 4;
    case Symbol::Kind::object: return 19;
    case Symbol::Kind::entry: return 6;
    case Symbol::Kind::exception: return 24;
    case Symbol::Kind::label: return 20;
  }
  return 13;
}

std::vector<std::string_view> keywords(const Document& document) {
  if (document.is_ada()) return ada::keywords();
  if (api::is_fsp_file(document.path(), document.source().language)) return fsp::keywords();
  return document.is_promela() ? promela::keywords() : std::vector<std::string_view>();
}

Json capabilities() {
  return {{"positionEncoding", "utf-16"},
          {"textDocumentSync", {{"openClose", true}, {"change", 1}, {"save", true}}},
          {"diagnosticProvider", {{"interFileDependencies", true}, {"workspaceDiagnostics", false}}},
          {"hoverProvider", true},
          {"definitionProvider", true},
          {"referencesProvider", true},
          {"documentSymbolProvider", true},
          {"completionProvider", Json::object()},
          {"codeActionProvider", {{"codeActionKinds", {"quickfix"}}}},
          {"codeLensProvider", Json::object()}};
}

}  // namespace

// --- Messages.

std::vector<Json> Server::answer(const std::string& message, Inbox* inbox) {
  if (const char* const why = too_much_of(message)) return {error(nullptr, kInvalidRequest, why)};
  const Json json = Json::parse(message, nullptr, false);
  if (json.is_discarded()) return {error(nullptr, kParseError, "this is no JSON")};
  if (!json.is_object() || !json.contains("method") || !json["method"].is_string()) {
    if (json.is_object() && (json.contains("result") || json.contains("error"))) return {};  // a reply: we ask nothing
    return {error(nullptr, kInvalidRequest, "this is no request")};
  }
  const std::string method = json["method"];
  const Json parameters = json.value("params", Json::object());
  const bool is_request = json.contains("id");
  const Json id = is_request ? json["id"] : Json();
  if (is_request && inbox != nullptr && inbox->is_taken_back()) return {error(id, kCancelled, "it was taken back")};
  changes_again_ = !is_request && inbox != nullptr && inbox->changes_again();
  std::vector<Json> out;
  try {
    if (is_request) {
      out.push_back({{"jsonrpc", "2.0"}, {"id", id}, {"result", ask(method, parameters)}});
      if (method == "surety/configure")
        for (auto& [uri, changed] : documents_) publish(changed, out);
    } else {
      tell(method, parameters, out);
    }
  } catch (const Refused& refused) {
    if (is_request) out = {error(id, refused.code, refused.what())};
  } catch (const nlohmann::json::exception& wrong) {
    if (is_request) out = {error(id, kInvalidParams, wrong.what())};
  } catch (const std::bad_alloc&) {
    if (is_request) out = {error(id, kInternalError, "out of memory")};
  } catch (const std::exception& mistake) {
    if (is_request) out = {error(id, kInternalError, fmt::format("internal error: {}", mistake.what()))};
  }
  return out;
}

Document& Server::document(const Json& parameters) {
  const auto it = documents_.find(parameters.at("textDocument").at("uri").get<std::string>());
  if (it == documents_.end()) throw Refused(kInvalidParams, "the document is not open");
  return it->second;
}

void Server::tell(const std::string& method, const Json& parameters, std::vector<Json>& out) {
  if (method == "exit") over_ = true;
  if (!method.starts_with("textDocument/did")) return;
  const Json& about = parameters.at("textDocument");
  const std::string uri = about.at("uri");
  const auto known = documents_.find(uri);
  if (method == "textDocument/didOpen") {
    put(uri, about.value("languageId", ""), about.at("text"), out);
  } else if (known == documents_.end()) {
    return;
  } else if (method == "textDocument/didChange") {
    const Json& changes = parameters.at("contentChanges");
    put(uri, known->second.language(), changes.at(changes.size() - 1).at("text"), out);  // each is a whole text
  } else if (method == "textDocument/didSave") {
    put(uri, known->second.language(), known->second.text(), out);  // other files that it reads may have changed
    read_again(documents_.at(uri), true, out);
  } else if (method == "textDocument/didClose") {
    const Document closed = std::move(known->second);
    documents_.erase(known);
    texts_.erase(closed.path());
    if (!pulls_) out.push_back(publication(uri, Json::array()));  // what is not open is nobody's matter
    read_again(closed, false, out);
  }
}

void Server::put(const std::string& uri, std::string language, std::string text, std::vector<Json>& out) {
  documents_.erase(uri);
  texts_[path_of(uri)] = text;
  Document& document =
      documents_.emplace(uri, Document(uri, std::move(language), std::move(text), settings_, texts_)).first->second;
  if (changes_again_) return;
  publish(document, out);
  read_again(document, false, out);
}

// The other documents that read this one. Whether they do so by way of cpp is known only to itself, and it reads what
// is saved.
void Server::read_again(const Document& changed, bool saved, std::vector<Json>& out) {
  const std::string path = one_path(changed.path());
  for (auto& [uri, other] : documents_) {
    if (uri == changed.uri() || !(saved ? other.includes() : other.reads(path))) continue;
    other = Document(uri, other.language(), other.text(), settings_, texts_);
    publish(other, out);
  }
}

Json Server::publication(const std::string& uri, const Json& diagnostics) {
  return {{"jsonrpc", "2.0"},
          {"method", "textDocument/publishDiagnostics"},
          {"params", {{"uri", uri}, {"diagnostics", diagnostics}}}};
}

void Server::publish(Document& document, std::vector<Json>& out) const {
  if (!pulls_) out.push_back(publication(document.uri(), diagnostics(document)));
}

Json Server::configure(const Json& parameters) {
  read_settings(parameters, settings_);
  for (auto& [uri, document] : documents_)
    document = Document(uri, document.language(), document.text(), settings_, texts_);
  return to_json(settings_);
}

Json Server::ask(const std::string& method, const Json& parameters) {
  static const std::map<std::string, Json (Server::*)(const Json&)> kQuestions = {
      {"textDocument/hover", &Server::hover},           {"textDocument/definition", &Server::definition},
      {"textDocument/references", &Server::references}, {"textDocument/documentSymbol", &Server::symbols},
      {"textDocument/completion", &Server::completion}, {"textDocument/codeAction", &Server::actions},
      {"textDocument/codeLens", &Server::lenses}};
  if (method == "initialize") {
    if (parameters.is_object()) read_settings(parameters.value("initializationOptions", Json()), settings_);
    const Json::json_pointer pull("/capabilities/textDocument/diagnostic");
    pulls_ = parameters.is_object() && parameters.contains(pull) && parameters[pull].is_object();
    return {{"capabilities", capabilities()},
            {"serverInfo", {{"name", "surety"}, {"version", api::tool_name().substr(7)}}}};
  }
  if (method == "shutdown") {
    shut_down_ = true;
    return nullptr;
  }
  if (shut_down_) throw Refused(kInvalidRequest, "the server is shut down");
  if (const auto question = kQuestions.find(method); question != kQuestions.end())
    return (this->*question->second)(parameters);
  if (method == "textDocument/diagnostic") return {{"kind", "full"}, {"items", diagnostics(document(parameters))}};
  if (method == "surety/configure") return configure(parameters);
  if (method.starts_with("surety/")) return ask_of_model(method.substr(7), document(parameters), parameters);
  throw Refused(kUnknownMethod, fmt::format("there is no method '{}'", method));
}

// --- What editors ask.

Json Server::diagnostics(Document& document) const {
  Json out = Json::array();
  for (const Diagnostic& d : document.diagnostics()) {
    const bool here = d.file.empty() || d.file == document.path();
    std::string message = here ? d.message : fmt::format("{}:{}: {}", d.file, d.line, d.message);
    if (!d.hint.empty()) message += "\n" + d.hint;
    Json& entry = out.emplace_back(Json{{"range", document.range_of(here ? d : Diagnostic{})},
                                        {"severity", severity_of(d.severity)},
                                        {"source", "surety"},
                                        {"message", utf8(message)}});
    const bool no_main = document.is_ada() && d.message == ada::kNoMain;
    if (document.is_too_much() || no_main) {  // the text may well be right
      entry["severity"] = severity_of(Severity::note);
      entry["code"] = no_main ? "no-main" : "too-much";
    }
    if (const std::string meant = here ? replacement_of(d) : ""; !meant.empty())
      entry["data"] = {{"replacement", meant}};
  }
  return out;
}

// How large the machines are that a process or a task becomes.
std::string sizes_of(const api::Model& model, const Symbol& symbol) {
  const auto size = [](const Lts& lts) {
    return fmt::format("{} states, {} transitions, {} actions", lts.state_count() - (lts.error() ? 1 : 0),
                       lts.transition_count(), lts.alphabet().size());
  };
  if (model.fsp && (symbol.kind == Symbol::Kind::process || symbol.kind == Symbol::Kind::property)) {
    Budget budget(question_limits());
    const auto process = model.fsp->process(symbol.name, &budget);
    return process ? "\n" + size(process->lts) : "";
  }
  std::string out;
  if (!model.ada_network) return out;
  const auto& flow = model.ada->flow;
  for (const auto& task : model.ada_network->tasks) {
    const auto its = std::ranges::find(flow.tasks, task.name, &flow::Task::name);
    const std::string name = task.name.substr(0, task.name.find('('));
    const bool is_one = is_same_word(name, symbol.name, true) ||
                        (its != flow.tasks.end() && is_same_word(its->type, symbol.name, true));
    if (symbol.kind == Symbol::Kind::process && is_one)
      out += fmt::format("\n{}: {}", task.name, size(model.network.components[task.component].lts));
  }
  return out;
}

Json Server::hover(const Json& parameters) {
  Document& here = document(parameters);
  const Symbol* symbol = here.symbol_at(parameters.at("position"));
  if (symbol == nullptr) return nullptr;
  std::string text = symbol->about;
  if (const api::Model* model = here.model(); model != nullptr) text += sizes_of(*model, *symbol);
  return {{"contents", {{"kind", "plaintext"}, {"value", utf8(text)}}}};
}

Json Server::definition(const Json& parameters) {
  Document& here = document(parameters);
  const Symbol* symbol = here.symbol_at(parameters.at("position"));
  if (symbol == nullptr) return nullptr;
  const api::TextPlace place = symbol->place;
  if (place.file == here.path()) return {{"uri", here.uri()}, {"range", here.range_of(place)}};
  const std::string uri = uri_of(place.file);
  if (const auto open = documents_.find(uri); open != documents_.end())
    return {{"uri", uri}, {"range", open->second.range_of(place)}};
  const Document there(uri, "", here.text_of(place.file), settings_, {});  // an included file, which is not open here
  return {{"uri", uri}, {"range", there.range_of(place)}};
}

Json Server::references(const Json& parameters) {
  Document& here = document(parameters);
  Json out = Json::array();
  for (const Json& range : here.occurrences(parameters.at("position")))
    out.push_back({{"uri", here.uri()}, {"range", range}});
  return out;
}

Json Server::symbols(const Json& parameters) {
  Document& here = document(parameters);
  const Symbols& all = here.symbols();
  std::vector<std::vector<std::size_t>> children(all.size());
  std::vector<std::size_t> top;
  const auto is_shown = [&](std::size_t i) { return all[i].outlined && all[i].place.file == here.path(); };
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_shown(i)) continue;
    const bool below = all[i].inside && is_shown(*all[i].inside);
    (below ? children[*all[i].inside] : top).push_back(i);
  }
  const std::function<Json(const std::vector<std::size_t>&)> list = [&](const std::vector<std::size_t>& some) {
    Json out = Json::array();
    for (const std::size_t i : some) {
      const Json range = here.range_of(all[i].place);
      Json& entry = out.emplace_back(Json{{"name", utf8(all[i].name)},
                                          {"detail", utf8(all[i].about)},
                                          {"kind", symbol_kind(all[i].kind)},
                                          {"range", range},
                                          {"selectionRange", range}});
      if (!children[i].empty()) entry["children"] = list(children[i]);
    }
    return out;
  };
  return list(top);
}

Json Server::completion(const Json& parameters) {
  Document& here = document(parameters);
  const std::size_t at = parameters.contains("position") ? here.offset_of(parameters["position"]) : 0;
  Json out = Json::array();
  std::set<std::string> offered;
  for (const Symbol& symbol : here.symbols())
    if ((!symbol.scope || symbol.scope->has(at)) && offered.insert(symbol.name).second)
      out.push_back({{"label", utf8(symbol.name)}, {"detail", utf8(symbol.about)}, {"kind", 6}});
  for (const std::string& word : here.words())
    if (offered.insert(word).second) out.push_back({{"label", word}, {"kind", 1}});
  for (const std::string_view word : keywords(here))
    if (offered.emplace(word).second) out.push_back({{"label", word}, {"kind", 14}});
  return out;
}

// Of our own diagnostics, by their place: not every editor sends back all that it was told of them.
Json Server::actions(const Json& parameters) {
  Document& here = document(parameters);
  const auto position = [](const Json& p) { return std::pair<int, int>(p.at("line"), p.at("character")); };
  const Json& asked = parameters.at("range");
  Json out = Json::array();
  for (const Json& diagnostic : diagnostics(here)) {
    const Json& range = diagnostic["range"];
    if (!diagnostic.contains("data") || position(range["end"]) < position(asked.at("start")) ||
        position(asked.at("end")) < position(range["start"]))
      continue;
    const std::string replacement = diagnostic["data"]["replacement"];
    const Json edit{{"range", range}, {"newText", replacement}};
    out.push_back({{"title", fmt::format("replace by '{}'", replacement)},
                   {"kind", "quickfix"},
                   {"diagnostics", {diagnostic}},
                   {"edit", {{"changes", {{here.uri(), {edit}}}}}}});
  }
  return out;
}

Json Server::lenses(const Json& parameters) {
  Document& here = document(parameters);
  Json out = Json::array();
  const auto wants = [&](const char* word) {
    return std::ranges::find(settings_.lenses, word) != settings_.lenses.end();
  };
  const auto add = [&](const char* word, const std::string& name, const api::TextPlace& place) {
    if (!wants(word) || place.file != here.path() || place.line == 0) return;
    out.push_back({{"range", here.range_of(place)},
                   {"command",
                    {{"title", fmt::format("{} {}", word, utf8(name))},
                     {"command", fmt::format("surety.{}", word)},
                     {"arguments", {here.uri(), utf8(name)}}}}});
  };
  const api::Model* model = here.model();
  if (model == nullptr) return out;
  const auto subjects = api::all_subjects(*model);
  for (const api::Subject& subject : subjects.value_or(api::Subjects{}))
    if (const auto place = api::place_of(*model, subject.kind, subject.name)) add("check", subject.name, *place);
  for (const Symbol& symbol : here.symbols()) {
    const bool composite = symbol.kind == Symbol::Kind::composite;
    if (composite || symbol.kind == Symbol::Kind::property) add("draw", symbol.name, symbol.place);
    if (composite) add("animate", symbol.name, symbol.place);
  }
  return out;
}

// --- The loop.

namespace {

void write_message(std::ostream& out, const Json& message) {
  const std::string text = message.dump(-1, ' ', false, Json::error_handler_t::replace);
  out << "Content-Length: " << text.size() << "\r\n\r\n" << text << std::flush;
}

}  // namespace

int serve(std::istream& in, std::ostream& out, const std::function<bool()>& is_there) {
  Server server;
  Inbox inbox(in, is_there);
  while (!server.is_over()) {
    const auto message = inbox.next();
    if (!message) break;
    if (!message->wrong.empty())
      write_message(out, error(nullptr, kInvalidRequest, message->wrong));
    else
      for (const Json& reply : server.answer(message->text, &inbox)) write_message(out, reply);
    if (!out) return 1;
  }
  return server.was_shut_down() ? 0 : 1;
}

}  // namespace surety::lsp
