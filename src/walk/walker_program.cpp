// A position of a program: the bytes of a state of its machine.

#include "check/machine_check.hpp"
#include "walk/watch.hpp"

namespace surety::api {
namespace {

class ProgramWalker final : public Walker {
 public:
  ProgramWalker(Model model, std::unique_ptr<PromelaMachine> machine)
      : Walker(std::move(model)), machine_(std::move(machine)) {
    steps_.with_actions = true;
  }

  Choice start() override {
    Choice out;
    out.target = machine_->initial();
    return out;
  }

  std::vector<Choice> choices(const Position& at) override {
    machine_->successors(at, steps_);
    std::vector<Choice> out;
    for (const MachineStep& step : steps_.steps) {
      Choice& choice = out.emplace_back();
      choice.action = step.action;
      choice.step = step;
      const MachineState next = steps_.next(step);
      choice.target.assign(next.begin(), next.end());
    }
    for (Choice& choice : out)
      if (choice.step.fault != MachineStep::Fault::none) choice.error = machine_->show(at, choice.step).back().note;
    return out;
  }

  std::vector<Refused> refused(const Position& /*at*/) override { return {}; }

  bool may_end(const Position& at) override { return machine_->valid_end(at); }

  TraceStep shown(const Position& at, const Choice& choice) override {
    return {name(choice), machine_->show(at, choice.step)};
  }

  std::vector<std::string> takes_part(const Choice& /*choice*/) override { return {}; }
  std::vector<State> states(const Position& /*at*/) override { return {}; }

  std::vector<Value> values(const Position& at) override {
    std::vector<Value> out;
    for (PromelaValue& v : machine_->values(at)) out.push_back({std::move(v.name), std::move(v.value)});
    return out;
  }

  std::vector<Value> properties(const Position& /*at*/) override { return {}; }

  std::vector<Stand> stands(const Position& at) override { return stands_at(*machine_, at); }

  std::string printed(const Position& at, const Choice& choice) override { return machine_->printed(at, choice.step); }

  Outcome<Watchers> watchers(const WatchedNames& names) override { return program_watchers(model(), *machine_, names); }

 private:
  std::unique_ptr<PromelaMachine> machine_;
  MachineSteps steps_;
};

}  // namespace

Outcome<std::unique_ptr<Walker>> program_walker(Model model) {
  auto machine = PromelaMachine::make(*model.promela, *model.actions);
  if (!machine) return bad_input(std::move(machine.error()));
  return std::make_unique<ProgramWalker>(std::move(model), std::move(*machine));
}

}  // namespace surety::api
