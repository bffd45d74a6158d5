#include "check/unreached.hpp"

#include <set>
#include <tuple>

#include "check/machine_check.hpp"
#include "engine/machine/search.hpp"

namespace surety::api {
namespace {

// The machine, and what it comes by when it is searched.
class Observed final : public Machine {
 public:
  explicit Observed(PromelaMachine& machine) : machine_(machine) {}

  std::vector<std::uint8_t> initial() override { return machine_.initial(); }
  void successors(MachineState state, MachineSteps& out) override {
    machine_.add_tried(state, tried_);
    machine_.successors(state, out);
  }
  bool valid_end(MachineState state) override { return machine_.valid_end(state); }
  bool between(MachineState state) override { return machine_.between(state); }
  bool holds(std::uint32_t proposition, MachineState state) override { return machine_.holds(proposition, state); }
  std::vector<ShownStep> show(MachineState before, const MachineStep& step) override {
    return machine_.show(before, step);
  }

  const std::vector<bool>& tried() const { return tried_; }

 private:
  PromelaMachine& machine_;
  std::vector<bool> tried_;
};

}  // namespace

Outcome<Unreached> find_unreached(const Model& model, Budget& budget) {
  auto machine = make_machine(model);
  if (!machine) return tl::unexpected(std::move(machine.error()));
  Observed observed(**machine);
  const MachineSearch search = search_machine(observed, kToTheEnd, budget);
  Unreached out;
  out.states = search.states;
  out.why = budget.why();
  if (!search.complete) return out;
  const auto statements = (*machine)->statements();
  std::vector<bool> tried(statements.size(), false);
  for (std::size_t i = 0; i < observed.tried().size(); ++i)
    if (observed.tried()[i]) tried[statements[i].same] = true;
  std::set<std::tuple<std::string, std::uint32_t, std::string>> told;
  for (std::size_t i = 0; i < statements.size(); ++i)
    if (const PromelaStatement& s = statements[i];
        s.counts && s.same == i && !tried[i] && told.emplace(s.process, s.line, s.text).second)
      out.lines.push_back({s.process, s.line, s.text});
  return out;
}

}  // namespace surety::api
