// Proofs for every size: backward minimisation along a chain of equal cells.
//
// As rules/minimise, from the property into the system: first through the head, that is, whatever does not repeat
// and the cells at both ends; then cell by cell. After each cell the W is renamed back to where the cell
// began. If it then is one that was there before, the rest of the chain only repeats what happened since, however
// long it is. Closing the chain after each of these cells must leave nothing that fails.
//
// The proof is checked by certify/all_sizes.cpp, which says why it is one. What the words of a chain are is said in
// model/chain.hpp.
#pragma once

#include <optional>
#include <string>

#include "model/chain.hpp"
#include "rules/proof_goal.hpp"

namespace surety {

struct ChainAnswer {
  std::optional<Induction> proof;  // without the small sizes
  std::optional<int> fails_with;   // so many cells between the ends, if the components taken are all there are
  std::string why;                 // why there is no proof
};

// Only the components of the head that are to be used.
ChainAnswer prove_chain(const Chain& chain, const std::vector<bool>& used, const Context& context);

}  // namespace surety
