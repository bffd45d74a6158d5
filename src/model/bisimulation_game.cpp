// The game is solved by rounds (Kanellakis and Smolka 1983). In round 0 error, END
// and all other states are three classes. Two states are in one class of round k+1
// if they are in one class of round k and have the same moves into those: then the
// defender can hold out for k+1 moves. So if two states part in round k, one of them
// has a move into a class of round k-1 into which the other has none; that is the
// attacker's move, and whatever the answer, the two new states parted before.
//
// A round costs only what changed in the one before: when a class splits, its largest
// part keeps the number, so a state changes class at most log n times, and only
// states with a move into a changed state are looked at again. The history of a
// state is the short list of these changes. That matters for two long runs that
// differ at their ends, which take a round for each step.
//
// A weak move is tau* a tau*. Its targets are not stored, only their classes.
#include "model/bisimulation_game.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "base/check.hpp"
#include "model/partition.hpp"
#include "model/sequence_table.hpp"
#include "model/tau_components.hpp"

namespace surety {
namespace {

using Numbers = std::vector<std::uint32_t>;

template <class T>
void sort_unique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

// The LTS as the players see it: for weak bisimulation tau is silent, for strong it is an action.
class Board {
 public:
  Board(const Lts& lts, bool weak) : lts_(lts), weak_(weak), seen_(lts.state_count(), 0) {}

  const Lts& lts() const { return lts_; }
  bool is_silent(const Step& step) const { return weak_ && step.action == kTau; }

  // Where silent steps lead from s, s included.
  std::vector<State> silently(State s) {
    ++search_;
    std::vector<State> reached{s};
    seen_[s.value] = search_;
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (const Step& step : lts_.steps(reached[i]))
        if (is_silent(step) && std::exchange(seen_[step.target.value], search_) != search_)
          reached.push_back(step.target);
    return reached;
  }

  // All moves from s, sorted. A silent one is an action tau; weakly, to stay is such a move.
  std::vector<Step> moves(State s) {
    if (!weak_) return {lts_.steps(s).begin(), lts_.steps(s).end()};
    std::vector<Step> out;
    for (const State before : silently(s)) {
      out.push_back({kTau, before});
      for (const Step& step : lts_.steps(before)) {
        if (is_silent(step)) continue;
        for (const State after : silently(step.target)) out.push_back({step.action, after});
      }
    }
    sort_unique(out);
    return out;
  }

 private:
  const Lts& lts_;
  const bool weak_;
  std::vector<std::uint64_t> seen_;  // by state: the last search that met it
  std::uint64_t search_ = 0;
};

class Rounds {
 public:
  explicit Rounds(Board& board);
  void play_until_parted(State s, State t);

  // The first round in which s and t are in different classes, if they are by now.
  std::uint32_t parted(State s, State t) const;
  std::uint32_t class_in(std::uint32_t round, State s) const;

 private:
  struct Change {
    std::uint32_t round;
    std::uint32_t to;
  };
  using Move = std::pair<Action, std::uint32_t>;  // into a class

  void next_round();
  Numbers with_silent_sources(Numbers states);
  Numbers with_visible_sources(Numbers states) const;
  void look_at_silent_moves(std::uint32_t s);
  void look_at_visible_moves(std::uint32_t s);
  std::vector<Numbers> with_equal_moves(const Numbers& states) const;
  void split_off(const Numbers& states);

  Board& board_;
  Numbers rank_;                              // by state; silent steps lead to smaller ones
  std::vector<std::vector<Step>> into_;       // by state: the steps into it; their targets are the sources
  Partition classes_;                         // of this round
  std::vector<std::vector<Change>> history_;  // by state
  std::uint32_t round_ = 0;
  std::vector<std::uint64_t> seen_;  // by state: the last search that met it
  std::uint64_t search_ = 0;
  Numbers changed_;                         // the states that changed class in this round
  std::vector<Numbers> silent_;             // by state: the classes it can silently move into, sorted
  std::vector<std::vector<Move>> visible_;  // by state: its other moves, sorted
};

Rounds::Rounds(Board& board)
    : board_(board),
      rank_(tau_components(board.lts())),
      into_(board.lts().state_count()),
      classes_(board.lts().state_count()),
      history_(board.lts().state_count()),
      seen_(board.lts().state_count(), 0),
      silent_(board.lts().state_count()),
      visible_(board.lts().state_count()) {
  const Lts& lts = board.lts();
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s})) into_[step.target.value].push_back({step.action, State{s}});
  if (lts.error()) split_off({lts.error()->value});
  if (lts.end()) split_off(with_silent_sources({lts.end()->value}));
  for (std::uint32_t s = 0; s < lts.state_count(); ++s) history_[s] = {{0, classes_.class_of(s)}};
  changed_.resize(lts.state_count());  // at first every state is new
  std::iota(changed_.begin(), changed_.end(), 0);
}

void Rounds::play_until_parted(State s, State t) {
  while (classes_.class_of(s.value) == classes_.class_of(t.value)) {
    check(!changed_.empty(), "states that are not equivalent were never told apart");
    next_round();
  }
}

void Rounds::next_round() {
  const auto closer = with_silent_sources(std::move(changed_));
  for (const std::uint32_t s : closer) look_at_silent_moves(s);
  const auto affected = with_silent_sources(with_visible_sources(closer));
  for (const std::uint32_t s : affected) look_at_visible_moves(s);
  ++round_;
  changed_.clear();
  // States that are not affected form one more group: the others all have a move into a new class.
  for (const Numbers& group : with_equal_moves(affected)) split_off(group);
  sort_unique(changed_);
}

