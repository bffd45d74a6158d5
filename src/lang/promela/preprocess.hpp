// The C preprocessor in front of the parser, as SPIN has it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/budget.hpp"
#include "base/diagnostics.hpp"
#include "lang/text/source.hpp"

namespace surety::promela {

using text::Source;

// `--define NAME=VALUE`: wins over a #define of the same name in the text.
struct Define {
  std::string name;
  std::string value;
};

// A text without directives, and without defines, needs no cpp. The files that #include names are looked for beside
// `file`. cpp is ended with the budget, and has no more memory than that.
Result<Source> preprocess(std::string_view text, const std::string& file, const std::vector<Define>& defines,
                          Budget& budget);

// About defines that nothing in the files of the source has the name of.
Diagnostics unknown_defines(const Source& source, const std::vector<Define>& defines);

// Which cpp there is, and what it defines by itself: a program may depend on both. If the budget ends, this says
// nothing.
struct Preprocessor {
  std::string version;  // what it says of itself; empty: there is none
  std::string macros;   // its predefined ones, as #defines
};
Preprocessor preprocessor(Budget& budget);

// What the files of the source #define as numbers, with these defines. If the budget ends: none.
std::vector<Define> constants_of(const Source& source, const std::vector<Define>& defines, Budget& budget);

}  // namespace surety::promela
