#include "lang/promela/machine/flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace surety::promela {
namespace {

using Number = std::uint32_t;  // of an element

constexpr std::int64_t kMostOptions = 32;  // of a select that becomes an if

struct Chain {
  Number first = kNone, last = kNone;
};

struct Element {
  enum class Kind : std::uint8_t { basic, jump, dot, exit, choice, block, d_step, unless, stop };
  Kind kind = Kind::basic;
  const Statement* statement = nullptr;
  Number next = kNone;
  std::vector<Chain> inside;  // options, the body of a block, both sides of an unless
  std::string target;         // of a jump; empty: `exit`
  Number exit = kNone;
  bool atomic = false;  // the process keeps the floor after it
  bool last_atomic = false;
  Number d_step_id = 0;
  bool patched = false;
  std::vector<std::string> labels;
  std::vector<Number> escapes;
  std::uint32_t line = 0;
};

bool is_skip(const Element& e) {
  if (e.kind != Element::Kind::basic || e.statement == nullptr) return false;
  const Statement& s = *e.statement;
  return s.kind == Statement::Kind::print ||
         (s.kind == Statement::Kind::condition && s.value.op == Expression::Op::number && s.value.value == 1);
}

bool is_special(const std::string& label) {
  return label.starts_with("end") || label.starts_with("accept") || label.starts_with("progress");
}

class Builder {
 public:
  Builder(const Program& program, const Process& process, const std::set<std::string>& referenced, const Source& source,
          Report& report)
      : program_(program), process_(process), referenced_(referenced), source_(source), report_(report) {}

  Flow run() {
    Chain body;
    sequence(process_.body, body);
    const Number stop = add(Element::Kind::stop, nullptr, body);
    elements_[stop].line = body.first == kNone ? 0 : elements_[body.last].line;
    link(body);
    for (Number e = 0; e < elements_.size(); ++e)
      for (const auto& label : elements_[e].labels) labels_[label] = e;
    patch_jumps(body);
    make_places();
    flow_.start = hunt(body.first, elements_[body.first].atomic);
    return std::move(flow_);
  }

 private:
  // ---- elements

  Number make(Element::Kind kind, const Statement* statement) {
    Element e;
    e.kind = kind;
    e.statement = statement;
    if (statement != nullptr) e.line = source_.line_number(statement->place);
    elements_.push_back(std::move(e));
    return static_cast<Number>(elements_.size() - 1);
  }

  void append(Number e, Chain& chain) {
    if (chain.first == kNone)
      chain.first = e;
    else
      elements_[chain.last].next = e;
    chain.last = e;
  }

  Number add(Element::Kind kind, const Statement* statement, Chain& chain) {
    const Number e = make(kind, statement);
    append(e, chain);
    return e;
  }

  void sequence(const Sequence& body, Chain& chain) {
    for (const Statement& s : body) statement(s, chain);
  }

  // Where labels go: the element that stands for the statement.
  void put_labels(const Statement& s, Number e) {
    for (const Label& l : s.labels) elements_[e].labels.push_back(l.name);
  }

  void statement(const Statement& s, Chain& chain) {
    switch (s.kind) {
      case Statement::Kind::exclusive: return;
      case Statement::Kind::declaration: return declaration(s, chain);
      case Statement::Kind::selection: return put_labels(s, selection(s, s.branches, chain));
      case Statement::Kind::repetition: return put_labels(s, repetition(s, chain));
      case Statement::Kind::block:
      case Statement::Kind::atomic:
      case Statement::Kind::d_step: return put_labels(s, block(s, chain));
      case Statement::Kind::for_range:
      case Statement::Kind::for_in: return put_labels(s, for_loop(s, chain));
      case Statement::Kind::select: return put_labels(s, select(s, chain));
      case Statement::Kind::unless: return put_labels(s, unless(s, chain));
      case Statement::Kind::go_to:
      case Statement::Kind::break_out: return jump(s, chain);
      default: return put_labels(s, add(Element::Kind::basic, &s, chain));
    }
  }

