// One door to all learners.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string_view>

#include "learn/teacher.hpp"

namespace surety {

enum class LearnerKind { lstar, lstar_angluin, kv, ttt };
inline constexpr std::array kLearnerKinds = {LearnerKind::lstar, LearnerKind::lstar_angluin, LearnerKind::kv,
                                             LearnerKind::ttt};

std::string_view learner_name(LearnerKind kind);                            // "lstar", "lstar-angluin", "kv", "ttt"
std::optional<LearnerKind> learner_from_name(std::string_view name);        // as learner_name writes it
std::unique_ptr<Learner> make_learner(LearnerKind kind, Teacher& teacher);  // the teacher must live longer

}  // namespace surety
