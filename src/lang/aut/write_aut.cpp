// Writes Aldebaran files.
//
// Everything that is the same for all steps of an action, `,"label",`, is made
// once; a step is then two numbers and a copy.
//
// The format knows steps and nothing else, so an alphabet beyond the labels on steps,
// ERROR and END become steps too: loops of a state that cannot be reached, and
// loops with labels that only the reader knows.
#include <fmt/format.h>

#include <charconv>

#include "base/check.hpp"
#include "lang/aut/labels.hpp"
#include "lang/aut/marks.hpp"
#include "lang/aut/write.hpp"

namespace surety {
namespace {

constexpr std::size_t kMaxDigits = 10;  // of a 32-bit number

// What a reader would take for something else. Nothing: it reads the name back.
std::string unwritable(std::string_view name) {
  if (name.empty()) return "an action without a name cannot be written as .aut";
  const auto no = [&](const char* why) {
    return fmt::format("the action '{}' cannot be written as .aut: {}", name, why);
  };
  if (name == "i" || name == "tau") return no("this is the name of the silent step");
  if (name == kErrorMark || name == kEndMark) return no("this is the mark of a state");
  if (const auto line = name.find('\n'); line != std::string_view::npos)
    return fmt::format("the action '{}...' cannot be written as .aut: its name has a line break", name.substr(0, line));
  return {};
}

void append_number(std::string& out, std::uint32_t n) {
  char digits[kMaxDigits];
  const auto end = std::to_chars(digits, digits + kMaxDigits, n).ptr;
  out.append(digits, end);
}

void append_step(std::string& out, std::uint32_t from, std::string_view label, std::uint32_t to) {
  out += '(';
  append_number(out, from);
  out += label;
  append_number(out, to);
  out += ")\n";
}

std::string quoted(std::string_view label) { return fmt::format(",\"{}\",", label); }

}  // namespace

std::string not_in_aut(const Lts& lts, const ActionTable& actions) {
  if (lts.state_count() == 0) return "the empty language cannot be written as .aut";
  for (const Action a : lts.alphabet())
    if (std::string why = unwritable(actions.name(a)); !why.empty()) return why;
  return {};
}

std::string to_aut(const Lts& lts, const ActionTable& actions) {
  check(not_in_aut(lts, actions).empty(), "the LTS can be written as .aut");
  const std::vector<std::string> labels = labels_by_action(lts, actions, quoted);
  const Alphabet idle = idle_actions(lts);
  const std::uint64_t steps = lts.transition_count() + idle.size() + (lts.error() ? 1 : 0) + (lts.end() ? 1 : 0);
  const std::string header = fmt::format("des (0,{},{})\n", steps, lts.state_count() + (idle.empty() ? 0ULL : 1ULL));

  const std::size_t state_width = fmt::formatted_size("{}", lts.state_count());
  std::size_t size = header.size() + steps * (2 * state_width + 3);
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s})) size += labels[step.action.value].size();

  std::string out;
  out.reserve(size);
  out += header;
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s})) append_step(out, s, labels[step.action.value], step.target.value);
  if (const auto error = lts.error()) append_step(out, error->value, quoted(kErrorMark), error->value);
  if (const auto end = lts.end()) append_step(out, end->value, quoted(kEndMark), end->value);
  for (const Action a : idle) append_step(out, lts.state_count(), labels[a.value], lts.state_count());
  return out;
}

}  // namespace surety
