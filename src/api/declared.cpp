#include "api/declared.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "api/apart.hpp"
#include "api/plan.hpp"
#include "api/promela.hpp"

namespace surety::api {
namespace {

// The name of the only model file.
const std::string& model_file(const Model& model) { return model.inputs[0].file; }

Declared describe(const Model& model, const Property& property) {
  Declared out{kind_of(model, property), property.name};
  for (const Input& input : model.inputs)
    if (input.role == Input::Role::property && input.name == property.name) {
      out.from = "file " + input.file;
      out.own_file = true;
      return out;
    }
  out.from = "property process of " + model_file(model);
  const auto inside = std::ranges::count_if(model.composite->machines, &FspMachine::property);
  if (&property - model.properties.data() >= inside) out.from += fmt::format(", not part of {}", model.network.name);
  return out;
}

}  // namespace

Outcome<std::vector<Declared>> declared_checks(const Model& model, const std::vector<std::string>& names) {
  if (model.promela) return promela_checks(model, names);
  auto plan = make_plan(model, names, true);
  if (!plan) return tl::unexpected(std::move(plan.error()));
  std::vector<Declared> out;
  for (const Property* property : plan->safety) out.push_back(describe(model, *property));
  if (plan->error) out.push_back({"error", {}});
  if (plan->deadlock) out.push_back({"deadlock", {}});
  if (plan->progress && plan->progress_sets.empty()) out.push_back({"progress", {}, "the set of all actions"});
  for (const ProgressSet& set : plan->progress_sets)
    out.push_back({"progress", set.name, "progress of " + model_file(model)});
  for (const Assertion& assertion : plan->assertions)
    out.push_back({"ltl", assertion.name, "assert of " + model_file(model)});
  return out;
}

}  // namespace surety::api
