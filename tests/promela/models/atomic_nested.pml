byte x;
active proctype A() { atomic { x = 1; atomic { x = 2; x = 3 }; { x = 4; x = 5 } } x = 6 }
active proctype B() { assert(x == 0 || x >= 5) }
