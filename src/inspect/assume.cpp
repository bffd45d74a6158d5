// The assumption that a system needs of its environment: which parts, which
// alphabet, and what is known of the answer.

#include "inspect/assume.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "check/options.hpp"
#include "check/shown_steps.hpp"
#include "check/spin.hpp"
#include "check/subject.hpp"
#include "load/apart.hpp"
#include "load/split.hpp"
#include "model/transform.hpp"
#include "rules/interface.hpp"
#include "rules/weakest.hpp"

namespace surety::api {
namespace {

// Of a Promela program the named components become the system, and all others are left to the environment. An
// assertion of one of them is a property like any other.
Outcome<void> choose_components(Model& model, const std::string& system,
                                const std::optional<std::vector<std::string>>& formulas, Budget& budget) {
  if (auto why_not = take_apart(model, budget, formulas)) {
    if (budget.why() == Stop::none) return bad_input({std::move(*why_not)});
    return tl::unexpected(Failure{
        2,
        {file_error(model.inputs[0].file,
                    fmt::format("unknown: stopped by {} while taking the program apart", describe(budget.why())))}});
  }
  if (!system.empty()) {
    const auto chosen = parse_components("--system", system, model.network);
    if (!chosen) return tl::unexpected(chosen.error());
    std::erase_if(model.network.components, [&](const Component& c) {
      return std::find(chosen->begin(), chosen->end(), c.name) == chosen->end();
    });
    model.network.name = fmt::format("{}", fmt::join(*chosen, ", "));
  }
  if (!model.parts->assertions) return {};
  LtsBuilder none;
  none.add_to_alphabet(intersect(model.parts->assertions->lts.alphabet(), alphabet_of(model.network)));
  model.properties.push_back({"assert", none.build()});
  return {};
}

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
    std::vector<std::string> known;
    for (const auto& property : model.properties) known.push_back(property.name);
    if (find_properties(model, "assert").empty()) known.insert(known.begin(), "assert");
    return usage(fmt::format("assume knows no safety property '{}'", name), did_you_mean(name, known, "there are"));
  }
  return aims;
}

// Property processes are a part of an FSP composite; of a Promela program the properties count that are asked about,
// and that an assertion fails is nothing that an environment could keep from happening.
Alphabet all_actions(const Model& model, const Aims& aims) {
  Alphabet all = alphabet_of(model.network);
  if (!model.promela)
    for (const auto& property : model.properties) all = unite(all, property.lts.alphabet());
  for (const auto* property : aims.properties) all = unite(all, property->lts.alphabet());
  if (model.parts && model.parts->assertions) all = subtract(all, model.parts->assertions->lts.alphabet());
  return all;
}

