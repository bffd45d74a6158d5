// From a file to a family: which components are cells, which belong to the head, and which actions move.
//
// The text (lang/fsp/families/family.hpp) says from which distance to the ends all cells are alike: the margin m. The
// instance with 2m+3 cells then has three of them in the middle, and they are the cells of the chain. Smaller instances
// are proved one by one.

#include "api/all_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "api/plan.hpp"
#include "api/turns.hpp"
#include "base/check.hpp"
#include "decompose/all_sizes.hpp"
#include "lang/fsp/families/family.hpp"
#include "model/action_name.hpp"
#include "model/transform.hpp"
#include "rules/minimise.hpp"

namespace surety::api {
namespace {

constexpr int kMostMargin = 12;
constexpr std::uint64_t kStatesTried = 500'000;
constexpr std::chrono::nanoseconds kTimeTried = std::chrono::seconds(10);
constexpr int kSizesTried = 8;  // if there is no proof for all: so many, to tell how far it holds

// Changes the numbers of a label that lie between two others. Nothing: it has none.
template <class Change>
std::optional<std::string> with_numbers(std::string_view label, int low, int high, Change change) {
  bool any = false;
  ActionName name(label);
  for (auto& part : name.parts)
    if (const auto n = ActionName::number(part); n && *n >= low && *n <= high) part = change(*n), any = true;
  return any ? std::optional(name.text()) : std::nullopt;
}

// Properties that are no part of the composite come after its machines.
bool is_property(const Model& model, std::size_t machine) {
  const auto& machines = model.composite->machines;
  return machine >= machines.size() || machines[machine].property;
}

std::vector<std::string> outside_properties(const Model& model) {
  const auto inside = std::ranges::count_if(model.composite->machines, &FspMachine::property);
  std::vector<std::string> names;
  for (auto i = static_cast<std::size_t>(inside); i < model.properties.size(); ++i)
    names.push_back(model.properties[i].name);
  return names;
}

// Makes the chain of one property out of one instance.
class ChainBuilder {
 public:
  ChainBuilder(const Model& model, const FspFamily& text, int margin)
      : model_(model), text_(text), margin_(margin), size_(2 * margin + 3), reach_(text.bounds.near_cell) {}

  // Why not, if not.
  std::string build(const std::string& property, Chain& chain) {
    if (auto wrong = sort(property, chain); !wrong.empty()) return wrong;
    add_classes(chain.property, chain);
    for (std::size_t i = 0; i < chain.head.size(); ++i)
      if (chain.hub[i]) add_classes(chain.head[i].lts, chain);
    for (int i = 0; i < 3; ++i)
      for (const Component& c : chain.cells[static_cast<std::size_t>(i)]) add_actions(c.lts, margin_ + 1 + i, chain);
    return {};
  }

 private:
  // Every machine to its place.
  std::string sort(const std::string& property, Chain& chain) {
    chain.cells.resize(3);
    const Network safety = safety_network(model_);
    std::size_t next_component = 0, next_property = 0;
    bool found = false;
    const FspRemembering* apart = nullptr;
    for (std::size_t i = 0; i < text_.machines.size(); ++i) {
      const auto& machine = text_.machines[i];
      if (is_property(model_, i)) {
        const Property& p = model_.properties[next_property++];
        if (p.name != property) continue;
        if (machine.kind == FspFamily::Kind::other) return machine.why;
        if (machine.kind == FspFamily::Kind::cell) return fmt::format("{} is a property of one cell", property);
        apart = machine.apart.get();
        chain.property = apart != nullptr ? apart->hub : p.lts;
        found = true;
        continue;
      }
      const Component& component = safety.components[next_component++];
      if (machine.kind == FspFamily::Kind::other) {
        if (chain.left_out.empty()) chain.left_out = fmt::format("{} was left out ({})", component.name, machine.why);
        continue;
      }
      if (machine.kind == FspFamily::Kind::cell)
        add_cell(component, machine.cell, chain);
      else
        chain.head.push_back(component), chain.hub.push_back(machine.hub);
    }
    if (!found) return fmt::format("{} is no part of {}", property, model_.network.name);
    if (chain.cells[0].empty()) return nothing_repeats();
    if (apart != nullptr) add_bits(property, *apart, chain);
    if (chain.cells[0].size() != chain.cells[1].size() || chain.cells[0].size() != chain.cells[2].size())
      return "some cells have more components than others";
    return {};
  }

  void add_cell(const Component& component, int index, Chain& chain) const {
    if (index > margin_ && index <= size_ - margin_)
      chain.cells[static_cast<std::size_t>(index - margin_ - 1)].push_back(component);
    else
      chain.head.push_back(component), chain.hub.push_back(false);
  }

