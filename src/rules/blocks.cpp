#include "rules/blocks.hpp"

#include <algorithm>
#include <unordered_set>

#include "base/check.hpp"
#include "model/minimise.hpp"

namespace surety {
namespace {

constexpr std::uint32_t kNever = UINT32_MAX;
constexpr std::uint32_t kWeakStates = 2'000;  // weak minimisation stores closures

using States = std::vector<State>;

// With all that silent steps lead to.
void close(const Lts& lts, const Alphabet& visible, States& states) {
  std::unordered_set<State> seen(states.begin(), states.end());
  for (std::size_t i = 0; i < states.size(); ++i)
    for (const Step& step : lts.steps(states[i]))
      if (!visible.contains(step.action) && seen.insert(step.target).second) states.push_back(step.target);
}

States start(const Lts& lts, const Alphabet& visible) {
  States states{lts.initial()};
  close(lts, visible, states);
  return states;
}

States after(const Lts& lts, const Alphabet& visible, const States& states, Action a) {
  States next;
  std::unordered_set<State> seen;
  for (const State s : states)
    for (const Step& step : lts.steps(s, a))
      if (seen.insert(step.target).second) next.push_back(step.target);
  close(lts, visible, next);
  return next;
}

// Where the LTS may be after 0, 1, ... letters of a visible word; as long as it is anywhere.
std::vector<States> follow(const Lts& lts, const Alphabet& visible, Word word) {
  std::vector<States> sets{start(lts, visible)};
  for (const Action a : word) {
    States next = after(lts, visible, sets.back(), a);
    if (next.empty()) break;
    sets.push_back(std::move(next));
  }
  return sets;
}

Lts reduced(const Lts& lts, Budget& budget) {
  Lts strong = minimise_strong(lts, &budget);
  if (!budget.go_on()) return lts;
  bool silent = false;
  for (std::uint32_t s = 0; s < strong.state_count(); ++s) silent |= !strong.steps(State{s}, kTau).empty();
  return silent && strong.state_count() <= kWeakStates ? minimise_weak(strong, &budget) : strong;
}

Lts reversed(const Lts& lts) {
  LtsBuilder builder;
  builder.set_state_count(lts.state_count());
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s})) builder.add_step(step.target, step.action, State{s});
  return builder.build();
}

}  // namespace

std::optional<std::size_t> refused_at(const Lts& lts, Word word, const Alphabet& visible) {
  if (project(word, visible).empty()) return std::nullopt;
  States here = start(lts, visible);
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (!visible.contains(word[i])) continue;
    here = after(lts, visible, here, word[i]);
    if (here.empty()) return i;
  }
  return std::nullopt;
}

Trace path_of(const Lts& lts, Word whole) {
  const Trace word = project(whole, lts.alphabet());
  struct Node {
    State state;
    std::size_t letters;  // done so far
    std::size_t from;
    Action by;
  };
  std::vector<Node> nodes{{lts.initial(), 0, 0, kTau}};
  std::vector<std::unordered_set<State>> seen(word.size() + 1);
  seen[0].insert(lts.initial());
  std::size_t at = 0;
  for (; at < nodes.size() && nodes[at].letters < word.size(); ++at) {
    const auto [state, letters, from, by] = nodes[at];
    for (const Step& step : lts.steps(state, kTau))
      if (seen[letters].insert(step.target).second) nodes.push_back({step.target, letters, at, kTau});
    for (const Step& step : lts.steps(state, word[letters]))
      if (seen[letters + 1].insert(step.target).second) nodes.push_back({step.target, letters + 1, at, step.action});
  }
  check(at < nodes.size(), "a component does not do its part of a word");
  Trace path;
  for (; at != 0; at = nodes[at].from) path.push_back(nodes[at].by);
  std::reverse(path.begin(), path.end());
  return path;
}

Blocks::Blocks(const Lts& component, Budget& budget)
    : forward_(reduced(component, budget)),
      backward_(reversed(forward_)),
      place_(forward_.state_count()),
      members_(1),
      out_(1) {
  for (std::uint32_t s = 0; s < forward_.state_count(); ++s) {
    place_[s].index = s;
    members_[0].push_back(State{s});
    for (const Step& step : forward_.steps(State{s})) add(0, step.action, 0);
  }
}

Lts Blocks::lts() const {
  const Block first = block_of(forward_.initial());
  const auto number = [&](Block b) { return State{b == first ? 0 : b == 0 ? first : b}; };
  LtsBuilder builder;
  builder.add_to_alphabet(forward_.alphabet());
  builder.set_state_count(size());
  for (Block b = 0; b < size(); ++b)
    for (const auto& [edge, steps] : out_[b])
      if (edge.first != kTau || edge.second != b) builder.add_step(number(b), edge.first, number(edge.second));
  return builder.build();
}

