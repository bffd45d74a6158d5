#include "lang/ada/unit_texts.hpp"

#include <array>
#include <utility>

namespace surety::ada {
namespace {

// Ceilings are priorities, and ignored.
constexpr std::string_view kSemaphores = R"(
package GNAT.Semaphores is
   Default_Ceiling : constant Integer := 0;

   protected type Counting_Semaphore (Initial_Value : Natural; Ceiling : Integer := Default_Ceiling) is
      entry Seize;
      procedure Release;
   private
      Count : Natural := Initial_Value;
   end Counting_Semaphore;

   protected type Binary_Semaphore (Initially_Available : Boolean; Ceiling : Integer := Default_Ceiling) is
      entry Seize;
      procedure Release;
   private
      Available : Boolean := Initially_Available;
   end Binary_Semaphore;
end GNAT.Semaphores;

package body GNAT.Semaphores is
   protected body Counting_Semaphore is
      entry Seize when Count > 0 is
      begin
         Count := Count - 1;
      end Seize;
      procedure Release is
      begin
         Count := Count + 1;
      end Release;
   end Counting_Semaphore;

   protected body Binary_Semaphore is
      entry Seize when Available is
      begin
         Available := False;
      end Seize;
      procedure Release is
      begin
         Available := True;
      end Release;
   end Binary_Semaphore;
end GNAT.Semaphores;
)";

// ARM D.10. That a second task which suspends itself raises Program_Error is not modelled: it waits.
constexpr std::string_view kTaskControl = R"(
package Ada.Synchronous_Task_Control is
   protected type Suspension_Object is
      procedure Set (To : Boolean);
      function Is_Set return Boolean;
      entry Suspend;
   private
      State : Boolean := False;
   end Suspension_Object;
   procedure Set_True (S : in out Suspension_Object);
   procedure Set_False (S : in out Suspension_Object);
   function Current_State (S : Suspension_Object) return Boolean;
   procedure Suspend_Until_True (S : in out Suspension_Object);
end Ada.Synchronous_Task_Control;

package body Ada.Synchronous_Task_Control is
   protected body Suspension_Object is
      procedure Set (To : Boolean) is
      begin
         State := To;
      end Set;
      function Is_Set return Boolean is
      begin
         return State;
      end Is_Set;
      entry Suspend when State is
      begin
         State := False;
      end Suspend;
   end Suspension_Object;

   procedure Set_True (S : in out Suspension_Object) is
   begin
      S.Set (True);
   end Set_True;
   procedure Set_False (S : in out Suspension_Object) is
   begin
      S.Set (False);
   end Set_False;
   function Current_State (S : Suspension_Object) return Boolean is
   begin
      return S.Is_Set;
   end Current_State;
   procedure Suspend_Until_True (S : in out Suspension_Object) is
   begin
      S.Suspend;
   end Suspend_Until_True;
end Ada.Synchronous_Task_Control;
)";

// ARM D.10.1. Who comes too early for the next round waits until all have left this one.
constexpr std::string_view kBarriers = R"(
package Ada.Synchronous_Barriers is
   subtype Barrier_Limit is Positive;
   protected type Synchronous_Barrier (Release_Threshold : Barrier_Limit) is
      entry Arrive (Last : out Boolean);
      entry Leave;
   private
      Waiting : Natural := 0;
      Open    : Boolean := False;
   end Synchronous_Barrier;
   procedure Wait_For_Release (The_Barrier : in out Synchronous_Barrier; Notified : out Boolean);
end Ada.Synchronous_Barriers;

package body Ada.Synchronous_Barriers is
   protected body Synchronous_Barrier is
      entry Arrive (Last : out Boolean) when not Open is
      begin
         Waiting := Waiting + 1;
         Open    := Waiting = Release_Threshold;
         Last    := Open;
      end Arrive;
      entry Leave when Open is
      begin
         Waiting := Waiting - 1;
         Open    := Waiting > 0;
      end Leave;
   end Synchronous_Barrier;

   procedure Wait_For_Release (The_Barrier : in out Synchronous_Barrier; Notified : out Boolean) is
   begin
      The_Barrier.Arrive (Notified);
      The_Barrier.Leave;
   end Wait_For_Release;
end Ada.Synchronous_Barriers;
)";

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kTexts{{
    {"gnat.semaphores", kSemaphores},
    {"ada.synchronous_task_control", kTaskControl},
    {"ada.synchronous_barriers", kBarriers},
}};

}  // namespace

std::optional<std::string_view> text_of_unit(std::string_view unit) {
  for (const auto& [name, text] : kTexts)
    if (name == unit) return text;
  return std::nullopt;
}

}  // namespace surety::ada
