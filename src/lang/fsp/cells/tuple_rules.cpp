#include "lang/fsp/cells/tuple_rules.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include "lang/fsp/cells/tuple_slots.hpp"
#include "lang/fsp/cells/tuple_variables.hpp"
#include "lang/fsp/front/renaming.hpp"

namespace surety::fsp {
namespace {

constexpr std::uint32_t kAny = SlotChange::kAny;
constexpr std::uint32_t kUnused = 0;         // the value of a slot that is not in use
constexpr std::size_t kMostRules = 300'000;  // before we give up
constexpr std::size_t kMostAliases = 1'000;  // in a chain P = Q, Q = R, ..., which is followed by recursion
constexpr std::size_t kLookEvery = 256;      // the budget is polled once per so many units of work

using Domain = std::vector<std::uint32_t>;  // values, sorted

class RuleMaker {
 public:
  RuleMaker(const ProcessDefinition& definition, const Scope& parameters, const Tree& tree, const Effort& effort,
            ActionTable& actions, std::uint64_t most_work)
      : definition_(definition),
        parameters_(parameters),
        report_(nowhere_),
        evaluator_(tree, report_, effort),
        actions_(actions),
        most_work_(most_work),
        slots_(definition) {}

  tl::expected<TupleProcess, std::string> run();

 private:
  // A path from a control point up to its next action, or past it: which values have been read on the way, and what the
  // names mean at its end.
  struct Path {
    std::uint32_t point = 0;
    std::vector<std::uint32_t> before;   // by slot: the value that was read, or kAny
    std::vector<const Domain*> domains;  // by slot: the values it may have; null: not in use
    TupleVariables variables;
  };
  struct Target {
    enum class Kind { local, inside, stop, error } kind = Kind::stop;
    std::size_t local = 0;        // of local
    const void* where = nullptr;  // of inside: the choice or the body
    std::size_t position = 0;
    TupleVariables variables;
  };
  struct Pending {
    Path path;
    const Body* body;
    const Choice* chain;
    std::size_t position;
  };
  using Next = std::function<void(const Path&)>;

  bool can_be_tuples();
  bool plain(const Body& body);
  bool make_domains();
  bool begin();
  void steps(const Path& path, const Body* body);
  void chain(const Path& path, const Choice& choice, std::size_t position);
  void go_to(const Path& path, Action action, const Body* body);
  void go_inside(const Path& path, Action action, const void* where, std::size_t position, const Names& rest,
                 const Body* body, const Choice* choice);
  void emit(const Path& path, Action action, const Target& target, const std::function<void(const Path&)>& then = {});
  void alias(const Path& path, const Body& reference);
  std::optional<Target> resolve(const TupleVariables& variables, const std::vector<const Domain*>& domains,
                                const Body& reference, std::uint32_t& needed);
  std::optional<Target> without_index(const Body& reference);
  Target settle(Target target, const std::vector<const Domain*>& domains);

  void truth(const Path& path, const Expression& e, const std::function<void(bool, const Path&)>& next);
  void read(const Path& path, const Names& names, const Next& next);
  void read_slot(const Path& path, std::uint32_t slot, const Next& next);
  Scope scope(const TupleVariables& variables) const { return values_.scope(parameters_, variables); }
  std::uint32_t point(Target::Kind kind, const void* where, std::size_t position);
  bool work();
  void give_up(std::string why) {
    if (why_.empty()) why_ = std::move(why);
  }
  bool failed() const { return !why_.empty() || evaluator_.failed(); }
  TupleProcess finish();