  // What the property remembers is in the cells.
  void add_bits(const std::string& property, const FspRemembering& apart, Chain& chain) const {
    for (Component& c : chain.head) c.lts = relabel(c.lts, apart.split);
    for (auto& cell : chain.cells)
      for (Component& c : cell) c.lts = relabel(c.lts, apart.split);
    for (const auto& [index, bit] : apart.bits)
      add_cell({fmt::format("{}.bit({})", property, index), bit}, index, chain);
  }

  std::string nothing_repeats() const {
    for (const auto& machine : text_.machines)
      if (!machine.why.empty()) return machine.why;
    return "nothing is repeated as often as the constant says";
  }

  std::string_view name(Action a) const { return model_.actions->name(a); }

  std::optional<Action> class_of(Action a) const {
    const auto star = with_numbers(name(a), margin_ + 1 - reach_, margin_ + 3 + reach_, [](int) { return "*"; });
    if (!star) return std::nullopt;
    return model_.actions->intern(*star);
  }

  static void add(Chain::Renaming& pairs, Action from, Action to) {
    if (std::ranges::find(pairs, std::pair(from, to)) == pairs.end()) pairs.emplace_back(from, to);
  }

  void add_classes(const Lts& lts, Chain& chain) {
    for (const Action a : lts.alphabet())
      if (const auto its_class = class_of(a)) {
        add(chain.classes, a, *its_class);
        said_ = unite(said_, {*its_class});
      }
  }

  void add_actions(const Lts& lts, int cell, Chain& chain) const {
    for (const Action a : lts.alphabet()) {
      const auto next =
          with_numbers(name(a), cell - reach_, cell + reach_, [](int n) { return std::to_string(n + 1); });
      if (!next) continue;
      if (cell < margin_ + 3) add(chain.shift, a, model_.actions->intern(*next));
      if (const auto its_class = class_of(a); its_class && said_.contains(*its_class))
        add(chain.classes, a, *its_class);
    }
  }

  const Model& model_;
  const FspFamily& text_;
  int margin_;
  int size_;
  int reach_;
  Alphabet said_;
};

// One file at all its sizes.
class Sizes {
 public:
  // The names are those of properties that need not be part of the composite.
  Sizes(const Source& source, const std::string& parameter, std::vector<std::string> names,
        std::shared_ptr<ActionTable> actions, Budget& budget)
      : source_(source), parameter_(parameter), names_(std::move(names)), budget_(budget) {
    source_.actions = std::move(actions);
    if (!source_.read) source_.read = std::make_shared<FileLog>();
    source_.cells.reset();  // the text is read as it is written
  }

  Outcome<Model> at(int size) const {
    Source source = source_;
    source.defines.push_back({parameter_, size});
    auto model = load(source, budget_);
    if (!model) return model;
    if (auto added = add_outside_properties(*model, names_, &budget_); !added)
      return tl::unexpected(std::move(added.error()));
    return model;
  }

  // What stands against an induction, if something does. Else `margin` is known, and the chain of the property.
  std::string chain(const std::string& property, int from, int& margin, Chain& chain) const {
    margin = 1;
    for (int size = from;;) {
      auto model = at(size);
      if (!model) return fmt::format("with {} = {} the file cannot be read", parameter_, size);
      const auto outside = outside_properties(*model);
      const FspFamily text = family_of(*model->fsp, model->network.name, parameter_, outside);
      if (!text.why.empty()) return text.why;
      check(text.machines.size() == model->composite->machines.size() + outside.size(),
            "the text has other machines than the composite");
      // Before anything large is made.
      if (auto wrong = refused(*model, text, property); !wrong.empty()) return wrong;
      if (text.margin() > kMostMargin)
        return fmt::format("cells near the ends are told apart up to a distance of {}, which is too far",
                           text.margin());
      if (size == 2 * margin + 3 && text.margin() <= margin)
        return ChainBuilder(*model, text, margin).build(property, chain);
      margin = std::max(margin, text.margin());
      size = 2 * margin + 3;
    }
  }

  std::optional<Instance> instance(int size, const std::string& property) const {
    auto model = at(size);
    if (!model) return std::nullopt;
    for (const Property& p : model->properties)
      if (p.name == property) return Instance{size, safety_network(*model), p};
    return std::nullopt;
  }

  const std::string& parameter() const { return parameter_; }

