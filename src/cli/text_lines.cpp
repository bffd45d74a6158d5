#include "cli/text_lines.hpp"

#include <fmt/ranges.h>

#include <sstream>

#include "lang/fsp/fsp.hpp"

namespace surety::cli {

std::string grouped(std::uint64_t n) {
  std::string digits = std::to_string(n);
  for (int i = static_cast<int>(digits.size()) - 3; i > 0; i -= 3) digits.insert(static_cast<std::size_t>(i), ",");
  return digits;
}

std::string plural(std::uint64_t n, const char* noun) {
  return fmt::format("{} {}{}", grouped(n), noun, n == 1 ? "" : "s");
}

std::string shown_trace(const Trace& trace, const ActionTable& actions) {
  if (trace.empty()) return "(empty: nothing has to happen)";
  return fmt::format("{}", fmt::join(names(actions, trace), ", "));
}

std::string indented(const std::string& text, std::size_t by) {
  std::string out;
  std::istringstream in(text);
  for (std::string each; std::getline(in, each);) out += (out.empty() ? "" : "\n") + std::string(by, ' ') + each;
  return out;
}

// As FSP, which reads back.
void show_lts(std::string& out, const Lts& lts, const ActionTable& actions, const std::string& name) {
  line(out, "{}", indented(to_fsp(lts, actions, name), 15));
}

std::string about_spin(const spin::Statistics& spin) {
  return fmt::format("{} translated and compiled, {} taken from the cache; pan ran {}, {:.1f} MB at most",
                     plural(spin.compilations, "model"), grouped(spin.cached), plural(spin.runs, "time"),
                     static_cast<double>(spin.largest_bytes) / (1 << 20));
}

}  // namespace surety::cli
