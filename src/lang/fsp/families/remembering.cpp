#include "lang/fsp/families/remembering.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <set>
#include <tuple>

#include "lang/fsp/front/names_in.hpp"
#include "model/action_name.hpp"
#include "model/transform.hpp"

namespace surety::fsp {
namespace {

// No FSP label has these in it.
constexpr std::string_view kHere = "@";  // after the number that is the index
constexpr char kOf = ':';                // in the last piece: own:keep

// ---- is a variable used?

bool uses(const Label& label, std::string_view variable);

bool uses(const Expression& e, std::string_view variable) {
  if (e.op == Expression::Op::name && e.name == variable) return true;
  if (e.label && uses(*e.label, variable)) return true;
  return std::ranges::any_of(e.operands, [&](const Expression& each) { return uses(each, variable); });
}

bool uses(const Index& index, std::string_view variable) {
  return uses(index.low, variable) || uses(index.high, variable) || (index.labels && uses(*index.labels, variable));
}

bool uses(const Label& label, std::string_view variable) {
  return std::ranges::any_of(label.parts, [&](const LabelPart& part) {
    if (part.index && uses(*part.index, variable)) return true;
    if (part.without && uses(*part.without, variable)) return true;
    return std::ranges::any_of(part.items, [&](const SetItem& item) {
      return uses(item.label, variable) || (item.without && uses(*item.without, variable));
    });
  });
}

bool uses(const Body& body, std::string_view variable) {
  const auto it = [&](const auto& each) { return uses(each, variable); };
  if (body.form == Body::Form::reference)
    return std::ranges::any_of(body.indices, it) ||
           std::ranges::any_of(body.sequence, [&](const Call& call) { return std::ranges::any_of(call.actuals, it); });
  if (body.form == Body::Form::conditional)
    return it(body.condition) || it(*body.then_part) || (body.else_part && it(*body.else_part));
  return std::ranges::any_of(body.choices, [&](const Choice& choice) {
    return (choice.guard && it(*choice.guard)) || std::ranges::any_of(choice.labels, it) || it(*choice.next);
  });
}

// ---- the text without the index

class TakingApart {
 public:
  TakingApart(const ProcessDefinition& definition, const Reading& reading)
      : definition_(definition), reading_(reading) {}

  std::optional<Remembering> run() {
    if (!definition_.parameters.empty() || !definition_.relabellings.empty() || definition_.hiding ||
        definition_.minimal || definition_.deterministic || !definition_.import_file.empty())
      return std::nullopt;
    for (const LocalProcess& local : definition_.locals) place(local);
    out_.hub.name = definition_.name;
    out_.hub.place = definition_.place;
    for (const LocalProcess& local : definition_.locals) {
      LocalProcess copy{local.name, {}, local.accepting, {}, local.place};
      std::string_view held;
      for (std::size_t i = 0; i < local.indices.size(); ++i)
        if (places_.at(local.name) != i)
          copy.indices.push_back(local.indices[i]);
        else
          held = local.indices[i].variable;
      if (!held.empty() && !hands_on(local.body, held)) failed_ = true;
      copy.body = body(local.body, held, &local == &definition_.locals[0]);
      out_.hub.locals.push_back(std::move(copy));
    }
    if (failed_ || out_.ranges.empty()) return std::nullopt;
    return std::move(out_);
  }

 private:
  static constexpr std::size_t kNowhere = SIZE_MAX;

  // What becomes of the index with a step: it is forgotten, or kept and shifted by a number, or that does not matter
  // because nothing follows.
  struct Fate {
    enum { dropped, kept, no_matter } kind = dropped;
    int by = 0;
    friend bool operator==(const Fate&, const Fate&) = default;
    bool stays() const { return kind == no_matter || (kind == kept && by == 0); }
  };

  // Which index of a local process is the one that is remembered.
  void place(const LocalProcess& local) {
    if (bound_again(local.indices) != nullptr) failed_ = true;
    std::size_t where = kNowhere;
    for (std::size_t i = 0; i < local.indices.size(); ++i) {
      if (local.indices[i].range != Index::Range::interval || !reading_.grows(local.indices[i])) continue;
      if (where != kNowhere || local.indices[i].variable.empty()) failed_ = true;
      where = i;
      out_.ranges.push_back(local.indices[i]);
    }
    const auto [it, fresh] = places_.emplace(local.name, where);
    if (!fresh && (where != kNowhere || it->second != kNowhere)) failed_ = true;
    if (local.accepting) failed_ = true;
  }

