// Quantified regular expressions as trees.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lang/text/source.hpp"

namespace surety::qre {

struct Expression {
  enum class Kind : std::uint8_t {
    one_of,    // one of `events`; none: it matches nothing
    sequence,  // the parts, one after the other
    choice,    // one of the parts
    star,      // these three repeat their only part
    plus,
    maybe,
    power,  // `count` times
  };
  Kind kind = Kind::one_of;
  std::vector<std::uint32_t> events = {};  // places in the property's list, sorted
  std::vector<Expression> parts = {};
  std::uint32_t count = 0;
};

// for events { ... } show all (or no) executions satisfy ...
struct Property {
  std::string name;  // empty: it has no header
  std::vector<std::string> events;
  bool all = true;
  Expression expression;
  text::Place place;  // of its header, or of its first word
};

}  // namespace surety::qre
