// Random Ada programs: calls, accept and select statements.
#include "ada/program_generator.hpp"

namespace surety::random_programs {

// The value of a parameter after these. Gnat evaluates them from right to left: if others see one, the rest are
// literals.
Text Generator::next_argument(const Text& before, Sort sort, int depth, const Context& c) {
  if (before.plain.empty()) return expression(sort, depth, c);
  return is_seen(before) ? same(leaf(sort)) : expression(sort, depth, quiet(c));
}

Generator::Arguments Generator::arguments(const std::vector<Parameter>& parameters, const Context& c) {
  Arguments out;
  const char* separator = " (";
  for (const Parameter& p : parameters) {
    if (p.mode == Mode::in) {
      out.text += separator + next_argument(out.text, p.sort, 2, c);
    } else {
      out.text += separator + result(p, c, out);
    }
    separator = ", ";
  }
  if (!parameters.empty()) out.text += ")";
  return out;
}

// A variable that takes a result.
Text Generator::result(const Parameter& p, const Context& c, Arguments& out) {
  if (c.shared && chance(50) && (p.mode == Mode::out || out.text.plain.empty()))
    for (const Shared& s : shared_) {
      std::string plain, accessor;
      if (s.kind == Shared::Kind::scalar && s.sort == p.sort) {
        plain = s.name;
        accessor = s.name + " (";
      } else if (s.kind == Shared::Kind::record && p.sort == Sort::small) {
        plain = s.name + ".A";
        accessor = s.name + "_A (";
      } else if (s.kind == Shared::Kind::array && p.sort == Sort::small) {
        plain = s.name + " (1)";
        accessor = s.name + " (1, ";
      } else {
        continue;
      }
      const std::string name = fresh("Gate_Out");
      std::string get = accessor.ends_with("(") ? accessor.substr(0, accessor.size() - 2) : s.name + " (1)";
      out.before += fmt::format("            {} : {}{};\n", name, type_name(p.sort),
                                p.mode == Mode::in_out ? " := Get_" + get : "");
      out.after += fmt::format("         Set_{}{});\n", accessor, name);
      return {plain, name};
    }
  for (const Variable& v : c.variables)
    if (v.writable && v.sort == p.sort && out.text.plain.find(v.name) == std::string::npos) return same(v.name);
  // None that fits: a new one, around the call.
  const std::string name = fresh("Gate_Own");
  own_ += fmt::format("            {} : {} := {};\n", name, type_name(p.sort), literal(p.sort));
  return same(name);
}

// A call in the middle: what is declared for it goes around.
Text Generator::around(const Arguments& a, const std::function<Text()>& inner) {
  const std::string own = std::exchange(own_, "");
  Text out = inner();
  if (own.empty() && a.before.empty()) return out;
  return Text{own.empty() ? "" : "         declare\n" + own + "         begin\n",
              "         declare\n" + own + a.before + "         begin\n"} +
         out + Text{own.empty() ? "" : "         end;\n", "         end;\n"};
}

bool Generator::target(const Context& c, Target& out) {
  std::vector<Target> found;
  for (int i = 0; i < static_cast<int>(types_.size()); ++i) {
    const TaskType& t = types_[static_cast<std::size_t>(i)];
    if (i == c.task) continue;
    for (const Callable& e : t.entries) {
      for (const std::string& object : t.objects) found.push_back({same(object + "." + e.name), &e});
      if (!t.array.empty())
        found.push_back(
            {same(t.array + " (") + expression(Sort::small, 1, quiet(c)) + same(" mod 2 + 1)." + e.name), &e});
    }
  }
  if (has_object_)
    for (const Callable& o : operations_)
      if (o.entry) found.push_back({same("Obj." + o.name), &o});
  if (found.empty()) return false;
  out = pick(found);
  if (out.entry->family) out.name = out.name + " (" + family_index(c) + ")";
  return true;
}

Text Generator::family_index(const Context& c) {
  if (chance(50)) return same(std::to_string(random_.below(2)));
  return expression(Sort::small, 1, quiet(c)) + " mod 2";
}

Text Generator::call(const Context& c, int depth) {
  Target to;
  if (!target(c, to)) return assignment(c);
  const Arguments a = arguments(to.entry->parameters, c);
  return around(a, [&]() -> Text {
    const Text statement = to.name + a.text + ";\n";
    if (depth <= 0 || !chance(30))
      return Text{"", "         Gate.Pass;\n"} + "         " + statement + Text{"", a.after};
    Text out = Text{"", "         Gate.Pass;\n"} + "         select\n            " + statement + Text{"", a.after};
    if (chance(50)) out += some(c, depth - 1);
    if (chance(50))
      return out + "         else\n" + Text{"", "            Gate.Pass;\n"} + some(c, depth - 1) +
             "         end select;\n";
    return out + "         or\n            delay 0.0006;\n" + some(c, depth - 1) + "         end select;\n";
  });
}

Text Generator::procedure(const Context& c) {
  for (int i = 0; i < c.subprograms; ++i) {
    const Callable& s = subprograms_[static_cast<std::size_t>(i)];
    if (s.function) continue;
    const Arguments a = arguments(s.parameters, c);
    return around(a, [&] { return "         " + same(s.name) + a.text + ";\n" + Text{"", a.after}; });
  }
  return assignment(c);
}

Text Generator::operation(const Context& c) {
  const Callable& o = operations_[0];
  const Arguments a = arguments(o.parameters, c);
  return around(a, [&] {
    return Text{"", "         Gate.Pass;\n"} + "         " + same("Obj." + o.name) + a.text + ";\n" + Text{"", a.after};
  });
}

bool Generator::acceptable(const Context& c, const Callable*& out) {
  std::vector<const Callable*> found;
  for (const Callable& e : types_[static_cast<std::size_t>(c.task)].entries)
    if (!c.accepting.contains(e.name)) found.push_back(&e);
  if (found.empty()) return false;
  out = pick(found);
  return true;
}

Text Generator::accept(const Callable& e, const Context& c, int depth) {
  const std::string formals = profile(e.parameters);
  Text head = same("         accept " + e.name);
  std::string family;
  if (e.family) {
    const std::string literal = std::to_string(random_.below(2));
    head += same(fmt::format(" ({})", literal));
    family = "." + literal;
  }
  head += same(formals);
  Context inside = c;
  inside.accepting.insert(e.name);
  inside.loops.clear();
  bool results = false;
  for (const Parameter& p : e.parameters) {
    inside.variables.push_back({p.name, p.sort, p.mode != Mode::in});
    results = results || p.mode != Mode::in;
  }
  // Formals hide variables of the same name.
  for (const Parameter& p : e.parameters)
    std::erase_if(inside.variables, [&](const Variable& v) {
      return v.name == p.name && &v < &inside.variables[inside.variables.size() - e.parameters.size()];
    });
  const bool bare = !results && chance(40);
  const Text inner = bare ? Text{} : initial_results(e.parameters) + some(inside, std::min(depth, 1));
  const std::string who = fmt::format("Gate.From ({}'Caller)", e.name);
  const auto act = [&](const std::string& what) {
    return fmt::format("            Gate.Enter;\n            Gate.Act ({}, {});\n            Gate.Leave;\n", what, who);
  };
  const std::string name = fmt::format("Gate.Me & \".{}{}\"", lower(e.name), family);
  Text out = head;
  if (bare)
    out.plain += ";\n";
  else
    out.plain += fmt::format(" do\n{}         end {};\n", inner.plain, e.name);
  out.gated += " do\n         begin\n" + act(name + shown(e.parameters, true)) + inner.gated +
               act(name + " & \".end\"" + shown(e.parameters, false)) +
               "         exception\n            when Oops : others =>\n" +
               act(name + " & \".raised.\" & Gate.Raised (Oops)") + "            raise;\n         end;\n" +
               fmt::format("         end {};\n", e.name);
  return out;
}

Text Generator::plain_accept(const Context& c, int depth) {
  const Callable* e = nullptr;
  if (!acceptable(c, e)) return event(c);
  return accept(*e, c, depth - 1);
}

// Gnat evaluates some guards before those in front of them: others see the first at most, and then no other can fail.
Text Generator::guard(Text& before, const Context& c) {
  const Text out = expression(Sort::boolean, is_seen(before) ? 0 : 2, before.plain.empty() ? c : quiet(c));
  before += out;
  return out;
}

Text Generator::selective(const Context& c, int depth, bool server) {
  Text out = Text{"", "         Gate.Pass;\n"} + "         select\n";
  std::uint32_t count = 1 + random_.below(3);
  bool guarded = true;
  Text guards;
  for (std::uint32_t i = 0; i < count; ++i) {
    const Callable* e = nullptr;
    if (!acceptable(c, e)) return event(c);
    if (i > 0) out += "         or\n";
    if (chance(35))
      out += "         when " + guard(guards, c) + " =>\n";
    else
      guarded = false;
    out += accept(*e, c, depth - 1);
    if (chance(40)) out += list(c, 1, depth - 1);
  }
  const std::uint32_t last = random_.below(server ? 6 : 8);
  if (last < 3 && (server || c.accepting.empty()))
    out += "         or\n            terminate;\n";
  else if (last == 3)
    out += "         or\n            delay 0.0008;\n" + list(c, 1, depth - 1);
  else if (last == 4 || guarded)
    out += "         else\n" + Text{"", "            Gate.Pass;\n"} + list(c, 1, depth - 1);
  return out + "         end select;\n";
}

std::string Generator::lower(std::string text) {
  for (char& ch : text) ch = static_cast<char>(std::tolower(static_cast<unsigned char>(ch)));
  return text;
}

}  // namespace surety::random_programs
