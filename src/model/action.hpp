// Actions, their names, and sequences of them.
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/id.hpp"

namespace surety {

using Action = Id<struct ActionTag>;
using State = Id<struct StateTag>;

inline constexpr Action kTau{0};  // never shared, never in an alphabet

using Trace = std::vector<Action>;     // owns its letters
using Word = std::span<const Action>;  // borrows them

// The names of all actions of one run. Interned when a model is read; looked up
// again only when something is shown to a person.
class ActionTable {
 public:
  ActionTable();
  ActionTable(const ActionTable&) = delete;
  ActionTable& operator=(const ActionTable&) = delete;

  Action intern(std::string_view name);  // "tau" and "i" are ordinary names here: readers decide
  std::string_view name(Action a) const { return names_[a.value]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(names_.size()); }

 private:
  std::deque<std::string> names_;  // a deque: the keys of ids_ point into it
  std::unordered_map<std::string_view, Action> ids_;
};

std::vector<std::string> names(const ActionTable& actions, Word word);

}  // namespace surety
