// Two databases of one study: what they say of the same runs.
//
// Times, memory, hosts and where a run over the limit was stopped depend on the machine. A run that a bound has cut off
// says only that its cost is above the bound. All else must be equal.
#pragma once

#include <string>
#include <vector>

#include "study/store.hpp"

namespace surety::study {

struct Differences {
  std::vector<std::string> contradictions;           // the same run, other numbers
  std::vector<std::string> first_only, second_only;  // runs that only one has finished
  std::vector<std::string> within_limits;            // only one has finished it within the limits
  std::size_t equal = 0;
  bool none() const { return contradictions.empty() && first_only.empty() && second_only.empty(); }
};
Differences differences(const Study& a, const Study& b);
api::Outcome<Differences> diff(const std::string& a, const std::string& b);

struct Merged {
  std::size_t parts = 0, taken = 0, known = 0;
  std::size_t left_out = 0;  // of phases that the study has not come to
};
// Takes what is new in the parts. A part that contradicts the study, or is about other models or limits, is refused,
// and then nothing of any part is taken.
api::Outcome<Merged> merge(const std::string& file, const std::vector<std::string>& parts);

}  // namespace surety::study
