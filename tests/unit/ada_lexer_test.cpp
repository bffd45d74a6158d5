// The corners of tokens: ticks, numbers, strings, what is no text.

#include "lang/ada/lexer.hpp"

#include "ada_help.hpp"

namespace surety::ada {
namespace {

// Tokens as "text", separated by blanks; errors as in errors_of.
std::string tokens_of(std::string_view text) {
  const Source source("m.adb", text);
  Report report(source);
  std::string out;
  for (const auto& t : tokens(source.text, 0, source.text.size(), report))
    if (t.kind != Kind::end) out += (out.empty() ? "" : " ") + std::string(t.text);
  for (const auto& d : report.errors()) out += fmt::format("\n{}:{} {}", d.line, d.column, d.message);
  return out;
}

std::int64_t value_of(std::string_view text) {
  const Source source("m.adb", text);
  Report report(source);
  const auto read = tokens(source.text, 0, source.text.size(), report);
  EXPECT_FALSE(report.failed()) << text;
  EXPECT_EQ(read.at(0).kind, Kind::integer);
  return read.at(0).value;
}

TEST(AdaLexer, ATickAfterANameABracketOrALiteralIsNoCharacter) {
  EXPECT_EQ(tokens_of("X'First"), "X ' First");
  EXPECT_EQ(tokens_of("Integer'('a')"), "Integer ' ( 'a' )");
  EXPECT_EQ(tokens_of("A('x')'Img"), "A ( 'x' ) ' Img");
  EXPECT_EQ(tokens_of("P.all'Size"), "P . all ' Size");
  EXPECT_EQ(tokens_of("'''"), "'''");
  EXPECT_EQ(tokens_of("(''', ' ', '\"')"), "( ''' , ' ' , '\"' )");
  EXPECT_EQ(tokens_of("\"ab\"'Length"), "\"ab\" ' Length");
  EXPECT_EQ(tokens_of("T'Base'Last"), "T ' Base ' Last");
  EXPECT_EQ(tokens_of("X'Range'Length"), "X ' Range ' Length");
}

TEST(AdaLexer, CharactersMayHaveSeveralBytes) {
  EXPECT_EQ(tokens_of("'\xe4'"), "'\xe4'");
  EXPECT_EQ(tokens_of("'\xc3\xa4'"), "'\xc3\xa4'");
  EXPECT_EQ(tokens_of("'[\"03C0\"]'"), "'[\"03C0\"]'");
}

TEST(AdaLexer, NumbersHaveBasesUnderscoresAndExponents) {
  EXPECT_EQ(value_of("1_000"), 1000);
  EXPECT_EQ(value_of("16#FF#"), 255);
  EXPECT_EQ(value_of("2#1010#E2"), 40);
  EXPECT_EQ(value_of("1E3"), 1000);
  EXPECT_EQ(value_of("1e+3"), 1000);
  EXPECT_EQ(value_of("0E999999999999999999"), 0);
  EXPECT_EQ(value_of("9223372036854775807"), std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(value_of("16#7FFF_FFFF_FFFF_FFFF#"), std::numeric_limits<std::int64_t>::max());
}

TEST(AdaLexer, NumbersThatAreWrongSaySo) {
  for (const char* wrong :
       {"1_", "1__0", "2#12#", "17#1#", "1#0#", "16#FF", "1E-3", "12abc", "16##", "1e", "1.0e", "2#_1#"})
    EXPECT_NE(tokens_of(wrong).find("is not a number"), std::string::npos) << wrong;
  EXPECT_EQ(tokens_of("9223372036854775808"), "9223372036854775808\n1:1 this number is too large");
  EXPECT_EQ(tokens_of("1E99"), "1E99\n1:1 this number is too large");
  EXPECT_EQ(tokens_of("1E99999999999999999999"), "1E99999999999999999999\n1:1 this number is too large");
}

TEST(AdaLexer, ARangeOfNumbersIsNoReal) {
  EXPECT_EQ(tokens_of("1..2"), "1 .. 2");
  EXPECT_EQ(tokens_of("1.5..2.0E-3"), "1.5 .. 2.0E-3");
}

TEST(AdaLexer, StringsDoubleTheirQuotesAndEndOnTheirLine) {
  EXPECT_EQ(tokens_of(R"("a ""b"" c" & "")"), R"("a ""b"" c" & "")");
  EXPECT_EQ(tokens_of("\"\xe4\xc3\xa4\""), "\"\xe4\xc3\xa4\"");
  EXPECT_EQ(tokens_of("\"abc\nX"), "\"abc X\n1:1 this string has no closing quote");
  EXPECT_EQ(tokens_of("\"a\tb\""), "\"a\tb\"\n1:3 this character cannot stand in a string");
}

TEST(AdaLexer, CommentsLineEndingsAndBlanksAreSkipped) {
  EXPECT_EQ(tokens_of("A -- \xe4 \xc3\xa4 'x\r\nB\f\tC\v--"), "A B C");
  EXPECT_EQ(tokens_of("\xef\xbb\xbf"
                      "A"),
            "A");
}

TEST(AdaLexer, WordsCountInAnyCase) {
  const Source source("m.adb", "BEGIN Begin begin bEGIN_X");
  Report report(source);
  const auto read = tokens(source.text, 0, source.text.size(), report);
  EXPECT_EQ(read.at(0).kind, Kind::k_begin);
  EXPECT_EQ(read.at(1).kind, Kind::k_begin);
  EXPECT_EQ(read.at(2).kind, Kind::k_begin);
  EXPECT_EQ(read.at(3).kind, Kind::name);
}

TEST(AdaLexer, WhatIsNoTextIsRefused) {
  EXPECT_EQ(tokens_of(std::string_view("A\0B", 3)), "\n1:2 not a text file");
  EXPECT_EQ(tokens_of("A \x01 B"), "A B\n1:3 not a text file");
  EXPECT_EQ(tokens_of("Z\xe4hler"), "Z hler\n1:2 not a text file");
  EXPECT_EQ(tokens_of("A ! B % C"),
            "A B C\n1:3 this character means nothing in Ada\n1:7 this character means nothing in Ada");
  EXPECT_EQ(tokens_of("A_ := B__C"), "A_ := B__C\n1:1 'A_' is no name\n1:7 'B__C' is no name");
}

TEST(AdaLexer, ReadsItsPartOfTheTextWithPlacesInTheWhole) {
  const Source source("m.adb", "first; second; third");
  Report report(source);
  const auto read = tokens(source.text, 7, 7, report);
  ASSERT_EQ(read.size(), 3U);
  EXPECT_EQ(read[0].text, "second");
  EXPECT_EQ(read[0].place.offset, 7U);
  EXPECT_EQ(read[2].kind, Kind::end);
}

}  // namespace
}  // namespace surety::ada
