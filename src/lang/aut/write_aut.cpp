// Writes Aldebaran files.
//
// Everything that is the same for all steps of an action, `,"label",`, is made
// once; a step is then two numbers and a copy.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "base/check.hpp"
#include "lang/aut/write.hpp"

namespace surety {
namespace {

constexpr std::size_t kMaxDigits = 10;  // of a 32-bit number

// What a reader would take for something else.
bool is_unwritable(std::string_view name) {
  return name.empty() || name == "i" || name == "tau" || name.find('\n') != std::string_view::npos;
}

// The name of every action of the alphabet as the file shows it, by action.
std::vector<std::string> written_names(const ActionTable& actions, const Alphabet& alphabet) {
  std::vector<std::string> names(alphabet.empty() ? 1 : alphabet[alphabet.size() - 1].value + 1ULL);
  names[kTau.value] = actions.name(kTau);
  std::set<std::string> used;
  for (const Action a : alphabet) used.insert(names[a.value] = actions.name(a));
  for (const Action a : alphabet) {
    std::string& name = names[a.value];
    if (!is_unwritable(name)) continue;
    std::replace(name.begin(), name.end(), '\n', ' ');
    do name += '_';
    while (!used.insert(name).second);
  }
  return names;
}

void append_number(std::string& out, std::uint32_t n) {
  char digits[kMaxDigits];
  const auto end = std::to_chars(digits, digits + kMaxDigits, n).ptr;
  out.append(digits, end);
}

}  // namespace

std::string to_aut(const Lts& lts, const ActionTable& actions) {
  check(lts.state_count() > 0, "an .aut file has at least one state");
  std::vector<std::string> labels = written_names(actions, lts.alphabet());
  for (std::string& label : labels) label = ",\"" + label + "\",";

  const std::string header = fmt::format("des (0,{},{})\n", lts.step_count(), lts.state_count());
  const std::size_t state_width = fmt::formatted_size("{}", lts.state_count());
  std::size_t size = header.size() + lts.step_count() * (2 * state_width + 3);
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s})) size += labels[step.action.value].size();

  std::string out;
  out.reserve(size);
  out += header;
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s})) {
      out += '(';
      append_number(out, s);
      out += labels[step.action.value];
      append_number(out, step.target.value);
      out += ")\n";
    }
  return out;
}

}  // namespace surety
