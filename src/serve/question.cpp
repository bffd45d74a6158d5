#include "serve/question.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "serve/trouble.hpp"

namespace surety::serve {
namespace {

constexpr int kMostLevels = 32;

// How many brackets are open at once, at most. Whoever copies or writes JSON takes a piece of the stack for each, and a
// body has room for millions.
int levels_of(std::string_view text) {
  int open = 0, most = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') quoted = !quoted;
    if (c == '\\' && quoted) ++i;
    if (quoted) continue;
    if (c == '[' || c == '{') most = std::max(most, ++open);
    if (c == ']' || c == '}') --open;
  }
  return most;
}

}  // namespace

Json read_question(std::string_view body) {
  if (levels_of(body) > kMostLevels)
    throw Trouble{400, "request",
                  fmt::format("there are brackets inside of brackets, more than {} levels", kMostLevels)};
  return Json::parse(body);
}

}  // namespace surety::serve
