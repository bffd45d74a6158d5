#include "check/scheduler.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

namespace surety::api {
namespace {

constexpr int kLook = 8;  // this part of the time is for the first round

bool stopped_by_time(const Check& check) {
  const auto* unknown = std::get_if<Unknown>(&check.verdict);
  return unknown != nullptr && unknown->why == Stop::time;
}

// What was tried before counts as well, though nothing of it was used. An answer is never given up for none.
Checks later(Checks before, Checks now) {
  for (Check& check : now)
    for (Check& earlier : before)
      if (earlier.kind == check.kind && earlier.property == check.property) {
        if (check.open() && !earlier.open()) std::swap(check, earlier);
        check.time_s += earlier.time_s;
        check.cost.states += earlier.cost.states;
        check.cost.transitions += earlier.cost.transitions;
      }
  return now;
}

void tell(const Checks& checks, const Answered& answered) {
  if (answered) std::ranges::for_each(checks, answered);
}

Checks joined(std::vector<Checks> lists) {
  Checks all;
  for (Checks& list : lists) std::ranges::move(list, std::back_inserter(all));
  return all;
}

}  // namespace

CheckScheduler::CheckScheduler(std::size_t jobs) : had_(jobs), round_(jobs) {
  std::iota(round_.begin(), round_.end(), 0);
}

std::optional<CheckScheduler::Turn> CheckScheduler::next(Time left) {
  while (true) {
    if (at_ == round_.size()) {
      if (again_.empty()) return std::nullopt;
      round_ = std::exchange(again_, {});
      at_ = 0;
      first_ = false;
    }
    const std::size_t job = round_[at_++];
    const std::size_t to_come = round_.size() - at_, others = to_come + again_.size();
    const Time equal = left / static_cast<Time::rep>(to_come + 1);
    if (!look_) look_ = equal / kLook;
    const Time share = !first_ ? std::max(equal, 2 * had_[job]) : others == 0 ? left : *look_;
    // Its search begins anew: with little more than before it would get no further.
    if (!first_ && (share > left || share <= Time::zero())) continue;
    had_[job] = share;
    return Turn{job, share, others};
  }
}

void CheckScheduler::stopped() { again_.push_back(round_[at_ - 1]); }

std::optional<std::chrono::nanoseconds> Share::for_recheck() const {
  const auto mine = budget.time_left(), all = whole.time_left();
  if (!mine || !all) return mine;
  return std::max(*mine, *all / static_cast<CheckScheduler::Time::rep>(others + 1));
}

// A job in its turn.
static Outcome<Checks> run(const Job& job, Budget& budget, const Budget& whole, std::size_t others) {
  if (job.tell) {
    const auto left = budget.time_left();
    job.tell(told::Turn{left ? std::optional(std::chrono::duration<double>(*left).count()) : std::nullopt});
  }
  return job.run({budget, whole, others, job.tell});
}

Outcome<Checks> run_all(const std::vector<Job>& jobs, Budget& budget, const Answered& answered) {
  std::vector<Checks> answers;
  for (const Job& job : jobs) {
    auto checks = run(job, budget, budget, 0);
    if (!checks) return checks;
    tell(*checks, answered);
    answers.push_back(std::move(*checks));
  }
  return joined(std::move(answers));
}

Outcome<Checks> run_in_turns(const std::vector<Job>& jobs, Budget& budget, const Answered& answered) {
  if (jobs.size() < 2) return run_all(jobs, budget, answered);
  std::vector<Checks> answers(jobs.size());
  std::vector<bool> begun(jobs.size(), false), told(jobs.size(), false);
  CheckScheduler scheduler(jobs.size());
  while (const auto turn = scheduler.next(budget.time_left().value_or(CheckScheduler::Time::zero()))) {
    // When all has ended, those that have not begun still say why they have no answer.
    if (begun[turn->job] && !budget.go_on()) break;
    Limits limits;
    if (budget.time_left()) limits.time = turn->time;
    Budget share(budget, limits);
    share.tell_whole();
    auto checks = run(jobs[turn->job], share, budget, turn->others);
    if (!checks) return checks;
    const bool again = std::ranges::any_of(*checks, stopped_by_time);
    if (again) scheduler.stopped();
    Checks& answer = answers[turn->job];
    answer = begun[turn->job] ? later(std::move(answer), std::move(*checks)) : std::move(*checks);
    begun[turn->job] = true;
    told[turn->job] = !again;
    if (!again) tell(answer, answered);
  }
  for (std::size_t job = 0; job < jobs.size(); ++job)
    if (!told[job]) tell(answers[job], answered);
  return joined(std::move(answers));
}

}  // namespace surety::api
