#include "spin/system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "spin/addresses.hpp"

namespace surety::spin {
namespace {

using promela::kNone;

// grant.2, request.1.2 on an array.
std::optional<Operation> operation(const promela::Program& program, const std::vector<std::string>& parts) {
  for (std::uint32_t i = 0; i < program.globals.size(); ++i) {
    const promela::Variable& v = program.globals[i];
    if (v.name != parts[0] || !v.channel || v.channel->capacity != 0) continue;
    const std::size_t first = v.length ? 2 : 1;
    if (parts.size() != first + v.channel->fields.size()) return std::nullopt;
    Operation out{i, v.length ? fmt::format("{}[{}]", v.name, parts[1]) : v.name, {}};
    for (std::size_t p = first; p < parts.size(); ++p) out.message += (p == first ? "" : ",") + parts[p];
    return out;
  }
  return std::nullopt;
}

Diagnostic refusal(const std::string& file, std::string message) {
  return file_error(file, "--engine spin " + std::move(message),
                    "components must meet by rendezvous on global channels only; use --engine native");
}

}  // namespace

Kind System::kind(std::uint32_t action, const std::vector<std::uint32_t>& side) const {
  const auto here = std::count_if(partners[action].begin(), partners[action].end(), [&](std::uint32_t p) {
    return std::find(side.begin(), side.end(), p) != side.end();
  });
  return here == 0 ? Kind::free : here == 1 ? Kind::open : Kind::inner;
}

Result<System> make_system(const PromelaFile& file, std::vector<Instance> instances, const ActionTable& table,
                           const std::map<Action, Rendezvous>& rendezvous, const Alphabet& more) {
  const Addresses addresses(*file.program, rendezvous);
  System out;
  out.program = file.program;
  out.addresses = addresses.needed();
  out.table = &table;
  out.instances = std::move(instances);
  const std::string& where = file.source->files.front().name;
  std::set<std::uint32_t> seen;
  for (const Instance& instance : out.instances) {
    out.actions = unite(out.actions, instance.lts->alphabet());
    if (!seen.insert(instance.process).second) continue;
    if (auto refused = refusals(file, out.program->processes[instance.process]); !refused.empty())
      return tl::unexpected(std::move(refused));
  }
  for (const promela::Variable& v : out.program->globals)
    if (v.name.starts_with("surety_")) return fail(refusal(where, fmt::format("needs the name {} itself", v.name)));
  out.actions = unite(out.actions, more);
  for (std::uint32_t i = 0; i < out.actions.size(); ++i) {
    const Action a = out.actions[i];
    auto& partners = out.partners.emplace_back();
    for (std::uint32_t p = 0; p < out.instances.size(); ++p)
      if (out.instances[p].lts->alphabet().contains(a)) partners.push_back(p);
    const std::string name(table.name(a));
    const auto between = rendezvous.find(a);
    auto known = between == rendezvous.end() ? std::nullopt : operation(*file.program, between->second.operation.parts);
    if (known) known->message += addresses.fields(known->channel, between->second);
    if (!partners.empty() && !known)
      return fail(refusal(where, fmt::format("does not take the action {}, which is not simply a rendezvous", name)));
    if (partners.size() > 2) return fail(refusal(where, fmt::format("does not take the action {} of three", name)));
    out.operations.push_back(known.value_or(Operation{kNone, fmt::format("surety_free{}", i), "0"}));
  }
  for (Instance& instance : out.instances) instance.address = addresses.number(instance.name);
  if (out.addresses) out.program = std::make_shared<promela::Program>(addresses.addressed(*file.program));
  return out;
}

}  // namespace surety::spin
