--  Chiron, one dispatcher: a user interface tells its artists what happens to the data they draw.
--
--  The client calls operations of an abstract data type. A wrapper around it reports each call as an
--  event to the dispatcher, which notifies every artist registered for that event, in the order in which
--  they registered. An artist registers when it starts and unregisters when the manager terminates it.
--  Artist 1 registers for both events, the others for E1 only. The manager waits for each of its artists
--  to have registered, and so does the client, who calls operations and at some time has enough.
--
--  Source   the Chiron-1 system (Keller, Cameron, Taylor, Troup, ICSE 1991), in the form that Avrunin,
--           Corbett, Dwyer, Pasareanu, Siegel made of it (UMass TR 99-69), as used by Cobleigh, Avrunin,
--           Clarke (STUDY, 9 properties) and Bobaru, Pasareanu, Giannakopoulou (AGAR, properties 2 and 3).
--           Written from the descriptions on the pages of the UMass verification examples: entries, who calls
--           whom, lists in order of registration, the deadlock. Their Ada text is not public.
--  Scales   K, the number of artists (default 2). Tasks: K + 5, the main one included. Two events.
--  Fails    TOLD_BEFORE_NEXT (the last of the list is not told). Deadlock too, as in the original: an artist that
--           is being terminated calls Unregister_Event while the dispatcher is about to notify it.
--           Everything else holds.
--  Left out the drawing, arguments of events.
--  See also chiron.adb, which has the deadlock of the original and no other fault; chiron_broken.lts, the same fault.

with Ada.Numerics.Discrete_Random;

procedure Chiron_Broken is

   K : constant := 2;
   pragma Annotate (Surety, Properties, "chiron_ada.lts");

   type Artist_Id is range 1 .. K;
   type Wish is (E1, E2, Quit);
   subtype Event_Kind is Wish range E1 .. E2;

   package Any_Wish is new Ada.Numerics.Discrete_Random (Wish);

   Made : Artist_Id'Base := 0;

   function Next return Artist_Id is
   begin
      Made := Made + 1;
      return Made;
   end Next;

   task type Artist_Task (Me : Artist_Id := Next) is
      entry Ready;
      entry Notify_Client_Event (Event_Kind);
      entry Terminate_Artist;
   end Artist_Task;

   task Dispatcher is
      entry Register_Event (Artist : Artist_Id; Event : Event_Kind);
      entry Unregister_Event (Artist : Artist_Id; Event : Event_Kind);
      entry Notify_Artists (Event : Event_Kind);
   end Dispatcher;

   task ADT_Wrapper is
      entry Operation (Event : Event_Kind);
   end ADT_Wrapper;

   task Artist_Manager is
      entry Start;
      entry Stop;
   end Artist_Manager;

   task Client;

   Artist : array (Artist_Id) of Artist_Task;
   pragma Annotate (Surety, Repeated, Artist);

   task body Artist_Task is
   begin
      Dispatcher.Register_Event (Me, E1);
      if Me = 1 then
         Dispatcher.Register_Event (Me, E2);
      end if;
      accept Ready;
      loop
         select
            accept Notify_Client_Event (E1);
         or
            accept Notify_Client_Event (E2);
         or
            accept Terminate_Artist do
               Dispatcher.Unregister_Event (Me, E1);
               if Me = 1 then
                  Dispatcher.Unregister_Event (Me, E2);
               end if;
            end Terminate_Artist;
            exit;
         end select;
      end loop;
   end Artist_Task;

   task body Dispatcher is
      subtype Place is Positive range 1 .. K;
      Size  : array (Event_Kind) of Natural range 0 .. K := (others => 0);
      List  : array (Event_Kind, Place) of Artist_Id := (others => (others => 1));
      Heard : Event_Kind;
      Found : Natural range 0 .. K;

      function Place_Of (Artist : Artist_Id; Event : Event_Kind) return Natural is
      begin
         for P in 1 .. Size (Event) loop
            if List (Event, P) = Artist then
               return P;
            end if;
         end loop;
         return 0;
      end Place_Of;

   begin
      loop
         select
            accept Register_Event (Artist : Artist_Id; Event : Event_Kind) do
               if Place_Of (Artist, Event) = 0 then
                  Size (Event) := Size (Event) + 1;
                  List (Event, Size (Event)) := Artist;
               end if;
            end Register_Event;
         or
            accept Unregister_Event (Artist : Artist_Id; Event : Event_Kind) do
               Found := Place_Of (Artist, Event);
               if Found > 0 then
                  for P in Found .. Size (Event) - 1 loop
                     List (Event, P) := List (Event, P + 1);
                  end loop;
                  List (Event, Size (Event)) := 1;
                  Size (Event) := Size (Event) - 1;
               end if;
            end Unregister_Event;
         or
            accept Notify_Artists (Event : Event_Kind) do
               Heard := Event;
            end Notify_Artists;
            --  The fault: the loop ends one too early.
            for P in 1 .. Size (Heard) - 1 loop
               Artist (List (Heard, P)).Notify_Client_Event (Heard);
            end loop;
         or
            terminate;
         end select;
      end loop;
   end Dispatcher;

   task body ADT_Wrapper is
   begin
      loop
         select
            accept Operation (Event : Event_Kind) do
               Dispatcher.Notify_Artists (Event);
            end Operation;
         or
            terminate;
         end select;
      end loop;
   end ADT_Wrapper;

   task body Artist_Manager is
   begin
      accept Start do
         for A in Artist_Id loop
            Artist (A).Ready;
         end loop;
      end Start;
      accept Stop do
         for A in Artist_Id loop
            Artist (A).Terminate_Artist;
         end loop;
      end Stop;
   end Artist_Manager;

   task body Client is
      Choice : Any_Wish.Generator;
      Now    : Wish;
   begin
      Any_Wish.Reset (Choice);
      Artist_Manager.Start;
      loop
         Now := Any_Wish.Random (Choice);
         exit when Now = Quit;
         ADT_Wrapper.Operation (Now);
      end loop;
      Artist_Manager.Stop;
      pragma Annotate (Surety, Event, "done");
   end Client;

begin
   null;
end Chiron_Broken;
