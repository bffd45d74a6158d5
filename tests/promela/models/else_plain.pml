byte x;
active proctype A() { do :: x < 3 -> x++ :: else -> break od; if :: x == 3 :: else -> assert(false) fi }
active proctype B() { x = 1; x = 0 }
