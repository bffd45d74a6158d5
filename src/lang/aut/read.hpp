// Text to Lts: Aldebaran files (.aut), and the JSON form that certificates embed.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "base/diagnostics.hpp"
#include "model/lts.hpp"

namespace surety {

// The labels `i` and `tau` are tau, quoted or not; loops with the labels of lang/aut/marks.hpp say which states are
// ERROR and END, and are no steps. The state FIRST of the header becomes state 0, and state 0 becomes FIRST; the others
// keep their numbers. Only if there are more states than the steps can touch (2 * steps + 1) are the untouched ones
// dropped, and the rest numbered in the same order.
Result<Lts> read_aut(std::string_view text, const std::string& file, ActionTable& actions);

// What to_json writes. Only "tau" is tau here: `i` may be an action of another language.
Result<Lts> read_lts_json(const nlohmann::json& json, const std::string& file, ActionTable& actions);
// The same of a text; what is wrong has its place in it.
Result<Lts> read_lts_json_text(std::string_view text, const std::string& file, ActionTable& actions);

}  // namespace surety
