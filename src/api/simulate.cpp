// Walks through a system: at random; along a script of visible actions, with silent steps taken where the script needs
// them; or along a trace in a file, step by step.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "api/commands.hpp"
#include "api/trail.hpp"
#include "api/walker.hpp"
#include "base/random.hpp"
#include "check/subject.hpp"
#include "load/ada.hpp"

namespace surety::api {
namespace {

bool is_silent(const std::string& name) { return name == "tau" || name == "i"; }

// A step that is asked for.
struct Wanted {
  TraceStep step;
  std::size_t number = 0;  // as the user counts, from 1
};

struct Script {
  std::vector<Wanted> steps;
  bool exact = false;                  // silent steps are in it; else they come by themselves
  std::size_t again = 0;               // where a cycle begins; the number of steps: there is none
  std::optional<CheckKind> kind = {};  // what it shows, and of which property
  std::string property = {};
};

bool is_same(const ShownStep& a, const ShownStep& b) {
  return a.process == b.process && a.line == b.line && a.statement == b.statement;
}

class Simulator {
 public:
  Simulator(const SimulateRequest& request, Walker& walker)
      : request_(request), walker_(walker), budget_(request.limits, request.interrupted) {}

  Simulation random_walk() {
    Random random(request_.seed);
    Position before;
    Choice now = walker_.start();
    for (std::uint64_t i = 0;; ++i) {
      const auto next = arrive(before, now, true);
      if (next.empty() || now.is_wrong() || i == request_.steps || !budget_.go_on()) break;
      before = now.target;
      now = next[random.below(static_cast<std::uint32_t>(next.size()))];
    }
    result_.why = budget_.why();
    return done();
  }

  // Breadth first through (place in the script, position); the way that gets furthest is shown.
  Simulation follow(const Script& script) {
    reached_ = {{0, walker_.start(), 0}};
    std::set<std::pair<std::size_t, Position>> seen{{0, reached_[0].by.target}};
    std::size_t best = 0;
    const auto is_done = [&] { return reached_[best].place == script.steps.size(); };
    for (std::size_t i = 0; i < reached_.size() && budget_.go_on(); ++i) {
      const Position at = reached_[i].by.target;
      const std::size_t place = reached_[i].place;
      if (place == script.steps.size() || (is_done() && !script.exact)) break;
      if (at.empty() || (reached_[i].by.is_wrong() && !script.exact)) continue;
      for (Choice& choice : walker_.choices(at)) {
        const bool silent = !script.exact && choice.action == kTau;
        if (!silent && !is_wanted(at, choice, script.steps[place])) continue;
        const std::size_t next = place + (silent ? 0 : 1);
        if (!choice.is_wrong() && !seen.emplace(next, choice.target).second) continue;
        reached_.push_back({i, std::move(choice), next});
        if (next > reached_[best].place || (next == reached_[best].place && is_better(reached_.back().by, best)))
          best = reached_.size() - 1;
      }
    }
    const bool has_cycle = script.again < script.steps.size();
    std::optional<std::size_t> round;
    if (script.exact && is_done() && has_cycle) round = once_round(script.again, script.steps.size());
    if (round)
      best = *round;
    else if (script.exact && is_done())
      best = most_telling(script);
    show_way_to(best);
    result_.why = budget_.why();
    const std::size_t place = reached_[best].place;
    if (place < script.steps.size() && result_.why == Stop::none && (script.exact || !reached_[best].by.is_wrong()))
      result_.stuck = Simulation::Stuck{script.steps[place].number, described(script.steps[place].step)};
    if (round) result_.cycle_from = script.again + 1;
    return done();
  }

  // The choices that were made, the start first.
  std::vector<Choice> take_way() { return std::move(way_); }

 private:
  struct Reached {
    std::size_t from;
    Choice by;
    std::size_t place;
  };

  bool is_wanted(const Position& at, const Choice& choice, const Wanted& wanted) {
    if (walker_.name(choice) != wanted.step.action) return false;
    const auto& parts = wanted.step.parts;
    if (walker_.model().ada) return true;  // the action says it: a walk through a network knows of no statements
    return parts.empty() || std::ranges::equal(walker_.shown(at, choice).parts, parts, is_same);
  }

