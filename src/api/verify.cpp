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
#include "rules/liveness.hpp"
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

std::vector<const Lts*> pointers(const Network& network) {
  std::vector<const Lts*> out;
  for (const auto& component : network.components) out.push_back(&component.lts);
  return out;
}

std::vector<std::string> all_names(const Network& network) {
  std::vector<std::string> names;
  for (const auto& component : network.components) names.push_back(component.name);
  return names;
}

// Which checks to do.
struct Plan {
  std::vector<const Property*> safety;
  bool error = false;
  bool deadlock = false;
  bool progress = false;
  std::vector<ProgressSet> progress_sets;  // none: the default one
  std::vector<Assertion> assertions;
};

class Verifier {
 public:
  Verifier(const Request& request, const Model& model, Budget& budget)
      : request_(request),
        model_(model),
        budget_(budget),
        safety_(safety_network(model)),
        whole_(whole_network(model)) {}

  Check safety(const Property& property, const Split& split) {
    Check check = fresh("safety", request_.method, split);
    check.property = property.name;
    if (model_.priority() != nullptr && check.method != "monolithic") {
      check.note = fmt::format("{} does not know priorities; the whole product was searched", check.method);
      check.method = "monolithic";
      check.split = {all_names(model_.network)};
    }
    auto prove = [&](Check& c) {
      if (c.method == "asym") {
        const AsymProblem problem{components(safety_, split[0]), components(safety_, split[1]), &property.lts};
        return prove_asym(problem, budget_, request_.threads, c.cost);
      }
      return check_property(pointers(safety_), property.lts, model_.priority(), budget_, request_.threads, c.cost);
    };
    auto replay = [&](const Violated& violated) {
      return certify::replay_violation(safety_, property, violated.trace);
    };
    auto recheck = [&](const Certificate& certificate, Budget& budget) {
      return certify::check_safety(safety_, property, certificate, budget);
    };
    return run(std::move(check), prove, replay, recheck);
  }

  // Does an ordinary process reach its own ERROR?
  Check error() {
    auto prove = [&](Check& c) {
      return check_error(pointers(model_.network), model_.priority(), budget_, request_.threads, c.cost);
    };
    auto replay = [&](const Violated& violated) { return certify::replay_error(model_.network, violated.trace); };
    auto recheck = [&](const Certificate& certificate, Budget& budget) {
      return certify::check_error_free(model_.network, certificate, budget);
    };
    return run(fresh("error", "monolithic", {all_names(model_.network)}), prove, replay, recheck);
  }

  Check deadlock() {
    std::vector<State> last;
    auto prove = [&](Check& c) {
      return check_deadlock(pointers(whole_), model_.priority(), budget_, request_.threads, c.cost, last);
    };
    auto replay = [&](const Violated& violated) { return certify::replay_deadlock(whole_, violated.trace, last); };
    auto recheck = [&](const Certificate& certificate, Budget& budget) {
      return certify::check_deadlock_free(whole_, certificate, budget);
    };
    return run(fresh("deadlock", "monolithic", {all_names(whole_)}), prove, replay, recheck);
  }

  std::vector<Check> progress(const std::vector<ProgressSet>& sets) {
    const double start = budget_.seconds_used();
    Cost cost;
    auto verdicts = check_progress_sets(pointers(whole_), sets, fairness(), model_.priority(), budget_, cost);
    std::vector<Check> checks;
    for (auto& [name, verdict] : verdicts) {
      Check check = fresh("progress", "monolithic", {all_names(whole_)});
      check.property = name;
      check.cost = cost;
      check.verdict = std::move(verdict);
      // The set is judged by what its cycle does, so a replay also says that nothing of the set happens in it.
      conclude(check, [&](const Violated& violated) -> std::optional<std::string> {
        for (const auto& set : sets)
          if (set.name == name && !project(violated.cycle, set.actions).empty()) return "the cycle makes progress";
        return certify::replay_cycle(whole_, violated.trace, violated.cycle);
      });
      check.time_s = budget_.seconds_used() - start;
      checks.push_back(std::move(check));
    }
    return checks;
  }

