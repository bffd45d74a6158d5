byte x;
active [2] proctype A() { x = (_pid == 0 -> x + 1 : x + 2); assert(x == 1 || x == 2 || x == 3) }
