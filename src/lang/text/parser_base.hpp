// Tokens to a tree, by recursive descent: what the parsers of all languages do alike.
//
// A syntax error is reported once, and puts the parser into panic mode (`panic_`): it then sees only the end of the
// text, so that every rule returns, up to code that knows where parsing can go on and ends the panic mode. Between
// units (definitions, processes) that is `resume`, which skips to the beginning of the next unit. Inside a unit it
// depends on the language: the parser of Promela skips a wrong statement by itself, with tokens_, next_ and panic_. At
// most one syntax error is reported per token. Other errors (an undeclared name) do not interrupt parsing (`complain`).
//
// Rules that call themselves count how deep they are nested: too deep is an error, not a crash.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "lang/text/scanner.hpp"

namespace surety::text {

// Nodes of a tree, moved into a list (an initializer list would copy them).
template <class... Nodes>
auto list(Nodes... nodes) {
  std::vector<std::common_type_t<Nodes...>> out;
  (out.push_back(std::move(nodes)), ...);
  return out;
}

template <class Kind>
class ParserBase {
 protected:
  using Token = text::Token<Kind>;

  ParserBase(const Source& source, Report& report, std::vector<Token> tokens, int deepest, std::string too_deep = {})
      : source_(source),
        report_(report),
        tokens_(std::move(tokens)),
        deepest_(deepest),
        too_deep_(std::move(too_deep)) {}
  virtual ~ParserBase() = default;
  ParserBase(const ParserBase&) = delete;
  ParserBase& operator=(const ParserBase&) = delete;

  const Token& peek(std::size_t ahead = 0) const {
    return panic_ || given_up_ ? tokens_.back() : tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
  }
  bool at(Kind kind) const { return peek().kind == kind; }
  bool at(Kind kind, std::string_view text) const { return at(kind) && peek().text == text; }
  bool at_end() const { return given_up_ || next_ + 1 >= tokens_.size(); }

  Token take() {
    const Token token = peek();
    if (!panic_ && !at_end()) ++next_;
    if (!report_.go_on()) given_up_ = panic_ = broken_ = true;
    return token;
  }
  bool accept(Kind kind) {
    if (!at(kind)) return false;
    take();
    return true;
  }
  Token expect(Kind kind, std::string_view what, std::string_view hint = {}) {
    if (at(kind)) return take();
    fail_here(what, hint);
    return {};
  }

  // What helps where `expected` is missing and the next token stands instead, if the rule itself has no hint.
  virtual std::string hint_for(std::string_view expected) const = 0;

  void fail_here(std::string_view expected, std::string_view hint = {}) {
    fail(peek(), fmt::format("expected {}, found {}", expected, shown(peek())),
         hint.empty() ? hint_for(expected) : std::string(hint));
  }
  void fail(const Token& token, std::string message, std::string hint = {}) {
    if (panic_) return;
    if (failed_at_.insert(token.place.offset).second) report_.error(token.place, std::move(message), std::move(hint));
    panic_ = broken_ = true;
  }
  void complain(Place place, std::string message, std::string hint = {}) {
    if (!panic_) report_.error(place, std::move(message), std::move(hint));
  }

  // To be called after a unit that began at token `start`: after an error in it, the parser goes on at the next token
  // where `begins` holds, at least one token further. False: there was no error.
  template <class Begins>
  bool resume(std::size_t start, Begins begins) {
    if (!panic_) return false;
    panic_ = false;
    if (next_ == start) ++next_;
    while (!at(Kind::end) && !begins()) ++next_;
    return true;
  }

  static std::string shown(const Token& token) {
    return token.kind == Kind::end ? "the end of the file" : fmt::format("'{}'", token.text.substr(0, 40));
  }

  class Nesting {
   public:
    explicit Nesting(ParserBase& parser) : parser_(parser) {
      if (++parser_.nesting_ > parser_.deepest_)
        parser_.fail(parser_.peek(), "this is nested too deeply", parser_.too_deep_);
    }
    ~Nesting() { --parser_.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    ParserBase& parser_;
  };

  const Source& source_;
  Report& report_;
  std::vector<Token> tokens_;  // the last is the end
  std::size_t next_ = 0;
  bool panic_ = false;
  bool broken_ = false;    // there was a syntax error since this was set to false
  bool given_up_ = false;  // the budget has ended: nothing more is read, wherever a rule goes back to

 private:
  std::set<std::size_t> failed_at_;  // offsets of such errors
  int nesting_ = 0;
  int deepest_;
  std::string too_deep_;  // the hint
};

}  // namespace surety::text
