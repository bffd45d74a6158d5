#include "certificate/read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <set>

#include "certificate/packed.hpp"

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

// Of two members with one name a reader could believe the other one.
Outcome<json> parse(const std::string& text, const std::string& file) {
  const auto wrong = [&](const std::string& what) {
    return bad_input({file_error(file, "not a certificate: " + what)});
  };
  if (nesting(text) > kDeepest) return wrong("it is nested too deeply");
  std::vector<std::set<std::string>> names;  // of the objects around this place
  std::optional<std::string> twice;
  const auto look = [&](int, json::parse_event_t event, json& value) {
    if (event == json::parse_event_t::object_start) names.emplace_back();
    if (event == json::parse_event_t::object_end) names.pop_back();
    if (event == json::parse_event_t::key && !names.back().insert(value.get<std::string>()).second)
      twice = value.get<std::string>();
    return true;
  };
  json root = json::parse(text, look, false);
  if (root.is_discarded()) return wrong("this is not JSON");
  if (twice) return wrong(fmt::format("'{}' is there twice", *twice));
  return root;
}

// Numbers of JSON may be of 64 bits, or larger and then fractions.
std::optional<int> int_of(const json& value) {
  if (value.is_number_unsigned() && value.get<std::uint64_t>() <= INT32_MAX) return value.get<int>();
  if (value.is_number_integer() && !value.is_number_unsigned() && value.get<std::int64_t>() >= INT32_MIN &&
      value.get<std::int64_t>() <= INT32_MAX)
    return value.get<int>();
  return std::nullopt;
}

Outcome<std::string> text_field(const json& object, const char* name, const std::string& file) {
  if (object.is_object() && object.contains(name) && object[name].is_string()) return object[name].get<std::string>();
  return bad_input({file_error(file, fmt::format("not a certificate: '{}' should be a text", name))});
}

Outcome<const json*> list_field(const json& object, const char* name, const std::string& file) {
  if (object.is_object() && object.contains(name) && object[name].is_array()) return &object[name];
  return bad_input({file_error(file, fmt::format("not a certificate: '{}' should be a list", name))});
}

// File names are relative to the folder of the certificate.
std::string beside(const std::string& file, const std::string& path) {
  return (std::filesystem::path(file).parent_path() / path).lexically_normal().string();
}

// A pipe could keep us waiting for ever.
Outcome<void> is_plain(const std::string& path) {
  std::error_code none;
  if (!std::filesystem::exists(path, none) || std::filesystem::is_regular_file(path, none)) return {};
  return bad_input({file_error(path, "this is not a plain file")});
}

Outcome<Statement::File> read_file_entry(const json& entry, const std::string& file) {
  auto path = text_field(entry, "file", file);
  if (!path) return tl::unexpected(path.error());
  auto hash = text_field(entry, "sha256", file);
  if (!hash) return tl::unexpected(hash.error());
  return Statement::File{beside(file, *path), *hash};
}

Outcome<Statement::Cpp> read_cpp(const json& entry, const std::string& file) {
  Statement::Cpp out;
  for (auto [name, field] :
       {std::pair("version", &out.version), std::pair("macros", &out.macros), std::pair("text", &out.text)}) {
    auto text = text_field(entry, name, file);
    if (!text) return tl::unexpected(text.error());
    *field = *text;
  }
  return out;
}

Outcome<Input> read_input(const json& entry, const std::string& file) {
  Input input;
  const auto has = [&](const char* member) { return entry.is_object() && entry.contains(member); };
  if (has("property")) input.role = Input::Role::property;
  if (has("composite")) input.role = Input::Role::model;
  auto path = text_field(entry, "file", file);
  auto hash = text_field(entry, "sha256", file);
  auto name = text_field(entry, role_name(input.role), file);
  for (const auto* field : {&path, &hash, &name})
    if (!*field) return tl::unexpected(field->error());
  if (*path == "-") return bad_input({file_error(file, "not a certificate: standard input cannot be named")});
  input.file = beside(file, *path);
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
      !work.is_number_unsigned() || work.get<std::uint64_t>() > FspCells{}.most_work)
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
    const auto number = int_of(value);
    if (!number) return bad_input({file_error(file, "not a certificate: 'define' should hold numbers of 32 bits")});
    defines.push_back({name, *number});
  }
  return defines;
}

