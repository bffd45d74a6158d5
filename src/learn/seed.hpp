#pragma once
#include "base/budget.hpp"
#include "learn/teacher.hpp"
namespace surety {
inline void seed(Learner&, Teacher&, const Lts&, Budget&) {}
}
