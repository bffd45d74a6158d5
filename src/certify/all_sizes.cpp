// Rule all-sizes: P holds in every instance of a family.
//
// The sizes below those of the chain have proofs of their own. For the others, let H be the head, C1, C2, ... the cells
// of the chain, and s the shift, so that C(i+1) = s(Ci). Ws are LTSs with error states, and "covers" is that of rule
// minimise (certify/minimise.cpp).
//
//   W0 covers P || H                                       through the components of H, one by one
//   s(W(k+1)) covers W(k) || C1, for each round k          the round after the last is one of the rounds again
//   s2(Wk) || C3 never reaches its error state, for each k
//   ---------------------------------------------------------------------------------------------------------
//   P || H || C1 || ... || Cn never reaches the error state of P, for every n >= 1
//
// Sound: by induction, si(W) covers P || H || C1 || ... || Ci, where W is that of the i-th round. Each step is the
// second premise, renamed: the actions of C1 as those of C(i+1), and those of the right end of the chain as those of
// a chain that is longer. That is a renaming which keeps different actions different, because (checked below) a cell
// shares actions only with its two neighbours, and the W has no actions but those of the two open ends (`left` and
// `right`), those that all cells have, and classes. After n-1 cells the third premise, renamed in the same way, says
// that the last cell makes no error.
//
// Classes: what property and hubs have to say of the cells' own actions is said of the class. As long as no cell that
// was taken in has an action, it is represented by its class; when a cell comes that has it, every step of the class is
// a step of that action as well (`opened`).
//
// That the instances of the family are as the chain says, for every size, is no matter of LTSs: it is read from the
// text (lang/fsp/families/family.hpp). Here it is checked for the three cells given.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "certify/rules.hpp"
#include "model/automata.hpp"
#include "model/chain.hpp"
#include "model/equivalence.hpp"
#include "model/minimise.hpp"
#include "model/transform.hpp"

namespace surety::certify {
namespace {

using Kind = Judgement::Kind;

Alphabet alphabet_of(const std::vector<Component>& components) {
  Alphabet all;
  for (const Component& c : components) all = unite(all, c.lts.alphabet());
  return all;
}

bool within(const Alphabet& small, const Alphabet& large) { return subtract(small, large).empty(); }

// By strong bisimulation: the numbers of states are no matter. Means nothing if the budget ended.
bool same(const Lts& a, const Lts& b, Budget& budget) {
  return a.alphabet() == b.alphabet() && !difference(a, b, Equivalence::strong, &budget);
}

class AllSizes {
 public:
  AllSizes(const Chain& chain, const Induction& proof, Budget& budget, const Teller& tell)
      : chain_(chain), proof_(proof), budget_(budget), tell_(tell) {}

  Judgement run() {
    const auto wrong_shape = shape();
    if (budget_.why() != Stop::none) return {Kind::unfinished, describe(budget_.why()), {}, 0};
    if (wrong_shape) return refuse(*wrong_shape);
    if (auto wrong = form()) return refuse(*wrong);
    signal_ = Action{last_action() + 1};
    if (!through_head()) return judgement_;
    for (std::size_t k = 0; k < proof_.rounds.size(); ++k)
      if (!round(k) || !close(k)) return judgement_;
    return {Kind::accepted, {}, {}, states_};
  }

 private:
  using Wrong = std::optional<std::string>;  // why not, if not

  // --- Is the chain one?

  Wrong shape() {
    if (auto wrong = shift_is_injective()) return wrong;
    if (auto wrong = cells_are_shifted()) return wrong;
    if (auto wrong = neighbours_share()) return wrong;
    if (auto wrong = classes_are_of_cells()) return wrong;
    return classes_are_uniform();
  }

  Wrong shift_is_injective() {
    if (chain_.cells.size() != 3 || chain_.hub.size() != chain_.head.size()) return "the chain has no three cells";
    for (const auto& [from, to] : chain_.shift)
      if (!shift_.emplace(from, to).second) return "the shift is no function";
    std::set<Action> images;
    for (const auto& [from, to] : shift_)
      if (!images.insert(to).second) return "the shift makes two actions one";
    return std::nullopt;
  }