  // A label that matters must stand on a place. A jump may be none, so the label gets a skip of its own.
  void jump(const Statement& s, Chain& chain) {
    const bool special = std::ranges::any_of(
        s.labels, [&](const Label& l) { return is_special(l.name) || referenced_.contains(l.name); });
    if (special) put_labels(s, add(Element::Kind::basic, made_skip(s), chain));
    const Number e = add(Element::Kind::jump, &s, chain);
    if (!special) put_labels(s, e);
    if (s.kind == Statement::Kind::go_to)
      elements_[e].target = s.name;
    else
      elements_[e].exit = exits_.back();
  }

  void declaration(const Statement& s, Chain& chain) {
    if (!s.executed) return;
    for (const auto index : s.variables) {
      const Variable& v = process_.variables[index];
      if (v.type.base == Type::Base::user) continue;
      Expression value;
      value.place = v.place;
      if (!v.initial.empty()) value = v.initial[0];
      add(Element::Kind::basic, assignment(s, local(index), std::move(value)), chain);
    }
  }

  Number selection(const Statement& s, const std::vector<Sequence>& branches, Chain& chain) {
    const Number e = make(Element::Kind::choice, &s), after = make(Element::Kind::dot, &s);
    options(branches, e, after);
    append(e, chain);
    append(after, chain);
    return e;
  }

  Number repetition(const Statement& s, Chain& chain) {
    return loop(s, chain, [&](Number e, Number again) { options(s.branches, e, again); });
  }

  template <class Fill>
  Number loop(const Statement& s, Chain& chain, const Fill& fill) {
    const Number e = make(Element::Kind::choice, &s), again = make(Element::Kind::dot, &s);
    const Number exit = make(Element::Kind::exit, &s);
    exits_.push_back(exit);
    fill(e, again);
    exits_.pop_back();
    append(again, chain);
    append(e, chain);
    append(exit, chain);
    return e;
  }

  void options(const std::vector<Sequence>& branches, Number e, Number after) {
    std::vector<Chain> chains;
    for (const Sequence& branch : branches) {
      chains.emplace_back();
      sequence(branch, chains.back());
      if (chains.back().first == kNone) add(Element::Kind::basic, made_skip(*elements_[e].statement), chains.back());
      drop_skips(chains.back());
    }
    set_options(std::move(chains), e, after);
  }

  // The option that starts with else goes last; all end at `after`.
  void set_options(std::vector<Chain> chains, Number e, Number after) {
    const auto starts_with_else = [&](const Chain& c) {
      const Element& first = elements_[c.first];
      return first.kind == Element::Kind::basic && first.statement != nullptr &&
             first.statement->kind == Statement::Kind::else_branch;
    };
    if (std::ranges::count_if(chains, starts_with_else) > 1)
      report_.error(elements_[e].statement->place, "there are two 'else' options", "one is enough");
    std::ranges::stable_partition(chains, [&](const Chain& c) { return !starts_with_else(c); });
    for (Chain& c : chains) append_shared(after, c);
    elements_[e].inside = std::move(chains);
  }

  // `after` ends several chains: each last element gets it as its next one.
  void append_shared(Number e, Chain& chain) {
    elements_[chain.last].next = e;
    chain.last = e;
  }

  // SPIN leaves out a second skip in a row, inside an option, if it is not the last.
  void drop_skips(const Chain& chain) {
    int row = 0;
    Number before = kNone;
    for (Number e = chain.first; e != kNone; e = elements_[e].next) {
      row = is_skip(elements_[e]) && elements_[e].labels.empty() ? row + 1 : 0;
      const bool print = row > 0 && elements_[e].statement->kind == Statement::Kind::print;
      if (row > 1 && !print && e != chain.first && e != chain.last)
        elements_[before].next = elements_[e].next;
      else
        before = e;
      if (e == chain.last) break;
    }
  }

