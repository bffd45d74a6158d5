// Linear temporal logic by definition, for the tests of liveness: formulas as text,
// their truth on words, and many of them. Shares nothing with the product but the data
// types.
#pragma once

#include <cctype>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/ltl.hpp"
#include "reference/reference.hpp"

namespace surety::reference {

// --- Formulas as text: a b are actions, {a,b} sets, F0 F1 fluents by number, true false; prefix operators
// ! X <> []; in parentheses (f & g), (f | g), (f U g), (f W g), (f -> g), (f <-> g).
class FormulaReader {
 public:
  explicit FormulaReader(std::string_view text) : text_(text) {}

  Formula read() {
    Formula f;
    using Op = Formula::Op;
    if (take("!")) return unary(Op::negation);
    if (take("<>")) return unary(Op::eventually);
    if (take("[]")) return unary(Op::always);
    if (take("(")) {
      f.operands.push_back(read());
      f.op = take("<->")  ? Op::iff
             : take("->") ? Op::implies
             : take("&")  ? Op::both
             : take("|")  ? Op::either
             : take("U")  ? Op::until
                          : (take("W"), Op::weak_until);
      f.operands.push_back(read());
      take(")");
      return f;
    }
    if (take("{")) {
      std::string names;
      for (names = name(); take(",");) names += " " + name();
      take("}");
      f.op = Op::actions;
      f.actions = alphabet(names);
      return f;
    }
    const std::string word = name();
    if (word == "X") return unary(Op::next);
    if (word == "true" || word == "false") {
      f.value = word == "true";
    } else if (word[0] == 'F') {
      f.op = Op::fluent;
      f.fluent = static_cast<std::uint32_t>(std::stoul(word.substr(1)));
    } else {
      f.op = Op::actions;
      f.actions = alphabet(word);
    }
    return f;
  }

 private:
  bool take(std::string_view token) {
    while (!text_.empty() && text_[0] == ' ') text_.remove_prefix(1);
    if (!text_.starts_with(token)) return false;
    text_.remove_prefix(token.size());
    return true;
  }
  std::string name() {
    take("");
    std::size_t n = 0;
    while (n < text_.size() && std::isalnum(static_cast<unsigned char>(text_[n])) != 0) ++n;
    const std::string out(text_.substr(0, n));
    text_.remove_prefix(n);
    return out;
  }
  Formula unary(Formula::Op op) {
    Formula f;
    f.op = op;
    f.operands.push_back(read());
    return f;
  }

  std::string_view text_;
};

inline Formula formula(std::string_view text) { return FormulaReader(text).read(); }
inline Assertion assertion(std::string_view text, std::vector<Fluent> fluents = {}) {
  return {std::string(text), formula(text), std::move(fluents), {}};
}

// --- Truth on a word that is not empty.

class Semantics {
 public:
  Semantics(const Assertion& assertion, const Trace& prefix, const Trace& cycle)
      : assertion_(assertion), prefix_(prefix), cycle_(cycle) {}

  bool holds() const { return at(assertion_.formula, 0, false); }

 private:
  std::size_t last() const { return prefix_.size() - 1; }
  bool is_end(std::size_t i) const { return cycle_.empty() && i == last(); }
  Action event(std::size_t i) const {
    return i < prefix_.size() ? prefix_[i] : cycle_[(i - prefix_.size()) % cycle_.size()];
  }
  // One round of the cycle after position i, and one more because fluents settle only in the first, says all.
  std::size_t horizon(std::size_t i) const {
    return cycle_.empty() ? last() : std::max(i, prefix_.size() + cycle_.size()) + cycle_.size();
  }

  bool fluent(const Fluent& f, std::size_t i) const {
    for (std::size_t k = i + 1; k-- > 0;) {
      if (f.initiating.contains(event(k))) return true;
      if (f.terminating.contains(event(k))) return false;
    }
    return f.initially;
  }

  // strong: how X is meant at the end (model/ltl.hpp).
  bool at(const Formula& f, std::size_t i, bool strong) const {
    using Op = Formula::Op;
    switch (f.op) {
      case Op::actions: return f.actions.contains(event(i));
      case Op::fluent: return fluent(assertion_.fluents[f.fluent], i);
      case Op::constant: return f.value;
      case Op::negation: return !at(f.operands[0], i, !strong);
      case Op::next: return is_end(i) ? !strong : at(f.operands[0], i + 1, strong);
      case Op::both:
        for (const Formula& g : f.operands)
          if (!at(g, i, strong)) return false;
        return true;
      case Op::either:
        for (const Formula& g : f.operands)
          if (at(g, i, strong)) return true;
        return false;
      case Op::implies: return !at(f.operands[0], i, !strong) || at(f.operands[1], i, strong);
      case Op::iff:  // each implies the other
        return (!at(f.operands[0], i, !strong) || at(f.operands[1], i, strong)) &&
               (!at(f.operands[1], i, !strong) || at(f.operands[0], i, strong));
      case Op::eventually:
        for (std::size_t k = i; k <= horizon(i); ++k)
          if (at(f.operands[0], k, true)) return true;
        return false;
      case Op::always:
        for (std::size_t k = i; k <= horizon(i); ++k)
          if (!at(f.operands[0], k, false)) return false;
        return true;
      case Op::until:
      case Op::weak_until: {
        const bool how = f.op == Op::until;
        for (std::size_t k = i; k <= horizon(i); ++k) {
          if (at(f.operands[1], k, how)) return true;
          if (!at(f.operands[0], k, how)) return false;
        }
        return !how;
      }
    }
    return false;
  }

  const Assertion& assertion_;
  const Trace& prefix_;
  const Trace& cycle_;
};

inline bool true_on(const Assertion& assertion, const Trace& prefix, const Trace& cycle) {
  return Semantics(assertion, prefix, cycle).holds();
}

// --- Many formulas, as text.

inline std::vector<std::string> one_operator_more(const std::vector<std::string>& left,
                                                  const std::vector<std::string>& right) {
  std::vector<std::string> out;
  for (const auto& f : left)
    for (const char* op : {"!", "X ", "<>", "[]"}) out.push_back(op + f);
  for (const auto& f : left)
    for (const auto& g : right)
      for (const char* op : {" & ", " U ", " W ", " -> ", " <-> "})
        if (f != g) out.push_back("(" + f + op + g + ")");
  return out;
}

// Over the actions a and b: all with at most one operator; most with two levels of operators.
inline std::vector<std::string> small_formulas() {
  std::vector<std::string> out = one_operator_more({"a", "b"}, {"a", "b"});
  out.insert(out.end(), {"a", "b", "true", "false"});
  return out;
}
inline std::vector<std::string> medium_formulas() {
  const auto small = small_formulas();
  return one_operator_more(small, small);
}

}  // namespace surety::reference
