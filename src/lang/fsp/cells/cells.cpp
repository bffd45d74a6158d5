// Cells: a process with many indices is taken apart along its indices.
//
// The steps of the process by an action a are a relation R(a) between tuples, a union of rules (tuple_rules.hpp). Let
// the slots be divided into blocks B1, ..., Bn. A cell is an LTS over the values of its block, with the projection of
// R(a) on it as its steps by a. Cells synchronise on a, so together they do the product of the projections; it is R(a),
// and the cells are exact, iff R(a) is a product over the blocks. When it is not (the guard reads two slots at once, or
// the action is done in two ways), cells would mix the left half of one step with the right half of another; then the
// slots that are tied by a have to stay in one block. A set has a finest division over which it is a product, and what
// is a product over two divisions is one over their meet; so each action has its finest division, and the blocks are
// the finest division that is coarser than all of those.
//
// Three things make the blocks finer without harm, for the process never leaves its reachable tuples:
//
//   - Rules that cannot happen are dropped. Which values a slot can have at a control point is found slot by slot, as
//     if slots were independent: more values than there are, never fewer.
//   - Each rule asks for its control point, and the control point says which slots are in use. So a rule that leaves
//     a slot alone may leave it alone whatever is in it, and one that sets a slot may set it whatever was in it.
//   - What a step does to the slots when it leads to ERROR is of no importance.
//
// An action whose relation is the identity on a block is not in the alphabet of its cell. The control is part of every
// rule, so its cell has the whole alphabet of the process: it refuses what the process refuses, and in ERROR it
// refuses everything. (Where an action is a loop in every state of a cell, and another cell has it, it is left out
// after all.) A hidden action cannot be shared between cells, so it ties all slots that it changes or reads.
//
// The reachable tuples of the cells are those of the process, the step relation is the same, and so the two are
// isomorphic up to what tuple_rules merges: states inside a chain of actions that differ in nothing that still
// matters, and P with Q for P = Q.
#include "lang/fsp/cells/cells.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "base/check.hpp"
#include "model/transform.hpp"

namespace surety::fsp {
namespace {

constexpr std::uint32_t kAny = SlotChange::kAny;
constexpr std::size_t kMostTuples = 20'000;  // of one relation; with more, all its slots are tied
constexpr std::size_t kMostSlots = 8;        // with more, only single slots are tried as factors
constexpr std::size_t kLookEvery = 1 << 14;  // the budget is polled once per so many values

using Slot = std::uint32_t;
using Tuple = std::vector<std::uint32_t>;

class Divider {
 public:
  Divider(const TupleProcess& process, const ActionTable& actions, std::uint32_t most_states, Budget& budget)
      : process_(process),
        actions_(actions),
        most_states_(most_states),
        budget_(budget),
        charge_(budget),
        parent_(process.slots.size()) {
    std::iota(parent_.begin(), parent_.end(), 0);
  }
  Cells run(bool joined);

 private:
  struct Cell {  // before it is an LTS
    std::vector<Slot> slots;
    std::uint32_t states = 0;
    std::vector<std::tuple<std::uint32_t, Action, std::uint32_t>> steps;  // sorted, none twice
    std::set<Action> alphabet;
    std::uint32_t error = kAny;
  };
  using Rules = std::vector<const TupleRule*>;
  struct LocalRule {  // what a rule does to the slots of one block
    Action action;
    std::vector<SlotChange> changes;
    auto operator<=>(const LocalRule&) const = default;
  };
  using SlotValue = std::pair<std::size_t, std::uint32_t>;  // a slot, by its position in the block, and a value of it
  using RulesByValue = std::map<SlotValue, std::vector<const LocalRule*>>;

  // False: the budget has ended, and all results from now on are void.
  bool go_on(std::size_t work) const {
    work_ += work;
    if (work_ >= kLookEvery) {
      work_ = 0;
      budget_.go_on();
    }
    return budget_.why() == Stop::none;
  }
  bool make_values(std::vector<char>& values);
  std::vector<std::size_t> factor(const std::vector<Tuple>& tuples, std::size_t columns, std::size_t most) const;
  void find_possible();
  bool possible(const TupleRule& rule) const;
  std::vector<char>& values_at(std::uint32_t point, Slot s) { return values_[point * process_.slots.size() + s]; }
  const std::vector<char>& values_at(std::uint32_t point, Slot s) const {
    return values_[point * process_.slots.size() + s];
  }
  std::vector<std::uint32_t> values_of(Slot s) const;

