byte x;
active proctype A() { start: x++; if :: x < 3 -> goto start :: x >= 3 -> goto stop fi; x = 100; stop: assert(x == 3) }
active proctype B() { goto l2; l1: x = 50; goto l3; l2: goto l1; l3: skip }
