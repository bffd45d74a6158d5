// Walks through a model: what can happen at a moment, at random, along a trace. Every moment is told in full, so that a
// page can show all of it without asking again.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "api/json.hpp"
#include "base/random.hpp"
#include "load/ada.hpp"
#include "lsp/questions.hpp"
#include "lsp/refused.hpp"
#include "walk/follow.hpp"
#include "walk/moves.hpp"

namespace surety::lsp {
namespace {

using Names = std::vector<std::string>;

// What of a moment is told.
struct Wishes {
  bool brief = false;  // only where the walk is, and how it came there
  bool watch = false;  // what fluents, propositions and assertions say
};

class Moments {
 public:
  Moments(const Walk& walk, const Wishes& wishes) : walker_(*walk.walker), watchers_(walk.watchers), wishes_(wishes) {}

  const api::Model& model() const { return walker_.model(); }
  void be_brief() { wishes_.brief = true; }

  // `by` is null at the beginning; `before` is where it was made.
  Json moment(const api::Choice& now, const std::vector<api::Choice>& next, const api::Position* before,
              const std::vector<ShownStep>* parts = nullptr) {
    Json out = Json::object();
    if (before != nullptr) out["by"] = step(*before, now, parts);
    if (!now.error.empty()) out["error"] = now.error;
    if (!now.violated.empty()) out["violates"] = now.violated;
    if (!now.target.empty()) {
      out["state"] = api::position_text(model(), now.target);
      if (!wishes_.brief) add_situation(out, now.target, next);
      add_end(out, now, next);
      if (before != nullptr && !wishes_.brief) add_changes(out, *before, now.target);
    }
    if (wishes_.watch) add_watched(out, now, before == nullptr);
    return out;
  }

 private:
  Json step(const api::Position& before, const api::Choice& choice, const std::vector<ShownStep>* parts) {
    api::Situation only = api::situation(walker_, before, {choice});
    api::Move& move = only.moves[0];
    if (parts != nullptr && move.step.parts.empty()) move.step.parts = *parts;
    Json out = api::move_json(move, model());
    if (const std::string printed = walker_.printed(before, choice); !printed.empty()) out["printed"] = printed;
    return out;
  }

  void add_situation(Json& out, const api::Position& at, const std::vector<api::Choice>& next) {
    const api::Situation now = api::situation(walker_, at, next);
    out["values"] = Json::object();
    for (const auto& [name, value] : now.values) out["values"][name] = value;
    out["properties"] = Json::object();
    for (const auto& [name, value] : now.properties) out["properties"][name] = value;
    if (model().promela)
      add_processes(out, at);
    else
      add_components(out, at, now);
    out["moves"] = Json::array();
    for (const api::Move& move : now.moves) out["moves"].push_back(api::move_json(move, model()));
    if (model().promela) return;
    out["refused"] = Json::array();
    for (const auto& refused : walker_.refused(at)) {
      out["refused"].push_back({{"action", model().actions->name(refused.action)}, {"by", refused.by}});
      if (refused.by.empty()) out["refused"].back()["priority"] = true;
    }
  }

  // The numbers of the states are those of surety/machine.
  void add_components(Json& out, const api::Position& at, const api::Situation& now) {
    const auto states = walker_.states(at);
    out["components"] = Json::array();
    for (std::size_t c = 0; c < states.size(); ++c) {
      Json& entry = out["components"].emplace_back(
          Json{{"name", now.values[c].name}, {"state", states[c].value}, {"at", now.values[c].value}});
      if (const auto name = api::state_name(model(), c, states[c]); name && name->line > 0) entry["line"] = name->line;
    }
    out["watchers"] = Json::array();
    for (std::size_t p = 0; p < now.properties.size(); ++p) {
      const Property& property = model().properties[p];
      const bool violated = now.properties[p].value == "violated";
      const std::uint32_t state = violated ? property.lts.state_count() : number(now.properties[p].value);
      Json& entry = out["watchers"].emplace_back(Json{{"name", property.name}, {"state", state}});
      entry["at"] = violated || p >= watchers_.size() ? now.properties[p].value : watchers_[p]->shown(state);
      entry["violated"] = violated;
    }
  }

