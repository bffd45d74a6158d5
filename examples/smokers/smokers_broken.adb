--  Smokers: K smokers, K ingredients, an agent who puts all ingredients but one on the table.
--
--  Each smoker has an endless supply of one ingredient and needs one of each of the others. The agent
--  chooses one ingredient to withhold and puts the others on the table, one after the other. The
--  smoker who has the withheld one should take them, thank the agent, and smoke; meanwhile
--  the agent chooses again. The table is a protected object: a place for each ingredient.
--
--  Source   S. Patil: Limitations and capabilities of Dijkstra's semaphore primitives (1971), as used by
--           Cobleigh, Avrunin, Clarke (STUDY, 8 properties, none of them named: all eight here are ours).
--  Scales   K, the number of smokers (default 3, Patil's problem; with two the fault does no harm). Tasks: K + 2,
--           the main one included.
--  Fails    deadlock, Patil's: a smoker holds what another one needs. The properties hold, and no task fails.
--  Left out nothing of the problem. Patil asks for a solution by semaphores alone; here the table
--           itself does not care who takes what.
--  See also smokers.adb, which has no fault; smokers_broken.lts and smokers_broken.pml, the same fault in FSP and
--           in Promela.

with Ada.Numerics.Discrete_Random;

procedure Smokers_Broken is

   K : constant := 3;
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

   type Places is array (Smoker_Id) of Boolean;

   protected Table is
      procedure Put (Ingredient : Smoker_Id);
      entry Pick (Smoker_Id);
      pragma Annotate (Surety, Name, Put, "put");
   private
      Lies : Places := (others => False);
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

   protected body Table is

      procedure Put (Ingredient : Smoker_Id) is
      begin
         Lies (Ingredient) := True;
      end Put;

      entry Pick (for I in Smoker_Id) when Lies (I) is
      begin
         Lies (I) := False;
      end Pick;

   end Table;

   task body Smoker_Task is
   begin
      loop
         --  The fault: a smoker picks up what he needs piece by piece, lowest number first, as it comes.
         --  The event take is now the moment when he has everything.
         for I in Smoker_Id loop
            if I /= Me then
               Table.Pick (I);
            end if;
         end loop;
         pragma Annotate (Surety, Event, "take", Me);
         Agent.Thank;
         pragma Annotate (Surety, Event, "light", Me);
         pragma Annotate (Surety, Event, "out", Me);
      end loop;
   end Smoker_Task;

begin
   null;
end Smokers_Broken;
