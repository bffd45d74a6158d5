#include "lang/ada/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "lang/ada/keywords.hpp"
#include "lang/text/words.hpp"

namespace surety::ada {
namespace {

using Spelling = text::Spelling<Kind>;
using text::is_digit;

// In the order of the alphabet.
constexpr Spelling kKeywords[] = {
    {"abort", Kind::k_abort},
    {"abs", Kind::k_abs},
    {"abstract", Kind::k_abstract},
    {"accept", Kind::k_accept},
    {"access", Kind::k_access},
    {"aliased", Kind::k_aliased},
    {"all", Kind::k_all},
    {"and", Kind::k_and},
    {"array", Kind::k_array},
    {"at", Kind::k_at},
    {"begin", Kind::k_begin},
    {"body", Kind::k_body},
    {"case", Kind::k_case},
    {"constant", Kind::k_constant},
    {"declare", Kind::k_declare},
    {"delay", Kind::k_delay},
    {"delta", Kind::k_delta},
    {"digits", Kind::k_digits},
    {"do", Kind::k_do},
    {"else", Kind::k_else},
    {"elsif", Kind::k_elsif},
    {"end", Kind::k_end},
    {"entry", Kind::k_entry},
    {"exception", Kind::k_exception},
    {"exit", Kind::k_exit},
    {"for", Kind::k_for},
    {"function", Kind::k_function},
    {"generic", Kind::k_generic},
    {"goto", Kind::k_goto},
    {"if", Kind::k_if},
    {"in", Kind::k_in},
    {"interface", Kind::k_interface},
    {"is", Kind::k_is},
    {"limited", Kind::k_limited},
    {"loop", Kind::k_loop},
    {"mod", Kind::k_mod},
    {"new", Kind::k_new},
    {"not", Kind::k_not},
    {"null", Kind::k_null},
    {"of", Kind::k_of},
    {"or", Kind::k_or},
    {"others", Kind::k_others},
    {"out", Kind::k_out},
    {"overriding", Kind::k_overriding},
    {"package", Kind::k_package},
    {"pragma", Kind::k_pragma},
    {"private", Kind::k_private},
    {"procedure", Kind::k_procedure},
    {"protected", Kind::k_protected},
    {"raise", Kind::k_raise},
    {"range", Kind::k_range},
    {"record", Kind::k_record},
    {"rem", Kind::k_rem},
    {"renames", Kind::k_renames},
    {"requeue", Kind::k_requeue},
    {"return", Kind::k_return},
    {"reverse", Kind::k_reverse},
    {"select", Kind::k_select},
    {"separate", Kind::k_separate},
    {"some", Kind::k_some},
    {"subtype", Kind::k_subtype},
    {"synchronized", Kind::k_synchronized},
    {"tagged", Kind::k_tagged},
    {"task", Kind::k_task},
    {"terminate", Kind::k_terminate},
    {"then", Kind::k_then},
    {"type", Kind::k_type},
    {"until", Kind::k_until},
    {"use", Kind::k_use},
    {"when", Kind::k_when},
    {"while", Kind::k_while},
    {"with", Kind::k_with},
    {"xor", Kind::k_xor},
};

// The first that fits is taken, so longer ones come first.
constexpr Spelling kSymbols[] = {
    {"=>", Kind::arrow},       {"..", Kind::dots},       {"**", Kind::power},
    {":=", Kind::becomes},     {"/=", Kind::not_equal},  {">=", Kind::greater_equal},
    {"<=", Kind::less_equal},  {"<<", Kind::label_open}, {">>", Kind::label_close},
    {"<>", Kind::box},         {"&", Kind::ampersand},   {"'", Kind::tick},
    {"(", Kind::round_open},   {")", Kind::round_close}, {"*", Kind::star},
    {"+", Kind::plus},         {",", Kind::comma},       {"-", Kind::minus},
    {".", Kind::dot},          {"/", Kind::slash},       {":", Kind::colon},
    {";", Kind::semicolon},    {"<", Kind::less},        {"=", Kind::equal},
    {">", Kind::greater},      {"|", Kind::bar},         {"[", Kind::square_open},
    {"]", Kind::square_close}, {"@", Kind::target},
};

constexpr std::size_t kLargestFile = 100'000'000;
constexpr std::size_t kShown = 40;  // characters of a wrong word

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_'; }
bool is_beyond_ascii(char c) { return static_cast<unsigned char>(c) >= 0x80; }
bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

std::uint32_t digit_of(char c) {
  if (is_digit(c)) return static_cast<std::uint32_t>(c - '0');
  const auto lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? static_cast<std::uint32_t>(lower - 'a') + 10 : 99;
}

// Underscores stand between digits and letters only.
bool has_stray_underscore(std::string_view word) {
  return word.starts_with('_') || word.ends_with('_') || word.find("__") != std::string_view::npos;
}

Kind kind_of_word(std::string_view word) {
  const auto lower = lower_case(word);
  const auto* found = std::ranges::lower_bound(kKeywords, std::string_view(lower), {}, &Spelling::text);
  return found != std::end(kKeywords) && found->text == lower ? found->kind : Kind::name;
}

// How many bytes a character of UTF-8 has; 0 if it is none.
std::size_t bytes_of_utf8(std::string_view text) {
  const auto first = text.empty() ? 0U : static_cast<unsigned char>(text[0]);
  const std::size_t size = first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
  if (text.size() < size) return 0;
  const auto follows = [](char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; };
  return std::ranges::all_of(text.substr(std::min<std::size_t>(1, size), size == 0 ? 0 : size - 1), follows) ? size : 0;
}

// A number is read part by part: base, digits before and after the point, exponent.
struct Number {
  std::string_view base = "10", whole, fraction, exponent;
  bool real = false, negative_exponent = false;
  bool closed = true;  // with a base: by its second #
};

bool are_digits(std::string_view digits, std::uint32_t base) {
  return !digits.empty() && !has_stray_underscore(digits) &&
         std::ranges::all_of(digits, [&](char c) { return c == '_' || digit_of(c) < base; });
}

// Nothing: it has more than 64 bits. The digits are known to be right.
std::optional<std::int64_t> value_of(std::string_view digits, std::int64_t base) {
  std::int64_t value = 0;
  for (const char c : digits) {
    if (c == '_') continue;
    const std::int64_t digit = digit_of(c);
    if (value > (std::numeric_limits<std::int64_t>::max() - digit) / base) return {};
    value = value * base + digit;
  }
  return value;
}

std::optional<std::int64_t> value_of(const Number& number) {
  const std::int64_t base = std::max<std::int64_t>(2, value_of(number.base, 10).value_or(10));
  auto value = value_of(number.whole, base);
  if (!value || *value == 0) return value;
  const auto exponent = value_of(number.exponent, 10);
  if (!exponent) return {};
  for (std::int64_t i = 0; i < *exponent; ++i) {
    if (*value > std::numeric_limits<std::int64_t>::max() / base) return {};
    *value *= base;
  }
  return value;
}

bool is_right(const Number& number) {
  const std::int64_t base = value_of(number.base, 10).value_or(0);
  if (!number.closed || !are_digits(number.base, 10) || base < 2 || base > 16) return false;
  if (!are_digits(number.whole, static_cast<std::uint32_t>(base))) return false;
  if (!number.exponent.empty() && !are_digits(number.exponent, 10)) return false;
  if (number.real) return are_digits(number.fraction, static_cast<std::uint32_t>(base));
  return !number.negative_exponent;
}

class Lexer : text::Scanner<Kind> {
 public:
  Lexer(std::string_view text, std::size_t begin, std::size_t length, Report& report)
      : Scanner(text.substr(0, begin + length), report, {"--", {}, {}}) {
    at_ = begin;
    if (text_.substr(begin).starts_with("\xef\xbb\xbf")) at_ += 3;  // the mark that Windows editors put first
    if (length > kLargestFile || text_.find('\0', begin) != std::string_view::npos) refuse();
  }

