#include "lang/fsp/families/family.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "lang/fsp/elaborator.hpp"
#include "lang/fsp/front/label.hpp"
#include "lang/fsp/front/names_in.hpp"

namespace surety {
namespace fsp {
namespace {

using Bounds = FspFamily::Bounds;

// t * (the cell's index) + k * (the parameter) + a number between low and high.
struct Form {
  enum class Kind { number, label, all };  // `all`: an index that takes every value of a range that grows
  int t = 0, k = 0;
  std::int64_t low = 0, high = 0;
  Kind kind = Kind::number;

  bool constant() const { return t == 0 && k == 0; }
  std::int64_t size() const { return std::max(std::abs(low), std::abs(high)); }
};
using Env = std::vector<std::pair<std::string_view, Form>>;

Form truth() { return {0, 0, 0, 1, Form::Kind::number}; }

constexpr std::int64_t kLargest = 1'000'000;  // of the numbers here; larger ones are refused

// Goes through the text of one component. After a refusal the results mean nothing.
class TextCheck {
 public:
  TextCheck(const Tree& tree, const Source& source, std::string_view parameter)
      : tree_(tree), source_(source), parameter_(parameter) {}

  bool refused() const { return !why_.empty(); }
  const std::string& why() const { return why_; }
  const Bounds& bounds() const { return bounds_; }
  bool hub() const { return hub_; }

  void refuse(Place place, const std::string& what) {
    if (why_.empty()) why_ = fmt::format("line {}: {}", source_.line_number(place), what);
  }

  Form expression(const Expression& e, const Env& env);
  void number(const Expression& e, const Env& env, const char* what);
  Form index(const Index& index, const Env& env, bool may_grow);  // what its variable stands for
  void label(const Label& label, Env& env);
  void relabelling(const Relabelling& relabelling, Env env);
  void process(const ProcessDefinition& definition, const std::vector<Form>& actuals, Place call);
  std::vector<Form> actuals(const Call& call, const Env& env);
  std::optional<int> offset(const Expression& e, std::string_view variable);  // e is the index of a cell + this number
  void one_cell(const Expression& e);                                         // e is the index of a cell near an end

 private:
  Form name(const Expression& e, const Env& env);
  Form binary(const Expression& e, const Env& env);
  Form sum(const Expression& e, const Form& a, const Form& b, int sign);
  Form rest(const Expression& e, const Form& a, const Form& b);
  Form compared(const Expression& e, const Form& a, const Form& b);
  void set(const LabelPart& part);
  void body(const Body& body, Env env);
  Form bounded(Form form, Place place) {
    if (form.size() > kLargest) refuse(place, "this number is too large");
    return refused() ? Form() : form;
  }
  void decide(const Form& form) { bounds_.decided = std::max(bounds_.decided, static_cast<int>(form.size())); }

