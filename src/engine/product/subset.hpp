// A product seen through an alphabet, determinised as far as it is walked.
//
// A node is the set of product states that a word over the alphabet can lead to,
// closed under tau and all other actions, which may happen at any time (doc/semantics.md#the-weakest-assumption).
// A set that can reach the error state on its own is the one rejecting node. This
// answers membership queries: a word is a walk, and equal sets are shared by all
// words that lead to them, so a query costs one table look-up per letter once its
// sets are known. Product states are expanded once, when a set first needs them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "base/budget.hpp"
#include "product/product.hpp"

namespace surety {

class SubsetWalk {
 public:
  using Node = std::uint32_t;
  static constexpr Node kRejected = 0;  // and so is everything after it

  // Of parts that are about something finer than the letters: what each of their actions counts as, and all that they
  // are about. A letter of which they have no action at all is blocked if it is among that, else it changes nothing.
  struct Reading {
    std::function<Action(Action)> letter_of;
    Alphabet about;
  };

  SubsetWalk(const std::vector<Part>& parts, const Alphabet& letters, Budget& budget);
  SubsetWalk(const std::vector<Part>& parts, const Alphabet& letters, Budget& budget, const Reading& reading);
  ~SubsetWalk();

  // When the budget has ended every answer is kRejected: ask the budget before believing one.
  Node initial();
  Node step(Node node, std::uint32_t letter);  // by its place in the alphabet
  Node walk(Word word);                        // of letters
  bool impossible(Node node) const;            // no state at all: the product cannot do such a word

  std::uint64_t states() const;       // product states met so far
  std::uint64_t transitions() const;  // steps tried from them

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace surety
