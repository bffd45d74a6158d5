/* violated: accept, progress */
byte x;
active proctype A() { do :: x = 1; progress: x = 0 :: x = 2; accept: x = 0 od }
