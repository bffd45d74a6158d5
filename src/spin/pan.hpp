// The programs: spin makes a verifier of a model, a C compiler makes it run, and what it says is understood here.
//
// A compiled verifier is kept in the user's cache folder under a hash of everything it was
// made of. It is copied from there before it is run, and put there by a rename, so that
// others may use and clean the same folder at the same time.
#pragma once

#include <string>

#include "base/diagnostics.hpp"
#include "base/process.hpp"

namespace surety::spin {

struct Tools {
  std::string spin, cc;  // where they are
  std::string identity;  // versions, as part of a hash

  static Result<Tools> find(Budget& budget);
};

struct Statistics {
  std::uint64_t translations = 0, compilations = 0, cached = 0, runs = 0;
  double spin_s = 0, cc_s = 0, pan_s = 0;
  std::uint64_t largest_bytes = 0;  // of one run of a verifier, as it says itself
};

// What a verifier reports. Anything but `clean` and `violation` is no verdict.
struct PanReport {
  enum class Kind { clean, violation, too_deep, memory, failed };
  Kind kind = Kind::failed;
  std::string message;  // of an error, or of a failure
  std::uint64_t states = 0, transitions = 0, bytes = 0;
};
PanReport parse_report(const Ran& ran);

// Runs the programs in folders of their own. A failure is kept in `trouble` and stops the budget.
class Pan {
 public:
  explicit Pan(Tools tools) : tools_(std::move(tools)) {}

  // Model text to the program `pan` in this folder; false: failed, or the budget ended.
  bool make(const std::string& folder, const std::string& text, bool whole, bool cache, Budget& budget);
  PanReport verify(const std::string& folder, Budget& budget);
  // The last error once more: by the verifier itself, or by spin, which lists the messages received.
  std::string replay(const std::string& folder, bool by_pan, Budget& budget);

  const Diagnostics& trouble() const { return trouble_; }
  const Statistics& statistics() const { return statistics_; }
  void fail(std::string message, const std::string& output, Budget& budget);

 private:
  Ran call(std::vector<std::string> words, const std::string& folder, double& seconds, Budget& budget,
           std::uint64_t memory = 0);

  Tools tools_;
  Statistics statistics_;
  Diagnostics trouble_;
};

}  // namespace surety::spin
