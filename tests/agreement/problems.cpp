#include "agreement/problems.hpp"

#include <string>

#include "reference/reference.hpp"

namespace surety {
namespace {

// Actions a b c belong to M1, c d e to M2, with some variation; f is nobody's.
Action letter(std::uint32_t i) { return reference::action(std::string(1, static_cast<char>('a' + i))); }

bool has_tau(const Lts& lts) {
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    if (!lts.steps(State{s}, kTau).empty()) return true;
  return false;
}

// An M2 that refuses everything.
Lts idle_environment(const Problem& p) {
  LtsBuilder builder;
  for (const auto& lts : p.m2) builder.add_to_alphabet(lts.alphabet());
  return builder.build();
}

}  // namespace

Lts Problems::component(std::uint32_t first, std::uint32_t last) {
  const std::uint32_t states = 3 + random_.below(4);
  LtsBuilder builder;
  builder.set_state_count(states);
  for (std::uint32_t a = first; a <= last; ++a) builder.add_to_alphabet({letter(a)});
  const bool silent = random_.chance(50);
  // A walk through all states first, so that most of them can be reached, then a few more steps.
  auto label = [&] { return silent && random_.chance(15) ? kTau : letter(first + random_.below(last - first + 1)); };
  for (std::uint32_t s = 1; s < states; ++s) builder.add_step(State{random_.below(s)}, label(), State{s});
  const std::uint32_t more = 2 + random_.below(states + 2);
  for (std::uint32_t i = 0; i < more; ++i)
    builder.add_step(State{random_.below(states)}, label(), State{random_.below(states)});
  return builder.build();
}

Lts Problems::property() {
  const std::uint32_t states = 1 + random_.below(3);
  std::vector<Action> watched;
  for (std::uint32_t a = 0; a < 6; ++a)
    if (random_.chance(a == 5 ? 3 : 45)) watched.push_back(letter(a));
  if (watched.empty()) watched.push_back(letter(0));
  LtsBuilder builder;
  builder.set_state_count(states);
  builder.add_to_alphabet(Alphabet(watched));
  for (std::uint32_t s = 0; s < states; ++s)
    for (const Action a : watched)
      if (random_.chance(65)) builder.add_step(State{s}, a, State{random_.below(states)});
  return builder.build();
}

Problem Problems::candidate() {
  Problem p;
  p.m1.push_back(component(0, 2));
  p.m2.push_back(component(2 - random_.below(2), 4));
  if (random_.chance(30)) p.m1.push_back(component(0, 3));
  if (random_.chance(30)) p.m2.push_back(component(3, 4));
  p.property = property();
  for (int i = 0; i < 3; ++i) p.more_properties.push_back(property());
  return p;
}

Problem Problems::next() {
  while (true) {
    Problem p = candidate();
    ++mix_.tried;
    if (!reference::shortest_violation(pointers(p.m1), p.property)) {
      ++mix_.trivial;
      continue;
    }
    if (random_.chance(90)) {
      const Lts idle = idle_environment(p);
      auto alone = pointers(p.m1);
      alone.push_back(&idle);
      if (reference::shortest_violation(alone, p.property)) {
        ++mix_.hopeless;
        continue;
      }
    }
    auto all = pointers(p.m1);
    for (const auto& lts : p.m2) all.push_back(&lts);
    const auto violation = reference::shortest_violation(all, p.property);
    p.holds = !violation;
    if (violation && violation->size() < 3) {
      ++mix_.shallow;
      continue;
    }
    if (mix_.kept[p.holds] > mix_.kept[!p.holds]) {
      ++mix_.surplus;
      continue;
    }
    ++mix_.kept[p.holds];
    bool tau = false, nondeterministic = false;
    Alphabet known;
    for (const Lts* lts : all) {
      tau |= has_tau(*lts);
      nondeterministic |= !is_deterministic(*lts);
      known = unite(known, lts->alphabet());
    }
    mix_.with_tau += tau;
    mix_.nondeterministic += nondeterministic;
    mix_.free_action += !subtract(p.property.alphabet(), known).empty();
    ++mix_.components[all.size()];
    return p;
  }
}

Network network_of(const Problem& problem) {
  Network network{"problem", {}};
  for (std::size_t i = 0; i < problem.m1.size(); ++i)
    network.components.push_back({"m1." + std::to_string(i), problem.m1[i]});
  for (std::size_t i = 0; i < problem.m2.size(); ++i)
    network.components.push_back({"m2." + std::to_string(i), problem.m2[i]});
  return network;
}

Split separate(const Problem& problem) {
  Split split;
  for (const auto& component : network_of(problem).components) split.push_back({component.name});
  return split;
}

Split split_of(const Problem& problem) {
  Split split(2);
  for (std::size_t i = 0; i < problem.m1.size(); ++i) split[0].push_back("m1." + std::to_string(i));
  for (std::size_t i = 0; i < problem.m2.size(); ++i) split[1].push_back("m2." + std::to_string(i));
  return split;
}

}  // namespace surety
