#include "learn/conformance.hpp"

#include <algorithm>

#include "learn/cover.hpp"

namespace surety {
namespace {

class Tester {
 public:
  Tester(const Lts& hypothesis, Teacher& teacher, Budget& budget)
      : dfa_(hypothesis, teacher.alphabet()), tests_(test_words(dfa_)), teacher_(teacher), budget_(budget) {}

  std::uint32_t classes() const { return tests_.classes; }

  // Tests cover x (this many letters) x set.
  std::optional<Trace> test(std::uint64_t middle) {
    reached_ = false;
    for (const Trace& start : tests_.cover) {
      word_ = start;
      if (differs(dfa_.run(dfa_.initial(), start), middle)) return word_;
      if (!go_on_) break;
    }
    return std::nullopt;
  }
  bool go_on() const { return go_on_ && reached_; }  // longer words can still differ

 private:
  // Leaves the word on which they differ in word_.
  bool differs(std::uint32_t state, std::uint64_t middle) {
    const bool truth = teacher_.member(word_);
    if (!(go_on_ = budget_.go_on())) return false;
    if (truth != (state != kSink)) return true;
    if (!truth) return false;  // and so are all extensions, on both sides
    if (middle == 0) return differs_at_the_end(state);
    for (std::uint32_t letter = 0; letter < dfa_.letters().size() && go_on_; ++letter) {
      word_.push_back(dfa_.letters()[letter]);
      if (differs(dfa_.next(state, letter), middle - 1)) return true;
      word_.pop_back();
    }
    return false;
  }

  bool differs_at_the_end(std::uint32_t state) {
    reached_ = true;
    const auto length = word_.size();
    for (const Trace& end : tests_.characterising) {
      word_.insert(word_.end(), end.begin(), end.end());
      const bool truth = teacher_.member(word_);
      if (!(go_on_ = budget_.go_on())) return false;
      if (truth != (dfa_.run(state, end) != kSink)) return true;
      word_.resize(length);
    }
    return false;
  }

  Dfa dfa_;
  TestWords tests_;
  Teacher& teacher_;
  Budget& budget_;
  Trace word_;
  bool go_on_ = true;
  bool reached_ = true;  // some word of the last test is in the language with all its letters in the middle
};

}  // namespace

std::optional<Trace> find_nonconformance(const Lts& hypothesis, Teacher& teacher, std::uint64_t max_states,
                                         Budget& budget) {
  Tester tester(hypothesis, teacher, budget);
  const std::uint64_t more = std::max<std::uint64_t>(max_states, tester.classes()) - tester.classes();
  for (std::uint64_t middle = 0; middle <= more && tester.go_on(); ++middle)
    if (auto word = tester.test(middle)) return word;
  return std::nullopt;
}

}  // namespace surety
