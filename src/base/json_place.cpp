#include "base/json_place.hpp"

#include <fmt/format.h>

namespace surety {
namespace {

// "[...] parse error at line 1, column 2: syntax error while parsing X - unexpected Y": what comes last.
std::string reason(std::string_view what) {
  const auto dash = what.find(" - ");
  return std::string(dash == std::string_view::npos ? what : what.substr(dash + 3));
}

// Goes over a text that is JSON, value by value.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) { skip_blanks(); }

  std::size_t offset() const { return at_; }
  bool at(char c) const { return at_ < text_.size() && text_[at_] == c; }
  bool ended() const { return at_ >= text_.size(); }

  void take() {  // a bracket, comma or colon
    ++at_;
    skip_blanks();
  }

  std::string_view skip_value() {
    const std::size_t start = at_;
    std::size_t depth = 0;
    do {
      if (at('"'))
        skip_string();
      else
        take_one(depth);
    } while (!ended() && (depth > 0 || !(at(',') || at(':') || at('}') || at(']'))));
    const auto value = text_.substr(start, at_ - start);
    skip_blanks();
    return value;
  }

 private:
  void take_one(std::size_t& depth) {
    if (at('{') || at('[')) ++depth;
    if (at('}') || at(']')) --depth;
    ++at_;
  }
  void skip_string() {
    for (++at_; !ended() && text_[at_] != '"'; ++at_)
      if (text_[at_] == '\\') ++at_;
    ++at_;
  }
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

  std::string_view text_;
  std::size_t at_ = 0;
};

std::size_t element_of(Cursor cursor, std::size_t number) {
  const std::size_t start = cursor.offset();
  if (!cursor.at('[')) return start;
  cursor.take();
  for (std::size_t i = 0; !cursor.ended() && !cursor.at(']'); ++i) {
    if (i == number) return cursor.offset();
    cursor.skip_value();
    if (cursor.at(',')) cursor.take();
  }
  return start;
}

}  // namespace

Result<nlohmann::json> parse_json(std::string_view text, const std::string& file) {
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    const std::size_t offset = error.byte > 0 ? error.byte - 1 : 0;
    return fail(error_at(file, text, std::min(offset, text.size()), 1,
                         fmt::format("this is no JSON: {}", reason(error.what()))));
  }
}

std::size_t place_in_json(std::string_view text, std::string_view member, std::optional<std::size_t> element) {
  Cursor cursor(text);
  const std::size_t start = cursor.offset();
  if (!cursor.at('{')) return start;
  cursor.take();
  while (!cursor.ended() && !cursor.at('}')) {
    const auto key = cursor.skip_value();
    if (!cursor.at(':')) break;
    cursor.take();
    if (key == fmt::format("\"{}\"", member)) return element ? element_of(cursor, *element) : cursor.offset();
    cursor.skip_value();
    if (cursor.at(',')) cursor.take();
  }
  return start;
}

}  // namespace surety
