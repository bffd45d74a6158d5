// Random Promela programs: small, finite, accepted by spin, and full of what is easy to get wrong.
//
// Each program draws a few features of the language (promela_writer.hpp) and is dense in those. Two to four processes;
// shared and local variables of every type, alone, in arrays and in structures; channels of every kind. Values stay
// few: what is assigned to a wide variable is a constant, a copy, or cut by % or &. About half of the programs can stop
// where they should not, many can violate an assertion. About one in seven uses something that does not come apart.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace surety {

struct ProgramMix {
  bool pan = false;     // keeps off what pan is known to do differently, see the manual; no errors but assertions
  bool labels = false;  // accept and progress, outside of atomic sequences
  std::optional<bool> assertions = {};         // none, or some; nothing: as it comes
  std::optional<bool> traces = {};             // none, or one block; nothing: none to two
  std::optional<std::uint32_t> formulas = {};  // how many ltl blocks, f0 and so on; most say what must not happen
};

std::string random_promela(std::uint64_t seed, const ProgramMix& mix = {});

}  // namespace surety
