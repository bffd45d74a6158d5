#include "rules/agar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

#include "base/check.hpp"
#include "engine/product/graph.hpp"
#include "learn/teacher.hpp"
#include "rules/abstraction.hpp"
#include "rules/merge.hpp"
#include "rules/triple.hpp"

namespace surety {
namespace {

using Outcome = SearchResult::Outcome;
using Kind = Abstraction::Replayed::Kind;

struct Refuted {};  // the rest does not have the trace, and the abstractions no longer have it
struct Performed {
  std::vector<LocalTrace> locals;  // of the rest, one per side
};
using Replay = std::variant<Refuted, Performed, Stopped>;

// One abstraction: of a side and of the next link, if there is one.
class Link {
 public:
  // `number` counts from 1, and `name` is that of the side, for the report.
  Link(ComponentSet side, Alphabet alphabet, int number, std::string name, std::unique_ptr<Link> next,
       const Context& context)
      : side_(std::move(side)),
        alphabet_(std::move(alphabet)),
        number_(number),
        name_(std::move(name)),
        next_(std::move(next)),
        context_(context) {}

  // Explores the side together with the next abstraction. False: the budget ended.
  bool build(Budget& budget);
  bool build() { return build(context_.budget); }
  Replay replay(Word trace);
  const Lts& lts() const { return lts_; }
  std::uint64_t states() const { return abstraction_->concrete().state_count(); }
  void collect(std::vector<Lts>& all) const {
    all.push_back(lts_);
    if (next_) next_->collect(all);
  }

 private:
  using Tuple = std::vector<State>;

  ComponentSet parts() const {
    ComponentSet all = side_;
    if (next_) all.push_back(&next_->lts());
    return all;
  }
  Lts explore(Budget& budget, std::vector<Tuple>& tuples);
  void note(Word word, std::uint32_t block);
  void renew() {
    lts_ = abstraction_->lts();
    context_.tell(told::Conjecture{number_, lts_});
  }

