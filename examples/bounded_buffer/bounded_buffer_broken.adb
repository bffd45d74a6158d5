--  Bounded Buffer: a producer and a consumer with a buffer of K places between them.
--
--  The buffer is a protected object: a ring of K places, with an entry that is open while there is room,
--  and one that is open while there is something. The producer numbers its items 0, 1, .. K and begins
--  again with 0, so that no two items in the buffer have the same number.
--
--  Source   E. W. Dijkstra: Cooperating sequential processes (1965); here as in most courses on Ada. Not in the
--           five papers.
--  Scales   K, the number of places (default 2). Tasks: 3, the main one included; one protected object.
--  Fails    BOUNDED, and IN_ORDER: an item is written over the oldest one. No deadlock, and no task fails.
--  Left out what an item is. The numbers are ours, for the property.
--  See also bounded_buffer.adb, which has no fault.

procedure Bounded_Buffer_Broken is

   K : constant := 2;
   pragma Annotate (Surety, Properties, "bounded_buffer_ada.lts");

   type Item is mod K + 1;
   type Place is mod K;
   type Places is array (Place) of Item;

   protected Buffer is
      entry Put (X : Item);
      entry Get (X : out Item);
   private
      Ring       : Places := (others => 0);
      Head, Tail : Place := 0;
      Count      : Natural := 0;
   end Buffer;

   task Producer;

   task Consumer;

   protected body Buffer is

      --  The fault: there is still room when the buffer is full.
      entry Put (X : Item) when Count <= K is
      begin
         Ring (Tail) := X;
         Tail  := Tail + 1;
         Count := Count + 1;
      end Put;

      entry Get (X : out Item) when Count > 0 is
      begin
         X := Ring (Head);
         Ring (Head) := 0;
         Head  := Head + 1;
         Count := Count - 1;
      end Get;

   end Buffer;

   task body Producer is
      Next : Item := 0;
   begin
      loop
         Buffer.Put (Next);
         Next := Next + 1;
      end loop;
   end Producer;

   task body Consumer is
      Ignored : Item;
   begin
      loop
         Buffer.Get (Ignored);
      end loop;
   end Consumer;

begin
   null;
end Bounded_Buffer_Broken;
