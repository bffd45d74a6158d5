// Text to tokens.
//
// FSP tells names apart by their first letter: upper case for processes, constants,
// ranges, sets and parameters, lower case or '_' for actions and variables. The
// operators X, U and W of LTL are upper-case names here; the parser knows better.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lang/text/scanner.hpp"

namespace surety::fsp {

using text::Place;
using text::Report;
using text::Source;

enum class Kind : std::uint8_t {
  end,
  lower,
  upper,
  integer,
  string,
  // keywords
  k_const,
  k_property,
  k_range,
  k_if,
  k_then,
  k_else,
  k_forall,
  k_when,
  k_set,
  k_progress,
  k_menu,
  k_animation,
  k_actions,
  k_controls,
  k_deterministic,
  k_minimal,
  k_compose,
  k_target,
  k_import,
  k_assert,
  k_fluent,
  k_exists,
  k_rigid,
  k_constraint,
  k_initially,
  // symbols
  arrow,
  iff,
  eventually,
  always,
  parallel,
  both,
  equal,
  not_equal,
  less_equal,
  greater_equal,
  shift_left,
  shift_right,
  sharing,
  dots,
  becomes,
  bar,
  ampersand,
  caret,
  less,
  greater,
  plus,
  minus,
  star,
  slash,
  percent,
  bang,
  dot,
  comma,
  colon,
  semicolon,
  round_open,
  round_close,
  square_open,
  square_close,
  curly_open,
  curly_close,
  backslash,
  at,
  hash,
  quote,
};

using Token = text::Token<Kind>;

// Ends with an `end` token, whatever the text. Characters that mean nothing are reported and left out.
std::vector<Token> tokens(std::string_view text, Report& report);

bool is_keyword(Kind kind);
bool is_keyword(std::string_view word);

}  // namespace surety::fsp
