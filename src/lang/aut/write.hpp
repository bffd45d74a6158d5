// Lts to text: Aldebaran files (.aut), pictures (.dot), and JSON.
#pragma once

#include <string>
#include <string_view>

#include "model/lts.hpp"

namespace surety {

// Reads back as the same LTS, as far as the format can tell: it has no error state, no END and no
// alphabet beyond the labels on steps. A name that would not come back (a visible `i`, say, or one
// with a line break) gets underscores at its end until it is new. There is no .aut file without states.
std::string to_aut(const Lts& lts, const ActionTable& actions);

// For graphviz. Steps between the same two states share one arrow.
std::string to_dot(const Lts& lts, const ActionTable& actions, std::string_view name);

// One step a line, so that diffs are readable. Bytes that are not UTF-8 are replaced.
std::string to_json(const Lts& lts, const ActionTable& actions);

}  // namespace surety
