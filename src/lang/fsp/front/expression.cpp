#include "lang/fsp/front/expression.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "lang/fsp/front/label.hpp"

namespace surety::fsp {
namespace {

// Two's complement, as Java has it.
std::int32_t wrap(std::uint32_t x) { return static_cast<std::int32_t>(x); }
std::uint32_t bits(std::int32_t x) { return static_cast<std::uint32_t>(x); }

}  // namespace

Value value_of_label(std::string label) {
  std::int32_t number = 0;
  const char* const end = label.data() + label.size();
  const auto [stop, error] = std::from_chars(label.data(), end, number);
  if (error == std::errc() && stop == end) return number;
  return label;
}

std::string text_of(const Value& value) {
  if (const auto* number = std::get_if<std::int32_t>(&value)) return std::to_string(*number);
  return std::get<std::string>(value);
}

std::vector<std::string> Scope::names() const {
  std::vector<std::string> out;
  for (const auto& [name, value] : bindings_) out.emplace_back(name);
  return out;
}

void Evaluator::error(Place place, std::string message, std::string hint) {
  if (!failed_) report_.error(place, std::move(message), std::move(hint));
  failed_ = true;
}

bool Evaluator::count_label(Place place) {
  if (++labels_ > effort_.most_labels)
    error(place, fmt::format("this definition makes more than {} labels", effort_.most_labels), "use smaller ranges");
  return labels_ % 4096 == 0 ? has_time(place) : !failed_;
}

bool Evaluator::has_time(Place place) {
  if (!go_on(effort_.budget)) error(place, "the budget ended here");
  return !failed_;
}

Value Evaluator::evaluate(const Expression& e, const Scope& scope) {
  if (failed_) return 0;
  switch (e.op) {
    case Expression::Op::number: return e.value;
    case Expression::Op::name: return name(e, scope);
    case Expression::Op::label: {
      const auto labels = all_labels(*e.label, scope, *this);
      if (labels.size() == 1) return value_of_label(labels.front());
      error(e.place, "expected one label, and not a set of them");
      return 0;
    }
    case Expression::Op::size: return static_cast<std::int32_t>(distinct_labels(*e.label, scope, *this).size());
    case Expression::Op::element: return element(e, scope);
    case Expression::Op::unary: return unary(e, scope);
    case Expression::Op::binary: return binary(e, scope);
  }
  return 0;
}

std::int32_t Evaluator::number(const Expression& e, const Scope& scope) {
  const Value value = evaluate(e, scope);
  if (const auto* n = std::get_if<std::int32_t>(&value)) return *n;
  error(e.place, fmt::format("expected a number, and this is the label '{}'", std::get<std::string>(value)),
        "labels can only be compared with == and !=");
  return 0;
}

Value Evaluator::name(const Expression& e, const Scope& scope) {
  if (const Value* bound = scope.find(e.name)) return *bound;
  if (const auto it = tree_.constants.find(e.name); it != tree_.constants.end()) return it->second.value;
  const bool upper = e.name[0] >= 'A' && e.name[0] <= 'Z';
  auto known = scope.names();
  if (upper)
    for (const auto& [name, constant] : tree_.constants) known.emplace_back(name);
  std::string hint = did_you_mean(e.name, known);
  if (hint.empty() && !upper)
    hint = fmt::format("bind it before: [{}:0..3]; or write '{} for the label", e.name, e.name);
  if (hint.empty() && (tree_.ranges.contains(e.name) || tree_.sets.contains(e.name)))
    hint = "this is a range or a set, not a number";
  error(e.place, fmt::format("there is no {} '{}'", upper ? "constant or parameter" : "variable", e.name), hint);
  return 0;
}

Value Evaluator::element(const Expression& e, const Scope& scope) {
  const auto labels = distinct_labels(*e.label, scope, *this);
  const auto i = number(e.operands[0], scope);
  if (failed_) return 0;
  if (i >= 0 && static_cast<std::size_t>(i) < labels.size()) return value_of_label(labels[static_cast<std::size_t>(i)]);
  error(e.place, fmt::format("the set has no element {}", i),
        fmt::format("its {} elements are numbered from 0", labels.size()));
  return 0;
}

Value Evaluator::unary(const Expression& e, const Scope& scope) {
  const auto a = number(e.operands[0], scope);
  if (e.symbol == Kind::minus) return wrap(-bits(a));
  if (e.symbol == Kind::bang) return a > 0 ? 0 : 1;
  return a;
}

Value Evaluator::binary(const Expression& e, const Scope& scope) {
  const Value left = evaluate(e.operands[0], scope);
  const Value right = evaluate(e.operands[1], scope);
  if (failed_) return 0;
  if (e.symbol == Kind::equal) return left == right ? 1 : 0;
  if (e.symbol == Kind::not_equal) return left != right ? 1 : 0;
  for (std::size_t i = 0; i < 2; ++i)
    if (const Value& v = i == 0 ? left : right; std::holds_alternative<std::string>(v)) {
      error(e.operands[i].place, fmt::format("expected a number, and this is the label '{}'", std::get<std::string>(v)),
            "labels can only be compared with == and !=");
      return 0;
    }
  return arithmetic(e, std::get<std::int32_t>(left), std::get<std::int32_t>(right));
}

std::int32_t Evaluator::arithmetic(const Expression& e, std::int32_t a, std::int32_t b) {
  switch (e.symbol) {
    case Kind::parallel: return a != 0 || b != 0;
    case Kind::both: return a != 0 && b != 0;
    case Kind::bar: return a | b;
    case Kind::caret: return a ^ b;
    case Kind::ampersand: return a & b;
    case Kind::less: return a < b;
    case Kind::less_equal: return a <= b;
    case Kind::greater: return a > b;
    case Kind::greater_equal: return a >= b;
    case Kind::shift_left: return wrap(bits(a) << (b & 31));
    case Kind::shift_right: return a >> (b & 31);
    case Kind::plus: return wrap(bits(a) + bits(b));
    case Kind::minus: return wrap(bits(a) - bits(b));
    case Kind::star: return wrap(bits(a) * bits(b));
    default: break;
  }
  if (b == 0) error(e.place, "division by zero");
  if (b == 0 || b == -1) return e.symbol == Kind::slash && b == -1 ? wrap(-bits(a)) : 0;  // INT_MIN / -1 wraps too
  return e.symbol == Kind::slash ? a / b : a % b;
}

}  // namespace surety::fsp
