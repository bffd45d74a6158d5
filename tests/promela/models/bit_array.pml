/* a bit or bool has eight bits in an array: from the start, in structures, in messages and in formulas */
typedef T { bit b; bool a[2] };
bit g[2] = 2; bool h[2] = { 3, 256 }; T t; chan c = [1] of { byte };
active proctype A() { bit l[2] = 7; assert(g[1] == 2 && h[0] == 3 && h[1] == 0 && l[0] == 7); t.b = 2; t.a[1] = 2; l[1] = g[0] + 7; c!l[1]; h[1] = 6 }
active proctype B() { if :: h[1] == 6 -> c?g[0]; assert(g[0] == 9 && t.b == 0 && t.a[1] == 2) :: g[0] > 2 -> assert(false) fi }
