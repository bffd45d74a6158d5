/* a jump from the end of one atomic sequence into another keeps the floor */
byte x;
active proctype A() { again: atomic { x++; x < 3 -> goto next } ; x = 50; next: atomic { x++; if :: x < 9 -> goto again :: else fi } }
active proctype B() { x == 4; x = 20 }
