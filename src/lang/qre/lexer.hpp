// Text of quantified regular expressions to tokens.
//
// A dot between letters, without blanks around it, belongs to a name (car.move, artist.1.ready); any other dot is a
// token of its own. A name of other characters stands in quotes. No word is reserved: what begins a property is found
// by the parser, so that an event may be called `all`. Comments: from -- or // to the end of the line, and /* to */.
#pragma once

#include <cstdint>
#include <vector>

#include "lang/text/scanner.hpp"

namespace surety::qre {

enum class Kind : std::uint8_t {
  end,
  word,
  quoted,  // the text is without its quotes
  number,
  semicolon,
  bar,
  star,
  plus,
  question,
  caret,
  dot,
  comma,
  colon,
  minus,
  round_open,
  round_close,
  square_open,
  square_close,
  curly_open,
  curly_close,
};

using Token = text::Token<Kind>;

inline constexpr std::int64_t kMostCount = 1'000'000'000;  // larger numbers have this value

std::vector<Token> tokens_of(const text::Source& source, text::Report& report);

}  // namespace surety::qre
