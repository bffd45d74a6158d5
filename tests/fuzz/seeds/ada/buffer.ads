with Ada.Text_IO, Ada.Calendar; use Ada.Text_IO;
private with System;
limited with Other;
pragma Elaborate_All (Ada.Text_IO);
package Buffer is
   pragma Pure;
   Size : constant := 16#FF# + 2#1010#E2 + 1_000;
   Pi, Tau : constant Float := 3.14E-2;
   Full, Empty : exception;
   Gone : exception renames Full;
   type Colour is (Red, 'a', Green);
   type Small is range 0 .. 10;
   type Wrap is mod 2 ** 8;
   type Real is digits 6 range 0.0 .. 1.0;
   type Fix is delta 0.1 range 0.0 .. 1.0;
   type Money is delta 0.01 digits 10;
   subtype Even is Integer range 0 .. 8 with Static_Predicate => Even in 0 | 2 | 4 .. 6;
   type Row is array (Small range <>) of Boolean;
   type Table is array (1 .. 3, Colour) of aliased Row (1 .. 2);
   type Plain is record
      A, B : Integer := 0;
      C : Row (1 .. 3);
      pragma Import (C, C);
   end record;
   type Variant (D : Boolean := False) is record
      E : Integer;
      case D is
         when True | False => F : Integer;
         when others => null;
      end case;
   end record with Convention => C;
   type Nothing is null record;
   type Link;
   type Pointer is access all Link;
   type Handle is not null access constant Integer;
   type Call is access procedure (X : Integer);
   type Ask is access protected function (X : access Integer) return not null access Link;
   type Hidden (<>) is private;
   type Limit is limited private;
   type Root is abstract tagged limited private;
   type Child is new Root with private;
   type Iface is limited interface and Base;
   type Sync is synchronized interface;
   type Count is new Integer range 0 .. 3;
   type Grown is new Root and Iface with record
      N : Integer;
   end record;
   type Bare is new Root with null record;
   for Small'Size use 8;
   for Colour use (Red => 0, 'a' => 1, Green => 2);
   for Plain use record at mod 4;
      A at 0 range 0 .. 31;
   end record;
   procedure Put (X : in Integer; Y : out Boolean; Z : in out Row := (others => True));
   function Get return Integer;
   function "+" (L, R : Small) return Small;
   procedure Nil is null;
   procedure Abst (X : Root) is abstract;
   function One return Integer is (1);
   function Same (X : Integer) return Integer renames One;
   overriding procedure Over (X : Child);
   not overriding function Under (X : Child) return Integer with Inline, Pre => X /= 0;
   X : aliased constant Integer := 3 with Atomic;
   Y : Integer renames X;
   A : array (1 .. 2) of Integer := (1, 2);
   P : access Integer := null;
   package Inner is
      Q : Integer;
   private
      R : Integer;
   end Inner;
   package Alias renames Inner;
   use Inner;
   use type Small;
   use all type Colour;
   protected Lock is
      entry Seize;
      procedure Release;
      function Busy return Boolean;
   private
      Taken : Boolean := False;
   end Lock;
   protected type Gate (N : Natural) is new Sync with
      entry Pass (1 .. 3) (X : Integer);
   private
      entry Quiet;
      Passed : Natural := 0;
   end Gate;
   task Worker;
   task type Helper;
private
   type Hidden is new Integer;
end Buffer;
