// JSON out, laid out in one way: for trees, and for what is too large to be one.
//
// Each element of an object or list has a line of its own, but a list of plain values stays on one line: steps are
// readable. What is written is valid UTF-8, whatever the names are: other bytes are replaced.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace surety {

using Json = nlohmann::ordered_json;

std::string dump(const Json& json);              // with a newline at the end
std::string json_string(std::string_view text);  // in quotes
std::string utf8(std::string_view text);         // the same text if it is UTF-8, and something like it otherwise

// Writes element by element, without a tree.
class JsonWriter {
 public:
  // Begins an element. The caller appends it, as JSON on one line, or opens a list or object instead.
  std::string& element();
  void key(std::string_view name);  // the next element is this member of the object
  void open(char bracket);          // '{' or '['
  void close();

  std::string text() && { return std::move(out_) + '\n'; }

 private:
  struct Open {
    char close;
    bool empty = true;
  };
  void line();

  std::string out_;
  std::vector<Open> open_;
  bool keyed_ = false;
};

}  // namespace surety
