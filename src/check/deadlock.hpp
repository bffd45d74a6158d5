// Can the network come to a state without a step that is no END?
#pragma once

#include "check/checkable.hpp"
#include "check/session.hpp"

namespace surety::api {

class Deadlock final : public Checkable {
 public:
  Deadlock(const Session& session, Subject subject)
      : Checkable(session.model(), std::move(subject)), session_(session) {}

  Outcome<Checks> prove(const Share& share) override;
  std::optional<std::string> replay(const Check& check) override;
  std::optional<Violated> certain(Check& check, Budget& budget) override;

 private:
  const Network& network() const override { return session_.whole(); }

  const Session& session_;
};

}  // namespace surety::api