  // If the process only stands for another one (P[i] = Q[i]): does that remember the same index?
  bool hands_on(const Body& body, std::string_view held) {
    if (body.form == Body::Form::choice) return true;
    if (body.form == Body::Form::reference) return fate(body, held).stays();
    return hands_on(*body.then_part, held) && (!body.else_part || hands_on(*body.else_part, held));
  }

  Body body(const Body& from, std::string_view held, bool initial) {
    Body out;
    out.form = from.form;
    out.place = from.place;
    out.name = from.name;
    switch (from.form) {
      case Body::Form::reference: refer(from, held, initial, out); break;
      case Body::Form::conditional:
        if (!held.empty() && uses(from.condition, held)) failed_ = true;
        out.condition = from.condition;
        out.then_part = std::make_unique<Body>(body(*from.then_part, held, initial));
        if (from.else_part) out.else_part = std::make_unique<Body>(body(*from.else_part, held, initial));
        break;
      case Body::Form::choice:
        for (const Choice& choice : from.choices) out.choices.push_back(this->choice(choice, held));
    }
    return out;
  }

  void refer(const Body& from, std::string_view held, bool initial, Body& out) {
    if (!from.sequence.empty()) failed_ = true;
    const auto it = places_.find(from.name);
    const std::size_t where = it == places_.end() ? kNowhere : it->second;
    if (where != kNowhere && where >= from.indices.size()) failed_ = true;
    if (failed_) return;
    for (std::size_t i = 0; i < from.indices.size(); ++i)
      if (i != where) out.indices.push_back(from.indices[i]);
    // IN_ORDER = NEXT[1]: an index is remembered from the start. The process cannot come back there, because no variant
    // sets the bit of 1 then.
    if (out_.initial && from.name == definition_.name) failed_ = true;
    if (where == kNowhere || !held.empty()) return;
    if (!initial || out_.initial) failed_ = true;
    out_.initial = from.indices[where];
  }

  Choice choice(const Choice& from, std::string_view held) {
    Choice out;
    out.guard = from.guard;
    if (from.guard && !held.empty() && uses(*from.guard, held)) failed_ = true;
    for (std::size_t p = 0; p < from.labels.size(); ++p) out.labels.push_back(label(from, p, held));
    out.next = std::make_unique<Body>(body(*from.next, held, false));
    return out;
  }

  // What becomes of a variable with this label of a choice.
  Fate fate(const Choice& choice, std::size_t p, std::string_view variable) {
    if (variable.empty()) return {};
    if (p + 1 == choice.labels.size()) return fate(*choice.next, variable);
    const bool later = std::any_of(choice.labels.begin() + static_cast<std::ptrdiff_t>(p) + 1, choice.labels.end(),
                                   [&](const Label& label) { return uses(label, variable); });
    return {later || uses(*choice.next, variable) ? Fate::kept : Fate::dropped, 0};
  }

  Fate fate(const Body& body, std::string_view variable) {
    if (body.form == Body::Form::choice) return {uses(body, variable) ? Fate::kept : Fate::dropped, 0};
    if (body.form == Body::Form::conditional) {
      const Fate yes = fate(*body.then_part, variable);
      const Fate no = body.else_part ? fate(*body.else_part, variable) : Fate{Fate::no_matter, 0};
      if (yes.kind != Fate::no_matter && no.kind != Fate::no_matter && yes != no) failed_ = true;
      return yes.kind == Fate::no_matter ? no : yes;
    }
    const auto it = places_.find(body.name);
    if (it == places_.end()) return {Fate::no_matter, 0};  // STOP, END, ERROR
    if (it->second != kNowhere && it->second >= body.indices.size()) failed_ = true;
    for (std::size_t i = 0; i < body.indices.size(); ++i)
      if (i != it->second && uses(body.indices[i], variable)) failed_ = true;
    if (failed_ || it->second == kNowhere) return {};
    const Expression& e = body.indices[it->second];
    const auto by = uses(e, variable) ? reading_.offset(e, variable) : std::nullopt;
    if (!by || std::abs(*by) > 1) failed_ = true;
    if (failed_) return {};
    if (*by != 0) out_.shifts[*by > 0 ? "own:next" : "own:last"].emplace_back(variable, e);
    return {Fate::kept, *by};
  }

