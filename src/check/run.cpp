#include "check/run.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "check/tasks.hpp"
#include "check/whole_program.hpp"
#include "decompose/portfolio/auto.hpp"
#include "load/apart.hpp"

namespace surety::api {
namespace {

constexpr const char* kWhole = "the whole program was searched";

// A small program is searched as it is: that has the better traces. Nothing: it is not small.
constexpr std::uint64_t kQuickStates = 50'000;
Outcome<Checks> quick_look(const CheckOptions& options, const Model& model, const Subjects& subjects, Budget& budget) {
  Limits limits;
  limits.states = kQuickStates;
  Budget look(budget, limits);
  auto checks = run_all(program_jobs(options, model, subjects), look);
  if (checks && budget.go_on() && std::ranges::any_of(*checks, &Check::open)) checks->clear();
  return checks;
}

// Why the program does not come apart, if it does not. If the parts are too large, there may still be room for a search
// of the whole.
std::optional<Diagnostic> try_to_take_apart(const CheckOptions& options, Model& model,
                                            const std::vector<std::string>& names, Budget& budget) {
  Budget share(budget, {});
  share.tell_whole();
  auto why_not = take_apart(model, share, formulas_for(names, options.spin.has_value()));
  if (share.why() == Stop::memory) give_back_memory();
  return why_not;
}

Outcome<Checks> check_whole_program(const CheckOptions& options, const Model& model, const Subjects& subjects,
                                    const std::optional<Diagnostic>& why_not, Budget& budget) {
  auto checks = run_in_turns(program_jobs(options, model, subjects), budget);
  if (!checks) return checks;
  for (Check& check : *checks) {
    if (options.spin)
      check.note = kNotSpin;
    else if (why_not)
      check.note = fmt::format("{} (line {}); {}", why_not->message, why_not->line, kWhole);
  }
  return checks;
}

// All but those that the whole program has answered.
void confirm_proofs(const Model& model, const Subjects& subjects, Checks& checks, Budget& budget) {
  WholeProgram program(model);
  if (!model.parts->assertions) {  // the parts say that nothing can fail
    Check nothing_fails;
    nothing_fails.kind = CheckKind::error;
    nothing_fails.verdict = Holds{};
    program.confirm(nothing_fails, {{CheckKind::error, "", Assert{}}}, budget);
  }
  for (Check& check : checks) {
    const auto same = [&](const Subject& s) { return s.kind == check.kind && s.name == check.property; };
    const auto subject = std::ranges::find_if(subjects, same);
    if (subject != subjects.end() && is_by_parts(model, *subject)) program.confirm(check, subjects, budget);
  }
}

}  // namespace

Outcome<Checks> check_network(const CheckOptions& options, const Model& model, const Subjects& subjects,
                              Budget& budget) {
  auto session = Session::open(options, model, budget);
  if (!session) return tl::unexpected(std::move(session.error()));
  auto jobs = network_jobs(**session, subjects);
  if (!jobs) return tl::unexpected(std::move(jobs.error()));
  return run_in_turns(*jobs, budget);
}

Outcome<Checks> check_program(const CheckOptions& options, Model& model, const Subjects& subjects,
                              const std::vector<std::string>& names, Budget& budget,
                              std::optional<spin::Statistics>& spin) {
  if (options.method == Method::automatic) {
    auto quick = quick_look(options, model, subjects, budget);
    if (!quick || !quick->empty()) return quick;
  }
  std::optional<Diagnostic> why_not;
  if (options.method != Method::monolithic || options.spin) why_not = try_to_take_apart(options, model, names, budget);
  if (why_not && options.spin) return bad_input({std::move(*why_not)});
  const Rule& rule = *find_method(options.method);
  const bool too_few = rule.sides != Rule::Sides::one && model.network.components.size() < 2;
  const auto by_parts = [&](const Subject& subject) { return is_by_parts(model, subject); };
  if (!model.parts || too_few || std::ranges::none_of(subjects, by_parts))
    return check_whole_program(options, model, subjects, why_not, budget);
  Subjects asked = subjects;
  if (!model.parts->assertions)  // nothing can fail
    std::erase_if(asked, [&](const Subject& s) { return s.kind == CheckKind::error && names.empty(); });
  auto session = Session::open(options, model, budget);
  if (!session) return tl::unexpected(std::move(session.error()));
  auto jobs = network_jobs(**session, asked);
  if (!jobs) return tl::unexpected(std::move(jobs.error()));
  auto checks = run_in_turns(*jobs, budget);
  if (checks && options.certify) confirm_proofs(model, asked, *checks, budget);
  if ((*session)->spin() != nullptr) spin = (*session)->spin()->statistics();
  return checks;
}

Outcome<Checks> check_all_sizes(const CheckOptions& options, const SizesRange& range, const Sizes& sizes,
                                const Model& model, const Subjects& subjects, Budget& budget) {
  std::vector<Job> jobs;
  for (const Subject& subject : subjects) {
    if (subject.kind == CheckKind::safety) {
      auto check = std::make_shared<AllSizes>(options, sizes, range.from, model, subject);
      jobs.push_back({subject.kind, subject.name,
                      [&options, check](const Share& share) { return perform(*check, options, share); }});
      continue;
    }
    const auto at_size = [&](const Share& share) -> Outcome<Checks> {
      return Checks{one_by_one(range, subject, share.budget, [&](int size, const Limits& limits) -> Outcome<Checks> {
        auto instance = sizes.at(size);
        if (!instance) return tl::unexpected(std::move(instance.error()));
        auto all = all_subjects(*instance);
        if (!all) return tl::unexpected(std::move(all.error()));
        const auto same = [&](const Subject& s) { return s.kind == subject.kind && s.name == subject.name; };
        const auto its = std::ranges::find_if(*all, same);
        Budget effort(share.budget, limits);
        return check_network(options, *instance, {its == all->end() ? subject : *its}, effort);
      })};
    };
    jobs.push_back({subject.kind, subject.name, at_size});
  }
  return run_in_turns(jobs, budget);
}

}  // namespace surety::api
