// What a proof does while it is found, told as it happens.
//
// The rules, the portfolio, the proofs for all sizes and the checker tell; what wants to know is an Observer. Where
// there is none, telling is one test of a pointer, and nothing is told in an inner loop.
//
//   tell(told::Conjecture{1, assumption});
//   tell(told::Answered{1, 2, "too strong", word, trace, states, transitions});
//
// What an event refers to lives only as long as the call; the progress of a lane lives until the lane has ended.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "base/budget.hpp"
#include "model/lts.hpp"
#include "model/method.hpp"
#include "model/split.hpp"

namespace surety {

namespace told {

// A check begins, or begins again.
struct Turn {
  std::optional<double> seconds;  // that it may take; nothing: no limit
};
// One of several methods for the same answer. A lane that has started also ends.
struct Lane {
  Method method;
  enum class Is { started, answered, stopped } is;
  std::string_view result = {};        // as in the attempts of a report
  const Progress* progress = nullptr;  // of a lane that starts; null: that of the whole run
};
struct Sides {
  const Split& split;
  const Alphabet& interface;  // the actions of several sides; the property belongs to the first
};
// An assumption, before it is judged. Assumptions count from 1.
struct Conjecture {
  int assumption;
  const Lts& lts;
};
struct Asked {
  int assumption;  // 0: all together
  int oracle;
};
struct Answered {
  int assumption;
  int oracle;
  std::string_view result;  // as in the iterations of a report
  Word word = {};           // over the alphabet of the assumption, if one shows it
  Word trace = {};          // that the word was made of
  std::uint64_t states = 0, transitions = 0;
};
// The alphabet was too small: two traces agree on it, and do not fit together.
struct Widened {
  int assumption;
  const Alphabet& more;
  Word ours, theirs;
};
// An abstraction was refined, because it had a word that its component does not have.
struct Refined {
  std::string_view component;
  std::uint64_t before, after;  // states of the abstraction
  Word word;
  std::optional<std::uint32_t> split = {};  // the state that was split
};
// Backward minimisation took a component in.
struct TakenIn {
  std::string_view component;
  std::uint64_t product, reduced;  // states of the product, and of what it was reduced to
  std::size_t left;                // components that remain
};
struct Conjunct {
  std::size_t index, of;  // from 1
  const Lts& property;
};
// One size of a proof for all sizes.
struct Size {
  std::string_view parameter;
  int value;
  std::string_view result;
};
// One premise, as the checker finds it.
struct Premise {
  std::string_view text;
  bool holds;
  std::uint64_t states;
};

using Event =
    std::variant<Turn, Lane, Sides, Conjecture, Asked, Answered, Widened, Refined, TakenIn, Conjunct, Size, Premise>;

}  // namespace told

// What an event is about.
struct Where {
  int check = 0;
  int lane = 0;      // 0: the only one, or the first short try
  int conjunct = 0;  // 0: the whole property
  bool operator==(const Where&) const = default;
};

class Observer {
 public:
  virtual ~Observer() = default;
  virtual void tell(const Where& where, const told::Event& event) = 0;  // called by several threads
};

// Tells an observer, if there is one, and knows what it tells about.
struct Teller {
  Observer* observer = nullptr;
  Where where = {};

  explicit operator bool() const { return observer != nullptr; }
  template <class Told>
  void operator()(const Told& what) const {
    if (observer != nullptr) observer->tell(where, what);
  }
  Teller check(int n) const { return {observer, {n, 0, 0}}; }
  Teller lane(int n) const { return {observer, {where.check, n, where.conjunct}}; }
  Teller conjunct(int n) const { return {observer, {where.check, where.lane, n}}; }
};

}  // namespace surety
