#include "decompose/portfolio/race.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <thread>

namespace surety {
namespace {

constexpr std::chrono::milliseconds kWaitForMemory{20};
constexpr std::chrono::seconds kExtraTime{1};
constexpr std::uint64_t kGrowth = 8;            // of the limit of states, from turn to turn
constexpr std::uint64_t kWorthWaitingFor = 10;  // a tenth of the memory

bool answers(const Verdict& verdict) { return !std::holds_alternative<Unknown>(verdict); }

std::string result_of(const Verdict& verdict, Stop why) {
  if (std::holds_alternative<Holds>(verdict)) return "holds";
  if (std::holds_alternative<Violated>(verdict)) return "violated";
  return why == Stop::none ? "gave up" : "stopped by " + describe(why);
}

void add_attempt(Cost& all, Method method, std::string result, double seconds, const Cost& cost) {
  all.states += cost.states;
  all.transitions += cost.transitions;
  all.max_states = std::max(all.max_states, cost.max_states);
  all.max_transitions = std::max(all.max_transitions, cost.max_transitions);
  all.attempts.push_back({method, std::move(result), seconds, cost.max_states});
}

// Tells when one of several strategies starts and how it ends.
class Lane {
 public:
  Lane(Method method, const Teller& tell, const Progress* progress = nullptr) : method_(method), tell_(tell) {
    tell_(told::Lane{method_, told::Lane::Is::started, {}, progress});
  }
  ~Lane() {
    if (!ended_) end({}, false);  // by an exception
  }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  void end(std::string_view result, bool answers) {
    ended_ = true;
    tell_(told::Lane{method_, answers ? told::Lane::Is::answered : told::Lane::Is::stopped, result});
  }

 private:
  Method method_;
  Teller tell_;
  bool ended_ = false;
};

// One strategy, the thread it runs in, and what came of it.
struct Worker {
  Worker(Strategy& s, std::size_t i, Budget& whole) : strategy(s), index(i), budget(whole, {}, &progress) {}

  Strategy& strategy;
  std::size_t index;
  Progress progress = {};
  Budget budget;
  Cost cost = {};
  Verdict verdict = Unknown{};
  double seconds = 0;
  bool too_slow = false;  // stopped because another worker had an answer
  std::exception_ptr failure = {};
  std::thread thread = {};
};

class Race {
 public:
  Race(std::vector<Strategy>& strategies, const Context& context) : context_(context), running_(strategies.size()) {
    for (std::size_t i = 0; i < strategies.size(); ++i) {
      auto& worker = *workers_.emplace_back(std::make_unique<Worker>(strategies[i], i, context.budget));
      if (strategies[i].memory_heavy) worker.budget.before_refusal([&] { return wait_for_others(worker); });
    }
  }

  std::optional<Winner> run() {
    for (const auto& worker : workers_) worker->thread = std::thread([this, &worker = *worker] { run(worker); });
    wait_for_checkable_answer();
    for (const auto& worker : workers_) worker->thread.join();
    return conclude();
  }

 private:
  void run(Worker& worker) {
    // Every other worker needs one thread; the memory-heavy search can use all that are left.
    const auto others = static_cast<unsigned>(workers_.size()) - 1;
    const unsigned threads = worker.strategy.memory_heavy && context_.threads > others ? context_.threads - others : 1;
    const Teller tell = context_.tell.lane(worker.strategy.lane);
    Lane lane(worker.strategy.method, tell, &worker.progress);
    try {
      worker.verdict = worker.strategy.prove(context_.on(worker.budget, worker.cost, threads).telling(tell));
    } catch (const std::bad_alloc&) {
      worker.budget.stop(Stop::memory);
    } catch (...) {
      worker.failure = std::current_exception();
    }
    if (worker.budget.why() == Stop::memory) give_back_memory();
    const std::lock_guard lock(mutex_);
    worker.seconds = worker.budget.seconds_used();
    worker.too_slow = over_ && !answers(worker.verdict);
    worker.strategy.why = worker.budget.why();
    lane.end(result_of(worker), answers(worker.verdict));
    if (answers(worker.verdict) && (winner_ == nullptr || (!over_ && is_checkable(worker)))) winner_ = &worker;
    if (worker.failure != nullptr || (winner_ == &worker && is_checkable(worker))) end();
    --running_;
    changed_.notify_all();
  }

