// The smaller commands: info, compose, assume, compare, certify, simulate. Each takes a
// request and gives back a value that the command line prints.
#pragma once

#include <array>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "api/flow_info.hpp"
#include "api/watch.hpp"
#include "base/budget.hpp"
#include "certificate/certify_file.hpp"
#include "check/unreached.hpp"
#include "load/load.hpp"
#include "model/equivalence.hpp"
#include "rules/cost.hpp"
#include "spin/pan.hpp"

namespace surety::api {

struct Info {
  struct Process {
    std::string name;
    Lts lts;
    bool property = false;
  };
  struct Composite {
    std::string name;
    std::vector<std::string> components;  // properties included
  };
  Model model;
  std::vector<Process> processes;
  std::vector<Composite> composites;
  std::vector<std::string> properties, progress, assertions;
  std::vector<FspConstant> constants;
  struct Part {  // of a program
    std::string kind, name, about;
  };
  std::vector<Part> parts;
  std::optional<Diagnostic> not_apart;  // of a program: what is in the way of taking it apart
  Stop why = Stop::none;                // of a program: what stopped it before it was taken apart
  std::optional<Unreached> unreached;   // if it was asked for
  std::optional<FlowInfo> flow;         // likewise
};
struct InfoRequest {
  Source source;
  bool unreached = false;                       // of a program: which statements are never reached
  std::optional<std::string> constraints = {};  // if flow graphs are asked for: as check --constraints
  Limits limits;
  const std::atomic<bool>* interrupted = nullptr;
};
Outcome<Info> info(const InfoRequest& request);

inline const std::vector<std::string> kMinimisations = {"weak", "strong", "trace", "ltsa"};

struct ComposeRequest {
  Source source;
  std::string minimise;  // one of kMinimisations, or empty
  Limits limits;
  const std::atomic<bool>* interrupted = nullptr;
  Progress* progress = nullptr;
};
struct Composition {
  Model model;
  std::optional<Lts> lts;  // nothing: the budget ended
  Stop why = Stop::none;
  // Counted without the error state, steps into it included (doc/semantics.md#fsp-composites).
  std::uint64_t states = 0, transitions = 0, deadlocks = 0;
};
// The product of all files, with every property in it as P_err; or an FSP composite as it says.
Outcome<Composition> compose_files(const ComposeRequest& request);

// A picture of an LTS, by Graphviz; the ending says which: .svg, .png or .pdf.
Outcome<void> can_draw(const std::string& file);
Outcome<void> draw(const Lts& lts, const ActionTable& actions, const std::string& name, const std::string& file,
                   Budget& budget);

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

struct Comparison {
  struct Line {
    Equivalence equivalence;
    std::optional<Difference> difference;
  };
  std::shared_ptr<ActionTable> actions = std::make_shared<ActionTable>();
  std::array<std::string, 2> names;
  std::vector<Line> lines;
  Stop why = Stop::none;    // what stopped it before it was done
  bool equivalent() const;  // in the sense asked for; by traces if none was
};
struct CompareRequest {
  std::array<std::string, 2> files;  // FILE.aut, FILE.lts, or FILE.lts:NAME for a composite or process in it
  std::string equivalence;           // "trace", "weak", "strong", or empty for all three
  std::string language;
  std::vector<FspDefine> defines;
  Limits limits;
  const std::atomic<bool>* interrupted = nullptr;
};
Outcome<Comparison> compare(const CompareRequest& request);
std::string equivalence_name(Equivalence equivalence);

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
  };
  Model model;
  std::vector<Moment> moments;
  struct Stuck {
    std::size_t step = 0;  // of the script, from 1
    std::string action;
  };
  // How the walk ended, if not because it was long enough or something went wrong.
  bool deadlock = false;                  // nothing is possible
  bool ended = false;                     // nothing is possible, and all have come to their ends
  std::vector<Stand> stands;              // of a deadlock: where each process is
  std::optional<Stuck> stuck;             // what of the script was not possible
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
