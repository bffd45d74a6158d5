// Text to tokens: what the lexers of all languages do alike.
//
// A lexer walks over the text, skips blanks and comments, adds tokens, looks words up among the keywords, and finds the
// longest symbol of a table. Which names, numbers and quoted texts a language has is up to its own lexer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "lang/text/source.hpp"

namespace surety::text {

// Kind is the language's enumeration of what there is; its `end` is the end of the text.
template <class Kind>
struct Token {
  Kind kind = Kind::end;
  bool first_on_line = false;
  std::string_view text;
  Place place;
  std::int64_t value = 0;  // of an integer
};

template <class Kind>
struct Spelling {
  std::string_view text;
  Kind kind;
};

// What a table of spellings says of a word; `otherwise` if it is not there.
template <class Table, class Kind>
Kind kind_of(const Table& spellings, std::string_view word, Kind otherwise) {
  const auto found = std::ranges::find(spellings, word, &Spelling<Kind>::text);
  return found == std::end(spellings) ? otherwise : found->kind;
}

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

// What begins a comment that ends with its line, and what encloses one. Empty: there is no such comment.
struct Comments {
  std::string_view line = "//";
  std::string_view open = "/*", close = "*/";
};

template <class Kind>
class Scanner {
 protected:
  Scanner(std::string_view text, Report& report, Comments comments = {})
      : text_(text), report_(report), comments_(comments) {
    if (text.starts_with("\xef\xbb\xbf")) at_ = 3;  // the mark that Windows editors put first
  }

  // All tokens: `next_token` reads one, where neither a blank nor a comment stands.
  template <class Next>
  std::vector<Token<Kind>> scan(Next next_token) {
    for (skip_blanks(); at_ < text_.size() && report_.go_on(); skip_blanks()) next_token();
    add(Kind::end, 0);
    return std::move(tokens_);
  }

  void add(Kind kind, std::size_t length, std::int64_t value = 0) {
    if (tokens_.size() == tokens_.capacity()) report_.has_room(2 * tokens_.size() * sizeof(Token<Kind>));
    tokens_.push_back({kind, first_on_line_, text_.substr(at_, length), {at_, length == 0 ? 1 : length}, value});
    at_ += length;
    first_on_line_ = false;
  }

  template <class Belongs>
  std::size_t length_while(Belongs belongs) const {
    std::size_t end = at_;
    while (end < text_.size() && belongs(text_[end])) ++end;
    return end - at_;
  }

  // The first of the table that fits is taken, so longer ones come first. A run of characters with which nothing
  // begins is one error, not many.
  template <class Table, class Begins>
  void symbol(const Table& symbols, Begins begins, const char* stranger) {
    const auto rest = text_.substr(at_);
    const auto* found = std::ranges::find_if(symbols, [&](const auto& s) { return rest.starts_with(s.text); });
    if (found != std::end(symbols)) return add(found->kind, found->text.size());
    const auto length =
        std::max<std::size_t>(1, length_while([&](char c) {
                                return !begins(c) && !is_blank(c) &&
                                       std::ranges::none_of(symbols, [&](const auto& s) { return s.text[0] == c; });
                              }));
    report_.error({at_, length}, stranger);
    at_ += length;
  }

  std::string_view text_;
  Report& report_;
  std::size_t at_ = 0;

 private:
  void skip_blanks() {
    while (at_ < text_.size()) {
      const auto rest = text_.substr(at_);
      if (is_blank(rest[0])) {
        first_on_line_ = first_on_line_ || rest[0] == '\n';
        ++at_;
      } else if (!comments_.line.empty() && rest.starts_with(comments_.line)) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (!comments_.open.empty() && rest.starts_with(comments_.open)) {
        skip_comment();
      } else {
        return;
      }
    }
  }

  void skip_comment() {
    const auto close = text_.find(comments_.close, at_ + comments_.open.size());
    const bool closed = close != std::string_view::npos;
    if (!closed)
      report_.error({at_, comments_.open.size()}, "this comment has no end",
                    "close it with " + std::string(comments_.close));
    const auto end = closed ? close + comments_.close.size() : text_.size();
    first_on_line_ = first_on_line_ || text_.substr(at_, end - at_).find('\n') != std::string_view::npos;
    at_ = end;
  }

  Comments comments_;
  bool first_on_line_ = true;
  std::vector<Token<Kind>> tokens_;
};

}  // namespace surety::text
