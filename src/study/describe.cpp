#include "study/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "decompose/properties/symmetry.hpp"
#include "lang/ada/network/network.hpp"
#include "load/apart.hpp"
#include "load/cells.hpp"
#include "model/action_name.hpp"
#include "model/equivalence.hpp"

namespace surety::study {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// The last number in a name; -1 if there is none.
int index_of(const std::string& name) {
  const auto last = name.find_last_of("0123456789");
  if (last == std::string::npos) return -1;
  std::size_t first = last;
  while (first > 0 && is_digit(name[first - 1])) --first;
  return std::stoi(name.substr(first, std::min<std::size_t>(last + 1 - first, 9)));
}

// Without its last number and what stands around that: CUSTOMER(3), CUSTOMER.3 and c.3:CUSTOMER are CUSTOMER.
std::string base_of(const std::string& name) {
  if (const auto colon = name.rfind(':'); colon != std::string::npos) return base_of(name.substr(colon + 1));
  const auto last = name.find_last_of("0123456789");
  if (last == std::string::npos) return name;
  std::size_t first = last;
  while (first > 0 && is_digit(name[first - 1])) --first;
  while (first > 0 && std::string_view("(.[_").find(name[first - 1]) != std::string_view::npos) --first;
  return name.substr(0, first);
}

// --- what the property treats alike -------------------------------------------------

// The label of the other task for this one: some part that is the index of the task becomes the other index.
std::optional<Action> partner(const ActionName& label, const std::string& mine, const std::string& other,
                              const std::map<ActionName, Action>& theirs) {
  ActionName all = label;
  for (std::size_t i = 0; i < label.parts.size(); ++i) {
    if (label.parts[i] != mine) continue;
    ActionName one = label;
    one.parts[i] = all.parts[i] = other;
    if (const auto found = theirs.find(one); found != theirs.end()) return found->second;
  }
  const auto found = theirs.find(all);
  return found == theirs.end() ? std::nullopt : std::optional(found->second);
}

// The actions that only one of the two tasks has change places. Nothing: a wanted one has no partner.
std::optional<Renaming> exchange(const Component& a, const Component& b, const Alphabet& wanted,
                                 const ActionTable& actions) {
  const std::string i = std::to_string(index_of(a.name)), j = std::to_string(index_of(b.name));
  std::map<ActionName, Action> theirs;
  for (const Action action : subtract(b.lts.alphabet(), a.lts.alphabet()))
    theirs.emplace(ActionName(actions.name(action)), action);
  Renaming out;
  for (const Action action : intersect(wanted, subtract(a.lts.alphabet(), b.lts.alphabet()))) {
    const auto other = partner(ActionName(actions.name(action)), i, j, theirs);
    if (!other) return std::nullopt;
    out.actions[action] = *other;
    out.actions[*other] = action;
  }
  return out;
}

bool treats_alike(const Property& property, const Component& a, const Component& b, const ActionTable& actions,
                  Budget& budget) {
  const Alphabet& wanted = property.lts.alphabet();
  const auto renaming = exchange(a, b, wanted, actions);
  if (!renaming) return false;
  for (const Action action : intersect(wanted, subtract(b.lts.alphabet(), a.lts.alphabet())))
    if (!renaming->actions.contains(action)) return false;
  for (const auto& [from, to] : renaming->actions)
    if (!wanted.contains(from)) return false;
  return !difference(property.lts, renamed(property.lts, *renaming), Equivalence::trace, &budget);
}

// Classes of repeated tasks, by their places.
std::vector<std::vector<std::size_t>> alike_classes(const api::Model& model, const Property& property,
                                                    const std::vector<const Component*>& repeated, Budget& budget) {
  std::vector<std::vector<std::size_t>> classes;
  for (std::size_t i = 0; i < repeated.size(); ++i) {
    const auto fits = [&](const auto& others) {
      return treats_alike(property, *repeated[others.front()], *repeated[i], *model.actions, budget);
    };
    if (const auto found = std::ranges::find_if(classes, fits); found != classes.end())
      found->push_back(i);
    else
      classes.push_back({i});
  }
  return classes;
}

// All that are not in the largest class. Of two tasks that are treated differently the first is singled out.
std::vector<std::size_t> singled_out(const std::vector<std::vector<std::size_t>>& classes) {
  if (classes.size() < 2) return {};
  const auto largest =
      std::ranges::max_element(classes, [](const auto& a, const auto& b) { return a.size() <= b.size(); });
  std::vector<std::size_t> out;
  for (auto at = classes.begin(); at != classes.end(); ++at)
    if (at != largest) out.insert(out.end(), at->begin(), at->end());
  std::ranges::sort(out);
  return out;
}

const Component* component(const api::Model& model, const std::string& name) {
  const auto found = std::ranges::find(model.network.components, name, &Component::name);
  return found == model.network.components.end() ? nullptr : &*found;
}

api::Outcome<const Property*> property(const api::Model& model, const std::string& name, const std::string& file) {
  const auto found = api::find_properties(model, name);
  if (!found.empty()) return found.front();
  return api::bad_input({file_error(file, fmt::format("there is no property {}", name),
                                    did_you_mean(name, names_of(model.properties), "there are"))});
}

// The groups of the symmetry, as tasks.
std::vector<std::vector<std::size_t>> exchangeable(const api::Model& model, const std::vector<std::string>& tasks,
                                                   Budget& budget) {
  std::vector<const Lts*> components;
  for (const Component& c : model.network.components) components.push_back(&c.lts);
  const Symmetry symmetry(components, budget);
  std::vector<std::vector<std::size_t>> out;
  for (const auto& group : symmetry.groups()) {
    auto& mine = out.emplace_back();
    for (const std::size_t c : group) {
      const auto at = std::ranges::find(tasks, model.network.components[c].name);
      if (at != tasks.end()) mine.push_back(static_cast<std::size_t>(at - tasks.begin()));
    }
  }
  return out;
}

// Tasks of one class that are in one group.
std::vector<std::vector<std::size_t>> meet(const std::vector<std::vector<std::size_t>>& classes,
                                           const std::vector<std::size_t>& repeated,
                                           const std::vector<std::vector<std::size_t>>& groups) {
  std::vector<std::vector<std::size_t>> out;
  for (const auto& places : classes)
    for (const auto& group : groups) {
      std::vector<std::size_t> both;
      for (const std::size_t place : places)
        if (std::ranges::find(group, repeated[place]) != group.end()) both.push_back(repeated[place]);
      if (both.size() > 1) out.push_back(std::move(both));
    }
  return out;
}

}  // namespace

