// One kind of check: how it is proved, how a counterexample is replayed, how a proof is checked again.
//
// There is one file for each kind. What they have in common is said once, in perform(): an answer is reported only
// after its counterexample has been replayed, or its proof has been checked again by the independent checker.
#pragma once

#include <optional>
#include <string>

#include "certify/certify.hpp"
#include "check/check.hpp"
#include "check/scheduler.hpp"
#include "check/subject.hpp"

namespace surety::api {

struct CheckOptions;

class Checkable {
 public:
  Checkable(const Model& model, Subject subject) : model_(model), subject_(std::move(subject)) {}
  virtual ~Checkable() = default;
  Checkable(const Checkable&) = delete;
  Checkable& operator=(const Checkable&) = delete;

  const Model& model() const { return model_; }
  const Subject& subject() const { return subject_; }  // of several, the first

  // The verdicts: one, or several where one search finds them all.
  virtual Outcome<Checks> prove(const Share& share) = 0;
  // Why the counterexample of this check is none.
  virtual std::optional<std::string> replay(const Check& check) = 0;
  // Whether the certificate is a proof: as for a proof from a file (recheck.hpp).
  virtual certify::Judgement recheck(const Check& check, const Certificate& certificate, Budget& budget,
                                     const Teller& tell);
  // Of a counterexample in a network: who takes part, and where it leaves the processes.
  void explain(Check& check) const;
  // A counterexample that depends on nothing that is not modelled (opaque.hpp), if there is one.
  virtual std::optional<Violated> certain(Check& /*check*/, Budget& /*budget*/) { return std::nullopt; }
  // Why the checker cannot repeat the proofs of this kind; empty: it can.
  virtual std::string why_not_rechecked() const;

 protected:
  // What a counterexample is about.
  virtual const Network& network() const { return model_.network; }
  virtual std::size_t processes() const {
    return model_.network.components.size();
  }  // of it; the others are properties
  // The check before there is an answer.
  Check describe(Method method, Split split = {}) const;

  const Model& model_;

 private:
  Subject subject_;
};

// The answers, replayed and checked again.
Outcome<Checks> perform(Checkable& checkable, const CheckOptions& options, const Share& share);

}  // namespace surety::api
