#include "serve/gate.hpp"

#include <fmt/format.h>
#include <httplib.h>
#include <sys/random.h>

#include <algorithm>

#include "base/check.hpp"

namespace surety::serve {
namespace {

constexpr std::size_t kTokenBytes = 32;

// Takes the same time wherever they differ.
bool is_same(const std::string& a, const std::string& b) {
  unsigned difference = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < b.size(); ++i)
    difference |= static_cast<unsigned char>(b[i]) ^ static_cast<unsigned char>(i < a.size() ? a[i] : '\0');
  return difference == 0;
}

// The page itself, which knows nothing of the user.
bool is_for_all(const std::string& path) {
  return path == "/" || path == "/licences.txt" || path.starts_with("/assets/");
}

// Somebody has followed a link, and sees the empty page: whoever gave the link sees nothing of it.
bool opens_page(const httplib::Request& request) {
  return request.method == "GET" && request.path == "/" && request.get_header_value("Sec-Fetch-Mode") == "navigate" &&
         request.get_header_value("Sec-Fetch-Dest") == "document";
}

}  // namespace

std::string random_token() {
  unsigned char bytes[kTokenBytes];
  check(::getrandom(bytes, sizeof bytes, 0) == sizeof bytes, "the system gives no random numbers");
  constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  std::string out;
  unsigned bits = 0;
  int have = 0;
  for (const unsigned char byte : bytes) {
    bits = (bits << 8) | byte;
    for (have += 8; have >= 6; have -= 6) out += kDigits[(bits >> (have - 6)) & 63];
  }
  if (have > 0) out += kDigits[(bits << (6 - have)) & 63];
  return out;
}

Gate::Gate(int port)
    : hosts_{fmt::format("127.0.0.1:{}", port), fmt::format("localhost:{}", port)}, token_(random_token()) {}

bool Gate::is_here(const std::string& host) const { return host == hosts_[0] || host == hosts_[1]; }

bool Gate::has_token(const httplib::Request& request) const {
  constexpr std::string_view kBearer = "Bearer ";
  const std::string said = request.get_header_value("Authorization");
  return said.starts_with(kBearer) && is_same(said.substr(kBearer.size()), token_);
}

std::optional<Trouble> Gate::refuses(const httplib::Request& request) const {
  const std::string host = request.get_header_value("Host");
  if (!is_here(host)) return Trouble{421, "host", "this server is not asked by that name", "http://" + hosts_[0] + "/"};
  if (request.has_header("Origin") && request.get_header_value("Origin") != "http://" + host)
    return Trouble{403, "origin", "a page of another site may not ask"};
  if (const std::string site = request.get_header_value("Sec-Fetch-Site");
      !site.empty() && site != "same-origin" && site != "none" && !opens_page(request))
    return Trouble{403, "origin", "a page of another site may not ask"};
  if (!is_for_all(request.path) && !has_token(request))
    return Trouble{401, "token", "the token is missing or wrong",
                   "open the address that surety serve printed when it started"};
  return std::nullopt;
}

void add_safety(httplib::Response& response, const std::string& nonce) {
  const std::string style = nonce.empty() ? "" : fmt::format(" 'nonce-{}'", nonce);
  response.set_header("Content-Security-Policy",
                      fmt::format("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; "
                                  "style-src 'self'{}; connect-src 'self'; img-src 'self' data: blob:; "
                                  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
                                  style));
  response.set_header("X-Content-Type-Options", "nosniff");
  response.set_header("Referrer-Policy", "no-referrer");
  response.set_header("Cross-Origin-Opener-Policy", "same-origin");
  response.set_header("Cross-Origin-Resource-Policy", "same-origin");
  if (!response.has_header("Cache-Control")) response.set_header("Cache-Control", "no-store");
}

}  // namespace surety::serve
