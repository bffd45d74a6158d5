#include "certify/simulate.hpp"

#include <algorithm>
#include <unordered_map>

#include "certify/pairs.hpp"

namespace surety::certify {
namespace {

using Kind = Judgement::Kind;

class Simulation {
 public:
  Simulation(const Lts& a, const std::vector<const Lts*>& components, Budget& budget)
      : a_(a),
        components_(components),
        budget_(budget),
        charge_(budget),
        participants_(components),
        free_(subtract(a.alphabet(), participants_.alphabet())) {}

  Judgement run() {
    for (const Lts* lts : components_)
      if (lts->state_count() == 0) return {Kind::accepted, {}, {}, 0};  // they do not even start
    if (a_.state_count() == 0) return refuse("the abstraction has no states");
    pairs_.number(tuple(Tuple(components_.size(), State{0})), State{0});
    return pairs_.settle([this](Pairs::Number p) { return choose(p); }, budget_,
                         "the assumption does not simulate what it stands for");
  }

 private:
  struct Hash {
    static std::uint64_t mix(std::uint64_t x) { return (x ^ x >> 32) * 0x9e3779b97f4a7c15ULL >> 16; }
    std::size_t operator()(const Tuple& t) const {
      std::uint64_t h = 17;
      for (const State s : t) h = mix(h << 32 ^ h ^ s.value);
      return h;
    }
  };
  struct Move {
    Action action;
    std::uint32_t tuple;
  };
  // False: for some step there is nothing to choose.
  bool choose(Pairs::Number p) {
    if (++looked_at_ % 256 == 1 && !may_go_on()) return false;
    const State by = pairs_[p].by;
    for (const Move& move : moves_of(pairs_[p].state)) {
      const auto choice = choose(move, by);
      if (!choice || budget_.why() != Stop::none) return false;
      promising_[move.tuple] = pairs_[*choice].by;
      pairs_.choose(*choice, p);
    }
    return true;
  }

  std::optional<Pairs::Number> choose(const Move& move, State by) {
    const auto unless_bad = [&](State option) -> std::optional<Pairs::Number> {
      if (++asked_ % 4096 == 0) may_go_on();
      const Pairs::Number p = pairs_.number(move.tuple, option);
      return pairs_[p].bad ? std::nullopt : std::optional(p);
    };
    if (!a_.alphabet().contains(move.action)) return unless_bad(by);
    // Only to be faster: what was chosen for this tuple last comes first.
    const auto options = a_.steps(by, move.action);
    const auto promising = std::find(options.begin(), options.end(), Step{move.action, promising_[move.tuple]});
    if (promising != options.end())
      if (const auto p = unless_bad(promising->target)) return p;
    for (const Step& option : options)
      if (const auto p = unless_bad(option.target); p || budget_.why() != Stop::none) return p;
    return std::nullopt;
  }

  std::uint32_t tuple(Tuple t) {
    const auto [it, fresh] = tuple_number_.try_emplace(std::move(t), static_cast<std::uint32_t>(tuples_.size()));
    if (fresh) {
      tuples_.push_back(&it->first);
      moves_.emplace_back();
      known_.push_back(false);
      promising_.emplace_back();
    }
    return it->second;
  }

  const std::vector<Move>& moves_of(std::uint32_t t) {
    if (known_[t]) return moves_[t];
    std::vector<Move> moves;
    const Tuple here = *tuples_[t];
    for (std::size_t c = 0; c < components_.size(); ++c)
      for (const Step& step : components_[c]->steps(here[c], kTau)) {
        Tuple next = here;
        next[c] = step.target;
        moves.push_back({kTau, tuple(std::move(next))});
      }
    for (const Action a : unite(free_, ready(here)))
      for (Tuple& next : joint_steps(components_, participants_.of(a), here, a,
                                     [&](std::uint64_t more) { return may_go_on(more); })) {
        moves.push_back({a, tuple(std::move(next))});
        if (++asked_ % 4096 == 0) may_go_on();
      }
    known_[t] = true;
    steps_ += moves.size();
    return moves_[t] = std::move(moves);
  }

  // Nothing else can happen than what some component is ready for.
  Alphabet ready(const Tuple& here) const {
    std::vector<Action> actions;
    for (std::size_t c = 0; c < components_.size(); ++c)
      for (const Step& step : components_[c]->steps(here[c])) actions.push_back(step.action);
    return Alphabet(std::move(actions));
  }

  bool may_go_on(std::uint64_t more = 0) {
    const std::uint64_t a_tuple = 160 + 8 * components_.size();
    if (!charge_.grow_to((tuples_.size() + 2 * more) * a_tuple + pairs_.bytes() + steps_ * 24))
      budget_.stop(Stop::memory);
    return budget_.go_on();
  }

  const Lts& a_;
  const std::vector<const Lts*>& components_;
  Budget& budget_;
  Charge charge_;
  Participants participants_;
  Alphabet free_;  // the actions that only A has
  std::unordered_map<Tuple, std::uint32_t, Hash> tuple_number_;
  std::vector<const Tuple*> tuples_;
  std::vector<std::vector<Move>> moves_;  // by tuple, once they are known
  std::vector<bool> known_;
  std::uint64_t steps_ = 0, asked_ = 0, looked_at_ = 0;
  Pairs pairs_;                   // of a tuple and a state of A
  std::vector<State> promising_;  // by tuple
};

}  // namespace

Judgement simulates(const Lts& a, const std::vector<const Lts*>& components, Budget& budget) {
  return Simulation(a, components, budget).run();
}

}  // namespace surety::certify
