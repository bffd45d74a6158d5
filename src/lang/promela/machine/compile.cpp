#include "lang/promela/machine/compile.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.hpp"
#include "lang/promela/printer.hpp"
#include "lang/promela/tree_walk.hpp"

namespace surety::promela {
namespace {

using Op = Expression::Op;
using I = Instruction::Op;

Instruction instruction(I op, std::int32_t b = 0, std::uint32_t a = 0, Encoding encoding = {}) {
  return {op, encoding, a, b};
}

// The instruction that does what the operator says, once its operands are on the stack.
I instruction_of(Op op) {
  switch (op) {
    case Op::negate: return I::negate;
    case Op::complement: return I::complement;
    case Op::logical_not: return I::logical_not;
    case Op::times: return I::times;
    case Op::divide: return I::divide;
    case Op::modulo: return I::modulo;
    case Op::plus: return I::plus;
    case Op::minus: return I::minus;
    case Op::shift_left: return I::shift_left;
    case Op::shift_right: return I::shift_right;
    case Op::less: return I::less;
    case Op::greater: return I::greater;
    case Op::less_equal: return I::less_equal;
    case Op::greater_equal: return I::greater_equal;
    case Op::equal: return I::equal;
    case Op::not_equal: return I::not_equal;
    case Op::bit_and: return I::bit_and;
    case Op::bit_xor: return I::bit_xor;
    case Op::length: return I::length;
    case Op::full: return I::full;
    case Op::empty: return I::empty;
    case Op::not_full: return I::not_full;
    case Op::not_empty: return I::not_empty;
    default: return I::bit_or;
  }
}

// Of all globals, or of a process.
constexpr std::uint32_t kMostBytes = 1U << 20, kTooLarge = 1U << 24;

}  // namespace

Encoding encoding_of(const Type& type, bool in_array) {
  switch (type.base) {
    case Type::Base::bit:
    case Type::Base::boolean: return {1, static_cast<std::uint8_t>(in_array ? 0 : 1), false};
    case Type::Base::short_int: return {2, 0, true};
    case Type::Base::integer: return {4, 0, true};
    case Type::Base::unsigned_int:
      return {static_cast<std::uint8_t>(type.width <= 8    ? 1
                                        : type.width <= 16 ? 2
                                                           : 4),
              static_cast<std::uint8_t>(type.width % 8 == 0 && type.width != 24 ? 0 : type.width), false};
    default: return {1, 0, false};
  }
}

Compiler::Compiler(const Program& program, const Source& source, Report& report)
    : program_(program), source_(source), report_(report) {
  lay_out();
}

void Compiler::unsupported(Place place, const std::string& what) {
  report_.error(place, what + " is not supported", "see the manual for what of Promela is");
}

// ---- where variables lie

std::uint32_t Compiler::size_of(const Type& type, bool in_array) const {
  return type.base == Type::Base::user ? types_[type.index].bytes : encoding_of(type, in_array).bytes;
}

std::uint32_t Compiler::size_of(const Variable& v) const {
  const std::uint64_t size = size_of(v.type, v.length.has_value());
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(size * v.length.value_or(1), kTooLarge));
}

void Compiler::lay_out() {
  const auto lay = [&](const std::vector<Variable>& variables, std::uint32_t start) {
    Layout layout;
    layout.bytes = start;
    for (const Variable& v : variables) {
      layout.offsets.push_back(layout.bytes);
      layout.bytes = std::min(layout.bytes + size_of(v), kTooLarge);
    }
    return layout;
  };
  for (const UserType& type : program_.types) types_.push_back(lay(type.fields, 0));
  globals_ = lay(program_.globals, kHeaderBytes);
  for (const Process& p : program_.processes) locals_.push_back(lay(p.variables, kProcessHeader));
  out_.globals_bytes = globals_.bytes;
  if (globals_.bytes > kMostBytes) report_.error(program_.globals.back().place, "the variables take too much memory");
  for (std::size_t i = 0; i < locals_.size(); ++i)
    if (locals_[i].bytes > kMostBytes)
      report_.error(program_.processes[i].place, "the variables of this process take too much memory");
}

