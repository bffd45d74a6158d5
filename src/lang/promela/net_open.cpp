#include "lang/promela/net_open.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace surety::promela::net {
namespace {

using SK = Statement::Kind;
using Op = Expression::Op;

constexpr std::size_t kMaxStates = 1'000'000;     // of a process
constexpr std::size_t kMaxValues = 1'024;         // of a variable
constexpr std::size_t kMaxMessages = 4'096;       // of a channel
constexpr std::size_t kMaxVariants = 100'000;     // of a move
constexpr std::uint32_t kMaxMoveLength = 20'000;  // in statements
constexpr std::size_t kMaxTouches = 1'000;        // of one channel in a move

// A move on its way.
struct Partial {
  std::uint32_t node = 0;
  Values locals;
  Move move;
  std::uint32_t length = 0;  // statements so far
  enum class Next : std::uint8_t { goes_on, ends, fails } next = Next::goes_on;
};

// Something that has to be known before the move can go on.
struct Question {
  std::uint32_t object = 0;
  Touch touch;  // the value is the answer
};

bool mutates(Touch::Kind kind) { return kind == Touch::Kind::send || kind == Touch::Kind::receive; }

class Explorer {
 public:
  Explorer(const System& system, const Instance& instance, const Source& source, Environment& environment,
           Budget& budget)
      : system_(system),
        instance_(instance),
        source_(source),
        environment_(environment),
        budget_(budget),
        flow_(system.flows[instance.type]),
        layout_(system.locals[instance.type]) {}

  tl::expected<Open, Refusal> run() {
    number(instance_.node, instance_.locals);
    for (std::uint32_t s = 0; s < states_.size() && !refusal_; ++s) {
      if (states_.size() > kMaxStates)
        refuse(fmt::format("more than {} states of {}", kMaxStates, instance_.name),
               system_.program->processes[instance_.type].place);
      if (budget_.why() != Stop::none) break;
      from_ = s;
      variants_ = 0;
      Partial start;
      start.node = states_[s]->first.first;
      start.locals = states_[s]->first.second;
      follow(std::move(start));
    }
    if (refusal_) return tl::unexpected(std::move(*refusal_));
    open_.states = static_cast<std::uint32_t>(states_.size());
    for (const auto* state : states_) open_.ended.push_back(flow_.nodes[state->first.first].end);
    open_.moves.resize(moves_.size());
    for (const auto& [move, id] : moves_) open_.moves[id] = move;
    return std::move(open_);
  }

 private:
  using Key = std::pair<std::uint32_t, Values>;

  void refuse(std::string construct, Place place) {
    if (!refusal_) refusal_ = Refusal{std::move(construct), place};
  }

  std::uint32_t number(std::uint32_t node, const Values& locals) {
    const auto [at, fresh] = numbers_.try_emplace(Key{node, locals}, static_cast<std::uint32_t>(states_.size()));
    if (fresh) states_.push_back(&*at);
    return at->second;
  }

  void finish(Partial p) {
    p.next = Partial::Next::ends;
    ways_.push_back(std::move(p));
  }

  void fail(Partial p, Place place) {
    p.move.fails = source_.line_number(place);
    p.move.breaks = true;
    p.next = Partial::Next::fails;
    ways_.push_back(std::move(p));
  }

  // ---- one statement after the other

  // Depth first with a stack of our own: a loop inside an atomic block can be longer than the machine's is deep.
  void follow(Partial start) {
    std::vector<Partial> todo;
    todo.push_back(std::move(start));
    while (!todo.empty() && !refusal_) {
      if ((++followed_ & 255) == 0 && !budget_.go_on()) return;  // one state can have a hundred thousand ways to go
      Partial p = std::move(todo.back());
      todo.pop_back();
      if (p.next == Partial::Next::goes_on) {
        ways_.clear();
        expand(std::move(p));
        std::move(ways_.rbegin(), ways_.rend(), std::back_inserter(todo));
        continue;
      }
      if (p.next == Partial::Next::ends) set_marks(p);
      const auto id = moves_.try_emplace(p.move, static_cast<std::uint32_t>(moves_.size())).first->second;
      open_.steps.push_back({from_, id, p.next == Partial::Next::fails ? Open::kError : number(p.node, p.locals)});
    }
  }

  void set_marks(Partial& p) const {
    const std::uint32_t before = states_[from_]->first.first;
    for (std::size_t m = 0; m < system_.marks.size(); ++m) {
      const Mark& mark = system_.marks[m];
      if (&system_.instances[mark.instance] != &instance_ || (before == mark.node) == (p.node == mark.node)) continue;
      p.move.uses[system_.mark_object(m)] = {{Touch::Kind::set, p.node == mark.node, {}, {}, false}};
    }
  }