  Check ltl(const Assertion& assertion) {
    const double start = budget_.seconds_used();
    Check check = fresh("ltl", "monolithic", {all_names(whole_)});
    check.property = assertion.name;
    check.fluents = assertion.fluents;
    check.verdict = check_ltl(pointers(whole_), assertion, fairness(), model_.priority(), budget_, check.cost);
    conclude(check, [&](const Violated& violated) -> std::optional<std::string> {
      if (holds_on(assertion, violated.trace, violated.cycle)) return "the assertion holds on it";
      return certify::replay_cycle(whole_, violated.trace, violated.cycle);
    });
    check.time_s = budget_.seconds_used() - start;
    return check;
  }

 private:
  Fairness fairness() const { return request_.unfair ? Fairness::none : Fairness::choice; }

  // For checks whose proofs the checker cannot repeat: counterexamples are replayed all the same.
  template <class Replay>
  void conclude(Check& check, Replay replay) {
    if (const auto* violated = std::get_if<Violated>(&check.verdict)) {
      const auto wrong = replay(*violated);
      surety::check(!wrong, fmt::format("a counterexample does not replay: {}", wrong.value_or("")).c_str());
      check.certified = true;
    } else if (std::holds_alternative<Holds>(check.verdict)) {
      check.not_certified = "the checker knows safety only";
    }
  }

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
      if (!request_.certify)
        check.not_certified = "not asked for";
      else if (model_.priority() != nullptr)
        check.not_certified = "the checker does not know priorities";
      else
        certify(check, holds->certificate, used, recheck);
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
    certify::Judgement judgement{certify::Judgement::Kind::unfinished, describe(Stop::memory), {}, 0};
    try {
      judgement = recheck(certificate, budget);
    } catch (const std::bad_alloc&) {
      budget.stop(Stop::memory);  // the answer is not lost, only its re-check
    }
    using Kind = certify::Judgement::Kind;
    surety::check(judgement.kind != Kind::refused,
                  fmt::format("the checker refuses a proof: {}", judgement.reason).c_str());
    check.certified = judgement.kind == Kind::accepted;
    if (!check.certified && certificate.rule != "monolithic") {
      // A proof by parts that could not be checked again is no answer.
      auto assumptions = certificate.assumptions;
      check.verdict = Unknown{budget.why(), std::move(assumptions), "proved, but not checked again"};
      return;
    }
    if (!check.certified) check.not_certified = fmt::format("the re-check did not finish ({})", judgement.reason);
  }

  static Check fresh(const char* kind, const std::string& method, const Split& split) {
    Check check;
    check.kind = kind;
    check.method = method;
    check.split = split;
    return check;
  }

  const Request& request_;
  const Model& model_;
  Budget& budget_;
  Network safety_;
  Network whole_;
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

