#include "decompose/properties/conjuncts.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "model/minimise.hpp"

namespace surety {
namespace {

using View = std::size_t;
using Pick = std::pair<View, View>;  // one view twice, or two in order
using Tuple = std::vector<std::uint32_t>;

// A larger P is not taken apart: its projections would cost too much.
constexpr std::uint64_t kMostSteps = 200'000;

// The words of a deterministic LTS without the letters outside `keep`, as a minimal deterministic LTS. Nothing: the
// subset construction grows beyond the LTS.
std::optional<Lts> projection(const Lts& lts, const Alphabet& keep) {
  using Set = std::vector<State>;
  const auto close = [&](std::set<State> set) {
    Set todo(set.begin(), set.end());
    while (!todo.empty()) {
      const State s = todo.back();
      todo.pop_back();
      for (const Step& step : lts.steps(s))
        if (!keep.contains(step.action) && set.insert(step.target).second) todo.push_back(step.target);
    }
    return Set(set.begin(), set.end());
  };
  std::map<Set, std::uint32_t> number{{close({lts.initial()}), 0}};
  std::vector<Set> sets{number.begin()->first};
  LtsBuilder builder;
  builder.add_to_alphabet(keep);
  for (std::uint32_t i = 0; i < sets.size(); ++i) {
    if (sets.size() > lts.state_count() + 16) return std::nullopt;
    std::map<Action, std::set<State>> next;
    for (const State s : sets[i])
      for (const Step& step : lts.steps(s))
        if (keep.contains(step.action)) next[step.action].insert(step.target);
    for (const auto& [a, targets] : next) {
      const auto [it, fresh] = number.try_emplace(close(targets), static_cast<std::uint32_t>(sets.size()));
      if (fresh) sets.push_back(it->first);
      builder.add_step(State{i}, a, State{it->second});
    }
  }
  builder.set_state_count(static_cast<std::uint32_t>(sets.size()));
  return minimise_trace(builder.build());
}

bool allows(const Lts& lts, Word word) {
  State s = lts.initial();
  for (const Action a : word) {
    if (!lts.alphabet().contains(a)) continue;
    const auto steps = lts.steps(s, a);
    if (steps.empty()) return false;
    s = steps.front().target;
  }
  return true;
}

class Family {
 public:
  Family(const Lts& property, const std::vector<const Lts*>& components, Budget& budget)
      : property_(property), budget_(budget) {
    std::map<std::vector<std::size_t>, std::vector<Action>> by_participants;
    for (const Action a : property.alphabet()) {
      std::vector<std::size_t> who;
      for (std::size_t c = 0; c < components.size(); ++c)
        if (components[c]->alphabet().contains(a)) who.push_back(c);
      by_participants[who].push_back(a);
    }
    for (const Lts* lts : components) add_view(intersect(property.alphabet(), lts->alphabet()));
    std::stable_sort(views_.begin(), views_.end(), [](const auto& a, const auto& b) { return a.size() < b.size(); });
    for (const auto& [who, actions] : by_participants) add_view(Alphabet(actions));
  }

  std::vector<Lts> find(const std::vector<const Lts*>& components) {
    if (views_.size() < 2 || property_.state_count() == 0 || property_.transition_count() > kMostSteps) return {};
    for (View v = 0; v < views_.size(); ++v) {
      if (!budget_.go_on()) return {};
      order_.push_back(nearest_first(views_[v], components));
    }
    for (Round round = Round::more; round != Round::done;) {
      round = pass();
      if (round == Round::none) return {};
    }
    std::vector<Lts> out;
    for (const auto& [pick, lts] : family_)
      if (!is_redundant(*lts)) out.push_back(*lts);
    return out;
  }

 private:
  enum class Round { more, done, none };

