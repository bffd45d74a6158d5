// A generator of random Ada programs: what it knows of the program that it writes.
//
// Each piece of text is written twice: plain, and with what tells the scheduler of the tests of each visible step.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "ada/programs.hpp"
#include "base/random.hpp"

namespace surety::random_programs {

using Text = AdaText;

inline Text same(const std::string& text) { return {text, text}; }
inline Text operator+(const Text& a, const Text& b) { return {a.plain + b.plain, a.gated + b.gated}; }
inline Text operator+(const Text& a, const char* b) { return {a.plain + b, a.gated + b}; }
inline Text operator+(const char* a, const Text& b) { return {a + b.plain, a + b.gated}; }
inline Text& operator+=(Text& a, const Text& b) { return a = a + b; }
inline Text& operator+=(Text& a, const char* b) { return a = a + b; }

enum class Sort : std::uint8_t { boolean, small, colour, ring, vector, pair };

inline const char* type_name(Sort sort) {
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

inline const char* mode_name(Mode mode) { return mode == Mode::in ? "in" : mode == Mode::out ? "out" : "in out"; }

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
  Text program();

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
  void plan();
  Callable entry(const std::string& name);
  std::vector<Parameter> parameters(bool only_in);
  static std::string profile(const std::vector<Parameter>& parameters);

  // ---- declarations
  static std::string getter(const std::string& name, const std::string& formal, const std::string& slot,
                            const std::string& object, const char* type);
  static std::string setter(const std::string& name, const std::string& formal, const std::string& slot,
                            const std::string& object, const char* type);
  Text shared_variables();
  std::string shown(const Parameter& p);
  std::string shown(const std::vector<Parameter>& parameters, bool in);
  Text object_specification();
  Text object_body();
  Text barrier(bool family);
  Text task_specification(const TaskType& t);
  Text task_body(int number);
  Text subprogram(int number);
  Text initial_results(const std::vector<Parameter>& parameters);
  Text locals(Context& c, std::uint32_t least);
  Text body(Context& c, const std::string& /*margin*/, std::uint32_t count, const std::function<Text()>& /*more*/,
            bool server = false);
  Text serve(Context& c);

  // ---- expressions
  std::string literal(Sort sort);
  std::string leaf(Sort sort);
  Text index(int depth, const Context& c);
  bool variable(Sort sort, int depth, const Context& c, Text& out);
  bool function(Sort sort, int depth, const Context& c, Text& out);
  Text expression(Sort sort, int depth, const Context& c);
  Text operand_after(const Text& left, Sort sort, int depth, const Context& c);
  static bool is_seen(const Text& text);
  static bool is_conditional(const Text& text);
  Text two(Sort sort, const char* op, int depth, const Context& c);
  Text truth(int depth, const Context& c);
  Text number(int depth, const Context& c);
  Text colour(int depth, const Context& c);
  Text small_operand(int depth, const Context& c) { return "Small'(" + expression(Sort::small, depth - 1, c) + ")"; }
  Text ring(int depth, const Context& c);

  // ---- statements
  Text list(const Context& c, std::uint32_t count, int depth);
  Text some(const Context& c, int depth) { return list(c, 1 + random_.below(2), depth); }
  Text statement(const Context& c, int depth);
  Text assertion(const Context& c);
  Text skip(const Context& c, int depth);
  Text failing(const Context& c);
  Text conditional(const Context& c, int depth);
  Text selection(const Context& c, int depth);
  Text loop(const Context& c, int depth);
  Text block(const Context& c, int depth);
  Text helpers(Context& c, int depth);
  Text exception_handlers(const Context& c, int depth);
  Text assignment(const Context& c);
  static Context quiet(const Context& c);
  static Text set(const std::string& plain, const std::string& gated, const Text& value);
  Text write(const Shared& s, const Context& c);
  Text whole(const Shared& s, const Context& c);
  Text event(const Context& c);

  // ---- calls
  Text next_argument(const Text& before, Sort sort, int depth, const Context& c);
  struct Arguments {
    Text text;                  // in brackets, or nothing
    std::string before, after;  // gated: what shared variables need around the call
  };
  Arguments arguments(const std::vector<Parameter>& parameters, const Context& c);
  Text result(const Parameter& p, const Context& c, Arguments& out);
  Text around(const Arguments& a, const std::function<Text()>& inner);
  struct Target {
    Text name;
    const Callable* entry;
  };
  bool target(const Context& c, Target& out);
  Text family_index(const Context& c);
  Text call(const Context& c, int depth);
  Text procedure(const Context& c);
  Text operation(const Context& c);

  // ---- accept and select
  bool acceptable(const Context& c, const Callable*& out);
  Text accept(const Callable& e, const Context& c, int depth);
  Text plain_accept(const Context& c, int depth);
  Text guard(Text& before, const Context& c);
  Text selective(const Context& c, int depth, bool server);
  static std::string lower(std::string text);
  Random random_;
  std::string name_;
  int names_ = 0;
  std::vector<TaskType> types_;
  std::vector<Shared> shared_;
  std::vector<Callable> subprograms_, operations_;
  bool has_object_ = false;
  std::string own_;
};

}  // namespace surety::random_programs
