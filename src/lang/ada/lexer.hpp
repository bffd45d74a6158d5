// Text to tokens.
//
// Words count in any case. The reserved words of Ada 2012 are keywords; four of them are names in older programs
// (is_newer_word), which the parser knows. A tick after a name, a bracket or a literal begins an attribute, elsewhere a
// character.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "lang/text/scanner.hpp"

namespace surety::ada {

using text::Place;
using text::Report;

enum class Kind : std::uint8_t {
  end,  // of the text
  name,
  integer,
  real,
  character,
  string,
  // keywords
  k_abort,
  k_abs,
  k_abstract,
  k_accept,
  k_access,
  k_aliased,
  k_all,
  k_and,
  k_array,
  k_at,
  k_begin,
  k_body,
  k_case,
  k_constant,
  k_declare,
  k_delay,
  k_delta,
  k_digits,
  k_do,
  k_else,
  k_elsif,
  k_end,
  k_entry,
  k_exception,
  k_exit,
  k_for,
  k_function,
  k_generic,
  k_goto,
  k_if,
  k_in,
  k_interface,
  k_is,
  k_limited,
  k_loop,
  k_mod,
  k_new,
  k_not,
  k_null,
  k_of,
  k_or,
  k_others,
  k_out,
  k_overriding,
  k_package,
  k_pragma,
  k_private,
  k_procedure,
  k_protected,
  k_raise,
  k_range,
  k_record,
  k_rem,
  k_renames,
  k_requeue,
  k_return,
  k_reverse,
  k_select,
  k_separate,
  k_some,
  k_subtype,
  k_synchronized,
  k_tagged,
  k_task,
  k_terminate,
  k_then,
  k_type,
  k_until,
  k_use,
  k_when,
  k_while,
  k_with,
  k_xor,
  // symbols
  arrow,
  dots,
  power,
  becomes,
  not_equal,
  greater_equal,
  less_equal,
  label_open,
  label_close,
  box,
  ampersand,
  tick,
  round_open,
  round_close,
  star,
  plus,
  comma,
  minus,
  dot,
  slash,
  colon,
  semicolon,
  less,
  equal,
  greater,
  bar,
  square_open,
  square_close,
  target,
};

using Token = text::Token<Kind>;

// Of text.substr(begin, length); places are offsets into the whole text. Ends with an `end` token, whatever the text.
std::vector<Token> tokens(std::string_view text, std::size_t begin, std::size_t length, Report& report);

bool is_keyword(Kind kind);

// interface, overriding, some, synchronized: names before Ada 2005 and 2012.
bool is_newer_word(Kind kind);

std::string lower_case(std::string_view word);

}  // namespace surety::ada
