#include "load/apart.hpp"

#include "base/check.hpp"

namespace surety::api {

std::optional<Diagnostic> take_apart(Model& model, Budget& budget,
                                     const std::optional<std::vector<std::string>>& formulas, bool group) {
  PromelaNetworkOptions options;
  options.group = group;
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

CheckKind kind_of(const Model& model, const Property& property) {
  if (!model.parts) return CheckKind::safety;
  const auto place = static_cast<std::size_t>(&property - model.properties.data());
  check(place < model.properties.size(), "a property of the model");
  return place < model.parts->traces.size() ? CheckKind::safety : CheckKind::ltl;
}

}  // namespace surety::api