  ComponentSet side_;
  Alphabet alphabet_;
  int number_;
  std::string name_;
  std::unique_ptr<Link> next_;
  const Context& context_;
  std::optional<Abstraction> abstraction_;
  std::vector<Tuple> tuples_;  // by concrete state; only if there is a next link
  Lts lts_;
};

// Actions outside the alphabet become silent.
Lts Link::explore(Budget& budget, std::vector<Tuple>& tuples) {
  const ComponentSet all = parts();
  if (std::any_of(all.begin(), all.end(), [](const Lts* lts) { return lts->state_count() == 0; })) return {};
  std::vector<Part> product;
  for (const Lts* lts : all) product.push_back({lts, Role::component, false});
  const auto graph = Graph::build(product, nullptr, budget);
  if (!graph) return {};
  LtsBuilder builder;
  builder.set_state_count(graph->size());
  builder.add_to_alphabet(alphabet_);
  builder.reserve(graph->transition_count());
  for (std::uint32_t s = 0; s < graph->size(); ++s) {
    for (const Step& step : graph->steps(State{s}))
      builder.add_step(State{s}, alphabet_.contains(step.action) ? step.action : kTau, step.target);
    if (next_) tuples.push_back(graph->unpack(State{s}));
  }
  context_.cost.add(graph->size(), graph->transition_count());
  return builder.build();
}

bool Link::build(Budget& budget) {
  if (next_ && !next_->abstraction_ && !next_->build(budget)) return false;
  std::vector<Tuple> tuples;
  Lts concrete = explore(budget, tuples);
  if (!budget.go_on()) return false;
  if (!abstraction_) {
    abstraction_.emplace(std::move(concrete));
  } else {
    // A state of the next abstraction was split. The tuples that it was part of stay in the blocks where they were.
    std::map<Tuple, Abstraction::Block> block_of;
    for (std::uint32_t s = 0; s < tuples_.size(); ++s) block_of[tuples_[s]] = abstraction_->block_of(State{s});
    std::vector<Abstraction::Block> blocks;
    for (Tuple tuple : tuples) {
      tuple.back() = State{next_->abstraction_->origin(tuple.back().value)};
      blocks.push_back(block_of.at(tuple));
    }
    abstraction_->rebase(std::move(concrete), blocks);
  }
  if (next_) next_->abstraction_->settle();
  tuples_ = std::move(tuples);
  renew();
  return true;
}

void Link::note(Word word, std::uint32_t block) {
  ++context_.cost.conjectures;
  context_.budget.count_conjecture();
  const std::uint64_t before = abstraction_->size() - 1;
  context_.tell(told::Refined{name_, before, before + 1, word, block});
  Iteration line{number_, before, 1, 0, 0, "too weak"};
  line.word.assign(word.begin(), word.end());
  line.split = block;
  context_.cost.record(std::move(line));
}

Replay Link::replay(Word trace) {
  const Trace word = project(trace, alphabet_);
  while (context_.budget.go_on()) {
    const auto replayed = abstraction_->replay(word);
    if (replayed.kind == Kind::split) {
      note(word, replayed.block);
      continue;
    }
    renew();
    if (replayed.kind == Kind::absent) return Refuted{};

    auto found = performance(word, alphabet_, parts(), context_);
    if (found.outcome == Outcome::stopped) break;
    check(found.outcome == Outcome::found, "a word that an abstraction was made of is gone");
    LocalTrace mine{found.trace, alphabet_of(side_)};
    if (!next_) return Performed{{std::move(mine)}};
    Replay further = next_->replay(found.trace);
    if (auto* performed = std::get_if<Performed>(&further)) performed->locals.push_back(std::move(mine));
    if (!std::holds_alternative<Refuted>(further)) return further;
    if (!build()) break;
  }
  renew();
  return Stopped{};
}

class Agar {
 public:
  Agar(std::uint64_t most_built_states, const ProofGoal& goal, const Context& context)
      : most_built_states_(most_built_states),
        m1_(goal.sides[0]),
        property_(goal.property()),
        mine_(unite(alphabet_of(m1_), property_.alphabet())),
        chain_(goal.sides.begin() + 1, goal.sides.end()),
        context_(context) {
    if (!goal.names.empty()) names_.assign(goal.names.begin() + 1, goal.names.end());
  }

  Verdict run();

 private:
  // M1's environment: one chain of links, or single links side by side.
  using Rest = std::vector<std::unique_ptr<Link>>;

  bool is_visible(Action a) const { return context_.alphabet == AlphabetMode::full || visible_.contains(a); }
  std::unique_ptr<Link> make_chain(const std::vector<ComponentSet>& sides, const std::vector<std::string>& names,
                                   const Alphabet& others, int number) const;
  std::vector<std::string> names_of_sides() const;
  bool start(Rest& rest);
  bool start_built(Rest& rest);
  bool start_side_by_side(Rest& rest);
  std::optional<Verdict> refine(Rest& rest);
  Replay replay(Rest& rest, const Trace& trace) const;
  Merged fit(const Trace& ours, std::vector<LocalTrace> theirs) const;
  void note(const Rest& rest, std::uint64_t size, const SearchResult& search, const char* result) const;
  static std::vector<Lts> assumptions(const Rest& rest);
  Unknown unknown(const Rest& rest, const char* known) const {
    return {context_.budget.why(), assumptions(rest), known, {}};
  }
  std::optional<Verdict> analyse(const Rest& rest, std::uint64_t size, const SearchResult& first,
                                 const Performed& performed);

