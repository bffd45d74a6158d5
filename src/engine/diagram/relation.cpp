#include "engine/diagram/relation.hpp"

#include <algorithm>

namespace surety {
namespace {

// Following events together can need more nodes than there are sets of events worth following. From here on
// each is followed by itself.
constexpr std::size_t kGroupUpTo = 50'000;

}  // namespace

std::span<const Relations::Move> Relations::moves(Relation r, std::uint32_t from) const {
  const Node& node = nodes_[r];
  const Row* first = rows_.data() + node.first_row;
  const Row* last = first + node.rows;
  // Most relations have a row for nearly every local state, so the place is a good guess.
  const Row* row = from < node.rows && first[from].from == from
                       ? first + from
                       : std::lower_bound(first, last, from, [](const Row& x, std::uint32_t f) { return x.from < f; });
  if (row == last || row->from != from) return {};
  return {moves_.data() + row->begin, moves_.data() + row->end};
}

Relations::Suffix Relations::intern(const Event& event) {
  Suffix rest = 0;
  for (auto part = event.rbegin(); part != event.rend(); ++part) {
    const auto [steps, new_steps] = step_numbers_.try_emplace(part->steps, static_cast<std::uint32_t>(steps_.size()));
    if (new_steps) steps_.push_back(&steps->first);
    const auto [suffix, fresh] =
        suffix_numbers_.try_emplace({part->level, steps->second, rest}, static_cast<Suffix>(suffixes_.size()));
    if (fresh) suffixes_.push_back({part->level, steps->second, rest});
    rest = suffix->second;
  }
  return rest;
}

Relation Relations::unite(const std::vector<Event>& events) {
  std::vector<Suffix> suffixes;
  for (const Event& event : events)
    if (std::none_of(event.begin(), event.end(), [](const EventPart& part) { return part.steps.empty(); }))
      if (const Suffix s = intern(event); s != 0) suffixes.push_back(s);
  std::sort(suffixes.begin(), suffixes.end());
  suffixes.erase(std::unique(suffixes.begin(), suffixes.end()), suffixes.end());
  // By highest level, lowest first: a chain of skips, made in a loop because it may be long.
  std::stable_sort(suffixes.begin(), suffixes.end(),
                   [&](Suffix a, Suffix b) { return suffixes_[a].level < suffixes_[b].level; });
  Relation chain = kNothing;
  for (std::size_t i = 0, j = 0; i < suffixes.size(); i = j) {
    std::vector<Suffix> touching;
    for (; j < suffixes.size() && suffixes_[suffixes[j]].level == suffixes_[suffixes[i]].level; ++j)
      touching.push_back(suffixes[j]);
    add_moves(suffixes_[suffixes[i]].level, chain, touching);
    chain = static_cast<Relation>(nodes_.size() - 1);
  }
  return chain;
}

Relation Relations::relation(std::vector<Suffix> suffixes) {
  if (suffixes.empty() || !budget_.go_on()) return kNothing;
  if (const auto known = known_.find(suffixes); known != known_.end()) return known->second;
  std::uint32_t level = 0;
  for (const Suffix s : suffixes) level = std::max(level, suffixes_[s].level);
  std::vector<Suffix> touching, others;
  for (const Suffix s : suffixes) (suffixes_[s].level == level ? touching : others).push_back(s);
  const Relation skip = relation(std::move(others));
  add_moves(level, skip, touching);
  const auto made = static_cast<Relation>(nodes_.size() - 1);
  known_.emplace(std::move(suffixes), made);
  if (!charge_.grow_to((nodes_.size() + rows_.size() + moves_.size()) * 32)) budget_.stop(Stop::memory);
  return made;
}

// Adds a node last.
void Relations::add_moves(std::uint32_t level, Relation skip, const std::vector<Suffix>& touching) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Suffix>> rests;  // of each local step
  for (const Suffix s : touching)
    for (const auto& step : *steps_[suffixes_[s].steps]) rests[step].push_back(suffixes_[s].rest);
  std::vector<std::pair<std::uint32_t, Move>> moves;
  for (auto& [step, suffixes] : rests) {
    std::sort(suffixes.begin(), suffixes.end());
    suffixes.erase(std::unique(suffixes.begin(), suffixes.end()), suffixes.end());
    const auto [from, to] = step;
    if (suffixes.front() == 0) {
      moves.push_back({from, {to, kIdentity}});
      suffixes.erase(suffixes.begin());
    }
    if (nodes_.size() < kGroupUpTo) {
      if (const Relation rest = relation(suffixes); rest != kNothing) moves.push_back({from, {to, rest}});
    } else {
      for (const Suffix s : suffixes)
        if (const Relation rest = relation({s}); rest != kNothing) moves.push_back({from, {to, rest}});
    }
  }
  // Those with the same rest side by side: what they have in common is then still in the cache.
  std::sort(moves.begin(), moves.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.first, a.second.rest, a.second.target) < std::tuple(b.first, b.second.rest, b.second.target);
  });
  Node node{level, skip, static_cast<std::uint32_t>(rows_.size()), 0};
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (i == 0 || moves[i].first != moves[i - 1].first) {
      const auto at = static_cast<std::uint32_t>(moves_.size());
      rows_.push_back({moves[i].first, at, at});
      ++node.rows;
    }
    moves_.push_back(moves[i].second);
    ++rows_.back().end;
  }
  nodes_.push_back(node);
}

}  // namespace surety
