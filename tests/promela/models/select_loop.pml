/* a select is a loop that counts, and others see it count, inside an inline and where a bound is no bare number */
mtype = { m };
byte x, y, z, seen;
inline pick(v) { select (v : 0 .. 2) }
active proctype A() { pick(x); select (y : (0) .. 2); select (z : m .. 2) }
active proctype B() { if :: x == 1 -> x == 2; seen = 1 :: y == 1 -> y == 2; seen = 2 :: z == 2 fi }
