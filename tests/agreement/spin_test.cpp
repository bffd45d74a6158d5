// The real SPIN and our own search answer the same triples, in both ways of asking SPIN.
//
// Random processes that meet on channels of all shapes are written as Promela, from
// LTSs that are known. Skipped where there is no spin.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/random.hpp"
#include "model/transform.hpp"
#include "reference/reference.hpp"
#include "rules/interface.hpp"
#include "rules/triple.hpp"
#include "rules/weakest.hpp"
#include "spin/checker.hpp"

namespace surety {
namespace {

using spin::Mode;
using spin::SpinChecker;

// One action: who sends, who receives.
struct Meeting {
  std::string name;
  std::uint32_t sender, receiver;
};

// What can be said on a channel, and between whom.
struct Said {
  std::string operation, where, message;  // b.0.1: 1 on b[0]
  std::vector<Meeting> meetings;
};

struct Made {
  std::string text;
  std::vector<Lts> components;
  Alphabet actions;
  std::map<Action, Rendezvous> rendezvous;
};

constexpr std::uint32_t kProcesses = 3;
constexpr const char* kChannels =
    "mtype = { red, green };\n"
    "chan a = [0] of { mtype };\n"
    "chan b[2] = [0] of { byte };\n"
    "chan d = [0] of { mtype, short };\n"
    "chan e[2] = [0] of { mtype, byte };\n";  // several can send the same, and receive it

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed) {}

  Made make() {
    meet();
    Made out{kChannels, {}, {}, {}};
    std::vector<Action> all;
    for (const Said& said : said_)
      for (const Meeting& m : said.meetings) {
        all.push_back(reference::action(m.name));
        out.rendezvous.insert_or_assign(all.back(), Rendezvous{ActionName(said.operation), fmt::format("P{}", m.sender),
                                                               fmt::format("P{}", m.receiver)});
      }
    out.actions = Alphabet(all);
    for (std::uint32_t p = 0; p < kProcesses; ++p) out.components.push_back(component(p, out.text));
    return out;
  }

  Alphabet some_of(const Alphabet& actions, std::uint32_t percent) {
    std::vector<Action> out;
    for (const Action a : actions)
      if (random_.chance(percent)) out.push_back(a);
    return Alphabet(out);
  }

  // Deterministic.
  Lts machine(const Alphabet& alphabet, std::uint32_t states, std::uint32_t percent) {
    LtsBuilder builder;
    builder.set_state_count(states);
    builder.add_to_alphabet(alphabet);
    for (std::uint32_t s = 0; s < states; ++s)
      for (const Action a : alphabet)
        if (random_.chance(percent)) builder.add_step(State{s}, a, State{random_.below(states)});
    return builder.build();
  }

  Random& random() { return random_; }

 private:
  void meet() {
    const std::vector<std::array<std::string, 3>> all = {{"a.red", "a", "red"},     {"a.green", "a", "green"},
                                                         {"b.0.1", "b[0]", "1"},    {"b.0.255", "b[0]", "255"},
                                                         {"b.1.7", "b[1]", "7"},    {"d.red.-3", "d", "red,-3"},
                                                         {"d.red.2", "d", "red,2"}, {"d.green.300", "d", "green,300"}};
    said_.clear();
    for (const auto& [name, where, message] : all) {
      const std::uint32_t sender = random_.below(kProcesses);
      const std::uint32_t receiver = (sender + 1 + random_.below(kProcesses - 1)) % kProcesses;
      said_.push_back({name, where, message, {{name, sender, receiver}}});
    }
    const std::vector<std::array<std::string, 3>> crowded = {
        {"e.0.red.1", "e[0]", "red,1"}, {"e.0.green.1", "e[0]", "green,1"}, {"e.1.red.1", "e[1]", "red,1"}};
    for (const auto& [name, where, message] : crowded) {
      said_.push_back({name, where, message, {}});
      const std::uint32_t apart = random_.below(2 * kProcesses);  // a process that does not send, or does not receive
      for (std::uint32_t s = 0; s < kProcesses; ++s)
        for (std::uint32_t r = 0; r < kProcesses; ++r)
          if (s != r && s != apart && r + kProcesses != apart)
            said_.back().meetings.push_back({fmt::format("{}.from.p{}.to.p{}", name, s, r), s, r});
    }
  }

