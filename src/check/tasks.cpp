#include "check/tasks.hpp"

#include <algorithm>

#include "check/claim.hpp"
#include "check/deadlock.hpp"
#include "check/error.hpp"
#include "check/flavers.hpp"
#include "check/formula.hpp"
#include "check/ltl.hpp"
#include "check/program_states.hpp"
#include "check/progress.hpp"
#include "check/recheck.hpp"
#include "check/safety.hpp"
#include "check/whole_program.hpp"

namespace surety::api {
namespace {

bool is_reachability(const Subject& subject) { return !has_name(subject.kind); }

std::unique_ptr<Checkable> program_check(const CheckOptions& options, const Model& model, const Subject& subject) {
  if (std::holds_alternative<FormulaBlock>(subject.object))
    return std::make_unique<FormulaCheck>(options, model, subject);
  if (std::holds_alternative<TraceBlock>(subject.object))
    return std::make_unique<ProgramStates>(options, model, Subjects{subject});
  return std::make_unique<ClaimCheck>(options, model, subject);
}

// Work that is done when its turn has come.
Job job_of(const CheckOptions& options, const std::shared_ptr<Checkable>& checkable) {
  const Subject& subject = checkable->subject();
  return {subject.kind, subject.name,
          [&options, checkable](const Share& share) { return perform(*checkable, options, share); },
          options.tell.check(subject.id)};
}

class NetworkJobs {
 public:
  NetworkJobs(const Session& session, const Subjects& subjects)
      : session_(session),
        subjects_(std::make_shared<const Subjects>(subjects)),
        program_(std::make_shared<WholeProgram>(session.model())) {}

  Outcome<std::vector<Job>> make() {
    Subjects whole;
    for (const Subject& subject : *subjects_) {
      if (session_.model().parts && !is_by_parts(session_.model(), subject)) {
        whole.push_back(subject);
      } else if (auto added = add(subject); !added) {
        return tl::unexpected(std::move(added.error()));
      }
    }
    for (Job& job : program_jobs(session_.options(), session_.model(), whole)) put(std::move(job), false, false);
    if (session_.model().parts) std::ranges::stable_sort(jobs_, {}, [&](const Job& job) { return place_of(job); });
    return std::move(jobs_);
  }

 private:
  const Model& model() const { return session_.model(); }

  Outcome<void> add(const Subject& subject) {
    if (const Property* property = property_of(model(), subject)) return add_safety(subject, *property);
    if (const Property* assertions = model().assertions(); subject.kind == CheckKind::error && assertions != nullptr) {
      // An assertion of a program is a property like any other: by parts.
      if (session_.options().flavers) return add_flavers(subject, *assertions);
      put(job_of(session_.options(), std::make_shared<Safety>(session_, subject, *assertions, rule_for_one())), true,
          false);
    } else if (subject.kind == CheckKind::error) {
      put(job_of(session_.options(), std::make_shared<Error>(session_, subject)), true, false);
    } else if (subject.kind == CheckKind::deadlock) {
      put(job_of(session_.options(), std::make_shared<Deadlock>(session_, subject)), true, false);
    } else if (subject.kind == CheckKind::progress) {
      add_progress(subject);
    } else {
      return add_assertion(subject);
    }
    return {};
  }

  const Rule& rule_for_one() const {
    return session_.rule().property_per_side ? *find_rule(Method::sym) : session_.rule();
  }

  Outcome<void> add_flavers(const Subject& subject, const Property& property) {
    auto made = FlaversSafety::make(session_, subject, property);
    if (!made) return tl::unexpected(std::move(made.error()));
    put(job_of(session_.options(), std::move(*made)), true, false);
    return {};
  }

