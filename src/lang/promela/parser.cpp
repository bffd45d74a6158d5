#include "lang/promela/parser.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "lang/promela/tree_walk.hpp"

namespace surety::promela {
namespace {

constexpr int kDeepest = 300;
constexpr std::uint32_t kLongestArray = 65535;

}  // namespace

bool starts_unit(Kind kind) {
  switch (kind) {
    case Kind::k_active:
    case Kind::k_proctype:
    case Kind::k_d_proctype:
    case Kind::k_init:
    case Kind::k_never:
    case Kind::k_trace:
    case Kind::k_notrace:
    case Kind::k_ltl:
    case Kind::k_typedef:
    case Kind::k_inline: return true;
    default: return false;
  }
}

Parser::Parser(const Source& source, Report& report)
    : ParserBase(source, report, tokens(source.text, report), kDeepest) {
  program_.mtype_sets.emplace_back();
}

Program Parser::run() {
  while (!at_end() && !report_.full()) {
    const std::size_t start = next_;
    broken_ = false;
    unit();
    process_ = nullptr;
    scopes_.clear();
    waiting_.clear();
    in_ltl_ = false;
    if (resume(start, [this] { return starts_unit(peek().kind) && peek().first_on_line; })) doubt(start, next_);
  }
  ltl_formulas();
  check_later();
  return std::move(program_);
}

void Parser::unit() {
  const Token token = peek();
  switch (token.kind) {
    case Kind::semicolon:
    case Kind::arrow: take(); return;
    case Kind::k_typedef: return typedef_unit();
    case Kind::k_inline: return inline_unit();
    case Kind::k_active:
    case Kind::k_proctype: return proctype_unit();
    case Kind::k_init: return init_unit();
    case Kind::k_never: return never_unit();
    case Kind::k_trace:
    case Kind::k_notrace: return trace_unit();
    case Kind::k_ltl: return ltl_unit();
    case Kind::k_d_proctype: return refuse(token, "D_proctype");
    case Kind::k_c_code:
    case Kind::k_c_decl:
    case Kind::k_c_expr:
    case Kind::k_c_state:
    case Kind::k_c_track: return refuse(token, "embedded C code");
    default: break;
  }
  if (at_mtype_constants()) return mtype_constants();
  if (at_declaration()) {
    for (auto& v : variables(false)) declare_global(std::move(v));
    if (!panic_ && !at(Kind::semicolon) && !at(Kind::arrow) && !at(Kind::end) && !peek().first_on_line &&
        !starts_unit(peek().kind))
      fail_here("';' after the declaration");
    return;
  }
  if (token.kind == Kind::curly_close) return fail(token, "this '}' closes nothing", "is there a '{' missing before?");
  std::string hint = "a proctype, init, never, ltl, typedef, inline, mtype or a declaration stands here";
  if (token.kind == Kind::name) {
    const std::vector<std::string> words = {"proctype", "active",   "init", "never", "ltl",     "typedef",
                                            "inline",   "mtype",    "byte", "bit",   "bool",    "short",
                                            "int",      "unsigned", "chan", "trace", "notrace", "hidden"};
    if (auto meant = did_you_mean(token.text, words); !meant.empty()) hint = std::move(meant);
  }
  fail(token, fmt::format("expected a declaration or a process, found {}", shown(token)), hint);
}

void Parser::refuse(const Token& token, std::string_view construct) {
  fail(token, fmt::format("{} is not supported", construct), "see the manual for what of Promela is");
}

// ---- types and inlines

void Parser::typedef_unit() {
  take();
  const Token name = expect(Kind::name, "the name of a type");
  UserType made{std::string(name.text), {}, name.place};
  expect(Kind::curly_open, "'{'", "a type is written typedef T { byte a; byte b }");
  while (!panic_ && !at(Kind::curly_close)) {
    if (!at_declaration()) return fail_here("a field", "a field is declared as a variable is");
    for (auto& v : variables(false, true)) made.fields.push_back(std::move(v));
    while (accept(Kind::semicolon)) {
    }
  }
  expect(Kind::curly_close, "'}'");
  if (panic_) return;
  if (made.fields.empty()) complain(name.place, fmt::format("the type '{}' has no fields", name.text));
  std::set<std::string_view> seen;
  for (const auto& field : made.fields)
    if (!seen.insert(field.name).second)
      complain(field.place, fmt::format("the type '{}' has two fields '{}'", made.name, field.name));
  if (!types_.try_emplace(made.name, static_cast<std::uint32_t>(program_.types.size())).second)
    return complain(name.place, fmt::format("'{}' is already defined", made.name), "choose another name");
  program_.units.push_back({Unit::Kind::type, static_cast<std::uint32_t>(program_.types.size()), 0, 0});
  program_.types.push_back(std::move(made));
}

void Parser::inline_unit() {
  take();
  const Token name = expect(Kind::name, "the name of an inline");
  expect(Kind::round_open, "'('", "an inline has parentheses even without parameters");
  Inline made;
  made.place = name.place;
  while (!panic_ && !at(Kind::round_close)) {
    made.parameters.push_back(expect(Kind::name, "a parameter", "parameters of an inline have no types").text);
    if (!accept(Kind::comma)) break;
  }
  expect(Kind::round_close, "')'");
  const Token open = peek();
  if (!at(Kind::curly_open)) return fail_here("'{'");
  int depth = 0;
  do {
    if (at(Kind::end)) return fail(open, "this '{' has no '}'");
    depth += at(Kind::curly_open) ? 1 : at(Kind::curly_close) ? -1 : 0;
    made.body.push_back(take());
  } while (depth > 0);
  if (panic_) return;
  if (!inlines_.try_emplace(std::string(name.text), std::move(made)).second)
    complain(name.place, fmt::format("the inline '{}' is already defined", name.text), "choose another name");
}

// ---- processes

void Parser::proctype_unit() {
  Process process;
  if (accept(Kind::k_active)) {
    process.active = 1;
    if (accept(Kind::square_open)) {
      process.active = count("a number of processes", 0);
      if (process.active > 255) complain(peek().place, "there can be 255 processes at most");
      expect(Kind::square_close, "']'");
    }
    if (at(Kind::k_d_proctype)) return refuse(peek(), "D_proctype");
  }
  expect(Kind::k_proctype, "'proctype'");
  const Token name = expect(Kind::name, "the name of the proctype");
  if (panic_) return;
  process.name = name.text;
  process.place = name.place;
  proctypes_.insert(process.name);
  process_ = &process;
  scopes_.assign(1, {});
  expect(Kind::round_open, "'('", "a proctype has parentheses even without parameters");
  while (!panic_ && !at(Kind::round_close)) {
    if (!at_declaration()) return fail_here("a parameter with its type", "write proctype P(byte a, b; chan c)");
    for (auto& v : variables(true)) declare_local(std::move(v));
    if (!accept(Kind::semicolon) && !accept(Kind::comma)) break;
  }
  process.parameters = static_cast<std::uint32_t>(process.variables.size());
  expect(Kind::round_close, "')'");
  if (at(Kind::k_priority)) return refuse(peek(), "priority");
  if (accept(Kind::k_provided)) {
    expect(Kind::round_open, "'('", "write provided (condition)");
    process.provided.push_back(expression());
    check_provided(process.provided.back());
    expect(Kind::round_close, "')'");
  }
  body_of(process);
  add_process(std::move(process), name);
}

// SPIN calls a clause about anything of a process invalid, and goes on without it.
void Parser::check_provided(const Expression& e) {
  if (e.op == Expression::Op::remote_variable || e.reference.scope == Reference::Scope::local)
    complain(e.place, "a provided clause cannot use a variable of a process", "it can use globals and _pid");
  for (const Expression& operand : e.operands) check_provided(operand);
}

void Parser::init_unit() {
  const Token word = take();
  if (at(Kind::k_priority)) return refuse(peek(), "priority");
  Process process;
  process.kind = Process::Kind::init;
  process.name = "init";
  process.active = 1;
  read_process(std::move(process), word);
}

void Parser::never_unit() {
  const Token word = take();
  Process process;
  process.kind = Process::Kind::never;
  process.name = at(Kind::name) ? std::string(take().text) : fmt::format("never_{}", claims_);
  ++claims_;
  read_process(std::move(process), word);
}

void Parser::trace_unit() {
  const Token word = take();
  Process process;
  process.kind = word.kind == Kind::k_trace ? Process::Kind::trace : Process::Kind::notrace;
  process.name = word.text;
  read_process(std::move(process), word);
}

void Parser::read_process(Process process, const Token& word) {
  process.place = word.place;
  body_of(process);
  add_process(std::move(process), word);
}

void Parser::body_of(Process& process) {
  process_ = &process;
  scopes_.resize(std::max<std::size_t>(1, scopes_.size()));
  reported_.clear();
  initialise_at_start_ = true;
  loops_ = 0;
  const Token open = expect(Kind::curly_open, "'{'");
  waiting_.push_back(Kind::curly_close);
  process.body = sequence();
  while (!panic_ && !at(Kind::curly_close)) {
    const bool over = at(Kind::end) || starts_unit(peek().kind);
    fail_here("';' or '}'",
              over ? fmt::format("the '{{' of line {} is still open", source_.line_number(open.place)) : "");
    if (over) return;
    panic_ = false;  // a fi, od or :: that belongs to nothing
    take();
    sequence();
  }
  waiting_.pop_back();
  expect(Kind::curly_close, "'}'");
  if (broken_) return;
  if (process.body.empty()) complain(open.place, "a process needs a statement", "write { skip }");
  name_labels(process);
}

void Parser::add_process(Process process, const Token& name) {
  if (broken_) return;
  const bool twice = std::ranges::any_of(
      program_.processes, [&](const Process& p) { return p.name == process.name && p.kind == process.kind; });
  if (twice && (process.kind == Process::Kind::proctype || process.kind == Process::Kind::init))
    return complain(name.place, fmt::format("'{}' is already defined", process.name), "choose another name");
  program_.units.push_back({Unit::Kind::process, static_cast<std::uint32_t>(program_.processes.size()), 0, 0});
  program_.processes.push_back(std::move(process));
}

// A formula can use what is declared after it, so it is read when all else has been.
void Parser::ltl_unit() {
  const Token word = take();
  LtlBlock made;
  made.place = word.place;
  if (at(Kind::name)) {
    const Token name = take();
    made.name = name.text;
    made.place = name.place;
  }
  const Token open = peek();
  expect(Kind::curly_open, "'{'", "write ltl name { [] (x == 0) }");
  if (panic_) return;
  const std::size_t begin = next_;
  for (int depth = 1; depth > 0; take()) {
    if (at(Kind::end)) return fail(open, "this '{' has no '}'");
    depth += at(Kind::curly_open) ? 1 : at(Kind::curly_close) ? -1 : 0;
  }
  if (made.name.empty()) made.name = fmt::format("ltl_{}", nameless_formulas_++);
  const auto index = static_cast<std::uint32_t>(program_.formulas.size());
  ltl_.push_back({index, begin});
  program_.units.push_back({Unit::Kind::ltl, index, 0, 0});
  program_.formulas.push_back(std::move(made));
}

void Parser::ltl_formulas() {
  for (const auto& [formula, begin] : ltl_) {
    panic_ = false;
    in_ltl_ = true;
    next_ = begin;
    reported_.clear();
    Expression e = expression();
    accept(Kind::semicolon);
    if (!panic_ && !at(Kind::curly_close)) fail_here("an operator or '}'");
    program_.formulas[formula].formula = std::move(e);
  }
  panic_ = in_ltl_ = false;
}

// ---- declarations

bool Parser::at_type() const {
  switch (peek().kind) {
    case Kind::k_bit:
    case Kind::k_bool:
    case Kind::k_byte:
    case Kind::k_pid:
    case Kind::k_short:
    case Kind::k_int:
    case Kind::k_unsigned:
    case Kind::k_mtype:
    case Kind::k_chan: return true;
    case Kind::name: return types_.contains(peek().text);
    default: return false;
  }
}

bool Parser::at_declaration() const { return at(Kind::k_hidden) || at(Kind::k_show) || at(Kind::k_local) || at_type(); }

Type Parser::type() {
  const Token token = take();
  Type out;
  switch (token.kind) {
    case Kind::k_bit: out.base = Type::Base::bit; break;
    case Kind::k_bool: out.base = Type::Base::boolean; break;
    case Kind::k_byte: out.base = Type::Base::byte; break;
    case Kind::k_pid: out.base = Type::Base::pid; break;
    case Kind::k_short: out.base = Type::Base::short_int; break;
    case Kind::k_int: out.base = Type::Base::integer; break;
    case Kind::k_unsigned: out.base = Type::Base::unsigned_int; break;
    case Kind::k_chan: out.base = Type::Base::channel; break;
    case Kind::k_mtype:
      out.base = Type::Base::mtype;
      if (accept(Kind::colon)) {
        const Token set = expect(Kind::name, "the name of an mtype");
        const auto found = std::ranges::find(program_.mtype_sets, set.text, &MtypeSet::name);
        if (found == program_.mtype_sets.end() && !panic_)
          complain(set.place, fmt::format("there is no mtype:{}", set.text),
                   fmt::format("declare it: mtype:{} = {{ ... }}", set.text));
        else
          out.index = static_cast<std::uint32_t>(found - program_.mtype_sets.begin());
      }
      break;
    default: out.base = Type::Base::user; out.index = types_.find(token.text)->second;
  }
  return out;
}

// mtype = { a, b }, mtype { a, b }, mtype:set = { a, b }
bool Parser::at_mtype_constants() const {
  if (!at(Kind::k_mtype)) return false;
  const std::size_t after = peek(1).kind == Kind::colon ? 3 : 1;
  return peek(after).kind == Kind::becomes || peek(after).kind == Kind::curly_open;
}

void Parser::mtype_constants() {
  take();
  std::string set_name;
  if (accept(Kind::colon)) set_name = std::string(expect(Kind::name, "the name of the mtype").text);
  accept(Kind::becomes);
  expect(Kind::curly_open, "'{'");
  std::vector<Token> names;
  while (!panic_ && !at(Kind::curly_close)) {
    names.push_back(expect(Kind::name, "a name"));
    accept(Kind::comma);
  }
  expect(Kind::curly_close, "'}'");
  if (panic_) return;
  auto found = std::ranges::find(program_.mtype_sets, set_name, &MtypeSet::name);
  if (found == program_.mtype_sets.end())
    found = program_.mtype_sets.insert(found, MtypeSet{std::move(set_name), {}, {}});
  MtypeSet& set = *found;
  const auto index = static_cast<std::uint32_t>(found - program_.mtype_sets.begin());
  const std::size_t before = set.names.size();
  if (before + names.size() > 255) return complain(names.front().place, "an mtype can have 255 names at most");
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto value = static_cast<std::int32_t>(before + names.size() - i);
    if (!mtypes_.try_emplace(std::string(names[i].text), MtypeName{index, value}).second ||
        globals_.contains(names[i].text))
      complain(names[i].place, fmt::format("'{}' is already defined", names[i].text), "choose another name");
    set.names.emplace_back(names[i].text);
    set.values.push_back(value);
  }
  program_.units.push_back(
      {Unit::Kind::mtype, index, static_cast<std::uint32_t>(before), static_cast<std::uint32_t>(names.size())});
}