  const ProcessDefinition& definition_;
  const Scope& parameters_;
  Source nowhere_;
  Report report_;
  Evaluator evaluator_;
  ActionTable& actions_;
  std::uint64_t most_work_;
  TupleSlots slots_;
  std::vector<std::vector<Domain>> domains_;  // by local process and index
  TupleValues values_;
  std::map<std::tuple<Target::Kind, const void*, std::size_t>, std::uint32_t> points_;
  std::set<std::tuple<std::uint32_t, std::vector<std::uint32_t>, std::vector<const Domain*>>> seen_;
  std::vector<Pending> pending_;
  TupleProcess out_;
  std::size_t work_ = 0, aliases_ = 0;
  std::string why_;
};

tl::expected<TupleProcess, std::string> RuleMaker::run() {
  out_.slots = slots_.names();
  if (can_be_tuples() && make_domains() && begin())
    for (std::size_t l = 0; l < definition_.locals.size() && !failed(); ++l) {
      const LocalProcess& local = definition_.locals[l];
      Path path;
      path.point = point(Target::Kind::local, &local, 0);
      path.before.assign(out_.slots.size(), kAny);
      path.domains.assign(out_.slots.size(), nullptr);
      for (std::size_t k = 0; k < local.indices.size(); ++k) {
        const auto slot = slots_.of(l, k);
        path.domains[slot] = &domains_[l][k];
        path.variables.push_back({local.indices[k].variable, slot, kAny, slot});
      }
      pending_.push_back({std::move(path), &local.body, nullptr, 0});
      while (!pending_.empty() && !failed()) {
        const Pending next = std::move(pending_.back());
        pending_.pop_back();
        aliases_ = 0;
        if (next.chain != nullptr)
          chain(next.path, *next.chain, next.position);
        else
          steps(next.path, next.body);
      }
    }
  if (!failed()) return finish();
  return tl::unexpected(why_.empty() ? std::string("it has an error") : why_);
}

bool RuleMaker::can_be_tuples() {
  if (definition_.property) give_up("it is a property");
  if (definition_.minimal || definition_.deterministic) give_up("it is minimal or deterministic");
  if (!definition_.import_file.empty() || definition_.locals.empty()) give_up("it is imported");
  if (failed()) return false;
  if (!definition_.locals[0].indices.empty()) give_up("it begins with an index");
  for (const LocalProcess& local : definition_.locals) {
    if (local.accepting) give_up("it has accepting states");
    if (!plain(local.body)) give_up("it uses END or ';'");
  }
  return !failed();
}

bool RuleMaker::plain(const Body& body) {
  if (!body.sequence.empty() || (body.form == Body::Form::reference && body.name == "END")) return false;
  for (const Choice& choice : body.choices)
    if (!plain(*choice.next)) return false;
  for (const Body* part : {body.then_part.get(), body.else_part.get()})
    if (part != nullptr && !plain(*part)) return false;
  return true;
}

bool RuleMaker::make_domains() {
  for (const LocalProcess& local : definition_.locals) {
    auto& domains = domains_.emplace_back();
    if (bound_again(local.indices) != nullptr) give_up("a variable is bound twice");
    Names own;
    for (const Index& index : local.indices) {
      for (const auto name : names_in(index))
        if (own.contains(name)) give_up("the range of an index depends on another index");
      if (failed()) return false;
      Domain domain;
      Scope inner = parameters_;
      for_each_index({index}, inner, evaluator_, [&](const std::string& suffix) {
        if (suffix.find('.', 1) != std::string::npos) give_up("an index has a dotted value");
        domain.push_back(values_.number(value_of_label(suffix.substr(1))));
      });
      std::ranges::sort(domain);
      domain.erase(std::unique(domain.begin(), domain.end()), domain.end());
      domains.push_back(std::move(domain));
      if (!index.variable.empty()) own.insert(index.variable);
    }
  }
  return !failed();
}

// The initial state is the first local process, or what it stands for.
bool RuleMaker::begin() {
  Target target;
  target.kind = Target::Kind::local;
  target = settle(std::move(target), {});
  if (target.kind != Target::Kind::local) give_up("it begins with STOP or ERROR");
  if (failed()) return false;
  out_.initial.assign(out_.slots.size(), kUnused);
  out_.initial[0] = point(Target::Kind::local, &definition_.locals[target.local], 0);
  for (const TupleVariable& v : target.variables) out_.initial[v.home] = v.value;
  return true;
}

// ---- the steps of a control point

void RuleMaker::steps(const Path& path, const Body* body) {
  if (!work() || body == nullptr) return;  // nothing: STOP
  if (body->form == Body::Form::conditional)
    return truth(path, body->condition, [&](bool yes, const Path& known) {
      steps(known, yes ? body->then_part.get() : body->else_part.get());
    });
  if (body->form == Body::Form::reference) return alias(path, *body);
  for (const Choice& choice : body->choices) {
    if (!choice.guard)
      chain(path, choice, 0);
    else
      truth(path, *choice.guard, [&](bool yes, const Path& known) {
        if (yes) chain(known, choice, 0);
      });
  }
}

// P[i] = Q[i+1]: the steps of P[i] are those of Q[i+1].
void RuleMaker::alias(const Path& path, const Body& reference) {
  std::uint32_t needed = 0;
  const auto target = resolve(path.variables, path.domains, reference, needed);
  if (failed()) return;
  if (!target) return read_slot(path, needed, [&](const Path& known) { alias(known, reference); });
  if (target->kind == Target::Kind::error) return give_up("a local process is ERROR for some of its indices");
  if (target->kind == Target::Kind::stop) return;
  if (++aliases_ > kMostAliases) return give_up("its local processes name each other too often");
  Path there = path;
  there.variables = target->variables;
  steps(there, &definition_.locals[target->local].body);
  --aliases_;
}

void RuleMaker::chain(const Path& path, const Choice& choice, std::size_t position) {
  const Label& label = choice.labels[position];
  const Names names = names_in(label);
  if (unknown_of(path.variables, names) != nullptr)
    return read(path, names, [&](const Path& known) { chain(known, choice, position); });
  if (bound_again(label) != nullptr) return give_up("a variable is bound twice");
  for (const LabelPart& part : label.parts)
    if (part.index && find(path.variables, part.index->variable) != nullptr)
      return give_up("a variable is bound twice");

  Scope inner = scope(path.variables);
  for_each_label(label, inner, evaluator_, [&](const std::string& text) {
    if (!work()) return;
    const Action action = actions_.intern(text);
    if (actions_.size() > evaluator_.effort().most_actions) return give_up("it has too many actions");
    Path after = path;
    for (const LabelPart& part : label.parts)
      if (part.index && !part.index->variable.empty())
        after.variables.push_back(
            {part.index->variable, slots_.of(*part.index), values_.number(*inner.find(part.index->variable)), 0});
    if (position + 1 == choice.labels.size()) return go_to(after, action, choice.next.get());
    Names rest;
    names_in(choice, position + 1, rest);
    go_inside(after, action, &choice, position + 1, rest, nullptr, &choice);
  });
}

void RuleMaker::go_to(const Path& path, Action action, const Body* body) {
  if (failed()) return;
  if (body == nullptr) return emit(path, action, Target{});
  switch (body->form) {
    case Body::Form::conditional:
      return truth(path, body->condition, [&](bool yes, const Path& known) {
        go_to(known, action, yes ? body->then_part.get() : body->else_part.get());
      });
    case Body::Form::choice: return go_inside(path, action, body, 0, names_in(*body), body, nullptr);
    case Body::Form::reference: break;
  }
  std::uint32_t needed = 0;
  auto target = resolve(path.variables, path.domains, *body, needed);
  if (failed()) return;
  if (!target) return read_slot(path, needed, [&](const Path& known) { go_to(known, action, body); });
  emit(path, action, settle(std::move(*target), path.domains));
}

// To a point between two actions. The values that the path has read are known at that point too, so that there are
// rules only for values that can be there.
void RuleMaker::go_inside(const Path& path, Action action, const void* where, std::size_t position, const Names& rest,
                          const Body* body, const Choice* choice) {
  Target target;
  target.kind = Target::Kind::inside;
  target.where = where;
  target.position = position;
  for (const TupleVariable& v : path.variables)
    if (rest.contains(v.name)) target.variables.push_back(v);
  emit(path, action, target, [&](const Path& known) {
    static const Domain in_use;  // a mark only: the domain of a slot with a known value is never looked at
    Path there;
    there.point = point(target.kind, where, position);
    there.before.assign(out_.slots.size(), kAny);
    there.domains.assign(out_.slots.size(), nullptr);
    for (TupleVariable v : known.variables) {
      if (!rest.contains(v.name)) continue;
      there.before[v.home] = v.value;
      there.domains[v.home] = v.value == kAny ? known.domains[v.origin] : &in_use;
      there.variables.push_back({v.name, v.home, v.value, v.home});
    }
    if (seen_.insert({there.point, there.before, there.domains}).second)
      pending_.push_back({std::move(there), body, choice, position});
  });
}

// A value that moves from one slot to another has to be read; all others stay where they are, unread.
void RuleMaker::emit(const Path& path, Action action, const Target& target, const Next& then) {
  if (failed()) return;
  for (const TupleVariable& v : target.variables)
    if (v.value == kAny && v.origin != v.home)
      return read_slot(path, v.origin, [&](const Path& known) {
        Target same = target;
        for (TupleVariable& w : same.variables)
          if (w.value == kAny && w.origin == v.origin) w.value = known.before[v.origin];
        emit(known, action, same, then);
      });
  if (out_.rules.size() >= kMostRules) return give_up("it has too many rules");
  const bool error = target.kind == Target::Kind::error;
  TupleRule rule{action, std::vector<SlotChange>(out_.slots.size())};
  const void* where = target.kind == Target::Kind::local ? &definition_.locals[target.local] : target.where;
  rule.changes[0] = {path.point, point(target.kind, where, target.position)};
  for (std::size_t s = 1; s < rule.changes.size(); ++s) {
    rule.changes[s].from = path.before[s];
    if (path.domains[s] != nullptr && !error) rule.changes[s].to = kUnused;
  }
  for (const TupleVariable& v : target.variables) rule.changes[v.home].to = v.value;
  for (SlotChange& change : rule.changes)
    if (change.to == kAny) change.to = change.from;
  if (error) out_.error = rule.changes[0].to;
  out_.rules.push_back(std::move(rule));
  if (then) then(path);
}

// ---- names of processes

// Nothing: the value of slot `needed` decides.
std::optional<RuleMaker::Target> RuleMaker::resolve(const TupleVariables& variables,
                                                    const std::vector<const Domain*>& domains, const Body& reference,
                                                    std::uint32_t& needed) {
  TupleVariables given;
  for (const Expression& e : reference.indices) {
    const TupleVariable* same = e.op == Expression::Op::name ? find(variables, e.name) : nullptr;
    if (const auto* unknown = same == nullptr ? unknown_of(variables, names_in(e)) : nullptr) {
      needed = unknown->origin;
      return std::nullopt;
    }
    given.push_back(
        same != nullptr ? *same : TupleVariable{{}, 0, values_.number(evaluator_.evaluate(e, scope(variables))), 0});
  }
  const auto fits = [&](std::size_t l) {
    return definition_.locals[l].name == reference.name && definition_.locals[l].indices.size() == given.size();
  };
  std::vector<std::size_t> candidates;
  for (std::size_t l = 0; l < definition_.locals.size(); ++l)
    if (fits(l)) candidates.push_back(l);
  for (const std::size_t l : candidates) {
    Target target{Target::Kind::local, l, nullptr, 0, {}};
    bool inside = true;
    for (std::size_t k = 0; k < given.size() && inside; ++k) {
      TupleVariable v = given[k];
      const Domain& domain = domains_[l][k];
      if (v.value == kAny && (candidates.size() > 1 || !std::ranges::includes(domain, *domains[v.origin]))) {
        needed = v.origin;
        return std::nullopt;
      }
      inside = v.value == kAny || std::ranges::binary_search(domain, v.value);
      target.variables.push_back({definition_.locals[l].indices[k].variable, slots_.of(l, k), v.value, v.origin});
    }
    if (inside) return target;
  }
  return without_index(reference);
}

// STOP, ERROR, or a name that is no local process, which is ERROR too.
std::optional<RuleMaker::Target> RuleMaker::without_index(const Body& reference) {
  Target target;
  target.kind = reference.name == "STOP" && reference.indices.empty() ? Target::Kind::stop : Target::Kind::error;
  return target;
}

// Follows P = Q as far as no slot has to be read for it.
RuleMaker::Target RuleMaker::settle(Target target, const std::vector<const Domain*>& domains) {
  for (std::size_t i = 0; target.kind == Target::Kind::local && !failed(); ++i) {
    if (i > kMostAliases) give_up("its local processes name each other too often");
    const Body* leaf = &definition_.locals[target.local].body;
    while (leaf != nullptr && leaf->form == Body::Form::conditional && !failed()) {
      if (unknown_of(target.variables, names_in(leaf->condition)) != nullptr) return target;
      leaf = evaluator_.truth(leaf->condition, scope(target.variables)) ? leaf->then_part.get() : leaf->else_part.get();
    }
    if (leaf == nullptr) return Target{};
    if (leaf->form == Body::Form::choice) return target;
    std::uint32_t needed = 0;
    auto next = resolve(target.variables, domains, *leaf, needed);
    if (!next) return target;
    target = std::move(*next);
  }
  return target;
}

// ---- reading slots

void RuleMaker::truth(const Path& path, const Expression& e, const std::function<void(bool, const Path&)>& next) {
  if (!work()) return;
  const bool both = e.op == Expression::Op::binary && e.symbol == Kind::both;
  if (both || (e.op == Expression::Op::binary && e.symbol == Kind::parallel))
    return truth(path, e.operands[0], [&](bool first, const Path& known) {
      if (first != both) return next(first, known);  // decided
      truth(known, e.operands[1], next);
    });
  read(path, names_in(e), [&](const Path& known) { next(evaluator_.truth(e, scope(known.variables)), known); });
}

void RuleMaker::read(const Path& path, const Names& names, const Next& next) {
  if (failed()) return;
  if (const TupleVariable* v = unknown_of(path.variables, names))
    return read_slot(path, v->origin, [&](const Path& known) { read(known, names, next); });
  next(path);
}

void RuleMaker::read_slot(const Path& path, std::uint32_t slot, const Next& next) {
  for (const std::uint32_t value : *path.domains[slot]) {
    if (!work()) return;
    Path known = path;
    known.before[slot] = value;
    for (TupleVariable& v : known.variables)
      if (v.value == kAny && v.origin == slot) v.value = value;
    next(known);
  }
}

// ---- control points, and how much is done

std::uint32_t RuleMaker::point(Target::Kind kind, const void* where, std::size_t position) {
  return points_.try_emplace({kind, where, position}, static_cast<std::uint32_t>(points_.size())).first->second;
}

bool RuleMaker::work() {
  if (++work_ > most_work_) give_up("it has too many rules");
  if (work_ % kLookEvery == 0 && !go_on(evaluator_.effort().budget)) give_up("the budget ended");
  return !failed();
}

// ---- what stands behind the process: +{..}, /{..}, \{..} and @{..}

TupleProcess RuleMaker::finish() {
  std::vector<Action> all;
  for (const TupleRule& rule : out_.rules) all.push_back(rule.action);
  if (definition_.extension)
    for (const auto& label : all_labels(*definition_.extension, parameters_, evaluator_)) {
      all.push_back(actions_.intern(label));
      out_.extension = unite(out_.extension, Alphabet({all.back()}));
    }
  out_.alphabet = Alphabet(std::move(all));
  if (!definition_.relabellings.empty()) {
    const auto map = map_of(renaming_of(definition_.relabellings, parameters_, evaluator_), out_.alphabet, actions_);
    std::multimap<Action, Action> images(map.begin(), map.end());
    std::vector<TupleRule> renamed;
    for (const TupleRule& rule : out_.rules)
      for (auto [it, end] = images.equal_range(rule.action); it != end; ++it)
        renamed.push_back({it->second, rule.changes});
    out_.rules = std::move(renamed);
    out_.alphabet = image(map, out_.alphabet);
    out_.extension = image(map, out_.extension);
  }
  if (definition_.hiding) {
    const Alphabet named =
        chosen(all_labels(definition_.hiding->labels, parameters_, evaluator_), out_.alphabet, actions_);
    out_.hidden = definition_.hiding->expose ? subtract(out_.alphabet, named) : named;
  }
  out_.values = static_cast<std::uint32_t>(std::max(values_.size(), points_.size()));
  return std::move(out_);
}

}  // namespace

tl::expected<TupleProcess, std::string> tuple_rules(const ProcessDefinition& definition, const Scope& scope,
                                                    const Tree& tree, const Effort& effort, ActionTable& actions,
                                                    std::uint64_t most_work) {
  return RuleMaker(definition, scope, tree, effort, actions, most_work).run();
}

}  // namespace surety::fsp
