procedure Accepts is
   type Index is range 1 .. 3;
   task type Server (Me : Index := 1) is
      entry Start;
      entry Put (X : in Integer; Y : out Boolean);
      entry Family (Index) (Z : in out Integer);
      pragma Priority (3);
   end Server;
   S : Server (2);
   task body Server is
      N : Integer := 0;
   begin
      accept Start;
      loop
         select
            when N < 3 =>
               accept Put (X : in Integer; Y : out Boolean) do
                  N := X;
                  Y := N > 0;
               end Put;
               N := N + 1;
         or
            accept Family (Me) (Z : in out Integer);
         or
            delay 1.0;
            exit;
         end select;
         select
            accept Start do
               null;
            exception
               when others => raise;
            end;
         or
            terminate;
         end select;
         select
            accept Start;
         else
            null;
         end select;
      end loop;
   end Server;
begin
   select
      S.Start;
   else
      null;
   end select;
   select
      S.Put (1, B);
   or
      delay until Clock + 1.0;
      S.Family (2) (N);
   end select;
   select
      delay 1.0;
      Put ("late");
   then abort
      S.Start;
   end select;
   abort S, T.all;
   requeue S.Start with abort;
end Accepts;