// One declaration, up to its separator.
std::vector<Variable> Parser::variables(bool in_parameters, bool fields) {
  Variable::Visibility visibility = Variable::Visibility::plain;
  if (accept(Kind::k_hidden))
    visibility = Variable::Visibility::hidden;
  else if (accept(Kind::k_show))
    visibility = Variable::Visibility::show;
  else if (accept(Kind::k_local))
    visibility = Variable::Visibility::local;
  std::vector<Variable> out;
  if (!at_type()) {
    fail_here("a type");
    return out;
  }
  const Type declared = type();
  do {
    out.push_back(variable(declared, visibility, in_parameters, fields));
    if (in_parameters && at(Kind::comma) && peek(1).kind != Kind::name) break;
  } while (!panic_ && accept(Kind::comma));
  return out;
}

Variable Parser::variable(Type declared, Variable::Visibility visibility, bool in_parameters, bool fields) {
  Variable v;
  v.type = declared;
  v.visibility = visibility;
  const Token name = expect(Kind::name, "the name of a variable");
  v.name = name.text;
  v.place = name.place;
  if (accept(Kind::colon)) {
    const Token width = expect(Kind::integer, "a number of bits");
    if (v.type.base != Type::Base::unsigned_int)
      complain(width.place, "only an unsigned variable has a number of bits", "write unsigned x : 3");
    else if (width.value < 1 || width.value > 32)
      complain(width.place, "an unsigned variable has 1 to 32 bits");
    v.type.width = static_cast<std::uint8_t>(std::clamp<std::int64_t>(width.value, 1, 32));
  } else if (v.type.base == Type::Base::unsigned_int && !panic_) {
    complain(name.place, "an unsigned variable needs its number of bits", fmt::format("write unsigned {} : 3", v.name));
    v.type.width = 32;
  }
  if (accept(Kind::square_open)) {
    v.length = count("the length of an array", 1);
    if (*v.length > kLongestArray) {
      complain(name.place, "this array is too long", fmt::format("{} elements at most", kLongestArray));
      v.length = 1;
    }
    expect(Kind::square_close, "']'");
    if (in_parameters) complain(name.place, "an array cannot be a parameter");
  }
  if (!accept(Kind::becomes)) return v;
  if (in_parameters) complain(name.place, "a parameter has no initial value");
  if (at(Kind::square_open)) {
    v.channel = channel_init();
    if (v.type.base != Type::Base::channel) complain(name.place, "only a chan has a message type", "write chan");
  } else if (accept(Kind::curly_open)) {
    v.list = true;
    do v.initial.push_back(expression());
    while (!panic_ && accept(Kind::comma));
    expect(Kind::curly_close, "'}'");
    if (!v.length)
      complain(name.place, fmt::format("'{}' is no array", v.name), "a list of values is for an array");
    else if (v.initial.size() > *v.length)
      complain(name.place, "there are more values than elements");
    else if (v.initial.size() < *v.length)
      complain(name.place, "there are fewer values than elements");
  } else {
    v.initial.push_back(expression());
    check_scalar(v.initial.back());
  }
  if (declared.base == Type::Base::user) complain(name.place, "a variable of a user type has no initial value");
  (void)fields;
  return v;
}