 private:
  // Why the property cannot be read, if it cannot.
  static std::string refused(const Model& model, const FspFamily& text, const std::string& property) {
    std::size_t next = 0;
    for (std::size_t i = 0; i < text.machines.size(); ++i)
      if (is_property(model, i) && model.properties[next++].name == property) return text.machines[i].why;
    return {};
  }

  Source source_;
  std::string parameter_;
  std::vector<std::string> names_;
  Budget& budget_;
};

// Everything about one property.
class AllSizesProver {
 public:
  AllSizesProver(const Request& request, const Sizes& sizes, Budget& budget)
      : request_(request), sizes_(sizes), budget_(budget), from_(request.all_sizes->from) {}

  Check run(const std::string& property) {
    const double start = budget_.seconds_used();
    check_.kind = "safety";
    check_.property = property;
    check_.method = "all-sizes";
    check_.sizes = SizesAnswer{sizes_.parameter(), from_, {}, {}, 0, 0, {}};
    family_.from = from_;
    answer();
    check_.time_s = budget_.seconds_used() - start;
    return std::move(check_);
  }

 private:
  SizesAnswer& sizes() { return *check_.sizes; }
  Context context(Budget& budget) {
    return {budget, check_.cost, request_.threads, LearnerKind::lstar, AlphabetMode::refine, nullptr, nullptr};
  }

  void answer() {
    check_.verdict = Unknown{Stop::none, {}, {}, {}};
    if (!budget_.go_on()) {
      check_.verdict = Unknown{budget_.why(), {}, {}, {}};
      return;
    }
    int margin = 0;
    sizes().why = sizes_.chain(check_.property, from_, margin, family_.chain);
    const bool chained = sizes().why.empty();
    if (!chained) return try_sizes(from_, from_ + kSizesTried - 1);
    for (int size = from_; size <= 2 * margin + 2; ++size)
      if (!prove_one(size, budget_)) return;
    ChainAnswer induction = induct();
    if (induction.proof) return conclude(std::move(*induction.proof), margin);
    sizes().why = induction.why;
    if (!family_.chain.left_out.empty()) sizes().why += "; " + family_.chain.left_out;
    // Without what was left out the chain fails. That may be so in truth.
    const int next = std::max(from_, 2 * margin + 3);
    const int last = induction.fails_with ? 2 * margin + *induction.fails_with : 0;
    try_sizes(next, std::max(last, from_ + kSizesTried - 1));
  }

  // There is no proof for all. How far it holds is worth some effort, but not any.
  void try_sizes(int first, int last) {
    Limits limits = request_.limits;
    limits.time = std::min<std::chrono::nanoseconds>(budget_.time_left().value_or(kTimeTried), kTimeTried);
    limits.states = std::min(limits.states.value_or(kStatesTried), kStatesTried);
    Budget budget(limits, request_.interrupted, request_.progress);
    for (int size = first; size <= last && prove_one(size, budget); ++size) continue;
    if (auto* unknown = std::get_if<Unknown>(&check_.verdict))
      unknown->why = budget_.go_on() ? Stop::none : budget_.why();
  }

  // False: the answer is known, or there is none.
  bool prove_one(int size, Budget& budget) {
    auto instance = sizes_.instance(size, check_.property);
    if (!instance) {
      if (sizes().why.empty())
        sizes().why = fmt::format("with {} = {} the file cannot be read", sizes_.parameter(), size);
      return false;
    }
    ProofGoal task;
    task.properties = {&instance->property.lts};
    task.names = {all_names(instance->network)};
    auto& side = task.sides.emplace_back();
    for (const Component& c : instance->network.components) side.push_back(&c.lts);
    Verdict verdict = prove_minimise(task, context(budget));
    if (auto* violated = std::get_if<Violated>(&verdict)) {
      const auto wrong = certify::replay_violation(instance->network, instance->property, violated->trace);
      check(!wrong, fmt::format("a counterexample does not replay: {}", wrong.value_or("")).c_str());
      check_.certified = true;
      sizes().violated_at = size;
      check_.verdict = std::move(verdict);
      return false;
    }
    if (auto* unknown = std::get_if<Unknown>(&verdict)) {
      check_.verdict = Unknown{unknown->why, {}, {}, {}};
      return false;
    }
    Certificate certificate = std::move(std::get<Holds>(verdict).certificate);
    if (certificate.split.empty()) certificate.split = task.names;
    Limits limits;
    limits.memory = budget.memory_limit();
    limits.time = budget.time_left();
    Budget recheck(limits, request_.interrupted);
    const auto judgement = certify::check_safety(instance->network, {&instance->property}, certificate, recheck);
    check(judgement.kind != certify::Judgement::Kind::refused,
          fmt::format("the checker refuses a proof: {}", judgement.reason).c_str());
    if (judgement.kind != certify::Judgement::Kind::accepted) {
      check_.verdict = Unknown{recheck.why(), {}, {}, {}};
      return false;
    }
    sizes().proved.push_back(size);
    small_.push_back(std::move(certificate));
    family_.small.push_back(std::move(*instance));
    return true;
  }

