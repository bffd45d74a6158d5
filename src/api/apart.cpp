#include "api/apart.hpp"

#include <algorithm>

namespace surety::api {

std::optional<Diagnostic> take_apart(Model& model, Budget& budget, bool labels) {
  PromelaNetworkOptions options;
  options.labels = labels;
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

bool names_formula(const Model& model, const std::vector<std::string>& names) {
  return names.empty() || std::ranges::any_of(model.promela->program->formulas, [&](const auto& block) {
           return std::ranges::find(names, block.name) != names.end();
         });
}

std::string kind_of(const Model& model, const Property& property) {
  const auto same = [&](const Property& p) { return p.name == property.name; };
  return model.parts && std::ranges::any_of(model.parts->formulas, same) ? "ltl" : "safety";
}

}  // namespace surety::api
