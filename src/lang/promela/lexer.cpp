#include "lang/promela/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "lang/promela/keywords.hpp"
#include "lang/text/words.hpp"

namespace surety::promela {
namespace {

using Spelling = text::Spelling<Kind>;
using text::is_digit;

constexpr Spelling kKeywords[] = {
    {"active", Kind::k_active},
    {"assert", Kind::k_assert},
    {"atomic", Kind::k_atomic},
    {"bit", Kind::k_bit},
    {"bool", Kind::k_bool},
    {"break", Kind::k_break},
    {"byte", Kind::k_byte},
    {"chan", Kind::k_chan},
    {"do", Kind::k_do},
    {"D_proctype", Kind::k_d_proctype},
    {"d_step", Kind::k_d_step},
    {"else", Kind::k_else},
    {"empty", Kind::k_empty},
    {"enabled", Kind::k_enabled},
    {"eval", Kind::k_eval},
    {"false", Kind::k_false},
    {"fi", Kind::k_fi},
    {"for", Kind::k_for},
    {"full", Kind::k_full},
    {"get_priority", Kind::k_get_priority},
    {"goto", Kind::k_goto},
    {"hidden", Kind::k_hidden},
    {"if", Kind::k_if},
    {"init", Kind::k_init},
    {"inline", Kind::k_inline},
    {"int", Kind::k_int},
    {"len", Kind::k_len},
    {"local", Kind::k_local},
    {"ltl", Kind::k_ltl},
    {"mtype", Kind::k_mtype},
    {"nempty", Kind::k_nempty},
    {"never", Kind::k_never},
    {"nfull", Kind::k_nfull},
    {"notrace", Kind::k_notrace},
    {"np_", Kind::k_np},
    {"od", Kind::k_od},
    {"of", Kind::k_of},
    {"pc_value", Kind::k_pc_value},
    {"pid", Kind::k_pid},
    {"printf", Kind::k_printf},
    {"printm", Kind::k_printm},
    {"priority", Kind::k_priority},
    {"proctype", Kind::k_proctype},
    {"provided", Kind::k_provided},
    {"return", Kind::k_return},
    {"run", Kind::k_run},
    {"select", Kind::k_select},
    {"set_priority", Kind::k_set_priority},
    {"short", Kind::k_short},
    {"show", Kind::k_show},
    {"skip", Kind::k_skip},
    {"timeout", Kind::k_timeout},
    {"trace", Kind::k_trace},
    {"true", Kind::k_true},
    {"typedef", Kind::k_typedef},
    {"unless", Kind::k_unless},
    {"unsigned", Kind::k_unsigned},
    {"xr", Kind::k_xr},
    {"xs", Kind::k_xs},
    {"c_code", Kind::k_c_code},
    {"c_decl", Kind::k_c_decl},
    {"c_expr", Kind::k_c_expr},
    {"c_state", Kind::k_c_state},
    {"c_track", Kind::k_c_track},
};

// The first that fits is taken, so longer ones come first.
constexpr Spelling kSymbols[] = {
    {"<->", Kind::iff},
    {"->", Kind::arrow},
    {"&&", Kind::both},
    {"||", Kind::either},
    {"==", Kind::equal},
    {"!=", Kind::not_equal},
    {"<=", Kind::less_equal},
    {">=", Kind::greater_equal},
    {"<<", Kind::shift_left},
    {">>", Kind::shift_right},
    {"::", Kind::double_colon},
    {"..", Kind::dots},
    {"++", Kind::increment},
    {"--", Kind::decrement},
    {"??", Kind::random_receive},
    {"!!", Kind::sorted_send},
    {"/\\", Kind::wedge},
    {"\\/", Kind::vee},
    {"=", Kind::becomes},
    {"|", Kind::bar},
    {"&", Kind::ampersand},
    {"^", Kind::caret},
    {"<", Kind::less},
    {">", Kind::greater},
    {"+", Kind::plus},
    {"-", Kind::minus},
    {"*", Kind::star},
    {"/", Kind::slash},
    {"%", Kind::percent},
    {"!", Kind::bang},
    {"?", Kind::question},
    {"~", Kind::tilde},
    {".", Kind::dot},
    {",", Kind::comma},
    {":", Kind::colon},
    {";", Kind::semicolon},
    {"(", Kind::round_open},
    {")", Kind::round_close},
    {"[", Kind::square_open},
    {"]", Kind::square_close},
    {"{", Kind::curly_open},
    {"}", Kind::curly_close},
    {"@", Kind::at},
};

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }
bool is_name(char c) { return is_letter(c) || is_digit(c); }

class Lexer : text::Scanner<Kind> {
 public:
  Lexer(std::string_view text, Report& report) : Scanner(text, report) {}

  std::vector<Token> run() {
    return scan([this] { next_token(); });
  }

 private:
  void next_token() {
    const char c = text_[at_];
    if (is_letter(c)) return name();
    if (is_digit(c)) return integer();
    if (c == '"') return quoted_text();
    if (c == '\'') return character();
    symbol(
        kSymbols, [](char d) { return is_name(d) || d == '"' || d == '\''; },
        "this character means nothing in Promela");
  }

  void name() {
    const auto length = length_while(is_name);
    add(text::kind_of(kKeywords, text_.substr(at_, length), Kind::name), length);
  }

  void integer() {
    const auto length = length_while(is_name);
    const auto word = text_.substr(at_, length);
    std::int64_t value = 0;
    for (const char c : word) value = std::min<std::int64_t>(value * 10 + (c - '0'), std::int64_t{1} << 40);
    if (!std::ranges::all_of(word, is_digit)) {
      report_.error({at_, length}, fmt::format("'{}' is not a number", word.substr(0, 40)), "numbers are decimal");
      value = 0;
    } else if (value > std::numeric_limits<std::int32_t>::max()) {
      report_.error({at_, length}, "this number is too large", "numbers have 32 bits");
      value = 0;
    }
    add(Kind::integer, length, static_cast<std::int32_t>(value));
  }

  void quoted_text() {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != '"' && text_[end] != '\n') end += text_[end] == '\\' ? 2 : 1;
    end = std::min(end, text_.size());
    const bool closed = end < text_.size() && text_[end] == '"';
    if (!closed) report_.error({at_, 1}, "this text has no closing quote");
    add(Kind::string, end + (closed ? 1 : 0) - at_);
  }

  // 'a' and '\n' are numbers.
  void character() {
    const auto rest = text_.substr(at_, 4);
    if (rest.size() >= 3 && rest[1] != '\\' && rest[1] != '\n' && rest[2] == '\'')
      return add(Kind::integer, 3, static_cast<unsigned char>(rest[1]));
    if (rest.size() == 4 && rest[1] == '\\' && rest[3] == '\'') {
      constexpr std::string_view kLetters = "ntrf\\'0", kMeaning("\n\t\r\f\\'\0", 7);
      if (const auto found = kLetters.find(rest[2]); found != std::string_view::npos)
        return add(Kind::integer, 4, kMeaning[found]);
    }
    report_.error({at_, 1}, "this character constant has no closing quote", "write 'a'");
    ++at_;
  }
};

}  // namespace

std::vector<Token> tokens(std::string_view text, Report& report) { return Lexer(text, report).run(); }

bool is_keyword(Kind kind) { return kind >= Kind::k_active && kind <= Kind::k_c_track; }
std::vector<std::string_view> keywords() { return text::words_of(kKeywords); }

bool is_keyword(std::string_view word) { return text::kind_of(kKeywords, word, Kind::end) != Kind::end; }

}  // namespace surety::promela