  std::vector<Token> run() {
    return scan([this] { next_token(); });
  }

 private:
  void refuse() {
    report_.error({std::min(text_.find('\0', at_), text_.size()), 1}, "not a text file");
    at_ = text_.size();
  }

  void put(Kind kind, std::size_t length, std::int64_t value = 0) {
    add(kind, length, value);
    before_ = last_;
    last_ = kind;
  }

  void next_token() {
    const char c = text_[at_];
    if (is_letter(c)) return word();
    if (is_digit(c)) return number();
    if (c == '"') return quoted_text();
    if (c == '\'' && !tick_belongs_to_a_name() && character()) return;
    if (is_beyond_ascii(c)) return beyond_ascii();
    if (is_control(c)) return control();
    delimiter();
  }

  void word() {
    const auto length = length_while(is_word);
    const auto text = text_.substr(at_, length);
    if (has_stray_underscore(text))
      report_.error({at_, length}, fmt::format("'{}' is no name", text.substr(0, kShown)),
                    "an underscore stands between letters and digits");
    put(kind_of_word(text), length);
  }

  void delimiter() {
    const auto rest = text_.substr(at_);
    const auto* found = std::ranges::find_if(kSymbols, [&](const auto& s) { return rest.starts_with(s.text); });
    if (found != std::end(kSymbols)) return put(found->kind, found->text.size());
    const auto begins = [](char d) { return is_word(d) || d == '"' || is_control(d) || is_beyond_ascii(d); };
    symbol(kSymbols, begins, "this character means nothing in Ada");
  }

  void beyond_ascii() {
    const auto length = length_while(is_beyond_ascii);
    report_.error({at_, length}, "not a text file", "letters outside ASCII stand in comments and strings only");
    at_ += length;
  }

  void control() {
    const auto length = length_while([](char c) { return is_control(c) && !text::is_blank(c); });
    report_.error({at_, length}, "not a text file");
    at_ += length;
  }

