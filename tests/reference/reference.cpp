#include "reference/reference.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <ostream>
#include <sstream>
#include <stdexcept>
#include <tuple>

namespace surety {

std::ostream& operator<<(std::ostream& out, Action a) { return out << reference::actions().name(a); }

std::ostream& operator<<(std::ostream& out, const Alphabet& alphabet) {
  out << "{";
  for (const auto& name : sorted_names(reference::actions(), alphabet)) out << " " << name;
  return out << " }";
}

std::ostream& operator<<(std::ostream& out, const Lts& lts) { return out << reference::text(lts); }

}  // namespace surety

namespace surety::reference {
namespace {

using StateSet = std::set<State>;
using Tuple = std::vector<State>;

std::vector<State> states(const Lts& lts) {
  std::vector<State> all;
  for (std::uint32_t s = 0; s < lts.state_count(); ++s) all.push_back(State{s});
  return all;
}

std::uint32_t number(std::string_view digits) {
  std::size_t used = 0;
  const auto value = std::stoul(std::string(digits), &used);
  if (used != digits.size()) throw std::invalid_argument("not a number: " + std::string(digits));
  return static_cast<std::uint32_t>(value);
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> out;
  std::istringstream in{std::string(text)};
  for (std::string item; std::getline(in, item, separator);) {
    const auto begin = item.find_first_not_of(" \n\t"), end = item.find_last_not_of(" \n\t");
    if (begin != std::string::npos) out.push_back(item.substr(begin, end - begin + 1));
  }
  return out;
}

// --- Sets of states after a word.

StateSet close(const Lts& lts, StateSet set, const Alphabet& visible) {
  for (bool grown = true; grown;) {
    grown = false;
    for (const State s : StateSet(set))
      for (const Step& step : lts.steps(s))
        if (!visible.contains(step.action) && set.insert(step.target).second) grown = true;
  }
  return set;
}

StateSet start(const Lts& lts, const Alphabet& visible) {
  return lts.state_count() == 0 ? StateSet{} : close(lts, {lts.initial()}, visible);
}

StateSet after(const Lts& lts, const StateSet& set, Action a, const Alphabet& visible) {
  StateSet next;
  for (const State s : set)
    for (const Step& step : lts.steps(s))
      if (step.action == a) next.insert(step.target);
  return close(lts, next, visible);
}

// All words with the set of states they lead to.
std::map<Trace, StateSet> runs_up_to(std::size_t n, const Lts& lts, const Alphabet& visible) {
  std::map<Trace, StateSet> runs, last;
  if (lts.state_count() > 0) last[{}] = start(lts, visible);
  for (std::size_t length = 0; length <= n; ++length) {
    runs.insert(last.begin(), last.end());
    std::map<Trace, StateSet> longer;
    for (const auto& [w, set] : last)
      for (const Action a : visible)
        if (auto next = after(lts, set, a, visible); !next.empty()) {
          Trace extended = w;
          extended.push_back(a);
          longer[extended] = std::move(next);
        }
    last = std::move(longer);
  }
  return runs;
}

// --- Products.

Alphabet united(const std::vector<const Lts*>& parts) {
  Alphabet all;
  for (const Lts* part : parts) all = unite(all, part->alphabet());
  return all;
}

bool has_empty_part(const std::vector<const Lts*>& parts) {
  return std::any_of(parts.begin(), parts.end(), [](const Lts* part) { return part->state_count() == 0; });
}

bool in_error(const std::vector<const Lts*>& parts, const Tuple& tuple) {
  for (std::size_t p = 0; p < parts.size(); ++p)
    if (parts[p]->error() == tuple[p]) return true;
  return false;
}

using Moves = std::vector<std::pair<Action, Tuple>>;

// Adds to `moves` every way to complete `next` from part p on, for an action of the whole.
void combine(const std::vector<const Lts*>& parts, Action a, std::size_t p, Tuple next, Moves& moves) {
  if (p == parts.size()) {
    moves.emplace_back(a, next);
  } else if (!parts[p]->alphabet().contains(a)) {
    combine(parts, a, p + 1, next, moves);
  } else {
    for (const Step& step : parts[p]->steps(next[p])) {
      if (step.action != a) continue;
      Tuple chosen = next;
      chosen[p] = step.target;
      combine(parts, a, p + 1, chosen, moves);
    }
  }
}

Moves moves_of(const std::vector<const Lts*>& parts, const Tuple& tuple) {
  Moves moves;
  if (in_error(parts, tuple)) return moves;
  for (std::size_t p = 0; p < parts.size(); ++p)
    for (const Step& step : parts[p]->steps(tuple[p])) {
      if (step.action != kTau) continue;
      Tuple next = tuple;
      next[p] = step.target;
      moves.emplace_back(kTau, next);
    }
  for (const Action a : united(parts)) combine(parts, a, 0, tuple, moves);
  return moves;
}

// Termination (doc/semantics.md#end-and-deadlock).
bool has_ended(const std::vector<const Lts*>& parts, const Tuple& tuple) {
  if (!moves_of(parts, tuple).empty() || in_error(parts, tuple)) return false;
  std::set<Action> of_ending, of_others;
  bool some = false;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (parts[p]->end() && parts[p]->end() != tuple[p]) return false;
    const bool ending = parts[p]->end() && parts[p]->end() != State{0};
    some = some || ending;
    for (const Action a : parts[p]->alphabet()) (ending ? of_ending : of_others).insert(a);
  }
  return some && std::includes(of_ending.begin(), of_ending.end(), of_others.begin(), of_others.end());
}

// Breadth first from `first`; the trace to the first node for which goal() holds.
template <class Node, class Successors, class Goal>
std::optional<Trace> shortest(const Node& first, Successors successors, Goal goal) {
  std::map<Node, Trace> met{{first, {}}};
  std::vector<Node> queue{first};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Node node = queue[i];
    if (goal(node)) return met[node];
    for (const auto& [a, next] : successors(node)) {
      Trace trace = met[node];
      trace.push_back(a);
      if (met.emplace(next, trace).second) queue.push_back(next);
    }
  }
  return std::nullopt;
}