  Place place_of(const Node& node) const {
    for (const Edge& e : node.edges)
      if (e.statement != nullptr) return e.statement->place;
    return system_.program->processes[instance_.type].place;
  }

  void expand(Partial p) {
    if (refusal_) return;
    const Node& node = flow_.nodes[p.node];
    const bool inside = p.length > 0;
    if (p.length > kMaxMoveLength)
      return refuse(fmt::format("an atomic sequence without an end, or of more than {} statements", kMaxMoveLength),
                    place_of(node));
    if (++variants_ > kMaxVariants)
      return refuse(fmt::format("an atomic sequence with more than {} ways to go", kMaxVariants), place_of(node));
    for (std::size_t i = 0; i < node.edges.size(); ++i) {
      const Edge& e = node.edges[i];
      std::vector<std::size_t> before;  // edges that must not be possible
      for (std::size_t j = 0; j < node.edges.size(); ++j)
        if (j != i && (is_else(e) ? !is_else(node.edges[j]) : j < i && e.group != 0 && e.group == node.edges[j].group))
          before.push_back(j);
      for (Partial& able : impossible(p, before)) take(std::move(able), e);
    }
    if (!inside || node.edges.empty()) return;
    std::vector<std::size_t> all(node.edges.size());
    for (std::size_t j = 0; j < all.size(); ++j) all[j] = j;
    if (std::any_of(node.edges.begin(), node.edges.end(), is_else)) return;
    for (Partial& waits : impossible(p, all))
      node.d_step ? fail(std::move(waits), place_of(node)) : finish(std::move(waits));
  }

  static bool is_else(const Edge& e) { return e.statement != nullptr && e.statement->kind == SK::else_branch; }

  // All that p can become if none of these edges can be taken.
  std::vector<Partial> impossible(const Partial& p, const std::vector<std::size_t>& edges) {
    const Node& node = flow_.nodes[p.node];
    std::vector<Partial> all{p};
    for (const std::size_t i : edges) {
      std::vector<Partial> next;
      for (Partial& one : all) refute(std::move(one), node.edges[i], next);
      all = std::move(next);
    }
    return all;
  }

  void refute(Partial p, const Edge& e, std::vector<Partial>& out) {
    const Statement* s = e.statement;
    if (refusal_ || s == nullptr) return;
    if (s->kind != SK::condition && s->kind != SK::send && s->kind != SK::receive) return;
    question_.reset();
    broken_ = false;
    bool possible = true;
    if (s->kind == SK::condition) {
      possible = value(p, s->value) != 0;
    } else if (const auto c = channel(p, s->target)) {
      if (system_.channels[*c].capacity == 0)
        return refuse(p.length > 0 ? "a rendezvous inside an atomic sequence" : "else beside a rendezvous", s->place);
      const Mask mask = s->kind == SK::receive ? mask_of(p, *s) : Mask{};
      if (!question_)
        possible = s->kind == SK::send ? ask(p, *c, {Touch::Kind::full, 0, {}, {}, false}) == 0
                                       : ask(p, *c, {Touch::Kind::poll, 0, {}, mask, s->random}) != 0;
    }
    if (question_) return fork(p, [&](Partial q) { refute(std::move(q), e, out); });
    if (!possible || broken_) out.push_back(std::move(p));
  }

  template <class Go>
  void fork(const Partial& p, Go go) {
    const Question question = *question_;
    std::vector<std::int32_t> answers;
    if (question.touch.kind == Touch::Kind::is)
      answers.assign(environment_.values[question.object].begin(), environment_.values[question.object].end());
    else if (question.touch.kind == Touch::Kind::length)
      for (std::uint32_t n = 0; n <= system_.channels[question.object - system_.channel_object(0)].capacity; ++n)
        answers.push_back(static_cast<std::int32_t>(n));
    else
      answers = {0, 1};
    for (const std::int32_t answer : answers) {
      Partial q = p;
      Touch touch = question.touch;
      touch.value = answer;
      q.move.uses[question.object].push_back(std::move(touch));
      go(std::move(q));
    }
  }

  void take(Partial p, const Edge& e) {
    if (refusal_) return;
    question_.reset();
    broken_ = false;
    Partial next = p;
    const Statement* s = e.statement;
    if (s != nullptr && s->kind == SK::receive) return receive(std::move(p), e);
    bool enabled = true;
    if (s != nullptr) enabled = perform(next, *s);
    if (question_) return fork(p, [&](Partial q) { take(std::move(q), e); });
    if (broken_) return fail(std::move(p), s->place);
    if (enabled) go_on(std::move(next), e);
  }

