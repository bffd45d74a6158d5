// Circular proofs: right by brute force, small, refused by the checker when forged.

#include "rules/circular.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "certify/certify.hpp"
#include "model/transform.hpp"
#include "reference/reference.hpp"
#include "rules/identify.hpp"

namespace surety {
namespace {

using certify::Judgement;
using reference::action;
using reference::lts;
using reference::word;
using Kind = Judgement::Kind;

// A problem: sides of one component or more.
struct Task {
  std::vector<std::vector<Lts>> sides;
  Lts property;

  ProofGoal goal() const {
    ProofGoal out;
    for (const auto& side : sides) {
      auto& pointers = out.sides.emplace_back();
      for (const Lts& component : side) pointers.push_back(&component);
    }
    out.properties = {&property};
    return out;
  }
  std::vector<const Lts*> all() const {
    std::vector<const Lts*> out;
    for (const auto& side : sides)
      for (const Lts& component : side) out.push_back(&component);
    return out;
  }
  Network network() const {
    Network out{"task", {}};
    for (std::size_t i = 0; i < sides.size(); ++i)
      for (std::size_t k = 0; k < sides[i].size(); ++k)
        out.components.push_back({fmt::format("m{}.{}", i, k), sides[i][k]});
    return out;
  }
  Split split() const {
    Split out(sides.size());
    for (std::size_t i = 0; i < sides.size(); ++i)
      for (std::size_t k = 0; k < sides[i].size(); ++k) out[i].push_back(fmt::format("m{}.{}", i, k));
    return out;
  }
  std::string text() const {
    std::string out;
    for (std::size_t i = 0; i < sides.size(); ++i)
      for (const Lts& component : sides[i]) out += fmt::format("m{}: {}\n", i, reference::text(component));
    return out + "property: " + reference::text(property) + "\n";
  }
};

Task task(const std::vector<const char*>& components, const char* property) {
  Task out{{}, lts(property)};
  for (const char* component : components) out.sides.push_back({lts(component)});
  return out;
}

Verdict solve(const Task& t, AlphabetMode alphabet, Cost& cost, const Limits& limits = {}) {
  Budget budget(limits);
  Context context{budget, cost};
  context.alphabet = alphabet;
  Verdict verdict = prove_circular(t.goal(), context);
  if (auto* holds = std::get_if<Holds>(&verdict)) holds->certificate.split = t.split();
  return verdict;
}

Judgement judge(const Task& t, const std::vector<Lts>& guarantees) {
  Budget budget;
  const Property property{"p", t.property};
  return certify::check_safety(t.network(), {&property}, {Method::circular, t.split(), guarantees}, budget);
}

// The most states that a component has, seen through its guarantee's alphabet and determinised.
std::uint32_t bound(const Task& t, const std::vector<Lts>& guarantees) {
  std::uint32_t most = 1;
  const auto goal = t.goal();
  for (std::size_t i = 0; i < guarantees.size(); ++i)
    most =
        std::max(most, determinise(project(reference::product(goal.sides[i]), guarantees[i].alphabet())).state_count());
  return most;
}

// Nothing: the verdict is right and its proof or trace is accepted. Else what is wrong.
std::string fault(const Task& t, const Verdict& verdict) {
  const bool holds = !reference::shortest_violation(t.all(), t.property);
  if (const auto* proved = std::get_if<Holds>(&verdict)) {
    if (!holds) return "holds, but brute force finds a violation";
    const auto& guarantees = proved->certificate.assumptions;
    if (proved->certificate.rule != Method::circular) return "another rule";
    for (const Lts& g : guarantees)
      if (g.state_count() > bound(t, guarantees)) return "a guarantee is larger than every component";
    const auto judgement = judge(t, guarantees);
    return judgement.kind == Kind::accepted ? "" : "the checker says: " + judgement.reason;
  }
  if (const auto* violated = std::get_if<Violated>(&verdict)) {
    if (holds) return "violated, but brute force finds no violation";
    if (auto wrong = certify::replay_violation(t.network(), {"p", t.property}, violated->trace)) return *wrong;
    return reference::replays(t.all(), &t.property, violated->trace) ? "" : "brute force cannot replay the trace";
  }
  return "unknown without a budget";
}

// How hard the problems are.
struct Effort {
  int many_tuples = 0, wider_alphabet = 0, many_states = 0, circular = 0;
};

void add(Effort& effort, const Task& t, const Cost& cost, const Verdict& verdict) {
  effort.many_tuples += cost.conjectures >= 10;
  effort.wider_alphabet +=
      std::ranges::any_of(cost.iterations, [](auto& i) { return i.result == "alphabet too small"; });
  const auto* proof = std::get_if<Holds>(&verdict);
  if (proof == nullptr) return;
  const auto& guarantees = proof->certificate.assumptions;
  effort.many_states += std::ranges::any_of(guarantees, [](const Lts& g) { return g.state_count() >= 3; });
  // A component that breaks its guarantee if the others do not keep theirs.
  const auto goal = t.goal();
  bool alone = true;
  for (std::size_t i = 0; i < guarantees.size(); ++i)
    alone = alone && !reference::shortest_violation(goal.sides[i], guarantees[i]);
  effort.circular += !alone;
}

std::string fault(const Task& t, Effort* effort = nullptr) {
  for (const auto mode : {AlphabetMode::full, AlphabetMode::refine}) {
    Cost cost;
    const Verdict verdict = solve(t, mode, cost);
    if (auto wrong = fault(t, verdict); !wrong.empty())
      return (mode == AlphabetMode::full ? "full: " : "refine: ") + wrong;
    if (cost.queries != 0 || cost.conjectures == 0 || cost.iterations.empty()) return "the cost is not told";
    if (effort != nullptr) add(*effort, t, cost, verdict);
  }
  return "";
}

// --- Small examples.

bool holds(const Task& t) {
  EXPECT_EQ(fault(t), "") << t.text();
  return !reference::shortest_violation(t.all(), t.property);
}

TEST(Circular, ProvesTheChannel) {
  EXPECT_TRUE(holds(task({"0 input 1, 1 send 2, 2 ack 0", "0 send 1, 1 output 2, 2 ack 0"}, "0 input 1, 1 output 0")));
}

TEST(Circular, FindsTheFaultOfAHastyChannel) {
  EXPECT_FALSE(
      holds(task({"0 input 1, 1 send 2, 2 ack 0", "0 send 1, 1 output 2, 2 ack 0, 1 ack 0"}, "0 input 1, 1 output 0")));
}

// Each station passes the token on only if it has got it; only together do they go round in order.
TEST(Circular, ProvesARing) {
  EXPECT_TRUE(holds(task({"0 a 1, 1 b 0, 0 c 0", "0 b 1, 1 c 0, 0 a 0", "0 c 0, 0 b 1, 1 a 1, 1 c 0, 0 a 0"},
                         "0 a 1, 1 b 2, 2 c 0, 0 c 0")));
}

TEST(Circular, ProvesMutualExclusionWithAnArbiter) {
  const char* arbiter = "0 get1 1, 1 put1 0, 0 get2 2, 2 put2 0";
  const char* order = "0 in1 1, 1 out1 0, 0 in2 2, 2 out2 0";
  EXPECT_TRUE(
      holds(task({"0 get1 1, 1 in1 2, 2 out1 3, 3 put1 0", arbiter, "0 get2 1, 1 in2 2, 2 out2 3, 3 put2 0"}, order)));
  EXPECT_FALSE(
      holds(task({"0 get1 1, 1 in1 2, 2 put1 3, 3 out1 0", arbiter, "0 get2 1, 1 in2 2, 2 out2 3, 3 put2 0"}, order)));
}

// The unsound rule (doc/rules.md#an-unsound-rule) proves this, wrongly: each component keeps P as long as the other
// does.
TEST(Circular, IsNotTheUnsoundRule) {
  const Task t = task({"0 a 0, 0 b 0", "0 a 0, 0 b 0"}, "0 a 1, 1 b 0");
  EXPECT_FALSE(holds(t));
  const auto judgement = judge(t, {t.property, t.property});
  EXPECT_EQ(judgement.kind, Kind::refused);
  EXPECT_EQ(judgement.trace, word("b"));
}

TEST(Circular, KnowsActionsThatOnlyThePropertyHas) {
  EXPECT_FALSE(holds(task({"0 a 0", "0 a 0"}, "0 a 0, +z")));
  EXPECT_TRUE(holds(task({"0 a 0", "0 a 0"}, "0 a 0, 0 z 0")));
}

TEST(Circular, KnowsTheEmptyLanguage) {
  Cost cost;
  const Verdict silence = solve(task({"0 a 0", "0 a 0"}, "states=0, +a"), AlphabetMode::full, cost);
  ASSERT_TRUE(std::holds_alternative<Violated>(silence));
  EXPECT_TRUE(std::get<Violated>(silence).trace.empty());
  const Task t = task({"0 a 0", "states=0, +a"}, "states=0, +a");
  EXPECT_EQ(fault(t, solve(t, AlphabetMode::full, cost)), "");
}

// --- Random problems.

class Tasks {
 public:
  explicit Tasks(std::uint64_t seed) : random_(seed) {}

