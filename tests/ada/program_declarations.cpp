// Random Ada programs: which tasks, variables and objects there are, and their declarations.
#include "ada/program_generator.hpp"

namespace surety::random_programs {

Text Generator::program() {
  plan();
  Text out = same("with Gate;\n");
  out.plain.clear();
  out += Text{fmt::format("procedure {} is\n", name_), fmt::format("procedure {}_Run is\n", name_)};
  out += same(kTypes);
  out += shared_variables();
  if (has_object_) out += object_specification();
  for (const TaskType& t : types_) out += task_specification(t);
  if (has_object_) out += object_body();
  for (int i = 0; i < static_cast<int>(subprograms_.size()); ++i) out += subprogram(i);
  for (int i = 0; i < static_cast<int>(types_.size()); ++i) out += task_body(i);
  Context c;
  c.masters = 2;
  c.subprograms = static_cast<int>(subprograms_.size());
  out += body(c, "", random_.below(4), [] { return Text{}; });
  return out + Text{fmt::format("end {};\n", name_), fmt::format("end {}_Run;\n", name_)};
}

void Generator::plan() {
  const std::uint32_t count = 1 + random_.below(3);
  std::uint32_t objects = 0;
  for (std::uint32_t i = 0; i < count && objects < 4; ++i) {
    TaskType t;
    t.name = fmt::format("T{}", i + 1);
    const std::uint32_t entries = random_.below(3) + (i == 0 ? 1 : 0);
    for (std::uint32_t e = 0; e < entries; ++e) t.entries.push_back(entry(fmt::format("E{}", e + 1)));
    const std::uint32_t form = objects < 3 ? random_.below(5) : 0;
    if (form == 3) {
      t.single = false;
      t.discriminant = true;
      t.objects = {t.name + "_A", t.name + "_B"};
    } else if (form == 4) {
      t.single = false;
      t.discriminant = chance(50);
      t.array = t.name + "_S";
      t.objects = {t.array + " (1)", t.array + " (2)"};
    } else {
      t.objects = {t.name};
    }
    objects += static_cast<std::uint32_t>(t.objects.size());
    types_.push_back(std::move(t));
  }
  for (std::uint32_t i = random_.below(4); i > 0; --i) {
    Shared s;
    s.kind = static_cast<Shared::Kind>(std::max<std::uint32_t>(3, random_.below(7)) - 3);
    s.sort = s.kind == Shared::Kind::scalar ? scalar_sort() : Sort::small;
    s.name = fmt::format("X{}", i);
    shared_.push_back(s);
  }
  for (std::uint32_t i = random_.below(3); i > 0; --i) {
    Callable s;
    s.function = chance(50);
    s.name = fmt::format("{}{}", s.function ? "F" : "Q", i);
    s.parameters = parameters(s.function);
    s.result = scalar_sort();
    subprograms_.push_back(s);
  }
  has_object_ = chance(55);
  if (!has_object_) return;
  operations_.push_back({"Put", parameters(false), false, false, false, Sort::small});
  operations_.push_back({"Get", parameters(true), false, true, false, scalar_sort()});
  operations_.push_back({"Take", parameters(false), false, false, true, Sort::small});
  if (chance(40)) operations_.push_back({"Fam", parameters(false), true, false, true, Sort::small});
}

Callable Generator::entry(const std::string& name) {
  Callable out;
  out.name = name;
  out.parameters = parameters(false);
  out.family = chance(15);
  out.entry = true;
  return out;
}

std::vector<Parameter> Generator::parameters(bool only_in) {
  std::vector<Parameter> out;
  const std::uint32_t count = chance(45) ? 0 : 1 + random_.below(2);
  for (std::uint32_t i = 0; i < count; ++i) {
    Parameter p;
    p.name = fmt::format("P{}", i + 1);
    p.sort = scalar_sort();
    p.mode = only_in || chance(50) ? Mode::in : chance(50) ? Mode::out : Mode::in_out;
    out.push_back(p);
  }
  return out;
}

std::string Generator::profile(const std::vector<Parameter>& parameters) {
  std::string out;
  for (const Parameter& p : parameters)
    out += fmt::format("{}{} : {} {}", out.empty() ? " (" : "; ", p.name, mode_name(p.mode), type_name(p.sort));
  return out.empty() ? out : out + ")";
}

std::string Generator::getter(const std::string& name, const std::string& formal, const std::string& slot,
                              const std::string& object, const char* type) {
  return fmt::format(
      "   function Get_{0}{1} return {4} is\n      V : {4};\n   begin\n      Gate.Enter;\n      V := {3};\n"
      "      Gate.Use_Variable ({2}, \"is.\" & Gate.Show ({4}'Image (V)));\n      Gate.Leave;\n      return V;\n"
      "   end Get_{0};\n",
      name, formal.empty() ? "" : " (" + formal + ")", slot, object, type);
}

std::string Generator::setter(const std::string& name, const std::string& formal, const std::string& slot,
                              const std::string& object, const char* type) {
  return fmt::format(
      "   procedure Set_{0} ({1}V : {4}) is\n   begin\n      Gate.Enter;\n      {3} := V;\n"
      "      Gate.Use_Variable ({2}, \"to.\" & Gate.Show ({4}'Image (V)));\n      Gate.Leave;\n   end Set_{0};\n",
      name, formal.empty() ? "" : formal + "; ", slot, object, type);
}

Text Generator::shared_variables() {
  Text out;
  for (const Shared& s : shared_) {
    std::string lower = s.name;
    lower[0] = 'x';
    const auto both = [&](const std::string& name, const std::string& formal, const std::string& slot,
                          const std::string& object, const char* type) {
      out.gated += getter(name, formal, slot, object, type) + setter(name, formal, slot, object, type);
    };
    switch (s.kind) {
      case Shared::Kind::scalar:
        out += same(fmt::format("   {} : {} := {};\n   pragma Volatile ({});\n", s.name, type_name(s.sort),
                                literal(s.sort), s.name));
        both(s.name, "", fmt::format("\"{}\"", lower), s.name, type_name(s.sort));
        break;
      case Shared::Kind::array:
        out +=
            same(fmt::format("   {} : Vec := (0 => {}, others => {});\n", s.name, random_.below(4), random_.below(4)));
        both(s.name, "I : Index", fmt::format("\"{}.\" & Gate.Show (Integer'Image (I))", lower), s.name + " (I)",
             "Small");
        out.gated += fmt::format(
            "   procedure Set_All_{0} (V : Vec) is\n   begin\n      Gate.Enter;\n      {0} := V;\n"
            "      for I in Index loop\n         Gate.Use_Variable (\"{1}.\" & Gate.Show (Integer'Image (I)), "
            "\"to.\" & Gate.Show (Small'Image (V (I))));\n      end loop;\n      Gate.Leave;\n   end Set_All_{0};\n"
            "   function Get_All_{0} return Vec is\n      V : Vec;\n   begin\n      Gate.Enter;\n      V := {0};\n"
            "      for I in Index loop\n         Gate.Use_Variable (\"{1}.\" & Gate.Show (Integer'Image (I)), "
            "\"is.\" & Gate.Show (Small'Image (V (I))));\n      end loop;\n      Gate.Leave;\n      return V;\n"
            "   end Get_All_{0};\n",
            s.name, lower);
        break;
      case Shared::Kind::grid:
        out += same(fmt::format("   {} : Grid := (0 => (others => {}), 1 => (1, 2, others => {}));\n", s.name,
                                random_.below(4), random_.below(4)));
        both(s.name, "I : Integer; J : Index",
             fmt::format("\"{}.\" & Gate.Show (Integer'Image (I)) & \".\" & Gate.Show (Integer'Image (J))", lower),
             s.name + " (I) (J)", "Small");
        break;
      case Shared::Kind::record:
        out += same(fmt::format("   {} : Pair{};\n", s.name, chance(50) ? "" : " := (2, True)"));
        both(s.name + "_A", "", fmt::format("\"{}.a\"", lower), s.name + ".A", "Small");
        both(s.name + "_B", "", fmt::format("\"{}.b\"", lower), s.name + ".B", "Boolean");
        break;
    }
  }
  return out;
}

std::string Generator::shown(const Parameter& p) {
  return fmt::format(" & \".\" & Gate.Show ({}'Image ({}))", type_name(p.sort), p.name);
}

std::string Generator::shown(const std::vector<Parameter>& parameters, bool in) {
  std::string out;
  for (const Parameter& p : parameters)
    if (p.mode != (in ? Mode::out : Mode::in)) out += shown(p);
  return out;
}

Text Generator::object_specification() {
  Text out = same("   protected Obj is\n");
  for (const Callable& o : operations_)
    out += same(fmt::format("      {} {}{}{}{};\n",
                            o.function ? "function"
                            : o.entry  ? "entry"
                                       : "procedure",
                            o.name, o.family ? " (0 .. 1)" : "", profile(o.parameters),
                            o.function ? fmt::format(" return {}", type_name(o.result)) : ""));
  out +=
      same("   private\n      N : Small := 1;\n      B : Boolean := False;\n      C : Colour := Red;\n   end Obj;\n");
  // A turn before an operation whose value is used.
  for (const Callable& o : operations_) {
    if (!o.function) continue;
    std::string actuals;
    for (const Parameter& p : o.parameters) actuals += (actuals.empty() ? " (" : ", ") + p.name;
    out.gated += fmt::format(
        "   function Obj_{0}{1} return {2} is\n   begin\n      Gate.Pass;\n      return Obj.{0}{3};\n   end "
        "Obj_{0};\n",
        o.name, profile(o.parameters), type_name(o.result), actuals.empty() ? "" : actuals + ")");
  }
  return out;
}

Text Generator::object_body() {
  Text out = same("   protected body Obj is\n");
  for (const Callable& o : operations_) {
    Context c;
    c.shared = c.communicate = false;
    const bool read_only = o.function;
    for (const auto& [name, sort] : {std::pair{"N", Sort::small}, {"B", Sort::boolean}, {"C", Sort::colour}})
      c.variables.push_back({name, sort, !read_only});
    if (o.family) c.variables.push_back({"K", Sort::small, false});
    for (const Parameter& p : o.parameters) c.variables.push_back({p.name, p.sort, p.mode != Mode::in});
    out += same(fmt::format("      {} {}{}{}{}",
                            o.function ? "function"
                            : o.entry  ? "entry"
                                       : "procedure",
                            o.name, o.family ? " (for K in 0 .. 1)" : "", profile(o.parameters),
                            o.function ? fmt::format(" return {}", type_name(o.result)) : ""));
    if (o.entry) out += " when " + barrier(o.family);
    out += " is\n";
    const std::string name =
        fmt::format("\"obj.{}\"{}{}", lower(o.name), o.family ? " & \".\" & Gate.Show (Integer'Image (K))" : "",
                    shown(o.parameters, true));
    const std::string who = o.entry ? fmt::format("Gate.By ({}'Caller)", o.name) : "Gate.By";
    out.gated += fmt::format("      Gate_Name : constant String := {};\n", name);
    if (o.function) out.gated += fmt::format("      Gate_Result : {};\n", type_name(o.result));
    std::vector<Variable> more;
    std::vector<std::string> counters;
    c.declared = &more;
    c.counters = &counters;
    Text statements = initial_results(o.parameters);
    if (!o.function || chance(50)) statements += list(c, 2, 2);
    if (o.function) {
      const Text value = expression(o.result, 2, c);
      statements += Text{fmt::format("         return {};\n", value.plain),
                         fmt::format("         Gate_Result := {};\n", value.gated)};
    }
    for (const std::string& counter : counters) out += same(fmt::format("      {} : Integer := 0;\n", counter));
    out += "      begin\n" + Text{"", "      begin\n"} + statements;
    out.gated +=
        fmt::format("         Gate.Act (Gate_Name{}{}, {});\n",
                    o.function ? fmt::format(" & \".\" & Gate.Show ({}'Image (Gate_Result))", type_name(o.result)) : "",
                    shown(o.parameters, false), who);
    if (o.function) out.gated += "         return Gate_Result;\n";
    out.gated += fmt::format(
        "      exception\n         when Oops : others =>\n            Gate.Act (Gate_Name & \".raised.\" & "
        "Gate.Raised "
        "(Oops), {});\n            raise;\n      end;\n",
        who);
    out += same(fmt::format("      end {};\n", o.name));
  }
  return out + "   end Obj;\n";
}

// Of simple comparisons: gnat 12 itself fails where one can raise an exception.
Text Generator::barrier(bool family) {
  const auto one = [&] {
    static const std::vector<const char*> atoms{"N > 0", "B", "not B", "C /= Blue", "C = Red", "N in 1 .. 2", "N < 2"};
    return std::string(family && chance(40) ? "N >= K" : pick(atoms));
  };
  const std::string first = one();
  if (chance(60)) return same(first);
  return same(fmt::format("({}) {} ({})", first, chance(50) ? "and then" : "or", one()));
}

Text Generator::task_specification(const TaskType& t) {
  Text out = same(fmt::format("   task {}{}", t.single ? "" : "type ", t.name));
  if (t.discriminant) out += t.array.empty() ? " (D : Small)" : " (D : Small := Next)";
  if (!t.entries.empty()) {
    out += " is\n";
    for (const Callable& e : t.entries)
      out += same(fmt::format("      entry {}{}{};\n", e.name, e.family ? " (0 .. 1)" : "", profile(e.parameters)));
    out += same(fmt::format("   end {}", t.name));
  }
  out += ";\n";
  if (t.single) return out;
  if (!t.array.empty()) return out + same(fmt::format("   {} : array (1 .. 2) of {};\n", t.array, t.name));
  for (const std::string& object : t.objects)
    out += same(fmt::format("   {} : {} ({});\n", object, t.name, random_.below(4)));
  return out;
}

Text Generator::task_body(int number) {
  const TaskType& t = types_[static_cast<std::size_t>(number)];
  Context c;
  c.task = number;
  c.accept = true;
  c.masters = 2;
  c.subprograms = static_cast<int>(subprograms_.size());
  if (t.discriminant) c.variables.push_back({"D", Sort::small, false});
  const Text head = same(fmt::format("   task body {} is\n", t.name));
  const bool server = !t.entries.empty() && chance(50);
  return head +
         body(
             c, "   ", 2 + random_.below(4), [] { return Text{}; }, server) +
         same(fmt::format("   end {};\n", t.name));
}

Text Generator::subprogram(int number) {
  const Callable& s = subprograms_[static_cast<std::size_t>(number)];
  Context c;
  c.subprograms = number;
  c.in_function = s.function;
  c.in_procedure = !s.function;
  c.result = s.result;
  for (const Parameter& p : s.parameters) c.variables.push_back({p.name, p.sort, p.mode != Mode::in});
  std::vector<Variable> declared;
  std::vector<std::string> counters;
  c.declared = &declared;
  c.counters = &counters;
  Text declarations = locals(c, 1);
  Text statements = initial_results(s.parameters) + list(c, 1 + random_.below(2), 2);
  if (s.function) statements += "      return " + expression(s.result, 2, c) + ";\n";
  for (const std::string& counter : counters) declarations += same(fmt::format("      {} : Integer := 0;\n", counter));
  return same(fmt::format("   {} {}{}{} is\n", s.function ? "function" : "procedure", s.name, profile(s.parameters),
                          s.function ? fmt::format(" return {}", type_name(s.result)) : "")) +
         declarations + "   begin\n" + statements + same(fmt::format("   end {};\n", s.name));
}

Text Generator::initial_results(const std::vector<Parameter>& parameters) {
  Text out;
  for (const Parameter& p : parameters)
    if (p.mode == Mode::out) out += same(fmt::format("         {} := {};\n", p.name, literal(p.sort)));
  return out;
}

Text Generator::locals(Context& c, std::uint32_t least) {
  Text out;
  for (std::uint32_t i = least + random_.below(3); i > 0; --i) {
    const Sort sort = static_cast<Sort>(random_.below(6));
    const std::string name = fresh("L");
    Text value = same(literal(sort));
    if (chance(20) && sort != Sort::vector && sort != Sort::pair) {
      Context pure = c;
      pure.shared = pure.communicate = false;
      pure.subprograms = 0;
      value = same(literal(sort));
    }
    out += same(fmt::format("      {} : {} := ", name, type_name(sort))) + value + ";\n";
    c.variables.push_back({name, sort, true});
  }
  return out;
}

// Declarations and statements of a task or the main procedure; its death is written down.
Text Generator::body(Context& c, const std::string& /*margin*/, std::uint32_t count,
                     const std::function<Text()>& /*more*/, bool server) {
  std::vector<Variable> declared;
  std::vector<std::string> counters;
  c.declared = &declared;
  c.counters = &counters;
  Text declarations = locals(c, 1);
  Text statements = server ? serve(c) : Text{};
  if (!server || chance(30)) statements += list(c, count, 3);
  const Text handlers = chance(15) ? exception_handlers(c, 2) : Text{};
  for (const std::string& counter : counters) declarations += same(fmt::format("      {} : Integer := 0;\n", counter));
  return declarations + "   begin\n" + Text{"", "      begin\n"} + statements + handlers +
         Text{"",
              "      end;\n   exception\n      when Oops : others =>\n         Gate.Enter;\n         Gate.Fails "
              "(Oops);\n         Gate.Leave;\n"};
}

Text Generator::serve(Context& c) {
  const std::string loop = fresh("I");
  Context inside = c;
  inside.variables.push_back({loop, Sort::small, false});
  Text alternatives = selective(inside, 3, true);
  return same(fmt::format("      for {} in 0 .. {} loop\n", loop, 1 + random_.below(2))) + alternatives +
         "      end loop;\n";
}

}  // namespace surety::random_programs