ChannelInit Parser::channel_init() {
  ChannelInit out;
  out.place = take().place;
  out.capacity = count("the capacity of a channel", 0);
  if (out.capacity > 255) complain(out.place, "a channel holds 255 messages at most");
  expect(Kind::square_close, "']'");
  expect(Kind::k_of, "'of'", "write [2] of { byte }");
  expect(Kind::curly_open, "'{'", "write [2] of { byte }");
  while (!panic_) {
    if (!at_type()) {
      fail_here("the type of a message field");
      break;
    }
    const Token start = peek();
    out.fields.push_back(type());
    if (out.fields.back().base == Type::Base::unsigned_int)
      complain(start.place, "unsigned cannot be the type of a message field", "use byte, short or int");
    if (!accept(Kind::comma)) break;
  }
  expect(Kind::curly_close, "'}'");
  return out;
}

// A constant expression. As in SPIN, the initial value of a variable counts as one.
std::optional<std::int32_t> Parser::constant(const Expression& e) const {
  using Op = Expression::Op;
  if (e.op == Op::number) return e.value;
  if (e.op == Op::variable) {
    const Variable* v = variable_of(e.reference);
    if (v == nullptr || v->initial.size() != 1 || v->length) return {};
    return constant(v->initial[0]);
  }
  if (e.operands.empty()) return {};
  const auto a = constant(e.operands[0]);
  if (!a) return {};
  if (e.op == Op::negate) return static_cast<std::int32_t>(-static_cast<std::int64_t>(*a));
  if (e.operands.size() < 2) return {};
  const auto b = constant(e.operands[1]);
  if (!b) return {};
  const std::int64_t x = *a, y = *b;
  std::int64_t value = 0;
  switch (e.op) {
    case Op::plus: value = x + y; break;
    case Op::minus: value = x - y; break;
    case Op::times: value = x * y; break;
    case Op::divide:
      if (y == 0) return {};
      value = x / y;
      break;
    case Op::modulo:
      if (y == 0) return {};
      value = x % y;
      break;
    default: return {};
  }
  return static_cast<std::int32_t>(value);
}

