/* a bit in an array has eight bits, but one in a message */
typedef S { bit f[2]; bool b };
S r[2], s; chan c = [0] of { S }; chan d = [1] of { byte, S };
active proctype P() { r[0].f[1] = 2; r[1].f[1] = 3; c!r[0]; d!9,r[1] }
active proctype Q() { byte n; c?s; assert(s.f[1] == 0); d?n,s; assert(s.f[1] == 1 && r[1].f[1] == 3) }
active proctype R() { r[0].f[1] = 0; c?r[0] }
