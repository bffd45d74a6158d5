// Do actions of each progress set happen again and again? One graph serves all sets. The checker knows no proofs of
// progress; counterexamples are replayed all the same.
#pragma once

#include "check/checkable.hpp"
#include "check/session.hpp"

namespace surety::api {

class ProgressSets final : public Checkable {
 public:
  // None: the set of all actions.
  ProgressSets(const Session& session, Subject first, std::vector<ProgressSet> sets)
      : Checkable(session.model(), std::move(first)), session_(session), sets_(std::move(sets)) {}

  Outcome<Checks> prove(const Share& share) override;
  std::optional<std::string> replay(const Check& check) override;
  std::string why_not_rechecked() const override { return "the checker knows safety only"; }

 private:
  const Network& network() const override { return session_.whole(); }

  const Session& session_;
  const std::vector<ProgressSet> sets_;
};

}  // namespace surety::api