  // X'First, but not Integer'('a').
  bool tick_belongs_to_a_name() const {
    switch (last_) {
      case Kind::name:
      case Kind::integer:
      case Kind::real:
      case Kind::character:
      case Kind::string:
      case Kind::k_all:
      case Kind::round_close:
      case Kind::square_close: return true;
      default: return is_newer_word(last_) || (before_ == Kind::tick && is_keyword(last_));
    }
  }

  bool character() {
    const auto rest = text_.substr(at_ + 1);
    const std::size_t wide = std::max({bytes_of_utf8(rest), bracketed(rest), std::size_t{1}});
    const std::size_t size = rest.size() > wide && rest[wide] == '\'' ? wide : 1;
    if (rest.size() <= size || rest[size] != '\'' || is_control(rest[0])) return false;
    put(Kind::character, size + 2);
    return true;
  }

  // ["03C0"]: how the compiler of GNU writes characters that have no byte.
  static std::size_t bracketed(std::string_view text) {
    if (!text.starts_with("[\"")) return 0;
    const auto close = text.substr(0, 12).find("\"]");
    return close == std::string_view::npos ? 0 : close + 2;
  }

  void quoted_text() {
    std::size_t end = at_ + 1;
    for (; end < text_.size() && !ends_text(end); ++end) {
      if (const auto wide = bracketed(text_.substr(end)); wide > 0) end += wide - 1;
      if (text_[end] == '"') ++end;
      if (is_control(text_[end])) report_.error({end, 1}, "this character cannot stand in a string");
    }
    const bool closed = end < text_.size() && text_[end] == '"';
    if (!closed) report_.error({at_, 1}, "this string has no closing quote", "a string ends on its line");
    put(Kind::string, end + (closed ? 1 : 0) - at_);
  }

  // A quote that is not doubled, or the end of the line.
  bool ends_text(std::size_t at) const {
    const char c = text_[at];
    if (c == '"') return !text_.substr(at + 1).starts_with('"');
    return c == '\n' || c == '\r' || c == '\f' || c == '\v';
  }

  // Moves `end` over what belongs.
  template <class Belongs>
  std::string_view part(std::size_t& end, Belongs belongs) const {
    const std::size_t begin = end;
    while (end < text_.size() && belongs(text_[end])) ++end;
    return text_.substr(begin, end - begin);
  }

  char look(std::size_t at) const { return at < text_.size() ? text_[at] : '\0'; }

  void number() {
    std::size_t end = at_;
    const Number read = read_number(end);
    const bool alone = part(end, is_word).empty();  // 12abc
    const std::size_t length = end - at_;
    if (!alone || !is_right(read)) {
      report_.error({at_, length}, fmt::format("'{}' is not a number", text_.substr(at_, std::min(length, kShown))));
      return put(Kind::integer, length);
    }
    if (read.real) return put(Kind::real, length);
    const auto value = value_of(read);
    if (!value) report_.error({at_, length}, "this number is too large", "numbers have 64 bits");
    put(Kind::integer, length, value.value_or(0));
  }

  Number read_number(std::size_t& end) const {
    const auto decimal = [](char c) { return is_digit(c) || c == '_'; };
    Number out;
    out.whole = part(end, decimal);
    if (look(end) == '#') {
      read_based(out, end);
    } else if (look(end) == '.' && is_digit(look(end + 1))) {
      out.real = true;
      out.fraction = part(++end, decimal);
    }
    const std::size_t sign = look(end + 1) == '+' || look(end + 1) == '-' ? 1 : 0;
    if ((look(end) | 0x20) == 'e' && is_digit(look(end + 1 + sign))) {
      out.negative_exponent = look(end + 1) == '-';
      end += 1 + sign;
      out.exponent = part(end, decimal);
    }
    return out;
  }

  // 16#FF#, 2#1.1#: what stands before the first # is the base.
  void read_based(Number& out, std::size_t& end) const {
    out.base = out.whole;
    out.whole = part(++end, is_word);
    if (look(end) == '.') {
      out.real = true;
      out.fraction = part(++end, is_word);
    }
    out.closed = look(end) == '#';
    if (out.closed) ++end;
  }

  Kind last_ = Kind::end, before_ = Kind::end;  // the last two tokens
};

}  // namespace

std::vector<Token> tokens(std::string_view text, std::size_t begin, std::size_t length, Report& report) {
  return Lexer(text, begin, length, report).run();
}

bool is_keyword(Kind kind) { return kind >= Kind::k_abort && kind <= Kind::k_xor; }

std::vector<std::string_view> keywords() { return text::words_of(kKeywords); }

bool is_newer_word(Kind kind) {
  return kind == Kind::k_interface || kind == Kind::k_overriding || kind == Kind::k_some ||
         kind == Kind::k_synchronized;
}

std::string lower_case(std::string_view word) {
  std::string out(word);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c | 0x20);
  return out;
}

}  // namespace surety::ada
