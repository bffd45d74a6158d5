/* violated: none; whoever passes accept passes on to progress, and then it is over */
byte x;
active proctype A() { x = 1; accept: x = 2; do :: x == 2 -> progress_a: x = 3 :: x == 3 -> progress_b: x = 2 od }