// The parts and the state of the property; no state: it has been violated.
using Watched = std::pair<Tuple, std::optional<State>>;

std::vector<std::pair<Action, Watched>> watched_moves(const std::vector<const Lts*>& parts, const Lts& property,
                                                      const Watched& now) {
  std::vector<std::pair<Action, Watched>> out;
  if (!now.second) return out;
  const auto observe = [&](Action a) -> std::optional<State> {
    if (!property.alphabet().contains(a)) return now.second;
    const auto steps = property.steps(*now.second, a);
    if (steps.empty() || steps.front().target == property.error()) return std::nullopt;
    return steps.front().target;
  };
  for (const auto& [a, next] : moves_of(parts, now.first)) out.push_back({a, {next, observe(a)}});
  for (const Action a : subtract(property.alphabet(), united(parts))) out.push_back({a, {now.first, observe(a)}});
  return out;
}

Watched watched_start(const std::vector<const Lts*>& parts, const Lts& property) {
  Watched first{Tuple(parts.size(), State{0}), State{0}};
  if (property.state_count() == 0 || property.error() == State{0}) first.second = std::nullopt;
  return first;
}

// --- Bisimulations, on plain sets of labelled edges.

struct Graph {
  std::vector<std::map<std::uint32_t, std::set<std::uint32_t>>> moves;  // [from][label]: the targets
  std::vector<int> kind;                                                // by state: 0 ordinary, 1 error, 2 END
  std::uint32_t states() const { return static_cast<std::uint32_t>(moves.size()); }
};

constexpr std::uint32_t kEnded = UINT32_MAX;  // the private self-loop of END

void append(Graph& graph, const Lts& lts) {
  const std::uint32_t offset = graph.states();
  graph.moves.resize(offset + lts.state_count());
  for (const State s : states(lts)) {
    graph.kind.push_back(lts.error() == s ? 1 : lts.end() == s ? 2 : 0);
    auto& moves = graph.moves[offset + s.value];
    for (const Step& step : lts.steps(s)) moves[step.action.value].insert(offset + step.target.value);
    if (lts.end() == s) moves[kEnded].insert(offset + s.value);
  }
}

