// Names in actions.
#pragma once

#include <cctype>
#include <string>

namespace surety::ada {

// Worker(2).Helper is worker.2.helper.
inline std::string action_label(const std::string& name) {
  std::string out;
  for (const char c : name) {
    if (c == '(' || c == ',')
      out += '.';
    else if (c != ')')
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

}  // namespace surety::ada
