// Languages and teachers for the tests of learners. Plain tables and searches; nothing of src/learn but its interface.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <set>

#include "base/random.hpp"
#include "learn/teacher.hpp"
#include "model/lts.hpp"
#include "model/transform.hpp"
#include "reference/reference.hpp"

namespace surety::test {

// A deterministic LTS, walked by name; -1: outside the language.
class Language {
 public:
  Language(const Lts& lts, Alphabet alphabet) : alphabet_(std::move(alphabet)), start_(lts.state_count() > 0 ? 0 : -1) {
    for (std::uint32_t s = 0; s < lts.state_count(); ++s)
      for (const Step& step : lts.steps(State{s}))
        next_[{static_cast<int>(s), step.action}] = static_cast<int>(step.target.value);
  }
  int start() const { return start_; }
  int next(int s, Action a) const {
    const auto it = next_.find({s, a});
    return it == next_.end() ? -1 : it->second;
  }
  bool has(Word word) const {
    int s = start_;
    for (const Action a : word) s = next(s, a);
    return s != -1;
  }
  const Alphabet& alphabet() const { return alphabet_; }

 private:
  Alphabet alphabet_;
  int start_;
  std::map<std::pair<int, Action>, int> next_;
};

// A shortest word after `from` (states of the two languages) that only one of them has.
inline std::optional<Trace> shortest_difference(const Language& x, const Language& y, std::pair<int, int> from) {
  std::map<std::pair<int, int>, Trace> seen{{from, {}}};
  std::deque<std::pair<int, int>> queue{from};
  while (!queue.empty()) {
    const auto at = queue.front();
    queue.pop_front();
    const Trace word = seen.at(at);
    if ((at.first == -1) != (at.second == -1)) return word;
    for (const Action a : x.alphabet()) {
      const std::pair<int, int> to{x.next(at.first, a), y.next(at.second, a)};
      Trace longer = word;
      longer.push_back(a);
      if (seen.emplace(to, longer).second) queue.push_back(to);
    }
  }
  return std::nullopt;
}
inline std::optional<Trace> shortest_difference(const Language& x, const Language& y) {
  return shortest_difference(x, y, {x.start(), y.start()});
}

// One that strays for a while before it comes to the point.
inline std::optional<Trace> long_difference(const Language& x, const Language& y, Random& random) {
  const auto shortest = shortest_difference(x, y);
  if (!shortest || x.alphabet().empty()) return shortest;
  for (int attempt = 0; attempt < 20; ++attempt) {
    std::pair<int, int> at{x.start(), y.start()};
    Trace word;
    for (std::uint32_t left = random.below(80); left > 0; --left) {
      const Action a = x.alphabet()[random.below(static_cast<std::uint32_t>(x.alphabet().size()))];
      const std::pair<int, int> to{x.next(at.first, a), y.next(at.second, a)};
      if (to.first == -1 || to.second == -1) continue;
      at = to;
      word.push_back(a);
    }
    if (const auto rest = shortest_difference(x, y, at)) {
      word.insert(word.end(), rest->begin(), rest->end());
      return word;
    }
  }
  return shortest;
}

// How many states the minimal complete automaton has, sink included: Moore's partition, by definition.
inline std::size_t complete_size(const Language& x) {
  std::set<int> reached{x.start()};
  std::deque<int> queue{x.start()};
  while (!queue.empty()) {
    const int s = queue.front();
    queue.pop_front();
    for (const Action a : x.alphabet())
      if (const int t = x.next(s, a); reached.insert(t).second) queue.push_back(t);
  }
  std::map<int, int> class_of;
  for (const int s : reached) class_of[s] = s == -1;
  for (std::size_t before = 0;;) {
    std::map<std::vector<int>, int> numbers;
    std::map<int, int> finer;
    for (const int s : reached) {
      std::vector<int> key{class_of[s]};
      for (const Action a : x.alphabet()) key.push_back(class_of[x.next(s, a)]);
      finer[s] = numbers.emplace(key, static_cast<int>(numbers.size())).first->second;
    }
    class_of = finer;
    if (numbers.size() == before) return before;
    before = numbers.size();
  }
}

inline Alphabet first_letters(std::uint32_t n) {
  std::vector<Action> letters;
  for (std::uint32_t i = 0; i < n; ++i)
    letters.push_back(reference::action(std::string(1, static_cast<char>('a' + i))));
  return Alphabet(letters);
}

// From almost no steps to a step for every letter.
inline Lts random_deterministic(Random& random, std::uint32_t max_states, const Alphabet& alphabet) {
  const std::uint32_t n = 1 + random.below(max_states), percent = 30 + random.below(71);
  LtsBuilder builder;
  builder.set_state_count(n);
  builder.add_to_alphabet(alphabet);
  for (std::uint32_t s = 0; s < n; ++s)
    for (const Action a : alphabet)
      if (random.chance(percent)) builder.add_step(State{s}, a, State{random.below(n)});
  return builder.build();
}

// Every deterministic LTS with n states over an alphabet, unreachable states and all.
template <class F>
void for_each_deterministic(std::uint32_t n, const Alphabet& alphabet, F f) {
  const std::size_t places = n * alphabet.size();
  std::vector<std::uint32_t> target(places, 0);  // n: none
  for (;;) {
    LtsBuilder builder;
    builder.set_state_count(n);
    builder.add_to_alphabet(alphabet);
    for (std::size_t i = 0; i < places; ++i)
      if (target[i] < n)
        builder.add_step(State{static_cast<std::uint32_t>(i / alphabet.size())}, alphabet[i % alphabet.size()],
                         State{target[i]});
    f(builder.build());
    std::size_t i = 0;
    while (i < places && target[i] == n) target[i++] = 0;
    if (i == places) return;
    ++target[i];
  }
}

// Knows the language, and notes what it was asked.
class KnowingTeacher : public Teacher {
 public:
  KnowingTeacher(const Lts& target, const Alphabet& alphabet, Random* stray = nullptr)
      : target_(target, alphabet), stray_(stray) {}

