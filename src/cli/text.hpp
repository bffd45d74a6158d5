// The answers as a person reads them. The first line is the answer. text_check.cpp has those of check, text_info.cpp
// that of info, text_lts.cpp those of compose, draw, assume and compare, text_certify.cpp and text_simulate.cpp the
// others.
#pragma once

#include <string>

#include "api/commands.hpp"
#include "api/verify.hpp"

namespace surety::cli {

struct Style {
  bool color = false;
  bool quiet = false;   // the summary alone
  bool brief = false;   // traces in one line
  unsigned detail = 0;  // 1: how an answer was found, 2: all of that
};

// One answer; of a check that holds, one line.
std::string to_text(const api::Model& model, const api::Check& check, const Style& style);
// After the answers: how many hold, are violated, are unknown.
std::string summary(const api::Report& report, const Style& style);
std::string to_text(const api::Info& info, const Style& style);
std::string to_text(const api::Composition& composition);
std::string to_text(const api::Assumed& assumed, const Style& style);
std::string to_text(const api::Comparison& comparison);
std::string to_text(const api::Certification& certification);
std::string to_text(const api::Simulation& simulation);
// Of a trace that was followed: its cycle, and what was not as it says.
std::string how_followed(const api::Simulation& simulation);
// "P at line 7: c!3"
std::string to_text(const api::Stand& stand);

}  // namespace surety::cli
