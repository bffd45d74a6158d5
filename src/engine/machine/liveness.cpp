#include "engine/machine/liveness.hpp"

#include <algorithm>
#include <cstring>
#include <deque>
#include <unordered_map>
#include <unordered_set>

#include "base/check.hpp"
#include "engine/buchi.hpp"
#include "engine/machine/state_store.hpp"

namespace surety {
namespace {

constexpr std::size_t kMostPropositions = 12;

// What watches the machine.
class Observer {
 public:
  struct Edge {
    std::uint32_t target = 0;
    std::uint64_t marks = 0;
  };
  virtual ~Observer() = default;
  virtual std::uint32_t initial() const = 0;
  virtual std::uint64_t all_marks() const = 0;
  virtual bool over(std::uint32_t place) const = 0;
  virtual bool can_be_over() const = 0;
  virtual bool endless() const { return false; }  // a run that ends does not count
  virtual void edges(std::uint32_t place, MachineState state, std::vector<Edge>& out) = 0;
};

class ClaimObserver final : public Observer {
 public:
  ClaimObserver(Machine& machine, const MachineClaim& claim) : machine_(machine), claim_(claim) {}
  std::uint32_t initial() const override { return claim_.start; }
  std::uint64_t all_marks() const override { return 1; }
  bool over(std::uint32_t place) const override { return claim_.places[place].over; }
  bool can_be_over() const override {
    return std::ranges::any_of(claim_.places, [](const MachineClaim::Place& p) { return p.over; });
  }
  bool endless() const override { return claim_.endless; }
  void edges(std::uint32_t place, MachineState state, std::vector<Edge>& out) override {
    const auto holds = [&](std::uint32_t p) { return machine_.holds(p, state); };
    const bool accepting = claim_.accepting != MachineClaim::kNoProposition && holds(claim_.accepting);
    for (const auto& edge : claim_.places[place].edges)
      if (std::ranges::all_of(edge.all, holds) && std::ranges::none_of(edge.none, holds))
        out.push_back({edge.target, accepting || claim_.places[edge.target].accepting ? 1U : 0U});
  }

 private:
  Machine& machine_;
  const MachineClaim& claim_;
};

class FormulaObserver final : public Observer {
 public:
  FormulaObserver(Machine& machine, const Buchi& automaton, const NormalForm& form,
                  const std::vector<std::uint32_t>& propositions)
      : machine_(machine), automaton_(automaton), form_(form), propositions_(propositions) {}
  std::uint32_t initial() const override { return automaton_.initial(); }
  std::uint64_t all_marks() const override { return automaton_.all_marks(); }
  bool over(std::uint32_t place) const override { return automaton_.accepts_all(place); }
  bool can_be_over() const override {
    for (std::uint32_t q = 0; q < automaton_.size(); ++q)
      if (automaton_.accepts_all(q)) return true;
    return false;
  }
  void edges(std::uint32_t place, MachineState state, std::vector<Edge>& out) override {
    std::uint32_t letter = 0;
    for (std::size_t i = 0; i < form_.atoms.size(); ++i)
      if (machine_.holds(propositions_[*form_.atoms[i].fluent], state)) letter |= 1U << i;
    for (const auto& edge : automaton_.edges(place, letter)) out.push_back({edge.target, edge.marks});
  }

 private:
  Machine& machine_;
  const Buchi& automaton_;
  const NormalForm& form_;
  const std::vector<std::uint32_t>& propositions_;
};

// A node of the product is the bytes of the state, and four more for the place of the observer.
class ProductSearch {
 public:
  ProductSearch(Machine& machine, Observer& observer, Budget& budget)
      : machine_(machine), observer_(observer), budget_(budget), store_(budget) {}

  MachineLiveness run() {
    const auto root = insert(node(machine_.initial(), observer_.initial()));
    if (!root) return finished(false);
    if (observer_.over(observer_.initial())) return stand_still_at(0);
    if (observer_.can_be_over()) {
      const auto over = breadth_first();
      if (!over) return finished(false);
      if (*over != kNothing) return stand_still_at(*over);
    }
    return depth_first();
  }