  const Tree& tree_;
  const Source& source_;
  std::string_view parameter_;
  std::string why_;
  Bounds bounds_;
  bool hub_ = false;    // an action for every value of a range that grows
  bool moves_ = false;  // a number in a label depends on the index or the size
  int depth_ = 0;
};

// ---- expressions

Form TextCheck::expression(const Expression& e, const Env& env) {
  if (refused()) return {};
  switch (e.op) {
    case Expression::Op::number: return bounded({0, 0, e.value, e.value, Form::Kind::number}, e.place);
    case Expression::Op::name: return name(e, env);
    case Expression::Op::binary: return binary(e, env);
    case Expression::Op::unary: {
      const Form a = expression(e.operands[0], env);
      if (e.symbol == Kind::plus) return a;
      if (!a.constant()) refuse(e.place, "the index or the size is negated");
      if (e.symbol == Kind::minus) return {0, 0, -a.high, -a.low, a.kind};
      return truth();
    }
    default: refuse(e.place, "labels and sets are used as values"); return {};
  }
}

Form TextCheck::name(const Expression& e, const Env& env) {
  for (auto it = env.rbegin(); it != env.rend(); ++it)
    if (it->first == e.name) {
      if (it->second.kind == Form::Kind::all)
        refuse(e.place, fmt::format("'{}' takes every value of a range that grows with {}", e.name, parameter_));
      return it->second;
    }
  if (e.name == parameter_) return {0, 1, 0, 0, Form::Kind::number};
  if (const auto it = tree_.origins.constants.find(e.name); it != tree_.origins.constants.end())
    return expression(it->second, {});
  const auto it = tree_.constants.find(e.name);
  if (it == tree_.constants.end()) refuse(e.place, fmt::format("'{}' is not known", e.name));
  if (refused()) return {};
  const auto* number = std::get_if<std::int32_t>(&it->second.value);
  if (number == nullptr) refuse(e.place, "labels and sets are used as values");
  return number == nullptr ? Form() : bounded({0, 0, *number, *number, Form::Kind::number}, e.place);
}

Form TextCheck::binary(const Expression& e, const Env& env) {
  const Form a = expression(e.operands[0], env), b = expression(e.operands[1], env);
  if (refused()) return {};
  const bool numbers = a.kind == Form::Kind::number && b.kind == Form::Kind::number;
  if (e.symbol == Kind::equal || e.symbol == Kind::not_equal) {
    if (numbers) return compared(e, a, b);
    if (!a.constant() || !b.constant()) refuse(e.place, "a label is compared with the index or the size");
    return truth();
  }
  if (!numbers) refuse(e.place, "a label is used as a number");
  switch (e.symbol) {
    case Kind::plus: return sum(e, a, b, 1);
    case Kind::minus: return sum(e, a, b, -1);
    case Kind::percent: return rest(e, a, b);
    case Kind::less:
    case Kind::less_equal:
    case Kind::greater:
    case Kind::greater_equal: return compared(e, a, b);
    case Kind::both:
    case Kind::parallel:
      if (!a.constant() || !b.constant()) refuse(e.place, "the index or the size is used as a truth value");
      return truth();
    case Kind::star: {
      if (!a.constant() || !b.constant()) refuse(e.place, "the index or the size is multiplied");
      const auto m = a.size() * b.size();
      return bounded({0, 0, -m, m, Form::Kind::number}, e.place);
    }
    case Kind::slash:
      if (!a.constant() || !b.constant()) refuse(e.place, "the index or the size is divided");
      return {0, 0, -a.size(), a.size(), Form::Kind::number};
    default: refuse(e.place, "bits of numbers are used"); return {};
  }
}

Form TextCheck::sum(const Expression& e, const Form& a, const Form& b, int sign) {
  Form out{a.t + sign * b.t, a.k + sign * b.k, a.low + (sign > 0 ? b.low : -b.high),
           a.high + (sign > 0 ? b.high : -b.low), Form::Kind::number};
  if (out.t < 0 || out.t > 1 || out.k < 0 || out.k > 1)
    refuse(e.place, "the index or the size is counted twice, or negatively");
  return bounded(out, e.place);
}

// Division truncates: c % K is c, also for negative c.
Form TextCheck::rest(const Expression& e, const Form& a, const Form& b) {
  if (b.constant()) {
    if (!a.constant()) refuse(e.place, "the index or the size is taken modulo a number");
    return {0, 0, -b.size(), b.size(), Form::Kind::number};
  }
  if (b.t != 0 || b.size() != 0) refuse(e.place, "only the size itself may follow %");
  if (a.t == 0 && a.k == 1 && a.low < 0) refuse(e.place, "the size less something is taken modulo the size");
  decide(a);
  return {a.t, 0, a.low, a.high, Form::Kind::number};
}

Form TextCheck::compared(const Expression& e, const Form& a, const Form& b) {
  const int t = a.t - b.t, k = a.k - b.k;
  if (std::abs(t) > 1 || std::abs(k) > 1) refuse(e.place, "the middle of the chain is told apart");
  const Form difference{t, k, a.low - b.high, a.high - b.low, Form::Kind::number};
  if (!difference.constant()) decide(bounded(difference, e.place));
  return truth();
}

void TextCheck::number(const Expression& e, const Env& env, const char* what) {
  const Form form = expression(e, env);
  if (!refused() && !form.constant()) refuse(e.place, fmt::format("{} depends on the index or the size", what));
}

std::optional<int> TextCheck::offset(const Expression& e, std::string_view variable) {
  const Form form = expression(e, {{variable, {1, 0, 0, 0, Form::Kind::number}}});
  if (refused() || form.t != 1 || form.k != 0 || form.low != form.high) return std::nullopt;
  bounds_.near_cell = std::max(bounds_.near_cell, static_cast<int>(form.size()));
  return static_cast<int>(form.low);
}

void TextCheck::one_cell(const Expression& e) {
  const Form form = expression(e, {});
  if (form.kind != Form::Kind::number || form.low != form.high) refuse(e.place, "this is no index of a cell");
  int& bound = form.k > 0 ? bounds_.near_size : bounds_.constant;
  bound = std::max(bound, static_cast<int>(form.size()));
  decide(form);
}

// ---- labels

Form TextCheck::index(const Index& index, const Env& env, bool may_grow) {
  if (refused()) return {};
  if (index.range == Index::Range::value) {
    number(index.low, env, "an index");
    return {};
  }
  if (index.range == Index::Range::labels) {
    Env inner = env;
    const bool hub_before = std::exchange(hub_, false), moves_before = std::exchange(moves_, false);
    label(*index.labels, inner);
    const bool grows = std::exchange(hub_, hub_ || hub_before), moves = std::exchange(moves_, moves_ || moves_before);
    if (grows && !may_grow)
      refuse(index.place, fmt::format("there are states for a set that grows with {}", parameter_));
    // Else [x:{[t]}] would be t under a name that may be compared with numbers, and be the index of a state.
    if (moves && (!index.variable.empty() || !may_grow))
      refuse(index.place, "the labels of a set depend on the index or the size");
    return {0, 0, 0, 0, grows ? Form::Kind::all : Form::Kind::label};
  }
  Form low, high;
  if (index.named.empty()) {
    low = expression(index.low, env);
    high = expression(index.high, env);
  } else {
    const auto& origin = tree_.origins.ranges.at(index.named);
    low = expression(origin.first, {});
    high = expression(origin.second, {});
  }
  if (refused()) return {};
  if (low.kind != Form::Kind::number || high.kind != Form::Kind::number) refuse(index.place, "a range of labels");
  if (!low.constant() || high.t != 0)
    refuse(index.place, "the range depends on the index of the cell, or does not begin with a number");
  bounds_.constant = std::max(bounds_.constant, static_cast<int>(low.size()));
  if (high.constant()) {
    bounds_.constant = std::max(bounds_.constant, static_cast<int>(high.size()));
    return {0, 0, low.low, high.high, Form::Kind::number};
  }
  if (!may_grow) refuse(index.place, fmt::format("there are states for every number up to {}", parameter_));
  bounds_.near_size = std::max(bounds_.near_size, static_cast<int>(high.size()));
  decide(low);
  decide(high);
  return {0, 0, 0, 0, Form::Kind::all};
}

void TextCheck::set(const LabelPart& part) {
  Env none;
  label(tree_.origins.sets.at(part.name), none);
}

void TextCheck::label(const Label& label, Env& env) {
  for (const LabelPart& part : label.parts) {
    if (refused()) return;
    for (const SetItem& item : part.items) {
      this->label(item.label, env);
      if (item.without) this->label(*item.without, env);
    }
    if (part.part == LabelPart::Part::constant) set(part);
    if (part.without) this->label(*part.without, env);
    if (part.part != LabelPart::Part::index) continue;
    const Index& index = *part.index;
    if (index.range != Index::Range::value) {
      const Form form = this->index(index, env, true);
      hub_ = hub_ || form.kind == Form::Kind::all;
      if (!index.variable.empty()) env.emplace_back(index.variable, form);
      continue;
    }
    const Form form = expression(index.low, env);
    if (form.t + form.k > 1) refuse(index.place, "index and size are added in a label");
    moves_ = moves_ || !form.constant();
    int& bound = form.t > 0 ? bounds_.near_cell : form.k > 0 ? bounds_.near_size : bounds_.constant;
    bound = std::max(bound, static_cast<int>(form.size()));
  }
}

void TextCheck::relabelling(const Relabelling& relabelling, Env env) {
  for (const Index& index : relabelling.forall) env.emplace_back(index.variable, this->index(index, env, true));
  for (const Relabelling& inner : relabelling.inner) this->relabelling(inner, env);
  if (!relabelling.inner.empty()) return;
  label(relabelling.from, env);
  label(relabelling.to, env);
}

// ---- processes

std::vector<Form> TextCheck::actuals(const Call& call, const Env& env) {
  std::vector<Form> out;
  for (const Expression& e : call.actuals) out.push_back(expression(e, env));
  return out;
}

void TextCheck::process(const ProcessDefinition& definition, const std::vector<Form>& actuals, Place call) {
  if (!definition.import_file.empty()) return refuse(definition.place, "an imported process is not looked into");
  if (++depth_ > 50) refuse(call, "this is nested too deeply");
  if (refused()) return;
  Env parameters;
  for (std::size_t i = 0; i < definition.parameters.size(); ++i) {
    const Parameter& p = definition.parameters[i];
    parameters.emplace_back(p.name, i < actuals.size() ? actuals[i] : expression(p.value, {}));
  }
  for (const LocalProcess& local : definition.locals) {
    Env env = parameters;
    for (const Index& index : local.indices) {
      const Form form = this->index(index, env, false);
      if (!index.variable.empty()) env.emplace_back(index.variable, form);
    }
    body(local.body, std::move(env));
  }
  Env env = parameters;
  if (definition.extension) label(*definition.extension, env);
  for (const Relabelling& r : definition.relabellings) relabelling(r, parameters);
  env = parameters;
  if (definition.hiding) label(definition.hiding->labels, env);
  --depth_;
}

void TextCheck::body(const Body& body, Env env) {
  if (refused()) return;
  switch (body.form) {
    case Body::Form::reference:
      for (const Expression& e : body.indices) number(e, env, "the state that follows");
      for (const Call& call : body.sequence) {
        const auto* callee = find_named(tree_.processes, call.name);
        if (callee == nullptr) return refuse(call.place, "what stands before ';' is no process");
        process(*callee, actuals(call, env), call.place);
      }
      return;
    case Body::Form::conditional:
      number(body.condition, env, "the truth of a number");
      this->body(*body.then_part, env);
      if (body.else_part) this->body(*body.else_part, std::move(env));
      return;
    case Body::Form::choice:
      for (const Choice& choice : body.choices) {
        Env inner = env;
        if (choice.guard) number(*choice.guard, inner, "the truth of a number");
        for (const Label& l : choice.labels) label(l, inner);
        this->body(*choice.next, std::move(inner));
      }
  }
}

// ---- composites

// Finds the machines, in the order of elaboration. `why` of the family is set where even that is not possible.
class FamilyWalk {
 public:
  FamilyWalk(std::string_view parameter, Elaborator& elaborator)
      : parameter_(parameter),
        tree_(elaborator.tree()),
        source_(elaborator.source()),
        elaborator_(elaborator),
        report_(source_),
        evaluator_(tree_, report_, elaborator.effort()) {}

