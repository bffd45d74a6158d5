/* violated: none */
byte x;
active proctype A() { do :: x = 1; progress: x = 0 od }
