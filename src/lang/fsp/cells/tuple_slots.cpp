#include "lang/fsp/cells/tuple_slots.hpp"

#include <algorithm>

namespace surety::fsp {

TupleSlots::TupleSlots(const ProcessDefinition& definition) : definition_(definition) {
  for (std::size_t l = 0; l < definition.locals.size(); ++l) {
    first_.push_back(parent_.size());
    for (const Index& index : definition.locals[l].indices) add(l, index.variable);
    add_labels(l, definition.locals[l].body);
  }
  for (std::size_t l = 0; l < definition.locals.size(); ++l) hand_on(definition.locals[l].body, scope_of(l));
  std::map<std::string_view, std::vector<std::size_t>> named;
  for (std::size_t s = 0; s < parent_.size(); ++s)
    if (!names_[s].empty()) named[names_[s]].push_back(s);
  for (const auto& [name, sources] : named)
    for (const std::size_t s : sources) unite(sources[0], s);
  number();
}

void TupleSlots::add(std::size_t local, std::string_view name) {
  parent_.push_back(parent_.size());
  owners_.push_back({local});
  names_.push_back(name);
}

void TupleSlots::add_labels(std::size_t local, const Body& body) {
  for (const Choice& choice : body.choices) {
    for (const Label& label : choice.labels)
      for (const LabelPart& part : label.parts)
        if (part.index && !part.index->variable.empty()) {
          labels_[&*part.index] = parent_.size();
          add(local, part.index->variable);
        }
    add_labels(local, *choice.next);
  }
  for (const Body* part : {body.then_part.get(), body.else_part.get()})
    if (part != nullptr) add_labels(local, *part);
}

TupleSlots::Sources TupleSlots::scope_of(std::size_t local) const {
  Sources scope;
  const auto& indices = definition_.locals[local].indices;
  for (std::size_t i = 0; i < indices.size(); ++i)
    if (!indices[i].variable.empty()) scope[indices[i].variable] = first_[local] + i;
  return scope;
}

// Q[i] in P[i:..] hands i on.
void TupleSlots::hand_on(const Body& body, const Sources& scope) {
  for (std::size_t k = 0; k < body.indices.size(); ++k)
    if (const auto it = scope.find(body.indices[k].name);
        body.indices[k].op == Expression::Op::name && it != scope.end())
      for (std::size_t l = 0; l < definition_.locals.size(); ++l)
        if (const LocalProcess& to = definition_.locals[l];
            to.name == body.name && to.indices.size() == body.indices.size())
          unite(it->second, first_[l] + k);
  for (const Choice& choice : body.choices) {
    Sources inner = scope;
    for (const Label& label : choice.labels)
      for (const LabelPart& part : label.parts)
        if (part.index && !part.index->variable.empty()) inner[part.index->variable] = labels_.at(&*part.index);
    hand_on(*choice.next, inner);
  }
  for (const Body* part : {body.then_part.get(), body.else_part.get()})
    if (part != nullptr) hand_on(*part, scope);
}

std::size_t TupleSlots::find(std::size_t s) const {
  while (parent_[s] != s) s = parent_[s];
  return s;
}

void TupleSlots::unite(std::size_t a, std::size_t b) {
  a = find(a);
  b = find(b);
  if (a == b) return;
  if (a > b) std::swap(a, b);
  if (std::ranges::any_of(owners_[b], [&](std::size_t o) { return owners_[a].contains(o); })) return;
  owners_[a].insert(owners_[b].begin(), owners_[b].end());
  parent_[b] = a;
}

void TupleSlots::number() {
  slot_names_.emplace_back("control");
  std::map<std::size_t, std::uint32_t> numbers;
  std::set<std::string> taken{"control"};
  for (std::size_t s = 0; s < parent_.size(); ++s) {
    const auto [it, is_new] = numbers.try_emplace(find(s), slot_names_.size());
    slot_.push_back(it->second);
    if (!is_new) continue;
    const std::string base = names_[s].empty() ? "index" : std::string(names_[s]);
    std::string name = base;
    for (int i = 2; !taken.insert(name).second; ++i) name = base + "." + std::to_string(i);
    slot_names_.push_back(name);
  }
}

}  // namespace surety::fsp
