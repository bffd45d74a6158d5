/* violated: accept */
byte x;
active proctype A() { again: x = 1; accept: d_step { x = 2; x = 3 }; goto again }
