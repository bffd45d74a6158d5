// Walks through a system: at random; along a script of visible actions, with silent steps taken where the script needs
// them; or along a trace in a file, step by step.

#include "walk/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/random.hpp"
#include "check/subject.hpp"
#include "walk/follow.hpp"
#include "walk/trail.hpp"
#include "walk/walker.hpp"

namespace surety::api {
namespace {

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

  // The way that gets furthest is shown.
  Simulation follow(const Script& script) {
    Followed followed = api::follow(walker_, script, budget_);
    for (std::size_t i = 0; i < followed.way.size(); ++i)
      arrive(i == 0 ? Position() : followed.way[i - 1].target, followed.way[i], i + 1 == followed.way.size());
    result_.why = followed.why;
    result_.stuck = std::move(followed.stuck);
    result_.expected = followed.expected;
    result_.cycle_from = followed.cycle_from;
    return done();
  }

  // The choices that were made, the start first.
  std::vector<Choice> take_way() { return std::move(way_); }

 private:
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
    if (!by.target.empty()) moment.situation = situation(walker_, by.target, next);
    std::set<std::string> enabled;
    for (const Choice& choice : next) enabled.insert(walker_.name(choice));
    moment.enabled = {enabled.begin(), enabled.end()};
    result_.moments.push_back(std::move(moment));
    result_.ended = next.empty() && !by.is_wrong() && walker_.may_end(by.target);
    result_.deadlock = next.empty() && !by.is_wrong() && !result_.ended;
    if (result_.deadlock) result_.stands = walker_.stands(by.target);
    return next;
  }

  Simulation done() {
    result_.model = walker_.model();
    return std::move(result_);
  }

  const SimulateRequest& request_;
  Walker& walker_;
  Budget budget_;
  std::vector<Choice> way_;
  Simulation result_;
};

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
