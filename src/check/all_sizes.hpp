// Does a property hold for every size? The text says what repeats, a proof by induction does the rest.
#pragma once

#include "all_sizes/chain.hpp"
#include "check/checkable.hpp"
#include "check/options.hpp"

namespace surety::api {

// NAME=FROM..
struct SizesRange {
  std::string parameter;
  int from = 0;
};

class AllSizes final : public Checkable {
 public:
  // All that is given must outlive it. `model`: at the first size.
  AllSizes(const CheckOptions& options, const Sizes& sizes, int from, const Model& model, Subject subject)
      : Checkable(model, std::move(subject)), options_(options), sizes_(sizes), from_(from) {}

  Outcome<Checks> prove(const Share& share) override;
  std::optional<std::string> replay(const Check& check) override;
  certify::Judgement recheck(const Check& check, const Certificate& certificate, Budget& budget,
                             const Teller& tell) override;

 private:
  const Network& network() const override { return violated_ ? violated_->network : model_.network; }
  std::size_t processes() const override { return network().components.size(); }
  SizesAnswer& answer() { return *check_.sizes; }
  Context context(Budget& budget);
  void induct_or_try(Budget& budget);
  void try_sizes(int first, int last, Budget& budget);
  bool prove_one(int size, Budget& budget);
  bool accept(Certificate certificate, Instance instance, Budget& budget);
  void conclude(Induction proof, int margin);

  const CheckOptions& options_;
  const Sizes& sizes_;
  const int from_;
  Check check_;
  Family family_;
  std::vector<Certificate> small_;
  std::optional<Instance> violated_;
  Teller tell_;
};

// Deadlock, ERROR, progress and assertions are not about words that must not be, and so are not proved by induction.
// How far they hold is told all the same; `check`: at one size.
Check one_by_one(const SizesRange& range, const Subject& subject, const Share& share,
                 const std::function<Outcome<Checks>(int size, const Limits& limits)>& check);

// Whether a proof of rule all-sizes is one for this source: everything but the proof itself is made anew from the file.
// The LTSs of the certificate have their actions in those of the model.
certify::Judgement recheck_all_sizes(const Model& model, const Source& source, const std::string& property,
                                     const Certificate& certificate, Budget& budget, const Teller& tell);

}  // namespace surety::api
