#include "lang/promela/net_buffer.hpp"

#include <algorithm>

namespace surety::promela::net {
namespace {

bool matches(const Mask& mask, const Message& message) {
  for (std::size_t i = 0; i < mask.size(); ++i)
    if (mask[i] && *mask[i] != message[i]) return false;
  return true;
}

}  // namespace

std::optional<Contents> apply(const Touch& touch, Contents contents, std::uint32_t capacity) {
  const auto wanted = [&](bool is) { return is == (touch.value != 0) ? std::optional(contents) : std::nullopt; };
  const auto first = [&] {  // that the touch is about
    if (!touch.special) return contents.begin();
    return std::find_if(contents.begin(), contents.end(), [&](const Message& m) { return matches(touch.mask, m); });
  };
  switch (touch.kind) {
    case Touch::Kind::length:
      return contents.size() == static_cast<std::size_t>(touch.value) ? std::optional(contents) : std::nullopt;
    case Touch::Kind::full: return wanted(contents.size() >= capacity);
    case Touch::Kind::empty: return wanted(contents.empty());
    case Touch::Kind::poll: return wanted(first() != contents.end() && matches(touch.mask, *first()));
    case Touch::Kind::send: {
      if (contents.size() >= capacity) return std::nullopt;
      const auto at = touch.special ? std::find_if(contents.begin(), contents.end(),
                                                   [&](const Message& m) { return m > touch.message; })
                                    : contents.end();
      contents.insert(at, touch.message);
      return contents;
    }
    case Touch::Kind::receive:
    case Touch::Kind::peek: {
      const auto at = first();
      if (at == contents.end() || *at != touch.message) return std::nullopt;
      if (touch.kind == Touch::Kind::receive) contents.erase(at);
      return contents;
    }
    default: return std::nullopt;
  }
}

}  // namespace surety::promela::net
