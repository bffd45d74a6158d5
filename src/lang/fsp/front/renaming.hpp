// Operations on an LTS that look at the names of its actions: prefixing, sharing, relabelling, choosing.
//
// Labels are dotted paths, and a label stands for all that begin with it: hiding {a}
// hides a.x too, and /{b/a} makes it b.x. The longest path that fits wins.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "lang/fsp/front/label.hpp"
#include "model/lts.hpp"

namespace surety::fsp {

class Renaming {
 public:
  void add(const std::string& from, const std::string& to);
  bool empty() const { return images_.empty(); }
  std::vector<std::string> images(const std::string& label) const;  // empty: it keeps its name

 private:
  std::unordered_map<std::string, std::vector<std::string>> images_;
};

Renaming renaming_of(const std::vector<Relabelling>& relabellings, const Scope& scope, Evaluator& evaluator);

// What becomes of each action; every action has at least one image.
using ActionMap = std::vector<std::pair<Action, Action>>;

ActionMap map_of(const Renaming& renaming, const Alphabet& alphabet, ActionTable& actions);  // P/{..}
ActionMap prefix_map(const std::vector<std::string>& prefixes, const Alphabet& alphabet,     // a:P, {a,b}::P
                     ActionTable& actions);
Alphabet image(const ActionMap& map, const Alphabet& alphabet);
bool merges(const ActionMap& map);  // do two actions get the same name?

// The actions of the alphabet that are one of the labels, or begin with one.
Alphabet chosen(const std::vector<std::string>& labels, const Alphabet& alphabet, const ActionTable& actions);

}  // namespace surety::fsp
