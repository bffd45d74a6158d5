// Counterexamples as files: what `check --trace` writes and `simulate --trace` follows.
#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "load/load.hpp"
#include "model/machine.hpp"

namespace surety::api {

// One step of a trace. Of a program: who did what.
struct TraceStep {
  std::string action;            // "tau" for a silent one
  std::vector<ShownStep> parts;  // one, or sender and receiver
};

// A run: its steps, and from where on they repeat for ever.
struct SavedTrace {
  std::vector<TraceStep> steps;
  std::size_t again = 0;  // the number of steps: nothing repeats
};

Json step_json(const TraceStep& step);

// The ending says how: .json has all of it. .aut, .lts (FSP) and .dot have a state for each moment, and a loop for what
// repeats.
Outcome<void> save_trace(const SavedTrace& trace, ActionTable& actions, const std::string& file);

// Is this the name of a file with a trace, rather than an action? It exists, and has an ending of those.
bool is_trace_file(const std::string& name);
// Not of .dot files: pictures are not read.
Outcome<SavedTrace> read_trace(const std::string& file, Budget& budget);

}  // namespace surety::api
