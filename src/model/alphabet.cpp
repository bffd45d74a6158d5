#include "model/alphabet.hpp"

#include <iterator>

namespace surety {

Alphabet::Alphabet(std::vector<Action> actions) : actions_(std::move(actions)) {
  std::erase(actions_, kTau);
  std::sort(actions_.begin(), actions_.end());
  actions_.erase(std::unique(actions_.begin(), actions_.end()), actions_.end());
}

std::optional<std::uint32_t> Alphabet::index(Action a) const {
  const auto it = std::lower_bound(actions_.begin(), actions_.end(), a);
  if (it == actions_.end() || *it != a) return std::nullopt;
  return static_cast<std::uint32_t>(it - actions_.begin());
}

Alphabet unite(const Alphabet& a, const Alphabet& b) {
  std::vector<Action> out;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return Alphabet(std::move(out));
}

Alphabet intersect(const Alphabet& a, const Alphabet& b) {
  std::vector<Action> out;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return Alphabet(std::move(out));
}

Alphabet subtract(const Alphabet& a, const Alphabet& b) {
  std::vector<Action> out;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return Alphabet(std::move(out));
}

std::vector<std::string> sorted_names(const ActionTable& actions, const Alphabet& alphabet) {
  std::vector<std::string> out;
  for (const Action a : alphabet) out.emplace_back(actions.name(a));
  std::sort(out.begin(), out.end());
  return out;
}

Trace project(Word word, const Alphabet& alphabet) {
  Trace out;
  for (const Action a : word)
    if (alphabet.contains(a)) out.push_back(a);
  return out;
}

}  // namespace surety
