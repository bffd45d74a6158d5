// What answers the questions that premises are made of: our own search, another model checker, or our own search of
// something that the components only stand for.
#pragma once

#include <memory>
#include <vector>

#include "engine/product/search.hpp"
#include "engine/product/subset.hpp"

namespace surety {

using ComponentSet = std::vector<const Lts*>;  // components that are kept together

class Checker {
 public:
  virtual ~Checker() = default;
  // <A> M <P>, A may be missing. Found: it does not hold, and the trace, if one is wanted, has at least all actions
  // that M, A or P knows. A checker that fails stops the budget with Stop::tool.
  enum class Want { verdict, trace };
  virtual SearchResult check(const Lts* assumption, const ComponentSet& side, const Lts& property, Want want,
                             Budget& budget) = 0;
  // M beside P, for membership queries. Null: each query is a question like the others.
  virtual std::unique_ptr<SubsetWalk> walk(const ComponentSet& /*side*/, const Lts& /*property*/,
                                           const Alphabet& /*letters*/, Budget& /*budget*/) {
    return nullptr;
  }
};

}  // namespace surety
