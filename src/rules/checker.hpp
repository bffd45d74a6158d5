// What answers the questions that premises are made of: our own search, or another model checker.
#pragma once

#include <vector>

#include "engine/product/search.hpp"

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
};

}  // namespace surety
