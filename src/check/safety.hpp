// Does the network keep a property? By any rule, for any split.
#pragma once

#include "check/checkable.hpp"
#include "check/session.hpp"

namespace surety::api {

class Safety final : public Checkable {
 public:
  // `rule`: of the session, unless that takes a property per side. The subject may be an assertion of a program that
  // was taken apart, too.
  Safety(const Session& session, Subject subject, const Property& property, const Rule& rule);

  Outcome<Checks> prove(const Share& share) override;
  std::optional<std::string> replay(const Check& check) override;
  std::optional<Violated> certain(Check& check, Budget& budget) override;

 private:
  const Session& session_;
  const Property& property_;
  const Rule& rule_;
  const Split split_;
};

// A violation of the property that depends on nothing that is not modelled, if there is one.
std::optional<Violated> certain_violation(const Session& session, const Property& property, Cost& cost, Budget& budget);

// The rules sym-2: one property per side, all proved at once. A violation is one of theirs; the others are then proved
// one by one with the rule for one property.
class JointSafety final : public Checkable {
 public:
  static Outcome<std::unique_ptr<JointSafety>> make(const Session& session, std::vector<Subject> subjects);

  Outcome<Checks> prove(const Share& share) override;
  std::optional<std::string> replay(const Check& check) override;

  // One check for each property, out of the one for all.
  Outcome<Checks> one_each(const Check& together, const Share& share);

 private:
  JointSafety(const Session& session, std::vector<Subject> subjects, Split split);

  const Session& session_;
  const std::vector<Subject> subjects_;
  const Split split_;
  std::vector<const Property*> properties_;
  std::size_t violated_ = SIZE_MAX;  // among them
};

}  // namespace surety::api
