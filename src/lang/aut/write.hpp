// Lts to text: Aldebaran files (.aut), pictures (.dot), and JSON.
#pragma once

#include <string>
#include <string_view>

#include "model/lts.hpp"

namespace surety {

// Reads back as the same LTS. A state more, which no step enters, has loops with those actions of the alphabet that no
// other step has; ERROR and END have marks (lang/aut/marks.hpp). Only for what not_in_aut says nothing about.
std::string to_aut(const Lts& lts, const ActionTable& actions);

// Why there is no .aut file that reads back as this LTS; empty: there is one. It has no states, or an action has a name
// that means something else there.
std::string not_in_aut(const Lts& lts, const ActionTable& actions);

// For graphviz. Steps between the same two states share one arrow.
std::string to_dot(const Lts& lts, const ActionTable& actions, std::string_view name);

// One step per line, so that diffs are readable. Bytes that are not UTF-8 are replaced.
std::string to_json(const Lts& lts, const ActionTable& actions);

// Why the JSON does not read back as this LTS; empty: it does. A name is not UTF-8.
std::string not_in_json(const Lts& lts, const ActionTable& actions);

}  // namespace surety
