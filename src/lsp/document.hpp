// One open file of an editor: its text, places in it as editors count them, and what its language says about it.
//
// Editors count lines from 0 and columns in UTF-16 units; our readers count lines from 1 and columns in bytes. All of
// that is converted here, from the text.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "load/places.hpp"
#include "lsp/drawing.hpp"
#include "lsp/refused.hpp"
#include "lsp/settings.hpp"
#include "lsp/symbols.hpp"
#include "walk/watch.hpp"

namespace surety::lsp {

// A walk through the model of a document, and what watches it: the properties first.
struct Walk {
  std::unique_ptr<api::Walker> walker;
  api::Watchers watchers;
};

using Texts = std::map<std::string, std::string>;  // by path

class Document {
 public:
  // `texts`: of all documents that are open.
  Document(std::string uri, std::string language, std::string text, const Settings& settings, Texts texts);

  const std::string& uri() const { return uri_; }
  const std::string& path() const { return path_; }
  const std::string& language() const { return language_; }
  const std::string& text() const { return text_; }
  api::Source source() const;  // that reads this text instead of the file
  // Is it made of that file, too (by the path of base/stand_in)? As long as it has not been worked out, it may be.
  bool reads(const std::string& path) const { return !analysed_ || asked_.contains(path); }
  bool includes() const;  // files, by way of cpp

  // Errors, or else the model and its warnings. Worked out when it is first asked for.
  const Diagnostics& diagnostics();
  const api::Model* model();  // null: there are errors, or reading it takes more than a question may
  bool is_too_much() {
    analyse();
    return stopped_;
  }
  const Symbols& symbols();
  const Symbol* find(std::string_view name);  // one that is known in the whole text
  bool is_ada() const;
  bool is_promela() const;

  // A walk through the model, which has no errors. `outside`: property processes that are no part of the system, and
  // are to watch. Positions as text are those that the walk has come to, or of a network all that there are; the empty
  // text is the beginning.
  Walk& walk(const std::vector<std::string>& outside = {});
  std::optional<api::Position> position(api::Walker& walker, const std::string& text);
  void remember(const api::Model& model, const std::vector<api::Choice>& choices);

  // The machine of that name, once it has been made.
  Drawings& drawings() { return drawings_; }
  // The model as components: a program is taken apart for that, if it comes apart.
  const api::Model& apart();
  const std::optional<Diagnostic>& not_apart();  // why it does not

  // The name at a place, and what it means there.
  std::string_view word_at(const Json& position) const;
  const Symbol* symbol_at(const Json& position);
  // Every place where the text means the same by it, comments aside: ranges.
  std::vector<Json> occurrences(const Json& position);
  std::vector<std::string> words() const;  // all names of the text

  Json range_of(const api::TextPlace& place) const;
  Json range_of(const Diagnostic& diagnostic) const {
    return range_of(api::TextPlace{diagnostic.file, diagnostic.line, diagnostic.column, diagnostic.length});
  }

  std::size_t offset_of(const Json& position) const;
  // Of a file that is a part of the model; of another one nothing.
  std::string text_of(const std::string& file);

 private:
  // A place whose column is known: those behind it on a long line need not be counted from its beginning.
  struct Column {
    std::size_t at = 0, units = 0;
  };
  Json position_of(std::size_t offset) const;
  Json position_of(std::size_t offset, Column& before) const;
  template <class Each>
  void each_word(Each each) const;
  void analyse();

  std::string uri_, path_, language_, text_;
  Settings settings_;
  Texts texts_;
  std::set<std::string> asked_;     // the files that it has read, or would have
  std::vector<std::size_t> lines_;  // where they begin
  bool analysed_ = false;
  bool stopped_ = false;  // a limit ended the reading, and the only diagnostic says which
  Diagnostics diagnostics_;
  std::optional<api::Model> model_;
  Symbols symbols_;
  std::optional<api::Model> apart_;
  std::optional<Diagnostic> not_apart_;
  std::map<std::vector<std::string>, Walk> walks_;         // by the properties outside
  std::map<std::string, api::Position> met_, met_before_;  // by their texts
  Drawings drawings_;
};

// "/a b.lts" of "file:///a%20b.lts"; another scheme stays as it is.
std::string path_of(std::string_view uri);
std::string uri_of(const std::string& path);

// The answer to a question that needs a model where there is none.
Refused without_model(Document& document);

// What one question may cost.
Limits question_limits();

}  // namespace surety::lsp