std::uint32_t Parser::count(std::string_view what, std::int32_t least) {
  const Token start = peek();
  const Expression e = expression();
  if (panic_) return static_cast<std::uint32_t>(least);
  const auto value = constant(e);
  if (!value)
    complain(start.place, fmt::format("{} must be a constant", what));
  else if (*value < least)
    complain(start.place, fmt::format("{} cannot be {}", what, *value));
  return static_cast<std::uint32_t>(value && *value >= least ? *value : least);
}

void Parser::check_new_name(const Variable& v) {
  if (mtypes_.contains(v.name))
    complain(v.place, fmt::format("'{}' is the name of an mtype constant", v.name), "choose another name");
}

std::uint32_t Parser::declare_global(Variable v) {
  if (panic_) return kNone;
  check_new_name(v);
  const auto index = static_cast<std::uint32_t>(program_.globals.size());
  if (!globals_.try_emplace(v.name, index).second) {
    complain(v.place, fmt::format("'{}' is already declared", v.name), "choose another name");
    return kNone;
  }
  program_.units.push_back({Unit::Kind::global, index, 0, 0});
  program_.globals.push_back(std::move(v));
  return index;
}

std::uint32_t Parser::declare_local(Variable v) {
  if (panic_) return kNone;
  check_new_name(v);
  const auto index = static_cast<std::uint32_t>(process_->variables.size());
  const bool visible = globals_.contains(v.name) ||
                       std::ranges::any_of(scopes_, [&](const ScopeNames& names) { return names.contains(v.name); });
  if (visible) {  // SPIN lets no variable hide another
    complain(v.place, fmt::format("'{}' is already declared", v.name), "choose another name");
    return kNone;
  }
  scopes_.back().emplace(v.name, index);
  process_->variables.push_back(std::move(v));
  return index;
}

