byte x;
active proctype A() { do :: x = 1 - x od }
never { do :: true :: x == 1 -> goto accept od; accept: do :: x == 1 od }
