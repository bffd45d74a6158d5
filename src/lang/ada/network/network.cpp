#include "lang/ada/network/network.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lang/ada/network/group_shared.hpp"
#include "lang/ada/network/merge_states.hpp"
#include "lang/ada/network/network_builder.hpp"
#include "lang/ada/network/own_apart.hpp"
#include "lang/ada/network/unchecked.hpp"
#include "lang/ada/network/warnings.hpp"

namespace surety {
namespace ada {
namespace {

using Kind = Transition::Kind;
constexpr std::size_t kMostActions = 500'000;

}  // namespace

tl::expected<AdaNetwork, Refusal> NetworkBuilder::run() {
  if (const auto refusal = explore()) return tl::unexpected(*refusal);
  for (TaskGraph& graph : graphs_) merge_states(graph, budget_);
  steps_.resize(graphs_.size());
  for (std::size_t t = 0; t < graphs_.size(); ++t) steps_[t].resize(graphs_[t].transitions.size());
  find_users();
  for (std::uint32_t t = 0; t < graphs_.size(); ++t) local_actions(t);
  rendezvous();
  operations();
  about_masters();
  about_tasks();
  if (names_.size() > kMostActions)
    return tl::unexpected(Refusal{"this program has too many different actions", {}, 0});
  if (budget_.why() != Stop::none) return tl::unexpected(Refusal{"the budget ended", {}, 0});
  AdaNetwork out;
  out.network.name = program_.tasks[0].name;
  for (std::uint32_t t = 0; t < graphs_.size(); ++t) add_task(out, t);
  add_variables(out);
  add_objects(out);
  if (const auto refusal = add_queues(out)) return tl::unexpected(*refusal);
  out.failures = Property{"assert", property(failures_)};
  out.choices = std::move(choices_);
  warn_of_entries(out);
  warn_of_forgotten(out);
  if (out.unchecked.empty())
    for (const std::uint32_t place : unchecked_places(program_, environment_))
      out.unchecked.push_back(fmt::format("line {} ({})", line(place), excerpt(place)));
  for (Diagnostic& warning : warnings_of(ada_, graphs_)) out.warnings.push_back(std::move(warning));
  return out;
}

// Once for an entry of the text, however many tasks have it.
void NetworkBuilder::warn_of_entries(AdaNetwork& out) const {
  struct Known {
    bool called = false, accepted = false;
    std::string name;
  };
  std::map<std::uint32_t, Known> entries;  // by place
  for (std::uint32_t e = 0; e < program_.entries.size(); ++e) {
    Known& known = entries[program_.entries[e].place];
    known.called = known.called || !environment_.calls[e].empty();
    known.name = program_.entries[e].name;
  }
  for (const TaskGraph& graph : graphs_)
    for (const Transition& x : graph.transitions)
      if (x.kind == Kind::accept) entries[program_.entries[x.object].place].accepted = true;
  for (const auto& [place, known] : entries) {
    if (known.called && known.accepted) continue;
    const auto& p = program_.places[place];
    auto warning = source_.error({p.offset, p.length},
                                 known.called ? fmt::format("no task accepts {}: its callers wait for ever", known.name)
                                              : fmt::format("no task calls {}", known.name));
    warning.severity = Severity::warning;
    out.warnings.push_back(std::move(warning));
  }
}

void NetworkBuilder::warn_of_forgotten(AdaNetwork& out) const {
  for (const std::uint32_t slot : forgotten_) {
    const auto& p = program_.places[program_.slots[slot].place];
    std::string name = program_.slots[slot].name;
    auto warning =
        source_.error({p.offset, p.length},
                      fmt::format("{} takes too many values: neither they nor the checks of its range are modelled",
                                  name.substr(0, name.find('.'))),
                      "give it a smaller range");
    warning.severity = Severity::warning;
    out.warnings.push_back(std::move(warning));
    out.unchecked.push_back(name.substr(0, name.find('.')));
  }
}

Lts NetworkBuilder::property(const std::vector<Action>& failing) {
  LtsBuilder builder;
  builder.add_to_alphabet(Alphabet(failing));
  return builder.build();
}

}  // namespace ada

std::vector<std::string> AdaNetwork::names_of(Part::Kind kind) const {
  std::vector<std::string> out;
  for (std::size_t c = 0; c < parts.size(); ++c)
    if (parts[c].kind == kind) out.push_back(network.components[c].name);
  return out;
}

std::vector<surety::State> AdaNetwork::states_apart(const std::vector<surety::State>& states) const {
  if (groups.empty()) return states;
  std::vector<surety::State> out(network.components.size());
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Group& group = groups[g];
    for (std::size_t m = 0; m < group.members.size(); ++m)
      out[group.members[m]] = group.states.empty() ? states[g] : group.states[states[g].value][m];
  }
  return out;
}

Alphabet AdaNetwork::own_accesses() const {
  std::vector<Action> out;
  for (std::size_t c = 0; c < parts.size(); ++c)
    if (parts[c].kind == Part::Kind::variable && parts[c].task)
      for (const Action a : network.components[c].lts.alphabet()) out.push_back(a);
  return Alphabet(std::move(out));
}

namespace {

constexpr std::uint32_t kWholeIfRefused = 10'000;  // states of a task

// Nothing: no variable can be apart, or what then is the program is refused.
std::optional<AdaNetwork> network_apart(const AdaProgram& program, ActionTable& actions, Budget& budget,
                                        const AdaNetworkOptions& options) {
  std::vector<bool> tasks(program.flow.tasks.size(), true);
  if (options.whole_states > 0) tasks = ada::large_tasks(program.flow, options.whole_states, budget);
  AdaProgram apart = program;
  apart.flow = ada::own_variables_apart(program.flow, tasks);
  if (std::ranges::none_of(apart.flow.slots, &flow::Slot::apart)) return std::nullopt;
  auto out = ada::NetworkBuilder(apart, actions, budget, options.exploring).run();
  return out ? std::optional(std::move(*out)) : std::nullopt;
}

tl::expected<AdaNetwork, Diagnostic> network_ungrouped(const AdaProgram& program, ActionTable& actions, Budget& budget,
                                                       const AdaNetworkOptions& options) {
  if (options.own == AdaOwnVariables::apart)
    if (auto out = network_apart(program, actions, budget, options)) return std::move(*out);
  auto out = ada::NetworkBuilder(program, actions, budget, options.exploring).run();
  if (out) return std::move(*out);
  if (!out.error().slots.empty() && options.own == AdaOwnVariables::in_tasks)
    if (auto apart =
            network_apart(program, actions, budget, {options.exploring, AdaOwnVariables::apart, kWholeIfRefused}))
      return std::move(*apart);
  const auto& place = program.flow.places[out.error().place];
  return tl::unexpected(
      program.source->error({place.offset, place.length}, std::move(out.error().message), std::move(out.error().hint)));
}

}  // namespace

tl::expected<AdaNetwork, Diagnostic> ada_network(const AdaProgram& program, ActionTable& actions, Budget& budget,
                                                 const AdaNetworkOptions& options) {
  auto out = network_ungrouped(program, actions, budget, options);
  if (out && options.group) ada::group_shared(*out, budget);
  return out;
}

}  // namespace surety