  // Adds a step for each meeting that p takes part in, as one side of it; false: there is none.
  template <class Add>
  static bool part(const Said& said, std::uint32_t Meeting::*role, std::uint32_t p, Add add) {
    bool any = false;
    for (const Meeting& m : said.meetings)
      if (m.*role == p) add(m.name), any = true;
    return any;
  }

  // A state a label. Where a process may take whatever comes on a channel, it does so in several ways.
  Lts component(std::uint32_t p, std::string& text) {
    const std::uint32_t states = 2 + random_.below(3);
    LtsBuilder builder;
    builder.set_state_count(states);
    for (const Said& said : said_)
      for (const auto role : {&Meeting::sender, &Meeting::receiver})
        part(said, role, p,
             [&](const std::string& name) { builder.add_to_alphabet(Alphabet{reference::action(name)}); });
    text += fmt::format("active proctype P{}() {{\n  mtype colour; byte narrow; int number;\n", p);
    for (std::uint32_t s = 0; s < states; ++s) {
      std::vector<std::string> options;
      std::uint32_t target = 0;
      const auto step = [&](const std::string& name) {
        builder.add_step(State{s}, reference::action(name), State{target});
      };
      const auto option = [&](const std::string& statement) {
        options.push_back(fmt::format("{} -> goto L{}", statement, target));
      };
      if (random_.chance(20)) {
        target = random_.below(states);
        step("tau");
        option("number = 0");
      }
      for (const Said& said : said_) {
        if (!random_.chance(40)) continue;
        target = random_.below(states);
        if (part(said, &Meeting::sender, p, step)) option(fmt::format("{}!{}", said.where, said.message));
        if (part(said, &Meeting::receiver, p, step)) option(receive(said));
      }
      for (const char* where : {"a", "b[0]", "b[1]", "d", "e[0]", "e[1]"})
        if (takes_all(p, where) && random_.chance(40)) {
          target = random_.below(states);
          option(take(where));
          for (const Said& said : said_)
            if (said.where == where) part(said, &Meeting::receiver, p, step);
        }
      text += fmt::format("L{}: ", s);
      if (options.size() == 1)
        text += options[0] + ";\n";
      else
        text += options.empty() ? "false;\n" : fmt::format("if\n  :: {}\n  fi;\n", fmt::join(options, "\n  :: "));
    }
    text += "}\n";
    return builder.build();
  }

  bool takes_all(std::uint32_t p, const std::string& where) const {
    for (const Said& said : said_)
      if (said.where == where && !part(said, &Meeting::receiver, p, [](const std::string&) {})) return false;
    return true;
  }

  std::string receive(const Said& m) {
    if (m.where == "d" || random_.chance(50)) return fmt::format("{}?{}", m.where, m.message);
    return random_.chance(50) && m.where[0] != 'e' ? fmt::format("{}?eval({})", m.where, m.message)
                                                   : fmt::format("atomic {{ {}?{}; number = 0 }}", m.where, m.message);
  }

  // Variables that are too narrow, that the index is made of, or that nobody asks for.
  std::string take(const std::string& where) {
    const bool plain = random_.chance(50);
    if (where == "a") return plain ? "a?_" : "a?colour; colour = 0";
    if (where == "d") return plain ? "d?_,_" : "atomic { d?colour,narrow; colour = 0; narrow = 0 }";
    if (where[0] == 'e') return where + (plain ? "?_,_" : "?colour,_; colour = 0");
    if (plain) return where + "?_";
    return where == "b[0]" ? "b[number]?number; number = 0" : "b[1 - number]?narrow; narrow = 0";
  }

