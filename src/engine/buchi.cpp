#include "engine/buchi.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "engine/components.hpp"

namespace surety {
namespace {

using Op = NormalForm::Op;
using Number = NormalForm::Number;
using Set = std::vector<Number>;  // ascending

constexpr std::size_t kMostUntils = 63;  // one bit of the marks is left to searches
constexpr std::size_t kMostBranches = 4096;
constexpr std::size_t kMostRows = 1 << 20;  // states times letters

// One way for an event to be as required: what must hold from the next event on, and what was put off.
struct Branch {
  Set must;
  std::uint64_t postponed = 0;
  bool may_end = true;  // whether the run may end with this event
  bool asks_no_more_than(const Branch& other) const {
    return (postponed & ~other.postponed) == 0 && (may_end || !other.may_end) &&
           std::ranges::includes(other.must, must);
  }
};
using Branches = std::vector<Branch>;  // none: it cannot be

struct Place {  // a state while the automaton is built
  Set must;
  bool may_end = false;
  friend auto operator<=>(const Place&, const Place&) = default;
};

using Rows = std::vector<std::vector<Buchi::Edge>>;  // by state and letter

}  // namespace

class BuchiBuilder {
 public:
  BuchiBuilder(const NormalForm& form, const std::vector<Letter>& letters, Budget& budget)
      : form_(form), letters_(letters), budget_(budget), until_bit_(form.nodes.size(), 0) {}
  std::optional<Buchi> run();

 private:
  bool number_untils();
  void reach(Rows& rows);
  const Branches& after(Number f, std::uint32_t letter);
  Branches make_after(Number f, std::uint32_t letter);
  Branches both(const Branches& a, const Branches& b);
  void either(Branches& all, Branch more);
  std::uint32_t number_of(Place place);
  Buchi assemble(const Rows& rows, const std::vector<std::uint32_t>& class_of) const;
  std::vector<bool> useful(const Rows& rows);
  std::vector<std::uint32_t> bisimulation(const Rows& rows) const;

