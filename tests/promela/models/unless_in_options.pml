byte x, y; bool s, t;
active proctype A() { if :: { x = 1; x = 2 } unless { s -> y = 1 } :: { x = 3; x = 4 } unless { t -> y = 2; y = 3 } :: x = 5 fi; assert(y != 7) }
active proctype B() { s = true }
active proctype C() { t = true }
