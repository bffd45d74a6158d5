// What check found, in the two formats that programs for continuous integration read.
//
// JUnit's XML (junit.cpp) has every check as a test case: for pages that list what passed and what failed. SARIF
// (sarif.cpp) has only what is wrong, each with the line it is about: for pages that show it beside the text.
#pragma once

#include <string>
#include <vector>

#include "api/verify.hpp"
#include "base/json.hpp"
#include "load/places.hpp"

namespace surety::cli {

struct CiRun {
  const api::Outcome<api::Report>& outcome;
  const std::vector<std::string>& files;  // of the command line
  bool strict = false;                    // what is unknown is a failure
  int status = 0;                         // the exit status
};

std::string junit(const CiRun& run);
Json sarif(const CiRun& run);

// Where a reader should look: where the check is declared; of an assert that fails, the statement; else the system, or
// the first line of its file.
api::TextPlace place_to_show(const api::Model& model, const api::Check& check);

// "violated: property ORDER"
std::string headline(const api::Model& model, const api::Check& check);

}  // namespace surety::cli
