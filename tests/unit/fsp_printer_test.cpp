// The printer: what it writes, and the law that it reads back as the same.

#include "base/random.hpp"
#include "fsp_help.hpp"
#include "model/equivalence.hpp"

namespace surety {
namespace {

TEST(FspPrinter, WritesOneLocalProcessForEachState) {
  const FspModel m("P = (a[1].b -> Q | h -> END), Q = (c -> P | d -> ERROR | e -> STOP) + {z} \\ {h}.");
  EXPECT_EQ(to_fsp(m.file->process("P")->lts, m.actions, "COPY"),
            "COPY = S0,\n"
            "S0 = (silent -> END | a[1].b -> S1),\n"
            "S1 = (c -> S0 | d -> ERROR | e -> S4),\n"
            "S4 = STOP\n"
            "  + {z}\n"
            "  \\ {silent}.\n");
}

TEST(FspPrinter, AvoidsNamesThatAreTaken) {
  const FspModel m("P = (silent.x -> h -> P)\\{h}.");
  const std::string text = to_fsp(m.file->process("P")->lts, m.actions, "S0");
  EXPECT_EQ(text, "S0 = Q0,\nQ0 = (silent.x -> Q1),\nQ1 = (silent_ -> Q0)\n  \\ {silent_}.\n");
  EXPECT_EQ(process_of(text, "S0"), "0 silent.x 1, 1 tau 0");
}

TEST(FspPrinter, SpellsOutNamesThatFspCannotWrite) {
  ActionTable actions;
  LtsBuilder builder;
  builder.add_step(State{0}, actions.intern("PUT !6"), State{0});
  builder.add_step(State{0}, actions.intern("when"), State{0});
  const std::string text = to_fsp(builder.build(), actions, "P");
  EXPECT_EQ(process_of(text), "0 x_PUT_20_216 0, 0 x_when 0") << text;
}

Lts random_lts(Random& random, ActionTable& actions) {
  const std::vector<std::string> names = {"a", "b.1", "c.x.-2", "0.d", "silent", "e_F9"};
  LtsBuilder builder;
  const std::uint32_t n = 1 + random.below(6);
  std::vector<Action> alphabet;
  for (const auto& name : names)
    if (random.chance(70)) alphabet.push_back(actions.intern(name));
  builder.add_to_alphabet(Alphabet(alphabet));
  builder.set_state_count(n + 2);
  if (random.chance(50)) builder.set_error(State{n});
  if (random.chance(50)) builder.set_end(State{n + 1});
  for (std::uint32_t i = random.below(3 * n); i > 0; --i) {
    const Action a = alphabet.empty() || random.chance(20)
                         ? kTau
                         : alphabet[random.below(static_cast<std::uint32_t>(alphabet.size()))];
    builder.add_step(State{random.below(n)}, a, State{random.below(n + 2)});
  }
  return builder.build();
}

TEST(FspPrinter, WhatItWritesReadsBackStronglyBisimilarWithTheSameAlphabet) {
  Random random(7);
  for (int i = 0; i < 500; ++i) {
    ActionTable actions;
    const Lts lts = random_lts(random, actions);
    const std::string text = to_fsp(lts, actions, "P");
    const auto file = read_fsp(text, "p.lts", actions);
    ASSERT_TRUE(file) << rendered(file.error()) << text;
    const auto back = file->process("P");
    ASSERT_TRUE(back) << rendered(back.error()) << text;
    EXPECT_FALSE(difference(lts, back->lts, Equivalence::strong)) << text;
    EXPECT_EQ(lts.alphabet(), back->lts.alphabet()) << text;
    EXPECT_EQ(rendered(back->warnings), "") << text;
  }
}

}  // namespace
}  // namespace surety