  Wrong cells_are_shifted() {
    for (std::size_t i = 0; i < 3; ++i) cell_[i] = alphabet_of(chain_.cells[i]);
    for (std::size_t i = 0; i < 2; ++i) {
      if (chain_.cells[i].size() != chain_.cells[i + 1].size()) return "cells have different numbers of components";
      for (std::size_t p = 0; p < chain_.cells[i].size(); ++p)
        if (!same(relabel(chain_.cells[i][p].lts, chain_.shift), chain_.cells[i + 1][p].lts, budget_))
          return fmt::format("{} is not {}, shifted", chain_.cells[i + 1][p].name, chain_.cells[i][p].name);
    }
    return std::nullopt;
  }

  // Cells share the actions that move with their neighbours only, and the two ends of the head are the neighbours of
  // the first and of the last cell.
  Wrong neighbours_share() {
    for (std::size_t i = 0; i < chain_.head.size(); ++i)
      if (!chain_.hub[i]) ends_ = unite(ends_, chain_.head[i].lts.alphabet());
    moving_[0] = moving(cell_[0]);
    moving_[1] = shifted(moving_[0]);
    moving_[2] = shifted(moving_[1]);
    common_ = subtract(cell_[0], moving_[0]);
    left_ = intersect(moving_[0], ends_);
    right_ = intersect(moving_[2], ends_);
    if (!intersect(moving_[0], moving_[2]).empty() || !intersect(moving_[1], ends_).empty())
      return "cells share actions that are no neighbours";
    if (shifted(left_) != intersect(moving_[0], moving_[1])) return "the left end is not open as a cell is";
    if (right_ != shifted(intersect(moving_[1], moving_[2]))) return "the right end is not open as a cell is";
    for (const Alphabet& moving : moving_)
      if (!intersect(moving, common_).empty()) return "an action moves and does not";
    return std::nullopt;
  }

  // Every action has one class at most, the same as its shift, and classes are no actions of components.
  Wrong classes_are_of_cells() {
    for (const auto& [action, its_class] : chain_.classes) {
      if (!class_of_.emplace(action, its_class).second) return "an action has two classes";
      classes_ = unite(classes_, Alphabet{its_class});
    }
    for (const auto& [action, its_class] : class_of_)
      if (const auto it = class_of_.find(image(action)); it != class_of_.end() && it->second != its_class)
        return "an action and its shift have different classes";
    for (const Alphabet* other : {&cell_[0], &cell_[1], &cell_[2], &ends_})
      if (!intersect(classes_, *other).empty()) return "a class is an action";
    return std::nullopt;
  }

  // The property and the hubs treat all actions of a class alike, so that they can be read with classes as actions.
  Wrong classes_are_uniform() {
    if (!by_class(chain_.property, property_)) return "the property tells cells apart";
    Alphabet named = unite(ends_, property_.alphabet());
    Alphabet free = classes_beyond_cells(chain_.property);
    hubs_.resize(chain_.head.size());
    for (std::size_t i = 0; i < chain_.head.size(); ++i) {
      if (!chain_.hub[i]) continue;
      if (!by_class(chain_.head[i].lts, hubs_[i])) return "a hub tells cells apart";
      named = unite(named, hubs_[i].alphabet());
      free = unite(free, classes_beyond_cells(chain_.head[i].lts));
    }
    const Alphabet own = subtract(unite(unite(moving_[0], moving_[1]), moving_[2]), ends_);
    if (!intersect(named, own).empty()) return "the property names an action of one cell";
    all_ = unite(named, classes_);
    LtsBuilder builder;
    builder.add_to_alphabet(subtract(classes_, free));
    no_more_ = builder.build();
    return std::nullopt;
  }

  bool some_cell_has(Action a) const {
    return std::ranges::any_of(cell_, [a](const Alphabet& cell) { return cell.contains(a); });
  }

  // The classes of those actions of the LTS that neither a cell nor an end has.
  Alphabet classes_beyond_cells(const Lts& lts) const {
    Alphabet out;
    for (const auto& [action, its_class] : class_of_)
      if (lts.alphabet().contains(action) && !ends_.contains(action) && !some_cell_has(action))
        out = unite(out, Alphabet{its_class});
    return out;
  }

