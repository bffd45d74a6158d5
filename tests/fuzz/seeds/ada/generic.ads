generic
   type Item is private;
   type Discrete is (<>);
   type Int is range <>;
   type Modular is mod <>;
   type Flt is digits <>;
   type Fix is delta <>;
   type Dec is delta <> digits <>;
   type Vector is array (Discrete range <>) of Item;
   type Ref is access Item;
   type Derived is new Item with private;
   type Late;
   type Open (<>) is limited private;
   Size : in Positive := 10;
   Shared : in out Integer;
   with procedure Show (X : Item) is <>;
   with function "<" (L, R : Item) return Boolean is Less;
   with procedure Quiet is null;
   with package Lists is new Generic_Lists (<>);
   with package Maps is new Generic_Maps (Key => Item, others => <>);
   use Lists;
   pragma Unreferenced (Maps);
package Generics.Child is
   procedure Run (X : Item);
   package Ints is new Generic_Ints (Integer, "<" => ">", Size => 3);
   procedure Free is new Unchecked (Item, Ref);
   function Make is new Maker;
   generic
   procedure Swap (X, Y : in out Item);
   generic package Renamed renames Ints.Sort;
   generic
      with function F return Item;
   function G return Item;
end Generics.Child;
