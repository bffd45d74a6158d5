// Re-checks a certificate file: the inputs must be the ones it was made from, and
// every proof in it must pass the independent checker.

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "api/all_sizes.hpp"
#include "api/apart.hpp"
#include "api/commands.hpp"
#include "api/error_question.hpp"
#include "api/packed.hpp"
#include "api/promela.hpp"
#include "base/file.hpp"
#include "certify/certify.hpp"

namespace surety::api {
namespace {

using nlohmann::json;

constexpr int kDeepest = 64;

// How deeply brackets are nested, strings aside.
int nesting(const std::string& text) {
  int depth = 0, deepest = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (quoted && text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      quoted = !quoted;
    else if (!quoted && (text[i] == '[' || text[i] == '{'))
      deepest = std::max(deepest, ++depth);
    else if (!quoted && (text[i] == ']' || text[i] == '}'))
      --depth;
  }
  return deepest;
}

struct Proof {
  std::string kind, property;  // a proof by rule sym-2 has more properties, in its certificate
  Certificate certificate;
};

Outcome<std::string> text_field(const json& object, const char* name, const std::string& file) {
  if (object.is_object() && object.contains(name) && object[name].is_string()) return object[name].get<std::string>();
  return bad_input({file_error(file, fmt::format("not a certificate: '{}' should be a text", name))});
}

Outcome<const json*> list_field(const json& object, const char* name, const std::string& file) {
  if (object.is_object() && object.contains(name) && object[name].is_array()) return &object[name];
  return bad_input({file_error(file, fmt::format("not a certificate: '{}' should be a list", name))});
}

Outcome<Input> read_input(const json& entry, const std::string& file) {
  Input input;
  const char* role = "component";
  if (entry.is_object() && entry.contains("property")) role = "property", input.role = Input::Role::property;
  if (entry.is_object() && entry.contains("composite")) role = "composite", input.role = Input::Role::model;
  auto path = text_field(entry, "file", file);
  auto hash = text_field(entry, "sha256", file);
  auto name = text_field(entry, role, file);
  for (const auto* field : {&path, &hash, &name})
    if (!*field) return tl::unexpected(field->error());
  input.file = *path;
  input.sha256 = *hash;
  input.name = *name;
  if (entry.contains("language")) {
    auto language = text_field(entry, "language", file);
    if (!language) return tl::unexpected(language.error());
    input.language = *language;
  }
  return input;
}

// Nothing in it: the processes stay whole.
Outcome<std::optional<FspCells>> read_cells(const json& root, const std::string& file) {
  const auto entry = root.find("cells");
  if (entry == root.end()) return std::nullopt;
  const json states = entry->is_object() ? entry->value("whole_states", json()) : json();
  const json join = entry->is_object() ? entry->value("join", json()) : json();
  const json work = entry->is_object() ? entry->value("most_work", json()) : json();
  if (!states.is_number_unsigned() || states.get<std::uint64_t>() > UINT32_MAX || !join.is_boolean() ||
      !work.is_number_unsigned())
    return bad_input({file_error(
        file, "not a certificate: 'cells' should have numbers 'whole_states' and 'most_work', and 'join'")});
  return FspCells{states.get<std::uint32_t>(), join.get<bool>(), work.get<std::uint64_t>()};
}

Outcome<std::vector<FspDefine>> read_defines(const json& root, const std::string& file) {
  std::vector<FspDefine> defines;
  const json none = json::object();
  const json& object = root.contains("define") ? root["define"] : none;
  if (!object.is_object()) return bad_input({file_error(file, "not a certificate: 'define' should be an object")});
  for (const auto& [name, value] : object.items()) {
    if (!value.is_number_integer() || value < json(INT32_MIN) || value > json(INT32_MAX))
      return bad_input({file_error(file, "not a certificate: 'define' should hold numbers")});
    defines.push_back({name, value.get<int>()});
  }
  return defines;
}

// The numbers only; the checker judges what they mean.
Outcome<Diagram> read_diagram(const json& entry, const std::string& file) {
  const auto wrong = [&] { return bad_input({file_error(file, "not a certificate: 'diagram' should hold numbers")}); };
  const auto number = [](const json& value, std::uint32_t& out) {
    if (!value.is_number_unsigned() || value > json(UINT32_MAX)) return false;
    out = value.get<std::uint32_t>();
    return true;
  };
  auto list = list_field(entry, "diagram", file);
  if (!list) return tl::unexpected(list.error());
  Diagram diagram;
  for (const auto& rows : **list) {
    auto& level = diagram.levels.emplace_back();
    if (!rows.is_array() || rows.empty() || !number(rows[0], level.component)) return wrong();
    level.first.push_back(0);
    for (std::size_t n = 1; n < rows.size(); ++n) {
      if (!rows[n].is_array() || rows[n].size() % 2 != 0) return wrong();
      for (std::size_t e = 0; e < rows[n].size(); e += 2) {
        auto& edge = level.edges.emplace_back();
        if (!number(rows[n][e], edge.state.value) || !number(rows[n][e + 1], edge.node)) return wrong();
      }
      level.first.push_back(level.edges.size());
    }
  }
  return diagram;
}

template <class T, class Read>
Outcome<std::vector<T>> read_list(const json& root, const char* name, const std::string& file, Read read) {
  auto list = list_field(root, name, file);
  if (!list) return tl::unexpected(list.error());
  std::vector<T> out;
  for (const auto& entry : **list) {
    Outcome<T> item = read(entry);
    if (!item) return tl::unexpected(item.error());
    out.push_back(std::move(*item));
  }
  return out;
}

// With which formulas the program was taken apart: those about labels, which show in names, and those that are proved.
std::vector<std::string> formulas_of(const json& root) {
  std::vector<std::string> out;
  const auto add = [&](const json& name) {
    if (name.is_string()) out.push_back(name.get<std::string>());
  };
  if (const auto labels = root.find("labels"); labels != root.end() && labels->is_array())
    for (const auto& name : *labels) add(name);
  if (const auto proofs = root.find("proofs"); proofs != root.end() && proofs->is_array())
    for (const auto& proof : *proofs)
      if (proof.is_object() && proof.contains("property")) add(proof["property"]);
  return out;
}

Outcome<std::vector<Lts>> read_all(const json& list, const Unpacker& unpacker) {
  std::vector<Lts> out;
  for (const auto& entry : list) {
    auto lts = unpacker.lts(entry);
    if (!lts) return bad_input(std::move(lts.error()));
    out.push_back(std::move(*lts));
  }
  return out;
}

Outcome<Conjunct> read_conjunct(const json& entry, const std::string& file, const Unpacker& unpacker) {
  auto rule = text_field(entry, "rule", file);
  if (!rule) return tl::unexpected(rule.error());
  auto assumptions = list_field(entry, "assumptions", file);
  if (!assumptions) return tl::unexpected(assumptions.error());
  auto property = unpacker.lts(entry.contains("property") ? entry["property"] : json());
  if (!property) return bad_input(std::move(property.error()));
  auto all = read_all(**assumptions, unpacker);
  if (!all) return tl::unexpected(all.error());
  return Conjunct{std::move(*property), {*rule, {}, std::move(*all)}};
}

Outcome<Split> read_split(const json& entry, const std::string& file) {
  auto split = list_field(entry, "split", file);
  if (!split) return tl::unexpected(split.error());
  Split out;
  for (const auto& side : **split) {
    auto& names = out.emplace_back();
    if (!side.is_array()) return bad_input({file_error(file, "not a certificate: 'split' should be a list of lists")});
    for (const auto& name : side) {
      if (!name.is_string()) return bad_input({file_error(file, "not a certificate: 'split' should hold names")});
      names.push_back(name.get<std::string>());
    }
  }
  return out;
}

Outcome<int> number_field(const json& object, const char* name, const std::string& file) {
  constexpr int kMost = 1'000'000;
  if (object.is_object() && object.contains(name) && object[name].is_number_integer() && object[name] >= json(-kMost) &&
      object[name] <= json(kMost))
    return object[name].get<int>();
  return bad_input({file_error(file, fmt::format("not a certificate: '{}' should be a number", name))});
}

Outcome<Certificate> read_small(const json& entry, const std::string& file, const Unpacker& unpacker) {
  auto rule = text_field(entry, "rule", file);
  if (!rule) return tl::unexpected(rule.error());
  auto split = read_split(entry, file);
  if (!split) return tl::unexpected(split.error());
  auto assumptions = list_field(entry, "assumptions", file);
  if (!assumptions) return tl::unexpected(assumptions.error());
  auto all = read_all(**assumptions, unpacker);
  if (!all) return tl::unexpected(all.error());
  return Certificate{*rule, std::move(*split), std::move(*all)};
}

Outcome<Induction> read_induction(const json& entry, const std::string& file, const Unpacker& unpacker) {
  Induction proof;
  auto parameter = text_field(entry, "parameter", file);
  if (!parameter) return tl::unexpected(parameter.error());
  proof.parameter = *parameter;
  auto from = number_field(entry, "from", file), margin = number_field(entry, "margin", file),
       back = number_field(entry, "back", file);
  for (const auto* field : {&from, &margin, &back})
    if (!*field) return tl::unexpected(field->error());
  proof.from = *from;
  proof.margin = *margin;
  proof.back = static_cast<std::size_t>(*back);
  auto small =
      read_list<Certificate>(entry, "small", file, [&](const json& each) { return read_small(each, file, unpacker); });
  if (!small) return tl::unexpected(small.error());
  proof.small = std::move(*small);
  auto order = list_field(entry, "order", file);
  auto head = list_field(entry, "head", file);
  for (const auto* field : {&order, &head})
    if (!*field) return tl::unexpected(field->error());
  for (const auto& name : **order) {
    if (!name.is_string()) return bad_input({file_error(file, "not a certificate: 'order' should hold names")});
    proof.order.push_back(name.get<std::string>());
  }
  auto ws = read_all(**head, unpacker);
  if (!ws) return tl::unexpected(ws.error());
  proof.head = std::move(*ws);
  using Round = std::vector<Lts>;
  auto rounds = read_list<Round>(entry, "rounds", file, [&](const json& each) -> Outcome<Round> {
    if (!each.is_array()) return bad_input({file_error(file, "not a certificate: 'rounds' should be a list of lists")});
    return read_all(each, unpacker);
  });
  if (!rounds) return tl::unexpected(rounds.error());
  proof.rounds = std::move(*rounds);
  return proof;
}

Outcome<Proof> read_proof(const json& entry, const std::string& file, const Unpacker& unpacker) {
  Proof proof;
  auto kind = text_field(entry, "kind", file);
  auto rule = text_field(entry, "rule", file);
  for (const auto* field : {&kind, &rule})
    if (!*field) return tl::unexpected(field->error());
  proof.kind = *kind;
  proof.certificate.rule = *rule;
  if (proof.kind == "safety" || proof.kind == "ltl") {
    auto property = text_field(entry, "property", file);
    if (!property) return tl::unexpected(property.error());
    proof.property = *property;
  }
  auto split = read_split(entry, file);
  if (!split) return tl::unexpected(split.error());
  proof.certificate.split = std::move(*split);
  auto assumptions = list_field(entry, "assumptions", file);
  if (!assumptions) return tl::unexpected(assumptions.error());
  if (entry.contains("properties")) {
    auto properties = list_field(entry, "properties", file);
    if (!properties) return tl::unexpected(properties.error());
    for (const auto& name : **properties) {
      if (!name.is_string()) return bad_input({file_error(file, "not a certificate: 'properties' should hold names")});
      proof.certificate.properties.push_back(name.get<std::string>());
    }
  }
  if (entry.contains("induction")) {
    auto induction = read_induction(entry["induction"], file, unpacker);
    if (!induction) return tl::unexpected(induction.error());
    proof.certificate.induction = std::make_shared<const Induction>(std::move(*induction));
  }
  if (entry.contains("diagram")) {
    auto diagram = read_diagram(entry, file);
    if (!diagram) return tl::unexpected(diagram.error());
    proof.certificate.diagram = std::move(*diagram);
  }
  auto read = read_all(**assumptions, unpacker);
  if (!read) return tl::unexpected(read.error());
  proof.certificate.assumptions = std::move(*read);
  if (entry.contains("conjuncts")) {
    auto parts = read_list<Conjunct>(entry, "conjuncts", file,
                                     [&](const json& part) { return read_conjunct(part, file, unpacker); });
    if (!parts) return tl::unexpected(parts.error());
    proof.certificate.parts = std::move(*parts);
  }
  return proof;
}

// What differs between the inputs named and the inputs found, if anything does.
std::string changed(const std::vector<Input>& named, const Model& model) {
  for (std::size_t i = 0; i < named.size(); ++i)
    if (named[i].sha256 != model.inputs[i].sha256)
      return fmt::format("{} has changed since the certificate was made", model.inputs[i].file);
    else if (named[i].name != model.inputs[i].name)
      return fmt::format("{} is '{}' in the certificate, but '{}' now", model.inputs[i].file, named[i].name,
                         model.inputs[i].name);
  return {};
}

Certification::Line judge(const Proof& proof, const Source& source, const Model& model, const Limits& limits,
                          const std::atomic<bool>* interrupted) {
  Certification::Line line{proof.kind, proof.property, proof.certificate.rule, false, true, {}, {}, {}};
  Budget budget(limits, interrupted);
  certify::Judgement judgement;
  judgement.reason = fmt::format("there is no kind of check '{}'", proof.kind);
  if (model.promela && proof.certificate.split.empty()) {
    judgement = judge_promela(model, proof.kind, proof.property, budget);
  } else if (proof.kind == "deadlock") {
    judgement = certify::check_deadlock_free(whole_network(model), proof.certificate, budget);
  } else if (proof.kind == "error" && !model.promela) {
    judgement = certify_no_error(model, proof.certificate, budget);
  } else if (proof.kind == "error" && model.parts && model.parts->assertions) {
    judgement = certify::check_safety(safety_network(model), {&*model.parts->assertions}, proof.certificate, budget);
  } else if (proof.kind == "safety" && proof.certificate.rule == "all-sizes") {
    judgement.reason = "this is no proof for all sizes";
    if (const auto& induction = proof.certificate.induction)
      line.sizes = fmt::format("{} >= {}", induction->parameter, induction->from);
    if (proof.certificate.induction && model.fsp)
      judgement = judge_all_sizes(source, model.actions, proof.property, proof.certificate, budget);
  } else if (proof.kind == "safety" || proof.kind == "ltl") {
    judgement.reason = fmt::format("the certificate names no property '{}' among its inputs", proof.property);
    std::vector<const Property*> properties;
    const auto find = [&](const std::string& name) {
      for (const auto& property : model.properties)
        if (property.name == name) properties.push_back(&property);
    };
    find(proof.property);
    if (!properties.empty() && !proof.certificate.properties.empty()) {
      properties.clear();
      for (const auto& name : proof.certificate.properties) find(name);
      if (std::find(proof.certificate.properties.begin(), proof.certificate.properties.end(), proof.property) ==
          proof.certificate.properties.end())
        properties.clear();
    }
    if (!properties.empty())
      judgement = certify::check_safety(safety_network(model), properties, proof.certificate, budget);
  }
  line.accepted = judgement.kind == certify::Judgement::Kind::accepted;
  line.finished = judgement.kind != certify::Judgement::Kind::unfinished;
  line.reason = line.finished ? judgement.reason : fmt::format("not finished ({})", judgement.reason);
  line.trace = names(*model.actions, judgement.trace);
  return line;
}

}  // namespace

bool Certification::finished() const {
  // One refusal settles it, whatever was not finished.
  return std::all_of(lines.begin(), lines.end(), [](const Line& line) { return line.finished; }) ||
         std::any_of(lines.begin(), lines.end(), [](const Line& line) { return line.finished && !line.accepted; });
}

bool Certification::accepted() const {
  if (!refused.empty() || lines.empty()) return false;
  for (const auto& line : lines)
    if (!line.accepted) return false;
  return true;
}

Outcome<Certification> certify_file(const std::string& file, const Limits& limits,
                                    const std::atomic<bool>* interrupted) {
  auto text = read_file(file);
  if (!text) return bad_input(std::move(text.error()));
  if (nesting(*text) > kDeepest) return bad_input({file_error(file, "not a certificate: it is nested too deeply")});
  const json root = json::parse(*text, nullptr, false);
  if (root.is_discarded()) return bad_input({file_error(file, "not a certificate: this is not JSON")});
  const json schema = root.is_object() ? root.value("schema", json()) : json();
  if (schema != json(1) && schema != json(2))
    return bad_input({file_error(file, "not a certificate: 'schema' should be 1 or 2")});
  auto inputs = read_list<Input>(root, "inputs", file, [&](const json& entry) { return read_input(entry, file); });
  if (!inputs) return tl::unexpected(inputs.error());

  auto defines = read_defines(root, file);
  if (!defines) return tl::unexpected(defines.error());

  // Properties last, as load() gives them back.
  std::stable_partition(inputs->begin(), inputs->end(), [](const Input& i) { return i.role != Input::Role::property; });
  Source source;
  source.defines = *defines;
  auto cells = read_cells(root, file);
  if (!cells) return tl::unexpected(cells.error());
  source.cells = *cells;
  const auto folder = std::filesystem::path(file).parent_path();
  for (const auto& input : *inputs) {
    const std::string path = (folder / input.file).lexically_normal().string();
    (input.role == Input::Role::property ? source.property_files : source.files).push_back(path);
    if (input.role == Input::Role::model) source.system = input.name;
    if (!input.language.empty()) source.language = input.language;
  }
  Budget budget(limits, interrupted);
  auto model = load(source, budget);
  if (!model) return bad_input(std::move(model.error().diagnostics));
  // If it can be; proofs by parts are refused otherwise.
  if (model->promela) take_apart(*model, budget, formulas_of(root));
  Unpacker unpacker(file, *model->actions);
  if (root.contains("actions"))
    if (auto read = unpacker.read_names(root["actions"]); !read) return bad_input(std::move(read.error()));
  auto proofs =
      read_list<Proof>(root, "proofs", file, [&](const json& entry) { return read_proof(entry, file, unpacker); });
  if (!proofs) return tl::unexpected(proofs.error());
  std::vector<std::string> named;
  for (const auto& proof : *proofs) {
    named.push_back(proof.property);
    named.insert(named.end(), proof.certificate.properties.begin(), proof.certificate.properties.end());
  }
  if (auto added = add_outside_properties(*model, named); !added) return tl::unexpected(added.error());

  Certification result;
  result.system = model->network.name;
  result.refused = changed(*inputs, *model);
  if (!result.refused.empty()) return result;
  if (proofs->empty()) result.refused = "it has no proofs";
  if (model->priority() != nullptr) result.refused = "the checker does not know priorities";
  if (!result.refused.empty()) return result;
  for (const auto& proof : *proofs) result.lines.push_back(judge(proof, source, *model, limits, interrupted));
  return result;
}

}  // namespace surety::api
