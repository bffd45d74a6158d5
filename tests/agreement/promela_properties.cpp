// Formulas and trace assertions about a random program.

#include <fmt/format.h>

#include "agreement/promela_writer.hpp"

namespace surety::random_program {

void Writer::properties() {
  const std::uint32_t formulas = mix_.formulas.value_or(chance(40) ? 1 + below(2) : 0);
  for (std::uint32_t i = 0; i < formulas; ++i) out_ += fmt::format("\nltl f{} {{ {} }}\n", i, formula());
  const std::uint32_t traces = mix_.traces ? (*mix_.traces ? 1 : 0) : chance(30) ? 1 + (mix_.pan ? 0 : below(2)) : 0;
  for (std::uint32_t i = 0; i < traces; ++i) trace(i);
}

// ---- formulas

std::string Writer::proposition() {
  if (!places_.empty() && chance(30)) return one_of(places_);
  for (const Channel& c : channels_)
    if (c.is_global && c.ask && c.capacity > 0 && chance(20))
      return fmt::format("(len({}) {} {})", c.name.length > 0 ? c.name.name + "[0]" : c.name.name,
                         chance(50) ? "<" : "==", below(c.capacity + 1));
  const Variable* v = pick(nullptr, false);
  if (v == nullptr) return places_.empty() ? "true" : one_of(places_);
  const std::string name = fixed_text(v->path);
  if (!is_number(v->type)) return fmt::format("({} {} {})", name, chance(50) ? "==" : "!=", mtype_constant(v->type));
  static const std::vector<std::string> operators = {"==", "!=", "<", ">="};
  return fmt::format("({} {} {})", name, one_of(operators), below(3));
}

std::string Writer::literal() {
  if (chance(60)) return proposition();
  if (chance(50)) return "!" + proposition();
  return fmt::format("({} {} {})", proposition(), chance(50) ? "&&" : "||", proposition());
}

// True at the start, as a rule: most variables are 0, buffers empty, and nobody is at a label.
std::string Writer::true_at_first() {
  if (!places_.empty() && chance(35)) return "!" + one_of(places_);
  std::vector<std::string> some;
  for (const Channel& c : channels_)
    if (c.is_global && c.ask && c.capacity > 0)
      some.push_back(fmt::format("(len({}{}) < {})", c.name.name, c.name.length > 0 ? "[1]" : "", c.capacity));
  for (const Variable& v : variables_) {
    const std::string name = fixed_text(v.path);
    some.push_back(is_number(v.type) ? fmt::format("({} {} {})", name, chance(50) ? "!=" : "<", 1 + below(2))
                                     : fmt::format("({} != {})", name, mtype_constant(v.type)));
  }
  if (some.empty()) return literal();
  return chance(70) ? one_of(some) : fmt::format("({} || {})", one_of(some), literal());
}

std::string Writer::formula() {
  const std::string t = true_at_first(), p = literal(), q = literal();
  switch (below(16)) {
    case 0:
    case 1:
    case 2:
    case 3: return fmt::format("[] {}", t);
    case 4: return fmt::format("[] ({} -> {})", p, t);
    case 5: return fmt::format("{} W {}", t, p);
    case 6: return fmt::format("[] ({} -> ({} W {}))", p, t, q);
    case 7: return fmt::format("[] ({} -> [] {})", p, t);
    case 8: return fmt::format("{} V {}", p, t);
    case 9: return fmt::format("!({} U !({}))", p, t);
    case 10: return fmt::format("!(<> ({} && <> !({})))", p, t);
    case 11: return fmt::format("({} W {}) && [] {}", t, p, true_at_first());
    case 12: return fmt::format("([] {}) || ({} W {})", t, p, q);
    case 13: return fmt::format("({} -> ([] {})) && !({} && <> !({}))", t, true_at_first(), t, q);
    case 14: return fmt::format("{} U {}", p, q);
    default: return fmt::format("[] <> {}", p);
  }
}

// ---- trace assertions

std::string Writer::event(const Channel& c, bool sends) {
  std::vector<std::string> fields;
  for (const Field& f : c.fields)
    fields.push_back(is_number(f.type) ? fmt::format("{}", below(3)) : mtype_constant(f.type));
  return fmt::format("{}{}{}", c.name.name, sends ? "!" : "?", fmt::join(fields, ","));
}

// Deterministic: no two options begin with the same event. pan sees a send that finds no partner: keep off.
void Writer::trace(std::uint32_t number) {
  std::vector<const Channel*> some;
  for (const Channel& c : channels_) {
    bool plain = c.is_global && c.ask && c.name.length == 0 && !(mix_.pan && c.capacity == 0);
    for (const Field& f : c.fields) plain &= f.structure == SIZE_MAX;
    const auto used = [&](const char* mark) { return out_.find(c.name.name + mark) != std::string::npos; };
    if (plain && used("!") && used("?")) some.push_back(&c);
  }
  if (some.empty()) return;
  const Channel& c = *one_of(some);
  const bool sends = chance(60);
  const std::string any = [&] {
    std::string out = c.name.name + (sends ? "!_" : "?_");
    for (std::size_t i = 1; i < c.fields.size(); ++i) out += ",_";
    return out;
  }();
  const std::string first = event(c, sends), second = event(c, !sends), third = event(c, sends);
  const char* kind = chance(80) ? "trace" : "notrace";
  std::string inside;
  switch (below(4)) {
    case 0: inside = fmt::format("{}; {}", first, second); break;
    case 1: inside = fmt::format("do :: {} od", any); break;
    case 2: inside = fmt::format("{}; do :: {} -> {} od", any, first, third); break;
    default:
      inside = first == third ? fmt::format("do :: {} -> {} od", first, third)
                              : fmt::format("do :: {} :: {} -> {} od", first, third, second);
  }
  out_ += fmt::format("\n{} {{\n  {}: {}\n}}\n", kind, fmt::format("t{}", number), inside);
}

}  // namespace surety::random_program
