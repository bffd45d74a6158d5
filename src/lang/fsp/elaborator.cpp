#include "lang/fsp/elaborator.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/check.hpp"
#include "base/file.hpp"
#include "base/stand_in.hpp"
#include "lang/aut/read.hpp"
#include "lang/fsp/composite.hpp"
#include "lang/fsp/ltl.hpp"
#include "model/equivalence.hpp"
#include "model/transform.hpp"

namespace surety::fsp {
namespace {

constexpr std::size_t kDeepest = 300;       // instances that need instances that need ...
constexpr std::uint64_t kChecked = 20'000;  // states of a process that is also built as a whole when it comes apart

FspComposite together(const Cells& cells) {
  FspComposite out;
  out.machines = cells.machines;
  return out;
}

// A cell alone may reach ERROR although the process never does, because the other cells prevent it. If it is known that
// the process never does, the ERROR of the cells is dropped, so that no check asks for it. It is known if the whole has
// been built, or if the product of the cells is small enough to be built here.
void forget_error(Cells& cells, const CompiledProcess* whole, const Budget& budget) {
  if (std::ranges::none_of(cells.machines, [](const FspMachine& m) { return m.lts.error().has_value(); })) return;
  if (whole != nullptr && whole->lts.error()) return;
  if (whole == nullptr) {
    Limits few = budget.rest();
    few.states = kChecked;
    Budget own(few, budget.interrupt_flag());
    const auto lts = compose_fsp(together(cells), own);
    if (!lts || lts->error()) return;
  }
  for (FspMachine& m : cells.machines) m.lts = without_error(m.lts);
}

void add_warnings(const Diagnostics& warnings, Report& report) {
  for (const Diagnostic& w : warnings) report.warning(w);
}

}  // namespace

// While it lives, the instance is being made; to ask for it again would never end.
class Elaborator::Entry {
 public:
  Entry(Elaborator& elaborator, const void* table, const std::string& name, Place call, Report& report)
      : elaborator_(elaborator), instance_(table, name) {
    if (elaborator.in_progress_.size() >= kDeepest)
      report.error(call, fmt::format("'{}' is used at a depth of {} processes", name, kDeepest),
                   "is this a recursion that never ends?");
    else if (elaborator.in_progress_.contains(instance_))
      report.error(call, fmt::format("'{}' needs itself", name), "a recursion in parameters must come to an end");
    else
      ok_ = elaborator_.in_progress_.insert(instance_).second;
  }
  ~Entry() {
    if (ok_) elaborator_.in_progress_.erase(instance_);
  }
  Entry(const Entry&) = delete;
  Entry& operator=(const Entry&) = delete;
  bool ok() const { return ok_; }