  // As many that hold as are violated. Few are violated in fewer than three steps, and few hold because of one
  // component alone.
  Task next() {
    while (true) {
      Task t = candidate();
      const auto violation = reference::shortest_violation(t.all(), t.property);
      const bool easy = violation ? violation->size() < 3 : one_suffices(t);
      if (easy && !random_.chance(2)) continue;
      if (kept[!violation] > kept[static_cast<bool>(violation)]) continue;
      ++kept[!violation];
      return t;
    }
  }
  std::array<std::uint64_t, 2> kept{};  // violated, holding

  Lts safety(std::vector<Action> letters, std::uint32_t states, std::uint32_t percent) {
    LtsBuilder builder;
    builder.set_state_count(states);
    builder.add_to_alphabet(Alphabet(letters));
    for (std::uint32_t s = 0; s < states; ++s)
      for (const Action a : letters)
        if (random_.chance(percent)) builder.add_step(State{s}, a, State{random_.below(states)});
    return builder.build();
  }
  Random& random() { return random_; }

 private:
  static bool one_suffices(const Task& t) {
    const auto goal = t.goal();
    return std::ranges::any_of(
        goal.sides, [&](const ComponentSet& side) { return !reference::shortest_violation(side, t.property); });
  }

  std::vector<Action> letters(std::uint32_t of, std::uint32_t percent) {
    std::vector<Action> out;
    for (std::uint32_t i = 0; i < of; ++i)
      if (random_.chance(percent)) out.push_back(action(std::string(1, static_cast<char>('a' + i))));
    if (out.empty()) out.push_back(action("a"));
    return out;
  }

