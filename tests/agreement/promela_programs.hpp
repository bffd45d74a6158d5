// Random Promela programs: small, finite, accepted by spin, and full of what is easy to get wrong.
//
// Two to four processes with rendezvous and buffered channels, shared and local variables, if, do, else, atomic,
// d_step, jumps, valid end states and assertions. Values stay small, so that every program has few states. About
// half can stop where they should not, and many can violate an assertion.
#pragma once

#include <cstdint>
#include <string>

namespace surety {

struct ProgramMix {
  bool special = true;  // d_step, sorted and random messages, questions about buffers
  bool labels = false;  // accept and progress, outside of atomic sequences
  bool assertions = true;
  bool errors = false;   // indices out of range, now and then
  bool formula = false;  // ltl f { ... } about variables, buffers and labels; most say what must not happen
};

std::string random_promela(std::uint64_t seed, const ProgramMix& mix = {});

}  // namespace surety
