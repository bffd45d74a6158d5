#include "rules/identify.hpp"

#include <algorithm>
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
  Candidate(Alphabet alphabet, Sat& sat) : alphabet_(std::move(alphabet)), sat_(sat), steps_(alphabet_.size()) {
    nodes_.push_back({0, 0, sat_.variable(), {}, {}, {}});
    sat_.add({nodes_[0].in});
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
  using States = std::vector<Literal>;  // a variable a state

  struct Node {
    std::uint32_t parent = 0;
    std::uint32_t letter = 0;
    Literal in = 0;
    States state;  // x(u, s)
    States used;   // this node or an earlier one has used state s
    std::map<std::uint32_t, std::uint32_t> children;
  };

  std::uint32_t child(std::uint32_t parent, std::uint32_t letter);
  void place(std::uint32_t node, std::uint32_t s);
  void link(const Node& node, std::uint32_t s, std::uint32_t target);
  void demand_state(const Node& node);
  void add_steps(std::uint32_t letter, std::uint32_t states);

  Alphabet alphabet_;
  Sat& sat_;
  std::vector<Node> nodes_;
  std::vector<std::vector<States>> steps_;  // t(s, a, s') by letter, s, s'; only of letters in the tree
  std::uint32_t size_ = 0;
  Literal limit_ = 0;
};

std::uint32_t Candidate::child(std::uint32_t parent, std::uint32_t letter) {
  if (const auto it = nodes_[parent].children.find(letter); it != nodes_[parent].children.end()) return it->second;
  const auto made = static_cast<std::uint32_t>(nodes_.size());
  nodes_[parent].children.emplace(letter, made);
  nodes_.push_back({parent, letter, sat_.variable(), {}, {}, {}});
  sat_.add({-nodes_[made].in, nodes_[parent].in});
  sat_.prefer(nodes_[made].in);
  add_steps(letter, size_);
  for (std::uint32_t s = 0; s < size_; ++s) place(made, s);
  for (std::uint32_t s = 0; s < size_; ++s)
    for (std::uint32_t target = 0; target < size_; ++target) link(nodes_[made], s, target);
  demand_state(nodes_[made]);
  return made;
}

// The node may be in state s, the next one that it does not know yet.
void Candidate::place(std::uint32_t node, std::uint32_t s) {
  Node& u = nodes_[node];
  const Literal x = sat_.variable(), used = sat_.variable();
  sat_.add({-x, u.in});
  for (const Literal other : u.state) sat_.add({-x, -other});
  u.state.push_back(x);
  u.used.push_back(used);
  if (node == 0) {
    sat_.add({s == 0 ? x : -x});
    sat_.add({s == 0 ? used : -used});
    return;
  }
  const Node& before = nodes_[node - 1];
  sat_.add({-used, x, before.used[s]});
  sat_.add({-x, used});
  sat_.add({-before.used[s], used});
  if (s > 0) sat_.add({-x, before.used[s - 1]});
}

// If its parent is in s then the node is in `target` iff the step leads there.
void Candidate::link(const Node& node, std::uint32_t s, std::uint32_t target) {
  const Literal from = nodes_[node.parent].state[s], to = node.state[target], step = steps_[node.letter][s][target];
  sat_.add({-from, -step, to});
  sat_.add({-from, -to, step});
}

void Candidate::demand_state(const Node& node) {
  auto clause = node.state;
  clause.push_back(-node.in);
  clause.push_back(-limit_);
  sat_.add(clause);
}

// Brings the steps of a letter up to so many states.
void Candidate::add_steps(std::uint32_t letter, std::uint32_t states) {
  auto& steps = steps_[letter];
  steps.resize(states);
  for (auto& targets : steps)
    while (targets.size() < states) {
      const Literal fresh = sat_.variable();
      for (const Literal other : targets) sat_.add({-fresh, -other});
      targets.push_back(fresh);
    }
}

// One state more.
void Candidate::grow() {
  const std::uint32_t s = size_++;
  limit_ = sat_.variable();
  for (std::uint32_t letter = 0; letter < steps_.size(); ++letter)
    if (!steps_[letter].empty()) add_steps(letter, size_);
  for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
    place(node, s);
    const Node& u = nodes_[node];
    for (std::uint32_t other = 0; other < size_ && node > 0; ++other) {
      link(u, s, other);
      if (other < s) link(u, other, s);
    }
    demand_state(u);
  }
}

// Every node that is in shows a step of its parent's state; a node that is not, that there is none.
Lts Candidate::read() const {
  const auto state_of = [&](const Node& node) {
    const auto it = std::find_if(node.state.begin(), node.state.end(), [&](Literal x) { return sat_.value(x); });
    check(it != node.state.end(), "a word of an automaton leads to none of its states");
    return static_cast<std::uint32_t>(it - node.state.begin());
  };
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

Identifier::Identifier(std::vector<Alphabet> alphabets, Budget& budget) : impl_(std::make_unique<Impl>(budget)) {
  for (Alphabet& alphabet : alphabets) impl_->candidates.emplace_back(std::move(alphabet), impl_->sat);
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
