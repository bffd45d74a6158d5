byte x;
active proctype A() { end: atomic { x == 5 -> x = 6 } }
active proctype B() { end_here: if :: x == 5 :: x == 6 fi }