  // Walks through all words that the family allows, as tuples of states: that of P first, then one per member of the
  // family. For each word that P forbids, the family gets a member that forbids it. more: it got one; done: the family
  // implies P; none: no projection forbids such a word, or the walk costs too much.
  Round pass() {
    std::vector<const Lts*> parts{&property_};
    for (const auto& [pick, lts] : family_) parts.push_back(lts);
    std::map<Action, std::vector<std::size_t>> involved;
    for (const Action a : property_.alphabet())
      for (std::size_t i = 0; i < parts.size(); ++i)
        if (parts[i]->alphabet().contains(a)) involved[a].push_back(i);
    nodes_ = {{0, kTau}};
    std::map<Tuple, std::size_t> number{{Tuple(parts.size(), 0), 0}};
    std::vector<const Tuple*> tuples{&number.begin()->first};
    bool more = false;
    for (std::size_t n = 0; n < tuples.size(); ++n) {
      if (!budget_.go_on() || tuples.size() > 4 * property_.state_count() + 10'000) return Round::none;
      for (const auto& [a, who] : involved) {
        Tuple next = *tuples[n];
        bool allowed = true, forbidden = false;
        for (const std::size_t i : who) {
          const auto steps = parts[i]->steps(State{next[i]}, a);
          if (!steps.empty())
            next[i] = steps.front().target.value;
          else if (i == 0)
            forbidden = true;
          else
            allowed = false;
        }
        if (!allowed) continue;
        if (forbidden) {
          more = true;
          if (!forbid(n, a)) return Round::none;
        } else if (const auto [it, fresh] = number.try_emplace(std::move(next), tuples.size()); fresh) {
          tuples.push_back(&it->first);
          nodes_.emplace_back(n, a);
        }
      }
    }
    return more ? Round::more : Round::done;
  }

  // Makes sure that a member of the family forbids the word that leads to node n, followed by a. False: no projection
  // forbids it, or the budget ended.
  bool forbid(std::size_t n, Action a) {
    Trace word{a};
    for (; n != 0; n = nodes_[n].first) word.push_back(nodes_[n].second);
    std::reverse(word.begin(), word.end());
    for (const Lts* lts : about_[a])
      if (!allows(*lts, word)) return true;
    std::vector<Pick> picks;  // alone first
    for (View v = 0; v < views_.size(); ++v)
      if (views_[v].contains(a)) picks.emplace_back(v, v);
    for (std::size_t i = 0, alone = picks.size(); i < alone; ++i)
      for (const View w : order_[picks[i].first]) picks.push_back(std::minmax(picks[i].first, w));
    for (const Pick& pick : picks) {
      if (!budget_.go_on()) return false;
      const Lts* lts = candidate(pick);
      if (lts == nullptr || allows(*lts, word)) continue;
      family_[pick] = lts;
      for (const Action b : lts->alphabet()) about_[b].push_back(lts);
      return true;
    }
    return false;
  }

  const Lts* candidate(Pick pick) {
    const auto [it, fresh] = candidates_.try_emplace(pick);
    const Alphabet actions = unite(views_[pick.first], views_[pick.second]);
    if (fresh && actions != property_.alphabet()) it->second = projection(property_, actions);
    return it->second ? &*it->second : nullptr;
  }

  void add_view(const Alphabet& actions) {
    if (!actions.empty() && actions != property_.alphabet() &&
        std::find(views_.begin(), views_.end(), actions) == views_.end())
      views_.push_back(actions);
  }

  // All views, those of the same components first, then of those that share actions with them, and so on.
  std::vector<View> nearest_first(const Alphabet& view, const std::vector<const Lts*>& components) const {
    std::vector<std::size_t> far(views_.size(), components.size() + 1);
    std::vector<bool> in(components.size(), false);
    Alphabet reach = view;
    for (std::size_t distance = 0; distance <= components.size(); ++distance) {
      Alphabet wider = reach;
      for (std::size_t c = 0; c < components.size(); ++c)
        if (!in[c] && !intersect(components[c]->alphabet(), reach).empty()) {
          in[c] = true;
          wider = unite(wider, components[c]->alphabet());
        }
      for (View v = 0; v < views_.size(); ++v)
        if (far[v] > distance && !intersect(views_[v], wider).empty()) far[v] = distance;
      if (wider == reach) break;
      reach = std::move(wider);
    }
    std::vector<View> out;
    for (View v = 0; v < views_.size(); ++v) out.push_back(v);
    std::stable_sort(out.begin(), out.end(), [&](View a, View b) { return far[a] < far[b]; });
    return out;
  }

  // Is the member implied by another member? All members are projections of P, so a member over a larger alphabet
  // forbids every word that a member over a part of this alphabet forbids. No two members imply each other: with the
  // same alphabet they would be the same projection, and a member is added only for a word that all others allow.
  bool is_redundant(const Lts& member) {
    return std::ranges::any_of(about_[member.alphabet()[0]], [&](const Lts* other) {
      return other != &member && subtract(member.alphabet(), other->alphabet()).empty();
    });
  }

  const Lts& property_;
  Budget& budget_;
  std::vector<Alphabet> views_;
  std::vector<std::vector<View>> order_;  // by view: which others to try with it first
  std::map<Pick, std::optional<Lts>> candidates_;
  std::map<Pick, const Lts*> family_;
  std::map<Action, std::vector<const Lts*>> about_;    // the members of the family that have an action
  std::vector<std::pair<std::size_t, Action>> nodes_;  // of a pass: where each tuple was found, and by what
};

}  // namespace

std::vector<Lts> conjuncts_of(const Lts& property, const std::vector<const Lts*>& components, Budget& budget) {
  return Family(property, components, budget).find(components);
}

}  // namespace surety