  // Hubs make large Ws and often do not matter: first without them.
  ChainAnswer induct() {
    std::vector<bool> used(family_.chain.hub.size(), true);
    if (std::ranges::count(family_.chain.hub, true) > 0) {
      used = family_.chain.hub;
      used.flip();
      ChainAnswer without = prove_chain(family_.chain, used, context(budget_));
      if (without.proof) return without;
      used.assign(used.size(), true);
    }
    return prove_chain(family_.chain, used, context(budget_));
  }

  void conclude(Induction proof, int margin) {
    proof.parameter = sizes_.parameter();
    proof.from = from_;
    proof.margin = margin;
    proof.small = std::move(small_);
    for (const Lts& w : proof.head) sizes().states = std::max<std::uint64_t>(sizes().states, w.state_count());
    for (const auto& round : proof.rounds)
      for (const Lts& w : round) sizes().states = std::max<std::uint64_t>(sizes().states, w.state_count());
    sizes().cells = proof.rounds.size();
    Certificate certificate{"all-sizes", {}, {}};
    certificate.induction = std::make_shared<const Induction>(std::move(proof));
    Limits limits;
    limits.memory = budget_.memory_limit();
    limits.time = budget_.time_left();
    Budget recheck(limits, request_.interrupted);
    const auto judgement = certify::check_all_sizes(family_, certificate, recheck);
    check(judgement.kind != certify::Judgement::Kind::refused,
          fmt::format("the checker refuses a proof: {}", judgement.reason).c_str());
    check_.certified = judgement.kind == certify::Judgement::Kind::accepted;
    if (check_.certified)
      check_.verdict = Holds{std::move(certificate)};
    else
      check_.verdict = Unknown{recheck.why(), {}, {}, {}};
  }

  const Request& request_;
  const Sizes& sizes_;
  Budget& budget_;
  int from_;
  Family family_;
  std::vector<Certificate> small_;
  Check check_;
};

// Deadlock, ERROR, progress and assertions are not about words that must not be, and so are not proved by induction.
// How far they hold is told all the same.
Check one_by_one(const Request& request, const std::string& name, const Model& model, Budget& budget) {
  const auto& [parameter, from] = *request.all_sizes;
  const double start = budget.seconds_used();
  Check out;
  out.property = name;
  if (const auto plan = make_plan(model, {name}))
    out.kind = plan->deadlock ? "deadlock" : plan->error ? "error" : plan->progress ? "progress" : "ltl";
  out.verdict = Unknown{Stop::none, {}, {}, {}};
  SizesAnswer sizes{parameter, from, {}, {}, 0, 0, "only properties are proved for all sizes"};
  for (int size = from; size < from + kSizesTried; ++size) {
    const auto used = std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>(budget.seconds_used() - start));
    if (!budget.go_on() || used >= kTimeTried) break;
    Request one = request;
    one.all_sizes.reset();
    one.properties = {name};
    one.source.defines.push_back({parameter, size});
    one.source.actions = model.actions;
    one.limits.time = std::min<std::chrono::nanoseconds>(budget.time_left().value_or(kTimeTried), kTimeTried - used);
    one.limits.states = std::min(request.limits.states.value_or(kStatesTried), kStatesTried);
    auto report = verify(one);
    if (!report || report->checks.empty()) break;
    out.kind = report->checks[0].kind;
    if (out.kind == "deadlock" || out.kind == "error") out.property.clear();
    for (Check& check : report->checks) {
      out.cost.add(check.cost.max_states, check.cost.max_transitions);
      if (std::holds_alternative<Violated>(check.verdict)) sizes.violated_at = size, out = std::move(check);
      if (sizes.violated_at) break;
    }
    if (verdict_name(*report) == "holds" && !sizes.violated_at)
      sizes.proved.push_back(size);
    else
      break;
  }
  if (!sizes.violated_at && !budget.go_on()) out.verdict = Unknown{budget.why(), {}, {}, {}};
  out.method = "all-sizes";
  out.split.clear();
  out.by_auto = false;
  out.sizes = std::move(sizes);
  out.time_s = budget.seconds_used() - start;
  return out;
}

// There may be some that the composite does not have.
tl::unexpected<Failure> no_property(const FspFile& file) {
  std::vector<std::string> outside;
  for (const auto& name : file.processes())
    if (const auto process = file.process(name); process && process->property) outside.push_back(name);
  return usage(
      "there is no property to prove for all sizes",
      outside.empty() ? "" : fmt::format("name one that is not part of the composite: --property {}", outside[0]));
}

}  // namespace

