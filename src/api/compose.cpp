#include <fmt/format.h>

#include <algorithm>

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

}  // namespace

Outcome<Composition> compose_files(const ComposeRequest& request) {
  if (!request.minimise.empty() &&
      std::find(kMinimisations.begin(), kMinimisations.end(), request.minimise) == kMinimisations.end())
    return usage(fmt::format("--minimise cannot be '{}'", request.minimise),
                 fmt::format("this version has: {}", fmt::join(kMinimisations, ", ")));
  Budget budget(request.limits, request.interrupted, request.progress);
  auto model = load(request.source, budget);
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
