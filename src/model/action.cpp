#include "model/action.hpp"

namespace surety {

ActionTable::ActionTable() { names_.emplace_back("tau"); }  // action 0, not to be found by name

Action ActionTable::intern(std::string_view name) {
  if (const auto it = ids_.find(name); it != ids_.end()) return it->second;
  const Action a{size()};
  ids_.emplace(names_.emplace_back(name), a);
  return a;
}

std::vector<std::string> names(const ActionTable& actions, Word word) {
  std::vector<std::string> out;
  out.reserve(word.size());
  for (const Action a : word) out.emplace_back(actions.name(a));
  return out;
}

}  // namespace surety
