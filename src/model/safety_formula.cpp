#include "model/safety_formula.hpp"

#include <algorithm>
#include <iterator>

namespace surety {
namespace {

using Op = NormalForm::Op;
using Number = NormalForm::Number;
using Sets = SafetyWatch::State;

constexpr std::size_t kMostSets = 4096;

bool can_be_watched(const NormalForm& negation, Number f) {
  const NormalForm::Node& node = negation.nodes[f];
  if (node.op == Op::next || node.op == Op::weak_until) return false;
  if (node.op == Op::literal && !negation.atoms[node.atom].fluent) return false;
  return std::ranges::all_of(node.operands, [&](Number g) { return can_be_watched(negation, g); });
}

class Letter {
 public:
  Letter(const NormalForm& form, const std::vector<bool>& truth) : form_(form), truth_(truth) {}

  bool too_large() const { return too_large_; }

  // What f becomes.
  Sets after(Number f) {
    const NormalForm::Node& node = form_.nodes[f];
    switch (node.op) {
      case Op::constant: return node.positive ? Sets{{}} : Sets{};
      case Op::literal: return truth_[*form_.atoms[node.atom].fluent] == node.positive ? Sets{{}} : Sets{};
      case Op::both: return all(node.operands);
      case Op::either: {
        Sets any;
        for (const Number g : node.operands)
          for (auto& set : after(g)) add(any, std::move(set));
        return any;
      }
      default: {
        Sets any = after(node.operands[1]);
        for (auto& set : both(after(node.operands[0]), {{f}})) add(any, std::move(set));
        return any;
      }
    }
  }

  Sets all(const std::vector<Number>& formulas) {
    Sets out{{}};
    for (const Number f : formulas) out = both(out, after(f));
    return out;
  }

  void add(Sets& sets, std::vector<Number> more) {
    const auto within = [](const auto& small, const auto& large) { return std::ranges::includes(large, small); };
    if (std::ranges::any_of(sets, [&](const auto& set) { return within(set, more); })) return;
    std::erase_if(sets, [&](const auto& set) { return within(more, set); });
    sets.insert(std::ranges::lower_bound(sets, more), more);
    too_large_ = too_large_ || sets.size() > kMostSets;
  }

 private:
  Sets both(const Sets& a, const Sets& b) {
    Sets out;
    for (const auto& x : a)
      for (const auto& y : b) {
        if (too_large_) return {};
        std::vector<Number> sum;
        std::ranges::set_union(x, y, std::back_inserter(sum));
        add(out, std::move(sum));
      }
    return out;
  }

  const NormalForm& form_;
  const std::vector<bool>& truth_;
  bool too_large_ = false;
};

}  // namespace

std::optional<SafetyWatch> SafetyWatch::of(const Formula& formula) {
  NormalForm negation = normal_form_of_negation(formula);
  if (!can_be_watched(negation, negation.root)) return std::nullopt;
  return SafetyWatch(std::move(negation));
}

std::optional<Sets> SafetyWatch::after(const Sets& state, const std::vector<bool>& truth) const {
  Letter letter(form_, truth);
  Sets out;
  for (const auto& set : state)
    for (auto& then : letter.all(set)) letter.add(out, std::move(then));
  if (letter.too_large()) return std::nullopt;
  return out;
}

std::optional<MachineWatch> MachineWatch::of(const MachineFormula& formula) {
  auto watch = SafetyWatch::of(formula.formula);
  if (!watch) return std::nullopt;
  return MachineWatch(std::move(*watch), formula.propositions);
}

MachineWatch::MachineWatch(SafetyWatch watch, std::vector<std::uint32_t> propositions)
    : watch_(std::move(watch)), propositions_(std::move(propositions)), letter_(propositions_.size()) {
  number(watch_.initial());
}

std::uint32_t MachineWatch::number(const SafetyWatch::State& state) {
  const auto [at, fresh] = numbers_.try_emplace(state, static_cast<std::uint32_t>(states_.size()));
  if (fresh) states_.push_back(&at->first);
  return at->second;
}

std::uint32_t MachineWatch::after(std::uint32_t state, Machine& machine, MachineState now) {
  for (std::size_t i = 0; i < propositions_.size(); ++i) letter_[i] = machine.holds(propositions_[i], now);
  return after(state, letter_);
}

std::uint32_t MachineWatch::after(std::uint32_t state, const std::vector<bool>& letter) {
  if (state >= kTooLarge) return state;
  const auto [at, fresh] = known_.try_emplace({state, letter}, 0);
  if (!fresh) return at->second;
  const auto next = watch_.after(*states_[state], letter);
  return at->second = !next ? kTooLarge : SafetyWatch::is_false(*next) ? kFalse : number(*next);
}

}  // namespace surety
