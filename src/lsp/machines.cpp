// What is in a system, and its machines: as tables, page by page; what is near a state; how to get to one.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include "api/json.hpp"
#include "check/subject.hpp"
#include "lang/ada/network.hpp"
#include "lang/fsp/elaborator.hpp"
#include "load/places.hpp"
#include "lsp/drawing.hpp"
#include "lsp/questions.hpp"
#include "lsp/refused.hpp"

namespace surety::lsp {
namespace {

using Names = std::vector<std::string>;

const api::Model& model_of(Document& document) {
  if (document.model() == nullptr) throw without_model(document);
  return *document.model();
}

void add_place(Json& out, const std::optional<api::TextPlace>& place) {
  if (place) out["place"] = api::place_json(*place);
}

// --- The system.

class SystemTold {
 public:
  SystemTold(Document& document) : document_(document), model_(model_of(document)), network_(document.apart()) {}

  Json tell() {
    out_ = {{"system", model_.network.name}, {"whole", name_of_whole(model_)}, {"language", language()}};
    add_place(out_, api::place_of(model_, model_.network.name));
    add_machines();
    add_definitions();
    add_constants();
    add_checks();
    return std::move(out_);
  }

 private:
  const char* language() const { return model_.fsp ? "fsp" : model_.promela ? "promela" : model_.ada ? "ada" : "aut"; }

  const char* kind_of(std::size_t component) const {
    if (model_.promela) return "part";
    if (!model_.ada_network) return "process";
    switch (model_.ada_network->parts[component].kind) {
      case AdaNetwork::Part::Kind::task: return "task";
      case AdaNetwork::Part::Kind::variable: return "variable";
      case AdaNetwork::Part::Kind::object: return "object";
      case AdaNetwork::Part::Kind::queue: return "queue";
    }
    return "task";
  }

  // The process that a machine of the composite is an instance of.
  std::string definition_of(std::size_t number, bool property) const {
    if (!model_.composite) return {};
    for (const FspMachine& machine : model_.composite->machines)
      if (machine.property == property && number-- == 0)
        return machine.instance ? machine.instance->process : machine.definition;
    return {};
  }

  void add_machine(const char* list, const std::string& name, const char* kind, const Lts& lts,
                   const std::string& definition) {
    Json& entry = out_[list].emplace_back(
        Json{{"name", name}, {"kind", kind}, {"states", lts.state_count()}, {"transitions", lts.transition_count()}});
    entry["alphabet"] = sorted_names(*model_.actions, lts.alphabet());
    if (!definition.empty()) entry["definition"] = definition;
    add_place(entry, api::place_of(model_, name));
    for (const Action a : lts.alphabet()) who_[std::string(model_.actions->name(a))].push_back(name);
  }

  void add_machines() {
    out_["components"] = Json::array();
    out_["properties"] = Json::array();
    const auto& components = network_.network.components;
    for (std::size_t c = 0; c < components.size(); ++c)
      add_machine("components", components[c].name, kind_of(c), components[c].lts, definition_of(c, false));
    for (std::size_t p = 0; p < network_.properties.size(); ++p)
      add_machine("properties", network_.properties[p].name, "property", network_.properties[p].lts,
                  definition_of(p, true));
    Json::object_t actions;  // each is another one, and there may be many
    for (const auto& [action, names] : who_) actions.emplace_back(action, names);
    out_["actions"] = std::move(actions);
    if (model_.composite && !model_.composite->hidden.empty())
      out_["hidden"] = sorted_names(*model_.actions, model_.composite->hidden);
    if (const Priority* priority = model_.priority())
      out_["priority"] = {{"high", priority->high}, {"actions", sorted_names(*model_.actions, priority->actions)}};
    if (!model_.cell_notes.empty()) out_["cells"] = model_.cell_notes;
    if (!model_.promela) return;
    out_["apart"] = !document_.not_apart();
    if (const auto& why = document_.not_apart()) {
      out_["not_apart"] = {{"message", why->message}};
      if (why->line > 0) out_["not_apart"]["line"] = why->line;
    }
  }

  void add_definition(const std::string& name, const char* kind, bool property) {
    Json& entry = out_["definitions"].emplace_back(Json{{"name", name}, {"kind", kind}, {"property", property}});
    add_place(entry, api::place_of(model_, name));
  }

  // What can be chosen as system, and what else the text defines that is a machine.
  void add_definitions() {
    out_["systems"] = Json::array();
    out_["definitions"] = Json::array();
    if (model_.fsp) {
      const Names properties = model_.fsp->properties();
      const auto is_property = [&](const std::string& name) {
        return std::ranges::find(properties, name) != properties.end();
      };
      for (const std::string& name : model_.fsp->composites()) {
        out_["systems"].push_back(name);
        add_definition(name, "composite", is_property(name));
      }
      for (const std::string& name : model_.fsp->processes()) {
        out_["systems"].push_back(name);
        add_definition(name, "process", is_property(name));
      }
      add_menus();
    } else if (model_.promela) {
      for (const auto& p : model_.promela->program->processes)
        if (p.kind == promela::Process::Kind::proctype || p.kind == promela::Process::Kind::init) {
          add_definition(p.name, "proctype", false);
          out_["definitions"].back()["active"] = p.active;
        }
    } else if (model_.ada) {
      out_["systems"].push_back(model_.network.name);
      for (const flow::Task& task : model_.ada->flow.tasks) add_definition(task.name, "task", false);
    }
  }

