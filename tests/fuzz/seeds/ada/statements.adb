separate (Parent.Unit)
procedure Statements (N : Natural; M : access Integer) is
   X, Y : Integer := 1;
   procedure Nested (A : Integer := 3) is
   begin
      null;
   end Nested;
begin
   X := 1;
   Nested;
   Nested (X);
   P.Q.R (X, A => 2, B => (1, 2)).all := 3;
   if X = 1 then
      null;
   elsif X > 2 or else Y in 1 .. 3 then
      Y := 2;
   else
      Y := 3;
   end if;
   case X is
      when 1 => null;
      when 2 | 3 .. 5 => X := 2;
      when Integer range 7 .. 8 => null;
      when others => null;
   end case;
   loop
      exit;
   end loop;
   Outer : while X < 3 loop
      for I in reverse 1 .. 3 loop
         exit Outer when I = 2;
      end loop;
      for I in Colour loop null; end loop;
      for I in Integer range 1 .. 2 loop null; end loop;
      for I in A'Range (1) loop null; end loop;
      for E of reverse A loop null; end loop;
   end loop Outer;
   declare
      Z : Integer;
   begin
      Z := X;
   exception
      when Constraint_Error => null;
   end;
   Named : begin
      null;
   end Named;
   <<Again>>
   goto Again;
   delay 1.0;
   delay until Clock;
   raise;
   raise Program_Error with "text";
   pragma Assert (X > 0, "wrong");
   return;
   <<Last>>
end Statements;