  Random random_;
  std::vector<Said> said_;
};

class Spin : public testing::Test {
 protected:
  void SetUp() override {
    if (!find_program("spin") || !find_program("cc")) GTEST_SKIP() << "no spin or no C compiler here";
    auto folder = TempFolder::make();
    ASSERT_TRUE(folder.has_value());
    cache_.emplace(std::move(*folder));
    ::setenv("XDG_CACHE_HOME", cache_->path().c_str(), 1);
  }

  static std::unique_ptr<SpinChecker> checker(const Made& made, Mode mode, Budget& budget) {
    auto file = read_promela(made.text, "made.pml");
    EXPECT_TRUE(file.has_value()) << render(file.error()[0]) << made.text;
    std::vector<spin::Instance> instances;
    for (std::uint32_t p = 0; p < kProcesses; ++p)
      instances.push_back(
          {fmt::format("P{}", p), file->program->find_process(fmt::format("P{}", p)), {}, &made.components[p]});
    auto system = spin::make_system(*file, instances, reference::actions(), made.rendezvous,
                                    Alphabet{reference::action("nowhere")});
    EXPECT_TRUE(system.has_value()) << render(system.error()[0]) << made.text;
    files_.push_back(*file);  // the system only borrows it
    auto out = SpinChecker::make(std::move(*system), mode, budget);
    EXPECT_TRUE(out.has_value());
    return std::move(*out);
  }

  static ComponentSet some_side(Maker& maker, const Made& made) {
    ComponentSet side;
    for (std::uint32_t p = 0; p < kProcesses; ++p)
      if (maker.random().chance(60) || (p + 1 == kProcesses && side.empty())) side.push_back(&made.components[p]);
    return side;
  }

  // The same words, by inclusion both ways. Both are deterministic.
  static bool same(const Lts& a, const Lts& b, const Context& native) {
    if (a.state_count() == 0 || b.state_count() == 0) return a.state_count() == b.state_count();
    return holds(&a, {}, b, native) && holds(&b, {}, a, native);
  }
  static bool holds(const Lts* a, const ComponentSet& side, const Lts& property, const Context& native) {
    return check_triple(a, side, property, native).outcome == SearchResult::Outcome::exhausted;
  }

  // The interface of a random side for a random property, learned from SPIN.
  void learn(Maker& maker, const Made& made, SpinChecker& spin) {
    Budget budget;
    Cost cost;
    const Context native{.budget = budget, .cost = cost};
    const Context asked{.budget = budget, .cost = cost, .checker = &spin};
    const ComponentSet side = some_side(maker, made);
    const Alphabet letters = maker.some_of(unite(made.actions, Alphabet{reference::action("nowhere")}), 15);
    const Lts property = maker.machine(maker.some_of(letters, 60), 2, 60);
    auto learned = generate_interface(triple(nullptr, side, property), letters, std::nullopt, asked);
    ASSERT_TRUE(std::holds_alternative<Interface>(learned))
        << (spin.trouble().empty() ? "" : render(spin.trouble()[0]));
    const auto& interface = std::get<Interface>(learned);
    const Lts weakest = *weakest_assumption(triple(nullptr, side, property), letters, native);
    EXPECT_EQ(interface.weakest == Interface::Weakest::yes, same(interface.assumption, weakest, native));
    ++(interface.weakest == Interface::Weakest::yes ? held : found);
    if (weakest.state_count() > 1) ++several_states;
    if (interface.assumption.state_count() == 0) return;
    EXPECT_TRUE(holds(&interface.assumption, side, property, native));
    EXPECT_TRUE(holds(&property, {}, interface.assumption, native));
  }

