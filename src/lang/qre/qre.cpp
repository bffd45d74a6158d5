#include "lang/qre/qre.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "lang/qre/automaton.hpp"
#include "lang/qre/parser.hpp"

namespace surety {
namespace {

constexpr std::size_t kLongestText = 1'000'000;

QreProperty made_of(const qre::Property& property, Automaton automaton, const text::Source& source) {
  return {property.name, source.error(property.place, {}), property.events, std::move(automaton)};
}

}  // namespace

bool QreProperty::accepts_always() const {
  return std::ranges::find(automaton.accepting, false) == automaton.accepting.end();
}

Result<std::vector<QreProperty>> read_qre(std::string_view text, const std::string& file, Budget& budget) {
  if (text.size() > kLongestText) return fail(file_error(file, "this file is too large for properties"));
  const text::Source source(file, text);
  text::Report report(source);
  std::vector<QreProperty> out;
  for (const auto& property : qre::parse(source, report)) {
    auto automaton = qre::automaton_of(property, budget);
    if (!automaton)
      report.error(property.place, "the automaton of this property is too large", "it may have 20,000 states");
    else if (automaton->lts.state_count() == 0)
      report.error(property.place, "no execution can satisfy it");
    else
      out.push_back(made_of(property, std::move(*automaton), source));
    if (!budget.go_on()) break;
  }
  if (report.failed()) return tl::unexpected(std::move(report.errors()));
  return out;
}

Lts qre_monitor(const QreProperty& property, const std::vector<std::vector<Action>>& actions,
                std::optional<Action> end) {
  check(actions.size() == property.events.size(), "every event stands for something");
  const Lts& lts = property.automaton.lts;
  const auto& accepting = property.automaton.accepting;
  LtsBuilder builder;
  builder.set_state_count(lts.state_count());
  bool end_is_event = false;
  for (const auto& list : actions) {
    builder.add_to_alphabet(Alphabet(list));
    end_is_event = end_is_event || (end && std::ranges::find(list, *end) != list.end());
  }
  for (std::uint32_t s = 0; s < lts.state_count(); ++s) {
    for (const Step& step : lts.steps(State{s}))
      for (const Action a : actions[step.action.value - 1])
        if (a != end || accepting[step.target.value]) builder.add_step(State{s}, a, step.target);
    if (end && !end_is_event && !property.accepts_always() && accepting[s]) builder.add_step(State{s}, *end, State{s});
  }
  return builder.build();
}

}  // namespace surety
