byte x;
active proctype A() { x = 1; x = 2; x = 1 }
never { do :: x < 2 :: x == 2 -> break od; x == 1 }
