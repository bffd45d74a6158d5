package body Buffer is
   procedure Put (X : in Integer; Y : out Boolean; Z : in out Row) is separate;
   protected body Lock is
      entry Seize when not Taken is
      begin
         Taken := True;
      end Seize;
      procedure Release is
      begin
         Taken := False;
      end Release;
      function Busy return Boolean is (Taken);
   end Lock;
   protected body Gate is
      entry Pass (for I in 1 .. 3) (X : Integer) when Passed < N and then I > 1 is
         Old : constant Natural := Passed;
      begin
         Passed := Old + 1;
      end Pass;
      pragma Inline (Pass);
   end Gate;
   task body Worker is separate;
   function Get return Integer is
   begin
      return Result : Integer := 3 do
         Result := Result + 1;
      end return;
   end Get;
   function Other return Integer is
      use type Ada.Calendar.Time;
   begin
      return X : constant Integer := 4;
   exception
      when E : Constraint_Error | Program_Error => raise Full with "message";
      when others =>
         return 5;
   end Other;
begin
   Put (Get);
exception
   when others => null;
end Buffer;
