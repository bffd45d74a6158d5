/* the messages of one channel of an array; the index is worked out again for each */
typedef M { byte a }; chan c[2] = [2] of { M }; byte s, t; byte i = 1;
active proctype A() { M m; m.a = 1; c[i]!m; m.a = 2; c[1]!m; for (m in c[i]) { s = s + m.a }; for (m in c[1]) { t = t + m.a }; assert(t <= 3) }
active proctype B() { M n; n.a = 7; if :: len(c[1]) == 1 -> c[1]!n :: c[1]?n fi; i = 0 }