  // The LTS with classes in place of the actions of cells. False: it has different steps for actions of one class.
  bool by_class(const Lts& given, Lts& out) const {
    const Lts lts = minimise_strong(given, &budget_);  // a[1..K] -> b has a state for each index, all alike
    Chain::Renaming pairs;
    std::map<Action, Action> first;
    for (const Action a : lts.alphabet()) {
      const auto it = class_of_.find(a);
      if (it == class_of_.end() || ends_.contains(a)) continue;
      pairs.emplace_back(a, it->second);
      const Action other = first.emplace(it->second, a).first->second;
      for (std::uint32_t s = 0; s < lts.state_count(); ++s)
        if (!std::ranges::equal(lts.steps(State{s}, a), lts.steps(State{s}, other), {}, &Step::target, &Step::target))
          return false;
    }
    for (const auto& [action, its_class] : class_of_)  // all of a class that cells have, or none
      if (first.contains(its_class) && !lts.alphabet().contains(action) && !ends_.contains(action) &&
          some_cell_has(action))
        return false;
    out = relabel(lts, pairs);
    return true;
  }

  Alphabet moving(const Alphabet& alphabet) const {
    std::vector<Action> out;
    for (const Action a : alphabet)
      if (shift_.contains(a)) out.push_back(a);
    return Alphabet(std::move(out));
  }
  Action image(Action a) const {
    const auto it = shift_.find(a);
    return it == shift_.end() ? a : it->second;
  }
  Alphabet shifted(const Alphabet& alphabet) const {
    std::vector<Action> out;
    for (const Action a : alphabet) out.push_back(image(a));
    return Alphabet(std::move(out));
  }

  // --- Has the proof all that it needs?

  Wrong form() {
    if (!is_deterministic(property_)) return "the property is not deterministic";
    if (proof_.head.size() != proof_.order.size()) return "the head needs one W for each component";
    std::set<std::string> used;
    for (const auto& name : proof_.order)
      if (component(name) == nullptr || !used.insert(name).second) return fmt::format("'{}' is not in the head", name);
    for (const Lts& w : proof_.head)
      if (!within(w.alphabet(), all_)) return "a W of the head has actions of others";
    if (proof_.rounds.empty() || proof_.back >= proof_.rounds.size()) return "the rounds do not come back";
    const Alphabet open = unite(unite(left_, right_), unite(common_, classes_));
    start_ = complete(property_);
    for (std::size_t k = 0; k < proof_.rounds.size(); ++k) {
      const bool last = k + 1 == proof_.rounds.size();
      if (proof_.rounds[k].size() + (last ? 1 : 0) != chain_.cells[0].size())
        return "a round needs one W for each component of the cell";
      for (const Lts& w : proof_.rounds[k])
        if (!within(w.alphabet(), unite(open, cell_[0]))) return "a W of a round has actions of others";
      if (!within(w_of(k).alphabet(), open)) return fmt::format("the W of round {} has actions of others", k);
    }
    for (const auto* components : {&chain_.head, &chain_.cells[0]})
      for (const Component& c : *components)
        if (c.lts.error()) return "rule all-sizes knows no components with an error state";
    return std::nullopt;
  }

  const Lts* component(const std::string& name) const {
    for (std::size_t i = 0; i < chain_.head.size(); ++i)
      if (chain_.head[i].name == name) return chain_.hub[i] ? &hubs_[i] : &chain_.head[i].lts;
    return nullptr;
  }

  // With which round k begins.
  const Lts& w_of(std::size_t k) const {
    if (k > 0) return proof_.rounds[k - 1].back();
    return proof_.head.empty() ? start_ : proof_.head.back();
  }

  std::uint32_t last_action() const {
    std::uint32_t last = 0;
    for (const Alphabet* alphabet : {&all_, &cell_[0], &cell_[1], &cell_[2]})
      for (const Action a : *alphabet) last = std::max(last, a.value);
    return last;
  }

  // --- The premises.

  bool covered(const std::string& name, const Lts& by, const Lts& w, const Lts& m) {
    judgement_ = covers(by, {&w, &m}, signal_, budget_);
    tell_premise(tell_, name, judgement_);
    states_ += judgement_.states;
    judgement_.states = states_;
    if (judgement_.kind == Kind::refused)
      judgement_.reason = fmt::format("the premise about {} does not hold: {}", name, judgement_.reason);
    return judgement_.kind == Kind::accepted;
  }