  void go_on(Partial p, const Edge& e) {
    for (const auto& [object, touches] : p.move.uses)
      if (touches.size() > kMaxTouches)
        return refuse(fmt::format("an atomic sequence that uses a channel more than {} times", kMaxTouches),
                      place_of(flow_.nodes[p.node]));
    p.node = e.target;
    ++p.length;
    // Who sends by rendezvous gives control away.
    const bool sent = e.statement != nullptr && e.statement->kind == SK::send && p.move.meets == Move::Meets::receiver;
    if (e.keep && !sent)
      ways_.push_back(std::move(p));
    else
      finish(std::move(p));
  }

  // False: cannot be done now. `broken_`: it is an error.
  bool perform(Partial& p, const Statement& s) {
    switch (s.kind) {
      case SK::condition: return value(p, s.value) != 0;
      case SK::assignment: {
        const std::int32_t v = value(p, s.value);
        assign(p, s.target, v);
        return true;
      }
      case SK::increment:
      case SK::decrement: {
        const std::int64_t v = get(p, s.target);
        assign(p, s.target, v + (s.kind == SK::increment ? 1 : -1));
        return true;
      }
      case SK::declaration: return declare(p, s);
      case SK::assertion:  // whether it holds or not, the process goes on, as in SPIN
        if (value(p, s.value) == 0 && !question_ && p.move.fails == 0) p.move.fails = source_.line_number(s.place);
        return true;
      case SK::else_branch: return true;
      case SK::print:
        for (const Expression& e : s.messages) value(p, e);
        return true;
      case SK::send: return send(p, s);
      default: refuse(fmt::format("a statement of kind {}", static_cast<int>(s.kind)), s.place); return false;
    }
  }

  bool declare(Partial& p, const Statement& s) {
    for (const std::uint32_t v : s.variables) {
      const Variable& variable = system_.program->processes[instance_.type].variables[v];
      if (variable.initial.empty()) continue;
      const std::int32_t initial = value(p, variable.initial[0]);
      for (std::uint32_t i = 0; i < layout_.slot_count(v); ++i)
        p.locals[layout_.base(v) + i] = fit(variable.type, initial);
    }
    return true;
  }

  bool send(Partial& p, const Statement& s) {
    const auto c = channel(p, s.target);
    if (!c) return false;
    const Channel& to = system_.channels[*c];
    Message message;
    for (std::size_t i = 0; i < s.messages.size() && i < to.fields.size(); ++i)
      message.push_back(fit(to.fields[i], value(p, s.messages[i])));
    message.resize(to.fields.size(), 0);
    if (question_) return false;
    auto& known = environment_.messages[*c];
    known.insert(message);
    if (known.size() > kMaxMessages) refuse(fmt::format("more than {} messages on {}", kMaxMessages, to.name), s.place);
    p.move.events.push_back({true, *c, message});
    if (to.capacity == 0) {
      if (p.length > 0) refuse("a rendezvous inside an atomic sequence", s.place);
      p.move.meets = Move::Meets::receiver;
      p.move.channel = *c;
      p.move.message = std::move(message);
    } else {
      p.move.uses[system_.channel_object(*c)].push_back({Touch::Kind::send, 0, std::move(message), {}, s.sorted});
    }
    return true;
  }

  void receive(Partial p, const Edge& e) {
    const Statement& s = *e.statement;
    const auto c = channel(p, s.target);
    const Mask mask = c ? mask_of(p, s) : Mask{};
    if (question_) return fork(p, [&](Partial q) { take(std::move(q), e); });
    if (broken_) return fail(std::move(p), s.place);
    if (!c) return;
    const Channel& from = system_.channels[*c];
    if (from.capacity == 0 && p.length > 0) return refuse("a rendezvous inside an atomic sequence", s.place);
    if (from.capacity == 0 && (s.random || s.peek)) return refuse("a special receive by rendezvous", s.place);
    const std::set<Message> all = environment_.messages[*c];
    for (const Message& message : all) {
      bool fits = true;
      for (std::size_t i = 0; i < mask.size(); ++i) fits &= !mask[i] || *mask[i] == message[i];
      if (fits) take_message(p, e, *c, message, mask);
    }
  }