  void tie(Action action, const Rules& rules);
  std::vector<Tuple> relation(const Rules& rules, const std::vector<Slot>& slots) const;
  void unite(const std::vector<Slot>& slots, Action why);
  Slot find(Slot s) const { return parent_[s] == s ? s : find(parent_[s]); }

  std::optional<std::set<LocalRule>> local_rules(const std::vector<Slot>& slots) const;
  static RulesByValue by_rarest_value(const std::set<LocalRule>& rules);
  static std::optional<Tuple> after(const LocalRule& rule, const Tuple& here);
  std::optional<Cell> build(const std::vector<Slot>& slots, std::uint32_t most_states) const;
  void join(std::vector<Cell>& cells) const;
  void drop_loops(std::vector<Cell>& cells) const;
  FspMachine machine(const Cell& cell) const;
  std::string name(const std::vector<Slot>& slots) const;
  std::string tied_by(const std::vector<Slot>& slots) const;
  std::string note(const std::vector<Cell>& cells) const;
  std::vector<Slot> all_slots() const {
    std::vector<Slot> all(process_.slots.size());
    std::iota(all.begin(), all.end(), 0);
    return all;
  }

  const TupleProcess& process_;
  const ActionTable& actions_;
  std::uint32_t most_states_;
  Budget& budget_;
  mutable std::size_t work_ = 0;           // since the budget was last polled
  Charge charge_;                          // for the values
  std::vector<std::vector<char>> values_;  // by control point and slot: 1 for each value that the slot can have there
  std::vector<bool> constant_;             // by slot: it never changes
  std::map<Action, Rules> rules_;          // by action: the rules that are possible
  std::vector<Slot> parent_;               // a forest of the slots that are tied
  std::map<Slot, std::set<Action>> ties_;  // by slot: the actions that tied it to another
};

Cells Divider::run(bool joined) {
  find_possible();
  if (!go_on(0)) return {{}, "the budget ended"};
  for (Slot s = 0; s < process_.slots.size(); ++s) constant_.push_back(values_of(s).size() == 1);
  for (const TupleRule& rule : process_.rules)
    if (possible(rule)) rules_[rule.action].push_back(&rule);
  for (const auto& [action, rules] : rules_)
    if (go_on(rules.size())) tie(action, rules);
  if (!go_on(0)) return {{}, "the budget ended"};

  std::map<Slot, std::vector<Slot>> blocks;
  for (Slot s = 0; s < process_.slots.size(); ++s) blocks[find(s)].push_back(s);
  const auto moving = std::ranges::count_if(blocks, [&](const auto& block) {
    return !std::ranges::all_of(block.second, [&](Slot s) { return constant_[s]; });
  });
  if (moving < 2) return {{}, ties_.empty() ? "one index is all there is" : "its indices are" + tied_by(all_slots())};
  std::vector<Cell> cells;
  for (const auto& [root, slots] : blocks) {
    auto cell = build(slots, most_states_);
    if (!go_on(0)) return {{}, "the budget ended"};
    if (!cell) return {{}, fmt::format("a cell has more than {} states", most_states_)};
    cells.push_back(std::move(*cell));
  }
  if (joined) join(cells);
  if (!go_on(0)) return {{}, "the budget ended"};
  drop_loops(cells);
  std::erase_if(cells, [](const Cell& cell) { return cell.alphabet.empty(); });
  for (const Action a : process_.hidden)
    check(std::ranges::count_if(cells, [&](const Cell& cell) { return cell.alphabet.contains(a); }) == 1,
          "a hidden action is in one cell");
  Cells out;
  out.note = note(cells);
  if (cells.size() > 1)
    for (const Cell& cell : cells) out.machines.push_back(machine(cell));
  return out;
}

// ---- what can happen

// There is one such table per control point and slot, each with one entry per value; so they are charged.
bool Divider::make_values(std::vector<char>& values) {
  if (!charge_.grow_to(charge_.bytes() + process_.values)) budget_.stop(Stop::memory);
  if (!go_on(process_.values)) return false;
  values.assign(process_.values, 0);
  return true;
}

void Divider::find_possible() {
  if (!charge_.grow_to(process_.values * process_.slots.size() * sizeof(std::vector<char>))) budget_.stop(Stop::memory);
  if (!go_on(0)) return;
  values_.assign(process_.values * process_.slots.size(), {});
  const auto begin = process_.initial[0];
  for (Slot s = 0; s < process_.slots.size(); ++s) {
    if (!make_values(values_at(begin, s))) return;
    values_at(begin, s)[process_.initial[s]] = 1;
  }
  for (bool changed = true; changed;) {
    changed = false;
    std::set<std::tuple<std::uint32_t, std::uint32_t, Slot>> kept;  // done in this round
    for (const TupleRule& rule : process_.rules) {
      if (!go_on(rule.changes.size())) return;
      if (!possible(rule)) continue;
      const auto [from, to] = rule.changes[0];
      for (Slot s = 0; s < rule.changes.size(); ++s) {
        const SlotChange change = rule.changes[s];
        auto& there = values_at(to, s);
        if (there.empty() && !make_values(there)) return;
        if (change.to != kAny) {
          changed |= there[change.to] == 0;
          there[change.to] = 1;
        } else if (from != to && kept.insert({from, to, s}).second) {
          const auto& here = values_at(from, s);
          if (!go_on(here.size())) return;
          for (std::size_t v = 0; v < here.size(); ++v) {
            changed |= here[v] > there[v];
            there[v] = std::max(there[v], here[v]);
          }
        }
      }
    }
  }
}

bool Divider::possible(const TupleRule& rule) const {
  for (Slot s = 0; s < rule.changes.size(); ++s) {
    const auto& values = values_at(rule.changes[0].from, s);
    if (values.empty() || (rule.changes[s].from != kAny && values[rule.changes[s].from] == 0)) return false;
  }
  return true;
}

std::vector<std::uint32_t> Divider::values_of(Slot s) const {
  std::set<std::uint32_t> all;
  for (std::uint32_t point = 0; point < process_.values; ++point)
    for (std::uint32_t v = 0; v < values_at(point, s).size(); ++v)
      if (values_at(point, s)[v] != 0) all.insert(v);
  return {all.begin(), all.end()};
}

// ---- is a relation a product?

std::vector<Tuple> projected(const std::vector<Tuple>& tuples, const std::vector<std::size_t>& columns) {
  std::vector<Tuple> out;
  out.reserve(tuples.size());
  for (const Tuple& t : tuples) {
    Tuple p;
    for (const std::size_t c : columns) p.push_back(t[c]);
    out.push_back(std::move(p));
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

// The smallest set of columns, of at most `most`, such that the set of tuples is the product of its projections to
// these columns and to the others. Empty: there is none.
std::vector<std::size_t> Divider::factor(const std::vector<Tuple>& tuples, std::size_t columns,
                                         std::size_t most) const {
  for (std::size_t size = 1; size <= most; ++size) {
    std::vector<char> chosen(columns, 0);
    std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(size), char{1});
    do {
      if (!go_on(tuples.size() * columns)) return {};
      std::vector<std::size_t> in, out;
      for (std::size_t c = 0; c < columns; ++c) (chosen[c] != 0 ? in : out).push_back(c);
      const auto left = projected(tuples, in).size();
      if (tuples.size() % left == 0 && projected(tuples, out).size() * left == tuples.size()) return in;
    } while (std::ranges::prev_permutation(chosen).found);
  }
  return {};
}

// Ties the slots over which the action's relation is no product.
void Divider::tie(Action action, const Rules& rules) {
  std::vector<Slot> different, used;
  for (Slot s = 0; s < process_.slots.size(); ++s) {
    if (constant_[s]) continue;
    const auto first = rules[0]->changes[s];
    if (!std::ranges::all_of(rules, [&](const TupleRule* r) { return r->changes[s] == first; })) different.push_back(s);
    if (!std::ranges::all_of(rules, [&](const TupleRule* r) { return r->changes[s].idle(); })) used.push_back(s);
  }
  if (process_.hidden.contains(action)) return unite(used, action);
  if (std::ranges::all_of(different, [&](Slot s) { return find(s) == find(different[0]); })) return;  // already
  std::vector<Tuple> tuples = relation(rules, different);
  if (tuples.empty()) return unite(different, action);
  while (different.size() > 1) {
    const std::size_t most = different.size() > kMostSlots ? 1 : different.size() / 2;
    const auto block = factor(tuples, different.size(), most);
    if (block.empty()) return unite(different, action);
    std::vector<Slot> in, out;
    std::vector<std::size_t> rest;
    for (std::size_t c = 0; c < different.size(); ++c) {
      const bool inside = std::ranges::find(block, c) != block.end();
      (inside ? in : out).push_back(different[c]);
      if (!inside) rest.push_back(c);
    }
    unite(in, action);
    different = std::move(out);
    tuples = projected(tuples, rest);
  }
}

// The relation on these slots, as a set of tuples with one number of a change per slot. Two changes of a slot must not
// stand for the same pair of values. Where some leave a value open (kAny), they could; so all of them are replaced by
// one change per value. Empty: there would be too many tuples.
std::vector<Tuple> Divider::relation(const Rules& rules, const std::vector<Slot>& slots) const {
  std::vector<Tuple> out(1);
  if (slots.empty()) return out;
  std::vector<std::map<SlotChange, std::vector<std::uint32_t>>> pieces(slots.size());
  for (std::size_t i = 0; i < slots.size(); ++i) {
    bool read = false, kept = false, set = false;
    for (const TupleRule* rule : rules) {
      const SlotChange change = rule->changes[slots[i]];
      kept |= change.idle();
      set |= !change.idle() && change.from == kAny;
      read |= change.from != kAny;
      pieces[i][change];
    }
    const bool overlap = read + kept + set > 1;
    const auto values = overlap ? values_of(slots[i]) : std::vector<std::uint32_t>{kAny};
    std::map<SlotChange, std::uint32_t> numbers;
    for (auto& [change, list] : pieces[i])
      for (const auto v : change.from == kAny ? values : std::vector<std::uint32_t>{change.from}) {
        const SlotChange piece{v, change.idle() ? v : change.to};
        list.push_back(numbers.try_emplace(piece, static_cast<std::uint32_t>(numbers.size())).first->second);
      }
  }
  out.clear();
  for (const TupleRule* rule : rules) {
    if (!go_on(slots.size())) return {};
    std::vector<Tuple> some(1);
    for (std::size_t i = 0; i < slots.size(); ++i) {
      std::vector<Tuple> longer;
      for (const Tuple& t : some)
        for (const auto piece : pieces[i].at(rule->changes[slots[i]])) {
          longer.push_back(t);
          longer.back().push_back(piece);
        }
      some = std::move(longer);
      if (some.size() + out.size() > kMostTuples) return {};
    }
    std::ranges::move(some, std::back_inserter(out));
  }
  std::ranges::sort(out);
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void Divider::unite(const std::vector<Slot>& slots, Action why) {
  for (const Slot s : slots) {
    const Slot a = find(slots[0]), b = find(s);
    if (a == b) continue;
    parent_[std::max(a, b)] = std::min(a, b);
    for (const Slot tied : {slots[0], s}) ties_[tied].insert(why);
  }
}

// ---- from blocks to cells

// Joins two cells if the joint cell has no more states than the larger one. Then the state of the larger cell
// determines that of the other; this happens to the control where an index is in use at one control point only. Methods
// that multiply components gain by it (backward minimisation of client-server with steps of the clients' own: 12
// clients without, 64 with); methods that abstract each component lose (refinement of the same: 128 without, 40 with).
void Divider::join(std::vector<Cell>& cells) const {
  for (std::size_t i = 0; i < cells.size(); ++i)
    for (std::size_t j = i + 1; j < cells.size(); ++j) {
      if (cells[i].states == 1 || cells[j].states == 1) continue;
      std::vector<Slot> slots = cells[i].slots;
      slots.insert(slots.end(), cells[j].slots.begin(), cells[j].slots.end());
      std::ranges::sort(slots);
      auto both = build(slots, std::max(cells[i].states, cells[j].states));
      if (!both) continue;
      cells[i] = std::move(*both);
      cells.erase(cells.begin() + static_cast<std::ptrdiff_t>(j));
      j = i;  // again, for this one has changed
    }
}

// The rules, projected to the slots of a block. An action whose rules all leave the block alone has none. Nothing: the
// budget has ended.
std::optional<std::set<Divider::LocalRule>> Divider::local_rules(const std::vector<Slot>& slots) const {
  std::set<LocalRule> out;
  for (const auto& [action, rules] : rules_) {
    std::set<LocalRule> own;
    bool idle = true;
    for (const TupleRule* rule : rules) {
      if (!go_on(slots.size())) return std::nullopt;
      LocalRule local{action, {}};
      for (const Slot s : slots) local.changes.push_back(rule->changes[s]);
      idle &= std::ranges::all_of(local.changes, &SlotChange::idle);
      own.insert(std::move(local));
    }
    if (!idle) out.merge(own);
  }
  return out;
}

// Each rule stands under one of the values that it asks for: the one that the fewest rules ask for, so that a state has
// to look at few rules. A rule that asks for no value stands under kAny, behind the last slot.
Divider::RulesByValue Divider::by_rarest_value(const std::set<LocalRule>& rules) {
  std::map<SlotValue, std::size_t> asked;
  for (const LocalRule& rule : rules)
    for (std::size_t i = 0; i < rule.changes.size(); ++i) ++asked[{i, rule.changes[i].from}];
  RulesByValue out;
  for (const LocalRule& rule : rules) {
    SlotValue rarest{rule.changes.size(), kAny};
    for (std::size_t i = 0; i < rule.changes.size(); ++i) {
      const SlotValue here{i, rule.changes[i].from};
      if (here.second != kAny && (rarest.second == kAny || asked[here] < asked[rarest])) rarest = here;
    }
    out[rarest].push_back(&rule);
  }
  return out;
}

// The values of the block after the rule; nothing: it asks for other values.
std::optional<Tuple> Divider::after(const LocalRule& rule, const Tuple& here) {
  Tuple there = here;
  for (std::size_t i = 0; i < here.size(); ++i) {
    if (rule.changes[i].from != kAny && rule.changes[i].from != here[i]) return std::nullopt;
    if (rule.changes[i].to != kAny) there[i] = rule.changes[i].to;
  }
  return there;
}

// The cell of a block: all values that the block can reach on its own, breadth first. Nothing: there are too many, or
// the budget has ended.
std::optional<Divider::Cell> Divider::build(const std::vector<Slot>& slots, std::uint32_t most_states) const {
  const auto rules = local_rules(slots);
  if (!rules) return std::nullopt;
  const RulesByValue by_value = by_rarest_value(*rules);
  const bool has_control = slots[0] == 0;
  Cell cell;
  cell.slots = slots;
  for (const LocalRule& rule : *rules) cell.alphabet.insert(rule.action);
  if (has_control) cell.alphabet.insert(process_.alphabet.begin(), process_.alphabet.end());

  std::map<Tuple, std::uint32_t> numbers;
  std::deque<Tuple> queue;  // by state; it grows while its elements are looked at
  const auto number = [&](Tuple t) {
    const bool error = has_control && t[0] == process_.error;
    if (error) std::fill(t.begin() + 1, t.end(), 0);
    const auto [it, is_new] = numbers.try_emplace(t, static_cast<std::uint32_t>(queue.size()));
    if (is_new) queue.push_back(std::move(t));
    if (error) cell.error = it->second;
    return it->second;
  };
  Tuple first;
  for (const Slot s : slots) first.push_back(process_.initial[s]);
  number(first);
  for (std::uint32_t state = 0; state < queue.size(); ++state) {
    if (queue.size() > most_states) return std::nullopt;
    const Tuple& here = queue[state];
    for (std::size_t i = 0; i <= here.size(); ++i) {
      const auto found = by_value.find({i, i < here.size() ? here[i] : kAny});
      if (found == by_value.end()) continue;
      for (const LocalRule* rule : found->second) {
        if (!go_on(here.size())) return std::nullopt;
        if (auto there = after(*rule, here)) cell.steps.emplace_back(state, rule->action, number(std::move(*there)));
      }
    }
  }
  std::ranges::sort(cell.steps);
  cell.steps.erase(std::unique(cell.steps.begin(), cell.steps.end()), cell.steps.end());
  cell.states = static_cast<std::uint32_t>(queue.size());
  return cell;
}

// An action that is a loop in every state of a cell, and in another cell too, need not be in both.
void Divider::drop_loops(std::vector<Cell>& cells) const {
  std::map<Action, std::size_t> holders;
  for (const Cell& cell : cells)
    for (const Action a : cell.alphabet) ++holders[a];
  for (Cell& cell : cells) {
    std::map<Action, std::uint32_t> loops;
    std::set<Action> moving;
    for (const auto& [from, action, to] : cell.steps)
      if (from == to)
        ++loops[action];
      else
        moving.insert(action);
    std::set<Action> useless;
    for (const auto& [action, count] : loops)
      if (count == cell.states && !moving.contains(action) && holders[action] > 1) {
        --holders[action];
        useless.insert(action);
      }
    std::erase_if(cell.steps, [&](const auto& step) { return useless.contains(std::get<1>(step)); });
    std::erase_if(cell.alphabet, [&](Action a) { return useless.contains(a); });
  }
  // The alphabet of a cell without steps goes to another cell, which refuses these actions in its place.
  for (Cell& cell : cells)
    if (cell.steps.empty())
      for (Cell& other : cells)
        if (!other.steps.empty()) {
          other.alphabet.merge(cell.alphabet);
          cell.alphabet.clear();
          break;
        }
}

FspMachine Divider::machine(const Cell& cell) const {
  LtsBuilder builder;
  builder.set_state_count(cell.states);
  if (cell.error != kAny) builder.set_error(State{cell.error});
  for (const auto& [from, action, to] : cell.steps) builder.add_step(State{from}, action, State{to});
  const Alphabet alphabet(std::vector<Action>(cell.alphabet.begin(), cell.alphabet.end()));
  builder.add_to_alphabet(alphabet);
  Lts lts = builder.build();
  const Alphabet hidden = intersect(process_.hidden, alphabet);
  if (!hidden.empty()) lts = hide(lts, hidden);
  return {name(cell.slots), std::move(lts), false, intersect(process_.extension, alphabet)};
}

// ---- words

std::string Divider::name(const std::vector<Slot>& slots) const {
  std::vector<std::string> names;
  for (const Slot s : slots)
    if (!constant_[s] || slots.size() == 1) names.push_back(process_.slots[s]);
  return names.empty() ? process_.slots[slots[0]] : fmt::format("{}", fmt::join(names, "+"));
}

std::string Divider::tied_by(const std::vector<Slot>& slots) const {
  std::set<Action> ties;
  for (const Slot s : slots)
    if (const auto it = ties_.find(s); it != ties_.end()) ties.insert(it->second.begin(), it->second.end());
  if (ties.empty()) return "";
  return fmt::format(" tied by {}{}", actions_.name(*ties.begin()),
                     ties.size() > 1 ? fmt::format(" and {} more", ties.size() - 1) : "");
}

std::string Divider::note(const std::vector<Cell>& cells) const {
  std::vector<std::string> notes;
  for (const Cell& cell : cells) {
    const std::string ties = tied_by(cell.slots);
    const std::string why = ties.empty() ? "" : "," + ties;
    notes.push_back(fmt::format("{} ({} state{}{})", name(cell.slots), cell.states, cell.states == 1 ? "" : "s", why));
  }
  return fmt::format("{}", fmt::join(notes, ", "));
}

}  // namespace

Cells cells_of(const TupleProcess& process, const ActionTable& actions, std::uint32_t most_states, bool joined,
               Budget& budget) {
  return Divider(process, actions, most_states, budget).run(joined);
}

}  // namespace surety::fsp
