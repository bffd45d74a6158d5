#include "ada/programs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.hpp"

namespace surety {
namespace {

using Text = AdaText;

Text same(const std::string& text) { return {text, text}; }
Text operator+(const Text& a, const Text& b) { return {a.plain + b.plain, a.gated + b.gated}; }
Text operator+(const Text& a, const char* b) { return {a.plain + b, a.gated + b}; }
Text operator+(const char* a, const Text& b) { return {a + b.plain, a + b.gated}; }
Text& operator+=(Text& a, const Text& b) { return a = a + b; }
Text& operator+=(Text& a, const char* b) { return a = a + b; }

enum class Sort : std::uint8_t { boolean, small, colour, ring, vector, pair };

const char* type_name(Sort sort) {
  switch (sort) {
    case Sort::boolean: return "Boolean";
    case Sort::small: return "Small";
    case Sort::colour: return "Colour";
    case Sort::ring: return "Ring";
    case Sort::vector: return "Vec";
    case Sort::pair: return "Pair";
  }
  return "";
}

enum class Mode : std::uint8_t { in, out, in_out };

const char* mode_name(Mode mode) { return mode == Mode::in ? "in" : mode == Mode::out ? "out" : "in out"; }

struct Variable {
  std::string name;
  Sort sort = Sort::small;
  bool writable = true;
};

struct Parameter {
  std::string name;
  Sort sort = Sort::small;
  Mode mode = Mode::in;
};

struct Callable {  // an entry, a subprogram, a protected operation
  std::string name;
  std::vector<Parameter> parameters;
  bool family = false;
  bool function = false;
  bool entry = false;
  Sort result = Sort::small;
};

struct TaskType {
  std::string name;
  std::vector<Callable> entries;
  bool single = true, discriminant = false;
  std::vector<std::string> objects;  // names in calls: T1, Ws (1)
  std::string array;                 // its name, if there is one
};

struct Shared {
  enum class Kind : std::uint8_t { scalar, array, grid, record };
  Kind kind = Kind::scalar;
  std::string name;
  Sort sort = Sort::small;
};

// What statements may use where they stand.
struct Context {
  int task = -1;        // in types_; -1: not a task body
  int subprograms = 0;  // how many may be called
  bool shared = true, communicate = true, accept = false, handler = false;
  std::vector<Variable> variables;
  std::vector<std::string> loops, labels;
  std::set<std::string> accepting;
  std::vector<Variable>* declared = nullptr;  // of the body around: more can be added
  std::vector<std::string>* counters = nullptr;
  bool in_function = false, in_procedure = false;
  Sort result = Sort::small;
  int masters = 0;                   // how deep tasks may still be declared inside
  std::vector<std::string> helpers;  // tasks of the blocks around with an entry G, which can be called
};

class Generator {
 public:
  Generator(std::uint64_t seed, std::string name) : random_(seed), name_(std::move(name)) {}

  Text program() {
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

 private:
  static constexpr const char* kTypes = R"(   type Colour is (Red, Green, Blue);
   subtype Small is Integer range 0 .. 3;
   type Ring is mod 4;
   subtype Index is Integer range 0 .. 2;
   type Vec is array (Index) of Small;
   type Grid is array (0 .. 1) of Vec;
   type Pair is record
      A : Small := 1;
      B : Boolean := False;
   end record;
   My_Error : exception;
   function Known (X : Small) return Small is
   begin
      return X;
   end Known;
   K0 : constant Small := Known (0);
   K1 : constant Small := Known (1);
   K2 : constant Small := Known (2);
   K3 : constant Small := Known (3);
   Ids : Integer := 0;
   function Next return Small is
   begin
      Ids := Ids + 1;
      return Ids mod 4;
   end Next;
)";

  // With gnat 12 an entry call soon after one that raised Tasking_Error can return at once, accepted or not.
  inline static const Text kSettle{"", "            delay 0.001;\n"};

