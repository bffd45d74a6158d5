#include "rules/refuting.hpp"

#include <algorithm>

namespace surety {
namespace {

ConstraintSet joined(ConstraintSet a, const ConstraintSet& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// As in QuickXplain (Junker 2004): what is needed of the second half, given the first, then of the first.
ConstraintSet needed_of(const ConstraintSet& fixed, bool changed, const ConstraintSet& some, const Refutes& refutes,
                        Budget& budget) {
  if (changed && refutes(fixed)) return {};
  if (some.size() <= 1 || !budget.go_on()) return some;
  const auto middle = some.begin() + static_cast<std::ptrdiff_t>(some.size() / 2);
  const ConstraintSet first(some.begin(), middle), second(middle, some.end());
  const ConstraintSet of_second = needed_of(joined(fixed, first), true, second, refutes, budget);
  const ConstraintSet of_first = needed_of(joined(fixed, of_second), !of_second.empty(), first, refutes, budget);
  return joined(of_first, of_second);
}

}  // namespace

bool contains(const ConstraintSet& set, std::size_t constraint) {
  return std::ranges::find(set, constraint) != set.end();
}

std::optional<std::size_t> refuting(const ConstraintSet& candidates, const ConstraintSet& constraints,
                                    const Refutes& refutes) {
  for (const std::size_t c : candidates)
    if (!contains(constraints, c) && refutes(joined(constraints, {c}))) return c;
  return std::nullopt;
}

ConstraintSet refuting_together(const ConstraintSet& candidates, const ConstraintSet& constraints,
                                const Refutes& refutes, Budget& budget) {
  ConstraintSet others;
  for (const std::size_t c : candidates)
    if (!contains(constraints, c)) others.push_back(c);
  if (others.empty() || !refutes(joined(constraints, others))) return {};
  return needed_of(constraints, false, others, refutes, budget);
}

ConstraintSet candidates_for(const FlowSystem& system, const Lts& property) {
  ConstraintSet out;
  for (std::size_t c = 0; c < system.constraints.size(); ++c)
    if (!system.constraints[c].given) out.push_back(c);
  const auto shared = [](const Lts& a, const Lts& b) { return intersect(a.alphabet(), b.alphabet()).size(); };
  std::vector<std::size_t> letters;  // of the property, by constraint
  for (const FlowConstraint& constraint : system.constraints) {
    std::size_t most = shared(*constraint.lts, property);
    for (const FlowConstraint& other : system.constraints)
      if (!constraint.task && other.task && shared(*constraint.lts, *other.lts) > 0)
        most = std::max(most, shared(*other.lts, property));
    letters.push_back(most);
  }
  std::ranges::stable_sort(out, std::greater(), [&](std::size_t c) { return letters[c]; });
  return out;
}

}  // namespace surety
