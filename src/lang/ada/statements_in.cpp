#include "lang/ada/statements_in.hpp"

namespace surety::ada {
namespace {

using Visit = std::function<void(const Statement&)>;

void visit_all(const std::vector<Statement>& statements, const Visit& visit);

void visit_body(const Body& body, const Visit& visit) {
  for (const Declaration& d : body.declarations) for_statements(d, visit);
  visit_all(body.statements, visit);
  for (const Handler& h : body.handlers) visit_all(h.statements, visit);
}

void visit_all(const std::vector<Statement>& statements, const Visit& visit) {
  for (const Statement& s : statements) {
    visit(s);
    visit_all(s.statements, visit);
    for (const auto& b : s.branches) visit_all(b.statements, visit);
    for (const SelectBranch& b : s.alternatives) {
      visit_all(b.head, visit);
      visit_all(b.rest, visit);
    }
    for (const Declaration& d : s.declarations) for_statements(d, visit);
    if (s.accept) visit_body(s.accept->body, visit);
    if (s.body) visit_body(*s.body, visit);
  }
}

}  // namespace

void for_statements(const Declaration& declaration, const Visit& visit) {
  for (const Declaration& d : declaration.visible) for_statements(d, visit);
  for (const Declaration& d : declaration.hidden) for_statements(d, visit);
  if (declaration.body) visit_body(*declaration.body, visit);
}

}  // namespace surety::ada