  // { }, atomic { } or d_step { }.
  Number block(const Statement& s, Chain& chain) {
    const bool d_step = s.kind == Statement::Kind::d_step;
    const Number e = make(d_step ? Element::Kind::d_step : Element::Kind::block, &s);
    Chain body;
    sequence(s.body, body);
    if (body.first == kNone) add(Element::Kind::basic, made_skip(s), body);
    elements_[e].inside.push_back(body);
    append(e, chain);
    if (d_step) make_atomic(body, e + 1);
    if (s.kind == Statement::Kind::atomic) make_atomic(body, 0);
    return e;
  }

  Number unless(const Statement& s, Chain& chain) {
    const Number e = make(Element::Kind::unless, &s), after = make(Element::Kind::dot, &s);
    Chain main, escape;
    side(s.branches[0], main);
    side(s.branches[1], escape);
    append_shared(after, main);
    append_shared(after, escape);
    attach_escape(main, escape.first);
    elements_[e].inside = {main, escape};
    append(e, chain);
    append(after, chain);
    return e;
  }

  // A block is only the braces around its side.
  void side(const Sequence& one, Chain& chain) {
    const bool block = one[0].kind == Statement::Kind::block && one[0].labels.empty();
    sequence(block ? one[0].body : one, chain);
    if (chain.first == kNone) add(Element::Kind::basic, made_skip(one[0]), chain);
  }

  void attach_escape(const Chain& main, Number escape) {
    for (Number e = main.first; e != kNone; e = elements_[e].next) {
      elements_[e].escapes.push_back(escape);
      if (elements_[e].kind != Element::Kind::d_step)
        for (std::size_t i = 0; i < elements_[e].inside.size(); ++i) attach_escape(elements_[e].inside[i], escape);
      if (e == main.last) break;
    }
  }

  // for (i : a .. b) { body }   is   i = a; do :: i <= b -> body; i++ :: else -> break od
  // for (m in c) { body }   is   n = 0; do :: n < len(c) -> c?m; c!m; body; n++ :: else -> break od
  Number for_loop(const Statement& s, Chain& chain) {
    const bool messages = s.kind == Statement::Kind::for_in && !s.variables.empty();
    const Reference counter = messages ? local(s.variables[0]) : s.target;
    Expression low = s.value, high = s.upper;
    if (s.kind == Statement::Kind::for_in) {
      low = number(s, 0);
      high = messages ? length_now(s) : number(s, static_cast<std::int32_t>(length_of(s.array)) - 1);
    }
    if (low.op == Expression::Op::number && high.op == Expression::Op::number && low.value > high.value)
      report_.error(s.place, "this range is empty", "the lower bound comes first");
    add(Element::Kind::basic, assignment(s, counter, std::move(low)), chain);
    return loop(s, chain, [&](Number e, Number again) {
      Chain leave, stay;
      add(Element::Kind::basic, made(Statement::Kind::else_branch, s), leave);
      elements_[add(Element::Kind::jump, &s, leave)].exit = exits_.back();
      const auto compare = messages ? Expression::Op::less : Expression::Op::less_equal;
      add(Element::Kind::basic, condition(s, compare, counter, std::move(high)), stay);
      if (messages) rotate(s, stay);
      sequence(s.body, stay);
      add(Element::Kind::basic, increment(s, counter), stay);
      set_options({leave, stay}, e, again);
    });
  }

  // select (i : a .. b)   is   if :: i = a :: ... :: i = b fi   for a few plain numbers, and otherwise
  // i = a; do :: i < b -> i++ :: break od
  Number select(const Statement& s, Chain& chain) {
    if (s.value.op == Expression::Op::number && s.upper.op == Expression::Op::number) {
      if (s.value.value > s.upper.value) report_.error(s.place, "this range is empty", "the lower bound comes first");
      const bool are_few = s.upper.value - static_cast<std::int64_t>(s.value.value) <= kMostOptions;
      if (s.by_options && are_few) return few(s, chain);
    }
    add(Element::Kind::basic, assignment(s, s.target, s.value), chain);
    return loop(s, chain, [&](Number e, Number again) {
      Chain leave, stay;
      elements_[add(Element::Kind::jump, &s, leave)].exit = exits_.back();
      add(Element::Kind::basic, condition(s, Expression::Op::less, s.target, s.upper), stay);
      add(Element::Kind::basic, increment(s, s.target), stay);
      set_options({leave, stay}, e, again);
    });
  }