// ---- names that are looked up at the end

namespace {

bool has_label(const Sequence& body, std::string_view name) {
  return std::ranges::any_of(body, [&](const Statement& s) {
    return std::ranges::any_of(s.labels, [&](const Label& l) { return l.name == name; }) || has_label(s.body, name) ||
           std::ranges::any_of(s.branches, [&](const Sequence& b) { return has_label(b, name); });
  });
}

void label_names(const Sequence& body, std::vector<std::string>& out) {
  for (const Statement& s : body) {
    for (const auto& l : s.labels) out.push_back(l.name);
    label_names(s.body, out);
    for (const auto& b : s.branches) label_names(b, out);
  }
}

}  // namespace

// run P(...), P@label, P:x
void Parser::check_later() {
  std::vector<std::string> names;
  for (const auto& p : program_.processes)
    if (p.kind == Process::Kind::proctype) names.push_back(p.name);
  const auto check = [&](Expression& e) {
    using Op = Expression::Op;
    if (e.op != Op::run && e.op != Op::remote_label && e.op != Op::remote_variable) return;
    e.process = program_.find_process(e.name);
    if (e.process == kNone) {
      if (!report_.failed() || !proctypes_.contains(e.name))  // else it is there, and wrong
        complain(e.place, fmt::format("there is no proctype '{}'", e.name), did_you_mean(e.name, names));
      return;
    }
    const Process& p = program_.processes[e.process];
    if (e.op == Op::run && e.operands.size() != p.parameters)
      complain(e.place, fmt::format("'{}' has {} parameter{}, {} given", p.name, p.parameters,
                                    p.parameters == 1 ? "" : "s", e.operands.size()));
    if (e.op == Op::remote_label && !has_label(p.body, e.label)) {
      std::vector<std::string> labels;
      label_names(p.body, labels);
      complain(e.place, fmt::format("'{}' has no label '{}'", p.name, e.label), did_you_mean(e.label, labels));
    }
    if (e.op == Op::remote_variable) {
      Reference& r = e.reference;
      const auto found = std::ranges::find(p.variables, r.segments[0].name, &Variable::name);
      if (found == p.variables.end())
        return complain(e.place, fmt::format("'{}' has no variable '{}'", p.name, r.segments[0].name));
      r.scope = Reference::Scope::local;
      r.variable = static_cast<std::uint32_t>(found - p.variables.begin());
      resolve_fields(r, &*found);
    }
  };
  for_each_expression(program_, check);
}

// ---- tokens

std::string Parser::hint_for(std::string_view expected) const {
  const bool taken = is_keyword(peek().kind) && expected.find("name") != std::string_view::npos;
  return taken ? fmt::format("'{}' is a keyword", peek().text) : "";
}

}  // namespace surety::promela
