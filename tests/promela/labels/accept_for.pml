/* violated: accept; on the first statement of a for */
byte x;
active proctype A() { byte i; do :: for (i : 0 .. 1) { accept: x = i } od }
