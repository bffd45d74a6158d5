#include "lsp/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lsp/document.hpp"
#include "lsp/refused.hpp"
#include "model/automata.hpp"

namespace surety::lsp {
namespace {

constexpr std::uint32_t kNamedStates = 100'000;

class Maker {
 public:
  explicit Maker(Document& document) : document_(document), budget_(question_limits(), nullptr, &progress_) {}

  Drawn make(const DrawingRequest& request) {
    auto drawing = find(request);
    if (drawing && !request.minimise.empty()) {
      drawing->lts = api::minimised(drawing->lts, request.minimise, budget_);
      drawing->names.clear();
      drawing->tuples.clear();
    }
    if (!drawing || !budget_.go_on()) return tl::unexpected(TooLarge{budget_.why(), progress_.states});
    return std::make_shared<const Drawing>(std::move(*drawing));
  }

 private:
  // Nothing: the budget ended.
  std::optional<Drawing> find(const DrawingRequest& request) {
    const api::Model& model = document_.apart();
    for (std::size_t c = 0; c < model.network.components.size(); ++c)
      if (model.network.components[c].name == request.name) return component(model, c);
    for (std::size_t p = 0; p < model.properties.size(); ++p)
      if (model.properties[p].name == request.name) return property(model, p, request.complete, {});
    if (request.name == name_of_whole(model)) return system(model);
    if (model.fsp) return in_fsp(*model.fsp, request);
    throw Refused(kInvalidParams, fmt::format("there is no machine '{}'", request.name));
  }

  static Drawing component(const api::Model& model, std::size_t c) {
    Drawing out{"component", model.network.components[c].lts};
    if (out.lts.state_count() > kNamedStates || !api::state_name(model, c, State{0})) return out;
    for (std::uint32_t s = 0; s < out.lts.state_count(); ++s)
      out.names.push_back(api::state_name(model, c, State{s}).value_or(FspStateName{}));
    return out;
  }

  Drawing property(const api::Model& model, std::size_t p, bool complete, const std::vector<std::string>& outside) {
    const Lts& monitor = model.properties[p].lts;
    Drawing out{"property", complete ? surety::complete(monitor) : monitor, true};
    if (model.promela || monitor.state_count() > kNamedStates) return out;
    api::Watcher& watcher = *document_.walk(outside).watchers[p];
    for (std::uint32_t s = 0; s < monitor.state_count(); ++s) {
      const std::string name = watcher.shown(s);
      if (name == std::to_string(s)) {
        out.names.clear();
        break;
      }
      out.names.push_back({name, 0});
    }
    return out;
  }

  std::optional<Drawing> system(const api::Model& model) {
    Drawing out{"system", {}};
    auto lts = api::composed(model, budget_, &out.tuples);
    if (!lts) throw Refused(kInvalidParams, lts.error().diagnostics[0].message);
    if (!*lts) return std::nullopt;
    out.lts = std::move(**lts);
    if (out.tuples.size() > kNamedStates) out.tuples = {};
    return out;
  }

  std::optional<Drawing> in_fsp(const FspFile& file, const DrawingRequest& request) {
    const std::string& name = request.name;
    const auto has = [&](const std::vector<std::string>& names) {
      return std::ranges::find(names, name.substr(0, name.find('('))) != names.end();
    };
    if (has(file.processes()) && name.find('(') == std::string::npos) {
      auto process = file.process(name, &budget_);
      if (budget_.why() != Stop::none) return std::nullopt;
      if (!process) throw Refused(kInvalidParams, process.error()[0].message);
      if (process->property) {  // as it is when it watches
        const api::Model& model = document_.walk({name}).walker->model();
        const auto here = std::ranges::find(model.properties, name, &Property::name);
        if (here != model.properties.end())
          return property(model, static_cast<std::size_t>(here - model.properties.begin()), request.complete, {name});
      }
      Drawing out{"process", process->lts, process->property};
      const FspMachine machine{name, process->lts, process->property, {}, name, FspInstance{name, {}}};
      if (const auto names = file.state_names(machine)) out.names = *names;
      return out;
    }
    if (!has(file.composites())) throw Refused(kInvalidParams, fmt::format("there is no machine '{}'", name));
    auto composite = file.composite(name, budget_);
    if (budget_.why() != Stop::none) return std::nullopt;
    if (!composite) throw Refused(kInvalidParams, composite.error()[0].message);
    auto lts = compose_fsp(*composite, budget_);
    if (!lts) return std::nullopt;
    return Drawing{"composite", std::move(*lts), composite->property};
  }

  Document& document_;
  Progress progress_;
  Budget budget_;
};

}  // namespace

std::string name_of_whole(const api::Model& model) {
  const std::string& name = model.network.name;
  const auto taken = [&](const auto& machines) {
    return std::ranges::any_of(machines, [&](const auto& machine) { return machine.name == name; });
  };
  return taken(model.network.components) || taken(model.properties) ? name + " (whole)" : name;
}

Drawn Drawings::get(Document& document, const DrawingRequest& request) {
  constexpr std::size_t kMost = 8;
  constexpr std::uint64_t kMostSteps = 4'000'000;  // of those before the last
  if (!request.minimise.empty() &&
      std::ranges::find(api::kMinimisations, request.minimise) == api::kMinimisations.end())
    throw Refused(kInvalidParams, fmt::format("minimise cannot be '{}'", request.minimise));
  const auto known = std::ranges::find_if(kept_, [&](const auto& kept) { return kept.first == request; });
  if (known != kept_.end()) {
    std::rotate(kept_.begin(), known, known + 1);
    return kept_.front().second;
  }
  auto drawn = Maker(document).make(request);
  if (!drawn) return drawn;
  kept_.emplace_front(request, *drawn);
  std::uint64_t steps = 0;
  for (std::size_t i = 1; i < kept_.size(); ++i) {
    steps += kept_[i].second->lts.transition_count();
    if (i >= kMost || steps > kMostSteps) kept_.resize(i);
  }
  return drawn;
}

}  // namespace surety::lsp
