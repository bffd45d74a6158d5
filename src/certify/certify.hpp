// The independent checker: small, slow, obvious.
//
// It includes nothing but `model`, so that a bug in the engine, a learner or a
// rule cannot hide here. It restates every rule in its own words and checks every
// premise by its own plain search of explicit tuples.
#pragma once

#include <optional>
#include <string>

#include "base/budget.hpp"
#include "model/chain.hpp"
#include "model/observer.hpp"
#include "model/proof.hpp"

namespace surety::certify {

struct Judgement {
  enum class Kind { accepted, refused, unfinished };
  Kind kind = Kind::refused;
  std::string reason;        // why it was refused or not finished
  Trace trace;               // refused: what shows that a premise fails, if something does
  std::uint64_t states = 0;  // tuples met by all searches
};

// Is this certificate a proof that the network satisfies all these properties? One, or for rule sym-2 one per side.
// Neither components nor properties have error states (doc/semantics.md#error). `tell`: what is found of each premise.
Judgement check_safety(const Network& network, const std::vector<const Property*>& properties,
                       const Certificate& certificate, Budget& budget, const Teller& tell = {});

// Is it a proof that the property holds for every size of the family?
Judgement check_all_sizes(const Family& family, const Certificate& certificate, Budget& budget,
                          const Teller& tell = {});

// The same for "no deadlock is reachable".
Judgement check_deadlock_free(const Network& network, const Certificate& certificate, Budget& budget,
                              const Teller& tell = {});

// The same for "no component reaches its own error state".
Judgement check_error_free(const Network& network, const Certificate& certificate, Budget& budget,
                           const Teller& tell = {});

// Does the whole network have this trace, and does it violate the property? Nothing: yes; else why not.
// Silent steps may fall anywhere: a network has a word iff each component has its share of it (a component in its own
// error state stands still, the others go on).
std::optional<std::string> replay_violation(const Network& network, const Property& property, Word trace);

// Does this trace lead a component to its own error state?
std::optional<std::string> replay_error(const Network& network, Word trace);

// Does this trace lead every component to the state given, and can nothing happen there? Without
// states: can every component do its share at all?
std::optional<std::string> replay_deadlock(const Network& network, Word trace, const std::vector<State>& last);

// Can every component do its share of the trace and then of the cycle, again and again?
std::optional<std::string> replay_cycle(const Network& network, Word trace, Word cycle);

}  // namespace surety::certify
