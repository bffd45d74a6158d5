byte x;
active proctype A() { do :: x < 4 -> x++ :: x == 4 -> x = 0 od }
never { accept: do :: x == 3 -> goto wait :: else od; wait: do :: x == 3 :: else -> goto accept od }
