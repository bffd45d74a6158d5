#include "lang/promela/printer.hpp"

#include <fmt/format.h>

#include <string_view>

namespace surety::promela {
namespace {

using Op = Expression::Op;

std::string_view spelling(Op op) {
  switch (op) {
    case Op::negate: return "-";
    case Op::complement: return "~";
    case Op::logical_not: return "!";
    case Op::times: return "*";
    case Op::divide: return "/";
    case Op::modulo: return "%";
    case Op::plus: return "+";
    case Op::minus: return "-";
    case Op::shift_left: return "<<";
    case Op::shift_right: return ">>";
    case Op::less: return "<";
    case Op::greater: return ">";
    case Op::less_equal: return "<=";
    case Op::greater_equal: return ">=";
    case Op::equal: return "==";
    case Op::not_equal: return "!=";
    case Op::bit_and: return "&";
    case Op::bit_xor: return "^";
    case Op::bit_or: return "|";
    case Op::logical_and: return "&&";
    case Op::logical_or: return "||";
    case Op::length: return "len";
    case Op::full: return "full";
    case Op::empty: return "empty";
    case Op::not_full: return "nfull";
    case Op::not_empty: return "nempty";
    case Op::enabled: return "enabled";
    case Op::pc_value: return "pc_value";
    case Op::always: return "[]";
    case Op::eventually: return "<>";
    case Op::next: return "X";
    case Op::until: return "U";
    case Op::weak_until: return "W";
    case Op::release: return "V";
    case Op::implies: return "->";
    case Op::equivalent: return "<->";
    default: return "";
  }
}

template <class Items, class Text>
std::string joined(const Items& items, std::string_view separator, const Text& text) {
  std::string out;
  for (const auto& item : items) {
    if (!out.empty()) out += separator;
    out += text(item);
  }
  return out;
}

std::string arguments(const std::vector<Expression>& list) {
  return joined(list, ", ", [](const Expression& e) { return print(e); });
}

std::string patterns(const std::vector<Pattern>& list) {
  return joined(list, ", ", [](const Pattern& p) { return print(p); });
}

// A value where SPIN allows no parentheses around it.
std::string constant(const Expression& e) {
  return e.op == Op::number && e.name.empty() ? std::to_string(e.value)
         : e.op == Op::negate                 ? "-" + constant(e.operands[0])
                                              : print(e);
}

std::string number(const Expression& e) {
  if (!e.name.empty()) return e.name == "skip" ? "true" : e.name;
  return e.value < 0 ? fmt::format("({})", e.value) : std::to_string(e.value);
}

// ---- statements

class Printer {
 public:
  explicit Printer(const Program& program) : program_(program) {}

  std::string process(const Process& p) {
    process_ = &p;
    line(head(p) + " {");
    sequence(p.body);
    line("}");
    return std::move(out_);
  }

 private:
  std::string head(const Process& p) const {
    switch (p.kind) {
      case Process::Kind::init: return "init";
      case Process::Kind::never: return "never " + p.name;
      case Process::Kind::trace: return "trace";
      case Process::Kind::notrace: return "notrace";
      case Process::Kind::proctype: break;
    }
    std::string parameters;
    for (std::uint32_t i = 0; i < p.parameters; ++i)
      parameters += (i == 0 ? "" : "; ") + print(program_, p.variables[i]);
    const std::string active = p.active == 0 ? "" : p.active == 1 ? "active " : fmt::format("active [{}] ", p.active);
    const std::string provided = p.provided.empty() ? "" : fmt::format(" provided ({})", print(p.provided[0]));
    return fmt::format("{}proctype {}({}){}", active, p.name, parameters, provided);
  }

  void line(std::string_view text) { out_ += std::string(2 * depth_, ' ') + std::string(text) + "\n"; }

  void sequence(const Sequence& body) {
    ++depth_;
    for (const Statement& s : body) statement(s);
    --depth_;
  }

  // The labels of a statement stand before its first line.
  void statement(const Statement& s) {
    std::string labels;
    for (const Label& l : s.labels) labels += l.name + ": ";
    switch (s.kind) {
      case Statement::Kind::declaration: return declaration(s);
      case Statement::Kind::selection: options(s, labels, "if", "fi"); break;
      case Statement::Kind::repetition: options(s, labels, "do", "od"); break;
      case Statement::Kind::block: block(s.body, labels + "{", "};"); break;
      case Statement::Kind::atomic: block(s.body, labels + "atomic {", "};"); break;
      case Statement::Kind::d_step: block(s.body, labels + "d_step {", "};"); break;
      case Statement::Kind::for_range:
      case Statement::Kind::for_in: block(s.body, labels + brief(s) + " {", "};"); break;
      case Statement::Kind::unless: unless(s, labels); break;
      default: line(labels + brief(s) + ";");
    }
  }

