// LTSs packed into numbers come back the same, and numbers that were changed are not believed.

#include "certificate/packed.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/random.hpp"

namespace surety::api {
namespace {

using nlohmann::json;

bool same(const Lts& a, const Lts& b) {
  if (a.state_count() != b.state_count() || a.alphabet() != b.alphabet()) return false;
  if (a.error() != b.error() || a.end() != b.end()) return false;
  for (std::uint32_t s = 0; s < a.state_count(); ++s)
    if (!std::ranges::equal(a.steps(State{s}), b.steps(State{s}))) return false;
  return true;
}

Lts some_lts(Random& random, const std::vector<Action>& letters) {
  LtsBuilder builder;
  const std::uint32_t states = random.below(6);
  builder.set_state_count(states);
  builder.add_to_alphabet(Alphabet(letters));
  const std::uint32_t error = random.below(8), end = random.below(8);
  if (error < states) builder.set_error(State{error});
  if (end < states && end != error) builder.set_end(State{end});
  for (std::uint32_t i = 0; i < 10 && states > 0; ++i) {
    const std::uint32_t from = random.below(states);
    if (from == error || from == end) continue;
    const std::uint32_t a = random.below(static_cast<std::uint32_t>(letters.size()) + 1);
    builder.add_step(State{from}, a == letters.size() ? kTau : letters[a], State{random.below(states)});
  }
  return builder.build();
}

TEST(Packed, ComesBackTheSame) {
  Random random(5);
  for (int round = 0; round < 300; ++round) {
    ActionTable actions;
    std::vector<Action> letters;
    for (const char* name : {"b", "a", "c.1"}) letters.push_back(actions.intern(name));
    Packer packer(actions, true);
    std::vector<Lts> all;
    for (int i = 0; i < 3; ++i) all.push_back(some_lts(random, letters));
    const json list = json::parse(packer.all(all).dump()), names = json::parse(packer.names().dump());
    ActionTable others;
    others.intern("something else");  // numbers of actions are not those of the writer
    Unpacker unpacker("t.json", others);
    ASSERT_TRUE(unpacker.read_names(names));
    Unpacker mine("t.json", actions);
    ASSERT_TRUE(mine.read_names(names));
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto lts = mine.lts(list[i]);
      ASSERT_TRUE(lts) << render(lts.error()[0]);
      EXPECT_TRUE(same(*lts, all[i])) << list[i];
      const auto elsewhere = unpacker.lts(list[i]);
      ASSERT_TRUE(elsewhere);
      EXPECT_EQ(sorted_names(others, elsewhere->alphabet()), sorted_names(actions, all[i].alphabet()));
    }
  }
}

TEST(Packed, ReadableOnesAreReadAsWell) {
  ActionTable actions;
  LtsBuilder builder;
  builder.add_step(State{0}, actions.intern("a"), State{0});
  const Lts lts = builder.build();
  Packer packer(actions, false);
  const auto back = Unpacker("t.json", actions).lts(json::parse(packer.lts(lts).dump()));
  ASSERT_TRUE(back);
  EXPECT_TRUE(same(*back, lts));
}

// Every number of a packed LTS means something: another one there is refused, or another LTS.
TEST(Packed, EveryNumberCounts) {
  const json good = json::parse(R"({"schema":2,"states":4,"error":3,"end":2,"alphabet":[1,2],
                                    "steps":[3,0,1,1,3,2,2,1,2,0,0,0]})");
  const json names = json::parse(R"(["tau","a","b","c"])");
  ActionTable actions;
  Unpacker unpacker("t.json", actions);
  ASSERT_TRUE(unpacker.read_names(names));
  const auto lts = unpacker.lts(good);
  ASSERT_TRUE(lts) << render(lts.error()[0]);
  EXPECT_EQ(lts->transition_count(), 4U);
  const auto flat = good.flatten();
  for (const auto& [where, value] : flat.items()) {
    if (where == "/schema") continue;
    for (const json& other : {json(0U), json(1U), json(2U), json(3U), json(4U), json(1000U), json(4294967295U),
                              json(-1), json("a"), json(nullptr), json(1e40), json::array()}) {
      if (other == value) continue;
      json changed = good;
      changed[json::json_pointer(where)] = other;
      const auto read = unpacker.lts(changed);
      EXPECT_FALSE(read && same(*read, *lts)) << changed;
    }
  }
}

TEST(Packed, SaysWhatIsWrong) {
  const auto problem = [](const char* names, const char* text) -> std::string {
    ActionTable actions;
    Unpacker unpacker("t.json", actions);
    if (const auto read = unpacker.read_names(json::parse(names)); !read) return read.error()[0].message;
    const auto lts = unpacker.lts(json::parse(text));
    return lts ? "" : lts.error()[0].message;
  };
  const std::string no = "not a certificate: ";
  const char* some = R"(["tau","a"])";
  EXPECT_EQ(problem(some, R"({"schema":2,"states":1,"alphabet":[1],"steps":[1,1,0]})"), "");
  EXPECT_EQ(problem("{}", "{}"), no + "'actions' should be a list of names, tau the first");
  EXPECT_EQ(problem(R"(["a","tau"])", "{}"), no + "'actions' should be a list of names, tau the first");
  EXPECT_EQ(problem(R"(["tau","a","a"])", "{}"), no + "'actions' has a name twice");
  EXPECT_EQ(problem(R"(["tau","tau"])", "{}"), no + "'actions' has a name twice");
  EXPECT_EQ(problem(some, R"({"schema":2,"states":1,"alphabet":[1]})"),
            no + "'states', 'alphabet' and 'steps' should be numbers");
  EXPECT_EQ(problem(some, R"({"schema":2,"states":4000000000,"alphabet":[],"steps":[0]})"),
            no + "there are more states than 'steps' tell of");
  EXPECT_EQ(problem(some, R"({"schema":2,"states":1,"alphabet":[2],"steps":[0]})"), no + "2 is wrong in an alphabet");
  EXPECT_EQ(problem(some, R"({"schema":2,"states":1,"alphabet":[],"steps":[1,1,0]})"),
            no + "state 0 cannot have a step 1, 0");
  EXPECT_EQ(problem(some, R"({"schema":2,"states":1,"alphabet":[1],"steps":[2,1,0]})"),
            no + "the steps of state 0 are not all there");
  EXPECT_EQ(problem(some, R"({"schema":2,"states":2,"alphabet":[1],"steps":[1,1,0]})"),
            no + "the steps of state 1 are missing");
  EXPECT_EQ(problem(some, R"({"schema":2,"states":1,"alphabet":[1],"steps":[0,0]})"),
            no + "there are steps of more states");
  EXPECT_EQ(problem(some, R"({"schema":2,"states":1,"error":0,"alphabet":[1],"steps":[1,1,0]})"),
            no + "state 0 is the error or the end, and has steps");
}

}  // namespace
}  // namespace surety::api
