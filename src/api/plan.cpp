#include "api/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "api/spin.hpp"
#include "api/split.hpp"
#include "decompose/splits/order.hpp"
#include "decompose/splits/two_way.hpp"

namespace surety::api {

std::vector<std::string> all_names(const Network& network) {
  std::vector<std::string> names;
  for (const auto& component : network.components) names.push_back(component.name);
  return names;
}

Outcome<Plan> make_plan(const Model& model, const std::vector<std::string>& names, bool all) {
  Plan plan;
  std::vector<const Property*> from_files;
  for (const auto& input : model.inputs)
    for (const auto& property : model.properties)
      if (input.role == Input::Role::property && property.name == input.name) from_files.push_back(&property);
  if (!all) plan.safety = from_files;
  const bool has_error = model.parts ? model.parts->assertions.has_value()
                                     : std::any_of(model.network.components.begin(), model.network.components.end(),
                                                   [](const Component& c) { return c.lts.error().has_value(); });
  std::vector<ProgressSet> sets;
  std::vector<std::string> assertions;
  if (model.fsp) {
    auto progress = model.fsp->progress();
    if (!progress) return bad_input(std::move(progress.error()));
    sets = std::move(*progress);
    assertions = model.fsp->assertions();
  }
  auto add_assertion = [&](const std::string& name) -> Outcome<void> {
    auto assertion = model.fsp->assertion(name);
    if (!assertion) return bad_input(std::move(assertion.error()));
    plan.assertions.push_back(std::move(*assertion));
    return {};
  };
  if (names.empty() && (all || from_files.empty())) {
    for (const auto& property : model.properties) plan.safety.push_back(&property);
    plan.error = has_error;
    plan.deadlock = true;
    plan.progress = model.fsp != nullptr;
    plan.progress_sets = sets;
    for (const auto& name : assertions)
      if (auto added = add_assertion(name); !added) return tl::unexpected(std::move(added.error()));
    return plan;
  }
  for (const auto& name : names) {
    bool found = name == "deadlock" || name == "assert";
    plan.deadlock |= name == "deadlock";
    plan.error |= name == "assert";
    for (const auto* property : find_properties(model, name)) plan.safety.push_back(property), found = true;
    // "P" means every set of an indexed P[..] too.
    for (const auto& set : sets)
      if (set.name == name || set.name.rfind(name + ".", 0) == 0)
        plan.progress = found = true, plan.progress_sets.push_back(set);
    if (std::find(assertions.begin(), assertions.end(), name) != assertions.end()) {
      if (auto added = add_assertion(name); !added) return tl::unexpected(std::move(added.error()));
      found = true;
    }
    if (found) continue;
    std::vector<std::string> known{"deadlock", "assert"};
    for (const auto& property : model.properties) known.push_back(property.name);
    for (const auto& set : sets) known.push_back(set.name);
    known.insert(known.end(), assertions.begin(), assertions.end());
    if (model.fsp)
      for (const auto& outside : model.fsp->properties())
        if (outside != model.network.name && std::find(known.begin(), known.end(), outside) == known.end())
          known.push_back(outside);
    const std::string near = nearest(name, known);
    return usage(
        fmt::format("there is no property '{}'", name),
        near.empty() ? fmt::format("there are: {}", fmt::join(known, ", ")) : fmt::format("did you mean '{}'?", near));
  }
  return plan;
}

Outcome<Split> given_split(const Request& request, const Rule& rule, const Network& network) {
  if (rule.sides != Rule::Sides::one && network.components.size() < 2)
    return usage(fmt::format("--method {} needs at least two components", rule.name),
                 "give the system as several components, or use --method monolithic");
  if (request.split.empty()) return Split{};
  auto split = parse_split(request.split, network);
  if (!split) return split;
  if (rule.sides == Rule::Sides::two && split->size() != 2)
    return usage(fmt::format("--method {} needs a split in two, not in {}", rule.name, split->size()),
                 "for example: --split \"a,b | c\"");
  if (rule.sides == Rule::Sides::two_or_more && split->size() < 2)
    return usage(fmt::format("--method {} needs a split in two or more", rule.name),
                 "for example: --split \"a,b | c | d\"");
  return split;
}

Split choose_split(const Rule& rule, const Split& given, const Network& network, const Property& property) {
  if (rule.sides == Rule::Sides::one) return {all_names(network)};
  if (!given.empty()) return given;
  return rule.chain ? default_order(network, property) : default_split(network, property);
}

Outcome<void> check_words(const Request& request) {
  const std::vector<std::string> methods = method_names();
  std::vector<std::string> learners;
  for (const LearnerKind kind : kLearnerKinds) learners.emplace_back(learner_name(kind));
  const std::vector<std::string> alphabets{"full", "refine"};
  const auto known = [](const char* what, const std::string& name,
                        const std::vector<std::string>& names) -> Outcome<void> {
    if (std::find(names.begin(), names.end(), name) != names.end()) return {};
    const std::string near = nearest(name, names);
    return usage(fmt::format("there is no {} '{}'", what, name),
                 near.empty() ? fmt::format("this version has: {}", fmt::join(names, ", "))
                              : fmt::format("did you mean '{}'?", near));
  };
  if (auto ok = known("method", request.method, methods); !ok) return ok;
  if (auto ok = known("learner", request.learner, learners); !ok) return ok;
  if (auto ok = known("reduction", request.reduction, {"none", "por", "auto"}); !ok) return ok;
  if (auto ok = known("alphabet mode", request.alphabet, alphabets); !ok) return ok;
  return check_engine(request);
}

}  // namespace surety::api
