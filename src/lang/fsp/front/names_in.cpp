#include "lang/fsp/front/names_in.hpp"

namespace surety::fsp {
namespace {

const Index* bound_again(const std::vector<const Index*>& indices) {
  Names bound;
  for (const Index* index : indices)
    if (!index->variable.empty() && !bound.insert(index->variable).second) return index;
  return nullptr;
}

}  // namespace

void names_in(const Expression& e, Names& out) {
  if (e.op == Expression::Op::name) out.insert(e.name);
  if (e.label) names_in(*e.label, out);
  for (const Expression& operand : e.operands) names_in(operand, out);
}

void names_in(const Index& index, Names& out) {
  names_in(index.low, out);
  names_in(index.high, out);
  if (index.labels) names_in(*index.labels, out);
}

void names_in(const Label& label, Names& out) {
  for (const LabelPart& part : label.parts) {
    if (part.index) names_in(*part.index, out);
    if (part.without) names_in(*part.without, out);
    for (const SetItem& item : part.items) {
      names_in(item.label, out);
      if (item.without) names_in(*item.without, out);
    }
  }
}

void names_in(const Choice& choice, std::size_t position, Names& out) {
  for (std::size_t i = position; i < choice.labels.size(); ++i) names_in(choice.labels[i], out);
  names_in(*choice.next, out);
}

void names_in(const Body& body, Names& out) {
  for (const Expression& e : body.indices) names_in(e, out);
  if (body.form == Body::Form::conditional) names_in(body.condition, out);
  for (const Choice& choice : body.choices) {
    if (choice.guard) names_in(*choice.guard, out);
    names_in(choice, 0, out);
  }
  for (const Body* part : {body.then_part.get(), body.else_part.get()})
    if (part != nullptr) names_in(*part, out);
}

const Index* bound_again(const Label& label) {
  std::vector<const Index*> indices;
  for (const LabelPart& part : label.parts)
    if (part.index) indices.push_back(&*part.index);
  return bound_again(indices);
}

const Index* bound_again(const std::vector<Index>& list) {
  std::vector<const Index*> indices;
  for (const Index& index : list) indices.push_back(&index);
  return bound_again(indices);
}

}  // namespace surety::fsp
