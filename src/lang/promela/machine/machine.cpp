// The steps of a state: which process moves, what is executed, which process has the floor afterwards.
//
// What a statement does is defined elsewhere: memory has the bytes, expression and message
// what is computed with them, enabled which statements can be executed, execute what they
// do, watch and claim what observes them.
#include "lang/promela/machine/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "lang/promela/labels.hpp"
#include "lang/promela/machine/claim.hpp"
#include "lang/promela/machine/execute.hpp"
#include "lang/promela/machine/expression.hpp"
#include "lang/promela/machine/shown.hpp"
#include "lang/promela/machine/start.hpp"

namespace surety {
namespace promela {
namespace {

class Engine final : public PromelaMachine {
 public:
  Engine(PromelaFile file, std::unique_ptr<Report> report, std::unique_ptr<Compiler> compiler, ActionTable& actions,
         const PromelaMachineOptions& options)
      : file_(std::move(file)),
        report_(std::move(report)),
        compiler_(std::move(compiler)),
        code_(compiler_->compiled()),
        watch_(*file_.program, options.watch, *compiler_, *report_),
        memory_(code_),
        executor_(memory_, *file_.program, watch_, actions) {
    find_single_processes();
  }

  std::vector<std::uint8_t> initial() override;
  void successors(MachineState state, MachineSteps& out) override;
  bool valid_end(MachineState state) override;
  bool between(MachineState state) override { return state[kFloor] != 0; }
  bool holds(std::uint32_t proposition, MachineState state) override;
  MachineState frame(MachineState state, std::uint32_t process) override;
  bool is_d_step(const MachineStep& step) const override;
  std::vector<ShownStep> show(MachineState before, const MachineStep& step) override;
  std::vector<PromelaStand> stands(MachineState state) override;
  std::vector<PromelaValue> values(MachineState state) override;
  std::string printed(MachineState before, const MachineStep& step) override;
  void add_tried(MachineState state, std::vector<bool>& tried) override;
  std::vector<PromelaStatement> statements() override;
  std::uint32_t add_proposition(const Expression& expression) override;
  std::uint32_t add_accepting() override;
  Result<MachineClaim> claim(std::uint32_t process) override;
  Diagnostics take_errors() override { return std::exchange(report_->errors(), {}); }

 private:
  void moves(std::uint32_t process, MachineSteps& out);
  void all_moves(MachineSteps& out);
  void step(const Operation& op, std::uint32_t process, MachineSteps& out);
  void rendezvous(const Operation& op, std::uint32_t process, MachineSteps& out);
  void finish(MachineStep step, std::uint32_t process, bool keeps_floor, MachineSteps& out);
  void finish_fault(MachineStep step, MachineSteps& out);
  void find_single_processes();
  std::string process_name(std::uint32_t process) const;
  std::string printed_by(std::uint32_t statement, std::uint32_t process);

