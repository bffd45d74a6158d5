#include "rules/cegar.hpp"

#include <map>
#include <tuple>

#include "base/check.hpp"
#include "model/transform.hpp"
#include "rules/blocks.hpp"
#include "rules/merge.hpp"

namespace surety {
namespace {

using Outcome = SearchResult::Outcome;

class Refinement {
 public:
  Refinement(const ProofGoal& goal, const Context& context)
      : goal_(goal), property_(goal.property()), context_(context) {
    for (const Lts* lts : goal.sides[0]) members_.push_back({lts, std::nullopt, {}});
  }

  Verdict run() {
    while (context_.budget.go_on()) {
      ++context_.cost.conjectures;
      context_.budget.count_conjecture();
      context_.budget.phase("abstract product");
      const auto result = search(parts(), Goal::violation, context_.budget, context_.threads, context_.reduction);
      context_.cost.add(result);
      if (result.outcome == Outcome::stopped) break;
      if (result.outcome == Outcome::exhausted) return Holds{certificate()};
      Trace word = result.trace;
      std::erase(word, kTau);
      context_.budget.phase("refine");
      const Choice choice = choose(word);
      if (choice.member == nullptr) return Violated{whole_trace(word)};
      if (!refine(choice, word, result)) break;
    }
    return Unknown{context_.budget.why(), {}, {}};
  }

 private:
  struct Member {
    const Lts* component;
    std::optional<Blocks> blocks;  // none: the component is left out
    Lts abstraction;
  };

  struct Choice {
    Member* member = nullptr;  // none: all components can do the word
    Alphabet visible = {};
  };

  std::vector<Part> parts() const {
    std::vector<Part> out;
    for (const Member& m : members_)
      if (m.blocks) out.push_back({&m.abstraction, Role::component, false});
    out.push_back({&property_, Role::watch});
    return out;
  }

  Choice choose(Word word);
  std::map<Action, int> count_users() const;
  bool refine(const Choice& choice, Word word, const SearchResult& result);
  Trace whole_trace(const Trace& word) const;
  Certificate certificate() const;

  const ProofGoal& goal_;
  const Lts& property_;
  const Context& context_;
  std::vector<Member> members_;
};

Refinement::Choice Refinement::choose(Word word) {
  Choice best;
  std::tuple<bool, bool, std::size_t, std::uint32_t> best_rank;
  const auto users = count_users();
  for (Member& m : members_) {
    const Lts& lts = m.blocks ? m.blocks->component() : *m.component;
    const auto exactly = refused_at(lts, word, lts.alphabet());
    if (!exactly) continue;
    std::vector<Action> shared;  // with other parts of the search
    for (const Action a : lts.alphabet())
      if (const auto it = users.find(a); it != users.end() && it->second > (m.blocks ? 1 : 0)) shared.push_back(a);
    Alphabet visible(shared);
    auto at = refused_at(lts, word, visible);
    const bool by_detail = !at;
    if (by_detail) {
      at = exactly;
      visible = lts.alphabet();
    }
    const std::tuple rank{by_detail, !m.blocks, *at, lts.state_count()};
    if (best.member != nullptr && best_rank <= rank) continue;
    best = {&m, std::move(visible)};
    best_rank = rank;
  }
  return best;
}

// How many of the search have an action; the property counts as two.
std::map<Action, int> Refinement::count_users() const {
  std::map<Action, int> users;
  for (const Action a : property_.alphabet()) users[a] += 2;
  for (const Member& m : members_)
    if (m.blocks)
      for (const Action a : m.component->alphabet()) ++users[a];
  return users;
}

bool Refinement::refine(const Choice& choice, Word word, const SearchResult& result) {
  Member& member = *choice.member;
  if (!member.blocks) member.blocks.emplace(*member.component, context_.budget);
  if (!context_.budget.go_on()) return false;
  const auto before = member.blocks->size();
  const bool done = member.blocks->exclude(word, choice.visible, context_.budget);
  member.abstraction = member.blocks->lts();
  const auto index = static_cast<std::size_t>(&member - members_.data());
  context_.tell(told::Refined{goal_.name(index), before, member.blocks->size(), word});
  context_.cost.record({static_cast<int>(index) + 1, member.blocks->size(), 1, result.states, result.transitions,
                        "too weak", Trace(word.begin(), word.end())});
  return done;
}

// The word with the silent steps that the components need for it.
Trace Refinement::whole_trace(const Trace& word) const {
  std::vector<LocalTrace> locals{{word, Alphabet(word)}};
  for (const Member& m : members_) locals.push_back({path_of(*m.component, word), m.component->alphabet()});
  Merged merged = merge(std::move(locals));
  check(merged.stuck.empty(), "components that all can do a word do not agree on it");
  return std::move(merged.trace);
}

Certificate Refinement::certificate() const {
  Certificate out{Method::cegar, {}, {}};
  for (const Member& m : members_)
    out.assumptions.push_back(m.blocks ? m.abstraction : universal_lts(m.component->alphabet()));
  return out;
}

}  // namespace

Verdict prove_cegar(const ProofGoal& goal, const Context& context) { return Refinement(goal, context).run(); }

}  // namespace surety
