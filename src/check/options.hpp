// How checks are to be done, in words that are known to exist.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.hpp"
#include "check/check.hpp"
#include "learn/learner.hpp"
#include "load/load.hpp"
#include "rules/proof_goal.hpp"
#include "spin/checker.hpp"

namespace surety::api {

struct FlaversOptions {
  std::string constraints = "auto";  // or "none", "all", or a list: ta:TASK, va:VARIABLE, oa:OBJECT, FILE:NAME
};

struct CheckOptions {
  Method method = Method::automatic;
  std::string split;  // "a,b | c"; empty: chosen
  LearnerKind learner = LearnerKind::lstar;
  AlphabetMode alphabet = AlphabetMode::refine;
  Reduction reduction = Reduction::automatic;
  std::optional<spin::Mode> spin;             // SPIN answers the premises; nothing: the native engine
  std::optional<FlaversOptions> flavers;      // flow analysis; nothing: the exact engine
  std::string assumption;                     // a supplied one: FILE or FILE:NAME
  std::vector<std::string> seed_assumptions;  // to start from
  Limits limits;
  std::optional<std::uint64_t> search_states = {};  // of one search for a premise
  unsigned threads = 1;
  bool certify = true;
  bool unfair = false;  // progress and assertions without fair choice
  const std::atomic<bool>* interrupted = nullptr;
  Progress* progress = nullptr;
  Answered answered;  // may be empty
  Teller tell = {};
  std::optional<std::uint64_t> kept_steps = {};  // as in Context
};

// A word that is none of the names is refused, with those that there are.
Outcome<void> is_known(const char* what, const std::string& name, const std::vector<std::string>& names);
Outcome<LearnerKind> read_learner(const std::string& name);

}  // namespace surety::api