Outcome<std::vector<std::string>> names_field(const json& object, const char* name, const std::string& file) {
  auto list = list_field(object, name, file);
  if (!list) return tl::unexpected(list.error());
  std::vector<std::string> out;
  for (const auto& each : **list) {
    if (!each.is_string())
      return bad_input({file_error(file, fmt::format("not a certificate: '{}' should hold names", name))});
    out.push_back(each.get<std::string>());
  }
  return out;
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
  return Conjunct{std::move(*property), {*method_from_name(*rule), {}, std::move(*all)}};
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
  const auto number = object.is_object() && object.contains(name) ? int_of(object[name]) : std::nullopt;
  if (number && *number >= -kMost && *number <= kMost) return *number;
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
  return Certificate{*method_from_name(*rule), std::move(*split), std::move(*all)};
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
  auto order = names_field(entry, "order", file);
  if (!order) return tl::unexpected(order.error());
  proof.order = std::move(*order);
  auto head = list_field(entry, "head", file);
  if (!head) return tl::unexpected(head.error());
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

// Hexadecimal numbers of 16 digits.
std::optional<std::vector<std::uint64_t>> words_of(const std::string& digits) {
  constexpr std::size_t kDigits = 16;
  if (digits.size() % kDigits != 0) return std::nullopt;
  std::vector<std::uint64_t> out(digits.size() / kDigits);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const char* const first = digits.data() + i * kDigits;
    if (std::from_chars(first, first + kDigits, out[i], 16).ptr != first + kDigits) return std::nullopt;
  }
  return out;
}

Outcome<FlowSide> read_flow(const json& entry, const std::string& file, const Unpacker& unpacker) {
  auto tasks = names_field(entry, "tasks", file), constraints = names_field(entry, "constraints", file);
  for (const auto* field : {&tasks, &constraints})
    if (!*field) return tl::unexpected(field->error());
  auto list = list_field(entry, "graphs", file);
  if (!list) return tl::unexpected(list.error());
  auto graphs = read_all(**list, unpacker);
  if (!graphs) return tl::unexpected(graphs.error());
  auto digits = text_field(entry, "together", file);
  if (!digits) return tl::unexpected(digits.error());
  auto together = words_of(*digits);
  if (!together)
    return bad_input({file_error(file, "not a certificate: 'together' should hold hexadecimal numbers of 16 digits")});
  return FlowSide{std::move(*tasks), std::move(*graphs), std::move(*constraints), std::move(*together)};
}

// A rule that is not known, of the proof or of one inside it.
std::string unknown_rule(const json& entry) {
  if (entry.is_object())
    if (const auto rule = entry.find("rule"); rule != entry.end() && rule->is_string()) {
      const auto name = rule->get<std::string>();
      if (!method_from_name(name)) return fmt::format("there is no rule '{}'", name);
    }
  if (!entry.is_structured()) return {};
  for (const json& inside : entry)
    if (auto unknown = unknown_rule(inside); !unknown.empty()) return unknown;
  return {};
}

// What the proof gives for the checker to go by.
Outcome<Certificate> read_premises(const json& entry, Method rule, const std::string& file, const Unpacker& unpacker) {
  Certificate out{rule, {}, {}};
  auto split = read_split(entry, file);
  if (!split) return tl::unexpected(split.error());
  out.split = std::move(*split);
  auto assumptions = list_field(entry, "assumptions", file);
  if (!assumptions) return tl::unexpected(assumptions.error());
  if (entry.contains("properties")) {
    auto properties = names_field(entry, "properties", file);
    if (!properties) return tl::unexpected(properties.error());
    out.properties = std::move(*properties);
  }
  if (entry.contains("flow")) {
    auto flow =
        read_list<FlowSide>(entry, "flow", file, [&](const json& side) { return read_flow(side, file, unpacker); });
    if (!flow) return tl::unexpected(flow.error());
    out.flow = std::move(*flow);
  }
  if (entry.contains("induction")) {
    auto induction = read_induction(entry["induction"], file, unpacker);
    if (!induction) return tl::unexpected(induction.error());
    out.induction = std::make_shared<const Induction>(std::move(*induction));
  }
  if (entry.contains("diagram")) {
    auto diagram = read_diagram(entry, file);
    if (!diagram) return tl::unexpected(diagram.error());
    out.diagram = std::move(*diagram);
  }
  auto read = read_all(**assumptions, unpacker);
  if (!read) return tl::unexpected(read.error());
  out.assumptions = std::move(*read);
  if (entry.contains("conjuncts")) {
    auto parts = read_list<Conjunct>(entry, "conjuncts", file,
                                     [&](const json& part) { return read_conjunct(part, file, unpacker); });
    if (!parts) return tl::unexpected(parts.error());
    out.parts = std::move(*parts);
  }
  return out;
}

