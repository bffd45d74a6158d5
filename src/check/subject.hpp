// What can be checked of a model, and where it is written.
//
// A list of all there is comes first; a request picks from it by name. The rest of a run
// (tasks, re-checks, certificates) works on what was picked and looks nothing up by name.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "load/load.hpp"
#include "model/check_kind.hpp"

namespace surety::api {

// What it is in the model.
struct Assert {                    // that no component reaches ERROR, and no assert fails
  bool shown_if_violated = false;  // not asked for by name, and the program asserts nothing
};
struct EndStates {};  // deadlock, invalid end states
struct AssertionName {
  std::string name;
};
struct TraceBlock {
  std::uint32_t process = 0;  // in the program
};
struct FormulaBlock {
  std::uint32_t formula = 0;  // in the program
};
struct NeverClaim {
  std::uint32_t process = 0;
};
struct LabelCheck {  // accept or progress
  std::string label;
};
using Object = std::variant<Assert, EndStates, const Property*, ProgressSet, AssertionName, TraceBlock, FormulaBlock,
                            NeverClaim, LabelCheck>;

struct Subject {
  CheckKind kind = CheckKind::safety;
  std::string name;
  Object object;
  std::string from = {};  // where it is written, for people: "property process of ring.lts"
  bool own_file = false;  // the property is a file of its own
  int id = 0;             // its place in what a run is asked to check
};
using Subjects = std::vector<Subject>;

// Everything that can be asked of the model: what it declares, property files, ERROR and deadlock, in the order of a
// report.
Outcome<Subjects> all_subjects(const Model& model);

// What the names mean, in that order; a name that means nothing is an error.
Outcome<Subjects> named_subjects(const Model& model, const Subjects& all, const std::vector<std::string>& names);

// What a request is about: property files and what is named, or all that there is. Something that is named several
// times is there several times: a rule may take a property for each side.
Outcome<Subjects> chosen_subjects(const Model& model, const std::vector<std::string>& names);

// Leaves the first of those that are the same; `but_properties`: properties may be there several times.
void drop_repeats(Subjects& subjects, bool but_properties);

// An action of an assertion, a fluent, a progress set or a property outside that the system does not have is perhaps
// misspelt.
void warn_of_missing_actions(Model& model, const Subjects& subjects);

}  // namespace surety::api
