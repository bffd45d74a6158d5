byte x, y;
active proctype A() { d_step { x == 2 -> y = x; x = 0 } }
active proctype B() { do :: x < 2 -> x++ :: x == 0 && y > 0 -> break od }
