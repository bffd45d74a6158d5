#include "lang/promela/net_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace surety::promela::net {
namespace {

using SK = Statement::Kind;
using Op = Expression::Op;

// Does the expression, or one inside it, satisfy the test?
template <class Test>
bool any_of(const Expression& e, Test test) {
  if (test(e)) return true;
  for (const auto& part : e.reference.parts)
    for (const Expression& index : part.index)
      if (any_of(index, test)) return true;
  for (const Expression& operand : e.operands)
    if (any_of(operand, test)) return true;
  for (const Pattern& p : e.patterns)
    if (any_of(p.expression, test)) return true;
  return false;
}

template <class Test>
bool any_in(const Reference& r, Test test) {
  if (r.parts.empty()) return false;
  Expression e;
  e.op = Op::variable;
  e.reference = r;
  return any_of(e, test);
}

template <class Test>
bool any_of(const Statement& s, Test test) {
  if (any_of(s.value, test) || any_of(s.upper, test) || any_in(s.target, test)) return true;
  for (const Expression& m : s.messages)
    if (any_of(m, test)) return true;
  for (const Pattern& p : s.patterns)
    if (any_of(p.expression, test) || any_in(p.reference, test)) return true;
  for (const Sequence& branch : s.branches)
    for (const Statement& inner : branch)
      if (any_of(inner, test)) return true;
  for (const Statement& inner : s.body)
    if (any_of(inner, test)) return true;
  return false;
}

template <class Test>
bool any_of(const Process& p, Test test) {
  return std::any_of(p.body.begin(), p.body.end(), [&](const Statement& s) { return any_of(s, test); });
}

bool is_run(const Expression& e) { return e.op == Op::run; }
bool is_pid(const Expression& e) {
  return e.op == Op::variable && e.reference.scope == Reference::Scope::predefined &&
         e.reference.parts[0].name == "_pid";
}
bool is_global(const Expression& e) { return e.op == Op::variable && e.reference.scope == Reference::Scope::global; }

class Starter {
 public:
  explicit Starter(const Program& program) { system_.program = &program; }

  tl::expected<System, Refusal> run() {
    const Program& program = *system_.program;
    system_.globals = Layout(program.globals, program);
    for (const Process& p : program.processes) {
      system_.locals.emplace_back(p.variables, program);
      system_.flows.push_back(flow_of(p));
    }
    system_.initial = start_values(system_.globals, nullptr, {});
    system_.set_by_init.assign(system_.initial.size(), false);
    for (const Unit& unit : program.units) {
      if (unit.kind != Unit::Kind::process) continue;
      const Process& p = program.processes[unit.index];
      const std::uint32_t copies = p.kind == Process::Kind::init ? 1 : p.active;
      for (std::uint32_t i = 0; i < copies; ++i) start(unit.index, {});
    }
    if (auto failed = run_init()) return tl::unexpected(std::move(*failed));
    for (const Instance& i : system_.instances) {
      const Process& p = program.processes[i.type];
      if (system_.flows[i.type].refusal) return tl::unexpected(*system_.flows[i.type].refusal);
      if (!p.provided.empty()) return tl::unexpected(Refusal{"provided", p.place});
      if (p.kind == Process::Kind::proctype && any_of(p, is_run))
        return tl::unexpected(Refusal{fmt::format("run in proctype {}", p.name), p.place});
    }
    name_instances();
    return std::move(system_);
  }

 private:
  void start(std::uint32_t type, Values arguments) {
    Instance instance;
    instance.type = type;
    instance.pid = static_cast<std::int32_t>(system_.instances.size());
    instance.node = system_.flows[type].start;
    instance.locals = start_values(system_.locals[type], &instance, arguments);
    system_.instances.push_back(std::move(instance));
    arguments_.push_back(std::move(arguments));
  }

