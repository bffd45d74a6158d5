#include "lang/promela/machine/execute.hpp"

#include <algorithm>

#include "lang/promela/machine/expression.hpp"
#include "lang/promela/machine/start.hpp"

namespace surety::promela {
namespace {

constexpr std::uint32_t kMostDSteps = 100'000;

}  // namespace

Action Executor::execute(const Operation& op, std::uint32_t process) {
  action_ = kTau;
  apply(op, process);
  return action_;
}

void Executor::apply(const Operation& op, std::uint32_t process) {
  switch (op.kind) {
    case Operation::Kind::assign: {
      const std::int32_t value = evaluate(m_, op.code, process);
      if (m_.why == Why::nothing) assign(m_, op.store, value, process);
      return;
    }
    case Operation::Kind::run:
    case Operation::Kind::assign_run: return run(op, process);
    case Operation::Kind::send: return send_message(op, process);
    case Operation::Kind::receive: return receive_message(op, process);
    case Operation::Kind::assertion:
      if (evaluate(m_, op.code, process) == 0 && m_.why == Why::nothing && !m_.failed_assertion) {
        m_.failed_assertion = true;
        m_.failed_statement = op.statement;
      }
      return;
    case Operation::Kind::d_step: return go_on_with_d_step(op, op.process, process);
    default: return;
  }
}

void Executor::run(const Operation& op, std::uint32_t process) {
  std::vector<std::int32_t> arguments;
  for (const Code& code : op.arguments) arguments.push_back(evaluate(m_, code, process));
  if (m_.why != Why::nothing) return;
  const std::uint32_t number = start_process(m_, op.process, arguments);
  if (op.kind == Operation::Kind::assign_run && m_.why == Why::nothing)
    assign(m_, op.store, static_cast<std::int32_t>(number), process);
}

void Executor::send_message(const Operation& op, std::uint32_t process) {
  const std::int32_t id = evaluate(m_, op.code, process);
  if (m_.why != Why::nothing || m_.channel(id) == nullptr) return;
  const ChannelKind& kind = m_.kind(id);
  evaluate_message(m_, op, kind, process, message_);
  if (m_.why != Why::nothing) return;
  put_message(m_, id, message_, op.sorted);
  narrow(message_, kind);
  action_ = name(kind, ".in", message_);
  see(true, id, message_);
}

void Executor::receive_message(const Operation& op, std::uint32_t process) {
  const std::int32_t id = evaluate(m_, op.code, process);
  if (m_.why != Why::nothing || m_.channel(id) == nullptr) return;
  const auto slot = read_message(m_, id, op, process, message_);
  if (!slot) return;
  if (!op.peek) {
    action_ = name(m_.kind(id), ".out", message_);
    see(false, id, message_);
    if (m_.why != Why::nothing) return;
    remove_message(m_, id, *slot);
  }
  take_message(m_, op.patterns, message_, process);
}

Action Executor::receive(const Offer& offer, const Partner& partner) {
  const Action action = name(m_.kind(offer.channel), "", offer.message);
  see(true, offer.channel, offer.message);
  if (m_.why == Why::nothing) see(false, offer.channel, offer.message);
  if (m_.why == Why::nothing) take_message(m_, partner.receive->patterns, offer.message, partner.process);
  if (m_.why == Why::nothing && partner.operation != partner.receive)
    go_on_with_d_step(*partner.operation, partner.receive->target, partner.process);
  return action;
}

void Executor::see(bool send, std::int32_t channel, const Message& message) const {
  watch_.see(m_, send, channel, message);
  if (m_.outside != nullptr) m_.outside->see(send, channel, message);
}

// One step from the outside.
void Executor::go_on_with_d_step(const Operation& d_step, std::uint32_t here, std::uint32_t process) {
  const CompiledProcess& p = m_.compiled(process);
  for (std::uint32_t count = 0; p.flow.places[here].d_step_id == d_step.d_step_id; ++count) {
    if (count > kMostDSteps) m_.why = Why::endless_d_step;
    const Operation* chosen = first_of_d_step(m_, p.places[here], process);
    if (chosen == nullptr) m_.why = Why::blocked_d_step;
    if (m_.why != Why::nothing) return;
    if (inside_) inside_(p.places[here], *chosen, process);
    apply(*chosen, process);
    if (m_.why != Why::nothing) return;
    here = chosen->target;
  }
}

// c.in.1.red: the channel, the direction if it has a buffer, the fields.
Action Executor::name(const ChannelKind& kind, const char* direction, const Message& message) const {
  if (!want_actions_) return kTau;
  std::string out = kind.name + direction;
  for (std::size_t f = 0; f < message.size(); ++f) {
    std::string value = std::to_string(message[f]);
    if (kind.mtypes[f] >= 0) {
      const MtypeSet& set = program_.mtype_sets[static_cast<std::size_t>(kind.mtypes[f])];
      const auto found = std::ranges::find(set.values, message[f]);
      if (found != set.values.end()) value = set.names[static_cast<std::size_t>(found - set.values.begin())];
    }
    out += "." + value;
  }
  return actions_.intern(out);
}

}  // namespace surety::promela
