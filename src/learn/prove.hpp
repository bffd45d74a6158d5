// The loop that drives every learned proof.
#pragma once

#include "learn/teacher.hpp"

namespace surety {

struct Proved {
  Lts assumption;
};
struct Wider {
  Alphabet more;   // letters that the alphabet lacks
  Lts assumption;  // the last conjecture, a seed for the next learner
};
// Proved, Wider, Violated, or Unknown with the last conjecture.
using Learned = std::variant<Proved, Wider, Violated, Unknown>;

Learned prove(Learner& learner, Teacher& teacher, Budget& budget);

}  // namespace surety
