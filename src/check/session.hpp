// What all checks of a run have in common: how they are to be done, and of what.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "check/options.hpp"
#include "check/scheduler.hpp"
#include "rules/rules.hpp"

namespace surety::api {

std::vector<std::string> all_names(const Network& network);
std::vector<const Lts*> all_components(const Network& network);

class Session {
 public:
  // Of a model that is a network. Reads the assumptions that the options name, and starts SPIN if it is asked for.
  // All that is given must outlive the session.
  static Outcome<std::unique_ptr<Session>> open(const CheckOptions& options, const Model& model, Budget& budget);

  const CheckOptions& options() const { return options_; }
  const Model& model() const { return model_; }
  const Rule& rule() const { return rule_; }
  const Network& safety() const { return safety_; }              // as property checks see it
  const Network& whole() const { return whole_; }                // with the property processes as components
  const spin::SpinChecker* spin() const { return spin_.get(); }  // null: the native engine

  Context context(Budget& budget, Cost& cost, bool ask_spin = true) const;
  // The split that was given, or else the one for this property.
  Split split_for(const Rule& rule, const Network& network, const Property& property) const;

 private:
  Session(const CheckOptions& options, const Model& model);
  Outcome<void> read_assumptions();
  Outcome<void> read_split();
  Outcome<void> start_spin(Budget& budget);

  const CheckOptions& options_;
  const Model& model_;
  const Rule& rule_;
  Network safety_, whole_;
  Split given_;  // empty: none
  std::optional<Lts> supplied_;
  std::vector<Lts> seeds_;
  std::unique_ptr<spin::SpinChecker> spin_;
};

// A rule on a property: by conjuncts, if the rule wants that.
Verdict prove_by(const Rule& rule, const ProofGoal& goal, const Context& context);
ProofGoal proof_goal(const Network& network, const Split& split, const std::vector<const Property*>& properties);

}  // namespace surety::api
