// What SPIN cannot be asked by parts: everything but rendezvous by which one process can notice another.

#include <fmt/format.h>

#include <functional>

#include "lang/promela/printer.hpp"
#include "spin/system.hpp"

namespace surety::spin {
namespace {

using namespace promela;
using Op = Expression::Op;
using Kind = Statement::Kind;

class Restrictions {
 public:
  Restrictions(const PromelaFile& file, const Process& process)
      : program_(*file.program), source_(*file.source), process_(process) {}

  Diagnostics run() {
    if (!process_.provided.empty()) refuse(process_.place, "a provided clause");
    for (const Variable& v : process_.variables) {
      if (v.type.base == Type::Base::channel) refuse(v.place, fmt::format("the channel variable {}", v.name));
      if (v.name.starts_with("surety_")) refuse(v.place, fmt::format("the name {}", v.name));
    }
    for (const Statement& s : process_.body) statement(s, false);
    return std::move(out_);
  }

 private:
  void refuse(Place place, const std::string& what) {
    if (!out_.empty()) return;  // one is enough: the native engine is the way out
    out_.push_back(source_.error(place, fmt::format("--engine spin does not take {}", what),
                                 "components must meet by rendezvous on global channels only; use --engine native"));
  }

  void statement(const Statement& s, bool in_d_step) {
    switch (s.kind) {
      case Kind::assertion: refuse(s.place, "assert in a component"); break;
      case Kind::unless: refuse(s.place, "unless"); break;
      case Kind::exclusive: refuse(s.place, s.name); break;
      case Kind::send: channel(s, s.sorted, "sorted send", in_d_step); break;
      case Kind::receive: channel(s, s.random || s.peek, "receive that looks into a channel", in_d_step); break;
      case Kind::assignment:
      case Kind::increment:
      case Kind::decrement:
      case Kind::for_range:
      case Kind::for_in:
      case Kind::select: written(s.target); break;
      default: break;
    }
    if (s.kind == Kind::for_in && s.array.type.base == Type::Base::channel) refuse(s.place, "for over a channel");
    for (const Expression* e : {&s.value, &s.upper}) expression(*e);
    for (const Expression& e : s.messages) expression(e);
    for (const Pattern& p : s.patterns) {
      expression(p.expression);
      if (s.kind == Kind::receive && p.kind == Pattern::Kind::variable) written(p.reference);
    }
    reference(s.target);
    for (const Statement& inner : s.body) statement(inner, in_d_step || s.kind == Kind::d_step);
    for (const Sequence& branch : s.branches)
      for (const Statement& inner : branch) statement(inner, in_d_step);
  }

  void channel(const Statement& s, bool special, const char* which, bool in_d_step) {
    if (special) refuse(s.place, fmt::format("a {}", which));
    if (in_d_step) refuse(s.place, "a channel operation in d_step");
    if (s.target.scope != Reference::Scope::global || s.target.segments.size() != 1 || s.target.variable == kNone)
      return refuse(s.place, fmt::format("the channel {}, which is not global", print(s.target)));
    const Variable& v = program_.globals[s.target.variable];
    if (!v.channel) return refuse(s.place, fmt::format("the channel variable {}", v.name));
    if (v.channel->capacity > 0)
      refuse(s.place, fmt::format("the buffered channel {} (capacity {})", v.name, v.channel->capacity));
    for (const Type& type : v.channel->fields)
      if (type.base == Type::Base::channel || type.base == Type::Base::user)
        refuse(v.place, fmt::format("messages of type {}", print(program_, type)));
  }

  void written(const Reference& r) {
    if (r.scope == Reference::Scope::global && r.variable != kNone)
      refuse(r.place, fmt::format("the global variable {}", program_.globals[r.variable].name));
  }

  void reference(const Reference& r) {
    if (r.scope == Reference::Scope::predefined && !r.segments.empty() && r.segments[0].name != "_")
      refuse(r.place, r.segments[0].name);
    for (const auto& segment : r.segments)
      for (const Expression& index : segment.index) expression(index);
  }

  void expression(const Expression& e) {
    switch (e.op) {
      case Op::length:
      case Op::full:
      case Op::empty:
      case Op::not_full:
      case Op::not_empty:
      case Op::poll: refuse(e.place, "questions about the state of a channel"); break;
      case Op::run: refuse(e.place, "run in a component"); break;
      case Op::enabled:
      case Op::pc_value:
      case Op::remote_label:
      case Op::remote_variable: refuse(e.place, "a look at another process"); break;
      case Op::timeout: refuse(e.place, "timeout"); break;
      case Op::non_progress: refuse(e.place, "np_"); break;
      case Op::variable: reference(e.reference); break;
      default: break;
    }
    for (const Expression& operand : e.operands) expression(operand);
  }

  const Program& program_;
  const Source& source_;
  const Process& process_;
  Diagnostics out_;
};

}  // namespace

Diagnostics refusals(const PromelaFile& file, const promela::Process& process) {
  return Restrictions(file, process).run();
}

}  // namespace surety::spin
