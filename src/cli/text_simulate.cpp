// A walk as a table: a line for each step, and how it ended.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/text.hpp"
#include "cli/text_lines.hpp"

namespace surety::cli {
namespace {

std::string in_one_line(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '\n' ? "\\n" : c == '\t' ? "\\t" : std::string(1, c);
  return out + "\"";
}

const char* not_as_written(CheckKind kind) {
  switch (kind) {
    case CheckKind::deadlock: return "the trace was written for a deadlock, and no run with these steps ends in one";
    case CheckKind::error: return "the trace was written for an error, and no run with these steps ends in one";
    default: return "the trace was written for a violated property, and no run with these steps violates it";
  }
}

void add_cycle(std::string& out, const api::Simulation& s) {
  if (!s.cycle_from) return;
  const std::size_t last = s.moments.size() - 1;
  if (*s.cycle_from == last)
    line(out, "for ever: step {}", last);
  else
    line(out, "for ever: steps {} to {}", *s.cycle_from, last);
}

void add_stuck(std::string& out, const api::Simulation& s) {
  if (s.stuck)
    line(out, "impossible: '{}', step {} of the script, cannot happen there", s.stuck->action, s.stuck->step);
}

void add_expected(std::string& out, const api::Simulation& s) {
  if (s.expected) line(out, "{}", not_as_written(*s.expected));
}

void add_stop(std::string& out, const api::Simulation& s) {
  if (s.why != Stop::none) line(out, "stopped by {}", describe(s.why));
}

}  // namespace

std::string how_followed(const api::Simulation& s) {
  std::string out;
  for (const auto& add : {add_cycle, add_stuck, add_expected, add_stop}) add(out, s);
  return out;
}

std::string to_text(const api::Simulation& s) {
  std::string out;
  const auto& components = s.model.network.components;
  std::vector<std::string> wrong;
  std::size_t number = 0;
  for (const auto& moment : s.moments) {
    std::vector<std::string> states;
    for (std::size_t i = 0; i < moment.states.size(); ++i)
      states.push_back(fmt::format("{}={}", components[i].name, api::shown_state(s.model, i, moment.states[i])));
    if (!moment.error.empty())
      wrong.push_back(fmt::format("error: {} {} step {}", moment.error, s.model.promela ? "in" : "after", number));
    for (const auto& property : moment.violated)
      wrong.push_back(fmt::format("property {} is violated by step {}", property, number));
    const bool over = moment.enabled.empty() && (!moment.error.empty() || !moment.violated.empty());
    line(out, "{:>4}  {:<16} {}{}", number++, moment.action.empty() ? "(start)" : moment.action,
         moment.text.empty() ? fmt::format("{}", fmt::join(states, s.model.fsp ? ", " : " ")) : moment.text,
         over                     ? ""
         : moment.enabled.empty() ? "  next: nothing"
                                  : fmt::format("  next: {}", fmt::join(moment.enabled, ", ")));
    if (!moment.printed.empty()) line(out, "      prints {}", in_one_line(moment.printed));
  }
  add_cycle(out, s);
  for (const auto& each : wrong) line(out, "{}", each);
  add_stuck(out, s);
  if (s.deadlock && !s.stuck)
    line(out, "deadlock: nothing can happen any more");
  else if (s.ended && !s.stuck)
    line(out, "ended: {}", s.model.promela ? "every process is where it may stop" : "the system is at its END");
  add_expected(out, s);
  if (s.deadlock && !s.stuck)
    for (const auto& stand : s.stands) line(out, "  {}", to_text(stand));
  add_stop(out, s);
  return out;
}

}  // namespace surety::cli
