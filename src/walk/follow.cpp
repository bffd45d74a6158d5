#include "walk/follow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "load/ada.hpp"

namespace surety::api {
namespace {

constexpr std::size_t kNowhere = SIZE_MAX;

bool is_silent(const std::string& name) { return name == "tau" || name == "i"; }

bool is_same(const ShownStep& a, const ShownStep& b) {
  return a.process == b.process && a.line == b.line && a.statement == b.statement;
}

std::string described(const TraceStep& step) {
  return step.parts.empty() ? step.action : fmt::format("{} ({})", step.action, who_does_what(step));
}

class Follower {
 public:
  Follower(Walker& walker, const Script& script, Budget& budget, Choice start)
      : walker_(walker), script_(script), budget_(budget), reached_{{0, std::move(start), 0, kNowhere}} {}

  Followed run() {
    seen_.emplace(0, reached_[0].by.target, kNowhere);
    judge(0);
    for (std::size_t i = 0; i < reached_.size() && !found_ && budget_.go_on(); ++i) {
      const Position at = reached_[i].by.target;
      if (!goes_on_after_end() && (is_at_end(i) || (best_ended_ && !script_.exact))) continue;
      if (at.empty() || (reached_[i].by.is_wrong() && !script_.exact)) continue;
      for (Choice& choice : walker_.choices(at)) {
        if (found_) break;
        const bool silent = !script_.exact && choice.action == kTau;
        if (!silent && (is_at_end(i) || !is_wanted(at, choice, script_.steps[reached_[i].place]))) continue;
        add(i, std::move(choice), silent);
      }
    }
    return way_to_best();
  }

 private:
  struct Reached {
    std::size_t from;
    Choice by;
    std::size_t place;
    std::size_t begin;  // of the cycle: which one was reached then; nowhere: not yet
  };

  std::size_t count() const { return script_.steps.size(); }
  bool has_cycle() const { return script_.again < count(); }
  bool is_at_end(std::size_t i) const { return reached_[i].place == count(); }
  // Silent steps may be needed until a cycle closes, or until it shows what it is for.
  bool goes_on_after_end() const { return !script_.exact && (has_cycle() || script_.kind); }

  bool is_wanted(const Position& at, const Choice& choice, const Script::Wanted& wanted) {
    if (walker_.name(choice) != wanted.step.action) return false;
    if (!wanted.to.empty() && choice.target != wanted.to) return false;
    const auto& parts = wanted.step.parts;
    if (walker_.model().ada) return true;  // the action says it: a walk through a network knows of no statements
    return parts.empty() || std::ranges::equal(walker_.shown(at, choice).parts, parts, is_same);
  }

  void add(std::size_t from, Choice choice, bool silent) {
    const std::size_t place = reached_[from].place + (silent ? 0 : 1);
    const bool begins = !silent && has_cycle() && reached_[from].place == script_.again;
    const std::size_t begin = begins ? from : reached_[from].begin;
    if (!choice.is_wrong() && !seen_.emplace(place, choice.target, begin).second) return;
    reached_.push_back({from, std::move(choice), place, begin});
    judge(reached_.size() - 1);
  }

  // Is it the best so far, or what was looked for?
  void judge(std::size_t i) {
    const Reached& now = reached_[i];
    if (is_at_end(i) && has_cycle() && closes(now)) {
      best_ = i;
      found_ = closed_ = true;
      return;
    }
    if (is_at_end(i) && (script_.exact || script_.kind)) {
      if (const int fit = how_well(now.by); fit > most_) {
        best_ = i;
        most_ = fit;
        found_ = fit == kAsSaid && !has_cycle();
      }
      best_ended_ = true;
      return;
    }
    if (now.place > reached_[best_].place || (now.place == reached_[best_].place && is_better(now.by))) best_ = i;
    if (is_at_end(i)) best_ended_ = true;
  }

  // What goes wrong is what a script is for. A silent step is not in it.
  bool is_better(const Choice& choice) const {
    return choice.action != kTau && choice.is_wrong() && !reached_[best_].by.is_wrong();
  }

  // Back where the cycle began. What watches may know more than it did then.
  bool closes(const Reached& now) const {
    if (now.by.is_wrong() || now.begin == kNowhere) return false;
    const Position& then = reached_[now.begin].by.target;
    if (walker_.model().promela) return now.by.target == then;
    return walker_.states(now.by.target) == walker_.states(then);
  }

