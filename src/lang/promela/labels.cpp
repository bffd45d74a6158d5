#include "lang/promela/labels.hpp"

#include <algorithm>

namespace surety::promela {
namespace {

const Label* find_label(const Sequence& body, std::string_view word) {
  for (const Statement& s : body) {
    for (const Label& l : s.labels)
      if (l.name.starts_with(word)) return &l;
    if (const Label* inside = find_label(s.body, word)) return inside;
    for (const Sequence& branch : s.branches)
      if (const Label* inside = find_label(branch, word)) return inside;
  }
  return nullptr;
}

}  // namespace

const Label* find_label(const Program& program, std::string_view word) {
  for (const Process& p : program.processes) {
    if (p.kind != Process::Kind::proctype && p.kind != Process::Kind::init) continue;
    if (const Label* found = find_label(p.body, word)) return found;
  }
  return nullptr;
}

bool has_label(const Program& program, std::string_view word) { return find_label(program, word) != nullptr; }

std::vector<std::string> label_checks(const Program& program) {
  const auto is_claim = [](const Process& p) { return p.kind == Process::Kind::never; };
  std::vector<std::string> out;
  if (has_label(program, "accept") && std::ranges::none_of(program.processes, is_claim)) out.emplace_back("accept");
  if (has_label(program, "progress")) out.emplace_back("progress");
  return out;
}

}  // namespace surety::promela
