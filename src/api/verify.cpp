// One request: load, run the chosen method on every check, have every answer
// checked again by `certify` before it is reported.

#include "api/verify.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "api/split.hpp"
#include "base/check.hpp"
#include "certify/certify.hpp"
#include "decompose/two_way.hpp"
#include "rules/asym.hpp"
#include "rules/monolithic.hpp"

namespace surety::api {
namespace {

// How long the checker may take for an answer that was found in `seconds`, if the user set no limit.
// A compositional proof is small and always finishes; re-searching a whole product plainly may not.
constexpr double kRecheckSeconds = 2;
constexpr double kRecheckFactor = 2;

std::vector<const Lts*> components(const Network& network, const std::vector<std::string>& names) {
  std::vector<const Lts*> out;
  for (const auto& name : names)
    for (const auto& component : network.components)
      if (component.name == name) out.push_back(&component.lts);
  return out;
}

std::vector<std::string> all_names(const Network& network) {
  std::vector<std::string> names;
  for (const auto& component : network.components) names.push_back(component.name);
  return names;
}

class Verifier {
 public:
  Verifier(const Request& request, const Model& model)
      : request_(request), model_(model), budget_(request.limits, request.interrupted, request.progress) {}

  Check safety(const Property& property, const Split& split) {
    Check check;
    check.kind = "safety";
    check.property = property.name;
    check.method = request_.method;
    check.split = split;
    return run(
        std::move(check),
        [&](Check& c) {
          if (c.method == "asym") {
            const AsymProblem problem{components(model_.network, split[0]), components(model_.network, split[1]),
                                      &property.lts};
            return prove_asym(problem, budget_, request_.threads, c.cost);
          }
          return check_property(components(model_.network, split[0]), property.lts, budget_, request_.threads, c.cost);
        },
        [&](const Violated& violated) { return certify::replay_violation(model_.network, property, violated.trace); },
        [&](const Certificate& certificate, Budget& budget) {
          return certify::check_safety(model_.network, property, certificate, budget);
        });
  }

  Check deadlock() {
    Check check;
    check.kind = "deadlock";
    check.method = "monolithic";
    check.split = {all_names(model_.network)};
    std::vector<State> last;
    return run(
        std::move(check),
        [&](Check& c) {
          return check_deadlock(components(model_.network, c.split[0]), budget_, request_.threads, c.cost, last);
        },
        [&](const Violated& violated) { return certify::replay_deadlock(model_.network, violated.trace, last); },
        [&](const Certificate& certificate, Budget& budget) {
          return certify::check_deadlock_free(model_.network, certificate, budget);
        });
  }

 private:
  template <class Prove, class Replay, class Recheck>
  Check run(Check check, Prove prove, Replay replay, Recheck recheck) {
    const double start = budget_.seconds_used();
    check.verdict = prove(check);
    const double used = budget_.seconds_used() - start;
    if (auto* violated = std::get_if<Violated>(&check.verdict)) {
      const auto wrong = replay(*violated);
      surety::check(!wrong, fmt::format("a counterexample does not replay: {}", wrong.value_or("")).c_str());
      check.certified = true;
    } else if (auto* holds = std::get_if<Holds>(&check.verdict)) {
      holds->certificate.split = check.split;
      if (request_.certify)
        certify(check, holds->certificate, used, recheck);
      else
        check.not_certified = "not asked for";
    }
    check.time_s = budget_.seconds_used() - start;
    return check;
  }

  template <class Recheck>
  void certify(Check& check, const Certificate& certificate, double used, Recheck recheck) {
    budget_.phase("re-check");
    Limits limits;
    limits.memory = budget_.memory_limit();
    limits.time = budget_.time_left();
    if (!limits.time && certificate.rule == "monolithic")
      limits.time =
          std::chrono::milliseconds(static_cast<long>(1000 * std::max(kRecheckSeconds, kRecheckFactor * used)));
    Budget budget(limits, request_.interrupted);
    const auto judgement = recheck(certificate, budget);
    using Kind = certify::Judgement::Kind;
    surety::check(judgement.kind != Kind::refused,
                  fmt::format("the checker refuses a proof: {}", judgement.reason).c_str());
    check.certified = judgement.kind == Kind::accepted;
    if (!check.certified) check.not_certified = fmt::format("the re-check did not finish ({})", judgement.reason);
  }

  const Request& request_;
  const Model& model_;
  Budget budget_;
};

}  // namespace

std::string verdict_name(const Verdict& verdict) {
  if (std::holds_alternative<Holds>(verdict)) return "holds";
  return std::holds_alternative<Violated>(verdict) ? "violated" : "unknown";
}

std::string verdict_name(const Report& report) {
  bool unknown = false;
  for (const auto& check : report.checks) {
    if (std::holds_alternative<Violated>(check.verdict)) return "violated";
    unknown |= std::holds_alternative<Unknown>(check.verdict);
  }
  return unknown ? "unknown" : "holds";
}

Outcome<Report> verify(const Request& request) {
  if (std::find(kMethods.begin(), kMethods.end(), request.method) == kMethods.end())
    return usage(fmt::format("there is no method '{}'", request.method),
                 fmt::format("this version has: {}", fmt::join(kMethods, ", ")));
  std::vector<std::string> property_files;
  bool deadlock = request.properties.empty();
  for (const auto& name : request.properties) {
    if (name == "deadlock")
      deadlock = true;
    else if (is_model_file(name))
      property_files.push_back(name);
    else
      return usage(fmt::format("there is no property '{}'", name), "give a FILE.aut, or deadlock");
  }
  auto model = load(request.files, property_files, request.language);
  if (!model) return tl::unexpected(std::move(model.error()));

  Report report{std::move(*model), {}};
  const Network& network = report.model.network;
  const bool compositional = request.method != "monolithic";
  if (compositional && network.components.size() < 2)
    return usage(fmt::format("--method {} needs at least two components", request.method),
                 "give the system as several files, or use --method monolithic");
  Split given;
  if (!request.split.empty()) {
    auto split = parse_split(request.split, network);
    if (!split) return tl::unexpected(std::move(split.error()));
    if (compositional && split->size() != 2)
      return usage(fmt::format("--method {} needs a split in two, not in {}", request.method, split->size()),
                   "for example: --split \"a,b | c\"");
    given = std::move(*split);
  }

  Verifier verifier(request, report.model);
  for (const auto& property : report.model.properties) {
    Split split = {all_names(network)};
    if (compositional) split = given.empty() ? default_split(network, property) : given;
    report.checks.push_back(verifier.safety(property, split));
  }
  if (deadlock) report.checks.push_back(verifier.deadlock());
  return report;
}

}  // namespace surety::api
