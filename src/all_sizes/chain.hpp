// From a file to a family: which components are cells, which belong to the head, and which actions move.
//
// The text (lang/fsp/families/family.hpp) says from which distance to the ends all cells are alike: the margin m. The
// instance with 2m+3 cells then has three of them in the middle, and they are the cells of the chain. Smaller instances
// are proved one by one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "load/load.hpp"
#include "model/chain.hpp"

namespace surety::api {

// One file at all its sizes.
class Sizes {
 public:
  // The names are those of properties that need not be part of the composite.
  Sizes(const Source& source, std::string parameter, std::vector<std::string> names,
        std::shared_ptr<ActionTable> actions, Budget& budget);

  Outcome<Model> at(int size) const;

  // What stands against an induction, if something does. Else `margin` is known, and the chain of the property.
  std::string chain(const std::string& property, int from, int& margin, Chain& chain) const;

  std::optional<Instance> instance(int size, const std::string& property) const;

  const std::string& parameter() const { return parameter_; }

 private:
  Source source_;
  std::string parameter_;
  std::vector<std::string> names_;
  Budget& budget_;
};

}  // namespace surety::api
