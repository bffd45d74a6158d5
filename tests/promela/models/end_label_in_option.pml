byte x;
active proctype A() { if :: x == 0 -> if :: x == 1 -> skip :: x == 2 -> skip fi :: else -> goto end1 fi; end1: x = 3 }
active proctype B() { do :: x < 2 -> x++ :: x == 2 -> end: x = 2; break od }
