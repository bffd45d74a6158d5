#include "learn/lstar.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace surety {

void LStar::fill(Row& row, Word word, Word letter) {
  if (row.node == kNone) row.node = ask_(word, letter) ? 0 : kSink;
  if (row.node == kSink) return;
  while (row.columns < suffixes_.size()) tree_.extend(row, ask_(word, letter, suffixes_[row.columns]));
  state_of_.resize(std::max(state_of_.size(), tree_.size()), kNone);
}

void LStar::close() {
  if (rows_.empty()) rows_.push_back({0, 0});  // of the empty word
  for (std::uint32_t s = 0; s < access_.size(); ++s) {
    fill(rows_[s], access_[s], {});
    state_of_[rows_[s].node] = s;
  }
  for (std::uint32_t s = 0; s < access_.size() && !teacher_.stopped(); ++s) {
    next_rows_.resize(next_.size());
    for (std::uint32_t letter = 0; letter < letters_; ++letter) {
      Row& row = next_rows_[place(s, letter)];
      fill(row, access_[s], action(letter));
      if (row.node != kSink && state_of_[row.node] == kNone) {
        state_of_[row.node] = add_state(concat(access_[s], action(letter)));
        rows_.push_back(row);
      }
      next_[place(s, letter)] = row.node == kSink ? kSink : state_of_[row.node];
    }
  }
}

void LStar::split(Word w, bool truth) {
  const auto wrong = wrong_step(run(w), w, truth);
  if (teacher_.stopped()) return;
  Trace suffix(wrong.rest.begin(), wrong.rest.end());
  check(std::find(suffixes_.begin(), suffixes_.end(), suffix) == suffixes_.end(), "L* found no new suffix");
  suffixes_.push_back(std::move(suffix));
  close();
}

}  // namespace surety
