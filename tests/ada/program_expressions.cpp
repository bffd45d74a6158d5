// Random Ada programs: values of all types.
#include "ada/program_generator.hpp"

namespace surety::random_programs {

std::string Generator::literal(Sort sort) {
  switch (sort) {
    case Sort::boolean: return chance(50) ? "True" : "False";
    case Sort::small: return std::to_string(random_.below(4));
    case Sort::colour: return std::vector<std::string>{"Red", "Green", "Blue"}[random_.below(3)];
    case Sort::ring: return std::to_string(random_.below(4));
    case Sort::vector: return fmt::format("({}, others => {})", random_.below(4), random_.below(4));
    case Sort::pair: return fmt::format("(A => {}, B => {})", random_.below(4), chance(50) ? "True" : "False");
  }
  return "";
}

// In expressions: not static, for what is static and fails is not compiled.
std::string Generator::leaf(Sort sort) {
  if (sort == Sort::small) return "K" + literal(sort);
  if (sort == Sort::ring) return "Ring'(" + literal(sort) + ")";
  return literal(sort);
}

// An index 0 .. 2; now and then it may be 3.
Text Generator::index(int depth, const Context& c) {
  if (chance(40)) return same(std::to_string(random_.below(3)));
  const Text value = expression(Sort::small, depth - 1, c);
  return chance(85) ? value + " mod 3" : value;
}

// A variable, an element or a field of this sort, to read.
bool Generator::variable(Sort sort, int depth, const Context& c, Text& out) {
  std::vector<Text> found;
  for (const Variable& v : c.variables) {
    if (v.sort == sort) found.push_back(same(v.name));
    if (v.sort == Sort::vector && sort == Sort::small && depth > 0)
      found.push_back(same(v.name) + " (" + index(depth - 1, c) + ")");
    if (v.sort == Sort::pair && sort == Sort::small) found.push_back(same(v.name + ".A"));
    if (v.sort == Sort::pair && sort == Sort::boolean) found.push_back(same(v.name + ".B"));
  }
  if (c.shared)
    for (const Shared& s : shared_) {
      if (s.kind == Shared::Kind::scalar && s.sort == sort) found.push_back({s.name, "Get_" + s.name});
      if (s.kind == Shared::Kind::array && sort == Sort::small && depth > 0)
        found.push_back(Text{s.name, "Get_" + s.name} + " (" + index(depth - 1, c) + ")");
      if (s.kind == Shared::Kind::grid && sort == Sort::small && depth > 0) {
        const Text i = chance(50) ? same("0") : expression(Sort::small, depth - 1, c) + " mod 2";
        const Text j = index(0, quiet(c));
        found.push_back({fmt::format("{} ({}) ({})", s.name, i.plain, j.plain),
                         fmt::format("Get_{} ({}, {})", s.name, i.gated, j.gated)});
      }
      if (s.kind == Shared::Kind::record && sort == Sort::small)
        found.push_back({s.name + ".A", "Get_" + s.name + "_A"});
      if (s.kind == Shared::Kind::record && sort == Sort::boolean)
        found.push_back({s.name + ".B", "Get_" + s.name + "_B"});
    }
  if (found.empty()) return false;
  out = pick(found);
  return true;
}

// A call of a function, subprogram or protected.
bool Generator::function(Sort sort, int depth, const Context& c, Text& out) {
  std::vector<std::pair<Text, const Callable*>> found;
  for (int i = 0; i < c.subprograms; ++i)
    if (const Callable& s = subprograms_[static_cast<std::size_t>(i)]; s.function && s.result == sort)
      found.push_back({same(s.name), &s});
  if (c.communicate)
    for (const Callable& o : operations_)
      if (o.function && o.result == sort) found.push_back({{"Obj." + o.name, "Obj_" + o.name}, &o});
  if (found.empty()) return false;
  const auto& [name, callable] = pick(found);
  out = name;
  const char* before = " (";
  Text all;
  for (const Parameter& p : callable->parameters) {
    const Text argument = next_argument(all, p.sort, depth - 1, c);
    all += argument;
    out += before + argument;
    before = ", ";
  }
  if (!callable->parameters.empty()) out += ")";
  return true;
}

Text Generator::expression(Sort sort, int depth, const Context& c) {
  Text out;
  if (sort == Sort::vector || sort == Sort::pair) {
    if (chance(50) && variable(sort, 0, c, out)) return out;
    return same(literal(sort));
  }
  if (depth <= 0 || chance(25)) {
    if (chance(75) && variable(sort, depth, c, out)) return out;
    return same(leaf(sort));
  }
  if (chance(15) && function(sort, depth, c, out)) return out;
  if (chance(8))
    return "(if " + expression(Sort::boolean, depth - 1, c) + " then " + expression(sort, depth - 1, c) + " else " +
           expression(sort, depth - 1, c) + ")";
  switch (sort) {
    case Sort::boolean: return truth(depth, c);
    case Sort::small: return chance(80) ? "((" + number(depth, c) + ") mod 4)" : "(" + number(depth, c) + ")";
    case Sort::colour: return colour(depth, c);
    default: return ring(depth, c);
  }
}

// Operands are evaluated from left to right, except that gnat does those first that are conditional, powers, or can
// raise an exception. So after an operand that others see there is a simple one.
Text Generator::operand_after(const Text& left, Sort sort, int depth, const Context& c) {
  if (!is_seen(left)) return expression(sort, depth, c);
  return expression(sort, 0, is_conditional(left) ? quiet(c) : c);
}

bool Generator::is_seen(const Text& text) {
  return text.plain != text.gated || text.plain.find("F1") != std::string::npos ||
         text.plain.find("F2") != std::string::npos;
}

bool Generator::is_conditional(const Text& text) {
  for (const char* word : {"(if ", "(case ", " then ", " else ", "**", " (Get_", " (F"})
    if (text.gated.find(word) != std::string::npos) return true;
  return false;
}

Text Generator::two(Sort sort, const char* op, int depth, const Context& c) {
  const Text left = expression(sort, depth - 1, c);
  const bool forced = std::string_view(op).find(" then ") != std::string_view::npos ||
                      std::string_view(op).find(" else ") != std::string_view::npos;
  return left + op + (forced ? expression(sort, depth - 1, c) : operand_after(left, sort, depth - 1, c));
}

Text Generator::truth(int depth, const Context& c) {
  const auto two = [&](Sort sort, const char* op) { return "(" + this->two(sort, op, depth, c) + ")"; };
  static const std::vector<const char*> relations{" = ", " /= ", " < ", " <= ", " > ", " >= "};
  switch (random_.below(10)) {
    case 0: return two(Sort::boolean, " and ");
    case 1: return two(Sort::boolean, " or ");
    case 2: return two(Sort::boolean, " xor ");
    case 3: return two(Sort::boolean, " and then ");
    case 4: return two(Sort::boolean, " or else ");
    case 5: return "(not " + expression(Sort::boolean, depth - 1, c) + ")";
    case 6: {
      static const std::vector<const char*> sets{" in 1 .. 2)", " not in 0 | 3)", " in 2 .. 1)", " in Index)"};
      return "(" + number(depth, c) + pick(sets);
    }
    case 7: {
      static const std::vector<const char*> sets{" in Green .. Blue)", " not in Red | Blue)", " in Red)"};
      Text left;
      if (!variable(Sort::colour, depth - 1, c, left)) return two(Sort::colour, pick(relations));
      return "(" + left + pick(sets);
    }
    case 8: return two(Sort::colour, pick(relations));
    default: return two(Sort::small, pick(relations));
  }
}

// Of type Integer; not an operand without brackets around it.
Text Generator::number(int depth, const Context& c) {
  const auto two = [&](const char* op) { return this->two(Sort::small, op, depth, c); };
  switch (random_.below(11)) {
    case 0:
    case 1: return two(" + ");
    case 2: return two(" - ");
    case 3: return two(" * ");
    case 4: return expression(Sort::small, depth - 1, c) + (chance(50) ? " rem 3" : " / 2");
    case 5: return "abs (" + two(" - ") + ")";
    case 6: {
      Text v;
      if (variable(Sort::colour, depth - 1, c, v)) return "Colour'Pos (" + v + ")";
      return two(" + ");
    }
    case 7: return "Integer (" + expression(Sort::ring, depth - 1, c) + ")";
    case 8: return "-(" + expression(Sort::small, depth - 1, c) + ")";
    case 9:
      return chance(50) ? this->two(Sort::small, " mod ", depth, quiet(c))
                        : expression(Sort::small, depth - 1, c) + " ** 2";
    default: return expression(Sort::small, depth - 1, c);
  }
}

Text Generator::colour(int depth, const Context& c) {
  switch (random_.below(4)) {
    case 0: return "Colour'Val ((" + number(depth, c) + ") mod 3)";
    case 1: {
      Text v;
      if (variable(Sort::colour, depth - 1, c, v)) return (chance(50) ? "Colour'Succ (" : "Colour'Pred (") + v + ")";
      return same("Blue");
    }
    case 2:
      return "(case " + small_operand(depth, c) + " is when 0 => " + expression(Sort::colour, depth - 1, c) +
             ", when 1 | 2 => " + expression(Sort::colour, depth - 1, c) + ", when others => Red)";
    default: {
      Text v;
      if (variable(Sort::colour, depth, c, v)) return v;
      return same("Green");
    }
  }
}

Text Generator::ring(int depth, const Context& c) {
  static const std::vector<const char*> operators{" + ", " - ", " * ", " and ", " or ", " xor "};
  if (chance(15)) return "Ring'(not " + expression(Sort::ring, depth - 1, c) + ")";
  if (chance(20)) return "Ring (" + expression(Sort::small, depth - 1, c) + ")";
  return "(" + two(Sort::ring, pick(operators), depth, c) + ")";
}

}  // namespace surety::random_programs
