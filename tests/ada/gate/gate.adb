with Ada.Calendar; use Ada.Calendar;
with Ada.Characters.Handling; use Ada.Characters.Handling;
with Ada.Strings.Unbounded; use Ada.Strings.Unbounded;
with Ada.Synchronous_Task_Control; use Ada.Synchronous_Task_Control;
with Ada.Task_Attributes;
with Ada.Task_Identification; use Ada.Task_Identification;
with Ada.Text_IO;
with GNAT.OS_Lib;

package body Gate is
   subtype Place is Integer range 0 .. 31;
   type Number is mod 2 ** 32;
   type Places is array (Place) of Boolean;

   --  Not entries of Door: with gnat 12 an entry call soon after one that raised Tasking_Error can return at once.
   Turns     : array (Place) of Suspension_Object;
   Main_Name : Unbounded_String;
   Tab       : constant Character := Character'Val (9);

   protected Door is
      procedure Seed (S : Number);
      procedure Ask (P : out Place);
      procedure Leave;
      procedure Choose (Next : out Integer);
      procedure Write (Line : String);
      function Written return String;
      function Activity return Natural;
   private
      Random : Number := 1;
      Asks   : Places := (others => False);
      Chosen : Integer := -1;
      Text   : Unbounded_String;
      Done   : Natural := 0;
   end Door;

   protected body Door is
      procedure Seed (S : Number) is
      begin
         Random := S * 2654435761 + 12345;
      end Seed;

      procedure Ask (P : out Place) is
      begin
         P := 0;
         while Asks (P) loop
            P := P + 1;
         end loop;
         Asks (P) := True;
         Done := Done + 1;
      end Ask;

      procedure Leave is
      begin
         Asks (Chosen) := False;
         Chosen := -1;
         Done := Done + 1;
      end Leave;

      procedure Choose (Next : out Integer) is
         Waiting : Number := 0;
      begin
         Next := -1;
         for P in Place loop
            if Asks (P) then
               Waiting := Waiting + 1;
            end if;
         end loop;
         if Chosen >= 0 or else Waiting = 0 then
            return;
         end if;
         Random := Random * 1664525 + 1013904223;
         Waiting := (Random / 2 ** 16) mod Waiting;
         for P in Place loop
            if Asks (P) then
               if Waiting = 0 then
                  Chosen := P;
                  Next := P;
                  return;
               end if;
               Waiting := Waiting - 1;
            end if;
         end loop;
      end Choose;

      procedure Write (Line : String) is
      begin
         Append (Text, Line & Character'Val (10));
         Done := Done + 1;
      end Write;

      function Written return String is (To_String (Text));
      function Activity return Natural is (Done);
   end Door;

   task Chooser is
      entry Start (Patience : Duration);
   end Chooser;

   task body Chooser is
      Patience : Duration;
      Seen     : Natural := 0;
      Next     : Integer;
      Since    : Time;
   begin
      select
         accept Start (Patience : Duration) do
            Chooser.Patience := Patience;
         end Start;
      or
         terminate;
      end select;
      Since := Clock;
      loop
         delay 0.0002;
         Door.Choose (Next);
         if Next >= 0 then
            Set_True (Turns (Next));
         end if;
         if Door.Activity /= Seen then
            Seen := Door.Activity;
            Since := Clock;
         elsif Clock - Since > Patience then
            Finish ("hang");
         end if;
      end loop;
   end Chooser;

   procedure Start (Main : String; Seed : Natural; Patience : Duration) is
   begin
      Main_Name := To_Unbounded_String (Main);
      Door.Seed (Number (Seed));
      Chooser.Start (Patience);
   end Start;

   procedure Enter is
      P : Place;
   begin
      Door.Ask (P);
      Suspend_Until_True (Turns (P));
   end Enter;

   procedure Leave is
   begin
      Door.Leave;
   end Leave;

   procedure Pass is
   begin
      Enter;
      Leave;
   end Pass;

   procedure Act (Action : String; Who : String := "") is
   begin
      Door.Write ("a" & Tab & Action & Tab & Who);
   end Act;

   procedure Use_Variable (Variable : String; Action : String) is
   begin
      Door.Write ("v" & Tab & Me & "." & Variable & "." & Action & Tab & Variable);
   end Use_Variable;

   procedure Fails (E : Ada.Exceptions.Exception_Occurrence) is
   begin
      Door.Write ("f" & Tab & Me & Tab & Raised (E));
   end Fails;

   procedure Finish (How : String) is
   begin
      Ada.Text_IO.Put (Door.Written & "=" & Tab & How & Tab & Character'Val (10));
      Ada.Text_IO.Flush;
      GNAT.OS_Lib.OS_Exit (0);
   end Finish;

   function Show (Image : String) return String is
     (To_Lower (if Image (Image'First) = ' ' then Image (Image'First + 1 .. Image'Last) else Image));

   package Names is new Ada.Task_Attributes (Unbounded_String, Null_Unbounded_String);

   function Named (Outer : String; Name : String) return Boolean is
   begin
      Names.Set_Value
        (To_Unbounded_String (if To_Unbounded_String (Outer) = Main_Name then Name else Outer & "." & Name));
      return True;
   end Named;

   --  ws(RED,2)_0000556748A3FD30 is ws.red.2
   function Name (T : Task_Id) return String is
      Whole : constant String := To_Lower (Image (T));
      Last  : Natural := Whole'Last;
      Text  : Unbounded_String;
   begin
      while Whole (Last) /= '_' loop
         Last := Last - 1;
      end loop;
      if Length (Names.Value (T)) > 0 then
         return To_String (Names.Value (T));
      end if;
      if Whole (Whole'First .. Last - 1) = "main_task" then
         return To_String (Main_Name);
      end if;
      for C of Whole (Whole'First .. Last - 1) loop
         if C = '(' or else C = ',' then
            Append (Text, '.');
         elsif C /= ')' and then C /= ' ' then
            Append (Text, C);
         end if;
      end loop;
      return To_String (Text);
   end Name;

   function Me return String is (Name (Current_Task));

   function Raised (E : Ada.Exceptions.Exception_Occurrence) return String is
      Whole : constant String := To_Lower (Ada.Exceptions.Exception_Name (E));
      First : Natural := Whole'Last;
   begin
      while First > Whole'First and then Whole (First - 1) /= '.' loop
         First := First - 1;
      end loop;
      return (if Whole (First .. Whole'Last) = "assert_failure" then "assertion_error" else Whole (First .. Whole'Last));
   end Raised;
end Gate;
