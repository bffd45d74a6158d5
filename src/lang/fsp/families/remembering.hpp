// A property that remembers the index of a cell, taken apart: a hub, and one bit for each cell.
//
//   property MUTEX = (enter[i:1..K] -> leave[i] -> MUTEX).
//
// has a state for each i. But which i it is, is known as well if each cell has a bit that says "it is me". What the
// property then has to know of an action x[n] is whether n is remembered before, and after. So x[n] becomes several
// actions, all of which everybody who has x[n] can do instead:
//
//   own:keep  own:drop  own:next  own:last    n is remembered; afterwards n, nothing, its successor or predecessor is
//   other:keep  other:take                    n is not; afterwards as before, or n is
//
// The bit of n takes part in those that agree with its value and changes it as they say; the bit of a neighbour is set
// by next and last. The property without its index is a hub: of the actions of one kind (own or other) it allows the
// one that says what it remembers after, and none of them, which is the violation, if it has no step. Those that are
// not meant lead to where everything is allowed.
//
// So a word on which the property fails is, with the actions chosen by what it remembers, one that all bits can do and
// on which the hub fails. Only this is needed for proofs. That nothing is lost the other way round is seen at one size,
// as a test of what is here: both are compared state by state.
//
// Where the index moves from cell to cell, the hub also forbids that two cells say "me" one after the other. They never
// can, but W would else have to count how many bits are set in the cells it stands for, and not come to an end.
//
// It works if the property remembers one index at a time, uses it in labels as it is, hands it on as it is or moved by
// one, and forgets it only with an action of the cell remembered: what happens elsewhere does not reach its bit.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "lang/fsp/front/process.hpp"
#include "lang/fsp/front/tree.hpp"

namespace surety {

// A property that remembers the index of a cell, at one size, as a hub and a bit for each cell. Actions with an index
// become several, in every component that has them.
struct FspRemembering {
  Lts hub;
  std::vector<std::pair<int, Lts>> bits;         // by index
  std::vector<std::pair<Action, Action>> split;  // action -> one of those that it becomes
};

namespace fsp {

// What is known of the text elsewhere.
struct Reading {
  std::function<bool(const Index&)> grows;  // is this a range up to the size?
  // e is variable + number, for cells far from the ends: the number.
  std::function<std::optional<int>(const Expression& e, std::string_view variable)> offset;
};

struct Remembering {
  using Move = std::pair<std::string_view, Expression>;  // a variable, and what it becomes

  ProcessDefinition hub;
  std::vector<Index> ranges;  // of the index; must be the same
  std::optional<Expression> initial;
  std::map<std::string, std::vector<Move>> moves;  // of own:next and own:last; those of one name must be the same
};

// Nothing: it is no such property.
std::optional<Remembering> without_index(const ProcessDefinition& definition, const Reading& reading);

// The same at one size, where the definition stands for `property`.
std::optional<FspRemembering> hub_and_bits(const Remembering& text, const Lts& property, Evaluator& evaluator,
                                           ActionTable& actions);

}  // namespace fsp
}  // namespace surety