 private:
  Elaborator& elaborator_;
  Instance instance_;
  bool ok_ = false;
};

Elaborator::Elaborator(std::unique_ptr<Source> source, Tree tree, ActionTable& actions, const FspLimits& limits)
    : source_(std::move(source)), tree_(std::move(tree)), actions_(actions), limits_(limits) {}

// From the table, or made now. The warnings about an instance are added to the report of every caller.
template <class Table, class Make>
const typename Table::mapped_type* Elaborator::instance(Table& table, const std::string& name, Place call,
                                                        Report& report, const Make& make) {
  if (const auto it = table.find(name); it != table.end()) {
    add_warnings(it->second.warnings, report);
    return &it->second;
  }
  const Entry entry(*this, &table, name, call, report);
  if (!entry.ok()) return nullptr;
  Report own(*source_);
  auto made = make(own);
  for (Diagnostic& e : own.errors()) report.error(std::move(e));
  add_warnings(own.warnings(), report);
  if (!made) return nullptr;
  made->warnings = std::move(own.warnings());
  return &table.emplace(name, std::move(*made)).first->second;
}

// ---- processes

const CompiledProcess* Elaborator::process(const ProcessDefinition& definition, const std::vector<Value>& values,
                                           Place call, Report& report, Budget& budget) {
  return instance(processes_, instance_name(definition.name, values), call, report, [&](Report& own) {
    return definition.import_file.empty() ? compile(definition, values, call, own, budget) : import(definition, own);
  });
}

std::optional<CompiledProcess> Elaborator::compile(const ProcessDefinition& definition,
                                                   const std::vector<Value>& values, Place call, Report& report,
                                                   Budget& budget) {
  Evaluator evaluator(tree_, report, effort(&budget));
  const Supplier supplier = [&](const Call& inner, const std::vector<Value>& inner_values) -> const Lts* {
    const Lts* lts = sequential(inner, inner_values, report, budget);
    if (lts == nullptr) evaluator.give_up();
    return lts;
  };
  return compile_process(definition, values, call, evaluator, actions_, supplier, &missing);
}

std::shared_ptr<const FspStateNames> Elaborator::state_names(const FspInstance& instance) {
  const std::vector<Value> values(instance.values.begin(), instance.values.end());
  const auto [it, is_new] = names_.try_emplace(instance_name(instance.process, values));
  const auto* definition = find_named(tree_.processes, instance.process);
  if (!is_new || definition == nullptr) return it->second;
  Report unheard(*source_);
  Budget unlimited;
  Evaluator evaluator(tree_, unheard, effort());
  const Supplier supplier = [&](const Call& call, const std::vector<Value>& call_values) {
    const Lts* lts = sequential(call, call_values, unheard, unlimited);
    if (lts == nullptr) evaluator.give_up();
    return lts;
  };
  auto names = fsp::state_names(*definition, values, definition->place, evaluator, actions_, supplier, *source_);
  if (names) it->second = std::make_shared<const FspStateNames>(std::move(*names));
  return it->second;
}

// What stands before ';': a process, or a composite as one LTS.
const Lts* Elaborator::sequential(const Call& call, const std::vector<Value>& values, Report& report, Budget& budget) {
  if (const auto* p = find_named(tree_.processes, call.name)) {
    const auto* compiled = process(*p, values, call.place, report, budget);
    return compiled == nullptr ? nullptr : &compiled->lts;
  }
  if (const auto* c = find_named(tree_.composites, call.name)) {
    const auto* elaborated = composite(*c, values, call.place, report, budget);
    return elaborated == nullptr ? nullptr : composed(*elaborated, call.place, report, budget);
  }
  report.error(call.place, fmt::format("there is no process '{}'", call.name),
               did_you_mean(call.name, names_of(tree_.processes, tree_.composites)));
  return nullptr;
}

std::optional<CompiledProcess> Elaborator::import(const ProcessDefinition& definition, Report& report) {
  const auto path = std::filesystem::path(source_->file()).parent_path() / definition.import_file;
  const std::string* known = stand_in(texts, path.string());
  if (std::error_code none;
      known == nullptr && std::filesystem::exists(path, none) && !std::filesystem::is_regular_file(path, none)) {
    report.error(definition.place, fmt::format("cannot import '{}': it is not a plain file", definition.import_file));
    return std::nullopt;
  }
  const auto text = known != nullptr ? *known : read_file(path.string());
  if (text && imported != nullptr) imported->add(path.string(), *text);
  auto lts = text ? read_aut(*text, path.string(), actions_) : Result<Lts>(tl::unexpected(text.error()));
  if (lts) return CompiledProcess{std::string(definition.name), std::move(*lts), false, {}, {}, {}};
  report.error(definition.place, fmt::format("cannot import '{}'", definition.import_file));
  for (Diagnostic& e : lts.error()) report.error(std::move(e));
  return std::nullopt;
}

const CompiledProcess* Elaborator::constraint(const AssertDefinition& definition, const std::vector<Value>& values,
                                              Place call, Report& report) {
  const std::string name = instance_name(definition.name, values);
  if (const auto it = processes_.find(name); it != processes_.end()) return &it->second;
  auto assertion = elaborate_assertion(definition, values, call, *this, report);
  if (!assertion) return nullptr;
  auto lts = constraint_lts(*assertion, actions_);
  if (!lts) {
    report.error(definition.place, fmt::format("constraint {} is too large or no safety property", definition.name),
                 "a constraint may not ask for something to happen eventually");
    return nullptr;
  }
  return &processes_.emplace(name, CompiledProcess{name, std::move(*lts), false, {}, {}, {}}).first->second;
}

// ---- cells

// A process that is small enough is built as a whole too: its errors are found as ever, and the cells are compared
// with it.
const Cells* Elaborator::cells(const ProcessDefinition& definition, const std::vector<Value>& values, Place call,
                               Report& report, Budget& budget) {
  if (!limits_.cells || definition.property || !definition.import_file.empty()) return nullptr;
  const std::string name = instance_name(definition.name, values);
  const auto [it, is_new] = cells_.try_emplace(name);
  Cells& cells = it->second;
  if (!is_new) return cells.machines.empty() ? nullptr : &cells;

  Report unheard(*source_);
  Evaluator evaluator(tree_, unheard, effort(&budget));
  const Scope scope = bind_parameters(definition.parameters, values, call, definition.name, evaluator);
  if (evaluator.failed()) return nullptr;
  std::uint64_t states = 0;
  for (const LocalProcess& local : definition.locals)
    states += std::min(count_indices(local.indices, scope, evaluator), kChecked + 1);
  const CompiledProcess* whole = nullptr;
  if (states <= kChecked) {
    whole = process(definition, values, call, unheard, budget);
    if (whole == nullptr || whole->lts.state_count() <= limits_.cells->whole_states) return nullptr;
  }
  auto rules = tuple_rules(definition, scope, tree_, effort(&budget), actions_, limits_.cells->most_work);
  if (rules) cells = cells_of(*rules, actions_, limits_.states, limits_.cells->join, budget);
  if (rules && rules->slots.size() == 1) return nullptr;  // no index: nothing to say
  if (cells.machines.empty()) {
    cell_notes.push_back(fmt::format("{} stays whole: {}", name, rules ? cells.note : rules.error()));
    return nullptr;
  }
  if (whole != nullptr) {
    add_warnings(whole->warnings, report);
    Budget own(budget.rest(), budget.interrupt_flag());
    const auto lts = compose_fsp(together(cells), own);
    const bool same =
        lts && lts->alphabet() == whole->lts.alphabet() && !difference(whole->lts, *lts, Equivalence::strong, &own);
    check(same || !own.go_on(), "cells are bisimilar to their process");
    if (!own.go_on()) cells = {};  // they have not been compared, and there is no time left to use them
    if (cells.machines.empty()) return nullptr;
  }
  forget_error(cells, whole, budget);
  cell_notes.push_back(
      fmt::format("{} in {} cells: {}; {}", name, cells.machines.size(), cells.note,
                  whole ? fmt::format("bisimilar to the whole of {} states, checked", whole->lts.state_count())
                        : "by construction"));
  came_apart = true;
  return &cells;
}

// A composite stays whole if a part can reach ERROR or END, because that of a part is not that of the whole.
bool Elaborator::comes_apart(const FspComposite& composite, Place call, Budget& budget) {
  if (!limits_.cells || composite.machines.size() < 2) return false;
  double states = 1;
  for (const FspMachine& m : composite.machines) {
    if (m.property || m.lts.error() || m.lts.end()) return false;
    states *= m.lts.state_count();
  }
  if (states <= kChecked) {
    Report unheard(*source_);
    const Lts* lts = composed(composite, call, unheard, budget);
    if (lts == nullptr || lts->state_count() <= limits_.cells->whole_states) return false;
  }
  cell_notes.push_back(fmt::format("{} in {} parts, as it is written", composite.name, composite.machines.size()));
  came_apart = true;
  return true;
}

// ---- composites

const FspComposite* Elaborator::composite(const CompositeDefinition& definition, const std::vector<Value>& values,
                                          Place call, Report& report, Budget& budget) {
  return instance(composites_, instance_name(definition.name, values), call, report,
                  [&](Report& own) { return elaborate_composite(definition, values, call, *this, own, budget); });
}

const FspComposite* Elaborator::default_composite(Report& report, Budget& budget) {
  if (const auto it = composites_.find("DEFAULT"); it != composites_.end()) return &it->second;
  FspComposite out;
  out.name = "DEFAULT";
  out.implicit = true;
  std::set<std::string> sequenced;
  const auto add = [&](const CompiledProcess& p, std::string_view definition) {
    out.machines.push_back(
        {p.name, p.lts, p.property, p.extension, std::string(definition), FspInstance{std::string(definition), {}}});
    sequenced.insert(p.sequenced.begin(), p.sequenced.end());
  };
  for (const auto& definition : tree_.processes) {
    if (const Cells* apart = cells(definition, {}, definition.place, report, budget)) {
      for (const FspMachine& m : apart->machines)
        out.machines.push_back({std::string(definition.name) + "." + m.name, m.lts, false, m.extension});
      continue;
    }
    const auto* compiled = process(definition, {}, definition.place, report, budget);
    if (compiled == nullptr) return nullptr;
    add(*compiled, definition.name);
  }
  // Instances with parameters that were made for sequences run along (doc/semantics.md#fsp-processes).
  for (std::set<std::string> done; done != sequenced;)
    for (const auto& name : std::set<std::string>(sequenced))
      if (done.insert(name).second)
        if (const auto it = processes_.find(name); it != processes_.end()) add(it->second, name);
  out.warnings = report.warnings();
  return &composites_.emplace("DEFAULT", std::move(out)).first->second;
}

const Lts* Elaborator::composed(const FspComposite& composite, Place call, Report& report, Budget& budget) {
  if (const auto it = composed_.find(composite.name); it != composed_.end()) return &it->second;
  auto lts = compose_fsp(composite, budget);
  if (lts) return &composed_.emplace(composite.name, std::move(*lts)).first->second;
  report.error(call, fmt::format("'{}' has to be composed on its own first, and that took too much {}", composite.name,
                                 describe(budget.why())));
  return nullptr;
}

}  // namespace surety::fsp
