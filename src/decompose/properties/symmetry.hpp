// Components that can change places without changing the system.
//
// Two components can be exchanged if they have as many actions, none in common, and the
// system stays the same, component by component, when the first action of the one and the
// first of the other change names, the second and the second, and so on. The order of the
// actions is a guess: by the other components that have them, by where in the component
// they occur, and by their numbers where that leaves a choice. Further actions may have to
// change names too, such as those by which a third component serves the one or the other:
// where two states of the third component should correspond and have different actions,
// these actions are taken to correspond. The guess may be wrong; that the system stays the
// same under the renaming is checked exactly.
// Components in a group can all be exchanged with its first, and hence permuted in any way.
//
// Not found: rotations of rings, and anything about components that are not deterministic
// and have actions that change names.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "base/budget.hpp"
#include "model/lts.hpp"

namespace surety {

struct Renaming {                                 // one to one
  std::map<Action, Action> actions;               // what is not here keeps its name
  std::map<std::size_t, std::size_t> components;  // and its place
};

class Symmetry {
 public:
  Symmetry(const std::vector<const Lts*>& components, Budget& budget);

  const std::vector<std::vector<std::size_t>>& groups() const { return groups_; }  // of two or more

  // A permutation of the groups that takes the components with actions of this alphabet to the first of their groups,
  // in their order.
  Renaming to_front(const Alphabet& alphabet) const;

 private:
  struct Automorphism {  // that exchanges two components
    Renaming renaming;
    std::vector<Action> further;  // renamed actions that the first component does not have, sorted
  };

  std::vector<std::uint64_t> participants(Action a) const;
  std::vector<Action> in_order(std::size_t c) const;
  std::optional<Automorphism> find_automorphism(std::size_t first, std::size_t second) const;
  bool fits(const std::vector<std::size_t>& group, const Automorphism& found) const;
  bool join(std::vector<std::size_t>& group, std::size_t c);

  const std::vector<const Lts*>& components_;
  std::vector<std::vector<Action>> order_;  // by component: its actions, and those that change names with them
  std::vector<std::vector<std::size_t>> groups_;
};

Renaming inverse(const Renaming& renaming);
Lts renamed(const Lts& lts, const Renaming& renaming);

// Are these deterministic LTSs the same up to the numbering of states, their unreachable ones aside?
bool same_behaviour(const Lts& a, const Lts& b);

}  // namespace surety
