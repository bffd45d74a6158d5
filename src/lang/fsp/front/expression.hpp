// The values of expressions.
//
// A value is a 32-bit number or a label; a label that looks like a number is one.
// Numbers wrap around, division truncates towards zero, truth is 1.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/budget.hpp"
#include "lang/fsp/front/tree.hpp"

namespace surety::fsp {

Value value_of_label(std::string label);  // "3" is the number 3
std::string text_of(const Value& value);

// The parameters and variables that are bound, innermost last. Parameters hide constants.
class Scope {
 public:
  void bind(std::string_view name, Value value) { bindings_.emplace_back(name, std::move(value)); }
  void unbind() { bindings_.pop_back(); }
  const Value* find(std::string_view name) const {
    for (auto it = bindings_.rbegin(); it != bindings_.rend(); ++it)
      if (it->first == name) return &it->second;
    return nullptr;
  }
  // Is it among the first so many that were bound?
  bool has_among(std::size_t first, std::string_view name) const {
    for (std::size_t i = 0; i < first; ++i)
      if (bindings_[i].first == name) return true;
    return false;
  }
  std::size_t size() const { return bindings_.size(); }
  std::vector<std::string> names() const;

 private:
  std::vector<std::pair<std::string_view, Value>> bindings_;
};

// How much elaboration may cost, so that absurd models end in an error and not in exhausted memory.
struct Effort {
  std::uint64_t most_labels = 20'000'000;  // generated while one definition is elaborated
  std::uint32_t most_states = 5'000'000;   // of one process, before unreachable ones are dropped
  std::uint32_t most_machines = 10'000;    // of one composite
  std::uint32_t most_actions = 2'000'000;  // with different names, in all
  Budget* budget = nullptr;                // asked from time to time, if there is one
};

// Evaluates under the constants of a file. After an error the values mean nothing, and failed() is true.
class Evaluator {
 public:
  Evaluator(const Tree& tree, Report& report, const Effort& effort = {})
      : tree_(tree), report_(report), effort_(effort) {}

  Value evaluate(const Expression& e, const Scope& scope);
  std::int32_t number(const Expression& e, const Scope& scope);
  bool truth(const Expression& e, const Scope& scope) { return number(e, scope) != 0; }

  void error(Place place, std::string message, std::string hint = {});
  bool failed() const { return failed_; }
  void give_up() { failed_ = true; }  // the error has been reported elsewhere
  bool count_label(Place place);      // false: too many
  bool has_time(Place place);         // false: the budget ended, and this is said of the place

  const Effort& effort() const { return effort_; }
  const Tree& tree() const { return tree_; }
  Report& report() { return report_; }

 private:
  Value name(const Expression& e, const Scope& scope);
  Value element(const Expression& e, const Scope& scope);
  Value unary(const Expression& e, const Scope& scope);
  Value binary(const Expression& e, const Scope& scope);
  std::int32_t arithmetic(const Expression& e, std::int32_t a, std::int32_t b);

  const Tree& tree_;
  Report& report_;
  Effort effort_;
  std::uint64_t labels_ = 0;
  bool failed_ = false;
};

}  // namespace surety::fsp
