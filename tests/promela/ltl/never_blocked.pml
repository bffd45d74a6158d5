byte x;
active proctype A() { x = 1; x = 3 }
never { x == 0; x == 1; x == 2 }
