// Properties by their names.

#include "load/load.hpp"

namespace surety::api {

std::optional<std::string> plain_name(std::string_view name) {
  std::string out;
  char close = 0;  // what the open bracket waits for
  for (const char c : name) {
    const bool opens = c == '[' || c == '(';
    if (opens && close == 0) {
      close = c == '[' ? ']' : ')';
      out += '.';
    } else if (c == ',' && close != 0) {
      out += '.';
    } else if (c == close && close != 0) {
      close = 0;
    } else if (opens || c == ']' || c == ')') {
      return std::nullopt;
    } else if (c != ' ' || close == 0) {
      out += c;
    }
  }
  if (close != 0) return std::nullopt;
  return out;
}

bool is_same_name(std::string_view a, std::string_view b) {
  const auto plain = plain_name(a);
  return plain && plain == plain_name(b);
}

std::vector<const Property*> find_properties(const Model& model, const std::string& name) {
  std::vector<const Property*> found;
  for (const auto& property : model.properties)
    if (is_same_name(property.name, name)) found.push_back(&property);
  if (!found.empty()) return found;
  if (!model.composite) return found;
  std::size_t next = 0;  // properties of the composite come first, in its order
  for (const FspMachine& machine : model.composite->machines)
    if (machine.property)
      if (const Property& property = model.properties[next++]; machine.definition == name) found.push_back(&property);
  return found;
}

}  // namespace surety::api
