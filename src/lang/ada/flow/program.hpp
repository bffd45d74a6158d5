// Ada in: from files to a flow program.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/diagnostics.hpp"
#include "lang/ada/library.hpp"
#include "model/flow_graph.hpp"

namespace surety {

struct AdaDefine {
  std::string name;
  std::int64_t value = 0;
  bool may_miss = false;  // if nothing has this name, that is a warning
};

struct AdaProgram {
  std::shared_ptr<text::Source> source;
  flow::Program flow;
  std::vector<std::string> files;       // all that were read
  std::vector<std::string> properties;  // files that the program names
  std::vector<AdaDefine> constants;     // numbers and constants that are elaborated once, for info and properties
  struct Opaque {
    std::string name;
    std::string why;
    std::uint32_t line = 0;
  };
  std::vector<Opaque> opaque;
  struct Operands {  // of an operator, both of which read variables: slots, if these are not the task's own
    std::uint32_t task = 0, place = 0;
    std::vector<std::uint32_t> left, right;
  };
  std::vector<Operands> operands;
  Diagnostics warnings;
};

// `main`: the name of the main procedure, or empty. If the budget ends, the result is an error.
Result<AdaProgram> read_ada(const std::vector<std::string>& files, const ada::FileReader& read,
                            const std::vector<AdaDefine>& defines, const std::string& main, Budget* budget = nullptr);

}  // namespace surety
