byte x, y; bool s;
active proctype A() { if :: { x = 1; x = 2 } unless { s -> y = 1 } :: x = 3 fi; assert(y == 0 || x == 1) }
active proctype B() { s = true }