void Compiler::leaves(const Type& type, bool in_array, std::uint32_t offset, std::vector<Leaf>& out) const {
  if (type.base != Type::Base::user) {
    const std::int32_t mtype = type.base == Type::Base::mtype ? static_cast<std::int32_t>(type.index) : -1;
    out.push_back({offset, encoding_of(type, in_array), encoding_of(type, false), mtype});
    return;
  }
  const auto& fields = program_.types[type.index].fields;
  for (std::size_t i = 0; i < fields.size(); ++i) leaves(fields[i], offset + types_[type.index].offsets[i], out);
}

void Compiler::leaves(const Variable& v, std::uint32_t offset, std::vector<Leaf>& out) const {
  const std::uint32_t size = size_of(v.type, v.length.has_value());
  for (std::uint32_t i = 0; i < v.length.value_or(1); ++i) leaves(v.type, v.length.has_value(), offset + i * size, out);
}

std::uint32_t Compiler::channel(const ChannelInit& init, std::string name) {
  ChannelKind kind;
  kind.name = std::move(name);
  kind.capacity = init.capacity;
  std::vector<Leaf> fields;
  for (const Type& t : init.fields)
    if (size_of(t, false) <= kMostBytes / 256)
      leaves(t, false, 0, fields);
    else
      report_.error(init.place, "the messages of this channel are too long");
  for (const Leaf& f : fields) {
    kind.fields.push_back(f.in_message);
    kind.mtypes.push_back(f.mtype);
    kind.offsets.push_back(kind.message_bytes);
    kind.message_bytes += f.in_message.bytes;
  }
  kind.frame_bytes = kChannelHeader + (kind.rendezvous() ? 0 : kind.capacity * kind.message_bytes);
  if (out_.channels.size() == 255) report_.error(init.place, "there are more than 255 channels");
  out_.channels.push_back(std::move(kind));
  return static_cast<std::uint32_t>(out_.channels.size() - 1);
}

// Goes through the plain variables, elements and fields that a variable consists of: `use` gets the variable or field,
// the index of the element, the offset, and the name.
template <class Use>
void Compiler::each_leaf(const Variable& v, std::uint32_t offset, const std::string& name, const Use& use) const {
  const std::uint32_t size = size_of(v.type, v.length.has_value());
  for (std::uint32_t i = 0; i < v.length.value_or(1); ++i) {
    const std::uint32_t here = offset + i * size;
    const std::string element = v.length ? fmt::format("{}.{}", name, i) : name;
    if (v.type.base != Type::Base::user) {
      use(v, i, here, element);
      continue;
    }
    const auto& fields = program_.types[v.type.index].fields;
    for (std::size_t f = 0; f < fields.size(); ++f)
      each_leaf(fields[f], here + types_[v.type.index].offsets[f], element + "." + fields[f].name, use);
  }
}

void Compiler::named_leaves(const Variable& v, std::uint32_t offset, std::uint32_t variable,
                            std::vector<VariableLeaf>& out) const {
  each_leaf(v, offset, v.name, [&](const Variable& leaf, std::uint32_t, std::uint32_t here, const std::string& name) {
    const bool is_mtype = leaf.type.base == Type::Base::mtype;
    out.push_back({name, here, encoding_of(leaf.type, leaf.length.has_value()),
                   is_mtype ? static_cast<std::int32_t>(leaf.type.index) : -1, leaf.type.base == Type::Base::channel,
                   variable});
  });
}

// The values that a variable has before anything is executed, and the channels that are made for it. Values of fields
// are always set then, and use no locals.
void Compiler::initials(const Variable& v, std::uint32_t offset, bool global, const std::string& name,
                        std::uint32_t process, bool at_start, std::vector<Initial>& out) {
  const auto use = [&](const Variable& leaf, std::uint32_t i, std::uint32_t here, const std::string& element) {
    const bool is_field = &leaf != &v;
    Initial made;
    made.store.encoding = encoding_of(leaf.type, leaf.length.has_value());
    made.store.address = {instruction(global ? I::address_global : I::address_local, static_cast<std::int32_t>(here))};
    if (leaf.channel)
      made.channel = channel(*leaf.channel, element);
    else if ((is_field || at_start) && !leaf.initial.empty())
      made.value = expression(leaf.initial[leaf.list ? i : 0], is_field ? kNone : process);
    else
      return;
    out.push_back(std::move(made));
  };
  each_leaf(v, offset, name, use);
}

