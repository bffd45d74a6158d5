--  Peterson: K processes and one critical section, with nothing but reads and writes.
--
--  To enter, a process climbs K-1 levels. At each it writes itself down as the last to arrive,
--  writes its level, and waits until somebody came after it or nobody else is as high. Every read
--  and every write is a step of its own. For K = 2 this is the well-known algorithm with two
--  flags and a turn.
--
--  Source   G. Peterson: Myths about the mutual exclusion problem (IPL 1981), which has both forms, as
--           used by Cobleigh, Avrunin, Clarke (STUDY, 1 property).
--  Scales   K, the number of processes (default 2). Tasks: K + 1, the main one included.
--  Fails    MUTEX. No deadlock, and no task fails.
--  Left out what happens inside and outside the critical section. Ours: the main task starts the processes one
--           after the other and tells each who it is.
--  See also peterson.adb, which has no fault; peterson_broken.lts and peterson_broken.pml, the same fault in FSP
--           and in Promela.

procedure Peterson_Broken is

   K : constant := 2;
   pragma Annotate (Surety, Properties, "peterson_ada.lts");

   subtype Process_Id is Positive range 1 .. K;
   subtype Height is Natural range 0 .. K - 1;
   subtype Stage is Height range 1 .. K - 1;

   Level : array (Process_Id) of Height := (others => 0);
   Last  : array (Stage) of Process_Id := (others => 1);
   pragma Atomic_Components (Level);
   pragma Atomic_Components (Last);

   task type Process_Task is
      entry Start (Id : Process_Id);
   end Process_Task;

   Process : array (Process_Id) of Process_Task;
   pragma Annotate (Surety, Repeated, Process);

   task body Process_Task is
      Me      : Process_Id;
      As_High : Boolean;
   begin
      accept Start (Id : Process_Id) do
         Me := Id;
      end Start;
      loop
         for L in Stage loop
            --  The fault: these two writes are in the wrong order.
            Last (L)   := Me;
            Level (Me) := L;
            loop
               As_High := False;
               for Q in Process_Id loop
                  if Q /= Me then
                     As_High := Level (Q) >= L;
                     exit when As_High;
                  end if;
               end loop;
               exit when not As_High;
               exit when Last (L) /= Me;
            end loop;
         end loop;
         pragma Annotate (Surety, Event, "enter", Me);
         pragma Annotate (Surety, Event, "leave", Me);
         Level (Me) := 0;
      end loop;
   end Process_Task;

begin
   for P in Process_Id loop
      Process (P).Start (P);
   end loop;
end Peterson_Broken;
