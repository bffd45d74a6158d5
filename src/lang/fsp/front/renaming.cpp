#include "lang/fsp/front/renaming.hpp"

#include <algorithm>
#include <unordered_set>

namespace surety::fsp {
namespace {

// Calls visit(length) for the label itself and its dotted prefixes, longest first, until it returns true.
template <class Visit>
bool any_prefix(std::string_view label, const Visit& visit) {
  for (auto length = label.size();; length = label.rfind('.', length - 1)) {
    if (length == std::string_view::npos || length == 0) return false;
    if (visit(length)) return true;
  }
}

void collect(const Relabelling& relabelling, Scope& scope, Evaluator& evaluator, Renaming& renaming) {
  if (!relabelling.inner.empty()) {
    for_each_index(relabelling.forall, scope, evaluator, [&](const std::string&) {
      for (const Relabelling& inner : relabelling.inner) collect(inner, scope, evaluator, renaming);
    });
    return;
  }
  // The variables of the new label are known in the old one: pipe[i:0..3]/filter[i].in
  for_each_label(relabelling.to, scope, evaluator, [&](const std::string& to) {
    for_each_label(relabelling.from, scope, evaluator,
                   [&renaming, image = to](const std::string& from) { renaming.add(from, image); });
  });
}

}  // namespace

void Renaming::add(const std::string& from, const std::string& to) { images_[from].push_back(to); }

std::vector<std::string> Renaming::images(const std::string& label) const {
  std::vector<std::string> out;
  any_prefix(label, [&](std::size_t length) {
    const auto it = images_.find(label.substr(0, length));
    if (it == images_.end()) return false;
    for (const auto& to : it->second) out.push_back(to + label.substr(length));
    return true;
  });
  return out;
}

Renaming renaming_of(const std::vector<Relabelling>& relabellings, const Scope& scope, Evaluator& evaluator) {
  Renaming renaming;
  Scope inner = scope;
  for (const Relabelling& r : relabellings) collect(r, inner, evaluator, renaming);
  return renaming;
}

ActionMap map_of(const Renaming& renaming, const Alphabet& alphabet, ActionTable& actions) {
  ActionMap map;
  for (const Action a : alphabet) {
    const auto images = renaming.images(std::string(actions.name(a)));
    if (images.empty()) map.emplace_back(a, a);
    for (const auto& to : images) map.emplace_back(a, actions.intern(to));
  }
  std::ranges::sort(map);
  const auto repeated = std::ranges::unique(map);
  map.erase(repeated.begin(), repeated.end());
  return map;
}

ActionMap prefix_map(const std::vector<std::string>& prefixes, const Alphabet& alphabet, ActionTable& actions) {
  ActionMap map;
  for (const Action a : alphabet) {
    const std::string name(actions.name(a));
    for (const auto& prefix : prefixes) map.emplace_back(a, actions.intern(prefix + "." + name));
  }
  return map;
}

Alphabet image(const ActionMap& map, const Alphabet& alphabet) {
  std::vector<Action> out;
  for (const auto& [from, to] : map)
    if (alphabet.contains(from)) out.push_back(to);
  return Alphabet(std::move(out));
}

bool merges(const ActionMap& map) {
  std::vector<Action> images;
  for (const auto& [from, to] : map) images.push_back(to);
  std::ranges::sort(images);
  return std::ranges::adjacent_find(images) != images.end();
}

Alphabet chosen(const std::vector<std::string>& labels, const Alphabet& alphabet, const ActionTable& actions) {
  const std::unordered_set<std::string> set(labels.begin(), labels.end());
  std::vector<Action> out;
  for (const Action a : alphabet) {
    const auto name = actions.name(a);
    if (any_prefix(name, [&](std::size_t length) { return set.contains(std::string(name.substr(0, length))); }))
      out.push_back(a);
  }
  return Alphabet(std::move(out));
}

}  // namespace surety::fsp