  Outcome<void> add_safety(const Subject& subject, const Property& property) {
    if (session_.options().flavers) return add_flavers(subject, property);
    if (!session_.rule().property_per_side) {
      put(job_of(session_.options(), std::make_shared<Safety>(session_, subject, property, session_.rule())), true,
          true);
      return {};
    }
    if (std::exchange(joint_, true)) return {};  // all were added with the first
    Subjects together;
    for (const Subject& other : *subjects_)
      if (property_of(model(), other) != nullptr) together.push_back(other);
    auto made = JointSafety::make(session_, std::move(together));
    if (!made) return tl::unexpected(std::move(made.error()));
    std::shared_ptr<JointSafety> joint = std::move(*made);
    Job job = job_of(session_.options(), joint);
    job.run = [joint, perform_all = std::move(job.run)](const Share& share) -> Outcome<Checks> {
      auto checks = perform_all(share);
      if (!checks) return checks;
      return joint->one_each(checks->front(), share);
    };
    put(std::move(job), true, true);
    return {};
  }

  // All progress sets in one job: they need the same graph.
  void add_progress(const Subject& first) {
    if (std::exchange(progress_, true)) return;
    std::vector<ProgressSet> sets;
    for (const Subject& subject : *subjects_)
      if (const auto* set = std::get_if<ProgressSet>(&subject.object); set != nullptr && !set->name.empty())
        sets.push_back(*set);
    put(job_of(session_.options(), std::make_shared<ProgressSets>(session_, first, std::move(sets))), true, false);
  }

  Outcome<void> add_assertion(const Subject& subject) {
    auto assertion = model().fsp->assertion(subject.name);
    if (!assertion) return bad_input(std::move(assertion.error()));
    put(job_of(session_.options(), std::make_shared<Ltl>(session_, subject, std::move(*assertion))), true, false);
    return {};
  }

  // `by_parts`: an answer is held against the whole program, if there is one. SPIN may have failed meanwhile, or have
  // no part in it though it was asked for.
  void put(Job job, bool by_parts, bool asks_spin) {
    auto run = [run = std::move(job.run), &session = session_, program = program_, by_parts, asks_spin,
                subjects = subjects_](const Share& share) -> Outcome<Checks> {
      auto checks = run(share);
      if (!checks) return checks;
      for (Check& check : *checks) {
        if (by_parts && session.model().parts) {
          program->replay(check, *subjects, share.budget);
          if (session.options().certify) program->confirm(check, *subjects, share.budget);
        }
        if (session.spin() != nullptr && !asks_spin) check.note = kNotSpin;
      }
      if (session.spin() != nullptr && !session.spin()->trouble().empty()) return bad_input(session.spin()->trouble());
      return checks;
    };
    jobs_.push_back({job.kind, std::move(job.property), std::move(run), job.tell});
  }

  // Among the subjects.
  std::ptrdiff_t place_of(const Job& job) const {
    const auto same = [&](const Subject& s) { return s.kind == job.kind && s.name == job.property; };
    return std::ranges::find_if(*subjects_, same) - subjects_->begin();
  }

  const Session& session_;
  std::shared_ptr<const Subjects> subjects_;  // of all jobs: there may be thousands
  std::shared_ptr<WholeProgram> program_;     // of the jobs
  std::vector<Job> jobs_;
  bool joint_ = false, progress_ = false;  // are among the jobs
};

}  // namespace

bool is_by_parts(const Model& model, const Subject& subject) {
  if (subject.kind == CheckKind::deadlock) return true;
  if (subject.kind == CheckKind::error) return model.parts->assertions.has_value();
  return property_of(model, subject) != nullptr;
}

Outcome<std::vector<Job>> network_jobs(const Session& session, const Subjects& subjects) {
  return NetworkJobs(session, subjects).make();
}

std::vector<Job> program_jobs(const CheckOptions& options, const Model& model, const Subjects& subjects) {
  std::vector<Job> jobs;
  Subjects states;  // asserts and end states: one search for both
  std::ranges::copy_if(subjects, std::back_inserter(states), is_reachability);
  for (const Subject& subject : subjects) {
    if (!is_reachability(subject))
      jobs.push_back(job_of(options, program_check(options, model, subject)));
    else if (subject.kind == states[0].kind)
      jobs.push_back(job_of(options, std::make_shared<ProgramStates>(options, model, states)));
  }
  return jobs;
}

}  // namespace surety::api