  bool chance(std::uint32_t percent) { return random_.chance(percent); }
  template <class T>
  const T& pick(const std::vector<T>& from) {
    return from[random_.below(static_cast<std::uint32_t>(from.size()))];
  }
  Sort scalar_sort() { return static_cast<Sort>(random_.below(4)); }
  std::string fresh(const char* stem) { return fmt::format("{}{}", stem, ++names_); }

  // ---- what there is

  void plan() {
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

  Callable entry(const std::string& name) {
    Callable out;
    out.name = name;
    out.parameters = parameters(false);
    out.family = chance(15);
    out.entry = true;
    return out;
  }

  std::vector<Parameter> parameters(bool only_in) {
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

  static std::string profile(const std::vector<Parameter>& parameters) {
    std::string out;
    for (const Parameter& p : parameters)
      out += fmt::format("{}{} : {} {}", out.empty() ? " (" : "; ", p.name, mode_name(p.mode), type_name(p.sort));
    return out.empty() ? out : out + ")";
  }

  // ---- declarations

  static std::string getter(const std::string& name, const std::string& formal, const std::string& slot,
                            const std::string& object, const char* type) {
    return fmt::format(
        "   function Get_{0}{1} return {4} is\n      V : {4};\n   begin\n      Gate.Enter;\n      V := {3};\n"
        "      Gate.Use_Variable ({2}, \"is.\" & Gate.Show ({4}'Image (V)));\n      Gate.Leave;\n      return V;\n"
        "   end Get_{0};\n",
        name, formal.empty() ? "" : " (" + formal + ")", slot, object, type);
  }
  static std::string setter(const std::string& name, const std::string& formal, const std::string& slot,
                            const std::string& object, const char* type) {
    return fmt::format(
        "   procedure Set_{0} ({1}V : {4}) is\n   begin\n      Gate.Enter;\n      {3} := V;\n"
        "      Gate.Use_Variable ({2}, \"to.\" & Gate.Show ({4}'Image (V)));\n      Gate.Leave;\n   end Set_{0};\n",
        name, formal.empty() ? "" : formal + "; ", slot, object, type);
  }

  Text shared_variables() {
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
          out += same(
              fmt::format("   {} : Vec := (0 => {}, others => {});\n", s.name, random_.below(4), random_.below(4)));
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

  std::string shown(const Parameter& p) {
    return fmt::format(" & \".\" & Gate.Show ({}'Image ({}))", type_name(p.sort), p.name);
  }
  std::string shown(const std::vector<Parameter>& parameters, bool in) {
    std::string out;
    for (const Parameter& p : parameters)
      if (p.mode != (in ? Mode::out : Mode::in)) out += shown(p);
    return out;
  }

  Text object_specification() {
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

  Text object_body() {
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
      out.gated += fmt::format(
          "         Gate.Act (Gate_Name{}{}, {});\n",
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
  Text barrier(bool family) {
    const auto one = [&] {
      static const std::vector<const char*> atoms{"N > 0",   "B",           "not B", "C /= Blue",
                                                  "C = Red", "N in 1 .. 2", "N < 2"};
      return std::string(family && chance(40) ? "N >= K" : pick(atoms));
    };
    const std::string first = one();
    if (chance(60)) return same(first);
    return same(fmt::format("({}) {} ({})", first, chance(50) ? "and then" : "or", one()));
  }

  Text task_specification(const TaskType& t) {
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

  Text task_body(int number) {
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

  Text subprogram(int number) {
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
    for (const std::string& counter : counters)
      declarations += same(fmt::format("      {} : Integer := 0;\n", counter));
    return same(fmt::format("   {} {}{}{} is\n", s.function ? "function" : "procedure", s.name, profile(s.parameters),
                            s.function ? fmt::format(" return {}", type_name(s.result)) : "")) +
           declarations + "   begin\n" + statements + same(fmt::format("   end {};\n", s.name));
  }

  Text initial_results(const std::vector<Parameter>& parameters) {
    Text out;
    for (const Parameter& p : parameters)
      if (p.mode == Mode::out) out += same(fmt::format("         {} := {};\n", p.name, literal(p.sort)));
    return out;
  }

  Text locals(Context& c, std::uint32_t least) {
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
  Text body(Context& c, const std::string& /*margin*/, std::uint32_t count, const std::function<Text()>& /*more*/,
            bool server = false) {
    std::vector<Variable> declared;
    std::vector<std::string> counters;
    c.declared = &declared;
    c.counters = &counters;
    Text declarations = locals(c, 1);
    Text statements = server ? serve(c) : Text{};
    if (!server || chance(30)) statements += list(c, count, 3);
    const Text handlers = chance(15) ? exception_handlers(c, 2) : Text{};
    for (const std::string& counter : counters)
      declarations += same(fmt::format("      {} : Integer := 0;\n", counter));
    return declarations + "   begin\n" + Text{"", "      begin\n"} + statements + handlers +
           Text{"",
                "      end;\n   exception\n      when Oops : others =>\n         Gate.Enter;\n         Gate.Fails "
                "(Oops);\n         Gate.Leave;\n"};
  }

  Text serve(Context& c) {
    const std::string loop = fresh("I");
    Context inside = c;
    inside.variables.push_back({loop, Sort::small, false});
    Text alternatives = selective(inside, 3, true);
    return same(fmt::format("      for {} in 0 .. {} loop\n", loop, 1 + random_.below(2))) + alternatives +
           "      end loop;\n";
  }

  // ---- expressions

  std::string literal(Sort sort) {
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
  std::string leaf(Sort sort) {
    if (sort == Sort::small) return "K" + literal(sort);
    if (sort == Sort::ring) return "Ring'(" + literal(sort) + ")";
    return literal(sort);
  }

  // An index 0 .. 2; now and then it may be 3.
  Text index(int depth, const Context& c) {
    if (chance(40)) return same(std::to_string(random_.below(3)));
    const Text value = expression(Sort::small, depth - 1, c);
    return chance(85) ? value + " mod 3" : value;
  }

  // A variable, an element or a field of this sort, to read.
  bool variable(Sort sort, int depth, const Context& c, Text& out) {
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
  bool function(Sort sort, int depth, const Context& c, Text& out) {
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

  Text expression(Sort sort, int depth, const Context& c) {
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
  Text operand_after(const Text& left, Sort sort, int depth, const Context& c) {
    if (!is_seen(left)) return expression(sort, depth, c);
    return expression(sort, 0, is_conditional(left) ? quiet(c) : c);
  }
  static bool is_seen(const Text& text) {
    return text.plain != text.gated || text.plain.find("F1") != std::string::npos ||
           text.plain.find("F2") != std::string::npos;
  }
  static bool is_conditional(const Text& text) {
    for (const char* word : {"(if ", "(case ", " then ", " else ", "**", " (Get_", " (F"})
      if (text.gated.find(word) != std::string::npos) return true;
    return false;
  }
  Text two(Sort sort, const char* op, int depth, const Context& c) {
    const Text left = expression(sort, depth - 1, c);
    const bool forced = std::string_view(op).find(" then ") != std::string_view::npos ||
                        std::string_view(op).find(" else ") != std::string_view::npos;
    return left + op + (forced ? expression(sort, depth - 1, c) : operand_after(left, sort, depth - 1, c));
  }

  Text truth(int depth, const Context& c) {
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
  Text number(int depth, const Context& c) {
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

  Text colour(int depth, const Context& c) {
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

  Text small_operand(int depth, const Context& c) { return "Small'(" + expression(Sort::small, depth - 1, c) + ")"; }

  Text ring(int depth, const Context& c) {
    static const std::vector<const char*> operators{" + ", " - ", " * ", " and ", " or ", " xor "};
    if (chance(15)) return "Ring'(not " + expression(Sort::ring, depth - 1, c) + ")";
    if (chance(20)) return "Ring (" + expression(Sort::small, depth - 1, c) + ")";
    return "(" + two(Sort::ring, pick(operators), depth, c) + ")";
  }

  // ---- statements

  Text list(const Context& c, std::uint32_t count, int depth) {
    Text out;
    for (std::uint32_t i = 0; i < count; ++i) out += statement(c, depth);
    if (out.plain.empty()) out += "         null;\n";
    return out;
  }
  Text some(const Context& c, int depth) { return list(c, 1 + random_.below(2), depth); }

  Text statement(const Context& c, int depth) {
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

  Text assertion(const Context& c) {
    return chance(60) ? expression(Sort::boolean, 1, c) + " or else True" : expression(Sort::boolean, 2, c);
  }

  // A label that is jumped to from before it.
  Text skip(const Context& c, int depth) {
    const std::string label = fresh("Label");
    return "         if " + expression(Sort::boolean, 1, c) + same(fmt::format(" then goto {}; end if;\n", label)) +
           some(c, depth - 2) + same(fmt::format("         <<{}>> null;\n", label));
  }

  Text failing(const Context& c) {
    if (c.handler && chance(50)) return same("         raise;\n");
    if (c.in_procedure && chance(50))
      return "         if " + expression(Sort::boolean, 1, c) + " then return; end if;\n";
    if (c.in_function && chance(60))
      return "         if " + expression(Sort::boolean, 1, c) + " then return " + expression(c.result, 1, c) +
             "; end if;\n";
    return "         if " + expression(Sort::boolean, 1, c) +
           same(fmt::format(" then raise {}; end if;\n", chance(70) ? "My_Error" : "Constraint_Error"));
  }

  Text conditional(const Context& c, int depth) {
    Text out = "         if " + expression(Sort::boolean, 2, c) + " then\n" + some(c, depth - 1);
    if (chance(30)) out += "         elsif " + expression(Sort::boolean, 2, c) + " then\n" + some(c, depth - 1);
    if (chance(60)) out += "         else\n" + some(c, depth - 1);
    return out + "         end if;\n";
  }

  Text selection(const Context& c, int depth) {
    if (chance(50))
      return "         case " + small_operand(2, c) + " is\n         when 0 =>\n" + some(c, depth - 1) +
             "         when 1 .. 2 =>\n" + some(c, depth - 1) + "         when others =>\n" + some(c, depth - 1) +
             "         end case;\n";
    return "         case Colour'(" + expression(Sort::colour, 2, c) + ") is\n         when Red | Blue =>\n" +
           some(c, depth - 1) + "         when Green =>\n" + some(c, depth - 1) + "         end case;\n";
  }

  Text loop(const Context& c, int depth) {
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
    return same(fmt::format("         {} :\n         for {} in {}", name, variable, chance(25) ? "reverse " : "")) +
           range + " loop\n" + some(inside, depth - 1) + same(fmt::format("         end loop {};\n", name));
  }

  Text block(const Context& c, int depth) {
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
  Text helpers(Context& c, int depth) {
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
      Text declarations{"", fmt::format("            Gate_Named : constant Boolean := Gate.Named ({}, \"{}\");\n",
                                        outer, lower(name))};
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

  Text exception_handlers(const Context& c, int depth) {
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

  Text assignment(const Context& c) {
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
  static Context quiet(const Context& c) {
    Context out = c;
    out.shared = out.communicate = false;
    out.subprograms = 0;
    out.helpers.clear();
    return out;
  }

  static Text set(const std::string& plain, const std::string& gated, const Text& value) {
    return {fmt::format("         {} := {};\n", plain, value.plain),
            fmt::format("         {}{});\n", gated, value.gated)};
  }

  Text write(const Shared& s, const Context& c) {
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

  Text whole(const Shared& s, const Context& c) {
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

  Text event(const Context& c) {
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

  // ---- calls

  // The value of a parameter after these. Gnat evaluates them from right to left: if others see one, the rest are
  // literals.
  Text next_argument(const Text& before, Sort sort, int depth, const Context& c) {
    if (before.plain.empty()) return expression(sort, depth, c);
    return is_seen(before) ? same(leaf(sort)) : expression(sort, depth, quiet(c));
  }

  struct Arguments {
    Text text;                  // in brackets, or nothing
    std::string before, after;  // gated: what shared variables need around the call
  };

  Arguments arguments(const std::vector<Parameter>& parameters, const Context& c) {
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
  Text result(const Parameter& p, const Context& c, Arguments& out) {
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
  Text around(const Arguments& a, const std::function<Text()>& inner) {
    const std::string own = std::exchange(own_, "");
    Text out = inner();
    if (own.empty() && a.before.empty()) return out;
    return Text{own.empty() ? "" : "         declare\n" + own + "         begin\n",
                "         declare\n" + own + a.before + "         begin\n"} +
           out + Text{own.empty() ? "" : "         end;\n", "         end;\n"};
  }

  struct Target {
    Text name;
    const Callable* entry;
  };

  bool target(const Context& c, Target& out) {
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

  Text family_index(const Context& c) {
    if (chance(50)) return same(std::to_string(random_.below(2)));
    return expression(Sort::small, 1, quiet(c)) + " mod 2";
  }

  Text call(const Context& c, int depth) {
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

  Text procedure(const Context& c) {
    for (int i = 0; i < c.subprograms; ++i) {
      const Callable& s = subprograms_[static_cast<std::size_t>(i)];
      if (s.function) continue;
      const Arguments a = arguments(s.parameters, c);
      return around(a, [&] { return "         " + same(s.name) + a.text + ";\n" + Text{"", a.after}; });
    }
    return assignment(c);
  }

  Text operation(const Context& c) {
    const Callable& o = operations_[0];
    const Arguments a = arguments(o.parameters, c);
    return around(a, [&] {
      return Text{"", "         Gate.Pass;\n"} + "         " + same("Obj." + o.name) + a.text + ";\n" +
             Text{"", a.after};
    });
  }

  // ---- accept and select

  bool acceptable(const Context& c, const Callable*& out) {
    std::vector<const Callable*> found;
    for (const Callable& e : types_[static_cast<std::size_t>(c.task)].entries)
      if (!c.accepting.contains(e.name)) found.push_back(&e);
    if (found.empty()) return false;
    out = pick(found);
    return true;
  }

  Text accept(const Callable& e, const Context& c, int depth) {
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
      return fmt::format("            Gate.Enter;\n            Gate.Act ({}, {});\n            Gate.Leave;\n", what,
                         who);
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

  Text plain_accept(const Context& c, int depth) {
    const Callable* e = nullptr;
    if (!acceptable(c, e)) return event(c);
    return accept(*e, c, depth - 1);
  }

  // Gnat evaluates some guards before those in front of them: others see the first at most, and then no other can fail.
  Text guard(Text& before, const Context& c) {
    const Text out = expression(Sort::boolean, is_seen(before) ? 0 : 2, before.plain.empty() ? c : quiet(c));
    before += out;
    return out;
  }

  Text selective(const Context& c, int depth, bool server) {
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

  static std::string lower(std::string text) {
    for (char& ch : text) ch = static_cast<char>(std::tolower(static_cast<unsigned char>(ch)));
    return text;
  }

  Random random_;
  std::string name_;
  int names_ = 0;
  std::vector<TaskType> types_;
  std::vector<Shared> shared_;
  std::vector<Callable> subprograms_, operations_;
  bool has_object_ = false;
  std::string own_;
};

}  // namespace

AdaText random_ada(std::uint64_t seed, const std::string& name) { return Generator(seed, name).program(); }

}  // namespace surety
