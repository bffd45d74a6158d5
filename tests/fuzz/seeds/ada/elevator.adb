procedure Elevator is
   X : Boolean;
   pragma Atomic (X);
   task Car is
      entry Sync;
      entry Move_Car;
   end Car;
   task body Car is
   begin
      X := True;
      accept Sync;
      if X then accept Move_Car; end if;
   end Car;
begin
   null;
end Elevator;