Outcome<Report> verify_all_sizes(const Request& request) {
  const auto& [parameter, from] = *request.all_sizes;
  Budget budget(request.limits, request.interrupted, request.progress);
  for (const FspDefine& define : request.source.defines)
    if (define.name == parameter)
      return usage(fmt::format("{} is defined and asked for at all sizes", parameter), "leave out one of the two");
  for (const auto& file : request.source.files)
    if (!request.source.files.empty() && !is_fsp_file(file, request.source.language))
      return usage("--all-sizes needs an FSP file with a constant for the size");
  for (const auto& name : request.properties)
    if (is_model_file(name))
      return usage(fmt::format("--all-sizes takes no property from a file: {}", name),
                   "write it as a property process into the FSP file; it need not be part of the composite");
  const Sizes sizes(request.source, parameter, request.properties, std::make_shared<ActionTable>(), budget);
  auto model = sizes.at(from);
  if (!model) return tl::unexpected(std::move(model.error()));
  Report report{std::move(*model), {}, {}};
  report.model.defines = request.source.defines;
  if (report.model.priority() != nullptr)
    return usage("--all-sizes does not know priorities", "a composite without << and >> is needed");
  auto plan = make_plan(report.model, request.properties);
  if (!plan) return tl::unexpected(std::move(plan.error()));
  const bool others = plan->error || plan->deadlock || plan->progress || !plan->assertions.empty();
  if (others && request.properties.empty()) {
    auto note = file_error(request.source.files[0],
                           "for all sizes only properties are proved: no deadlock, ERROR, progress or assertion");
    note.severity = Severity::note;
    report.model.warnings.push_back(std::move(note));
  }
  const auto is_named = [&](const std::string& name) { return !make_plan(report.model, {name})->safety.empty(); };
  if (plan->safety.empty() && request.properties.empty()) return no_property(*report.model.fsp);
  std::vector<Job> jobs;
  for (const Property* property : plan->safety)
    jobs.push_back({"safety", property->name, [&request, &sizes, name = property->name](const Share& share) {
                      return std::vector<Check>{AllSizesProver(request, sizes, share.budget).run(name)};
                    }});
  for (const auto& name : request.properties)
    if (!is_named(name))
      jobs.push_back({"safety", name, [&request, &report, &name](const Share& share) {
                        return std::vector<Check>{one_by_one(request, name, report.model, share.budget)};
                      }});
  auto checks = take_turns(jobs, budget);
  if (!checks) return tl::unexpected(std::move(checks.error()));
  report.checks = std::move(*checks);
  return report;
}

certify::Judgement judge_all_sizes(const Source& source, const std::shared_ptr<ActionTable>& actions,
                                   const std::string& property, const Certificate& certificate, Budget& budget) {
  certify::Judgement refused;
  // It does not grow, whatever a process of that name in the text does.
  refused.reason = "the property of a file is not proved for all sizes";
  if (!source.property_files.empty()) return refused;
  const Induction& proof = *certificate.induction;
  Source fresh = source;
  std::erase_if(fresh.defines, [&](const FspDefine& define) { return define.name == proof.parameter; });
  const Sizes sizes(fresh, proof.parameter, {property}, actions, budget);
  Family family;
  family.from = proof.from;
  int margin = 0;
  refused.reason = sizes.chain(property, proof.from, margin, family.chain);
  if (refused.reason.empty() && margin != proof.margin) refused.reason = "the ends of the chain are others";
  const auto small = static_cast<std::size_t>(std::max(0, 2 * margin + 3 - proof.from));
  if (refused.reason.empty() && small != proof.small.size())
    refused.reason = fmt::format("{} sizes need proofs of their own, not {}", small, proof.small.size());
  if (!refused.reason.empty()) return refused;
  for (int size = proof.from; size <= 2 * margin + 2; ++size) {
    auto instance = sizes.instance(size, property);
    refused.reason = fmt::format("with {} = {} there is no property '{}'", proof.parameter, size, property);
    if (!instance) return refused;
    family.small.push_back(std::move(*instance));
  }
  return certify::check_all_sizes(family, certificate, budget);
}

}  // namespace surety::api