  Lts component(std::uint32_t of) {
    const auto mine = letters(of, 60);
    const std::uint32_t states = 2 + random_.below(4);
    const bool silent = random_.chance(40);
    const auto label = [&] {
      return silent && random_.chance(20) ? kTau : mine[random_.below(static_cast<std::uint32_t>(mine.size()))];
    };
    LtsBuilder builder;
    builder.set_state_count(states);
    builder.add_to_alphabet(Alphabet(mine));
    for (std::uint32_t s = 1; s < states; ++s) builder.add_step(State{random_.below(s)}, label(), State{s});
    for (std::uint32_t i = 1 + random_.below(states + 2); i > 0; --i)
      builder.add_step(State{random_.below(states)}, label(), State{random_.below(states)});
    return builder.build();
  }

  Task candidate() {
    Task t;
    const std::uint32_t of = 3 + random_.below(3), n = 2 + random_.below(3);
    for (std::uint32_t i = 0; i < n; ++i) {
      auto& side = t.sides.emplace_back();
      side.push_back(component(of));
      if (random_.chance(15)) side.push_back(component(of));
    }
    auto watched = letters(of, 45);
    if (random_.chance(3)) watched.push_back(action("z"));
    t.property = safety(watched, 1 + random_.below(3), 65);
    return t;
  }

