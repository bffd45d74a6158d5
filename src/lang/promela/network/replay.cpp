#include "lang/promela/network/replay.hpp"

#include <algorithm>
#include <set>

#include "base/budget.hpp"
#include "lang/promela/machine/memory.hpp"

namespace surety {
namespace promela::net {
namespace {

constexpr std::size_t kMostStates = 1'000'000;  // between two frames: as many as a process may have
constexpr int kMostEnds = 1'000;                // combinations of last states that are tried
constexpr int kMostStartSteps = 200'000;

// A path of a process through its projection of the word: its states before and after each action. The silent steps
// between two actions are left to the machine.
struct Way {
  std::vector<std::uint32_t> before, after;  // by action of its projection
  std::uint32_t last = 0;
};

// All states that a process can be in after each action of its projection, each with a state that it can come from.
class Ways {
 public:
  Ways(const Lts& lts, const Trace& projection, Budget& budget) : lts_(lts), projection_(projection) {
    layers_.push_back(closed({{0, kNone}}));
    for (const Action a : projection) {
      if (!budget.go_on()) return;
      std::map<std::uint32_t, std::uint32_t> next;
      for (const auto& [state, from] : layers_.back())
        for (const Step& step : lts.steps(State{state}, a)) next.try_emplace(step.target.value, state);
      layers_.push_back(closed(std::move(next)));
    }
  }

  bool possible() const { return !layers_.back().empty(); }
  // The states that it can end in; `quiet`: only those without a silent step.
  std::vector<std::uint32_t> ends(bool quiet) const {
    std::vector<std::uint32_t> out;
    for (const auto& [state, from] : layers_.back())
      if (!quiet || lts_.steps(State{state}, kTau).empty()) out.push_back(state);
    return out;
  }

  Way to(std::uint32_t last) const {
    Way out;
    out.last = last;
    for (std::size_t layer = layers_.size(); layer-- > 1;) {
      std::uint32_t s = last;
      while (silent_from(layer, s) != kNone) s = silent_from(layer, s);
      out.after.push_back(s);
      last = layers_[layer].at(s);
      out.before.push_back(last);
    }
    std::ranges::reverse(out.before);
    std::ranges::reverse(out.after);
    return out;
  }

 private:
  using Layer =
      std::map<std::uint32_t, std::uint32_t>;  // by state: before the action, or before a silent step (marked)
  static constexpr std::uint32_t kSilent = 1U << 31;

  Layer closed(Layer layer) const {
    std::vector<std::uint32_t> todo;
    for (const auto& [state, from] : layer) todo.push_back(state);
    while (!todo.empty()) {
      const std::uint32_t s = todo.back();
      todo.pop_back();
      for (const Step& step : lts_.steps(State{s}, kTau))
        if (layer.try_emplace(step.target.value, s | kSilent).second) todo.push_back(step.target.value);
    }
    return layer;
  }
  std::uint32_t silent_from(std::size_t layer, std::uint32_t s) const {
    const std::uint32_t from = layers_[layer].at(s);
    return from != kNone && (from & kSilent) != 0 ? from & ~kSilent : kNone;
  }

  const Lts& lts_;
  const Trace& projection_;
  std::vector<Layer> layers_;
};

// The path so far, and how it goes on.
class Walker {
 public:
  Walker(const Replay& replay, PromelaMachine& machine, const ActionTable& actions, ReplayEnd end, Budget& budget)
      : replay_(replay), machine_(machine), actions_(actions), end_(end), budget_(budget) {
    steps_.with_actions = true;
    path_.states.push_back(machine.initial());
  }

  const Bytes& now() const { return path_.states.back(); }
  MachinePath take() { return std::move(path_); }

  bool start() {
    for (int i = 0; !is_started(); ++i) {
      if (!budget_.go_on()) return false;
      machine_.successors(now(), steps_);
      const auto step =
          std::ranges::find_if(steps_.steps, [&](const MachineStep& s) { return s.process == replay_.init; });
      if (i == kMostStartSteps || step == steps_.steps.end() || step->size == 0) return false;
      add(*step);
    }
    return true;
  }

  // What the machine must reach: frames of some processes and values of variables, with these events on the way.
  struct Goal {
    std::map<std::uint32_t, const Bytes*> frames;  // by process
    const Replay::Effect* effect = nullptr;        // null: nothing is to happen
    bool fault = false;                            // the last step is one
  };

