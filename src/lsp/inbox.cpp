#include "lsp/inbox.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <vector>

namespace surety::lsp {
namespace {

constexpr std::size_t kMostBytes = 16 << 20;  // of a message
constexpr std::size_t kMostSkipped = 1 << 30;
constexpr std::size_t kMostHeader = 4096;
constexpr std::size_t kMostWaiting = 1'000, kMostWaitingBytes = 32 << 20;  // the rest waits outside

// The next line of a header, without its end; of one that is too long only the beginning. False: the input has ended.
bool read_line(std::istream& in, std::string& line) {
  line.clear();
  for (int c = in.get(); c != EOF; c = in.get()) {
    if (c == '\n') {
      if (!line.empty() && line.back() == '\r') line.pop_back();
      return true;
    }
    if (line.size() <= kMostHeader) line += static_cast<char>(c);
  }
  return false;
}

// The number behind Content-Length. Nothing: it is none.
std::optional<std::size_t> read_length(std::string_view digits) {
  constexpr const char* kBlank = " \t";
  const auto first = digits.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return std::nullopt;
  digits = digits.substr(first, digits.find_last_not_of(kBlank) + 1 - first);
  std::size_t length = 0;
  const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), length);
  if (end != digits.data() + digits.size()) return std::nullopt;
  return wrong == std::errc::result_out_of_range ? SIZE_MAX : length;
}

// The next message. Nothing: the input has ended.
std::optional<Message> read_message(std::istream& in) {
  std::optional<std::size_t> length;
  std::size_t header = 0;
  for (std::string line; read_line(in, line);) {
    if (line.empty() && header == 0) continue;  // between messages
    if (line.empty()) {
      if (!length) return Message{{}, "there is no Content-Length"};
      if (*length > kMostBytes) {
        if (*length <= kMostSkipped) in.ignore(static_cast<std::streamsize>(*length));  // else it is no length
        return Message{{}, fmt::format("a message of {} bytes is too long", *length)};
      }
      Message message{std::string(*length, '\0'), {}};
      in.read(message.text.data(), static_cast<std::streamsize>(*length));
      if (static_cast<std::size_t>(in.gcount()) < *length) return std::nullopt;
      return message;
    }
    header += line.size();
    if (header > kMostHeader) return Message{{}, "the header is too long"};
    constexpr std::string_view kLength = "content-length:";
    std::string name = line.substr(0, kLength.size());
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::tolower(c); });
    if (name == kLength) length = read_length(std::string_view(line).substr(kLength.size()));
  }
  return std::nullopt;
}

// A member of an object, or null.
const Json& member(const Json& object, const char* name) {
  static const Json none;
  if (!object.is_object()) return none;
  const auto at = object.find(name);
  return at == object.end() ? none : *at;
}

}  // namespace

const char* too_much_of(const std::string& message) {
  constexpr std::size_t kDeepest = 100, kMostMembers = 1'000;
  std::vector<std::size_t> members;  // of each object, or list, that is open
  bool in_string = false;
  for (std::size_t i = 0; i < message.size(); ++i) {
    const char c = message[i];
    if (in_string && c == '\\')
      ++i;
    else if (c == '"')
      in_string = !in_string;
    else if (in_string)
      continue;
    else if (c == '[' || c == '{')
      members.push_back(0);
    else if ((c == ']' || c == '}') && !members.empty())
      members.pop_back();
    else if (c == ':' && !members.empty() && ++members.back() > kMostMembers)
      return "an object of the message has too many members";
    if (members.size() > kDeepest) return "the message is nested too deeply";
  }
  return nullptr;
}

Inbox::Gist Inbox::gist_of(const Message& message) {
  Gist out;
  if (!message.wrong.empty() || too_much_of(message.text) != nullptr) return out;
  const Json json = Json::parse(message.text, nullptr, false);
  const Json &method = member(json, "method"), &parameters = member(json, "params");
  out.id = member(json, "id");
  if (method == "$/cancelRequest") out.taken_back = member(parameters, "id");
  if (method == "textDocument/didOpen" || method == "textDocument/didChange")
    if (const Json& uri = member(member(parameters, "textDocument"), "uri"); uri.is_string()) out.changed = uri;
  return out;
}

const Inbox::Gist& Inbox::gist(Waiting& waiting) {
  if (!waiting.gist) waiting.gist = gist_of(waiting.message);
  return *waiting.gist;
}

bool Inbox::read_one() {
  auto message = read_message(in_);
  if (!message) return false;
  bytes_ += message->text.size();
  waiting_.push_back({std::move(*message)});
  return true;
}

void Inbox::take_what_is_there() {
  while (waiting_.size() < kMostWaiting && bytes_ < kMostWaitingBytes && is_there_())
    if (!read_one()) break;
}

std::optional<Message> Inbox::next() {
  if (waiting_.empty() && !read_one()) return std::nullopt;
  last_ = std::move(waiting_.front());
  waiting_.pop_front();
  bytes_ -= last_.message.text.size();
  take_what_is_there();
  return last_.message;
}

bool Inbox::changes_again() {
  if (waiting_.empty() || gist(last_).changed.empty()) return false;
  return std::ranges::any_of(waiting_, [&](Waiting& later) { return gist(later).changed == gist(last_).changed; });
}

bool Inbox::is_taken_back() {
  if (waiting_.empty() || gist(last_).id.is_null()) return false;
  return std::ranges::any_of(waiting_, [&](Waiting& later) { return gist(later).taken_back == gist(last_).id; });
}

}  // namespace surety::lsp
