// Counterexamples as files: what `check --trace` writes and `simulate --trace` follows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "load/load.hpp"
#include "model/check_kind.hpp"
#include "model/machine.hpp"

namespace surety::api {

// One step of a trace. Of a program: who did what.
struct TraceStep {
  std::string action;            // "tau" for a silent one
  std::vector<ShownStep> parts;  // one, or sender and receiver
};

// A run: its steps, from where on they repeat for ever, and what it shows.
struct SavedTrace {
  std::vector<TraceStep> steps;
  std::size_t again = 0;               // the number of steps: nothing repeats
  std::optional<CheckKind> kind = {};  // of the check that it violates, if that is known
  std::string property = {};           // its name, if it has one
};

Json step_json(const TraceStep& step);

// The ending says how: .json has all of it. .aut, .lts (FSP) and .dot have a state for each moment, and a loop for what
// repeats; a run that violates a property or leads to ERROR ends in the error state.
Outcome<void> save_trace(const SavedTrace& trace, ActionTable& actions, const std::string& file);

// Is this the name of a file with a trace, rather than an action? It exists, and has an ending of those.
bool is_trace_file(const std::string& name);
// Not of .dot files: pictures are not read. From .aut and .lts, an error state at the end is read as kind error,
// whichever component or property has failed.
Outcome<SavedTrace> read_trace(const std::string& file, Budget& budget);
// Whether the file is just as save_trace leaves it; of .dot, as any picture of ours.
bool was_saved_as_trace(const std::string& file);

}  // namespace surety::api
