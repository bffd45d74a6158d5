// The interface of a system, learned without an environment (Pasareanu, Giannakopoulou, SPIN 2006).
//
// A word is a member iff an environment that does it leads the system to no error.
//
//   oracle 1   <A> M <P>: a violation makes A too weak
//   oracle 2   P satisfies A: A should have what the property allows
//
// Over an alphabet that has all of P's actions, a word that P allows is safe. Else, or
// if the system can also reach ERROR, it need not be; then only words that are safe
// as well count. Letters that P does not have may fall anywhere.
//
// A is sound: oracle 1 says so. It is not always the weakest: a word that P forbids
// may be one that the system cannot do. So A is compared with the sets of the exact
// construction (weakest.hpp), as far as a small budget goes. Where that ends, the
// W-method may serve as oracle 2 instead: it is right if its bound is.
//
// If the context has a checker of triples (SPIN), it answers everything but that comparison:
// queries and oracle 1 are triples of the system, oracle 2 is <P> M <A> with no component in
// M. It takes one property, whose actions are all in the alphabet, and no ERROR.
#pragma once

#include <optional>

#include "rules/proof_goal.hpp"

namespace surety {

struct Interface {
  enum class Weakest { yes, no, open };  // open: comparing costs too much
  Lts assumption;
  Weakest weakest = Weakest::open;
  Trace lacks = {};  // no: a shortest safe word that the assumption does not have
};

// Watchers of the system are its properties. `bound`: on the states of the weakest assumption; oracle 2 is then the
// W-method.
std::variant<Interface, Unknown> generate_interface(const std::vector<Part>& system, const Alphabet& alphabet,
                                                    std::optional<std::uint64_t> bound, const Context& context);

}  // namespace surety
