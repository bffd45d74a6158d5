--  Readers and Writers: K readers and two writers share some data; a writer wants it alone.
--
--  Any number of readers may read at the same time, but nobody else may do anything while a writer
--  writes. A protected object counts the readers and knows whether somebody writes: its entries
--  are open as long as one more may begin.
--
--  Source   P. Courtois, F. Heymans, D. Parnas: Concurrent control with readers and writers (CACM 1971); here as
--           in most courses on Ada. Not in the five papers.
--  Scales   K, the number of readers (default 2). Tasks: K + 3, the main one included; one protected object.
--  Fails    ONE_WRITER, and NO_READER: when the first of two writers ends, a reader may begin. No deadlock, and
--           no task fails.
--  Left out the data. Nobody has priority: readers who come and go can keep a writer waiting for ever.
--  See also readers_writers.adb, which has no fault.

procedure Readers_Writers_Broken is

   K : constant := 2;
   pragma Annotate (Surety, Properties, "readers_writers_ada.lts");

   protected Control is
      entry Start_Read;
      procedure End_Read;
      entry Start_Write;
      procedure End_Write;
   private
      Readers : Natural range 0 .. K := 0;
      Writing : Boolean := False;
   end Control;

   task type Reader_Task;

   task type Writer_Task;

   Reader : array (1 .. K) of Reader_Task;
   Writer : array (1 .. 2) of Writer_Task;
   pragma Annotate (Surety, Repeated, Reader);

   protected body Control is

      entry Start_Read when not Writing is
      begin
         Readers := Readers + 1;
      end Start_Read;

      procedure End_Read is
      begin
         Readers := Readers - 1;
      end End_Read;

      --  The fault: a writer looks for readers, and not for another writer.
      entry Start_Write when Readers = 0 is
      begin
         Writing := True;
      end Start_Write;

      procedure End_Write is
      begin
         Writing := False;
      end End_Write;

   end Control;

   task body Reader_Task is
   begin
      loop
         Control.Start_Read;
         Control.End_Read;
      end loop;
   end Reader_Task;

   task body Writer_Task is
   begin
      loop
         Control.Start_Write;
         Control.End_Write;
      end loop;
   end Writer_Task;

begin
   null;
end Readers_Writers_Broken;
