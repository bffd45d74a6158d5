#include "check/safety.hpp"

#include <fmt/format.h>

#include "check/opaque.hpp"
#include "check/recheck.hpp"
#include "rules/monolithic.hpp"

namespace surety::api {

Safety::Safety(const Session& session, Subject subject, const Property& property, const Rule& rule)
    : Checkable(session.model(), std::move(subject)),
      session_(session),
      property_(property),
      rule_(rule),
      split_(session.split_for(rule, session.model().network, property)) {}

Outcome<Checks> Safety::prove(const Share& share) {
  const Priority* priority = model_.priority();
  Check check = describe(rule_.method, split_);
  if (priority != nullptr && rule_.method != Method::monolithic) {
    check.note = fmt::format("{} does not know priorities; the whole product was searched", rule_.name());
    check.method = Method::monolithic;
    check.split = {all_names(model_.network)};
  }
  // SPIN is asked about properties only.
  const Context context =
      session_.context(share.budget, check.cost, subject().kind != CheckKind::error).telling(share.tell);
  if (priority != nullptr)
    check.verdict = check_property(all_components(session_.safety()), property_.lts, priority, context);
  else
    check.verdict = prove_by(rule_, proof_goal(session_.safety(), check.split, {&property_}), context);
  return Checks{std::move(check)};
}

std::optional<std::string> Safety::replay(const Check& check) {
  return certify::replay_violation(session_.safety(), property_, std::get<Violated>(check.verdict).trace);
}

std::optional<Violated> certain_violation(const Session& session, const Property& property, Cost& cost,
                                          Budget& budget) {
  const Network network = without_choices(session.model(), false);
  auto verdict = check_property(all_components(network), property.lts, nullptr, session.context(budget, cost, false));
  if (auto* violated = std::get_if<Violated>(&verdict)) return std::move(*violated);
  return std::nullopt;
}

std::optional<Violated> Safety::certain(Check& check, Budget& budget) {
  return certain_violation(session_, property_, check.cost, budget);
}

JointSafety::JointSafety(const Session& session, std::vector<Subject> subjects, Split split)
    : Checkable(session.model(), subjects[0]),
      session_(session),
      subjects_(std::move(subjects)),
      split_(std::move(split)) {
  for (const Subject& subject : subjects_) properties_.push_back(property_of(session.model(), subject));
}

Outcome<std::unique_ptr<JointSafety>> JointSafety::make(const Session& session, std::vector<Subject> subjects) {
  const Property& first = *property_of(session.model(), subjects[0]);
  Split split = session.split_for(session.rule(), session.model().network, first);
  if (subjects.size() != split.size())
    return usage(fmt::format("--method {} takes one property per side: {}, not {}", session.rule().name(), split.size(),
                             subjects.size()),
                 "name them in the order of the sides: --property P1 --property P2");
  return std::unique_ptr<JointSafety>(new JointSafety(session, std::move(subjects), std::move(split)));
}

Outcome<Checks> JointSafety::prove(const Share& share) {
  Check check = describe(session_.rule().method, split_);
  check.verdict = prove_by(session_.rule(), proof_goal(session_.safety(), split_, properties_),
                           session_.context(share.budget, check.cost).telling(share.tell));
  if (auto* holds = std::get_if<Holds>(&check.verdict))
    for (const Property* property : properties_) holds->certificate.properties.push_back(property->name);
  return Checks{std::move(check)};
}

std::optional<std::string> JointSafety::replay(const Check& check) {
  for (violated_ = 0; violated_ < properties_.size(); ++violated_)
    if (!certify::replay_violation(session_.safety(), *properties_[violated_], std::get<Violated>(check.verdict).trace))
      return std::nullopt;
  return "it violates none of the properties";
}

Outcome<Checks> JointSafety::one_each(const Check& together, const Share& share) {
  Checks out;
  for (std::size_t i = 0; i < properties_.size(); ++i) {
    if (!together.violated() || i == violated_) {
      out.push_back(together);
      out.back().kind = subjects_[i].kind;
      out.back().property = properties_[i]->name;
      continue;
    }
    Safety alone(session_, subjects_[i], *properties_[i], *find_rule(Method::sym));
    auto checks = perform(alone, session_.options(), share);
    if (!checks) return checks;
    out.push_back(std::move(checks->front()));
    out.back().note =
        fmt::format("{} ended with the violation of {}", session_.rule().name(), properties_[violated_]->name);
  }
  return out;
}

}  // namespace surety::api
