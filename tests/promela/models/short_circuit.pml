byte x; byte a[2];
active proctype A() { if :: x < 2 && a[x] == 0 -> x = 2 :: else fi; if :: x >= 2 || a[x] == 0 -> skip :: else -> assert(false) fi }
