// Random assume-guarantee problems that are worth solving.
//
// Kept are only problems where M1 needs an assumption (alone, in an environment
// that does anything, it violates P), and whose violation, if there is one, takes
// three steps or more. Those that no assumption can save, because M1 violates P
// even if M2 does nothing, are kept one time in ten. Holding and violated problems
// come in equal numbers.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "model/verdict.hpp"

namespace surety {

struct Problem {
  std::vector<Lts> m1, m2;  // the components of each side
  Lts property;
  std::vector<Lts> more_properties;  // for rules that take a property per side: those of the second side and on
  bool holds = false;                // of the first property
};

struct Mix {
  std::uint64_t tried = 0, trivial = 0, hopeless = 0, shallow = 0, surplus = 0;
  std::array<std::uint64_t, 2> kept{};  // violated, holding
  std::uint64_t with_tau = 0, nondeterministic = 0, free_action = 0;
  std::array<std::uint64_t, 5> components{};  // how many problems have so many
};

class Problems {
 public:
  explicit Problems(std::uint64_t seed) : random_(seed) {}
  Problem next();
  const Mix& mix() const { return mix_; }

 private:
  Problem candidate();
  Lts component(std::uint32_t first_action, std::uint32_t last_action);
  Lts property();

  Random random_;
  Mix mix_;
};

inline std::vector<const Lts*> pointers(const std::vector<Lts>& group) {
  std::vector<const Lts*> out;
  for (const auto& lts : group) out.push_back(&lts);
  return out;
}

// m1.0, m1.1, ..., m2.0, ...
Network network_of(const Problem& problem);
Split split_of(const Problem& problem);  // m1 and m2
Split separate(const Problem& problem);  // every component for itself

}  // namespace surety
