// A system of any size: a head that does not change, and a chain of equal cells.
//
// Given are three neighbouring cells of one instance. By `shift` the second is the first, renamed, and the third the
// second; a longer chain goes on like that. The head has both ends of the chain in it, so that rings are chains too.
// What the property (or a component with actions for every cell) says of a cell in the middle it says of all: to it the
// actions of such cells are one, their class.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/verdict.hpp"

namespace surety {

struct Chain {
  using Renaming = std::vector<std::pair<Action, Action>>;

  Lts property;
  std::vector<Component> head;
  std::vector<bool> hub;                      // by component of the head: has actions for every cell
  std::vector<std::vector<Component>> cells;  // three, each of the same number of components
  Renaming shift;                             // of actions of the first two cells that differ from cell to cell
  Renaming classes;                           // action -> class; those of the head's ends count as themselves
  std::string left_out;                       // a component that is not here, and why; empty: all are
};

// One size, and the property there.
struct Instance {
  int size = 0;
  Network network;
  Property property;
};

// All that has to be known to prove something for every size from `from` on.
struct Family {
  int from = 0;
  std::vector<Instance> small;  // from, from + 1, ... those without the chain
  Chain chain;                  // for all sizes that follow
};

}  // namespace surety