  // Initial values, in the order of the declarations; channels are made on the way.
  Values start_values(const Layout& layout, const Instance* owner, const Values& arguments) {
    Values values(layout.slots().size(), 0);
    const Process* process = owner == nullptr ? nullptr : &system_.program->processes[owner->type];
    for (std::size_t i = 0; i < values.size(); ++i) {
      const Layout::Slot& slot = layout.slots()[i];
      const Variable& v = *slot.variable;
      if (i < arguments.size()) {
        values[i] = fit(slot.type, arguments[i]);
      } else if (v.channel) {
        system_.channels.push_back({slot.name, v.channel->capacity, v.channel->fields});
        values[i] = static_cast<std::int32_t>(system_.channels.size());
      } else if (!v.initial.empty()) {
        const Expression& e =
            v.list ? v.initial[std::min<std::size_t>(slot.element, v.initial.size() - 1)] : v.initial[0];
        Context context;
        context.get = [&](const Reference& r) -> std::int32_t {
          if (r.scope == Reference::Scope::predefined) return owner == nullptr ? 0 : owner->pid;
          const bool global = r.scope == Reference::Scope::global;
          const Layout& where = global ? system_.globals : layout;
          const auto at = where.find(r, [&](const Expression& index) { return evaluate(index, context); });
          if (!at) return 0;
          return global && process != nullptr ? system_.initial[*at] : values[*at];
        };
        values[i] = fit(slot.type, evaluate(e, context));
      }
    }
    return values;
  }

  // Executes init, alone, for as long as there is something left to start.
  std::optional<Refusal> run_init() {
    const Program& program = *system_.program;
    const auto init = std::find_if(system_.instances.begin(), system_.instances.end(), [&](const Instance& i) {
      return program.processes[i.type].kind == Process::Kind::init;
    });
    if (init == system_.instances.end()) return std::nullopt;
    const std::size_t which = static_cast<std::size_t>(init - system_.instances.begin());
    alone_ = system_.instances.size() == 1;
    for (int steps = 0; runs_ahead(which); ++steps) {
      if (steps > 100000)
        return Refusal{"an init that starts processes for ever",
                       program.processes[system_.instances[which].type].place};
      if (auto failed = init_step(which)) return failed;
    }
    for (const Instance& i : system_.instances)
      if (!alone_ && std::ptrdiff_t(&i - system_.instances.data()) >= std::ptrdiff_t(which) + 1 && started_late(i) &&
          any_of(program.processes[i.type], is_pid))
        return Refusal{"_pid of a process that init starts beside active ones", program.processes[i.type].place};
    return std::nullopt;
  }

  bool started_late(const Instance& i) const { return system_.program->processes[i.type].active == 0; }

  // Can init still come to a `run`?
  bool runs_ahead(std::size_t which) const {
    const Flow& flow = system_.flows[system_.instances[which].type];
    std::vector<std::uint32_t> todo{system_.instances[which].node};
    std::set<std::uint32_t> seen(todo.begin(), todo.end());
    while (!todo.empty()) {
      const std::uint32_t n = todo.back();
      todo.pop_back();
      for (const Edge& e : flow.nodes[n].edges) {
        if (e.statement != nullptr && any_of(*e.statement, is_run)) return true;
        if (seen.insert(e.target).second) todo.push_back(e.target);
      }
    }
    return false;
  }

