// An ltl block of a program. That something never happens needs no more than a look at every state, and has a shortest
// trace and a proof; all else is a search for a cycle.
#pragma once

#include "check/machine_check.hpp"

namespace surety::api {

class FormulaCheck final : public MachineCheck {
 public:
  FormulaCheck(const CheckOptions& options, const Model& model, Subject subject);

  Outcome<Checks> prove(const Share& share) override;
  std::optional<std::string> replay(const Check& check) override;
  std::string why_not_rechecked() const override;

 private:
  const MachineQuestion question_;
  std::optional<MachinePath> path_;
  std::optional<MachineRun> run_;
  bool watched_ = false;  // by a look at every state
};

}  // namespace surety::api
