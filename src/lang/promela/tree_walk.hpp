// Visits every expression of a program, those in indices and patterns too.
//
// Templates, so that the same words serve a tree that is changed and one that is only read.
#pragma once

#include "lang/promela/tree.hpp"

namespace surety::promela {

template <class E, class Change>
void for_each_operand(E& e, const Change& change);

template <class R, class Change>
void for_each_index(R& r, const Change& change) {
  for (auto& segment : r.segments)
    for (auto& e : segment.index) for_each_operand(e, change);
}

template <class E, class Change>
void for_each_operand(E& e, const Change& change) {
  change(e);
  for_each_index(e.reference, change);
  for (auto& o : e.operands) for_each_operand(o, change);
  for (auto& p : e.patterns) {
    for_each_index(p.reference, change);
    for_each_operand(p.expression, change);
  }
}

template <class S, class Change>
void for_each_statement_expression(S& body, const Change& change) {
  for (auto& s : body) {
    for_each_operand(s.value, change);
    for_each_operand(s.upper, change);
    for_each_index(s.target, change);
    for (auto& r : s.references) for_each_index(r, change);
    for (auto& e : s.messages) for_each_operand(e, change);
    for (auto& p : s.patterns) {
      for_each_index(p.reference, change);
      for_each_operand(p.expression, change);
    }
    for_each_statement_expression(s.body, change);
    for (auto& b : s.branches) for_each_statement_expression(b, change);
  }
}

template <class P, class Change>
void for_each_expression(P& program, const Change& change) {
  for (auto& v : program.globals)
    for (auto& e : v.initial) for_each_operand(e, change);
  for (auto& p : program.processes) {
    for_each_statement_expression(p.body, change);
    for (auto& v : p.variables)
      for (auto& e : v.initial) for_each_operand(e, change);
    for (auto& e : p.provided) for_each_operand(e, change);
  }
  for (auto& f : program.formulas) for_each_operand(f.formula, change);
}

}  // namespace surety::promela
