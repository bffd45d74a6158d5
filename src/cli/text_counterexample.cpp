#include "cli/text_counterexample.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "cli/text_lines.hpp"

namespace surety::cli {
namespace {

constexpr std::size_t kShowSteps = 40;  // of a trace; of more, the first and the last half of them
constexpr std::size_t kShowStands = 6;  // processes at the end of a trace
constexpr std::size_t kShowNames = 12;  // of actions
constexpr std::size_t kShowWishes = 4;  // of one of them

// "on [LIT], off": after each action the fluents that hold, as LTSA shows them.
std::string shown_with_fluents(const Trace& trace, const std::vector<Fluent>& fluents, const ActionTable& actions) {
  if (fluents.empty() || trace.empty()) return shown_trace(trace, actions);
  const auto holding = fluents_along(fluents, trace);
  std::string out;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    out += (i == 0 ? "" : ", ") + std::string(actions.name(trace[i]));
    if (!holding[i].empty()) out += fmt::format(" [{}]", fmt::join(holding[i], " "));
  }
  return out;
}

// Which steps of so many are shown: all, or the first and the last ones.
bool is_folded(std::string& out, std::size_t i, std::size_t count, const Style& style) {
  const bool folded = count > kShowSteps && style.detail == 0 && i >= kShowSteps / 2 && i < count - kShowSteps / 2;
  if (folded && i == kShowSteps / 2) row(out, "", "...  {} more, -v shows them", count - kShowSteps);
  return folded;
}

// "  1  a.enter        a:USER, LOCK [BUSY]"
void show_moves(std::string& out, const api::Check& check, const Violated& violated, const ActionTable& actions,
                const Style& style) {
  Trace all = violated.trace;
  all.insert(all.end(), violated.cycle.begin(), violated.cycle.end());
  const auto holding = fluents_along(check.fluents, violated.trace);
  std::size_t width = 0;
  for (const Action a : all) width = std::max(width, std::min<std::size_t>(actions.name(a).size(), 40));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (is_folded(out, i, all.size(), style)) continue;
    std::string who = fmt::format("{}", fmt::join(check.takes_part[i], ", "));
    if (who.empty() && all[i] != kTau) who = "no process has this action";
    if (i < holding.size() && !holding[i].empty()) who += fmt::format(" [{}]", fmt::join(holding[i], " "));
    const bool forever = i == violated.trace.size();
    row(out,
        forever  ? "for ever"
        : i == 0 ? "trace"
                 : "",
        "{:>3}  {:<{}}  {}", i + 1, actions.name(all[i]), width, who);
  }
  if (violated.trace.empty() && violated.cycle.empty()) row(out, "trace", "{}", shown_trace(violated.trace, actions));
}

// "a, b, 3 more"
std::string few(std::vector<std::string> all) {
  if (all.size() > kShowWishes) {
    const auto more = fmt::format("{} more", all.size() - kShowWishes);
    all.resize(kShowWishes);
    all.push_back(more);
  }
  return fmt::format("{}", fmt::join(all, ", "));
}

std::string shown(const api::Stand& stand) {
  using As = api::Stand::As;
  const bool statement = stand.wishes.empty() && stand.as == As::waiting;
  std::string out = stand.line == 0 ? "at " + stand.where
                    : statement     ? fmt::format("at line {}: {}", stand.line, stand.where)
                                    : fmt::format("at {} (line {})", stand.where, stand.line);
  switch (stand.as) {
    case As::failed: return "in ERROR";
    case As::ended: return "has ended";
    case As::stopped: return out + ", has stopped: it can do nothing more";
    case As::waiting: break;
  }
  std::vector<std::string> possible, refused;
  for (const auto& wish : stand.wishes)
    if (wish.refused_by.empty())
      possible.push_back(wish.action);
    else
      refused.push_back(fmt::format("{} (refused by {})", wish.action, fmt::join(wish.refused_by, ", ")));
  if (!possible.empty()) out += ", can do " + few(std::move(possible));
  if (!refused.empty()) out += ", waits for " + few(std::move(refused));
  return out;
}

