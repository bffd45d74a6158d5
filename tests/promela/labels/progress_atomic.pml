/* violated: progress; nobody sees the label inside the atomic sequence */
byte x;
active proctype A() { do :: atomic { x = 1; progress: x = 2; x = 0 } od }
