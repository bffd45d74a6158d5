#include "learn/learner.hpp"

#include "base/check.hpp"
#include "learn/kearns_vazirani.hpp"
#include "learn/lstar.hpp"
#include "learn/lstar_angluin.hpp"
#include "learn/ttt.hpp"

namespace surety {

std::string_view learner_name(LearnerKind kind) {
  switch (kind) {
    case LearnerKind::lstar: return "lstar";
    case LearnerKind::lstar_angluin: return "lstar-angluin";
    case LearnerKind::kv: return "kv";
    case LearnerKind::ttt: return "ttt";
  }
  return "?";
}

std::optional<LearnerKind> learner_from_name(std::string_view name) {
  for (const auto kind : kLearnerKinds)
    if (learner_name(kind) == name) return kind;
  return std::nullopt;
}

std::unique_ptr<Learner> make_learner(LearnerKind kind, Teacher& teacher) {
  switch (kind) {
    case LearnerKind::lstar: return std::make_unique<LStar>(teacher);
    case LearnerKind::lstar_angluin: return std::make_unique<LStarAngluin>(teacher);
    case LearnerKind::kv: return std::make_unique<KearnsVazirani>(teacher);
    case LearnerKind::ttt: return std::make_unique<Ttt>(teacher);
  }
  check(false, "there is no such learner");
  return nullptr;
}

}  // namespace surety