  // The label with its variants. `held`: the variable of the remembered index, before the label and then after it.
  Label label(const Choice& choice, std::size_t p, std::string_view& held) {
    const Label& from = choice.labels[p];
    if (bound_again(from) != nullptr) failed_ = true;
    std::size_t own = kNowhere, growing = kNowhere;
    for (std::size_t i = 0; i < from.parts.size(); ++i) {
      const LabelPart& part = from.parts[i];
      const bool is_held = part.index && part.index->range == Index::Range::value && !held.empty() &&
                           part.index->low.op == Expression::Op::name && part.index->low.name == held;
      if (!is_held && !held.empty() && uses(Label{{part}, part.place}, held)) failed_ = true;
      if (!held.empty() && part.index && part.index->variable == held) failed_ = true;  // another of that name
      const bool grows = part.index && part.index->range == Index::Range::interval && reading_.grows(*part.index);
      if (!is_held && !grows) continue;
      if (own != kNowhere || growing != kNowhere) failed_ = true;
      if (is_held)
        own = i;
      else
        growing = i;
    }
    if (failed_) return from;
    if (own != kNowhere) return own_label(choice, p, own, held);
    if (growing != kNowhere) return growing_label(choice, p, growing, held);
    if (!held.empty() && !fate(choice, p, held).stays()) failed_ = true;
    return from;
  }

  Label own_label(const Choice& choice, std::size_t p, std::size_t part, std::string_view& held) {
    const Fate after = fate(choice, p, held);
    if (after.kind == Fate::dropped) held = {};
    const char* what = after.stays()                 ? "own:keep"
                       : after.kind == Fate::dropped ? "own:drop"
                       : after.by > 0                ? "own:next"
                                                     : "own:last";
    return with_variants(choice.labels[p], part, out_.ranges.front(), {what});
  }

  Label growing_label(const Choice& choice, std::size_t p, std::size_t part, std::string_view& held) {
    const Index& index = *choice.labels[p].parts[part].index;
    const Fate taken = fate(choice, p, index.variable);
    if (taken.kind == Fate::kept) {
      if (!held.empty() || taken.by != 0) failed_ = true;  // two at once, or the bit of a neighbour
      held = index.variable;
      out_.ranges.push_back(index);
      return with_variants(choice.labels[p], part, index, {"other:take"});
    }
    if (!held.empty() && !fate(choice, p, held).stays()) failed_ = true;
    return with_variants(choice.labels[p], part, index, {"own:keep", "other:keep"});
  }

  static Label with_variants(const Label& from, std::size_t part, Index range, const std::vector<const char*>& how) {
    const auto named = [&](std::string_view name) {
      LabelPart out;
      out.name = name;
      out.place = from.place;
      return out;
    };
    Label out = from;
    range.variable = {};
    out.parts[part].index = std::move(range);
    out.parts.insert(out.parts.begin() + static_cast<std::ptrdiff_t>(part) + 1, named(kHere));
    LabelPart last;
    last.part = LabelPart::Part::set;
    last.place = from.place;
    for (const char* each : how) last.items.push_back({Label{{named(each)}, from.place}, {}});
    out.parts.push_back(std::move(last));
    return out;
  }

  const ProcessDefinition& definition_;
  const Reading& reading_;
  std::map<std::string_view, std::size_t> places_;  // by local process
  Remembering out_;
  bool failed_ = false;
};

// ---- at one size

class OneSize {
 public:
  OneSize(const Remembering& text, const Lts& property, Evaluator& evaluator, ActionTable& actions)
      : text_(text), property_(property), evaluator_(evaluator), actions_(actions) {}

