// What the program can be asked: commands with their options, methods. It says so itself (`surety docs json`), so that
// nothing here has to be kept in step with it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "serve/trouble.hpp"

namespace surety::serve {

struct OptionOf {
  bool flag = false;         // has no value
  bool equals_only = false;  // has one, or none
  bool repeatable = false;
  std::vector<std::string> words;  // that there are, if they are known
};

struct Vocabulary {
  std::string tool;                                                // "surety 1.2.3"
  std::map<std::string, std::map<std::string, OptionOf>> options;  // by command, without dashes
  Json methods;                                                    // as the page gets them
};

Or<Vocabulary> read_vocabulary(const std::string& text);

}  // namespace surety::serve
