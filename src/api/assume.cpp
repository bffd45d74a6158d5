// The assumption that a system needs of its environment: which parts, which
// alphabet, and what is known of the answer.

#include <fmt/format.h>

#include <algorithm>

#include "api/commands.hpp"
#include "model/transform.hpp"
#include "rules/interface.hpp"
#include "rules/weakest.hpp"

namespace surety::api {
namespace {

// What is to be avoided.
struct Aims {
  std::vector<const Property*> properties;
  bool error = false;  // ERROR of an ordinary process
};

Outcome<Aims> find_aims(const Model& model, const std::vector<std::string>& names) {
  Aims aims;
  const bool has_error = std::any_of(model.network.components.begin(), model.network.components.end(),
                                     [](const Component& c) { return c.lts.error().has_value(); });
  for (const auto& input : model.inputs)
    if (input.role == Input::Role::property)
      for (const auto* property : find_properties(model, input.name)) aims.properties.push_back(property);
  if (names.empty() && aims.properties.empty()) {
    for (const auto& property : model.properties) aims.properties.push_back(&property);
    aims.error = has_error;
    return aims;
  }
  for (const auto& name : names) {
    const auto found = find_properties(model, name);
    aims.properties.insert(aims.properties.end(), found.begin(), found.end());
    aims.error |= name == "assert" && has_error;
    if (!found.empty() || name == "assert") continue;
    std::vector<std::string> known{"assert"};
    for (const auto& property : model.properties) known.push_back(property.name);
    const std::string near = nearest(name, known);
    return usage(
        fmt::format("assume knows no safety property '{}'", name),
        near.empty() ? fmt::format("there are: {}", fmt::join(known, ", ")) : fmt::format("did you mean '{}'?", near));
  }
  return aims;
}

Alphabet all_actions(const Model& model) {
  Alphabet all = alphabet_of(model.network);
  for (const auto& property : model.properties) all = unite(all, property.lts.alphabet());
  return all;
}

Outcome<Alphabet> find_alphabet(const Model& model, const std::optional<std::vector<std::string>>& names) {
  const Alphabet all = all_actions(model);
  if (!names) return model.composite ? subtract(all, model.composite->hidden) : all;
  const auto known = sorted_names(*model.actions, all);
  std::vector<Action> actions;
  for (const auto& name : *names) {
    if (!std::binary_search(known.begin(), known.end(), name)) {
      const std::string near = nearest(name, known);
      return usage(
          fmt::format("--actions: the system has no action '{}'", name),
          near.empty() ? fmt::format("it has: {}", fmt::join(known, ", ")) : fmt::format("did you mean '{}'?", near));
    }
    actions.push_back(model.actions->intern(name));
  }
  return Alphabet(actions);
}

// What one product of parts cannot express.
Outcome<void> refuse_unsupported(const Model& model) {
  const auto refused = [&](const char* what) {
    return bad_input(
        {file_error(model.inputs[0].file, fmt::format("{} is {}, which assume does not know", model.network.name, what),
                    "--system names another composite")});
  };
  if (model.priority() != nullptr) return refused("a composite with a priority");
  if (model.composite && model.composite->property) return refused("a composite that is a property");
  return {};
}

std::string describe(const Interface& interface, const AssumeRequest& request, const ActionTable& actions) {
  using Weakest = Interface::Weakest;
  if (interface.assumption.state_count() == 0) return "the weakest: not even the empty word is safe";
  if (interface.weakest == Weakest::yes) return "the weakest: the exact construction has the same words";
  if (interface.weakest == Weakest::no)
    return fmt::format("sound, but not the weakest: it lacks {}", fmt::join(names(actions, interface.lacks), ", "));
  if (!request.conformance) return "sound; whether it is the weakest is too costly to find out";
  if (interface.assumption.state_count() > *request.conformance)
    return fmt::format("sound; the weakest has more than {} states, so the W-method proves nothing",
                       *request.conformance);
  return fmt::format("sound; the weakest if that has at most {} states", *request.conformance);
}

void solve(Assumed& out, const std::vector<Part>& system, const Alphabet& alphabet, const AssumeRequest& request,
           Budget& budget) {
  Means means{.budget = budget, .cost = out.cost, .threads = request.threads};
  means.learner = *learner_from_name(request.learner);
  if (!request.interface) {
    out.assumption = weakest_assumption(system, alphabet, means);
    out.weakest = out.assumption.has_value();
    out.known = "the weakest, by construction";
    out.why = out.assumption ? Stop::none : budget.why();
    return;
  }
  auto result = generate_interface(system, alphabet, request.conformance, means);
  if (auto* interface = std::get_if<Interface>(&result)) {
    out.weakest = interface->weakest == Interface::Weakest::yes;
    out.known = describe(*interface, request, *out.model.actions);
    out.assumption = std::move(interface->assumption);
    return;
  }
  auto& unknown = std::get<Unknown>(result);
  out.why = unknown.why;
  out.known = unknown.known;
  if (!unknown.assumptions.empty()) out.assumption = std::move(unknown.assumptions[0]);
}

}  // namespace

Outcome<Assumed> assume(const AssumeRequest& request) {
  if (!learner_from_name(request.learner)) {
    std::vector<std::string> known;
    for (const LearnerKind kind : kLearnerKinds) known.emplace_back(learner_name(kind));
    return usage(fmt::format("there is no learner '{}'", request.learner),
                 fmt::format("this version has: {}", fmt::join(known, ", ")));
  }
  Budget budget(request.limits, request.interrupted, request.progress);
  Source source = request.source;
  source.open = true;
  std::vector<std::string> names;
  for (const auto& name : request.properties) (is_model_file(name) ? source.property_files : names).push_back(name);
  auto loaded = load(source, budget);
  if (!loaded) return tl::unexpected(std::move(loaded.error()));
  Assumed out;
  out.model = std::move(*loaded);
  Model& model = out.model;
  if (model.promela)
    return usage("assume needs components, and a Promela program is searched as a whole", "check and compose read it");
  if (auto added = add_outside_properties(model, names); !added) return tl::unexpected(std::move(added.error()));
  if (auto ok = refuse_unsupported(model); !ok) return tl::unexpected(std::move(ok.error()));
  const auto aims = find_aims(model, names);
  if (!aims) return tl::unexpected(aims.error());
  const auto alphabet = find_alphabet(model, request.actions);
  if (!alphabet) return tl::unexpected(alphabet.error());
  for (const auto& input : model.inputs)
    for (const auto& property : model.properties)
      if (input.role == Input::Role::property && property.name == input.name)
        warn_of_free_actions(model, property, input.file, *alphabet);
  if (aims->properties.empty() && !aims->error) {
    auto nothing = file_error({}, "the system has no property and no ERROR: every environment will do");
    nothing.severity = Severity::warning;
    model.warnings.push_back(std::move(nothing));
  }

  // ERROR that is not asked for is a state where a component stands still.
  const Network network = aims->error ? model.network : safety_network(model);
  std::vector<Part> system;
  for (const auto& component : network.components) system.push_back({&component.lts});
  for (const auto* property : aims->properties) system.push_back({&property->lts, Role::watch});
  solve(out, system, *alphabet, request, budget);
  out.time_s = budget.seconds_used();
  return out;
}

}  // namespace surety::api
