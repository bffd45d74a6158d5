// trace { ... } and notrace { ... }: which sequences of messages are allowed.
//
// As in SPIN, all sends on a channel are in the scope of a block that names one, and
// likewise all receives; an event in the scope that the block cannot follow violates a
// trace. A rendezvous is its send and, in the same step, its receive. A notrace is
// violated when it has been followed to its end, and says nothing any more once an event
// did not fit. Where pan complains at run time of a nondeterministic block, we refuse it.

#include "lang/promela/net_properties.hpp"

#include <algorithm>

namespace surety::promela::net {
namespace {

using SK = Statement::Kind;
using Op = Expression::Op;

struct Expected {
  bool send = false;
  std::uint32_t channel = 0;
  Mask mask;
  std::uint32_t target = 0;
};

class TraceReader {
 public:
  TraceReader(const System& system, const Flow& flow) : system_(system), flow_(flow) {}

  // By node what may come next; nothing if the block has something else in it.
  std::optional<std::vector<std::vector<Expected>>> read() {
    std::vector<std::vector<Expected>> out(flow_.nodes.size());
    for (std::size_t n = 0; n < flow_.nodes.size(); ++n)
      for (const Edge& e : flow_.nodes[n].edges) {
        const Statement* s = e.statement;
        if (s == nullptr || (s->kind != SK::send && s->kind != SK::receive)) return std::nullopt;
        Expected expected{s->kind == SK::send, channel(s->target), {}, e.target};
        for (const Expression& m : s->messages) expected.mask.push_back(field(m));
        for (const Pattern& p : s->patterns) expected.mask.push_back(field(p));
        if (s->random || s->peek || s->sorted || failed_) return std::nullopt;
        out[n].push_back(std::move(expected));
      }
    return out;
  }

 private:
  std::optional<std::int32_t> field(const Pattern& p) {
    if (p.kind != Pattern::Kind::variable) return number(p.expression);
    failed_ |= p.reference.scope != Reference::Scope::predefined;
    return std::nullopt;
  }

  std::optional<std::int32_t> field(const Expression& e) {
    if (e.op == Op::variable && e.reference.scope == Reference::Scope::predefined) return std::nullopt;
    return number(e);
  }

  std::int32_t number(const Expression& e) {
    Context context;
    context.get = [&](const Reference&) { return failed_ = true, 0; };
    context.other = [&](const Expression&) { return failed_ = true, 0; };
    return evaluate(e, context);
  }

  std::uint32_t channel(const Reference& r) {
    const auto slot = r.scope == Reference::Scope::global
                          ? system_.globals.find(r, [&](const Expression& index) { return number(index); })
                          : std::nullopt;
    if (!slot || system_.initial[*slot] < 1) return failed_ = true, 0;
    return static_cast<std::uint32_t>(system_.initial[*slot] - 1);
  }

  const System& system_;
  const Flow& flow_;
  bool failed_ = false;
};

bool fits(const Expected& expected, const Event& event) {
  if (expected.send != event.send || expected.channel != event.channel) return false;
  for (std::size_t i = 0; i < expected.mask.size() && i < event.message.size(); ++i)
    if (expected.mask[i] && *expected.mask[i] != event.message[i]) return false;
  return true;
}

}  // namespace

std::optional<Lts> trace_property(const System& system, const Process& block, const Flow& flow,
                                  const std::vector<Joint>& joints) {
  if (flow.refusal) return std::nullopt;
  const auto expected = TraceReader(system, flow).read();
  if (!expected) return std::nullopt;
  const bool negated = block.kind == Process::Kind::notrace;

  std::set<std::pair<bool, std::uint32_t>> scope;
  for (const auto& node : *expected)
    for (const Expected& e : node) scope.insert({e.send, e.channel});
  const auto in_scope = [&](const Event& e) { return scope.contains({e.send, e.channel}); };

  // States are the nodes, and one more: a notrace that is over, or after an error, where all ends.
  const auto over = static_cast<std::uint32_t>(flow.nodes.size());
  std::vector<std::uint32_t> order{flow.start}, numbers(over + 1, UINT32_MAX);
  numbers[flow.start] = 0;
  LtsBuilder builder;
  std::vector<Action> alphabet;
  for (const Joint& joint : joints)
    if (joint.breaks || std::any_of(joint.events.begin(), joint.events.end(), in_scope))
      alphabet.push_back(joint.action);
  const Alphabet actions(std::move(alphabet));
  builder.add_to_alphabet(actions);
  for (std::uint32_t s = 0; s < order.size(); ++s)
    for (const Joint& joint : joints) {
      if (!actions.contains(joint.action)) continue;
      std::uint32_t now = order[s];
      bool violated = false;
      for (const Event& event : joint.events) {
        if (violated || now == over || !in_scope(event)) continue;
        const Expected* step = nullptr;
        for (const Expected& e : (*expected)[now]) {
          if (!fits(e, event)) continue;
          if (step != nullptr) return std::nullopt;
          step = &e;
        }
        violated = negated ? step != nullptr && step->target == flow.end : step == nullptr;
        now = step != nullptr ? step->target : over;
      }
      if (violated) continue;
      if (joint.breaks) now = over;
      if (numbers[now] == UINT32_MAX) {
        numbers[now] = static_cast<std::uint32_t>(order.size());
        order.push_back(now);
      }
      builder.add_step(State{s}, joint.action, State{numbers[now]});
    }
  builder.set_state_count(static_cast<std::uint32_t>(order.size()));
  return builder.build();
}

}  // namespace surety::promela::net
