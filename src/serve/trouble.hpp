// What a page is told when it cannot have what it asked for.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace surety::serve {

struct Trouble {
  int status = 500;  // of HTTP
  std::string code;  // for programs: "stale"
  std::string message;
  std::string hint = {};
  std::string sha256 = {};  // of what is there instead
};

template <class T>
using Or = tl::expected<T, Trouble>;

inline tl::unexpected<Trouble> trouble(int status, std::string code, std::string message, std::string hint = {}) {
  return tl::unexpected(Trouble{status, std::move(code), std::move(message), std::move(hint)});
}

inline tl::unexpected<Trouble> bad_request(std::string message, std::string hint = {}) {
  return trouble(400, "request", std::move(message), std::move(hint));
}

}  // namespace surety::serve
