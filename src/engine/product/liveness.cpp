#include "engine/product/liveness.hpp"

#include <algorithm>
#include <map>

#include "base/check.hpp"
#include "base/hash.hpp"
#include "engine/buchi.hpp"
#include "engine/product/graph.hpp"
#include "model/sequence_table.hpp"
#include "model/transform.hpp"

namespace surety {
namespace {

using Kind = LivenessResult::Kind;
using Outcome = LivenessResult::Outcome;

constexpr std::uint32_t kPollEvery = 1024;

// One state for each value, the initial one first. It takes every action of the fluent at any time.
Lts fluent_lts(const Fluent& fluent) {
  LtsBuilder builder;
  builder.set_state_count(2);
  for (const std::uint32_t s : {0U, 1U}) {
    const std::uint32_t is_true = fluent.initially ? 0 : 1;
    for (const Action a : fluent.initiating) builder.add_step(State{s}, a, State{is_true});
    for (const Action a : subtract(fluent.terminating, fluent.initiating))
      builder.add_step(State{s}, a, State{1 - is_true});
  }
  return builder.build();
}

// The letter that each step of a graph is. The values of the fluents before a step and its action decide it. Actions
// that neither atoms nor fluents tell apart are one class.
class Letters {
 public:
  Letters(const Graph& graph, std::size_t first_fluent, const Assertion& assertion, const NormalForm& form)
      : assertion_(assertion), form_(form) {
    classify(graph);
    value_.assign(graph.size(), 0);
    for (std::uint32_t s = 0; s < graph.size() && !assertion.fluents.empty(); ++s)
      if (State{s} != graph.error()) value_[s] = value_of(graph, State{s}, first_fluent);
    table_.assign(std::max<std::size_t>(1, values_.size()) * representative_.size(), kUnknown);
    for (std::uint32_t s = 0; s < graph.size(); ++s)
      for (const Step& step : graph.steps(State{s})) note(s, step.action);
  }

  const std::vector<Letter>& all() const { return letters_; }
  std::uint32_t of(std::uint32_t s, Action a) const { return table_[place(s, a)]; }

 private:
  static constexpr std::uint32_t kUnknown = UINT32_MAX;

  std::size_t place(std::uint32_t s, Action a) const {
    return static_cast<std::size_t>(value_[s]) * representative_.size() + class_of_[a.value];
  }

  void classify(const Graph& graph) {
    std::map<std::vector<bool>, std::uint32_t> classes;
    const Alphabet& all = graph.alphabet();
    class_of_.assign(all.empty() ? 1 : all[all.size() - 1].value + 1ULL, 0);
    const auto put = [&](Action a) {
      std::vector<bool> in;
      for (const auto& atom : form_.atoms) in.push_back(!atom.fluent && atom.actions.contains(a));
      for (const Fluent& f : assertion_.fluents)
        in.insert(in.end(), {f.initiating.contains(a), f.terminating.contains(a)});
      const auto [it, is_new] = classes.try_emplace(in, static_cast<std::uint32_t>(representative_.size()));
      if (is_new) representative_.push_back(a);
      class_of_[a.value] = it->second;
    };
    put(kTau);
    for (const Action a : all) put(a);
  }

  std::uint32_t value_of(const Graph& graph, State s, std::size_t first_fluent) {
    std::vector<bool> values;
    for (std::size_t i = 0; i < assertion_.fluents.size(); ++i)
      values.push_back((graph.code(s, first_fluent + i) == 0) == assertion_.fluents[i].initially);
    const auto [it, is_new] = value_numbers_.try_emplace(values, static_cast<std::uint32_t>(values_.size()));
    if (is_new) values_.push_back(std::move(values));
    return it->second;
  }

  void note(std::uint32_t s, Action a) {
    std::uint32_t& known = table_[place(s, a)];
    if (known != kUnknown) return;
    Letter letter;
    for (const auto& atom : form_.atoms) {
      if (!atom.fluent) {
        letter.push_back(atom.actions.contains(a));
        continue;
      }
      const Fluent& f = assertion_.fluents[*atom.fluent];
      letter.push_back(!f.terminating.contains(a) && (f.initiating.contains(a) || values_[value_[s]][*atom.fluent]));
    }
    const auto [it, is_new] = numbers_.try_emplace(letter, static_cast<std::uint32_t>(letters_.size()));
    if (is_new) letters_.push_back(std::move(letter));
    known = it->second;
  }