// ---- expressions

void Compiler::remember(const Code& code) { out_.longest_code = std::max(out_.longest_code, code.size()); }

Code Compiler::expression(const Expression& e, std::uint32_t process) {
  Code code;
  emit(e, process, code);
  remember(code);
  return code;
}

const Variable* Compiler::variable(const Reference& r, std::uint32_t process) const {
  if (r.variable == kNone || r.scope == Reference::Scope::predefined) return nullptr;
  if (r.scope == Reference::Scope::global) return &program_.globals[r.variable];
  return process == kNone ? nullptr : &program_.processes[process].variables[r.variable];
}

Encoding Compiler::encoding(const Reference& r, std::uint32_t process) const {
  const Variable* v = variable(r, process);
  for (const auto field : r.fields)
    if (v != nullptr) v = &program_.types[v->type.index].fields[field];
  return v == nullptr ? Encoding{} : encoding_of(v->type, v->length.has_value());
}

void Compiler::emit_address(const Reference& r, std::uint32_t process, Code& code) {
  const Variable* v = variable(r, process);
  if (v == nullptr) {
    report_.error(r.place, fmt::format("'{}' cannot be used here", r.segments[0].name));
    return;
  }
  const bool global = r.scope == Reference::Scope::global;
  const std::size_t base = code.size();
  code.push_back(instruction(
      global ? I::address_global : I::address_local,
      static_cast<std::int32_t>(global ? globals_.offsets[r.variable] : locals_[process].offsets[r.variable])));
  for (std::size_t i = 0;; ++i) {
    const auto& segment = r.segments[i];
    const std::uint32_t stride = size_of(v->type, v->length.has_value());
    if (v->length && !segment.index.empty()) {
      const Expression& index = segment.index[0];
      if (index.op == Op::number && index.value >= 0 && static_cast<std::uint32_t>(index.value) < *v->length) {
        code[base].b += index.value * static_cast<std::int32_t>(stride);
      } else {
        emit(index, process, code);
        code.push_back(instruction(I::index, static_cast<std::int32_t>(stride), *v->length));
      }
    }
    if (i + 1 == r.segments.size() || i >= r.fields.size()) return;
    code[base].b += static_cast<std::int32_t>(types_[v->type.index].offsets[r.fields[i]]);
    v = &program_.types[v->type.index].fields[r.fields[i]];
  }
}

Code Compiler::value(const Reference& r, std::uint32_t process) {
  Code code;
  emit_value(r, process, code);
  remember(code);
  return code;
}

void Compiler::emit_value(const Reference& r, std::uint32_t process, Code& code) {
  if (r.scope == Reference::Scope::predefined) {
    const std::string& name = r.segments[0].name;
    if (name == "_pid") return code.push_back(instruction(I::pid));
    if (name == "_nr_pr") return code.push_back(instruction(I::nr_pr));
    unsupported(r.place, fmt::format("'{}'", name));
    return;
  }
  const std::size_t start = code.size();
  emit_address(r, process, code);
  const Encoding c = encoding(r, process);
  if (code.size() == start + 1) {
    code.back().op = code.back().op == I::address_global ? I::load_global : I::load_local;
    code.back().encoding = c;
  } else if (code.size() > start) {
    code.push_back(instruction(I::load, 0, 0, c));
  }
}

Target Compiler::target(const Reference& r, std::uint32_t process) {
  Target out;
  emit_address(r, process, out.address);
  out.encoding = encoding(r, process);
  remember(out.address);
  return out;
}

// Where a jump leads is known only when what it jumps over has been emitted.
static std::size_t emit_jump(I kind, Code& code) {
  code.push_back(instruction(kind));
  return code.size() - 1;
}

static void jump_here(std::size_t jump, Code& code) { code[jump].b = static_cast<std::int32_t>(code.size()); }

