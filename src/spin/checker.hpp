// Triples answered by the real SPIN (Pasareanu, Giannakopoulou: Towards a compositional SPIN, 2006).
#pragma once

#include <map>
#include <memory>

#include "base/temp_folder.hpp"
#include "spin/pan.hpp"
#include "spin/text.hpp"

namespace surety::spin {

// per_query: a model, a translation and a compilation for each triple. separate: one for each side.
enum class Mode { separate, per_query };

class SpinChecker : public Checker {
 public:
  static Result<std::unique_ptr<SpinChecker>> make(System system, Mode mode, Budget& budget);

  // A trace has as few open and free actions as any.
  SearchResult check(const Lts* assumption, const ComponentSet& side, const Lts& property, Want want,
                     Budget& budget) override;

  const Diagnostics& trouble() const { return pan_.trouble(); }  // once a budget ended with Stop::tool
  const Statistics& statistics() const { return pan_.statistics(); }

 private:
  SpinChecker(System system, Mode mode, Tools tools, TempFolder folder);
  SideNumbers numbers(const ComponentSet& side) const;
  SearchResult ask(const SideNumbers& side, const Lts* assumption, const Lts& property, Want want, Budget& budget);
  // A folder with a verifier for this triple; empty: failed or stopped.
  std::string verifier(const SideNumbers& side, const Lts* assumption, const Lts& property, Budget& budget);
  bool understand(const std::string& replay, Trace& trace) const;

  System system_;
  Mode mode_;
  TempFolder folder_;
  Pan pan_;
  std::map<SideNumbers, std::string> folders_;       // of sides that are compiled
  std::map<std::string, std::uint32_t> operations_;  // "grant[2]?u1,3" as spin shows it: which action
};

}  // namespace surety::spin
