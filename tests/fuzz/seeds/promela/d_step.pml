byte x, y;
active proctype A() { d_step { x = 1; y = 1; if :: x > 3 -> y = 9 :: else -> y = x + 1 fi; do :: x < 6 -> x = x + y :: else -> break od }; assert(x + y < 12) }
active proctype B() { assert(x == 0 || y == 2) }