  Number few(const Statement& s, Chain& chain) {
    const Number e = make(Element::Kind::choice, &s), after = make(Element::Kind::dot, &s);
    std::vector<Chain> chains;
    for (std::int32_t i = s.value.value; i <= std::max(s.value.value, s.upper.value); ++i) {
      chains.emplace_back();
      add(Element::Kind::basic, assignment(s, s.target, number(s, i)), chains.back());
    }
    set_options(std::move(chains), e, after);
    append(e, chain);
    append(after, chain);
    return e;
  }

  std::uint32_t length_of(const Reference& array) const {
    const auto& table = array.scope == Reference::Scope::global ? program_.globals : process_.variables;
    return array.variable == kNone ? 1 : table[array.variable].length.value_or(1);
  }

  // ---- statements that are not in the text

  Statement* made(Statement::Kind kind, const Statement& like) {
    Statement& s = flow_.made.emplace_back();
    s.kind = kind;
    s.place = like.place;
    return &s;
  }
  Statement* made_skip(const Statement& like) {
    Statement* s = made(Statement::Kind::condition, like);
    s->value.value = 1;
    s->value.name = "skip";
    return s;
  }
  static Expression number(const Statement& like, std::int32_t value) {
    Expression e;
    e.value = value;
    e.place = like.place;
    return e;
  }
  Statement* assignment(const Statement& like, Reference target, Expression value) {
    Statement* s = made(Statement::Kind::assignment, like);
    s->target = std::move(target);
    s->value = std::move(value);
    return s;
  }
  Statement* increment(const Statement& like, const Reference& target) {
    Statement* s = made(Statement::Kind::increment, like);
    s->target = target;
    return s;
  }
  static Expression length_now(const Statement& s) {
    Expression e = number(s, 0);
    e.op = Expression::Op::length;
    e.reference = s.array;
    return e;
  }
  // c?m; c!m
  void rotate(const Statement& s, Chain& chain) {
    Statement* receive = made(Statement::Kind::receive, s);
    receive->target = s.array;
    Pattern& into = receive->patterns.emplace_back();
    into.reference = s.target;
    into.place = s.place;
    Statement* send = made(Statement::Kind::send, s);
    send->target = s.array;
    Expression& message = send->messages.emplace_back(number(s, 0));
    message.op = Expression::Op::variable;
    message.reference = s.target;
    add(Element::Kind::basic, receive, chain);
    add(Element::Kind::basic, send, chain);
  }
  Statement* condition(const Statement& like, Expression::Op op, const Reference& target, Expression bound) {
    Statement* s = made(Statement::Kind::condition, like);
    s->value.op = op;
    s->value.place = like.place;
    Expression& left = s->value.operands.emplace_back();
    left.op = Expression::Op::variable;
    left.reference = target;
    left.place = like.place;
    s->value.operands.push_back(std::move(bound));
    return s;
  }
  Reference local(std::uint32_t index) const {
    const Variable& v = process_.variables[index];
    Reference r;
    Reference::Segment segment;
    segment.name = v.name;
    segment.place = v.place;
    if (v.length) segment.index.push_back(Expression{});  // SPIN assigns to the first element
    r.segments.push_back(std::move(segment));
    r.scope = Reference::Scope::local;
    r.variable = index;
    r.type = v.type;
    r.place = v.place;
    return r;
  }

  // ---- atomic sequences

