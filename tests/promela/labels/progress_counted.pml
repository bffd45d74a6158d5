/* violated: none; the loop without progress has an end */
byte x;
active proctype A() { do :: x < 4 -> x++ :: x == 4 -> progress_again: x = 0 od }