  const Assertion& assertion_;
  const NormalForm& form_;
  std::vector<std::uint32_t> class_of_;  // by action
  std::vector<Action> representative_;   // by class
  std::vector<std::uint32_t> value_;     // by state: a number of values_
  std::vector<std::vector<bool>> values_;
  std::map<std::vector<bool>, std::uint32_t> value_numbers_;
  std::vector<std::uint32_t> table_;  // by number of values and class: the letter
  std::vector<Letter> letters_;
  std::map<Letter, std::uint32_t> numbers_;
};

// The pairs of a system state and an automaton state that can be reached, numbered breadth first.
class Pairs {
 public:
  Pairs(const Graph& graph, const Buchi& automaton, const Letters& letters, Budget& budget)
      : graph_(graph), automaton_(automaton), letters_(letters), budget_(budget), charge_(budget) {}

  // Stops at the first pair with stop_at(state, automaton state) and says its number; kNone if there is none, or the
  // budget ended.
  template <class StopAt>
  std::uint32_t explore(StopAt stop_at) {
    intern({0, automaton_.initial()}, 0);
    for (std::uint32_t v = 0; v < size(); ++v) {
      if (v % kPollEvery == 0 && !poll()) return kNone;
      const Pair here = pairs_[v];
      if (stop_at(State{here.state}, here.place)) return v;
      for (const Step& step : graph_.steps(State{here.state}))
        for (const auto& edge : automaton_.edges(here.place, letters_.of(here.state, step.action)))
          intern({step.target.value, edge.target}, v);
    }
    return kNone;
  }

  static constexpr std::uint32_t kNone = UINT32_MAX;
  std::uint32_t size() const { return static_cast<std::uint32_t>(pairs_.size()); }
  State state(std::uint32_t v) const { return State{pairs_[v].state}; }
  std::uint32_t place(std::uint32_t v) const { return pairs_[v].place; }

  // The number of a pair that was reached, or kNone.
  std::uint32_t find(State s, std::uint32_t q) const { return slots_[slot_of({s.value, q})]; }

  // As Graph::next. The cursor has the step above and the edge below.
  bool next(std::uint32_t v, std::uint64_t& cursor, Arc& arc) const {
    const Pair here = pairs_[v];
    const auto steps = graph_.steps(State{here.state});
    for (; cursor >> 32 < steps.size(); cursor = ((cursor >> 32) + 1) << 32) {
      const Step& step = steps[cursor >> 32];
      const auto edges = automaton_.edges(here.place, letters_.of(here.state, step.action));
      if ((cursor & UINT32_MAX) >= edges.size()) continue;
      const Buchi::Edge& edge = edges[cursor++ & UINT32_MAX];
      arc = {find(step.target, edge.target), step.action, edge.marks};
      return true;
    }
    return false;
  }

  Trace way_to(std::uint32_t v) const {
    Trace way;
    for (; v != 0; v = parents_[v]) {
      Arc arc;
      std::uint64_t cursor = 0;
      do check(next(parents_[v], cursor, arc), "a pair has no step from its parent");
      while (arc.target != v);
      way.push_back(arc.action);
    }
    std::ranges::reverse(way);
    return way;
  }

 private:
  struct Pair {
    std::uint32_t state, place;
    bool operator==(const Pair&) const = default;
  };

  // Where the pair is, or would be.
  std::uint64_t slot_of(Pair pair) const {
    const std::uint64_t mask = slots_.size() - 1;
    std::uint64_t slot = mix64(static_cast<std::uint64_t>(pair.place) << 32 | pair.state) & mask;
    while (slots_[slot] != kNone && pairs_[slots_[slot]] != pair) slot = (slot + 1) & mask;
    return slot;
  }

