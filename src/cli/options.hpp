// Everything that can be said on the command line.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.hpp"
#include "base/units.hpp"
#include "lang/fsp/fsp.hpp"

namespace surety::cli {

struct Options {
  std::vector<std::string> files;
  std::vector<std::string> properties;
  std::string language;
  std::string system;
  std::vector<std::string> define_texts;     // "N=3"
  std::vector<std::string> overlays;         // "x.lts=/tmp/unsaved"
  std::map<std::string, std::string> texts;  // by file: what the overlays say
  std::string beneath;                       // no file is read outside of this folder
  std::vector<FspDefine> defines;
  std::string all_sizes_text;  // "K=2.."
  std::optional<FspDefine> all_sizes;
  std::string method = "auto";
  std::string split;
  std::string learner = "lstar";
  std::string alphabet = "refine";
  std::string reduction = "auto";
  std::string engine = "native", spin_mode = "separate", constraints;
  std::string assumption;
  std::vector<std::string> seed_assumptions;
  std::string minimise;
  std::string equivalence;
  std::string output, format;
  std::string certificate, trace_file, assumption_out, events, junit, sarif;
  std::optional<std::string> script;
  std::string trail;
  std::optional<std::string> actions;
  bool weakest = false, interface = false, interactive = false, unreached = false, lts = false;
  std::optional<std::uint64_t> conformance;
  std::string time, memory;
  std::optional<std::uint64_t> states, queries;
  std::uint64_t steps = 20;
  std::uint64_t seed = 1;
  unsigned threads = 0;
  std::string color = "auto";
  bool json = false, quiet = false, brief = false, no_certify = false, strict = false;
  unsigned verbose = 0;
  bool unfair = false;
  // Of `serve` only.
  std::optional<std::uint64_t> port;
  bool no_open = false, read_only = false, allow_spin = false;
  std::string assets;
  // Of `study` only.
  std::string study_system, study_engines, study_methods, study_alphabets, study_learner, study_memory;
  std::string sizes, scale, parameter, repeated, limit, limit_factor;
  bool renew = false, mpi = false, orbits = false;
  unsigned jobs = 0;
  std::string shard, run_time, bound, only;
  std::string cells_text;  // "100": the states that a process may have and stay whole
  std::optional<FspCells> cells;

  Limits limits;  // from time, memory, states and queries
};

// "N=5". Nothing: not of that form.
std::optional<FspDefine> parse_define(const std::string& text);

// "K=2..": from 2 on. Nothing: not of that form.
std::optional<FspDefine> parse_sizes(const std::string& text);

}  // namespace surety::cli
