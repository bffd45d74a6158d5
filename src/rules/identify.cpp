#include "rules/identify.hpp"

#include <algorithm>
#include <array>
#include <cadical.hpp>
#include <map>
#include <set>

#include "base/check.hpp"
#include "model/transform.hpp"

namespace surety {
namespace {

using Literal = Identifier::Literal;

// The solver, told of the budget.
class Sat : private CaDiCaL::Terminator {
 public:
  explicit Sat(Budget& budget) : budget_(budget), charge_(budget) {
    solver_.set("quiet", 1);
    solver_.connect_terminator(this);
  }

  Literal variable() { return ++variables_; }
  void add(std::initializer_list<Literal> clause) { add(std::vector<Literal>(clause)); }
  void add(const std::vector<Literal>& clause) {
    for (const Literal literal : clause) solver_.add(literal);
    solver_.add(0);
    literals_ += clause.size() + kClauseOverhead;
    if (literals_ >= next_charge_) {
      if (!charge_.grow_to(literals_ * kLiteralBytes)) budget_.stop(Stop::memory);
      next_charge_ = literals_ + literals_ / 8 + 4096;
    }
  }
  // What is decided first of a variable: whatever else is free, this should be true.
  void prefer(Literal literal) { solver_.phase(literal); }

  // Nothing: the budget ended.
  std::optional<bool> solve(const std::vector<Literal>& assumptions) {
    if (!budget_.go_on()) return std::nullopt;
    for (const Literal literal : assumptions) solver_.assume(literal);
    const int result = solver_.solve();
    if (result == 0) return std::nullopt;
    return result == 10;
  }
  bool value(Literal literal) { return solver_.val(literal) > 0; }
  bool needed(Literal assumption) { return solver_.failed(assumption); }

 private:
  // A literal lies in its clause, in a watch list now and then, and a few more times in what is learned.
  static constexpr std::uint64_t kLiteralBytes = 12, kClauseOverhead = 4;

  bool terminate() override { return !budget_.go_on(); }

  Budget& budget_;
  Charge charge_;
  CaDiCaL::Solver solver_;
  Literal variables_ = 0;
  std::uint64_t literals_ = 0, next_charge_ = 0;
};

// One of the automata: the tree of its words, and what the solver knows of its states.
class Candidate {
 public:
  Candidate(Identifier::Wanted wanted, Sat& sat)
      : alphabet_(std::move(wanted.alphabet)), model_(wanted.model), sat_(sat), letters_(alphabet_.size()) {
    nodes_.push_back({0, 0, 0, sat_.variable(), {}});
    places_.push_back({model_ != nullptr ? model_->initial() : 0, {}, {}});
    sat_.add({nodes_[0].in});
    if (model_ != nullptr) shared_.emplace(places_[0].model, 0);
    grow();
  }

  std::vector<Literal> prefixes(Word word) {
    std::vector<Literal> out{nodes_[0].in};
    std::uint32_t node = 0;
    for (const Action a : word) {
      if (const auto letter = alphabet_.index(a)) node = child(node, *letter);
      out.push_back(nodes_[node].in);
    }
    return out;
  }

  std::uint32_t size() const { return size_; }
  Literal limit() const { return limit_; }
  void grow();
  Lts read() const;

 private:
  using States = std::vector<Literal>;  // one variable per state

  // A word.
  struct Node {
    std::uint32_t parent = 0;
    std::uint32_t letter = 0;
    std::uint32_t place = 0;
    Literal in = 0;
    std::map<std::uint32_t, std::uint32_t> children;
  };
  // What words lead to: those that lead the model to the same place share it.
  struct Place {
    SubsetWalk::Node model = 0;
    States state;  // x(u, s)
    States used;   // this place or an earlier one has used state s
  };
  struct Edge {
    std::uint32_t from = 0, letter = 0, to = 0;
    Literal taken = 0;  // some word that is in goes this way
  };
  struct Letter {
    std::vector<States> step;  // t(s, a, s') by s and s'
    States any;                // there is a step, by s
  };

  std::uint32_t child(std::uint32_t parent, std::uint32_t letter);
  std::uint32_t place_of(std::uint32_t parent, std::uint32_t letter);
  void add_state(std::uint32_t place, std::uint32_t s);
  void add_steps(Letter& letter, std::uint32_t states);
  Literal edge(std::uint32_t from, std::uint32_t letter, std::uint32_t to);
  void link(const Edge& edge, std::uint32_t s, std::uint32_t target);
  void refuse(const Node& node, std::uint32_t s);
  void demand_state(const Node& node);
  std::uint32_t state_of(const Node& node) const;
  bool possible(std::uint32_t place) const { return model_ == nullptr || !model_->impossible(places_[place].model); }

