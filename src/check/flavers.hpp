// A property by flow analysis (--engine flavers).
#pragma once

#include "check/checkable.hpp"
#include "check/session.hpp"
#include "rules/flavers_asym.hpp"

namespace surety::api {

// Whether this engine is asked for, with a method that it has. `constraints`: what --constraints says.
Outcome<std::optional<FlaversOptions>> flavers_from_words(const std::string& engine, const std::string& constraints,
                                                          const std::string& method);

// Which components are tasks, and which ones variables and protected objects. Of other languages than Ada all
// components are tasks.
std::vector<FlowComponent> flow_components(const Model& model, const Network& network);

// The tasks and constraints of a model, and which of these the words of --constraints choose.
struct ConstrainedSystem {
  std::vector<Lts> given;  // constraints from files
  FlowSystem system;
  ConstraintChoice choice;
};
// `network` must outlive it.
Outcome<std::unique_ptr<ConstrainedSystem>> constrained_system(const Model& model, const Network& network,
                                                               const std::string& words);

class FlaversSafety : public Checkable {
 public:
  static Outcome<std::unique_ptr<FlaversSafety>> make(const Session& session, Subject subject,
                                                      const Property& property);

  Outcome<Checks> prove(const Share& share) override;
  std::optional<std::string> replay(const Check& check) override;
  std::optional<Violated> certain(Check& check, Budget& budget) override;
  std::string why_not_rechecked() const override;

 private:
  FlaversSafety(const Session& session, Subject subject, const Property& property);
  void tell_why(Check& check) const;

  const Session& session_;
  const Property& property_;
  Split split_;
  std::unique_ptr<ConstrainedSystem> constrained_;
  bool trusts_ = false;
};

}  // namespace surety::api
