// Gated programs, compiled by gnat into one executable, and run.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "ada/follow.hpp"

namespace surety {

bool gnat_is_there();

class RunningPrograms {
 public:
  struct Source {
    std::string name, gated;  // the procedure NAME_Run
  };
  explicit RunningPrograms(const std::vector<Source>& programs);
  ~RunningPrograms();
  RunningPrograms(const RunningPrograms&) = delete;
  RunningPrograms& operator=(const RunningPrograms&) = delete;

  // What gnat says, if it does not compile.
  const std::string& trouble() const { return trouble_; }
  // A run that does nothing for so many seconds hangs.
  Observed run(std::size_t program, std::uint64_t seed, double patience) const;

 private:
  std::filesystem::path folder_;
  std::string trouble_;
};

}  // namespace surety
