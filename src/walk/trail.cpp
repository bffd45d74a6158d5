// SPIN prints each statement: two lines for a rendezvous, one for each statement inside a d_step. Jumps it does not
// print. Where a line fits to several steps, all are tried, breadth first through (lines done, position).

#include "walk/trail.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace surety::api {
namespace {

class Follower {
 public:
  Follower(Walker& walker, const spin::Trail& trail, Budget& budget)
      : walker_(walker), trail_(trail), budget_(budget), reached_{{0, walker.start(), 0}} {
    seen_.emplace(0, reached_[0].by.target);
  }

  SavedTrace run() {
    std::size_t best = 0;
    for (std::size_t i = 0; i < reached_.size() && budget_.go_on(); ++i) {
      if (reached_[i].lines > reached_[best].lines) best = i;
      const bool all_done = reached_[best].lines == trail_.lines.size();
      if (all_done && comes_back(i)) best = i;
      if (all_done && (!repeats() || again_)) break;
      if (reached_[i].by.target.empty() || (all_done && reached_[i].lines < trail_.lines.size())) continue;
      const Position at = reached_[i].by.target;
      for (const Choice& choice : walker_.choices(at)) take(i, at, choice);
    }
    return way_to(best);
  }

 private:
  struct Reached {
    std::size_t from;
    Choice by;
    std::size_t lines;  // of the trail that are done
  };

  bool repeats() const { return trail_.again < trail_.lines.size(); }

  // Is this the end of the trail, and where its cycle began? There may be a jump after the last line.
  bool comes_back(std::size_t last) {
    if (!repeats() || reached_[last].lines < trail_.lines.size()) return false;
    std::size_t i = last;
    while (i != 0 && (reached_[i].lines > trail_.again || reached_[i].by.target != reached_[last].by.target))
      i = reached_[i].from;
    if (reached_[i].lines != trail_.again || reached_[i].by.target != reached_[last].by.target) return false;
    std::size_t steps = 0;
    for (; i != 0; i = reached_[i].from) ++steps;
    again_ = steps;
    return true;
  }

  bool is_at(std::size_t line, std::uint32_t process, const ShownStep& part) const {
    return line < trail_.lines.size() && trail_.lines[line].process == process && trail_.lines[line].line == part.line;
  }

  void take(std::size_t from, const Position& at, const Choice& choice) {
    const std::size_t done = reached_[from].lines;
    const auto parts = walker_.shown(at, choice).parts;
    const std::uint32_t process = choice.step.process;
    if (is_jump(parts[0].statement)) add(from, choice, done);
    if (parts.size() > 1) {
      const auto partner = static_cast<std::uint32_t>(choice.step.partner);
      if (is_at(done, process, parts[0]) && is_at(done + 1, partner, parts[1]))
        add_with_insides(from, choice, done + 2, partner, parts[1]);
    } else if (is_at(done, process, parts[0]) || (parts[0].statement == "d_step" && is_of(done, process))) {
      add_with_insides(from, choice, done + 1, process, parts[0]);
    }
  }

  // SPIN may print these or not.
  static bool is_jump(const std::string& statement) {
    static const std::vector<std::string> kWords{"goto", "break", "if", "do", "for", "select", "atomic", "{", "unless"};
    const auto is_first = [&](const std::string& word) {
      return statement == word || statement.starts_with(word + " ");
    };
    return std::ranges::any_of(kWords, is_first);
  }

  bool is_of(std::size_t line, std::uint32_t process) const {
    return line < trail_.lines.size() && trail_.lines[line].process == process && trail_.lines[line].line > 0;
  }

  // A d_step is several lines of its process with the same number.
  void add_with_insides(std::size_t from, const Choice& choice, std::size_t lines, std::uint32_t process,
                        const ShownStep& part) {
    add(from, choice, lines);
    if (part.statement != "d_step") return;
    const std::uint32_t step = trail_.lines[lines - 1].step;
    while (is_of(lines, process) && trail_.lines[lines].step == step) add(from, choice, ++lines);
  }

  void add(std::size_t from, const Choice& choice, std::size_t lines) {
    if (choice.target.empty() || seen_.emplace(lines, choice.target).second) reached_.push_back({from, choice, lines});
  }

  SavedTrace way_to(std::size_t last) {
    std::vector<std::size_t> way;
    for (std::size_t i = last; i != 0; i = reached_[i].from) way.push_back(i);
    std::ranges::reverse(way);
    SavedTrace out;
    for (const std::size_t i : way) {
      TraceStep step = walker_.shown(reached_[reached_[i].from].by.target, reached_[i].by);
      for (ShownStep& part : step.parts) part.note.clear();
      out.steps.push_back(std::move(step));
    }
    const std::size_t lines = reached_[last].lines;
    if (lines < trail_.lines.size() && budget_.why() == Stop::none) {
      const auto& line = trail_.lines[lines];
      out.steps.push_back({"tau", {{fmt::format("process {}", line.process), line.line, line.statement, {}}}});
    }
    out.again = again_.value_or(out.steps.size());
    return out;
  }

  Walker& walker_;
  const spin::Trail& trail_;
  Budget& budget_;
  std::vector<Reached> reached_;
  std::set<std::pair<std::size_t, Position>> seen_;
  std::optional<std::size_t> again_;  // after so many steps the cycle begins
};

}  // namespace

SavedTrace trace_of(Walker& walker, const spin::Trail& trail, Budget& budget) {
  return Follower(walker, trail, budget).run();
}

}  // namespace surety::api