  std::optional<Refusal> init_step(std::size_t which) {
    const Flow& flow = system_.flows[system_.instances[which].type];
    const Node& node = flow.nodes[system_.instances[which].node];
    const Edge* taken = nullptr;
    const Edge* otherwise = nullptr;
    for (const Edge& e : node.edges) {
      const Statement* s = e.statement;
      if (s != nullptr && s->kind == SK::else_branch) {
        otherwise = &e;
        continue;
      }
      if (s != nullptr && (s->kind == SK::send || s->kind == SK::receive))
        return Refusal{"a message of init before it has started all processes", s->place};
      if (s != nullptr && s->kind == SK::condition && s->value.op != Op::run && value(which, s->value) == 0) continue;
      if (taken != nullptr)
        return Refusal{"a choice of init before it has started all processes", s == nullptr ? Place{} : s->place};
      taken = &e;
    }
    if (taken == nullptr) taken = otherwise;
    if (taken == nullptr)
      return Refusal{"an init that waits before it has started all processes",
                     system_.program->processes[system_.instances[which].type].place};
    const Statement* s = taken->statement;
    if (s != nullptr && !private_enough(*s))
      return Refusal{"a global variable that init uses while others run already", s->place};
    // Control that is given away between two starts: from here on others may have moved.
    if (s != nullptr) execute(which, *s);
    if (failed_) return failed_;
    if (!taken->keep && system_.instances.size() > 1) interrupted_ = true;
    system_.instances[which].node = taken->target;
    return std::nullopt;
  }

  bool private_enough(const Statement& s) const { return (alone_ && !interrupted_) || !any_of(s, is_global); }

  void execute(std::size_t which, const Statement& s) {
    switch (s.kind) {
      case SK::condition:
      case SK::assignment:
      case SK::increment:
      case SK::decrement: break;
      case SK::print:
      case SK::else_branch: return;
      default: failed_ = Refusal{"what init does before it has started all processes", s.place}; return;
    }
    const auto add = s.kind == SK::increment ? 1 : -1;
    if (s.kind == SK::increment || s.kind == SK::decrement)
      assign(which, s.target, std::int64_t{get(which, s.target)} + add);
    else if (s.kind == SK::assignment)
      assign(which, s.target, value(which, s.value));
    else if (s.value.op == Op::run)
      start_from(which, s.value);
    else if (any_of(s, is_run))
      failed_ = Refusal{"a run inside an expression", s.place};
  }

  void start_from(std::size_t which, const Expression& run) {
    Values arguments;
    for (const Expression& e : run.operands) arguments.push_back(value(which, e));
    start(run.process, std::move(arguments));
  }

  std::int32_t value(std::size_t which, const Expression& e) {
    Context context;
    context.get = [&](const Reference& r) { return get(which, r); };
    context.other = [&](const Expression& odd) {
      failed_ = Refusal{
          odd.op == Op::run ? "a run inside an expression" : "what init asks before it has started all processes",
          odd.place};
      return 0;
    };
    return evaluate(e, context);
  }

  std::int32_t* place(std::size_t which, const Reference& r) {
    const bool global = r.scope == Reference::Scope::global;
    const Layout& layout = global ? system_.globals : system_.locals[system_.instances[which].type];
    const auto at = layout.find(r, [&](const Expression& index) { return value(which, index); });
    if (!at) {
      failed_ = Refusal{"an index out of bounds in init", r.place};
      return nullptr;
    }
    return global ? &system_.initial[*at] : &system_.instances[which].locals[*at];
  }

  std::int32_t get(std::size_t which, const Reference& r) {
    if (r.scope == Reference::Scope::predefined) {
      if (r.parts[0].name != "_pid") failed_ = Refusal{r.parts[0].name, r.place};
      return system_.instances[which].pid;
    }
    const std::int32_t* at = place(which, r);
    return at == nullptr ? 0 : *at;
  }

  void assign(std::size_t which, const Reference& r, std::int64_t to) {
    if (r.scope == Reference::Scope::predefined) return;
    std::int32_t* at = place(which, r);
    if (at == nullptr) return;
    *at = fit(r.type, to);
    if (r.scope == Reference::Scope::global)
      system_.set_by_init[static_cast<std::size_t>(at - system_.initial.data())] = true;
  }

