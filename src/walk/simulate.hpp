// A walk through a system: at random, along a script or a trace, or by hand.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.hpp"
#include "load/load.hpp"
#include "walk/follow.hpp"
#include "walk/moves.hpp"
#include "walk/watch.hpp"

namespace surety::api {

struct SimulateRequest {
  Source source;
  std::vector<std::string> properties;            // files or names; none: those of the system
  std::optional<std::vector<std::string>> trace;  // names; nothing: a random walk, unless there is
  std::string trace_file;                         // a file with a trace (load/trace_file.hpp), or
  std::string trail;                              // one of SPIN, of a program
  std::uint64_t steps = 20;
  std::uint64_t seed = 1;
  Limits limits;
  const std::atomic<bool>* interrupted = nullptr;
};
struct Simulation {
  struct Moment {
    std::string action;                      // that led here; empty for the initial state
    std::vector<State> states;               // by component
    std::vector<std::string> enabled;        // what can happen next, sorted
    std::string text = {};                   // of a program: who did what
    std::string printed = {};                // of a program: by printf
    std::string error = {};                  // what went wrong in the step
    std::vector<std::string> violated = {};  // the properties that it violates
    Situation situation = {};                // there
  };
  Model model;
  std::vector<Moment> moments;
  // How the walk ended, if not because it was long enough or something went wrong.
  bool deadlock = false;                  // nothing is possible
  bool ended = false;                     // nothing is possible, and all have come to their ends
  std::vector<Stand> stands;              // of a deadlock: where each process is
  std::optional<Followed::Stuck> stuck;   // what of the script was not possible
  std::optional<CheckKind> expected;      // of a trace that was followed: what it shows, and no run with its steps does
  std::optional<std::size_t> cycle_from;  // of a trace that was followed: the step, from 1, where its cycle begins
  Stop why = Stop::none;
  bool is_wrong() const;  // in some step
};
Outcome<Simulation> simulate(const SimulateRequest& request);
// A walk by hand: where it begins, and what watches it.
struct OpenWalk {
  std::unique_ptr<Walker> walker;
  Watchers watchers;
  std::vector<Choice> way;             // to where it begins, along a trace if there is one; the start comes first
  std::optional<Simulation> followed;  // the trace, if there is one
};
Outcome<OpenWalk> open_walk(const SimulateRequest& request);

}  // namespace surety::api
