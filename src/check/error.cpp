#include "check/error.hpp"

#include "rules/monolithic.hpp"

namespace surety::api {

Error::Error(const Session& session, Subject subject)
    : Checkable(session.model(), std::move(subject)),
      session_(session),
      rule_(session.rule().property_per_side ? *find_rule(Method::sym) : session.rule()) {}

Outcome<Checks> Error::prove(const Share& share) {
  const Model& model = model_;
  if (model.priority() != nullptr || rule_.method == Method::monolithic) {
    Check check = describe(Method::monolithic, {all_names(model.network)});
    check.verdict =
        check_error(all_components(model.network), model.priority(), session_.context(share.budget, check.cost));
    return Checks{std::move(check)};
  }
  const ErrorProperty question = error_property(model);
  Check check = describe(rule_.method, session_.split_for(rule_, question.network, question.property));
  check.verdict = prove_by(rule_, proof_goal(question.network, check.split, {&question.property}),
                           session_.context(share.budget, check.cost).telling(share.tell));
  if (auto* violated = std::get_if<Violated>(&check.verdict)) violated->trace = until_error(model, violated->trace);
  return Checks{std::move(check)};
}

std::optional<std::string> Error::replay(const Check& check) {
  return certify::replay_error(model_.network, std::get<Violated>(check.verdict).trace);
}

}  // namespace surety::api
