// The only door for the command line and everything like it: a request in, a report out.
#pragma once

#include <string>
#include <vector>

#include "api/load.hpp"
#include "base/budget.hpp"
#include "model/certificate.hpp"
#include "rules/cost.hpp"

namespace surety::api {

inline const std::vector<std::string> kMethods = {"monolithic", "asym"};

struct Request {
  std::vector<std::string> files;
  std::vector<std::string> properties;  // files, or "deadlock"; none: what the input declares
  std::string language;
  std::string method = "monolithic";
  std::string split;  // "a,b | c"; empty: chosen
  Limits limits;
  unsigned threads = 1;
  bool certify = true;
  const std::atomic<bool>* interrupted = nullptr;
  Progress* progress = nullptr;
};

struct Check {
  std::string kind;      // "safety" or "deadlock"
  std::string property;  // its name, for safety
  std::string method;
  Split split;
  Verdict verdict;
  Cost cost;
  bool certified = false;
  std::string not_certified;  // why not
  double time_s = 0;
};

struct Report {
  Model model;
  std::vector<Check> checks;
};

// "holds", "violated" or "unknown"
std::string verdict_name(const Verdict& verdict);
std::string verdict_name(const Report& report);  // violated beats unknown beats holds

Outcome<Report> verify(const Request& request);

}  // namespace surety::api
