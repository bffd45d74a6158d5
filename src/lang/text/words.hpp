// The words of a table of spellings (scanner.hpp), for editors that complete them.
#pragma once

#include <string_view>
#include <vector>

namespace surety::text {

template <class Table>
std::vector<std::string_view> words_of(const Table& spellings) {
  std::vector<std::string_view> out;
  for (const auto& spelling : spellings) out.push_back(spelling.text);
  return out;
}

}  // namespace surety::text
