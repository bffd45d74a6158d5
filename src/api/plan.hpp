// What a request means before any work is done: are its words known, which checks, which split.
#pragma once

#include <string>
#include <vector>

#include "api/verify.hpp"
#include "rules/rules.hpp"

namespace surety::api {

// Which checks to do.
struct Plan {
  std::vector<const Property*> safety;
  bool error = false;
  bool deadlock = false;
  bool progress = false;
  std::vector<ProgressSet> progress_sets;  // none: the default one
  std::vector<Assertion> assertions;
};

// Methods, learners, alphabet modes and engines that do not exist are refused.
Outcome<void> check_words(const Request& request);

// Everything that the model declares, or what the names mean. With property files only these, unless all is asked for.
Outcome<Plan> make_plan(const Model& model, const std::vector<std::string>& names, bool all = false);

// Nothing but a check of what was said, empty if nothing was: the split itself may depend on the property.
Outcome<Split> given_split(const Request& request, const Rule& rule, const Network& network);
Split choose_split(const Rule& rule, const Split& given, const Network& network, const Property& property);

std::vector<std::string> all_names(const Network& network);

}  // namespace surety::api