  // Client(2) by its arguments; P.3 by its number where they do not tell.
  void name_instances() {
    std::map<std::string, int> of_type, of_name;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < system_.instances.size(); ++i) {
      const std::string& type = system_.program->processes[system_.instances[i].type].name;
      std::vector<std::string> shown;
      const Layout& layout = system_.locals[system_.instances[i].type];
      for (std::size_t a = 0; a < arguments_[i].size(); ++a) {
        const Type& t = layout.slots()[a].type;
        shown.push_back(t.base == Type::Base::channel && arguments_[i][a] > 0
                            ? system_.channels[static_cast<std::size_t>(arguments_[i][a]) - 1].name
                            : show(*system_.program, t, system_.instances[i].locals[a]));
      }
      names.push_back(shown.empty() ? type : fmt::format("{}({})", type, fmt::join(shown, ",")));
      ++of_type[type];
      ++of_name[names.back()];
    }
    for (std::size_t i = 0; i < system_.instances.size(); ++i) {
      const std::string& type = system_.program->processes[system_.instances[i].type].name;
      if (of_type[type] == 1)
        system_.instances[i].name = type;
      else
        system_.instances[i].name =
            of_name[names[i]] == 1 ? names[i] : fmt::format("{}.{}", type, system_.instances[i].pid);
    }
  }

  System system_;
  std::vector<Values> arguments_;
  bool alone_ = false;        // init is the only process at the start
  bool interrupted_ = false;  // others may have moved since init began to start them
  std::optional<Refusal> failed_;
};

std::int32_t binary(Op op, std::int64_t a, std::int64_t b, const Context& context) {
  switch (op) {
    case Op::times: return static_cast<std::int32_t>(a * b);
    case Op::divide:
    case Op::modulo:
      if (b == 0) {
        if (context.divided_by_zero != nullptr) *context.divided_by_zero = true;
        return 0;
      }
      return static_cast<std::int32_t>(op == Op::divide ? a / b : a % b);
    case Op::plus: return static_cast<std::int32_t>(a + b);
    case Op::minus: return static_cast<std::int32_t>(a - b);
    case Op::shift_left: return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) << (b & 31));
    case Op::shift_right: return static_cast<std::int32_t>(a) >> (b & 31);
    case Op::less: return a < b;
    case Op::greater: return a > b;
    case Op::less_equal: return a <= b;
    case Op::greater_equal: return a >= b;
    case Op::equal: return a == b;
    case Op::not_equal: return a != b;
    case Op::bit_and: return static_cast<std::int32_t>(a & b);
    case Op::bit_xor: return static_cast<std::int32_t>(a ^ b);
    case Op::bit_or: return static_cast<std::int32_t>(a | b);
    default: return 0;
  }
}

}  // namespace

std::int32_t evaluate(const Expression& e, const Context& context) {
  const auto operand = [&](std::size_t i) { return evaluate(e.operands[i], context); };
  switch (e.op) {
    case Op::number: return e.value;
    case Op::variable: return context.get ? context.get(e.reference) : 0;
    case Op::negate: return static_cast<std::int32_t>(-std::int64_t{operand(0)});
    case Op::complement: return ~operand(0);
    case Op::logical_not: return operand(0) == 0;
    case Op::logical_and: return operand(0) != 0 && operand(1) != 0;
    case Op::logical_or: return operand(0) != 0 || operand(1) != 0;
    case Op::conditional: return operand(0) != 0 ? operand(1) : operand(2);
    default: break;
  }
  if (e.op >= Op::times && e.op <= Op::bit_or) return binary(e.op, operand(0), operand(1), context);
  return context.other ? context.other(e) : 0;
}

std::string show(const Program& program, const Type& type, std::int32_t value) {
  if (type.base == Type::Base::mtype) {
    const MtypeSet& set = program.mtype_sets[type.index];
    for (std::size_t i = 0; i < set.names.size(); ++i)
      if (set.values[i] == value) return set.names[i];
  }
  return fmt::format("{}", value);
}

tl::expected<System, Refusal> system_of(const Program& program) { return Starter(program).run(); }

}  // namespace surety::promela::net
