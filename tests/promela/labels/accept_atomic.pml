/* violated: accept; the label stands before the atomic sequence */
byte x;
active proctype A() { do :: x = 1; accept: atomic { x = 2; x = 3 } od }
