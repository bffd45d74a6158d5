// Random Ada programs: statements that no other task is needed for.
#include "ada/program_generator.hpp"

namespace surety::random_programs {

Text Generator::list(const Context& c, std::uint32_t count, int depth) {
  Text out;
  for (std::uint32_t i = 0; i < count; ++i) out += statement(c, depth);
  if (out.plain.empty()) out += "         null;\n";
  return out;
}

Text Generator::statement(const Context& c, int depth) {
  const std::uint32_t what = random_.below(100);
  if (depth > 0) {
    if (what < 8) return conditional(c, depth);
    if (what < 12) return selection(c, depth);
    if (what < 18) return loop(c, depth);
    if (what < 24) return block(c, depth);
  }
  if (what >= 24 && what < 42 && !c.helpers.empty() && chance(60))
    return Text{"", "         Gate.Pass;\n"} + same(fmt::format("         {}.G;\n", pick(c.helpers)));
  if (what >= 24 && what < 42 && c.communicate) return call(c, depth);
  if (what >= 42 && what < 56 && c.accept)
    return depth > 0 && chance(60) ? selective(c, depth, false) : plain_accept(c, depth);
  if (what >= 56 && what < 62 && c.communicate) return event(c);
  if (what >= 62 && what < 66 && c.subprograms > 0) return procedure(c);
  if (what >= 66 && what < 70 && c.communicate && has_object_) return operation(c);
  if (what >= 70 && what < 73 && !c.loops.empty())
    return same(fmt::format("         exit {} when ", pick(c.loops))) + expression(Sort::boolean, 2, c) + ";\n";
  if (what >= 73 && what < 76) return failing(c);
  if (what == 76 && c.communicate) return same("         delay 0.0003;\n");
  if (what >= 77 && what < 79 && c.communicate)
    return "         pragma Assert (" + assertion(c) + ");\n         null;\n";
  if (what == 79 && depth > 1) return skip(c, depth);
  return assignment(c);
}

Text Generator::assertion(const Context& c) {
  return chance(60) ? expression(Sort::boolean, 1, c) + " or else True" : expression(Sort::boolean, 2, c);
}

// A label that is jumped to from before it.
Text Generator::skip(const Context& c, int depth) {
  const std::string label = fresh("Label");
  return "         if " + expression(Sort::boolean, 1, c) + same(fmt::format(" then goto {}; end if;\n", label)) +
         some(c, depth - 2) + same(fmt::format("         <<{}>> null;\n", label));
}

Text Generator::failing(const Context& c) {
  if (c.handler && chance(50)) return same("         raise;\n");
  if (c.in_procedure && chance(50)) return "         if " + expression(Sort::boolean, 1, c) + " then return; end if;\n";
  if (c.in_function && chance(60))
    return "         if " + expression(Sort::boolean, 1, c) + " then return " + expression(c.result, 1, c) +
           "; end if;\n";
  return "         if " + expression(Sort::boolean, 1, c) +
         same(fmt::format(" then raise {}; end if;\n", chance(70) ? "My_Error" : "Constraint_Error"));
}

Text Generator::conditional(const Context& c, int depth) {
  Text out = "         if " + expression(Sort::boolean, 2, c) + " then\n" + some(c, depth - 1);
  if (chance(30)) out += "         elsif " + expression(Sort::boolean, 2, c) + " then\n" + some(c, depth - 1);
  if (chance(60)) out += "         else\n" + some(c, depth - 1);
  return out + "         end if;\n";
}

Text Generator::selection(const Context& c, int depth) {
  if (chance(50))
    return "         case " + small_operand(2, c) + " is\n         when 0 =>\n" + some(c, depth - 1) +
           "         when 1 .. 2 =>\n" + some(c, depth - 1) + "         when others =>\n" + some(c, depth - 1) +
           "         end case;\n";
  return "         case Colour'(" + expression(Sort::colour, 2, c) + ") is\n         when Red | Blue =>\n" +
         some(c, depth - 1) + "         when Green =>\n" + some(c, depth - 1) + "         end case;\n";
}

Text Generator::loop(const Context& c, int depth) {
  const std::string name = fresh("Loop_");
  Context inside = c;
  inside.loops.push_back(name);
  if (chance(35) && c.counters != nullptr) {
    const std::string counter = fresh("N");
    c.counters->push_back(counter);
    return same(fmt::format("         {} := 0;\n         {} :\n         while {} < {} ", counter, name, counter,
                            1 + random_.below(3))) +
           (chance(50) ? "and then " + expression(Sort::boolean, 2, c) : Text{}) +
           same(fmt::format(" loop\n         {} := {} + 1;\n", counter, counter)) + some(inside, depth - 1) +
           same(fmt::format("         end loop {};\n", name));
  }
  const std::string variable = fresh("I");
  const std::string head = fmt::format("         {} :\n         for {} ", name, variable);
  const std::string end = fmt::format("         end loop {};\n", name);
  for (const Variable& v : c.variables) {
    if (v.sort != Sort::vector || !chance(50)) continue;
    inside.masters = 0;  // a task inside must not use an element that the task around it has chosen
    inside.variables.push_back({variable, Sort::small, v.writable});
    return same(fmt::format("{}of {}{} loop\n", head, chance(25) ? "reverse " : "", v.name)) + some(inside, depth - 1) +
           same(end);
  }
  Text range;
  Sort sort = Sort::small;
  switch (random_.below(5)) {
    case 0: range = same("Vec'Range"); break;
    case 1:
      range = same("Colour range Red .. Green");
      sort = Sort::colour;
      break;
    case 2: range = "0 .. (" + expression(Sort::small, 1, c) + ") mod 3"; break;
    case 3: range = same("Small range 1 .. 2"); break;
    default: range = same(fmt::format("{} .. 2", random_.below(4)));
  }
  inside.variables.push_back({variable, sort, false});
  return same(head + (chance(25) ? "in reverse " : "in ")) + range + " loop\n" + some(inside, depth - 1) + same(end);
}

Text Generator::block(const Context& c, int depth) {
  Context inside = c;
  Text out = same("         declare\n");
  out += locals(inside, 0);
  if (c.masters > 0 && c.communicate && c.declared != nullptr && chance(40)) out += helpers(inside, depth);
  out += "         begin\n" + some(inside, depth - 1);
  if (chance(40)) out += failing(inside);
  if (chance(75)) out += exception_handlers(inside, depth);
  return out + "         end;\n";
}

// Tasks inside of a block. Their declarations may fail, and may read what is shared.
Text Generator::helpers(Context& c, int depth) {
  const std::string outer = fresh("Gate_Outer");
  Text out{"", fmt::format("            {} : constant String := Gate.Me;\n", outer)};
  for (std::uint32_t i = 1 + random_.below(2); i > 0; --i) {
    const std::string name = fresh("Helper");
    const bool entry = chance(60);
    out += same(entry ? fmt::format("         task {0} is\n            entry G;\n         end {0};\n", name)
                      : fmt::format("         task {};\n", name));
    std::vector<Variable> declared;
    std::vector<std::string> counters;
    Context inside;
    inside.subprograms = c.subprograms;
    inside.masters = c.masters - 1;
    inside.declared = &declared;
    inside.counters = &counters;
    Text declarations{
        "", fmt::format("            Gate_Named : constant Boolean := Gate.Named ({}, \"{}\");\n", outer, lower(name))};
    if (chance(40)) {
      const std::string variable = fresh("L");
      declarations +=
          same(fmt::format("            {} : Small := ", variable)) + expression(Sort::small, 2, inside) + ";\n";
      inside.variables.push_back({variable, Sort::small, true});
    }
    declarations += locals(inside, 0);
    Text statements = chance(50) ? some(inside, std::min(depth - 1, 1)) : Text{};
    if (entry) {
      const Text accept{"            accept G;\n",
                        "            accept G do\n               Gate.Enter;\n               Gate.Act (Gate.Me & "
                        "\".g\", Gate.From (G'Caller));\n               Gate.Leave;\n            end G;\n"};
      statements += chance(50) ? accept
                               : Text{"", "            Gate.Pass;\n"} + "            select\n" + accept +
                                     "            or\n               terminate;\n            end select;\n";
    }
    statements += chance(60) ? some(inside, std::min(depth - 1, 1)) : same("            null;\n");
    for (const std::string& counter : counters)
      declarations += same(fmt::format("            {} : Integer := 0;\n", counter));
    out += same(fmt::format("         task body {} is\n", name)) + declarations + "         begin\n" +
           Text{"", "         begin\n"} + statements +
           Text{"",
                "         end;\n         exception\n            when Oops : others =>\n               Gate.Enter;\n"
                "               Gate.Fails (Oops);\n               Gate.Leave;\n"} +
           same(fmt::format("         end {};\n", name));
    if (entry) c.helpers.push_back(name);
  }
  return out;
}

Text Generator::exception_handlers(const Context& c, int depth) {
  Context inside = c;
  inside.handler = true;
  Text out = same("         exception\n");
  bool any = false;
  for (const char* names : {"Constraint_Error", "My_Error | Tasking_Error", "Program_Error", "others"}) {
    if (!chance(45)) continue;
    any = true;
    out += same(fmt::format("         when {} =>\n", names)) + kSettle + some(inside, depth - 1);
  }
  if (!any) out += "         when others =>\n" + Text(kSettle) + some(inside, depth - 1);
  return out;
}

Text Generator::assignment(const Context& c) {
  std::vector<Text> found;
  std::vector<std::function<Text()>> targets;
  for (const Variable& v : c.variables) {
    if (!v.writable) continue;
    targets.push_back(
        [this, &c, v] { return same(fmt::format("         {} := ", v.name)) + expression(v.sort, 3, c) + ";\n"; });
    if (v.sort == Sort::vector)
      targets.push_back([this, &c, v] {
        return same(fmt::format("         {} (", v.name)) + index(1, quiet(c)) +
               ") := " + expression(Sort::small, 2, quiet(c)) + ";\n";
      });
    if (v.sort == Sort::pair)
      targets.push_back([this, &c, v] {
        return same(fmt::format("         {}.A := ", v.name)) + expression(Sort::small, 2, c) + ";\n";
      });
  }
  if (c.shared)
    for (const Shared& s : shared_) {
      targets.push_back([this, &c, s] { return write(s, c); });
      targets.push_back([this, &c, s] { return write(s, c); });
    }
  if (targets.empty()) return same("         null;\n");
  return pick(targets)();
}

// Without anything that others see, so that the order of evaluation does not matter.
Context Generator::quiet(const Context& c) {
  Context out = c;
  out.shared = out.communicate = false;
  out.subprograms = 0;
  out.helpers.clear();
  return out;
}

Text Generator::set(const std::string& plain, const std::string& gated, const Text& value) {
  return {fmt::format("         {} := {};\n", plain, value.plain),
          fmt::format("         {}{});\n", gated, value.gated)};
}

Text Generator::write(const Shared& s, const Context& c) {
  switch (s.kind) {
    case Shared::Kind::scalar: return set(s.name, fmt::format("Set_{} (", s.name), expression(s.sort, 3, c));
    case Shared::Kind::array: {
      if (chance(15)) return whole(s, c);
      const Text i = index(2, c);
      const Text value = is_seen(i) ? same(literal(Sort::small)) : expression(Sort::small, 2, quiet(c));
      return set(fmt::format("{} ({})", s.name, i.plain), fmt::format("Set_{} ({}, ", s.name, i.gated), value);
    }
    case Shared::Kind::grid: {
      const Text i = same(std::to_string(random_.below(2)));
      const Text j = index(1, c);
      const Text value = is_seen(j) ? same(literal(Sort::small)) : expression(Sort::small, 2, quiet(c));
      return set(fmt::format("{} ({}) ({})", s.name, i.plain, j.plain),
                 fmt::format("Set_{} ({}, {}, ", s.name, i.gated, j.gated), value);
    }
    case Shared::Kind::record: {
      if (chance(50)) return set(s.name + ".B", fmt::format("Set_{}_B (", s.name), expression(Sort::boolean, 2, c));
      return set(s.name + ".A", fmt::format("Set_{}_A (", s.name), expression(Sort::small, 2, c));
    }
  }
  return {};
}

Text Generator::whole(const Shared& s, const Context& c) {
  for (const Variable& v : c.variables) {
    if (v.sort != Sort::vector) continue;
    if (v.writable && chance(50))
      return {fmt::format("         {} := {};\n", v.name, s.name),
              fmt::format("         {} := Get_All_{};\n", v.name, s.name)};
    return {fmt::format("         {} := {};\n", s.name, v.name),
            fmt::format("         Set_All_{} ({});\n", s.name, v.name)};
  }
  const Text first = expression(Sort::small, 2, c);
  const Text rest = expression(Sort::small, 1, quiet(c));
  return {fmt::format("         {} := (0 => {}, others => {});\n", s.name, first.plain, rest.plain),
          fmt::format("         Set_All_{} (Vec'(0 => {}, others => {}));\n", s.name, first.gated, rest.gated)};
}

Text Generator::event(const Context& c) {
  const std::string name = fmt::format("ev{}", 1 + random_.below(3));
  if (chance(40))
    return {fmt::format("         pragma Annotate (Surety, Event, \"{}\");\n         null;\n", name),
            fmt::format("         Gate.Enter;\n         Gate.Act (\"{}\", Gate.By);\n         Gate.Leave;\n", name)};
  Text value;
  const Sort sort = scalar_sort();
  if (!variable(sort, 1, c, value)) value = same(literal(sort));
  if (value.plain.size() == 1 || value.plain == "True" || value.plain == "False") value = value + "";
  return {fmt::format("         pragma Annotate (Surety, Event, \"{}\", {});\n         null;\n", name, value.plain),
          fmt::format("         declare\n            Gate_Value : constant {} := {};\n         begin\n"
                      "            Gate.Enter;\n            Gate.Act (\"{}.\" & Gate.Show ({}'Image (Gate_Value)), "
                      "Gate.By);\n            Gate.Leave;\n         end;\n",
                      type_name(sort), value.gated, name, type_name(sort))};
}

}  // namespace surety::random_programs
