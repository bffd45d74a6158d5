#include "api/split.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace surety::api {
namespace {

std::string trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

std::vector<std::string> pieces(const std::string& text, char separator) {
  std::vector<std::string> out;
  for (std::size_t begin = 0;;) {
    const auto end = text.find(separator, begin);
    out.push_back(trimmed(std::string_view(text).substr(begin, end - begin)));
    if (end == std::string::npos) return out;
    begin = end + 1;
  }
}

}  // namespace

Outcome<Split> parse_split(const std::string& text, const Network& network) {
  std::vector<std::string> names;
  for (const auto& component : network.components) names.push_back(component.name);
  const std::string known = fmt::format("the components are: {}", fmt::join(names, ", "));

  Split split;
  std::vector<std::string> used;
  for (const auto& side : pieces(text, '|')) {
    auto& group = split.emplace_back();
    for (const auto& name : pieces(side, ',')) {
      if (name.empty()) return usage(fmt::format("--split \"{}\" has an empty place", text), known);
      if (std::find(names.begin(), names.end(), name) == names.end()) {
        const std::string near = nearest(name, names);
        return usage(fmt::format("--split names '{}', which is no component", name),
                     near.empty() ? known : fmt::format("did you mean '{}'? {}", near, known));
      }
      if (std::find(used.begin(), used.end(), name) != used.end())
        return usage(fmt::format("--split names '{}' twice", name), known);
      used.push_back(name);
      group.push_back(name);
    }
  }
  for (const auto& name : names)
    if (std::find(used.begin(), used.end(), name) == used.end())
      return usage(fmt::format("--split leaves out '{}'", name), known);
  return split;
}

std::vector<std::string> split_names(const std::string& text) {
  auto names = pieces(text, ',');
  std::erase(names, "");
  return names;
}

}  // namespace surety::api