  static std::string result_of(const Worker& worker) {
    return worker.too_slow ? "too slow" : surety::result_of(worker.verdict, worker.strategy.why);
  }

  // Not a proof by a reduced search, which only the memory-heavy strategy finds.
  static bool is_checkable(const Worker& worker) {
    return !(worker.strategy.memory_heavy && worker.cost.reduced && std::holds_alternative<Holds>(worker.verdict));
  }

  void end() {
    over_ = true;
    for (const auto& worker : workers_) worker->budget.stop(Stop::interrupted);
  }

  void wait_for_checkable_answer() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return over_ || running_ == 0 || winner_ != nullptr; });
    if (over_ || running_ == 0) return;
    const std::chrono::duration<double> as_long_again(winner_->seconds);
    changed_.wait_for(lock, as_long_again + kExtraTime, [&] { return over_ || running_ == 0; });
    end();
  }

  // Called when the memory-heavy worker meets the limit. True: there may be more memory now, try again.
  bool wait_for_others(const Worker& heavy) {
    std::uint64_t held_by_others = 0;
    for (const auto& worker : workers_)
      if (worker.get() != &heavy) held_by_others += worker->budget.charged();
    if (held_by_others < context_.budget.memory_limit() / kWorthWaitingFor) return false;
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kWaitForMemory);
    return !over_ && context_.budget.go_on();
  }

  std::optional<Winner> conclude() {
    std::stable_partition(workers_.begin(), workers_.end(),
                          [&](const auto& worker) { return worker.get() != winner_; });
    for (const auto& worker : workers_) {
      if (worker->failure) std::rethrow_exception(worker->failure);
      add_attempt(context_.cost, worker->strategy.method, result_of(*worker), worker->seconds, worker->cost);
    }
    if (winner_ == nullptr) return std::nullopt;
    return Winner{winner_->index, std::move(winner_->verdict), std::move(winner_->cost)};
  }

  const Context& context_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t running_;
  bool over_ = false;
  Worker* winner_ = nullptr;
};

}  // namespace

std::optional<Winner> run_in_parallel(std::vector<Strategy>& strategies, const Context& context) {
  return Race(strategies, context).run();
}

std::optional<Winner> try_once(Strategy& strategy, std::uint64_t states, const Context& context) {
  Limits limits;
  limits.states = states;
  Budget budget(context.budget, limits);
  Cost cost;
  Lane lane(strategy.method, context.tell);
  Verdict verdict = strategy.prove(context.on(budget, cost, 1));
  strategy.why = budget.why();
  lane.end(result_of(verdict, budget.why()), answers(verdict));
  add_attempt(context.cost, strategy.method, result_of(verdict, budget.why()), budget.seconds_used(), cost);
  if (!answers(verdict)) return std::nullopt;
  return Winner{0, std::move(verdict), std::move(cost)};
}

std::optional<Winner> run_in_turns(std::vector<Strategy>& strategies, std::uint64_t first_states,
                                   const Context& context) {
  std::vector<bool> done(strategies.size(), false);
  for (std::uint64_t states = first_states; std::count(done.begin(), done.end(), false) > 0; states *= kGrowth)
    for (std::size_t i = 0; i < strategies.size(); ++i) {
      if (done[i]) continue;
      if (!context.budget.go_on()) return std::nullopt;
      auto winner = try_once(strategies[i], std::max<std::uint64_t>(1, states / strategies[i].cost_per_state),
                             context.telling(context.tell.lane(strategies[i].lane)));
      if (winner) {
        winner->index = i;
        return winner;
      }
      done[i] = strategies[i].why != Stop::states;
    }
  return std::nullopt;
}

}  // namespace surety