  void intern(Pair pair, std::uint32_t parent) {
    const std::uint64_t slot = slot_of(pair);
    if (slots_[slot] != kNone) return;
    slots_[slot] = size();
    pairs_.push_back(pair);
    parents_.push_back(parent);
    if (size() * 2ULL <= slots_.size()) return;
    slots_.assign(slots_.size() * 2, kNone);
    for (std::uint32_t v = 0; v < size(); ++v) slots_[slot_of(pairs_[v])] = v;
  }

  bool poll() {
    if (!charge_.grow_to(2 * (size() * 12ULL + slots_.size() * 4))) budget_.stop(Stop::memory);
    if (size() > UINT32_MAX - (1U << 24)) budget_.stop(Stop::states);
    return budget_.go_on();
  }

  const Graph& graph_;
  const Buchi& automaton_;
  const Letters& letters_;
  Budget& budget_;
  Charge charge_;
  std::vector<Pair> pairs_;
  std::vector<std::uint32_t> parents_;
  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(16, kNone);  // a power of two, at most half full
};

class LivenessCheck {
 public:
  LivenessCheck(const Graph& graph, const Buchi& automaton, const Letters& letters, Fairness fairness, Budget& budget)
      : graph_(graph),
        automaton_(automaton),
        letters_(letters),
        fairness_(fairness),
        budget_(budget),
        pairs_(graph, automaton, letters, budget) {}

  void run(LivenessResult& result) {
    const std::uint32_t bad = pairs_.explore([&](State s, std::uint32_t q) {
      return automaton_.accepts_all(q) || (graph_.is_dead_end(s) && automaton_.may_end(q));
    });
    result.pairs = pairs_.size();
    if (bad != Pairs::kNone) {
      result.outcome = Outcome::violated;
      result.kind = automaton_.accepts_all(pairs_.place(bad)) ? Kind::beginning : Kind::end;
      result.trace = pairs_.way_to(bad);
    } else {
      find_cycle(result);
    }
    if (!budget_.go_on()) result.outcome = Outcome::stopped;
  }

 private:
  // What is known of a strong component of pairs.
  struct Component {
    bool arcs = false;  // that stay inside
    std::uint64_t marks = 0;
    bool closed = true;  // every step of the system can be followed from every pair
    bool judged = false;
  };

  void find_cycle(LivenessResult& result) {
    std::vector<bool> counts(graph_.size(), fairness_ == Fairness::none);
    if (fairness_ == Fairness::choice) {
      const auto terminal = TerminalSets::of(graph_, budget_);
      for (std::uint32_t i = 0; terminal && i < terminal->count(); ++i)
        for (const State s : (*terminal)[i]) counts[s.value] = true;
    }
    auto components = strong_components(
        pairs_, [&](std::uint32_t v) { return counts[pairs_.state(v).value]; }, budget_);
    if (!components) return;
    of_ = std::move(components->of);
    look_inside(components->count);
    for (std::uint32_t v = 0; v < pairs_.size(); ++v) {
      if (of_[v] == kNoComponent || !is_good(v)) continue;
      result.outcome = Outcome::violated;
      result.kind = Kind::cycle;
      result.trace = pairs_.way_to(v);
      result.cycle = cycle_from(v);
      return;
    }
    result.outcome = Outcome::holds;
  }

  void look_inside(std::uint32_t count) {
    components_.resize(count);
    for (std::uint32_t v = 0; v < pairs_.size(); ++v) {
      if (of_[v] == kNoComponent) continue;
      if (v % kPollEvery == 0 && !budget_.go_on()) return;
      Component& here = components_[of_[v]];
      std::uint64_t followed = 0, last_step = UINT64_MAX;  // steps that an arc inside follows
      Arc arc;
      for (std::uint64_t cursor = 0; pairs_.next(v, cursor, arc);) {
        if (of_[arc.target] != of_[v]) continue;
        here.arcs = true;
        here.marks |= arc.marks;
        const std::uint64_t step = (cursor - 1) >> 32;
        followed += step != last_step;
        last_step = step;
      }
      here.closed = here.closed && followed == graph_.steps(pairs_.state(v)).size();
    }
  }

  bool is_good(std::uint32_t v) {
    Component& c = components_[of_[v]];
    if (c.judged || !c.arcs || c.marks != automaton_.all_marks()) return false;  // judged: and found not good
    c.judged = true;
    return fairness_ == Fairness::none || c.closed || is_complete(v);
  }

