#include "lang/promela/machine/watch.hpp"

#include <algorithm>

#include "lang/promela/machine/expression.hpp"

namespace surety::promela {

Watch::Watch(const Program& program, std::uint32_t process, Compiler& compiler, Report& report) : process_(process) {
  if (!watches()) return;
  negated_ = program.processes[process].kind == Process::Kind::notrace;
  const Flow& flow = compiler.compiled().processes[process].flow;
  events_.resize(flow.places.size());
  for (std::uint32_t i = 0; i < flow.places.size(); ++i)
    for (const Flow::Edge& edge : flow.places[i].edges) {
      if (edge.kind == Flow::Edge::Kind::finish) end_ = i;
      if (edge.statement == nullptr) continue;
      const Statement& s = *edge.statement;
      const bool jump = edge.kind == Flow::Edge::Kind::skip && s.kind != Statement::Kind::condition;
      if (jump) continue;  // of a place that is only passed through
      if (edge.kind != Flow::Edge::Kind::statement ||
          (s.kind != Statement::Kind::send && s.kind != Statement::Kind::receive)) {
        report.error(s.place, "a trace assertion consists of sends and receives");
        continue;
      }
      events_[i].push_back(event(s, edge.target, compiler));
      (events_[i].back().send ? sent_ : received_).push_back(events_[i].back().channel);
    }
}

Watch::Event Watch::event(const Statement& s, std::uint32_t target, Compiler& compiler) {
  Expression channel;
  channel.op = Expression::Op::variable;
  channel.reference = s.target;
  Event made;
  made.send = s.kind == Statement::Kind::send;
  made.target = target;
  made.channel = compiler.expression(channel, kNone);
  for (const Expression& e : s.messages) made.patterns.push_back({true, false, compiler.expression(e, kNone), {}});
  for (const Pattern& p : s.patterns) {
    const bool any = p.kind == Pattern::Kind::variable;
    made.patterns.push_back({!any, any, any ? Code{} : compiler.expression(p.expression, kNone), {}});
  }
  return made;
}

void Watch::start(Memory& m) const {
  if (watches()) store_place(m.now + kWatch, m.code.processes[process_].flow.start);
}

bool Watch::mentions(Memory& m, bool send, std::int32_t channel) const {
  return std::ranges::any_of(send ? sent_ : received_,
                             [&](const Code& code) { return evaluate(m, code, 0) == channel; });
}

void Watch::see(Memory& m, bool send, std::int32_t channel, const Message& message) const {
  if (!watches() || !mentions(m, send, channel)) return;
  const std::uint32_t here = load_place(m.now + kWatch);
  if (negated_ && here == end_) return;
  const Event* taken = nullptr;
  for (const Event& e : events_[here]) {
    if (e.send != send || evaluate(m, e.channel, 0) != channel || !matches(m, e.patterns, message, 0)) continue;
    if (taken != nullptr) m.why = Why::two_events;
    taken = &e;
  }
  if (m.why != Why::nothing) return;
  if (taken == nullptr && !negated_) {
    m.why = Why::no_event;
    return;
  }
  const std::uint32_t there = taken == nullptr ? end_ : taken->target;
  store_place(m.now + kWatch, there);
  if (negated_ && taken != nullptr && there == end_) m.why = Why::all_events;
}

bool Watch::complete(const Memory& m) const {
  return negated_ || m.code.processes[process_].flow.places[load_place(m.now + kWatch)].end;
}

}  // namespace surety::promela
