// What is in a system: machines, definitions, constants, checks, and where they are written.

#include <algorithm>
#include <map>
#include <set>

#include "api/json.hpp"
#include "check/subject.hpp"
#include "lang/ada/network/network.hpp"
#include "lang/fsp/elaborator.hpp"
#include "load/places.hpp"
#include "lsp/drawing.hpp"
#include "lsp/questions.hpp"

namespace surety::lsp {
namespace {

using Names = std::vector<std::string>;

void add_place(Json& out, const std::optional<api::TextPlace>& place) {
  if (place) out["place"] = api::place_json(*place);
}

class SystemTold {
 public:
  SystemTold(Document& document) : document_(document), model_(model_of(document)), network_(document.apart()) {}

  Json tell() {
    out_ = {{"system", model_.network.name}, {"whole", name_of_whole(model_)}, {"language", language()}};
    add_place(out_, api::place_of(model_, model_.network.name));
    add_machines();
    add_definitions();
    add_constants();
    add_checks();
    return std::move(out_);
  }

 private:
  const char* language() const { return model_.fsp ? "fsp" : model_.promela ? "promela" : model_.ada ? "ada" : "aut"; }

  const char* kind_of(std::size_t component) const {
    if (model_.promela) return "part";
    if (!model_.ada_network) return "process";
    switch (model_.ada_network->parts[component].kind) {
      case AdaNetwork::Part::Kind::task: return "task";
      case AdaNetwork::Part::Kind::variable: return "variable";
      case AdaNetwork::Part::Kind::object: return "object";
      case AdaNetwork::Part::Kind::queue: return "queue";
    }
    return "task";
  }

  // The process that a machine of the composite is an instance of.
  std::string definition_of(std::size_t number, bool property) const {
    if (!model_.composite) return {};
    for (const FspMachine& machine : model_.composite->machines)
      if (machine.property == property && number-- == 0)
        return machine.instance ? machine.instance->process : machine.definition;
    return {};
  }

  void add_machine(const char* list, const std::string& name, const char* kind, const Lts& lts,
                   const std::string& definition) {
    Json& entry = out_[list].emplace_back(
        Json{{"name", name}, {"kind", kind}, {"states", lts.state_count()}, {"transitions", lts.transition_count()}});
    entry["alphabet"] = sorted_names(*model_.actions, lts.alphabet());
    if (!definition.empty()) entry["definition"] = definition;
    add_place(entry, api::place_of(model_, name));
    for (const Action a : lts.alphabet()) who_[std::string(model_.actions->name(a))].push_back(name);
  }

  void add_machines() {
    out_["components"] = Json::array();
    out_["properties"] = Json::array();
    const auto& components = network_.network.components;
    for (std::size_t c = 0; c < components.size(); ++c)
      add_machine("components", components[c].name, kind_of(c), components[c].lts, definition_of(c, false));
    for (std::size_t p = 0; p < network_.properties.size(); ++p)
      add_machine("properties", network_.properties[p].name, "property", network_.properties[p].lts,
                  definition_of(p, true));
    Json::object_t actions;  // each is another one, and there may be many
    for (const auto& [action, names] : who_) actions.emplace_back(action, names);
    out_["actions"] = std::move(actions);
    if (model_.composite && !model_.composite->hidden.empty())
      out_["hidden"] = sorted_names(*model_.actions, model_.composite->hidden);
    if (const Priority* priority = model_.priority())
      out_["priority"] = {{"high", priority->high}, {"actions", sorted_names(*model_.actions, priority->actions)}};
    if (!model_.cell_notes.empty()) out_["cells"] = model_.cell_notes;
    if (!model_.promela) return;
    out_["apart"] = !document_.not_apart();
    if (const auto& why = document_.not_apart()) {
      out_["not_apart"] = {{"message", why->message}};
      if (why->line > 0) out_["not_apart"]["line"] = why->line;
    }
  }

  void add_definition(const std::string& name, const char* kind, bool property) {
    Json& entry = out_["definitions"].emplace_back(Json{{"name", name}, {"kind", kind}, {"property", property}});
    add_place(entry, api::place_of(model_, name));
  }