  static std::uint32_t number(const std::string& text) { return static_cast<std::uint32_t>(std::stoul(text)); }

  void add_processes(Json& out, const api::Position& at) {
    out["processes"] = Json::array();
    for (const api::Stand& stand : walker_.stands(at)) {
      Json& entry = out["processes"].emplace_back(Json{{"name", stand.process}, {"at", stand.where}});
      if (stand.line > 0) entry["line"] = stand.line;
      if (stand.as == api::Stand::As::ended) entry["ended"] = true;
    }
  }

  void add_end(Json& out, const api::Choice& now, const std::vector<api::Choice>& next) {
    Names failed;
    const auto states = walker_.states(now.target);
    for (std::size_t c = 0; c < states.size(); ++c)
      if (model().network.components[c].lts.error() == states[c]) failed.push_back(model().network.components[c].name);
    if (!failed.empty() && now.error.empty()) out["error"] = fmt::format("{} in ERROR", fmt::join(failed, ", "));
    Names violated;
    for (const auto& [name, value] : walker_.properties(now.target))
      if (value == "violated") violated.push_back(name);
    if (!violated.empty()) out["violated"] = violated;
    if (!next.empty() || !failed.empty()) return;
    out[walker_.may_end(now.target) ? "ended" : "deadlock"] = true;
  }

  void add_changes(Json& out, const api::Position& before, const api::Position& after) {
    const auto old = walker_.values(before), now = walker_.values(after);
    const auto old_states = walker_.states(before), states = walker_.states(after);
    out["changed"] = Json::array();
    const auto add = [&](const std::string& name, const std::string& from, const std::string& to) {
      out["changed"].push_back({{"name", name}, {"from", from}, {"to", to}});
    };
    if (!model().promela) {
      for (std::size_t c = 0; c < states.size(); ++c)
        if (old_states[c] != states[c]) add(now[c].name, old[c].value, now[c].value);
      return;
    }
    const auto find = [](const std::vector<api::Walker::Value>& values, const std::string& name) {
      const auto at = std::ranges::find(values, name, &api::Walker::Value::name);
      return at == values.end() ? std::string() : at->value;
    };
    for (const auto& [name, value] : now)
      if (const std::string was = find(old, name); was != value) add(name, was, value);
    for (const auto& [name, value] : old)  // of processes and channels that are gone
      if (std::ranges::find(now, name, &api::Walker::Value::name) == now.end()) add(name, value, "");
  }

  void add_watched(Json& out, const api::Choice& now, bool first) {
    Names old;
    for (std::size_t w = 0; w < watched_.size(); ++w) old.push_back(watchers_[w]->shown(watched_[w]));
    if (first) {
      watched_.clear();
      for (const auto& watcher : watchers_) watched_.push_back(watcher->start(now.target));
    } else {
      for (std::size_t w = 0; w < watched_.size(); ++w) watched_[w] = watchers_[w]->after(watched_[w], now);
    }
    out["watch"] = Json::object();
    if (!first) out["flipped"] = Json::array();
    for (std::size_t w = 0; w < watched_.size(); ++w) {
      const std::string shown = watchers_[w]->shown(watched_[w]);
      out["watch"][watchers_[w]->name()] = shown;
      if (!first && shown != old[w])
        out["flipped"].push_back({{"name", watchers_[w]->name()}, {"from", old[w]}, {"to", shown}});
    }
  }

