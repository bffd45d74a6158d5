// The answers as a person reads them. The first line is the answer.
#pragma once

#include <string>

#include "api/commands.hpp"
#include "api/verify.hpp"

namespace surety::cli {

struct Style {
  bool color = false;
  bool verbose = false;
};

std::string to_text(const api::Report& report, const Style& style);
std::string to_text(const api::Info& info, const Style& style);
std::string to_text(const api::Composition& composition);
std::string to_text(const api::Assumed& assumed, const Style& style);
std::string to_text(const api::Comparison& comparison);
std::string to_text(const api::Certification& certification);
std::string to_text(const api::Simulation& simulation);

}  // namespace surety::cli
