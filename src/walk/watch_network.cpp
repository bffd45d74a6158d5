// Watchers of a network. They look at the actions of a walk, and at nothing else.

#include <algorithm>
#include <map>

#include "walk/watch.hpp"

namespace surety::api {
namespace {

// The states of a monitor as the text names them, if its machine has names. Both are deterministic, so the same words
// lead to the states that belong together.
std::vector<std::string> names_in_text(const Lts& monitor, const FspMachine& machine, const FspFile& file) {
  const auto names = file.state_names(machine);
  if (!names) return {};
  std::map<State, State> same{{monitor.initial(), machine.lts.initial()}};
  std::vector<State> order{monitor.initial()};
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const Step& step : monitor.steps(order[i])) {
      const auto there = machine.lts.steps(same.at(order[i]), step.action);
      if (there.size() != 1) return {};
      if (same.emplace(step.target, there[0].target).second) order.push_back(step.target);
    }
  std::vector<std::string> out(monitor.state_count());
  for (const auto& [state, of_machine] : same) out[state.value] = (*names)[of_machine.value].text;
  return out;
}

// The machine that a property was made of: a part of the composite, or a process that is none.
std::optional<FspMachine> machine_of(const Model& model, std::size_t property) {
  if (!model.fsp || !model.composite) return std::nullopt;
  for (const FspMachine& machine : model.composite->machines)  // in the order of the properties
    if (machine.property && property-- == 0) return machine;
  return std::nullopt;
}

std::optional<FspMachine> machine_outside(const Model& model, const std::string& name) {
  if (!model.fsp) return std::nullopt;
  auto process = model.fsp->process(name);
  if (!process || !process->property) return std::nullopt;
  return FspMachine{name, std::move(process->lts), true, {}, name, FspInstance{name, {}}};
}

class PropertyWatcher final : public Watcher {
 public:
  PropertyWatcher(const Model& model, std::size_t number)
      : Watcher("property " + model.properties[number].name), model_(model), property_(model.properties[number]) {
    auto machine = machine_of(model, number);
    if (!machine) machine = machine_outside(model, property_.name);
    if (machine) names_ = names_in_text(property_.lts, *machine, *model.fsp);
  }

  std::uint32_t start(const Position& /*at*/) override { return property_.lts.initial().value; }

  std::uint32_t after(std::uint32_t state, const Choice& step) override {
    return property_after(property_, State{state}, step.action).value;
  }

  std::string shown(std::uint32_t state) const override {
    if (is_violated(state)) return "violated";
    return state < names_.size() ? names_[state] : std::to_string(state);
  }

  bool is_violated(std::uint32_t state) const override { return State{state} == kViolated; }

  std::vector<std::string> forbidden(std::uint32_t state) const override {
    std::vector<std::string> out;
    if (is_violated(state)) return out;
    for (const Action a : property_.lts.alphabet())
      if (property_.lts.steps(State{state}, a).empty()) out.emplace_back(model_.actions->name(a));
    std::ranges::sort(out);
    return out;
  }

 private:
  const Model& model_;
  const Property& property_;
  std::vector<std::string> names_;  // by state; none: it has numbers only
};

class FluentWatcher final : public Watcher {
 public:
  explicit FluentWatcher(Fluent fluent) : Watcher("fluent " + fluent.name), fluent_(std::move(fluent)) {}

  std::uint32_t start(const Position& /*at*/) override { return fluent_.initially ? 1 : 0; }

  std::uint32_t after(std::uint32_t state, const Choice& step) override {
    if (fluent_.initiating.contains(step.action)) return 1;
    return fluent_.terminating.contains(step.action) ? 0 : state;
  }

  std::string shown(std::uint32_t state) const override { return state == 1 ? "true" : "false"; }

 private:
  Fluent fluent_;
};

// Replaces events in a formula by propositions: number `fluents` stands for events[0], and so on. A walk looks after
// every event, so these are as good as fluents for it.
void replace_events(Formula& formula, std::size_t fluents, std::vector<Alphabet>& events) {
  for (Formula& operand : formula.operands) replace_events(operand, fluents, events);
  if (formula.op != Formula::Op::actions) return;
  formula.op = Formula::Op::fluent;
  formula.fluent = static_cast<std::uint32_t>(fluents + events.size());
  events.push_back(std::move(formula.actions));
}

// An assertion that something that has happened can make false. A state: that of the watch, and those of the fluents.
class AssertionWatcher final : public Watcher {
 public:
  static std::unique_ptr<Watcher> make(const Assertion& assertion) {
    Formula formula = assertion.formula;
    std::vector<Alphabet> events;
    replace_events(formula, assertion.fluents.size(), events);
    auto watch = MachineWatch::of({std::move(formula), {}});
    if (!watch) return nullptr;
    return std::make_unique<AssertionWatcher>(assertion, std::move(*watch), std::move(events));
  }

