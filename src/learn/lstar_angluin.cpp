#include "learn/lstar_angluin.hpp"

#include <utility>

namespace surety {

void LStarAngluin::begin() {
  if (std::exchange(begun_, true) || !ask_({})) return;  // the empty language has no rows
  add({}, {0, 0});
  settle();
}

void LStarAngluin::add(Trace word, Row row) {
  words_.push_back(std::move(word));
  rows_.push_back(row);
  next_.resize(next_.size() + letters_);
}

void LStarAngluin::add_next(std::uint32_t s, std::uint32_t letter) {
  next(s, letter).place = static_cast<std::uint32_t>(words_.size());
  add(concat(words_[s], action(letter)), next(s, letter).row);
}

void LStarAngluin::fill(Row& row, Word word, Word letter) {
  if (row.node == kNone) row.node = ask_(word, letter) ? 0 : kSink;
  if (row.node == kSink) return;
  while (row.columns < suffixes_.size()) tree_.extend(row, ask_(word, letter, suffixes_[row.columns]));
}

bool LStarAngluin::fill_and_close() {
  for (std::uint32_t s = 0; s < words_.size(); ++s) {
    fill(rows_[s], words_[s], {});
    for (std::uint32_t letter = 0; letter < letters_; ++letter) fill(next(s, letter).row, words_[s], action(letter));
    if (teacher_.stopped()) return false;
  }
  first_.assign(tree_.size(), kNone);
  for (std::uint32_t s = 0; s < words_.size(); ++s)
    if (auto& first = first_[rows_[s].node]; first == kNone) first = s;
  bool added = false;
  for (std::uint32_t s = 0, end = static_cast<std::uint32_t>(words_.size()); s < end; ++s)
    for (std::uint32_t letter = 0; letter < letters_; ++letter) {
      const auto node = next(s, letter).row.node;
      if (node == kSink || first_[node] != kNone) continue;
      first_[node] = static_cast<std::uint32_t>(words_.size());
      add_next(s, letter);
      added = true;
    }
  return added;
}

bool LStarAngluin::make_consistent() {
  for (std::uint32_t s = 0; s < words_.size(); ++s) {
    const auto first = first_[rows_[s].node];
    for (std::uint32_t letter = 0; letter < letters_; ++letter) {
      const Row a = next(s, letter).row, b = next(first, letter).row;
      if (a.node == b.node) continue;
      const bool by_empty_word = a.node == kSink || b.node == kSink;
      suffixes_.push_back(concat(action(letter), by_empty_word ? Word{} : suffixes_[tree_.difference(a, b)]));
      return true;
    }
  }
  return false;
}

void LStarAngluin::settle() {
  while (!teacher_.stopped() && (fill_and_close() || (!teacher_.stopped() && make_consistent()))) {
  }
}

const Lts& LStarAngluin::hypothesis() {
  begin();
  if (teacher_.stopped()) return hypothesis_;  // the table is not closed
  std::vector<std::uint32_t> number(words_.size(), kNone), table;
  std::uint32_t states = 0;
  for (std::uint32_t s = 0; s < words_.size(); ++s)
    if (first_[rows_[s].node] == s) number[s] = states++;
  for (std::uint32_t s = 0; s < words_.size(); ++s)
    for (std::uint32_t letter = 0; letter < letters_ && number[s] != kNone; ++letter) {
      const auto node = next(s, letter).row.node;
      table.push_back(node == kSink ? kSink : number[first_[node]]);
    }
  hypothesis_ = to_lts(teacher_.alphabet(), table, states);
  return hypothesis_;
}

void LStarAngluin::refine(Word w) {
  begin();
  if (words_.empty()) return;
  std::uint32_t s = 0;
  for (std::size_t i = 0; i < w.size() && ask_(w.first(i + 1)) && !teacher_.stopped(); ++i) {
    const auto letter = *teacher_.alphabet().index(w[i]);
    if (next(s, letter).place == kNone) {
      fill(next(s, letter).row, words_[s], action(letter));
      add_next(s, letter);
    }
    s = next(s, letter).place;
  }
  settle();
}

}  // namespace surety
