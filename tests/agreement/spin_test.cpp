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
#include "rules/triple.hpp"
#include "spin/checker.hpp"

namespace surety {
namespace {

using spin::Mode;
using spin::SpinChecker;

// One action: who sends, who receives, on which channel.
struct Meeting {
  std::string name, where, message;
  std::uint32_t sender, receiver;
};

struct Made {
  std::string text;
  std::vector<Lts> components;
  Alphabet actions;
};

constexpr std::uint32_t kProcesses = 3;
constexpr const char* kChannels =
    "mtype = { red, green };\n"
    "chan a = [0] of { mtype };\n"
    "chan b[2] = [0] of { byte };\n"
    "chan d = [0] of { mtype, short };\n";

class Maker {
 public:
  explicit Maker(std::uint64_t seed) : random_(seed) {}

  Made make() {
    meet();
    Made out{kChannels, {}, {}};
    std::vector<Action> all;
    for (const Meeting& m : meetings_) all.push_back(reference::action(m.name));
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
    meetings_.clear();
    for (const auto& [name, where, message] : all) {
      const std::uint32_t sender = random_.below(kProcesses);
      meetings_.push_back({name, where, message, sender, (sender + 1 + random_.below(kProcesses - 1)) % kProcesses});
    }
  }

  // A state a label. Where a process may take whatever comes on a channel, it does so in several ways.
  Lts component(std::uint32_t p, std::string& text) {
    const std::uint32_t states = 2 + random_.below(3);
    LtsBuilder builder;
    builder.set_state_count(states);
    for (const Meeting& m : meetings_)
      if (m.sender == p || m.receiver == p) builder.add_to_alphabet(Alphabet{reference::action(m.name)});
    text += fmt::format("active proctype P{}() {{\n  mtype colour; byte narrow; int number;\n", p);
    for (std::uint32_t s = 0; s < states; ++s) {
      std::string options;
      const auto add = [&](const std::string& statement, const std::string& action, std::uint32_t target) {
        builder.add_step(State{s}, reference::action(action), State{target});
        if (!statement.empty()) options += fmt::format("  :: {} -> goto L{}\n", statement, target);
      };
      if (random_.chance(20)) add("number = 0", "tau", random_.below(states));
      for (const Meeting& m : meetings_) {
        if (!random_.chance(40)) continue;
        const std::uint32_t target = random_.below(states);
        if (m.sender == p) add(fmt::format("{}!{}", m.where, m.message), m.name, target);
        if (m.receiver == p) add(receive(m), m.name, target);
      }
      for (const char* where : {"a", "b[0]", "b[1]", "d"})
        if (takes_all(p, where) && random_.chance(40)) {
          const std::uint32_t target = random_.below(states);
          options += fmt::format("  :: {} -> goto L{}\n", take(where), target);
          for (const Meeting& m : meetings_)
            if (m.where == where) add("", m.name, target);
        }
      text += options.empty() ? fmt::format("L{}: false;\n", s) : fmt::format("L{}: if\n{}  fi;\n", s, options);
    }
    text += "}\n";
    return builder.build();
  }

  bool takes_all(std::uint32_t p, const std::string& where) const {
    for (const Meeting& m : meetings_)
      if (m.where == where && m.receiver != p) return false;
    return true;
  }

  std::string receive(const Meeting& m) {
    if (m.where == "d" || random_.chance(50)) return fmt::format("{}?{}", m.where, m.message);
    return random_.chance(50) ? fmt::format("{}?eval({})", m.where, m.message)
                              : fmt::format("atomic {{ {}?{}; number = 0 }}", m.where, m.message);
  }

  // Variables that are too narrow, that the index is made of, or that nobody asks for.
  std::string take(const std::string& where) {
    const bool plain = random_.chance(50);
    if (where == "a") return plain ? "a?_" : "a?colour; colour = 0";
    if (where == "d") return plain ? "d?_,_" : "atomic { d?colour,narrow; colour = 0; narrow = 0 }";
    if (plain) return where + "?_";
    return where == "b[0]" ? "b[number]?number; number = 0" : "b[1 - number]?narrow; narrow = 0";
  }

  Random random_;
  std::vector<Meeting> meetings_;
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
    auto system = spin::make_system(*file, instances, reference::actions(), Alphabet{reference::action("nowhere")});
    EXPECT_TRUE(system.has_value()) << render(system.error()[0]) << made.text;
    files_.push_back(*file);  // the system only borrows it
    auto out = SpinChecker::make(std::move(*system), mode, budget);
    EXPECT_TRUE(out.has_value());
    return std::move(*out);
  }

  // One random triple about this side, asked both.
  void compare(Maker& maker, const Made& made, SpinChecker& spin) {
    Budget budget;
    Cost cost;
    const Means native{.budget = budget, .cost = cost};
    Side side;
    Alphabet inner, seen;
    for (std::uint32_t p = 0; p < kProcesses; ++p)
      if (maker.random().chance(60) || (p + 1 == kProcesses && side.empty())) {
        side.push_back(&made.components[p]);
        inner = unite(inner, intersect(seen, made.components[p].alphabet()));
        seen = unite(seen, made.components[p].alphabet());
      }
    const Alphabet free{reference::action("nowhere")};
    if (maker.random().chance(30)) inner = {};  // the assumption may be about what goes on inside, too
    const Lts assumption = maker.machine(maker.some_of(unite(subtract(made.actions, inner), free), 60), 3, 70);
    const Lts property =
        maker.machine(maker.some_of(unite(made.actions, free), 40), 3, maker.random().chance(50) ? 75 : 35);
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

  int found = 0, held = 0;
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

}  // namespace
}  // namespace surety
