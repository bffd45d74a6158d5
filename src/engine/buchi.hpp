// From a formula to an automaton on infinite words that accepts the runs it is true of.
//
// A state is a set of subformulas, all of which must hold from the next event on. An
// event turns each of them into what must hold after it: f U g, for example, into "g
// has come true" or "f is true, and f U g must hold from the next event on". The second
// way *postpones* the until; a run accepts iff it postpones no until for ever. So
// acceptance sits on the edges, one set per until, as in Couvreur's construction (1999);
// we never turn it into sets of states, because strong components can be judged with it
// as it is.
//
// The letters are given beforehand, those that really occur: an event fixes the truth
// of all atoms, so sets that contradict it never arise, and no edge carries a formula.
// Sets that ask for more than another and postpone no less are left out. In the end
// states that nothing is accepted from go, and states that behave the same become one.
//
// A run that ends is accepted iff it ends in a state with may_end() (model/ltl.hpp).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.hpp"
#include "model/ltl.hpp"

namespace surety {

using Letter = std::vector<bool>;  // the truth of each atom right after an event

class Buchi {
 public:
  struct Edge {
    std::uint32_t target = 0;
    std::uint64_t marks = 0;  // one bit per acceptance set that the edge is in
    friend auto operator<=>(const Edge&, const Edge&) = default;
  };

  // Nothing if the budget ended, or, when it did not, if the automaton would be too large.
  static std::optional<Buchi> build(const NormalForm& form, const std::vector<Letter>& letters, Budget& budget);

  std::uint32_t size() const { return static_cast<std::uint32_t>(may_end_.size()); }
  std::uint32_t initial() const { return 0; }
  std::uint64_t all_marks() const { return all_marks_; }  // a run accepts iff it sees each of them again and again
  bool may_end(std::uint32_t q) const { return may_end_[q]; }
  bool accepts_all(std::uint32_t q) const { return accepts_all_[q]; }  // whatever comes, even if nothing does
  std::span<const Edge> edges(std::uint32_t q, std::uint32_t letter) const {
    const std::uint64_t row = static_cast<std::uint64_t>(q) * letters_ + letter;
    return {edges_.data() + first_[row], edges_.data() + first_[row + 1]};
  }

 private:
  friend class BuchiBuilder;
  std::uint32_t letters_ = 0;
  std::uint64_t all_marks_ = 0;
  std::vector<bool> may_end_, accepts_all_;
  std::vector<std::uint64_t> first_;  // by state and letter
  std::vector<Edge> edges_;
};

}  // namespace surety
