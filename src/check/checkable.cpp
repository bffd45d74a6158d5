#include "check/checkable.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"
#include "check/explain.hpp"
#include "check/opaque.hpp"
#include "check/options.hpp"
#include "check/recheck.hpp"

namespace surety::api {
namespace {

// How long the checker may take for an answer that was found in `used` seconds, if the user set no limit.
// A compositional proof is small and always finishes; re-searching a whole state space plainly may not.
std::chrono::nanoseconds patience(double used) {
  constexpr double kSeconds = 2, kFactor = 2;
  return std::chrono::milliseconds(static_cast<long>(1000 * std::max(kSeconds, kFactor * used)));
}

Limits recheck_limits(const Check& check, const Certificate& certificate, const Share& share, double used) {
  Limits limits;
  limits.memory = share.budget.memory_limit();
  limits.time = share.for_recheck();
  // Nor may it use up all the time where it hardly ever can: a reduced search has left out most of what it repeats.
  const bool hopeless = check.cost.reduced && certificate.rule == Method::monolithic;
  if ((!limits.time && is_whole(certificate.rule)) || hopeless)
    limits.time = std::min(patience(used), limits.time.value_or(patience(used)));
  return limits;
}

void recheck_proof(Checkable& checkable, Check& check, const CheckOptions& options, const Share& share, double used) {
  share.budget.phase("re-check");
  const Certificate& certificate = std::get<Holds>(check.verdict).certificate;
  Budget budget(recheck_limits(check, certificate, share, used), options.interrupted);
  using Kind = certify::Judgement::Kind;
  certify::Judgement judgement{Kind::unfinished, describe(Stop::memory), {}, 0};
  try {
    judgement = checkable.recheck(check, certificate, budget, share.tell);
  } catch (const std::bad_alloc&) {
    budget.stop(Stop::memory);  // the answer is not lost, only its re-check
  }
  surety::check(judgement.kind != Kind::refused,
                fmt::format("the checker refuses a proof: {}", judgement.reason).c_str());
  check.certified = judgement.kind == Kind::accepted;
  if (check.certified) return;
  if (is_whole(certificate.rule)) {  // an answer even if the checker cannot repeat it
    check.not_certified = fmt::format("the re-check did not finish ({})", judgement.reason);
    return;
  }
  // A proof by parts that could not be checked again is no answer.
  auto assumptions = certificate.assumptions;
  check.verdict = Unknown{budget.why(), std::move(assumptions), "proved, but not checked again"};
}

void conclude(Checkable& checkable, Check& check, const CheckOptions& options, const Share& share, double used) {
  check.by_auto = check.method == Method::automatic;
  if (check.by_auto && !check.open()) check.method = check.cost.attempts.back().method;
  if (check.violated() && passes_choice(checkable.model(), std::get<Violated>(check.verdict).trace))
    if (auto certain = checkable.certain(check, share.budget)) check.verdict = std::move(*certain);
  if (check.violated()) {
    const auto wrong = checkable.replay(check);
    surety::check(!wrong, fmt::format("a counterexample does not replay: {}", wrong.value_or("")).c_str());
    check.certified = true;
  } else if (auto* holds = std::get_if<Holds>(&check.verdict)) {
    Split& split = holds->certificate.split;
    if (split.empty())
      split = check.split;
    else
      check.split = split;  // the rule has chosen its own
    if (!options.certify)
      check.not_certified = "not asked for";
    else if (check.not_certified = checkable.why_not_rechecked(); check.not_certified.empty())
      recheck_proof(checkable, check, options, share, used);
  }
}

// What depends on something that is not modelled is not known. Its steps stay.
void doubt(Check& check, const Model& model) {
  if (check.holds() && check.kind == CheckKind::error)
    if (check.doubt = why_unchecked(model); !check.doubt.empty()) {
      check.certified = false;
      check.not_certified = "the proof does not speak of it";
      check.verdict = Unknown{Stop::none, {}, {}, {}};
      return;
    }
  const auto* violated = std::get_if<Violated>(&check.verdict);
  if (violated == nullptr || !passes_choice(model, violated->trace)) return;
  check.doubt = why_doubtful(model, violated->trace);
  check.certified = false;
  check.not_certified = "the counterexample may be none";
  check.verdict = Unknown{Stop::none, {}, {}, {}};
}

}  // namespace

certify::Judgement Checkable::recheck(const Check& /*check*/, const Certificate& certificate, Budget& budget,
                                      const Teller& tell) {
  return api::recheck(model_, nullptr, subject_, certificate, budget, tell);
}

std::string Checkable::why_not_rechecked() const {
  return model_.priority() != nullptr ? "the checker does not know priorities" : "";
}

void Checkable::explain(Check& check) const {
  if (model_.promela) return;
  if (model_.ada) return explain_ada(check, model_);
  const bool has_names = processes() == model_.network.components.size() && !check.sizes;
  api::explain(check, network(), processes(), *model_.actions, has_names ? &model_ : nullptr);
}

Check Checkable::describe(Method method, Split split) const {
  Check out;
  out.kind = subject_.kind;
  out.property = subject_.name;
  out.method = method;
  out.split = std::move(split);
  return out;
}

Outcome<Checks> perform(Checkable& checkable, const CheckOptions& options, const Share& share) {
  const double start = share.budget.seconds_used();
  auto checks = checkable.prove(share);
  if (!checks) return checks;
  const double used = share.budget.seconds_used() - start;
  for (Check& check : *checks) {
    const double found = share.budget.seconds_used();
    conclude(checkable, check, options, share, used);
    check.recheck_s = share.budget.seconds_used() - found;
    checkable.explain(check);
    doubt(check, checkable.model());
    check.time_s = share.budget.seconds_used() - start;
  }
  return checks;
}

}  // namespace surety::api
