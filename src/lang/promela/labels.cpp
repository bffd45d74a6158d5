#include "lang/promela/labels.hpp"

#include <algorithm>

namespace surety {

namespace promela {
namespace {

bool has_label(const Sequence& body, std::string_view word) {
  return std::ranges::any_of(body, [&](const Statement& s) {
    return std::ranges::any_of(s.labels, [&](const Label& l) { return l.name.starts_with(word); }) ||
           has_label(s.body, word) ||
           std::ranges::any_of(s.branches, [&](const Sequence& b) { return has_label(b, word); });
  });
}

}  // namespace

bool has_label(const Program& program, std::string_view word) {
  return std::ranges::any_of(program.processes, [&](const Process& p) {
    const bool runs = p.kind == Process::Kind::proctype || p.kind == Process::Kind::init;
    return runs && has_label(p.body, word);
  });
}

std::vector<std::string> label_checks(const Program& program) {
  const auto is_claim = [](const Process& p) { return p.kind == Process::Kind::never; };
  std::vector<std::string> out;
  if (has_label(program, "accept") && std::ranges::none_of(program.processes, is_claim)) out.emplace_back("accept");
  if (has_label(program, "progress")) out.emplace_back("progress");
  return out;
}

}  // namespace promela

MachineClaim label_claim(std::string_view check, PromelaMachine& machine) {
  MachineClaim out;
  out.places.resize(1);
  out.places[0].edges.push_back({});
  if (check == "accept") {
    out.accepting = machine.add_accepting();
    return out;
  }
  promela::Expression np;
  np.op = promela::Expression::Op::non_progress;
  const std::uint32_t non_progress = machine.add_proposition(np);
  out.endless = true;
  const MachineClaim::Edge stays{{non_progress}, {}, 1};
  out.places[0].edges.push_back(stays);
  out.places.emplace_back().edges.push_back(stays);
  out.places[1].accepting = true;
  return out;
}

}  // namespace surety
