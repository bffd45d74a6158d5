#include "certify/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace surety::certify {
namespace {

using Kind = Judgement::Kind;

class PlainSearch {
 public:
  PlainSearch(const Question& question, Budget& budget)
      : question_(question), budget_(budget), charge_(budget), participants_(question.components) {
    if (question.property != nullptr) free_ = subtract(question.property->alphabet(), participants_.alphabet());
  }

  Judgement run() {
    for (const Lts* lts : question_.components)
      if (lts->state_count() == 0) return {Kind::accepted, {}, {}, 0};
    if (question_.property != nullptr && question_.property->state_count() == 0)
      return {Kind::refused, "even the empty trace is forbidden", {}, 0};
    meet(Tuple(question_.components.size() + (question_.property != nullptr ? 1 : 0), State{0}), 0, kTau);
    for (std::size_t i = 0; i < tuples_.size(); ++i) {
      if (i % 1024 == 0) may_go_on();
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

  // All tuples and steps as one LTS. Tuples that are in error are all the first one of them.
  std::optional<Lts> product() {
    keep_steps_ = true;
    if (run().kind != Kind::accepted) return std::nullopt;
    std::optional<State> error;
    LtsBuilder builder;
    builder.set_state_count(static_cast<std::uint32_t>(tuples_.size()));
    builder.add_to_alphabet(participants_.alphabet());
    builder.reserve(steps_.size());
    for (const Kept& step : steps_) {
      const bool wrong = in_error(tuples_[step.to.value]);
      if (wrong && !error) error = step.to;
      builder.add_step(step.from, step.action, wrong ? *error : step.to);
    }
    if (!tuples_.empty() && in_error(tuples_[0])) error = State{0};
    if (error) builder.set_error(*error);
    return builder.build();
  }

 private:
  struct HashIndex {
    const std::vector<Tuple>* tuples;
    std::size_t operator()(std::size_t i) const {
      std::size_t h = 17;
      for (const State s : (*tuples)[i]) {
        h = (h ^ s.value) * 0x9e3779b97f4a7c15ULL;
        h ^= h >> 29;
      }
      return h;
    }
  };
  struct EqualIndex {
    const std::vector<Tuple>* tuples;
    bool operator()(std::size_t a, std::size_t b) const { return (*tuples)[a] == (*tuples)[b]; }
  };

  struct Kept {
    State from;
    Action action;
    State to;
  };

  void meet(Tuple tuple, std::size_t from, Action by) {
    poll();
    tuples_.push_back(std::move(tuple));
    const bool first = tuples_.size() == 1;
    const auto [it, fresh] = seen_.insert(tuples_.size() - 1);
    const std::size_t number = *it;
    if (fresh)
      came_from_.emplace_back(from, by);
    else
      tuples_.pop_back();
    if (tuples_.size() > UINT32_MAX - 1) budget_.stop(Stop::states);
    if (keep_steps_ && !first)
      steps_.push_back({State{static_cast<std::uint32_t>(from)}, by, State{static_cast<std::uint32_t>(number)}});
  }

  // Every step of the whole: tau steps of single components, and visible actions of all components that have them. An
  // action can only happen if some component is ready for it, or if only the property has it.
  bool expand(std::size_t index, const Tuple& tuple) {
    bool moved = false;
    std::vector<Action> ready(free_.begin(), free_.end());
    for (std::size_t c = 0; c < question_.components.size(); ++c)
      for (const Step& step : question_.components[c]->steps(tuple[c])) {
        if (step.action != kTau) {
          if (ready.empty() || ready.back() != step.action) ready.push_back(step.action);
          continue;
        }
        Tuple next = tuple;
        next[c] = step.target;
        meet(std::move(next), index, kTau);
        moved = true;
      }
    std::sort(ready.begin(), ready.end());
    ready.erase(std::unique(ready.begin(), ready.end()), ready.end());
    for (const Action a : ready) {
      moved |= together(index, tuple, a);
      if (bad_action_ != kTau || budget_.why() != Stop::none) return true;
    }
    return moved;
  }

  // All components that have the action must agree; the property never blocks, it objects.
  bool together(std::size_t index, const Tuple& tuple, Action a) {
    const std::vector<std::size_t>& who = participants_.of(a);
    const auto can = [&](std::size_t c) { return !question_.components[c]->steps(tuple[c], a).empty(); };
    poll();
    if (!std::all_of(who.begin(), who.end(), can)) return false;
    Tuple from = tuple;
    if (question_.property != nullptr && question_.property->alphabet().contains(a)) {
      const auto steps = question_.property->steps(tuple.back(), a);
      if (steps.empty()) {
        bad_action_ = a;
        return true;
      }
      from.back() = steps.front().target;
    }
    auto nexts = joint_steps(question_.components, who, from, a, [&](std::uint64_t more) { return may_go_on(more); });
    for (Tuple& next : nexts) meet(std::move(next), index, a);
    return true;
  }

  bool in_error(const Tuple& tuple) const {
    for (std::size_t c = 0; c < question_.components.size(); ++c)
      if (question_.components[c]->error() == tuple[c]) return true;
    return false;
  }

  bool may_go_on(std::uint64_t more = 0) {
    const std::uint64_t each = 160 + 8ULL * question_.components.size();
    if (!charge_.grow_to((tuples_.size() + 2 * more) * each + steps_.size() * 64)) budget_.stop(Stop::memory);
    return budget_.go_on();
  }
  void poll() {
    if (++looks_ % 4096 == 0) may_go_on();
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
  Participants participants_;
  Alphabet free_;  // only the property has them
  std::vector<Tuple> tuples_;
  std::vector<std::pair<std::size_t, Action>> came_from_;
  std::unordered_set<std::size_t, HashIndex, EqualIndex> seen_{16, HashIndex{&tuples_}, EqualIndex{&tuples_}};
  bool keep_steps_ = false;
  std::vector<Kept> steps_;
  Action bad_action_ = kTau;
  std::uint64_t looks_ = 0;
};

}  // namespace

Participants::Participants(const std::vector<const Lts*>& components) {
  std::vector<Action> all;
  for (const Lts* lts : components) all.insert(all.end(), lts->alphabet().begin(), lts->alphabet().end());
  alphabet_ = Alphabet(std::move(all));
  who_.resize(alphabet_.size());
  for (std::size_t c = 0; c < components.size(); ++c)
    for (const Action a : components[c]->alphabet()) who_[*alphabet_.index(a)].push_back(c);
}

const std::vector<std::size_t>& Participants::of(Action a) const {
  const auto index = alphabet_.index(a);
  return index ? who_[*index] : none_;
}

bool terminated(const std::vector<const Lts*>& components, const Tuple& tuple) {
  Alphabet ending, other;
  bool any = false;
  for (std::size_t c = 0; c < components.size(); ++c) {
    const auto end = components[c]->end();
    if (end && tuple[c] != *end) return false;
    const bool ends = end && *end != components[c]->initial();
    any |= ends;
    Alphabet& sum = ends ? ending : other;
    sum = unite(sum, components[c]->alphabet());
  }
  return any && subtract(other, ending).empty();
}

Judgement plain_search(const Question& question, Budget& budget) { return PlainSearch(question, budget).run(); }

std::optional<Lts> plain_product(const std::vector<const Lts*>& components, Budget& budget) {
  const Question question{.components = components};
  return PlainSearch(question, budget).product();
}

void tell_premise(const Teller& tell, std::string_view name, const Judgement& judgement) {
  if (judgement.kind == Kind::unfinished) return;
  if (name.ends_with(',')) name.remove_suffix(1);  // a refusal goes on behind it
  tell(told::Premise{name, judgement.kind == Kind::accepted, judgement.states});
}

Judgement premise(const std::string& name, const Question& question, Budget& budget, std::uint64_t& states,
                  const Teller& tell) {
  Judgement judgement = plain_search(question, budget);
  tell_premise(tell, name, judgement);
  states += judgement.states;
  judgement.states = states;
  if (judgement.kind == Kind::refused) judgement.reason = fmt::format("{} does not hold: {}", name, judgement.reason);
  return judgement;
}

}  // namespace surety::certify
