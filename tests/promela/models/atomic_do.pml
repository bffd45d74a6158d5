/* a loop at the end of an atomic sequence */
byte x;
active proctype A() { atomic { x = 1; do :: x < 4 -> x++ :: else -> break od }; x = 7 }
active proctype B() { x > 0; assert(x >= 4) }
