#include "cli/text_study.hpp"

#include <algorithm>
#include <cmath>

#include "cli/text_lines.hpp"

namespace surety::cli {
namespace {

// What is left, by expected time and the rate so far.
std::string time_left(const study::RunProgress& p) {
  const std::size_t left = p.all - p.done;
  if (left == 0) return "done";
  if (p.since_start == 0) return fmt::format("about {} left", shown_time(p.left_s / static_cast<double>(p.workers)));
  const double by_rate = p.seconds / static_cast<double>(p.since_start) * static_cast<double>(left);
  const double by_time = p.left_s / static_cast<double>(p.workers);
  return fmt::format("about {} left", shown_time(std::max(by_time, std::min(by_rate, 100 * by_time))));
}

void list_some(std::string& out, const char* title, const std::vector<std::string>& all) {
  if (all.empty()) return;
  line(out, "{}", title);
  for (std::size_t i = 0; i < std::min<std::size_t>(all.size(), 10); ++i) line(out, "  {}", all[i]);
  if (all.size() > 10) line(out, "  and {} more", all.size() - 10);
}

}  // namespace

std::string shown_time(double seconds) {
  if (seconds < 0.9995) return fmt::format("{:.3f} s", seconds);
  if (seconds < 99.5) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  if (whole < 3600) return fmt::format("{} m {} s", whole / 60, whole % 60);
  if (whole < 172'800) return fmt::format("{} h {} m", whole / 3600, whole / 60 % 60);
  return fmt::format("{} d {} h", whole / 86400, whole / 3600 % 24);
}

std::string to_text(const study::Created& created, const std::string& file) {
  std::string out;
  if (!created.is_new && created.items == 0)
    line(out, "{}: nothing new; {}", file, plural(created.all_items, "run"));
  else
    line(out, "{}: {}{}, {}, {}", file, created.is_new ? "" : "added ", plural(created.systems, "system"),
         plural(created.instances, "instance"), plural(created.items, "run"));
  return out;
}

std::string to_text(const study::Standing& standing) {
  std::string out;
  const auto& total = standing.total;
  if (total.left == 0)
    line(out, "done: {} in {}", plural(total.all, "run"), shown_time(total.seconds));
  else
    line(out, "{} of {} done, {} left{}", grouped(total.all - total.left), plural(total.all, "run"),
         grouped(total.left),
         standing.expected_s > 0 ? fmt::format(", about {} on one core", shown_time(standing.expected_s)) : "");
  line(out, "");
  std::size_t width = 6;
  for (const auto& row : standing.rows) width = std::max(width, row.system.size());
  line(out, "{:<{}}  {:<8} {:>6} {:>8} {:>8} {:>8} {:>6} {:>7} {:>8} {:>10}", "system", width, "engine", "prop.",
       "runs", "done", "limit", "worse", "crashed", "left", "time");
  const auto show = [&](const study::Standing::Row& row, const std::string& name) {
    line(out, "{:<{}}  {:<8} {:>6} {:>8} {:>8} {:>8} {:>6} {:>7} {:>8} {:>10}", name, width, row.engine, row.properties,
         grouped(row.all), grouped(row.done + row.excluded), grouped(row.over_limit), grouped(row.worse),
         grouped(row.crashed), grouped(row.left), shown_time(row.seconds));
  };
  for (const auto& row : standing.rows) show(row, row.system);
  if (standing.rows.size() > 1) show(total, "all");
  if (!standing.running.empty()) {
    line(out, "\nrunning, or left by a run that was ended");
    for (std::size_t i = 0; i < std::min<std::size_t>(standing.running.size(), 5); ++i)
      line(out, "  {}  {}", standing.running[i].key, standing.running[i].status);
  }
  if (!standing.slowest.empty()) {
    line(out, "\nslowest");
    for (const auto& slow : standing.slowest)
      line(out, "  {:>10}  {}{}", shown_time(slow.seconds), slow.key, slow.status == "done" ? "" : ", " + slow.status);
  }
  if (total.excluded > 0) line(out, "\n{} left out: their property does not hold", plural(total.excluded, "run"));
  list_some(out, "\ncrashed", standing.crashes);
  list_some(out, "\nmodels that could not be built", standing.not_built);
  return out;
}

std::string to_text(const study::Shown& shown) {
  std::string out;
  line(out, "{}", shown.key);
  row(out, "number", "{}", shown.item.id);
  if (!shown.split.empty()) row(out, "split", "{}", shown.split);
  row(out, "reason", "{}", shown.reason);
  row(out, "status", "{}{}", shown.status, shown.why.empty() ? "" : ": " + shown.why);
  if (shown.item.result) {
    const auto& r = *shown.item.result;
    row(out, "verdict", "{}{}", r.verdict,
        !r.certified   ? ""
        : *r.certified ? ", proof checked"
                       : ", proof not checked in time");
    row(out, "cost", "{} states in the largest search{}", grouped(r.max_states),
        shown.monolithic && *shown.monolithic > 0
            ? fmt::format(", {:.1f} % of the monolithic {}",
                          100.0 * static_cast<double>(r.max_states) / static_cast<double>(*shown.monolithic),
                          grouped(*shown.monolithic))
            : "");
    if (r.premise1 + r.premise2 > 0) row(out, "premises", "{} and {} states", grouped(r.premise1), grouped(r.premise2));
    if (!r.constraints.empty()) row(out, "constraints", "{}", r.constraints);
    row(out, "together", "{} states, {} transitions", grouped(r.states), grouped(r.transitions));
    if (r.queries > 0)
      row(out, "learning", "{} queries, {}, {} states met by queries", grouped(r.queries),
          plural(r.conjectures, "conjecture"), grouped(r.query_states));
    row(out, "time", "{}{}", shown_time(r.time_s), r.learn_s > 0 ? ", learning " + shown_time(r.learn_s) : "");
  }
  if (shown.assumption)
    row(out, "assumption", "{}, {} letters{}", plural(shown.assumption->states, "state"), shown.assumption->letters,
        shown.assumption_text.empty() ? "; not kept, --assumption-out FILE writes it" : "; --json shows it");
  row(out, "again", "{}", shown.command);
  return out;
}

std::string to_text(const study::Differences& d) {
  std::string out;
  if (d.none())
    line(out, "equal but for times: {}", plural(d.equal, "run"));
  else
    line(out, "different: {} contradict, {} only in the first, {} only in the second, {} equal",
         d.contradictions.size(), d.first_only.size(), d.second_only.size(), d.equal);
  list_some(out, "contradictions", d.contradictions);
  list_some(out, "only in the first", d.first_only);
  list_some(out, "only in the second", d.second_only);
  list_some(out, "within the limits in one of them only", d.within_limits);
  return out;
}

std::string to_text(const study::Merged& merged) {
  std::string out = fmt::format("merged {}: {} new, {} known", plural(merged.parts, "part"),
                                plural(merged.taken, "run"), grouped(merged.known));
  if (merged.left_out > 0)
    out +=
        fmt::format("; {} of later phases left out, which the study makes by itself", plural(merged.left_out, "run"));
  return out + "\n";
}

std::string to_text(const study::RunEnd& end) {
  const auto& p = end.progress;
  std::string out;
  const char* const why = end.why == study::RunEnd::Why::done     ? "done"
                          : end.why == study::RunEnd::Why::budget ? "the budget ended"
                                                                  : "interrupted";
  line(out, "{}: {} of {} runs, {} now in {}; {} over the limit, {} worse than the bound, {} crashed", why,
       grouped(p.done), grouped(p.all), grouped(p.since_start), shown_time(p.seconds), grouped(p.over_limit),
       grouped(p.worse), grouped(p.crashed));
  return out;
}

std::string line_of(const study::RunProgress& p) {
  return fmt::format("{} of {} runs, {} over the limit, {:.1f} per second, {}", grouped(p.done), grouped(p.all),
                     grouped(p.over_limit), static_cast<double>(p.since_start) / std::max(0.001, p.seconds),
                     time_left(p));
}

std::string bar(const study::RunProgress& p, int columns) {
  constexpr int kWidth = 20;
  const double all = p.done_s + p.left_s;
  const double share = p.all == p.done ? 1 : all > 0 ? p.done_s / all : 0;
  const auto filled = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * kWidth);
  std::string out = fmt::format("[{}{}] {}", std::string(filled, '#'), std::string(kWidth - filled, '.'), line_of(p));
  const auto fit = [&](std::string text) {
    if (columns > 10 && text.size() >= static_cast<std::size_t>(columns))
      text.resize(static_cast<std::size_t>(columns) - 1);
    return text;
  };
  out = fit(out);
  for (std::size_t i = 0; i < std::min<std::size_t>(p.running.size(), 3); ++i)
    out += "\n" + fit(fmt::format("  {:>8}  {}", shown_time(p.running[i].seconds), p.running[i].key));
  return out;
}

}  // namespace surety::cli
