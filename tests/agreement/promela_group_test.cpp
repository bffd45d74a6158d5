// Random programs with their variables apart and in one component with their users: the same whole.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "agreement/promela_programs.hpp"
#include "lang/promela/network/network.hpp"
#include "model/transform.hpp"
#include "product/compose.hpp"

namespace surety {
namespace {

struct Sizes {
  std::uint64_t states, steps;
  friend auto operator<=>(const Sizes&, const Sizes&) = default;
};

std::ostream& operator<<(std::ostream& out, const Sizes& s) { return out << s.states << " / " << s.steps; }

std::optional<Sizes> whole(Network network, bool errors) {
  Limits limits;
  limits.states = 20'000;
  Budget budget(limits);
  std::vector<const Lts*> parts;
  for (Component& c : network.components) {
    if (!errors) c.lts = without_error(c.lts);
    parts.push_back(&c.lts);
  }
  const auto lts = compose(parts, budget);
  return lts ? std::optional(Sizes{lts->state_count(), lts->transition_count()}) : std::nullopt;
}

TEST(PromelaGroupAgreement, RandomProgramsHaveTheSameStatesAndSteps) {
  int compared = 0, grouped = 0, several = 0;
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    const std::string text = random_promela(seed);
    const auto file = read_promela(text, "random.pml");
    if (!file) continue;
    ActionTable actions;
    Budget budget;
    const auto before = promela_network(*file, actions, budget, {.group = false});
    const auto after = promela_network(*file, actions, budget);
    ASSERT_EQ(before.has_value(), after.has_value()) << text;
    if (!before) continue;
    ASSERT_EQ(alphabet_of(before->network), alphabet_of(after->network)) << text;
    for (const bool errors : {true, false}) {
      const auto sizes = whole(before->network, errors);
      if (!sizes) continue;
      ASSERT_EQ(sizes, whole(after->network, errors)) << "seed " << seed << "\n" << text;
      ++compared;
    }
    ASSERT_EQ(whole(with_ends(*before, actions), true), whole(with_ends(*after, actions), true)) << text;
    grouped += after->network.components.size() < before->network.components.size();
    for (const Component& c : after->network.components) several += c.name.find('+') != std::string::npos;
  }
  fmt::print("{} products compared, groups in {} programs, {} of several processes\n", compared, grouped, several);
  EXPECT_GT(compared, 600);
  EXPECT_GT(grouped, 50);
  EXPECT_GT(several, 0);
}

}  // namespace
}  // namespace surety
