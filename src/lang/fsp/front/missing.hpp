// Labels that no action answers to: slips of the pen, mostly.
//
// A label of a set, as b in P\{a,b} or progress X = {a,b}, is looked for among the actions that it can be about. One
// definition is elaborated many times, each time with other values. So what was found is kept by the place in the text
// and told at the end, once per set. Of what ranges and named sets stand for one label is enough: a[0..N] often goes
// one too far on purpose.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "lang/fsp/front/label.hpp"
#include "model/alphabet.hpp"

namespace surety::fsp {

// The labels that stand for an action.
class KnownLabels {
 public:
  enum class Match { whole, prefix };  // prefix: a.b stands for the action a.b.c too
  KnownLabels(const Alphabet& alphabet, const ActionTable& actions, Match match);

  bool has(std::string_view label) const { return labels_.contains(label); }
  std::string hint(std::string_view label) const;  // "did you mean 'x'?", or nothing

 private:
  std::unordered_set<std::string_view> labels_;  // they point into the table
};

// That no process of `system` has these actions of a property: they can happen at any time.
void warn_of_free_actions(Report& report, Place place, std::string_view system, std::string_view property,
                          const std::vector<std::string_view>& actions, const KnownLabels& known);

class MissingLabels {
 public:
  enum class Use { assertion, fluent, progress, hiding, exposing, renaming, high, low };

  // Looks for the labels of a set that `owner` uses. Those of assertions, fluents and progress must be found for every
  // value of their indices, the others for one.
  void look(const Label& set, const Scope& scope, const Evaluator& evaluator, Use use, std::string_view owner,
            const KnownLabels& known);
  // The old labels of to/from.
  void look(const std::vector<Relabelling>& relabellings, const Scope& scope, const Evaluator& evaluator,
            std::string_view owner, const KnownLabels& known);

  // All have been found before: there is no need to look again.
  bool all_found(const std::vector<Relabelling>& relabellings) const;

  // In the order of the text; of one owner, or of all. `system`: where assertions and progress are checked.
  void warn(Report& report, std::string_view owner = {}, std::string_view system = {}) const;

 private:
  // One way through the sets that are spelt out in a label: a[i].{b,c} is a[i].b or a[i].c.
  struct Unit {
    Label label;
    bool found = false;
    std::vector<std::string> missing;  // the first few
    std::size_t more = 0;
    std::string hint;
  };
  struct Entry {
    Use use;
    std::string owner;
    std::vector<Unit> units;
    bool all_found() const;
  };

  void look(Unit& unit, bool each, Scope& scope, Evaluator& evaluator, const KnownLabels& known);
  void look(const Relabelling& relabelling, Scope& scope, Evaluator& evaluator, std::string_view owner,
            const KnownLabels& known);
  Entry& entry(const Label& set, Use use, std::string_view owner);

  std::map<std::size_t, Entry> entries_;  // by the offset of the set
};

}  // namespace surety::fsp