// The second operand is evaluated only if the first does not decide.
void Compiler::emit_logical(const Expression& e, std::uint32_t process, Code& code) {
  const bool both = e.op == Op::logical_and;
  emit(e.operands[0], process, code);
  const std::size_t decided = emit_jump(both ? I::jump_if_false : I::jump_if_true, code);
  emit(e.operands[1], process, code);
  code.push_back(instruction(I::truth));
  const std::size_t end = emit_jump(I::jump, code);
  jump_here(decided, code);
  code.push_back(instruction(I::push, both ? 0 : 1));
  jump_here(end, code);
}

void Compiler::emit_conditional(const Expression& e, std::uint32_t process, Code& code) {
  emit(e.operands[0], process, code);
  const std::size_t otherwise = emit_jump(I::jump_if_false, code);
  emit(e.operands[1], process, code);
  const std::size_t end = emit_jump(I::jump, code);
  jump_here(otherwise, code);
  emit(e.operands[2], process, code);
  jump_here(end, code);
}

void Compiler::emit_poll(const Expression& e, std::uint32_t process, Code& code) {
  emit_value(e.reference, process, code);
  auto made = patterns(e.patterns, process);  // first: there can be polls inside
  for (const CompiledPattern& p : made) out_.poll_code += p.code.size();
  code.push_back(instruction(I::poll, e.random ? 1 : 0, static_cast<std::uint32_t>(out_.polls.size())));
  out_.polls.push_back(std::move(made));
}

// P[a] or P, in front of @label and :x.
void Compiler::emit_remote_process(const Expression& e, std::uint32_t process, Code& code) {
  if (e.operands.empty())
    code.push_back(instruction(I::push, -1));  // the first of that proctype
  else
    emit(e.operands[0], process, code);
}

void Compiler::emit_remote_label(const Expression& e, std::uint32_t process, Code& code) {
  emit_remote_process(e, process, code);
  const auto& places = out_.processes[e.process].flow.places;
  const auto found = std::ranges::find_if(
      places, [&](const Flow::Place& p) { return std::ranges::find(p.labels, e.label) != p.labels.end(); });
  code.push_back(instruction(I::at_label, static_cast<std::int32_t>(found - places.begin()), e.process));
}

void Compiler::emit_remote_variable(const Expression& e, std::uint32_t process, Code& code) {
  emit_remote_process(e, process, code);
  const Variable& v = program_.processes[e.process].variables[e.reference.variable];
  code.push_back(instruction(I::address_remote,
                             static_cast<std::int32_t>(locals_[e.process].offsets[e.reference.variable]), e.process));
  if (v.length && !e.reference.segments[0].index.empty()) {
    emit(e.reference.segments[0].index[0], process, code);
    code.push_back(instruction(I::index, static_cast<std::int32_t>(size_of(v.type, true)), *v.length));
  }
  code.push_back(instruction(I::load, 0, 0, encoding_of(v.type, v.length.has_value())));
}

void Compiler::emit(const Expression& e, std::uint32_t process, Code& code) {
  switch (e.op) {
    case Op::number: return code.push_back(instruction(I::push, e.value));
    case Op::variable: return emit_value(e.reference, process, code);
    case Op::logical_and:
    case Op::logical_or: return emit_logical(e, process, code);
    case Op::conditional: return emit_conditional(e, process, code);
    case Op::length:
    case Op::full:
    case Op::empty:
    case Op::not_full:
    case Op::not_empty:
      emit_value(e.reference, process, code);
      return code.push_back(instruction(instruction_of(e.op)));
    case Op::poll: return emit_poll(e, process, code);
    case Op::timeout: out_.uses_timeout = true; return code.push_back(instruction(I::timeout));
    case Op::non_progress: return code.push_back(instruction(I::non_progress));
    case Op::remote_label: return emit_remote_label(e, process, code);
    case Op::remote_variable: return emit_remote_variable(e, process, code);
    case Op::run: return unsupported(e.place, "'run' inside an expression");
    case Op::enabled: return unsupported(e.place, "'enabled'");
    case Op::pc_value: return unsupported(e.place, "'pc_value'");
    default:
      for (const Expression& operand : e.operands) emit(operand, process, code);
      code.push_back(instruction(instruction_of(e.op)));
  }
}

// ---- statements

