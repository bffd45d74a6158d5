byte a = 3; byte b = 4; byte c[3] = 2; int d[3] = { 1, 2, 3 }; chan q = [2] of { byte };
proctype P(byte x) { byte y = x + 1, z[2] = 6; assert(y == 8 && z[1] == 6 && c[2] == 2 && d[2] == 3) }
init { byte l = a + b; run P(l) }
