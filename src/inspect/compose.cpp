#include "inspect/compose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

#include "inspect/compose_program.hpp"
#include "model/automata.hpp"
#include "model/minimise.hpp"
#include "product/compose.hpp"

namespace surety::api {

namespace {

std::optional<Lts> product_of(const Model& model, Budget& budget, StateTuples* tuples) {
  std::vector<const Lts*> parts;
  std::vector<Lts> watchers;
  for (const auto& property : model.properties) watchers.push_back(complete(property.lts));
  for (const auto& component : model.network.components) parts.push_back(&component.lts);
  for (const auto& watcher : watchers) parts.push_back(&watcher);
  return compose(parts, budget, nullptr, tuples);
}

// A property as the model has it, of the machine that it was made of (load, monitor): by state of the machine. Both are
// deterministic, so the same words lead to the states that belong together. Nothing: the machine is not deterministic.
std::optional<std::map<State, State>> states_in_monitor(const Lts& machine, const Lts& monitor) {
  if (!is_deterministic(machine)) return std::nullopt;
  std::map<State, State> out{{machine.initial(), monitor.initial()}};
  std::vector<State> open{machine.initial()};
  while (!open.empty()) {
    const State s = open.back();
    open.pop_back();
    for (const Step& step : machine.steps(s)) {
      if (machine.error() == step.target) continue;
      const auto there = monitor.steps(out.at(s), step.action);
      if (there.size() == 1 && out.emplace(step.target, there[0].target).second) open.push_back(step.target);
    }
  }
  return out;
}

// Of the machines of a composite, as compose_fsp has them: as the model orders and numbers them.
StateTuples as_model(const Model& model, const StateTuples& tuples) {
  const auto& machines = model.composite->machines;
  std::vector<std::map<State, State>> monitors;
  for (const FspMachine& machine : machines) {
    if (!machine.property) continue;
    auto map = states_in_monitor(machine.lts, model.properties[monitors.size()].lts);
    if (!map) return {};
    monitors.push_back(std::move(*map));
  }
  StateTuples out(tuples.size());
  for (std::size_t s = 0; s < tuples.size(); ++s) {
    if (tuples[s].empty()) continue;  // the error state
    std::vector<State> of_properties;
    bool known = true;
    for (std::size_t m = 0; m < machines.size(); ++m) {
      const State state = tuples[s][m];
      if (!machines[m].property) {
        out[s].push_back(state);
      } else if (const auto& map = monitors[of_properties.size()]; map.contains(state)) {
        of_properties.push_back(map.at(state));
      } else {
        known = false;
        break;
      }
    }
    if (known)
      out[s].insert(out[s].end(), of_properties.begin(), of_properties.end());
    else
      out[s].clear();
  }
  return out;
}

// Car,Customer(2,1): commas in brackets belong to a name.
std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> out(1);
  int depth = 0;
  for (const char c : list) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0)
      out.emplace_back();
    else if (c != ' ')
      out.back() += c;
  }
  return out;
}

bool same_name(const std::string& a, const std::string& b) {
  return std::ranges::equal(a, b, [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

// Only the components with these names; false: not all of them are components.
bool keep_components(Model& model, const std::vector<std::string>& names) {
  std::vector<Component> kept;
  for (const std::string& name : names) {
    const auto found =
        std::ranges::find_if(model.network.components, [&](const Component& c) { return same_name(c.name, name); });
    if (found == model.network.components.end()) return false;
    if (std::ranges::none_of(kept, [&](const Component& c) { return c.name == found->name; })) kept.push_back(*found);
  }
  model.network.components = std::move(kept);
  model.properties.clear();  // they are about the whole
  return true;
}

// Of an Ada program --system names the main procedure, or some of its tasks, variables and protected objects.
Outcome<Model> load_parts(const Source& source, Budget& budget) {
  const bool ada = std::ranges::any_of(source.files, [&](const auto& f) { return is_ada_file(f, source.language); });
  if (!ada || source.system.empty()) return load(source, budget);
  Source whole = source;
  whole.system.clear();
  auto model = load(whole, budget);
  const auto names = names_in(source.system);
  if (model && keep_components(*model, names)) return model;
  if (names.size() == 1 || !model) return load(source, budget);
  std::vector<std::string> known;
  for (const Component& c : model->network.components) known.push_back(c.name);
  return usage(fmt::format("'{}' are not all components of {}", source.system, model->network.name),
               fmt::format("there are: {}", fmt::join(known, ", ")));
}

}  // namespace

Outcome<std::optional<Lts>> composed(const Model& model, Budget& budget, StateTuples* tuples) {
  if (model.promela) return compose_promela(model, budget);
  auto whole = model.composite ? compose_fsp(*model.composite, budget, tuples) : product_of(model, budget, tuples);
  if (!whole || tuples == nullptr || tuples->empty()) return whole;
  if (model.composite) *tuples = as_model(model, *tuples);
  if (whole->error() && !tuples->empty()) (*tuples)[whole->error()->value].clear();
  return whole;
}

Lts minimised(const Lts& lts, const std::string& how, Budget& budget) {
  if (how == "strong") return minimise_strong(lts, &budget);
  if (how == "weak") return minimise_weak(lts, &budget);
  if (how == "ltsa") return minimise_ltsa(lts, &budget);
  if (how == "trace") return minimise_trace(lts, &budget);
  return lts;
}

Outcome<Composition> compose_files(const ComposeRequest& request) {
  if (!request.minimise.empty() &&
      std::find(kMinimisations.begin(), kMinimisations.end(), request.minimise) == kMinimisations.end())
    return usage(fmt::format("--minimise cannot be '{}'", request.minimise),
                 fmt::format("this version has: {}", fmt::join(kMinimisations, ", ")));
  Budget budget(request.limits, request.interrupted, request.progress);
  auto model = load_parts(request.source, budget);
  if (!model) return tl::unexpected(std::move(model.error()));

  if (model->composite && !request.source.property_files.empty())
    return usage("compose takes no --property with an FSP file", "make the property part of a composite of the file");

  Composition out{std::move(*model), std::nullopt};
  if (request.loaded) request.loaded(out.model);
  budget.phase("compose");
  auto composed_lts = composed(out.model, budget);
  if (!composed_lts) return tl::unexpected(std::move(composed_lts.error()));
  out.lts = std::move(*composed_lts);
  out.why = budget.why();
  if (!out.lts) return out;

  budget.phase("minimise");
  out.lts = minimised(*out.lts, request.minimise, budget);
  if (!budget.go_on()) out.lts.reset();
  out.why = budget.why();
  if (!out.lts) return out;
  const Lts& lts = *out.lts;
  out.states = lts.state_count() - (lts.error() ? 1 : 0);
  out.transitions = lts.transition_count();
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    if (lts.steps(State{s}).empty() && lts.error() != State{s} && lts.end() != State{s}) ++out.deadlocks;
  return out;
}

}  // namespace surety::api
