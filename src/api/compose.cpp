#include <fmt/format.h>

#include <algorithm>

#include "api/commands.hpp"
#include "model/automata.hpp"
#include "model/compose.hpp"
#include "model/minimise.hpp"

namespace surety::api {

Outcome<Info> info(const std::vector<std::string>& files, const std::vector<std::string>& properties,
                   const std::string& language) {
  auto model = load(files, properties, language);
  if (!model) return tl::unexpected(std::move(model.error()));
  return Info{std::move(*model)};
}

Outcome<Composition> compose_files(const ComposeRequest& request) {
  if (!request.minimise.empty() &&
      std::find(kMinimisations.begin(), kMinimisations.end(), request.minimise) == kMinimisations.end())
    return usage(fmt::format("--minimise cannot be '{}'", request.minimise),
                 fmt::format("this version has: {}", fmt::join(kMinimisations, ", ")));
  auto model = load(request.files, request.properties, request.language);
  if (!model) return tl::unexpected(std::move(model.error()));

  Composition out{std::move(*model), std::nullopt};
  std::vector<const Lts*> parts;
  std::vector<Lts> watchers;
  for (const auto& property : out.model.properties) watchers.push_back(complete(property.lts));
  for (const auto& component : out.model.network.components) parts.push_back(&component.lts);
  for (const auto& watcher : watchers) parts.push_back(&watcher);
  Budget budget(request.limits, request.interrupted, request.progress);
  budget.phase("compose");
  out.lts = compose(parts, budget);
  out.why = budget.why();
  if (!out.lts) return out;

  budget.phase("minimise");
  if (request.minimise == "strong") out.lts = minimise_strong(*out.lts);
  if (request.minimise == "weak") out.lts = minimise_weak(*out.lts);
  if (request.minimise == "trace") out.lts = minimise_trace(*out.lts);
  const Lts& lts = *out.lts;
  out.states = lts.state_count() - (lts.error() ? 1 : 0);
  out.transitions = lts.step_count();
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    if (lts.steps(State{s}).empty() && lts.error() != State{s} && lts.end() != State{s}) ++out.deadlocks;
  return out;
}

}  // namespace surety::api
