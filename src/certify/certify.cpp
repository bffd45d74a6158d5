#include "certify/certify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_set>

namespace surety::certify {
namespace {

using Tuple = std::vector<State>;
using Kind = Judgement::Kind;

// What a plain search is asked: can the components violate the property, deadlock, or reach an error state?
struct Question {
  std::vector<const Lts*> components = {};
  const Lts* property = nullptr;
  bool deadlock = false;
  bool error = false;
};

// A state without steps is successful termination, not a deadlock, iff every component that has an END is in it, and
// the actions of the others are all actions of those (FSP.md 4; a component that starts in its END is one of the
// others).
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

  // Goes through every reachable tuple. accepted: nothing bad; refused: something bad, with its trace.
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

Judgement refuse(std::string reason) { return {Kind::refused, std::move(reason), {}, 0}; }

// The components of each side, if the sides together are all components, each once.
std::optional<std::string> resolve(const Network& network, const Split& split,
                                   std::vector<std::vector<const Lts*>>& sides) {
  std::set<std::string> used;
  for (const auto& names : split) {
    if (names.empty()) return "the split has an empty side";
    auto& side = sides.emplace_back();
    for (const auto& name : names) {
      const auto it = std::find_if(network.components.begin(), network.components.end(),
                                   [&](const Component& c) { return c.name == name; });
      if (it == network.components.end()) return fmt::format("the split names '{}', which is no component", name);
      if (!used.insert(name).second) return fmt::format("the split names '{}' twice", name);
      side.push_back(&it->lts);
    }
  }
  for (const auto& component : network.components)
    if (!used.contains(component.name)) return fmt::format("the split leaves out '{}'", component.name);
  return std::nullopt;
}

// One premise of a rule; refusals say which.
Judgement premise(const char* name, const Question& question, Budget& budget, std::uint64_t& states) {
  Judgement judgement = PlainSearch(question, budget).run();
  states += judgement.states;
  judgement.states = states;
  if (judgement.kind == Kind::refused) judgement.reason = fmt::format("{} does not hold: {}", name, judgement.reason);
  return judgement;
}

// M1 || M2 satisfies P if <A> M1 <P> and <true> M2 <A>.
Judgement check_asym(const std::vector<std::vector<const Lts*>>& sides, const Lts& property,
                     const std::vector<Lts>& assumptions, Budget& budget) {
  if (sides.size() != 2) return refuse("rule asym needs a split in two");
  if (assumptions.size() != 1) return refuse("rule asym needs one assumption");
  const Lts& a = assumptions[0];
  if (!is_deterministic(a)) return refuse("the assumption is not deterministic");
  if (a.error()) return refuse("the assumption has an error state");
  std::uint64_t states = 0;
  Question first{.components = sides[0], .property = &property};
  first.components.push_back(&a);
  if (auto j = premise("premise 1, <A> M1 <P>,", first, budget, states); j.kind != Kind::accepted) return j;
  auto second = premise("premise 2, <true> M2 <A>,", {.components = sides[1], .property = &a}, budget, states);
  if (second.kind == Kind::refused) second.reason = "premise 2, <true> M2 <A>, does not hold: M2 breaks the assumption";
  return second;
}

// One component alone: can it do its share of the trace, silent steps anywhere? The states it may be in.
std::set<State> after(const Lts& lts, Word trace) {
  auto close = [&](std::set<State> states) {
    std::vector<State> todo(states.begin(), states.end());
    while (!todo.empty()) {
      const State s = todo.back();
      todo.pop_back();
      for (const Step& step : lts.steps(s, kTau))
        if (states.insert(step.target).second) todo.push_back(step.target);
    }
    return states;
  };
  std::set<State> now = close({lts.initial()});
  for (const Action a : trace) {
    if (!lts.alphabet().contains(a)) continue;
    std::set<State> next;
    for (const State s : now)
      for (const Step& step : lts.steps(s, a)) next.insert(step.target);
    now = close(std::move(next));
  }
  return now;
}

}  // namespace

Judgement check_safety(const Network& network, const Property& property, const Certificate& certificate,
                       Budget& budget) {
  if (!is_deterministic(property.lts)) return refuse("the property is not deterministic");
  std::vector<std::vector<const Lts*>> sides;
  if (auto wrong = resolve(network, certificate.split, sides)) return refuse(*wrong);
  if (certificate.rule == "asym") return check_asym(sides, property.lts, certificate.assumptions, budget);
  if (certificate.rule == "monolithic") {
    if (sides.size() != 1) return refuse("rule monolithic has no split");
    std::uint64_t states = 0;
    return premise("<true> M <P>", {.components = sides[0], .property = &property.lts}, budget, states);
  }
  return refuse(fmt::format("there is no rule '{}'", certificate.rule));
}

namespace {

// A question about the whole network that only the whole product answers.
Judgement check_whole(const char* what, const Network& network, const Certificate& certificate, Question question,
                      Budget& budget) {
  if (certificate.rule != "monolithic")
    return refuse(fmt::format("rule '{}' does not prove {}", certificate.rule, what));
  std::vector<std::vector<const Lts*>> sides;
  if (auto wrong = resolve(network, certificate.split, sides)) return refuse(*wrong);
  if (sides.size() != 1) return refuse("rule monolithic has no split");
  question.components = sides[0];
  std::uint64_t states = 0;
  return premise(what, question, budget, states);
}

}  // namespace

Judgement check_deadlock_free(const Network& network, const Certificate& certificate, Budget& budget) {
  return check_whole("freedom from deadlock", network, certificate, {.deadlock = true}, budget);
}

Judgement check_error_free(const Network& network, const Certificate& certificate, Budget& budget) {
  return check_whole("freedom from error", network, certificate, {.error = true}, budget);
}

std::optional<std::string> replay_violation(const Network& network, const Property& property, Word trace) {
  const Alphabet known = unite(alphabet_of(network), property.lts.alphabet());
  for (const Action a : trace)
    if (a != kTau && !known.contains(a)) return "it has an action that nobody has";
  for (const auto& component : network.components)
    if (after(component.lts, trace).empty()) return fmt::format("component '{}' cannot do its part", component.name);
  if (!after(property.lts, trace).empty()) return "the property allows it";
  return std::nullopt;
}

std::optional<std::string> replay_error(const Network& network, Word trace) {
  bool reached = false;
  for (const auto& component : network.components) {
    const auto states = after(component.lts, trace);
    if (states.empty()) return fmt::format("component '{}' cannot do its part", component.name);
    reached |= component.lts.error() && states.contains(*component.lts.error());
  }
  if (!reached) return "no component is in its error state then";
  return std::nullopt;
}

std::optional<std::string> replay_deadlock(const Network& network, Word trace, const std::vector<State>& last) {
  std::vector<const Lts*> components;
  for (std::size_t c = 0; c < network.components.size(); ++c) {
    const auto& component = network.components[c];
    if (last.empty()) {
      if (after(component.lts, trace).empty()) return fmt::format("component '{}' cannot do its part", component.name);
      continue;
    }
    if (c >= last.size() || !after(component.lts, trace).contains(last[c]))
      return fmt::format("component '{}' cannot be where the trace should lead it", component.name);
    if (!component.lts.steps(last[c], kTau).empty())
      return fmt::format("component '{}' can still take a silent step", component.name);
    components.push_back(&component.lts);
  }
  if (last.empty()) return std::nullopt;
  if (terminated(components, last)) return "the system has terminated there";
  for (const Action a : alphabet_of(network))
    if (std::all_of(network.components.begin(), network.components.end(), [&](const Component& component) {
          const auto c = static_cast<std::size_t>(&component - network.components.data());
          return !component.lts.alphabet().contains(a) || !component.lts.steps(last[c], a).empty();
        }))
      return "an action can still happen there";
  return std::nullopt;
}

std::optional<std::string> replay_cycle(const Network& network, Word trace, Word cycle) {
  for (const auto& component : network.components) {
    Trace run(trace.begin(), trace.end());
    // More rounds than the component has states: then it can go round for ever.
    for (std::uint32_t i = 0; i <= component.lts.state_count() && !cycle.empty(); ++i)
      run.insert(run.end(), cycle.begin(), cycle.end());
    if (after(component.lts, run).empty()) return fmt::format("component '{}' cannot do its part", component.name);
  }
  return std::nullopt;
}

}  // namespace surety::certify
