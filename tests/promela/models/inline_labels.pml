byte x, n;
inline count(limit) { skip; again: if :: n < limit -> n++; goto again :: else fi }
active proctype A() { count(2); assert(n == 2); count(4); assert(n == 4) }
