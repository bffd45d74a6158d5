#include "lang/fsp/front/missing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/action_name.hpp"

namespace surety::fsp {
namespace {

using Use = MissingLabels::Use;

constexpr std::size_t kShown = 3;                // labels in one warning
constexpr std::size_t kMostUnits = 100;          // of one set
constexpr std::size_t kMostCandidates = 10'000;  // for a hint
constexpr std::uint64_t kMostLabels = 100'000;   // that are looked for at a time; a larger set is not looked at

bool is_spelt_out(const LabelPart& part) {
  return part.part == LabelPart::Part::set && !part.without && !part.items.empty() &&
         std::ranges::none_of(part.items, [](const SetItem& item) { return item.without.has_value(); });
}

std::vector<Label> ways_through(const Label& set) {
  std::vector<Label> ways{{{}, set.place}};
  for (const LabelPart& part : set.parts) {
    std::vector<Label> next;
    if (is_spelt_out(part) && ways.size() * part.items.size() <= kMostUnits)
      for (const Label& way : ways)
        for (const SetItem& item : part.items)
          for (const Label& rest : ways_through(item.label)) {
            next.push_back({way.parts, rest.place});
            next.back().parts.insert(next.back().parts.end(), rest.parts.begin(), rest.parts.end());
          }
    if (next.empty() || next.size() > kMostUnits) {
      next = ways;
      for (Label& way : next) way.parts.push_back(part);
    }
    ways = std::move(next);
  }
  return ways;
}

// An evaluator that says nothing: what is wrong has been said, or will be.
class Quiet {
 public:
  explicit Quiet(const Evaluator& like) : report_(nowhere_), evaluator_(like.tree(), report_, effort(like)) {}
  Evaluator& evaluator() { return evaluator_; }

