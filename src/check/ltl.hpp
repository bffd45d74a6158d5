// Does the network satisfy an assertion, a formula over actions and fluents? The checker knows no proofs of that;
// counterexamples are replayed all the same.
#pragma once

#include "check/checkable.hpp"
#include "check/session.hpp"

namespace surety::api {

class Ltl final : public Checkable {
 public:
  Ltl(const Session& session, Subject subject, Assertion assertion)
      : Checkable(session.model(), std::move(subject)), session_(session), assertion_(std::move(assertion)) {}

  Outcome<Checks> prove(const Share& share) override;
  std::optional<std::string> replay(const Check& check) override;
  std::string why_not_rechecked() const override { return "the checker knows safety only"; }

 private:
  const Network& network() const override { return session_.whole(); }

  const Session& session_;
  const Assertion assertion_;
};

}  // namespace surety::api
