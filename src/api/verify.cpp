// One request: load, run the chosen method on every check, have the answer
// checked again by `certify`, as far as it can, before it is reported.

#include "api/verify.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "api/all_sizes.hpp"
#include "api/apart.hpp"
#include "api/assumption.hpp"
#include "api/error_property.hpp"
#include "api/plan.hpp"
#include "api/promela.hpp"
#include "api/spin.hpp"
#include "api/turns.hpp"
#include "api/whole_program.hpp"
#include "base/check.hpp"
#include "certify/certify.hpp"
#include "decompose/portfolio/auto.hpp"
#include "decompose/properties/prove_split.hpp"
#include "rules/liveness.hpp"
#include "rules/monolithic.hpp"
#include "rules/rules.hpp"
#include "rules/symbolic.hpp"

namespace surety::api {
namespace {

// How long the checker may take for an answer that was found in `seconds`, if the user set no limit.
// A compositional proof is small and always finishes; re-searching a whole product plainly may not.
constexpr double kRecheckSeconds = 2;
constexpr double kRecheckFactor = 2;

// For auto, fat processes come apart if that is found out in no time.
constexpr FspCells kAutoCells{.whole_states = 1'000, .join = false, .most_work = 300'000};

constexpr const char* kWhole = "the whole program was searched";
constexpr const char* kNotSpin = "SPIN was asked about properties only; this is the native engine's answer";

// What the network of a program does not know: of the names, or of all that there is.
std::vector<std::string> not_by_parts(const PromelaNetwork& parts, const std::vector<std::string>& names) {
  if (names.empty()) return parts.left_out;
  std::vector<std::string> out;
  for (const auto& name : names)
    if (std::ranges::find(parts.left_out, name) != parts.left_out.end() || (name == "assert" && !parts.assertions))
      out.push_back(name);
  return out;
}

// A small program is searched as it is: that has the better traces. Nothing: it is not small.
constexpr std::uint64_t kQuickStates = 50'000;
Outcome<std::vector<Check>> quick_look(const Request& request, const Model& model,
                                       const std::vector<std::string>& names, Budget& budget) {
  Limits limits;
  limits.states = kQuickStates;
  Budget look(budget, limits);
  auto jobs = promela_jobs(request, model, names);
  if (!jobs) return tl::unexpected(std::move(jobs.error()));
  auto checks = run_all(*jobs, look);
  const auto open = [](const Check& check) { return std::holds_alternative<Unknown>(check.verdict); };
  if (checks && budget.go_on() && std::ranges::any_of(*checks, open)) checks->clear();
  return checks;
}

// All but those that the whole program has answered.
void confirm_proofs(Report& report, const std::vector<std::string>& as_a_whole, Budget& budget) {
  WholeProgram program(report.model);
  if (!report.model.parts->assertions) {  // the parts say that nothing can fail
    Check nothing_fails;
    nothing_fails.kind = "error";
    nothing_fails.verdict = Holds{};
    program.confirm(nothing_fails, budget);
  }
  for (Check& check : report.checks)
    if (std::ranges::find(as_a_whole, check.property) == as_a_whole.end()) program.confirm(check, budget);
}

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

class Verifier {
 public:
  Verifier(const Request& request, const Model& model)
      : request_(request), model_(model), safety_(safety_network(model)), whole_(whole_network(model)) {}

  Outcome<void> use_spin(Budget& budget) {
    auto checker = make_spin(request_.spin_mode, model_, safety_, {}, budget);
    if (!checker) return tl::unexpected(std::move(checker.error()));
    spin_ = std::move(*checker);
    return {};
  }
  const spin::SpinChecker* spin() const { return spin_.get(); }

  // Reads the assumptions that the request names.
  Outcome<void> read_assumptions() {
    if (!request_.assumption.empty()) {
      auto lts = read_assumption(request_.assumption, model_);
      if (!lts) return tl::unexpected(std::move(lts.error()));
      Alphabet known = alphabet_of(model_.network);
      for (const Property& property : model_.properties) known = unite(known, property.lts.alphabet());
      for (const Action a : subtract(lts->alphabet(), known)) {
        const std::string name(model_.actions->name(a));
        const std::string near = nearest(name, sorted_names(*model_.actions, known));
        return bad_input(
            {file_error(request_.assumption, fmt::format("no component has the action '{}' of this assumption", name),
                        near.empty() ? "" : fmt::format("did you mean '{}'?", near))});
      }
      supplied_ = std::move(*lts);
    }
    for (const auto& where : request_.seed_assumptions) {
      auto lts = read_assumption(where, model_);
      if (!lts) return tl::unexpected(std::move(lts.error()));
      seeds_.push_back(std::move(*lts));
    }
    return {};
  }

