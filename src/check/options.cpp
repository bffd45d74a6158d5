#include "check/options.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace surety::api {

Outcome<void> is_known(const char* what, const std::string& name, const std::vector<std::string>& names) {
  if (std::ranges::find(names, name) != names.end()) return {};
  return usage(fmt::format("there is no {} '{}'", what, name), did_you_mean(name, names, "this version has"));
}

Outcome<LearnerKind> read_learner(const std::string& name) {
  if (const auto kind = learner_from_name(name)) return *kind;
  std::vector<std::string> names;
  for (const LearnerKind kind : kLearnerKinds) names.emplace_back(learner_name(kind));
  return tl::unexpected(is_known("learner", name, names).error());
}

}  // namespace surety::api
