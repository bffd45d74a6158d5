byte x, y;
active proctype A() { if :: if :: x == 1 -> y = 1 :: else -> y = 2 fi :: x == 2 -> y = 3 fi; do :: if :: y > 5 -> break :: else -> y++ fi :: y == 3 -> y = 4 od }
active proctype B() { x = 1; x = 2 }
