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

constexpr std::chrono::milliseconds kLookEvery{20};
constexpr std::chrono::seconds kABitMore{1};
constexpr std::uint64_t kMoreStates = 8;
constexpr std::uint64_t kMuch = 10;  // a tenth of the memory is worth waiting for

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

struct Lane {
  Lane(Contender& c, std::size_t p, Budget& whole) : contender(c), place(p), budget(whole, {}) {}

  Contender& contender;
  std::size_t place;
  Budget budget;
  Cost cost = {};
  Verdict verdict = Unknown{};
  double seconds = 0;
  bool told = false;  // to stop, because another was faster
  std::exception_ptr failure = {};
  std::thread thread = {};
};

class Race {
 public:
  Race(std::vector<Contender>& contenders, const Context& context) : context_(context), running_(contenders.size()) {
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      auto& lane = *lanes_.emplace_back(std::make_unique<Lane>(contenders[i], i, context.budget));
      if (contenders[i].hungry) lane.budget.before_refusal([&] { return wait_for_others(lane); });
    }
  }

  std::optional<Winner> run() {
    for (const auto& lane : lanes_) lane->thread = std::thread([this, &lane = *lane] { drive(lane); });
    wait_for_a_better_one();
    for (const auto& lane : lanes_) lane->thread.join();
    return conclude();
  }

 private:
  void drive(Lane& lane) {
    // The others need a thread each; what is left is for the one that can use it.
    const auto others = static_cast<unsigned>(lanes_.size()) - 1;
    const unsigned threads = lane.contender.hungry && context_.threads > others ? context_.threads - others : 1;
    try {
      lane.verdict = lane.contender.prove(context_.on(lane.budget, lane.cost, threads));
    } catch (const std::bad_alloc&) {
      lane.budget.stop(Stop::memory);
    } catch (...) {
      lane.failure = std::current_exception();
    }
    if (lane.budget.why() == Stop::memory) give_back_memory();
    const std::lock_guard lock(mutex_);
    lane.seconds = lane.budget.seconds_used();
    lane.told = over_ && !answers(lane.verdict);
    lane.contender.why = lane.budget.why();
    if (answers(lane.verdict) && (winner_ == nullptr || (!over_ && has_proof(lane)))) winner_ = &lane;
    if (lane.failure != nullptr || (winner_ == &lane && has_proof(lane))) end();
    --running_;
    changed_.notify_all();
  }

  static bool has_proof(const Lane& lane) {
    return !(lane.contender.hungry && lane.cost.reduced && std::holds_alternative<Holds>(lane.verdict));
  }

  void end() {
    over_ = true;
    for (const auto& lane : lanes_) lane->budget.stop(Stop::interrupted);
  }

  void wait_for_a_better_one() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return over_ || running_ == 0 || winner_ != nullptr; });
    if (over_ || running_ == 0) return;
    const std::chrono::duration<double> as_long(winner_->seconds);
    changed_.wait_for(lock, as_long + kABitMore, [&] { return over_ || running_ == 0; });
    end();
  }

  // True: try again.
  bool wait_for_others(const Lane& hungry) {
    std::uint64_t theirs = 0;
    for (const auto& lane : lanes_)
      if (lane.get() != &hungry) theirs += lane->budget.charged();
    if (theirs < context_.budget.memory_limit() / kMuch) return false;
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kLookEvery);
    return !over_ && context_.budget.go_on();
  }

  std::optional<Winner> conclude() {
    std::stable_partition(lanes_.begin(), lanes_.end(), [&](const auto& lane) { return lane.get() != winner_; });
    for (const auto& lane : lanes_) {
      if (lane->failure) std::rethrow_exception(lane->failure);
      add_attempt(context_.cost, lane->contender.method,
                  lane->told ? "too slow" : result_of(lane->verdict, lane->contender.why), lane->seconds, lane->cost);
    }
    if (winner_ == nullptr) return std::nullopt;
    return Winner{winner_->place, std::move(winner_->verdict), std::move(winner_->cost)};
  }

  const Context& context_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t running_;
  bool over_ = false;
  Lane* winner_ = nullptr;
};

}  // namespace

std::optional<Winner> run_beside(std::vector<Contender>& contenders, const Context& context) {
  return Race(contenders, context).run();
}

std::optional<Winner> try_once(Contender& contender, std::uint64_t states, const Context& context) {
  Limits limits;
  limits.states = states;
  Budget budget(context.budget, limits);
  Cost cost;
  Verdict verdict = contender.prove(context.on(budget, cost, 1));
  contender.why = budget.why();
  add_attempt(context.cost, contender.method, result_of(verdict, budget.why()), budget.seconds_used(), cost);
  if (!answers(verdict)) return std::nullopt;
  return Winner{0, std::move(verdict), std::move(cost)};
}

std::optional<Winner> run_by_turns(std::vector<Contender>& contenders, std::uint64_t first_states,
                                   const Context& context) {
  std::vector<bool> done(contenders.size(), false);
  for (std::uint64_t states = first_states; std::count(done.begin(), done.end(), false) > 0; states *= kMoreStates)
    for (std::size_t i = 0; i < contenders.size(); ++i) {
      if (done[i]) continue;
      if (!context.budget.go_on()) return std::nullopt;
      auto winner = try_once(contenders[i], std::max<std::uint64_t>(1, states / contenders[i].dear), context);
      if (winner) winner->place = i;
      if (winner) return winner;
      done[i] = contenders[i].why != Stop::states;
    }
  return std::nullopt;
}

}  // namespace surety
