byte r;
inline swap(a, b) { byte t = a; a = b; b = t }
active proctype A() { byte p = 1, q = 2; swap(p, q); assert(p == 2 && q == 1); swap(p, q); r = p }