  Alphabet alphabet_;
  SubsetWalk* model_;
  Sat& sat_;
  std::vector<Node> nodes_;
  std::vector<Place> places_;
  std::map<SubsetWalk::Node, std::uint32_t> shared_;  // places by where the model is
  std::map<std::array<std::uint32_t, 3>, std::size_t> edge_index_;
  std::vector<Edge> edges_;
  std::vector<Letter> letters_;  // filled when a word uses them
  std::uint32_t size_ = 0;
  Literal limit_ = 0;
};

std::uint32_t Candidate::child(std::uint32_t parent, std::uint32_t letter) {
  if (const auto it = nodes_[parent].children.find(letter); it != nodes_[parent].children.end()) return it->second;
  add_steps(letters_[letter], size_);
  const std::uint32_t place = place_of(nodes_[parent].place, letter);
  const auto made = static_cast<std::uint32_t>(nodes_.size());
  nodes_[parent].children.emplace(letter, made);
  nodes_.push_back({parent, letter, place, sat_.variable(), {}});
  const Node& node = nodes_[made];
  sat_.add({-node.in, nodes_[parent].in});
  sat_.add({-node.in, edge(nodes_[parent].place, letter, place)});
  sat_.prefer(possible(place) ? node.in : -node.in);
  for (std::uint32_t s = 0; s < size_; ++s) refuse(node, s);
  demand_state(node);
  return made;
}

// What the model can do leads to a place that words share; a word that it cannot do has one of its own.
std::uint32_t Candidate::place_of(std::uint32_t parent, std::uint32_t letter) {
  const auto next = static_cast<std::uint32_t>(places_.size());
  const auto model = model_ != nullptr ? model_->step(places_[parent].model, letter) : 0;
  places_.push_back({model, {}, {}});
  if (model_ != nullptr && possible(next))
    if (const auto [it, fresh] = shared_.emplace(model, next); !fresh) {
      places_.pop_back();
      return it->second;
    }
  for (std::uint32_t s = 0; s < size_; ++s) add_state(next, s);
  return next;
}

// The place may be state s, the next one that it does not know yet.
void Candidate::add_state(std::uint32_t place, std::uint32_t s) {
  Place& u = places_[place];
  const Literal x = sat_.variable(), used = sat_.variable();
  for (const Literal other : u.state) sat_.add({-x, -other});
  u.state.push_back(x);
  u.used.push_back(used);
  if (place == 0) {
    sat_.add({s == 0 ? x : -x});
    sat_.add({s == 0 ? used : -used});
    return;
  }
  const Place& before = places_[place - 1];
  sat_.add({-used, x, before.used[s]});
  sat_.add({-x, used});
  sat_.add({-before.used[s], used});
  if (s > 0) sat_.add({-x, before.used[s - 1]});
}

// Brings the steps of a letter up to so many states.
void Candidate::add_steps(Letter& letter, std::uint32_t states) {
  letter.step.resize(states);
  while (letter.any.size() < states) letter.any.push_back(sat_.variable());
  for (std::uint32_t s = 0; s < states; ++s)
    for (auto& targets = letter.step[s]; targets.size() < states;) {
      const Literal fresh = sat_.variable();
      for (const Literal other : targets) sat_.add({-fresh, -other});
      sat_.add({-fresh, letter.any[s]});
      targets.push_back(fresh);
    }
}

Literal Candidate::edge(std::uint32_t from, std::uint32_t letter, std::uint32_t to) {
  const auto [it, fresh] = edge_index_.try_emplace({from, letter, to}, edges_.size());
  if (!fresh) return edges_[it->second].taken;
  edges_.push_back({from, letter, to, sat_.variable()});
  for (std::uint32_t s = 0; s < size_; ++s)
    for (std::uint32_t target = 0; target < size_; ++target) link(edges_.back(), s, target);
  return edges_.back().taken;
}

// An edge that is taken leads from s to `target` iff the step does.
void Candidate::link(const Edge& e, std::uint32_t s, std::uint32_t target) {
  const Literal from = places_[e.from].state[s], to = places_[e.to].state[target];
  const Literal step = letters_[e.letter].step[s][target];
  sat_.add({-e.taken, -from, -step, to});
  sat_.add({-e.taken, -from, -to, step});
}

// A word that is not in, unlike the word before its last letter, shows that a state lacks the letter.
void Candidate::refuse(const Node& node, std::uint32_t s) {
  const Node& parent = nodes_[node.parent];
  sat_.add({node.in, -parent.in, -places_[parent.place].state[s], -letters_[node.letter].any[s]});
}

void Candidate::demand_state(const Node& node) {
  auto clause = places_[node.place].state;
  clause.push_back(-node.in);
  clause.push_back(-limit_);
  sat_.add(clause);
}

// One state more.
void Candidate::grow() {
  const std::uint32_t s = size_++;
  limit_ = sat_.variable();
  for (Letter& letter : letters_)
    if (!letter.step.empty()) add_steps(letter, size_);
  for (std::uint32_t place = 0; place < places_.size(); ++place) add_state(place, s);
  for (const Edge& e : edges_)
    for (std::uint32_t other = 0; other < size_; ++other) {
      link(e, s, other);
      if (other < s) link(e, other, s);
    }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (i > 0) refuse(nodes_[i], s);
    demand_state(nodes_[i]);
  }
}

std::uint32_t Candidate::state_of(const Node& node) const {
  const States& state = places_[node.place].state;
  const auto it = std::find_if(state.begin(), state.end(), [&](Literal x) { return sat_.value(x); });
  check(it != state.end(), "a word of an automaton leads to none of its states");
  return static_cast<std::uint32_t>(it - state.begin());
}

// Every node that is in shows a step of its parent's state; a node that is not, that there is none.
Lts Candidate::read() const {
  std::set<std::pair<std::uint32_t, std::uint32_t>> said;
  LtsBuilder builder;
  builder.set_state_count(size_);
  builder.add_to_alphabet(alphabet_);
  for (std::size_t i = 1; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    if (!sat_.value(nodes_[node.parent].in)) continue;
    const std::uint32_t from = state_of(nodes_[node.parent]);
    said.emplace(from, node.letter);
    if (sat_.value(node.in)) builder.add_step(State{from}, alphabet_[node.letter], State{state_of(node)});
  }
  for (std::uint32_t s = 0; s < size_; ++s)
    for (std::uint32_t letter = 0; letter < alphabet_.size(); ++letter)
      if (!said.contains({s, letter})) builder.add_step(State{s}, alphabet_[letter], State{s});
  return reachable(builder.build());
}

}  // namespace