  FspFamily run(const CompositeDefinition& composite, const std::vector<std::string>& beside) {
    if (composite.priority || composite.property) refuse(composite.place, "the composite has priorities");
    Scope scope;
    if (!composite.parameters.empty()) refuse(composite.place, "the composite has parameters");
    body(composite.body, scope, {}, std::nullopt);
    for (const std::string& name : beside)
      if (const auto* process = find_named(tree_.processes, name); process != nullptr && process->property)
        family_.machines.push_back(look_beside(*process));
      else
        family_.machines.push_back({FspFamily::Kind::other, 0, false, fmt::format("{} is no property process", name)});
    if (evaluator_.failed()) refuse(composite.place, "the composite cannot be elaborated");
    return std::move(family_);
  }

 private:
  using Cell = std::optional<int>;

  void refuse(Place place, const std::string& what) {
    TextCheck check(tree_, source_, parameter_);
    check.refuse(place, what);
    if (family_.why.empty()) family_.why = check.why();
  }
  // A look at what only the structure depends on.
  void take(const TextCheck& check) {
    if (check.refused() && family_.why.empty()) family_.why = check.why();
    family_.bounds.add(check.bounds());
  }

  void body(const CompositeBody& body, Scope& scope, const Env& env, Cell cell);
  void forall(const CompositeBody& body, Scope& scope, Env env, Cell cell);
  void reference(const CompositeBody& body, Scope& scope, const Env& env, Cell cell);
  void composite(const CompositeBody& body, const CompositeDefinition& definition, Cell cell);
  FspFamily::Machine look(const CompositeBody& body, Env env, Cell cell, bool by_prefix);
  std::optional<FspFamily::Machine> taken_apart(const ProcessDefinition& property);
  FspFamily::Machine look_beside(const ProcessDefinition& process);
  FspFamily::Machine machine(const TextCheck& check, Cell cell);
  bool open() const { return family_.why.empty() && !evaluator_.failed(); }