  // What goes wrong is what a script is for. A silent step is not in it.
  bool is_better(const Choice& choice, std::size_t best) const {
    return choice.action != kTau && choice.is_wrong() && !reached_[best].by.is_wrong();
  }

  // Of all ways to the end: one whose last steps, from this place on, come back to where they began.
  std::optional<std::size_t> once_round(std::size_t again, std::size_t place) const {
    for (std::size_t i = 0; i < reached_.size(); ++i) {
      if (reached_[i].place != place || reached_[i].by.is_wrong()) continue;
      std::size_t before = i;
      while (reached_[before].place > again) before = reached_[before].from;
      if (reached_[before].by.target == reached_[i].by.target) return i;
    }
    return std::nullopt;
  }

  // Of all ways to the end: one that ends in what the script shows.
  std::size_t most_telling(const Script& script) {
    std::size_t best = 0;
    int most = -1;
    for (std::size_t i = 0; i < reached_.size() && most < kAsSaid; ++i) {
      if (reached_[i].place != script.steps.size()) continue;
      if (const int fit = how_well(script, reached_[i].by); fit > most) {
        best = i;
        most = fit;
      }
    }
    if (most == 0 && can_be_judged(script)) result_.expected = script.kind;
    return best;
  }

  // How well the end of a way fits to what the script shows. A file may not say what that is.
  static constexpr int kAsSaid = 2;
  int how_well(const Script& script, const Choice& last) {
    const bool still = last.error.empty() && !last.target.empty() && walker_.choices(last.target).empty();
    const bool is_named =
        script.property.empty() || std::ranges::find(last.violated, script.property) != last.violated.end();
    if (!script.kind) return last.is_wrong() ? kAsSaid : still ? 1 : 0;
    switch (*script.kind) {
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
  bool can_be_judged(const Script& script) const {
    const auto& properties = walker_.model().properties;
    if (script.kind == CheckKind::safety)
      return std::ranges::any_of(properties, [&](const Property& p) { return p.name == script.property; });
    return script.kind == CheckKind::deadlock || script.kind == CheckKind::error;
  }

  void show_way_to(std::size_t last) {
    std::vector<std::size_t> way;
    for (std::size_t i = last; i != 0; i = reached_[i].from) way.push_back(i);
    way.push_back(0);
    std::ranges::reverse(way);
    for (const std::size_t i : way) arrive(reached_[reached_[i].from].by.target, reached_[i].by, i == last);
  }

  // Records where a step leads, and gives back what can happen there. After something wrong that may be nothing.
  std::vector<Choice> arrive(const Position& before, const Choice& by, bool may_be_last) {
    way_.push_back(by);
    Simulation::Moment moment;
    if (!result_.moments.empty()) {
      const TraceStep step = walker_.shown(before, by);
      moment.action = step.action;
      moment.text = who_does_what(step);
      moment.printed = walker_.printed(before, by);
    }
    moment.error = by.error;
    moment.violated = by.violated;
    std::vector<Choice> next;
    if (!by.target.empty()) {
      moment.states = walker_.states(by.target);
      if (!by.is_wrong() || !may_be_last) next = walker_.choices(by.target);
    }
    std::set<std::string> enabled;
    for (const Choice& choice : next) enabled.insert(walker_.name(choice));
    moment.enabled = {enabled.begin(), enabled.end()};
    result_.moments.push_back(std::move(moment));
    result_.ended = next.empty() && !by.is_wrong() && walker_.may_end(by.target);
    result_.deadlock = next.empty() && !by.is_wrong() && !result_.ended;
    if (result_.deadlock) result_.stands = walker_.stands(by.target);
    return next;
  }

  static std::string described(const TraceStep& step) {
    return step.parts.empty() ? step.action : fmt::format("{} ({})", step.action, who_does_what(step));
  }

  Simulation done() {
    result_.model = walker_.model();
    return std::move(result_);
  }

  const SimulateRequest& request_;
  Walker& walker_;
  Budget budget_;
  std::vector<Reached> reached_;
  std::vector<Choice> way_;
  Simulation result_;
};

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

Outcome<SavedTrace> read_spin_trail(const SimulateRequest& request, Walker& walker, Budget& budget) {
  const Model& model = walker.model();
  if (!model.promela) return usage("--trail is for Promela programs", "a trace of ours is followed with --trace FILE");
  if (model.inputs[0].file == "-") return usage("--trail needs a program in a file", "SPIN reads it, too");
  std::vector<std::string> defines;
  for (const auto& define : model.defines) defines.push_back(fmt::format("{}={}", define.name, define.value));
  const auto trail = spin::read_trail(model.inputs[0].file, request.trail, defines, budget);
  if (!trail) return bad_input(trail.error());
  return trace_of(walker, *trail, budget);
}

bool has_script(const SimulateRequest& request) {
  return request.trace || !request.trace_file.empty() || !request.trail.empty();
}

Outcome<Script> script_of(const SimulateRequest& request, Walker& walker, Budget& budget) {
  if (request.trace) return script_of(*request.trace, walker.model());
  auto trace =
      request.trail.empty() ? read_trace(request.trace_file, budget) : read_spin_trail(request, walker, budget);
  if (!trace) return tl::unexpected(std::move(trace.error()));
  return script_of(std::move(*trace));
}

Outcome<Simulation> follow(const SimulateRequest& request, Walker& walker, Simulator& simulator) {
  Budget budget(request.limits, request.interrupted);
  auto script = script_of(request, walker, budget);
  if (!script) return tl::unexpected(std::move(script.error()));
  return simulator.follow(*script);
}

// Of the properties that are named, those that are no monitors: assertions, formulas, claims. A name that means nothing
// is an error.
Outcome<WatchedNames> watched_names(const Model& model, const std::vector<std::string>& names) {
  if (names.empty()) return WatchedNames();
  const auto subjects = chosen_subjects(model, names);
  if (!subjects) return tl::unexpected(subjects.error());
  std::vector<std::string> out;
  for (const Subject& subject : *subjects)
    if (subject.kind == CheckKind::ltl) out.push_back(subject.name);
  return WatchedNames(std::move(out));
}

// The model with the properties that are asked for.
Outcome<std::unique_ptr<Walker>> walker_of(const SimulateRequest& request, WatchedNames& watched) {
  Budget budget(request.limits, request.interrupted);
  Source source = request.source;
  const auto names = take_property_files(source, request.properties);
  auto model = load(source, budget);
  if (!model) return tl::unexpected(std::move(model.error()));
  if (auto added = add_outside_properties(*model, names, &budget); !added)
    return tl::unexpected(std::move(added.error()));
  auto found = watched_names(*model, names);
  if (!found) return tl::unexpected(std::move(found.error()));
  watched = std::move(*found);
  return make_walker(std::move(*model));
}

}  // namespace

bool Simulation::is_wrong() const {
  return std::ranges::any_of(moments, [](const Moment& m) { return !m.error.empty() || !m.violated.empty(); });
}

Outcome<Simulation> simulate(const SimulateRequest& request) {
  WatchedNames watched;
  auto walker = walker_of(request, watched);
  if (!walker) return tl::unexpected(std::move(walker.error()));
  Simulator simulator(request, **walker);
  return has_script(request) ? follow(request, **walker, simulator) : simulator.random_walk();
}

Outcome<OpenWalk> open_walk(const SimulateRequest& request) {
  WatchedNames watched;
  auto walker = walker_of(request, watched);
  if (!walker) return tl::unexpected(std::move(walker.error()));
  OpenWalk out{std::move(*walker), {}, {}, {}};
  auto watchers = out.walker->watchers(watched);
  if (!watchers) return tl::unexpected(std::move(watchers.error()));
  out.watchers = std::move(*watchers);
  if (!has_script(request)) {
    out.way.push_back(out.walker->start());
    return out;
  }
  Simulator simulator(request, *out.walker);
  auto followed = follow(request, *out.walker, simulator);
  if (!followed) return tl::unexpected(std::move(followed.error()));
  out.followed = std::move(*followed);
  out.way = simulator.take_way();
  return out;
}

}  // namespace surety::api
