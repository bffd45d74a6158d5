mtype = { a, b, c }; mtype = { d, e }; mtype:s = { p, q }; mtype:s v = p;
active proctype A() { int x; x = a; assert(x == 3); x = c; assert(x == 1); x = d; assert(x == 5); x = e; assert(x == 4) }