// The states with a silent path into the given ones, in the order in which successors come first.
Numbers Rounds::with_silent_sources(Numbers states) {
  ++search_;
  for (const std::uint32_t s : states) seen_[s] = search_;
  for (std::size_t i = 0; i < states.size(); ++i)
    for (const Step& step : into_[states[i]])
      if (board_.is_silent(step) && std::exchange(seen_[step.target.value], search_) != search_)
        states.push_back(step.target.value);
  std::ranges::sort(states, {}, [&](std::uint32_t s) { return rank_[s]; });
  return states;
}

Numbers Rounds::with_visible_sources(Numbers states) const {
  for (std::size_t i = 0, n = states.size(); i < n; ++i)
    for (const Step& step : into_[states[i]])
      if (!board_.is_silent(step)) states.push_back(step.target.value);
  sort_unique(states);
  return states;
}

void Rounds::look_at_silent_moves(std::uint32_t s) {
  silent_[s] = {classes_.class_of(s)};
  for (const Step& step : board_.lts().steps(State{s})) {
    if (!board_.is_silent(step)) continue;
    const auto& more = silent_[step.target.value];
    silent_[s].insert(silent_[s].end(), more.begin(), more.end());
  }
  sort_unique(silent_[s]);
}

void Rounds::look_at_visible_moves(std::uint32_t s) {
  visible_[s].clear();
  for (const Step& step : board_.lts().steps(State{s})) {
    const auto& more = visible_[step.target.value];
    if (board_.is_silent(step))
      visible_[s].insert(visible_[s].end(), more.begin(), more.end());
    else
      for (const std::uint32_t c : silent_[step.target.value]) visible_[s].emplace_back(step.action, c);
  }
  sort_unique(visible_[s]);
}

// The given states in groups: the same class, the same moves.
std::vector<Numbers> Rounds::with_equal_moves(const Numbers& states) const {
  SequenceTable table;
  std::vector<Numbers> groups;
  for (const std::uint32_t s : states) {
    Numbers key{classes_.class_of(s), static_cast<std::uint32_t>(silent_[s].size())};
    key.insert(key.end(), silent_[s].begin(), silent_[s].end());
    for (const auto& [a, c] : visible_[s]) key.insert(key.end(), {a.value, c});
    const std::uint32_t group = table.intern(key);
    if (group == groups.size()) groups.emplace_back();
    groups[group].push_back(s);
  }
  return groups;
}

void Rounds::split_off(const Numbers& states) {
  for (const std::uint32_t s : states) classes_.mark(s);
  classes_.split_marked([&](std::uint32_t, std::uint32_t fresh) {
    for (const std::uint32_t s : classes_.elements(fresh)) {
      history_[s].push_back({round_, fresh});
      changed_.push_back(s);
    }
  });
}

std::uint32_t Rounds::class_in(std::uint32_t round, State s) const {
  const auto& changes = history_[s.value];
  return std::prev(std::ranges::upper_bound(changes, round, {}, &Change::round))->to;
}

std::uint32_t Rounds::parted(State s, State t) const {
  // Parted once, parted for ever: so halve the interval.
  std::uint32_t low = 0, high = round_;
  check(class_in(high, s) != class_in(high, t), "two states of a play are not told apart");
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (class_in(middle, s) == class_in(middle, t))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

class Player {
 public:
  Player(Board& board, const Rounds& rounds) : board_(board), rounds_(rounds) {}
  Play play(State s, State t);

 private:
  struct Attack {
    Step move;
    std::vector<State> answers;
  };

  std::optional<Attack> attack(State from, State against, std::uint32_t round);
  State best_answer(const Attack& attack) const;
  bool is_special(State s) const;

  Board& board_;
  const Rounds& rounds_;
};

Play Player::play(State s, State t) {
  Play play;
  if (rounds_.parted(s, t) == 0) play.first = is_special(s);
  while (const std::uint32_t round = rounds_.parted(s, t)) {
    auto move = attack(s, t, round - 1);
    play.first = move.has_value();
    if (!move) move = attack(t, s, round - 1);
    check(move.has_value(), "two states are told apart by no move");
    play.moves.push_back(move->move.action);
    if (move->answers.empty()) break;
    State& attacker = play.first ? s : t;
    State& defender = play.first ? t : s;
    const State answer = best_answer(*move);
    attacker = move->move.target;
    defender = answer;
  }
  return play;
}

// A move from `from` into a class of the given round into which `against` has no move. One with an
// action that `against` does not have at all is best: there the play ends.
std::optional<Player::Attack> Player::attack(State from, State against, std::uint32_t round) {
  const auto defence = board_.moves(against);
  std::set<std::pair<Action, std::uint32_t>> matched;
  for (const Step& answer : defence) matched.emplace(answer.action, rounds_.class_in(round, answer.target));

  std::optional<Attack> best;
  for (const Step& move : board_.moves(from)) {
    if (matched.contains({move.action, rounds_.class_in(round, move.target)})) continue;
    Attack attack{move, {}};
    for (const Step& answer : defence)
      if (answer.action == move.action) attack.answers.push_back(answer.target);
    if (!best || attack.answers.empty()) best = std::move(attack);
    if (best->answers.empty()) break;
  }
  return best;
}

State Player::best_answer(const Attack& attack) const {
  return *std::ranges::max_element(attack.answers, {}, [&](State t) { return rounds_.parted(attack.move.target, t); });
}

bool Player::is_special(State s) const {
  const Lts& lts = board_.lts();
  if (s == lts.error()) return true;
  return lts.end() && rounds_.class_in(0, s) == rounds_.class_in(0, *lts.end());
}

}  // namespace

Play winning_play(const Lts& lts, State s, State t, Equivalence equivalence) {
  Board board(lts, equivalence == Equivalence::weak);
  Rounds rounds(board);
  rounds.play_until_parted(s, t);
  return Player(board, rounds).play(s, t);
}

}  // namespace surety
