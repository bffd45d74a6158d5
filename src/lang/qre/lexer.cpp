#include "lang/qre/lexer.hpp"

#include <algorithm>

namespace surety::qre {
namespace {

using Spelling = text::Spelling<Kind>;
using text::is_digit;

constexpr Spelling kSymbols[] = {
    {";", Kind::semicolon},   {"|", Kind::bar},          {"*", Kind::star},       {"+", Kind::plus},
    {"?", Kind::question},    {"^", Kind::caret},        {".", Kind::dot},        {",", Kind::comma},
    {":", Kind::colon},       {"-", Kind::minus},        {"(", Kind::round_open}, {")", Kind::round_close},
    {"[", Kind::square_open}, {"]", Kind::square_close}, {"{", Kind::curly_open}, {"}", Kind::curly_close},
};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name(char c) { return is_letter(c) || is_digit(c); }

class Lexer : text::Scanner<Kind> {
 public:
  Lexer(std::string_view text, text::Report& report) : Scanner(text, report, {"--", "/*", "*/"}) {}

  std::vector<Token> run() {
    return scan([this] { next_token(); });
  }

 private:
  void next_token() {
    const char c = text_[at_];
    if (is_letter(c)) return add(Kind::word, name_length());
    if (is_digit(c)) return number();
    if (c == '"') return quoted();
    if (text_.substr(at_).starts_with("//")) return skip_line();  // the scanner knows one beginning of such comments
    symbol(
        kSymbols, [](char d) { return is_name(d) || d == '"'; },
        "this character means nothing in a regular expression");
  }

  std::size_t name_length() const {
    std::size_t end = at_;
    while (end < text_.size() && (is_name(text_[end]) || is_inner_dot(end))) ++end;
    return end - at_;
  }

  bool is_inner_dot(std::size_t i) const {
    return text_[i] == '.' && is_name(text_[i - 1]) && i + 1 < text_.size() && is_name(text_[i + 1]);
  }

  void number() {
    const auto length = length_while(is_digit);
    std::int64_t value = 0;
    for (const char c : text_.substr(at_, length)) value = std::min(kMostCount, value * 10 + (c - '0'));
    add(Kind::number, length, value);
  }

  void quoted() {
    ++at_;
    const auto length = length_while([](char c) { return c != '"' && c != '\n'; });
    const bool closed = at_ + length < text_.size() && text_[at_ + length] == '"';
    if (!closed) report_.error({at_ - 1, 1}, "this name has no end", "close it with \" on the same line");
    if (closed && length == 0) report_.error({at_ - 1, 2}, "a name is empty");
    add(Kind::quoted, length);
    if (closed) ++at_;
  }

  void skip_line() { at_ = std::min(text_.find('\n', at_), text_.size()); }
};

}  // namespace

std::vector<Token> tokens_of(const text::Source& source, text::Report& report) {
  return Lexer(source.text, report).run();
}

}  // namespace surety::qre
