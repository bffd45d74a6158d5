// Shared variables: components of their own, or in one component with the processes or tasks that use them.
//
// A variable that is a component of its own leaves its users ignorant: a process that
// reads it has one step for every value that the variable can ever have, though often only
// one value is possible at that point. A component that contains the variable and all its
// users has only the steps that can really happen; but its states multiply where the
// processes have little to do with each other. So each variable is tried: the reachable
// product of the variable and its users is built, and given up as soon as it is no smaller
// than the separate components.
//
// The size of a component is its number of states plus its number of steps. States alone
// would not show what is gained, since a variable has few states and many steps (one for
// each value that a write can find); steps alone would not show what is lost where
// processes multiply.
//
// The product of the whole network does not change, state by state and step by step,
// because composition is associative. All actions keep their names and stay in the alphabet
// of the group, also those that the group can never do, so that they block other components
// as before. A process that only has a rendezvous with a user is no user; it shares that
// action with the group. A group is in a valid end state if all its members are. Only an
// error state (an index out of bounds; a violated assertion is a step) would change the
// behaviour: a component that has reached its error state stands still, and as a group the
// other members would stand still with it. So a group that can reach an error state is not
// made. If the group cannot reach one, no run can, and the error state is dropped.
//
// One process at least stays outside of every group: with all processes in one component,
// nothing would be left to prove by parts. Variables with few users go first, and among
// them those with small users; a group counts as one user of the next variable. What else
// processes share (buffers, protected objects, queues) stays a component of its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/budget.hpp"
#include "model/network.hpp"

namespace surety::net {

// A shared variable, and where it went. Sizes are in states and steps.
struct SharedVariable {
  enum class Why : std::uint8_t {
    constant,   // no process writes it: it is no component, and in none
    smaller,    // it and its users are one component: that is smaller
    larger,     // it is a component of its own: that is no larger
    everybody,  // ... because all processes use it, and together nothing would be left to prove by parts
    fails,      // ... because it and its users can reach an error state
    effort,     // ... because it would take too long to find out what is smaller
  };
  std::string name;                // turn, level.2
  std::string component;           // that it is, or is in
  std::uint32_t states = 0;        // of the component of its own
  std::vector<std::string> users;  // the components with processes that use it, when this was decided
  std::uint64_t apart = 0;         // it and its users, each a component
  std::uint64_t together = 0;      // all in one, if that is smaller
  Why why = Why::constant;
};

// A variable that may go into a group.
struct Candidate {
  SharedVariable* variable;
  std::size_t component;           // that it is
  std::vector<std::size_t> users;  // the components of the processes whose own steps access it, in order
};

// Told before it takes the place of its first member. By state: the states of the members, in this order; of END, one
// of several.
using GroupMade =
    std::function<void(const std::vector<std::size_t>& members, const std::vector<std::vector<State>>& states)>;

// `processes`: how many components have one. Notes in each variable what became of it. By component as they were: has
// it become part of another one, and is gone?
std::vector<bool> group_variables(std::vector<Component>& components, std::size_t processes,
                                  std::vector<Candidate> candidates, const GroupMade& made, Budget& budget);

// Without those of its elements that are gone.
template <class T>
void drop(std::vector<T>& all, const std::vector<bool>& gone) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (gone[i]) continue;
    if (kept != i) all[kept] = std::move(all[i]);
    ++kept;
  }
  all.erase(all.begin() + static_cast<std::ptrdiff_t>(kept), all.end());
}

}  // namespace surety::net
