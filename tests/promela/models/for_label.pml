/* a label on the first statement of a for */
byte x;
active proctype A() { byte i; for (i : 0 .. 2) { again: x++; if :: x == 2 -> goto again :: else -> skip fi } }
