// From the best decomposition at one size to decompositions at others (Cobleigh, Avrunin, Clarke 2006,
// 3.3, 3.4 and appendix A).
//
// Tasks that are not repeated keep their side. Repeated tasks are numbered by their index. If they are all on one side,
// they stay there at every size. If not, one is told from the rest: the one that the property treats differently, or
// the first if the property treats them alike; the rest go to the other side. The paper prints "otherwise put it into
// S1" where only S2 makes sense.
//
// Back to size 2 the rest is one task and takes the side of the majority. Upwards from a size above 2 the rest may be
// mixed; then a pattern is looked for.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "study/mask.hpp"

namespace surety::study {

// What generalising has to know of an instance.
struct Shape {
  std::vector<std::string> tasks;
  std::vector<std::size_t> repeated;     // task numbers, by index
  std::vector<std::size_t> singled_out;  // places in `repeated` that the property treats differently

  std::size_t size() const { return repeated.size(); }
};

// The place at size `to` of the repeated task that the text of the property means by the one at `place`: counted from
// the first or from the last one. `last`: the text counts from the last where both are possible (2 of 3).
std::size_t namesake(std::size_t place, std::size_t from, std::size_t to, bool last = false);

struct Generalised {
  Mask mask;
  bool extended = false;   // several tasks are singled out, a case that the paper does not have
  bool ambiguous = false;  // a majority was a tie, and this is one of two variants
  std::string pattern;     // which one reproduced the masks, if one was needed
};

// From size 2 to the size of `to`. Nothing: `from` is not of size 2, a task that is not repeated is missing, or a side
// would be empty.
std::optional<Generalised> generalise(const Mask& best, const Shape& from, const Shape& to);

// From the size of `from` back to that of `to`, which is 2: one mask, or two if a majority is a tie.
std::vector<Generalised> simplify(const Mask& best, const Shape& from, const Shape& to);

// From a size above 2 upwards. `smaller`: the best masks that are known of sizes from 3 on, with their shapes; a
// pattern has to reproduce them as well.
struct Known {
  Mask mask;
  Shape shape;
};
std::optional<Generalised> generalise_from(const Mask& best, const Shape& from, const std::vector<Known>& smaller,
                                           const Shape& to);

}  // namespace surety::study
