// The only door for the command line and everything like it: a request in, a report out.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.hpp"
#include "base/json.hpp"
#include "check/all_sizes.hpp"
#include "check/check.hpp"
#include "check/owner.hpp"
#include "check/subject.hpp"
#include "load/load.hpp"
#include "model/observer.hpp"
#include "spin/pan.hpp"

namespace surety::api {

struct Request {
  Source source;                        // property files are filled in from `properties`
  const Model* model = nullptr;         // the source, if it has been read already
  std::vector<std::string> properties;  // names or files; none: everything that the input declares
  std::string method = "auto";
  std::string split;  // "a,b | c"; empty: chosen
  std::string learner = "lstar";
  std::string alphabet = "refine";
  std::string reduction = "auto";             // of explicit searches: none, por, auto
  std::string engine = "native";              // or "flavers"; or "spin", of a Promela file
  std::string constraints;                    // of flavers: "auto" (as empty), "none", "all", or a list
  std::string spin_mode = "separate";         // or "per-query"
  std::string assumption;                     // a supplied one: FILE or FILE:NAME
  std::vector<std::string> seed_assumptions;  // to start from
  std::optional<SizesRange> all_sizes;        // prove properties for every value of a constant, instead of one
  Limits limits;
  std::optional<std::uint64_t> search_states = {};  // of one search for a premise: if one meets more, nothing is proved
  unsigned threads = 1;
  bool certify = true;
  bool unfair = false;  // progress and assertions without fair choice
  const std::atomic<bool>* interrupted = nullptr;
  Progress* progress = nullptr;
  // Told when the files have been read, what will be checked, and of each answer when it is known. They may be empty.
  std::function<void(const Model&)> loaded;
  std::function<void(const Subjects&)> planned;
  std::function<void(const Model&, const Check&)> answered;
  Observer* observer = nullptr;   // is told how answers are found
  bool keep_conjectures = false;  // in the cost of each check, if they are not large
};

struct Report {
  Model model;
  Checks checks;
  std::optional<spin::Statistics> spin;  // if it was asked
  Json options = {};                     // what was asked for, and how (doc/manual.md#json)
  double time_s = 0;                     // of all, with reading
};

std::vector<std::string> method_names();
// The options that only some methods use, of this one; none if there is no such method.
std::vector<std::string> options_of(const std::string& method);

VerdictKind verdict_kind(const Report& report);  // violated beats unknown beats holds

// How many states the whole product has, if one of the checks went through all of it.
std::optional<std::uint64_t> whole_states(const Report& report);

Outcome<Report> verify(const Request& request);

// The counterexample of a check that is violated, as it is kept in a file. A program's steps are those of the whole,
// also if its parts have shown the violation.
SavedTrace saved_trace(const Check& check, const ActionTable& actions);

}  // namespace surety::api
