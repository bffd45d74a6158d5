#include "model/lts.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"

namespace surety {
namespace {

std::uint64_t key(const Step& step) { return std::uint64_t{step.action.value} << 32 | step.target.value; }

// Sorts the steps from `row` on, of one state, and drops repetitions. Returns where they end now. Most states
// have few steps, half in order: these are moved into place one by one.
Step* tidy(Step* row, Step* end) {
  constexpr std::ptrdiff_t kFew = 32;
  if (end - row > kFew)
    std::sort(row, end, [](const Step& a, const Step& b) { return key(a) < key(b); });
  else
    for (Step* i = row; i < end; ++i) {
      const Step step = *i;
      Step* to = i;
      for (; to > row && key(to[-1]) > key(step); --to) *to = to[-1];
      *to = step;
    }
  return std::unique(row, end, [](const Step& a, const Step& b) { return key(a) == key(b); });
}

void check_marks(const Lts& lts) {
  check(!lts.error() || lts.error() != lts.end(), "a state is both error and end");
  for (const auto& special : {lts.error(), lts.end()})
    check(!special || (special->value < lts.state_count() && lts.steps(*special).empty()),
          "error and end states have no steps");
}

}  // namespace

std::span<const Step> Lts::steps(State s, Action a) const {
  const auto all = steps(s);
  const auto begin = std::lower_bound(all.begin(), all.end(), Step{a, State{0}});
  auto end = begin;
  while (end != all.end() && end->action == a) ++end;
  return {begin, end};
}

Lts LtsBuilder::build() {
  Lts::Rows rows;
  rows.error = error_;
  rows.end = end_;

  // A counting sort by source, in place of a comparison sort of everything.
  rows.first = BigArray<std::uint64_t>(states_ + 1ULL);
  for (const auto& raw : raw_) {
    check(raw.from.value < states_ && raw.step.target.value < states_, "a step leaves the states of its LTS");
    ++rows.first[raw.from.value + 1ULL];
  }
  for (std::size_t s = 0; s < states_; ++s) rows.first[s + 1] += rows.first[s];
  rows.steps = BigArray<Step>(raw_.size());
  auto place = rows.first;
  for (const auto& raw : raw_) rows.steps[place[raw.from.value]++] = raw.step;
  raw_ = {};
  place = {};

  // Then each state's few steps are sorted and repetitions dropped.
  std::uint64_t kept = 0;
  std::uint64_t begin = 0;
  for (std::size_t s = 0; s < states_; ++s) {
    const std::uint64_t end = rows.first[s + 1];
    Step* const row = rows.steps.data() + begin;
    Step* const row_end = tidy(row, rows.steps.data() + end);
    if (kept != begin) std::copy(row, row_end, rows.steps.data() + kept);
    kept += static_cast<std::uint64_t>(row_end - row);
    rows.first[s + 1] = kept;
    begin = end;
  }
  rows.steps.truncate(kept);

  // The alphabet: every action is looked at once per step, so mark instead of sorting.
  std::vector<bool> seen;
  auto note = [&](Action a) {
    if (seen.size() <= a.value) seen.resize(a.value + 1ULL, false);
    if (!seen[a.value]) seen[a.value] = true;
  };
  for (const Step& step : rows.steps) note(step.action);
  for (const Action a : extra_) note(a);
  std::vector<Action> alphabet;
  for (std::uint32_t a = 1; a < seen.size(); ++a)
    if (seen[a]) alphabet.push_back(Action{a});
  rows.alphabet = Alphabet(std::move(alphabet));

  Lts lts(std::move(rows));
  check_marks(lts);
  *this = LtsBuilder();
  return lts;
}

void LtsWriter::reserve(std::uint64_t states, std::uint64_t steps) {
  rows_.first.reserve(states + 1);
  rows_.steps.reserve(steps);
}

void LtsWriter::end_state() {
  if (rows_.first.empty()) rows_.first.push_back(0);
  Step* const all = rows_.steps.data();
  const Step* const end = tidy(all + rows_.first.back(), all + rows_.steps.size());
  rows_.steps.truncate(static_cast<std::size_t>(end - all));
  rows_.first.push_back(rows_.steps.size());
}

std::uint64_t LtsWriter::bytes() const {
  return rows_.first.size() * sizeof(rows_.first[0]) + rows_.steps.size() * sizeof(Step);
}

Lts LtsWriter::build(const Alphabet& alphabet, std::optional<State> error, std::optional<State> end) {
  rows_.alphabet = alphabet;
  rows_.error = error;
  rows_.end = end;
  Lts lts(std::exchange(rows_, {}));
  const auto ended = [&](const Step& step) { return step.target.value < lts.state_count(); };
  check(std::ranges::all_of(lts.rows_->steps, ended), "a step leaves the states of its LTS");
  check_marks(lts);
  return lts;
}

bool is_deterministic(const Lts& lts) {
  for (std::uint32_t s = 0; s < lts.state_count(); ++s) {
    const auto steps = lts.steps(State{s});
    for (std::size_t i = 0; i < steps.size(); ++i)
      if (steps[i].action == kTau || (i > 0 && steps[i].action == steps[i - 1].action)) return false;
  }
  return true;
}

}  // namespace surety