struct Identifier::Impl {
  explicit Impl(Budget& b) : budget(b), sat(b) {}

  Budget& budget;
  Sat sat;
  std::vector<Candidate> candidates;
  std::set<std::vector<Literal>> clauses;  // words with a common beginning say the same of it
};

Identifier::Identifier(std::vector<Wanted> wanted, Budget& budget) : impl_(std::make_unique<Impl>(budget)) {
  for (Wanted& each : wanted) impl_->candidates.emplace_back(std::move(each), impl_->sat);
}

Identifier::~Identifier() = default;

std::vector<Literal> Identifier::prefixes(std::size_t i, Word word) { return impl_->candidates[i].prefixes(word); }

void Identifier::add(std::vector<Literal> clause) {
  std::sort(clause.begin(), clause.end());
  clause.erase(std::unique(clause.begin(), clause.end()), clause.end());
  if (impl_->clauses.insert(clause).second) impl_->sat.add(clause);
}

std::optional<std::vector<Lts>> Identifier::solve() {
  auto& candidates = impl_->candidates;
  while (true) {
    std::vector<Literal> limits;
    for (const Candidate& candidate : candidates) limits.push_back(candidate.limit());
    const auto solved = impl_->sat.solve(limits);
    if (!solved) return std::nullopt;
    if (*solved) break;
    Candidate* smallest = nullptr;
    for (Candidate& candidate : candidates)
      if (impl_->sat.needed(candidate.limit()) && (smallest == nullptr || candidate.size() < smallest->size()))
        smallest = &candidate;
    check(smallest != nullptr, "what is known of the automata contradicts itself");
    smallest->grow();
  }
  std::vector<Lts> out;
  for (const Candidate& candidate : candidates) out.push_back(candidate.read());
  return out;
}

}  // namespace surety
