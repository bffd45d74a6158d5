// A set of visible actions, sorted.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <vector>

#include "model/action.hpp"

namespace surety {

class Alphabet {
 public:
  Alphabet() = default;
  Alphabet(std::initializer_list<Action> actions) : Alphabet(std::vector<Action>(actions)) {}
  explicit Alphabet(std::vector<Action> actions);  // any order, with repetitions; tau is left out

  bool contains(Action a) const { return std::binary_search(actions_.begin(), actions_.end(), a); }
  std::optional<std::uint32_t> index(Action a) const;  // its place in the sorted order
  Action operator[](std::size_t i) const { return actions_[i]; }
  std::size_t size() const { return actions_.size(); }
  bool empty() const { return actions_.empty(); }
  auto begin() const { return actions_.begin(); }
  auto end() const { return actions_.end(); }
  friend bool operator==(const Alphabet&, const Alphabet&) = default;

 private:
  std::vector<Action> actions_;
};

Alphabet unite(const Alphabet& a, const Alphabet& b);
Alphabet intersect(const Alphabet& a, const Alphabet& b);
Alphabet subtract(const Alphabet& a, const Alphabet& b);

// The names, in alphabetical order.
std::vector<std::string> sorted_names(const ActionTable& actions, const Alphabet& alphabet);

// word without the letters outside the alphabet (tau is outside every alphabet).
Trace project(Word word, const Alphabet& alphabet);

}  // namespace surety
