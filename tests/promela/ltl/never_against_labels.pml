/* the claim cannot follow a run that passes the label again and again */
byte x;
active proctype A() { do :: x == 0 -> x = 1; x = 0 :: x == 0 -> x = 2; accept: x = 0 od }
never { do :: x < 2 od }