std::vector<CompiledPattern> Compiler::patterns(const std::vector<Pattern>& list, std::uint32_t process) {
  std::vector<CompiledPattern> out;
  for (const Pattern& p : list) {
    CompiledPattern made;
    if (p.kind != Pattern::Kind::variable) {
      made.match = true;
      made.code = expression(p.expression, process);
    } else if (p.reference.scope == Reference::Scope::predefined) {
      made.drop = true;
    } else if (p.reference.type.base == Type::Base::user) {  // all its fields
      std::vector<Leaf> fields;
      leaves(p.reference.type, false, 0, fields);
      for (const Leaf& f : fields) {
        Target t = target(p.reference, process);
        t.address[0].b += static_cast<std::int32_t>(f.offset);
        out.push_back({false, false, std::move(t.address), f.encoding});
      }
      continue;
    } else {
      Target t = target(p.reference, process);
      made.code = std::move(t.address);
      made.encoding = t.encoding;
    }
    out.push_back(std::move(made));
  }
  return out;
}

// A structure stands for all its fields.
void Compiler::send(const Statement& s, std::uint32_t process, Operation& op) {
  op.kind = Operation::Kind::send;
  op.sorted = s.sorted;
  op.code = value(s.target, process);
  for (const Expression& e : s.messages) {
    if (e.op != Op::variable || e.reference.type.base != Type::Base::user) {
      op.arguments.push_back(expression(e, process));
      continue;
    }
    std::vector<Leaf> fields;
    leaves(e.reference.type, false, 0, fields);
    for (const Leaf& f : fields) {
      Code code;
      emit_address(e.reference, process, code);
      if (code.empty()) return;
      code[0].b += static_cast<std::int32_t>(f.offset);
      code.push_back(instruction(I::load, 0, 0, f.encoding));
      remember(code);
      op.arguments.push_back(std::move(code));
    }
  }
}

void Compiler::run_arguments(const Expression& e, std::uint32_t process, Operation& op) {
  op.process = e.process;
  for (const Expression& argument : e.operands) {
    if (argument.op == Op::variable && argument.reference.type.base == Type::Base::user)
      unsupported(argument.place, "a structure as an argument of run");
    else
      op.arguments.push_back(expression(argument, process));
  }
}

// A `run` is an operation of its own, as a condition and as the value of an assignment.
void Compiler::value_or_run(const Expression& e, Operation::Kind value, Operation::Kind run, std::uint32_t process,
                            Operation& op) {
  op.kind = e.op == Op::run ? run : value;
  if (e.op == Op::run)
    run_arguments(e, process, op);
  else
    op.code = expression(e, process);
}

void Compiler::statement(const Statement& s, std::uint32_t process, Operation& op) {
  switch (s.kind) {
    case Statement::Kind::condition:
      return value_or_run(s.value, Operation::Kind::condition, Operation::Kind::run, process, op);
    case Statement::Kind::assignment:
      if (s.target.scope != Reference::Scope::predefined) op.store = target(s.target, process);
      return value_or_run(s.value, Operation::Kind::assign, Operation::Kind::assign_run, process, op);
    case Statement::Kind::increment:
    case Statement::Kind::decrement:
      op.kind = Operation::Kind::assign;
      op.store = target(s.target, process);
      op.code = value(s.target, process);
      op.code.push_back(instruction(I::push, 1));
      op.code.push_back(instruction(s.kind == Statement::Kind::increment ? I::plus : I::minus));
      remember(op.code);
      return;
    case Statement::Kind::send: return send(s, process, op);
    case Statement::Kind::receive:
      op.kind = Operation::Kind::receive;
      op.random = s.random;
      op.peek = s.peek;
      op.code = value(s.target, process);
      op.patterns = patterns(s.patterns, process);
      return;
    case Statement::Kind::assertion:
      op.kind = Operation::Kind::assertion;
      op.code = expression(s.value, process);
      return;
    default: op.kind = Operation::Kind::skip;
  }
}

