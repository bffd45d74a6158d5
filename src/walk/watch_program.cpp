// Watchers of a program. They look at the states of a walk, except in the middle of an indivisible sequence, where
// neither formulas nor claims look.

#include <algorithm>
#include <map>
#include <set>

#include "lang/promela/machine/ltl.hpp"
#include "walk/watch.hpp"

namespace surety::api {
namespace {

class StateWatcher : public Watcher {
 public:
  StateWatcher(std::string name, PromelaMachine& machine) : Watcher(std::move(name)), machine_(machine) {}

  std::uint32_t start(const Position& at) final { return look(initial(), at); }

  std::uint32_t after(std::uint32_t state, const Choice& step) final {
    if (step.target.empty() || machine_.between(step.target)) return state;
    return look(state, step.target);
  }

 protected:
  virtual std::uint32_t initial() = 0;
  virtual std::uint32_t look(std::uint32_t state, const Position& at) = 0;

  PromelaMachine& machine_;
};

class PropositionWatcher final : public StateWatcher {
 public:
  PropositionWatcher(const std::string& text, std::uint32_t proposition, PromelaMachine& machine)
      : StateWatcher("proposition " + text, machine), proposition_(proposition) {}

  std::string shown(std::uint32_t state) const override { return state == 1 ? "true" : "false"; }

 private:
  std::uint32_t initial() override { return 0; }
  std::uint32_t look(std::uint32_t /*state*/, const Position& at) override {
    return machine_.holds(proposition_, at) ? 1 : 0;
  }

  std::uint32_t proposition_;
};

class FormulaWatcher final : public StateWatcher {
 public:
  FormulaWatcher(const std::string& name, MachineWatch watch, PromelaMachine& machine)
      : StateWatcher("formula " + name, machine), watch_(std::move(watch)) {}

  std::string shown(std::uint32_t state) const override { return shown_watch(watch_, state); }
  bool is_violated(std::uint32_t state) const override { return state == MachineWatch::kFalse; }

 private:
  std::uint32_t initial() override { return watch_.initial(); }
  std::uint32_t look(std::uint32_t state, const Position& at) override { return watch_.after(state, machine_, at); }

  MachineWatch watch_;
};

// A claim follows a run in all ways at once: a state is the set of places where it can be.
class ClaimWatcher final : public StateWatcher {
 public:
  ClaimWatcher(const std::string& name, MachineClaim claim, PromelaMachine& machine)
      : StateWatcher("claim " + name, machine), claim_(std::move(claim)) {}

  std::string shown(std::uint32_t state) const override {
    if (is_violated(state)) return "violated";
    return sets_[state].empty() ? "holds, whatever comes" : "follows the run";
  }

  // The run is one that the claim describes, whatever comes.
  bool is_violated(std::uint32_t state) const override {
    return std::ranges::any_of(sets_[state], [&](std::uint32_t place) { return claim_.places[place].over; });
  }

 private:
  using Places = std::set<std::uint32_t>;

  std::uint32_t initial() override { return number({claim_.start}); }

  std::uint32_t look(std::uint32_t state, const Position& at) override {
    if (is_violated(state)) return state;
    Places next;
    for (const std::uint32_t place : sets_[state])
      for (const MachineClaim::Edge& edge : claim_.places[place].edges)
        if (fits(edge, at)) next.insert(edge.target);
    return number(next);
  }

  bool fits(const MachineClaim::Edge& edge, const Position& at) {
    const auto holds = [&](std::uint32_t proposition) { return machine_.holds(proposition, at); };
    return std::ranges::all_of(edge.all, holds) && std::ranges::none_of(edge.none, holds);
  }

  std::uint32_t number(const Places& places) {
    const auto [at, fresh] = numbers_.emplace(places, static_cast<std::uint32_t>(sets_.size()));
    if (fresh) sets_.push_back(places);
    return at->second;
  }

  MachineClaim claim_;
  std::vector<Places> sets_;  // by state
  std::map<Places, std::uint32_t> numbers_;
};

class ProgramWatchers {
 public:
  ProgramWatchers(const Model& model, PromelaMachine& machine) : program_(*model.promela->program), machine_(machine) {}

  Outcome<Watchers> of(const WatchedNames& names) && {
    for (const auto& block : program_.formulas)
      if (is_watched(names, block.name)) add_formula(block);
    for (std::uint32_t p = 0; p < program_.processes.size(); ++p)
      if (program_.processes[p].kind == promela::Process::Kind::never && is_watched(names, program_.processes[p].name))
        add_claim(p);
    if (!errors_.empty()) return bad_input(std::move(errors_));
    std::ranges::move(formulas_, std::back_inserter(out_));
    return std::move(out_);
  }

 private:
  void add_formula(const promela::LtlBlock& block) {
    const PropositionalFormula parts = propositional(block.formula);
    const auto lowered = lower_formula(block.formula, machine_);
    if (!lowered) return add(lowered.error());
    for (std::size_t i = 0; i < parts.texts.size(); ++i) add_proposition(parts.texts[i], lowered->propositions[i]);
    if (auto watch = MachineWatch::of(*lowered))
      formulas_.push_back(std::make_unique<FormulaWatcher>(block.name, std::move(*watch), machine_));
  }

  void add_proposition(const std::string& text, std::uint32_t proposition) {
    auto watcher = std::make_unique<PropositionWatcher>(text, proposition, machine_);
    const auto same = [&](const auto& other) { return other->name() == watcher->name(); };
    if (std::ranges::none_of(out_, same)) out_.push_back(std::move(watcher));
  }

  void add_claim(std::uint32_t process) {
    auto claim = machine_.claim(process);
    if (!claim) return add(claim.error());
    formulas_.push_back(std::make_unique<ClaimWatcher>(program_.processes[process].name, std::move(*claim), machine_));
  }

  void add(const Diagnostics& errors) { errors_.insert(errors_.end(), errors.begin(), errors.end()); }

  const promela::Program& program_;
  PromelaMachine& machine_;
  Watchers out_, formulas_;
  Diagnostics errors_;
};

}  // namespace

Outcome<Watchers> program_watchers(const Model& model, PromelaMachine& machine, const WatchedNames& names) {
  return ProgramWatchers(model, machine).of(names);
}

}  // namespace surety::api
