// Promela in: from text to a program that the rest of the world can use.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.hpp"
#include "lang/promela/preprocess.hpp"
#include "lang/promela/tree.hpp"

namespace surety {

namespace promela {

// trace and notrace blocks have no names of their own: it is the label of the first statement, or else trace, trace_2
// and so on.
struct TraceName {
  std::string name;
  std::uint32_t process = 0;  // in Program::processes
};
std::vector<TraceName> trace_names(const Program& program);

}  // namespace promela

struct PromelaFile {
  std::shared_ptr<const promela::Source> source;
  std::shared_ptr<const promela::Program> program;
  Diagnostics warnings;
};

// Preprocesses, parses and checks. `file` is the name that messages show and the place beside which #include looks.
// Preprocessing obeys the budget; if that ends there is an error, and the budget says why. `other_defines`: a define
// that overrides nothing is a warning.
Result<PromelaFile> read_promela(std::string_view text, const std::string& file,
                                 const std::vector<promela::Define>& defines = {}, Budget* budget = nullptr,
                                 bool other_defines = false);

}  // namespace surety
