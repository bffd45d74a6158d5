// Files keep what they say: what is read back has the same alphabet, error and end states, and is strongly bisimilar.
//
// One law for every format that is both written and read, on every small LTS, and on random ones with all kinds of
// names. A format that cannot keep something must say so (not_in_...), and the law then does not ask.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "lang/aut/read.hpp"
#include "lang/aut/write.hpp"
#include "lang/fsp/fsp.hpp"
#include "load/load.hpp"
#include "model/equivalence.hpp"
#include "model/transform.hpp"
#include "reference/generators.hpp"
#include "reference/reference.hpp"

namespace surety {
namespace {

using namespace reference;

std::string rendered(const Diagnostics& diagnostics) {
  std::string out;
  for (const auto& d : diagnostics) out += render(d);
  return out;
}

struct Format {
  const char* ending;
  std::function<std::string(const Lts&, const ActionTable&)> why_not, write;
  std::function<Result<Lts>(const std::string&, ActionTable&)> read;
};

Result<Lts> read_process(const std::string& text, ActionTable& actions) {
  auto file = read_fsp(text, "t.lts", actions);
  if (!file) return tl::unexpected(file.error());
  auto process = file->process("P");
  if (!process) return tl::unexpected(process.error());
  if (!process->warnings.empty()) return tl::unexpected(process->warnings);
  return process->lts;
}

const std::vector<Format>& formats() {
  static const std::vector<Format> all = {
      {".aut", not_in_aut, to_aut,
       [](const std::string& text, ActionTable& actions) { return read_aut(text, "t.aut", actions); }},
      {".json", not_in_json, [](const Lts& lts, const ActionTable& actions) { return to_json(lts, actions); },
       [](const std::string& text, ActionTable& actions) {
         return read_lts_json(nlohmann::json::parse(text), "t.json", actions);
       }},
      {".lts", not_in_fsp, [](const Lts& lts, const ActionTable& actions) { return to_fsp(lts, actions, "P"); },
       read_process},
  };
  return all;
}

// What is wrong with what is read back, if something is. ERROR and END that cannot be reached have no part in
// behaviour.
std::string wrong_with(const Format& format, const Lts& lts, ActionTable& actions) {
  const std::string text = format.write(lts, actions);
  const auto back = format.read(text, actions);
  const auto wrong = [&](const std::string& what) { return fmt::format("{}: {}\n{}", format.ending, what, text); };
  if (!back) return wrong(rendered(back.error()));
  if (back->alphabet() != lts.alphabet()) return wrong("another alphabet");
  if (lts.state_count() == 0 || back->state_count() == 0)
    return lts.state_count() == back->state_count() ? "" : wrong("the empty language");
  const Lts here = reachable(lts), there = reachable(*back);
  if (here.error().has_value() != there.error().has_value()) return wrong("another error state");
  if (here.end().has_value() != there.end().has_value()) return wrong("another end state");
  if (difference(lts, *back, Equivalence::strong)) return wrong("not bisimilar");
  return {};
}

// Asks every format that does not refuse; says how many did not.
int hold(const Lts& lts, ActionTable& actions) {
  int kept = 0;
  for (const Format& format : formats()) {
    if (!format.why_not(lts, actions).empty()) continue;
    ++kept;
    EXPECT_EQ(wrong_with(format, lts, actions), "");
  }
  return kept;
}

Lts with_alphabet(const Lts& lts, const Alphabet& more) {
  LtsBuilder builder;
  builder.set_state_count(lts.state_count());
  builder.add_to_alphabet(lts.alphabet());
  builder.add_to_alphabet(more);
  if (lts.error()) builder.set_error(*lts.error());
  if (lts.end()) builder.set_end(*lts.end());
  for (std::uint32_t s = 0; s < lts.state_count(); ++s)
    for (const Step& step : lts.steps(State{s})) builder.add_step(State{s}, step.action, step.target);
  return builder.build();
}

TEST(Formats, KeepEverySmallLtsWithAndWithoutActionsOnNoStep) {
  int refused = 0;
  for (const Lts& lts : small_ltss_with_tau())
    for (const Alphabet& more : {Alphabet(), Alphabet({action("never"), action("up.1")})}) {
      const int kept = hold(with_alphabet(lts, more), reference::actions());
      refused += kept < 3;
      EXPECT_TRUE(kept == 3 || lts.state_count() == 0 || lts.error() == lts.initial());
      if (HasFailure()) return;
    }
  EXPECT_GT(refused, 0);
}

// Marks on their own, and together.
TEST(Formats, KeepLtssOfOneOrTwoStatesThatAreErrorAndEnd) {
  for (std::uint32_t n = 1; n <= 2; ++n)
    for (std::uint32_t error = 0; error <= n; ++error)
      for (std::uint32_t end = 0; end <= n; ++end) {
        if (error == end && error < n) continue;
        LtsBuilder builder;
        builder.set_state_count(n);
        builder.add_to_alphabet({action("a")});
        if (error < n) builder.set_error(State{error});
        if (end < n) builder.set_end(State{end});
        if (n == 2 && error != 0 && end != 0) builder.add_step(State{0}, kTau, State{1});
        EXPECT_EQ(hold(builder.build(), reference::actions()), error == 0 ? 2 : 3) << n << " " << error << " " << end;
      }
}

TEST(Formats, OnlyJsonKeepsTheEmptyLanguage) {
  LtsBuilder builder;
  builder.set_state_count(0);
  builder.add_to_alphabet({action("a")});
  EXPECT_EQ(hold(builder.build(), reference::actions()), 1);
  EXPECT_EQ(not_in_aut(Lts(), reference::actions()), "the empty language cannot be written as .aut");
  EXPECT_EQ(not_in_fsp(Lts(), reference::actions()), "the empty language cannot be written as .lts");
}

RC_GTEST_PROP(Formats, KeepRandomLtss, ()) {
  const Lts lts = *any_lts({.states = 8, .actions = 3, .steps = 30});
  for (const Format& format : formats())
    if (format.why_not(lts, reference::actions()).empty())
      RC_ASSERT(wrong_with(format, lts, reference::actions()) == "");
}

// A property is an LTS without error and end; as a watcher it needs all of its alphabet.
RC_GTEST_PROP(Formats, KeepProperties, ()) {
  const Lts property = *any_property({.states = 5, .actions = 3, .steps = 15});
  for (const Format& format : formats()) {
    RC_ASSERT(format.why_not(property, reference::actions()) == "");
    const auto back = format.read(format.write(property, reference::actions()), reference::actions());
    RC_ASSERT(back.has_value());
    const Lts as_property = api::monitor(*back);
    RC_ASSERT(as_property.alphabet() == property.alphabet());
    RC_ASSERT(!difference(as_property, property, Equivalence::trace));
  }
}

// Names that tempt a reader, or a writer.
const std::vector<std::string> kNames = {
    "a",
    "i",
    "tau",
    "lock(p1, f2)",
    "PUT !6",
    "\"",
    "a\"b\", \"c",
    ",",
    ")",
    "a b",
    " blank ",
    "a\nb",
    "a\rb",
    "\x01",
    "caf\xc3\xa9",
    "\xff",
    "",
    "3",
    "a.1",
    "a.-1",
    "a.01",
    "a..b",
    "a.",
    "A",
    "when",
    "a.if",
    "silent",
    "silent.x",
    "_",
    "x_when",
    "@P",
    "*",
    "surety:error",
    "surety:end",
    "ERROR",
    "des (0,0,1)",
    "// no",
    "(0, a, 1)",
    "a.2147483648",
    "a.-2147483648",
    "0.d",
    "a.tau",
    "i_",
    "tau_",
    "S0",
};

// Up to 5 states, sometimes with names that no format but one has.
Lts any_named(Random& random, ActionTable& actions) {
  const std::uint32_t n = 1 + random.below(5);
  LtsBuilder builder;
  builder.set_state_count(n + 2);
  if (random.chance(40)) builder.set_error(State{n});
  if (random.chance(40)) builder.set_end(State{n + 1});
  const auto any_action = [&] {
    return actions.intern(kNames[random.below(static_cast<std::uint32_t>(kNames.size()))]);
  };
  std::vector<Action> letters;
  for (std::uint32_t i = 1 + random.below(3); i > 0; --i) letters.push_back(any_action());
  builder.add_to_alphabet(Alphabet(letters));
  for (std::uint32_t k = random.below(3 * n); k > 0; --k)
    builder.add_step(State{random.below(n)},
                     random.chance(20) ? kTau : letters[random.below(static_cast<std::uint32_t>(letters.size()))],
                     State{random.below(n + 2)});
  return builder.build();
}

TEST(Formats, KeepAllNamesOrRefuse) {
  Random random(11);
  std::map<int, int> by_count;  // how many formats kept how many LTSs
  for (int round = 0; round < 20'000 && !HasFailure(); ++round) {
    ActionTable actions;
    ++by_count[hold(any_named(random, actions), actions)];
  }
  for (const int kept : {0, 1, 2, 3}) EXPECT_GT(by_count[kept], 50) << kept;
}

TEST(Formats, SayWhichNameTheyCannotKeep) {
  const auto named = [](const std::string& name, ActionTable& actions) {
    LtsBuilder builder;
    builder.add_to_alphabet({actions.intern(name)});
    return builder.build();
  };
  const auto in = [&](const auto& why_not, const std::string& name) {
    ActionTable actions;
    return why_not(named(name, actions), actions);
  };
  EXPECT_EQ(in(not_in_aut, "i"), "the action 'i' cannot be written as .aut: this is the name of the silent step");
  EXPECT_EQ(in(not_in_aut, "surety:end"),
            "the action 'surety:end' cannot be written as .aut: this is the mark of a state");
  EXPECT_EQ(in(not_in_aut, "a\nb"), "the action 'a...' cannot be written as .aut: its name has a line break");
  EXPECT_EQ(in(not_in_aut, "PUT !6"), "");
  EXPECT_EQ(in(not_in_fsp, "PUT !6"), "the action 'PUT !6' cannot be written as .lts: this is no label of FSP");
  EXPECT_EQ(in(not_in_fsp, "i"), "");
  EXPECT_EQ(in(not_in_json, "\xff"), "the action \"\xef\xbf\xbd\" cannot be written as .json: its name is not UTF-8");
  EXPECT_EQ(in(not_in_json, "i"), "");
  EXPECT_EQ(in(not_in_json, "a\nb"), "");
}

TEST(Formats, AreReadFromTheFilesThatSaveWrites) {
  const std::string folder = testing::TempDir();
  for (const char* stem : {"stop", "end", "error", "s0", "3x", "a-b"}) {
    const std::string file = folder + stem + ".lts";
    // A dead end, END and ERROR, so that a process of such a name would be taken for them.
    const Lts marked = reference::lts("0 a 1, 0 b 2, 0 c 3, error=2, end=3");
    ASSERT_TRUE(api::save(marked, reference::actions(), file)) << file;
    Budget budget;
    api::Source source;
    source.files = {file};
    const auto model = api::load(source, budget);
    ASSERT_TRUE(model) << file;
    const Lts& back = model->network.components.at(0).lts;
    EXPECT_EQ(sorted_names(*model->actions, back.alphabet()), (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_EQ(back.state_count(), 4U) << file;
    EXPECT_TRUE(back.error() && back.end()) << file;
  }
}

}  // namespace
}  // namespace surety
