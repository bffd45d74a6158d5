#include "all_sizes/induction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/check.hpp"
#include "model/automata.hpp"
#include "model/equivalence.hpp"
#include "model/minimise.hpp"
#include "model/transform.hpp"
#include "rules/error_automaton.hpp"

namespace surety {
namespace {

constexpr std::uint64_t kMostStates = 1 << 12;  // of W || M: what grows so far does not repeat soon
constexpr std::size_t kMostRounds = 24;

class ChainProver {
 public:
  ChainProver(const Chain& chain, const std::vector<bool>& used, const Context& context)
      : chain_(chain), context_(context) {
    for (std::size_t i = 0; i < chain.head.size(); ++i) {
      if (used[i]) left_over_.push_back(i);
      if (!chain.hub[i]) ends_ = unite(ends_, chain.head[i].lts.alphabet());
    }
    shift_.insert(chain.shift.begin(), chain.shift.end());
    std::vector<Action> moving[3];
    for (std::size_t i = 0; i < 3; ++i)
      for (const Component& c : chain.cells[i])
        for (const Action a : c.lts.alphabet()) {
          if (i < 2 ? shift_.contains(a) : true) moving[i].push_back(a);
          if (i == 0 && !shift_.contains(a)) common_ = unite(common_, {a});
        }
    for (std::size_t i = 0; i < 3; ++i) moving_[i] = subtract(Alphabet(std::move(moving[i])), common_);
    left_ = intersect(moving_[0], ends_);
    right_ = intersect(moving_[2], ends_);
    if (!intersect(moving_[0], moving_[2]).empty() || !intersect(moving_[1], ends_).empty() ||
        shifted(left_) != intersect(moving_[0], moving_[1]) || right_ != shifted(intersect(moving_[1], moving_[2])))
      answer_.why = "cells share actions with others than their neighbours";
    for (const auto& [action, its_class] : chain.classes) classes_ = unite(classes_, {its_class});
    property_ = by_class(chain.property);
    for (std::size_t i = 0; i < chain.head.size(); ++i)
      head_.push_back(chain.hub[i] ? by_class(chain.head[i].lts) : chain.head[i].lts);
    LtsBuilder builder;
    builder.add_to_alphabet(subtract(classes_, free_));
    last_cell_ = chain.cells[2];
    last_cell_.push_back({{}, builder.build()});
  }

  ChainAnswer run() {
    if (!answer_.why.empty() || !through_head()) return std::move(answer_);
    std::vector<Lts> ws{proof_.head.empty() ? complete(property_) : proof_.head.back()};
    for (std::size_t k = 0; k < kMostRounds; ++k) {
      const auto fails = fails_when_closed(ws.back());
      if (!fails) return too_much();
      if (*fails) {
        answer_.why = fmt::format("with {} the chain may fail", k == 0 ? "one cell" : fmt::format("{} cells", k + 1));
        answer_.fails_with = static_cast<int>(k + 1);
        return std::move(answer_);
      }
      auto next = round(ws.back());
      if (!next) return too_much();
      for (std::size_t back = 0; back < ws.size(); ++back)
        if (alike(*next, ws[back])) {
          proof_.rounds.back().pop_back();
          proof_.back = back;
          answer_.proof = std::move(proof_);
          return std::move(answer_);
        }
      ws.push_back(std::move(*next));
    }
    answer_.why = fmt::format("after {} cells nothing repeats", kMostRounds);
    return std::move(answer_);
  }

 private:
  // The LTS with classes in place of the actions of cells. Adds to `free_` the classes with actions that no cell has.
  Lts by_class(const Lts& given) {
    const Lts lts = minimise_strong(given);  // a[1..K] -> b has a state for each index, all alike
    const Alphabet cells = unite(common_, unite(unite(moving_[0], moving_[1]), moving_[2]));
    Chain::Renaming pairs;
    std::map<Action, Action> first;
    for (const auto& [action, its_class] : chain_.classes) {
      if (!lts.alphabet().contains(action) || ends_.contains(action)) continue;
      pairs.emplace_back(action, its_class);
      if (!cells.contains(action)) free_ = unite(free_, {its_class});
      const Action other = first.emplace(its_class, action).first->second;
      for (std::uint32_t s = 0; s < lts.state_count(); ++s)
        if (!std::ranges::equal(lts.steps(State{s}, action), lts.steps(State{s}, other), {}, &Step::target,
                                &Step::target))
          answer_.why = "the property or a hub tells cells apart";
    }
    return relabel(lts, pairs);
  }

  Alphabet shifted(const Alphabet& alphabet) const {
    std::vector<Action> out;
    for (const Action a : alphabet) out.push_back(shift_.contains(a) ? shift_.at(a) : a);
    return Alphabet(std::move(out));
  }

  bool give_up() {
    answer_.why = context_.budget.go_on() ? "it becomes too large" : describe(context_.budget.why());
    return false;
  }
  ChainAnswer too_much() {
    give_up();
    return std::move(answer_);
  }

  std::optional<Lts> take_in(const Lts& w, const Lts& m, const Alphabet& visible) {
    if (never_fails(w)) return w;
    ProductSize built;
    const Alphabet seen = intersect(visible, unite(w.alphabet(), m.alphabet()));
    auto product = compose_error_automaton(w, m, seen, kMostStates, context_.budget, built);
    context_.cost.add(built.states, built.steps);
    built_states_ = built.states;
    if (!product || !context_.budget.go_on()) return std::nullopt;
    return reduce(*product, context_.budget);
  }

