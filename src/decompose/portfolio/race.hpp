// A portfolio: several strategies for one check, in parallel or in turns; the first answer counts.
//
// In parallel: each strategy has a worker, which is a thread with a share of one budget. When a worker has an answer,
// the other workers are told to stop. They share one limit of memory, and a worker that meets the limit has to stop.
// The memory-heavy strategy is the exception: plain search meets the limit in the end on every system that is large
// enough. Its worker waits while the other workers hold a good part of the memory: one of them may have an answer
// soon, or stop and free its memory for the search.
//
// A proof by a reduced search cannot be repeated by the checker in reasonable time. Such an answer is kept, and the
// other workers get as much time again, and one second more, to find a proof that the checker can repeat.
//
// In turns, for one thread: each strategy may visit so many states; if none has an answer, the next turn has a larger
// limit. This gives the same result in every run, which threads do not.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rules/proof_goal.hpp"

namespace surety {

struct Strategy {
  Method method = Method::monolithic;
  std::function<Verdict(const Context&)> prove;
  std::uint64_t cost_per_state = 1;  // in states of plain search
  bool memory_heavy = false;         // takes all the memory there is
  Stop why = Stop::none;             // after a run without an answer; none: the strategy gave up by itself
  int lane = 0;                      // its number, for those who listen
};

struct Winner {
  std::size_t index;  // of the strategy
  Verdict verdict;
  Cost cost;  // of the winning strategy alone
};

// Nothing: no strategy has an answer, and each says why. The cost in the context gets the work of all strategies and
// the list of attempts.
std::optional<Winner> try_once(Strategy& strategy, std::uint64_t states, const Context& context);
std::optional<Winner> run_in_parallel(std::vector<Strategy>& strategies, const Context& context);
std::optional<Winner> run_in_turns(std::vector<Strategy>& strategies, std::uint64_t first_states,
                                   const Context& context);

}  // namespace surety
