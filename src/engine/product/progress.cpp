#include "engine/product/progress.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace surety {
namespace {

class ProgressCheck {
 public:
  ProgressCheck(const Graph& graph, const std::vector<ProgressSet>& sets, Budget& budget)
      : graph_(graph), sets_(sets), budget_(budget), walker_(graph, budget), occurs_(graph.alphabet().size()) {}

  std::optional<ProgressResult> run(Fairness fairness) {
    result_.error = graph_.way_to_error();
    for (const ProgressSet& set : sets_) result_.answers.push_back({set.name, false, {}, {}, {}});
    if (sets_.empty()) result_.answers.push_back({"DEFAULT", false, {}, {}, {}});
    if (fairness == Fairness::choice)
      by_fair_choice();
    else
      by_any_choice();
    if (!budget_.go_on()) return std::nullopt;
    return std::move(result_);
  }

 private:
  void by_fair_choice() {
    const auto terminal = TerminalSets::of(graph_, budget_);
    if (!terminal) return;
    result_.terminal_sets = terminal->count();
    for (std::uint32_t i = 0; i < terminal->count(); ++i) {
      note_actions((*terminal)[i]);
      for (std::size_t k = 0; k < result_.answers.size(); ++k) {
        ProgressAnswer& answer = result_.answers[k];
        if (answer.violated || !is_violated_here(k)) continue;
        answer.violated = true;
        answer.missing = sets_.empty() ? missing() : sets_[k].actions;
        answer.trace = graph_.way_to((*terminal)[i].front());
        answer.cycle = through_all_actions((*terminal)[i].front());
      }
      for (const Action a : happening_) occurs_[*graph_.alphabet().index(a)] = false;
      if (i % 1024 == 0 && !budget_.go_on()) return;
    }
  }

  // What happens in a terminal set goes into occurs_ (but for tau) and happening_.
  void note_actions(std::span<const State> states) {
    happening_.clear();
    silent_ = false;
    for (const State s : states)
      for (const Step& step : graph_.steps(s)) {
        if (step.action == kTau) {
          silent_ = true;
          continue;
        }
        auto seen = occurs_[*graph_.alphabet().index(step.action)];
        if (!seen) happening_.push_back(step.action);
        seen = true;
      }
  }

  bool happens(const Alphabet& actions) const {
    return std::ranges::any_of(happening_, [&](Action a) { return actions.contains(a); });
  }
  bool is_violated_here(std::size_t k) const {
    if (sets_.empty()) return happening_.size() < graph_.alphabet().size();
    return !happens(sets_[k].actions) && (!sets_[k].condition || happens(*sets_[k].condition));
  }
  Alphabet missing() const { return subtract(graph_.alphabet(), Alphabet(happening_)); }

  // A closed walk in a terminal set: always to the nearest step with an action that is still to come, and home.
  Trace through_all_actions(State start) {
    Trace cycle;
    const auto anywhere = [](const Arc&) { return true; };
    std::vector<bool> to_come = occurs_;
    bool tau_to_come = silent_;
    std::uint32_t at = start.value;
    for (std::size_t left = happening_.size() + (silent_ ? 1 : 0); left > 0;) {
      const std::size_t before = cycle.size();
      const auto is_new = [&](const Arc& arc) {
        return arc.action == kTau ? tau_to_come : to_come[*graph_.alphabet().index(arc.action)];
      };
      const auto last = walker_.walk(at, anywhere, is_new, cycle);
      if (!last) return cycle;
      at = last->target;
      for (std::size_t i = before; i < cycle.size(); ++i) {
        if (cycle[i] == kTau ? !tau_to_come : !to_come[*graph_.alphabet().index(cycle[i])]) continue;
        if (cycle[i] == kTau)
          tau_to_come = false;
        else
          to_come[*graph_.alphabet().index(cycle[i])] = false;
        --left;
      }
    }
    if (at != start.value)
      walker_.walk(
          at, anywhere, [&](const Arc& arc) { return arc.target == start.value; }, cycle);
    return cycle;
  }

  void by_any_choice() {
    for (std::size_t k = 0; k < sets_.size(); ++k) avoid(sets_[k].actions, sets_[k].condition, result_.answers[k]);
    if (sets_.empty())
      for (const Action a : graph_.alphabet()) avoid({a}, std::nullopt, result_.answers.front());
  }

  // The graph without the steps that have one of these actions.
  struct Without {
    const Graph& graph;
    const Alphabet& actions;
    std::uint32_t size() const { return graph.size(); }
    bool next(std::uint32_t s, std::uint64_t& cursor, Arc& arc) const {
      while (graph.next(s, cursor, arc))
        if (!actions.contains(arc.action)) return true;
      return false;
    }
  };

  // Looks for a run that does none of these actions after some time.
  void avoid(const Alphabet& actions, const std::optional<Alphabet>& condition, ProgressAnswer& answer) {
    if (answer.violated) return;
    const Without rest{graph_, actions};
    const auto components = strong_components(
        rest, [](std::uint32_t) { return true; }, budget_);
    if (!components) return;
    const auto& of = components->of;
    for (std::uint32_t s = 0; s < graph_.size(); ++s) {
      Trace cycle;
      if (graph_.is_dead_end(State{s}) ? condition.has_value() : !find_cycle(rest, of, s, condition, cycle)) continue;
      answer.violated = true;
      answer.missing = actions;
      answer.trace = graph_.way_to(State{s});
      answer.cycle = std::move(cycle);
      return;
    }
  }

  // A cycle through s (that is, through a step of s that stays in its component) with a step of the condition.
  bool find_cycle(const Without& rest, const std::vector<std::uint32_t>& of, std::uint32_t s,
                  const std::optional<Alphabet>& condition, Trace& cycle) {
    const auto inside = [&](const Arc& arc) { return !rest.actions.contains(arc.action) && of[arc.target] == of[s]; };
    const auto wanted = [&](const Arc& arc) { return !condition || condition->contains(arc.action); };
    Arc arc;
    for (std::uint64_t cursor = 0; rest.next(s, cursor, arc);) {
      if (!inside(arc) || !wanted(arc)) continue;
      cycle = {arc.action};
      if (arc.target != s)
        walker_.walk(
            arc.target, inside, [&](const Arc& a) { return a.target == s; }, cycle);
      return true;
    }
    return false;
  }

  const Graph& graph_;
  const std::vector<ProgressSet>& sets_;
  Budget& budget_;
  Walker<Graph> walker_;
  ProgressResult result_;
  std::vector<bool> occurs_;  // by place in the alphabet; all false between terminal sets
  std::vector<Action> happening_;
  bool silent_ = false;  // tau happens
};

}  // namespace

std::optional<ProgressResult> check_progress(const Graph& graph, const std::vector<ProgressSet>& sets,
                                             Fairness fairness, Budget& budget) {
  return ProgressCheck(graph, sets, budget).run(fairness);
}

}  // namespace surety
