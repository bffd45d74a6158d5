-- Words of later versions of Ada are names here.
package body Old is
   Interface, Some : Integer;
   procedure Overriding (Synchronized : Integer) is
   begin
      Some := Synchronized;
      Interface := Some + Interface;
      Overriding (Some);
   end Overriding;
end Old;

with Old;
procedure Main is begin Old.Overriding (1); end;