Outcome<Alphabet> find_alphabet(const Model& model, const Aims& aims,
                                const std::optional<std::vector<std::string>>& names) {
  const Alphabet all = all_actions(model, aims);
  if (!names) return model.composite ? subtract(all, model.composite->hidden) : all;
  const auto known = sorted_names(*model.actions, all);
  std::vector<Action> actions;
  for (const auto& name : *names) {
    if (!std::binary_search(known.begin(), known.end(), name))
      return usage(fmt::format("--actions: the system has no action '{}'", name), did_you_mean(name, known, "it has"));
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

// What SPIN cannot be asked for.
Outcome<void> refuse_for_spin(const AssumeRequest& request, const Aims& aims, const Alphabet& alphabet,
                              const ActionTable& actions) {
  if (aims.properties.size() != 1 || aims.error)
    return usage("assume --engine spin is about one property", "name it: --property P");
  const Alphabet lacking = subtract(aims.properties[0]->lts.alphabet(), alphabet);
  if (!lacking.empty() && !request.conformance)
    return usage(fmt::format("assume --engine spin needs all actions of the property, and --actions lacks {}",
                             fmt::join(sorted_names(actions, lacking), ", ")),
                 "use --engine native, or --conformance");
  return {};
}

// With nothing to avoid, every environment will do; with a property from a file, its own actions may be free.
void warn(Model& model, const Aims& aims, const Alphabet& alphabet) {
  for (const auto& input : model.inputs)
    for (const auto& property : model.properties)
      if (input.role == Input::Role::property && property.name == input.name)
        warn_of_free_actions(model, property, input.file, alphabet);
  if (!aims.properties.empty() || aims.error) return;
  auto nothing = file_error({}, "the system has no property and no ERROR: every environment will do");
  nothing.severity = Severity::warning;
  model.warnings.push_back(std::move(nothing));
}

// The model, taken apart if it is a program. `names`: the properties that are no files.
Outcome<Model> read_model(const AssumeRequest& request, bool spin, std::vector<std::string>& names, Budget& budget) {
  Source source = request.source;
  source.open = true;
  names = take_property_files(source, request.properties);
  auto model = load(source, budget);
  if (!model) return model;
  if (model->promela) {
    if (auto ok = chosen_subjects(*model, names); !ok) return tl::unexpected(std::move(ok.error()));
    if (auto chosen = choose_components(*model, source.system, formulas_for(names, spin), budget); !chosen)
      return tl::unexpected(std::move(chosen.error()));
  }
  if (auto added = add_outside_properties(*model, names, &budget); !added)
    return tl::unexpected(std::move(added.error()));
  if (auto ok = refuse_unsupported(*model); !ok) return tl::unexpected(std::move(ok.error()));
  return model;
}

void solve(Assumed& out, const std::vector<Part>& system, const Alphabet& alphabet, const AssumeRequest& request,
           Context context) {
  if (!request.interface) {
    out.assumption = weakest_assumption(system, alphabet, context);
    out.weakest = out.assumption.has_value();
    out.known = "the weakest, by construction";
    out.why = out.assumption ? Stop::none : context.budget.why();
    return;
  }
  auto result = generate_interface(system, alphabet, request.conformance, context);
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
  const auto learner = read_learner(request.learner);
  if (!learner) return tl::unexpected(learner.error());
  if (request.engine == "flavers")
    return usage("assume does not know the engine flavers", "check --engine flavers --method asym learns one");
  const auto spin = spin_from_words(request.engine, request.spin_mode);
  if (!spin) return tl::unexpected(spin.error());
  if (*spin && !request.interface)
    return usage("assume --weakest needs --engine native", "SPIN can answer for: --interface");

  Budget budget(request.limits, request.interrupted, request.progress);
  std::vector<std::string> names;
  auto read = read_model(request, spin->has_value(), names, budget);
  if (!read) return tl::unexpected(std::move(read.error()));
  Assumed out;
  out.model = std::move(*read);
  Model& model = out.model;
  const auto aims = find_aims(model, names);
  if (!aims) return tl::unexpected(aims.error());
  const auto alphabet = find_alphabet(model, *aims, request.actions);
  if (!alphabet) return tl::unexpected(alphabet.error());
  warn(model, *aims, *alphabet);
  if (request.loaded) request.loaded(model);

  // ERROR that is not asked for is a state where a component stands still.
  const Network network = aims->error ? model.network : safety_network(model);
  std::vector<Part> system;
  for (const auto& component : network.components) system.push_back({&component.lts});
  for (const auto* property : aims->properties) system.push_back({&property->lts, Role::watch});
  std::unique_ptr<spin::SpinChecker> checker;
  if (*spin) {
    if (auto ok = refuse_for_spin(request, *aims, *alphabet, *model.actions); !ok)
      return tl::unexpected(std::move(ok.error()));
    auto made = make_spin(**spin, model, network, *alphabet, budget);
    if (!made) return tl::unexpected(std::move(made.error()));
    checker = std::move(*made);
  }
  solve(out, system, *alphabet, request,
        {.budget = budget,
         .cost = out.cost,
         .threads = request.threads,
         .learner = *learner,
         .checker = checker.get(),
         .tell = {request.observer},
         .kept_steps = request.keep_conjectures ? std::optional(kShownSteps) : std::nullopt});
  if (checker) {
    if (!checker->trouble().empty()) return bad_input(checker->trouble());
    out.spin = checker->statistics();
  }
  out.time_s = budget.seconds_used();
  return out;
}

}  // namespace surety::api
