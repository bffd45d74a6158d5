#include "check/run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "check/tasks.hpp"
#include "check/whole_program.hpp"
#include "decompose/portfolio/auto.hpp"
#include "load/apart.hpp"

namespace surety::api {
namespace {

constexpr const char* kWhole = "the whole program is searched instead";

bool is_about(const Check& check, const Subject& subject) {
  return subject.kind == check.kind && subject.name == check.property;
}

// What is found at once in the program as it is has the better trace, and need not wait for the parts. Each search has
// so many states.
constexpr std::uint64_t kQuickStates = 50'000;
struct QuickLook {
  Checks settled;
  Subjects rest;
};
Outcome<QuickLook> quick_look(const CheckOptions& options, const Model& model, const Subjects& subjects,
                              Budget& budget) {
  QuickLook out;
  Checks all;
  for (const Job& job : program_jobs(options, model, subjects)) {
    Limits limits;
    limits.states = kQuickStates;
    Budget look(budget, limits);
    auto checks = job.run({look, budget, 0, job.tell});
    if (!checks) return tl::unexpected(std::move(checks.error()));
    std::ranges::move(*checks, std::back_inserter(all));
  }
  const bool none_open = std::ranges::none_of(all, &Check::open);
  for (Check& check : all) {
    if (check.open() && budget.go_on()) continue;
    if (options.answered) options.answered(check);
    out.settled.push_back(std::move(check));
  }
  for (const Subject& subject : subjects) {
    const bool settled = std::ranges::any_of(out.settled, [&](const Check& c) { return is_about(c, subject); });
    const auto* assert = std::get_if<Assert>(&subject.object);
    const bool quiet = assert != nullptr && assert->shown_if_violated;  // not among the answers if nothing fails
    if (!settled && !(quiet && none_open)) out.rest.push_back(subject);
  }
  return out;
}

// In the order of the subjects.
Checks merged(Checks some, Checks others, const Subjects& subjects) {
  std::ranges::move(others, std::back_inserter(some));
  std::ranges::stable_sort(some, {}, [&](const Check& check) {
    return std::ranges::find_if(subjects, [&](const Subject& s) { return is_about(check, s); }) - subjects.begin();
  });
  return some;
}

// Why the program does not come apart, if it does not. If the parts are too large, there may still be room for a search
// of the whole.
std::optional<Diagnostic> try_to_take_apart(const CheckOptions& options, Model& model,
                                            const std::vector<std::string>& names, Budget& budget) {
  Limits limits;
  if (const auto left = budget.time_left()) limits.time = *left / 2;  // the other half is for the search
  Budget share(budget, limits);
  share.tell_whole();
  auto why_not = take_apart(model, share, formulas_for(names, options.spin.has_value()));
  if (share.why() == Stop::memory) give_back_memory();
  return why_not;
}

// Taking apart is part of the time of every answer.
void add_preparation(std::vector<Job>& jobs, double seconds) {
  for (Job& job : jobs)
    job.run = [run = std::move(job.run), left = std::make_shared<double>(seconds)](const Share& share) {
      auto checks = run(share);
      if (checks)
        for (Check& check : *checks) check.time_s += *left;
      *left = 0;  // what was tried before is added by the scheduler
      return checks;
    };
}

Outcome<Checks> check_whole_program(const CheckOptions& options, const Model& model, const Subjects& subjects,
                                    const std::optional<Diagnostic>& why_not, double prepared, Budget& budget) {
  std::string note;
  if (options.spin)
    note = kNotSpin;
  else if (why_not)
    note = fmt::format("{}{}; {}", why_not->message, why_not->line > 0 ? fmt::format(" (line {})", why_not->line) : "",
                       kWhole);
  auto jobs = program_jobs(options, model, subjects);
  for (Job& job : jobs)
    if (!note.empty())
      job.run = [run = std::move(job.run), note](const Share& share) {
        auto checks = run(share);
        if (checks)
          for (Check& check : *checks) check.note = note;
        return checks;
      };
  add_preparation(jobs, prepared);
  return run_in_turns(jobs, budget, options.answered);
}

// The parts say that nothing can fail.
void confirm_nothing_fails(const Model& model, Budget& budget) {
  Check nothing_fails;
  nothing_fails.kind = CheckKind::error;
  nothing_fails.verdict = Holds{};
  WholeProgram(model).confirm(nothing_fails, {{CheckKind::error, "", Assert{}}}, budget);
}

// By parts where that is possible.
Outcome<Checks> check_rest(const CheckOptions& options, Model& model, const Subjects& subjects,
                           const std::vector<std::string>& names, Budget& budget,
                           std::optional<spin::Statistics>& spin) {
  const double start = budget.seconds_used();
  std::optional<Diagnostic> why_not;
  if (options.method != Method::monolithic || options.spin || options.flavers)
    why_not = try_to_take_apart(options, model, names, budget);
  const double prepared = budget.seconds_used() - start;
  if (why_not && options.flavers && why_not->hint.empty())
    why_not->hint = "--engine flavers needs a program that comes apart; leave it out to search the whole";
  if (why_not && (options.spin || options.flavers)) return bad_input({std::move(*why_not)});
  const Rule& rule = *find_method(options.method);
  const bool too_few = rule.sides != Rule::Sides::one && model.network.components.size() < 2;
  const auto by_parts = [&](const Subject& subject) { return is_by_parts(model, subject); };
  if (!model.parts || too_few || std::ranges::none_of(subjects, by_parts))
    return check_whole_program(options, model, subjects, why_not, prepared, budget);
  Subjects asked = subjects;
  if (!model.parts->assertions)  // nothing can fail
    std::erase_if(asked, [&](const Subject& s) { return s.kind == CheckKind::error && names.empty(); });
  auto session = Session::open(options, model, budget);
  if (!session) return tl::unexpected(std::move(session.error()));
  auto jobs = network_jobs(**session, asked);
  if (!jobs) return tl::unexpected(std::move(jobs.error()));
  add_preparation(*jobs, prepared);
  auto checks = run_in_turns(*jobs, budget, options.answered);
  if (checks && options.certify && !model.parts->assertions) confirm_nothing_fails(model, budget);
  if ((*session)->spin() != nullptr) spin = (*session)->spin()->statistics();
  return checks;
}

}  // namespace

Outcome<Checks> check_network(const CheckOptions& options, const Model& model, const Subjects& subjects,
                              Budget& budget) {
  auto session = Session::open(options, model, budget);
  if (!session) return tl::unexpected(std::move(session.error()));
  auto jobs = network_jobs(**session, subjects);
  if (!jobs) return tl::unexpected(std::move(jobs.error()));
  return run_in_turns(*jobs, budget, options.answered);
}

Outcome<Checks> check_program(const CheckOptions& options, Model& model, const Subjects& subjects,
                              const std::vector<std::string>& names, Budget& budget,
                              std::optional<spin::Statistics>& spin) {
  QuickLook quick{{}, subjects};
  if (options.method == Method::automatic) {
    auto looked = quick_look(options, model, subjects, budget);
    if (!looked) return tl::unexpected(std::move(looked.error()));
    quick = std::move(*looked);
    if (quick.rest.empty()) return std::move(quick.settled);
  }
  auto rest = check_rest(options, model, quick.rest, names, budget, spin);
  if (!rest) return rest;
  return merged(std::move(quick.settled), std::move(*rest), subjects);
}

Outcome<Checks> check_all_sizes(const CheckOptions& options, const SizesRange& range, const Sizes& sizes,
                                const Model& model, const Subjects& subjects, Budget& budget) {
  std::vector<Job> jobs;
  for (const Subject& subject : subjects) {
    if (subject.kind == CheckKind::safety) {
      auto check = std::make_shared<AllSizes>(options, sizes, range.from, model, subject);
      jobs.push_back({subject.kind, subject.name,
                      [&options, check](const Share& share) { return perform(*check, options, share); },
                      options.tell.check(subject.id)});
      continue;
    }
    const auto at_size = [&](const Share& share) -> Outcome<Checks> {
      return Checks{one_by_one(range, subject, share, [&](int size, const Limits& limits) -> Outcome<Checks> {
        auto instance = sizes.at(size);
        if (!instance) return tl::unexpected(std::move(instance.error()));
        auto all = all_subjects(*instance);
        if (!all) return tl::unexpected(std::move(all.error()));
        const auto same = [&](const Subject& s) { return s.kind == subject.kind && s.name == subject.name; };
        const auto its = std::ranges::find_if(*all, same);
        Budget effort(share.budget, limits);
        CheckOptions quiet = options;
        quiet.answered = {};  // the answer is about all sizes
        quiet.tell = {};      // and so is what is told
        return check_network(quiet, *instance, {its == all->end() ? subject : *its}, effort);
      })};
    };
    jobs.push_back({subject.kind, subject.name, at_size, options.tell.check(subject.id)});
  }
  return run_in_turns(jobs, budget, options.answered);
}

}  // namespace surety::api