  std::optional<FspRemembering> run() {
    const Supplier none = [](const Call&, const std::vector<Value>&) -> const Lts* { return nullptr; };
    auto compiled = compile_process(text_.hub, {}, text_.hub.place, evaluator_, actions_, none);
    if (!compiled || !is_deterministic(compiled->lts) || !read_numbers() || !read_labels(compiled->lts))
      return std::nullopt;
    FspRemembering out;
    if (!hub(compiled->lts, out.hub)) return std::nullopt;
    for (int n = low_; n <= high_; ++n) out.bits.emplace_back(n, bit(n));
    for (const auto& [base, variants] : variants_)
      for (const auto& [how, action] : variants.actions) out.variants.emplace_back(base, action);
    if (!same_as_property(out.hub)) return std::nullopt;
    return out;
  }

 private:
  struct Variants {
    int index = 0;
    std::string stem;  // the name without its last piece
    std::map<std::string, Action> actions;
  };

  bool read_numbers() {
    const Scope none;
    for (const Index& range : text_.ranges) {
      const int low = evaluator_.number(range.low, none), high = evaluator_.number(range.high, none);
      if (&range == &text_.ranges.front()) {
        low_ = low;
        high_ = high;
      }
      if (evaluator_.failed() || low != low_ || high != high_) return false;
    }
    if (text_.initial) initial_ = evaluator_.number(*text_.initial, none);
    if (initial_ && (*initial_ < low_ || *initial_ > high_)) return false;
    for (const auto& [how, shifts] : text_.shifts)
      for (const auto& [variable, e] : shifts)
        for (int n = low_; n <= high_; ++n) {
          Scope scope;
          scope.bind(variable, n);
          const int to = evaluator_.number(e, scope);
          if (shifted_[how].emplace(n, to).first->second != to || to < low_ || to > high_ || to == n) return false;
        }
    return !evaluator_.failed();
  }

  // x.3.@.own:drop is x.3, with index 3.
  bool read_labels(const Lts& lts) {
    std::set<std::string> kinds{"own:keep", "other:keep"};
    for (const Action a : lts.alphabet()) {
      ActionName name(actions_.name(a));
      if (name.parts.back().find(kOf) == std::string::npos) continue;
      kinds.insert(name.parts.back());
      name.parts.pop_back();
      const std::string stem = name.text();
      const auto here = std::ranges::find(name.parts, kHere);
      const int index = ActionName::number(*(here - 1)).value();
      name.parts.erase(here);
      auto& variants = variants_[actions_.intern(name.text())];
      if (!variants.stem.empty() && variants.stem != stem) return false;
      variants.stem = stem;
      variants.index = index;
    }
    for (auto& [base, variants] : variants_) {
      if (lts.alphabet().contains(base) || !property_.alphabet().contains(base)) return false;
      for (const auto& kind : kinds) variants.actions[kind] = actions_.intern(variants.stem + "." + kind);
    }
    return true;
  }

  static bool is_own(const std::string& how) { return how.starts_with("own"); }

  static std::optional<State> next(const Lts& lts, State s, Action a) {
    const auto steps = lts.steps(s, a);
    return steps.empty() || steps[0].target == lts.error() ? std::nullopt : std::optional(steps[0].target);
  }

  bool hub(const Lts& lts, Lts& out) const {
    LtsBuilder builder;
    const State anything{lts.state_count()}, once{lts.state_count() + 1};
    builder.set_state_count(lts.state_count() + 2);
    const auto allow = [&](Action a) {
      builder.add_step(anything, a, anything);
      builder.add_step(once, a, anything);
    };
    for (int n = low_; n <= high_ && !shifted_.empty(); ++n) {
      builder.add_step(anything, me(n), anything);
      for (std::uint32_t s = 0; s < lts.state_count(); ++s) builder.add_step(State{s}, me(n), once);
    }
    for (const Action a : property_.alphabet())
      if (!variants_.contains(a)) allow(a);
    for (const auto& [base, variants] : variants_)
      for (const auto& [how, action] : variants.actions) allow(action);
    for (std::uint32_t s = 0; s < lts.state_count(); ++s) {
      for (const Action a : intersect(lts.alphabet(), property_.alphabet()))
        if (const auto to = next(lts, State{s}, a)) builder.add_step(State{s}, a, *to);
      for (const auto& [base, variants] : variants_)
        for (const bool own : {false, true}) {
          std::optional<State> to;
          std::string meant;
          for (const auto& [how, action] : variants.actions)
            if (const auto it = is_own(how) == own ? next(lts, State{s}, action) : std::nullopt) {
              if (to) return false;
              to = it;
              meant = how;
            }
          for (const auto& [how, action] : variants.actions)
            if (to && is_own(how) == own) builder.add_step(State{s}, action, how == meant ? *to : anything);
        }
    }
    out = reachable(builder.build());
    return true;
  }
  // The action me[n] of a bit: it can do that once, while it is set.
  Action me(int n) const { return actions_.intern("me:" + std::string(text_.hub.name) + "." + std::to_string(n)); }

