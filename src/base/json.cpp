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

bool nested(const Json& json) {
  return std::any_of(json.begin(), json.end(), [](const Json& j) { return j.is_structured(); });
}

void write_list(const Json& json, std::string& out) {
  out += '[';
  for (std::size_t i = 0; i < json.size(); ++i) out += (i == 0 ? "" : ", ") + flat(json[i]);
  out += ']';
}

void write(const Json& json, JsonWriter& out) {
  if (!json.is_structured() || json.empty() || (json.is_array() && many_numbers(json))) {
    out.element() += flat(json);
  } else if (json.is_array() && !nested(json)) {
    write_list(json, out.element());
  } else {
    out.open(json.is_object() ? '{' : '[');
    for (auto it = json.begin(); it != json.end(); ++it) {
      if (json.is_object()) out.key(it.key());
      write(*it, out);
    }
    out.close();
  }
}

}  // namespace

std::string dump(const Json& json) {
  JsonWriter out;
  write(json, out);
  return std::move(out).text();
}

std::string json_string(std::string_view text) { return flat(Json(text)); }

std::string utf8(std::string_view text) { return Json::parse(json_string(text)); }

void JsonWriter::line() {
  out_ += '\n';
  out_.append(2 * open_.size(), ' ');
}

std::string& JsonWriter::element() {
  if (!std::exchange(keyed_, false) && !open_.empty()) {
    if (!std::exchange(open_.back().empty, false)) out_ += ',';
    line();
  }
  return out_;
}

void JsonWriter::key(std::string_view name) {
  element() += json_string(name) + ": ";
  keyed_ = true;
}

void JsonWriter::open(char bracket) {
  element() += bracket;
  open_.push_back({bracket == '{' ? '}' : ']'});
}

void JsonWriter::close() {
  const Open closed = open_.back();
  open_.pop_back();
  if (!closed.empty) line();
  out_ += closed.close;
}

}  // namespace surety