// The weak moves: tau* is the label tau, tau* a tau* the label a.
Graph saturated(const Graph& graph) {
  const std::uint32_t n = graph.states();
  std::vector<std::vector<bool>> silent(n, std::vector<bool>(n, false));
  for (std::uint32_t s = 0; s < n; ++s) {
    silent[s][s] = true;
    for (const auto& [label, targets] : graph.moves[s])
      for (const std::uint32_t t : targets)
        if (label == kTau.value) silent[s][t] = true;
  }
  for (std::uint32_t k = 0; k < n; ++k)
    for (std::uint32_t i = 0; i < n; ++i)
      for (std::uint32_t j = 0; j < n; ++j)
        if (silent[i][k] && silent[k][j]) silent[i][j] = true;

  Graph out = graph;
  for (std::uint32_t i = 0; i < n; ++i)
    for (std::uint32_t s = 0; s < n; ++s) {
      if (!silent[i][s]) continue;
      out.moves[i][kTau.value].insert(s);
      for (const auto& [label, targets] : graph.moves[s])
        for (const std::uint32_t t : targets)
          for (std::uint32_t j = 0; j < n; ++j)
            if (label != kTau.value && silent[t][j]) out.moves[i][label].insert(j);
    }
  // Weakly, what can silently end is as good as END here; what can silently fail is not error.
  for (std::uint32_t s = 0; s < n; ++s)
    if (out.moves[s].contains(kEnded)) out.kind[s] = 2;
  return out;
}

// Can t answer every move of s?
bool matches(const Graph& graph, const Relation& related, std::uint32_t s, std::uint32_t t) {
  for (const auto& [label, targets] : graph.moves[s]) {
    const auto answers = graph.moves[t].find(label);
    if (answers == graph.moves[t].end()) return false;
    for (const std::uint32_t to : targets)
      if (std::none_of(answers->second.begin(), answers->second.end(),
                       [&, to](auto answer) { return related[to][answer]; }))
        return false;
  }
  return true;
}

// One round of the game: keeps the pairs in which each can answer each move of the other.
Relation next_round(const Graph& graph, const Relation& before) {
  Relation now = before;
  for (std::uint32_t s = 0; s < graph.states(); ++s)
    for (std::uint32_t t = 0; t < graph.states(); ++t)
      now[s][t] = before[s][t] && matches(graph, before, s, t) && matches(graph, before, t, s);
  return now;
}

Relation first_round(const Graph& graph) {
  Relation related(graph.states(), std::vector<bool>(graph.states()));
  for (std::uint32_t s = 0; s < graph.states(); ++s)
    for (std::uint32_t t = 0; t < graph.states(); ++t) related[s][t] = graph.kind[s] == graph.kind[t];
  return related;
}

Relation greatest_fixpoint(const Graph& graph, Relation related) {
  while (true) {
    Relation next = next_round(graph, related);
    if (next == related) return related;
    related = std::move(next);
  }
}

std::optional<std::size_t> game_length(const Graph& graph, Relation related, std::uint32_t second) {
  for (std::size_t round = 0; related[0][second]; ++round) {
    Relation next = next_round(graph, related);
    if (next == related) return std::nullopt;
    if (!next[0][second]) return round + 1;
    related = std::move(next);
  }
  return 0;
}

Graph both(const Lts& a, const Lts& b) {
  Graph graph;
  append(graph, a);
  append(graph, b);
  return graph;
}

// For LTSs without states, which have no initial state to compare.
std::optional<bool> trivially_equivalent(const Lts& a, const Lts& b) {
  if (a.state_count() > 0 && b.state_count() > 0) return std::nullopt;
  return a.state_count() == b.state_count();
}

}  // namespace

// --- Models as text.

ActionTable& actions() {
  struct Letters : ActionTable {
    Letters() {
      for (char c = 'a'; c <= 'z'; ++c) intern(std::string(1, c));
    }
  };
  static Letters table;
  return table;
}

Action action(std::string_view name) { return name == "tau" ? kTau : actions().intern(name); }

Trace word(std::string_view names) {
  Trace out;
  for (const auto& name : split(names, ' ')) out.push_back(action(name));
  return out;
}

Alphabet alphabet(std::string_view names) { return Alphabet(word(names)); }

Lts lts(std::string_view text) {
  LtsBuilder builder;
  std::uint32_t states = 1;
  std::optional<std::uint32_t> stated;
  const auto state = [&](std::string_view digits) {
    const State s{number(digits)};
    states = std::max(states, s.value + 1);
    return s;
  };
  for (const auto& item : split(text, ',')) {
    const auto words = split(item, ' ');
    if (words.size() == 3)
      builder.add_step(state(words[0]), action(words[1]), state(words[2]));
    else if (item.starts_with("+"))
      builder.add_to_alphabet(alphabet(item.substr(1)));
    else if (item.starts_with("error="))
      builder.set_error(state(item.substr(6)));
    else if (item.starts_with("end="))
      builder.set_end(state(item.substr(4)));
    else if (item.starts_with("states="))
      stated = number(item.substr(7));
    else
      throw std::invalid_argument("not an item of an LTS: " + item);
  }
  builder.set_state_count(stated.value_or(states));
  return builder.build();
}

