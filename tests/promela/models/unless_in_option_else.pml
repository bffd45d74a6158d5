byte x, y; bool s;
active proctype A() { do :: x < 2 -> x++ :: if :: { { y == 1; x = 4 } unless { s -> y = 2 }; x = 5 } :: { y == 3; skip } unless { x == 2 && s -> y = 4 } :: else -> break fi od }
active [2] proctype B() { if :: s = true :: y = 1 :: y = 3 fi }
