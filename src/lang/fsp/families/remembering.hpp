// A property that remembers the index of one cell, taken apart into a hub and one bit per cell.
//
//   property MUTEX = (enter[i:1..K] -> leave[i] -> MUTEX).
//
// This property has one state for each i, so it grows with K. Instead, let each cell n have a bit of its own that is
// set while n is the remembered index; what is left of the property, the hub, has the same states for every K. An
// action x[n] then has to say whether n is remembered before it and what is remembered after it. So x[n] is replaced by
// several variants, and every component that can do x[n] can do each of them:
//
//   own:keep    n is remembered before, and n after
//   own:drop    n is remembered before, and nothing after
//   own:next    n is remembered before, and its successor after
//   own:last    n is remembered before, and its predecessor after
//   other:keep  n is not remembered before, and the same as before is after
//   other:take  n is not remembered before, and n is after
//
// The bit of n can do the variants of x[n] that agree with its value, and takes the value that they say; own:next and
// own:last also set the bit of the neighbour. The hub is the property without its index. In each of its states, among
// the own variants of x[n] one is correct: the one that says what the property remembers after x[n]; likewise among the
// other variants. The hub follows the correct variant. If the property has no step there, the hub has none either,
// which is the violation. Each incorrect variant leads to a state in which everything is allowed.
//
// So take a word on which the property fails, and replace each action by its correct variant: all bits can do the
// result, and the hub fails on it. Proofs need no more than this. That hub and bits fail on no other words is tested at
// one size, where they are compared with the property state by state.
//
// Where the index moves from cell to cell, there is one more action me[n], which a bit can do while it is set, and the
// hub forbids that two cells do it one after the other. They never can, because only one bit is set; but an inductive
// assumption about many cells would otherwise have to count how many of their bits are set, and never be finite.
//
// This works if the property remembers one index at a time, uses it unchanged in labels, hands it on unchanged or moved
// by one, and forgets it only by an action of the remembered cell: an action of another cell does not reach its bit.
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

// A property that remembers the index of a cell, at one size, as a hub and one bit per cell. Actions with an index have
// variants, in every component that has them.
struct FspRemembering {
  Lts hub;
  std::vector<std::pair<int, Lts>> bits;            // the index of a cell, and its bit
  std::vector<std::pair<Action, Action>> variants;  // an action, and one of its variants
};

namespace fsp {

// What family.cpp knows of the text.
struct Reading {
  std::function<bool(const Index&)> grows;  // is this a range up to the size?
  // e is variable + number, for cells far from the ends: the number.
  std::function<std::optional<int>(const Expression& e, std::string_view variable)> offset;
};

struct Remembering {
  using Shift = std::pair<std::string_view, Expression>;  // the variable of the index, and its value after the action

  ProcessDefinition hub;
  std::vector<Index> ranges;  // of the index, wherever it is bound; all must have the same values
  std::optional<Expression> initial;
  std::map<std::string, std::vector<Shift>> shifts;  // of own:next and own:last; those of one key must be equal
};

// The hub of the property, as text. Nothing: the property is not of this form.
std::optional<Remembering> without_index(const ProcessDefinition& definition, const Reading& reading);

// The same at one size, where the definition stands for `property`.
std::optional<FspRemembering> hub_and_bits(const Remembering& text, const Lts& property, Evaluator& evaluator,
                                           ActionTable& actions);

}  // namespace fsp
}  // namespace surety