  // Breadth first, with steps of these processes only.
  bool reach(const Goal& goal) {
    expected_ = now();
    if (goal.effect != nullptr)
      for (const auto& [variable, value] : goal.effect->leaves)
        store(expected_.data() + variable.offset, value, variable.encoding);
    struct Node {
      Bytes state;
      std::size_t events, parent;
      MachineStep by;
    };
    std::vector<Node> nodes{{now(), 0, 0, {}}};
    std::set<std::pair<Bytes, std::size_t>> seen{{now(), 0}};
    for (std::size_t n = 0; n < nodes.size() && n < kMostStates && budget_.go_on(); ++n) {
      if (!goal.fault && is_reached(goal, nodes[n].state, nodes[n].events)) return add_path(nodes, n);
      machine_.successors(nodes[n].state, steps_);
      for (const MachineStep& step : steps_.steps) {
        if (!moves_only(goal, step)) continue;
        if (goal.fault && is_wanted(step.fault)) return add_path(nodes, n) && add_last(step);
        const auto events = events_after(goal, nodes[n].events, step);
        if (step.size == 0 || !events) continue;
        const MachineState next = steps_.next(step);
        Bytes bytes(next.begin(), next.end());
        if (seen.emplace(bytes, *events).second) nodes.push_back({std::move(bytes), *events, n, step});
      }
    }
    return false;
  }

  // After the processes that are at their end have gone: is the state a deadlock?
  bool is_stuck() {
    for (;;) {
      machine_.successors(now(), steps_);
      if (steps_.steps.empty()) return !machine_.valid_end(now());
      const auto step = std::ranges::find_if(steps_.steps, [&](const MachineStep& s) {
        return s.size != 0 && steps_.next(s)[kProcesses] < now()[kProcesses];
      });
      if (step == steps_.steps.end()) return false;
      add(*step);
    }
  }

  std::size_t length() const { return path_.steps.size(); }
  void back_to(std::size_t length) {
    path_.steps.resize(length);
    path_.states.resize(length + 1);
  }

 private:
  // The header also holds the place of the trace assertion, which the network does not know; so it is left out.
  static bool same_globals(const Bytes& a, const Bytes& b, std::size_t end) {
    return a[kProcesses] == b[kProcesses] &&
           std::equal(a.begin() + kHeaderBytes, a.begin() + static_cast<std::ptrdiff_t>(end), b.begin() + kHeaderBytes);
  }
  bool is_started() const {
    return now().size() == replay_.start.size() && !machine_.between(now()) &&
           same_globals(now(), replay_.start, now().size());
  }
  bool is_wanted(MachineStep::Fault fault) const {
    using Fault = MachineStep::Fault;
    return end_ == ReplayEnd::watch ? fault == Fault::watch : fault == Fault::assertion || fault == Fault::error;
  }

  bool moves_only(const Goal& goal, const MachineStep& step) const {
    if (!goal.frames.contains(step.process)) return false;
    return step.partner < 0 || goal.frames.contains(static_cast<std::uint32_t>(step.partner));
  }

  // How many of the goal's events have happened after the step; nothing: the step has another event than the next one.
  // For a d_step the machine names only the last of its events.
  std::optional<std::size_t> events_after(const Goal& goal, std::size_t events, const MachineStep& step) const {
    if (step.action == kTau) return events;
    if (goal.effect == nullptr) return std::nullopt;
    const auto& all = goal.effect->events;
    do {
      if (events == all.size()) return std::nullopt;
    } while (all[events++] != actions_.name(step.action) && machine_.is_d_step(step));
    return all[events - 1] == actions_.name(step.action) ? std::optional(events) : std::nullopt;
  }

  bool is_reached(const Goal& goal, const Bytes& state, std::size_t events) {
    if (machine_.between(state) || !same_globals(state, expected_, replay_.globals_bytes)) return false;
    if (goal.effect != nullptr && events != goal.effect->events.size()) return false;
    return std::ranges::all_of(goal.frames, [&](const auto& wanted) {
      return std::ranges::equal(machine_.frame(state, wanted.first), *wanted.second);
    });
  }

  template <class Nodes>
  bool add_path(const Nodes& nodes, std::size_t last) {
    std::vector<std::size_t> way;
    for (std::size_t n = last; n != 0; n = nodes[n].parent) way.push_back(n);
    for (auto n = way.rbegin(); n != way.rend(); ++n) {
      path_.steps.push_back(nodes[*n].by);
      path_.states.push_back(nodes[*n].state);
    }
    return true;
  }
  bool add_last(const MachineStep& step) {
    path_.steps.push_back(step);
    if (step.size != 0) path_.states.push_back({steps_.next(step).begin(), steps_.next(step).end()});
    return true;
  }
  void add(const MachineStep& step) {
    path_.steps.push_back(step);
    path_.states.push_back({steps_.next(step).begin(), steps_.next(step).end()});
  }