  void block(const Sequence& body, std::string_view open, std::string_view close) {
    line(open);
    sequence(body);
    line(close);
  }

  void options(const Statement& s, const std::string& labels, std::string_view open, std::string_view close) {
    line(labels + std::string(open));
    for (const Sequence& branch : s.branches) {
      line("::");
      sequence(branch);
    }
    line(std::string(close) + ";");
  }

  // Each side in braces of its own, unless it has them already.
  void unless(const Statement& s, const std::string& labels) {
    if (!labels.empty()) {
      line(labels + "{");
      ++depth_;
    }
    side(s.branches[0]);
    while (!out_.empty() && (out_.back() == '\n' || out_.back() == ';')) out_.pop_back();
    out_ += "\n";
    line("unless");
    side(s.branches[1]);
    if (!labels.empty()) {
      --depth_;
      line("};");
    }
  }
  void side(const Sequence& one) { statement(one[0]); }

  void declaration(const Statement& s) {
    for (const auto index : s.variables) line(print(program_, process_->variables[index]) + ";");
  }

  const Program& program_;
  const Process* process_ = nullptr;
  std::size_t depth_ = 0;
  std::string out_;
};

// Of a select. Where both bounds are bare numbers it would read back as an if.
std::string lower_bound(const Statement& s) {
  const auto bare = [](const Expression& e) { return e.op == Expression::Op::number && e.mtype < 0; };
  return !s.by_options && bare(s.value) && bare(s.upper) ? fmt::format("({} + 0)", s.value.value) : print(s.value);
}

}  // namespace

std::string print(const Reference& reference) {
  return joined(reference.segments, ".", [](const Reference::Segment& segment) {
    return segment.index.empty() ? segment.name : fmt::format("{}[{}]", segment.name, print(segment.index[0]));
  });
}

std::string print(const Pattern& pattern) {
  switch (pattern.kind) {
    case Pattern::Kind::variable: return print(pattern.reference);
    case Pattern::Kind::constant: return constant(pattern.expression);
    case Pattern::Kind::eval: return fmt::format("eval({})", print(pattern.expression));
  }
  return {};
}

std::string print(const Expression& e) {
  switch (e.op) {
    case Op::number: return number(e);
    case Op::variable: return print(e.reference);
    case Op::timeout: return "timeout";
    case Op::non_progress: return "np_";
    case Op::conditional:
      return fmt::format("({} -> {} : {})", print(e.operands[0]), print(e.operands[1]), print(e.operands[2]));
    case Op::length:
    case Op::full:
    case Op::empty:
    case Op::not_full:
    case Op::not_empty: return fmt::format("{}({})", spelling(e.op), print(e.reference));
    case Op::poll: return fmt::format("{}{}[{}]", print(e.reference), e.random ? "??" : "?", patterns(e.patterns));
    case Op::run: return fmt::format("run {}({})", e.name, arguments(e.operands));
    case Op::enabled:
    case Op::pc_value: return fmt::format("{}({})", spelling(e.op), print(e.operands[0]));
    case Op::remote_label:
    case Op::remote_variable: {
      const std::string index = e.operands.empty() ? "" : fmt::format("[{}]", print(e.operands[0]));
      return e.op == Op::remote_label ? fmt::format("{}{}@{}", e.name, index, e.label)
                                      : fmt::format("{}{}:{}", e.name, index, print(e.reference));
    }
    case Op::negate:
    case Op::complement:
    case Op::logical_not:
    case Op::always:
    case Op::eventually:
    case Op::next: return fmt::format("({} {})", spelling(e.op), print(e.operands[0]));
    default: return fmt::format("({} {} {})", print(e.operands[0]), spelling(e.op), print(e.operands[1]));
  }
}

std::string print(const Program& program, const Type& type) {
  switch (type.base) {
    case Type::Base::bit: return "bit";
    case Type::Base::boolean: return "bool";
    case Type::Base::byte: return "byte";
    case Type::Base::pid: return "pid";
    case Type::Base::short_int: return "short";
    case Type::Base::integer: return "int";
    case Type::Base::unsigned_int: return "unsigned";
    case Type::Base::channel: return "chan";
    case Type::Base::mtype: {
      const auto& name = program.mtype_sets[type.index].name;
      return name.empty() ? "mtype" : "mtype:" + name;
    }
    case Type::Base::user: return program.types[type.index].name;
  }
  return {};
}

std::string print(const Program& program, const Variable& v) {
  std::string out;
  if (v.visibility == Variable::Visibility::hidden) out = "hidden ";
  if (v.visibility == Variable::Visibility::show) out = "show ";
  if (v.visibility == Variable::Visibility::local) out = "local ";
  out += print(program, v.type) + " " + v.name;
  if (v.type.base == Type::Base::unsigned_int) out += fmt::format(" : {}", v.type.width);
  if (v.length) out += fmt::format("[{}]", *v.length);
  if (v.list)
    out += fmt::format(" = {{ {} }}", joined(v.initial, ", ", [](const Expression& e) { return constant(e); }));
  else if (!v.initial.empty())
    out += " = " + constant(v.initial[0]);
  if (v.channel)
    out += fmt::format(" = [{}] of {{ {} }}", v.channel->capacity,
                       joined(v.channel->fields, ", ", [&](const Type& t) { return print(program, t); }));
  return out;
}

std::string brief(const Statement& s) {
  switch (s.kind) {
    case Statement::Kind::declaration: return "declaration";
    case Statement::Kind::exclusive:
      return s.name + " " + joined(s.references, ", ", [](const Reference& r) { return print(r); });
    case Statement::Kind::assignment: return fmt::format("{} = {}", print(s.target), print(s.value));
    case Statement::Kind::increment: return print(s.target) + "++";
    case Statement::Kind::decrement: return print(s.target) + "--";
    case Statement::Kind::condition:
      return s.value.op == Op::number && s.value.name == "skip" ? "skip" : print(s.value);
    case Statement::Kind::send:
      return fmt::format("{}{}{}", print(s.target), s.sorted ? "!!" : "!",
                         s.messages.empty() ? patterns(s.patterns) : arguments(s.messages));
    case Statement::Kind::receive:
      return fmt::format("{}{}{}{}{}", print(s.target), s.random ? "??" : "?", s.peek ? "<" : "", patterns(s.patterns),
                         s.peek ? ">" : "");
    case Statement::Kind::selection: return "if";
    case Statement::Kind::repetition: return "do";
    case Statement::Kind::block: return "{";
    case Statement::Kind::atomic: return "atomic";
    case Statement::Kind::d_step: return "d_step";
    case Statement::Kind::unless: return "unless";
    case Statement::Kind::go_to: return "goto " + s.name;
    case Statement::Kind::break_out: return "break";
    case Statement::Kind::else_branch: return "else";
    case Statement::Kind::assertion: return fmt::format("assert({})", print(s.value));
    case Statement::Kind::print:
      if (s.name.empty()) return fmt::format("printm({})", arguments(s.messages));
      return fmt::format("printf({}{}{})", s.name, s.messages.empty() ? "" : ", ", arguments(s.messages));
    case Statement::Kind::for_range:
      return fmt::format("for ({} : {} .. {})", print(s.target), print(s.value), print(s.upper));
    case Statement::Kind::for_in: return fmt::format("for ({} in {})", print(s.target), print(s.array));
    case Statement::Kind::select:
      return fmt::format("select ({} : {} .. {})", print(s.target), lower_bound(s), print(s.upper));
  }
  return {};
}

std::string print(const Program& program, const Process& process) { return Printer(program).process(process); }

std::string to_promela(const Program& program) {
  std::string out;
  for (const Unit& unit : program.units) {
    switch (unit.kind) {
      case Unit::Kind::global: out += print(program, program.globals[unit.index]) + ";\n"; break;
      case Unit::Kind::type: {
        const UserType& type = program.types[unit.index];
        out += fmt::format("typedef {} {{ {} }};\n", type.name,
                           joined(type.fields, "; ", [&](const Variable& v) { return print(program, v); }));
        break;
      }
      case Unit::Kind::mtype: {
        const MtypeSet& set = program.mtype_sets[unit.index];
        const std::vector<std::string> names(set.names.begin() + unit.first,
                                             set.names.begin() + unit.first + unit.count);
        out += fmt::format("mtype{} = {{ {} }};\n", set.name.empty() ? "" : ":" + set.name,
                           joined(names, ", ", [](const std::string& n) { return n; }));
        break;
      }
      case Unit::Kind::process: out += print(program, program.processes[unit.index]); break;
      case Unit::Kind::ltl: {
        const LtlBlock& block = program.formulas[unit.index];
        out += fmt::format("ltl {} {{ {} }}\n", block.name, print(block.formula));
        break;
      }
    }
  }
  return out;
}

}  // namespace surety::promela