  PromelaFile file_;
  std::unique_ptr<Report> report_;
  std::unique_ptr<Compiler> compiler_;
  const Compiled& code_;
  Watch watch_;    // compiles code of its own, so
  Memory memory_;  // comes after it
  Executor executor_;
  std::vector<Code> propositions_;
  std::vector<bool> single_;  // of a proctype: there is never more than one
};

// Not only where to go on.
bool does_something(const Statement& s) {
  using Kind = Statement::Kind;
  static constexpr Kind kFlow[] = {Kind::selection, Kind::repetition, Kind::block,     Kind::atomic,
                                   Kind::unless,    Kind::go_to,      Kind::break_out, Kind::else_branch,
                                   Kind::for_range, Kind::for_in,     Kind::select};
  return std::ranges::find(kFlow, s.kind) == std::end(kFlow);
}

std::vector<std::uint8_t> Engine::initial() {
  start_program(memory_, *file_.program);
  watch_.start(memory_);
  return memory_.next;
}

// ---- steps

void Engine::successors(MachineState state, MachineSteps& out) {
  out.clear();
  executor_.want_actions(out.with_actions);
  memory_.why = Why::nothing;
  memory_.failed_assertion = false;
  memory_.timeout = false;
  memory_.open(state);
  if (const std::uint8_t floor = memory_.now[kFloor]; floor != 0) {
    memory_.now[kFloor] = 0;
    return moves(floor - 1U, out);
  }
  all_moves(out);
  if (!out.steps.empty() || !code_.uses_timeout) return;
  memory_.timeout = true;
  all_moves(out);
  memory_.timeout = false;
}

void Engine::all_moves(MachineSteps& out) {
  for (std::uint32_t p = memory_.processes(); p-- > 0;) moves(p, out);
}

void Engine::moves(std::uint32_t process, MachineSteps& out) {
  if (!provided(memory_, process)) {
    memory_.why = Why::nothing;
    return;
  }
  bool something = false;
  for (const Operation& op : operations(memory_, process)) {
    if (!enabled(memory_, op, process, something)) continue;
    something = true;
    if (memory_.why == Why::nothing && op.kind == Operation::Kind::send && is_rendezvous(memory_, op, process))
      rendezvous(op, process, out);
    else
      step(op, process, out);
  }
}

void Engine::step(const Operation& op, std::uint32_t process, MachineSteps& out) {
  MachineStep made;
  made.process = process;
  made.statement = op.statement;
  if (memory_.why != Why::nothing) return finish_fault(made, out);
  memory_.copy();
  if (op.kind == Operation::Kind::finish) {
    memory_.remove_process(process);
    finish(made, process, false, out);
  } else {
    made.action = executor_.execute(op, process);
    if (memory_.why != Why::nothing) {
      finish_fault(made, out);
    } else {
      memory_.set_place(process, op.target);
      finish(made, process, op.atomic, out);
    }
  }
  memory_.back();
}

void Engine::rendezvous(const Operation& op, std::uint32_t process, MachineSteps& out) {
  MachineStep made;
  made.process = process;
  made.statement = op.statement;
  const Offer offer = make_offer(memory_, op, process, evaluate(memory_, op.code, process));
  if (memory_.why != Why::nothing) return finish_fault(made, out);
  for (const Partner& partner : partners(memory_, offer)) {
    memory_.copy();
    memory_.set_place(process, op.target);
    made.partner = static_cast<std::int32_t>(partner.process);
    made.partner_statement = partner.operation->statement;
    made.action = executor_.receive(offer, partner);
    if (memory_.why != Why::nothing) {
      finish_fault(made, out);
    } else {
      memory_.set_place(partner.process, partner.operation->target);
      finish(made, partner.process, partner.operation->atomic, out);
    }
    memory_.back();
  }
}

// The next state is complete but for the floor, which goes to `process` if it keeps it and can use it.
void Engine::finish(MachineStep step, std::uint32_t process, bool keeps_floor, MachineSteps& out) {
  memory_.now[kFloor] = 0;
  const bool outer_timeout = std::exchange(memory_.timeout, false);
  if (keeps_floor && can_move(memory_, process)) memory_.now[kFloor] = static_cast<std::uint8_t>(process + 1);
  memory_.timeout = outer_timeout;
  if (std::exchange(memory_.failed_assertion, false)) {
    step.fault = MachineStep::Fault::assertion;
    step.why = static_cast<std::uint8_t>(Why::assertion);
  }
  const auto& next = memory_.next;
  step.begin = static_cast<std::uint32_t>(out.bytes.size());
  step.size = static_cast<std::uint32_t>(next.size());
  out.bytes.insert(out.bytes.end(), next.begin(), next.end());
  out.steps.push_back(step);
}

void Engine::finish_fault(MachineStep step, MachineSteps& out) {
  const Why why = std::exchange(memory_.why, Why::nothing);
  const bool watch = why == Why::no_event || why == Why::all_events;
  step.fault = watch ? MachineStep::Fault::watch : MachineStep::Fault::error;
  step.why = static_cast<std::uint8_t>(why);
  out.steps.push_back(step);
  memory_.failed_assertion = false;
}

// ---- states

bool Engine::valid_end(MachineState state) {
  memory_.open(state);
  if (watch_.watches()) return watch_.complete(memory_);
  for (std::uint32_t p = 0; p < memory_.processes(); ++p)
    if (!memory_.compiled(p).flow.places[memory_.place(p)].end) return false;
  return true;
}

bool Engine::is_d_step(const MachineStep& step) const {
  return code_.statements[step.statement].d_step ||
         (step.partner >= 0 && code_.statements[step.partner_statement].d_step);
}

MachineState Engine::frame(MachineState state, std::uint32_t process) {
  memory_.open(state);
  if (process >= memory_.processes()) return {};
  return {memory_.frame(process), memory_.compiled(process).frame_bytes};
}

std::uint32_t Engine::add_proposition(const Expression& expression) {
  propositions_.push_back(compiler_->expression(expression, kNone));
  memory_.fit_stack();
  return static_cast<std::uint32_t>(propositions_.size() - 1);
}

std::uint32_t Engine::add_accepting() {
  Instruction accepting;
  accepting.op = Instruction::Op::accepting;
  propositions_.push_back({accepting});
  return static_cast<std::uint32_t>(propositions_.size() - 1);
}

bool Engine::holds(std::uint32_t proposition, MachineState state) {
  memory_.open(state);
  memory_.why = Why::nothing;
  memory_.timeout = false;
  const bool value = evaluate(memory_, propositions_[proposition], 0) != 0;
  return std::exchange(memory_.why, Why::nothing) == Why::nothing && value;
}

Result<MachineClaim> Engine::claim(std::uint32_t process) {
  auto out = claim_of(
      file_.program->processes[process], code_.processes[process].flow,
      [&](const Expression& e) { return add_proposition(e); }, *report_);
  if (has_label(*file_.program, "accept")) out.accepting = add_accepting();
  if (auto errors = take_errors(); !errors.empty()) return tl::unexpected(std::move(errors));
  return out;
}

// ---- for people

void Engine::find_single_processes() {
  for (const Process& p : file_.program->processes) single_.push_back(p.active <= 1);
  for (const auto& p : code_.processes)
    for (const auto& place : p.places)
      for (const Operation& op : place)
        if (op.kind == Operation::Kind::run || op.kind == Operation::Kind::assign_run) single_[op.process] = false;
}

std::string Engine::process_name(std::uint32_t process) const {
  const std::uint8_t t = memory_.type(process);
  const std::string& name = file_.program->processes[t].name;
  return single_[t] ? name : fmt::format("{}({})", name, process);
}

std::vector<ShownStep> Engine::show(MachineState before, const MachineStep& step) {
  memory_.open(before);
  std::vector<ShownStep> out;
  const auto add = [&](std::uint32_t process, std::uint32_t statement) {
    const ShownStatement& s = code_.statements[statement];
    out.push_back({process_name(process), s.line, s.text, {}});
  };
  add(step.process, step.statement);
  if (step.partner >= 0) add(static_cast<std::uint32_t>(step.partner), step.partner_statement);
  out.back().note = text(static_cast<Why>(step.why));
  return out;
}

std::vector<PromelaStand> Engine::stands(MachineState state) {
  memory_.open(state);
  std::vector<PromelaStand> out;
  for (std::uint32_t p = 0; p < memory_.processes(); ++p)
    out.push_back({process_name(p), statements_at(memory_, p), memory_.compiled(p).flow.places[memory_.place(p)].end});
  return out;
}

std::vector<PromelaValue> Engine::values(MachineState state) {
  memory_.open(state);
  std::vector<std::string> names;
  for (std::uint32_t p = 0; p < memory_.processes(); ++p) names.push_back(process_name(p));
  return values_of(memory_, *file_.program, names);
}

// Of the statement in the state that is open. The values are only asked for here, so they are compiled here.
std::string Engine::printed_by(std::uint32_t statement, std::uint32_t process) {
  const ShownStatement& shown = code_.statements[statement];
  if (shown.source == nullptr || shown.source->kind != Statement::Kind::print) return {};
  std::vector<std::int32_t> values;
  std::vector<std::string> names;
  for (const Expression& e : shown.source->messages) {
    const Code code = compiler_->expression(e, shown.process);
    memory_.fit_stack();
    if (!take_errors().empty()) return {};
    memory_.why = Why::nothing;
    values.push_back(evaluate(memory_, code, process));
    if (std::exchange(memory_.why, Why::nothing) != Why::nothing) return {};
    names.push_back(mtype_name(*file_.program, e, values.back()));
  }
  if (shown.source->name.empty()) return names[0].empty() ? std::to_string(values[0]) : names[0];
  return formatted(shown.source->name, values, names);
}

// A d_step is executed once more, with all else that can happen there, and asked on its way.
std::string Engine::printed(MachineState before, const MachineStep& step) {
  if (!is_d_step(step)) {
    memory_.open(before);
    return printed_by(step.statement, step.process);
  }
  MachineSteps all;
  std::map<std::size_t, std::string> texts;  // by the place in `all` that the step will have
  executor_.tell_inside([&](const Operations&, const Operation& op, std::uint32_t process) {
    texts[all.steps.size()] += printed_by(op.statement, process);
  });
  successors(before, all);
  executor_.tell_inside({});
  const auto is_it = [&](const MachineStep& s) {
    return s.process == step.process && s.statement == step.statement && s.partner == step.partner &&
           s.partner_statement == step.partner_statement;
  };
  return texts[static_cast<std::size_t>(std::ranges::find_if(all.steps, is_it) - all.steps.begin())];
}

// Every statement at the place of a process, executable or not, and those that d_steps execute there.
void Engine::add_tried(MachineState state, std::vector<bool>& tried) {
  tried.resize(code_.statements.size(), false);
  memory_.open(state);
  memory_.why = Why::nothing;
  const std::uint8_t floor = memory_.now[kFloor];
  for (std::uint32_t p = 0; p < memory_.processes(); ++p)
    if (floor == 0 || p == floor - 1U)
      for (const Operation& op : operations(memory_, p)) tried[op.statement] = true;
  executor_.tell_inside([&](const Operations& at, const Operation&, std::uint32_t) {
    for (const Operation& op : at) tried[op.statement] = true;
  });
  MachineSteps all;
  successors(state, all);
  executor_.tell_inside({});
}

// A statement stands at several places of the flow: where it is, and where it is the first of an option.
std::vector<PromelaStatement> Engine::statements() {
  std::vector<PromelaStatement> out;
  std::map<const Statement*, std::uint32_t> first;
  for (std::uint32_t i = 0; i < code_.statements.size(); ++i) {
    const ShownStatement& s = code_.statements[i];
    const Process& process = file_.program->processes[s.process];
    const bool runs = process.kind == Process::Kind::proctype || process.kind == Process::Kind::init;
    const bool does = s.finishes || (s.source != nullptr && does_something(*s.source));
    const std::uint32_t same = s.source == nullptr ? i : first.try_emplace(s.source, i).first->second;
    out.push_back({process.name, s.line, s.text, runs && does, same});
  }
  return out;
}

}  // namespace
}  // namespace promela

Result<std::unique_ptr<PromelaMachine>> PromelaMachine::make(const PromelaFile& file, ActionTable& actions,
                                                             const PromelaMachineOptions& options) {
  auto report = std::make_unique<promela::Report>(*file.source);
  auto compiler = std::make_unique<promela::Compiler>(*file.program, *file.source, *report);
  compiler->run();
  if (report->failed()) return tl::unexpected(std::move(report->errors()));
  auto made = std::make_unique<promela::Engine>(file, std::move(report), std::move(compiler), actions, options);
  if (auto errors = made->take_errors(); !errors.empty()) return tl::unexpected(std::move(errors));
  return made;
}

}  // namespace surety
