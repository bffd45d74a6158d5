// The only door for the command line and everything like it: a request in, a report out.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/load.hpp"
#include "base/budget.hpp"
#include "model/certificate.hpp"
#include "model/machine.hpp"
#include "rules/cost.hpp"
#include "spin/pan.hpp"

namespace surety::api {

// NAME=FROM..
struct SizesRange {
  std::string parameter;
  int from = 0;
};

struct Request {
  Source source;                        // property files are filled in from `properties`
  std::vector<std::string> properties;  // names or files; none: everything that the input declares
  std::string method = "auto";
  std::string split;  // "a,b | c"; empty: chosen
  std::string learner = "lstar";
  std::string alphabet = "refine";
  std::string reduction = "auto";             // of explicit searches: none, por, auto
  std::string engine = "native";              // or "spin", of a Promela file
  std::string spin_mode = "separate";         // or "per-query"
  std::string assumption;                     // a supplied one: FILE or FILE:NAME
  std::vector<std::string> seed_assumptions;  // to start from
  std::optional<SizesRange> all_sizes;        // prove properties for every value of a constant, instead of one
  Limits limits;
  unsigned threads = 1;
  bool certify = true;
  bool unfair = false;  // progress and assertions without fair choice
  const std::atomic<bool>* interrupted = nullptr;
  Progress* progress = nullptr;
};

struct SizesAnswer {
  std::string parameter;
  int from = 0;
  std::vector<int> proved;  // sizes with proofs of their own
  std::optional<int> violated_at;
  std::uint64_t states = 0;  // of the largest LTS of the induction
  std::size_t cells = 0;     // after so many cells it repeats
  std::string why;           // why there is no proof for all
};

// One step of a trace, of a program: who did what.
struct TraceStep {
  std::string action;
  std::vector<ShownStep> parts;  // one, or sender and receiver
};

struct Check {
  std::string kind;      // "safety", "error", "deadlock", "progress" or "ltl"
  std::string property;  // its name, if it has one
  std::string method;
  bool by_auto = false;  // the method was chosen by auto
  Split split;
  Verdict verdict;
  Cost cost;
  bool certified = false;
  std::string not_certified;                      // why not
  std::vector<Fluent> fluents;                    // of an assertion: what to show along its trace
  std::optional<SizesAnswer> sizes;               // of a proof for all sizes
  std::vector<State> last;                        // of a deadlock: where the components are
  std::vector<TraceStep> steps;                   // of the trace and the cycle, if the model is a program
  std::optional<std::uint64_t> confirmed_states;  // of a proof by parts: the whole program has so many, and agrees
  std::string note;                               // why another method was used than asked for
  double time_s = 0;
};

struct Report {
  Model model;
  std::vector<Check> checks;
  std::optional<spin::Statistics> spin;  // if it was asked
};

std::vector<std::string> method_names();
// The options that only some methods use, of this one.
std::vector<std::string> options_of(const std::string& method);

// "holds", "violated" or "unknown"
std::string verdict_name(const Verdict& verdict);
std::string verdict_name(const Report& report);  // violated beats unknown beats holds

// How many states the whole product has, if one of the checks went through all of it.
std::optional<std::uint64_t> whole_states(const Report& report);

Outcome<Report> verify(const Request& request);

}  // namespace surety::api
