// A never claim of a program, or what its labels accept... and progress... ask for: is there a run that it describes?
#pragma once

#include "check/machine_check.hpp"

namespace surety::api {

class ClaimCheck final : public MachineCheck {
 public:
  ClaimCheck(const CheckOptions& options, const Model& model, Subject subject)
      : MachineCheck(options, model, std::move(subject)) {}

  Outcome<Checks> prove(const Share& share) override;
  std::optional<std::string> replay(const Check& check) override;
  std::string why_not_rechecked() const override;

 private:
  Outcome<MachineClaim> claim(PromelaMachine& machine) const;

  std::optional<MachineRun> run_;
};

}  // namespace surety::api
