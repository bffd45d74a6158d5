// What there is to check in a model, and where that is written.
#pragma once

#include <string>
#include <vector>

#include "api/load.hpp"

namespace surety::api {

struct Declared {
  std::string kind, property;  // as in a report
  std::string from = {};       // where it is written, for people: "property process of ring.lts"
  bool own_file = false;       // the property is a file of its own
};

// Everything that can be asked of the model: what it declares, property files, ERROR and deadlock. With names, what
// they mean.
Outcome<std::vector<Declared>> declared_checks(const Model& model, const std::vector<std::string>& names = {});

}  // namespace surety::api