  std::string_view parameter_;
  const Tree& tree_;
  const Source& source_;
  Elaborator& elaborator_;
  Report report_;
  Evaluator evaluator_;
  FspFamily family_;
  std::map<const CompositeBody*, FspFamily::Machine> seen_;
  int depth_ = 0;
};

bool plain(const CompositeBody& body) { return !body.sharing && !body.prefix && body.relabellings.empty(); }

void FamilyWalk::body(const CompositeBody& body, Scope& scope, const Env& env, Cell cell) {
  if (!open()) return;
  switch (body.form) {
    case CompositeBody::Form::conditional: {
      TextCheck check(tree_, source_, parameter_);
      check.number(body.condition, env, "the truth of a number");
      // Cells that are there or not, as their index says, are more than this looks into.
      if (cell) check.refuse(body.place, "a condition stands before a cell");
      take(check);
      const bool yes = evaluator_.truth(body.condition, scope);
      if (yes || body.parts.size() > 1) this->body(body.parts[yes ? 0 : 1], scope, env, cell);
      return;
    }
    case CompositeBody::Form::forall: return forall(body, scope, env, cell);
    case CompositeBody::Form::group:
      if (!plain(body)) return refuse(body.place, "a group is prefixed or relabelled");
      for (const CompositeBody& part : body.parts) this->body(part, scope, env, cell);
      return;
    case CompositeBody::Form::reference: return reference(body, scope, env, cell);
  }
}

void FamilyWalk::forall(const CompositeBody& body, Scope& scope, Env env, Cell cell) {
  TextCheck check(tree_, source_, parameter_);
  std::string_view growing;
  if (const Index* again = bound_again(body.forall)) check.refuse(again->place, "a variable is bound twice");
  for (const Index& index : body.forall) {
    Form form = check.index(index, env, true);
    if (form.kind == Form::Kind::all) {
      if (cell || !growing.empty()) check.refuse(index.place, fmt::format("two ranges grow with {}", parameter_));
      if (index.variable.empty() || index.range == Index::Range::labels)
        check.refuse(index.place, "the cells have no numbers");
      growing = index.variable;
      form = {1, 0, 0, 0, Form::Kind::number};
    }
    if (!index.variable.empty()) env.emplace_back(index.variable, form);
  }
  take(check);
  if (!open()) return;
  for_each_index(body.forall, scope, evaluator_, [&](const std::string&) {
    Cell inner = cell;
    if (!growing.empty()) inner = std::get<std::int32_t>(*scope.find(growing));
    this->body(body.parts[0], scope, env, inner);
  });
}

// a[i:1..K]:P is forall [i:1..K] a[i]:P.
void FamilyWalk::reference(const CompositeBody& body, Scope& scope, const Env& env, Cell cell) {
  const auto* c = find_named(tree_.composites, body.call.name);
  if (c != nullptr && find_named(tree_.processes, body.call.name) == nullptr) return composite(body, *c, cell);
  Env inner = env;
  std::optional<int> first;
  if (body.prefix) {
    TextCheck check(tree_, source_, parameter_);
    std::size_t several = 0;
    for (const LabelPart& part : body.prefix->parts) {
      several += part.part == LabelPart::Part::set || part.part == LabelPart::Part::constant;
      if (part.part != LabelPart::Part::index || part.index->range == Index::Range::value) continue;
      ++several;
      if (check.index(*part.index, env, true).kind != Form::Kind::all) continue;
      if (part.index->range == Index::Range::labels) check.refuse(part.place, "the cells have no numbers");
      if (cell || first) check.refuse(part.place, fmt::format("two ranges grow with {}", parameter_));
      first = evaluator_.number(part.index->low, scope);
      if (!part.index->variable.empty()) inner.emplace_back(part.index->variable, Form{1, 0, 0, 0, Form::Kind::number});
    }
    if (first && several > 1) check.refuse(body.place, "a prefix has several ranges or sets");
    take(check);
    if (!open()) return;
  }
  int count = 0;
  const auto add = [&](const std::string&) {
    const Cell mine = first ? *first + count++ : cell;
    auto [it, is_new] = seen_.try_emplace(&body);
    if (is_new) it->second = look(body, inner, mine, first.has_value());
    family_.machines.push_back(it->second);
    if (mine && it->second.kind == FspFamily::Kind::cell) family_.machines.back().cell = *mine;
  };
  if (body.prefix)
    for_each_label(*body.prefix, scope, evaluator_, add);
  else
    add({});
}

void FamilyWalk::composite(const CompositeBody& body, const CompositeDefinition& definition, Cell cell) {
  const bool whole = definition.hiding || definition.priority || definition.minimal || definition.deterministic ||
                     definition.property || definition.compose;
  if (!plain(body) || !definition.parameters.empty() || !body.call.actuals.empty() || cell || ++depth_ > 50)
    return refuse(body.place,
                  fmt::format("composite {} is used with parameters, prefixes or in a cell", body.call.name));
  if (!whole) {
    Scope scope;
    return this->body(definition.body, scope, {}, std::nullopt);
  }
  TextCheck check(tree_, source_, parameter_);
  check.refuse(body.place, fmt::format("{} is composed first", body.call.name));
  family_.machines.push_back({FspFamily::Kind::other, 0, false, check.why()});
}

// Each text is looked at once, whatever the number of its instances. `by_prefix`: the range in the prefix is the index
// of the cell, and no range any more.
FspFamily::Machine FamilyWalk::look(const CompositeBody& body, Env env, Cell cell, bool by_prefix) {
  TextCheck check(tree_, source_, parameter_);
  if (body.prefix) {
    Label prefix = *body.prefix;
    if (by_prefix)
      std::erase_if(prefix.parts, [](const LabelPart& part) {
        return part.part == LabelPart::Part::index && part.index->range != Index::Range::value;
      });
    check.label(prefix, env);
    // There would be one machine per prefix: their number would grow, and they would be no cells.
    if (check.hub()) refuse(body.place, fmt::format("the prefixes of {} grow with {}", body.call.name, parameter_));
  }
  Env copy = env;
  if (body.sharing) check.label(*body.sharing, copy);
  for (const Relabelling& r : body.relabellings) check.relabelling(r, env);
  const auto* process = find_named(tree_.processes, body.call.name);
  if (process == nullptr) check.refuse(body.place, fmt::format("{} is no process", body.call.name));
  if (process != nullptr) check.process(*process, check.actuals(body.call, env), body.call.place);
  if (check.hub() && cell) check.refuse(body.place, "a cell has an action for every cell");
  if (check.refused() && !cell && process != nullptr && process->property && plain(body) && body.call.actuals.empty())
    if (auto apart = taken_apart(*process)) return *apart;
  return machine(check, cell);
}

// As if the composite named it, without any parameters.
FspFamily::Machine FamilyWalk::look_beside(const ProcessDefinition& process) {
  TextCheck check(tree_, source_, parameter_);
  check.process(process, {}, process.place);
  return machine(check, std::nullopt);
}

FspFamily::Machine FamilyWalk::machine(const TextCheck& check, Cell cell) {
  if (check.refused()) return {FspFamily::Kind::other, 0, false, check.why()};
  family_.bounds.add(check.bounds());
  return {cell ? FspFamily::Kind::cell : FspFamily::Kind::fixed, 0, check.hub(), {}};
}

// A property that remembers an index is looked at without it.
std::optional<FspFamily::Machine> FamilyWalk::taken_apart(const ProcessDefinition& property) {
  TextCheck check(tree_, source_, parameter_);
  const Reading reading{[&](const Index& index) {
                          TextCheck probe(tree_, source_, parameter_);
                          return probe.index(index, {}, true).kind == Form::Kind::all && !probe.refused();
                        },
                        [&](const Expression& e, std::string_view variable) { return check.offset(e, variable); }};
  const auto text = without_index(property, reading);
  if (!text) return std::nullopt;
  check.process(text->hub, {}, property.place);
  Env none;
  if (property.extension) check.label(*property.extension, none);
  for (const Index& range : text->ranges) check.index(range, {}, true);
  if (text->initial) check.one_cell(*text->initial);
  if (check.refused()) return std::nullopt;

  Report unheard(source_);
  Budget budget;
  Evaluator evaluator(tree_, unheard, elaborator_.effort());
  const auto* whole = elaborator_.process(property, {}, property.place, unheard, budget);
  if (whole == nullptr) return std::nullopt;
  auto apart = hub_and_bits(*text, whole->lts, evaluator, elaborator_.actions());
  if (!apart) return std::nullopt;
  family_.bounds.add(check.bounds());
  return FspFamily::Machine{
      FspFamily::Kind::fixed, 0, true, {}, std::make_shared<const FspRemembering>(std::move(*apart))};
}

}  // namespace
}  // namespace fsp

void FspFamily::Bounds::add(const Bounds& more) {
  decided = std::max(decided, more.decided);
  constant = std::max(constant, more.constant);
  near_cell = std::max(near_cell, more.near_cell);
  near_size = std::max(near_size, more.near_size);
}

// A cell within `decided` of an end may have any labels whose numbers are within `near_cell` of its index, or of 0 or
// the size on the other side of a ring. The three cells in the middle must have no such label. If cells three or more
// apart may share a label, two cells with that distance, both far from the ends, must be among the cells that are
// looked at.
int FspFamily::margin() const {
  const auto& [decided, constant, near_cell, near_size] = bounds;
  return std::max(
      {decided + 1, constant + near_cell, near_cell + near_size + 1, near_cell > 1 ? decided + 2 * near_cell : 0});
}

FspFamily family_of(const FspFile& file, std::string_view composite, std::string_view constant,
                    const std::vector<std::string>& beside) {
  fsp::Elaborator& elaborator = file.elaborator();
  const auto* definition = fsp::find_named(elaborator.tree().composites, composite);
  if (definition != nullptr) return fsp::FamilyWalk(constant, elaborator).run(*definition, beside);
  FspFamily none;
  none.why = "the file has no composite";
  return none;
}

}  // namespace surety