std::string text(const Lts& lts) {
  // Sorted by name: the order of numbers depends on which test ran first.
  std::set<std::tuple<std::uint32_t, bool, std::string, std::uint32_t>> steps;
  std::set<std::string> unused;
  std::uint32_t largest = 0;
  for (const Action a : lts.alphabet()) unused.insert(std::string(actions().name(a)));
  for (const State s : states(lts))
    for (const Step& step : lts.steps(s)) {
      const std::string name(actions().name(step.action));
      steps.emplace(s.value, step.action != kTau, name, step.target.value);
      unused.erase(name);
      largest = std::max({largest, s.value, step.target.value});
    }
  std::vector<std::string> items;
  for (const auto& [from, visible, name, to] : steps)
    items.push_back(std::to_string(from) + " " + name + " " + std::to_string(to));
  for (const auto& [mark, special] : {std::pair("error=", lts.error()), std::pair("end=", lts.end())}) {
    if (!special) continue;
    items.push_back(mark + std::to_string(special->value));
    largest = std::max(largest, special->value);
  }
  for (const auto& name : unused) items.push_back("+" + name);
  if (largest + 1 != lts.state_count()) items.push_back("states=" + std::to_string(lts.state_count()));
  std::string out;
  for (const auto& item : items) out += (out.empty() ? "" : ", ") + item;
  return out;
}

// --- Words.

Words words_up_to(std::size_t n, const Lts& lts) { return words_up_to(n, lts, lts.alphabet()); }

Words words_up_to(std::size_t n, const Lts& lts, const Alphabet& visible) {
  Words words;
  for (const auto& [w, set] : runs_up_to(n, lts, visible)) words.insert(w);
  return words;
}

Words failing_words_up_to(std::size_t n, const Lts& lts) {
  Words words;
  for (const auto& [w, set] : runs_up_to(n, lts, lts.alphabet()))
    if (lts.error() && set.contains(*lts.error())) words.insert(w);
  return words;
}

Words all_words_up_to(std::size_t n, const Alphabet& alphabet) {
  Words words{{}}, last{{}};
  for (std::size_t length = 1; length <= n; ++length) {
    Words longer;
    for (const auto& w : last)
      for (const Action a : alphabet) {
        Trace extended = w;
        extended.push_back(a);
        longer.insert(extended);
      }
    words.insert(longer.begin(), longer.end());
    last = std::move(longer);
  }
  return words;
}

bool has_word(const Lts& lts, Word word) {
  StateSet now = start(lts, lts.alphabet());
  for (const Action a : word) now = after(lts, now, a, lts.alphabet());
  return !now.empty();
}

bool accepts(const Automaton& automaton, Word word) {
  State now = automaton.lts.initial();
  for (const Action a : word) {
    const auto steps = automaton.lts.steps(now, a);
    if (steps.empty()) return false;
    now = steps.front().target;
  }
  return automaton.accepting[now.value];
}

// --- The product.

Lts product(const std::vector<const Lts*>& parts) {
  LtsBuilder builder;
  builder.add_to_alphabet(united(parts));
  builder.set_state_count(0);
  if (has_empty_part(parts)) return builder.build();

  std::map<Tuple, std::uint32_t> numbers;
  std::vector<Tuple> queue;
  std::optional<std::uint32_t> error, end;
  std::uint32_t count = 0;
  const auto number_of = [&](const Tuple& tuple) {
    const bool failed = in_error(parts, tuple), ended = has_ended(parts, tuple);
    auto& shared = failed ? error : end;
    if ((failed || ended) && !shared) shared = count++;
    if (failed || ended) return *shared;
    const auto [it, fresh] = numbers.emplace(tuple, count);
    if (fresh) ++count, queue.push_back(tuple);
    return it->second;
  };
  number_of(Tuple(parts.size(), State{0}));
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const Tuple now = queue[i];
    for (const auto& [a, next] : moves_of(parts, now)) builder.add_step(State{numbers[now]}, a, State{number_of(next)});
  }
  builder.set_state_count(count);
  if (error) builder.set_error(State{*error});
  if (end) builder.set_end(State{*end});
  return builder.build();
}