Json to_json(const ModelSpec& spec) {
  return {{"engine", name_of(spec.engine)},
          {"file", spec.model.file},
          {"composite", spec.model.composite},
          {"repeated", spec.model.repeated},
          {"properties", spec.model.properties},
          {"parameter", spec.parameter},
          {"size", spec.size},
          {"sha256", spec.sha256}};
}

ModelSpec spec_from_json(const Json& json) {
  ModelSpec out;
  out.engine = *engine_from_name(json.at("engine").get<std::string>());
  out.model = {json.at("file"), json.at("composite"), json.at("repeated"), json.at("properties")};
  out.parameter = json.at("parameter");
  out.size = json.at("size");
  out.sha256 = json.at("sha256");
  return out;
}

std::string fingerprint(const api::Model& model) {
  std::set<std::string> others;
  for (const auto& [file, sha256] : model.read->entries()) others.insert(sha256);
  for (const api::Input& input : model.inputs) others.insert(input.sha256);
  std::string out = model.inputs.front().sha256;
  others.erase(out);
  for (const auto& sha256 : others) out += "," + sha256;
  return out;
}

bool has_changed(const api::Model& model, const ModelSpec& spec) {
  return !fingerprint(model).starts_with(spec.sha256);
}

api::Outcome<api::Model> read_model(const ModelSpec& spec, Budget& budget) {
  api::Source source;
  source.files = {spec.model.file};
  source.system = spec.model.composite;
  source.defines = {{spec.parameter, spec.size}};
  if (takes_constraints(spec.engine)) source.cells = api::kFlowCells;  // as every check by it
  auto model = api::load(source, budget);
  if (!model) return model;
  if (model->promela) {
    const auto& names = spec.model.properties;
    auto why_not = api::take_apart(*model, budget, names.empty() ? std::nullopt : std::optional(names), false);
    if (why_not && why_not->hint.empty()) why_not->hint = "a study needs a program that comes apart";
    if (why_not) return api::bad_input({std::move(*why_not)});
    return model;
  }
  if (auto added = api::add_outside_properties(*model, spec.model.properties, &budget); !added)
    return tl::unexpected(std::move(added.error()));
  return model;
}

