int a = 7, b = -3;
active proctype A() { assert(a / b == -2); assert(a % b == 1); assert((a << 2) == 28); assert((b >> 1) == -2); assert((a & 3) == 3 && (a | 8) == 15 && (a ^ 1) == 6); assert(~a == -8); assert(-b == 3); assert(!(a == 8)); assert((a > b -> 1 : 2) == 1) }