Outcome<Proof> read_proof(const json& entry, const std::string& file, const Unpacker& unpacker) {
  Proof proof;
  auto kind = text_field(entry, "kind", file);
  auto rule = text_field(entry, "rule", file);
  for (const auto* field : {&kind, &rule})
    if (!*field) return tl::unexpected(field->error());
  proof.kind_name = *kind;
  proof.rule_name = *rule;
  const auto known = check_kind_from_name(*kind);
  proof.unknown = known ? unknown_rule(entry) : fmt::format("there is no kind of check '{}'", *kind);
  if (!proof.unknown.empty()) {
    proof.property = text_field(entry, "property", file).value_or("");
    return proof;
  }
  proof.kind = *known;
  const bool named = proof.kind == CheckKind::safety || proof.kind == CheckKind::ltl;
  if (!named && entry.contains("property"))
    return bad_input(
        {file_error(file, fmt::format("not a certificate: kind {} has no property", name_of(proof.kind)))});
  if (named) {
    auto property = text_field(entry, "property", file);
    if (!property) return tl::unexpected(property.error());
    proof.property = *property;
  }
  auto premises = read_premises(entry, *method_from_name(*rule), file, unpacker);
  if (!premises) return tl::unexpected(premises.error());
  proof.certificate = std::move(*premises);
  return proof;
}

}  // namespace

bool CertificateText::by_parts() const {
  const auto proofs = root.find("proofs");
  if (proofs == root.end() || !proofs->is_array()) return false;
  return std::ranges::any_of(*proofs, [](const json& proof) {
    return proof.is_object() && proof.contains("split") && !proof["split"].empty();
  });
}

// Those about labels, which show in names, and those that are proved.
std::vector<std::string> CertificateText::formulas() const {
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

Outcome<CertificateText> read_certificate(const std::string& text, const std::string& file) {
  const auto wrong = [&](const std::string& what) {
    return bad_input({file_error(file, "not a certificate: " + what)});
  };
  CertificateText out;
  out.file = file;
  auto root = parse(text, file);
  if (!root) return tl::unexpected(std::move(root.error()));
  out.root = std::move(*root);
  const json schema = out.root.is_object() ? out.root.value("schema", json()) : json();
  if (schema != json(1) && schema != json(2)) return wrong("'schema' should be 1 or 2");
  auto inputs = read_list<Input>(out.root, "inputs", file, [&](const json& entry) { return read_input(entry, file); });
  if (!inputs) return tl::unexpected(inputs.error());
  out.about.inputs = std::move(*inputs);
  // Properties last, as load() gives them back.
  const auto of_system = [](const Input& input) { return input.role != Input::Role::property; };
  std::ranges::stable_partition(out.about.inputs, of_system);
  if (std::ranges::none_of(out.about.inputs, of_system)) return wrong("it names no system among its inputs");
  for (const Input& input : out.about.inputs) {
    if (auto plain = is_plain(input.file); !plain) return tl::unexpected(plain.error());
    if (of_system(input) && input.language != out.about.language())
      return wrong("its inputs are of different languages");
  }
  auto system = text_field(out.root, "system", file);
  if (!system) return tl::unexpected(system.error());
  out.about.system = *system;
  if (out.root.contains("read")) {
    auto read =
        read_list<Statement::File>(out.root, "read", file, [&](const json& e) { return read_file_entry(e, file); });
    if (!read) return tl::unexpected(read.error());
    out.about.read = std::move(*read);
  }
  if (out.root.contains("cpp")) {
    auto cpp = read_cpp(out.root["cpp"], file);
    if (!cpp) return tl::unexpected(cpp.error());
    out.about.cpp = std::move(*cpp);
  }
  auto defines = read_defines(out.root, file);
  if (!defines) return tl::unexpected(defines.error());
  out.about.defines = std::move(*defines);
  auto cells = read_cells(out.root, file);
  if (!cells) return tl::unexpected(cells.error());
  out.about.cells = *cells;
  if (const auto grouped = out.root.find("grouped"); grouped != out.root.end()) {
    if (!grouped->is_boolean()) return wrong("'grouped' should be true or false");
    out.about.grouped = grouped->get<bool>();
  }
  if (auto proofs = list_field(out.root, "proofs", file); !proofs) return tl::unexpected(proofs.error());
  return out;
}

Outcome<std::vector<Proof>> read_proofs(const CertificateText& certificate, ActionTable& actions) {
  const json& root = certificate.root;
  const std::string& file = certificate.file;
  Unpacker unpacker(file, actions);
  if (root.contains("actions"))
    if (auto read = unpacker.read_names(root["actions"]); !read) return bad_input(std::move(read.error()));
  return read_list<Proof>(root, "proofs", file, [&](const json& entry) { return read_proof(entry, file, unpacker); });
}

}  // namespace surety::api
