// Values, conditions and questions about channels.

#include <fmt/format.h>

#include "agreement/promela_writer.hpp"

namespace surety::random_program {

std::string word(Type type) {
  switch (type) {
    case Type::bit: return "bit";
    case Type::boolean: return "bool";
    case Type::byte: return "byte";
    case Type::pid: return "pid";
    case Type::short_int: return "short";
    case Type::integer: return "int";
    case Type::unsigned_int: return "unsigned";
    case Type::mtype: return "mtype";
    case Type::fruit: return "mtype:fruit";
  }
  return "";
}

bool is_number(Type type) { return type != Type::mtype && type != Type::fruit; }

// In an array a bit has eight.
bool is_small(const Variable& v) {
  const bool few = v.type == Type::bit || v.type == Type::boolean || v.type == Type::unsigned_int;
  return few && v.path.back().length == 0;
}

std::string Writer::constant() { return fmt::format("{}", chance(90) ? below(3) : 3 + below(2)); }

std::string Writer::odd_constant() {
  static const std::vector<std::string> odd = {"255", "256", "257", "(-1)", "128", "32767", "32768", "65537", "70000"};
  return one_of(odd);
}

std::string Writer::mtype_constant(Type type) {
  static const std::vector<std::string> colours = {"red", "green", "blue"}, fruits = {"apple", "pear"};
  return one_of(type == Type::fruit ? fruits : colours);
}

// In range, unless there may be errors; a constant always is, also one that an inline is called with (ae0).
std::string Writer::index(std::uint32_t length) {
  if (chance(65)) return fmt::format("{}", below(length));
  const std::string from = atom();
  const bool may_be_constant = from[0] == '(' || (from[0] >= '0' && from[0] <= '9') || from.starts_with("ae");
  if (on_.errors && !may_be_constant && chance(40)) return from;
  return length > 2 && chance(50) ? fmt::format("({} & 1) + 1", from) : fmt::format("{} & 1", from);
}

std::string Writer::text(const std::vector<Part>& path) {
  std::string out;
  for (const Part& part : path) {
    out += (out.empty() ? "" : ".") + part.name;
    if (part.length > 0) out += "[" + index(part.length) + "]";
  }
  return out;
}

// With constant indices.
std::string Writer::fixed_text(const std::vector<Part>& path) {
  std::string out;
  for (const Part& part : path) {
    out += (out.empty() ? "" : ".") + part.name;
    if (part.length > 0) out += fmt::format("[{}]", below(part.length));
  }
  return out;
}

// To be written to. When pan backtracks it works the index out again: it must not depend on what was written.
std::string Writer::target(const std::vector<Part>& path) {
  std::string out = text(path);
  const bool depends = out.find(path[0].name, path[0].name.size()) != std::string::npos;
  return mix_.pan && depends ? fixed_text(path) : out;
}

std::string Writer::received(const std::vector<Part>& path) { return mix_.pan ? fixed_text(path) : text(path); }

std::string Writer::text(const Channel& c) { return text(std::vector<Part>{c.name}); }

const Variable* Writer::pick(bool (*wanted)(const Variable&), bool writable) {
  std::vector<const Variable*> some;
  for (const Variable& v : variables_)
    if ((!wanted || wanted(v)) && !(writable && v.read_only)) some.push_back(&v);
  return some.empty() ? nullptr : one_of(some);
}

// A constant or a variable. An index is an atom again, so most are fixed.
std::string Writer::atom() {
  if (chance(30)) return constant();
  if (on_.odd && chance(4)) return odd_constant();
  if (chance(4)) return "_pid";
  const Variable* v = pick([](const Variable& x) { return is_number(x.type); }, false);
  if (v == nullptr) return constant();
  if (v->path.size() == 1 && v->path[0].length == 0) return v->path[0].name;
  return chance(20) ? text(v->path) : fixed_text(v->path);
}

// Any number at all.
std::string Writer::number(int depth) {
  if (depth == 0 || chance(30)) return atom();
  const auto a = [&] { return number(depth - 1); };
  switch (below(14)) {
    case 0: return fmt::format("({} + {})", a(), a());
    case 1: return fmt::format("({} - {})", a(), a());
    case 2: return fmt::format("({} * {})", a(), 2 + below(2));
    case 3: return fmt::format("({} / {})", a(), on_.errors && chance(30) ? atom() : fmt::format("{}", 1 + below(3)));
    case 4: return fmt::format("({} % {})", a(), on_.errors && chance(30) ? atom() : fmt::format("{}", 2 + below(3)));
    case 5: return fmt::format("({} << {})", a(), chance(70) ? "1" : "(" + atom() + " & 3)");
    case 6: return fmt::format("({} >> {})", a(), chance(70) ? "1" : "(" + atom() + " & 3)");
    case 7: return fmt::format("({} & {})", a(), a());
    case 8: return fmt::format("({} | {})", a(), a());
    case 9: return fmt::format("({} ^ {})", a(), a());
    case 10: return fmt::format("~({})", a());
    case 11: return fmt::format("-({})", a());
    case 12: return on_.conditionals ? fmt::format("({} -> {} : {})", comparison(), a(), a()) : comparison();
    default: return comparison();
  }
}

// One of few numbers, wherever it is assigned to.
std::string Writer::bounded(int depth) {
  const std::uint32_t dice = below(100);
  if (depth == 0 || dice < 35) return constant();
  if (dice < 40 && on_.odd) return odd_constant();
  if (dice < 58) return atom();
  if (dice < 78) return fmt::format("({}) % {}", number(depth), 2 + below(3));
  if (dice < 84) return fmt::format("({}) & {}", number(depth), 1 + 2 * below(2));
  if (dice < 88) return fmt::format("({} + {}) / 2", atom(), atom());
  if (dice < 91) return fmt::format("({} + {}) >> 1", atom(), atom());
  if (dice < 95 && on_.conditionals) {
    const std::string by = atom();  // the other side is not worked out
    if (chance(40)) return fmt::format("({} == 0 -> {} : {} / {})", by, constant(), constant(), by);
    return fmt::format("({} -> {} : {})", comparison(), bounded(depth - 1), bounded(depth - 1));
  }
  return comparison();
}

std::string Writer::value_for(const Variable& v) {
  if (!is_number(v.type)) {
    if (chance(70)) return mtype_constant(v.type);
    const bool fruit = v.type == Type::fruit;
    const Variable* from = fruit ? pick([](const Variable& x) { return x.type == Type::fruit; }, false)
                                 : pick([](const Variable& x) { return x.type == Type::mtype; }, false);
    return text(from->path);
  }
  return is_small(v) && chance(50) ? number(2) : bounded(2);
}

std::string Writer::value_for(const Field& f, bool alone) {
  if (!is_number(f.type)) {
    Variable v;
    v.type = f.type;
    const Variable* from = pick([](const Variable& x) { return x.type == Type::mtype; }, false);
    return f.type == Type::mtype && from != nullptr && chance(30) ? text(from->path) : mtype_constant(f.type);
  }
  const bool one_bit = f.type == Type::bit || f.type == Type::boolean;
  if (one_bit && alone && mix_.pan)
    return chance(60) ? fmt::format("{}", below(2)) : fmt::format("({}) & 1", number(1));
  if (one_bit) return chance(40) ? fmt::format("{}", below(2)) : number(1);
  return bounded(1);
}

std::string Writer::comparison() {
  static const std::vector<std::string> operators = {"==", "!=", "<", ">=", ">", "<="};
  if (on_.mtypes && chance(25))
    if (const Variable* v = pick([](const Variable& x) { return !is_number(x.type); }, false); v != nullptr)
      return fmt::format("({} {} {})", text(v->path), chance(60) ? "==" : "!=", mtype_constant(v->type));
  return fmt::format("({} {} {})", atom(), one_of(operators), atom());
}

std::string Writer::condition(bool about_channels) {
  if (about_channels && on_.special && chance(18))
    if (std::string asked = question(); !asked.empty()) return asked;
  const std::string one = comparison();
  if (chance(75)) return one;
  if (chance(15)) return "!" + one;
  if (chance(15)) return "(" + number(2) + ")";
  return fmt::format("({} {} {})", one, chance(50) ? "&&" : "||", comparison());
}

// About a buffer; nothing: there is none.
std::string Writer::question() {
  std::vector<const Channel*> some;
  for (const Channel& c : channels_)
    if (c.ask && c.capacity > 0) some.push_back(&c);
  if (some.empty()) return "";
  const Channel& c = *one_of(some);
  const std::string name = text(c);
  switch (below(6)) {
    case 0: return fmt::format("(len({}) {} {})", name, chance(50) ? "<" : "==", below(c.capacity + 1));
    case 1: return fmt::format("full({})", name);
    case 2: return fmt::format("nfull({})", name);
    case 3: return fmt::format("empty({})", name);
    case 4: return fmt::format("nempty({})", name);
    default: break;
  }
  std::string out;
  for (const Field& f : c.fields) {
    if (f.structure != SIZE_MAX) return fmt::format("nempty({})", name);
    out += (out.empty() ? "" : ",") + (chance(25)          ? "_"
                                       : is_number(f.type) ? fmt::format("{}", below(2))
                                                           : mtype_constant(f.type));
  }
  return fmt::format("{}{}[{}]", name, chance(40) ? "??" : "?", out);
}

}  // namespace surety::random_program
