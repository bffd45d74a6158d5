// Machines: as tables, page by page; what is near a state; how to get to one.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "api/json.hpp"
#include "load/places.hpp"
#include "lsp/drawing.hpp"
#include "lsp/questions.hpp"
#include "lsp/refused.hpp"

namespace surety::lsp {
namespace {

using Names = std::vector<std::string>;

Json too_large(const TooLarge& large) {
  Json out{{"too_large", true}, {"why", describe(large.why)}};
  if (large.states > 0) out["at_least"] = large.states;
  return out;
}

// The steps of a state are one after the other in memory, and so are those of all states.
std::uint64_t steps_before(const Lts& lts, std::uint32_t state) {
  return static_cast<std::uint64_t>(lts.steps(State{state}).data() - lts.steps(State{0}).data());
}

std::uint32_t state_of_step(const Lts& lts, std::uint64_t step) {
  std::uint32_t low = 0, high = lts.state_count();
  while (low + 1 < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    (steps_before(lts, middle) <= step ? low : high) = middle;
  }
  return low;
}

// Which steps are asked for: all of them, or those with some actions, or from some state or into it.
class Chosen {
 public:
  Chosen(const Json& parameters, const api::Model& model, const Lts& lts) {
    if (parameters.contains("state")) state_ = parameters["state"].get<std::uint32_t>();
    if (!parameters.contains("actions")) return;
    actions_.emplace();
    const auto names = parameters["actions"].get<Names>();
    const std::set<std::string> wanted(names.begin(), names.end());
    if (wanted.contains("tau")) actions_->insert(kTau);
    for (const Action a : lts.alphabet())
      if (wanted.contains(std::string(model.actions->name(a)))) actions_->insert(a);
  }
  bool all() const { return !actions_ && !state_; }
  bool has(std::uint32_t from, const Step& step) const {
    return (!actions_ || actions_->contains(step.action)) &&
           (!state_ || *state_ == from || *state_ == step.target.value);
  }

 private:
  std::optional<std::set<Action>> actions_;
  std::optional<std::uint32_t> state_;
};

// A page of them.
void add_steps(Json& out, const Lts& lts, const ActionTable& actions, const Chosen& chosen, std::uint64_t from,
               std::uint64_t count) {
  out["steps"] = Json::array();
  std::uint64_t number = 0;  // among those that are chosen
  std::uint32_t s = 0;
  if (chosen.all() && from < lts.transition_count()) {
    s = state_of_step(lts, from);
    number = steps_before(lts, s);
  }
  if (chosen.all() && from >= lts.transition_count()) s = lts.state_count();
  for (; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s})) {
      if (!chosen.has(s, step)) continue;
      const std::uint64_t here = number++;
      if (here < from) continue;
      if (here - from >= count) {
        if (chosen.all()) return;
        continue;
      }
      out["steps"].push_back({s, actions.name(step.action), step.target.value});
    }
  if (!chosen.all()) out["of"] = number;
}

void add_names(Json& out, const Drawing& drawing) {
  if (drawing.names.empty()) return;
  out["names"] = Json::array();
  out["lines"] = Json::array();
  for (std::uint32_t s = 0; s < drawing.lts.state_count(); ++s) {
    const FspStateName name = s < drawing.names.size() ? drawing.names[s] : FspStateName{};
    const bool special = drawing.lts.error() == State{s} || drawing.lts.end() == State{s};
    out["names"].push_back(special             ? Json(drawing.lts.error() == State{s} ? "ERROR" : "END")
                           : name.text.empty() ? Json()
                                               : Json(utf8(name.text)));
    out["lines"].push_back(name.line > 0 ? Json(name.line) : Json());
  }
}

// The `state` of a moment, by state.
void add_positions(Json& out, const api::StateTuples& tuples) {
  if (tuples.empty()) return;
  out["positions"] = Json::array();
  for (const auto& tuple : tuples) {
    std::vector<std::uint32_t> numbers;
    for (const State s : tuple) numbers.push_back(s.value);
    out["positions"].push_back(numbers.empty() ? Json() : Json(fmt::format("{}", fmt::join(numbers, ","))));
  }
}

DrawingRequest request_of(const Json& parameters, const char* name) {
  return {parameters.at(name).get<std::string>(), parameters.value("minimise", ""),
          parameters.value("complete", false)};
}

// For the questions that need it: a machine that is too large is no answer to them.
std::shared_ptr<const Drawing> drawing_of(Document& document, const Json& parameters) {
  model_of(document);
  const auto drawn = document.drawings().get(document, request_of(parameters, "machine"));
  if (!drawn) throw too_much(drawn.error().why, "compose");
  return *drawn;
}

std::uint32_t state_in(const Lts& lts, std::uint32_t state) {
  if (state >= lts.state_count()) throw Refused(kInvalidParams, fmt::format("there is no state {}", state));
  return state;
}

}  // namespace

