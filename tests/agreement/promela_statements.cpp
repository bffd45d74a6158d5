// Statements: simple ones, choices and loops, blocks, messages, calls.

#include <fmt/format.h>

#include <algorithm>

#include "agreement/promela_writer.hpp"

namespace surety::random_program {
namespace {

using Hard = Features::Hard;

std::string joined(const std::vector<std::string>& statements) {
  return fmt::format("{}", fmt::join(statements, ";\n"));
}

// Can a variable hold every message of a field? Else pan puts back what was cut when it backtracks.
bool fits(const Field& f, const Variable& v) {
  const bool one_bit = f.type == Type::bit || f.type == Type::boolean;
  const auto is = [&](std::initializer_list<Type> types) { return std::ranges::find(types, v.type) != types.end(); };
  if (one_bit) return true;
  if (is({Type::integer})) return true;
  if (f.type == Type::integer) return false;
  if (is({Type::short_int})) return true;
  if (f.type == Type::short_int) return false;
  return is({Type::byte, Type::pid, Type::mtype, Type::fruit});
}

}  // namespace

std::string indented(const std::string& text) {
  std::string out = "  ";
  for (const char c : text) out += c == '\n' ? std::string("\n  ") : std::string(1, c);
  return out;
}

std::string Writer::sequence(std::uint32_t length, int levels, Where where) {
  std::vector<std::string> out;
  for (std::uint32_t i = 0; i < length; ++i) out.push_back(statement(levels, where, i == 0));
  return joined(out);
}

// A label cannot stand on the first statement of a block or an option.
std::string Writer::statement(int levels, Where where, bool first) {
  std::string before;
  const bool may_label = !first && !in_inline_ && where == Where::plain;
  if (may_label && chance(on_.ends ? 25 : 4)) before += fresh("end") + ": ";
  if (may_label && mix_.labels && chance(10)) before += fresh(chance(50) ? "accept_" : "progress_") + ": ";
  if (may_label && on_.jumps && chance(20)) {
    targets_.push_back(fresh("to"));
    before += targets_.back() + ": ";
  }
  const bool may_see = !first && !in_inline_ && (where == Where::plain || (where == Where::atomic && !mix_.pan));
  if (may_see && !self_.empty() && chance(12)) {
    const std::string label = fresh("here");
    places_.push_back(self_ + "@" + label);
    before += label + ": ";
  }
  if (before.empty() && !first && on_.blocks && chance(10)) return declaration();
  if (on_.hard != Hard::none && levels > 0 && where == Where::plain && !in_inline_ && chance(15))
    if (const std::string some = hard(levels - 1); !some.empty()) return before + some;
  if (levels > 0 && chance(35))
    if (const std::string big = compound(levels - 1, where); !big.empty()) return before + big;
  return before + simple(where, first, !first && before.empty());  // spin wants no jump to a jump
}

// Nothing: not here.
std::string Writer::compound(int levels, Where where) {
  const bool plain = where == Where::plain;
  const std::uint32_t dice = below(100);
  if (dice < 28) return choice(false, levels, where);
  if (dice < 38) return plain || (where == Where::atomic && chance(30)) ? choice(true, levels, where) : "";
  if (dice < 58) return on_.atomic && plain ? block("atomic", Where::atomic) : "";
  if (dice < 66) return on_.d_step && plain ? "skip;\n" + block("d_step", Where::d_step) : "";
  if (dice < 76) return on_.loops ? counted_loop(where) : "";
  if (dice < 84) return on_.blocks && plain ? block("", Where::plain) : "";
  return on_.inlines && where != Where::d_step ? call() : "";
}

std::string Writer::simple(Where where, bool first, bool may_jump) {
  const std::uint32_t dice = below(100);
  const bool inside = on_.hard == Hard::meet_inside && chance(20);
  const bool may_meet = where == Where::plain || (where == Where::atomic && ((first && chance(70)) || inside));
  const bool received = where == Where::atomic && !first && chance(4);  // by rendezvous, in the middle
  if (dice < 40 && where != Where::d_step)
    if (const std::string text = message(!may_meet && !received, received); !text.empty())
      return where == Where::plain && chance(30) ? either(text) : text;
  if (dice < 44 && where != Where::d_step) return condition();
  // pan lets a d_step that starts with an assertion run in the middle of a rendezvous of others: keep off.
  if (dice < 59 && asserts_ && !(where == Where::d_step && first)) return assertion();
  if (dice < 60 && on_.prints && !(where == Where::d_step && first)) return print();
  if (dice < 62 && where == Where::plain && !targets_.empty() && may_jump && !in_inline_)
    return "goto " + one_of(targets_);
  if (dice < 64 && where != Where::d_step) return "skip";
  if (dice < 65) return "_ = " + number(1);
  if (where == Where::d_step && !first && on_.errors && chance(10)) return condition();
  return assignment();
}

// So that fewer programs come to a stop.
std::string Writer::either(const std::string& message) {
  const std::string other = this->message(false);
  const std::string second = other.empty() || chance(40) ? "true -> " + assignment() : other;
  return fmt::format("if\n:: {}\n:: {}\nfi", message, second);
}

std::string Writer::assignment() {
  const Variable* v = pick(nullptr, true);
  if (v == nullptr) return "skip";
  const Variable copy = *v;
  if (is_number(copy.type) && (is_small(copy) ? chance(25) : on_.counters && chance(25)))
    return target(copy.path) + (chance(60) ? "++" : "--");
  return fmt::format("{} = {}", target(copy.path), value_for(copy));
}

// Is executed where it stands.
std::string Writer::declaration() {
  const Type type = random_type();
  const bool array = on_.arrays && type != Type::unsigned_int && chance(20);
  return declare(type, array ? 2 : 0, false, false);
}

std::string Writer::assertion() {
  std::string bare = chance(35) ? fmt::format("{} <= 4", atom()) : condition();
  if (chance(10)) bare = "true || " + bare;
  return chance(50) ? fmt::format("assert({})", bare) : fmt::format("assert ({})", bare);
}

std::string Writer::print() {
  if (on_.mtypes && chance(40))
    if (const Variable* v = pick([](const Variable& x) { return x.type == Type::mtype; }, false); v != nullptr)
      return fmt::format("printm({})", text(v->path));
  return fmt::format("printf(\"%d\\n\", {})", atom());
}

// ---- choices, loops, blocks

std::string Writer::choice(bool loop, int levels, Where where) {
  const Scope scope(*this);
  const bool with_else = where == Where::d_step || chance(45);
  const std::uint32_t options = 1 + below(3);
  std::string out = loop ? "do\n" : "if\n";
  for (std::uint32_t i = 0; i < options; ++i) {
    const std::string first = guard(where, with_else);
    const bool stays = loop && where == Where::plain && !chance(40);
    const bool goes_on = chance(65) || first == "skip" || first == "true";
    out += ":: " + first;
    if (goes_on) out += " ->\n" + indented(sequence(1 + below(2), levels, where));
    out += loop && !stays ? ";\n  break\n" : "\n";
  }
  if (with_else && on_.hard == Hard::nested_else && chance(30))
    out += loop ? ":: else -> break\n" : ":: if :: " + comparison() + " -> skip :: else -> skip fi\n";
  else if (with_else)
    out += loop ? ":: else -> break\n" : chance(50) ? ":: else\n" : ":: else -> " + assignment() + "\n";
  return out + (loop ? "od" : "fi");
}

// The first statement of an option. With an else beside it spin calls messages dubious.
std::string Writer::guard(Where where, bool with_else) {
  if (where != Where::d_step && !with_else && chance(8)) return chance(50) ? "skip" : "true";
  const bool dubious = with_else && on_.special && !on_.exclusive && chance(6);
  const bool talks = where != Where::d_step && (!with_else || dubious) && chance(60);
  if (talks)
    if (const std::string said = message(where == Where::atomic || (dubious && on_.hard != Hard::else_meeting));
        !said.empty())
      return said;
  if (on_.hard == Hard::timeout && !with_else && where == Where::plain && chance(50)) return "timeout";
  return condition(!with_else || (!on_.exclusive && chance(30)));
}

std::string Writer::block(const char* word, Where where) {
  const Scope scope(*this);
  std::vector<std::string> inside;
  if (on_.blocks && where != Where::d_step && chance(40)) inside.push_back(declaration());
  if (inside.empty() && on_.d_step && where == Where::d_step && chance(20))
    if (const std::string text = message(!chance(50), true); !text.empty()) inside.push_back(text);
  if (inside.empty() && where == Where::d_step && chance(30)) inside.push_back(condition());
  inside.push_back(sequence(1 + below(3), 1, where));
  if (where == Where::d_step && inside.back().ends_with('}'))
    inside.push_back(assignment());  // spin: no loop at its end
  if (where == Where::atomic && on_.hard == Hard::d_step_inside && chance(60))
    inside.push_back(block("d_step", Where::d_step));
  if (where == Where::atomic && !targets_.empty() && !in_inline_ && chance(10))
    inside.push_back("goto " + one_of(targets_));
  const std::string head = *word == 0 ? "{\n" : fmt::format("{} {{\n", word);
  return head + indented(joined(inside)) + "\n}";
}

std::string Writer::counted_loop(Where where) {
  if (where != Where::d_step && chance(40))
    if (const std::string through = loop_through_messages(); !through.empty()) return through;
  if (where == Where::plain && chance(40)) {
    const Variable* v =
        pick([](const Variable& x) { return is_number(x.type) && x.path.size() == 1 && x.path[0].length == 0; }, true);
    if (v == nullptr || v->is_global) return "";
    const std::uint32_t from = below(2);
    return fmt::format("select ({} : {} .. {})", v->path[0].name, from, from + below(3));
  }
  if (chance(35))
    if (const std::string over = loop_over(); !over.empty()) return over;
  const Scope scope(*this);
  const std::string counter = fresh("i");
  variables_.push_back({{{counter, 0}}, Type::byte, 0, true, false});
  const std::string head = fmt::format("byte {};\nfor ({} : {} .. {})", counter, counter, below(2), 1 + below(2));
  return "{\n" + indented(head + " {\n" + indented(sequence(1 + below(2), 0, where)) + "\n}") + "\n}";
}

// for (m in c); nothing: there are no such messages.
std::string Writer::loop_through_messages() {
  const auto fits = [](const Channel& c, const Record& r) {
    const bool plain = c.send && c.receive && c.is_global && c.capacity > 0;
    return plain && c.fields.size() == 1 && c.fields[0].structure == r.structure && r.path[0].length == 0;
  };
  for (const Channel& c : channels_)
    for (const Record& r : records_)
      if (fits(c, r))
        return fmt::format("for ({} in {}) {{\n{}\n}}", r.path[0].name, received({c.name}), indented(assignment()));
  return "";
}

// for (i in a); nothing: there is no array.
std::string Writer::loop_over() {
  const Scope scope(*this);
  const Variable* a = pick([](const Variable& x) { return x.path.size() == 1 && x.path[0].length > 0; }, false);
  if (a == nullptr) return "";
  const std::string array = a->path[0].name, counter = fresh("i");
  const bool numbers = is_number(a->type);
  variables_.push_back({{{counter, 0}}, Type::byte, 0, true, false});
  const std::string inside = numbers && chance(60)
                                 ? fmt::format("{}[{}] = ({} + {}[{}]) % 3", array, counter, counter, array, counter)
                                 : assignment();
  return "{\n" +
         indented(fmt::format("byte {};\nfor ({} in {}) {{\n{}\n}}", counter, counter, array, indented(inside))) +
         "\n}";
}

std::string Writer::call() {
  if (inlines_.empty() || in_inline_) return "";
  const Inline& called = one_of(inlines_);
  std::string arguments;
  for (const char kind : called.parameters) {
    std::string given = constant();
    if (kind == 'v') {
      const Variable* v = pick([](const Variable& x) { return is_number(x.type) && !is_small(x); }, true);
      if (v == nullptr) return "";
      given = mix_.pan ? fixed_text(v->path) : text(v->path);
    } else if (kind == 'e') {
      given = bounded(1);
    } else {
      given = received({called.channel.name});
    }
    arguments += (arguments.empty() ? "" : ", ") + given;
  }
  return fmt::format("{}({})", called.name, arguments);
}

// What does not come apart.
std::string Writer::hard(int levels) {
  switch (on_.hard) {
    case Hard::unless: {
      const Scope scope(*this);
      return fmt::format("skip;\n{{\n{}\n}} unless {{\n  {} ->\n{}\n}}",
                         indented(sequence(1 + below(2), levels, Where::plain)), condition(false),
                         indented(assignment()));
    }
    case Hard::count: return fmt::format("(_nr_pr {} {})", chance(50) ? "<" : ">", 1 + below(3));
    case Hard::late_run: {
      if (starts_.empty() || running_ > 5) return "";
      ++running_;
      return one_of(starts_);
    }
    case Hard::remote:
      if (places_.empty()) return "";
      return fmt::format("if\n:: {} -> {}\n:: else\nfi", one_of(places_), assignment());
    case Hard::ask_meeting:
      for (const Channel& c : channels_)
        if (c.capacity == 0 && c.ask) return fmt::format("(len({}) == 0)", text(c));
      return "";
    default: return "";
  }
}

// ---- messages

// A send or a receive; nothing: there is no such channel.
std::string Writer::message(bool only_buffers, bool only_receive) {
  std::vector<const Channel*> some;
  const bool sends = !only_receive && chance(50);
  for (const Channel& c : channels_)
    if ((!only_buffers || c.capacity > 0) && (sends ? c.send : c.receive)) some.push_back(&c);
  if (some.empty()) return "";
  const Channel c = *one_of(some);
  return sends ? send(c) : receive(c);
}

std::string Writer::send(const Channel& c) {
  std::vector<std::string> fields;
  for (const Field& f : c.fields) {
    if (f.structure == SIZE_MAX) {
      fields.push_back(value_for(f, c.fields.size() == 1));
      continue;
    }
    std::vector<const Record*> some;
    for (const Record& r : records_)
      if (r.structure == f.structure) some.push_back(&r);
    if (some.empty()) return "skip";
    fields.push_back(text(one_of(some)->path));
  }
  const char* mark = on_.special && c.capacity > 0 && chance(20) ? "!!" : "!";
  const bool head = !is_number(c.fields[0].type) && fields.size() > 1 && chance(50) &&
                    c.fields[0].structure == SIZE_MAX && fields[0].find('[') == std::string::npos;
  if (head) {
    const std::string first = fields[0];
    fields.erase(fields.begin());
    return fmt::format("{}{}{}({})", text(c), mark, first, fmt::join(fields, ","));
  }
  return fmt::format("{}{}{}", text(c), mark, fmt::join(fields, ","));
}

// Nothing: there is no variable for a structure. `anything`: how often _, in per cent.
std::vector<std::string> Writer::patterns(const Channel& c, std::uint32_t anything) {
  std::vector<std::string> out, used;
  for (const Field& f : c.fields) {
    if (f.structure == SIZE_MAX) {
      out.push_back(chance(anything) ? "_" : pattern(f, used));
      continue;
    }
    std::vector<const Record*> some;
    for (const Record& r : records_)
      if (r.structure == f.structure && std::ranges::find(used, r.path[0].name) == used.end()) some.push_back(&r);
    if (some.empty()) return {};
    const Record& r = *one_of(some);
    used.push_back(r.path[0].name);
    out.push_back(received(r.path));
  }
  // When pan backtracks it works eval out again, when what was received has been written.
  const auto depends = [&](const std::string& field) {
    return std::ranges::any_of(used, [&](const std::string& name) { return field.find(name) != std::string::npos; });
  };
  for (std::string& field : out)
    if (mix_.pan && field.starts_with("eval") && depends(field)) field = "_";
  return out;
}

std::string Writer::receive(const Channel& c) {
  const std::vector<std::string> fields = patterns(c, 25);
  if (fields.empty()) return "skip";
  const std::string from = received({c.name});
  if (fields.size() > 1 && !is_number(c.fields[0].type) && c.fields[0].structure == SIZE_MAX && chance(30))
    return fmt::format("{}?{}({})", from, fields[0], fmt::join(fields.begin() + 1, fields.end(), ","));
  const std::string all = fmt::format("{}", fmt::join(fields, ","));
  if (!on_.special || c.capacity == 0 || chance(70)) return fmt::format("{}?{}", from, all);
  switch (below(3)) {
    case 0: return fmt::format("{}{}{}", from, "??", all);
    case 1: return fmt::format("{}?<{}>", from, all);
    default: return fmt::format("{}{}<{}>", from, "??", all);
  }
}

// spin wants no variable twice.
std::string Writer::pattern(const Field& f, std::vector<std::string>& used) {
  const std::uint32_t dice = below(100);
  if (dice < 75) {
    std::vector<const Variable*> some;
    for (const Variable& v : variables_) {
      const bool alike = is_number(v.type) == is_number(f.type) && (is_number(f.type) || v.type == f.type);
      const bool free = !v.read_only && std::ranges::find(used, v.path[0].name) == used.end();
      if (alike && free && (!mix_.pan || fits(f, v))) some.push_back(&v);
    }
    if (!some.empty()) {
      const Variable& v = *one_of(some);
      used.push_back(v.path[0].name);
      return received(v.path);
    }
  }
  if (dice < 88 || !on_.eval) return is_number(f.type) ? fmt::format("{}", below(3)) : mtype_constant(f.type);
  return is_number(f.type) ? fmt::format("eval({})", number(1)) : fmt::format("eval({})", mtype_constant(f.type));
}

}  // namespace surety::random_program
