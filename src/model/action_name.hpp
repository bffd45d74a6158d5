// The name of an action as what it is made of: request.1.2 is {request, 1, 2}.
//
// Front ends put names together out of labels, indices and the fields of messages, none of which has a dot in it. All
// that looks into a name does it here. The table of actions keeps names only: it may have millions of them, and few are
// ever looked into.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace surety {

struct ActionName {
  std::vector<std::string> parts;  // one at least

  explicit ActionName(std::string_view name) {
    for (std::size_t begin = 0; begin <= name.size(); begin += parts.back().size() + 1)
      parts.emplace_back(name.substr(begin, name.find('.', begin) - begin));
  }

  std::string text() const { return fmt::format("{}", fmt::join(parts, ".")); }

  // The number that a part is, if it is one.
  static std::optional<int> number(std::string_view part) {
    int value = 0;
    const char* const end = std::to_address(part.end());
    const auto [stop, error] = std::from_chars(std::to_address(part.begin()), end, value);
    return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
  }

  friend auto operator<=>(const ActionName&, const ActionName&) = default;
};

}  // namespace surety
