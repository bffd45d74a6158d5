/* violated: none; a run that ends is no cycle */
byte x;
active proctype A() { progress: x = 1; x = 2 }
active proctype B() { x = 3; x == 9; x = 4 }
