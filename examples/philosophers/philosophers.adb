--  Philosophers: K philosophers round a table, a fork between any two; to eat takes both forks.
--
--  A philosopher takes one fork, then the other, eats, and puts both down. Fork P is at the left of
--  philosopher P, fork P+1 at the right. All but the last take the left fork first; the
--  last one takes the right fork first, so that they cannot all wait for each other.
--
--  Source   E. W. Dijkstra: Hierarchical ordering of sequential processes (1971); here as in most courses on
--           Ada, with protected objects for the forks. Not in the five papers.
--  Scales   K, the number of philosophers (default 2). Tasks: K + 1, the main one included; K protected objects.
--  Holds    the property, no deadlock, no task fails.
--  Left out thinking.
--  See also philosophers.lts, the same in FSP.

procedure Philosophers is

   K : constant := 2;
   pragma Annotate (Surety, Properties, "philosophers_ada.lts");

   type Seat is range 1 .. K;

   Made : Seat'Base := 0;

   function Next return Seat is
   begin
      Made := Made + 1;
      return Made;
   end Next;

   protected type Fork_Object is
      entry Take;
      procedure Put;
   private
      Free : Boolean := True;
   end Fork_Object;

   task type Philosopher_Task (Me : Seat := Next);

   Fork        : array (Seat) of Fork_Object;
   Philosopher : array (Seat) of Philosopher_Task;
   pragma Annotate (Surety, Repeated, Philosopher);

   protected body Fork_Object is

      entry Take when Free is
      begin
         Free := False;
      end Take;

      procedure Put is
      begin
         Free := True;
      end Put;

   end Fork_Object;

   task body Philosopher_Task is
      Left  : constant Seat := Me;
      Right : constant Seat := Me mod K + 1;
   begin
      loop
         if Me < K then
            Fork (Left).Take;
            Fork (Right).Take;
         else
            Fork (Right).Take;
            Fork (Left).Take;
         end if;
         pragma Annotate (Surety, Event, "eat", Me);
         pragma Annotate (Surety, Event, "full", Me);
         Fork (Left).Put;
         Fork (Right).Put;
      end loop;
   end Philosopher_Task;

begin
   null;
end Philosophers;
