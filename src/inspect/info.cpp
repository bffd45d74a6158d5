#include "inspect/info.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lang/promela/labels.hpp"
#include "lang/promela/printer.hpp"
#include "load/ada.hpp"
#include "load/apart.hpp"

namespace surety::api {
namespace {

// How long a program may take to come apart, if the user set no limit.
constexpr std::chrono::seconds kPatience(5);

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

void list_network(Info& info) {
  auto& composite = info.composites.emplace_back();
  composite.name = info.model.network.name;
  for (const auto& component : info.model.network.components) {
    info.processes.push_back({component.name, component.lts, false});
    composite.machines.push_back({component.name, component.lts});
  }
}

// The name of the chosen system without its values: "P" of P(3).
std::string definition_of(const Model& model) { return model.network.name.substr(0, model.network.name.find('(')); }

// Every process and composite of the file, not only those of the chosen system, which is shown with its values. In
// cells: the components of the system, since a process that comes apart may be too large to be built.
Outcome<void> list_fsp(Info& info, Budget& budget) {
  const FspFile& file = *info.model.fsp;
  const std::string chosen = definition_of(info.model);
  if (info.model.cells) {
    for (const auto& component : info.model.network.components)
      info.processes.push_back({component.name, component.lts, false});
    for (const auto& property : info.model.properties) {
      info.processes.push_back({property.name, property.lts, true});
      info.properties.push_back(property.name);
    }
  }
  for (const auto& name : info.model.cells ? std::vector<std::string>() : file.processes()) {
    auto process = file.process(name, &budget);
    if (!process && budget.why() != Stop::none) return stopped_reading(info.model.inputs[0].file, name, budget);
    if (!process) return bad_input(std::move(process.error()));
    if (name == chosen && !contains(file.composites(), chosen))
      info.processes.push_back({info.model.network.name, info.model.composite->machines[0].lts, process->property});
    else
      info.processes.push_back({name, std::move(process->lts), process->property});
    if (process->property) info.properties.push_back(name);
  }
  for (const auto& name : file.composites()) {
    const std::string& instance = name == chosen ? info.model.network.name : name;
    auto composite = file.composite(instance, budget);
    if (!composite && budget.why() != Stop::none) return stopped_reading(info.model.inputs[0].file, instance, budget);
    if (!composite) return bad_input(std::move(composite.error()));
    auto& entry = info.composites.emplace_back();
    entry.name = instance;
    for (const FspMachine& machine : composite->machines)
      entry.machines.push_back({machine.name, machine.lts, machine.property,
                                machine.instance ? machine.instance->process : machine.definition});
    if (composite->property && !contains(info.properties, name)) info.properties.push_back(name);
  }
  auto progress = file.progress();
  if (!progress) return bad_input(std::move(progress.error()));
  for (const auto& set : *progress) info.progress.push_back(set.name);
  info.assertions = file.assertions();
  info.constants = file.constants();
  return {};
}

// The components of a program, or why there are none.
void list_components(Info& info, Budget& budget) {
  Limits limits;
  if (!budget.time_left()) limits.time = kPatience;
  Budget share(budget, limits);
  info.not_apart = take_apart(info.model, share, std::vector<std::string>());
  info.why = share.why();
  if (!info.not_apart) list_network(info);
}

// What a program declares.
void list_promela(Info& info, Budget& budget) {
  using promela::Process;
  const promela::Program& program = *info.model.promela->program;
  for (const auto& p : program.processes) {
    switch (p.kind) {
      case Process::Kind::trace:
      case Process::Kind::notrace: continue;
      case Process::Kind::never: info.assertions.push_back(p.name); continue;
      default: break;
    }
    std::vector<std::string> parameters;
    for (std::uint32_t i = 0; i < p.parameters; ++i) parameters.push_back(promela::print(program, p.variables[i]));
    info.parts.push_back(
        {"proctypes", p.name,
         fmt::format("{} active, parameters ({}), {} variable{}", p.active, fmt::join(parameters, "; "),
                     p.variables.size(), p.variables.size() == 1 ? "" : "s")});
  }
  for (const auto& trace : promela::trace_names(program)) info.properties.push_back(trace.name);
  for (const auto& v : program.globals) {
    const bool channel = v.type.base == promela::Type::Base::channel;
    info.parts.push_back({channel ? "channels" : "variables", v.name, promela::print(program, v)});
  }
  for (const auto& f : program.formulas) info.assertions.push_back(f.name);
  std::vector<promela::Define> defines;
  for (const auto& d : info.model.defines) defines.push_back({d.name, std::to_string(d.value)});
  for (const auto& constant : promela::constants_of(*info.model.promela->source, defines, budget))
    info.constants.push_back({constant.name, std::stoi(constant.value)});
  for (const auto& name : promela::label_checks(program))
    (name == "progress" ? info.progress : info.assertions).push_back(name);
}

}  // namespace

namespace {

Outcome<Info> list(const InfoRequest& request, Budget& budget) {
  Source source = request.source;
  source.group = !source.cells && !request.constraints;  // as a check would
  auto model = load(source, budget);
  if (!model) return tl::unexpected(std::move(model.error()));
  if (request.unreached && !model->promela) return usage("--unreached is for Promela programs");
  Info out;
  out.model = std::move(*model);
  if (out.model.fsp) {
    if (auto listed = list_fsp(out, budget); !listed) return tl::unexpected(std::move(listed.error()));
  } else if (out.model.promela) {
    list_promela(out, budget);
    list_components(out, budget);
    if (request.unreached) {
      auto unreached = find_unreached(out.model, budget);
      if (!unreached) return tl::unexpected(std::move(unreached.error()));
      out.unreached = std::move(*unreached);
    }
  } else {
    list_network(out);
    if (out.model.ada)
      for (const AdaDefine& c : out.model.ada->constants) out.constants.push_back({c.name, static_cast<int>(c.value)});
  }
  if (out.model.ada) {  // from a file or named by the program
    for (const auto& property : out.model.properties) {
      out.processes.push_back({property.name, property.lts, true});
      out.properties.push_back(property.name);
    }
    return out;
  }
  for (const auto& input : out.model.inputs) {
    if (input.role != Input::Role::property) continue;
    for (const auto& property : out.model.properties)
      if (property.name == input.name) out.processes.push_back({property.name, property.lts, true});
    out.properties.push_back(input.name);
  }
  return out;
}

}  // namespace

Outcome<Info> info(const InfoRequest& request) {
  Budget budget(request.limits, request.interrupted);
  auto out = list(request, budget);
  if (!out || !request.constraints || out->not_apart || out->why != Stop::none) return out;
  auto flow = flow_info(out->model, *request.constraints, budget);
  if (!flow) return tl::unexpected(std::move(flow.error()));
  out->flow = std::move(*flow);
  return out;
}

}  // namespace surety::api
