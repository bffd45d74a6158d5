// Answers about one LTS or two: compose and draw, assume, compare.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/text.hpp"
#include "cli/text_lines.hpp"
#include "lang/fsp/fsp.hpp"

namespace surety::cli {

std::string to_text(const api::Composition& c) {
  std::string out;
  if (!c.lts) {
    line(out, "unknown: {} was not built, stopped by {}", c.model.network.name, describe(c.why));
    return out;
  }
  line(out, "{}: {}, {}", c.model.network.name, plural(c.states, "state"), plural(c.transitions, "transition"));
  if (c.lts->error()) line(out, "  the error state is reachable");
  if (c.deadlocks > 0) line(out, "  {}", plural(c.deadlocks, "deadlock"));
  return out;
}

std::string to_text(const api::Assumed& a, const Style& style) {
  std::string out;
  const auto& actions = *a.model.actions;
  const bool done = a.why == Stop::none;
  if (!done) line(out, "unknown: stopped by {}", describe(a.why));
  if (a.assumption) {
    const Lts& lts = *a.assumption;
    line(out, "{}{}assumption: {}, {} over {{{}}}", done ? "" : "  last ", a.weakest ? "weakest " : "",
         plural(lts.state_count(), "state"), plural(lts.transition_count(), "transition"),
         fmt::join(sorted_names(actions, lts.alphabet()), ", "));
    if (lts.state_count() == 0 && done)
      line(out, "  no environment over these actions helps: whatever it does, the system can fail by itself");
    else if (lts.state_count() > kShowStates && !(style.detail > 0))
      line(out, "  (-v shows it, -o FILE writes it)");
    else if (lts.state_count() > 0)
      line(out, "{}", indented(to_fsp(lts, actions, "ASSUMPTION"), 2));
    row(out, done ? "known" : "known of it", "{}", a.known);
  }
  row(out, "queries", "{}", grouped(a.cost.queries));
  row(out, "largest", "{}, {}", plural(a.cost.max_states, "state"), plural(a.cost.max_transitions, "transition"));
  if (a.spin) row(out, "spin", "{}", about_spin(*a.spin));
  row(out, "time", "{:.3f} s", a.time_s);
  return out;
}

std::string to_text(const api::Comparison& c) {
  std::string out;
  if (c.lines.empty()) {
    line(out, "unknown: {} and {} were not compared, stopped by {}", c.names[0], c.names[1], describe(c.why));
    return out;
  }
  line(out, "{}: {} and {}, by {}", c.equivalent() ? "equivalent" : "not equivalent", c.names[0], c.names[1],
       c.lines.front().equivalence == Equivalence::trace
           ? "traces"
           : api::equivalence_name(c.lines.front().equivalence) + " bisimulation");
  for (const auto& entry : c.lines) {
    const std::string name = api::equivalence_name(entry.equivalence);
    if (!entry.difference) {
      row(out, name.c_str(), "equivalent");
      continue;
    }
    const auto& d = *entry.difference;
    const auto& one = c.names[d.first_has_it ? 0 : 1];
    const auto& other = c.names[d.first_has_it ? 1 : 0];
    const std::string trace = shown_trace(d.trace, *c.actions);
    if (d.by_trace)
      row(out, name.c_str(), "{} has the trace {}, {} has not", one, trace, other);
    else
      row(out, name.c_str(), "{} can do {}; {} cannot match the last step, however it answers before", one, trace,
          other);
  }
  if (c.why != Stop::none) row(out, "stopped by", "{}", describe(c.why));
  return out;
}

}  // namespace surety::cli