  const Alphabet& alphabet() const override { return target_.alphabet(); }
  bool member(Word word) override {
    EXPECT_TRUE(asked.insert(Trace(word.begin(), word.end())).second) << "asked twice";
    return target_.has(word);
  }
  Answer conjecture(const Lts& hypothesis) override {
    EXPECT_TRUE(is_deterministic(hypothesis));
    EXPECT_EQ(reachable(hypothesis).state_count(), hypothesis.state_count()) << "states that nothing leads to";
    const Language guess(hypothesis, alphabet());
    for (const Trace& old : counterexamples)
      EXPECT_EQ(guess.has(old), target_.has(old)) << "an old counterexample is back";
    const std::size_t size = hypothesis.state_count() + (is_complete(hypothesis) ? 0U : 1U);
    EXPECT_GT(size, last_size_) << "the hypothesis did not grow";
    last_size_ = size;
    ++conjectures;
    const auto wrong = find_difference(hypothesis, guess);
    if (!wrong) return Accepted{};
    counterexamples.push_back(*wrong);
    return Refine{*wrong};
  }
  const Language& target() const { return target_; }

  std::set<Trace> asked;
  std::vector<Trace> counterexamples;
  std::size_t conjectures = 0;

 protected:
  virtual std::optional<Trace> find_difference(const Lts&, const Language& guess) {
    return stray_ != nullptr ? long_difference(guess, target_, *stray_) : shortest_difference(guess, target_);
  }

 private:
  bool is_complete(const Lts& lts) const {
    return lts.state_count() > 0 && lts.transition_count() == lts.state_count() * alphabet().size();
  }

  Language target_;
  Random* stray_;
  std::size_t last_size_ = 0;
};

}  // namespace surety::test
