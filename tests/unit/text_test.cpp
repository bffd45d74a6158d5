// The kit of the languages, with a small language of its own: lists of names, `[a, b];`, one after the other.

#include <gtest/gtest.h>

#include "lang/text/parser_base.hpp"

namespace surety::text {
namespace {

enum class Kind { end, name, k_list, open, close, comma, semicolon };

constexpr Spelling<Kind> kKeywords[] = {{"list", Kind::k_list}};
constexpr Spelling<Kind> kSymbols[] = {
    {"[", Kind::open}, {"]", Kind::close}, {",", Kind::comma}, {";", Kind::semicolon}};

bool is_letter(char c) { return c >= 'a' && c <= 'z'; }

class Lexer : Scanner<Kind> {
 public:
  Lexer(std::string_view text, Report& report) : Scanner(text, report, {"--", {}, {}}) {}
  std::vector<Token<Kind>> run() {
    return scan([this] {
      if (!is_letter(text_[at_])) return symbol(kSymbols, is_letter, "what is this?");
      const auto length = length_while(is_letter);
      add(kind_of(kKeywords, text_.substr(at_, length), Kind::name), length);
    });
  }
};

class Parser : ParserBase<Kind> {
 public:
  Parser(const Source& source, Report& report) : ParserBase(source, report, Lexer(source.text, report).run(), 3) {}

  // The names of each list that is right.
  std::vector<std::string> run() {
    std::vector<std::string> out;
    while (!at_end() && !report_.full()) {
      const std::size_t start = next_;
      expect(Kind::k_list, "a list");
      std::string names = list();
      expect(Kind::semicolon, "';'");
      if (!resume(start, [this] { return at(Kind::k_list); })) out.push_back(std::move(names));
    }
    return out;
  }

 private:
  std::string list() {
    const Nesting nesting(*this);
    expect(Kind::open, "'['");
    std::string out;
    do out += at(Kind::open) ? "(" + list() + ")" : std::string(expect(Kind::name, "a name").text);
    while (accept(Kind::comma));
    expect(Kind::close, "']'");
    return out;
  }
  std::string hint_for(std::string_view) const override { return at(Kind::k_list) ? "this is a keyword" : ""; }
};

// The lists, and the errors as line:column message (hint).
std::pair<std::vector<std::string>, std::vector<std::string>> read(std::string_view text) {
  const Source source("lists", text);
  Report report(source);
  auto lists = Parser(source, report).run();
  std::vector<std::string> errors;
  for (const Diagnostic& d : report.errors())
    errors.push_back(fmt::format("{}:{} {}{}", d.line, d.column, d.message, d.hint.empty() ? "" : " (" + d.hint + ")"));
  return {lists, errors};
}

using Texts = std::vector<std::string>;

TEST(TextKit, ReadsUnitsAndSkipsTheCommentsOfTheLanguage) {
  const auto [lists, errors] = read("list [a, b]; -- not [ this\nlist [c];");
  EXPECT_EQ(lists, (Texts{"ab", "c"}));
  EXPECT_EQ(errors, Texts{});
}

TEST(TextKit, AfterAnErrorTheNextUnitIsRead) {
  const auto [lists, errors] = read("list [a,, b];\nlist [c];\nlist [list;\nlist [d");
  EXPECT_EQ(lists, Texts{"c"});
  EXPECT_EQ(errors, (Texts{"1:9 expected a name, found ','", "3:7 expected a name, found 'list' (this is a keyword)",
                           "3:11 expected '[', found ';'", "4:8 expected ']', found the end of the file"}));
}

TEST(TextKit, NestingHasAnEnd) {
  EXPECT_EQ(read("list [[[a]]];").first, Texts{"((a))"});
  EXPECT_EQ(read("list [[[[a]]]];").second, Texts{"1:9 this is nested too deeply"});
}

TEST(TextKit, StrangeCharactersAreOneError) { EXPECT_EQ(read("list [a $$% , b];").second, Texts{"1:9 what is this?"}); }

TEST(TextKit, APlaceOfAPreprocessedTextIsOneOfItsFile) {
  Source source("own", "#define X abc\nlet X\n");
  source.by_cpp = true;
  source.text = "let abc\n";
  source.lines = {{0, 0, 2}};
  const Diagnostic d = source.error({4, 3}, "here");
  EXPECT_EQ(render(d), "own:2:1: error: here\n  let X\n  ^^^^^\n");
}

}  // namespace
}  // namespace surety::text