std::optional<Trace> shortest_violation(const std::vector<const Lts*>& parts, const Lts& property) {
  if (has_empty_part(parts)) return std::nullopt;
  return shortest(
      watched_start(parts, property), [&](const Watched& now) { return watched_moves(parts, property, now); },
      [&](const Watched& now) { return !now.second || in_error(parts, now.first); });
}

std::optional<Trace> shortest_error(const std::vector<const Lts*>& parts) { return shortest_violation(parts, lts("")); }

std::optional<Trace> shortest_deadlock(const std::vector<const Lts*>& parts) {
  if (has_empty_part(parts)) return std::nullopt;
  return shortest(
      Tuple(parts.size(), State{0}), [&](const Tuple& now) { return moves_of(parts, now); },
      [&](const Tuple& now) {
        return moves_of(parts, now).empty() && !in_error(parts, now) && !has_ended(parts, now);
      });
}

bool replays(const std::vector<const Lts*>& parts, const Lts* property, Word trace) {
  if (has_empty_part(parts)) return false;
  const Lts nothing = lts("");
  const Lts& watcher = property != nullptr ? *property : nothing;
  std::set<Watched> now{watched_start(parts, watcher)};
  for (const Action a : trace) {
    std::set<Watched> next;
    for (const auto& node : now)
      for (const auto& [b, successor] : watched_moves(parts, watcher, node))
        if (a == b) next.insert(successor);
    now = std::move(next);
  }
  if (property == nullptr) return !now.empty();
  return std::any_of(now.begin(), now.end(),
                     [&](const Watched& node) { return !node.second || in_error(parts, node.first); });
}

// --- Assumptions.

bool in_weakest_assumption(Word word, const Alphabet& alphabet, const std::vector<const Lts*>& m1,
                           const Lts& property) {
  LtsBuilder builder;
  builder.add_to_alphabet(alphabet);
  builder.set_state_count(static_cast<std::uint32_t>(word.size() + 1));
  for (std::uint32_t i = 0; i < word.size(); ++i) builder.add_step(State{i}, word[i], State{i + 1});
  const Lts chain = builder.build();
  std::vector<const Lts*> parts{&chain};
  parts.insert(parts.end(), m1.begin(), m1.end());
  return !shortest_violation(parts, property);
}

bool is_weakest_assumption(const Lts& candidate, const std::vector<const Lts*>& m1, const Lts& property,
                           std::size_t n) {
  for (const auto& w : all_words_up_to(n, candidate.alphabet()))
    if (has_word(candidate, w) != in_weakest_assumption(w, candidate.alphabet(), m1, property)) return false;
  return true;
}

// --- Equivalences.

Relation strong_bisimulation(const Lts& lts) {
  Graph graph;
  append(graph, lts);
  return greatest_fixpoint(graph, first_round(graph));
}

Relation weak_bisimulation(const Lts& lts) {
  Graph steps;
  append(steps, lts);
  const Graph graph = saturated(steps);
  return greatest_fixpoint(graph, first_round(graph));
}

bool strongly_bisimilar(const Lts& a, const Lts& b) {
  if (const auto trivial = trivially_equivalent(a, b)) return *trivial;
  const Graph graph = both(a, b);
  return greatest_fixpoint(graph, first_round(graph))[0][a.state_count()];
}

bool weakly_bisimilar(const Lts& a, const Lts& b) {
  if (const auto trivial = trivially_equivalent(a, b)) return *trivial;
  const Graph graph = saturated(both(a, b));
  return greatest_fixpoint(graph, first_round(graph))[0][a.state_count()];
}

std::optional<std::size_t> strong_game_length(const Lts& a, const Lts& b) {
  const Graph graph = both(a, b);
  return game_length(graph, first_round(graph), a.state_count());
}

std::optional<std::size_t> weak_game_length(const Lts& a, const Lts& b) {
  const Graph graph = saturated(both(a, b));
  return game_length(graph, first_round(graph), a.state_count());
}

