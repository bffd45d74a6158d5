#include "certificate/write.hpp"

#include <fmt/format.h>

#include <chrono>
#include <filesystem>

#include "certificate/packed.hpp"

namespace surety::api {
namespace {

constexpr std::uint64_t kReadable = 10'000;    // steps of all proofs; of more, nobody reads them
constexpr std::chrono::seconds kPatience{10};  // with a question about cpp

// A level is [component, node, node, ...], a node [state, node below, state, node below, ...].
Json diagram_json(const Diagram& diagram) {
  Json out = Json::array();
  for (const auto& level : diagram.levels) {
    Json nodes = Json::array({level.component});
    for (std::size_t n = 0; n + 1 < level.first.size(); ++n) {
      Json node = Json::array();
      for (auto e = level.first[n]; e < level.first[n + 1]; ++e) {
        node.push_back(level.edges[e].state.value);
        node.push_back(level.edges[e].node);
      }
      nodes.push_back(std::move(node));
    }
    out.push_back(std::move(nodes));
  }
  return out;
}

Json induction_json(const Induction& proof, Packer& packer) {
  Json out{{"parameter", proof.parameter}, {"from", proof.from}, {"margin", proof.margin}, {"small", Json::array()}};
  for (const Certificate& c : proof.small)
    out["small"].push_back({{"rule", name_of(c.rule)}, {"split", c.split}, {"assumptions", packer.all(c.assumptions)}});
  out["order"] = proof.order;
  out["head"] = packer.all(proof.head);
  out["rounds"] = Json::array();
  for (const auto& round : proof.rounds) out["rounds"].push_back(packer.all(round));
  out["back"] = proof.back;
  return out;
}

// A row of bits as hexadecimal numbers of 16 digits each, the first points last in each.
Json flow_json(const FlowSide& side, Packer& packer) {
  Json out{{"tasks", side.tasks}, {"graphs", packer.all(side.graphs)}, {"constraints", side.constraints}};
  std::string bits;
  for (const std::uint64_t word : side.together) bits += fmt::format("{:016x}", word);
  out["together"] = std::move(bits);
  return out;
}

std::string relative_to(const std::string& file, const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto relative =
      fs::absolute(file, error).lexically_normal().lexically_relative(fs::absolute(folder).lexically_normal());
  return error || relative.empty() ? file : relative.generic_string();
}

// Only what the checker has accepted is written.
bool is_proof(const Check& check) { return std::holds_alternative<Holds>(check.verdict) && check.certified; }

}  // namespace

std::string tool_name() { return "surety " SURETY_VERSION; }

Json input_json(const Input& input, const std::string& file) {
  Json out{{"file", file}, {role_name(input.role), input.name}};
  if (!input.language.empty()) out["language"] = input.language;
  out["sha256"] = input.sha256;
  return out;
}

Json defines_json(const std::vector<FspDefine>& defines) {
  Json out = Json::object();
  for (const auto& define : defines) out[define.name] = define.value;
  return out;
}

Json cells_json(const FspCells& cells) {
  return {{"whole_states", cells.whole_states}, {"join", cells.join}, {"most_work", cells.most_work}};
}

Json cpp_json(const Statement::Cpp& cpp) {
  return {{"version", cpp.version}, {"macros", cpp.macros}, {"text", cpp.text}};
}

Json proof_json(CheckKind kind, const std::string& property, const Certificate& certificate, Packer& packer) {
  Json proof{{"kind", name_of(kind)}};
  if (!property.empty()) proof["property"] = property;
  proof["rule"] = name_of(certificate.rule);
  if (!certificate.properties.empty()) proof["properties"] = certificate.properties;
  proof["split"] = certificate.split;
  proof["assumptions"] = packer.all(certificate.assumptions);
  for (const Conjunct& part : certificate.parts)
    proof["conjuncts"].push_back({{"property", packer.lts(part.property)},
                                  {"rule", name_of(part.certificate.rule)},
                                  {"assumptions", packer.all(part.certificate.assumptions)}});
  if (certificate.induction) proof["induction"] = induction_json(*certificate.induction, packer);
  for (const FlowSide& side : certificate.flow) proof["flow"].push_back(flow_json(side, packer));
  if (!certificate.diagram.levels.empty()) proof["diagram"] = diagram_json(certificate.diagram);
  return proof;
}

Json certificate_json(const Model& model, const Checks& checks, const std::string& certificate_file) {
  const auto folder = std::filesystem::absolute(certificate_file).parent_path();
  std::uint64_t steps = 0;
  for (const auto& check : checks)
    if (is_proof(check)) steps += transition_count(std::get<Holds>(check.verdict).certificate);
  const bool packed = steps > kReadable;
  Packer packer(*model.actions, packed);
  Json out{{"schema", packed ? 2 : 1}, {"certificate", tool_name()}, {"system", model.network.name}};
  out["inputs"] = Json::array();
  for (const auto& input : model.inputs) out["inputs"].push_back(input_json(input, relative_to(input.file, folder)));
  for (const auto& [file, sha256] : model.read->entries())
    out["read"].push_back({{"file", relative_to(file, folder)}, {"sha256", sha256}});
  if (model.promela && model.promela->source->by_cpp) {
    Limits limits;
    limits.time = kPatience;
    Budget budget(limits);  // that of the run may be used up, and its proof is worth a file all the same
    out["cpp"] = cpp_json(preprocessed(*model.promela->source, budget));
  }
  if (!model.defines.empty()) out["define"] = defines_json(model.defines);
  if (model.parts && !model.parts->about_labels.empty()) out["labels"] = model.parts->about_labels;
  if (const auto& cells = model.cells) out["cells"] = cells_json(*cells);
  if (model.grouped) out["grouped"] = true;
  Json proofs = Json::array();
  for (const auto& check : checks)
    if (is_proof(check))
      proofs.push_back(proof_json(check.kind, check.property, std::get<Holds>(check.verdict).certificate, packer));
  if (packed) out["actions"] = packer.names();
  out["proofs"] = std::move(proofs);
  return out;
}

}  // namespace surety::api
