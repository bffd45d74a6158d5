byte x;
active proctype A() { select (x : 1 .. 40); assert(x <= 40) }
