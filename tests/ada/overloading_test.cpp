// Which of several declarations of one name is meant (ARM 8.3, 8.4, 8.6).

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "ada/reading.hpp"
#include "ada/tiny.hpp"

namespace surety {
namespace {

// One procedure for each type; which one was called is an event.
std::string logs(const std::vector<std::string>& types) {
  std::string out;
  for (const std::string& type : types)
    out += fmt::format("procedure Log (X : {}) is begin {} end Log;\n", type, event("log_" + type));
  return out;
}

TEST(AdaOverloading, ByTypesThatAreNotModelled) {
  const std::string declarations = "F : Float := 1.0; D : Duration := 0.5; N : Integer := 3;\n" +
                                   logs({"Float", "String", "Integer", "Duration", "Boolean", "Character"});
  EXPECT_EQ(
      traces(alone(declarations, "Log (\"x\"); Log (3); Log (F); Log (F * 2.0); Log (-F); Log (D); Log (D * 2);")),
      Traces{"log_string log_integer log_float log_float log_float log_duration log_duration =end"});
  EXPECT_EQ(
      traces(alone(declarations, "Log (N'Img & \"a\"); Log (Integer'Image (N)); Log (Integer (F)); Log (Float (N));")),
      Traces{"log_string log_string log_integer log_float =end"});
  EXPECT_EQ(traces(alone(declarations, "Log (Integer'Value (\"4\")); Log (N > 1); Log ('c'); Log (not (N = 1));")),
            Traces{"log_integer log_boolean log_character log_boolean =end"});
}

TEST(AdaOverloading, OfEntriesAndProtectedOperationsIsRefused) {
  EXPECT_EQ(refusal("procedure P is\ntask T is entry E (X : Boolean); entry E (X : Integer); end T;\n"
                    "task body T is begin accept E (X : Integer); end T;\nbegin T.E (1); end P;\n"),
            "two entries or operations of the name E are not supported");
  EXPECT_EQ(
      refusal("procedure P is\ntype Colour is (Red, Green);\n"
              "protected O is procedure Put (X : Boolean); procedure Put (X : Colour); end O;\n"
              "protected body O is procedure Put (X : Boolean) is null; procedure Put (X : Colour) is null; end O;\n"
              "begin O.Put (Red); end P;\n"),
      "two entries or operations of the name Put are not supported");
}

TEST(AdaOverloading, IsNotGuessed) {
  const std::string text = "with Ada.Strings.Unbounded; use Ada.Strings.Unbounded;\n";
  const std::string declarations = "U : Unbounded_String;\n" + logs({"Float", "String"});
  EXPECT_EQ(refusal(text + alone(declarations, "Log (To_String (U));")), "which 'Log' is called here cannot be told");
  EXPECT_EQ(traces(text + alone(logs({"Integer"}) + "U : Unbounded_String;", "Log (Length (U));")),
            Traces{"log_integer =end"});
}

TEST(AdaOverloading, OperatorsAreThoseOfTheTypesOfTheirOperands) {
  EXPECT_EQ(traces(alone("type Colour is (Red, Green, Blue);\n"
                         "function \"+\" (L, R : Colour) return Colour is (Colour'Val ((Colour'Pos (L) + "
                         "Colour'Pos (R)) mod 3));\n"
                         "function \"=\" (L : Colour; R : Integer) return Boolean is (Colour'Pos (L) = R);\n"
                         "function \"-\" (L : Colour) return Integer is (7);\n"
                         "X, Y : Integer := 5;",
                         event("sum", "X + Y = 10") + event("mixed", "Green + Green = 2") + event("one", "-Blue + 1"))),
            Traces{"sum.true mixed.true one.8 =end"});
}

// A package whose type has operators of its own.
const char* const kPackage =
    "package Q is type T is private; function \"+\" (A, B : T) return T; function Make (N : Integer) return T;\n"
    "function Value (X : T) return Integer; private type T is range 0 .. 10; end Q;\n"
    "package body Q is function \"+\" (A, B : T) return T is (T'Min (10, T (Integer (A) + Integer (B) + 1)));\n"
    "function Make (N : Integer) return T is (T (N));\n"
    "function Value (X : T) return Integer is (Integer (X)); end Q;\n";

TEST(AdaOverloading, UseTypeMakesTheOperatorsOfATypeVisible) {
  for (const char* use : {"use type Q.T;", "use Q;", "use all type Q.T;"})
    EXPECT_EQ(traces(alone(fmt::format("{}{} X : Q.T := Q.Make (2);", kPackage, use),
                           "X := X + X; " + event("x", "Q.Value (X)"))),
              Traces{"x.5 =end"})
        << use;
}

TEST(AdaOverloading, UseAllTypeMakesMoreVisible) {
  const std::string declarations =
      "package Q is type C is (A, B); function F (X : C) return Integer is (C'Pos (X)); N : Integer := 5; end Q;\n";
  EXPECT_EQ(traces(alone(declarations + "use all type Q.C;", event("f", "F (B)"))), Traces{"f.1 =end"});
  EXPECT_EQ(refusal(alone(declarations + "use all type Q.C;", event("n", "N"))), "'N' is not declared");
  EXPECT_EQ(refusal(alone(declarations + "use type Q.C;", event("f", "F (Q.B)"))), "'F' is not declared");
}

TEST(AdaOverloading, TheNameOfAProtectedObjectInsideOfItIsItsOwn) {
  EXPECT_EQ(traces("procedure P is\nprotected O is procedure Up; procedure Twice; function Both (N : Integer) return "
                   "Integer; private N : Integer := 1; end O;\n"
                   "protected body O is procedure Up is begin N := N + 1; end Up;\n"
                   "procedure Twice is begin Up; O.Up; end Twice;\n"
                   "function Both (N : Integer) return Integer is (10 * N + O.N); end O;\n"
                   "begin\nO.Twice;\n" +
                   event("n", "O.Both (5)") + "\nend P;\n"),
            Traces{"o.twice o.both.5.53 n.53 =end"});
}

TEST(AdaPragmas, AnAssertionInDeclarationsIsChecked) {
  EXPECT_EQ(refusal(alone("X : Integer := 1; pragma Assert (X = 2);", "null;")),
            "an assertion fails before the first task starts");
  EXPECT_EQ(refusal(alone("X : Integer := 1; pragma Assert (X = 1);", "null;")), "it is read");
  EXPECT_EQ(traces(alone("procedure Q (X : Integer) is pragma Assert (X = 2); begin null; end Q;", "Q (2); Q (1);")),
            Traces{"p.fails.2.assertion_error =end"});
}

TEST(AdaPragmas, AspectsThatChangeValuesAreRefused) {
  EXPECT_EQ(refusal(alone("subtype S is Integer with Static_Predicate => S in 0 | 2;", "null;")),
            "predicates of subtypes are not supported");
  EXPECT_EQ(refusal(alone("type T is range 0 .. 4 with Default_Value => 3;", "null;")),
            "default values of types are not supported");
  for (const char* there : {"for Y'Address use X'Address;", "for Y use at X'Address;"})
    EXPECT_EQ(refusal(alone(fmt::format("X : Integer := 1; Y : Integer; {}", there), "null;")),
              "addresses of variables and entries are not supported");
  EXPECT_EQ(refusal(alone("X : Integer := 1; Y : Integer with Address => X'Address;", "null;")),
            "addresses of variables and entries are not supported");
  EXPECT_EQ(refusal(alone("protected O is procedure H; pragma Attach_Handler (H, 3); end O;\n"
                          "protected body O is procedure H is null; end O;",
                          "null;")),
            "interrupts are not supported");
  EXPECT_EQ(refusal(alone("procedure C with Import, Convention => C;", "null;")),
            "imported subprograms are not supported");
}

TEST(AdaPragmas, OthersAreIgnoredWithANote) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(reading(alone("pragma Foo (1); pragma Priority (3);", "null;")).warnings,
            Lines{"the pragma Foo is not known, and ignored"});
  EXPECT_EQ(reading(alone("procedure Q with Pre => True, Inline; procedure Q is null;", "Q;")).warnings,
            Lines{"the aspect Pre is ignored"});
}

TEST(AdaTasks, InRecordsInArrays) {
  EXPECT_EQ(traces("procedure P is\ntask type A is entry E; end A; task body A is begin accept E; end A;\n"
                   "task type B is entry F; entry G; end B; task body B is begin accept F; accept G; end B;\n"
                   "type R is record X : A; Y : B; end record;\nRs : array (1 .. 2) of R;\nbegin\n"
                   "for I in Rs'Range loop Rs (I).Y.F; Rs (I).X.E; Rs (I).Y.G; end loop;\nend P;\n"),
            Traces{"rs.1.y.f rs.1.x.e rs.1.y.g rs.2.y.f rs.2.x.e rs.2.y.g =end"});
}

}  // namespace
}  // namespace surety
