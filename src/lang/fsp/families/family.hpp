// Is a composite the same for every value of a constant, but for the number of its cells?
//
// Let K be the constant. A composite is a family if, as the text says and for every K that is large enough, it has
//
//   - cells: the instances of `forall [t:c..K+d] CELL(t)` and the like, one per value of t;
//   - fixed components, which do not change with K;
//   - hubs: fixed but for actions a[c..K+d], which stand for one step with every index.
//
// That can be read off the text if numbers are used in few ways. Every expression in a cell has, for t in the
// middle, a form c, t+c, K+c or t+K+c, where c is a number (or one of several, if variables over constant ranges are
// in it):
//
//   - sums and differences of forms are forms, or refused;
//   - (t+c) % K and (t+K+c) % K are t+c, (K+c) % K is c, as long as t is further than c from both ends;
//   - a comparison is that of the difference with 0, which has one outcome as long as t is further than c from
//     both ends, and K is larger than c; t+t and K are never compared, for they meet in the middle;
//   - indices of actions are c, t+c or K+c; conditions, indices of states and bounds of ranges are numbers c.
//     (Bounds of ranges in actions of hubs may be K+c, if nothing else depends on the index.)
//
// So the same branches are taken in all cells further than `decided` from the ends, and their LTSs differ in that
// t+1 stands in labels where t stood. The cells near the ends are those of t = c and t = K-c. The same argument with c
// and K-c for t shows that they, and the fixed components, only change with K in that K+1 stands where K stood. Two
// numbers that are equal for one K must be so for every K: that is what the margin is for (FspFamily::margin).
//
// A variable over a set of labels stands for a label that is known, or must not be used: a set with t in it would give
// t another name. A property that remembers an index is read as a hub and bits (remembering.hpp).
//
// Text that is not known to be of that form is refused, with its line. A component with such text has the kind `other`:
// a proof may do without it. Numbers are taken as unbounded.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lang/fsp/families/remembering.hpp"
#include "lang/fsp/fsp.hpp"

namespace surety {

struct FspFamily {
  enum class Kind { fixed, cell, other };
  struct Machine {
    Kind kind = Kind::other;
    int cell = 0;                                      // its index
    bool hub = false;                                  // fixed, but with actions for every index
    std::string why;                                   // of other: what hinders
    std::shared_ptr<const FspRemembering> apart = {};  // of a property that is fixed only in this form
  };
  // How far numbers reach, and so how far from both ends all cells are alike.
  struct Bounds {
    int decided = 0;    // in comparisons
    int constant = 0;   // in labels: numbers
    int near_cell = 0;  // index + number
    int near_size = 0;  // size + number
    void add(const Bounds& more);
  };
  std::vector<Machine> machines;  // as in the composite
  Bounds bounds;
  std::string why;  // not empty: the machines are not known

  // So many cells at each end may be special: all others are alike, and no number in their labels is near two of
  // 0, their index and the size.
  int margin() const;
};

// The machines of a composite of this name in the order in which they are elaborated, and then processes beside it, as
// the text says they are for other values of this constant.
FspFamily family_of(const FspFile& file, std::string_view composite, std::string_view constant,
                    const std::vector<std::string>& beside = {});

}  // namespace surety
