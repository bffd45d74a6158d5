#include "inspect/ada_info.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "load/ada.hpp"

namespace surety::api {
namespace {

using Part = AdaNetwork::Part;

struct Described {
  const Model& model;
  const flow::Program& flow = model.ada->flow;
  const std::vector<Component>& components = model.ada_network->network.components;  // each task and variable

  std::uint32_t line(std::uint32_t place) const {
    const auto& p = flow.places[place];
    return place == 0 ? 0 : model.ada->source->line_number({p.offset, p.length});
  }
  std::vector<std::string> entries(std::uint32_t task) const {
    std::vector<std::string> out;
    for (const flow::Entry& e : flow.entries)
      if (e.task == task) out.push_back(e.name);
    return out;
  }
  // The task that waits for the end of this one.
  const std::string& master(std::uint32_t task) const {
    return flow.tasks[flow.masters[flow.tasks[task].master].task].name;
  }
  const Component* component(const std::string& name) const {
    const auto at = std::ranges::find(components, name, &Component::name);
    return at == components.end() ? nullptr : &*at;
  }
  // Tasks that share an action with a component.
  std::vector<std::string> users(const std::string& name) const {
    std::vector<std::string> out;
    const Component* what = component(name);
    if (what == nullptr) return out;
    for (const auto& task : model.ada_network->tasks)
      if (!intersect(components[task.component].lts.alphabet(), what->lts.alphabet()).empty()) out.push_back(task.name);
    return out;
  }
  std::vector<std::string> names_of(Part::Kind kind) const { return model.ada_network->names_of(kind); }
  // And whether several tasks use them.
  std::vector<std::pair<std::string, bool>> variables() const {
    std::vector<std::pair<std::string, bool>> out;
    const auto& parts = model.ada_network->parts;
    for (std::size_t c = 0; c < parts.size(); ++c)
      if (parts[c].kind == Part::Kind::variable) out.emplace_back(components[c].name, !parts[c].task);
    return out;
  }
  std::uint32_t states(const std::string& name) const {
    const Component* what = component(name);
    return what == nullptr ? 0 : what->lts.state_count();
  }
  // Where it is, if it is in one component with its users.
  std::string group_of(const std::string& variable) const {
    const auto& shared = model.ada_network->shared;
    const auto at = std::ranges::find(shared, variable, &net::SharedVariable::name);
    if (at == shared.end() || at->why != net::SharedVariable::Why::smaller) return {};
    return fmt::format("; in {}, where they have {} states and steps, {} apart", at->component, at->together,
                       at->apart);
  }
  std::set<std::string> events() const { return {flow.labels.begin(), flow.labels.end()}; }
};

// Which tasks use each of them, and how many values it has, is told of all variables.
void add_groups(Json& variables, const AdaNetwork& ada) {
  for (Json& entry : variables)
    if (const auto at = std::ranges::find(ada.shared, std::string(entry["name"]), &net::SharedVariable::name);
        at != ada.shared.end()) {
      Json where = shared_json(*at);
      where.erase("states");
      where.erase("users");
      entry.update(where);
    }
}

}  // namespace

Json shared_json(const net::SharedVariable& variable) {
  using Why = net::SharedVariable::Why;
  static constexpr const char* kWhy[] = {
      "constant", "smaller together", "not smaller together", "used by all processes", "can fail", "too much to try"};
  Json out{{"why", kWhy[static_cast<std::size_t>(variable.why)]}};
  if (variable.why == Why::constant) return out;
  out["component"] = variable.component;
  out["states"] = variable.states;
  out["users"] = variable.users;
  out["apart"] = variable.apart;
  if (variable.why == Why::smaller) out["together"] = variable.together;
  return out;
}

void add_ada_info(Json& out, const Model& model) {
  const Described d{model};
  out["tasks"] = Json::array();
  for (std::uint32_t t = 0; t < d.flow.tasks.size(); ++t) {
    const flow::Task& task = d.flow.tasks[t];
    out["tasks"].push_back({{"name", task.name},
                            {"type", task.type},
                            {"line", d.line(task.place)},
                            {"entries", d.entries(t)},
                            {"points", task.graph.nodes.size()},
                            {"depends_on", t == 0 ? "" : d.master(t)}});
  }
  out["variables"] = Json::array();
  for (const auto& [name, shared] : d.variables())
    out["variables"].push_back(
        {{"name", name}, {"values", d.states(name)}, {"users", d.users(name)}, {"shared", shared}});
  add_groups(out["variables"], *model.ada_network);
  out["objects"] = Json::array();
  for (const std::string& name : d.names_of(Part::Kind::object))
    out["objects"].push_back({{"name", name}, {"states", d.states(name)}, {"users", d.users(name)}});
  for (const std::string& name : d.names_of(Part::Kind::queue))
    out["objects"].push_back({{"name", name}, {"states", d.states(name)}, {"users", d.users(name)}});
  out["events"] = d.events();
  out["opaque"] = Json::array();
  std::set<std::string> choices;
  for (const auto& [action, where] : model.ada_network->choices) choices.insert(where);
  for (const std::string& where : choices) out["opaque"].push_back(where);
}

std::vector<std::string> ada_info_lines(const Model& model) {
  const Described d{model};
  std::vector<std::string> out;
  for (std::uint32_t t = 0; t < d.flow.tasks.size(); ++t) {
    const flow::Task& task = d.flow.tasks[t];
    const auto entries = d.entries(t);
    out.push_back(fmt::format("task {}: line {}{}{}", task.name, d.line(task.place),
                              t == 0                        ? ", the main procedure"
                              : d.flow.tasks[t].master != 0 ? ", inside of " + d.master(t)
                                                            : "",
                              entries.empty() ? "" : fmt::format(", entries {}", fmt::join(entries, ", "))));
  }
  for (const auto& [name, shared] : d.variables())
    out.push_back(fmt::format("{} variable {}: used by {}{}", shared ? "shared" : "own", name,
                              fmt::join(d.users(name), ", "), d.group_of(name)));
  for (const std::string& name : d.names_of(Part::Kind::object))
    out.push_back(fmt::format("protected object {}: used by {}", name, fmt::join(d.users(name), ", ")));
  for (const std::string& name : d.names_of(Part::Kind::queue))
    out.push_back(fmt::format("queue {}: used by {}", name, fmt::join(d.users(name), ", ")));
  if (!d.events().empty()) out.push_back(fmt::format("events {}", fmt::join(d.events(), ", ")));
  std::set<std::string> choices;
  for (const auto& [action, where] : model.ada_network->choices) choices.insert(where);
  for (const std::string& where : choices) out.push_back(fmt::format("not modelled: what {} depends on", where));
  return out;
}

}  // namespace surety::api
