/* _ takes a value and keeps none: a step, but no state. */
byte g;

proctype B() { g++ }

active [2] proctype A() {
  byte i;
  do
  :: i < 3 -> i++; _ = i * g
  :: i > 1 -> _ = g; g = 1 - g; break
  od;
  assert(g < 2)
}

init { _ = run B() }
