// What an Ada text defines. Only its grammar is needed for that: a declaration is in force from where it stands to the
// end of the body around it; what stands in a specification is asked for by selected names, wherever its unit is known.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "lang/ada/parser.hpp"
#include "lsp/symbols.hpp"

namespace surety::lsp {
namespace {

using ada::Declaration;
using ada::Statement;
using Kind = Symbol::Kind;

class AdaSymbols {
 public:
  AdaSymbols(const ada::Source& source, std::string_view text) : source_(source), text_(text) {}

  Symbols list(const std::vector<ada::Unit>& units) && {
    for (const ada::Unit& unit : units) declare(unit.declaration, text_.size());
    return std::move(out_);
  }

 private:
  // ---- names

  // From a place on, the name as the text has it: trees have names in lower case, and one place for several names.
  text::Place place_of(const std::string& name, text::Place from) const {
    constexpr std::size_t kFar = 2'000;
    const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    for (std::size_t at = from.offset; at < std::min(text_.size(), from.offset + kFar);) {
      std::size_t end = at;
      while (end < text_.size() && is_part(text_[end])) ++end;
      if (end > at && is_same_word(text_.substr(at, end - at), name, true)) return {at, end - at};
      at = std::max(end, at + 1);
    }
    return from;
  }

  std::string line_at(std::size_t offset) const {
    constexpr std::size_t kLongest = 80;
    const std::size_t before = text_.rfind('\n', offset);
    std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
    while (begin < text_.size() && (text_[begin] == ' ' || text_[begin] == '\t')) ++begin;
    std::size_t end = std::min(text_.find('\n', begin), text_.size());
    while (end > begin && (text_[end - 1] == '\r' || text_[end - 1] == ' ')) --end;
    std::string out(text_.substr(begin, end - begin));
    return out.size() > kLongest ? out.substr(0, kLongest) + " ..." : out;
  }

  void add(const std::string& name, Kind kind, text::Place from, std::size_t end, bool outlined) {
    if (name.empty()) return;
    const text::Place place = place_of(name, from);
    Diagnostic d = source_.error(place, {});
    Symbol& symbol = out_.emplace_back();
    symbol.name = std::string(text_.substr(place.offset, place.length));
    symbol.kind = kind;
    symbol.about = line_at(place.offset);
    symbol.place = {std::move(d.file), d.line, d.column, d.length};
    symbol.scope = Symbol::Scope{place.offset, end};
    symbol.inside = inside_;
    symbol.outlined = outlined;
  }

  // What is declared while this lives stands inside of the last symbol.
  class Inside {
   public:
    explicit Inside(AdaSymbols& all) : all_(all), before_(all.inside_) {
      if (!all.out_.empty()) all.inside_ = all.out_.size() - 1;
    }
    ~Inside() { all_.inside_ = before_; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    AdaSymbols& all_;
    std::optional<std::size_t> before_;
  };

  // ---- declarations

  static Kind kind_of(const Declaration& d) {
    using K = Declaration::Kind;
    switch (d.kind) {
      case K::number: return Kind::constant;
      case K::object:
      case K::formal_object: return d.constant ? Kind::constant : Kind::variable;
      case K::type:
      case K::subtype:
      case K::formal_type: return Kind::type;
      case K::exception: return Kind::exception;
      case K::package:
      case K::package_body: return Kind::package;
      case K::task:
      case K::task_body: return Kind::process;
      case K::protected_unit:
      case K::protected_body: return Kind::object;
      case K::entry:
      case K::entry_body: return Kind::entry;
      default: return Kind::subprogram;
    }
  }

