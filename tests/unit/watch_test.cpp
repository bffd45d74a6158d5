// What watches a walk says the same as the definitions of properties, fluents and assertions.

#include "walk/watch.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "reference/reference.hpp"

namespace surety::api {
namespace {

constexpr const char* kText =
    "P = ({a, b, c} -> P).\n"
    "property ORDER = (a -> b -> ORDER).\n"
    "fluent F = <a, b>\n"
    "fluent G = <b, c> initially 1\n"
    "assert EVENT = []!c\n"
    "assert FLUENT = [](F -> G)\n"
    "assert UNTIL = [](a -> (F W c))\n"
    "assert FIRST = (a || (G W F))\n"
    "assert BOTH = (([]!b) && [](c -> !F))\n"
    "assert LATER = []<>F\n"
    "assert NEXT = [](a -> X b)\n"
    "||S = (P || ORDER).\n";

Model model_of(const char* text) {
  Source source;
  source.files = {"text.lts"};
  source.texts = {{"text.lts", text}};
  Budget budget;
  return load(source, budget).value();
}

Watcher* named(const Watchers& watchers, const std::string& name) {
  for (const auto& watcher : watchers)
    if (watcher->name() == name) return watcher.get();
  return nullptr;
}

std::uint32_t state_after(Watcher& watcher, Word word) {
  std::uint32_t state = watcher.start({});
  for (const Action a : word) {
    Choice step;
    step.action = a;
    state = watcher.after(state, step);
  }
  return state;
}

reference::Words words(const Model& model) { return reference::all_words_up_to(5, alphabet_of(model.network)); }

TEST(Watch, FindsAnAssertionFalseWhereItsDefinitionDoes) {
  const Model model = model_of(kText);
  const auto watchers = network_watchers(model, {}).value();
  for (const char* name : {"EVENT", "FLUENT", "UNTIL", "FIRST", "BOTH"}) {
    Watcher* watcher = named(watchers, std::string("assertion ") + name);
    ASSERT_NE(watcher, nullptr) << name;
    const Assertion assertion = model.fsp->assertion(name).value();
    int violated = 0;
    for (const Trace& word : words(model)) {
      if (word.empty()) continue;
      const bool holds = holds_on(assertion, word, {});
      ASSERT_EQ(watcher->is_violated(state_after(*watcher, word)), !holds) << name;
      violated += holds ? 0 : 1;
    }
    EXPECT_GT(violated, 0) << name;
  }
}

TEST(Watch, LeavesOutAssertionsThatNothingMakesFalseForGood) {
  const Model model = model_of(kText);
  const auto watchers = network_watchers(model, {}).value();
  EXPECT_EQ(named(watchers, "assertion LATER"), nullptr);
  EXPECT_EQ(named(watchers, "assertion NEXT"), nullptr);
}

TEST(Watch, FluentsAreWhatTheyAreAlongATrace) {
  const Model model = model_of(kText);
  const auto watchers = network_watchers(model, {}).value();
  const auto fluents = model.fsp->fluents().value();
  for (const Trace& word : words(model)) {
    if (word.empty()) continue;
    const auto holding = fluents_along(fluents, word).back();
    for (const Fluent& fluent : fluents) {
      Watcher& watcher = *named(watchers, "fluent " + fluent.name);
      const bool holds = std::ranges::find(holding, fluent.name) != holding.end();
      ASSERT_EQ(watcher.shown(state_after(watcher, word)), holds ? "true" : "false");
    }
  }
}

TEST(Watch, APropertyIsViolatedForGoodByAStepItLacks) {
  const Model model = model_of(kText);
  const auto watchers = network_watchers(model, {}).value();
  Watcher& order = *named(watchers, "property ORDER");
  const auto word = [&](const std::vector<std::string>& names) {
    Trace out;
    for (const auto& name : names) out.push_back(model.actions->intern(name));
    return out;
  };
  EXPECT_EQ(order.shown(state_after(order, word({"a"}))), "ORDER after a");
  EXPECT_EQ(order.forbidden(state_after(order, word({"a"}))), std::vector<std::string>{"a"});
  EXPECT_EQ(order.shown(state_after(order, word({"a", "c", "b"}))), "ORDER");
  EXPECT_TRUE(order.is_violated(state_after(order, word({"a", "a", "b"}))));
}

TEST(Watch, NamesChooseAssertionsAndTheirFluents) {
  const Model model = model_of(kText);
  const auto watchers = network_watchers(model, std::vector<std::string>{"UNTIL"}).value();
  std::vector<std::string> names;
  for (const auto& watcher : watchers) names.push_back(watcher->name());
  EXPECT_EQ(names, (std::vector<std::string>{"property ORDER", "fluent F", "assertion UNTIL"}));
}

}  // namespace
}  // namespace surety::api
