procedure Newer is
   A : Row := [1, 2, 3];
   B : Row := [for I in 1 .. 3 => I];
   C : Integer := (declare D : constant Integer := 1; begin D + 1);
   E : Root := (F with delta G => 1);
begin
   H := @ + 1;
   for I in 1 .. 3 when I > 2 loop
      null;
   end loop;
end Newer;