  // How well the end of a way fits to what the script shows. A file may not say what that is.
  static constexpr int kAsSaid = 2;
  int how_well(const Choice& last) {
    const bool still = last.error.empty() && !last.target.empty() && walker_.choices(last.target).empty();
    const bool is_named =
        script_.property.empty() || std::ranges::find(last.violated, script_.property) != last.violated.end();
    if (!script_.kind) return last.is_wrong() ? kAsSaid : still ? 1 : 0;
    switch (*script_.kind) {
      case CheckKind::deadlock: return still && !walker_.may_end(last.target) ? kAsSaid : 0;
      case CheckKind::error:
        return !last.error.empty() || ada_is_failure(walker_.model(), last.action) ? kAsSaid : last.is_wrong() ? 1 : 0;
      case CheckKind::safety: return last.is_wrong() && is_named ? kAsSaid : last.is_wrong() ? 1 : 0;
      case CheckKind::progress:
      case CheckKind::ltl: return still ? kAsSaid : 0;
    }
    return 0;
  }

  // What is not of the system does not watch, and what never happens is not seen at the end.
  bool can_be_judged() const {
    const auto& properties = walker_.model().properties;
    if (script_.kind == CheckKind::safety)
      return std::ranges::any_of(properties, [&](const Property& p) { return p.name == script_.property; });
    return script_.kind == CheckKind::deadlock || script_.kind == CheckKind::error;
  }

  Followed way_to_best() {
    Followed out;
    out.why = budget_.why();
    std::vector<std::size_t> way{best_};
    while (way.back() != 0) way.push_back(reached_[way.back()].from);
    std::ranges::reverse(way);
    const std::size_t place = reached_[best_].place;
    const bool over = !script_.exact && reached_[best_].by.is_wrong();
    if (place < count() && out.why == Stop::none && !over)
      out.stuck = Followed::Stuck{script_.steps[place].number, described(script_.steps[place].step)};
    if (place == count() && !closed_ && most_ == 0 && can_be_judged()) out.expected = script_.kind;
    const std::size_t begin = reached_[best_].begin;
    for (std::size_t i = 0; i < way.size(); ++i) {
      if (closed_ && way[i] == begin) out.cycle_from = i + 1;
      out.done.push_back(reached_[way[i]].place);
      out.way.push_back(std::move(reached_[way[i]].by));
    }
    return out;
  }

  Walker& walker_;
  const Script& script_;
  Budget& budget_;
  std::vector<Reached> reached_;
  std::set<std::tuple<std::size_t, Position, std::size_t>> seen_;
  std::size_t best_ = 0;
  int most_ = -1;            // of those at the end: how well it fits
  bool best_ended_ = false;  // there is one at the end
  bool found_ = false, closed_ = false;
};

}  // namespace

Outcome<Script> script_of(const std::vector<std::string>& names, const Model& model) {
  Script out;
  Alphabet all = alphabet_of(model.network);
  for (const Property& p : model.properties) all = unite(all, p.lts.alphabet());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (is_silent(names[i])) continue;  // silent steps come by themselves
    const auto known = sorted_names(*model.actions, all);
    if (!model.promela && !std::ranges::binary_search(known, names[i]))
      return usage(fmt::format("no component has the action '{}'", names[i]),
                   can_save(names[i]) ? fmt::format("and there is no file '{}'", names[i])
                                      : did_you_mean(names[i], known, "the actions are"));
    out.steps.push_back({{names[i], {}}, i + 1});
  }
  out.again = out.steps.size();
  return out;
}

Script script_of(SavedTrace trace) {
  Script out{{}, true, trace.again, trace.kind, trace.property};
  for (TraceStep& step : trace.steps) out.steps.push_back({std::move(step), out.steps.size() + 1});
  return out;
}

Script without_silent(const Script& script) {
  Script out{{}, false, 0, script.kind, script.property};
  for (std::size_t i = 0; i < script.steps.size(); ++i) {
    if (i == script.again) out.again = out.steps.size();
    if (!is_silent(script.steps[i].step.action)) out.steps.push_back(script.steps[i]);
  }
  if (script.again >= script.steps.size()) out.again = out.steps.size();
  return out;
}

Followed follow(Walker& walker, const Script& script, Budget& budget, const Choice* start) {
  return Follower(walker, script, budget, start != nullptr ? *start : walker.start()).run();
}

}  // namespace surety::api