Operation Compiler::operation(const Flow::Edge& edge, std::uint32_t process) {
  Operation op;
  op.target = edge.target;
  op.atomic = edge.atomic;
  op.statement = static_cast<std::uint32_t>(out_.statements.size());
  ShownStatement shown;
  shown.process = process;
  shown.source = edge.statement;
  if (edge.statement != nullptr) {
    shown.place = edge.statement->place;
    shown.line = source_.line_number(shown.place);
  }
  shown.text = edge.statement != nullptr ? brief(*edge.statement) : "end";
  switch (edge.kind) {
    case Flow::Edge::Kind::statement:
      check(edge.statement != nullptr, "an edge that executes a statement has one");
      statement(*edge.statement, process, op);
      break;
    case Flow::Edge::Kind::skip: op.kind = Operation::Kind::skip; break;
    case Flow::Edge::Kind::otherwise: op.kind = Operation::Kind::otherwise; break;
    case Flow::Edge::Kind::d_step:
      op.kind = Operation::Kind::d_step;
      op.process = edge.d_step;
      op.d_step_id = edge.d_step_id;
      shown.d_step = true;
      break;
    case Flow::Edge::Kind::finish:
      op.kind = Operation::Kind::finish;
      shown.finishes = true;
      break;
  }
  out_.statements.push_back(std::move(shown));
  return op;
}

// Which variables are set when the process starts: all but those whose declaration is executed later.
static void executed_variables(const Sequence& body, std::vector<bool>& out) {
  for (const Statement& s : body) {
    if (s.kind == Statement::Kind::declaration && s.executed)
      for (const auto v : s.variables) out[v] = true;
    executed_variables(s.body, out);
    for (const auto& b : s.branches) executed_variables(b, out);
  }
}

void Compiler::process(std::uint32_t index) {
  const Process& p = program_.processes[index];
  CompiledProcess& made = out_.processes[index];
  made.frame_bytes = locals_[index].bytes;
  std::vector<bool> executed(p.variables.size());
  executed_variables(p.body, executed);
  for (std::uint32_t i = 0; i < p.variables.size(); ++i) {
    const Variable& v = p.variables[i];
    const std::uint32_t offset = locals_[index].offsets[i];
    if (locals_[index].bytes <= kMostBytes) named_leaves(v, offset, i, made.locals);
    if (i < p.parameters) {
      if (v.type.base == Type::Base::user) unsupported(v.place, "a structure as a parameter");
      Target t;
      t.address = {instruction(I::address_local, static_cast<std::int32_t>(offset))};
      t.encoding = encoding_of(v.type, false);
      made.parameters.push_back(std::move(t));
    } else {
      initials(v, offset, false, p.name + "." + v.name, index, !executed[i], made.initial);
    }
  }
  if (!p.provided.empty()) made.provided = expression(p.provided[0], index);
  if (p.kind != Process::Kind::proctype && p.kind != Process::Kind::init) return;
  for (const Flow::Place& place : made.flow.places) {
    std::vector<Operation> operations;
    for (const Flow::Edge& edge : place.edges) {
      operations.push_back(operation(edge, index));
      if (edge.statement == nullptr) out_.statements.back().line = place.line;
    }
    made.places.push_back(std::move(operations));
    made.escapes.push_back(place.escapes);
  }
}

Compiled& Compiler::run() {
  if (report_.failed()) return out_;
  if (program_.processes.size() > 250) report_.error(program_.processes.back().place, "there are too many proctypes");
  out_.processes.reserve(program_.processes.size());  // flows are pointed into
  std::vector<std::set<std::string>> referenced(program_.processes.size());
  for_each_expression(program_, [&](const Expression& e) {
    if (e.op == Op::remote_label && e.process != kNone) referenced[e.process].insert(e.label);
  });
  for (const Process& p : program_.processes) {
    const auto& labels = referenced[out_.processes.size()];
    out_.processes.emplace_back();
    out_.processes.back().flow = make_flow(program_, p, labels, source_, report_);
    if (out_.processes.back().flow.places.size() > 65000) report_.error(p.place, "this process is too long");
  }
  for (std::uint32_t i = 0; i < program_.globals.size(); ++i) {
    const Variable& v = program_.globals[i];
    if (globals_.bytes <= kMostBytes) named_leaves(v, globals_.offsets[i], i, out_.globals);
    initials(v, globals_.offsets[i], true, v.name, kNone, true, out_.initial);
  }
  for (std::uint32_t i = 0; i < program_.processes.size(); ++i) process(i);
  return out_;
}

}  // namespace surety::promela