  // Follows all paths of the system from the state of v, and on them the set of automaton states that can keep to
  // v's component. A set is stored behind its system state.
  bool is_complete(std::uint32_t v) {
    const std::uint32_t component = of_[v];
    const auto inside = [&](State s, std::uint32_t q) {
      const std::uint32_t pair = pairs_.find(s, q);
      return pair != Pairs::kNone && of_[pair] == component;
    };
    SequenceTable sets;
    Charge charge(budget_);
    std::vector<std::uint32_t> set{pairs_.state(v).value};
    for (std::uint32_t q = 0; q < automaton_.size(); ++q)
      if (inside(pairs_.state(v), q)) set.push_back(q);
    sets.intern(set);
    for (std::uint32_t i = 0; i < sets.size(); ++i) {
      if (i % kPollEvery == 0 && !charge.grow_to(2 * sets.bytes())) budget_.stop(Stop::memory);
      if (i % kPollEvery == 0 && !budget_.go_on()) return false;
      const std::vector<std::uint32_t> from(sets[i].begin(), sets[i].end());
      for (const Step& step : graph_.steps(State{from[0]})) {
        set.assign(1, step.target.value);
        for (std::size_t k = 1; k < from.size(); ++k)
          for (const auto& edge : automaton_.edges(from[k], letters_.of(from[0], step.action)))
            if (inside(step.target, edge.target)) set.push_back(edge.target);
        if (set.size() == 1) return false;
        std::sort(set.begin() + 1, set.end());
        set.erase(std::unique(set.begin() + 1, set.end()), set.end());
        sets.intern(set);
      }
    }
    return true;
  }

  // A closed walk in v's component with arcs of all acceptance sets.
  Trace cycle_from(std::uint32_t v) {
    Walker<Pairs> walker(pairs_, budget_);
    const auto inside = [&](const Arc& arc) { return of_[arc.target] == of_[v]; };
    Trace cycle;
    std::uint32_t at = v;
    for (std::uint64_t missing = automaton_.all_marks(); missing != 0;) {
      const auto arc = walker.walk(
          at, inside, [&](const Arc& a) { return (a.marks & missing) != 0; }, cycle);
      if (!arc) return cycle;
      missing &= ~arc->marks;
      at = arc->target;
    }
    if (at != v || cycle.empty())
      walker.walk(
          at, inside, [&](const Arc& a) { return a.target == v; }, cycle);
    return cycle;
  }

  const Graph& graph_;
  const Buchi& automaton_;
  const Letters& letters_;
  Fairness fairness_;
  Budget& budget_;
  Pairs pairs_;
  std::vector<std::uint32_t> of_;  // by pair: its component
  std::vector<Component> components_;
};

}  // namespace

LivenessResult check_assertion(const std::vector<Part>& parts, const Assertion& assertion, Fairness fairness,
                               const Priority* priority, Budget& budget) {
  LivenessResult result;
  // The system, the fluents, and one part that makes every other action of the assertion known.
  std::vector<Lts> own;
  for (const Fluent& fluent : assertion.fluents) own.push_back(fluent_lts(fluent));
  own.push_back(universal_lts(alphabet_of(assertion)));
  std::vector<Part> all = parts;
  for (const Lts& lts : own) all.push_back({&lts, Role::component, false});

  budget.phase("building the system");
  const auto graph = Graph::build(all, priority, budget);
  if (!graph) return result;
  result.states = graph->size() - (graph->error() ? 1 : 0);
  result.transitions = graph->transition_count();
  result.error = graph->way_to_error();

  budget.phase("building the automaton");
  const NormalForm negation = normal_form_of_negation(assertion.formula);
  const Letters letters(*graph, parts.size(), assertion, negation);
  const auto automaton = Buchi::build(negation, letters.all(), budget);
  if (!automaton) return result;
  result.automaton = automaton->size();

  budget.phase("looking for a run that violates the assertion");
  LivenessCheck(*graph, *automaton, letters, fairness, budget).run(result);
  if (result.outcome == Outcome::violated)
    check(!holds_on(assertion, result.trace, result.cycle), "a run that should violate an assertion satisfies it");
  return result;
}

}  // namespace surety
