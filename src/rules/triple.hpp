// The searches that premises are made of. Each adds what it cost.
#pragma once

#include "rules/proof_goal.hpp"

namespace surety {

// What to search for <A> M <P>; A may be missing.
std::vector<Part> triple(const Lts* assumption, const ComponentSet& side, const Lts& property);

// <A> M <P>: found means that it does not hold.
SearchResult check_triple(const Lts* assumption, const ComponentSet& side, const Lts& property, const Context& context,
                          Checker::Want want = Checker::Want::trace);

// How M goes wrong when its environment, over this alphabet, does this word or a prefix of it and nothing else.
SearchResult violation_under(Word word, const Alphabet& alphabet, const ComponentSet& side, const Lts& property,
                             const Context& context, Checker::Want want = Checker::Want::trace);

// How M does this word over this alphabet; not found: it cannot. Letters that M does not have are skipped.
SearchResult performance(Word word, const Alphabet& alphabet, const ComponentSet& side, const Context& context);

}  // namespace surety
