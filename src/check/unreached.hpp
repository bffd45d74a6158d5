// Statements of a program that no process ever comes to, as pan lists them after a search.
#pragma once

#include <string>
#include <vector>

#include "load/load.hpp"

namespace surety::api {

struct Unreached {
  struct Line {
    std::string process;  // the proctype
    std::uint32_t line = 0;
    std::string statement;
  };
  std::vector<Line> lines;   // by proctype, in the order of the text; of a search that did not finish: none
  Stop why = Stop::none;     // what stopped it
  std::uint64_t states = 0;  // that were looked at
};

// Looks at every state of the program. A statement counts as reached where a process stands at it, executable or not.
Outcome<Unreached> find_unreached(const Model& model, Budget& budget);

}  // namespace surety::api