// Where the processes are.
void show_stands(std::string& out, const std::vector<api::Stand>& stands, const Style& style) {
  const std::size_t count = style.detail > 0 ? stands.size() : std::min(stands.size(), kShowStands);
  for (std::size_t i = 0; i < count; ++i) row(out, i == 0 ? "there" : "", "{} {}", stands[i].process, shown(stands[i]));
  if (count < stands.size()) row(out, "", "... {} more, -v shows them", stands.size() - count);
}

std::string listed(const std::vector<std::string>& names, const Style& style) {
  const std::size_t count = style.detail > 0 ? names.size() : std::min(names.size(), kShowNames);
  const std::vector<std::string> some(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(count));
  return fmt::format("{}{}", fmt::join(some, ", "),
                     count < names.size() ? fmt::format(", {} more (-v shows them)", names.size() - count) : "");
}

// What comes after a finite trace that is against a progress set or an assertion.
const char* rest_of_run(const std::vector<api::Stand>& stands) {
  using As = api::Stand::As;
  const auto all = [&](As as) { return std::ranges::all_of(stands, [&](const auto& s) { return s.as == as; }); };
  if (stands.empty()) return "the run can stay there for ever";
  if (all(As::ended)) return "all processes have ended";
  const auto can_go_on = [](const api::Stand& stand) {
    return std::ranges::any_of(stand.wishes, [](const auto& wish) { return wish.refused_by.empty(); });
  };
  return std::ranges::any_of(stands, can_go_on) ? "only silent steps happen, for ever"
                                                : "the system is stuck: nothing can happen any more";
}

}  // namespace

// "  c.3          A:4 c!3 with B:9 c?x"
void show_steps(std::string& out, const api::Check& check, std::size_t prefix, const Style& style) {
  for (std::size_t i = 0; i < check.steps.size(); ++i) {
    if (is_folded(out, i, check.steps.size(), style)) continue;
    std::string text;
    for (const ShownStep& part : check.steps[i].parts)
      text += fmt::format("{}{}{} {}{}", text.empty() ? "" : " with ", part.process,
                          part.line == 0 ? "" : fmt::format(":{}", part.line),  // a process that ends has none
                          part.statement, part.note.empty() ? "" : " -- " + part.note);
    row(out, i == prefix ? "for ever" : i == 0 ? "steps" : "", "{:>3}  {:<14} {}", i + 1, check.steps[i].action, text);
  }
}

void show_counterexample(std::string& out, const api::Check& check, const Violated& violated,
                         const ActionTable& actions, const Style& style) {
  if (!check.steps.empty()) {
    show_steps(out, check, violated.cycle.empty() ? check.steps.size() : violated.trace.size(), style);
  } else if (style.brief || check.takes_part.empty()) {
    row(out, "trace", "{}", shown_with_fluents(violated.trace, check.fluents, actions));
    if (!violated.cycle.empty()) row(out, "for ever", "{}", shown_trace(violated.cycle, actions));
  } else {
    show_moves(out, check, violated, actions, style);
  }
  if (!check.starved.empty()) {
    row(out, "starved", "{}", listed(sorted_names(actions, check.starved), style));
    if (!violated.cycle.empty())
      row(out, "go on", "{}", listed(sorted_names(actions, Alphabet(violated.cycle)), style));
  }
  const bool endless = check.kind == CheckKind::progress || check.kind == CheckKind::ltl;
  if (endless && violated.cycle.empty() && check.steps.empty()) row(out, "then", "{}", rest_of_run(check.stands));
  if (!style.brief) show_stands(out, check.stands, style);
}

std::string to_text(const api::Stand& stand) { return fmt::format("{} {}", stand.process, shown(stand)); }

}  // namespace surety::cli
