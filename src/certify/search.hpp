// The checker's own plain search: tuples in a table, every step of the whole by
// its definition, nothing clever.
#pragma once

#include <string>
#include <vector>

#include "certify/certify.hpp"

namespace surety::certify {

// What a plain search is asked: can the components violate the property, deadlock, or reach an error state?
struct Question {
  std::vector<const Lts*> components = {};
  const Lts* property = nullptr;
  bool deadlock = false;
  bool error = false;
};

using Tuple = std::vector<State>;  // where each component is

// Which components have an action.
class Participants {
 public:
  explicit Participants(const std::vector<const Lts*>& components);
  const Alphabet& alphabet() const { return alphabet_; }  // of all components
  const std::vector<std::size_t>& of(Action a) const;     // in ascending order

 private:
  Alphabet alphabet_;
  std::vector<std::vector<std::size_t>> who_;  // by index of the action in the alphabet
  std::vector<std::size_t> none_;
};

// The product, by its definition: every tuple that a visible action leads to when all components that have it take one
// of their steps together. Empty: one of them has no such step, or may_go_on(number of tuples so far) was false, which
// is asked now and then.
template <class MayGoOn>
std::vector<Tuple> joint_steps(const std::vector<const Lts*>& components, const std::vector<std::size_t>& who,
                               const Tuple& from, Action a, MayGoOn may_go_on) {
  std::vector<Tuple> out{from};
  for (const std::size_t c : who) {
    std::vector<Tuple> longer;
    for (const Tuple& tuple : out)
      for (const Step& step : components[c]->steps(from[c], a)) {
        longer.push_back(tuple);
        longer.back()[c] = step.target;
        if (longer.size() % 4096 == 0 && !may_go_on(longer.size())) return {};
      }
    out = std::move(longer);
    if (out.empty()) break;
  }
  return out;
}

// A state without steps is successful termination, not a deadlock, iff every component that has an END is in it, and
// the actions of the others are all actions of those (doc/semantics.md#end-and-deadlock; a component that starts in its
// END is one of the others).
bool terminated(const std::vector<const Lts*>& components, const Tuple& tuple);

// Goes through every reachable tuple. accepted: nothing bad; refused: something bad, with its trace.
Judgement plain_search(const Question& question, Budget& budget);

// What the same search goes through, as one LTS without END. All tuples with a component in its error state are the
// error state; without states if a component has none. Nothing: the budget ended.
std::optional<Lts> plain_product(const std::vector<const Lts*>& components, Budget& budget);

// One premise of a rule; a refusal says which. Adds the tuples met to `states`.
Judgement premise(const std::string& name, const Question& question, Budget& budget, std::uint64_t& states,
                  const Teller& tell);

// Tells what was found of a premise, if anything was; `judgement` is of this premise alone.
void tell_premise(const Teller& tell, std::string_view name, const Judgement& judgement);

inline Judgement refuse(std::string reason) { return {Judgement::Kind::refused, std::move(reason), {}, 0}; }

}  // namespace surety::certify