  void take_message(Partial p, const Edge& e, std::uint32_t c, const Message& message, const Mask& mask) {
    const Statement& s = *e.statement;
    if (!s.peek) p.move.events.push_back({false, c, message});
    if (system_.channels[c].capacity == 0) {
      p.move.meets = Move::Meets::sender;
      p.move.channel = c;
      p.move.message = message;
    } else {
      p.move.uses[system_.channel_object(c)].push_back(
          {s.peek ? Touch::Kind::peek : Touch::Kind::receive, 0, message, s.random ? mask : Mask{}, s.random});
    }
    store(std::move(p), e, message);
  }

  // Puts the fields of a message where the patterns say. Questions can only be about indices.
  void store(Partial p, const Edge& e, const Message& message) {
    const Statement& s = *e.statement;
    question_.reset();
    broken_ = false;
    Partial next = p;
    for (std::size_t i = 0; i < s.patterns.size() && i < message.size(); ++i)
      if (s.patterns[i].kind == Pattern::Kind::variable) assign(next, s.patterns[i].reference, message[i]);
    if (question_) return fork(p, [&](Partial q) { store(std::move(q), e, message); });
    if (broken_) return fail(std::move(p), s.place);
    go_on(std::move(next), e);
  }

  Mask mask_of(Partial& p, const Statement& s) { return mask_of(p, s.patterns); }
  Mask mask_of(Partial& p, const std::vector<Pattern>& patterns) {
    Mask mask;
    for (const Pattern& pattern : patterns)
      mask.push_back(pattern.kind == Pattern::Kind::variable
                         ? std::nullopt
                         : std::optional<std::int32_t>(value(p, pattern.expression)));
    return mask;
  }

  // ---- values

  std::int32_t value(Partial& p, const Expression& e) {
    bool by_zero = false;
    Context context;
    context.get = [&](const Reference& r) { return get(p, r); };
    context.other = [&](const Expression& odd) { return other(p, odd); };
    context.divided_by_zero = &by_zero;
    const std::int32_t v = evaluate(e, context);
    if (by_zero && !question_) broken_ = true;
    return v;
  }

  std::int32_t other(Partial& p, const Expression& e) {
    switch (e.op) {
      case Op::length:
      case Op::full:
      case Op::empty:
      case Op::not_full:
      case Op::not_empty:
      case Op::poll: return about_channel(p, e);
      case Op::timeout: refuse("timeout", e.place); break;
      case Op::run: refuse("run", e.place); break;
      case Op::enabled: refuse("enabled()", e.place); break;
      case Op::pc_value: refuse("pc_value()", e.place); break;
      case Op::remote_label:
      case Op::remote_variable: refuse("a reference into another process", e.place); break;
      default: refuse("an operator of an unknown kind", e.place); break;
    }
    return 0;
  }

  std::int32_t about_channel(Partial& p, const Expression& e) {
    const auto c = channel(p, e.reference);
    if (!c) return 0;
    if (system_.channels[*c].capacity == 0) {
      refuse("a question about a rendezvous channel", e.place);
      return 0;
    }
    switch (e.op) {
      case Op::length: return ask(p, *c, {Touch::Kind::length, 0, {}, {}, false});
      case Op::full: return ask(p, *c, {Touch::Kind::full, 0, {}, {}, false});
      case Op::not_full: return ask(p, *c, {Touch::Kind::full, 0, {}, {}, false}) == 0;
      case Op::empty: return ask(p, *c, {Touch::Kind::empty, 0, {}, {}, false});
      case Op::not_empty: return ask(p, *c, {Touch::Kind::empty, 0, {}, {}, false}) == 0;
      default: return ask(p, *c, {Touch::Kind::poll, 0, {}, mask_of(p, e.patterns), e.random});
    }
  }

  // What the move knows already about the channel, since it last changed it; otherwise a question.
  std::int32_t ask(Partial& p, std::uint32_t c, Touch touch) {
    if (question_) return 0;
    const auto found = p.move.uses.find(system_.channel_object(c));
    if (found != p.move.uses.end())
      for (auto t = found->second.rbegin(); t != found->second.rend() && !mutates(t->kind); ++t) {
        touch.value = t->value;
        if (*t == touch) return t->value;
      }
    touch.value = 0;
    question_ = Question{system_.channel_object(c), std::move(touch)};
    return 0;
  }

  std::optional<std::uint32_t> channel(Partial& p, const Reference& r) {
    const std::int32_t v = get(p, r);
    if (question_ || broken_) return std::nullopt;
    if (v < 1 || static_cast<std::size_t>(v) > system_.channels.size()) {
      refuse(fmt::format("'{}' may not be a channel here", r.parts[0].name), r.place);
      return std::nullopt;
    }
    return static_cast<std::uint32_t>(v - 1);
  }

