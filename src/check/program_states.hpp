// What a look at every state of a program answers: asserts and other faults, invalid end states, trace assertions.
//
// A trace assertion is violated by an event that it does not allow. (That all may end before it is complete is an
// invalid end state to pan; as with pan -E, that is not asked here.)
#pragma once

#include "check/machine_check.hpp"

namespace surety::api {

class ProgramStates final : public MachineCheck {
 public:
  // Faults and end states may be asked together: one search answers both.
  ProgramStates(const CheckOptions& options, const Model& model, const Subjects& subjects);

  Outcome<Checks> prove(const Share& share) override;
  std::optional<std::string> replay(const Check& check) override;
  certify::Judgement recheck(const Check& check, const Certificate& certificate, Budget& budget,
                             const Teller& tell) override;

 private:
  struct Asked {
    Subject subject;
    MachineQuestion question;
    std::optional<MachinePath> path = {};
  };
  const Asked& asked_for(const Check& check) const;

  std::vector<Asked> asked_;
};

}  // namespace surety::api