Blocks::Layer Blocks::layer_before(Action a, const Layer& after, const Alphabet& visible) const {
  Layer layer(size(), kNever);
  std::vector<std::vector<Block>> silently_from(size());
  std::vector<Block> order;
  for (Block b = 0; b < size(); ++b) {
    for (auto it = out_[b].lower_bound({a, 0}); it != out_[b].end() && it->first.first == a && layer[b] != 0; ++it)
      if (after[it->first.second] != kNever) {
        layer[b] = 0;
        order.push_back(b);
      }
    for (const auto& [edge, count] : out_[b])
      if (edge.second != b && !visible.contains(edge.first)) silently_from[edge.second].push_back(b);
  }
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const Block b : silently_from[order[i]])
      if (layer[b] == kNever) {
        layer[b] = layer[order[i]] + 1;
        order.push_back(b);
      }
  return layer;
}

std::vector<bool> Blocks::which_do(Block block, Action a, const Layer& into) const {
  std::vector<bool> out;
  for (const State s : members_[block])
    out.push_back(std::ranges::any_of(forward_.steps(s, a),
                                      [&](const Step& step) { return into[block_of(step.target)] != kNever; }));
  return out;
}

std::vector<bool> Blocks::which_enter(Block block, const Layer& into, std::uint32_t at_most,
                                      const std::vector<State>& unlike) const {
  const auto enters = [&](const Step& step) { return into[block_of(step.target)] <= at_most; };
  std::unordered_set<Action> theirs;
  for (const State s : unlike)
    if (block_of(s) == block)
      for (const Step& step : forward_.steps(s))
        if (enters(step)) theirs.insert(step.action);
  std::vector<bool> out;
  for (const State s : members_[block])
    out.push_back(std::ranges::any_of(forward_.steps(s),
                                      [&](const Step& step) { return enters(step) && !theirs.contains(step.action); }));
  return out;
}

bool Blocks::exclude(Word whole, const Alphabet& visible, Budget& budget) {
  const Trace word = project(whole, visible);
  const auto sets = follow(forward_, visible, word);  // word[sets.size() - 1] is refused
  check(sets.size() <= word.size(), "a word to be excluded is a word of the component");
  while (budget.go_on()) {
    bool met = false;
    Layer after(size(), 0);
    for (std::size_t i = sets.size(); i-- > 0 && !met;) {
      Layer layer = layer_before(word[i], after, visible);
      const auto distance = [&](State s) { return layer[block_of(s)]; };
      const State nearest = *std::ranges::min_element(sets[i], {}, distance);
      if (const std::uint32_t d = distance(nearest); d != kNever) {
        const Block block = block_of(nearest);
        split(block, d == 0 ? which_do(block, word[i], after) : which_enter(block, layer, d - 1, sets[i]));
        met = true;
      }
      after = std::move(layer);
    }
    if (!met) return true;
  }
  return false;
}

void Blocks::split(Block block, const std::vector<bool>& off) {
  const auto count = static_cast<std::size_t>(std::count(off.begin(), off.end(), true));
  check(count > 0 && count < off.size(), "a split leaves a block as it is");
  const bool smaller = count * 2 <= off.size();
  States moving;
  for (std::size_t i = 0; i < off.size(); ++i)
    if (off[i] == smaller) moving.push_back(members_[block][i]);
  const Block fresh = size();
  members_.emplace_back();
  out_.emplace_back();
  for (const State s : moving) move(s, fresh);
}

// One state at a time, so that every concrete step is counted where its two ends are at that moment.
void Blocks::move(State s, Block to) {
  const Block from = block_of(s);
  for (const Step& step : forward_.steps(s)) {
    remove(from, step.action, block_of(step.target));
    add(to, step.action, step.target == s ? to : block_of(step.target));
  }
  for (const Step& step : backward_.steps(s)) {
    if (step.target == s) continue;
    remove(block_of(step.target), step.action, from);
    add(block_of(step.target), step.action, to);
  }
  auto& old = members_[from];
  place_[old.back().value].index = place_[s.value].index;
  old[place_[s.value].index] = old.back();
  old.pop_back();
  place_[s.value] = {to, static_cast<std::uint32_t>(members_[to].size())};
  members_[to].push_back(s);
}

void Blocks::remove(Block from, Action a, Block to) {
  const auto it = out_[from].find({a, to});
  check(it != out_[from].end(), "a step between blocks is missing");
  if (--it->second == 0) out_[from].erase(it);
}

}  // namespace surety