namespace {

// The properties meant by a name: a machine of the composite, or the process of that name inside one of its
// machines' names ("x:P", "SYS.P", "P(3)").
std::vector<const Property*> find_properties(const Model& model, const std::string& name) {
  auto base = [](std::string machine) {
    machine = machine.substr(0, machine.find('('));
    const auto at = machine.find_last_of(":.");
    return at == std::string::npos ? machine : machine.substr(at + 1);
  };
  std::vector<const Property*> found;
  for (const auto& property : model.properties)
    if (property.name == name) return {&property};
  for (const auto& property : model.properties)
    if (model.fsp && base(property.name) == name) found.push_back(&property);
  return found;
}

Outcome<Plan> make_plan(const Model& model, const std::vector<std::string>& names) {
  Plan plan;
  std::vector<const Property*> from_files;
  for (const auto& input : model.inputs)
    for (const auto& property : model.properties)
      if (input.role == Input::Role::property && property.name == input.name) from_files.push_back(&property);
  plan.safety = from_files;
  const bool has_error = std::any_of(model.network.components.begin(), model.network.components.end(),
                                     [](const Component& c) { return c.lts.error().has_value(); });
  std::vector<ProgressSet> sets;
  std::vector<std::string> assertions;
  if (model.fsp) {
    auto progress = model.fsp->progress();
    if (!progress) return bad_input(std::move(progress.error()));
    sets = std::move(*progress);
    assertions = model.fsp->assertions();
  }
  auto add_assertion = [&](const std::string& name) -> Outcome<void> {
    auto assertion = model.fsp->assertion(name);
    if (!assertion) return bad_input(std::move(assertion.error()));
    plan.assertions.push_back(std::move(*assertion));
    return {};
  };
  if (names.empty() && from_files.empty()) {
    for (const auto& property : model.properties) plan.safety.push_back(&property);
    plan.error = has_error;
    plan.deadlock = true;
    plan.progress = model.fsp != nullptr;
    plan.progress_sets = sets;
    for (const auto& name : assertions)
      if (auto added = add_assertion(name); !added) return tl::unexpected(std::move(added.error()));
    return plan;
  }
  for (const auto& name : names) {
    bool found = name == "deadlock" || name == "assert";
    plan.deadlock |= name == "deadlock";
    plan.error |= name == "assert";
    for (const auto* property : find_properties(model, name)) plan.safety.push_back(property), found = true;
    // "P" means every set of an indexed P[..] too.
    for (const auto& set : sets)
      if (set.name == name || set.name.rfind(name + ".", 0) == 0)
        plan.progress = found = true, plan.progress_sets.push_back(set);
    if (std::find(assertions.begin(), assertions.end(), name) != assertions.end()) {
      if (auto added = add_assertion(name); !added) return tl::unexpected(std::move(added.error()));
      found = true;
    }
    if (found) continue;
    std::vector<std::string> known{"deadlock", "assert"};
    for (const auto& property : model.properties) known.push_back(property.name);
    for (const auto& set : sets) known.push_back(set.name);
    known.insert(known.end(), assertions.begin(), assertions.end());
    const std::string near = nearest(name, known);
    return usage(
        fmt::format("there is no property '{}'", name),
        near.empty() ? fmt::format("there are: {}", fmt::join(known, ", ")) : fmt::format("did you mean '{}'?", near));
  }
  return plan;
}

Outcome<Split> choose_split(const Request& request, const Network& network) {
  const bool compositional = request.method != "monolithic";
  if (compositional && network.components.size() < 2)
    return usage(fmt::format("--method {} needs at least two components", request.method),
                 "give the system as several components, or use --method monolithic");
  if (request.split.empty()) return Split{};
  auto split = parse_split(request.split, network);
  if (!split) return split;
  if (compositional && split->size() != 2)
    return usage(fmt::format("--method {} needs a split in two, not in {}", request.method, split->size()),
                 "for example: --split \"a,b | c\"");
  return split;
}

}  // namespace

Outcome<Report> verify(const Request& request) {
  if (std::find(kMethods.begin(), kMethods.end(), request.method) == kMethods.end())
    return usage(fmt::format("there is no method '{}'", request.method),
                 fmt::format("this version has: {}", fmt::join(kMethods, ", ")));
  Budget budget(request.limits, request.interrupted, request.progress);
  Source source = request.source;
  std::vector<std::string> names;
  for (const auto& name : request.properties) {
    const bool file = is_model_file(name);
    if (file)
      source.property_files.push_back(name);
    else
      names.push_back(name);
  }
  auto model = load(source, budget);
  if (!model) return tl::unexpected(std::move(model.error()));
  if (auto added = add_outside_properties(*model, names); !added) return tl::unexpected(std::move(added.error()));

  Report report{std::move(*model), {}};
  auto plan = make_plan(report.model, names);
  if (!plan) return tl::unexpected(std::move(plan.error()));
  const Network& network = report.model.network;
  auto given = choose_split(request, network);
  if (!given) return tl::unexpected(std::move(given.error()));

  Verifier verifier(request, report.model, budget);
  for (const auto* property : plan->safety) {
    Split split = {all_names(network)};
    if (request.method != "monolithic") split = given->empty() ? default_split(network, *property) : *given;
    report.checks.push_back(verifier.safety(*property, split));
  }
  if (plan->error) report.checks.push_back(verifier.error());
  if (plan->deadlock) report.checks.push_back(verifier.deadlock());
  if (plan->progress)
    for (auto& check : verifier.progress(plan->progress_sets)) report.checks.push_back(std::move(check));
  for (const auto& assertion : plan->assertions) report.checks.push_back(verifier.ltl(assertion));
  return report;
}

}  // namespace surety::api