  // What can be chosen as system, and what else the text defines that is a machine.
  void add_definitions() {
    out_["systems"] = Json::array();
    out_["definitions"] = Json::array();
    if (model_.fsp) {
      const Names properties = model_.fsp->properties();
      const auto is_property = [&](const std::string& name) {
        return std::ranges::find(properties, name) != properties.end();
      };
      for (const std::string& name : model_.fsp->composites()) {
        out_["systems"].push_back(name);
        add_definition(name, "composite", is_property(name));
      }
      for (const std::string& name : model_.fsp->processes()) {
        out_["systems"].push_back(name);
        add_definition(name, "process", is_property(name));
      }
      add_menus();
    } else if (model_.promela) {
      for (const auto& p : model_.promela->program->processes)
        if (p.kind == promela::Process::Kind::proctype || p.kind == promela::Process::Kind::init) {
          add_definition(p.name, "proctype", false);
          out_["definitions"].back()["active"] = p.active;
        }
    } else if (model_.ada) {
      out_["systems"].push_back(model_.network.name);
      for (const flow::Task& task : model_.ada->flow.tasks) add_definition(task.name, "task", false);
    }
  }

  void add_menus() {
    out_["menus"] = Json::object();
    if (const auto menus = model_.fsp->menus())
      for (const FspMenu& menu : *menus) out_["menus"][menu.name] = sorted_names(*model_.actions, menu.actions);
  }

  // `constants`: what has a value. `defines`: what `define` may give another one.
  void add_constants() {
    out_["constants"] = Json::object();
    out_["defines"] = Json::array();
    if (model_.fsp) {
      const fsp::Tree& tree = model_.fsp->elaborator().tree();
      for (const FspConstant& constant : model_.fsp->constants()) {
        std::visit([&](const auto& value) { out_["constants"][constant.name] = value; }, constant.value);
        if (const int* number = std::get_if<int>(&constant.value))
          add_define(constant.name, *number, place_in(tree.constants.at(constant.name).place), "constant");
      }
      for (const auto& composite : tree.composites)
        for (const fsp::Parameter& parameter : composite.parameters)
          if (parameter.value.op == fsp::Expression::Op::number && !tree.constants.contains(parameter.name))
            add_define(std::string(parameter.name), parameter.value.value, place_in(parameter.place),
                       std::string(composite.name));
    } else if (model_.promela) {
      Budget budget(question_limits());
      std::vector<promela::Define> defines;
      for (const auto& d : model_.defines) defines.push_back({d.name, std::to_string(d.value)});
      for (const auto& constant : promela::constants_of(*model_.promela->source, defines, budget))
        add_number(constant.name, std::stoi(constant.value), {}, "define");
    } else if (model_.ada) {
      for (const AdaDefine& c : model_.ada->constants) add_number(c.name, c.value, {}, "number");
    }
  }

  void add_number(const std::string& name, std::int64_t value, const std::optional<api::TextPlace>& place,
                  const char* of) {
    out_["constants"][name] = value;
    add_define(name, value, place ? place : symbol_place(name), of);
  }

  std::optional<api::TextPlace> symbol_place(const std::string& name) {
    const Symbol* symbol = document_.find(name);
    return symbol == nullptr ? std::nullopt : std::optional(symbol->place);
  }

  api::TextPlace place_in(text::Place place) const {
    Diagnostic d = model_.fsp->elaborator().source().error(place, {});
    return {std::move(d.file), d.line, d.column, d.length};
  }

  void add_define(const std::string& name, std::int64_t value, const std::optional<api::TextPlace>& place,
                  const std::string& of) {
    Json& entry = out_["defines"].emplace_back(Json{{"name", name}, {"value", value}, {"of", of}});
    entry["defined"] =
        std::ranges::any_of(model_.defines, [&](const FspDefine& d) { return d.name == name && d.value == value; });
    add_place(entry, place);
  }

  void add_checks() {
    out_["checks"] = Json::array();
    std::set<std::string> names;
    const auto subjects = api::all_subjects(model_);
    for (const api::Subject& subject : subjects.value_or(api::Subjects{})) {
      const auto* assert = std::get_if<api::Assert>(&subject.object);
      if (assert != nullptr && assert->shown_if_violated) continue;
      add_check(subject.kind, subject.name, true);
      names.insert(subject.name);
    }
    if (!model_.fsp) return;
    for (const std::string& name : model_.fsp->properties())  // those that are no part of the system
      if (name != model_.network.name && api::find_properties(model_, name).empty() && !names.contains(name))
        add_check(CheckKind::safety, name, false);
  }

  void add_check(CheckKind kind, const std::string& name, bool inside) {
    Json& entry = out_["checks"].emplace_back(Json{{"kind", name_of(kind)}, {"name", name}, {"inside", inside}});
    add_place(entry, api::place_of(model_, kind, name));
  }

  Document& document_;
  const api::Model& model_;
  const api::Model& network_;  // the same, in parts
  std::map<std::string, Names> who_;
  Json out_;
};

}  // namespace

Json ask_system(Document& document, const Json& /*parameters*/) { return SystemTold(document).tell(); }

}  // namespace surety::lsp
