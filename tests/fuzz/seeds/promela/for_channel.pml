/* every message is taken and put back; both loops count with the same variable */
typedef M { byte a; bit b };
chan c = [3] of { M }; byte s;
active proctype A() { M m; m.a = 1; c!m; m.a = 2; m.b = 1; c!m; for (m in c) { s = s + m.a }; assert(s == 3); for (m in c) { if :: m.b -> s = 9 :: else -> skip fi } }
active proctype B() { M n; n.a = 7; if :: len(c) == 2 -> c!n :: len(c) == 1 -> c?n fi }