 private:
  static Effort effort(const Evaluator& like) {
    Effort out = like.effort();
    out.most_labels = std::min(out.most_labels, kMostLabels);
    return out;
  }
  Source nowhere_;
  Report report_;
  Evaluator evaluator_;
};

std::string consequence(Use use, bool one) {
  switch (use) {
    case Use::assertion:
    case Use::fluent: return one ? ": it can happen at any time" : ": they can happen at any time";
    case Use::progress: return one ? ": it never happens" : ": they never happen";
    case Use::hiding: return " to hide";
    case Use::exposing: return " to keep visible";
    case Use::renaming: return " to rename";
    case Use::high: return " to give a high priority";
    case Use::low: return " to give a low priority";
  }
  return "";
}

bool must_be_found_each_time(Use use) { return use <= Use::progress; }

std::string message(Use use, std::string_view owner, std::string_view system, const std::vector<std::string>& names,
                    std::size_t more) {
  std::string list;
  const std::size_t shown = std::min(names.size(), kShown);
  more += names.size() - shown;
  for (std::size_t i = 0; i < shown; ++i)
    list += fmt::format("{}'{}'", i == 0 ? "" : i + 1 == shown && more == 0 ? " or " : ", ", names[i]);
  if (more > 0) list += fmt::format(" and {} more", more);
  const std::string end = consequence(use, shown + more == 1);
  if (!must_be_found_each_time(use)) return fmt::format("{} has no {}{}", owner, list, end);
  const char* what = use == Use::assertion ? "assertion" : use == Use::fluent ? "fluent" : "progress";
  return fmt::format("in {}, no process has {} of {} {}{}", system, list, what, owner, end);
}

}  // namespace

// ---- what is known

KnownLabels::KnownLabels(const Alphabet& alphabet, const ActionTable& actions, Match match) {
  for (const Action a : alphabet) {
    std::string_view name = actions.name(a);
    // If a path is known, so are those it begins with.
    while (labels_.insert(name).second && match == Match::prefix) {
      const auto dot = name.rfind('.');
      if (dot == std::string_view::npos || dot == 0) break;
      name = name.substr(0, dot);
    }
  }
}

// If they differ in their numbers only: these, pair by pair.
static std::optional<std::vector<std::pair<int, int>>> different_numbers(const ActionName& a, const ActionName& b) {
  if (a.parts.size() != b.parts.size()) return std::nullopt;
  std::vector<std::pair<int, int>> out;
  for (std::size_t i = 0; i < a.parts.size(); ++i) {
    const auto x = ActionName::number(a.parts[i]), y = ActionName::number(b.parts[i]);
    if (x && y)
      out.emplace_back(*x, *y);
    else if (a.parts[i] != b.parts[i])
      return std::nullopt;
  }
  return out;
}

// Is a number of the label smaller or larger than in all labels of its form? If not, it is not the range that is wrong.
static bool is_out_of_range(std::string_view label, const std::vector<std::string>& all) {
  std::vector<bool> too_small, too_large;
  const ActionName wrong(label);
  for (const std::string& name : all) {
    const auto pairs = different_numbers(wrong, ActionName(name));
    if (!pairs) continue;
    too_small.resize(pairs->size(), true);
    too_large.resize(pairs->size(), true);
    for (std::size_t i = 0; i < pairs->size(); ++i) {
      const auto [wanted, known] = (*pairs)[i];
      too_small[i] = too_small[i] && wanted < known;
      too_large[i] = too_large[i] && wanted > known;
    }
  }
  const auto is_set = [](const std::vector<bool>& bits) { return std::ranges::find(bits, true) != bits.end(); };
  return is_set(too_small) || is_set(too_large);
}

// A part of a path may have been forgotten: enter for a.enter, or a for a.enter.
std::string KnownLabels::hint(std::string_view label) const {
  if (labels_.size() > kMostCandidates) return "";
  std::vector<std::string> all(labels_.begin(), labels_.end());
  std::ranges::sort(all);
  if (is_out_of_range(label, all)) return "is an index out of range?";
  const std::string before = fmt::format("{}.", label), after = fmt::format(".{}", label);
  for (const std::string& name : all)
    if (name.ends_with(after) || name.starts_with(before)) return fmt::format("did you mean '{}'?", name);
  return did_you_mean(label, all);
}

void warn_of_free_actions(Report& report, Place place, std::string_view system, std::string_view property,
                          const std::vector<std::string_view>& actions, const KnownLabels& known) {
  if (actions.empty()) return;
  const std::string list = actions.size() == 1 ? fmt::format("'{}'", actions[0])
                                               : fmt::format("'{}' and {} more", actions[0], actions.size() - 1);
  const std::string hint = known.hint(actions[0]);
  report.warning(place, fmt::format("in {}, no process has {} of property {}", system, list, property),
                 hint.empty() ? "such an action can happen at any time" : hint);
}

// ---- what is missing

bool MissingLabels::Entry::all_found() const { return std::ranges::all_of(units, &Unit::found); }

MissingLabels::Entry& MissingLabels::entry(const Label& set, Use use, std::string_view owner) {
  const auto [it, is_new] = entries_.try_emplace(set.place.offset, Entry{use, std::string(owner), {}});
  if (is_new)
    for (Label& way : ways_through(set)) it->second.units.push_back({std::move(way), false, {}, 0, {}});
  return it->second;
}

void MissingLabels::look(Unit& unit, bool each, Scope& scope, Evaluator& evaluator, const KnownLabels& known) {
  bool found = false;
  std::vector<std::string> missing;
  std::size_t more = 0;
  for_each_label(unit.label, scope, evaluator, [&](const std::string& label) {
    found = found || known.has(label);
    if (found) return;
    if (missing.size() < kShown)
      missing.push_back(label);
    else
      ++more;
  });
  if (found || evaluator.failed()) {
    unit.found = unit.found || !each;
    return;
  }
  if (unit.hint.empty() && unit.missing.empty() && !missing.empty()) unit.hint = known.hint(missing[0]);
  unit.more += more;
  for (std::string& label : missing) {
    if (std::ranges::find(unit.missing, label) != unit.missing.end()) continue;
    if (unit.missing.size() < kShown)
      unit.missing.push_back(std::move(label));
    else
      ++unit.more;
  }
}

void MissingLabels::look(const Label& set, const Scope& scope, const Evaluator& evaluator, Use use,
                         std::string_view owner, const KnownLabels& known) {
  if (evaluator.failed()) return;
  Quiet quiet(evaluator);
  Scope inner = scope;
  for (Unit& unit : entry(set, use, owner).units)
    if (!unit.found) look(unit, must_be_found_each_time(use), inner, quiet.evaluator(), known);
}

bool MissingLabels::all_found(const std::vector<Relabelling>& relabellings) const {
  return std::ranges::all_of(relabellings, [&](const Relabelling& r) {
    if (!r.inner.empty()) return all_found(r.inner);
    const auto it = entries_.find(r.from.place.offset);
    return it != entries_.end() && it->second.all_found();
  });
}

void MissingLabels::look(const std::vector<Relabelling>& relabellings, const Scope& scope, const Evaluator& evaluator,
                         std::string_view owner, const KnownLabels& known) {
  if (evaluator.failed()) return;
  Quiet quiet(evaluator);
  Scope inner = scope;
  for (const Relabelling& relabelling : relabellings) look(relabelling, inner, quiet.evaluator(), owner, known);
}

void MissingLabels::look(const Relabelling& relabelling, Scope& scope, Evaluator& evaluator, std::string_view owner,
                         const KnownLabels& known) {
  if (!relabelling.inner.empty())
    return for_each_index(relabelling.forall, scope, evaluator, [&](const std::string&) {
      for (const Relabelling& inner : relabelling.inner) look(inner, scope, evaluator, owner, known);
    });
  Entry& set = entry(relabelling.from, Use::renaming, owner);
  if (set.all_found()) return;
  for_each_label(relabelling.to, scope, evaluator, [&](const std::string&) {
    for (Unit& unit : set.units)
      if (!unit.found) look(unit, false, scope, evaluator, known);
  });
}

void MissingLabels::warn(Report& report, std::string_view owner, std::string_view system) const {
  for (const auto& [offset, entry] : entries_) {
    if (!owner.empty() && entry.owner != owner) continue;
    std::vector<std::string> names;
    std::size_t more = 0;
    const Unit* first = nullptr;
    for (const Unit& unit : entry.units) {
      if (unit.found || unit.missing.empty()) continue;
      if (first == nullptr) first = &unit;
      names.insert(names.end(), unit.missing.begin(), unit.missing.end());
      more += unit.more;
    }
    if (first != nullptr)
      report.warning(first->label.place, message(entry.use, entry.owner, system, names, more), first->hint);
  }
}

}  // namespace surety::fsp