  Check safety(const Property& property, const std::string& method, const Split& split, const Share& share,
               const std::string& kind = "safety") {
    Check check = fresh(kind.c_str(), method, split);
    if (kind != "error") check.property = property.name;
    if (model_.priority() != nullptr && check.method != "monolithic") {
      check.note = fmt::format("{} does not know priorities; the whole product was searched", check.method);
      check.method = "monolithic";
      check.split = {all_names(model_.network)};
    }
    auto prove = [&](Check& c) {
      if (model_.priority() != nullptr)
        return check_property(pointers(safety_), property.lts, model_.priority(), context(share, c.cost));
      Context its = context(share, c.cost);
      if (kind == "error") its.checker = nullptr;  // SPIN is asked about properties only
      return prove_by(*find_method(c.method), goal(safety_, c.split, {&property}), its);
    };
    auto replay = [&](const Violated& violated) {
      return certify::replay_violation(safety_, property, violated.trace);
    };
    auto recheck = [&](const Certificate& certificate, Budget& budget) {
      return certify::check_safety(safety_, {&property}, certificate, budget);
    };
    return run(std::move(check), share, prove, replay, recheck);
  }

  // Rule sym-2: a property a side, all proved at once. A violation is one of theirs; the others are then proved one by
  // one with the rule for one property.
  std::vector<Check> safety_together(const std::vector<const Property*>& properties, const Split& split,
                                     const Share& share) {
    Check together = fresh("safety", request_.method, split);
    const Property* violated_one = nullptr;
    auto prove = [&](Check& c) {
      return find_rule(c.method)->prove(goal(safety_, split, properties), context(share, c.cost));
    };
    auto replay = [&](const Violated& violated) -> std::optional<std::string> {
      for (const Property* property : properties)
        if (!certify::replay_violation(safety_, *property, violated.trace)) {
          violated_one = property;
          return std::nullopt;
        }
      return "it violates none of the properties";
    };
    auto recheck = [&](const Certificate& certificate, Budget& budget) {
      return certify::check_safety(safety_, properties, certificate, budget);
    };
    together = run(std::move(together), share, prove, replay, recheck);
    std::vector<Check> checks;
    for (const Property* property : properties) {
      if (violated_one != nullptr && property != violated_one) {
        checks.push_back(safety(*property, "sym", split, share));
        checks.back().note = fmt::format("{} ended with the violation of {}", request_.method, violated_one->name);
        continue;
      }
      checks.push_back(together);
      checks.back().property = property->name;
      if (auto* holds = std::get_if<Holds>(&checks.back().verdict))
        for (const Property* side : properties) holds->certificate.properties.push_back(side->name);
    }
    return checks;
  }

  // Does an ordinary process reach its own ERROR?
  Check error(const Split& given, const Share& share) {
    const Rule& asked = *find_method(request_.method);
    const Rule& rule = asked.property_a_side ? *find_rule("sym") : asked;
    const bool plain = model_.priority() != nullptr || rule.name == "monolithic";
    const ErrorProperty question = plain ? ErrorProperty{} : error_property(model_);
    auto prove = [&](Check& c) -> Verdict {
      if (plain) return check_error(pointers(model_.network), model_.priority(), context(share, c.cost));
      Verdict verdict = prove_by(rule, goal(question.network, c.split, {&question.property}), context(share, c.cost));
      if (auto* violated = std::get_if<Violated>(&verdict)) violated->trace = until_error(model_, violated->trace);
      return verdict;
    };
    auto replay = [&](const Violated& violated) { return certify::replay_error(model_.network, violated.trace); };
    auto recheck = [&](const Certificate& certificate, Budget& budget) {
      return certify_no_error(model_, certificate, budget);
    };
    const Split split =
        plain ? Split{all_names(model_.network)} : choose_split(rule, given, question.network, question.property);
    return run(fresh("error", plain ? "monolithic" : rule.name, split), share, prove, replay, recheck);
  }

  Check deadlock(const Share& share) {
    std::vector<State> last;
    const bool plain = model_.priority() != nullptr || (request_.method != "symbolic" && request_.method != kAuto.name);
    auto prove = [&](Check& c) {
      if (c.method == "symbolic") return check_deadlock_symbolic(pointers(whole_), share.budget, c.cost, last);
      if (c.method == kAuto.name) return check_deadlock_auto(pointers(whole_), context(share, c.cost), last);
      return check_deadlock(pointers(whole_), model_.priority(), context(share, c.cost), last);
    };
    auto replay = [&](const Violated& violated) { return certify::replay_deadlock(whole_, violated.trace, last); };
    auto recheck = [&](const Certificate& certificate, Budget& budget) {
      return certify::check_deadlock_free(whole_, certificate, budget);
    };
    Check check = fresh("deadlock", plain ? "monolithic" : request_.method, {all_names(whole_)});
    check = run(std::move(check), share, prove, replay, recheck);
    check.last = std::move(last);
    return check;
  }

