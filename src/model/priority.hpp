// Some actions give way to others: while a high one can happen, no low one does (doc/semantics.md#priorities).
#pragma once

#include "model/lts.hpp"

namespace surety {

struct Priority {
  Alphabet actions;
  bool high = false;  // these are the high ones and the rest low, or the other way round; tau is of the rest
  bool is_high(Action a) const { return actions.contains(a) == high; }
};

}  // namespace surety
