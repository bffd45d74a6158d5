// A trace followed through a system: breadth first through (place in the trace, position), so that any run with its
// steps is found, if there is one.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.hpp"
#include "walk/walker.hpp"

namespace surety::api {

struct Script {
  struct Wanted {
    TraceStep step;
    std::size_t number = 0;  // as the user counts, from 1
    Position to = {};        // where it leads; empty: anywhere
  };
  std::vector<Wanted> steps;
  bool exact = false;                  // silent steps are in it; else they come by themselves
  std::size_t again = 0;               // where a cycle begins; the number of steps: there is none
  std::optional<CheckKind> kind = {};  // what it shows, and of which property
  std::string property = {};
};

// Of visible actions that somebody types.
Outcome<Script> script_of(const std::vector<std::string>& names, const Model& model);
Script script_of(SavedTrace trace);
// Without the silent steps that it has: they come by themselves.
Script without_silent(const Script& script);

struct Followed {
  std::vector<Choice> way;             // that was taken, the start first
  std::vector<std::size_t> done = {};  // after each, how many steps of the script
  struct Stuck {
    std::size_t step = 0;  // of the script, from 1
    std::string action;
  };
  std::optional<Stuck> stuck = {};             // what of the script was not possible
  std::optional<CheckKind> expected = {};      // what it shows, and no run with its steps does
  std::optional<std::size_t> cycle_from = {};  // the step of the way, from 1, where its cycle begins
  Stop why = Stop::none;
};
// From the start, or from another position.
Followed follow(Walker& walker, const Script& script, Budget& budget, const Choice* start = nullptr);

}  // namespace surety::api
