/* violated: none; all end, and nobody stands anywhere */
byte x;
active proctype A() { x = 1; accept: x = 2 }
active proctype B() { x = 3 }
