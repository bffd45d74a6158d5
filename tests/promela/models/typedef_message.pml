typedef M { byte a; short b };
chan c = [1] of { byte, M }; M out, in; byte t;
active proctype A() { out.a = 4; out.b = -7; c!9,out }
active proctype B() { c?t,in; assert(t == 9 && in.a == 4 && in.b == -7) }
