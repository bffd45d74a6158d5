#include "certificate/law.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "certificate/packed.hpp"
#include "certificate/read.hpp"
#include "certificate/write.hpp"

namespace surety::api {
namespace {

bool same(const Lts& a, const Lts& b) {
  if (a.state_count() != b.state_count() || a.alphabet() != b.alphabet() || a.error() != b.error() ||
      a.end() != b.end())
    return false;
  for (std::uint32_t s = 0; s < a.state_count(); ++s)
    if (!std::ranges::equal(a.steps(State{s}), b.steps(State{s}))) return false;
  return true;
}

bool same(const std::vector<Lts>& a, const std::vector<Lts>& b) {
  return std::ranges::equal(a, b, [](const Lts& x, const Lts& y) { return same(x, y); });
}

bool same(const Diagram& a, const Diagram& b) {
  const auto same_edge = [](const Diagram::Edge& x, const Diagram::Edge& y) {
    return x.state == y.state && x.node == y.node;
  };
  return std::ranges::equal(a.levels, b.levels, [&](const Diagram::Level& x, const Diagram::Level& y) {
    return x.component == y.component && x.first == y.first && std::ranges::equal(x.edges, y.edges, same_edge);
  });
}

bool same(const FlowSide& a, const FlowSide& b) {
  return a.tasks == b.tasks && same(a.graphs, b.graphs) && a.constraints == b.constraints && a.together == b.together;
}

std::string lost(const Certificate& a, const Certificate& b);

std::string lost(const Induction& a, const Induction& b) {
  if (a.parameter != b.parameter || a.from != b.from || a.margin != b.margin || a.back != b.back) return "a number";
  if (a.order != b.order) return "the order of the head";
  if (!same(a.head, b.head)) return "the head";
  const auto same_round = [](const auto& x, const auto& y) { return same(x, y); };
  if (!std::ranges::equal(a.rounds, b.rounds, same_round)) return "a round";
  const auto same_proof = [](const Certificate& x, const Certificate& y) { return lost(x, y).empty(); };
  return std::ranges::equal(a.small, b.small, same_proof) ? "" : "a proof of one size";
}

std::string lost(const Certificate& a, const Certificate& b) {
  if (a.rule != b.rule) return "the rule";
  if (a.split != b.split) return "the split";
  if (!same(a.assumptions, b.assumptions)) return "an assumption";
  if (a.properties != b.properties) return "the names of the properties";
  if (!same(a.diagram, b.diagram)) return "the diagram";
  const auto same_part = [](const Conjunct& x, const Conjunct& y) {
    return same(x.property, y.property) && lost(x.certificate, y.certificate).empty();
  };
  if (!std::ranges::equal(a.parts, b.parts, same_part)) return "a conjunct";
  const auto same_side = [](const FlowSide& x, const FlowSide& y) { return same(x, y); };
  if (!std::ranges::equal(a.flow, b.flow, same_side)) return "a flow graph";
  if ((a.induction == nullptr) != (b.induction == nullptr)) return "the induction";
  return a.induction ? lost(*a.induction, *b.induction) : "";
}

std::string lost(CheckKind kind, const std::string& property, const Certificate& certificate, ActionTable& actions,
                 bool packed) {
  Packer packer(actions, packed);
  Json root{{"proofs", Json::array({proof_json(kind, property, certificate, packer)})}};
  if (packed) root["actions"] = packer.names();
  const CertificateText text{"law.json", nlohmann::json::parse(dump(root)), {}};
  const auto proofs = read_proofs(text, actions);
  if (!proofs) return "all of it: " + proofs.error().diagnostics[0].message;
  const Proof& proof = proofs->front();
  if (proof.kind != kind || proof.property != property) return "what it proves";
  return lost(certificate, proof.certificate);
}

}  // namespace

std::string lost_in_a_file(CheckKind kind, const std::string& property, const Certificate& certificate,
                           ActionTable& actions) {
  constexpr std::uint64_t kMostSteps = 50'000;  // a larger one takes memory that a test about limits does not expect
  if (transition_count(certificate) > kMostSteps) return {};
  for (const bool packed : {false, true})
    if (const auto what = lost(kind, property, certificate, actions, packed); !what.empty())
      return fmt::format("a {} certificate loses {}", packed ? "packed" : "readable", what);
  return {};
}

std::string lost_in_a_file(const Checks& checks, ActionTable& actions) {
  for (const Check& check : checks)
    if (const auto* holds = std::get_if<Holds>(&check.verdict); holds != nullptr && check.certified)
      if (auto what = lost_in_a_file(check.kind, check.property, holds->certificate, actions); !what.empty())
        return what;
  return {};
}

}  // namespace surety::api
