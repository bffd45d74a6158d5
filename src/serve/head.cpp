#include "serve/head.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string>

namespace surety::serve {
namespace {

bool is_token(std::string_view text) {
  constexpr std::string_view kMarks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [&](unsigned char c) {
    return (std::isalnum(c) != 0 && c < 128) || kMarks.find(static_cast<char>(c)) != std::string_view::npos;
  });
}

// No control characters, and nothing that is not ASCII: paths are percent-encoded.
bool is_target(std::string_view text) {
  return text.starts_with('/') && std::ranges::all_of(text, [](unsigned char c) { return c > 32 && c < 127; });
}

bool is_value(std::string_view text) {
  return std::ranges::all_of(text, [](unsigned char c) { return c == '\t' || (c >= 32 && c != 127); });
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return out;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// "GET /path HTTP/1.1"
Head read_first_line(std::string_view line, std::string& method) {
  const auto first = line.find(' ');
  const auto last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return {400, "the first line is no request"};
  method = line.substr(0, first);
  const std::string_view version = line.substr(last + 1);
  if (!is_token(method)) return {400, "the method is no word"};
  if (!is_target(line.substr(first + 1, last - first - 1))) return {400, "the address has characters that none has"};
  if (version != "HTTP/1.1" && version != "HTTP/1.0") return {505, "HTTP 1.0 or 1.1, please"};
  constexpr std::array<std::string_view, 6> kMethods = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"};
  if (std::ranges::find(kMethods, method) == kMethods.end()) return {405, "there is no such method here"};
  return {};
}

// Headers that must not be there twice: which one would count?
bool is_single(std::string_view name) {
  constexpr std::array<std::string_view, 6> kSingle = {"host",   "content-length", "authorization",
                                                       "origin", "sec-fetch-site", "content-type"};
  return std::ranges::find(kSingle, name) != kSingle.end();
}

class Headers {
 public:
  Head take(std::string_view line) {
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) return {400, "a header has no colon"};
    const std::string name = lower(line.substr(0, colon));
    const std::string_view value = trimmed(line.substr(colon + 1));
    if (!is_token(name)) return {400, "a header has no name"};
    if (!is_value(value)) return {400, "a header has control characters"};
    if (is_single(name) && seen_.find("\n" + name + "\n") != std::string::npos) return {400, "a header is there twice"};
    seen_ += "\n" + name + "\n";
    if (name == "transfer-encoding") return {411, "the length of the body has to be said"};
    if (name == "upgrade") return {400, "this speaks HTTP only"};
    // A few bytes of these would stand for very many: of a body that is packed, of a reply that is sent again and
    // again.
    if (name == "content-encoding") return {415, "a body is sent as it is"};
    if (name == "range") return {400, "parts of a reply cannot be had"};
    if (name == "content-length") return take_length(value);
    return {};
  }
  bool has(std::string_view name) const { return seen_.find("\n" + std::string(name) + "\n") != std::string::npos; }
  std::uint64_t length() const { return length_; }

 private:
  Head take_length(std::string_view value) {
    const char* const end = value.data() + value.size();
    const bool digits = !value.empty() && std::ranges::all_of(value, [](char c) { return c >= '0' && c <= '9'; });
    if (!digits) return {400, "the length is no number"};
    // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): the end is given
    if (std::from_chars(value.data(), end, length_).ec != std::errc() || length_ > kMostBody)
      return {413, "4 MiB is the most that is taken"};
    return {};
  }

  std::string seen_;  // "\nhost\n\norigin\n"
  std::uint64_t length_ = 0;
};

bool has_body(std::string_view method) { return method == "POST" || method == "PUT" || method == "PATCH"; }

}  // namespace

std::size_t end_of_head(std::string_view text, std::size_t from) {
  const auto end = text.find("\r\n\r\n", from > 3 ? from - 3 : 0);
  return end == std::string_view::npos ? std::string_view::npos : end + 4;
}

Head read_head(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) return {400, "a byte 0"};
  std::string method;
  Headers headers;
  bool first = true;
  while (true) {
    const auto end = text.find("\r\n");
    if (end == std::string_view::npos) return {400, "a line does not end"};
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end + 2);
    if (line.find_first_of("\r\n") != std::string_view::npos) return {400, "a line ends in the middle"};
    if (line.empty()) break;
    const Head one = first ? read_first_line(line, method) : headers.take(line);
    if (one.wrong != 0) return one;
    first = false;
  }
  if (first) return {400, "there is no request"};
  if (!headers.has("host")) return {400, "there is no Host"};
  if (has_body(method) && !headers.has("content-length")) return {411, "the length of the body has to be said"};
  if (!has_body(method) && headers.length() > 0) return {400, "such a request has no body"};
  return {0, "", headers.length()};
}

}  // namespace surety::serve