  Random random_;
};

TEST(Circular, AgreesWithBruteForceInBothAlphabetModes) {
  Tasks tasks(1);
  Effort effort;
  for (int i = 0; i < 4000; ++i) {
    const Task t = tasks.next();
    ASSERT_EQ(fault(t, &effort), "") << "problem " << i << "\n" << t.text();
  }
  EXPECT_EQ(tasks.kept[0], tasks.kept[1]);
  EXPECT_GT(effort.many_tuples, 100);
  EXPECT_GT(effort.wider_alphabet, 1000);
  EXPECT_GT(effort.many_states, 50);
  EXPECT_GT(effort.circular, 1000);
  fmt::print(
      "of 8000 runs {} tried 10 tuples or more, {} needed more actions, {} proofs have guarantees of 3 states, {} "
      "are circular\n",
      effort.many_tuples, effort.wider_alphabet, effort.many_states, effort.circular);
}

TEST(Circular, IsTheSameEveryTime) {
  Tasks tasks(2);
  for (int i = 0; i < 50; ++i) {
    const Task t = tasks.next();
    Cost first, second;
    const Verdict a = solve(t, AlphabetMode::refine, first), b = solve(t, AlphabetMode::refine, second);
    ASSERT_EQ(a.index(), b.index());
    ASSERT_EQ(first.conjectures, second.conjectures);
    ASSERT_EQ(first.states, second.states);
    if (const auto* proof = std::get_if<Holds>(&a)) {
      const auto& other = std::get<Holds>(b).certificate.assumptions;
      for (std::size_t g = 0; g < other.size(); ++g)
        ASSERT_EQ(reference::text(proof->certificate.assumptions[g]), reference::text(other[g]));
    }
  }
}

// --- The checker.

// Do these words show, by definition, that a premise fails? i == n: the closing one.
bool fails(const Task& t, const std::vector<Lts>& guarantees, std::size_t i, const Trace& w) {
  const auto has = [](const Lts& m, Word v) { return reference::has_word(m, project(v, m.alphabet())); };
  if (i == guarantees.size())
    return !has(t.property, w) && std::ranges::all_of(guarantees, [&](const Lts& g) { return has(g, w); });
  if (w.empty() || !has(reference::product(t.goal().sides[i]), w)) return false;
  for (std::size_t j = 0; j < guarantees.size(); ++j)
    if (j != i && !has(guarantees[j], Word(w).first(w.size() - 1))) return false;
  return !has(guarantees[i], w);
}

bool some_premise_fails(const Task& t, const std::vector<Lts>& guarantees, std::size_t longest) {
  Alphabet all = t.property.alphabet();
  for (const Lts* component : t.all()) all = unite(all, component->alphabet());
  for (const Trace& w : reference::all_words_up_to(longest, all))
    for (std::size_t i = 0; i <= guarantees.size(); ++i)
      if (fails(t, guarantees, i, w)) return true;
  return false;
}

// What the checker says of these guarantees is what the definition says. Returns whether it accepts them.
bool judged_right(const Task& t, const std::vector<Lts>& guarantees) {
  const auto judgement = judge(t, guarantees);
  if (judgement.kind == Kind::accepted) {
    EXPECT_FALSE(some_premise_fails(t, guarantees, 4)) << t.text();
    EXPECT_FALSE(reference::shortest_violation(t.all(), t.property)) << t.text();
    return true;
  }
  Trace w = judgement.trace;
  std::erase(w, kTau);
  bool shown = false;
  for (std::size_t i = 0; i <= guarantees.size(); ++i) shown |= fails(t, guarantees, i, w);
  EXPECT_TRUE(shown) << judgement.reason << "\n" << t.text();
  return false;
}

// The same with one step less or more.
Lts changed(const Lts& g, Random& random, bool smaller) {
  std::vector<std::pair<State, Action>> places;
  for (std::uint32_t s = 0; s < g.state_count(); ++s)
    for (const Action a : g.alphabet())
      if (g.steps(State{s}, a).empty() != smaller) places.emplace_back(State{s}, a);
  if (places.empty()) return g;
  const auto chosen = places[random.below(static_cast<std::uint32_t>(places.size()))];
  LtsBuilder builder;
  builder.set_state_count(g.state_count());
  builder.add_to_alphabet(g.alphabet());
  for (std::uint32_t s = 0; s < g.state_count(); ++s)
    for (const Step& step : g.steps(State{s}))
      if (std::pair(State{s}, step.action) != chosen) builder.add_step(State{s}, step.action, step.target);
  if (!smaller) builder.add_step(chosen.first, chosen.second, State{random.below(g.state_count())});
  return builder.build();
}

TEST(Circular, TheCheckerRefusesForgedProofsAndNoOthers) {
  Tasks tasks(3);
  std::array<int, 3> refused{}, accepted{};  // smaller, larger, swapped
  for (int i = 0; i < 250; ++i) {
    const Task t = tasks.next();
    Cost cost;
    const Verdict verdict = solve(t, i % 2 == 0 ? AlphabetMode::full : AlphabetMode::refine, cost);
    const auto* proof = std::get_if<Holds>(&verdict);
    if (proof == nullptr) continue;
    for (std::size_t forgery = 0; forgery < 3; ++forgery) {
      auto forged = proof->certificate.assumptions;
      const auto which = tasks.random().below(static_cast<std::uint32_t>(forged.size()));
      if (forgery < 2)
        forged[which] = changed(forged[which], tasks.random(), forgery == 0);
      else
        std::swap(forged[0], forged[1]);
      ++(judged_right(t, forged) ? accepted : refused)[forgery];
    }
  }
  for (std::size_t forgery = 0; forgery < 3; ++forgery) EXPECT_GT(refused[forgery], 20) << forgery;
}

// Any guarantees that the checker accepts, wherever they come from, are a proof.
TEST(Circular, TheCheckerAcceptsNoRandomGuaranteesOfAViolatedProperty) {
  Tasks tasks(4);
  int accepted = 0, refused = 0;
  for (int i = 0; i < 1500; ++i) {
    const Task t = tasks.next();
    const auto goal = t.goal();
    std::vector<Lts> guarantees;
    for (const ComponentSet& side : goal.sides) {
      const Alphabet letters = alphabet_of(side);
      if (tasks.random().chance(50))  // what it does is a good guarantee, a random one mostly is not
        guarantees.push_back(determinise(reference::product(side)));
      else
        guarantees.push_back(tasks.safety({letters.begin(), letters.end()}, 1 + tasks.random().below(2), 85));
    }
    ++(judged_right(t, guarantees) ? accepted : refused);
  }
  EXPECT_GT(accepted, 50);
  EXPECT_GT(refused, 50);
}

TEST(Circular, TheCheckerRefusesWhatIsNoCircularProof) {
  const Task t = task({"0 a 0", "0 a 0"}, "0 a 0");
  const Lts g = lts("0 a 0");
  EXPECT_EQ(judge(t, {g, g}).kind, Kind::accepted);
  EXPECT_EQ(judge(t, {g}).kind, Kind::refused);
  EXPECT_EQ(judge(t, {g, g, g}).kind, Kind::refused);
  EXPECT_EQ(judge(t, {g, lts("states=0, +a")}).kind, Kind::refused);
  EXPECT_EQ(judge(t, {g, lts("0 a 0, 0 a 1")}).kind, Kind::refused);
}

// --- Budgets.

TEST(Circular, ABudgetThatEndsGivesUnknownAndNeverAWrongAnswer) {
  Tasks tasks(5);
  int unknown = 0;
  for (int i = 0; i < 60; ++i) {
    const Task t = tasks.next();
    for (std::uint64_t states = 0; states < 4000; states = states * 2 + 1) {
      Cost cost;
      Limits limits;
      limits.states = states;
      const Verdict verdict = solve(t, AlphabetMode::refine, cost, limits);
      if (const auto* end = std::get_if<Unknown>(&verdict)) {
        EXPECT_EQ(end->why, Stop::states);
        EXPECT_TRUE(end->assumptions.empty() || end->assumptions.size() == t.sides.size());
        ++unknown;
      } else {
        ASSERT_EQ(fault(t, verdict), "") << t.text();
      }
    }
  }
  EXPECT_GT(unknown, 100);
}

TEST(Circular, NoTimeNoAnswer) {
  const Task t = task({"0 a 1, 1 b 0", "0 b 1, 1 a 0"}, "0 a 1, 1 b 0");
  Cost cost;
  Limits limits;
  limits.time = std::chrono::nanoseconds(1);
  const Verdict verdict = solve(t, AlphabetMode::full, cost, limits);
  ASSERT_TRUE(std::holds_alternative<Unknown>(verdict));
  EXPECT_EQ(std::get<Unknown>(verdict).why, Stop::time);
}

// --- Automata from words.

std::optional<std::uint32_t> identified(const Lts& target, std::size_t longest) {
  Budget budget;
  Identifier identifier({{target.alphabet()}}, budget);
  const auto words = reference::all_words_up_to(longest, target.alphabet());
  for (const Trace& w : words) {
    const auto has = identifier.prefixes(0, w).back();
    identifier.add({reference::has_word(target, w) ? has : -has});
  }
  const auto found = identifier.solve();
  if (!found || reference::words_up_to(longest, (*found)[0]) != reference::words_up_to(longest, target))
    return std::nullopt;
  return (*found)[0].state_count();
}

TEST(Identify, FindsTheSmallestAutomatonOfAllWordsUpToALength) {
  EXPECT_EQ(identified(lts("0 a 0, 0 b 0"), 4), 1U);
  EXPECT_EQ(identified(lts("0 a 1, 1 b 0"), 5), 2U);
  EXPECT_EQ(identified(lts("0 a 1, 1 b 2, 2 a 3, 3 b 0, 2 b 2"), 7), 4U);
  // Any two states of a minimal automaton with n states differ on a word shorter than n, and are reached by one.
  Random random(6);
  for (int i = 0; i < 200; ++i) {
    const Lts target = determinise(reference::random_lts(
        random, {.states = 4, .actions = 2, .steps = 6, .error_percent = 0, .end_percent = 0, .deterministic = true}));
    const auto size = identified(target, 7);
    ASSERT_TRUE(size) << target;
    EXPECT_LE(*size, target.state_count()) << target;
  }
}

// One of two languages lacks the word; nothing says which.
TEST(Identify, JoinsSeveralAutomataInOneClause) {
  Budget budget;
  const Alphabet ab = reference::alphabet("a b"), bc = reference::alphabet("b c");
  Identifier identifier({{ab}, {bc}}, budget);
  const auto w = word("a b c b");
  identifier.add({-identifier.prefixes(0, w).back(), -identifier.prefixes(1, w).back()});
  const auto found = identifier.solve();
  ASSERT_TRUE(found);
  EXPECT_FALSE(reference::has_word((*found)[0], word("a b b")) && reference::has_word((*found)[1], word("b c b")));
  EXPECT_EQ((*found)[0].alphabet(), ab);
  EXPECT_EQ((*found)[1].alphabet(), bc);
}

}  // namespace
}  // namespace surety
