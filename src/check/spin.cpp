#include "check/spin.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rules/rules.hpp"

namespace surety::api {
namespace {

constexpr const char* kHint = "components must meet by rendezvous on global channels only; use --engine native";

// The processes that the components of the network are.
Outcome<std::vector<spin::Instance>> instances(const Model& model, const Network& network) {
  const auto& program = *model.promela->program;
  const std::string& file = model.promela->source->files.front().name;
  const auto shared = [&](const std::string& name) {
    return bad_input({file_error(
        file, fmt::format("--engine spin does not take the variable or buffer {} that processes share", name), kHint)});
  };
  for (const PromelaGlobal& global : model.parts->globals)  // also those that are in one component with their users
    if (!global.component.empty()) return shared(global.name);
  std::vector<spin::Instance> out;
  for (const Component& component : network.components) {
    const auto& all = model.parts->instances;
    const auto found = std::ranges::find(all, component.name, &PromelaInstance::name);
    if (found == all.end()) return shared(component.name);
    const auto& process = program.processes[found->type];
    if (process.kind != promela::Process::Kind::proctype)
      return bad_input({file_error(file, fmt::format("--engine spin does not take {} as a component", process.name),
                                   "let init do nothing but run processes")});
    out.push_back({component.name, found->type, found->arguments, &component.lts});
    out.back().arguments.resize(process.parameters, 0);  // an active process has none
  }
  for (const std::string& name : model.parts->set_by_init)
    return bad_input({file_error(file, fmt::format("--engine spin does not take {}, which init sets", name), kHint)});
  return out;
}

}  // namespace

Outcome<std::optional<spin::Mode>> spin_from_words(const std::string& engine, const std::string& mode) {
  if (engine != "native" && engine != "exact" && engine != "flavers" && engine != "spin")
    return usage(fmt::format("there is no engine '{}'", engine), "there are: native (or exact), flavers, spin");
  if (mode != "separate" && mode != "per-query")
    return usage(fmt::format("there is no way '{}' to ask SPIN", mode), "there are: separate, per-query");
  if (engine != "spin") return std::nullopt;
  return mode == "separate" ? spin::Mode::separate : spin::Mode::per_query;
}

Outcome<void> can_ask_spin(const CheckOptions& options) {
  if (!options.spin) return {};
  std::vector<std::string_view> able;
  for (const Rule& rule : all_rules())
    if (rule.triples) able.push_back(rule.name());
  if (std::ranges::find(able, name_of(options.method)) == able.end())
    return usage(fmt::format("--method {} needs --engine native", name_of(options.method)),
                 fmt::format("SPIN can answer for: {}", fmt::join(able, ", ")));
  if (!options.assumption.empty()) return usage("--assumption needs --engine native");
  return {};
}

Outcome<std::unique_ptr<spin::SpinChecker>> make_spin(spin::Mode mode, const Model& model, const Network& network,
                                                      const Alphabet& environment, Budget& budget) {
  if (!model.promela) return usage("--engine spin is for Promela files", "leave it out: the native engine takes all");
  auto processes = instances(model, network);
  if (!processes) return tl::unexpected(std::move(processes.error()));
  Alphabet more = environment;
  for (const Property& property : model.properties) more = unite(more, property.lts.alphabet());
  auto system = spin::make_system(*model.promela, std::move(*processes), *model.actions, model.parts->rendezvous, more);
  if (!system) return bad_input(std::move(system.error()));
  auto checker = spin::SpinChecker::make(std::move(*system), mode, budget);
  if (!checker) return bad_input(std::move(checker.error()));
  return std::move(*checker);
}

}  // namespace surety::api