Json to_json(const Described& described) {
  Json properties = Json::array();
  for (const auto& p : described.properties)
    properties.push_back({{"name", p.name}, {"singled_out", p.singled_out}, {"classes", p.classes}});
  return {{"tasks", described.tasks},
          {"repeated", described.repeated},
          {"sha256", described.sha256},
          {"properties", std::move(properties)}};
}

Described described_from_json(const Json& json) {
  Described out{json.at("tasks"), json.at("repeated"), json.at("sha256"), {}};
  for (const auto& p : json.at("properties"))
    out.properties.push_back({p.at("name"), p.at("singled_out"), p.at("classes")});
  return out;
}

namespace {

// Whether the main task does more than wait for the others: its steps are not only the end of what depends on it.
bool is_busy(const Component& main, const ActionTable& actions) {
  const std::string own = lower(main.name) + ".";
  for (std::uint32_t s = 0; s < main.lts.state_count(); ++s)
    for (const Step& step : main.lts.steps(State{s})) {
      if (step.action == kTau) return true;
      const auto name = actions.name(step.action);
      if (name != own + "begin" && name != own + "activated" && name != own + "end") return true;
    }
  return false;
}

}  // namespace

std::vector<std::string> tasks_of(const api::Model& model) {
  std::vector<std::string> out;
  if (model.parts) {
    for (const auto& process : model.parts->instances)
      if (component(model, process.name) != nullptr) out.push_back(process.name);
    return out;
  }
  if (!model.ada_network) {
    for (const Component& c : model.network.components) out.push_back(c.name);
    return out;
  }
  const Component& main = model.network.components.front();
  for (const auto& task : model.ada_network->tasks)
    if (task.name != main.name || is_busy(main, *model.actions)) out.push_back(task.name);
  return out;
}

std::vector<std::size_t> repeated_tasks(const std::vector<std::string>& tasks, const std::string& name) {
  std::vector<std::size_t> out;
  if (name.empty()) return out;
  for (std::size_t i = 0; i < tasks.size(); ++i)
    if (index_of(tasks[i]) >= 0 && lower(base_of(tasks[i])) == lower(name)) out.push_back(i);
  std::ranges::stable_sort(out, {}, [&](std::size_t task) { return index_of(tasks[task]); });
  return out;
}

std::string repeated_name(const std::vector<std::string>& smaller, const std::vector<std::string>& larger) {
  std::map<std::string, std::ptrdiff_t> more;
  for (const auto& name : larger) ++more[base_of(name)];
  for (const auto& name : smaller) --more[base_of(name)];
  for (const auto& name : larger)
    if (more[base_of(name)] > 0) return base_of(name);
  return "";
}

api::Outcome<Described> describe(const api::Model& model, const ModelSpec& spec, bool orbits, Budget& budget) {
  Described out;
  out.tasks = tasks_of(model);
  out.repeated = repeated_tasks(out.tasks, spec.model.repeated);
  out.sha256 = fingerprint(model);
  if (!spec.model.repeated.empty() && out.repeated.size() != static_cast<std::size_t>(spec.size))
    return api::bad_input({file_error(spec.model.file,
                                      fmt::format("with {}={} there are {} tasks {}, not {}", spec.parameter, spec.size,
                                                  out.repeated.size(), spec.model.repeated, spec.size),
                                      fmt::format("the tasks are: {}", fmt::join(out.tasks, ", ")))});
  std::vector<const Component*> repeated;
  for (const std::size_t task : out.repeated) repeated.push_back(component(model, out.tasks[task]));
  const auto groups = orbits ? exchangeable(model, out.tasks, budget) : std::vector<std::vector<std::size_t>>();
  auto names = spec.model.properties;
  if (names.empty()) names = names_of(model.properties);
  for (const auto& name : names) {
    const auto found = property(model, name, spec.model.file);
    if (!found) return tl::unexpected(found.error());
    const auto classes = alike_classes(model, **found, repeated, budget);
    out.properties.push_back({name, singled_out(classes), meet(classes, out.repeated, groups)});
  }
  return out;
}

}  // namespace surety::study