  AssertionWatcher(const Assertion& assertion, MachineWatch watch, std::vector<Alphabet> events)
      : Watcher("assertion " + assertion.name), watch_(std::move(watch)), events_(std::move(events)) {
    for (const Fluent& fluent : assertion.fluents) fluents_.emplace_back(fluent);
  }

  std::uint32_t start(const Position& at) override {
    Known known{watch_.initial(), {}};
    for (FluentWatcher& fluent : fluents_) known.second.push_back(fluent.start(at) == 1);
    return number(known);
  }

  std::uint32_t after(std::uint32_t state, const Choice& step) override {
    Known next = known_[state];
    for (std::size_t i = 0; i < fluents_.size(); ++i)
      next.second[i] = fluents_[i].after(next.second[i] ? 1 : 0, step) == 1;
    std::vector<bool> letter = next.second;
    for (const Alphabet& event : events_) letter.push_back(event.contains(step.action));
    next.first = watch_.after(next.first, letter);
    return number(next);
  }

  std::string shown(std::uint32_t state) const override { return shown_watch(watch_, known_[state].first); }
  bool is_violated(std::uint32_t state) const override { return known_[state].first == MachineWatch::kFalse; }

 private:
  using Known = std::pair<std::uint32_t, std::vector<bool>>;

  std::uint32_t number(const Known& known) {
    const auto [at, fresh] = numbers_.emplace(known, static_cast<std::uint32_t>(known_.size()));
    if (fresh) known_.push_back(known);
    return at->second;
  }

  MachineWatch watch_;
  std::vector<Alphabet> events_;
  std::vector<FluentWatcher> fluents_;
  std::vector<Known> known_;  // by state
  std::map<Known, std::uint32_t> numbers_;
};

class NetworkWatchers {
 public:
  explicit NetworkWatchers(const Model& model) : model_(model), all_(alphabet_of(model.network)) {
    for (std::size_t p = 0; p < model.properties.size(); ++p) {
      out_.push_back(std::make_unique<PropertyWatcher>(model, p));
      all_ = unite(all_, model.properties[p].lts.alphabet());
    }
  }

  Outcome<Watchers> of(const WatchedNames& names) && {
    if (!model_.fsp) return std::move(out_);
    if (auto added = add_assertions(names); !added) return tl::unexpected(std::move(added.error()));
    if (!names)
      if (auto added = add_other_fluents(); !added) return tl::unexpected(std::move(added.error()));
    std::ranges::move(assertions_, std::back_inserter(out_));
    return std::move(out_);
  }

 private:
  Outcome<void> add_assertions(const WatchedNames& names) {
    for (const auto& name : model_.fsp->assertions()) {
      if (!is_watched(names, name)) continue;
      auto assertion = model_.fsp->assertion(name);
      if (!assertion) return bad_input(std::move(assertion.error()));
      for (const Fluent& fluent : assertion->fluents) add(fluent);
      if (auto watcher = AssertionWatcher::make(*assertion)) assertions_.push_back(std::move(watcher));
    }
    return {};
  }

  // Those that no assertion has.
  Outcome<void> add_other_fluents() {
    auto fluents = model_.fsp->fluents();
    if (!fluents) return bad_input(std::move(fluents.error()));
    for (const Fluent& fluent : *fluents) add(fluent);
    return {};
  }

  // What no action of the system changes tells nothing.
  void add(const Fluent& fluent) {
    if (intersect(all_, unite(fluent.initiating, fluent.terminating)).empty()) return;
    auto watcher = std::make_unique<FluentWatcher>(fluent);
    const auto same = [&](const auto& other) { return other->name() == watcher->name(); };
    if (std::ranges::none_of(out_, same)) out_.push_back(std::move(watcher));
  }

  const Model& model_;
  Alphabet all_;
  Watchers out_, assertions_;
};

}  // namespace

State property_after(const Property& property, State now, Action action) {
  if (now == kViolated || !property.lts.alphabet().contains(action)) return now;
  const auto steps = property.lts.steps(now, action);
  return steps.empty() ? kViolated : steps[0].target;
}

bool is_watched(const WatchedNames& names, const std::string& name) {
  return !names || std::ranges::find(*names, name) != names->end();
}

std::string shown_watch(const MachineWatch& watch, std::uint32_t state) {
  if (state == MachineWatch::kFalse) return "violated";
  if (state == MachineWatch::kTooLarge) return "unknown, too large to be watched";
  return watch.is_true(state) ? "holds, whatever comes" : "holds so far";
}

Outcome<Watchers> network_watchers(const Model& model, const WatchedNames& names) {
  return NetworkWatchers(model).of(names);
}

}  // namespace surety::api