  std::optional<std::uint32_t> slot(Partial& p, const Reference& r, const Layout& layout) {
    const auto at = layout.find(r, [&](const Expression& index) { return value(p, index); });
    if (!at && !question_) broken_ = true;
    return question_ ? std::nullopt : at;
  }

  std::int32_t get(Partial& p, const Reference& r) {
    if (question_ || broken_) return 0;
    if (r.scope == Reference::Scope::predefined) {
      if (r.parts[0].name != "_pid") refuse(r.parts[0].name, r.place);
      return instance_.pid;
    }
    const bool global = r.scope == Reference::Scope::global;
    const auto at = slot(p, r, global ? system_.globals : layout_);
    if (!at) return 0;
    if (!global) return p.locals[*at];
    if (!environment_.written[*at]) return system_.initial[*at];
    const auto found = p.move.uses.find(*at);
    if (found != p.move.uses.end()) return found->second.back().value;
    question_ = Question{*at, {Touch::Kind::is, 0, {}, {}, false}};
    return 0;
  }

  void assign(Partial& p, const Reference& r, std::int64_t to) {
    if (r.scope == Reference::Scope::predefined) return;  // _
    const bool global = r.scope == Reference::Scope::global;
    const auto at = slot(p, r, global ? system_.globals : layout_);
    if (!at || question_ || broken_) return;
    const std::int32_t v = fit(r.type, to);
    if (!global) {
      p.locals[*at] = v;
      return;
    }
    environment_.written[*at] = true;
    auto& values = environment_.values[*at];
    values.insert(v);
    if (values.size() > kMaxValues)
      refuse(fmt::format("more than {} values of {}", kMaxValues, system_.globals.slots()[*at].name), r.place);
    auto& touches = p.move.uses[*at];
    if (!touches.empty() && touches.back().kind == Touch::Kind::set) touches.pop_back();
    touches.push_back({Touch::Kind::set, v, {}, {}, false});
  }

  const System& system_;
  const Instance& instance_;
  const Source& source_;
  Environment& environment_;
  Budget& budget_;
  const Flow& flow_;
  const Layout& layout_;

  Open open_;
  std::map<Key, std::uint32_t> numbers_;
  std::vector<const std::pair<const Key, std::uint32_t>*> states_;
  std::map<Move, std::uint32_t> moves_;
  std::uint32_t from_ = 0;
  std::size_t variants_ = 0;
  std::uint64_t followed_ = 0;  // moves on their way, for looks at the budget
  std::vector<Partial> ways_;   // to go on from the node that is expanded
  std::optional<Question> question_;
  bool broken_ = false;
  std::optional<Refusal> refusal_;
};

}  // namespace

tl::expected<Open, Refusal> explore(const System& system, const Instance& instance, const Source& source,
                                    Environment& environment, Budget& budget) {
  return Explorer(system, instance, source, environment, budget).run();
}

Open without_detours(Open open) {
  constexpr std::uint32_t kNothing = UINT32_MAX - 1;
  std::vector<std::uint32_t> next(open.states, kNothing);  // by its only silent step
  std::vector<std::uint32_t> degree(open.states, 0);
  for (const auto& step : open.steps) {
    ++degree[step.from];
    next[step.from] = open.moves[step.move].silent() ? step.to : kNothing;
  }
  const auto detour = [&](std::uint32_t s) { return degree[s] == 1 && next[s] != kNothing && next[s] != s; };
  const auto destination = [&](std::uint32_t s) {
    if (s == Open::kError) return s;
    std::set<std::uint32_t> seen;
    while (detour(s) && seen.insert(s).second) s = next[s];
    return s;  // of a ring of detours: one of its states, with its step
  };
  Open out;
  std::vector<std::uint32_t> numbers(open.states, kNothing), order;
  const auto number = [&](std::uint32_t s) {
    if (s == Open::kError) return s;
    if (numbers[s] == kNothing) numbers[s] = static_cast<std::uint32_t>(order.size()), order.push_back(s);
    return numbers[s];
  };
  std::vector<std::vector<Open::Step>> by_state(open.states);
  for (const auto& step : open.steps) by_state[step.from].push_back(step);
  number(destination(0));
  for (std::uint32_t i = 0; i < order.size(); ++i)
    for (const auto& step : by_state[order[i]]) out.steps.push_back({i, step.move, number(destination(step.to))});
  for (const std::uint32_t s : order) out.ended.push_back(open.ended[s]);
  out.states = static_cast<std::uint32_t>(order.size());
  out.moves = std::move(open.moves);
  return out;
}

}  // namespace surety::promela::net
