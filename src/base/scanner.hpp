// What the lexers of all languages do alike: walk over a text, skip blanks and comments as C has
// them, add tokens, find the longest symbol of a table.
//
// Token is { kind, first_on_line, text, place, value }, Report takes error(place, message, hint).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace surety {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

template <class Token, class Report>
class Scanner {
 protected:
  using Kind = decltype(Token::kind);

  Scanner(std::string_view text, Report& report) : text_(text), report_(report) {
    if (text.starts_with("\xef\xbb\xbf")) at_ = 3;  // the mark that Windows editors put first
  }

  void add(Kind kind, std::size_t length, std::int32_t value = 0) {
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

  void skip_blanks() {
    while (at_ < text_.size()) {
      const auto rest = text_.substr(at_, 2);
      if (is_blank(text_[at_])) {
        first_on_line_ = first_on_line_ || text_[at_] == '\n';
        ++at_;
      } else if (rest == "//") {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (rest == "/*") {
        skip_comment();
      } else {
        return;
      }
    }
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
  bool first_on_line_ = true;
  std::vector<Token> tokens_;

 private:
  void skip_comment() {
    const auto close = text_.find("*/", at_ + 2);
    if (close == std::string_view::npos) report_.error({at_, 2}, "this comment has no end", "close it with */");
    const auto end = close == std::string_view::npos ? text_.size() : close + 2;
    first_on_line_ = first_on_line_ || text_.substr(at_, end - at_).find('\n') != std::string_view::npos;
    at_ = end;
  }
};

}  // namespace surety
