byte x, y; byte n = 3;
active proctype A() { select (x : 1 .. 3); select (y : 0 .. n); assert(x + y < 6) }
