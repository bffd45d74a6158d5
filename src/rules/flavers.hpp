// FLAVERS: a property of the order of events, by flow analysis (Dwyer, Clarke, Cobleigh, Naumovich, TOSEM 2004).
//
//        TFG(M1, ..., Mn) || K1 || ... || Kk  satisfies  P
//        -------------------------------------------------
//                  <true> M1 || ... || Mn <P>
//
// The trace flow graph has every run and more, each constraint K blocks paths that are no runs. So "holds" is sure. A
// path that violates P is looked for as a run of the whole; if it is none, more constraints may help. Which ones, the
// paths tell: a constraint that no path with these events obeys is added, or several of which this is true together.
// Those come first that speak of most of the property's events (of a variable: its task), then the smallest: small
// automata that have little to do with the property refute many paths one by one, and multiply the states. With all
// constraints the search is exact.
#pragma once

#include "rules/refuting.hpp"

namespace surety {

struct ConstraintChoice {
  enum class Mode : std::uint8_t { automatic, none, all, listed };
  Mode mode = Mode::automatic;
  ConstraintSet listed;  // with `automatic`: those to start from, and to keep
  bool starts = false;   // with `automatic`: `listed` was given, be it empty
};

class Flavers {
 public:
  Flavers(const FlowSystem& system, const Lts& property, const Context& context);

  Verdict prove(const ConstraintChoice& choice);
  const FlowAnswer& answer() const { return answer_; }

  // The parts of prove(), for what builds on it.
  struct Found {
    SearchResult::Outcome outcome = SearchResult::Outcome::stopped;
    Trace path;  // of nodes
    Trace events;
    Alphabet visible;
    std::uint64_t states = 0;  // that were searched
  };
  Found propagate(const ConstraintSet& constraints);
  // Violated if the path is a run of the whole system; else unknown. The answer has the path, and which it was.
  Verdict judge(const Trace& events, const Alphabet& visible);

 private:
  FlowScope scope(const ConstraintSet& constraints) const;
  // Whether no path with these events obeys the constraints. No, too, if that takes too many states to find out.
  bool is_refuted_by(const Found& found, const ConstraintSet& constraints);
  Verdict prove_with(const ConstraintSet& constraints);
  Verdict prove_automatically(const ConstraintSet& wanted);
  void drop_superseded(ConstraintSet& constraints, const ConstraintSet& wanted, const std::vector<Found>& refuted);
  void make_minimal(ConstraintSet& constraints, const ConstraintSet& wanted);
  std::optional<std::size_t> next_to_try(const Found& found, const ConstraintSet& constraints);
  Verdict proved(const ConstraintSet& constraints);
  SearchResult replay(const Trace& events, const Alphabet& visible);
  Verdict stopped();

  const FlowSystem& system_;
  const Lts& property_;
  Context context_;
  Alphabet free_;             // what only the property has
  ConstraintSet candidates_;  // in the order in which they are tried
  FlowAnswer answer_;
};

}  // namespace surety
