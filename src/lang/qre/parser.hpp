// Tokens of quantified regular expressions to trees.
//
//   property NAME:                                     optional
//   for events { e, ... } show (all | no) executions satisfy R
//
//   R: a; b   a | b   a*   a+   a?   a^3   (R)   .   [a, b]   [-a, b]   and every event may stand in braces: {a}
//
// `;` binds more tightly than `|`. After a syntax error the parser goes on with the next property.
#pragma once

#include <vector>

#include "lang/qre/tree.hpp"

namespace surety::qre {

inline constexpr int kDeepest = 200;  // parentheses and repetitions inside each other
inline constexpr std::uint64_t kMostSteps =
    200'000;  // an expression that is written out has so many events; messages say it

// Those without errors.
std::vector<Property> parse(const text::Source& source, text::Report& report);

}  // namespace surety::qre
