--  Smokers: K smokers, K ingredients, an agent who puts all ingredients but one on the table.
--
--  Each smoker has an endless supply of one ingredient and needs one of each of the others. The agent
--  chooses one ingredient to withhold and puts the others on the table, one after the other. The
--  smoker who has the withheld one takes them all at once, thanks the agent, and smokes; meanwhile
--  the agent chooses again. The table is one task: a place for each ingredient.
--
--  Source   S. Patil: Limitations and capabilities of Dijkstra's semaphore primitives (1971), as used by
--           Cobleigh, Avrunin, Clarke (STUDY, 8 properties, none of them named: all eight here are ours).
--  Scales   K, the number of smokers (default 2, as in STUDY; Patil's problem is K = 3). Tasks: K + 3, the
--           main one included.
--  Holds    all eight properties, no deadlock, no task fails.
--  Left out nothing of the problem. Patil asks for a solution by semaphores alone; here the table
--           itself sees to it that nobody takes a part.
--  See also smokers.lts and smokers.pml, the same in FSP and in Promela. There putting is one step; here it
--           is an accept with a body, which has a start and an end.

with Ada.Numerics.Discrete_Random;

procedure Smokers is

   K : constant := 2;
   pragma Annotate (Surety, Properties, "smokers_ada.lts");

   type Smoker_Id is range 1 .. K;  --  also the ingredients: smoker S has ingredient S

   package Any_One is new Ada.Numerics.Discrete_Random (Smoker_Id);

   Made : Smoker_Id'Base := 0;

   function Next return Smoker_Id is
   begin
      Made := Made + 1;
      return Made;
   end Next;

   task Agent is
      entry Thank;
      pragma Annotate (Surety, Name, Thank, "thank");
   end Agent;

   task Table is
      entry Put (Ingredient : Smoker_Id);
      entry Take (Smoker_Id);
      pragma Annotate (Surety, Name, Put, "put");
      pragma Annotate (Surety, Name, Take, "take");
   end Table;

   task type Smoker_Task (Me : Smoker_Id := Next);

   Smoker : array (Smoker_Id) of Smoker_Task;
   pragma Annotate (Surety, Repeated, Smoker);

   task body Agent is
      Choice   : Any_One.Generator;
      Withheld : Smoker_Id;
   begin
      Any_One.Reset (Choice);
      loop
         Withheld := Any_One.Random (Choice);
         pragma Annotate (Surety, Event, "choose", Withheld);
         for I in Smoker_Id loop
            if I /= Withheld then
               Table.Put (I);
            end if;
         end loop;
         accept Thank;
      end loop;
   end Agent;

   task body Table is
      Lies    : array (Smoker_Id) of Boolean := (others => False);
      Count   : Natural range 0 .. K := 0;
      Lacking : Smoker_Id := 1;
   begin
      loop
         select
            accept Put (Ingredient : Smoker_Id) do
               Lies (Ingredient) := True;
            end Put;
            Count := Count + 1;
            if Count = K - 1 then
               for I in Smoker_Id loop
                  if not Lies (I) then
                     Lacking := I;
                  end if;
               end loop;
            end if;
         or
            when Count = K - 1 =>
               accept Take (Lacking);
               Count   := 0;
               Lies    := (others => False);
               Lacking := 1;
         end select;
      end loop;
   end Table;

   task body Smoker_Task is
   begin
      loop
         Table.Take (Me);
         Agent.Thank;
         pragma Annotate (Surety, Event, "light", Me);
         pragma Annotate (Surety, Event, "out", Me);
      end loop;
   end Smoker_Task;

begin
   null;
end Smokers;
