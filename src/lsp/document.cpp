#include "lsp/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "base/stand_in.hpp"
#include "check/subject.hpp"
#include "lang/ada/network/network.hpp"
#include "lang/promela/promela.hpp"
#include "load/apart.hpp"
#include "lsp/refused.hpp"
#include "walk/moves.hpp"

namespace surety::lsp {
namespace {

// Those from its beginning to its end.
class AskedFiles {
 public:
  explicit AskedFiles(std::set<std::string>& files) : files_(files) { take_asked_files(); }
  ~AskedFiles() { files_ = take_asked_files(); }
  AskedFiles(const AskedFiles&) = delete;
  AskedFiles& operator=(const AskedFiles&) = delete;

 private:
  std::set<std::string>& files_;
};

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// How many bytes a character of UTF-8 has, by its first one, and how many units of UTF-16.
std::size_t bytes(char first) {
  const auto c = static_cast<unsigned char>(first);
  return c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}
std::size_t units(char first) { return bytes(first) == 4 ? 2 : 1; }

int hex(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

}  // namespace

std::string path_of(std::string_view uri) {
  constexpr std::string_view kFile = "file://";
  if (!uri.starts_with(kFile)) return std::string(uri);
  uri.remove_prefix(kFile.size());
  std::string out;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    const bool escape = uri[i] == '%' && i + 2 < uri.size() && hex(uri[i + 1]) >= 0 && hex(uri[i + 2]) >= 0;
    out += escape ? static_cast<char>(hex(uri[i + 1]) * 16 + hex(uri[i + 2])) : uri[i];
    if (escape) i += 2;
  }
  return out;
}

std::string uri_of(const std::string& path) {
  std::string out = "file://";
  for (const char c : path)
    out += is_name(c) || c == '/' || c == '.' || c == '-' || c == '~'
               ? std::string(1, c)
               : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return out;
}

Limits question_limits() {
  Limits out;
  out.time = std::chrono::seconds(2);
  out.memory = resident_bytes() + (512ULL << 20);
  return out;
}

Document::Document(std::string uri, std::string language, std::string text, const Settings& settings, Texts texts)
    : uri_(std::move(uri)),
      path_(path_of(uri_)),
      language_(std::move(language)),
      text_(std::move(text)),
      settings_(settings),
      texts_(std::move(texts)),
      lines_{0} {
  texts_[path_] = text_;
  for (std::size_t at = text_.find('\n'); at != std::string::npos; at = text_.find('\n', at + 1))
    lines_.push_back(at + 1);
}

api::Source Document::source() const {
  api::Source out;
  out.files = {path_};
  if (!api::is_model_file(path_)) out.language = language_;
  out.texts = texts_;
  out.system = settings_.system;
  out.defines = settings_.defines;
  out.other_defines = true;  // they are for every document
  out.cells = settings_.cells;
  return out;
}

Refused without_model(Document& document) {
  if (document.is_too_much()) return Refused(kRequestFailed, document.diagnostics()[0].message);
  return Refused(kInvalidParams, "the text has errors");
}

void Document::analyse() {
  if (std::exchange(analysed_, true)) return;
  const AskedFiles asked(asked_);
  Budget budget(question_limits());
  const bool is_fsp = api::is_fsp_file(path_, source().language);
  if (is_ada()) symbols_ = ada_symbols(text_, path_, budget);
  if (is_fsp) {
    ActionTable actions;
    FspLimits limits;
    limits.other_defines = true;
    if (const auto file = read_fsp(text_, path_, actions, settings_.defines, limits, nullptr, &budget))
      symbols_ = symbols_of(*file);
  }
  auto model = api::load(source(), budget);
  if (!model) {
    diagnostics_ = std::move(model.error().diagnostics);
    stopped_ = model.error().status == api::Failure::kStopped;
    return;
  }
  if (model->promela) symbols_ = symbols_of(*model->promela);
  auto subjects = api::all_subjects(*model);
  if (!subjects) {
    diagnostics_ = std::move(subjects.error().diagnostics);
    return;
  }
  if (model->fsp)
    for (const std::string& name : model->fsp->assertions())
      if (auto assertion = model->fsp->assertion(name); !assertion)
        std::ranges::move(assertion.error(), std::back_inserter(diagnostics_));
  if (diagnostics_.empty()) api::warn_of_missing_actions(*model, *subjects);
  std::ranges::copy(model->warnings, std::back_inserter(diagnostics_));
  model_ = std::move(*model);
}

const Diagnostics& Document::diagnostics() {
  analyse();
  return diagnostics_;
}
const api::Model* Document::model() {
  analyse();
  return model_ ? &*model_ : nullptr;
}
const Symbols& Document::symbols() {
  analyse();
  return symbols_;
}
const Symbol* Document::find(std::string_view name) {
  const auto is_it = [&](const Symbol& s) {
    return (!s.scope || is_ada()) && s.outlined && is_same_word(s.name, name, is_ada());
  };
  const auto it = std::ranges::find_if(symbols(), is_it);
  return it == symbols_.end() ? nullptr : &*it;
}

std::string Document::text_of(const std::string& file) {
  if (model() == nullptr) return {};
  if (model_->promela)
    for (const auto& one : model_->promela->source->files)
      if (one.name == file) return one.text;
  if (model_->ada)
    for (const auto& one : model_->ada->source->files)
      if (one.name == file) return one.text;
  return {};
}

bool Document::is_promela() const {
  return path_.ends_with(".pml") || path_.ends_with(".prom") || source().language == "promela";
}

bool Document::includes() const { return is_promela() && text_.find("include") != std::string::npos; }

bool Document::is_ada() const { return api::is_ada_file(path_, source().language); }

// --- Walks.

Walk& Document::walk(const std::vector<std::string>& outside) {
  constexpr std::size_t kMost = 20;
  if (model() == nullptr) throw without_model(*this);
  if (const auto known = walks_.find(outside); known != walks_.end()) return known->second;
  if (walks_.size() >= kMost) walks_.clear();
  api::Model model = *model_;
  Budget budget(question_limits());
  if (auto added = api::add_outside_properties(model, outside, &budget); !added)
    throw Refused(kRequestFailed, added.error().diagnostics[0].message);
  auto walker = api::make_walker(std::move(model));
  if (!walker) throw Refused(kInvalidParams, walker.error().diagnostics[0].message);
  Walk made{std::move(*walker), {}};
  auto watchers = made.walker->watchers({});
  if (!watchers) watchers = made.walker->watchers(std::vector<std::string>());  // an assertion has errors
  if (watchers) made.watchers = std::move(*watchers);
  return walks_.emplace(outside, std::move(made)).first->second;
}

std::optional<api::Position> Document::position(api::Walker& walker, const std::string& text) {
  if (text.empty()) return walker.start().target;
  if (const auto it = met_.find(text); it != met_.end()) return it->second;
  if (const auto it = met_before_.find(text); it != met_before_.end())
    return met_.emplace(text, it->second).first->second;
  return api::network_position(walker.model(), text);
}

void Document::remember(const api::Model& model, const std::vector<api::Choice>& choices) {
  constexpr std::size_t kMost = 50'000;
  if (!model.promela) return;
  for (const api::Choice& choice : choices) {
    if (choice.target.empty()) continue;
    if (met_.size() >= kMost) met_before_ = std::exchange(met_, {});
    met_.emplace(api::position_text(model, choice.target), choice.target);
  }
}

const api::Model& Document::apart() {
  if (model() == nullptr) throw without_model(*this);
  if (!model_->promela) return *model_;
  if (apart_) return *apart_;
  apart_ = *model_;
  Limits limits = question_limits();
  limits.time = std::chrono::milliseconds(1500);
  Budget budget(limits);
  not_apart_ = api::take_apart(*apart_, budget, std::vector<std::string>());
  return *apart_;
}

const std::optional<Diagnostic>& Document::not_apart() {
  apart();
  return not_apart_;
}

// --- Names in the text.

template <class Each>
void Document::each_word(Each each) const {
  const bool ada = is_ada();
  std::size_t line_end = 0;
  for (std::size_t i = 0; i < text_.size();) {
    const std::string_view rest = std::string_view(text_).substr(i);
    if (i >= line_end) line_end = std::min(text_.find('\n', i), text_.size());
    if (rest.starts_with(ada ? "--" : "//")) {
      i = line_end;
    } else if (!ada && rest.starts_with("/*")) {
      const auto end = text_.find("*/", i + 2);
      i = end == std::string::npos ? text_.size() : end + 2;
    } else if (text_[i] == '"' && text_.find('"', i + 1) < line_end) {
      i = text_.find('"', i + 1) + 1;
    } else if (is_name(text_[i])) {
      std::size_t end = i;
      while (end < text_.size() && is_name(text_[end])) ++end;
      each(i, rest.substr(0, end - i));
      i = end;
    } else {
      ++i;
    }
  }
}

std::string_view Document::word_at(const Json& position) const {
  const std::size_t at = offset_of(position);
  std::string_view found;
  each_word([&](std::size_t begin, std::string_view word) {
    if (begin <= at && at <= begin + word.size()) found = word;
  });
  return found;
}

const Symbol* Document::symbol_at(const Json& position) {
  const std::string_view word = word_at(position);
  if (word.empty()) return nullptr;
  const auto at = static_cast<std::size_t>(word.data() - text_.data());
  return meant(symbols(), word, at, is_ada());
}

std::vector<Json> Document::occurrences(const Json& position) {
  std::vector<Json> out;
  const std::string_view name = word_at(position);
  if (name.empty()) return out;
  const bool ada = is_ada();
  Symbols named;
  std::ranges::copy_if(symbols(), std::back_inserter(named),
                       [&](const Symbol& s) { return is_same_word(s.name, name, ada); });
  const auto at = static_cast<std::size_t>(name.data() - text_.data());
  const Symbol* const symbol = meant(named, name, at, ada);
  Column begins, ends;
  each_word([&](std::size_t begin, std::string_view word) {
    if (!is_same_word(word, name, ada)) return;
    if (symbol != nullptr && meant(named, word, begin, ada) != symbol) return;
    out.push_back({{"start", position_of(begin, begins)}, {"end", position_of(begin + word.size(), ends)}});
  });
  return out;
}

std::vector<std::string> Document::words() const {
  std::set<std::string> out;
  each_word([&](std::size_t /*begin*/, std::string_view word) {
    if (std::isdigit(static_cast<unsigned char>(word[0])) == 0) out.emplace(word);
  });
  return {out.begin(), out.end()};
}

// --- Places.

std::size_t Document::offset_of(const Json& position) const {
  const auto line = position.at("line").get<std::size_t>();
  auto column = position.at("character").get<std::size_t>();
  if (line >= lines_.size()) return text_.size();
  std::size_t at = lines_[line];
  while (column > 0 && at < text_.size() && text_[at] != '\n') {
    column -= std::min(column, units(text_[at]));
    at = std::min(at + bytes(text_[at]), text_.size());
  }
  return at;
}

Json Document::position_of(std::size_t offset) const {
  Column none;
  return position_of(offset, none);
}

Json Document::position_of(std::size_t offset, Column& before) const {
  offset = std::min(offset, text_.size());
  const auto line = static_cast<std::size_t>(std::ranges::upper_bound(lines_, offset) - lines_.begin()) - 1;
  if (before.at < lines_[line] || before.at > offset) before = {lines_[line], 0};
  for (; before.at < offset; before.at += bytes(text_[before.at])) before.units += units(text_[before.at]);
  return {{"line", line}, {"character", before.units}};
}

Json Document::range_of(const api::TextPlace& place) const {
  if (place.line == 0 || place.line > lines_.size()) return {{"start", position_of(0)}, {"end", position_of(0)}};
  const std::size_t begin = lines_[place.line - 1] + (place.column > 0 ? place.column - 1 : 0);
  return {{"start", position_of(begin)}, {"end", position_of(begin + place.length)}};
}

}  // namespace surety::lsp
