byte a[3]; byte s;
active proctype A() { byte i; for (i in a) { a[i] = i + 1 } ; for (i in a) { s = s + a[i] }; assert(s == 6) }
