// Expressions as short programs for a stack machine.
//
// A state is one string of bytes (machine.hpp). Globals lie at fixed offsets in it,
// the variables of a process at fixed offsets in its frame. A simple variable is one
// instruction; an element of an array, or a field, computes its address first, and
// checks the index. All arithmetic is that of 32-bit integers in C, with wrap-around.
#pragma once

#include <cstdint>
#include <vector>

#include "lang/promela/machine/encoding.hpp"

namespace surety::promela {

struct Instruction {
  enum class Op : std::uint8_t {
    push,         // b
    load_global,  // the value at offset b
    load_local,
    address_global,  // push offset b
    address_local,   // push offset b of the frame (as an offset into the state)
    address_remote,  // pops a process number, pushes the offset b of its frame; a: its proctype
    index,           // pops an index, checks it against a, adds index * b to the address below
    load,            // pops an address
    negate,
    complement,
    logical_not,
    times,
    divide,
    modulo,
    plus,
    minus,
    shift_left,
    shift_right,
    less,
    greater,
    less_equal,
    greater_equal,
    equal,
    not_equal,
    bit_and,
    bit_xor,
    bit_or,
    truth,  // pops a, pushes a != 0
    jump,
    jump_if_false,
    jump_if_true,  // to b; the conditional ones pop
    pid,
    nr_pr,
    timeout,
    non_progress,
    accepting,
    length,
    full,
    empty,
    not_full,
    not_empty,  // pop a channel
    poll,       // pops a channel; pattern list a, b: random
    at_label,   // pops a process number; a: proctype, b: number of the label set
  };
  Op op = Op::push;
  Encoding encoding;
  std::uint32_t a = 0;
  std::int32_t b = 0;
};

using Code = std::vector<Instruction>;

struct CompiledPattern {
  bool match = false;  // compare with the value of `code`; else store
  bool drop = false;   // _: neither
  Code code;           // the value, or the address to store at
  Encoding encoding;
};

}  // namespace surety::promela