  const NormalForm& form_;
  const std::vector<Letter>& letters_;
  Budget& budget_;
  std::vector<std::uint64_t> until_bit_;  // by node
  std::uint64_t all_marks_ = 0;
  std::unordered_map<std::uint64_t, Branches> after_;  // by letter and node: what after() has answered
  bool too_large_ = false;
  std::map<Place, std::uint32_t> numbers_;
  std::vector<Place> places_;
};

bool BuchiBuilder::number_untils() {
  std::size_t untils = 0;
  for (std::size_t f = 0; f < form_.nodes.size(); ++f) {
    if (form_.nodes[f].op != Op::until) continue;
    if (untils == kMostUntils) return false;
    until_bit_[f] = 1ULL << untils++;
    all_marks_ |= until_bit_[f];
  }
  return true;
}

const Branches& BuchiBuilder::after(Number f, std::uint32_t letter) {
  const std::uint64_t key = static_cast<std::uint64_t>(letter) << 32 | f;
  if (const auto it = after_.find(key); it != after_.end()) return it->second;
  Branches made = make_after(f, letter);
  return after_.emplace(key, std::move(made)).first->second;
}

// What f becomes when this letter happens.
Branches BuchiBuilder::make_after(Number f, std::uint32_t letter) {
  const NormalForm::Node& node = form_.nodes[f];
  const auto truth = [](bool value) { return value ? Branches{{}} : Branches{}; };
  switch (node.op) {
    case Op::constant: return truth(node.positive);
    case Op::literal: return truth(letters_[letter][node.atom] == node.positive);
    case Op::next: return {{{node.operands[0]}, 0, !node.positive}};
    case Op::both: {
      Branches all{{}};
      for (const Number g : node.operands) all = both(all, after(g, letter));
      return all;
    }
    case Op::either: {
      Branches any;
      for (const Number g : node.operands)
        for (const Branch& branch : after(g, letter)) either(any, branch);
      return any;
    }
    case Op::until:
    case Op::weak_until: {
      const bool strong = node.op == Op::until;
      Branches any = after(node.operands[1], letter);
      for (Branch& later : both(after(node.operands[0], letter), {{{f}, until_bit_[f], !strong}})) either(any, later);
      return any;
    }
  }
  return {};
}

Branches BuchiBuilder::both(const Branches& a, const Branches& b) {
  Branches out;
  for (const Branch& x : a)
    for (const Branch& y : b) {
      if (too_large_) return {};
      Branch sum{{}, x.postponed | y.postponed, x.may_end && y.may_end};
      std::ranges::set_union(x.must, y.must, std::back_inserter(sum.must));
      either(out, std::move(sum));
    }
  return out;
}

void BuchiBuilder::either(Branches& all, Branch more) {
  if (std::ranges::any_of(all, [&](const Branch& b) { return b.asks_no_more_than(more); })) return;
  std::erase_if(all, [&](const Branch& b) { return more.asks_no_more_than(b); });
  all.push_back(std::move(more));
  too_large_ = too_large_ || all.size() > kMostBranches;
}

std::uint32_t BuchiBuilder::number_of(Place place) {
  const auto [it, is_new] = numbers_.try_emplace(place, static_cast<std::uint32_t>(places_.size()));
  if (is_new) places_.push_back(std::move(place));
  return it->second;
}

void BuchiBuilder::reach(Rows& rows) {
  number_of({form_.nodes[form_.root].op == Op::constant && form_.nodes[form_.root].positive ? Set{} : Set{form_.root},
             holds_on_nothing(form_)});
  for (std::size_t q = 0; q < places_.size(); ++q)
    for (std::uint32_t letter = 0; letter < letters_.size(); ++letter) {
      too_large_ = too_large_ || rows.size() > kMostRows;
      if (too_large_ || !budget_.go_on()) return;
      const Set must = places_[q].must;
      Branches all{{}};
      for (const Number f : must) all = both(all, after(f, letter));
      auto& row = rows.emplace_back();
      for (Branch& branch : all)
        row.push_back({number_of({std::move(branch.must), branch.may_end}), all_marks_ & ~branch.postponed});
    }
}

// From which states a run can be accepted at all, if every letter may always come.
std::vector<bool> BuchiBuilder::useful(const Rows& rows) {
  struct Net {
    const Rows& rows;
    std::uint32_t letters, states;
    std::uint32_t size() const { return states; }
    bool next(std::uint32_t q, std::uint64_t& cursor, Arc& arc) const {  // the letter above, the edge below
      for (; cursor >> 32 < letters; cursor = ((cursor >> 32) + 1) << 32) {
        const auto& row = rows[static_cast<std::size_t>(q) * letters + (cursor >> 32)];
        if ((cursor & UINT32_MAX) >= row.size()) continue;
        const Buchi::Edge& edge = row[cursor++ & UINT32_MAX];
        arc = {edge.target, kTau, edge.marks};
        return true;
      }
      return false;
    }
  };
  const Net net{rows, static_cast<std::uint32_t>(letters_.size()), static_cast<std::uint32_t>(places_.size())};
  const auto components = strong_components(
      net, [](std::uint32_t) { return true; }, budget_);
  std::vector<bool> good(places_.size(), true);
  if (!components) return good;
  struct Inside {
    bool arcs = false;
    std::uint64_t marks = 0;
  };
  std::vector<Inside> inside(components->count);
  std::vector<bool> accepts(components->count, false);
  std::vector<std::vector<std::uint32_t>> members(components->count);
  for (std::uint32_t q = 0; q < places_.size(); ++q) members[components->of[q]].push_back(q);
  for (std::uint32_t c = 0; c < components->count; ++c) {  // sinks first, so what follows is known
    for (const std::uint32_t q : members[c]) {
      if (places_[q].may_end) accepts[c] = true;
      Arc arc;
      for (std::uint64_t cursor = 0; net.next(q, cursor, arc);) {
        const std::uint32_t to = components->of[arc.target];
        if (to != c && accepts[to]) accepts[c] = true;
        if (to == c) inside[c] = {true, inside[c].marks | arc.marks};
      }
    }
    if (inside[c].arcs && inside[c].marks == all_marks_) accepts[c] = true;
  }
  for (std::uint32_t q = 0; q < places_.size(); ++q) good[q] = accepts[components->of[q]];
  return good;
}

// Classes of states with the same future, by refinement until nothing changes.
std::vector<std::uint32_t> BuchiBuilder::bisimulation(const Rows& rows) const {
  using Signature = std::vector<std::uint64_t>;
  std::vector<std::uint32_t> class_of(places_.size(), 0);
  for (std::size_t classes = 0;;) {
    std::map<Signature, std::uint32_t> seen;
    std::vector<std::uint32_t> finer(places_.size());
    for (std::size_t q = 0; q < places_.size(); ++q) {
      Signature signature{class_of[q], places_[q].may_end, places_[q].must.empty()};
      for (std::size_t letter = 0; letter < letters_.size(); ++letter) {
        std::vector<std::pair<std::uint64_t, std::uint64_t>> edges;
        for (const auto& edge : rows[q * letters_.size() + letter])
          edges.emplace_back(class_of[edge.target], edge.marks);
        std::ranges::sort(edges);
        edges.erase(std::ranges::unique(edges).begin(), edges.end());
        signature.push_back(edges.size());
        for (const auto& [target, marks] : edges) signature.insert(signature.end(), {target, marks});
      }
      finer[q] = seen.try_emplace(std::move(signature), static_cast<std::uint32_t>(seen.size())).first->second;
    }
    class_of = std::move(finer);
    if (seen.size() == classes) return class_of;
    classes = seen.size();
  }
}

// The first state of a class speaks for it. Classes are numbered in order of their first states.
Buchi BuchiBuilder::assemble(const Rows& rows, const std::vector<std::uint32_t>& class_of) const {
  Buchi out;
  out.letters_ = static_cast<std::uint32_t>(letters_.size());
  out.all_marks_ = all_marks_;
  out.first_.push_back(0);
  for (std::size_t q = 0; q < places_.size(); ++q) {
    if (class_of[q] != out.size()) continue;
    out.may_end_.push_back(places_[q].may_end);
    out.accepts_all_.push_back(places_[q].must.empty() && places_[q].may_end);
    for (std::size_t letter = 0; letter < letters_.size(); ++letter) {
      std::vector<Buchi::Edge> edges;
      for (auto edge : rows[q * letters_.size() + letter]) {
        edge.target = class_of[edge.target];
        // Of two edges to one state, one with all the marks of the other is enough.
        const auto covers = [](const Buchi::Edge& more, const Buchi::Edge& less) {
          return more.target == less.target && (less.marks & ~more.marks) == 0;
        };
        if (std::ranges::any_of(edges, [&](const auto& e) { return covers(e, edge); })) continue;
        std::erase_if(edges, [&](const auto& e) { return covers(edge, e); });
        edges.push_back(edge);
      }
      std::ranges::sort(edges);
      out.edges_.insert(out.edges_.end(), edges.begin(), edges.end());
      out.first_.push_back(out.edges_.size());
    }
  }
  return out;
}

std::optional<Buchi> BuchiBuilder::run() {
  Rows rows;
  if (!number_untils()) return std::nullopt;
  reach(rows);
  if (too_large_ || !budget_.go_on()) return std::nullopt;
  const std::vector<bool> good = useful(rows);
  for (auto& row : rows) std::erase_if(row, [&](const auto& edge) { return !good[edge.target]; });
  auto classes = bisimulation(rows);
  if (!budget_.go_on()) return std::nullopt;
  return assemble(rows, classes);
}

std::optional<Buchi> Buchi::build(const NormalForm& form, const std::vector<Letter>& letters, Budget& budget) {
  return BuchiBuilder(form, letters, budget).run();
}

}  // namespace surety