  std::vector<Check> progress(const std::vector<ProgressSet>& sets, const Share& share) {
    const double start = share.budget.seconds_used();
    Cost cost;
    auto verdicts = check_progress_sets(pointers(whole_), sets, fairness(), model_.priority(), share.budget, cost);
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
      check.time_s = share.budget.seconds_used() - start;
      checks.push_back(std::move(check));
    }
    return checks;
  }

  Check ltl(const Assertion& assertion, const Share& share) {
    const double start = share.budget.seconds_used();
    Check check = fresh("ltl", "monolithic", {all_names(whole_)});
    check.property = assertion.name;
    check.fluents = assertion.fluents;
    check.verdict = check_ltl(pointers(whole_), assertion, fairness(), model_.priority(), share.budget, check.cost);
    conclude(check, [&](const Violated& violated) -> std::optional<std::string> {
      if (holds_on(assertion, violated.trace, violated.cycle)) return "the assertion holds on it";
      return certify::replay_cycle(whole_, violated.trace, violated.cycle);
    });
    check.time_s = share.budget.seconds_used() - start;
    return check;
  }

 private:
  static Verdict prove_by(const Rule& rule, const ProofGoal& task, const Context& context) {
    return rule.by_conjuncts ? prove_split(rule, task, context) : rule.prove(task, context);
  }
  static ProofGoal goal(const Network& network, const Split& split, const std::vector<const Property*>& properties) {
    ProofGoal out;
    for (const auto& side : split) out.sides.push_back(components(network, side));
    out.names = split;
    for (const Property* property : properties) out.properties.push_back(&property->lts);
    return out;
  }
  Context context(const Share& share, Cost& cost) const {
    return {share.budget,
            cost,
            request_.threads,
            *learner_from_name(request_.learner),
            request_.alphabet == "full" ? AlphabetMode::full : AlphabetMode::refine,
            supplied_ ? &*supplied_ : nullptr,
            &seeds_,
            *reduction_from_name(request_.reduction),
            spin_.get()};
  }

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
  Check run(Check check, const Share& share, Prove prove, Replay replay, Recheck recheck) {
    const double start = share.budget.seconds_used();
    check.verdict = prove(check);
    const double used = share.budget.seconds_used() - start;
    check.by_auto = check.method == kAuto.name;
    if (check.by_auto && !std::holds_alternative<Unknown>(check.verdict))
      check.method = check.cost.attempts.back().method;
    if (auto* violated = std::get_if<Violated>(&check.verdict)) {
      const auto wrong = replay(*violated);
      surety::check(!wrong, fmt::format("a counterexample does not replay: {}", wrong.value_or("")).c_str());
      check.certified = true;
    } else if (auto* holds = std::get_if<Holds>(&check.verdict)) {
      auto& split = holds->certificate.split;
      split.empty() ? split = check.split : check.split = split;  // a rule may have chosen its own
      if (!request_.certify)
        check.not_certified = "not asked for";
      else if (model_.priority() != nullptr)
        check.not_certified = "the checker does not know priorities";
      else
        certify(check, holds->certificate, share, used, recheck);
    }
    check.time_s = share.budget.seconds_used() - start;
    return check;
  }

