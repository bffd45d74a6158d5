--  Elevator: a controller tells a car whether to open its doors before it moves.
--
--  Car and controller share a variable X. Each writes it (the car True, the controller False),
--  then they meet on Sync, so X may be either. If X is True, the controller has the car open and
--  close its doors; then the car moves. Both test X twice, once for opening, once for closing.
--
--  Source   Cobleigh, Avrunin, Clarke (STUDY), figure 7, with what Ada needs to compile it.
--  Scales   not: one car, one trip, as in the figure. Tasks: 3, the main one included.
--  Fails    CLOSED_WHEN_MOVING (open, then move), and deadlock: the car may see the old X and wait for a close
--           that never comes. No task fails.
--  Left out floors and requests.
--  See also elevator.adb, which has no fault; elevator_broken.lts, the same fault in FSP.

procedure Elevator_Broken is

   pragma Annotate (Surety, Properties, "elevator_ada.lts");

   X : Boolean;
   pragma Atomic (X);

   task Car is
      entry Sync;
      entry Open_Doors;
      entry Close_Doors;
      entry Move_Car;
   end Car;

   task Controller;

   task body Car is
   begin
      X := True;
      accept Sync;
      if X then
         accept Open_Doors;
      end if;
      if X then
         accept Close_Doors;
      end if;
      accept Move_Car;
   end Car;

   task body Controller is
   begin
      X := False;
      Car.Sync;
      if X then
         Car.Open_Doors;
         --  The fault: the controller notes that the request is served before the doors are closed again.
         X := False;
      end if;
      if X then
         Car.Close_Doors;
      end if;
      Car.Move_Car;
   end Controller;

begin
   null;
end Elevator_Broken;
