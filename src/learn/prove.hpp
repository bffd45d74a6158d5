// The loop that drives every learned proof.
#pragma once

#include "learn/teacher.hpp"

namespace surety {

struct Proved {
  Lts assumption;
};
// Proved, Violated, or Unknown with the last conjecture.
using Learned = std::variant<Proved, Violated, Unknown>;

Learned prove(Learner& learner, Teacher& teacher, Budget& budget);

}  // namespace surety
