#include "api/apart.hpp"

#include <algorithm>

namespace surety::api {

std::optional<Diagnostic> take_apart(Model& model, Budget& budget,
                                     const std::optional<std::vector<std::string>>& formulas) {
  PromelaNetworkOptions options;
  options.formulas = formulas;
  auto parts = promela_network(*model.promela, *model.actions, budget, options);
  if (!parts) return std::move(parts.error());
  const std::string name = model.network.name;
  model.network = parts->network;
  model.network.name = name;
  model.properties = parts->traces;
  model.properties.insert(model.properties.end(), parts->formulas.begin(), parts->formulas.end());
  model.parts = std::make_shared<PromelaNetwork>(std::move(*parts));
  return std::nullopt;
}

std::optional<std::vector<std::string>> formulas_for(const std::vector<std::string>& names, bool spin) {
  if (spin) return std::vector<std::string>();
  return names.empty() ? std::nullopt : std::optional(names);
}

std::string kind_of(const Model& model, const Property& property) {
  const auto same = [&](const Property& p) { return p.name == property.name; };
  return model.parts && std::ranges::any_of(model.parts->formulas, same) ? "ltl" : "safety";
}

}  // namespace surety::api
