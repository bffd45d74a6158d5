/* a label accept of a process counts together with the claim */
byte x;
active proctype A() { do :: x == 0 -> x = 1; accept: x = 0 :: x == 0 -> x = 2; x = 0 od }
never { do :: x < 2 od }
