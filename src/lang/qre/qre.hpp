// Quantified regular expressions (.qre): properties as FLAVERS writes them.
//
//   property NO_WRONG_EVENT:
//   for events {receive.1, receive.2, notify.2}
//   show no executions satisfy .*; receive.1; [-receive.2]*; notify.2; .*
//
// L is the language of the expression over the listed events (`no`: its complement). An execution is wrong as soon as
// its events cannot be continued to a word of L, and if the program ends with a word outside L (Cobleigh, Clarke,
// Osterweil, "FLAVERS: a finite state verification technique for software systems", IBM Systems Journal 41, 2002).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.hpp"
#include "base/diagnostics.hpp"
#include "model/automata.hpp"

namespace surety {

struct QreProperty {
  std::string name;  // empty: the text gives it none
  Diagnostic place;  // where it begins, to say something about it
  std::vector<std::string> events;
  Automaton automaton;  // of L: minimal, every state can reach an accepting one. Action{i + 1} is events[i]

  bool accepts_always() const;  // L has every prefix of its words, so an end tells nothing new
};

// All properties of the text. The budget may end it, which its why() tells.
Result<std::vector<QreProperty>> read_qre(std::string_view text, const std::string& file, Budget& budget);

// The property as an LTS that forbids what it has no step for. `actions`: what each event stands for, no action twice.
// `end`: the action with which the program ends, if it has one; it is allowed in accepting states only.
Lts qre_monitor(const QreProperty& property, const std::vector<std::vector<Action>>& actions,
                std::optional<Action> end = {});

}  // namespace surety