  // The index that is remembered after the variant of an action of cell n, if it is another one.
  std::optional<int> shifted(const std::string& how, int n) const {
    const auto shift = shifted_.find(how);
    if (shift == shifted_.end() || !shift->second.contains(n)) return std::nullopt;
    return shift->second.at(n);
  }

  Lts bit(int n) const {
    const State set{initial_ == n ? 0U : 1U}, clear{initial_ == n ? 1U : 0U}, said{2};
    LtsBuilder builder;
    builder.set_state_count(3);
    if (!shifted_.empty()) builder.add_step(set, me(n), said);
    for (const auto& [base, variants] : variants_)
      for (const auto& [how, action] : variants.actions) {
        if (shifted(how, variants.index) == n) builder.add_step(clear, action, set);
        if (variants.index != n) continue;
        builder.add_step(is_own(how) ? set : clear, action, how == "own:keep" || how == "other:take" ? set : clear);
      }
    return reachable(builder.build());
  }

  // Do hub and bits behave like the property? Walks through both, with the remembered index in place of the bits.
  bool same_as_property(const Lts& hub) const {
    using Place = std::tuple<State, State, std::optional<int>>;
    std::set<Place> seen{{property_.initial(), hub.initial(), initial_}};
    std::vector<Place> todo(seen.begin(), seen.end());
    const auto meet = [&](const Place& place) {
      if (seen.insert(place).second) todo.push_back(place);
    };
    while (!todo.empty()) {
      const auto [p, h, index] = todo.back();
      todo.pop_back();
      for (const Action a : property_.alphabet()) {
        const auto to = next(property_, p, a);
        const auto it = variants_.find(a);
        if (it == variants_.end()) {
          const auto hub_to = next(hub, h, a);
          if (to.has_value() != hub_to.has_value()) return false;
          if (to) meet({*to, *hub_to, index});
          continue;
        }
        const Variants& variants = it->second;
        const bool own = index == variants.index;
        bool any = false;
        for (const auto& [how, action] : variants.actions) {
          const auto hub_to = next(hub, h, action);
          if (is_own(how) != own || !hub_to || allows_all(hub, *hub_to)) continue;
          any = true;
          if (!to) return false;
          std::optional<int> after = index;
          if (how == "own:drop") after.reset();
          if (how == "other:take") after = variants.index;
          if (const auto other = shifted(how, variants.index)) after = other;
          meet({*to, *hub_to, after});
        }
        if (any != to.has_value()) return false;
      }
    }
    return true;
  }

  // An incorrect variant leads to such a state. The property itself may have one too; then the comparison fails, and
  // the property is not taken apart, which does no harm.
  static bool allows_all(const Lts& lts, State s) {
    std::size_t loops = 0;
    for (const Step& step : lts.steps(s)) loops += step.target == s;
    return loops == lts.alphabet().size();
  }

  const Remembering& text_;
  const Lts& property_;
  Evaluator& evaluator_;
  ActionTable& actions_;
  int low_ = 0, high_ = -1;
  std::optional<int> initial_;
  std::map<std::string, std::map<int, int>> shifted_;
  std::map<Action, Variants> variants_;
};

}  // namespace

std::optional<Remembering> without_index(const ProcessDefinition& definition, const Reading& reading) {
  return TakingApart(definition, reading).run();
}

std::optional<FspRemembering> hub_and_bits(const Remembering& text, const Lts& property, Evaluator& evaluator,
                                           ActionTable& actions) {
  return OneSize(text, property, evaluator, actions).run();
}

}  // namespace surety::fsp