  // `end`: of the region in which it is known.
  void declare(const Declaration& d, std::size_t end) {
    using K = Declaration::Kind;
    if (d.kind == K::use || d.kind == K::pragma || d.kind == K::ignored) return;
    if (d.kind == K::generic) {
      for (const Declaration& formal : d.formals) declare(formal, end);
      for (const Declaration& unit : d.visible) declare(unit, end);
      return;
    }
    const bool outlined = !in_body_ || kind_of(d) == Kind::process || kind_of(d) == Kind::object ||
                          kind_of(d) == Kind::subprogram || kind_of(d) == Kind::entry;
    const bool many =
        d.kind == K::object || d.kind == K::number || d.kind == K::exception || d.kind == K::formal_object;
    if (many && !d.names.empty())
      for (const std::string& name : d.names) add(name, kind_of(d), d.place, end, outlined);
    else
      add(last_part(d.name), kind_of(d), d.place, end, outlined);
    const Inside inside(*this);
    if (d.type) declare_type(*d.type, end);
    for (const ada::Parameter& p : d.discriminants) parameters({p}, end);
    const std::size_t own = d.body ? d.body->end.offset : end;
    if (d.profile) parameters(d.profile->parameters, d.body ? own : end_of_line(d.place.offset));
    if (d.profile && !d.profile->family_variable.empty())
      add(d.profile->family_variable, Kind::variable, d.place, own, false);
    for (const auto* list : {&d.visible, &d.hidden})
      for (const Declaration& inner : *list) declare(inner, end);
    if (d.body) body(*d.body);
  }

  static std::string last_part(const std::string& name) { return name.substr(name.rfind('.') + 1); }

  std::size_t end_of_line(std::size_t at) const { return std::min(text_.find('\n', at), text_.size()); }

  void declare_type(const ada::TypeDefinition& type, std::size_t end) {
    for (const auto& literal : type.literals) add(literal.name, Kind::element, literal.place, end, false);
    for (const Declaration& component : type.components)
      for (const std::string& name : component.names) add(name, Kind::variable, component.place, end, false);
  }

  void parameters(const std::vector<ada::Parameter>& list, std::size_t end) {
    for (const ada::Parameter& p : list)
      for (const std::string& name : p.names) add(name, Kind::variable, p.place, end, false);
  }

  // ---- statements

  void body(const ada::Body& body) {
    const bool before = std::exchange(in_body_, true);
    for (const Declaration& d : body.declarations) declare(d, body.end.offset);
    for (const Statement& s : body.statements) statement(s, body.end.offset);
    for (const ada::Handler& h : body.handlers) {
      if (!h.occurrence.empty()) add(h.occurrence, Kind::variable, h.place, body.end.offset, false);
      for (const Statement& s : h.statements) statement(s, body.end.offset);
    }
    in_body_ = before;
  }

  void statement(const Statement& s, std::size_t end) {
    for (const std::string& label : s.labels) add(label, Kind::label, back_to(label, s.place), end, false);
    const std::size_t own = s.end.offset > s.place.offset ? s.end.offset : end;
    if (s.kind == Statement::Kind::loop && !s.variable.empty()) add(s.variable, Kind::variable, s.place, own, false);
    for (const auto& branch : s.branches)
      for (const Statement& inner : branch.statements) statement(inner, end);
    for (const Statement& inner : s.statements) statement(inner, own);
    for (const Declaration& d : s.declarations) declare(d, own);
    if (s.body) body(*s.body);
    if (s.accept) {
      parameters(s.accept->parameters, s.accept->has_body ? s.accept->body.end.offset : own);
      if (s.accept->has_body) body(s.accept->body);
    }
    for (const ada::SelectBranch& branch : s.alternatives)
      for (const auto* list : {&branch.head, &branch.rest})
        for (const Statement& inner : *list) statement(inner, end);
  }

  // Labels stand before the statement.
  text::Place back_to(const std::string& label, text::Place place) const {
    constexpr std::size_t kFar = 200;
    const std::size_t from = place.offset - std::min(place.offset, kFar);
    const text::Place found = place_of(label, {from, 1});
    return found.offset < place.offset ? found : place;
  }

  const ada::Source& source_;
  std::string_view text_;
  std::optional<std::size_t> inside_;
  bool in_body_ = false;
  Symbols out_;
};

}  // namespace

Symbols ada_symbols(std::string_view text, const std::string& file, Budget& budget) {
  const ada::Source source(file, text);
  ada::Report report(source, &budget);
  return AdaSymbols(source, source.text).list(ada::parse(source, 0, source.text.size(), report));
}

}  // namespace surety::lsp