  // One random triple about this side, asked both.
  void compare(Maker& maker, const Made& made, SpinChecker& spin) {
    Budget budget;
    Cost cost;
    const Context native{.budget = budget, .cost = cost};
    const ComponentSet side = some_side(maker, made);
    Alphabet inner, seen;
    for (const Lts* component : side) {
      inner = unite(inner, intersect(seen, component->alphabet()));
      seen = unite(seen, component->alphabet());
    }
    const Alphabet free{reference::action("nowhere")};
    if (maker.random().chance(30)) inner = {};  // the assumption may be about what goes on inside, too
    const Lts assumption = maker.machine(maker.some_of(unite(subtract(made.actions, inner), free), 60), 3, 70);
    const Lts property =
        maker.machine(maker.some_of(unite(made.actions, free), 15), 3, maker.random().chance(50) ? 85 : 35);
    const Lts* a = maker.random().chance(20) ? nullptr : &assumption;
    const auto ours = check_triple(a, side, property, native);
    const auto theirs = spin.check(a, side, property, Checker::Want::trace, budget);
    ASSERT_EQ(theirs.outcome, ours.outcome)
        << (spin.trouble().empty() ? "" : render(spin.trouble()[0])) << made.text << "assumption "
        << (a == nullptr ? "none" : reference::text(*a)) << "\nproperty " << reference::text(property);
    ++(ours.outcome == SearchResult::Outcome::found ? found : held);
    if (ours.outcome != SearchResult::Outcome::found) return;
    if (a != nullptr) {
      EXPECT_TRUE(reference::has_word(*a, project(theirs.trace, a->alphabet())));
    }
    const Trace watched = project(theirs.trace, property.alphabet());
    EXPECT_FALSE(reference::has_word(property, watched));
    EXPECT_TRUE(reference::has_word(property, Word(watched).first(watched.size() - 1)));
    EXPECT_EQ(performance(project(theirs.trace, seen), seen, side, native).outcome, SearchResult::Outcome::found);
  }

  int found = 0, held = 0, several_states = 0;
  std::optional<TempFolder> cache_;
  static inline std::vector<PromelaFile> files_;
};

TEST_F(Spin, AgreesWithOurSearchWhereASideIsCompiledOnce) {
  Budget budget;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Maker maker(seed);
    const Made made = maker.make();
    const auto spin = checker(made, Mode::separate, budget);
    for (int i = 0; i < 50 && !HasFatalFailure(); ++i) compare(maker, made, *spin);
    EXPECT_LE(spin->statistics().compilations, 7U);  // sides
    EXPECT_GE(spin->statistics().runs, 50U);
  }
  EXPECT_GT(found, 20);
  EXPECT_GT(held, 12);
}

TEST_F(Spin, AgreesWithOurSearchWithAFileAQuery) {
  Budget budget;
  const char* more = std::getenv("SURETY_SPIN_QUERIES");  // each is a compilation or more
  const int queries = more == nullptr ? 3 : std::atoi(more);
  for (std::uint64_t seed = 101; seed <= 104; ++seed) {
    Maker maker(seed);
    const Made made = maker.make();
    const auto spin = checker(made, Mode::per_query, budget);
    for (int i = 0; i < queries && !HasFatalFailure(); ++i) compare(maker, made, *spin);
  }
  EXPECT_GT(found, 2);
  EXPECT_GT(held, 2);
}

// Sound, with all that the property allows, and said to be the weakest exactly if it is.
TEST_F(Spin, LearnsInterfaces) {
  Budget budget;
  for (std::uint64_t seed = 201; seed <= 203; ++seed) {
    Maker maker(seed);
    const Made made = maker.make();
    const auto spin = checker(made, Mode::separate, budget);
    for (int i = 0; i < 8 && !HasFatalFailure(); ++i) learn(maker, made, *spin);
  }
  EXPECT_GT(held, 8);  // the weakest
  EXPECT_GT(several_states, 5);
}

}  // namespace
}  // namespace surety
