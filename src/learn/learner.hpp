#pragma once
#include <array>
#include <memory>
#include <optional>
#include <string>
#include "learn/lstar.hpp"
namespace surety {
enum class LearnerKind { lstar, lstar_angluin, kv, ttt };
inline constexpr std::array kLearners{LearnerKind::lstar};
inline std::string learner_name(LearnerKind) { return "lstar"; }
inline std::optional<LearnerKind> learner_named(const std::string& name) { if (name == "lstar") return LearnerKind::lstar; return std::nullopt; }
inline std::unique_ptr<Learner> make_learner(LearnerKind, Teacher& teacher) { return std::make_unique<LStar>(teacher); }
}