  const Replay& replay_;
  PromelaMachine& machine_;
  const ActionTable& actions_;
  const ReplayEnd end_;
  Budget& budget_;
  MachineSteps steps_;
  MachinePath path_;
  Bytes expected_;  // the globals
};

class Replayer {
 public:
  Replayer(const Replay& replay, PromelaMachine& machine, const ActionTable& actions, const Trace& word, ReplayEnd end,
           const LikelyEnds& likely, Budget& budget)
      : replay_(replay), end_(end), likely_(likely), budget_(budget), walker_(replay, machine, actions, end, budget) {
    for (const Action a : word)
      if (a != kTau && replay.effects.contains(a)) word_.push_back(a);
  }

  std::optional<MachinePath> run() {
    projections_.resize(replay_.participants.size());
    for (std::size_t p = 0; p < projections_.size(); ++p)
      for (const Action a : word_)
        if (replay_.participants[p].lts.alphabet().contains(a)) projections_[p].push_back(a);
    std::vector<Ways> ways;
    for (std::size_t p = 0; p < projections_.size(); ++p) {
      ways.emplace_back(replay_.participants[p].lts, projections_[p], budget_);
      if (!budget_.go_on()) return std::nullopt;
      if (ways.back().ends(end_ == ReplayEnd::deadlock).empty()) return std::nullopt;
    }
    if (!walker_.start()) return std::nullopt;
    if (!try_ends(ways, {})) return std::nullopt;
    return walker_.take();
  }

 private:
  // In which of its possible last states a process ends matters only for a deadlock: there all must be stuck together.
  bool try_ends(const std::vector<Ways>& ways, std::vector<Way> chosen) {
    const std::size_t p = chosen.size();
    if (p == ways.size()) return ++tried_ <= kMostEnds && budget_.go_on() && walk(chosen);
    for (const std::uint32_t last : ends(ways, p)) {
      chosen.push_back(ways[p].to(last));
      if (try_ends(ways, chosen)) return true;
      chosen.pop_back();
      if (end_ != ReplayEnd::deadlock || tried_ > kMostEnds) return false;
    }
    return false;
  }

  std::vector<std::uint32_t> ends(const std::vector<Ways>& ways, std::size_t participant) const {
    auto out = ways[participant].ends(end_ == ReplayEnd::deadlock);
    const auto likely = likely_.find(replay_.participants[participant].name);
    if (likely != likely_.end())
      if (const auto at = std::ranges::find(out, likely->second); at != out.end()) std::iter_swap(out.begin(), at);
    return out;
  }

  bool walk(const std::vector<Way>& ways) {
    const std::size_t beginning = walker_.length();
    if (follow(ways)) return true;
    walker_.back_to(beginning);
    return false;
  }

  bool follow(const std::vector<Way>& ways) {
    std::vector<std::size_t> done(ways.size(), 0);  // how many actions of each projection
    for (std::size_t i = 0; i < word_.size(); ++i) {
      const Replay::Effect& effect = replay_.effects.at(word_[i]);
      Walker::Goal goal;
      goal.effect = &effect;
      goal.fault = (end_ == ReplayEnd::fault || end_ == ReplayEnd::watch) && i + 1 == word_.size();
      for (const std::size_t p : effect.participants) {
        if (!stand(p, ways[p].before[done[p]])) return false;
        goal.frames[replay_.participants[p].pid] = frame(p, ways[p].after[done[p]]);
        ++done[p];
      }
      if (!goal.fault && std::ranges::any_of(goal.frames, [](const auto& f) { return f.second == nullptr; }))
        return false;  // an error ends everything
      if (!walker_.reach(goal)) return false;
    }
    if (end_ != ReplayEnd::deadlock) return true;
    for (std::size_t p = 0; p < ways.size(); ++p)
      if (!stand(p, ways[p].last)) return false;
    return walker_.is_stuck();
  }

  const Bytes* frame(std::size_t participant, std::uint32_t state) const {
    const auto& frames = replay_.participants[participant].frames;
    return state < frames.size() ? &frames[state] : nullptr;
  }

  // Silent steps of one process, until it is in this state.
  bool stand(std::size_t participant, std::uint32_t state) {
    Walker::Goal goal;
    goal.frames[replay_.participants[participant].pid] = frame(participant, state);
    return frame(participant, state) != nullptr && walker_.reach(goal);
  }

  const Replay& replay_;
  const ReplayEnd end_;
  const LikelyEnds& likely_;
  Budget& budget_;
  Walker walker_;
  Trace word_;
  std::vector<Trace> projections_;  // by player
  int tried_ = 0;
};

}  // namespace
}  // namespace promela::net

std::optional<MachinePath> replay_on_machine(const promela::net::Replay& replay, PromelaMachine& machine,
                                             const ActionTable& actions, const Trace& word, ReplayEnd end,
                                             const LikelyEnds& likely, Budget& budget) {
  return promela::net::Replayer(replay, machine, actions, word, end, likely, budget).run();
}

}  // namespace surety
