/* violated: accept; in a block with an escape */
byte x;
active proctype A() { top: x = 0; { x = 1; accept: x = 2; x = 3 } unless { x == 3 }; goto top }
