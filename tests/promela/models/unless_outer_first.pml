byte x, y;
active proctype A() { { { x = 1; x = 2; x = 3 } unless { y >= 1 -> x = 10 }; x = 4 } unless { y >= 1 -> x = 20; x = 21 } ; x = 5 }
active proctype B() { y = 1 }
