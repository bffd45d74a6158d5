// The head of a request: what comes before its body, as text. It is judged here before anything else reads it.
//
// Strictly, because two readers that take one text for different requests are how requests are smuggled: lines end in
// CR LF, names are tokens, nothing is folded, no header that says who asks or how much follows is there twice, and a
// body has a length that is said. Browsers and curl send nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace surety::serve {

constexpr std::size_t kMostHead = 16 << 10;
constexpr std::uint64_t kMostBody = 4 << 20;

struct Head {
  int wrong = 0;             // the status that refuses it; 0: it is well formed
  const char* why = "";      // for a person
  std::uint64_t length = 0;  // of the body
};

// `text` with the empty line at its end.
Head read_head(std::string_view text);

// Where the body begins, if the head is complete: behind the empty line.
std::size_t end_of_head(std::string_view text, std::size_t from = 0);

}  // namespace surety::serve