 private:
  static constexpr std::uint32_t kNothing = UINT32_MAX;
  // Of an edge from a state that can be looked at. An indivisible sequence that never ends, or ends in an error, is no
  // run, because none of its states can be looked at.
  static constexpr std::uint64_t kSeen = std::uint64_t{1} << 63;
  std::uint64_t wanted() const { return observer_.all_marks() | kSeen; }
  using Bytes = std::vector<std::uint8_t>;
  struct Next {
    std::uint32_t number;
    std::uint64_t marks;
  };

  static Bytes node(MachineState state, std::uint32_t place) {
    Bytes out(state.begin(), state.end());
    out.resize(out.size() + 4);
    std::memcpy(out.data() + state.size(), &place, 4);
    return out;
  }
  Bytes copy(std::uint32_t number) const { return store_[number]; }
  static MachineState state_of(const Bytes& n) { return {n.data(), n.size() - 4}; }
  static std::uint32_t place_of(const Bytes& n) {
    std::uint32_t place;
    std::memcpy(&place, n.data() + n.size() - 4, 4);
    return place;
  }

  std::optional<std::uint32_t> insert(const Bytes& n) {
    const auto place = store_.insert(n);
    if (!place) budget_.stop(Stop::memory);
    if (!place || (place->is_new && !budget_.add_states(1))) return {};
    return static_cast<std::uint32_t>(place->number);
  }

  MachineLiveness finished(bool complete) {
    out_.complete = complete;
    out_.states = store_.size();
    return std::move(out_);
  }

  // Calls next(state, place, marks) for each successor.
  template <class Visit>
  void for_successors(const Bytes& n, const Visit& visit) {
    const MachineState state = state_of(n);
    const std::uint32_t place = place_of(n);
    edges_.clear();
    if (machine_.between(state))
      edges_.push_back({place, 0});
    else
      observer_.edges(place, state, edges_);
    for (auto& edge : edges_) edge.marks |= machine_.between(state) ? 0 : kSeen;
    if (edges_.empty()) return;
    machine_.successors(state, steps_);
    const std::vector<Observer::Edge> edges = edges_;
    bool moved = false;
    for (const MachineStep& step : steps_.steps) {
      if (step.size == 0) continue;
      moved = true;
      for (const auto& edge : edges) visit(steps_.next(step), edge.target, edge.marks);
    }
    if (!moved && !observer_.endless())
      for (const auto& edge : edges) visit(state, edge.target, edge.marks);
  }

  bool successors(std::uint32_t number, std::vector<Next>& out) {
    out.clear();
    bool room = true;
    const Bytes n = copy(number);
    for_successors(n, [&](MachineState state, std::uint32_t place, std::uint64_t marks) {
      const auto next = room ? insert(node(state, place)) : std::nullopt;
      if (!next)
        room = false;
      else
        out.push_back({*next, marks});
    });
    out_.transitions += out.size();
    return room && budget_.go_on();
  }

  // The number of a node where the observer is sure; kNothing if there is none; nothing if the budget ended.
  std::optional<std::uint32_t> breadth_first() {
    std::vector<Next> next;
    parents_.assign(1, kNothing);
    for (std::uint32_t i = 0; i < store_.size(); ++i) {
      if (!successors(i, next)) return {};
      parents_.resize(store_.size(), i);
      for (const Next& n : next)
        if (observer_.over(place_of(copy(n.number)))) return n.number;
    }
    return kNothing;
  }

  // ---- strong components

  struct Frame {
    std::uint32_t number;
    std::vector<Next> next;
    std::size_t at = 0;
  };
  struct Root {
    std::uint32_t order;
    std::uint64_t marks;     // inside the component
    std::uint64_t incoming;  // of the edge that leads to it
  };

