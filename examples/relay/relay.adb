--  Relay: K tasks take turns at a shared bit; each writes 0 into it, then 1 again.
--
--  The tasks stand in a ring and hand on a baton. Who has it reads the bit, writes 0 (busy),
--  writes 1 (free), hands the baton to the next and prepares for its next turn. The bit is a
--  server with one entry for reading and one for writing.
--
--  Source   the Relay problem of S. Siegel, G. Avrunin: Improving the precision of INCA by eliminating
--           solutions with spurious cycles (TSE 2002), as used by Cobleigh, Avrunin, Clarke (STUDY: "the
--           number of tasks accessing the shared variable", property "always 1 between 0"). Nothing more
--           is said of it there: who writes when, and the baton, are ours.
--  Scales   K, the number of tasks in the ring (default 2). Tasks: K + 2, the main one included.
--  Holds    the property, no deadlock, no task fails.
--  Left out what the tasks do while the bit is 0.
--  See also relay.lts and relay.pml, the same in FSP and in Promela. There a message is one step; here an
--           accept with a body is two, its start and its end.

procedure Relay is

   K : constant := 2;
   pragma Annotate (Surety, Properties, "relay_ada.lts");

   type Runner_Id is range 1 .. K;
   type Bit is range 0 .. 1;

   Made : Runner_Id'Base := 0;

   function Next return Runner_Id is
   begin
      Made := Made + 1;
      return Made;
   end Next;

   task type Runner_Task (Me : Runner_Id := Next) is
      entry Pass;
   end Runner_Task;

   task Variable is
      entry Read (Value : out Bit);
      entry Write (Value : Bit);
   end Variable;

   Runner : array (Runner_Id) of Runner_Task;
   pragma Annotate (Surety, Repeated, Runner);

   task body Runner_Task is
      Ignored : Bit;  --  what it finds does not matter
   begin
      if Me > 1 then
         accept Pass;
      end if;
      loop
         Variable.Read (Ignored);
         Variable.Write (0);
         Variable.Write (1);
         Runner (Me mod K + 1).Pass;
         pragma Annotate (Surety, Event, "prepare", Me);
         accept Pass;
      end loop;
   end Runner_Task;

   task body Variable is
      Now : Bit := 1;
   begin
      loop
         select
            accept Read (Value : out Bit) do
               Value := Now;
            end Read;
         or
            accept Write (Value : Bit) do
               Now := Value;
            end Write;
         end select;
      end loop;
   end Variable;

begin
   null;
end Relay;
