#include "base/json.hpp"

#include <algorithm>

namespace surety {
namespace {

constexpr std::size_t kManyNumbers = 100;  // of a list that is for machines

std::string flat(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

bool many_numbers(const Json& json) {
  return json.size() > kManyNumbers &&
         std::all_of(json.begin(), json.end(), [](const Json& j) { return j.is_number(); });
}

// As nlohmann's dump, but a list without nested lists or objects stays on one line: steps are readable.
void pretty(const Json& json, std::size_t indent, std::string& out) {
  const bool nested =
      json.is_structured() && std::any_of(json.begin(), json.end(), [](const Json& j) { return j.is_structured(); });
  if (!json.is_structured() || json.empty() || (json.is_array() && !nested)) {
    if (!json.is_array() || many_numbers(json))
      out += flat(json);
    else {
      out += '[';
      for (std::size_t i = 0; i < json.size(); ++i) out += (i == 0 ? "" : ", ") + flat(json[i]);
      out += ']';
    }
    return;
  }
  out += json.is_object() ? "{\n" : "[\n";
  std::size_t left = json.size();
  for (auto it = json.begin(); it != json.end(); ++it) {
    out.append(indent + 2, ' ');
    if (json.is_object()) out += flat(it.key()) + ": ";
    pretty(*it, indent + 2, out);
    out += --left > 0 ? ",\n" : "\n";
  }
  out.append(indent, ' ');
  out += json.is_object() ? '}' : ']';
}

}  // namespace

std::string dump(const Json& json) {
  std::string out;
  pretty(json, 0, out);
  return out + "\n";
}

}  // namespace surety
