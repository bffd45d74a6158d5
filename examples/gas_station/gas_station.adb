--  Gas Station: K customers, two pumps, one operator who takes money and gives change.
--
--  A customer pays the operator in advance for one of the pumps, pumps there, and waits for
--  the change. The operator activates a pump when its first customer pays, and again after
--  each sale for as long as others have paid for it. A pump tells the operator who used it.
--
--  Source   D. Helmbold, D. Luckham: Debugging Ada tasking programs (IEEE Software 1985), as
--           used by Cobleigh, Avrunin, Clarke (STUDY, 4 properties) and by Bobaru, Pasareanu,
--           Giannakopoulou (AGAR). Written from those descriptions; the originals are not public.
--  Scales   K, the number of customers (default 2). Tasks: K + 4, the main one included.
--  Holds    all four properties, no deadlock, no task fails.
--  Left out amounts of money and of petrol; who comes first at a pump (any customer who paid may).
--  See also gas_station.lts and gas_station.pml, the same in FSP and in Promela. There a message is one
--           step; here an accept with a body is two, its start and its end.

with Ada.Numerics.Discrete_Random;

procedure Gas_Station is

   K : constant := 2;
   pragma Annotate (Surety, Properties, "gas_station_ada.lts");

   type Customer_Id is range 1 .. K;
   type Pump_Id is range 1 .. 2;

   package Any_Pump is new Ada.Numerics.Discrete_Random (Pump_Id);

   Customers : Customer_Id'Base := 0;
   Pumps     : Pump_Id'Base := 0;

   function Next_Customer return Customer_Id is
   begin
      Customers := Customers + 1;
      return Customers;
   end Next_Customer;

   function Next_Pump return Pump_Id is
   begin
      Pumps := Pumps + 1;
      return Pumps;
   end Next_Pump;

   task type Customer_Task (Me : Customer_Id := Next_Customer) is
      entry Change (Pump : Pump_Id);
   end Customer_Task;

   task type Pump_Task (Me : Pump_Id := Next_Pump) is
      entry Activate;
      entry Start (Customer : Customer_Id);
      entry Finish;
   end Pump_Task;

   task Operator is
      entry Prepay (Pump : Pump_Id);
      entry Charge (Customer : Customer_Id; Pump : Pump_Id);
   end Operator;

   Customer : array (Customer_Id) of Customer_Task;
   Pump     : array (Pump_Id) of Pump_Task;
   pragma Annotate (Surety, Repeated, Customer);

   task body Customer_Task is
      Choice : Any_Pump.Generator;
      Here   : Pump_Id;
   begin
      Any_Pump.Reset (Choice);
      loop
         Here := Any_Pump.Random (Choice);
         Operator.Prepay (Here);
         Pump (Here).Start (Me);
         Pump (Here).Finish;
         accept Change (Pump : Pump_Id) do
            pragma Unreferenced (Pump);  --  he does not look
         end Change;
      end loop;
   end Customer_Task;

   task body Pump_Task is
      User : Customer_Id;
   begin
      loop
         accept Activate;
         accept Start (Customer : Customer_Id) do
            User := Customer;
         end Start;
         accept Finish;
         Operator.Charge (User, Me);
      end loop;
   end Pump_Task;

   task body Operator is
      --  Customers who have paid for each pump and have not been charged yet.
      Waiting : array (Pump_Id) of Natural range 0 .. K := (others => 0);
      Payer   : Customer_Id;
      At_Pump : Pump_Id;
   begin
      loop
         select
            accept Prepay (Pump : Pump_Id) do
               At_Pump := Pump;
            end Prepay;
            Waiting (At_Pump) := Waiting (At_Pump) + 1;
            if Waiting (At_Pump) = 1 then
               Pump (At_Pump).Activate;
            end if;
         or
            accept Charge (Customer : Customer_Id; Pump : Pump_Id) do
               Payer   := Customer;
               At_Pump := Pump;
            end Charge;
            Waiting (At_Pump) := Waiting (At_Pump) - 1;
            Customer (Payer).Change (At_Pump);
            if Waiting (At_Pump) > 0 then
               Pump (At_Pump).Activate;
            end if;
         end select;
      end loop;
   end Operator;

begin
   null;
end Gas_Station;
