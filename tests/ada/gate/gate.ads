--  A random scheduler for instrumented programs. Each visible step is done by one task alone, between Enter and Leave,
--  and is written down in the order in which it happens. What can wait is written down where it happens: inside of the
--  accept statement or the protected operation; Pass before it makes the order random.
--
--  A line is: what it is, the name of the action, who, with tabs between them. Lines that begin with v are accesses of a
--  variable, and name it last.
with Ada.Exceptions;
with Ada.Task_Identification;

package Gate is
   procedure Start (Main : String; Seed : Natural; Patience : Duration);
   procedure Enter;
   procedure Leave;
   procedure Pass;
   procedure Act (Action : String; Who : String := "");
   procedure Use_Variable (Variable : String; Action : String);
   procedure Fails (E : Ada.Exceptions.Exception_Occurrence);
   procedure Finish (How : String);

   function Show (Image : String) return String;
   function Name (T : Ada.Task_Identification.Task_Id) return String;
   function Me return String;
   --  A task inside of another one, whose name comes before its own. True.
   function Named (Outer : String; Name : String) return Boolean;
   function From (T : Ada.Task_Identification.Task_Id) return String is (".from." & Name (T));
   function By return String is (".by." & Me);
   function By (T : Ada.Task_Identification.Task_Id) return String is (".by." & Name (T));
   function Raised (E : Ada.Exceptions.Exception_Occurrence) return String;
end Gate;