  template <class Recheck>
  void certify(Check& check, const Certificate& certificate, const Share& share, double used, Recheck recheck) {
    share.budget.phase("re-check");
    // Of the whole state space: an answer even if the checker cannot repeat it.
    const bool whole = certificate.rule == "monolithic" || certificate.rule == "symbolic";
    Limits limits;
    limits.memory = share.budget.memory_limit();
    limits.time = share.for_recheck();
    // Nor may it use up all the time where it hardly ever can: a reduced search has left out most of what it repeats.
    const std::chrono::milliseconds patience(
        static_cast<long>(1000 * std::max(kRecheckSeconds, kRecheckFactor * used)));
    if ((!limits.time && whole) || (check.cost.reduced && certificate.rule == "monolithic"))
      limits.time = std::min<std::chrono::nanoseconds>(patience, limits.time.value_or(patience));
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
    if (!check.certified && !whole) {
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
  Network safety_;
  Network whole_;
  std::optional<Lts> supplied_;
  std::vector<Lts> seeds_;
  std::unique_ptr<spin::SpinChecker> spin_;  // null: the native engine
};

using Checks = std::vector<Check>;

Checks just(Check check) {
  Checks out;
  out.push_back(std::move(check));
  return out;
}

// A job that SPIN has no part in, though it was asked for.
Job without_spin(Job job) {
  auto noted = [run = std::move(job.run)](const Share& share) {
    auto checks = run(share);
    if (checks)
      for (Check& check : *checks) check.note = kNotSpin;
    return checks;
  };
  return {std::move(job.kind), std::move(job.property), std::move(noted)};
}

// What the plan asks for, in the order of the report. All that is given here must outlive the jobs.
class JobList {
 public:
  JobList(const Plan& plan, const Rule& rule, const Split& given, const Model& model, Verifier& verifier)
      : plan_(plan), rule_(rule), given_(given), model_(model), verifier_(verifier) {}

  Outcome<std::vector<Job>> make() {
    if (rule_.property_a_side && !plan_.safety.empty()) {
      if (auto added = add_together(); !added) return tl::unexpected(std::move(added.error()));
    } else {
      for (const Property* property : plan_.safety) add_safety(*property, rule_, kind_of(model_, *property));
    }
    const std::size_t properties = jobs_.size();
    // An assertion of a Promela process is a property like any other: by parts.
    if (plan_.error && model_.parts)
      add_safety(*model_.parts->assertions, rule_.property_a_side ? *find_rule("sym") : rule_, "error");
    else if (plan_.error)
      add("error", "", [&v = verifier_, &given = given_](const Share& share) { return just(v.error(given, share)); });
    if (plan_.deadlock) add("deadlock", "", [&v = verifier_](const Share& share) { return just(v.deadlock(share)); });
    if (plan_.progress)
      add("progress", "",
          [&v = verifier_, &sets = plan_.progress_sets](const Share& share) { return v.progress(sets, share); });
    for (const Assertion& assertion : plan_.assertions)
      add("ltl", assertion.name,
          [&v = verifier_, &assertion](const Share& share) { return just(v.ltl(assertion, share)); });
    if (verifier_.spin() != nullptr)
      for (std::size_t i = properties; i < jobs_.size(); ++i) jobs_[i] = without_spin(std::move(jobs_[i]));
    return std::move(jobs_);
  }

 private:
  // Work that is done when its turn has come. SPIN may have failed then.
  template <class Work>
  void add(const std::string& kind, const std::string& property, Work work) {
    jobs_.push_back({kind, property, [work, &v = verifier_, &model = model_](const Share& share) -> Outcome<Checks> {
                       Checks checks = work(share);
                       if (model.parts)
                         for (Check& check : checks) WholeProgram(model).replay(check, share.budget);
                       if (v.spin() != nullptr && !v.spin()->trouble().empty()) return bad_input(v.spin()->trouble());
                       return checks;
                     }});
  }

  void add_safety(const Property& property, const Rule& rule, const std::string& kind) {
    add(kind, property.name,
        [&v = verifier_, &property, &rule, kind, split = choose_split(rule, given_, model_.network, property)](
            const Share& share) { return just(v.safety(property, rule.name, split, share, kind)); });
  }

  Outcome<void> add_together() {
    const Split split = choose_split(rule_, given_, model_.network, *plan_.safety[0]);
    if (plan_.safety.size() != split.size())
      return usage(fmt::format("--method {} takes one property a side: {}, not {}", rule_.name, split.size(),
                               plan_.safety.size()),
                   "name them in the order of the sides: --property P1 --property P2");
    add("safety", plan_.safety[0]->name, [&v = verifier_, &properties = plan_.safety, split](const Share& share) {
      return v.safety_together(properties, split, share);
    });
    return {};
  }

  const Plan& plan_;
  const Rule& rule_;
  const Split& given_;
  const Model& model_;
  Verifier& verifier_;
  std::vector<Job> jobs_;
};

}  // namespace

std::vector<std::string> method_names() {
  std::vector<std::string> out{kAuto.name};
  for (const Rule& rule : all_rules()) out.push_back(rule.name);
  return out;
}

std::vector<std::string> options_of(const std::string& method) {
  const Rule* rule = find_method(method);
  if (rule == nullptr || rule->sides == Rule::Sides::one) return {};
  std::vector<std::string> out{"split"};
  if (rule->refines) out.push_back("alphabet");
  if (rule->learns) out.insert(out.end(), {"learner", "queries", "seed-assumption"});
  if (rule->name == "asym") out.push_back("assumption");
  return out;
}

std::string verdict_name(const Verdict& verdict) {
  if (std::holds_alternative<Holds>(verdict)) return "holds";
  return std::holds_alternative<Violated>(verdict) ? "violated" : "unknown";
}

std::optional<std::uint64_t> whole_states(const Report& report) {
  std::optional<std::uint64_t> states;
  for (const auto& check : report.checks)
    if (check.method == "monolithic" && std::holds_alternative<Holds>(check.verdict) && !check.cost.reduced)
      states = std::max(states.value_or(0), check.cost.max_states);
  return states;
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
  if (request.all_sizes) return verify_all_sizes(request);
  if (auto ok = check_words(request); !ok) return tl::unexpected(std::move(ok.error()));
  const Rule& rule = *find_method(request.method);
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
  if (source.cells && rule.name == "minimise") source.cells->join = true;  // it multiplies components
  if (!source.cells && rule.name == kAuto.name) source.cells = kAutoCells;
  auto model = load(source, budget);
  if (!model) return tl::unexpected(std::move(model.error()));
  if (auto added = add_outside_properties(*model, names, &budget); !added)
    return tl::unexpected(std::move(added.error()));

  Report report{std::move(*model), {}, {}};
  const std::vector<std::string> asked = names;
  std::vector<std::string> as_a_whole;  // what the parts of a program cannot answer
  if (report.model.promela) {
    if (auto ok = check_names(report.model, names); !ok) return tl::unexpected(std::move(ok.error()));
    if (rule.name == kAuto.name) {
      auto quick = quick_look(request, report.model, names, budget);
      if (!quick) return tl::unexpected(std::move(quick.error()));
      report.checks = std::move(*quick);
      if (!report.checks.empty()) return report;
    }
    std::optional<Diagnostic> why_not;
    const bool spin = request.engine == "spin";
    if (rule.name != "monolithic" || spin) {
      // If the parts are too large, there may still be room for a search of the whole.
      Budget share(budget, {});
      share.tell_whole();
      why_not = take_apart(report.model, share, formulas_for(names, spin));
      if (share.why() == Stop::memory) give_back_memory();
    }
    if (why_not && spin) return bad_input({std::move(*why_not)});
    const bool too_few = rule.sides != Rule::Sides::one && report.model.network.components.size() < 2;
    if (report.model.parts) as_a_whole = not_by_parts(*report.model.parts, names);
    if (!report.model.parts || too_few || (!names.empty() && as_a_whole.size() == names.size())) {
      auto jobs = promela_jobs(request, report.model, names);
      if (!jobs) return tl::unexpected(std::move(jobs.error()));
      auto checks = take_turns(*jobs, budget);
      if (!checks) return tl::unexpected(std::move(checks.error()));
      report.checks = std::move(*checks);
      for (auto& check : report.checks)
        if (spin)
          check.note = kNotSpin;
        else if (why_not)
          check.note = fmt::format("{} (line {}); {}", why_not->message, why_not->line, kWhole);
      return report;
    }
    std::erase_if(names, [&](const auto& name) { return std::ranges::find(as_a_whole, name) != as_a_whole.end(); });
  }
  auto plan = make_plan(report.model, names);
  if (!plan) return tl::unexpected(std::move(plan.error()));
  auto given = given_split(request, rule, report.model.network);
  if (!given) return tl::unexpected(std::move(given.error()));

  Verifier verifier(request, report.model);
  if (auto read = verifier.read_assumptions(); !read) return tl::unexpected(std::move(read.error()));
  if (request.engine == "spin")
    if (auto used = verifier.use_spin(budget); !used) return tl::unexpected(std::move(used.error()));
  auto jobs = JobList(*plan, rule, *given, report.model, verifier).make();
  if (!jobs) return tl::unexpected(std::move(jobs.error()));
  if (!as_a_whole.empty()) {
    auto more = promela_jobs(request, report.model, as_a_whole);
    if (!more) return tl::unexpected(std::move(more.error()));
    for (Job& job : *more) jobs->push_back(verifier.spin() != nullptr ? without_spin(std::move(job)) : std::move(job));
  }
  if (report.model.promela) sort_as_written(report.model, asked, *jobs);
  auto checks = take_turns(*jobs, budget);
  if (!checks) return tl::unexpected(std::move(checks.error()));
  report.checks = std::move(*checks);
  if (report.model.parts && request.certify) confirm_proofs(report, as_a_whole, budget);
  if (verifier.spin() != nullptr) report.spin = verifier.spin()->statistics();
  return report;
}

}  // namespace surety::api
