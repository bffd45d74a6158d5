// An LTS that a job has made, as a file to be saved: an assumption, a conjecture on the way to it, or the whole that
// compose has built. What the job has told is enough for JSON; other formats are written by the program.
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "serve/jobs.hpp"

namespace surety::serve {

struct Wanted {
  std::string of = "assumption.1";  // or "whole"
  std::string k;                    // which conjecture; empty: the last one, which the report has
  std::string check = "0", lane;    // whose; no lane: the first one that has such a conjecture
  std::string format = "json";      // aut, dot, json, lts
};

struct Exported {
  std::string text, type;
};
// `over`: the server ends.
Or<Exported> export_lts(Job& job, const Wanted& wanted, const std::string& surety, const std::atomic<bool>& over);

}  // namespace surety::serve
