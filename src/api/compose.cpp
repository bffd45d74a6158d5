#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "api/commands.hpp"
#include "api/program.hpp"
#include "model/automata.hpp"
#include "model/compose.hpp"
#include "model/minimise.hpp"

namespace surety::api {

namespace {

std::optional<Lts> product_of(const Model& model, Budget& budget) {
  std::vector<const Lts*> parts;
  std::vector<Lts> watchers;
  for (const auto& property : model.properties) watchers.push_back(complete(property.lts));
  for (const auto& component : model.network.components) parts.push_back(&component.lts);
  for (const auto& watcher : watchers) parts.push_back(&watcher);
  return compose(parts, budget);
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
  budget.phase("compose");
  if (out.model.promela) {
    auto lts = compose_promela(out.model, budget);
    if (!lts) return tl::unexpected(std::move(lts.error()));
    out.lts = std::move(*lts);
  } else {
    out.lts = out.model.composite ? compose_fsp(*out.model.composite, budget) : product_of(out.model, budget);
  }
  out.why = budget.why();
  if (!out.lts) return out;

  budget.phase("minimise");
  if (request.minimise == "strong") out.lts = minimise_strong(*out.lts, &budget);
  if (request.minimise == "weak") out.lts = minimise_weak(*out.lts, &budget);
  if (request.minimise == "ltsa") out.lts = minimise_ltsa(*out.lts, &budget);
  if (request.minimise == "trace") out.lts = minimise_trace(*out.lts, &budget);
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