  MachineLiveness depth_first() {
    std::vector<Frame> stack;
    std::vector<Root> roots;
    std::vector<std::uint32_t> active;
    std::vector<std::uint32_t> order;  // by node; 0: not met
    std::vector<bool> left;            // by node: its component is closed
    std::uint32_t count = 0;
    const auto enter = [&](std::uint32_t number, std::uint64_t marks) {
      order.resize(std::max<std::size_t>(order.size(), number + 1));
      left.resize(std::max<std::size_t>(left.size(), number + 1));
      order[number] = ++count;
      roots.push_back({count, 0, marks});
      active.push_back(number);
      stack.push_back({number, {}, 0});
      return successors(number, stack.back().next);
    };
    if (!enter(0, 0)) return finished(false);
    while (!stack.empty()) {
      Frame& top = stack.back();
      if (top.at == top.next.size()) {
        if (roots.back().order == order[top.number]) {
          roots.pop_back();
          for (;;) {
            const auto gone = active.back();
            active.pop_back();
            left[gone] = true;
            if (gone == top.number) break;
          }
        }
        stack.pop_back();
        continue;
      }
      const Next next = top.next[top.at++];
      if (next.number >= order.size() || order[next.number] == 0) {
        if (!enter(next.number, next.marks)) return finished(false);
      } else if (!left[next.number]) {
        std::uint64_t marks = next.marks;
        while (roots.back().order > order[next.number]) {
          marks |= roots.back().marks | roots.back().incoming;
          roots.pop_back();
        }
        roots.back().marks |= marks;
        if (roots.back().marks == wanted()) {
          std::unordered_set<std::uint32_t> component;
          for (const auto n : active)
            if (order[n] >= roots.back().order) component.insert(n);
          return lasso(component);
        }
      }
    }
    return finished(true);
  }

  // ---- counterexamples

  using Way = std::vector<std::uint32_t>;  // nodes

  // A shortest way from `from` along nodes that may be entered, to an edge that is wanted; `from` is left out.
  template <class May, class Wanted>
  Way shortest(std::uint32_t from, const May& may, const Wanted& wanted) {
    std::unordered_map<std::uint32_t, std::uint32_t> parent{{from, kNothing}};
    std::deque<std::uint32_t> queue{from};
    std::vector<Next> next;
    while (!queue.empty()) {
      const std::uint32_t here = queue.front();
      queue.pop_front();
      successors(here, next);
      for (const Next& n : next) {
        if (!may(n.number)) continue;
        if (wanted(n)) {
          Way way{n.number};
          for (std::uint32_t p = here; p != from; p = parent[p]) way.push_back(p);
          std::ranges::reverse(way);
          return way;
        }
        if (parent.emplace(n.number, here).second) queue.push_back(n.number);
      }
    }
    check(false, "a component can be walked through");
    return {};
  }

  MachineLiveness lasso(const std::unordered_set<std::uint32_t>& component) {
    const auto inside = [&](std::uint32_t n) { return component.contains(n); };
    const auto known = static_cast<std::uint32_t>(store_.size());
    Way way{0};
    if (!inside(0)) {
      const Way in = shortest(
          0, [&](std::uint32_t n) { return n < known; }, [&](const Next& n) { return inside(n.number); });
      way.insert(way.end(), in.begin(), in.end());
    }
    const std::uint32_t start = way.back();
    const std::size_t again = way.size() - 1;
    const auto pass = [&](std::uint64_t missing) {
      while (missing != 0) {
        std::uint64_t seen = 0;
        const Way part = shortest(way.back(), inside, [&](const Next& n) {
          seen = n.marks & missing;
          return seen != 0;
        });
        missing &= ~seen;
        way.insert(way.end(), part.begin(), part.end());
      }
    };
    const auto close = [&] {
      if (way.size() > again + 1 && way.back() == start) return;
      const Way part = shortest(way.back(), inside, [&](const Next& n) { return n.number == start; });
      way.insert(way.end(), part.begin(), part.end());
    };
    pass(observer_.all_marks());
    close();
    const auto is_seen = [&](std::uint32_t n) { return !machine_.between(state_of(copy(n))); };
    if (std::none_of(way.begin() + static_cast<std::ptrdiff_t>(again), way.end(), is_seen)) {
      pass(kSeen);
      close();
    }
    std::vector<Bytes> states;
    for (const auto n : way) states.push_back(copy(n));
    return made(states, again);
  }

