#include "check/all_sizes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "all_sizes/induction.hpp"
#include "base/check.hpp"
#include "check/recheck.hpp"
#include "check/session.hpp"
#include "rules/minimise.hpp"

namespace surety::api {
namespace {

constexpr std::uint64_t kStatesTried = 500'000;
constexpr std::chrono::nanoseconds kTimeTried = std::chrono::seconds(10);
constexpr int kSizesTried = 8;  // if there is no proof for all: so many, to tell how far it holds

// Hubs make large Ws and often do not matter: first without them.
ChainAnswer induct(const Chain& chain, const Context& context) {
  std::vector<bool> used(chain.hub.size(), true);
  if (std::ranges::count(chain.hub, true) > 0) {
    used = chain.hub;
    used.flip();
    ChainAnswer without = prove_chain(chain, used, context);
    if (without.proof) return without;
    used.assign(used.size(), true);
  }
  return prove_chain(chain, used, context);
}

Limits rest_of(const Budget& budget) {
  Limits out;
  out.memory = budget.memory_limit();
  out.time = budget.time_left();
  return out;
}

}  // namespace

Outcome<Checks> AllSizes::prove(const Share& share) {
  check_ = describe(Method::all_sizes);
  check_.sizes = SizesAnswer{sizes_.parameter(), from_, {}, {}, 0, 0, {}};
  check_.verdict = Unknown{Stop::none, {}, {}, {}};
  family_ = Family{};
  family_.from = from_;
  small_.clear();
  tell_ = share.tell;
  if (share.budget.go_on())
    induct_or_try(share.budget);
  else
    check_.verdict = Unknown{share.budget.why(), {}, {}, {}};
  return Checks{std::move(check_)};
}

Context AllSizes::context(Budget& budget) {
  return {.budget = budget, .cost = check_.cost, .threads = options_.threads, .tell = tell_};
}

void AllSizes::induct_or_try(Budget& budget) {
  int margin = 0;
  answer().why = sizes_.chain(check_.property, from_, margin, family_.chain);
  if (!answer().why.empty()) return try_sizes(from_, from_ + kSizesTried - 1, budget);
  for (int size = from_; size <= 2 * margin + 2; ++size)
    if (!prove_one(size, budget)) return;
  ChainAnswer induction = induct(family_.chain, context(budget));
  if (induction.proof) return conclude(std::move(*induction.proof), margin);
  answer().why = induction.why;
  if (!family_.chain.left_out.empty()) answer().why += "; " + family_.chain.left_out;
  // Without what was left out the chain fails. That may be so in truth.
  const int next = std::max(from_, 2 * margin + 3);
  const int last = induction.fails_with ? 2 * margin + *induction.fails_with : 0;
  try_sizes(next, std::max(last, from_ + kSizesTried - 1), budget);
}

// There is no proof for all. How far it holds is worth some effort, but not any.
void AllSizes::try_sizes(int first, int last, Budget& budget) {
  Limits limits = options_.limits;
  limits.time = std::min<std::chrono::nanoseconds>(budget.time_left().value_or(kTimeTried), kTimeTried);
  limits.states = std::min(limits.states.value_or(kStatesTried), kStatesTried);
  Budget effort(limits, options_.interrupted, options_.progress);
  for (int size = first; size <= last && prove_one(size, effort); ++size) continue;
  if (auto* unknown = std::get_if<Unknown>(&check_.verdict)) unknown->why = budget.go_on() ? Stop::none : budget.why();
}

// False: the answer is known, or there is none.
bool AllSizes::prove_one(int size, Budget& budget) {
  auto instance = sizes_.instance(size, check_.property);
  if (!instance) {
    if (answer().why.empty())
      answer().why = fmt::format("with {} = {} the file cannot be read", sizes_.parameter(), size);
    return false;
  }
  const Split all{all_names(instance->network)};
  Verdict verdict = prove_minimise(proof_goal(instance->network, all, {&instance->property}), context(budget));
  tell_(told::Size{sizes_.parameter(), size, name_of(verdict)});
  if (auto* holds = std::get_if<Holds>(&verdict)) {
    if (holds->certificate.split.empty()) holds->certificate.split = all;
    return accept(std::move(holds->certificate), std::move(*instance), budget);
  }
  if (std::holds_alternative<Violated>(verdict)) {
    violated_ = std::move(*instance);
    answer().violated_at = size;
    check_.verdict = std::move(verdict);
  } else {
    check_.verdict = Unknown{std::get<Unknown>(verdict).why, {}, {}, {}};
  }
  return false;
}

// The proof of one size counts if the checker accepts it.
bool AllSizes::accept(Certificate certificate, Instance instance, Budget& budget) {
  Budget again(rest_of(budget), options_.interrupted);
  const auto judgement = certify::check_safety(instance.network, {&instance.property}, certificate, again);
  check(judgement.kind != certify::Judgement::Kind::refused,
        fmt::format("the checker refuses a proof: {}", judgement.reason).c_str());
  if (judgement.kind != certify::Judgement::Kind::accepted) {
    check_.verdict = Unknown{again.why(), {}, {}, {}};
    return false;
  }
  answer().proved.push_back(instance.size);
  small_.push_back(std::move(certificate));
  family_.small.push_back(std::move(instance));
  return true;
}

void AllSizes::conclude(Induction proof, int margin) {
  proof.parameter = sizes_.parameter();
  proof.from = from_;
  proof.margin = margin;
  proof.small = std::move(small_);
  for (const Lts& w : proof.head) answer().states = std::max<std::uint64_t>(answer().states, w.state_count());
  for (const auto& round : proof.rounds)
    for (const Lts& w : round) answer().states = std::max<std::uint64_t>(answer().states, w.state_count());
  answer().cells = proof.rounds.size();
  Certificate certificate{Method::all_sizes, {}, {}};
  certificate.induction = std::make_shared<const Induction>(std::move(proof));
  check_.verdict = Holds{std::move(certificate)};
}

std::optional<std::string> AllSizes::replay(const Check& check) {
  return certify::replay_violation(violated_->network, violated_->property, std::get<Violated>(check.verdict).trace);
}

certify::Judgement AllSizes::recheck(const Check& /*check*/, const Certificate& certificate, Budget& budget,
                                     const Teller& tell) {
  return certify::check_all_sizes(family_, certificate, budget, tell);
}

Check one_by_one(const SizesRange& range, const Subject& subject, const Share& share,
                 const std::function<Outcome<Checks>(int size, const Limits& limits)>& check) {
  Budget& budget = share.budget;
  const double start = budget.seconds_used();
  Check out;
  out.kind = subject.kind;
  out.property = subject.name;
  out.verdict = Unknown{Stop::none, {}, {}, {}};
  SizesAnswer sizes{range.parameter, range.from, {}, {}, 0, 0, "only properties are proved for all sizes"};
  for (int size = range.from; size < range.from + kSizesTried && !sizes.violated_at; ++size) {
    const auto used = std::chrono::duration_cast<std::chrono::nanoseconds>(
        std::chrono::duration<double>(budget.seconds_used() - start));
    if (!budget.go_on() || used >= kTimeTried) break;
    Limits limits;
    limits.time = std::min<std::chrono::nanoseconds>(budget.time_left().value_or(kTimeTried), kTimeTried - used);
    limits.states = kStatesTried;
    auto checks = check(size, limits);
    if (!checks || checks->empty()) break;
    const bool violated = std::ranges::any_of(*checks, &Check::violated);
    const bool all_hold = std::ranges::all_of(*checks, &Check::holds);
    share.tell(told::Size{range.parameter, size, violated ? "violated" : all_hold ? "holds" : "unknown"});
    for (Check& one : *checks) {
      out.cost.add(one.cost.max_states, one.cost.max_transitions);
      if (!one.violated()) continue;
      sizes.violated_at = size;
      out = std::move(one);
      break;
    }
    if (violated || !all_hold) break;
    sizes.proved.push_back(size);
  }
  if (!sizes.violated_at && !budget.go_on()) out.verdict = Unknown{budget.why(), {}, {}, {}};
  out.method = Method::all_sizes;
  out.split.clear();
  out.by_auto = false;
  out.sizes = std::move(sizes);
  out.time_s = budget.seconds_used() - start;
  return out;
}

certify::Judgement recheck_all_sizes(const Model& model, const Source& source, const std::string& property,
                                     const Certificate& certificate, Budget& budget, const Teller& tell) {
  if (!certificate.induction || !model.fsp) return refuse("this is no proof for all sizes");
  // It does not grow, whatever a process of that name in the text does.
  if (!source.property_files.empty()) return refuse("the property of a file is not proved for all sizes");
  const Induction& proof = *certificate.induction;
  Source fresh = source;
  std::erase_if(fresh.defines, [&](const FspDefine& define) { return define.name == proof.parameter; });
  const Sizes sizes(fresh, proof.parameter, {property}, model.actions, budget);
  Family family;
  family.from = proof.from;
  int margin = 0;
  if (auto why = sizes.chain(property, proof.from, margin, family.chain); !why.empty()) return refuse(std::move(why));
  if (margin != proof.margin) return refuse("the ends of the chain are others");
  const auto small = static_cast<std::size_t>(std::max(0, 2 * margin + 3 - proof.from));
  if (small != proof.small.size())
    return refuse(fmt::format("{} sizes need proofs of their own, not {}", small, proof.small.size()));
  for (int size = proof.from; size <= 2 * margin + 2; ++size) {
    auto instance = sizes.instance(size, property);
    if (!instance)
      return refuse(fmt::format("with {} = {} there is no property '{}'", proof.parameter, size, property));
    family.small.push_back(std::move(*instance));
  }
  return certify::check_all_sizes(family, certificate, budget, tell);
}

}  // namespace surety::api
