// Lowering of primitive processes.
//
// First every local process, with every value of its indices, gets a state, known by
// its dotted name: Q[1][2] is "Q.1.2". Then the bodies are gone through. A choice
// adds steps to its state; where a chain of actions goes on, or a choice stands
// without a name, the state after the action is a new one, for each label again
// (doc/semantics.md#fsp-processes). A body that only names another process (P = Q) makes its state an alias.
// This goes in the order of the text, which is then also the order of the actions; only
// where chains are very long the rest waits in a list, so that no deep stack is needed.
//
// A name that is no local process is ERROR, as LTSA has it, with a warning.
#include "lang/fsp/front/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/big_array.hpp"
#include "lang/fsp/front/renaming.hpp"
#include "model/automata.hpp"
#include "model/minimise.hpp"
#include "model/sequence_table.hpp"
#include "model/transform.hpp"

namespace surety::fsp {
namespace {

constexpr std::uint32_t kError = UINT32_MAX;  // stands for ERROR until the states are known
constexpr std::uint32_t kNone = UINT32_MAX - 1;
constexpr int kDeepest = 200;  // actions in a chain before the rest has to wait

class ProcessCompiler {
 public:
  ProcessCompiler(const ProcessDefinition& definition, Scope parameters, Evaluator& evaluator, ActionTable& actions,
                  const Supplier& supplier, MissingLabels* missing)
      : definition_(definition),
        scope_(std::move(parameters)),
        evaluator_(evaluator),
        actions_(actions),
        supplier_(supplier),
        missing_(missing) {}

  std::optional<CompiledProcess> run();
  std::optional<FspStateNames> names(const Source& source);

 private:
  // A state whose steps are still to be made: those of a choice, or the rest of a chain of actions.
  struct Pending {
    std::uint32_t state;
    const Body* body;
    const Choice* chain;
    std::size_t position;
    Scope scope;
  };
  struct Transition {
    std::uint32_t from;
    Action action;
    std::uint32_t to;
  };
  // How a state without a name of its own came about, if names are asked for.
  struct Origin {
    std::uint32_t before = kNone;  // the state it was reached from
    Action action{};
    const Call* inside = nullptr;  // it belongs to a machine that was copied in
  };
  struct Unknown {
    std::string name;
    std::uint64_t count = 0;
    Place place;
    std::string_view base;
  };

  void number_states();
  void lower_states();
  void go_on(std::uint32_t state, const Body* body, const Choice* chain, std::size_t position, Scope& scope);
  void work_off();
  void lower(std::uint32_t state, const Body& body, Scope& scope);
  void add_choices(std::uint32_t from, const Body& body, Scope& scope);
  void add_steps(std::uint32_t from, const Choice& choice, std::size_t position, Scope& scope);
  std::uint32_t target(const Body& body, const Origin& origin, Scope& scope);
  const Body* decide(const Body& body, const Scope& scope);
  std::uint32_t refer(const Body& body, const Scope& scope);
  std::uint32_t insert(const Call& call, const Lts& machine, std::uint32_t next);
  std::uint32_t unknown(const std::string& name, const Body& body);
  std::uint32_t fresh();
  std::uint32_t fresh(const Origin& origin);
  void too_many_states();
  std::uint32_t special(std::optional<std::uint32_t>& state);
  void defined_as_itself(std::uint32_t state);
  void resolve_aliases();
  std::uint32_t resolved(std::uint32_t s) const { return s == kError ? kError : alias_[s]; }
  Lts build();
  std::uint32_t initial_state() const;
  FspStateName name_of(std::uint32_t state, const std::vector<std::string>& locals, const Source& source) const;
  static std::optional<FspStateNames> completed_names(const Lts& lts, const FspStateNames& names);
  Lts apply_operators(Lts lts);
  Lts completed(const Lts& lts);
  void warn_about_unknown();

  const ProcessDefinition& definition_;
  Scope scope_;
  Evaluator& evaluator_;
  ActionTable& actions_;
  const Supplier& supplier_;
  MissingLabels* missing_;  // null: not asked for

