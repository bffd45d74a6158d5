// The real spin, as far as it is there: what does it say of a program?
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace surety {

bool spin_is_there();

struct SpinAnswer {
  bool accepted = false;     // by spin and by pan
  bool assertion = false;    // can be violated (of a trace or [] formula: it is)
  bool invalid_end = false;  // can be reached
  std::uint64_t states = 0;  // stored, if nothing was found
  std::string output;        // of spin, or of pan if something is odd
};

// Compiles without any reduction (dead variables, statement merging, partial orders), and runs pan twice: without
// looking at ends, and without looking at assertions. `defines` as for spin: "K=3".
SpinAnswer ask_spin(const std::string& text, const std::vector<std::string>& defines = {});

// What pan says of cycles: acceptance cycles (-a), or non-progress cycles (-l). Nothing: spin or pan do not take it.
std::optional<bool> ask_spin_for_cycles(const std::string& text, bool progress);

// Is the ltl block of that name violated? There must be no assertions. Nothing: spin or pan do not take it.
std::optional<bool> ask_spin_for_formula(const std::string& text, const std::string& name = "f0");

// One search to the end, whatever is found on the way.
struct SpinFacts {
  bool accepted = false;  // by spin and by pan
  bool assertion = false, invalid_end = false;
  bool trace = false;  // the trace assertion is violated
  std::uint64_t states = 0;
};
SpinFacts spin_facts(const std::string& text);

}  // namespace surety