  bool through_head() {
    for (std::size_t i = 0; i < proof_.order.size(); ++i)
      if (!covered(proof_.order[i], proof_.head[i], i == 0 ? start_ : proof_.head[i - 1], *component(proof_.order[i])))
        return false;
    return true;
  }

  // The actions of this cell that no cell before it has, out of their classes.
  Lts opened(const Lts& w, const Alphabet& first) const {
    Chain::Renaming pairs;
    for (const auto& [action, its_class] : chain_.classes)
      if (first.contains(action)) pairs.emplace_back(its_class, action);
    for (const Action its_class : classes_) pairs.emplace_back(its_class, its_class);
    return relabel(w, pairs);
  }

  Lts moved(const Lts& w, int times) const {
    Chain::Renaming pairs;
    for (const Action a : left_) pairs.emplace_back(a, times == 1 ? image(a) : image(image(a)));
    return relabel(w, pairs);
  }

  bool round(std::size_t k) {
    const auto& parts = chain_.cells[0];
    Lts w = opened(w_of(k), subtract(moving_[0], left_));
    for (std::size_t p = 0; p < parts.size(); ++p) {
      const bool last_part = p + 1 == parts.size();
      const bool last_round = k + 1 == proof_.rounds.size();
      const Lts& next = !last_part ? proof_.rounds[k][p] : w_of(last_round ? proof_.back : k + 1);
      const Lts by = last_part ? moved(next, 1) : next;
      if (!covered(fmt::format("{}, round {},", parts[p].name, k), by, w, parts[p].lts)) return false;
      w = by;
    }
    return true;
  }

  bool close(std::size_t k) {
    const Alphabet first = subtract(subtract(moving_[2], moving_[1]), right_);
    const Lts w = opened(moved(w_of(k), 2), first);
    std::vector<const Lts*> together{&w, &no_more_};
    for (const Component& c : chain_.cells[2]) together.push_back(&c.lts);
    if (w.state_count() == 0) return true;  // nothing can fail any more
    judgement_ = premise(fmt::format("the last cell, round {},", k), {.components = together, .error = true}, budget_,
                         states_, tell_);
    return judgement_.kind == Kind::accepted;
  }

  const Chain& chain_;
  const Induction& proof_;
  Budget& budget_;
  std::map<Action, Action> shift_;
  Alphabet cell_[3], moving_[3];  // of each cell: all actions; those that are others in the next cell
  Alphabet common_;               // the others
  Alphabet ends_;                 // of the head, without hubs
  Alphabet left_, right_;         // what the first and the last cell share with it
  std::map<Action, Action> class_of_;
  Alphabet classes_, all_;
  Lts property_, start_;   // by classes; with its error state
  std::vector<Lts> hubs_;  // by component of the head: by classes, if it is one
  Lts no_more_;            // refuses the classes that are actions of cells only: after the last cell there are none
  Action signal_;
  std::uint64_t states_ = 0;
  const Teller& tell_;
  Judgement judgement_;
};

}  // namespace

Judgement check_all_sizes(const Family& family, const Certificate& certificate, Budget& budget, const Teller& tell) {
  if (certificate.rule != Method::all_sizes || !certificate.induction) return refuse("this is no proof for all sizes");
  const Induction& proof = *certificate.induction;
  if (proof.from != family.from) return refuse("the proof begins with another size");
  if (proof.small.size() != family.small.size())
    return refuse(fmt::format("{} sizes need proofs of their own, not {}", family.small.size(), proof.small.size()));
  std::uint64_t states = 0;
  for (std::size_t i = 0; i < family.small.size(); ++i) {
    const Instance& instance = family.small[i];
    if (instance.size != family.from + static_cast<int>(i)) return refuse("a size is missing");
    Judgement judgement = check_safety(instance.network, {&instance.property}, proof.small[i], budget, tell);
    states += judgement.states;
    judgement.states = states;
    if (judgement.kind == Kind::refused)
      judgement.reason = fmt::format("{} = {}: {}", proof.parameter, instance.size, judgement.reason);
    if (judgement.kind != Kind::accepted) return judgement;
  }
  Judgement judgement = AllSizes(family.chain, proof, budget, tell).run();
  judgement.states += states;
  return judgement;
}

}  // namespace surety::certify