  // All but the last element keep the floor. d: number of the d_step, 0 in an atomic.
  void make_atomic(const Chain& chain, Number d) {
    walk_atomic(chain, d);
    Element& last = elements_[chain.last];
    if (last.kind == Element::Kind::block || last.kind == Element::Kind::unless) return make_atomic(last.inside[0], d);
    last.atomic = false;
    last.last_atomic = true;
  }

  void walk_atomic(const Chain& chain, Number d) {
    for (Number e = chain.first; e != kNone; e = elements_[e].next) {
      Element& element = elements_[e];
      element.atomic = true;
      if (d != 0) element.d_step_id = d;
      if (element.kind == Element::Kind::d_step && d != 0) element.kind = Element::Kind::block;
      if (element.kind != Element::Kind::d_step)
        for (const Chain& inside : std::vector<Chain>(element.inside)) walk_atomic(inside, d);
      if (e == chain.last) break;
    }
  }

  // The last element inside a block goes on to what follows the block.
  void link(const Chain& chain) {
    for (Number e = chain.first; e != kNone; e = elements_[e].next) {
      const Element& element = elements_[e];
      const bool block = element.kind == Element::Kind::block || element.kind == Element::Kind::d_step;
      if (block) elements_[element.inside[0].last].next = element.next;
      for (const Chain& inside : std::vector<Chain>(element.inside)) {
        // The shared end of options is linked where it stands itself.
        link(inside);
      }
      if (e == chain.last) break;
    }
  }

  Number label(const Element& jump) const {
    if (jump.exit != kNone) return jump.exit;
    const auto found = labels_.find(jump.target);
    return found == labels_.end() ? kNone : found->second;
  }

  // A jump out of an atomic sequence gives up the floor; one from the end of one into another keeps it.
  void patch_jumps(const Chain& chain) {
    for (Number e = chain.first; e != kNone; e = elements_[e].next) {
      Element& element = elements_[e];
      if (element.kind == Element::Kind::jump && !element.patched) {
        element.patched = true;
        const Number target = label(element);
        if (target != kNone) {
          const Element& g = elements_[target];
          const bool inside = g.atomic || g.last_atomic;
          const bool crosses = element.d_step_id != g.d_step_id && element.exit == kNone;
          if (crosses) {
            report_.error(element.statement->place, "a jump cannot cross the border of a d_step", "use atomic");
          } else if ((element.atomic || element.last_atomic) && !inside) {
            element.atomic = false;
            element.last_atomic = true;
          } else if (element.last_atomic && inside) {
            element.last_atomic = false;
            element.atomic = true;
          }
        }
      }
      for (const Chain& inside : std::vector<Chain>(element.inside)) patch_jumps(inside);
      if (e == chain.last) break;
    }
  }

  // ---- places

  // The element where a process really is when control comes to e. Atomic: it came by a step that keeps the floor.
  Number hunt(Number e, bool atomic) const {
    for (std::size_t count = 0; count <= elements_.size(); ++count) {
      const Element& element = elements_[e];
      Number next = kNone;
      switch (element.kind) {
        case Element::Kind::jump: next = label(element); break;
        case Element::Kind::dot:
        case Element::Kind::exit: next = element.next; break;
        case Element::Kind::unless: next = hunt(element.inside[0].first, atomic); break;
        default: return e;
      }
      if (next == kNone || next == e) return e;
      if (atomic && !elements_[next].atomic) return e;
      e = next;
    }
    report_.error(elements_[e].statement != nullptr ? elements_[e].statement->place : process_.place,
                  "these jumps lead nowhere but to themselves");
    return e;
  }

  Number hunt_start(Number e) const {
    for (std::size_t count = 0; count <= elements_.size(); ++count) {
      const Element& element = elements_[e];
      if (element.kind == Element::Kind::dot && element.next != kNone)
        e = element.next;
      else if (element.kind == Element::Kind::unless)
        e = element.inside[0].first;
      else
        break;
    }
    return e;
  }