  NameTable states_;                            // the dotted names of the named states, which come first
  BigArray<std::uint32_t> alias_;               // by state; kNone: stands for itself
  std::vector<const LocalProcess*> owner_;      // of the named states
  std::optional<std::vector<Origin>> origins_;  // by state; none: names are not asked for
  BigArray<Transition> steps_;
  std::vector<Pending> pending_;
  int depth_ = 0;
  std::optional<std::uint32_t> stop_, end_;
  Alphabet extension_;
  std::vector<Action> more_alphabet_;  // of inserted machines
  std::vector<std::string> sequenced_;
  std::map<std::size_t, Unknown> unknown_;  // by place
};

std::optional<CompiledProcess> ProcessCompiler::run() {
  number_states();
  lower_states();
  if (!evaluator_.failed()) resolve_aliases();
  if (!evaluator_.has_time(definition_.place)) return std::nullopt;
  Lts lts = build();
  if (!evaluator_.has_time(definition_.place)) return std::nullopt;
  lts = reachable(lts);
  lts = apply_operators(std::move(lts));
  if (!evaluator_.has_time(definition_.place)) return std::nullopt;
  warn_about_unknown();
  return CompiledProcess{{}, std::move(lts), definition_.property, extension_, std::move(sequenced_), {}};
}

// ---- states

void ProcessCompiler::number_states() {
  for (const LocalProcess& local : definition_.locals) {
    if (count_indices(local.indices, scope_, evaluator_) > evaluator_.effort().most_states) return too_many_states();
    for_each_index(local.indices, scope_, evaluator_, [&](const std::string& suffix) {
      const std::string name = std::string(local.name) + suffix;
      const auto s = fresh();
      if (evaluator_.failed()) return;
      owner_.push_back(&local);
      if (states_.intern(name) != s)
        evaluator_.error(local.place, fmt::format("'{}' is defined twice in process {}", name, definition_.name));
    });
  }
}

void ProcessCompiler::too_many_states() {
  evaluator_.error(definition_.place,
                   fmt::format("process {} has more than {} states", definition_.name, evaluator_.effort().most_states),
                   "use smaller ranges");
}

std::uint32_t ProcessCompiler::fresh() {
  if (alias_.size() >= evaluator_.effort().most_states) too_many_states();
  if (evaluator_.failed()) return 0;
  alias_.push_back(kNone);
  return static_cast<std::uint32_t>(alias_.size() - 1);
}

std::uint32_t ProcessCompiler::fresh(const Origin& origin) {
  const auto state = fresh();
  if (origins_) {
    origins_->resize(alias_.size());
    origins_->back() = origin;
  }
  return state;
}

// STOP or END: one state each, made when it is first needed.
std::uint32_t ProcessCompiler::special(std::optional<std::uint32_t>& state) {
  if (!state) state = fresh();
  return *state;
}

// ---- bodies

// The named states come first and in this order, so counting finds them again.
void ProcessCompiler::lower_states() {
  std::uint32_t state = 0;
  for (const LocalProcess& local : definition_.locals)
    for_each_index(local.indices, scope_, evaluator_, [&](const std::string&) {
      const std::uint32_t s = state++;
      lower(s, local.body, scope_);
      work_off();
      if (local.accepting) steps_.push_back({s, actions_.intern("@" + std::string(definition_.name)), s});
    });
}

// Makes the steps of a new state, now or later.
void ProcessCompiler::go_on(std::uint32_t state, const Body* body, const Choice* chain, std::size_t position,
                            Scope& scope) {
  if (depth_ >= kDeepest) return pending_.push_back({state, body, chain, position, scope});
  ++depth_;
  if (chain != nullptr)
    add_steps(state, *chain, position, scope);
  else
    add_choices(state, *body, scope);
  --depth_;
}

void ProcessCompiler::work_off() {
  while (!pending_.empty() && !evaluator_.failed()) {
    Pending p = std::move(pending_.back());
    pending_.pop_back();
    go_on(p.state, p.body, p.chain, p.position, p.scope);
  }
}

void ProcessCompiler::lower(std::uint32_t state, const Body& body, Scope& scope) {
  const Body* leaf = decide(body, scope);
  if (leaf != nullptr && leaf->form == Body::Form::choice) return add_choices(state, *leaf, scope);
  const auto to = leaf == nullptr ? special(stop_) : refer(*leaf, scope);
  if (to == state && !evaluator_.failed()) return defined_as_itself(state);
  alias_[state] = to;
}

void ProcessCompiler::add_choices(std::uint32_t from, const Body& body, Scope& scope) {
  for (const Choice& choice : body.choices) {
    if (evaluator_.failed()) return;
    if (!choice.guard || evaluator_.truth(*choice.guard, scope)) add_steps(from, choice, 0, scope);
  }
}

void ProcessCompiler::add_steps(std::uint32_t from, const Choice& choice, std::size_t position, Scope& scope) {
  for_each_label(choice.labels[position], scope, evaluator_, [&](const std::string& label) {
    const Action a = actions_.intern(label);
    if (actions_.size() > evaluator_.effort().most_actions)
      return evaluator_.error(choice.labels[position].place, "there are too many different actions",
                              "use smaller ranges");
    std::uint32_t to = 0;
    if (position + 1 < choice.labels.size()) {
      to = fresh({from, a});
      go_on(to, nullptr, &choice, position + 1, scope);
    } else {
      to = target(*choice.next, {from, a}, scope);
    }
    steps_.push_back({from, a, to});
  });
}

std::uint32_t ProcessCompiler::target(const Body& body, const Origin& origin, Scope& scope) {
  const Body* leaf = decide(body, scope);
  if (leaf == nullptr) return special(stop_);
  if (leaf->form == Body::Form::reference) return refer(*leaf, scope);
  const auto state = fresh(origin);
  go_on(state, leaf, nullptr, 0, scope);
  return state;
}

// Follows if-then-else; nothing is STOP.
const Body* ProcessCompiler::decide(const Body& body, const Scope& scope) {
  const Body* leaf = &body;
  while (leaf != nullptr && leaf->form == Body::Form::conditional && !evaluator_.failed())
    leaf = evaluator_.truth(leaf->condition, scope) ? leaf->then_part.get() : leaf->else_part.get();
  return evaluator_.failed() ? nullptr : leaf;
}

// P;Q;R[i]: the machines before the last are copied in, from the back, each with its END glued to what follows.
std::uint32_t ProcessCompiler::refer(const Body& body, const Scope& scope) {
  std::string name(body.name);
  for (const Expression& e : body.indices) name += "." + text_of(evaluator_.evaluate(e, scope));
  if (evaluator_.failed()) return 0;

  std::uint32_t next = 0;
  if (const auto state = states_.find(name))
    next = *state;
  else if (name == "STOP")
    next = special(stop_);
  else if (name == "END")
    next = special(end_);
  else if (name == "ERROR")
    next = kError;
  else
    next = unknown(name, body);

  for (auto call = body.sequence.rbegin(); call != body.sequence.rend(); ++call) {
    std::vector<Value> values;
    for (const Expression& e : call->actuals) values.push_back(evaluator_.evaluate(e, scope));
    if (evaluator_.failed()) return 0;
    const Lts* machine = supplier_(*call, values);
    if (machine == nullptr) return 0;
    if (!machine->end()) {
      evaluator_.error(call->place, fmt::format("process '{}' does not terminate", call->name),
                       "only a process that can reach END may stand before ';'");
      return 0;
    }
    if (!values.empty()) sequenced_.push_back(instance_name(call->name, values));
    next = insert(*call, *machine, next);
  }
  return next;
}

std::uint32_t ProcessCompiler::insert(const Call& call, const Lts& machine, std::uint32_t next) {
  std::vector<std::uint32_t> image(machine.state_count());
  for (std::uint32_t s = 0; s < machine.state_count(); ++s)
    image[s] = State{s} == machine.end() ? next : State{s} == machine.error() ? kError : fresh({kNone, {}, &call});
  if (evaluator_.failed()) return 0;
  for (std::uint32_t s = 0; s < machine.state_count(); ++s)
    for (const Step& step : machine.steps(State{s}))
      steps_.push_back({image[s], step.action, image[step.target.value]});
  more_alphabet_.insert(more_alphabet_.end(), machine.alphabet().begin(), machine.alphabet().end());
  return image[0];
}

// ---- names without a definition

std::uint32_t ProcessCompiler::unknown(const std::string& name, const Body& body) {
  auto& entry = unknown_[body.place.offset];
  if (entry.count++ == 0) {
    entry.name = name;
    entry.place = body.place;
    entry.base = body.name;
  }
  return kError;
}

void ProcessCompiler::warn_about_unknown() {
  const auto known = names_of(definition_.locals);
  for (const auto& [place, entry] : unknown_) {
    std::string hint;
    if (std::ranges::find(known, entry.base) != known.end())
      hint = "the index is out of range";
    else if (find_named(evaluator_.tree().processes, entry.base) != nullptr)
      hint = "a process can only go on as one of its own local processes";
    else
      hint = did_you_mean(entry.base, known);
    const std::string more = entry.count > 1 ? fmt::format(" (and {} more like it)", entry.count - 1) : "";
    evaluator_.report().warning(
        entry.place, fmt::format("{} has no local process '{}'{}: this is ERROR", definition_.name, entry.name, more),
        hint);
  }
}

// ---- from states to an LTS

void ProcessCompiler::defined_as_itself(std::uint32_t state) {
  const LocalProcess* owner = state < owner_.size() ? owner_[state] : &definition_.locals[0];
  evaluator_.error(owner->place, fmt::format("'{}' is defined as itself, with no action in between", owner->name));
}

void ProcessCompiler::resolve_aliases() {
  std::vector<std::uint32_t> path;
  for (std::uint32_t s = 0; s < alias_.size(); ++s) {
    path.clear();
    std::uint32_t end = s;
    while (end != kError && alias_[end] != kNone && alias_[end] != end && path.size() <= alias_.size()) {
      path.push_back(end);
      end = alias_[end];
    }
    if (path.size() > alias_.size()) return defined_as_itself(s);
    if (end != kError) alias_[end] = end;
    for (const auto p : path) alias_[p] = end;
  }
}

// ERROR from the start: a silent step into it, from one state more.
std::uint32_t ProcessCompiler::initial_state() const {
  return resolved(0) == kError ? static_cast<std::uint32_t>(alias_.size()) + 1 : resolved(0);
}

Lts ProcessCompiler::build() {
  const auto n = static_cast<std::uint32_t>(alias_.size());
  const std::uint32_t initial = initial_state();
  // The initial state changes places with state 0; ERROR is state n.
  const auto place = [&](std::uint32_t s) { return State{s == kError ? n : s == initial ? 0 : s == 0 ? initial : s}; };

  LtsBuilder builder;
  builder.set_state_count(n + 2);
  builder.set_error(State{n});
  if (end_) builder.set_end(place(*end_));
  if (initial > n) builder.add_step(State{0}, kTau, State{n});
  builder.reserve(steps_.size());
  for (const Transition& t : steps_) builder.add_step(place(resolved(t.from)), t.action, place(resolved(t.to)));
  steps_ = {};
  builder.add_to_alphabet(Alphabet(std::move(more_alphabet_)));
  if (definition_.extension) {
    std::vector<Action> extra;
    for_each_label(*definition_.extension, scope_, evaluator_,
                   [&](const std::string& label) { extra.push_back(actions_.intern(label)); });
    extension_ = Alphabet(std::move(extra));
    builder.add_to_alphabet(extension_);
  }
  return builder.build();
}

// ---- names of states

std::optional<FspStateNames> ProcessCompiler::names(const Source& source) {
  if (definition_.minimal || definition_.deterministic || definition_.locals.empty()) return std::nullopt;
  if (definition_.property && (definition_.hiding || !definition_.relabellings.empty())) return std::nullopt;
  origins_.emplace();
  number_states();
  lower_states();
  if (!evaluator_.failed()) resolve_aliases();
  if (evaluator_.failed()) return std::nullopt;
  origins_->resize(alias_.size());
  std::vector<std::string> locals(owner_.size());  // as they are written
  for (std::uint32_t state = 0; state < states_.size(); ++state) {
    std::string& name = locals[state] = owner_[state]->name;
    std::string_view rest = states_[state].substr(name.size());
    while (!rest.empty()) {
      const auto end = std::min(rest.find('.', 1), rest.size());
      name += fmt::format("[{}]", rest.substr(1, end - 1));
      rest.remove_prefix(end);
    }
  }
  const std::uint32_t initial = initial_state();
  const Lts whole = build();
  FspStateNames out;
  for (const State s : reachable_order(whole)) {
    const std::uint32_t raw = s.value == 0 ? initial : s.value == initial ? 0 : s.value;
    out.push_back(whole.error() == s ? FspStateName{"ERROR", 0} : name_of(raw, locals, source));
  }
  return definition_.property ? completed_names(reachable(whole), out) : out;
}

// By the states of a property, which has ERROR wherever a step is missing.
std::optional<FspStateNames> ProcessCompiler::completed_names(const Lts& lts, const FspStateNames& names) {
  if (!is_deterministic(lts)) return std::nullopt;
  FspStateNames out;
  for (const State s : reachable_order(complete(lts)))
    out.push_back(s.value < names.size() ? names[s.value] : FspStateName{"ERROR", 0});
  return out;
}

// The local process it is inside, and the last few actions since then.
FspStateName ProcessCompiler::name_of(std::uint32_t state, const std::vector<std::string>& locals,
                                      const Source& source) const {
  constexpr std::size_t kShown = 3;
  const auto line = [&](Place place) { return source.line_number(place); };
  if (state == stop_) return {"STOP", 0};
  if (state == end_) return {"END", 0};
  if (state >= alias_.size()) return {std::string(definition_.name), line(definition_.place)};
  std::vector<Action> since;  // backwards
  std::size_t length = 0;
  while (state >= locals.size() && (*origins_)[state].before != kNone) {
    if (++length <= kShown) since.push_back((*origins_)[state].action);
    state = (*origins_)[state].before;
  }
  FspStateName out;
  if (const Call* inside = state < locals.size() ? nullptr : (*origins_)[state].inside)
    out = {std::string(inside->name), line(inside->place)};
  else if (state < locals.size())
    out = {locals[state], line(owner_[state]->place)};
  std::ranges::reverse(since);
  std::string path = length > kShown ? "... -> " : "";
  for (const Action& a : since) path += fmt::format("{}{}", &a == since.data() ? "" : " -> ", actions_.name(a));
  if (length > 0) out.text += " after " + path;
  return out;
}

// The order in which LTSA applies them (doc/semantics.md#fsp-processes).
Lts ProcessCompiler::apply_operators(Lts lts) {
  const auto known = [&] { return KnownLabels(lts.alphabet(), actions_, KnownLabels::Match::prefix); };
  if (!definition_.relabellings.empty()) {
    if (missing_ != nullptr && !missing_->all_found(definition_.relabellings))
      missing_->look(definition_.relabellings, scope_, evaluator_, definition_.name, known());
    const auto map = map_of(renaming_of(definition_.relabellings, scope_, evaluator_), lts.alphabet(), actions_);
    extension_ = image(map, extension_);
    lts = relabel(lts, map);
  }
  if (definition_.hiding) {
    const auto labels = all_labels(definition_.hiding->labels, scope_, evaluator_);
    const Alphabet named = chosen(labels, lts.alphabet(), actions_);
    if (missing_ != nullptr)
      missing_->look(definition_.hiding->labels, scope_, evaluator_,
                     definition_.hiding->expose ? MissingLabels::Use::exposing : MissingLabels::Use::hiding,
                     definition_.name, known());
    lts = definition_.hiding->expose ? project(lts, named) : hide(lts, named);
  }
  if (evaluator_.failed()) return lts;
  if (definition_.property) lts = completed(lts);
  if (evaluator_.failed()) return lts;
  Budget* const budget = evaluator_.effort().budget;
  if (definition_.minimal) lts = minimise_weak(lts, budget);
  if (definition_.deterministic) lts = deterministic_form(lts, budget);
  return lts;
}

// Its steps are as many as states times actions, however few there were.
Lts ProcessCompiler::completed(const Lts& lts) {
  const std::uint64_t most = 5 * evaluator_.effort().most_labels;
  if (std::uint64_t{lts.state_count()} * lts.alphabet().size() > most) {
    evaluator_.error(definition_.place,
                     fmt::format("property {} has {} states and {} actions, which is too much together",
                                 definition_.name, lts.state_count(), lts.alphabet().size()),
                     "use smaller ranges");
    return lts;
  }
  for (std::uint32_t s = 0; s < lts.state_count(); ++s) {
    const auto steps = lts.steps(State{s});
    for (std::size_t i = 0; i < steps.size(); ++i)
      if (steps[i].action == kTau || (i > 0 && steps[i].action == steps[i - 1].action)) {
        evaluator_.error(definition_.place, fmt::format("property {} is not deterministic", definition_.name),
                         steps[i].action == kTau ? "it has a silent step"
                                                 : fmt::format("after some trace there are two choices for '{}'",
                                                               actions_.name(steps[i].action)));
        return lts;
      }
  }
  return reachable(complete(lts));
}

}  // namespace

Lts deterministic_form(const Lts& lts, Budget* budget) {
  return is_deterministic(lts) ? lts : minimise_weak(determinise(lts, budget), budget);
}

std::optional<CompiledProcess> compile_process(const ProcessDefinition& definition, const std::vector<Value>& values,
                                               Place call, Evaluator& evaluator, ActionTable& actions,
                                               const Supplier& supplier, MissingLabels* missing) {
  Scope scope = bind_parameters(definition.parameters, values, call, definition.name, evaluator);
  if (evaluator.failed()) return std::nullopt;
  auto compiled = ProcessCompiler(definition, std::move(scope), evaluator, actions, supplier, missing).run();
  if (compiled) compiled->name = instance_name(definition.name, values);
  return compiled;
}

std::optional<FspStateNames> state_names(const ProcessDefinition& definition, const std::vector<Value>& values,
                                         Place call, Evaluator& evaluator, ActionTable& actions,
                                         const Supplier& supplier, const Source& source) {
  Scope scope = bind_parameters(definition.parameters, values, call, definition.name, evaluator);
  if (evaluator.failed()) return std::nullopt;
  return ProcessCompiler(definition, std::move(scope), evaluator, actions, supplier, nullptr).names(source);
}

}  // namespace surety::fsp