  void add_menus() {
    out_["menus"] = Json::object();
    if (const auto menus = model_.fsp->menus())
      for (const FspMenu& menu : *menus) out_["menus"][menu.name] = sorted_names(*model_.actions, menu.actions);
  }

  // `constants`: what has a value. `defines`: what `define` may give another one.
  void add_constants() {
    out_["constants"] = Json::object();
    out_["defines"] = Json::array();
    if (model_.fsp) {
      const fsp::Tree& tree = model_.fsp->elaborator().tree();
      for (const FspConstant& constant : model_.fsp->constants()) {
        std::visit([&](const auto& value) { out_["constants"][constant.name] = value; }, constant.value);
        if (const int* number = std::get_if<int>(&constant.value))
          add_define(constant.name, *number, place_in(tree.constants.at(constant.name).place), "constant");
      }
      for (const auto& composite : tree.composites)
        for (const fsp::Parameter& parameter : composite.parameters)
          if (parameter.value.op == fsp::Expression::Op::number && !tree.constants.contains(parameter.name))
            add_define(std::string(parameter.name), parameter.value.value, place_in(parameter.place),
                       std::string(composite.name));
    } else if (model_.promela) {
      Budget budget(question_limits());
      std::vector<promela::Define> defines;
      for (const auto& d : model_.defines) defines.push_back({d.name, std::to_string(d.value)});
      for (const auto& constant : promela::constants_of(*model_.promela->source, defines, budget))
        add_number(constant.name, std::stoi(constant.value), {}, "define");
    } else if (model_.ada) {
      for (const AdaDefine& c : model_.ada->constants) add_number(c.name, c.value, {}, "number");
    }
  }

  void add_number(const std::string& name, std::int64_t value, const std::optional<api::TextPlace>& place,
                  const char* of) {
    out_["constants"][name] = value;
    add_define(name, value, place ? place : symbol_place(name), of);
  }

  std::optional<api::TextPlace> symbol_place(const std::string& name) {
    const Symbol* symbol = document_.find(name);
    return symbol == nullptr ? std::nullopt : std::optional(symbol->place);
  }

  api::TextPlace place_in(text::Place place) const {
    Diagnostic d = model_.fsp->elaborator().source().error(place, {});
    return {std::move(d.file), d.line, d.column, d.length};
  }

  void add_define(const std::string& name, std::int64_t value, const std::optional<api::TextPlace>& place,
                  const std::string& of) {
    Json& entry = out_["defines"].emplace_back(Json{{"name", name}, {"value", value}, {"of", of}});
    entry["defined"] =
        std::ranges::any_of(model_.defines, [&](const FspDefine& d) { return d.name == name && d.value == value; });
    add_place(entry, place);
  }

  void add_checks() {
    out_["checks"] = Json::array();
    std::set<std::string> names;
    const auto subjects = api::all_subjects(model_);
    for (const api::Subject& subject : subjects.value_or(api::Subjects{})) {
      const auto* assert = std::get_if<api::Assert>(&subject.object);
      if (assert != nullptr && assert->shown_if_violated) continue;
      add_check(subject.kind, subject.name, true);
      names.insert(subject.name);
    }
    if (!model_.fsp) return;
    for (const std::string& name : model_.fsp->properties())  // those that are no part of the system
      if (name != model_.network.name && api::find_properties(model_, name).empty() && !names.contains(name))
        add_check(CheckKind::safety, name, false);
  }

  void add_check(CheckKind kind, const std::string& name, bool inside) {
    Json& entry = out_["checks"].emplace_back(Json{{"kind", name_of(kind)}, {"name", name}, {"inside", inside}});
    add_place(entry, api::place_of(model_, kind, name));
  }

  Document& document_;
  const api::Model& model_;
  const api::Model& network_;  // the same, in parts
  std::map<std::string, Names> who_;
  Json out_;
};

// --- Machines.

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

Json ask_system(Document& document, const Json& /*parameters*/) { return SystemTold(document).tell(); }

Json ask_machine(Document& document, const Json& parameters) {
  constexpr std::uint64_t kSteps = 5'000, kMostAtOnce = 100'000;
  const api::Model& model = model_of(document);
  const DrawingRequest request = request_of(parameters, "name");
  const auto drawn = document.drawings().get(document, request);
  Json out{{"name", request.name}};
  add_place(out, api::place_of(model, request.name));
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
