mtype = {a,b}; typedef R { mtype t; byte v[2] }; chan c = [2] of { R, bool }; R r1, r2; bool f;
active proctype A() { r1.t = a; r1.v[1] = 4; c!r1,true; r1.t = b; c!r1,0 }
active proctype B() { c?r2,f; assert(r2.v[1] == 4 && f); c?r2,f; assert(r2.t == b) }
