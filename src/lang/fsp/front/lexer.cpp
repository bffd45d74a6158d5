#include "lang/fsp/front/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "lang/fsp/front/keywords.hpp"
#include "lang/text/words.hpp"

namespace surety::fsp {
namespace {

using Spelling = text::Spelling<Kind>;
using text::is_digit;

constexpr Spelling kKeywords[] = {
    {"const", Kind::k_const},
    {"property", Kind::k_property},
    {"range", Kind::k_range},
    {"if", Kind::k_if},
    {"then", Kind::k_then},
    {"else", Kind::k_else},
    {"forall", Kind::k_forall},
    {"when", Kind::k_when},
    {"set", Kind::k_set},
    {"progress", Kind::k_progress},
    {"menu", Kind::k_menu},
    {"animation", Kind::k_animation},
    {"actions", Kind::k_actions},
    {"controls", Kind::k_controls},
    {"minimal", Kind::k_minimal},
    {"deterministic", Kind::k_deterministic},
    {"compose", Kind::k_compose},
    {"target", Kind::k_target},
    {"import", Kind::k_import},
    {"assert", Kind::k_assert},
    {"fluent", Kind::k_fluent},
    {"exists", Kind::k_exists},
    {"rigid", Kind::k_rigid},
    {"constraint", Kind::k_constraint},
    {"initially", Kind::k_initially},
};

// Longer ones come first.
constexpr Spelling kSymbols[] = {
    {"<->", Kind::iff},       {"->", Kind::arrow},
    {"<>", Kind::eventually}, {"[]", Kind::always},
    {"||", Kind::parallel},   {"&&", Kind::both},
    {"==", Kind::equal},      {"!=", Kind::not_equal},
    {"<=", Kind::less_equal}, {">=", Kind::greater_equal},
    {"<<", Kind::shift_left}, {">>", Kind::shift_right},
    {"::", Kind::sharing},    {"..", Kind::dots},
    {"=", Kind::becomes},     {"|", Kind::bar},
    {"&", Kind::ampersand},   {"^", Kind::caret},
    {"<", Kind::less},        {">", Kind::greater},
    {"+", Kind::plus},        {"-", Kind::minus},
    {"*", Kind::star},        {"/", Kind::slash},
    {"%", Kind::percent},     {"!", Kind::bang},
    {".", Kind::dot},         {",", Kind::comma},
    {":", Kind::colon},       {";", Kind::semicolon},
    {"(", Kind::round_open},  {")", Kind::round_close},
    {"[", Kind::square_open}, {"]", Kind::square_close},
    {"{", Kind::curly_open},  {"}", Kind::curly_close},
    {"\\", Kind::backslash},  {"@", Kind::at},
    {"#", Kind::hash},        {"'", Kind::quote},
};

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return (c >= 'a' && c <= 'z') || c == '_'; }
bool is_name(char c) { return is_upper(c) || is_lower(c) || is_digit(c); }

class Lexer : text::Scanner<Kind> {
 public:
  Lexer(std::string_view text, Report& report) : Scanner(text, report) {}

  std::vector<Token> run() {
    return scan([this] { next_token(); });
  }

 private:
  void next_token();
  void name();
  void integer();
  void quoted_text();
};

void Lexer::next_token() {
  const char c = text_[at_];
  if (is_upper(c) || is_lower(c)) return name();
  if (is_digit(c)) return integer();
  if (c == '"') return quoted_text();
  symbol(
      kSymbols, [](char d) { return is_name(d) || d == '"'; }, "this character means nothing in FSP");
}

void Lexer::name() {
  const auto length = length_while(is_name);
  const auto word = text_.substr(at_, length);
  add(text::kind_of(kKeywords, word, is_upper(word[0]) ? Kind::upper : Kind::lower), length);
}

// Decimal, 0x1F, or octal: a leading 0 means base 8, as in C.
void Lexer::integer() {
  const bool hex = text_.substr(at_, 2) == "0x" || text_.substr(at_, 2) == "0X";
  const std::uint32_t base = hex ? 16 : text_[at_] == '0' ? 8 : 10;
  const auto length = length_while(is_name);
  const auto word = text_.substr(at_, length);
  std::uint64_t value = 0;
  bool ok = true, fits = true;
  for (const char c : word.substr(hex ? 2 : 0)) {
    const auto lower = static_cast<char>(c | 0x20);
    const std::uint32_t digit = is_digit(c)                    ? static_cast<std::uint32_t>(c - '0')
                                : lower >= 'a' && lower <= 'f' ? static_cast<std::uint32_t>(lower - 'a') + 10
                                                               : 99;
    ok = ok && digit < base;
    value = value * base + digit;
    fits = fits && value <= std::numeric_limits<std::int32_t>::max();
    if (!fits) value = 0;
  }
  if (!ok || (hex && length == 2))
    report_.error({at_, length}, fmt::format("'{}' is not a number", word),
                  base == 8 ? "a number that starts with 0 is octal" : "");
  else if (!fits)
    report_.error({at_, length}, "this number is too large", "numbers have 32 bits");
  add(Kind::integer, length, ok && fits ? static_cast<std::int32_t>(value) : 0);
}

void Lexer::quoted_text() {
  const auto close = text_.find_first_of("\"\n", at_ + 1);
  if (close != std::string_view::npos && text_[close] == '"') return add(Kind::string, close + 1 - at_);
  report_.error({at_, 1}, "this text has no closing quote");
  add(Kind::string, std::min(close, text_.size()) - at_);
}

}  // namespace

std::vector<Token> tokens(std::string_view text, Report& report) { return Lexer(text, report).run(); }

bool is_keyword(Kind kind) { return kind >= Kind::k_const && kind <= Kind::k_initially; }
std::vector<std::string_view> keywords() { return text::words_of(kKeywords); }

bool is_keyword(std::string_view word) { return text::kind_of(kKeywords, word, Kind::end) != Kind::end; }

}  // namespace surety::fsp
