#include "rules/abstraction.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

#include "base/check.hpp"

namespace surety {

Abstraction::Abstraction(Lts concrete) {
  read(std::move(concrete));
  if (forward_.state_count() == 0) return;
  members_.resize(1);
  out_.resize(1);
  in_.resize(1);
  for (std::uint32_t s = 0; s < forward_.state_count(); ++s)
    if (block_[s] != kNone) members_[0].push_back(State{s});
  settle();
  connect_forwards(0);
}

// Sets block_ to 0 for the states that need a block, to kNone for the others.
void Abstraction::read(Lts concrete) {
  forward_ = std::move(concrete);
  const std::uint32_t n = forward_.state_count();
  block_.assign(n, kNone);
  seen_.assign(n, 0);
  mask_.assign(n, 0);
  round_ = 0;
  LtsBuilder reverse;
  reverse.set_state_count(n);
  reverse.reserve(forward_.transition_count());
  if (n > 0) block_[0] = 0;
  for (std::uint32_t s = 0; s < n; ++s)
    for (const Step& step : forward_.steps(State{s})) {
      reverse.add_step(step.target, step.action, State{s});
      if (step.action != kTau) block_[step.target.value] = 0;
    }
  backward_ = reverse.build();
}

Lts Abstraction::lts() const {
  if (size() == 0) return {};
  LtsBuilder builder;
  builder.set_state_count(size());
  builder.add_to_alphabet(forward_.alphabet());
  for (Block b = 0; b < size(); ++b)
    for (const Edge& edge : out_[b]) builder.add_step(State{b}, edge.action, State{edge.block});
  return builder.build();
}

void Abstraction::settle() {
  origin_.resize(size());
  std::iota(origin_.begin(), origin_.end(), 0U);
}

// Adds what silent steps lead to. Call with a new round; the states themselves are seen then.
void Abstraction::close(const Lts& lts, States& states) {
  for (const State s : states) see(s);
  for (std::size_t i = 0; i < states.size(); ++i)
    for (const Step& step : lts.steps(states[i], kTau))
      if (see(step.target)) states.push_back(step.target);
}

void Abstraction::connect_forwards(Block block) {
  ++round_;
  States states = members_[block];
  close(forward_, states);
  for (const State s : states)
    for (const Step& step : forward_.steps(s))
      if (step.action != kTau) connect(block, step.action, block_[step.target.value]);
}

// All letters at once, 64 at a time: a state's mask has the letters by which it can get into the block.
void Abstraction::connect_backwards(Block block) {
  constexpr std::size_t kLetters = 64;
  const Alphabet& letters = forward_.alphabet();
  for (std::size_t first = 0; first < letters.size(); first += kLetters) {
    States met, todo;
    const auto add = [&](State s, std::uint64_t more) {
      std::uint64_t& mask = mask_[s.value];
      if ((mask | more) == mask) return;
      if (mask == 0) met.push_back(s);
      mask |= more;
      todo.push_back(s);
    };
    for (const State s : members_[block])
      for (const Step& step : backward_.steps(s)) {
        if (step.action == kTau) continue;
        const std::size_t letter = *letters.index(step.action);
        if (letter >= first && letter < first + kLetters) add(step.target, 1ULL << (letter - first));
      }
    while (!todo.empty()) {
      const State s = todo.back();
      todo.pop_back();
      for (const Step& step : backward_.steps(s, kTau)) add(step.target, mask_[s.value]);
    }
    for (const State s : met) {
      for (std::uint64_t mask = mask_[s.value]; mask != 0 && block_[s.value] != kNone; mask &= mask - 1)
        connect(block_[s.value], letters[first + static_cast<std::size_t>(std::countr_zero(mask))], block);
      mask_[s.value] = 0;
    }
  }
}

void Abstraction::disconnect(Block block) {
  for (const Edge& edge : out_[block]) in_[edge.block].erase({edge.action, block});
  for (const Edge& edge : in_[block]) out_[edge.block].erase({edge.action, block});
  out_[block].clear();
  in_[block].clear();
}

// By position in the word: the blocks on an abstract path for the whole word.
std::vector<std::vector<bool>> Abstraction::on_paths(Word word) const {
  std::vector<std::vector<bool>> on(word.size() + 1, std::vector<bool>(size(), false));
  const auto steps = [&](Block b, Action a) {
    return std::pair{out_[b].lower_bound({a, 0}), out_[b].upper_bound({a, kNone})};
  };
  on[0][0] = true;
  for (std::size_t i = 0; i < word.size(); ++i)
    for (Block b = 0; b < size(); ++b)
      if (on[i][b])
        for (auto [edge, end] = steps(b, word[i]); edge != end; ++edge) on[i + 1][edge->block] = true;
  for (std::size_t i = word.size(); i-- > 0;)
    for (Block b = 0; b < size(); ++b)
      if (on[i][b]) {
        const auto [edge, end] = steps(b, word[i]);
        on[i][b] = std::any_of(edge, end, [&](const Edge& e) { return on[i + 1][e.block]; });
      }
  return on;
}

Abstraction::Replayed Abstraction::replay(Word word) {
  if (size() == 0) return {};
  const auto on = on_paths(word);
  if (!on[0][0]) return {};
  States now{forward_.initial()};
  for (std::size_t i = 0; i < word.size(); ++i) {
    Block stuck = kNone;
    for (const State s : now) stuck = std::min(stuck, block_[s.value]);
    ++round_;
    close(forward_, now);
    States next;
    ++round_;
    for (const State s : now)
      for (const Step& step : forward_.steps(s, word[i]))
        if (on[i + 1][block_[step.target.value]] && see(step.target)) next.push_back(step.target);
    if (next.empty()) return split(stuck, word[i], on[i + 1]);
    now = std::move(next);
  }
  return {Replayed::Kind::performed, kNone};
}

// Into the states that can do a into one of these blocks, and the others.
Abstraction::Replayed Abstraction::split(Block block, Action a, const std::vector<bool>& into) {
  ++round_;
  States able;
  for (Block b = 0; b < size(); ++b)
    if (into[b])
      for (const State s : members_[b])
        for (const Step& step : backward_.steps(s, a))
          if (see(step.target)) able.push_back(step.target);
  close(backward_, able);
  States& all = members_[block];
  const auto middle = std::stable_partition(all.begin(), all.end(), [&](State s) { return seen_[s.value] != round_; });
  check(middle != all.begin() && middle != all.end(), "a split left a block as it was");
  States half(middle, all.end());
  all.erase(middle, all.end());
  // The initial state stays in block 0.
  if (block == 0 && std::find(half.begin(), half.end(), forward_.initial()) != half.end()) std::swap(all, half);

  const Block fresh = size();
  for (const State s : half) block_[s.value] = fresh;
  disconnect(block);
  members_.push_back(std::move(half));
  out_.emplace_back();
  in_.emplace_back();
  origin_.push_back(origin_[block]);
  for (const Block b : {block, fresh}) {
    connect_forwards(b);
    connect_backwards(b);
  }
  return {Replayed::Kind::split, block};
}

void Abstraction::rebase(Lts concrete, const std::vector<Block>& blocks) {
  const auto old_origin = std::move(origin_);
  read(std::move(concrete));
  members_.clear();
  origin_.clear();
  std::vector<Block> number(old_origin.size(), kNone);
  for (std::uint32_t s = 0; s < forward_.state_count(); ++s) {
    if (block_[s] == kNone) continue;
    Block& mine = number[blocks[s]];
    if (mine == kNone) {
      mine = size();
      members_.emplace_back();
      origin_.push_back(old_origin[blocks[s]]);
    }
    block_[s] = mine;
    members_[mine].push_back(State{s});
  }
  out_.assign(size(), {});
  in_.assign(size(), {});
  for (Block b = 0; b < size(); ++b) connect_forwards(b);
}

}  // namespace surety
