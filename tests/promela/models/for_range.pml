byte s;
active proctype A() { byte i; for (i : 1 .. 4) { s = s + i; if :: i == 3 -> break :: else fi }; assert(s == 6 && i == 3) }
active proctype B() { byte j, one = 1; for (j : 2 .. one) { assert(false) } }