  // The observer is sure at this node: whatever comes after will do.
  MachineLiveness stand_still_at(std::uint32_t number) {
    std::vector<Bytes> states;
    for (std::uint32_t n = number; n != kNothing; n = parents_.empty() ? kNothing : parents_[n])
      states.push_back(copy(n));
    std::ranges::reverse(states);
    for (Bytes& s : states) s.resize(s.size() - 4);
    std::unordered_map<std::string, std::size_t> seen;
    const auto key = [](const Bytes& b) { return std::string(b.begin(), b.end()); };
    for (std::size_t i = 0;; ++i) {
      if (i + 1 < states.size()) continue;
      const auto [it, is_new] = seen.emplace(key(states[i]), i);
      if (!is_new) return made_plain(states, it->second);
      if (!budget_.go_on()) return finished(false);
      machine_.successors(states[i], steps_);
      const auto step = std::ranges::find_if(steps_.steps, [](const MachineStep& s) { return s.size != 0; });
      if (step == steps_.steps.end()) {
        states.push_back(states[i]);
        return made_plain(states, i);
      }
      const MachineState next = steps_.next(*step);
      states.emplace_back(next.begin(), next.end());
    }
  }

  MachineLiveness made(std::vector<Bytes> nodes, std::size_t again) {
    for (Bytes& n : nodes) n.resize(n.size() - 4);
    return made_plain(nodes, again);
  }

  // A state that is followed by itself and has no step: the run has ended there.
  MachineLiveness made_plain(const std::vector<Bytes>& states, std::size_t again) {
    MachineRun run;
    MachineSteps steps;
    steps.with_actions = true;
    std::size_t i = 0;
    run.path.states.push_back(states[0]);
    for (; i + 1 < states.size(); ++i) {
      machine_.successors(states[i], steps);
      const auto step = std::ranges::find_if(steps.steps, [&](const MachineStep& s) {
        return s.size != 0 && std::ranges::equal(steps.next(s), states[i + 1]);
      });
      if (step == steps.steps.end()) break;  // stands still
      run.path.steps.push_back(*step);
      run.path.states.push_back(states[i + 1]);
    }
    run.again = i + 1 < states.size() ? i : again;
    out_.run = std::move(run);
    return finished(false);
  }

  Machine& machine_;
  Observer& observer_;
  Budget& budget_;
  StateStore store_;
  std::vector<std::uint32_t> parents_;
  MachineSteps steps_;
  std::vector<Observer::Edge> edges_;
  MachineLiveness out_;
};

}  // namespace

MachineLiveness find_claimed_run(Machine& machine, const MachineClaim& claim, Budget& budget) {
  ClaimObserver observer(machine, claim);
  return ProductSearch(machine, observer, budget).run();
}

MachineLiveness find_counterexample(Machine& machine, const Formula& formula,
                                    const std::vector<std::uint32_t>& propositions, Budget& budget) {
  const NormalForm form = normal_form_of_negation(formula);
  if (form.atoms.size() > kMostPropositions) return {};
  std::vector<Letter> letters;
  for (std::uint32_t l = 0; l < 1U << form.atoms.size(); ++l) {
    auto& letter = letters.emplace_back();
    for (std::size_t i = 0; i < form.atoms.size(); ++i) letter.push_back((l >> i & 1U) != 0);
  }
  const auto automaton = Buchi::build(form, letters, budget);
  if (!automaton) return {};
  FormulaObserver observer(machine, *automaton, form, propositions);
  return ProductSearch(machine, observer, budget).run();
}

}  // namespace surety
