// JSON as people like to read it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace surety {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json);  // valid UTF-8 whatever the texts are, with a newline

}  // namespace surety
