byte x;
active proctype A() { { x = 1; x = 2; x = 3; x = 4 } unless { x == 7 -> x = 8 } ; assert(x == 4 || x == 8 || x == 7) }
active proctype B() { x = 7 }
