// A learner asks; a teacher answers. Neither knows how the other works, and
// neither prints.
#pragma once

#include <string>
#include <variant>

#include "model/verdict.hpp"

namespace surety {

struct Accepted {};
// The hypothesis is wrong on this word: it has it and should not, or the other way round.
struct Refine {
  Trace word;
};
// Over this alphabet the question cannot be settled: it lacks these letters.
struct Widen {
  Alphabet more;
};
// Violated: the question itself is settled, whatever the hypothesis. Stopped: the budget ended.
struct Stopped {};
using Answer = std::variant<Accepted, Refine, Widen, Violated, Stopped>;

class Teacher {
 public:
  virtual ~Teacher() = default;
  virtual const Alphabet& alphabet() const = 0;
  // Is the word in the language? The language is prefix-closed. Meaningless once the budget has ended.
  virtual bool member(Word word) = 0;
  virtual Answer conjecture(const Lts& hypothesis) = 0;
  // The budget has ended: answers mean nothing any more, and learners return as soon as they can.
  virtual bool stopped() const { return false; }
};

class Learner {
 public:
  virtual ~Learner() = default;
  // A deterministic LTS over the teacher's alphabet; without states: the empty language.
  virtual const Lts& hypothesis() = 0;
  // Takes a word on which the last hypothesis is wrong. The next one has more states, and is right on this word and
  // on all before it.
  virtual void refine(Word counterexample) = 0;
};

}  // namespace surety
