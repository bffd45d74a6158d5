--  Elevator, K cars: a controller tells each car whether to open its doors before it moves.
--
--  Car C and the controller share the variable X (C). Each writes it (the car True, the controller
--  False), then they meet on Sync, so X (C) may be either. If it is True, the controller has the car
--  open and close its doors; then the car moves. Both test X (C) twice, once for opening, once for
--  closing. The controller serves the cars in turn, for ever.
--
--  Source   Cobleigh, Avrunin, Clarke (STUDY), figure 7, there for one car and one trip.
--  Scales   K, the number of cars (default 2). Tasks: K + 2, the main one included.
--  Holds    the property (of car 1; all are equal), no deadlock, no task fails.
--  Left out floors and requests. Ours: the trips repeat, and there are several cars.
--  See also elevator.adb, the figure itself; elevator.lts, the same system in FSP.

procedure Elevator_Cars is

   K : constant := 2;
   pragma Annotate (Surety, Properties, "elevator_cars_ada.lts");

   type Car_Id is range 1 .. K;

   X : array (Car_Id) of Boolean := (others => False);
   pragma Atomic_Components (X);

   Made : Car_Id'Base := 0;

   function Next return Car_Id is
   begin
      Made := Made + 1;
      return Made;
   end Next;

   task type Car_Task (Me : Car_Id := Next) is
      entry Sync;
      entry Open_Doors;
      entry Close_Doors;
      entry Move_Car;
   end Car_Task;

   Car : array (Car_Id) of Car_Task;

   task Controller;

   task body Car_Task is
   begin
      loop
         X (Me) := True;
         accept Sync;
         if X (Me) then
            accept Open_Doors;
         end if;
         if X (Me) then
            accept Close_Doors;
         end if;
         accept Move_Car;
      end loop;
   end Car_Task;

   task body Controller is
   begin
      loop
         for C in Car_Id loop
            X (C) := False;
            Car (C).Sync;
            if X (C) then
               Car (C).Open_Doors;
            end if;
            if X (C) then
               Car (C).Close_Doors;
            end if;
            Car (C).Move_Car;
         end loop;
      end loop;
   end Controller;

begin
   null;
end Elevator_Cars;
