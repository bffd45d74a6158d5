// Several methods for one answer, beside each other or by turns; the first answer counts.
//
// Beside each other: a thread each, all on shares of one budget. When one has an answer
// the others are told to stop. Memory is one pot, and who finds it empty has to stop. Only
// the hungry one, which will always find it empty in the end, waits for as long as others
// hold much of it: they may have an answer soon, or leave it what they had.
//
// An answer of a reduced search has no proof that the checker could repeat in time. It is kept, and the
// others have as long again, and a second, to come with a better one.
//
// By turns: each gets so many states, then each gets more, until one has an answer. That
// gives the same result in every run, which threads do not.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rules/proof_goal.hpp"

namespace surety {

struct Contender {
  Method method = Method::monolithic;
  std::function<Verdict(const Context&)> prove;
  std::uint64_t dear = 1;  // a state costs it as much as so many of plain search
  bool hungry = false;     // takes all the memory there is
  Stop why = Stop::none;   // why it has no answer; none: it gave up by itself
};

struct Winner {
  std::size_t place;  // among the contenders
  Verdict verdict;
  Cost cost;
};

// Nothing: none has an answer, and the contenders say why. The cost of `means` gets what all have done, and the list
// of attempts; the winner's own numbers are its own.
std::optional<Winner> try_once(Contender& contender, std::uint64_t states, const Context& context);
std::optional<Winner> run_beside(std::vector<Contender>& contenders, const Context& context);
std::optional<Winner> run_by_turns(std::vector<Contender>& contenders, std::uint64_t first_states,
                                   const Context& context);

}  // namespace surety
