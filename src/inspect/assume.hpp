// The assumption that a system needs of its environment.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.hpp"
#include "load/load.hpp"
#include "model/observer.hpp"
#include "rules/cost.hpp"
#include "spin/pan.hpp"

namespace surety::api {

struct AssumeRequest {
  Source source;  // property files are filled in from `properties`; of a Promela file, `system` names components
  std::vector<std::string> properties;              // names or files; none: all that the system has, and ERROR
  bool interface = false;                           // learned; else built directly
  std::optional<std::uint64_t> conformance;         // learned by the W-method with this bound
  std::optional<std::vector<std::string>> actions;  // of the assumption; nothing: all that are visible
  std::string learner = "lstar";
  std::string engine = "native";       // or "spin", which answers for a learned one of a Promela file
  std::string spin_mode = "separate";  // or "per-query"
  Limits limits;
  unsigned threads = 1;
  const std::atomic<bool>* interrupted = nullptr;
  Progress* progress = nullptr;
  std::function<void(const Model&)> loaded = {};  // told when the files have been read; may be empty
  Observer* observer = nullptr;                   // is told how the assumption is found
  bool keep_conjectures = false;                  // in the cost, if they are not large
};
struct Assumed {
  Model model;
  std::optional<Lts> assumption;  // without states: no environment helps. Of an unfinished run: the last conjecture
  bool weakest = false;           // proved to be
  std::string known;              // what is proved of the assumption
  Stop why = Stop::none;          // not none: unfinished
  Cost cost;
  double time_s = 0;
  std::optional<spin::Statistics> spin;  // if it was asked
};
// What an environment has to keep, so that the system violates no property and reaches no ERROR.
Outcome<Assumed> assume(const AssumeRequest& request);

}  // namespace surety::api
