// The whole program, against which every answer by parts is held.
//
// The network and the machine are made of the same operations, but taking apart is a step
// that the checker of proofs cannot repeat. So a violation found by parts is walked on the
// machine, whose checker judges it; and if the program is small, a proof by parts is
// confirmed by a search of all its states. A disagreement is an internal error.
#pragma once

#include <optional>

#include "check/machine_check.hpp"
#include "lang/promela/network/replay.hpp"

namespace surety::api {

class WholeProgram {
 public:
  explicit WholeProgram(const Model& model) : model_(model) {}

  // Of a check by parts, about one of the subjects: a violation gets the steps of the program.
  void replay(Check& check, const Subjects& subjects, Budget& budget);
  // Of a proof by parts: nothing happens if the program is too large to be searched in two seconds.
  void confirm(Check& check, const Subjects& subjects, Budget& budget);

 private:
  std::optional<MachineQuestion> question_of(const Check& check, const Subjects& subjects) const;
  LikelyEnds likely_ends(const Check& check) const;
  std::optional<MachinePath> walk(const Check& check, const MachineQuestion& question, Budget& budget) const;
  std::optional<MachinePath> search(const MachineQuestion& question, Budget& budget, std::uint64_t* all_states,
                                    bool* full = nullptr) const;

  const Model& model_;
  bool too_large_ = false;
};

}  // namespace surety::api
