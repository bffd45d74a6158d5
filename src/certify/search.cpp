#include "certify/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace surety::certify {
namespace {

using Kind = Judgement::Kind;

class PlainSearch {
 public:
  PlainSearch(const Question& question, Budget& budget) : question_(question), budget_(budget), charge_(budget) {
    Alphabet all;
    for (const Lts* lts : question.components) all = unite(all, lts->alphabet());
    if (question.property != nullptr) all = unite(all, question.property->alphabet());
    for (const Action a : all) {
      auto& who = participants_.emplace_back(a, std::vector<std::size_t>{}).second;
      for (std::size_t c = 0; c < question.components.size(); ++c)
        if (question.components[c]->alphabet().contains(a)) who.push_back(c);
    }
  }

  Judgement run() {
    for (const Lts* lts : question_.components)
      if (lts->state_count() == 0) return {Kind::accepted, {}, {}, 0};
    if (question_.property != nullptr && question_.property->state_count() == 0)
      return {Kind::refused, "even the empty trace is forbidden", {}, 0};
    meet(Tuple(question_.components.size() + (question_.property != nullptr ? 1 : 0), State{0}), 0, kTau);
    for (std::size_t i = 0; i < tuples_.size(); ++i) {
      if (i % 1024 == 0 && !may_go_on()) return {Kind::unfinished, describe(budget_.why()), {}, tuples_.size()};
      const Tuple tuple = tuples_[i];
      if (in_error(tuple)) {  // ends the run, and is bad only if that was the question
        if (question_.error) return {Kind::refused, "an error state is reachable", trace_to(i), tuples_.size()};
        continue;
      }
      const bool moved = expand(i, tuple);
      if (budget_.why() != Stop::none) return {Kind::unfinished, describe(budget_.why()), {}, tuples_.size()};
      if (bad_action_ != kTau) {
        Trace trace = trace_to(i);
        trace.push_back(bad_action_);
        return {Kind::refused, "the property is violated", std::move(trace), tuples_.size()};
      }
      if (!moved && question_.deadlock && !terminated(question_.components, tuple))
        return {Kind::refused, "a deadlock is reachable", trace_to(i), tuples_.size()};
    }
    return {Kind::accepted, {}, {}, tuples_.size()};
  }

 private:
  struct HashIndex {
    const std::vector<Tuple>* tuples;
    std::size_t operator()(std::size_t i) const {
      std::size_t h = 17;
      for (const State s : (*tuples)[i]) h = (h ^ s.value) * 0x9e3779b97f4a7c15ULL, h ^= h >> 29;
      return h;
    }
  };
  struct EqualIndex {
    const std::vector<Tuple>* tuples;
    bool operator()(std::size_t a, std::size_t b) const { return (*tuples)[a] == (*tuples)[b]; }
  };

  void meet(Tuple tuple, std::size_t from, Action by) {
    if (++met_ % 4096 == 0) may_go_on();
    tuples_.push_back(std::move(tuple));
    if (seen_.insert(tuples_.size() - 1).second)
      came_from_.emplace_back(from, by);
    else
      tuples_.pop_back();
  }

  // Every step of the whole: silent steps one by one, visible actions by all who have them.
  bool expand(std::size_t index, const Tuple& tuple) {
    bool moved = false;
    for (std::size_t c = 0; c < question_.components.size(); ++c)
      for (const Step& step : question_.components[c]->steps(tuple[c], kTau)) {
        Tuple next = tuple;
        next[c] = step.target;
        meet(std::move(next), index, kTau);
        moved = true;
      }
    for (const auto& [a, who] : participants_) {
      // All components that have the action must agree; the property never blocks, it objects.
      const auto can = [&](std::size_t c) { return !question_.components[c]->steps(tuple[c], a).empty(); };
      if (!std::all_of(who.begin(), who.end(), can)) continue;
      moved = true;
      std::vector<Tuple> nexts{tuple};
      if (question_.property != nullptr && question_.property->alphabet().contains(a)) {
        const auto steps = question_.property->steps(tuple.back(), a);
        if (steps.empty()) {
          bad_action_ = a;
          return true;
        }
        nexts[0].back() = steps.front().target;
      }
      for (const std::size_t c : who) {
        std::vector<Tuple> longer;
        for (const Tuple& next : nexts)
          for (const Step& step : question_.components[c]->steps(tuple[c], a)) {
            longer.push_back(next);
            longer.back()[c] = step.target;
            if (longer.size() % 4096 == 0 && !may_go_on(longer.size())) return true;
          }
        nexts = std::move(longer);
      }
      for (Tuple& next : nexts) meet(std::move(next), index, a);
    }
    return moved;
  }

  bool in_error(const Tuple& tuple) const {
    for (std::size_t c = 0; c < question_.components.size(); ++c)
      if (question_.components[c]->error() == tuple[c]) return true;
    return false;
  }

  bool may_go_on(std::uint64_t more = 0) {
    const std::uint64_t each = 160 + 8ULL * question_.components.size();
    if (!charge_.grow_to((tuples_.size() + 2 * more) * each)) budget_.stop(Stop::memory);
    return budget_.go_on();
  }

  Trace trace_to(std::size_t index) const {
    Trace trace;
    for (; index != 0; index = came_from_[index].first) trace.push_back(came_from_[index].second);
    std::reverse(trace.begin(), trace.end());
    return trace;
  }

  const Question& question_;
  Budget& budget_;
  Charge charge_;
  std::vector<std::pair<Action, std::vector<std::size_t>>> participants_;  // which components have an action
  std::vector<Tuple> tuples_;
  std::vector<std::pair<std::size_t, Action>> came_from_;
  std::unordered_set<std::size_t, HashIndex, EqualIndex> seen_{16, HashIndex{&tuples_}, EqualIndex{&tuples_}};
  Action bad_action_ = kTau;
  std::uint64_t met_ = 0;
};

}  // namespace

bool terminated(const std::vector<const Lts*>& components, const Tuple& tuple) {
  Alphabet ending, other;
  bool any = false;
  for (std::size_t c = 0; c < components.size(); ++c) {
    const auto end = components[c]->end();
    if (end && tuple[c] != *end) return false;
    const bool ends = end && *end != components[c]->initial();
    any |= ends;
    (ends ? ending : other) = unite(ends ? ending : other, components[c]->alphabet());
  }
  return any && subtract(other, ending).empty();
}

Judgement plain_search(const Question& question, Budget& budget) { return PlainSearch(question, budget).run(); }

Judgement premise(const std::string& name, const Question& question, Budget& budget, std::uint64_t& states) {
  Judgement judgement = plain_search(question, budget);
  states += judgement.states;
  judgement.states = states;
  if (judgement.kind == Kind::refused) judgement.reason = fmt::format("{} does not hold: {}", name, judgement.reason);
  return judgement;
}

}  // namespace surety::certify
