// What is in a file: processes, composites, properties, constants; of a program its parts.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.hpp"
#include "check/unreached.hpp"
#include "inspect/flow_info.hpp"
#include "load/load.hpp"

namespace surety::api {

struct Info {
  struct Process {
    std::string name;
    Lts lts;
    bool property = false;
  };
  struct Machine {
    std::string name;  // as the composite calls it: "x:P(3)"
    Lts lts;
    bool property = false;
    std::string definition = {};  // the process that it is an instance of, if it is one
  };
  struct Composite {
    std::string name;
    std::vector<Machine> machines;  // properties included
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

}  // namespace surety::api