Json ask_machine(Document& document, const Json& parameters) {
  constexpr std::uint64_t kSteps = 5'000, kMostAtOnce = 100'000;
  const api::Model& model = model_of(document);
  const DrawingRequest request = request_of(parameters, "name");
  const auto drawn = document.drawings().get(document, request);
  Json out{{"name", request.name}};
  if (const auto place = api::place_of(model, request.name)) out["place"] = api::place_json(*place);
  if (!drawn) {
    out.update(too_large(drawn.error()));
    return out;
  }
  const Lts& lts = (*drawn)->lts;
  out["kind"] = (*drawn)->kind;
  out["property"] = (*drawn)->property;
  if (!request.minimise.empty()) out["minimise"] = request.minimise;
  out["states"] = lts.state_count();
  out["transitions"] = lts.transition_count();
  out["alphabet"] = sorted_names(*model.actions, lts.alphabet());
  if (lts.error()) out["error"] = lts.error()->value;
  if (lts.end()) out["end"] = lts.end()->value;
  const bool paged = parameters.contains("from") || parameters.contains("count");
  const auto from = parameters.value("from", std::uint64_t{0});
  const auto count = std::min(parameters.value("count", kSteps), kMostAtOnce);
  if (!paged && lts.transition_count() > std::min(parameters.value("steps", kSteps), kMostAtOnce)) {
    out["too_large"] = true;
    return out;
  }
  if (from == 0 && parameters.value("names", true)) {
    add_names(out, **drawn);
    add_positions(out, (*drawn)->tuples);
  }
  if (paged) out["from"] = from;
  add_steps(out, lts, *model.actions, Chosen(parameters, model, lts), from, paged ? count : lts.transition_count());
  return out;
}

Json ask_near(Document& document, const Json& parameters) {
  const auto drawing = drawing_of(document, parameters);
  const Lts& lts = drawing->lts;
  const ActionTable& actions = *model_of(document).actions;
  const auto from = state_in(lts, parameters.at("state").get<std::uint32_t>());
  const auto radius = parameters.value("radius", 2U);
  const bool forward = parameters.value("forward", true);
  const auto most = std::min<std::size_t>(parameters.value("most", std::size_t{200}), 1'000);
  std::vector<std::vector<std::uint32_t>> before(forward ? 0 : lts.state_count());
  for (std::uint32_t s = 0; s < before.size(); ++s)
    for (const Step& step : lts.steps(State{s})) before[step.target.value].push_back(s);
  std::map<std::uint32_t, std::uint32_t> distance{{from, 0}};
  for (std::deque<std::uint32_t> queue{from}; !queue.empty(); queue.pop_front()) {
    const std::uint32_t far = distance[queue.front()];
    const auto add = [&](std::uint32_t state) {
      if (far < radius && distance.size() < most && distance.emplace(state, far + 1).second) queue.push_back(state);
    };
    for (const Step& step : lts.steps(State{queue.front()})) add(step.target.value);
    if (!forward)
      for (const std::uint32_t s : before[queue.front()]) add(s);
  }
  Json out{{"of", lts.state_count()}, {"states", Json::array()}, {"distance", Json::array()}};
  out["names"] = Json::array();
  out["rim"] = Json::array();  // states with steps that are not shown
  out["steps"] = Json::array();
  for (const auto& [state, far] : distance) {
    out["states"].push_back(state);
    out["distance"].push_back(far);
    const bool named = state < drawing->names.size() && !drawing->names[state].text.empty();
    out["names"].push_back(named ? Json(utf8(drawing->names[state].text)) : Json());
    bool open = false;
    for (const Step& step : lts.steps(State{state})) {
      const bool there = distance.contains(step.target.value);
      open |= !there;
      if (there) out["steps"].push_back({state, actions.name(step.action), step.target.value});
    }
    if (!forward) open |= std::ranges::any_of(before[state], [&](std::uint32_t s) { return !distance.contains(s); });
    if (open) out["rim"].push_back(state);
  }
  if (lts.error()) out["error"] = lts.error()->value;
  if (lts.end()) out["end"] = lts.end()->value;
  return out;
}

// A shortest way to a state, or to a step with an action.
Json ask_path(Document& document, const Json& parameters) {
  const auto drawing = drawing_of(document, parameters);
  const Lts& lts = drawing->lts;
  const ActionTable& actions = *model_of(document).actions;
  const auto from = state_in(lts, parameters.value("from", 0U));
  const std::string action = parameters.value("action", "");
  const auto wanted = parameters.value("state", UINT32_MAX);
  std::vector<std::pair<std::uint32_t, Action>> before(lts.state_count(), {UINT32_MAX, kTau});
  before[from].first = from;
  const auto way = [&](std::uint32_t to, const std::string& last) -> Json {
    Names names;
    std::vector<std::uint32_t> states;
    if (!last.empty()) names.push_back(last);
    for (; to != from; to = before[to].first) {
      names.emplace_back(actions.name(before[to].second));
      states.push_back(to);
    }
    states.push_back(from);
    std::ranges::reverse(names);
    std::ranges::reverse(states);
    return {{"trace", names}, {"states", states}};
  };
  for (std::deque<std::uint32_t> queue{from}; !queue.empty(); queue.pop_front()) {
    if (queue.front() == wanted) return way(wanted, "");
    for (const Step& step : lts.steps(State{queue.front()})) {
      if (!action.empty() && actions.name(step.action) == action) {
        Json out = way(queue.front(), action);
        out["states"].push_back(step.target.value);
        return out;
      }
      if (before[step.target.value].first != UINT32_MAX) continue;
      before[step.target.value] = {queue.front(), step.action};
      queue.push_back(step.target.value);
    }
  }
  return nullptr;
}

}  // namespace surety::lsp