  std::uint64_t most_built_states_;
  const ComponentSet& m1_;
  const Lts& property_;
  Alphabet mine_;
  std::vector<ComponentSet> chain_;  // M2, ..., Mn
  Split names_;                      // of their components, if names are given
  bool side_by_side_ = false;
  Alphabet visible_;
  std::vector<Lts> last_;  // the abstractions over a smaller alphabet
  const Context& context_;
};

// Of these sides in a row; `others` are the actions of all that is not among them.
std::unique_ptr<Link> Agar::make_chain(const std::vector<ComponentSet>& sides, const std::vector<std::string>& names,
                                       const Alphabet& others, int number) const {
  std::unique_ptr<Link> next;
  Alphabet inside;
  for (std::size_t i = sides.size(); i-- > 0;) {
    Alphabet outside = others;
    for (std::size_t j = 0; j < i; ++j) outside = unite(outside, alphabet_of(sides[j]));
    inside = unite(inside, alphabet_of(sides[i]));
    std::vector<Action> letters;
    for (const Action a : intersect(inside, outside))
      if (is_visible(a)) letters.push_back(a);
    next = std::make_unique<Link>(sides[i], Alphabet(letters), number + static_cast<int>(i),
                                  i < names.size() ? names[i] : "", std::move(next), context_);
  }
  return next;
}

std::vector<std::string> Agar::names_of_sides() const {
  std::vector<std::string> out;
  for (const auto& side : names_) out.push_back(fmt::format("{}", fmt::join(side, ", ")));
  return out;
}

// M2 as one LTS. False: the budget ended, or M2 has several components and their product is too large.
bool Agar::start_built(Rest& rest) {
  rest.push_back(make_chain(chain_, names_of_sides(), mine_, 1));
  if (chain_.size() > 1 || chain_[0].size() == 1) return rest[0]->build();
  Limits limits;
  limits.states = most_built_states_;
  Budget budget(context_.budget, limits);
  if (rest[0]->build(budget)) return true;
  side_by_side_ = budget.why() == Stop::states;
  if (!side_by_side_) context_.budget.stop(budget.why());
  rest.clear();
  return false;
}

bool Agar::start_side_by_side(Rest& rest) {
  for (std::size_t i = 0; i < chain_[0].size(); ++i) {
    Alphabet others = mine_;
    for (std::size_t j = 0; j < chain_[0].size(); ++j)
      if (j != i) others = unite(others, chain_[0][j]->alphabet());
    rest.push_back(make_chain({{chain_[0][i]}}, {names_.empty() ? "" : names_[0][i]}, others, static_cast<int>(i) + 1));
    if (!rest.back()->build()) return false;
  }
  return true;
}

bool Agar::start(Rest& rest) {
  context_.budget.phase("abstraction");
  if (!side_by_side_ && start_built(rest)) return true;
  return side_by_side_ && start_side_by_side(rest);
}

void Agar::note(const Rest& rest, std::uint64_t size, const SearchResult& search, const char* result) const {
  ++context_.cost.conjectures;
  context_.budget.count_conjecture();
  const int assumption = rest.size() == 1 ? 1 : 0;
  context_.tell(told::Answered{assumption, 1, result, {}, search.trace, search.states, search.transitions});
  context_.cost.record({assumption, size, 1, search.states, search.transitions, result});
}

std::vector<Lts> Agar::assumptions(const Rest& rest) {
  std::vector<Lts> all;
  for (const auto& link : rest) link->collect(all);
  return all;
}

Replay Agar::replay(Rest& rest, const Trace& trace) const {
  context_.budget.phase("replay");
  bool refuted = false;
  Performed all;
  for (auto& link : rest) {
    Replay mine = link->replay(trace);
    if (std::holds_alternative<Stopped>(mine)) return mine;
    if (auto* performed = std::get_if<Performed>(&mine))
      std::move(performed->locals.begin(), performed->locals.end(), std::back_inserter(all.locals));
    else
      refuted = true;  // the other links replay it too: each refines what it can before M1 is searched again
  }
  if (refuted) return Refuted{};
  return all;
}

// The traces agree on the visible actions. If not on the others, the sides may have traces that fit M1's better.
Merged Agar::fit(const Trace& ours, std::vector<LocalTrace> theirs) const {
  theirs.insert(theirs.begin(), {ours, mine_});
  Merged whole = merge(theirs);
  if (whole.stuck.empty()) return whole;
  std::vector<ComponentSet> sides = chain_;
  if (side_by_side_) {  // their product may be large even where it does one word
    sides.clear();
    for (const Lts* component : chain_[0]) sides.push_back({component});
  }
  std::vector<LocalTrace> others{theirs[0]};
  for (const ComponentSet& side : sides) {
    const Alphabet common = intersect(alphabet_of(side), mine_);
    auto found = performance(project(ours, common), common, side, context_);
    if (found.outcome != Outcome::found) return whole;
    others.push_back({std::move(found.trace), alphabet_of(side)});
  }
  Merged again = merge(std::move(others));
  return again.stuck.empty() ? again : whole;
}

// M1 violates P by this trace, and the rest can do the visible actions of it. If the traces of all sides fit together,
// the violation is real. Nothing: they do not, and the alphabet has grown by the actions that they disagree on.
std::optional<Verdict> Agar::analyse(const Rest& rest, std::uint64_t size, const SearchResult& first,
                                     const Performed& performed) {
  const std::vector<LocalTrace>& theirs = performed.locals;
  Merged whole = fit(first.trace, theirs);
  if (whole.stuck.empty()) {
    note(rest, size, first, "violated");
    return Violated{std::move(whole.trace)};
  }
  if (!context_.budget.go_on()) return unknown(rest, "too weak");
  note(rest, size, first, "alphabet too small");
  check(!subtract(whole.stuck, visible_).empty() && context_.alphabet != AlphabetMode::full,
        "traces that agree do not fit together");
  const Alphabet more = subtract(whole.stuck, visible_);
  context_.tell(told::Widened{rest.size() == 1 ? 1 : 0, more, first.trace, who_has(theirs, more)});
  visible_ = unite(visible_, more);
  last_ = assumptions(rest);
  return std::nullopt;
}

// Until P is proved or violated, or the budget ends; nothing: the alphabet has grown.
std::optional<Verdict> Agar::refine(Rest& rest) {
  while (true) {
    ComponentSet all = m1_;
    std::uint64_t size = 0;
    for (const auto& link : rest) {
      all.push_back(&link->lts());
      size += link->lts().state_count();
    }
    context_.budget.phase("premise 1");
    context_.tell(told::Asked{rest.size() == 1 ? 1 : 0, 1});
    const auto first = check_triple(nullptr, all, property_, context_);  // <A> M1 <P>
    if (first.outcome == Outcome::stopped) return unknown(rest, "the rest keeps it; premise 1 is untested");
    if (first.outcome == Outcome::exhausted) {
      note(rest, size, first, "holds");
      return Holds{{Method::agar, {}, assumptions(rest)}};
    }
    const std::size_t lines = context_.cost.iterations.size();
    Replay replayed = replay(rest, first.trace);
    if (context_.cost.iterations.size() > lines) {
      context_.cost.iterations[lines].states = first.states;
      context_.cost.iterations[lines].transitions = first.transitions;
    }
    if (std::holds_alternative<Stopped>(replayed)) return unknown(rest, "too weak");
    if (auto* performed = std::get_if<Performed>(&replayed)) return analyse(rest, size, first, *performed);
  }
}

Verdict Agar::run() {
  visible_ = property_.alphabet();
  while (true) {
    Rest rest;
    if (!start(rest)) return Unknown{context_.budget.why(), last_, "the rest keeps it; its alphabet is too small", {}};
    if (auto verdict = refine(rest)) return std::move(*verdict);
  }
}

}  // namespace

Verdict prove_agar_with(std::uint64_t most_built_states, const ProofGoal& goal, const Context& context) {
  return Agar(most_built_states, goal, context).run();
}

Verdict prove_agar(const ProofGoal& goal, const Context& context) {
  return prove_agar_with(kMostBuiltStates, goal, context);
}

}  // namespace surety
