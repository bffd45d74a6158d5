// Text to tokens.
//
// What a word means can depend on where it stands: U, V, W, X, always and so on are
// operators in an ltl block and names elsewhere, so they are names here.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "lang/text/scanner.hpp"

namespace surety::promela {

using text::Place;
using text::Report;

enum class Kind : std::uint8_t {
  end,
  name,
  integer,
  string,
  // keywords
  k_active,
  k_assert,
  k_atomic,
  k_bit,
  k_bool,
  k_break,
  k_byte,
  k_chan,
  k_do,
  k_d_proctype,
  k_d_step,
  k_else,
  k_empty,
  k_enabled,
  k_eval,
  k_false,
  k_fi,
  k_for,
  k_full,
  k_get_priority,
  k_goto,
  k_hidden,
  k_if,
  k_init,
  k_inline,
  k_int,
  k_len,
  k_local,
  k_ltl,
  k_mtype,
  k_nempty,
  k_never,
  k_nfull,
  k_notrace,
  k_np,
  k_od,
  k_of,
  k_pc_value,
  k_pid,
  k_printf,
  k_printm,
  k_priority,
  k_proctype,
  k_provided,
  k_return,
  k_run,
  k_select,
  k_set_priority,
  k_short,
  k_show,
  k_skip,
  k_timeout,
  k_trace,
  k_true,
  k_typedef,
  k_unless,
  k_unsigned,
  k_xr,
  k_xs,
  k_c_code,
  k_c_decl,
  k_c_expr,
  k_c_state,
  k_c_track,
  // symbols
  arrow,
  iff,
  both,
  either,
  equal,
  not_equal,
  less_equal,
  greater_equal,
  shift_left,
  shift_right,
  double_colon,
  dots,
  increment,
  decrement,
  random_receive,
  sorted_send,
  wedge,
  vee,
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
  question,
  tilde,
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
  at,
};

using Token = text::Token<Kind>;

// Ends with an `end` token, whatever the text. Characters that mean nothing are reported and left out.
std::vector<Token> tokens(std::string_view text, Report& report);

bool is_keyword(Kind kind);
bool is_keyword(std::string_view word);

}  // namespace surety::promela
