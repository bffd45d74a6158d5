// Pragmas and annotations.
#include <fmt/format.h>

#include "lang/ada/flow/expander.hpp"
#include "lang/ada/ignored.hpp"

namespace surety::ada {

void Expander::pragma(const Declaration& d, bool statement) {
  const auto slots_of = [&](const Expression& e) {
    const auto found = lookup(e.text, e.place);
    if (found.empty() || found[0]->kind != Entity::Kind::object) return;
    const Location& at = found[0]->location;
    for (std::uint32_t s = 0; s < at.type->extent.slots; ++s) program_.slots[at.first.slots + s].atomic = true;
  };
  if (d.name == "atomic" || d.name == "volatile" || d.name == "atomic_components" || d.name == "volatile_components") {
    for (const Association& a : d.arguments) slots_of(a.value);
  } else if (d.name == "assert" && !d.arguments.empty()) {
    const std::uint32_t truth = temporary_boolean();
    emit_compute(truth, scalar(d.arguments[0].value, boolean_));
    if (immediate_ && !statement) {
      execute_now();
      if (!failed_ && memory_[truth] == 0) error(d.place, "an assertion fails before the first task starts");
      return;
    }
    Label holds;
    Code negated = combine({{flow::Instruction::Op::load, truth, 0}}, {flow::Instruction::Op::not_, 0, 0});
    branch(std::move(negated), holds);
    emit_raise(flow::assertion_error);
    bind(holds);
  } else if (d.name == "annotate") {
    annotate(d, statement);
  } else if (const auto why = why_aspect_is_refused(d.name); !why.empty()) {
    refuse(d.place, why);
  }
}

void Expander::annotate(const Declaration& d, bool statement) {
  const auto word = [&](std::size_t i) {
    return i < d.arguments.size() && d.arguments[i].value.kind == Expression::Kind::name ? d.arguments[i].value.text
                                                                                         : std::string();
  };
  if (word(0) != "surety") return;
  const std::string what = word(1);
  const auto text = [&](std::size_t i) {
    return i < d.arguments.size() && d.arguments[i].value.kind == Expression::Kind::string ? d.arguments[i].value.text
                                                                                           : std::string();
  };
  if (what == "event") {
    if (!statement) return error(d.place, "an event happens in statements");
    if (text(2).empty()) return error(d.place, "an event needs a name", "pragma Annotate (Surety, Event, \"enter\");");
    if (object_ != kNone)
      return error(d.place, "an event here would be lost: the operation is one step",
                   "name the operation: pragma Annotate (Surety, Name, ...)");
    flow::Node node;
    node.kind = flow::Node::Kind::event;
    node.label = static_cast<std::uint32_t>(program_.labels.size());
    program_.labels.push_back(text(2));
    program_.label_displays.emplace_back();
    for (std::size_t i = 3; i < d.arguments.size(); ++i) {
      const Operand value = emit_value(d.arguments[i].value, nullptr);
      if (failed_) return;
      node.in.push_back(value.code);
      program_.label_displays[node.label].push_back(value.type == nullptr ? 0 : display_of(*value.type));
    }
    emit(std::move(node));
  } else if (what == "name") {
    const auto found = lookup(word(2));
    if (found.empty()) return undeclared(d.place, word(2));
    found[0]->given_name = text(3);
  } else if (what == "properties") {
    out_.properties.push_back(text(2));
  } else if (what == "ignore") {
    const auto found = lookup(word(2));
    if (found.empty() || found[0]->kind != Entity::Kind::object) return undeclared(d.place, word(2));
    found[0]->location.ignored = true;
  } else if (what != "track" && what != "repeated") {
    const std::vector<std::string> known{"Event", "Name", "Properties", "Ignore", "Track", "Repeated"};
    error(d.place, fmt::format("unknown annotation '{}'; known: {}", what, fmt::join(known, ", ")),
          did_you_mean(what, known));
  }
}

}  // namespace surety::ada
