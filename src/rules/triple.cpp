#include "rules/triple.hpp"

#include "model/transform.hpp"

namespace surety {
namespace {

SearchResult look(const std::vector<Part>& parts, const Means& means) {
  auto result = search(parts, Goal::violation, means.budget, means.threads, means.reduction);
  means.cost.add(result);
  return result;
}

// The chain of the word; its last step leads to the error state, which stands for "done".
Lts goal_lts(Word word, const Alphabet& alphabet) {
  LtsBuilder builder;
  builder.add_to_alphabet(alphabet);
  builder.set_state_count(static_cast<std::uint32_t>(word.size()) + 1);
  for (std::uint32_t i = 0; i < word.size(); ++i) builder.add_step(State{i}, word[i], State{i + 1});
  builder.set_error(State{static_cast<std::uint32_t>(word.size())});
  return builder.build();
}

}  // namespace

std::vector<Part> triple(const Lts* assumption, const Side& side, const Lts& property) {
  std::vector<Part> parts;
  if (assumption != nullptr) parts.push_back({assumption});
  for (const Lts* component : side) parts.push_back({component, Role::component, false});
  parts.push_back({&property, Role::watch});
  return parts;
}

SearchResult check_triple(const Lts* assumption, const Side& side, const Lts& property, const Means& means) {
  return look(triple(assumption, side, property), means);
}

SearchResult violation_under(Word word, const Alphabet& alphabet, const Side& side, const Lts& property,
                             const Means& means) {
  const Lts environment = trace_lts(word, alphabet);
  return check_triple(&environment, side, property, means);
}

SearchResult performance(Word word, const Alphabet& alphabet, const Side& side, const Means& means) {
  SearchResult result;
  result.outcome = SearchResult::Outcome::found;
  if (word.empty()) return result;
  const Lts goal = goal_lts(word, alphabet);
  std::vector<Part> parts{{&goal}};
  for (const Lts* component : side) parts.push_back({component, Role::component, false});
  return look(parts, means);
}

}  // namespace surety