  Alphabet open() const { return unite(unite(left_, right_), unite(common_, classes_)); }

  // --- The head: greedily, the component that gives the smallest W comes next.

  bool through_head() {
    Lts w = complete(property_);
    while (!never_fails(w)) {
      struct Best {
        std::size_t component;
        Lts w;
        std::uint64_t product;
      };
      std::optional<Best> best;
      bool any = false;
      for (const std::size_t i : left_over_) {
        const Lts& m = head_[i];
        if (intersect(m.alphabet(), w.alphabet()).empty()) continue;  // it cannot change which words fail
        any = true;
        Alphabet visible = open();
        for (const std::size_t j : left_over_)
          if (j != i) visible = unite(visible, head_[j].alphabet());
        auto next = take_in(w, m, visible);
        if (!context_.budget.go_on()) return give_up();
        const auto size = [](const Lts& lts) { return std::pair(lts.state_count(), lts.transition_count()); };
        if (next && (!best || size(*next) < size(best->w))) best = {i, std::move(*next), built_states_};
      }
      if (!any) break;
      if (!best) return give_up();
      std::erase(left_over_, best->component);
      proof_.order.push_back(chain_.head[best->component].name);
      w = std::move(best->w);
      context_.tell(told::TakenIn{proof_.order.back(), best->product, w.state_count(), left_over_.size()});
      proof_.head.push_back(w);
    }
    // The components that are left over share no action with W, so they are not needed. Actions of W that the chain
    // does not have are hidden: no cell can block them.
    if (!subtract(w.alphabet(), open()).empty()) {
      if (proof_.head.empty()) {
        answer_.why = "the property and the chain have nothing in common";
        return false;
      }
      proof_.head.back() = reduce(project(w, open()), context_.budget);
    }
    return true;
  }

  // --- The chain.

  // Every step of a class becomes, besides, a step of each action of the class that this cell is the first to have.
  Lts opened(const Lts& w, const Alphabet& first) const {
    Chain::Renaming pairs;
    for (const auto& [action, its_class] : chain_.classes)
      if (first.contains(action)) pairs.emplace_back(its_class, action);
    for (const Action c : classes_) pairs.emplace_back(c, c);
    return relabel(w, pairs);
  }

  std::optional<Lts> through_cell(Lts w, const std::vector<Component>& cell, const Alphabet& after,
                                  std::vector<Lts>* between) {
    for (std::size_t p = 0; p < cell.size(); ++p) {
      Alphabet visible = after;
      for (std::size_t q = p + 1; q < cell.size(); ++q) visible = unite(visible, cell[q].lts.alphabet());
      auto next = take_in(w, cell[p].lts, visible);
      if (!next) return std::nullopt;
      w = std::move(*next);
      if (between == nullptr) continue;
      context_.tell(told::TakenIn{cell[p].name, built_states_, w.state_count(), cell.size() - p - 1});
      between->push_back(w);
    }
    return w;
  }

  // The W after one more cell, with the names of the actions moved back by one cell.
  std::optional<Lts> round(const Lts& w) {
    Chain::Renaming back;
    std::vector<Action> next_left;
    for (const Action a : left_) {
      next_left.push_back(shift_.at(a));
      back.emplace_back(shift_.at(a), a);
    }
    const Alphabet visible = unite(Alphabet(next_left), unite(right_, unite(common_, classes_)));
    auto& between = proof_.rounds.emplace_back();
    auto next = through_cell(opened(w, subtract(moving_[0], left_)), chain_.cells[0], visible, &between);
    if (!next) return std::nullopt;
    between.back() = relabel(*next, back);
    return between.back();
  }

  // Does W fail when the chain ends with this cell? Nothing: a product is too large, or the budget ended.
  std::optional<bool> fails_when_closed(const Lts& w) {
    Chain::Renaming pairs;
    for (const Action a : left_) pairs.emplace_back(a, shift_.at(shift_.at(a)));
    const Alphabet first = subtract(subtract(moving_[2], moving_[1]), right_);
    const auto closed = through_cell(opened(relabel(w, pairs), first), last_cell_, {}, nullptr);
    if (!closed) return std::nullopt;
    return !never_fails(*closed);
  }

  bool alike(const Lts& a, const Lts& b) const {
    if (a.state_count() != b.state_count() || a.transition_count() != b.transition_count()) return false;
    return never_fails(a) || (a.alphabet() == b.alphabet() && !difference(a, b, Equivalence::strong, &context_.budget));
  }

  const Chain& chain_;
  const Context& context_;
  std::vector<std::size_t> left_over_;  // of the head
  std::map<Action, Action> shift_;
  Alphabet ends_, common_, moving_[3], left_, right_, classes_, free_;
  Lts property_;                      // by classes
  std::vector<Lts> head_;             // hubs by classes
  std::vector<Component> last_cell_;  // and a component that blocks the classes: no further cell has their actions
  std::uint64_t built_states_ = 0;    // of the last product
  Induction proof_;
  ChainAnswer answer_;
};

}  // namespace

ChainAnswer prove_chain(const Chain& chain, const std::vector<bool>& used, const Context& context) {
  return ChainProver(chain, used, context).run();
}

}  // namespace surety