  void make_places() {
    flow_.places.resize(elements_.size());
    for (Number e = 0; e < elements_.size(); ++e) {
      Flow::Place& place = flow_.places[e];
      const Element& element = elements_[e];
      place.line = element.line;
      place.d_step_id = element.d_step_id;
      place.labels = element.labels;
      for (const auto& l : element.labels) mark(e, l);
      if (element.kind == Element::Kind::stop) place.end = true;
      add_escapes(e, place.escapes, 0);
      edges(e, place.edges, 0);
    }
  }

  // The escapes that can be taken at the element, those of the outermost `unless` first. As in pan, a choice also has
  // the escapes of the blocks that its options start with, those of the last option first.
  void add_escapes(Number e, std::vector<Number>& out, std::size_t depth) const {
    const Element& element = elements_[e];
    if (depth > elements_.size()) return;
    for (auto escape = element.escapes.rbegin(); escape != element.escapes.rend(); ++escape)
      if (const Number to = hunt_start(*escape); std::ranges::find(out, to) == out.end()) out.push_back(to);
    if (element.kind == Element::Kind::choice)
      for (auto option = element.inside.rbegin(); option != element.inside.rend(); ++option)
        add_escapes(option->first, out, depth + 1);
    if (depth > 0 && (element.kind == Element::Kind::unless || element.kind == Element::Kind::block))
      add_escapes(element.inside[0].first, out, depth + 1);
  }

  // A label on a compound element is also one of the elements that it starts with.
  void mark(Number e, const std::string& name) {
    Flow::Place& place = flow_.places[e];
    if (name.starts_with("end")) place.end = true;
    if (name.starts_with("accept")) place.accept = true;
    if (name.starts_with("progress")) place.progress = true;
    const Element& element = elements_[e];
    if (element.kind == Element::Kind::choice || element.kind == Element::Kind::block)
      for (const Chain& inside : element.inside) mark(hunt_start(inside.first), name);
    if (element.kind == Element::Kind::unless) mark(hunt_start(element.inside[0].first), name);
  }

  void edges(Number e, std::vector<Flow::Edge>& out, std::size_t depth) {
    const Element& element = elements_[e];
    if (depth > elements_.size()) return;
    switch (element.kind) {
      case Element::Kind::choice:
      case Element::Kind::block:
        for (const Chain& inside : element.inside) edges(hunt_start(inside.first), out, depth + 1);
        return;
      case Element::Kind::unless: return edges(hunt_start(element.inside[0].first), out, depth + 1);
      default: break;
    }
    Flow::Edge edge;
    edge.statement = element.statement;
    edge.atomic = element.atomic;
    switch (element.kind) {
      case Element::Kind::stop:
        edge.kind = Flow::Edge::Kind::finish;
        out.push_back(edge);
        return;
      case Element::Kind::d_step:
        edge.kind = Flow::Edge::Kind::d_step;
        edge.d_step = hunt_start(element.inside[0].first);
        edge.d_step_id = e + 1;
        break;
      case Element::Kind::basic:
        edge.kind = element.statement->kind == Statement::Kind::else_branch ? Flow::Edge::Kind::otherwise
                                                                            : Flow::Edge::Kind::statement;
        if (is_skip(element)) edge.kind = Flow::Edge::Kind::skip;
        break;
      default: edge.kind = Flow::Edge::Kind::skip;
    }
    const Number next = element.kind == Element::Kind::jump ? label(element) : element.next;
    if (next == kNone) return;
    edge.target = hunt(next, element.atomic);
    out.push_back(edge);
  }

  const Program& program_;
  const Process& process_;
  const std::set<std::string>& referenced_;
  const Source& source_;
  Report& report_;
  Flow flow_;
  std::vector<Element> elements_;
  std::vector<Number> exits_;
  std::map<std::string, Number, std::less<>> labels_;
};

}  // namespace

Flow make_flow(const Program& program, const Process& process, const std::set<std::string>& referenced,
               const Source& source, Report& report) {
  return Builder(program, process, referenced, source, report).run();
}

}  // namespace surety::promela
