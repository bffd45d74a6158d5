byte x;
active proctype A() { atomic { x = 1; if :: x == 1 -> goto out :: else -> skip fi; x = 2 }; out: x = 3; x = 4 }
active proctype B() { byte y; y = x; assert(y != 2) }
