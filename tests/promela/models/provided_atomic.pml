byte x; bool ok;
active proctype A() provided (ok) { atomic { x = 1; ok = false; x = 2 }; x = 3 }
active proctype B() { ok = true; x == 1; ok = true; x = 7 }
