// Searches the product of LTSs without building it.
//
// Breadth first, layer by layer, so the trace found is a shortest one. The search
// stores nothing but the packed states (see visited.hpp); a counterexample is
// rebuilt afterwards by walking backwards through the layers.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/budget.hpp"
#include "product/product.hpp"

namespace surety {

enum class Goal {
  violation,  // a part reaches its error state, or a watcher lacks a step
  deadlock,   // a state without steps that is not successful termination (doc/semantics.md#end-and-deadlock)
  count,      // none: visit everything
};

// Whether steps that can wait are left out (stubborn.hpp says why none is missed).
enum class Reduction {
  none,
  por,        // always, unless there is nothing to find
  automatic,  // where it pays, as two short searches tell
};

std::optional<Reduction> reduction_from_name(std::string_view name);  // "none", "por", "auto"

struct SearchResult {
  enum class Outcome { found, exhausted, stopped };
  Outcome outcome = Outcome::exhausted;
  Trace trace;                    // found: every step, tau included
  std::vector<State> last;        // found: where each part is at the end of the trace; before a step into
                                  // the error state, where it was (then the last action of the trace follows)
  std::uint64_t states = 0;       // distinct product states met, the error state not counted
  std::uint64_t transitions = 0;  // steps tried from them, those into the error state as well
  std::uint64_t depth = 0;        // layers
  std::uint64_t bytes = 0;        // of the tables at their largest
  bool reduced = false;           // not all states were looked for, only enough of them
};

// The same outcome and the same trace whatever the number of threads. With a reduction the outcome is the same too,
// and the trace is as short; there may be several.
SearchResult search(const std::vector<Part>& parts, Goal goal, Budget& budget, unsigned threads = 1,
                    Reduction reduction = Reduction::none);

}  // namespace surety