  api::Walker& walker_;
  const api::Watchers& watchers_;
  Wishes wishes_;
  std::vector<std::uint32_t> watched_;  // the states of the watchers
};

// --- What all of them are told.

Walk& walk_of(Document& document, const Json& parameters, const std::string& property = {}) {
  Names outside = parameters.value("properties", Names());
  if (document.model() == nullptr) throw without_model(document);
  const auto& inside = document.model()->properties;
  const auto is_inside = [&](const std::string& name) {
    return std::ranges::any_of(inside, [&](const Property& p) { return p.name == name; });
  };
  if (!property.empty() && document.model()->fsp) outside.push_back(property);
  std::erase_if(outside, is_inside);
  std::ranges::sort(outside);
  outside.erase(std::unique(outside.begin(), outside.end()), outside.end());
  return document.walk(outside);
}

api::Choice start_of(Document& document, api::Walker& walker, const Json& parameters) {
  const auto at = document.position(walker, parameters.value("state", ""));
  if (!at) throw Refused(kInvalidParams, "this is no state of the system");
  api::Choice out;
  out.target = *at;
  return out;
}

Wishes wishes_of(const Json& parameters) {
  return {parameters.value("brief", false), parameters.value("watch", false)};
}

// --- Along a trace.

ShownStep part_of(const Json& json) {
  return {json.at("process").get<std::string>(),
          json.at("line").get<std::uint32_t>(),
          json.at("statement").get<std::string>(),
          {}};
}

// A name, or an object as of `checks[].steps`, perhaps with `to`.
api::Script::Wanted wanted_of(const Json& json, Document& document, api::Walker& walker, std::size_t number) {
  if (json.is_string()) return {{json.get<std::string>(), {}}, number};
  api::Script::Wanted out{{json.at("action").get<std::string>(), {}}, number};
  if (json.contains("process")) out.step.parts.push_back(part_of(json));
  if (json.contains("with")) out.step.parts.push_back(part_of(json.at("with")));
  if (json.contains("to")) {
    const auto to = document.position(walker, json.at("to").get<std::string>());
    if (!to) throw Refused(kInvalidParams, fmt::format("step {}: this is no state of the system", number));
    out.to = *to;
  }
  return out;
}

api::Script script_of(const Json& parameters, Document& document, api::Walker& walker) {
  constexpr std::size_t kMost = 100'000;
  api::Script out;
  out.exact = true;
  const Json none = Json::array();
  const Json& cycle = parameters.contains("cycle") ? parameters["cycle"] : none;
  std::vector<const Json*> steps;
  if (parameters.contains("steps")) {
    for (const Json& step : parameters["steps"]) steps.push_back(&step);
    if (cycle.size() > steps.size()) throw Refused(kInvalidParams, "'steps' are those of 'trace' and 'cycle'");
    out.again = steps.size() - cycle.size();
  } else {
    for (const Json& step : parameters.at("trace")) steps.push_back(&step);
    out.again = steps.size();
    for (const Json& step : cycle) steps.push_back(&step);
  }
  if (steps.size() > kMost) throw Refused(kInvalidParams, "the trace is too long");
  for (const Json* step : steps) out.steps.push_back(wanted_of(*step, document, walker, out.steps.size() + 1));
  if (parameters.contains("kind")) out.kind = check_kind_from_name(parameters["kind"].get<std::string>());
  out.property = parameters.value("property", "");
  return out;
}

// How much of the trace, and whether it shows what it is for.
std::pair<std::size_t, int> how_far(const api::Followed& way, const api::Script& script) {
  const bool has_cycle = script.again < script.steps.size();
  return {way.done.back(), (way.expected ? 0 : 1) + (has_cycle && !way.cycle_from ? 0 : 1)};
}

// As it is written; or else with silent steps where it needs them, for a trace that was found by parts may lack them.
api::Followed find_way(api::Walker& walker, const api::Script& script, const api::Choice& start) {
  Limits half = question_limits();
  *half.time /= 2;
  Budget budget(half);
  api::Followed way = api::follow(walker, script, budget, &start);
  const std::pair<std::size_t, int> all{script.steps.size(), 2};
  if (how_far(way, script) == all || walker.model().promela) return way;
  const api::Script loose = api::without_silent(script);
  Budget rest(half);
  api::Followed other = api::follow(walker, loose, rest, &start);
  const bool is_all = other.done.back() == loose.steps.size();
  if (!is_all && other.done.back() <= way.done.back()) return way;
  if (is_all && way.done.back() == script.steps.size() && how_far(other, loose).second <= how_far(way, script).second)
    return way;
  for (std::size_t& done : other.done) done = done == 0 ? 0 : loose.steps[done - 1].number;
  return other;
}

}  // namespace

Json ask_moves(Document& document, const Json& parameters) {
  Walk& walk = walk_of(document, parameters);
  const api::Choice now = start_of(document, *walk.walker, parameters);
  const auto next = walk.walker->choices(now.target);
  document.remember(walk.walker->model(), next);
  return Moments(walk, {}).moment(now, next, nullptr);
}

Json ask_walk(Document& document, const Json& parameters) {
  constexpr std::uint64_t kMost = 1'000, kMostBrief = 100'000;
  const Wishes wishes = wishes_of(parameters);
  Walk& walk = walk_of(document, parameters);
  api::Choice now = start_of(document, *walk.walker, parameters);
  const auto only = parameters.value("only", Names());
  const auto until = parameters.value("until", std::string());
  const std::uint64_t most = wishes.brief ? kMostBrief : kMost;
  const std::uint64_t steps = std::min(parameters.value("steps", until.empty() ? std::uint64_t{20} : most), most);
  Random random(parameters.value("seed", std::uint64_t{1}));
  Budget budget(question_limits());
  Moments moments(walk, wishes);
  Json out{{"moments", Json::array()}};
  std::optional<api::Position> before;
  for (std::uint64_t i = 0;; ++i) {
    auto next = now.target.empty() ? std::vector<api::Choice>() : walk.walker->choices(now.target);
    document.remember(walk.walker->model(), next);
    out["moments"].push_back(moments.moment(now, next, before ? &*before : nullptr));
    const bool reached = before && !until.empty() && walk.walker->name(now) == until;
    if (now.is_wrong() || reached || i == steps || !budget.go_on()) {
      out["stopped"] = now.is_wrong() ? "violation" : reached ? "until" : i == steps ? "steps" : describe(budget.why());
      break;
    }
    const bool nothing = next.empty();
    if (!only.empty())
      std::erase_if(next, [&](const auto& c) { return std::ranges::find(only, walk.walker->name(c)) == only.end(); });
    if (next.empty()) {
      const bool ended = nothing && walk.walker->may_end(now.target);
      out["stopped"] = !nothing ? "only" : ended ? "ended" : "deadlock";
      break;
    }
    before = now.target;
    now = next[random.below(static_cast<std::uint32_t>(next.size()))];
    out["moments"].back()["taken"] = walk.walker->name(now);
  }
  return out;
}

Json ask_follow(Document& document, const Json& parameters) {
  Walk& walk = walk_of(document, parameters, parameters.value("property", ""));
  api::Walker& walker = *walk.walker;
  const api::Choice start = start_of(document, walker, parameters);
  const api::Script script = script_of(parameters, document, walker);
  const api::Followed followed = find_way(walker, script, start);
  std::vector<std::vector<ShownStep>> parts;
  if (walker.model().ada) {
    Trace trace;
    for (std::size_t i = 1; i < followed.way.size(); ++i) trace.push_back(followed.way[i].action);
    parts = api::ada_steps(walker.model(), trace);
  }
  Moments moments(walk, wishes_of(parameters));
  Budget budget(question_limits());
  Json out{{"moments", Json::array()}};
  for (std::size_t i = 0; i < followed.way.size(); ++i) {
    const api::Choice& now = followed.way[i];
    const auto next = now.target.empty() ? std::vector<api::Choice>() : walker.choices(now.target);
    document.remember(walker.model(), next);
    if (!budget.go_on() && !out.contains("brief_from")) {
      moments.be_brief();
      out["brief_from"] = i;
    }
    const api::Position* before = i == 0 ? nullptr : &followed.way[i - 1].target;
    const auto* of_tasks = i > 0 && i <= parts.size() ? &parts[i - 1] : nullptr;
    Json& moment = out["moments"].emplace_back(moments.moment(now, next, before, of_tasks));
    if (i > 0 && followed.done[i] != followed.done[i - 1]) moment["step"] = followed.done[i];
    if (i + 1 < followed.way.size()) moment["taken"] = walker.name(followed.way[i + 1]);
  }
  out["stuck"] = followed.stuck.has_value();
  if (followed.stuck) {
    out["stuck_at"] = followed.stuck->action;
    out["stuck_step"] = followed.stuck->step;
  }
  if (followed.cycle_from) out["cycle_from"] = *followed.cycle_from;
  if (script.again < script.steps.size()) out["closed"] = followed.cycle_from.has_value();
  if (followed.expected) out["expected"] = name_of(*followed.expected);
  if (followed.why != Stop::none) out["why"] = describe(followed.why);
  return out;
}

}  // namespace surety::lsp
