/* violated: progress */
byte x;
active proctype A() { do :: x = 1; progress: x = 0 :: x = 2 od }
