/* violated: accept */
byte x;
active proctype A() { accept: do :: x = 1 - x od }
