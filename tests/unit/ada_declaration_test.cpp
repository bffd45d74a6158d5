// Declarations, types and units: what each form becomes.

#include "ada_help.hpp"

namespace surety::ada {
namespace {

TEST(AdaDeclaration, ObjectsNumbersAndExceptions) {
  EXPECT_EQ(declarations_of("X, Y : aliased Integer := 1;"), "x,y:aliased integer:=1");
  EXPECT_EQ(declarations_of("K : constant := 2; L : constant Integer := 2;"), "k:number:=2; l:constant integer:=2");
  EXPECT_EQ(declarations_of("A : array (1 .. 3) of Boolean := (others => False);"),
            "a:array(1..3) of boolean:=(others=>false)");
  EXPECT_EQ(declarations_of("X : Integer range 0 .. 3; Y : Row (1 .. 2); Z : W (Me => 1);"),
            "x:integer range 0..3; y:row(1..2); z:w(me=>1)");
  EXPECT_EQ(declarations_of("Full, Empty : exception;"), "full,empty:exception");
  EXPECT_EQ(declarations_of("P : access Integer := null; Q : not null access constant T;"),
            "p:access integer:=null; q:access constant t");
  EXPECT_EQ(declarations_of("X : Integer with Atomic, Size => 8;"), "x:integer with atomic with size=>8");
}

TEST(AdaDeclaration, Types) {
  EXPECT_EQ(declarations_of("type T is (Red, 'a', Green);"), "type t is enum(red,'a',green)");
  EXPECT_EQ(declarations_of("type T is range 0 .. 2 ** 3 - 1;"), "type t is range 0..[[2 ** 3] - 1]");
  EXPECT_EQ(declarations_of("type T is mod 8;"), "type t is mod 8");
  EXPECT_EQ(declarations_of("type T is digits 6; type U is delta 0.1 range 0.0 .. 1.0;"),
            "type t is real; type u is real");
  EXPECT_EQ(declarations_of("type T is array (1 .. 3, Colour) of Row (1 .. 2);"),
            "type t is array(1..3, colour) of row(1..2)");
  EXPECT_EQ(declarations_of("type T is array (Small range <>) of U;"), "type t is array(small <>) of u");
  EXPECT_EQ(declarations_of("type T is array (Small range 1 .. 2) of U;"), "type t is array(small range 1..2) of u");
  EXPECT_EQ(declarations_of("type T is record A, B : Integer := 0; C : U; end record;"),
            "type t is record{a,b:integer:=0; c:u}");
  EXPECT_EQ(declarations_of("type T (D : Boolean := True) is record case D is when True => A : U; when others => null; "
                            "end case; end record;"),
            "type t(d:boolean:=true) is record{}+variants");
  EXPECT_EQ(declarations_of("type T is null record; type T is new U range 1 .. 2;"),
            "type t is record{}; type t is new u range 1..2");
  EXPECT_EQ(declarations_of("type T; type T is access all U; type T is access procedure (X : U);"),
            "type t is incomplete; type t is access u; type t is access subprogram");
  EXPECT_EQ(
      declarations_of("type T is tagged null record; type T is new U with null record; type T is limited interface;"),
      "type t is tagged; type t is tagged; type t is tagged");
  EXPECT_EQ(declarations_of("subtype T is Integer range 1 .. 3 with Static_Predicate => T in 1 | 3;"),
            "subtype t is integer range 1..3 with static_predicate=>[t in 1|3]");
  EXPECT_EQ(declarations_of("subtype T is U range A'Range;"), "subtype t is u range a'range");
}

TEST(AdaDeclaration, TasksWithEntriesAndDiscriminants) {
  EXPECT_EQ(declarations_of("task T;"), "task t{}{}");
  EXPECT_EQ(declarations_of("task type W (Me : Id := Next) is entry E; entry F (X : in T; Y : out U); end W;"),
            "task type w(me:id:=next){entry e; entry f(x:t; y:out u)}{}");
  EXPECT_EQ(
      declarations_of(
          "task T is entry E (Index) (X : in out T); entry F (1 .. 3); pragma Priority (1); private entry G; end;"),
      "task t{entry e(index)(x:in out t); entry f(1..3); pragma priority(1)}{entry g}");
  EXPECT_EQ(declarations_of("task body T is X : U; begin null; exception when others => null; end T;"),
            "task body t{x:u}{null} exception when others {null}");
}

TEST(AdaDeclaration, ProtectedObjects) {
  EXPECT_EQ(declarations_of(
                "protected P is entry E; procedure Q (X : T); function F return U; private N : Integer := 0; end P;"),
            "protected p{entry e; procedure q(x:t); function f return u}{n:integer:=0}");
  EXPECT_EQ(declarations_of("protected type P (N : Natural) is end P;"), "protected type p(n:natural){}{}");
  EXPECT_EQ(
      declarations_of(
          "protected body P is entry E when N > 0 is begin N := 0; end E; procedure Q is begin null; end; end P;"),
      "protected body p{entry e when [n > 0] {}{n := 0}; procedure q {}{null}}");
  EXPECT_EQ(
      declarations_of("protected body P is entry E (for I in 1 .. 3) (X : T) when A (I) is begin null; end E; end P;"),
      "protected body p{entry e(i in 1..3)(x:t) when a(i) {}{null}}");
}

TEST(AdaDeclaration, Subprograms) {
  EXPECT_EQ(declarations_of("procedure Q (X, Y : Integer := 1; Z : access T); function F return not null access T;"),
            "procedure q(x,y:integer:=1; z:access t); function f return not null access t");
  EXPECT_EQ(declarations_of("function F (X : T) return T is (X + 1);"), "function f(x:t) return t {}{return [x + 1]}");
  EXPECT_EQ(declarations_of("procedure Q is null; procedure R is abstract; procedure S is separate;"),
            "procedure q null; procedure r abstract; separate s");
  EXPECT_EQ(declarations_of("function \"+\" (L, R : T) return T; overriding procedure Q (X : T) with Inline;"),
            "function \"+\"(l,r:t) return t; procedure q(x:t) with inline");
  EXPECT_EQ(declarations_of("procedure Q is X : T; begin null; exception when E : A | B => null; end Q;"),
            "procedure q {x:t}{null} exception when e:a|b {null}");
}

TEST(AdaDeclaration, RenamingsUsesPragmasAndClauses) {
  EXPECT_EQ(declarations_of(
                "X : T renames Y.Z (1); E : exception renames P.E; package Q renames P; procedure S renames T.E;"),
            "x renames y.z(1); e renames p.e; q renames p; s renames t.e");
  EXPECT_EQ(declarations_of("function F (X : T) return T renames \"-\";"), "f(x:t) return t renames \"-\"");
  EXPECT_EQ(declarations_of("use A, B.C; use type T; use all type U;"), "use a,b.c; use type t; use type u");
  EXPECT_EQ(
      declarations_of(
          "pragma Annotate (Surety, Name, Open, \"open\"); pragma Atomic (X); pragma Page; pragma Interface (C, X);"),
      "pragma annotate(surety, name, open, \"open\"); pragma atomic(x); pragma page; pragma interface(c, x)");
  EXPECT_EQ(
      declarations_of(
          "for T'Size use 8; for T use (A => 1); for T use record A at 0 range 0 .. 3; end record; for X use at Y;"),
      "ignored with size; ignored; ignored; ignored with address");
}

TEST(AdaDeclaration, GenericUnitsAndInstances) {
  EXPECT_EQ(
      declarations_of("generic type T is private; type U is (<>); N : Positive := 1; with procedure Q (X : T) is <>; "
                      "with function \"<\" (L, R : T) return Boolean is Less; package G is end G;"),
      "generic {formal t is private; formal u is <>; formal n:positive:=1; formal q(x:t) is <>; "
      "formal \"<\"(l,r:t) return boolean is less} package g{}{}");
  EXPECT_EQ(declarations_of("generic with package M is new L (<>); procedure G (X : T);"),
            "generic {m new l(<>)} procedure g(x:t)");
  EXPECT_EQ(
      declarations_of("package I is new G (Integer, N => 3, \"<\" => \">\"); procedure Free is new Unchecked (T, P);"),
      "i new g(integer, n=>3, \"<\"=>\">\"); free new unchecked(t, p)");
  EXPECT_EQ(declarations_of("generic package A renames B.C;"), "a renames b.c");
}

TEST(AdaDeclaration, AspectsOfParametersAreLeftOut) {
  EXPECT_EQ(declarations_of("procedure Q (A : T with Unreferenced; B : U := 1 with Unreferenced);"),
            "procedure q(a:t; b:u:=1)");
}

TEST(AdaUnit, HasItsContext) {
  EXPECT_EQ(
      tree_of("with A, B.C; use A; limited with D; pragma Elaborate (A);\npackage body P.Q is begin null; end P.Q;"),
      "with a; with b.c; limited with d; use a; pragma elaborate(a); package body p.q{}{null}");
  EXPECT_EQ(tree_of("private package A.B is private X : T; end A.B;"), "private package a.b{}{x:t}");
  EXPECT_EQ(tree_of("separate (A.B) task body T is begin null; end T;"), "separate (a.b) task body t{}{null}");
}

TEST(AdaUnit, AFileMayHoldSeveral) {
  EXPECT_EQ(tree_of("package A is end A; with A; procedure B is begin null; end; pragma Page;"),
            "package a{}{}\nwith a; procedure b {}{null}");
  EXPECT_EQ(tree_of(""), "");
  EXPECT_EQ(tree_of("-- nothing"), "");
  EXPECT_EQ(tree_of("pragma No_Body;"), "");
}

TEST(AdaUnit, PlacesAreOffsetsIntoTheWholeText) {
  const Source source("m.adb", "package A is end A;procedure B is begin X := 1; end B;");
  Report report(source);
  const auto units = parse(source, 19, source.text.size() - 19, report);
  ASSERT_FALSE(report.failed());
  ASSERT_EQ(units.size(), 1U);
  EXPECT_EQ(units[0].declaration.place.offset, 29U);
  EXPECT_EQ(units[0].declaration.body->statements.at(0).place.offset, 40U);
  EXPECT_EQ(units[0].declaration.body->end.offset, 48U);
}

TEST(AdaUnit, WordsOfLaterVersionsAreNamesWhereTheyCanBe) {
  EXPECT_EQ(tree_of("procedure Some is Interface, Synchronized : Integer; begin Overriding (Interface); Some := "
                    "Interface; end Some;"),
            "procedure some {interface,synchronized:integer}{call overriding(interface); some := interface}");
}

}  // namespace
}  // namespace surety::ada