bool trace_equivalent(const Lts& a, const Lts& b) {
  if (const auto trivial = trivially_equivalent(a, b)) return *trivial;
  const Alphabet all = unite(a.alphabet(), b.alphabet());
  const auto failed = [](const Lts& lts, const StateSet& set) { return lts.error() && set.contains(*lts.error()); };
  const auto ended = [&](const Lts& lts, const StateSet& set) {
    if (!lts.end() || !set.contains(*lts.end())) return false;
    return std::all_of(all.begin(), all.end(), [&](Action x) { return after(lts, set, x, all).empty(); });
  };
  std::set<std::pair<StateSet, StateSet>> met;
  std::vector<std::pair<StateSet, StateSet>> todo{{start(a, all), start(b, all)}};
  while (!todo.empty()) {
    const auto [left, right] = todo.back();
    todo.pop_back();
    if (!met.emplace(left, right).second) continue;
    if (left.empty() != right.empty() || failed(a, left) != failed(b, right)) return false;
    if (failed(a, left)) continue;
    if (ended(a, left) != ended(b, right)) return false;
    for (const Action x : all) todo.emplace_back(after(a, left, x, all), after(b, right, x, all));
  }
  return true;
}

// --- Many LTSs.

namespace {

// Every set of steps between n states with these labels.
void for_each_lts(std::uint32_t n, const std::vector<Action>& labels, bool marks,
                  const std::function<void(const Lts&)>& f) {
  std::vector<std::tuple<State, Action, State>> possible;
  for (std::uint32_t s = 0; s < n; ++s)
    for (const Action a : labels)
      for (std::uint32_t t = 0; t < n; ++t) possible.emplace_back(State{s}, a, State{t});
  for (std::uint32_t chosen = 0; chosen < 1U << possible.size(); ++chosen) {
    bool last_is_idle = n > 0;
    LtsBuilder builder;
    const auto fill = [&] {
      builder.set_state_count(n);
      builder.add_to_alphabet(Alphabet(labels));
      for (std::size_t i = 0; i < possible.size(); ++i) {
        if ((chosen >> i & 1) == 0) continue;
        const auto& [from, a, to] = possible[i];
        builder.add_step(from, a, to);
        last_is_idle = last_is_idle && from.value + 1 != n;
      }
    };
    fill();
    f(builder.build());
    if (!marks || !last_is_idle) continue;
    fill();
    builder.set_error(State{n - 1});
    f(builder.build());
    fill();
    builder.set_end(State{n - 1});
    f(builder.build());
  }
}

}  // namespace

void for_each_small_lts(const std::function<void(const Lts&)>& f) {
  for (std::uint32_t n = 0; n <= 2; ++n) for_each_lts(n, {action("a"), action("b")}, false, f);
}

void for_each_small_lts_with_tau(const std::function<void(const Lts&)>& f) {
  for (std::uint32_t n = 0; n <= 2; ++n) for_each_lts(n, {kTau, action("a"), action("b")}, true, f);
}

std::vector<Lts> small_ltss() {
  std::vector<Lts> all;
  for_each_small_lts([&](const Lts& lts) { all.push_back(lts); });
  return all;
}

std::vector<Lts> small_ltss_with_tau() {
  std::vector<Lts> all;
  for_each_small_lts_with_tau([&](const Lts& lts) { all.push_back(lts); });
  return all;
}

Lts random_lts(Random& random, const Shape& shape) {
  std::uint32_t n = shape.states;
  LtsBuilder builder;
  std::optional<State> error, end;
  if (n > 1 && random.chance(shape.error_percent)) error = State{--n};
  if (n > 1 && random.chance(shape.end_percent)) end = State{--n};
  std::vector<Action> letters;
  for (std::uint32_t a = 0; a < shape.actions; ++a)
    letters.push_back(action(std::string(1, static_cast<char>('a' + a))));
  builder.add_to_alphabet(Alphabet(letters));

  std::set<std::pair<std::uint32_t, Action>> taken;
  for (std::uint32_t i = 0; i < shape.steps; ++i) {
    const std::uint32_t from = random.below(n), to = random.below(shape.states);
    const bool silent = letters.empty() || (!shape.deterministic && random.chance(shape.tau_percent));
    const Action a = silent ? kTau : letters[random.below(shape.actions)];
    if (shape.deterministic && (silent || !taken.emplace(from, a).second)) continue;
    builder.add_step(State{from}, a, State{to});
  }
  builder.set_state_count(shape.states);
  if (error) builder.set_error(*error);
  if (end) builder.set_end(*end);
  return builder.build();
}

}  // namespace surety::reference
